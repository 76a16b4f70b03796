"""The examples of redeal (https://github.com/anntzer/redeal) as functions of croupier. Each returns its answer.

    python redeal_examples.py deal3
"""

from __future__ import annotations

import sys
from collections import Counter

import croupier
from croupier import Deals, Expression, all_of, east, north, south, west


def onespade(number: int = 10) -> Deals:
    """North has five spades and twelve points."""
    return croupier.deal((north.spades >= 5) & (north.hcp >= 12), produce=number, seed=1).deals


def deal1(number: int = 10) -> Deals:
    """North has both majors, a short minor and 11 to 15 points."""
    roman = north.shape("44(41) + 44(50)") & north.hcp.between(11, 15)
    return croupier.deal(roman, produce=number, seed=1).deals


def deal2(number: int = 10) -> Deals:
    """East opens a strong two clubs in front of a weak South hand."""
    strong = (east.hcp > 18) & ((east.hcp > 22) | (east.losers < 2))
    return croupier.deal(strong, predeal={"S": "Q86432 T2 932 83"}, produce=number, seed=1).deals


def deal3(number: int = 10) -> Deals:
    """Which card to lead from 764 J4 J753 AQJ2 after 1S-1N-2N-3N? Deals on which to think about it."""
    opener = west.hcp.between(16, 19) & west.shape("5(332)")
    responder = all_of(east.hcp.between(6, 11), east.losers >= 3, east.hearts <= 4, east.spades <= 2)
    return croupier.deal(opener & responder, predeal={"S": "764 J4 J753 AQJ2"}, produce=number, seed=1).deals


def deal4(number: int = 10) -> Deals:
    """South opens a weak two: two of the top three honours or three of the top five in a suit of six cards."""

    def weak(suit: str, other: str) -> Expression:
        good = south.count(2, 2, 1, 1, 1, suit=suit) > 3
        return (south.length(suit) == 6) & (south.length(other) <= 3) & good

    shape = south.hcp.between(5, 10) & (south.clubs <= 3) & (south.diamonds <= 3)
    return croupier.deal(shape & (weak("S", "H") | weak("H", "S")), produce=number, seed=1).deals


def deal5(number: int = 10) -> Deals:
    """South opens a strong club and North has three controls."""
    club = (south.hcp >= 17) & (~south.balanced | (south.hcp != 17) & ~south.hcp.between(22, 24))
    return croupier.deal(club & (north.controls >= 3), produce=number, seed=1).deals


def deal_gambling(number: int = 10_000) -> list[tuple[tuple[int, int, int, int], int]]:
    """The shapes of a gambling three notrump opposite AK K52 98765 962: a solid minor and no ace or king beside it."""

    def gambling(minor: str, other: str) -> Expression:
        solid = (north.length(minor) >= 7) & (north.honours(minor, "AKQ") == 3)
        return solid & (north.length(other) <= 4) & (north.honours(ranks="AK") == 2)

    majors = (north.spades <= 3) & (north.hearts <= 3)
    either = majors & (gambling("D", "C") | gambling("C", "D"))
    found = croupier.deal(either, predeal={"S": "AK K52 98765 962"}, produce=number, seed=1)
    return Counter(deal.north.shape for deal in found.deals).most_common()


def opening_lead(number: int = 100) -> croupier.Leads:
    """The leads from QT T32 JT8732 32 against three notrump by South."""
    layouts = all_of(
        south.shape("33(43) + (32)(53)"),
        (north.spades == 4) | (north.hearts == 4),
        south.hcp.between(15, 17),
        north.hcp.between(9, 11),
    )
    return croupier.lead("QT T32 JT8732 32", "3N-S", layouts, deals=number)


def bbo_you_have_no_clue(number: int = 100) -> dict[str, float | None]:
    """Opposite 15 to 17 balanced: pass one notrump, or invite and let North accept with 16 or with 17 points?"""

    def made(contract: str) -> Expression:
        return croupier.score(contract, north.tricks(contract[1]), vulnerable=True)

    def invite(least: int) -> Expression:
        accepts = north.hcp >= least
        return (north.hearts < 4).if_else(
            accepts.if_else(made("3N"), made("2N")), accepts.if_else(made("4H"), made("3H"))
        )

    plans = {"pass": made("1N"), "16": invite(16), "17": invite(17)}
    gains = {f"{a} against {b}": (plans[a] - plans[b]).imps().mean() for a in plans for b in plans if a < b}
    notrump = north.hcp.between(15, 17) & north.balanced
    found = croupier.deal(notrump, predeal={"S": "T8 8762 KT4 KQ52"}, tables=gains, produce=number, seed=1)
    return {table.title: table.mean for table in found.tables}


def bridgewinners_matchpoint_odds(number: int = 100) -> dict[str, float | None]:
    """Opposite 22 to 24 balanced, with 652 K752 53 9862: how often does each plan win a board, and how often is there a
    game?
    """
    hearts, spades = north.hearts, north.spades

    def made(contract: str) -> Expression:
        return croupier.score(contract, north.tricks(contract[1]))

    stayman = (hearts >= 4).if_else(made("4H"), made("3N"))
    puppet = (spades == 5).if_else(made("4S"), stayman)
    major = ((spades == 5) | (spades == 4) & (hearts < 4)).if_else(made("4S"), stayman)
    plans = {"pass": made("2N"), "3N": made("3N"), "stayman": stayman, "puppet": puppet, "major": major}
    game = (north.tricks("H") >= 10) | (north.tricks("S") >= 10) | (north.tricks("N") >= 9)
    tables = {f"{a} against {b}": ((plans[a] > plans[b]) * 2 + (plans[a] == plans[b])).mean() for a in plans for b in plans}
    strong = north.hcp.between(22, 24) & north.balanced
    found = croupier.deal(
        strong, predeal={"S": "652 K752 53 9862"}, tables={**tables, "game": game.mean()}, produce=number, seed=1
    )
    return {table.title: table.mean for table in found.tables}


EXAMPLES = (
    onespade,
    deal1,
    deal2,
    deal3,
    deal4,
    deal5,
    deal_gambling,
    opening_lead,
    bbo_you_have_no_clue,
    bridgewinners_matchpoint_odds,
)

if __name__ == "__main__":
    for example in EXAMPLES:
        if example.__name__ in (sys.argv[1:] or [example.__name__]):
            print(example.__name__, example())
