"""Schedulers that run the tasks of a cluster: Dask distributed, Ray, and executors of `concurrent.futures`."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from typing import Any, Protocol

from . import _croupier

__all__ = ["ClusterError", "Scheduler", "Task", "cancellation_poll", "run_tasks", "scheduler_of"]


class ClusterError(RuntimeError):
    """An error of the cluster, not of the script: a worker without the package or with another version, lost workers."""


class _Cancelled(RuntimeError):
    """The run of a task was cancelled."""


#: Runs that ended in this process. Tasks on threads of this process check this set and stop.
_ended: set[str] = set()
_ended_lock = threading.Lock()


def _by_value() -> Callable[..., Any]:
    """Returns a function that workers can load without this package, so that a missing package is a clear error.

    Dask and Ray send functions of ``__main__`` by value, others by name.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(
        "def call(version, function, *arguments):\n"
        "    import croupier\n"
        "    if croupier.__version__ != version:\n"
        "        return croupier.__version__, None\n"
        "    import croupier.cluster\n"
        "    return version, getattr(croupier.cluster, function)(*arguments)\n",
        names,
    )
    call: Callable[..., Any] = names["call"]
    return call


def _call(version: str, function: str, *arguments: Any) -> tuple[str, Any]:
    """Calls a function of `croupier.cluster` on a worker, if the worker has the same version of the package."""
    if _croupier.__version__ != version:
        return _croupier.__version__, None
    return version, getattr(importlib.import_module("croupier.cluster"), function)(*arguments)


def cancellation_poll(run: str) -> Callable[[], None]:
    """Returns a function that raises an exception on a worker when its task is no longer needed."""
    distributed = sys.modules.get("distributed.worker")
    state = getattr(distributed, "thread_state", None)
    key = getattr(state, "key", None)
    worker = getattr(getattr(state, "execution_state", None), "get", lambda _: None)("worker")

    def look() -> None:
        if run in _ended:
            raise _Cancelled("the run was cancelled")
        if worker is not None and key is not None:
            task = worker.state.tasks.get(key)
            if task is None or task.state in ("cancelled", "released", "forgotten"):
                raise _Cancelled("the run was cancelled")

    return look


class Scheduler(Protocol):
    """The interface to a scheduler."""

    def submit(self, function: str, *arguments: Any) -> Any:
        """Starts a task: a function of `croupier.cluster`."""

    def first_done(self, tasks: Sequence[Any]) -> list[Any]:
        """Waits until at least one task is done, and returns all that are."""

    def result(self, task: Any) -> Any:
        """Returns the result of a task, or raises its exception."""

    def cancel(self, tasks: Sequence[Any]) -> None:
        """Cancels tasks that are no longer needed."""

    def workers(self) -> int:
        """Returns the number of tasks that can run at once."""


class _Dask:
    """A `distributed.Client`."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._call = _by_value()

    def submit(self, function: str, *arguments: Any) -> Any:
        version = _croupier.__version__
        return self._client.submit(self._call, version, function, *arguments, pure=False, retries=2)

    def first_done(self, tasks: Sequence[Any]) -> list[Any]:
        import distributed

        wait: Any = distributed.wait
        return list(wait(list(tasks), return_when="FIRST_COMPLETED").done)

    def result(self, task: Any) -> Any:
        return task.result()

    def cancel(self, tasks: Sequence[Any]) -> None:
        self._client.cancel(list(tasks), force=True)

    def workers(self) -> int:
        threads = self._client.nthreads()
        return sum(threads.values()) or 1


class _Ray:
    """The module `ray`, initialised."""

    def __init__(self, ray: Any) -> None:
        if not ray.is_initialized():
            raise ClusterError("Ray is not initialised: call ray.init() first")
        self._ray = ray
        self._call = ray.remote(max_retries=5, num_cpus=1)(_by_value())

    def submit(self, function: str, *arguments: Any) -> Any:
        return self._call.remote(_croupier.__version__, function, *arguments)

    def first_done(self, tasks: Sequence[Any]) -> list[Any]:
        done, _ = self._ray.wait(list(tasks), num_returns=1)
        return list(done)

    def result(self, task: Any) -> Any:
        try:
            return self._ray.get(task)
        except self._ray.exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, BaseException) else error) from None

    def cancel(self, tasks: Sequence[Any]) -> None:
        for task in tasks:
            self._ray.cancel(task, force=False)

    def workers(self) -> int:
        return int(self._ray.cluster_resources().get("CPU", 1)) or 1


class _Executor:
    """An executor of `concurrent.futures`, or of a library with the same interface."""

    def __init__(self, executor: futures.Executor) -> None:
        self._executor = executor

    def submit(self, function: str, *arguments: Any) -> Any:
        return self._executor.submit(_call, _croupier.__version__, function, *arguments)

    def first_done(self, tasks: Sequence[Any]) -> list[Any]:
        return list(futures.wait(tasks, return_when=futures.FIRST_COMPLETED).done)

    def result(self, task: Any) -> Any:
        return task.result()

    def cancel(self, tasks: Sequence[Any]) -> None:
        for task in tasks:
            task.cancel()

    def workers(self) -> int:
        return getattr(self._executor, "_max_workers", 4)


def scheduler_of(client: Any) -> Scheduler:
    """Returns the scheduler of a client."""
    module = type(client).__module__.split(".")[0]
    if module == "distributed":
        return _Dask(client)
    if getattr(client, "__name__", "") == "ray":
        return _Ray(client)
    if isinstance(client, futures.Executor):
        return _Executor(client)
    raise TypeError(
        f"client is a distributed.Client, the module ray or an executor, not {type(client).__name__}"
    )


#: A task: its place among all, the name of its function and the arguments.
Task = tuple[int, str, tuple[Any, ...]]


def run_tasks(scheduler: Scheduler, run: str, following: Callable[[], Task | None]) -> Iterator[tuple[int, Any]]:
    """Runs tasks in order, at most two for each worker at a time, and yields results as they are complete.

    ``following`` returns the next task, or None if there is none now; it is called again after every result.
    """
    running: dict[Any, int] = {}
    ahead = 2 * scheduler.workers()
    try:
        while True:
            while len(running) < ahead:
                task = following()
                if task is None:
                    break
                number, function, arguments = task
                running[scheduler.submit(function, *arguments)] = number
            if not running:
                return
            for done in scheduler.first_done(list(running)):
                number = running.pop(done)
                yield number, _checked(scheduler, done)
    finally:
        # The caller has enough results, or an error occurred, so the other tasks are not needed.
        with _ended_lock:
            _ended.add(run)
        if running:
            scheduler.cancel(list(running))


def _checked(scheduler: Scheduler, task: Any) -> Any:
    """Returns the result of a task. Errors of the cluster become a `ClusterError` with a remedy."""
    ours = _croupier.__version__
    try:
        theirs, result = scheduler.result(task)
        if theirs != ours:
            raise ClusterError(
                f"a worker has croupier {theirs}, but this process has {ours}: install the same version everywhere"
            )
        return result
    except ModuleNotFoundError as error:
        if "croupier" not in (error.name or str(error)):
            raise
        raise ClusterError(
            f"a worker does not have the package croupier {_croupier.__version__}: install it on all workers"
        ) from error
    except (ClusterError, _croupier.ScriptError, _croupier.DealError, ValueError, TypeError):
        raise
    except Exception as error:
        name = type(error).__name__
        if name in ("KilledWorker", "WorkerCrashedError", "BrokenProcessPool", "CancelledError", "FutureCancelledError"):
            raise ClusterError(f"workers were lost again and again: {error}") from error
        raise
