"""Poker: ranks of hands, equities, ranges, push or fold, and solved games.

Hands are texts such as ``"AhKh"`` and ``"As Ks Qs Js Ts"``, or masks of cards: bit 0 for the deuce of clubs to bit
51 for the ace of spades, as everywhere in croupier.

    >>> from croupier import poker
    >>> poker.evaluate("As Ks Qs Js Ts").category
    'RoyalFlush'
    >>> [round(prize, 2) for prize in poker.icm([5000, 3000, 2000], [50, 30, 20])]
    [38.39, 32.75, 28.86]
"""

from __future__ import annotations

from .equities import Equity, Player, Rank, equity, evaluate
from .history import HistoryDecision, HistoryHand, history
from .postflop import Decision, DecisionHand, Game
from .push import PushSeat, PushSolution, PushStrategy, icm, push
from .ranges import (
    HandEquities,
    HandEquity,
    HandKind,
    Matrix,
    NextCard,
    Outs,
    Strength,
    hands,
    matrix,
    outs,
    strength,
)

__all__ = [
    "Decision",
    "DecisionHand",
    "Equity",
    "Game",
    "HandEquities",
    "HandEquity",
    "HandKind",
    "HistoryDecision",
    "HistoryHand",
    "Matrix",
    "NextCard",
    "Outs",
    "Player",
    "PushSeat",
    "PushSolution",
    "PushStrategy",
    "Rank",
    "Strength",
    "equity",
    "evaluate",
    "hands",
    "history",
    "icm",
    "matrix",
    "outs",
    "push",
    "strength",
]


def __dir__() -> list[str]:
    return __all__
