"""Measures runs on a cluster: wall and processor time, peak memory of the calling process, largest message.

Usage: python cluster.py [dask] [ray]. Every row is a process of its own with 1 or 2 workers on this machine, and the local run
of the same job is measured beside it.
"""

from __future__ import annotations

import importlib
import json
import os
import pickle
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sized
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

import croupier
from croupier import cluster

#: The job of `cluster.solve` instead of `cluster.deal`.
SOLVE = "1,000 double-dummy tables"
JOBS: dict[str, tuple[str, dict[str, Any]]] = {
    "1,000,000 kept deals": ("condition hcp(north) >= 12", {"produce": 1_000_000}),
    "10,000,000 kept deals": ("condition hcp(north) >= 12", {"produce": 10_000_000}),
    "50 deals of 9 in 1,000,000,000": ("condition hcp(north) >= 34", {"produce": 50}),
    SOLVE: ("condition 1", {"produce": 1000}),
}


class _MeasuringExecutor(Executor):
    """An executor that runs tasks at once and keeps the size of the largest message."""

    _max_workers = 2
    largest = 0
    tasks = 0

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        result = function(*arguments, **named)
        sizes = [len(pickle.dumps(it, protocol=5)) for it in (arguments, result)]
        self.largest, self.tasks = max(self.largest, *sizes), self.tasks + 1
        future.set_result(result)
        return future


@contextmanager
def dask(workers: int) -> Iterator[Any]:
    """Starts a Dask cluster of processes."""
    distributed: Any = importlib.import_module("distributed")
    with distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", memory_limit=0
    ) as local, distributed.Client(local) as client:
        client.run(lambda: __import__("croupier").cluster and None)
        yield client


@contextmanager
def ray(workers: int) -> Iterator[Any]:
    """Starts Ray on this machine."""
    ray: Any = importlib.import_module("ray")
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, configure_logging=False)
    warm = ray.remote(lambda: __import__("croupier").cluster and None)
    ray.get([warm.remote() for _ in range(2 * workers)])
    yield ray
    ray.shutdown()


def _processor_seconds() -> float:
    """Returns the processor time of this process and of all processes that it started."""
    psutil: Any = importlib.import_module("psutil")
    me = psutil.Process()
    total = 0.0
    for process in (me, *me.children(recursive=True)):
        times = process.cpu_times()
        total += times.user + times.system
    return total


def measure(run: Callable[[], Sized]) -> dict[str, Any]:
    """Runs a job and returns its times, and the peak memory of this process in megabytes."""
    wall, cpu = time.perf_counter(), _processor_seconds()
    result = run()
    return {
        "deals": len(result),
        "wall": time.perf_counter() - wall,
        "cpu": _processor_seconds() - cpu,
        "driver_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def one(job: str, where: str, workers: int) -> dict[str, Any]:
    """Measures one row."""
    script, limits = JOBS[job]

    def run(client: Any) -> Sized:
        if job == SOLVE:
            deals = croupier.deal(script, seed=1, **limits).deals
            return cluster.solve(deals, client=client) if client else croupier.solve(deals, threads=workers)
        if client:
            return cluster.deal(script, client=client, seed=1, **limits)
        return croupier.deal(script, seed=1, threads=workers, **limits)

    if where == "here":
        return measure(lambda: run(None))
    if where == "messages":
        executor = _MeasuringExecutor()
        run(executor)
        return {"largest_kb": executor.largest / 1024, "tasks": executor.tasks}
    with {"dask": dask, "ray": ray}[where](workers) as client:
        return measure(lambda: run(client))


def main() -> None:
    """Prints a row for each job, place and number of workers."""
    if len(sys.argv) == 5 and sys.argv[1] == "one":
        print(json.dumps(one(sys.argv[2], sys.argv[3], int(sys.argv[4]))))
        return
    places = sys.argv[1:] or ["dask", "ray"]
    for job in JOBS:
        for where in ("here", *places, "messages"):
            for workers in (1,) if where == "messages" else (1, 2):
                command = [sys.executable, os.path.abspath(__file__), "one", job, where, str(workers)]
                done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
                row = json.loads(done.stdout.splitlines()[-1])
                cells = "  ".join(f"{name} {value:,.2f}" for name, value in row.items())
                print(f"{job:36} {where:9} {workers}  {cells}", flush=True)


if __name__ == "__main__":
    main()
