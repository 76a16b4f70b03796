"""Dealing by scripts and conditions, probabilities, and studies of leads and contracts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isnan
from typing import Any, Union

from . import _croupier
from ._croupier import Board, Contract, Hand, Job, Kept, Script
from .conditions import Expression
from .frames import FrameKind, to_frame
from .result import Batch, Result
from .values import Seat, Vulnerability

__all__ = [
    "ContractResult",
    "Contracts",
    "Estimate",
    "LeadResult",
    "Leads",
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
#: A function that is called with the amount done and the total, or a progress bar such as tqdm's.
Progress = Any

#: Maximum number of deals that a run keeps. Larger runs deal again when their deals are used.
_MAX_KEPT = 200_000


def as_script(script: ScriptLike, dialect: str = "native", **variables: Any) -> Script:
    """Converts a text, a path or a condition to a script."""
    if isinstance(script, Script):
        if variables:
            raise TypeError("script variables are given where the script is read: Script(text, _1=...)")
        return script
    if isinstance(script, Expression):
        return Script(f"condition {script}", dialect=dialect, **variables)
    if isinstance(script, str):
        return Script(script, dialect=dialect, **variables)
    if isinstance(script, os.PathLike):
        return Script.from_file(os.fspath(script), dialect=dialect, **variables)
    raise TypeError(f"expected a script, a text, a path or a condition, not {type(script).__name__}")


def progress_callback(progress: Progress, total: int) -> Callable[[int], object] | None:
    """Returns the function that a run calls with the amount done."""
    if progress is None:
        return None
    if hasattr(progress, "update"):
        if getattr(progress, "total", total) is None:
            progress.total = total
        reported = 0

        def update(done: int) -> None:
            nonlocal reported
            progress.update(done - reported)
            reported = done

        return update
    if not callable(progress):
        raise TypeError("progress is a function of done and total, or a progress bar with an update method")
    return lambda done: progress(done, total)


class Values:
    """Named expressions that are evaluated for deals, all at once."""

    def __init__(self, values: ValuesLike, script: Script | None = None) -> None:
        """Compiles the expressions, which may use names defined by the script."""
        named = dict(values) if isinstance(values, Mapping) else {str(value): value for value in values}
        if not named:
            raise ValueError("no values: name at least one expression")
        self.names = list(named)
        terms = ", ".join(f"{value}" if isinstance(value, str) else str(value) for value in named.values())
        self._script = (script or Script("condition 1")).extended(f"\ncondition 1\naction printrpt({terms})\n")

    def of(self, kept: Kept) -> Kept:
        """Adds these values to the deals."""
        return kept.joined(_croupier.evaluate(kept.deals, self._script, self.names))

    def columns(self, deals: Any, threads: int = 0, progress: Callable[[int], object] | None = None) -> Kept:
        """Returns the values of any deals."""
        return _croupier.evaluate(deals, self._script, self.names, threads, progress)


def make_job(
    script: ScriptLike,
    *,
    produce: int | None = None,
    generate: int | None = None,
    seed: int | str | None = None,
    threads: int = 0,
    sampler: str | bool = "auto",
    predeal: Mapping[Seat | str, Hand | str] | None = None,
    title: str | None = None,
    dialect: str = "native",
    **variables: Any,
) -> tuple[Script, Job]:
    """Returns the script and the job for the arguments of `deal`."""
    if isinstance(sampler, bool):
        sampler = "on" if sampler else "off"
    read = as_script(script, dialect, **variables)
    job = Job(
        read,
        produce=produce,
        generate=generate,
        seed=seed,
        threads=threads,
        sampler=sampler,
        predeal=None if predeal is None else list(predeal.items()),
        title=title,
    )
    return read, job


def deal(
    script: ScriptLike,
    *,
    produce: int | None = None,
    generate: int | None = None,
    seed: int | str | None = None,
    threads: int = 0,
    sampler: str | bool = "auto",
    values: ValuesLike | None = None,
    filter: Callable[[Batch], Any] | None = None,
    predeal: Mapping[Seat | str, Hand | str] | None = None,
    progress: Progress = None,
    title: str | None = None,
    dialect: str = "native",
    **variables: Any,
) -> Result:
    """Deals by a script, a file, or a condition written in Python.

    ``produce`` and ``generate`` limit the deals that are produced and generated. Without them the limits of the
    script are used, or else 40 deals (no limit if the script has only tables) of 10,000,000. A ``seed`` gives the same
    result with any number of ``threads``. ``values`` are expressions that become columns. ``filter`` receives one
    `Batch` of deals that satisfy the condition at a time and returns a bool for each deal; deals with False are
    rejected. ``_0`` to ``_9`` are the texts of ``$0`` to ``$9``.
    """
    read, job = make_job(
        script,
        produce=produce,
        generate=generate,
        seed=seed,
        threads=threads,
        sampler=sampler,
        predeal=predeal,
        title=title,
        dialect=dialect,
        **variables,
    )
    columns = None if values is None else Values(values, read)
    generate_limit, produce_limit = job.limits
    report = progress_callback(progress, min(produce_limit, generate_limit))
    if filter is not None:
        outcome, taken = job.run_filtered(_batched(filter, columns), report)
        return Result(job, outcome, taken, columns)
    keep = produce_limit <= _MAX_KEPT or not job.collects
    outcome, kept = job.run(keep, report)
    return Result(job, outcome, kept, columns)


def _batched(filter: Callable[[Batch], Any], columns: Values | None) -> Callable[[Kept], Any]:
    """Returns the filter in the form that the run calls."""
    if columns is None:
        return lambda kept: filter(Batch(kept))
    return lambda kept: filter(Batch(columns.of(kept)))


def evaluate(deals: Any, values: ValuesLike, *, threads: int = 0, progress: Progress = None) -> Batch:
    """Evaluates expressions for given deals and returns them as named columns."""
    total = len(deals) if hasattr(deals, "__len__") else 1
    return Batch(Values(values).columns(deals, threads, progress_callback(progress, total)))


@dataclass(frozen=True)
class Estimate:
    """An estimated probability: an exact upper bound times the share of tried deals that pass."""

    #: Exact probability of the part of the condition that can be counted: an upper bound.
    bound: Fraction
    #: Number of tried deals that satisfy the rest of the condition.
    passed: int
    #: Number of deals tried. They satisfy the counted part.
    tried: int

    def __float__(self) -> float:
        return float(self.bound) * self.passed / self.tried

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Returns an interval that holds the probability with probability ``level``, also for rare events."""
        if not 0 < level < 1:
            raise ValueError(f"a level is between 0 and 1, not {level}")
        low, high = _croupier.share_interval(self.passed, self.tried, level)
        return low * float(self.bound), high * float(self.bound)


#: Number of deals that are tried with one seed; each further part has the next seed, here and on a cluster.
TRIALS_PER_SEED = 100_000


def trial_parts(samples: int, seed: int) -> list[tuple[int, int]]:
    """Divides `samples` trials into parts, each with its number of trials and its seed."""
    if samples < 1:
        raise ValueError("at least one deal must be tried")
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


def probability(
    script: ScriptLike, *, samples: int = TRIALS_PER_SEED, seed: int = 1, **variables: Any
) -> Fraction | Estimate:
    """Returns the probability of a condition: an exact `Fraction` if it can be counted, else an `Estimate`."""
    read = as_script(script, **variables)
    parts = trial_parts(samples, seed)
    return combine_counts(_croupier.count(read, *part) for part in parts)


Triple = tuple[float, float, float]


@dataclass(frozen=True)
class LeadResult:
    """The result of a lead. Each number comes with the ends of its 95 % interval: (value, low, high)."""

    #: Card, with the cards in sequence with it.
    cards: Hand
    #: Share of the layouts on which the contract goes down, 0 to 1.
    sets: Triple
    #: Tricks for the defence.
    tricks: Triple | None = None
    #: The defenders' score.
    score: Triple | None = None
    #: IMPs a board against the other leads, on average.
    imps: Triple | None = None
    #: Share of the matchpoints against the other leads, 0 to 1.
    matchpoints: Triple | None = None


def _decimals(estimate: Triple, digits: int | None) -> int:
    """The decimals of an estimate: ``digits``, or as many as its interval supports."""
    return _croupier.interval_decimals(estimate[1], estimate[2]) if digits is None else digits


def _text(estimate: Triple, digits: int | None = None) -> str:
    """Value and interval: ``8.35 (8.1 to 8.6)``. A single deal has no interval."""
    decimals = _decimals(estimate, digits)
    # Zero is added to remove the sign of a number that rounds to zero.
    value, low, high = (f"{round(it, decimals) + 0.0:.{decimals}f}" for it in estimate)
    return value if isnan(estimate[1]) else f"{value} ({low} to {high})"


class _Results:
    """Columns of estimates as data frame and as tables."""

    def _estimates(self) -> dict[str, list[Triple]]:
        raise NotImplementedError

    def _names(self) -> tuple[str, list[str], list[str]]:
        """Title of the first column, its texts, and its texts in HTML."""
        raise NotImplementedError

    def to_frame(self, kind: FrameKind | None = None, *, digits: int | None = None) -> Any:
        """A data frame: each estimate ``x`` with the ends of its 95 % interval, ``x_low`` and ``x_high``.

        Numbers are rounded to ``digits`` decimals, by default to as many as the interval supports.
        """
        title, names, _ = self._names()
        columns: dict[str, list[Any]] = {title: names}
        for name, estimates in self._estimates().items():
            for place, end in enumerate(("", "_low", "_high")):
                columns[name + end] = [round(it[place], _decimals(it, digits)) + 0.0 for it in estimates]
        return to_frame(_croupier.columns(columns), kind)

    def text(self, *, digits: int | None = None) -> str:
        """A table of the results with their intervals."""
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


class Leads(_Results, Sequence[LeadResult]):
    """The leads of a hand, best first."""

    def __init__(
        self, contract: Contract, layouts: int, rows: Sequence[dict[str, Any]], screened: int | None = None
    ) -> None:
        """Results of `croupier.lead`: ``layouts`` were solved, ``screened`` were screened by short searches."""
        self.contract = contract
        self.layouts = layouts
        self.screened = layouts if screened is None else screened
        self._results = [LeadResult(**row) for row in rows]

    def __len__(self) -> int:
        return len(self._results)

    def __getitem__(self, index: Any) -> Any:
        return self._results[index]

    @property
    def best(self) -> Hand:
        """The best lead, with the cards in sequence with it."""
        return self._results[0].cards

    def _names(self) -> tuple[str, list[str], list[str]]:
        cards = [it.cards for it in self._results]
        return "lead", [_lead_name(it) for it in cards], [it._repr_html_() for it in cards]

    def _estimates(self) -> dict[str, list[Triple]]:
        columns: dict[str, list[Triple]] = {}
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


def lead(
    hand: Hand | str,
    contract: Contract | str,
    condition: ScriptLike = "condition 1",
    *,
    deals: int | None = None,
    precision: str | None = None,
    control: int | None = None,
    generate: int = 10_000_000_000,
    vulnerable: Vulnerability | str = Vulnerability.NONE,
    seed: int | str = 1,
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
    lead beats the contract, which is several times faster.
    """
    contract = contract if isinstance(contract, Contract) else Contract(contract)
    leader = (contract.declarer or Seat.SOUTH).next
    whole = _croupier.whole_hand(hand)
    if sets_only and (precision is not None or control is not None):
        raise ValueError("sets_only solves all layouts: leave precision and control out")
    found = deal(
        condition,
        produce=_croupier.study_deals(deals, precision, control),
        generate=generate,
        seed=seed,
        threads=threads,
        predeal={leader: whole},
        **variables,
    )
    if not len(found):
        raise _croupier.DealError(f"none of {found.statistics.generated} deals satisfies the condition")
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
    tricks: Triple
    #: Share of the deals on which it makes, 0 to 1.
    made: Triple
    #: The score for the side of the first contract.
    score: Triple
    #: IMPs a board against each contract.
    imps: list[Triple]
    #: Share of the matchpoints against each contract, 0 to 1.
    matchpoints: list[Triple]


class Contracts(_Results, Sequence[ContractResult]):
    """Several contracts on the same deals, in the order in which they were given."""

    def __init__(self, deals: int, rows: Sequence[dict[str, Any]], screened: int | None = None) -> None:
        """Results of `croupier.compare`: ``deals`` were solved, ``screened`` were screened by short searches."""
        self.deals = deals
        self.screened = deals if screened is None else screened
        self._results = [ContractResult(**row) for row in rows]

    def __len__(self) -> int:
        return len(self._results)

    def __getitem__(self, index: Any) -> Any:
        return self._results[index]

    @property
    def best(self) -> Contract:
        """The contract with the best average score."""
        return max(self._results, key=lambda it: it.score[0]).contract

    def _names(self) -> tuple[str, list[str], list[str]]:
        contracts = [it.contract for it in self._results]
        return "contract", [str(it) for it in contracts], [it._repr_html_() for it in contracts]

    def _estimates(self) -> dict[str, list[Triple]]:
        columns: dict[str, list[Triple]] = {
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
    given: Any = None,
    deals: int | None = None,
    precision: str | None = None,
    control: int | None = None,
    generate: int = 10_000_000_000,
    vulnerable: Vulnerability | str = Vulnerability.NONE,
    seed: int | str = 1,
    predeal: Mapping[Seat | str, Hand | str] | None = None,
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
    if condition is not None:
        given = deal(
            condition,
            produce=_croupier.study_deals(deals, precision, control),
            generate=generate,
            seed=seed,
            threads=threads,
            predeal=predeal,
            **variables,
        ).deals
    given = given if isinstance(given, _croupier.Deals) else _croupier.Deals(given)
    if not len(given):
        raise _croupier.DealError("no deal satisfies the condition")
    report = progress_callback(progress, len(given))
    dealt = condition is not None
    rows, solved, screened = _croupier.study_contracts(
        given, list(contracts), vulnerable, dealt, deals, precision, control, threads, report
    )
    return Contracts(solved, rows, screened)


def profile(
    profile: str | os.PathLike[str] | Mapping[str, Any],
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
