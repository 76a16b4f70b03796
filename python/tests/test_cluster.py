"""Runs on a cluster equal local ones, also if workers are lost."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import croupier
from croupier import cluster, north, south

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
    assert killed.is_set() and victim not in client.run(os.getpid).values()
    assert same_tables(there, croupier.deal(script, seed=9, generate=12_000_000))


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


def _forget_croupier() -> None:
    import sys

    for name in [name for name in sys.modules if name.split(".")[0] == "croupier"]:
        sys.modules[name] = None  # type: ignore[assignment]


def test_workers_without_the_package(client: Any) -> None:
    client.run(_forget_croupier)
    try:
        with pytest.raises(cluster.ClusterError, match="does not have the package croupier"):
            cluster.deal("condition 1", client=client, produce=10)
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
