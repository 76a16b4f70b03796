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

if TYPE_CHECKING:
    from ._croupier import Contract

__all__ = [
    "Crosstab",
    "Expression",
    "Frequency",
    "Mean",
    "TableRequest",
    "all_of",
    "any_of",
    "crosstab",
    "expression",
    "score",
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
