"""The players and pairs of conditions: ``north``, ``ns`` and their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _croupier
from .conditions import Expression, Number, _exact
from .values import Seat, Side, Strain, Suit, Vulnerability

if TYPE_CHECKING:
    from ._croupier import Card

__all__ = ["Pair", "Player", "east", "ew", "north", "ns", "south", "west"]


def _suit(suit: Suit | str) -> str:
    return Suit(suit).name.lower()


def _strain(strain: Strain | Suit | str) -> str:
    if isinstance(strain, Suit):
        strain = strain.strain
    return Strain(strain).name.lower()


class _Counts:
    """Values that a hand has, and that both hands of a side have together."""

    __slots__ = ()

    def _count(self, function: str, *arguments: str, scale: int = 1) -> Expression:
        raise NotImplementedError

    def _of(self, function: str, suit: Suit | str | None, scale: int = 1) -> Expression:
        if suit is None:
            return self._count(function, scale=scale)
        return self._count(function, _suit(suit), scale=scale)

    @property
    def hcp(self) -> Expression:
        """High card points."""
        return self._count("hcp")

    @property
    def spades(self) -> Expression:
        """The number of spades."""
        return self._count("spades")

    @property
    def hearts(self) -> Expression:
        """The number of hearts."""
        return self._count("hearts")

    @property
    def diamonds(self) -> Expression:
        """The number of diamonds."""
        return self._count("diamonds")

    @property
    def clubs(self) -> Expression:
        """The number of clubs."""
        return self._count("clubs")

    @property
    def controls(self) -> Expression:
        """Controls: two for an ace, one for a king."""
        return self._count("controls")

    @property
    def losers(self) -> Expression:
        """The number of losers."""
        return self._count("losers")

    @property
    def ltc(self) -> Expression:
        """The modern losing trick count."""
        return self._count("ltc", scale=100)

    @property
    def aces(self) -> Expression:
        """The number of aces."""
        return self._count("aces")

    @property
    def kings(self) -> Expression:
        """The number of kings."""
        return self._count("kings")

    @property
    def queens(self) -> Expression:
        """The number of queens."""
        return self._count("queens")

    @property
    def jacks(self) -> Expression:
        """The number of jacks."""
        return self._count("jacks")

    @property
    def tens(self) -> Expression:
        """The number of tens."""
        return self._count("tens")

    @property
    def top2(self) -> Expression:
        """The number of aces and kings."""
        return self._count("top2")

    @property
    def top3(self) -> Expression:
        """The number of aces, kings and queens."""
        return self._count("top3")

    @property
    def top4(self) -> Expression:
        """The number of aces, kings, queens and jacks."""
        return self._count("top4")

    @property
    def top5(self) -> Expression:
        """The number of honours, tens included."""
        return self._count("top5")

    @property
    def c13(self) -> Expression:
        """Points with 6 for an ace, 4 for a king, 2 for a queen and 1 for a jack."""
        return self._count("c13")

    def length(self, suit: Suit | str) -> Expression:
        """Returns the number of cards in a suit."""
        return self._count(_suit(suit))

    def points(self, suit: Suit | str) -> Expression:
        """Returns the high card points in a suit."""
        return self._count("hcp", _suit(suit))

    def honours(self, suit: Suit | str | None = None, ranks: str = "AKQJT") -> Expression:
        """Returns the number of cards of these ranks, in a suit or in all: ``north.honours("S", "AKQ")``."""
        names = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks", "T": "tens"}
        runs = {"AK": "top2", "AKQ": "top3", "AKQJ": "top4", "AKQJT": "top5"}
        wanted = ranks.upper().replace("10", "T")
        if not wanted or set(wanted) - set(names) or len(set(wanted)) != len(wanted):
            raise ValueError(f"ranks={ranks!r} is not a choice of A, K, Q, J and T")
        if wanted in runs:
            return self._of(runs[wanted], suit)
        total = self._of(names[wanted[0]], suit)
        for rank in wanted[1:]:
            total = total + self._of(names[rank], suit)
        return total

    def count(self, ace: Number = 0, king: Number = 0, queen: Number = 0, jack: Number = 0, ten: Number = 0, *,
              suit: Suit | str | None = None) -> Expression:
        """Returns a point count of your own: ``north.count(4.5, 3, 1.5, 0.75, 0.25)``, in a suit or in all."""
        names = ("aces", "kings", "queens", "jacks", "tens")
        total: Expression | None = None
        for name, worth in zip(names, (ace, king, queen, jack, ten), strict=True):
            if _exact(worth):
                term = self._of(name, suit) * worth
                total = term if total is None else total + term
        if total is None:
            raise ValueError("give the worth of at least one rank: count(ace=4, king=3)")
        return total


class Player(_Counts):
    """A seat, with expressions about its hand."""

    __slots__ = ("_name",)

    def __init__(self, seat: Seat | str) -> None:
        """Creates the player of a seat."""
        self._name = Seat(seat).name.lower()

    @property
    def seat(self) -> Seat:
        """The seat."""
        return Seat(self._name)

    def _call(self, function: str, *arguments: str, scale: int = 1) -> Expression:
        return Expression(f"{function}({', '.join((self._name, *arguments))})", 0, scale, True)

    def _count(self, function: str, *arguments: str, scale: int = 1) -> Expression:
        return self._call(function, *arguments, scale=scale)

    @property
    def cccc(self) -> Expression:
        """The Kaplan-Rubens evaluation, in points."""
        return self._call("cccc", scale=100)

    @property
    def balanced(self) -> Expression:
        """The condition that the hand is 4-3-3-3, 4-4-3-2 or 5-3-3-2."""
        return self._call("shape", "any 4333 + any 4432 + any 5332")

    @property
    def semibalanced(self) -> Expression:
        """The condition that the hand is balanced, or 5-4-2-2 or 6-3-2-2."""
        return self._call("shape", "any 4333 + any 4432 + any 5332 + any 5422 + any 6322")

    def shape(self, shapes: str) -> Expression:
        """Returns the condition that the hand has one of these shapes. A wrong shape is an error at once.

        Both notations of the language, ``north.shape("any 4333 + 5xxx - any 7xxx")`` and ``north.shape("5M(332)")``;
        and redeal's, in which parentheses stand for the suits at their place: ``north.shape("(32)(53)")``.
        """
        if not isinstance(shapes, str):
            raise TypeError(f"expected the text of shapes, not {type(shapes).__name__}")
        return Expression(_croupier.shape_text(self._name, shapes), 0, 1, True)

    def quality(self, suit: Suit | str) -> Expression:
        """Returns the quality of a suit by Kaplan and Rubens, in points."""
        return self._call("quality", _suit(suit), scale=100)

    def holds(self, card: Card | str) -> Expression:
        """Returns the condition that the hand contains a card: ``north.holds("SA")``."""
        from ._croupier import Card

        text = str(card if isinstance(card, Card) else Card(card))
        return Expression(f"hascard({self._name}, {text[1]}{text[0]})", 0, 1, True)

    def tricks(self, strain: Strain | Suit | str) -> Expression:
        """Returns the double-dummy tricks that the player takes as declarer."""
        return self._call("tricks", _strain(strain))

    def metric(self, name: str, strain: Strain | str | None = None) -> Expression:
        """Returns one of the valuations of `croupier.metrics`, for this hand beside its partner's."""
        return _metric(name, self._name, strain)

    def __repr__(self) -> str:
        return f"Player({self._name!r})"


def _metric(name: str, whose: str, strain: Strain | str | None) -> Expression:
    chosen = None if strain is None else Strain(strain)
    if chosen not in (None, Strain.NOTRUMP):
        raise ValueError('a metric is for notrump (strain="N") or, without a strain, for the best fit')
    scale = _croupier.metric_scale(name, Seat(whose) if len(whose) > 2 else None, chosen)
    arguments = [name.lower(), whose, *([] if chosen is None else ["notrump"])]
    return Expression(f"metric({', '.join(arguments)})", 0, scale)


class Pair(_Counts):
    """Two partners, with expressions about both hands together."""

    __slots__ = ("_side",)

    def __init__(self, side: Side | str) -> None:
        """Creates the pair of a side."""
        self._side = Side(side)

    @property
    def side(self) -> Side:
        """The side."""
        return self._side

    def _count(self, function: str, *arguments: str, scale: int = 1) -> Expression:
        parts = [f"{function}({', '.join((seat.name.lower(), *arguments))})" for seat in self._side.seats]
        return Expression(" + ".join(parts), 2, scale, True)

    def fit(self, suit: Suit | str, cards: int = 8) -> Expression:
        """Returns the condition that both hands have at least ``cards`` cards in a suit together."""
        return self.length(suit) >= cards

    def tricks(self, strain: Strain | Suit | str) -> Expression:
        """Returns the double-dummy tricks of the better declarer of the two."""
        first, second = (Player(seat).tricks(strain) for seat in self._side.seats)
        return (first >= second).if_else(first, second)

    def par(self, vulnerable: Vulnerability | str = Vulnerability.NONE) -> Expression:
        """Returns the double-dummy par score of the side."""
        names = {"none": "none", "NS": "ns", "EW": "ew", "both": "both"}
        return Expression(f"par({self._side.value}, {names[Vulnerability(vulnerable).value]})")

    def opc(self, strain: Strain | Suit | str | None = None) -> Expression:
        """Returns the Optimal Point Count in a strain, or in the longest fit, in points."""
        arguments = self._side.value if strain is None else f"{self._side.value}, {_strain(strain)}"
        return Expression(f"opc({arguments})", 0, 100)

    def metric(self, name: str, strain: Strain | str | None = None) -> Expression:
        """Returns one of the valuations of `croupier.metrics`, in the best fit or in notrump."""
        return _metric(name, self._side.value, strain)

    def __repr__(self) -> str:
        return f"Pair({self._side.value!r})"


north = Player(Seat.NORTH)
east = Player(Seat.EAST)
south = Player(Seat.SOUTH)
west = Player(Seat.WEST)
ns = Pair(Side.NORTH_SOUTH)
ew = Pair(Side.EAST_WEST)
