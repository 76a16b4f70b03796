"""Suit play: exact chances and lines of play for one suit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import _croupier
from ._croupier import Contract
from .dealing import ScriptLike, as_script, check_count
from .values import Seat, Suit

__all__ = ["FirstPlay", "SuitBookEntry", "SuitLayout", "SuitLine", "SuitPlay", "suit", "suit_book"]


@dataclass(frozen=True)
class FirstPlay:
    """A first play of the suit, and the value of the best line that begins with it."""

    play: str
    value: Fraction


@dataclass(frozen=True)
class SuitLayout:
    """A layout of the defenders' cards. Equal cards that are divided between both hands are each written as ``x``."""

    west: str
    east: str
    #: The tricks of the line.
    tricks: int
    #: The probability of the layout.
    chance: Fraction


@dataclass(frozen=True)
class SuitLine:
    """The best line for a goal."""

    #: The goal in words: ``5 tricks``, ``average``, ``payoff``, ``score``, ``IMPs`` or ``matchpoints``.
    goal: str
    #: The chance of the goal, the average number of tricks or the average payoff.
    value: Fraction
    #: The line in words.
    line: str
    #: First plays and their values, best first.
    plays: tuple[FirstPlay, ...]
    #: The layouts that the line wins against; without a number of tricks, all layouts.
    layouts: tuple[SuitLayout, ...] = ()
    #: A remark, such as the margins at matchpoints.
    note: str | None = None

    @property
    def is_chance(self) -> bool:
        """Whether the value is a probability."""
        return self.goal.endswith(("trick", "tricks"))


@dataclass(frozen=True)
class SuitPlay:
    """The chances of a suit combination against best defence, and the best lines."""

    #: The hands; of two suits those of the one to play first.
    north: str
    south: str
    #: The chance of at least 1, 2, 3 ... tricks; empty for two suits.
    chances: tuple[Fraction, ...]
    #: The largest average number of tricks; none for two suits.
    average: Fraction | None
    lines: tuple[SuitLine, ...]
    #: Assumptions of the chances, in words: a condition, vacant places, entries, the order of two suits.
    assumptions: tuple[str, ...] = ()

    def chance(self, tricks: int) -> Fraction:
        """Returns the best chance of at least ``tricks`` tricks."""
        if self.average is None:
            raise ValueError("two suits have one number of tricks: its chance is lines[0].value")
        if tricks < 1:
            return Fraction(1)
        return self.chances[tricks - 1] if tricks <= len(self.chances) else Fraction(0)

    def __str__(self) -> str:
        rows = [f"{self.north} opposite {self.south}", *self.assumptions]
        for line in self.lines:
            value = f"{float(line.value):.4%}" if line.is_chance else f"{float(line.value):.4f}"
            rows += [f"{line.goal}: {value}", *(f"    {text}" for text in line.line.splitlines())]
            rows += [f"    ({line.note})"] if line.note else []
        return "\n".join(rows)


def _up_to_13(name: str, number: int) -> int:
    """Returns a number of cards or tricks of one hand."""
    if check_count(name, number) > 13:
        raise ValueError(f"{name} must be from 0 to 13, not {number}")
    return number


def suit(
    north: str,
    south: str,
    *,
    need: int | None = None,
    payoff: list[int] | None = None,
    contract: Contract | str | None = None,
    outside: int | None = None,
    vulnerable: bool = False,
    imps: bool | int = False,
    matchpoints: bool = False,
    vacant: tuple[int, int] | None = None,
    condition: ScriptLike | None = None,
    suit: Suit | str | None = None,
    samples: int = 10_000,
    entries: tuple[Seat | str, int] | None = None,
    second: tuple[str, str] | None = None,
    **variables: Any,
) -> SuitPlay:
    """Shows how to play a suit: the best line and its exact chance.

    Without a goal, every number of tricks that is in doubt and the average are solved. ``need`` solves one number of
    tricks; ``payoff`` lists what 0, 1, 2 ... tricks are worth; ``contract`` plays for the score with ``outside`` tricks
    outside the suit, or for ``imps`` against the contract just made or a score at the other table. ``matchpoints`` adds
    the line that beats the others most often.

    ``vacant`` are the places of West and East for cards of the suit. A ``condition`` on the whole deal weights the
    layouts of the ``suit`` by exact counts, or by ``samples`` deals each if it cannot be counted. ``entries`` limits the
    entries to one hand: ``("N", 1)``. With a ``second`` suit, ``need`` counts the tricks of both.

        >>> import croupier
        >>> play = croupier.suit("AQT98", "5432", need=5)
        >>> f"{float(play.chance(5)):.4%}"
        '26.5652%'
        >>> play = croupier.suit("AQ", "32", need=2, condition="condition hascard(west, KH)", suit="H")
        >>> float(play.chance(2))
        1.0
    """
    if sum(goal is not None for goal in (need, payoff, contract)) > 1:
        raise ValueError("give need=, payoff= or contract=, not several")
    if (contract is None) != (outside is None):
        raise ValueError("a contract needs outside=, the number of tricks outside the suit, and outside= a contract")
    if contract is None and (vulnerable or imps is not False):
        raise ValueError("vulnerable= and imps= need a contract")
    if need is not None:
        check_count("need", need, 1)
    if condition is None and variables:
        raise TypeError(f"unexpected arguments {', '.join(variables)}: there is no script with variables")
    if condition is not None and vacant is not None:
        raise ValueError("give a condition or vacant places, not both")
    for places in vacant or ():
        _up_to_13("vacant places", places)
    if entries is not None:
        _up_to_13("entries", entries[1])
    given = None
    if condition is not None:
        if suit is None:
            raise ValueError("a condition needs suit=, the suit of the holdings")
        given = as_script(condition, **variables), suit, check_count("samples", samples, 1)
    played = None
    if contract is not None and outside is not None:
        other_table = None if isinstance(imps, bool) else imps
        played = contract, _up_to_13("outside", outside), vulnerable, imps is not False, other_table
    hands, solution, assumptions, rows = _croupier.solve_suit(
        north, south, need, payoff, played, matchpoints, vacant or (13, 13), given, entries, second
    )
    lines = tuple(
        SuitLine(
            goal, Fraction(*value), line,
            tuple(FirstPlay(play, Fraction(*of_play)) for play, of_play in plays),
            tuple(SuitLayout(west, east, tricks, Fraction(*chance)) for west, east, tricks, chance in layouts),
            note,
        )
        for goal, value, line, plays, layouts, note in rows
    )
    chances, average = solution or ([], None)
    return SuitPlay(
        hands[0], hands[1], tuple(Fraction(*chance) for chance in chances),
        None if average is None else Fraction(*average), lines, tuple(assumptions),
    )


@dataclass(frozen=True)
class SuitBookEntry:
    """A suit combination of the book, with its exact chances if nothing is known of the deal."""

    north: str
    south: str
    #: The chance of at least 1, 2, 3 ... tricks.
    chances: tuple[Fraction, ...]
    #: The largest average number of tricks.
    average: Fraction
    #: The first play of the line with the best average, with ``plays=True``.
    play: str | None = None


def suit_book(
    *, fit: int | None = None, missing: str | None = None, split: str | None = None, plays: bool = False
) -> list[SuitBookEntry]:
    """Lists the chances of all suit combinations of a kind, in the order of printed tables.

    ``fit`` is the number of cards of both hands, ``missing`` the missing ones of ace, king, queen and jack (``"-"``: none),
    ``split`` the lengths of the hands. ``plays`` adds the best first play, which takes about a millisecond for each.

        >>> import croupier
        >>> book = croupier.suit_book(fit=9, missing="Q", split="5-4")
        >>> f"{book[0].north} {book[0].south}"
        'AKJT9 8765'
    """
    if fit is not None:
        _up_to_13("fit", check_count("fit", fit, 1))
    rows = _croupier.suit_book_rows(fit, missing, split, plays)
    return [
        SuitBookEntry(north, south, tuple(Fraction(*chance) for chance in chances), Fraction(*average), play)
        for north, south, chances, average, play in rows
    ]
