"""Runs on Ray equal local ones. They take long, so only `pytest --long` runs them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import croupier
from croupier import cluster

from test_cluster import SCRIPTS, same, same_tables

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield ray
    ray.shutdown()


@pytest.mark.parametrize("name", SCRIPTS)
def test_ray_gives_the_result_of_one_machine(ray: Any, name: str) -> None:
    assert same(cluster.deal(SCRIPTS[name], client=ray, seed=5), croupier.deal(SCRIPTS[name], seed=5))


def test_a_worker_that_is_killed_does_not_show(ray: Any) -> None:
    script = 'action average "h" hcp(north) * cccc(north), frequency (hcp(south), 0, 37)'
    process = ray.remote(lambda: os.getpid())
    victims = sorted(set(ray.get([process.remote() for _ in range(12)])))
    killed = threading.Event()

    def kill_in_the_middle(done: int, total: int) -> None:
        if not killed.is_set() and done > 0:
            os.kill(victims[0], signal.SIGKILL)
            killed.set()

    there = cluster.deal(script, client=ray, seed=9, generate=12_000_000, progress=kill_in_the_middle)
    assert killed.is_set() and same_tables(there, croupier.deal(script, seed=9, generate=12_000_000))


def test_ray_solves_and_counts(ray: Any) -> None:
    deals = croupier.deal("condition 1", produce=20, seed=2).deals
    assert cluster.solve(deals, client=ray, strains="N", part=6) == croupier.solve(deals, strains="N")
    condition = "hcp(north) > 12 and cccc(north) > hcp(south) * 100"
    assert cluster.probability(condition, client=ray, samples=200_000) == croupier.probability(condition, samples=200_000)
    with pytest.raises(croupier.DealError, match="division by zero"):
        cluster.deal("condition 1 / (hcp(north) - 5) == 0", client=ray, seed=1)
