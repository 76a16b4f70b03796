"""The dealer scripts of endplay (https://github.com/dominicprice/endplay) as functions of croupier. Each returns its answer.

    python endplay_examples.py oops_2nt
"""

from __future__ import annotations

import sys

import croupier
from croupier import Deals, Table, east, north, ns, south, west


def notrump_tricks(number: int = 100) -> Table:
    """The tricks in notrump with 33 points or more in two flat hands."""
    # The script of endplay also names 4443, which has 15 cards.
    flat = "any 4432 + any 5332"
    condition = (ns.hcp > 32) & north.shape(flat) & south.shape(flat)
    return croupier.deal(condition, tables={"tricks": north.tricks("N").mean()}, produce=number, seed=1).tables["tricks"]


def oops_2nt(number: int = 30) -> Table:
    """The tricks in notrump when two notrump with 20 or 21 points finds nothing opposite."""
    condition = north.hcp.between(20, 21) & north.balanced & (south.hcp == 0)
    tables = {"tricks": north.tricks("N").mean()}
    return croupier.deal(condition, tables=tables, produce=number, seed=1).tables["tricks"]


def overcall(number: int = 25) -> Deals:
    """West opens one club in front of a strong South hand, and North has six diamonds."""
    notrump = west.shape("any 4333 + any 4432 + any 5332 - 5xxx - x5xx") & west.hcp.between(15, 17)
    majors = (west.hearts >= 5) | (west.spades >= 5)
    club = ~notrump & (west.hcp > 10) & (west.clubs >= 3) & ~majors & (west.diamonds <= west.clubs)
    diamonds = north.hcp.between(6, 11) & north.shape("xx6x + xx7x - any 4xxx - any 5xxx")
    return croupier.deal(club & diamonds, predeal={"S": "AQ542 KJ87 32 AK"}, produce=number, seed=1).deals


def slim_6h(number: int = 1) -> Deals:
    """Six hearts makes without a fit of seven cards."""
    return croupier.deal((north.tricks("H") >= 12) & (ns.hearts < 7), produce=number, seed=1).deals


def stayman(number: int = 2) -> Deals:
    """West opens one notrump and East asks for a major."""
    majors = ((east.hearts == 4) | (east.spades == 4)) & (east.hearts < 5) & (east.spades < 5)
    notrump = west.hcp.between(15, 17) & west.balanced
    return croupier.deal(notrump & (east.hcp >= 10) & majors, produce=number, seed=1).deals


def parscore(number: int = 500) -> Table:
    """The average par score of North-South, nobody vulnerable."""
    return croupier.deal("condition 1", tables={"par": ns.par().mean()}, produce=number, seed=1).tables["par"]


EXAMPLES = (notrump_tricks, oops_2nt, overcall, parscore, slim_6h, stayman)

if __name__ == "__main__":
    for example in EXAMPLES:
        if example.__name__ in (sys.argv[1:] or [example.__name__]):
            print(example.__name__, example())
