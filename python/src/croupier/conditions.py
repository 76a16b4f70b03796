"""Conditions and values in Python: ``north.hcp.between(15, 17) & north.balanced``.

Such an expression is an expression of the dealer language, not a Python function: it is compiled like a script, and no
Python code runs while deals are made.

    >>> from croupier import north, south
    >>> str(north.hcp.between(15, 17) & ~north.shape("any 7xxx"))
    '(hcp(north) >= 15 && hcp(north) <= 17) && !(shape(north, any 7xxx))'

Numbers of an expression are those that Python users see: `cccc`, `ltc`, `quality` and `opc` are in points, not in
hundredths as in scripts.

    >>> str(north.cccc >= 12.5)
    'cccc(north) >= 1250'
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, SupportsIndex, Union

from . import _croupier
from .values import Seat, Side, Strain, Suit, Vulnerability

if TYPE_CHECKING:
    from ._croupier import Card, Contract

__all__ = [
    "Crosstab",
    "Expression",
    "Frequency",
    "Mean",
    "Pair",
    "Player",
    "TableRequest",
    "all_of",
    "any_of",
    "crosstab",
    "east",
    "ew",
    "expression",
    "north",
    "ns",
    "score",
    "south",
    "west",
]

#: A number: whole, or a fraction that the scale of the expression allows.
Number = Union[int, float, Fraction]
#: An operand of an operator.
Operand = Union["Expression", Number]

#: Largest denominator of a number that is multiplied with an expression.
_MAX_DENOMINATOR = 10_000


def _exact(number: object) -> Fraction:
    """Returns a number as a fraction, such as 27/2 for 13.5."""
    if number is None or isinstance(number, bool):
        raise TypeError(f"expected a number or an expression, not {number!r}")
    if isinstance(number, Fraction):
        return number
    if isinstance(number, float):
        if number != number or number in (float("inf"), float("-inf")):
            raise ValueError(f"{number!r} is not a number that a deal can have")
        return Fraction(repr(number))
    if isinstance(number, SupportsIndex):
        return Fraction(operator.index(number))
    raise TypeError(f"expected a number or an expression, not {type(number).__name__}")


class Expression:
    """An expression of the dealer language. Use ``&``, ``|`` and ``~`` for and, or and not.

    Arithmetic is Python's: ``//`` rounds down and ``%`` has the sign of the divisor. ``/`` divides exactly by a number.
    """

    __slots__ = ("_text", "_strength", "_scale", "_natural")

    def __init__(self, text: str, _strength: int = 0, _scale: int = 1, _natural: bool = False) -> None:
        """Creates an expression from its text, such as ``hcp(north)``."""
        self._text = text
        # Precedence level of the outermost operator: 0 for a value (binds most tightly), 5 for or.
        self._strength = _strength
        # The value is the integer of the text divided by this number.
        self._scale = _scale
        # Whether the value is never negative, so that division by rounding down and toward zero agree.
        self._natural = _natural

    def _inside(self, strength: int) -> str:
        """Returns the text as an operand of an operator with this level, in parentheses if needed."""
        return self._text if self._strength < strength else f"({self._text})"

    def _literal(self, number: object) -> Expression:
        """Returns a number on the scale of this expression. Numbers that the value cannot have are errors."""
        scaled = _exact(number) * self._scale
        if scaled.denominator != 1:
            steps = "a whole number" if self._scale == 1 else f"a multiple of 1/{self._scale}"
            raise ValueError(f"{number} is not possible here: {self._text} is {steps}")
        whole = scaled.numerator
        if abs(whole) >= 1 << 31:
            raise ValueError(f"{number} is too large")
        return Expression(str(whole), 1 if whole < 0 else 0, self._scale)

    def _scaled_to(self, scale: int) -> Expression:
        """Returns the same value on another scale, a multiple of this one."""
        if scale == self._scale:
            return self
        return Expression(f"{self._inside(2)} * {scale // self._scale}", 2, scale, self._natural)

    def _both(self, other: Operand, swapped: bool) -> tuple[Expression, Expression]:
        """Returns both operands on one scale, in the order of the operator."""
        if isinstance(other, Expression):
            scale = math.lcm(self._scale, other._scale)
            mine, theirs = self._scaled_to(scale), other._scaled_to(scale)
        else:
            mine, theirs = self, self._literal(other)
        return (theirs, mine) if swapped else (mine, theirs)

    def _compare(self, sign: str, other: Operand) -> Expression:
        first, second = self._both(other, False)
        return Expression(f"{first._inside(3)} {sign} {second._inside(3)}", 3, 1, True)

    def _sum(self, sign: str, other: Operand, swapped: bool = False) -> Expression:
        if not isinstance(other, (Expression, int, float, Fraction)) or isinstance(other, bool):
            return NotImplemented  # type: ignore[no-any-return]
        # A fraction makes the scale finer.
        mine = self
        if not isinstance(other, Expression):
            denominator = _exact(other).denominator
            if denominator > _MAX_DENOMINATOR:
                raise ValueError(f"{other} has too many digits")
            mine = self._scaled_to(math.lcm(self._scale, denominator))
        first, second = mine._both(other, swapped)
        natural = sign == "+" and first._natural and (second._natural or second._text.isdigit())
        return Expression(f"{first._inside(2)} {sign} {second._inside(2)}", 2, first._scale, natural)

    def __add__(self, other: Operand) -> Expression:
        return self._sum("+", other)

    def __radd__(self, other: Number) -> Expression:
        # Zero is the start value of sum().
        if isinstance(other, int) and other == 0:
            return self
        return self._sum("+", other, swapped=True)

    def __sub__(self, other: Operand) -> Expression:
        return self._sum("-", other)

    def __rsub__(self, other: Number) -> Expression:
        return self._sum("-", other, swapped=True)

    def __mul__(self, other: Operand) -> Expression:
        if isinstance(other, Expression):
            natural = self._natural and other._natural
            text = f"{self._inside(2)} * {other._inside(2)}"
            return Expression(text, 2, self._scale * other._scale, natural)
        if not isinstance(other, (int, float, Fraction)) or isinstance(other, bool):
            return NotImplemented
        factor = _exact(other)
        if factor.denominator > _MAX_DENOMINATOR:
            raise ValueError(f"{other} has too many digits")
        whole = Expression(str(factor.numerator), 1 if factor < 0 else 0)
        text = f"{self._inside(2)} * {whole._inside(2)}"
        natural = self._natural and factor >= 0
        return Expression(text, 2, self._scale * factor.denominator, natural)

    def __rmul__(self, other: Number) -> Expression:
        return self * other

    def __truediv__(self, other: Number) -> Expression:
        """Divides exactly by a number. Use ``//`` to divide by an expression."""
        if isinstance(other, Expression):
            raise TypeError("an expression is divided by a number, or by an expression with //")
        if not isinstance(other, (int, float, Fraction)) or isinstance(other, bool):
            return NotImplemented
        divisor = _exact(other)
        if divisor == 0:
            raise ZeroDivisionError("division of an expression by zero")
        return self * (1 / divisor)

    def _divided(self, other: Operand) -> tuple[Expression, Expression]:
        """Returns the integers to divide, both on one scale."""
        first, second = self._both(other, False)
        if second._text == "0":
            raise ZeroDivisionError("division of an expression by zero")
        return first, second

    def _remainder(self, other: Operand) -> Expression:
        first, second = self._divided(other)
        a, b = first._inside(2), second._inside(2)
        if first._natural and (second._natural or second._text.isdigit()):
            return Expression(f"{a} % {b}", 2, first._scale, True)
        # The remainder of the language has the sign of the left side.
        positive = second._natural or second._text.isdigit()
        return Expression(f"({a} % {b} + {b}) % {b}", 2, first._scale, positive)

    def __mod__(self, other: Operand) -> Expression:
        return self._remainder(other)

    def __floordiv__(self, other: Operand) -> Expression:
        """Divides and rounds down, as in Python."""
        first, second = self._divided(other)
        a, b = first._inside(2), second._inside(2)
        natural = first._natural and (second._natural or second._text.isdigit())
        if natural:
            return Expression(f"{a} / {b}", 2, 1, True)
        rest = self._remainder(other)
        return Expression(f"({a} - {rest._inside(2)}) / {b}", 2)

    def __neg__(self) -> Expression:
        return Expression(f"0 - {self._inside(1)}", 2, self._scale)

    def __abs__(self) -> Expression:
        """Returns the value without its sign."""
        return Expression(f"abs({self._text})", 0, self._scale, True)

    def __lt__(self, other: Operand) -> Expression:
        return self._compare("<", other)

    def __le__(self, other: Operand) -> Expression:
        return self._compare("<=", other)

    def __gt__(self, other: Operand) -> Expression:
        return self._compare(">", other)

    def __ge__(self, other: Operand) -> Expression:
        return self._compare(">=", other)

    def __eq__(self, other: object) -> Expression:  # type: ignore[override]
        return self._compare("==", other)  # type: ignore[arg-type]

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]
        return self._compare("!=", other)  # type: ignore[arg-type]

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: Expression) -> Expression:
        if not isinstance(other, Expression):
            return NotImplemented
        return Expression(f"{self._inside(4)} && {other._inside(4)}", 4, 1, True)

    def __or__(self, other: Expression) -> Expression:
        if not isinstance(other, Expression):
            return NotImplemented
        return Expression(f"{self._inside(5)} || {other._inside(5)}", 5, 1, True)

    def __invert__(self) -> Expression:
        return Expression(f"!({self._text})", 0, 1, True)

    def __bool__(self) -> bool:
        raise TypeError("a condition has no truth value before it is dealt: write & | ~ instead of and, or, not, "
                        "and .between(a, b) instead of a <= value <= b")

    def between(self, low: Operand, high: Operand) -> Expression:
        """Returns the condition that the value is at least ``low`` and at most ``high``."""
        return (self >= low) & (self <= high)

    def isin(self, *values: Number | Iterable[Number]) -> Expression:
        """Returns the condition that the value is one of ``values``: ``north.hcp.isin(10, 12)`` or ``isin([10, 12])``."""
        listed: list[Number] = []
        for value in values:
            if isinstance(value, Iterable):
                listed.extend(value)
            else:
                listed.append(value)
        return any_of(self == value for value in listed)

    def if_else(self, then: Operand, otherwise: Operand) -> Expression:
        """Returns ``then`` if this condition holds, else ``otherwise``."""
        if isinstance(then, Expression):
            first, second = then._both(otherwise, False)
        elif isinstance(otherwise, Expression):
            second, first = otherwise._both(then, False)
        else:
            exact = [_exact(then), _exact(otherwise)]
            scale = exact[0].denominator * exact[1].denominator
            first, second = (Expression("", 0, scale)._literal(number) for number in exact)
        return Expression(f"(({self._text}) ? ({first._text}) : ({second._text}))", 0, first._scale)

    def imps(self) -> Expression:
        """Returns the International Match Points of a difference of scores."""
        if self._scale != 1:
            raise ValueError("IMPs are those of a difference of scores, which is a whole number")
        return Expression(f"imps({self._text})")

    def mean(self) -> Mean:
        """Returns a table with the mean of the value, for the argument ``tables`` of `croupier.deal`."""
        return Mean(self)

    def value_counts(self, low: Number | None = None, high: Number | None = None, *, step: Number = 1) -> Frequency:
        """Returns a table that counts how often each value occurs, for the argument ``tables`` of `croupier.deal`.

        Values from ``low`` to ``high`` have rows of their own; by default these are the smallest and the largest
        possible value. With a ``step`` a row counts several values.
        """
        return Frequency(self, low, high, step)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        scale = "" if self._scale == 1 else f" / {self._scale}"
        return f"<croupier.Expression {self._text}{scale}>"

    def __reduce__(self) -> tuple[type[Expression], tuple[str, int, int, bool]]:
        return Expression, (self._text, self._strength, self._scale, self._natural)


class TableRequest:
    """A table that a run computes: the result of `Expression.mean`, `Expression.value_counts` or `crosstab`."""

    _axes: tuple[Expression, ...]

    def _action(self, label: str, ranges: list[tuple[int, int]]) -> str:
        """Returns the action of the script. ``ranges`` are the smallest and largest values of the axes."""
        raise NotImplementedError


class Mean(TableRequest):
    """The mean of a value."""

    def __init__(self, value: Expression) -> None:
        """Creates the table. Use `Expression.mean`."""
        self._axes = (value,)

    def _action(self, label: str, ranges: list[tuple[int, int]]) -> str:
        return f'average "{label}" ({self._axes[0]})'


#: Largest number of rows of a table whose range is not given.
_MAX_ROWS = 1000


class Frequency(TableRequest):
    """Counts of the values of an expression."""

    def __init__(self, value: Expression, low: Number | None, high: Number | None, step: Number) -> None:
        """Creates the table. Use `Expression.value_counts`."""
        self._axes = (value,)
        self._low, self._high, self._step = low, high, step
        for number in (low, high, step):
            if number is not None:
                value._literal(number)
        if _exact(step) <= 0:
            raise ValueError(f"step must be positive, not {step}")
        if low is not None and high is not None and low > high:
            raise ValueError(f"low is {low}, but high is {high}")

    def _scale_text(self, place: tuple[int, int]) -> tuple[str, int]:
        """Returns the text of the axis and the width of its rows."""
        value = self._axes[0]

        def bound(given: Number | None, possible: int) -> int:
            return possible if given is None else int(str(value._literal(given)))

        low, high = bound(self._low, place[0]), bound(self._high, place[1])
        size = int(str(value._literal(self._step)))
        if (high - low) // size >= _MAX_ROWS:
            raise ValueError(f"{value} has values from {place[0]} to {place[1]}: give low=, high= or a larger step=")
        return f"({value}), {low}, {max(low, high)}", size

    def _action(self, label: str, ranges: list[tuple[int, int]]) -> str:
        axis, size = self._scale_text(ranges[0])
        return f'frequency "{label}" ({axis})' if size == 1 else f'bktfreq "{label}" ({axis}, {size})'


class Crosstab(TableRequest):
    """Counts of the pairs of values of two expressions."""

    def __init__(self, rows: Frequency, columns: Frequency) -> None:
        """Creates the table. Use `crosstab`."""
        self._rows, self._columns = rows, columns
        self._axes = (*rows._axes, *columns._axes)

    def _action(self, label: str, ranges: list[tuple[int, int]]) -> str:
        first, rows = self._rows._scale_text(ranges[0])
        second, columns = self._columns._scale_text(ranges[1])
        if rows == columns == 1:
            return f'frequency "{label}" ({first}, {second})'
        return f'bktfreq "{label}" ({first}, {rows}, {second}, {columns})'


def crosstab(rows: Expression | Frequency, columns: Expression | Frequency) -> Crosstab:
    """Returns a table that counts how often each pair of values occurs, for the argument ``tables`` of `croupier.deal`.

    ``crosstab(north.hcp, south.hcp.value_counts(0, 20))`` limits one of the two ranges.
    """

    def axis(given: Expression | Frequency) -> Frequency:
        if isinstance(given, Frequency):
            return given
        if not isinstance(given, Expression):
            raise TypeError(f"crosstab needs two expressions, not {type(given).__name__}")
        return given.value_counts()

    return Crosstab(axis(rows), axis(columns))


def expression(text: str) -> Expression:
    """Creates an expression from its text in the dealer language. Its numbers are those of the language."""
    if not isinstance(text, str):
        raise TypeError(f"expected the text of an expression, not {type(text).__name__}")
    return Expression(text, 9)


def _conditions(given: tuple[Expression | Iterable[Expression], ...]) -> list[Expression]:
    """Returns the conditions of an argument list, some of which may be lists or generators."""
    listed: list[Expression] = []
    for item in given:
        if isinstance(item, Expression):
            listed.append(item)
        elif isinstance(item, Iterable) and not isinstance(item, str):
            listed.extend(_conditions(tuple(item)))
        else:
            raise TypeError(f"expected a condition, not {item!r}")
    return listed


def _joined(given: tuple[Expression | Iterable[Expression], ...], empty: str,
            join: Callable[[Expression, Expression], Expression]) -> Expression:
    conditions = _conditions(given)
    if not conditions:
        return Expression(empty)
    result = conditions[0]
    for condition in conditions[1:]:
        result = join(result, condition)
    return result


def all_of(*conditions: Expression | Iterable[Expression]) -> Expression:
    """Returns the condition that all conditions hold; they may be in lists or generators."""
    return _joined(conditions, "1", operator.and_)


def any_of(*conditions: Expression | Iterable[Expression]) -> Expression:
    """Returns the condition that at least one condition holds; they may be in lists or generators."""
    return _joined(conditions, "0", operator.or_)


def score(contract: Contract | str, tricks: Expression, *, vulnerable: bool = False) -> Expression:
    """Returns the score of declarer's side in a contract: ``score("4S", north.tricks("S"))``."""
    from ._croupier import Contract

    bid = contract if isinstance(contract, Contract) else Contract(contract)
    doubled = "x" * bid.doubled
    text = f"score({'vul' if vulnerable else 'nv'}, z{bid.level}{bid.strain}{doubled}, {tricks})"
    return Expression(text)


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
