"""Measures the package: CPU time for filtered deals in a data frame against endplay and redeal in the same run, and
what the package adds to the Rust library.

    python benches/speed.py            # peers that are not installed are left out
"""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable
from typing import Any

import polars

import croupier
from croupier import north, ns


def cpu(work: Callable[[], object]) -> float:
    """Returns the CPU seconds of all threads."""
    start = time.process_time()
    work()
    return time.process_time() - start


def ours(deals: int) -> polars.DataFrame:
    opening = north.hcp.between(15, 17) & north.balanced
    values = {"points": north.hcp, "together": ns.hcp, "spades": ns.length("S")}
    frame = polars.DataFrame(croupier.deal(opening, produce=deals, generate=10**12, seed=1, values=values))
    assert frame.height == deals
    return frame


def endplay(deals: int) -> polars.DataFrame:
    dealer: Any = importlib.import_module("endplay.dealer")
    evaluate: Any = importlib.import_module("endplay.evaluate")

    def opening(deal: Any) -> bool:
        return bool(15 <= evaluate.hcp(deal.north) <= 17 and evaluate.is_balanced(deal.north))

    rows = [
        {
            "points": evaluate.hcp(deal.north),
            "together": evaluate.hcp(deal.north) + evaluate.hcp(deal.south),
            "spades": len(deal.north.spades) + len(deal.south.spades),
        }
        for deal in dealer.generate_deals(opening, produce=deals, seed=1, show_progress=False)
    ]
    assert len(rows) == deals
    return polars.DataFrame(rows)


def redeal(deals: int) -> polars.DataFrame:
    library: Any = importlib.import_module("redeal")
    dealer = library.Deal.prepare()

    def opening(deal: Any) -> bool:
        return bool(15 <= deal.north.hcp <= 17 and library.balanced(deal.north))

    rows = []
    for _ in range(deals):
        deal = dealer(opening)
        rows.append(
            {
                "points": deal.north.hcp,
                "together": deal.north.hcp + deal.south.hcp,
                "spades": len(deal.north.spades) + len(deal.south.spades),
            }
        )
    return polars.DataFrame(rows)


def main() -> None:
    ours(1000)
    mine = statistics.median(cpu(lambda: ours(1_000_000)) for _ in range(3))
    print(f"croupier: 1,000,000 deals into a Polars frame in {mine:.3f} s of CPU, {mine:.3f} us a deal")
    for name, peer in (("endplay", endplay), ("redeal", redeal)):
        if importlib.util.find_spec(name) is None:
            print(f"{name}: not installed")
            continue
        deals = 300
        theirs = statistics.median(cpu(lambda: peer(deals)) for _ in range(3)) / deals * 1e6
        print(f"{name}: {theirs:.0f} us a deal, {theirs / mine:,.0f} times as much")

    script = 'action average "points" hcp(north), average "spades" spades(south)'
    added = []
    for seed in range(7):
        start = time.perf_counter()
        result = croupier.deal(script, generate=10_000_000, seed=seed)
        whole = time.perf_counter() - start
        inside = result.statistics.seconds
        assert inside is not None
        added.append(whole / inside - 1)
    print(f"10,000,000 deals with averages: the package adds {statistics.median(added):.2%} to the Rust library")


if __name__ == "__main__":
    main()
