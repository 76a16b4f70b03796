"""Seats, sides, suits, ranks, strains and vulnerabilities."""

from __future__ import annotations

import enum
from typing import Any

__all__ = ["Rank", "Seat", "Side", "Strain", "Suit", "Vulnerability"]


class _SpelledEnum(enum.Enum):
    """An enumeration whose members are found by value, name and other spellings, in upper or lower case."""

    @classmethod
    def _missing_(cls, value: object) -> Any:
        if isinstance(value, str):
            spelling = value.strip().lower()
            for member in cls:
                if spelling in member._spellings():
                    return member
        return None

    def _spellings(self) -> tuple[str, ...]:
        return (str(self.value).lower(), self.name.lower())

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class Side(_SpelledEnum):
    """Two partners: ``Side("NS")``."""

    NORTH_SOUTH = "NS"
    EAST_WEST = "EW"

    def _spellings(self) -> tuple[str, ...]:
        return (*super()._spellings(), self.name.lower().replace("_", "-"))

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The two partners, North or East first."""
        if self is Side.NORTH_SOUTH:
            return (Seat.NORTH, Seat.SOUTH)
        return (Seat.EAST, Seat.WEST)

    @property
    def opponents(self) -> Side:
        """The other side."""
        return Side.EAST_WEST if self is Side.NORTH_SOUTH else Side.NORTH_SOUTH


class Seat(_SpelledEnum):
    """A place at the table: ``Seat("N")``, ``Seat("north")``. Seats iterate in the order of play."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"

    @property
    def index(self) -> int:
        """0 for North to 3 for West."""
        return "NESW".index(self.value)

    def __lt__(self, other: object) -> bool:
        """Orders seats clockwise, North first."""
        return self.index < other.index if isinstance(other, Seat) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.index <= other.index if isinstance(other, Seat) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.index > other.index if isinstance(other, Seat) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.index >= other.index if isinstance(other, Seat) else NotImplemented

    @property
    def next(self) -> Seat:
        """The seat to the left, which plays next."""
        return Seat("NESW"[(self.index + 1) % 4])

    @property
    def partner(self) -> Seat:
        """The seat opposite."""
        return Seat("NESW"[(self.index + 2) % 4])

    @property
    def side(self) -> Side:
        """The side of the seat."""
        return Side.NORTH_SOUTH if self.index % 2 == 0 else Side.EAST_WEST


class _Ranked(_SpelledEnum):
    """An enumeration whose members are ordered as in bidding."""

    @property
    def index(self) -> int:
        """0 for clubs to 4 for notrump."""
        return "CDHSN".index(self.value)

    def __lt__(self, other: object) -> bool:
        return self.index < other.index if isinstance(other, _Ranked) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.index <= other.index if isinstance(other, _Ranked) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.index > other.index if isinstance(other, _Ranked) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.index >= other.index if isinstance(other, _Ranked) else NotImplemented

    @property
    def symbol(self) -> str:
        """``♣`` to ``♠``, and ``NT``."""
        return ("♣", "♦", "♥", "♠", "NT")[self.index]

    def _spellings(self) -> tuple[str, ...]:
        name = self.name.lower()
        return (self.value.lower(), name, name.rstrip("s"), self.symbol.lower())


class Suit(_Ranked):
    """A suit: ``Suit("S")``, ``Suit("spades")``, ``Suit("♠")``. Clubs are lowest."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def strain(self) -> Strain:
        """The suit as trumps."""
        return Strain(self.value)


class Rank(str, enum.Enum):
    """The rank of a card: ``Rank("A")``. A rank equals its letter, and the deuce is lowest."""

    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"
    ACE = "A"

    @classmethod
    def _missing_(cls, value: object) -> Rank | None:
        if not isinstance(value, str):
            return None
        spelling = {"10": "T"}.get(value.strip(), value.strip().upper())
        return next((rank for rank in cls if spelling in (rank.value, rank.name)), None)

    @property
    def index(self) -> int:  # type: ignore[override]
        """0 for the deuce to 12 for the ace."""
        return "23456789TJQKA".find(self.value)

    def __lt__(self, other: object) -> bool:
        """Orders ranks, the deuce first; a text is read as a rank."""
        return self.index < Rank(other).index if isinstance(other, str) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.index <= Rank(other).index if isinstance(other, str) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.index > Rank(other).index if isinstance(other, str) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.index >= Rank(other).index if isinstance(other, str) else NotImplemented

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return f"Rank.{self.name}"


class Strain(_Ranked):
    """A trump suit or notrump: ``Strain("H")``, ``Strain("NT")``. In the order of bidding."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"
    NOTRUMP = "N"

    @property
    def suit(self) -> Suit | None:
        """The trump suit, if there is one."""
        return None if self is Strain.NOTRUMP else Suit(self.value)


class Vulnerability(_SpelledEnum):
    """The vulnerable sides: ``Vulnerability("NS")``, ``Vulnerability("all")``."""

    NONE = "none"
    NORTH_SOUTH = "NS"
    EAST_WEST = "EW"
    BOTH = "both"

    def _spellings(self) -> tuple[str, ...]:
        others = {"none": ("o", "-", "love"), "both": ("all", "b")}
        return (*super()._spellings(), *others.get(self.value, ()))

    def includes(self, side: Side | Seat | str) -> bool:
        """Returns whether that side, or the side of that seat, is vulnerable."""
        if isinstance(side, str):
            side = Side(side) if side.upper() in ("NS", "EW") else Seat(side)
        if isinstance(side, Seat):
            side = side.side
        return self is Vulnerability.BOTH or self.value == side.value
