"""Suit play: exact chances and lines of play for one suit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from . import _croupier
from .values import Seat

__all__ = ["FirstPlay", "SuitLine", "SuitPlay", "suit"]


@dataclass(frozen=True)
class FirstPlay:
    """A first play of the suit, and the value of the best line that begins with it."""

    play: str
    value: Fraction


@dataclass(frozen=True)
class SuitLine:
    """The best line for a goal."""

    #: The goal in words: ``5 tricks``, ``average`` or ``payoff``.
    goal: str
    #: The chance of the goal, the average number of tricks or the average payoff.
    value: Fraction
    #: The line in words.
    line: str
    #: First plays and their values, best first.
    plays: tuple[FirstPlay, ...]


@dataclass(frozen=True)
class SuitPlay:
    """The chances of a suit combination against best defence, and the best lines."""

    north: str
    south: str
    #: The chance of at least 1, 2, 3 ... tricks.
    chances: tuple[Fraction, ...]
    #: The largest average number of tricks.
    average: Fraction
    lines: tuple[SuitLine, ...]

    def chance(self, tricks: int) -> Fraction:
        """Returns the best chance of at least ``tricks`` tricks."""
        if tricks < 1:
            return Fraction(1)
        return self.chances[tricks - 1] if tricks <= len(self.chances) else Fraction(0)

    def __str__(self) -> str:
        rows = [f"{self.north or '-'} opposite {self.south or '-'}"]
        for line in self.lines:
            value = f"{float(line.value):.4f}" if line.goal in ("average", "payoff") else f"{float(line.value):.4%}"
            rows += [f"{line.goal}: {value}", *(f"    {text}" for text in line.line.splitlines())]
        return "\n".join(rows)


def suit(
    north: str,
    south: str,
    *,
    need: int | None = None,
    payoff: list[int] | None = None,
    vacant: tuple[int, int] = (13, 13),
    entries: tuple[Seat | str, int] | None = None,
) -> SuitPlay:
    """Shows how to play a suit: the best line and its exact chance.

    Without a goal, every number of tricks that is in doubt and the average are solved. ``need`` solves one number of
    tricks; ``payoff`` lists what 0, 1, 2 ... tricks are worth. ``vacant`` are the places of West and East for cards of
    the suit. ``entries`` limits the entries to one hand: ``("N", 1)``.

        >>> import croupier
        >>> play = croupier.suit("AQT98", "5432", need=5)
        >>> f"{float(play.chance(5)):.4%}"
        '26.5652%'
    """
    if need is not None and payoff is not None:
        raise ValueError("give need= or payoff=, not both")
    chances, average, rows = _croupier.solve_suit(north, south, need, payoff, vacant, entries)
    lines = tuple(
        SuitLine(goal, Fraction(*value), line, tuple(FirstPlay(play, Fraction(*of_play)) for play, of_play in plays))
        for goal, value, line, plays in rows
    )
    return SuitPlay(north, south, tuple(Fraction(*chance) for chance in chances), Fraction(*average), lines)
