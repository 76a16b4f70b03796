"""Conditions and values in Python: ``north.hcp.between(15, 17) & north.balanced``.

Such an expression is an expression of the dealer language, not a Python function: it is compiled like a script, and no
Python code runs while deals are made.

    >>> from croupier import north, south
    >>> str(north.hcp.between(15, 17) & ~north.shape("any 7xxx"))
    '(hcp(north) >= 15 && hcp(north) <= 17) && !(shape(north, any 7xxx))'
"""

from __future__ import annotations

from typing import Union

from .values import Seat, Side, Strain, Suit

__all__ = ["Expression", "Player", "Pair", "all_of", "any_of", "east", "expression", "north", "south", "west", "ns", "ew"]

#: An operand of an operator.
Operand = Union["Expression", int]


class Expression:
    """An expression of the dealer language. Use ``&``, ``|`` and ``~`` for and, or and not."""

    __slots__ = ("_text", "_strength")

    def __init__(self, text: str, _strength: int = 0) -> None:
        """Creates an expression from its text, such as ``hcp(north)``."""
        self._text = text
        # Precedence level of the outermost operator: 0 for a value (binds most tightly), 5 for or.
        self._strength = _strength

    def _inside(self, strength: int) -> str:
        """Returns the text as an operand of an operator with this level, in parentheses if needed."""
        return self._text if self._strength < strength else f"({self._text})"

    def _with(self, operator: str, other: Operand, strength: int, swapped: bool = False) -> Expression:
        if isinstance(other, bool) or not isinstance(other, (Expression, int)):
            return NotImplemented  # type: ignore[no-any-return]
        theirs = other if isinstance(other, Expression) else Expression(str(other), 1 if other < 0 else 0)
        first, second = (theirs, self) if swapped else (self, theirs)
        return Expression(f"{first._inside(strength)} {operator} {second._inside(strength)}", strength)

    def __add__(self, other: Operand) -> Expression:
        return self._with("+", other, 2)

    def __radd__(self, other: int) -> Expression:
        return self._with("+", other, 2, swapped=True)

    def __sub__(self, other: Operand) -> Expression:
        return self._with("-", other, 2)

    def __rsub__(self, other: int) -> Expression:
        return self._with("-", other, 2, swapped=True)

    def __mul__(self, other: Operand) -> Expression:
        return self._with("*", other, 2)

    def __rmul__(self, other: int) -> Expression:
        return self._with("*", other, 2, swapped=True)

    def __floordiv__(self, other: Operand) -> Expression:
        """Division that truncates toward zero, as in the dealer language."""
        return self._with("/", other, 2)

    def __mod__(self, other: Operand) -> Expression:
        return self._with("%", other, 2)

    def __neg__(self) -> Expression:
        return Expression(f"0 - {self._inside(1)}", 2)

    def __lt__(self, other: Operand) -> Expression:
        return self._with("<", other, 3)

    def __le__(self, other: Operand) -> Expression:
        return self._with("<=", other, 3)

    def __gt__(self, other: Operand) -> Expression:
        return self._with(">", other, 3)

    def __ge__(self, other: Operand) -> Expression:
        return self._with(">=", other, 3)

    def __eq__(self, other: object) -> Expression:  # type: ignore[override]
        return self._with("==", other, 3)  # type: ignore[arg-type]

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]
        return self._with("!=", other, 3)  # type: ignore[arg-type]

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: Expression) -> Expression:
        if not isinstance(other, Expression):
            return NotImplemented
        return Expression(f"{self._inside(4)} && {other._inside(4)}", 4)

    def __or__(self, other: Expression) -> Expression:
        if not isinstance(other, Expression):
            return NotImplemented
        return Expression(f"{self._inside(5)} || {other._inside(5)}", 5)

    def __invert__(self) -> Expression:
        return Expression(f"!({self._text})")

    def __bool__(self) -> bool:
        raise TypeError("a condition has no truth value before it is dealt: write & | ~ instead of and, or, not, "
                        "and .between(a, b) instead of a <= value <= b")

    def between(self, low: int, high: int) -> Expression:
        """The condition that the value is at least ``low`` and at most ``high``."""
        mine = self._inside(3)
        return Expression(f"{mine} >= {low} && {mine} <= {high}", 4)

    def isin(self, *values: int) -> Expression:
        """The condition that the value is one of ``values``."""
        return any_of(*(self == value for value in values))

    def if_else(self, then: Operand, otherwise: Operand) -> Expression:
        """``then`` if this condition holds, else ``otherwise``."""
        texts = [it._text if isinstance(it, Expression) else str(it) for it in (then, otherwise)]
        return Expression(f"(({self._text}) ? ({texts[0]}) : ({texts[1]}))")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Expression({self._text!r})"


def expression(text: str) -> Expression:
    """Creates an expression from its text in the dealer language."""
    return Expression(text, 9)


def all_of(*conditions: Expression) -> Expression:
    """Returns the condition that all conditions hold."""
    if not conditions:
        return Expression("1")
    result = conditions[0]
    for condition in conditions[1:]:
        result = result & condition
    return result


def any_of(*conditions: Expression) -> Expression:
    """Returns the condition that at least one condition holds."""
    if not conditions:
        return Expression("0")
    result = conditions[0]
    for condition in conditions[1:]:
        result = result | condition
    return result


def _suit(suit: Suit | str) -> str:
    return Suit(suit).name.lower()


def _strain(strain: Strain | Suit | str) -> str:
    if isinstance(strain, Suit):
        strain = strain.strain
    return Strain(strain).name.lower()


class Player:
    """A seat, with expressions about its hand."""

    __slots__ = ("_name",)

    def __init__(self, seat: Seat | str) -> None:
        """Creates the player of a seat."""
        self._name = Seat(seat).name.lower()

    @property
    def seat(self) -> Seat:
        """The seat."""
        return Seat(self._name)

    def _call(self, function: str, *arguments: str) -> Expression:
        return Expression(f"{function}({', '.join((self._name, *arguments))})")

    @property
    def hcp(self) -> Expression:
        """High card points."""
        return self._call("hcp")

    @property
    def spades(self) -> Expression:
        """The number of spades."""
        return self._call("spades")

    @property
    def hearts(self) -> Expression:
        """The number of hearts."""
        return self._call("hearts")

    @property
    def diamonds(self) -> Expression:
        """The number of diamonds."""
        return self._call("diamonds")

    @property
    def clubs(self) -> Expression:
        """The number of clubs."""
        return self._call("clubs")

    @property
    def controls(self) -> Expression:
        """Controls: two for an ace, one for a king."""
        return self._call("controls")

    @property
    def losers(self) -> Expression:
        """The number of losers."""
        return self._call("losers")

    @property
    def ltc(self) -> Expression:
        """The modern losing trick count, in hundredths."""
        return self._call("ltc")

    @property
    def cccc(self) -> Expression:
        """The Kaplan-Rubens evaluation, in hundredths of a point."""
        return self._call("cccc")

    @property
    def aces(self) -> Expression:
        """The number of aces."""
        return self._call("aces")

    @property
    def kings(self) -> Expression:
        """The number of kings."""
        return self._call("kings")

    @property
    def top5(self) -> Expression:
        """The number of honours."""
        return self._call("top5")

    @property
    def balanced(self) -> Expression:
        """4-3-3-3, 4-4-3-2 or 5-3-3-2."""
        return self._call("shape", "any 4333 + any 4432 + any 5332")

    @property
    def semibalanced(self) -> Expression:
        """Balanced, or 5-4-2-2 or 6-3-2-2."""
        return self._call("shape", "any 4333 + any 4432 + any 5332 + any 5422 + any 6322")

    def shape(self, shapes: str) -> Expression:
        """The condition that the hand has one of these shapes: ``north.shape("any 4333 + 5xxx - any 7xxx")``."""
        return self._call("shape", shapes)

    def length(self, suit: Suit | str) -> Expression:
        """The number of cards in a suit."""
        return self._call(_suit(suit))

    def points(self, suit: Suit | str) -> Expression:
        """High card points in a suit."""
        return self._call("hcp", _suit(suit))

    def quality(self, suit: Suit | str) -> Expression:
        """The quality of a suit by Kaplan and Rubens, in hundredths."""
        return self._call("quality", _suit(suit))

    def holds(self, card: object) -> Expression:
        """The condition that the hand contains a card: ``north.holds("SA")``."""
        from ._croupier import Card

        text = str(card if isinstance(card, Card) else Card(str(card)))
        return Expression(f"hascard({self._name}, {text[1]}{text[0]})")

    def tricks(self, strain: Strain | Suit | str) -> Expression:
        """Double-dummy tricks as declarer."""
        return self._call("tricks", _strain(strain))

    def __repr__(self) -> str:
        return f"Player({self._name!r})"


class Pair:
    """Two partners, with expressions about both hands."""

    __slots__ = ("_side",)

    def __init__(self, side: Side | str) -> None:
        """Creates the pair of a side."""
        self._side = Side(side)

    def _sum(self, function: str, *arguments: str) -> Expression:
        parts = [f"{function}({', '.join((seat.name.lower(), *arguments))})" for seat in self._side.seats]
        return Expression(" + ".join(parts), 2)

    @property
    def hcp(self) -> Expression:
        """High card points of both hands."""
        return self._sum("hcp")

    @property
    def controls(self) -> Expression:
        """Controls of both hands."""
        return self._sum("controls")

    @property
    def losers(self) -> Expression:
        """Losers of both hands."""
        return self._sum("losers")

    def length(self, suit: Suit | str) -> Expression:
        """Number of cards in a suit in both hands."""
        return self._sum(_suit(suit))

    def fit(self, suit: Suit | str, cards: int = 8) -> Expression:
        """The condition that both hands have at least ``cards`` cards in a suit together."""
        return self.length(suit) >= cards

    def __repr__(self) -> str:
        return f"Pair({self._side.value!r})"


north = Player(Seat.NORTH)
east = Player(Seat.EAST)
south = Player(Seat.SOUTH)
west = Player(Seat.WEST)
ns = Pair(Side.NORTH_SOUTH)
ew = Pair(Side.EAST_WEST)
