"""Runs on a cluster equal local ones, also if workers are lost."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import croupier
from croupier import cluster, north, schedulers, south

SCRIPTS = {
    "averages": 'generate 3000000 action average "h" hcp(north), average "s" spades(south)',
    "produce": "condition hcp(north) > 22 produce 250",
    "rare": "condition hcp(north) > 30 produce 30 action average hcp(south), printoneline",
    "frequency": 'generate 2000000 condition hcp(north) > 14 action frequency "h" (hcp(north), 15, 30, spades(north), 0, 9)',
    "contract": "condition hcp(north) + hcp(south) > 33 produce 3 action evalcontract(NS, z6N, vul)",
    "random": 'condition rnd(3) == 1 produce 500000 action average "r" rnd(100)',
}


def same(there: croupier.Result, here: croupier.Result) -> bool:
    return there.to_json() == here.to_json() and there.deals == here.deals


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=":0", memory_limit=0
    ) as local, distributed.Client(local) as client:
        yield client


@pytest.mark.parametrize("name", SCRIPTS)
def test_dask_gives_the_result_of_one_machine(client: Any, name: str) -> None:
    there = cluster.deal(SCRIPTS[name], client=client, seed=5)
    assert same(there, croupier.deal(SCRIPTS[name], seed=5))


def test_a_worker_that_is_killed_does_not_show(client: Any) -> None:
    script = 'action average "h" hcp(north) * cccc(north), frequency (hcp(south), 0, 37)'
    victim = sorted(client.run(os.getpid).values())[0]
    killed = threading.Event()

    def kill_in_the_middle(done: int, total: int) -> None:
        if not killed.is_set() and done > 0:
            os.kill(victim, signal.SIGKILL)
            killed.set()

    there = cluster.deal(script, client=client, seed=9, generate=12_000_000, progress=kill_in_the_middle)
    assert killed.is_set() and wait_until_gone(client, victim)
    assert same_tables(there, croupier.deal(script, seed=9, generate=12_000_000))


def wait_until_gone(client: Any, victim: int) -> bool:
    """Returns whether no worker has the process number `victim` within a minute.

    The scheduler learns of a killed worker a little later; until then a call to all workers fails.
    """
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            if victim not in client.run(os.getpid).values():
                return True
        except OSError:
            pass
        time.sleep(0.1)
    return False


def same_tables(there: croupier.Result, here: croupier.Result) -> bool:
    return there.to_json() == here.to_json()


def test_dask_solves_in_order(client: Any) -> None:
    deals = croupier.deal("condition 1", produce=40, seed=2).deals
    calls: list[tuple[int, int]] = []
    there = cluster.solve(deals, client=client, strains="NS", declarers="NS", part=7, progress=lambda *it: calls.append(it))
    assert there == croupier.solve(deals, strains="NS", declarers="NS") and calls[-1] == (40, 40)


def test_dask_tries_what_cannot_be_counted(client: Any) -> None:
    condition = "hcp(north) > 12 and cccc(north) > hcp(south) * 100"
    there = cluster.probability(condition, client=client, samples=250_000, seed=3)
    assert there == croupier.probability(condition, samples=250_000, seed=3)
    assert cluster.probability(north.spades == 7, client=client) == croupier.probability(north.spades == 7)


def test_values_and_predeal_travel(client: Any) -> None:
    wishes: dict[str, Any] = {"produce": 50, "seed": 3, "values": {"h": south.hcp}, "predeal": {"N": "SAKQ"}}
    there = cluster.deal(south.hcp > 10, client=client, **wishes)
    here = croupier.deal(south.hcp > 10, **wishes)
    assert same(there, here) and there["h"].tolist() == here["h"].tolist()


def _other_version(version: str) -> None:
    croupier.__version__ = version
    croupier._croupier.__version__ = version


def test_workers_with_another_version(client: Any) -> None:
    ours = croupier.__version__
    client.run(_other_version, "0.0.1")
    try:
        with pytest.raises(cluster.ClusterError, match=f"croupier 0.0.1, but this process has {ours}"):
            cluster.deal("condition 1", client=client, produce=10, part=1024)
        with pytest.raises(cluster.ClusterError, match="0.0.1"):
            cluster.solve(croupier.deal("condition 1", produce=2).deals, client=client)
    finally:
        client.run(_other_version, ours)


class _Counting(ThreadPoolExecutor):
    """An executor that counts its tasks."""

    tasks = 0

    def submit(self, *arguments: Any, **named: Any) -> Any:
        self.tasks += 1
        return super().submit(*arguments, **named)


def test_a_rare_condition_is_sampled_as_on_one_machine() -> None:
    with _Counting(2) as pool:
        there = cluster.deal(north.hcp >= 34, client=pool, produce=10, seed=1)
        assert same(there, croupier.deal(north.hcp >= 34, produce=10, seed=1)) and pool.tasks <= 8


@pytest.mark.parametrize("part", [None, 1, 5000, 1 << 20])
def test_parts_of_any_size_give_the_same_result(part: int | None) -> None:
    tables = {"p": south.hcp.mean(), "f": south.spades.value_counts()}
    wishes: dict[str, Any] = {"produce": 3000, "seed": 3, "tables": tables, "values": {"h": south.hcp}}
    with ThreadPoolExecutor(2) as pool:
        there = cluster.deal(north.hcp >= 18, client=pool, part=part, **wishes)
        assert there == croupier.deal(north.hcp >= 18, **wishes) and there.complete
        with pytest.raises(ValueError, match="part must be"):
            cluster.deal(north.hcp >= 18, client=pool, part=0)


def many_spades(batch: croupier.Batch) -> Any:
    return batch["spades"] > batch["hearts"]


@pytest.mark.parametrize("part", [None, 4096])
def test_a_filter_runs_on_the_workers(client: Any, part: int | None) -> None:
    wishes: dict[str, Any] = {"produce": 2000, "seed": 3, "values": {"spades": north.spades, "hearts": north.hearts}}
    tables = {"p": north.hcp.mean()}

    def filter(batch: croupier.Batch) -> Any:
        return batch["spades"] > batch["hearts"]

    here = croupier.deal(north.hcp >= 15, filter=filter, tables=tables, **wishes)
    there = cluster.deal(north.hcp >= 15, client=client, filter=filter, part=part, tables=tables, **wishes)
    assert there == here and there.statistics.generated == here.statistics.generated


def test_large_kept_runs_arrive_whole(client: Any) -> None:
    there = cluster.deal("condition 1", client=client, produce=700_000, seed=2, values={"h": south.hcp})
    here = croupier.deal("condition 1", produce=700_000, seed=2, values={"h": south.hcp})
    assert there == here


def test_solving_ends_soon_after_a_cancellation() -> None:
    deals = croupier.deal("condition 1", produce=400, seed=2).deals

    def stop(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(RuntimeError, match="enough"):
            cluster.solve(deals, client=pool, part=1, progress=stop)
    # The executor waits for its tasks, and each of them stopped at the cancellation.
    assert schedulers._ended


def _forget_croupier() -> None:
    import sys

    for name in [name for name in sys.modules if name.split(".")[0] == "croupier"]:
        sys.modules[name] = None  # type: ignore[assignment]


def test_workers_without_the_package(client: Any) -> None:
    client.run(_forget_croupier)
    try:
        with pytest.raises(cluster.ClusterError, match="does not have the package croupier"):
            cluster.deal("condition 1", client=client, produce=10, part=1024)
    finally:
        client.restart()


def test_errors_come_before_the_cluster_is_asked() -> None:
    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(croupier.ScriptError):
            cluster.deal("condition hcpp(north)", client=pool)
        with pytest.raises(ValueError, match="rnd"):
            cluster.deal("condition rnd(0) < 5", client=pool)
        with pytest.raises(croupier.DealError, match="division by zero"):
            cluster.deal("condition 1 / (hcp(north) - 5) == 0", client=pool, seed=1)
    with pytest.raises(TypeError, match="client"):
        cluster.deal("condition 1", client=5)


@pytest.mark.parametrize(
    "option", [{"precision": "0.1 points"}, {"level": "a"}, {"mix": [("condition 1", 1)]}], ids=lambda it: next(iter(it))
)
def test_runs_that_cannot_be_divided_are_errors(option: dict[str, Any]) -> None:
    script = 'a = hcp(north) > 20  condition a  action average "points" hcp(north)'
    with ThreadPoolExecutor(2) as pool, pytest.raises(ValueError, match="cannot be"):
        cluster.deal(script, client=pool, produce=10, seed=1, **option)


def test_a_tournament_on_a_cluster_has_its_key() -> None:
    with ThreadPoolExecutor(2) as pool:
        there = cluster.deal("condition 1", client=pool, produce=3000, part=1024, tournament=True)
    assert there.key is not None and there.commitment is not None
    here = croupier.deal("condition 1", produce=3000, tournament=there.key)
    assert here == there and here.commitment == there.commitment


def test_any_executor_will_do() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert same(cluster.deal(SCRIPTS["produce"], client=pool, seed=1), croupier.deal(SCRIPTS["produce"], seed=1))


def test_enough_deals_cancel_the_rest() -> None:
    with ThreadPoolExecutor(2) as pool:
        result = cluster.deal("condition hcp(north) > 10", client=pool, produce=10, generate=10**12, seed=1)
        assert len(result) == 10


@pytest.mark.parametrize("parts", [1, 2, 7, 64])
@pytest.mark.parametrize("name", SCRIPTS)
def test_parts_merge_in_any_order(name: str, parts: int) -> None:
    import random

    _, job = croupier.dealing.make_job(SCRIPTS[name], seed=4, generate=600_000)
    keep = not job.collects
    pieces = [job.part(first, last, keep).to_json() for first, last in job.shards(parts)]
    random.Random(parts).shuffle(pieces)
    merged = croupier.merge(pieces)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", croupier.IncompleteWarning)
        whole = croupier.deal(SCRIPTS[name], seed=4, generate=600_000)
    assert merged.to_json() == whole.to_json()
    if keep:
        assert merged.deals == whole.deals


def test_parts_that_do_not_fit_together() -> None:
    _, job = croupier.dealing.make_job("condition 1", seed=4, generate=4096, produce=4096)
    first, second = (job.part(*range_) for range_ in job.shards(2))
    _, other = croupier.dealing.make_job("condition 1", seed=5, generate=4096, produce=4096)
    with pytest.raises(ValueError, match="different|another"):
        croupier.merge([first, other.part(2048, 4096)])
    with pytest.raises(ValueError, match="missing|gap|2048"):
        croupier.merge([second])
    with pytest.raises(ValueError):
        croupier.merge([first, first, second])
    with pytest.raises(ValueError, match="not a part"):
        croupier.merge(["{}"])
    with pytest.raises(ValueError):
        croupier.merge([])
    damaged = json.loads(first.to_json())
    damaged["job"]["seed"] = 7
    with pytest.raises(ValueError):
        croupier.merge([json.dumps(damaged)])
