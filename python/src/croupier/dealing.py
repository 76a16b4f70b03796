"""Dealing by scripts and conditions, probabilities, and studies of leads and contracts."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, TypeVar, Union, overload

from . import _croupier
from ._croupier import Board, Contract, Deal, Deals, Hand, Job, Kept, Script, ScriptError
from .conditions import Expression, TableRequest
from .frames import FrameKind, to_frame
from .result import Batch, Result, estimate_text
from .values import Seat, Vulnerability

if TYPE_CHECKING:
    import numpy
    import numpy.typing
    import pandas
    import polars
    import pyarrow

    from .frames import Frame

__all__ = [
    "ContractResult",
    "Contracts",
    "Estimate",
    "IncompleteWarning",
    "LeadResult",
    "Leads",
    "Measure",
    "ScriptWarning",
    "Values",
    "compare",
    "deal",
    "evaluate",
    "lead",
    "probability",
    "profile",
]

#: A script, its text, a file, or a condition written in Python.
ScriptLike = Union[Script, str, "os.PathLike[str]", Expression]
#: Expressions by name, or expressions whose text is the name.
ValuesLike = Union[Mapping[str, "Expression | str"], Sequence["Expression | str"]]
#: Cards that seats have in every deal.
PredealLike = Mapping[Union[Seat, str], Union[Hand, str]]


class ProgressBar(Protocol):
    """A progress bar such as tqdm's."""

    def update(self, n: int, /) -> object:
        """Adds ``n`` to the amount done."""


#: A function that is called with the amount done and the total, or a progress bar such as tqdm's.
Progress = Union[Callable[[int, int], object], ProgressBar, None]

if TYPE_CHECKING:
    #: Deals in any form: a sequence, a result, boards, texts, an array of masks.
    DealsLike = Union[
        Deals,
        Result,
        Batch,
        Iterable[Union[Deal, Board, str]],
        numpy.typing.NDArray[numpy.uint64],
    ]
    #: The answer of a filter: one bool for each deal.
    Mask = Union[numpy.typing.NDArray[numpy.bool_], Sequence[bool], polars.Series, pyarrow.Array]

#: Maximum number of deals that a run keeps. Larger runs deal again when their deals are used.
_MAX_KEPT = 200_000


class ScriptWarning(UserWarning):
    """A warning about a script: it is legal, but probably does not mean what you want."""


class IncompleteWarning(UserWarning):
    """A run ended before it had produced as many deals as you asked for."""


def warn(message: str, category: type[Warning]) -> None:
    """Issues a warning at the place outside of this package that called it."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "croupier":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def _looks_like_a_file(text: str) -> bool:
    is_word = len(text.split()) == 1 and not text.endswith(")")
    return is_word and ("." in text or "/" in text or os.path.isfile(text))


#: Codes of warnings about other programs, which do not matter to a script that is only used here.
_ABOUT_OTHER_PROGRAMS = ("W06", "W07", "W14", "W15", "W16", "W22")


def as_script(script: ScriptLike, dialect: str = "native", **variables: Any) -> Script:
    """Converts a text, a path or a condition to a script, and issues its warnings."""
    read = _read_script(script, dialect, **variables)
    for text in read.warnings:
        if not any(f"[{code}]" in text for code in _ABOUT_OTHER_PROGRAMS):
            warn(text, ScriptWarning)
    return read


def _read_script(script: ScriptLike, dialect: str, **variables: Any) -> Script:
    if isinstance(script, Script):
        if variables:
            raise TypeError("script variables are given where the script is read: Script(text, _1=...)")
        return script
    if isinstance(script, Expression):
        return Script(f"condition {script}", dialect=dialect, **variables)
    if isinstance(script, str):
        try:
            return Script(script, dialect=dialect, **variables)
        except ScriptError as error:
            if _looks_like_a_file(script):
                error.args = (f"{error}\nTo read a script from a file, give its path: Path({script!r})",)
            raise
    if isinstance(script, os.PathLike):
        return Script.from_file(os.fspath(script), dialect=dialect, **variables)
    raise TypeError(f"expected a script, a text, a path or a condition, not {type(script).__name__}")


def check_count(name: str, number: int, least: int = 0) -> int:
    """Returns a number that must be at least ``least``."""
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"{name} must be a whole number, not {type(number).__name__}")
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number


def count_of(deals: object) -> int:
    """Returns the number of deals of an argument, for the progress."""
    return len(deals) if hasattr(deals, "__len__") and not isinstance(deals, (str, Deal)) else 1


def progress_callback(progress: Progress, total: int) -> Callable[[int], object] | None:
    """Returns the function that a run calls with the amount done."""
    if progress is None:
        return None
    update = getattr(progress, "update", None)
    if update is not None:
        if getattr(progress, "total", total) is None:
            progress.total = total  # type: ignore[union-attr]
        reported = 0

        def advance(done: int) -> None:
            nonlocal reported
            update(done - reported)
            reported = done

        return advance
    if not callable(progress):
        raise TypeError("progress is a function of done and total, or a progress bar with an update method")
    function = progress
    return lambda done: function(done, total)


class Values:
    """Named expressions that are evaluated for deals, all at once."""

    def __init__(self, values: ValuesLike, script: Script | None = None, taken: Iterable[str] = ()) -> None:
        """Compiles the expressions one by one. They may use names defined by the script."""
        if isinstance(values, str):
            raise TypeError("values are a dictionary or a list of expressions, not one text")
        named = dict(values) if isinstance(values, Mapping) else {str(value): value for value in values}
        if not named:
            raise ValueError("no values: name at least one expression")
        occupied = {"number", "north", "east", "south", "west", *taken}
        for name, value in named.items():
            if not isinstance(name, str):
                raise TypeError(f"the name of a value is a text, not {name!r}")
            if not isinstance(value, (str, Expression)):
                raise TypeError(f"values[{name!r}] must be an expression or its text, not {value!r}")
            if name in occupied:
                raise ValueError(f"values[{name!r}]: the result has a column {name!r} already; choose another name")
        self.names = list(named)
        self.scales = [value._scale if isinstance(value, Expression) else 1 for value in named.values()]
        texts = [(f"values[{name!r}]", str(value)) for name, value in named.items()]
        base = script or Script("condition 1")
        self._script, self.ranges, found = base.with_values(texts)
        for text in found:
            warn(text, ScriptWarning)

    def of(self, kept: Kept) -> Kept:
        """Adds these values to the deals."""
        return kept.joined(_croupier.evaluate(kept.deals, self._script, self.names, self.scales))

    def columns(self, deals: DealsLike, threads: int = 0, progress: Callable[[int], object] | None = None) -> Kept:
        """Returns the values of any deals."""
        return _croupier.evaluate(deals, self._script, self.names, self.scales, threads, progress)


def _with_tables(script: Script, tables: Mapping[str, TableRequest]) -> Script:
    """Returns the script with these tables as further actions."""
    actions: list[str] = []
    for label, table in tables.items():
        if not isinstance(label, str) or '"' in label or "\n" in label:
            raise ValueError(f"{label!r} cannot be the name of a table: it is a text without quotes and line breaks")
        if isinstance(table, Expression):
            raise TypeError(f"tables[{label!r}] is an expression; write .mean() or .value_counts() after it")
        if not isinstance(table, TableRequest):
            raise TypeError(f"tables[{label!r}] must be a table such as north.hcp.mean(), not {table!r}")
        texts = [(f"tables[{label!r}]", str(axis)) for axis in table._axes]
        actions.append(table._action(label, script.with_values(texts)[1]))
    return script.extended("".join(f"\n{action}" for action in actions) + "\n")


def make_job(
    script: ScriptLike,
    *,
    produce: int | None = None,
    generate: int | None = None,
    seed: int | str | None = None,
    threads: int = 0,
    sampler: str | bool = "auto",
    predeal: PredealLike | None = None,
    title: str | None = None,
    precision: str | None = None,
    dialect: str = "native",
    tables: Mapping[str, TableRequest] | None = None,
    level: str | Mapping[str, int] | None = None,
    mix: Sequence[tuple[ScriptLike, int]] | None = None,
    tournament: bool | str = False,
    **variables: Any,
) -> tuple[Script, Job]:
    """Returns the script and the job for the arguments of `deal`."""
    if isinstance(sampler, bool):
        sampler = "on" if sampler else "off"
    read = as_script(script, dialect, **variables)
    if tables:
        read = _with_tables(read, tables)
    job = Job(
        read,
        produce=produce,
        generate=generate,
        seed=seed,
        threads=check_count("threads", threads),
        sampler=sampler,
        predeal=None if predeal is None else list(predeal.items()),
        title=title,
        precision=precision,
        level=level if level is None or isinstance(level, str) else ",".join(f"{k}={v}" for k, v in level.items()),
        mix=None if mix is None else [(as_script(other, dialect), share) for other, share in mix],
        tournament=tournament or None,
    )
    return read, job


def make_result(
    job: Job,
    outcome: _croupier.Outcome,
    kept: Kept | None,
    values: Values | None,
    tables: Mapping[str, TableRequest] | None,
) -> Result:
    """Returns the result of a run, and warns if it produced too few deals."""
    scales = {label: tuple(axis._scale for axis in table._axes) for label, table in (tables or {}).items()}
    scales = {label: of_axes for label, of_axes in scales.items() if any(scale != 1 for scale in of_axes)}
    result = Result(job, outcome, kept, values, scales)
    if result.precise is False:
        message = f"the averages are not as precise as you asked for after {outcome.generated:,} deals"
        warn(message, IncompleteWarning)
    elif not result.complete:
        message = f"the run produced {len(result)} of {job.asked} deals: it ended after {outcome.generated:,} deals"
        if outcome.ended == "generated":
            message += "; give generate= for more"
        warn(message, IncompleteWarning)
    return result


def deal(
    script: ScriptLike,
    *,
    produce: int | None = None,
    generate: int | None = None,
    seed: int | str | None = None,
    threads: int = 0,
    sampler: str | bool = "auto",
    values: ValuesLike | None = None,
    tables: Mapping[str, TableRequest] | None = None,
    filter: Callable[[Batch], Mask] | None = None,
    predeal: PredealLike | None = None,
    progress: Progress = None,
    title: str | None = None,
    precision: str | None = None,
    level: str | Mapping[str, int] | None = None,
    mix: Sequence[tuple[ScriptLike, int]] | None = None,
    tournament: bool | str = False,
    dialect: str = "native",
    **variables: Any,
) -> Result:
    """Deals by a script, a file, or a condition written in Python.

    ``produce`` and ``generate`` limit the deals that are produced and generated. Without them the limits of the
    script are used. Without those, a run that shows deals produces 40, and ends after 10,000,000,000 generated deals
    even if they are too few (`Result.complete` is then False, with a warning); a run that only has tables generates
    10,000,000 deals. A ``seed`` gives the same result with any number of ``threads``.

    ``values`` are expressions that become columns. ``tables`` are computed for all produced deals, by name:

        >>> import croupier
        >>> from croupier import north, south
        >>> tables = {"p": south.hcp.mean(), "s": south.spades.value_counts()}
        >>> result = croupier.deal(north.hcp >= 20, tables=tables, produce=1000, seed=1)
        >>> round(result.tables["p"].mean)
        6

    ``filter`` receives one `Batch` of deals that satisfy the condition at a time and returns a bool for each deal;
    deals with False are rejected. ``precision`` ends the run when half the width of the 95 % intervals of its averages is
    small enough: ``"0.5%"`` for conditions, ``"0.05 tricks"``, ``"0.2 imps"`` or ``"5 points"`` for numbers.

    ``level`` deals classes of the script in these shares, ``level={"Game": 2, "Slam": 1}``; an empty text levels all
    classes. ``mix`` are other scripts with their shares; the share of the first one is 1. ``tournament`` deals boards
    from a new secret key, or from the given one: `Result.key` and `Result.commitment`. ``_0`` to ``_9`` are the texts
    of ``$0`` to ``$9``.
    """
    if precision is not None and filter is not None:
        raise ValueError("a precision needs all deals of the condition: write the filter as a condition, or leave it out")
    read, job = make_job(
        script,
        produce=produce,
        generate=generate,
        seed=seed,
        threads=threads,
        sampler=sampler,
        predeal=predeal,
        title=title,
        precision=precision,
        dialect=dialect,
        tables=tables,
        level=level,
        mix=mix,
        tournament=tournament,
        **variables,
    )
    columns = None if values is None else Values(values, read, job.names)
    generate_limit, produce_limit = job.limits
    report = progress_callback(progress, min(produce_limit, generate_limit))
    if filter is not None:
        outcome, taken = job.run_filtered(_batched(filter, columns), report)
        return make_result(job, outcome, taken, columns, tables)
    keep = produce_limit <= _MAX_KEPT or not job.collects
    outcome, kept = job.run(keep, report)
    return make_result(job, outcome, kept, columns, tables)


def _batched(filter: Callable[[Batch], Mask], columns: Values | None) -> Callable[[Kept], Mask]:
    """Returns the filter in the form that the run calls."""
    if columns is None:
        return lambda kept: filter(Batch(kept))
    return lambda kept: filter(Batch(columns.of(kept)))


def evaluate(deals: DealsLike | Deal | Board | str, values: ValuesLike, *, threads: int = 0,
             progress: Progress = None) -> Batch:
    """Evaluates expressions for given deals and returns them as named columns."""
    report = progress_callback(progress, count_of(deals))
    many = [deals] if isinstance(deals, (Deal, Board, str)) else deals
    return Batch(Values(values).columns(many, check_count("threads", threads), report))


@total_ordering
@dataclass(frozen=True, eq=False)
class Estimate:
    """An estimated probability: an exact upper bound times the share of tried deals that pass.

    It compares as the number that it estimates: ``croupier.probability(condition) > 0.1``.
    """

    #: Exact probability of the part of the condition that can be counted: an upper bound.
    bound: Fraction
    #: Number of tried deals that satisfy the rest of the condition.
    passed: int
    #: Number of deals tried. They satisfy the counted part.
    tried: int

    def __float__(self) -> float:
        return float(self.bound) * self.passed / self.tried

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Estimate):
            return (self.bound, self.passed, self.tried) == (other.bound, other.passed, other.tried)
        return float(self) == other if isinstance(other, (int, float, Fraction)) else NotImplemented

    def __lt__(self, other: Estimate | float | Fraction) -> bool:
        if not isinstance(other, (Estimate, int, float, Fraction)):
            return NotImplemented
        return float(self) < float(other)

    def __hash__(self) -> int:
        return hash(float(self))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Returns an interval that holds the probability with probability ``level``, also for rare events."""
        if not 0 < level < 1:
            raise ValueError(f"level must be between 0 and 1, not {level}")
        low, high = _croupier.share_interval(self.passed, self.tried, level)
        return low * float(self.bound), high * float(self.bound)

    def __str__(self) -> str:
        """Returns the estimate with its 95 % interval, ``0.123 (0.121 to 0.125)``."""
        return estimate_text(float(self), self.interval())

    def __repr__(self) -> str:
        return f"<croupier.Estimate {self}, {self.passed} of {self.tried} deals>"


#: Number of deals that are tried with one seed; each further part has the next seed, here and on a cluster.
TRIALS_PER_SEED = 100_000


def trial_parts(samples: int, seed: int) -> list[tuple[int, int]]:
    """Divides `samples` trials into parts, each with its number of trials and its seed."""
    check_count("samples", samples, 1)
    parts: list[tuple[int, int]] = []
    while samples > 0:
        parts.append((min(samples, TRIALS_PER_SEED), seed + len(parts)))
        samples -= TRIALS_PER_SEED
    return parts


def combine_counts(found: Iterable[tuple[int, int, tuple[int, int] | None]]) -> Fraction | Estimate:
    """Combines the results of the parts of a count."""
    passed = tried = 0
    bound = Fraction(0)
    for hits, out_of, trial in found:
        bound = Fraction(hits, out_of)
        if trial is None:
            return bound
        passed, tried = passed + trial[0], tried + trial[1]
    return Estimate(bound, passed, tried)


def predealt(predeal: PredealLike | None) -> list[tuple[Seat | str, Hand | str]] | None:
    """Returns predealt cards as a list."""
    return None if predeal is None else list(predeal.items())


def probability(
    script: ScriptLike,
    *,
    samples: int = TRIALS_PER_SEED,
    seed: int = 1,
    predeal: PredealLike | None = None,
    **variables: Any,
) -> Fraction | Estimate:
    """Returns the probability of a condition: an exact `Fraction` if it can be counted, else an `Estimate`.

    With ``predeal`` it is the probability among the deals in which the seats have these cards.
    """
    read = as_script(script, **variables)
    parts = trial_parts(samples, seed)
    return combine_counts(_croupier.count(read, *part, predealt(predeal)) for part in parts)


class Measure(NamedTuple):
    """An estimated number with the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return estimate_text(self.value, (self.low, self.high))


@dataclass(frozen=True)
class LeadResult:
    """The result of a lead. Each number comes with the ends of its 95 % interval: (value, low, high)."""

    #: Card, with the cards in sequence with it.
    cards: Hand
    #: Share of the layouts on which the contract goes down, 0 to 1.
    sets: Measure
    #: Tricks for the defence.
    tricks: Measure | None = None
    #: The defenders' score.
    score: Measure | None = None
    # : IMPs per board against the other leads, on average.
    imps: Measure | None = None
    #: Share of the matchpoints against the other leads, 0 to 1.
    matchpoints: Measure | None = None


def _text(estimate: Measure, digits: int | None = None) -> str:
    """Returns value and interval: ``8.35 (8.1 to 8.6)``. A single deal has no interval."""
    return estimate_text(estimate.value, (estimate.low, estimate.high), digits)


def _rounded(estimate: Measure, digits: int | None) -> list[float]:
    """Returns value and ends of the interval, with ``digits`` decimals or as many as the interval supports."""
    decimals = _croupier.interval_decimals(estimate.low, estimate.high) if digits is None else digits
    return [round(number, decimals) + 0.0 for number in estimate]


_Item = TypeVar("_Item")


class _Results(Sequence[_Item], Generic[_Item]):
    """Results of a study: a sequence, a data frame and tables."""

    _results: list[_Item]

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, index: int) -> _Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[_Item]: ...

    def __getitem__(self, index: int | slice) -> _Item | list[_Item]:
        return self._results[index]

    def _estimates(self) -> dict[str, list[Measure]]:
        raise NotImplementedError

    def _names(self) -> tuple[str, list[str], list[str]]:
        """Returns the title of the first column, its texts, and its texts in HTML."""
        raise NotImplementedError

    @overload
    def to_frame(self, kind: Literal["polars"], *, digits: int | None = None) -> polars.DataFrame: ...
    @overload
    def to_frame(self, kind: Literal["pandas"], *, digits: int | None = None) -> pandas.DataFrame: ...
    @overload
    def to_frame(self, kind: Literal["pyarrow"], *, digits: int | None = None) -> pyarrow.Table: ...
    @overload
    def to_frame(self, kind: FrameKind | None = None, *, digits: int | None = None) -> Frame: ...

    def to_frame(self, kind: FrameKind | None = None, *, digits: int | None = None) -> Frame:
        """Returns a data frame: each estimate ``x`` with the ends of its 95 % interval, ``x_low`` and ``x_high``.

        Numbers are rounded to ``digits`` decimals, by default to as many as the interval supports.
        """
        title, names, _ = self._names()
        columns: dict[str, list[str] | list[float]] = {title: names}
        for name, estimates in self._estimates().items():
            numbers = [_rounded(it, digits) for it in estimates]
            for place, end in enumerate(("", "_low", "_high")):
                columns[name + end] = [row[place] for row in numbers]
        return to_frame(_croupier.columns(columns), kind)

    def text(self, *, digits: int | None = None) -> str:
        """Returns a table of the results with their intervals."""
        title, names, _ = self._names()
        columns = [[title, *names]]
        columns += [[name, *(_text(it, digits) for it in column)] for name, column in self._estimates().items()]
        widths = [max(map(len, column)) for column in columns]
        rows = zip(*columns, strict=True)
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        title, _, names = self._names()
        estimates = self._estimates()
        head = "".join(f"<th>{name}</th>" for name in (title, *estimates))
        columns = [names, *([_text(it) for it in column] for column in estimates.values())]
        rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in zip(*columns, strict=True))
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><tr>{head}</tr>{body}</table>"


def _lead_result(row: _croupier.LeadRow) -> LeadResult:
    def measure(triple: tuple[float, float, float] | None) -> Measure | None:
        return None if triple is None else Measure(*triple)

    return LeadResult(
        cards=row["cards"],
        sets=Measure(*row["sets"]),
        tricks=measure(row.get("tricks")),
        score=measure(row.get("score")),
        imps=measure(row.get("imps")),
        matchpoints=measure(row.get("matchpoints")),
    )


class Leads(_Results[LeadResult]):
    """The leads of a hand, best first."""

    def __init__(
        self, contract: Contract, layouts: int, rows: Sequence[_croupier.LeadRow], screened: int | None = None
    ) -> None:
        """Creates the results of `croupier.lead`: ``layouts`` were solved, ``screened`` were screened by short
        searches.
        """
        self.contract = contract
        self.layouts = layouts
        self.screened = layouts if screened is None else screened
        self._results = [_lead_result(row) for row in rows]

    @property
    def best(self) -> Hand:
        """The best lead, with the cards in sequence with it."""
        return self._results[0].cards

    def _names(self) -> tuple[str, list[str], list[str]]:
        cards = [it.cards for it in self._results]
        return "lead", [_lead_name(it) for it in cards], [it._repr_html_() for it in cards]

    def _estimates(self) -> dict[str, list[Measure]]:
        columns: dict[str, list[Measure]] = {}
        for name in ("tricks", "sets", "score", "imps", "matchpoints"):
            column = [getattr(it, name) for it in self._results]
            if column[0] is not None:
                columns[name] = column
        return columns

    def __repr__(self) -> str:
        best = self._results[0]
        name, worth = ("IMPs", best.imps) if best.imps is not None else ("sets", best.sets)
        text = f"best {_lead_name(best.cards)}, {name} {_text(worth)}"
        return f"<croupier.Leads against {self.contract}, {self.layouts} layouts, {text}>"


def _lead_name(cards: Hand) -> str:
    suit = next(iter(cards)).suit
    return f"{suit.value}{cards[suit]}"


def _layouts(
    condition: ScriptLike,
    *,
    produce: int,
    generate: int | None,
    seed: int | str,
    threads: int,
    predeal: PredealLike | None,
    **variables: Any,
) -> Result:
    """Deals the layouts of a study. No layout is an error; fewer than asked for are a warning."""
    _, job = make_job(
        condition, produce=produce, generate=generate, seed=seed, threads=threads, predeal=predeal, **variables
    )
    outcome, kept = job.run(True)
    if not outcome.produced:
        raise _croupier.DealError(f"none of {outcome.generated:,} deals satisfies the condition")
    return make_result(job, outcome, kept, None, None)


def lead(
    hand: Hand | str,
    contract: Contract | str,
    condition: ScriptLike = "condition 1",
    *,
    deals: int | None = None,
    precision: str | None = None,
    control: int | None = None,
    generate: int | None = None,
    vulnerable: Vulnerability | str = Vulnerability.NONE,
    seed: int | str = 1,
    predeal: PredealLike | None = None,
    sets_only: bool = False,
    threads: int = 0,
    progress: Progress = None,
    **variables: Any,
) -> Leads:
    """Finds the best opening lead: deals layouts that satisfy the condition and solves each for every lead.

    ``hand`` is that of the player to the left of declarer (South where the contract names none). At most ``deals``
    layouts are solved (1000 by default). With a ``precision`` such as ``"0.5%"``, ``"0.05 tricks"``, ``"0.2 imps"`` or
    ``"5 points"`` the study stops when the 95 % interval of every lead is that narrow on either side; ``deals`` then
    has no default. ``control`` is the number of layouts in all, of which only some are solved: the others make the
    intervals narrower (100,000 by default with a precision, otherwise none). ``sets_only`` finds only how often each
    lead beats the contract, which is several times faster. ``predeal`` are cards of the other seats.
    """
    contract = contract if isinstance(contract, Contract) else Contract(contract)
    leader = (contract.declarer or Seat.SOUTH).next
    if any(Seat(seat) is leader for seat in predeal or {}):
        raise ValueError(f"predeal has cards of {leader.name.lower()}, whose hand is given")
    whole = _croupier.whole_hand(hand)
    if sets_only and (precision is not None or control is not None):
        raise ValueError("sets_only solves all layouts: leave precision and control out")
    found = _layouts(
        condition,
        produce=_croupier.study_deals(deals, precision, control),
        generate=generate,
        seed=seed,
        threads=threads,
        predeal={**{Seat(seat): cards for seat, cards in (predeal or {}).items()}, leader: whole},
        **variables,
    )
    report = progress_callback(progress, len(found))
    rows, solved, screened = _croupier.study_leads(
        found.deals, contract, vulnerable, sets_only, deals, precision, control, threads, report
    )
    return Leads(contract, solved, rows, screened)


@dataclass(frozen=True)
class ContractResult:
    """The result of a contract. Each number comes with the ends of its 95 % interval: (value, low, high)."""

    contract: Contract
    #: Tricks for its declarer.
    tricks: Measure
    #: Share of the deals on which it makes, 0 to 1.
    made: Measure
    #: The score for the side of the first contract.
    score: Measure
    # : IMPs per board against each contract.
    imps: list[Measure]
    #: Share of the matchpoints against each contract, 0 to 1.
    matchpoints: list[Measure]


class Contracts(_Results[ContractResult]):
    """Several contracts on the same deals, in the order in which they were given."""

    def __init__(self, deals: int, rows: Sequence[_croupier.ContractRow], screened: int | None = None) -> None:
        """Creates the results of `croupier.compare`: ``deals`` were solved, ``screened`` were screened by short
        searches.
        """
        self.deals = deals
        self.screened = deals if screened is None else screened
        self._results = [
            ContractResult(
                contract=row["contract"],
                tricks=Measure(*row["tricks"]),
                made=Measure(*row["made"]),
                score=Measure(*row["score"]),
                imps=[Measure(*it) for it in row["imps"]],
                matchpoints=[Measure(*it) for it in row["matchpoints"]],
            )
            for row in rows
        ]

    @property
    def best(self) -> Contract:
        """The contract with the best average score."""
        return max(self._results, key=lambda it: it.score[0]).contract

    def _names(self) -> tuple[str, list[str], list[str]]:
        contracts = [it.contract for it in self._results]
        return "contract", [str(it) for it in contracts], [it._repr_html_() for it in contracts]

    def _estimates(self) -> dict[str, list[Measure]]:
        columns: dict[str, list[Measure]] = {
            name: [getattr(it, name) for it in self._results] for name in ("tricks", "made", "score")
        }
        for place, other in enumerate(self._results):
            columns[f"imps against {other.contract}"] = [it.imps[place] for it in self._results]
        return columns

    def __repr__(self) -> str:
        best = max(self._results, key=lambda it: it.score[0])
        return f"<croupier.Contracts on {self.deals} deals, best {best.contract}, score {_text(best.score)}>"


def compare(
    contracts: Sequence[Contract | str],
    condition: ScriptLike | None = None,
    *,
    given: DealsLike | None = None,
    deals: int | None = None,
    precision: str | None = None,
    control: int | None = None,
    generate: int | None = None,
    vulnerable: Vulnerability | str = Vulnerability.NONE,
    seed: int | str = 1,
    predeal: PredealLike | None = None,
    threads: int = 0,
    progress: Progress = None,
    **variables: Any,
) -> Contracts:
    """Compares contracts on the same deals: those of a condition, or ``given`` ones.

    ``deals``, ``precision`` and ``control`` are those of `lead`. ``given`` deals are solved in their order, all of them
    unless a precision is reached.
    """
    if len(contracts) < 2 or isinstance(contracts, str):
        raise ValueError("give at least two contracts: compare(['3N', '4S'], ...)")
    if (condition is None) == (given is None):
        raise ValueError("give a condition or given= deals, one of them")
    dealt = condition is not None
    if condition is not None:
        given = _layouts(
            condition,
            produce=_croupier.study_deals(deals, precision, control),
            generate=generate,
            seed=seed,
            threads=threads,
            predeal=predeal,
            **variables,
        ).deals
    assert given is not None
    many = given if isinstance(given, Deals) else Deals(given)
    if not len(many):
        raise _croupier.DealError("there are no given deals")
    report = progress_callback(progress, len(many))
    rows, solved, screened = _croupier.study_contracts(
        many, list(contracts), vulnerable, dealt, deals, precision, control, threads, report
    )
    return Contracts(solved, rows, screened)


def profile(
    profile: str | os.PathLike[str] | Mapping[str, object],
    boards: int = 40,
    *,
    first_board: int = 1,
    seed: int | None = None,
    strategy: str = "exact",
    max_attempts: int | None = None,
    rotate: bool | None = None,
    progress: Progress = None,
) -> list[Board]:
    """Deals boards from a description of the seats: a file in JSON or TOML, its text, or a dictionary."""
    if isinstance(profile, Mapping):
        text = json.dumps(profile)
    elif isinstance(profile, str):
        text = profile
    else:
        with open(profile, encoding="utf-8") as file:
            text = file.read()
    report = progress_callback(progress, boards)
    return _croupier.deal_profile(text, boards, first_board, seed, strategy, max_attempts, rotate, report)
