"""Dealing by scripts, conditions and profiles."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Union

from . import _croupier
from ._croupier import Board, Deal, Deals, Hand, Job, Kept, Script, ScriptError
from .conditions import Expression, TableRequest
from .result import Batch, Result
from .values import Seat, Vulnerability

if TYPE_CHECKING:
    import numpy
    import numpy.typing
    import polars
    import pyarrow

__all__ = [
    "IncompleteWarning", "ScriptWarning", "TournamentKey", "Values", "deal", "evaluate", "profile", "profile_script",
]

#: A script, its text, a file, or a condition written in Python.
ScriptLike = Union[Script, str, "os.PathLike[str]", Expression]
#: A bidding system: ``2/1``, ``dutch``, the path of a file of rules, or ``robot:`` and the command of a program.
System = Union[str, "os.PathLike[str]"]
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
    """A run ended before it had produced the requested number of deals."""


@dataclass(frozen=True)
class TournamentKey:
    """The secret key of a tournament with its terms. `croupier.tournament_key` makes one."""

    #: Text of the key file: the key, the terms and the commitment. Secret until the boards have been played.
    text: str
    #: The key alone.
    key: str
    #: The commitment, to be published before play.
    commitment: str
    #: Words for the public value on which the deals depend; None if they depend on the key alone.
    beacon: str | None

    @staticmethod
    def load(path: str | os.PathLike[str]) -> TournamentKey:
        """Reads a key file that `save` or ``dealer --tournament --key-file`` wrote."""
        with open(path, encoding="utf-8") as file:
            return TournamentKey(*_croupier.read_key_file(file.read()))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the key file, which only you can read. A file that exists is not replaced: its key may be committed to."""
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(self.text)

    def __repr__(self) -> str:
        """Returns a text without the key."""
        return f"<croupier.TournamentKey with commitment {self.commitment}>"


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
    read = read_script(script, dialect, **variables)
    for text in read.warnings:
        if not any(f"[{code}]" in text for code in _ABOUT_OTHER_PROGRAMS):
            warn(text, ScriptWarning)
    return read


def read_script(script: ScriptLike, dialect: str = "native", **variables: Any) -> Script:
    """Converts a text, a path or a condition to a script."""
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
    tournament: bool | str | TournamentKey = False,
    beacon_value: str | None = None,
    bidding_system: System | tuple[System, System] | None = None,
    deals: DealsLike | None = None,
    exchange: int = 0,
    even: bool = False,
    level_budget: int | None = None,
    interleave: bool = False,
    rnd_seed: int | None = None,
    opener: Seat | str | None = None,
    par_vulnerability: Vulnerability | str | None = None,
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
        tournament=tournament.text if isinstance(tournament, TournamentKey) else tournament or None,
        beacon_value=beacon_value,
        systems=bidding_system if bidding_system is None or isinstance(bidding_system, tuple) else (bidding_system, bidding_system),
        deals=deals,
        exchange=exchange,
        even=even,
        level_budget=level_budget,
        interleave=interleave,
        rnd_seed=rnd_seed,
        opener=opener,
        par_vulnerability=par_vulnerability,
    )
    return read, job


def make_result(
    job: Job,
    outcome: _croupier.Outcome,
    kept: Kept | None,
    values: Values | None,
    tables: Mapping[str, TableRequest] | None,
    tournament: TournamentKey | None = None,
) -> Result:
    """Returns the result of a run, and warns if it produced too few deals."""
    scales = {label: tuple(axis._scale for axis in table._axes) for label, table in (tables or {}).items()}
    scales = {label: of_axes for label, of_axes in scales.items() if any(scale != 1 for scale in of_axes)}
    result = Result(job, outcome, kept, values, scales, tournament)
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
    tournament: bool | str | TournamentKey = False,
    beacon_value: str | None = None,
    bidding_system: System | tuple[System, System] | None = None,
    deals: DealsLike | None = None,
    exchange: int = 0,
    even: bool = False,
    level_budget: int | None = None,
    interleave: bool = False,
    rnd_seed: int | None = None,
    opener: Seat | str | None = None,
    par_vulnerability: Vulnerability | str | None = None,
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
    from a new secret key, or from the given one: `Result.key` and `Result.commitment`. If the key names a public value
    (`croupier.tournament_key`), ``beacon_value`` is that value. ``even`` spreads the classes or the mixed scripts evenly
    instead of shuffling them, ``interleave`` the classes of a script without ``level``. ``level_budget`` limits the deals
    that may be generated for each deal of a levelled run.

    ``deals`` are selected and counted instead of random ones; without limits all of them. ``exchange`` derives further
    deals from each: 2 exchanges East and West, 3 all but North. ``rnd_seed`` is the seed of ``rnd``. ``opener`` opened
    the bidding, for ``opc``, and ``par_vulnerability`` is the vulnerability of ``par`` without an argument.
    ``bidding_system`` is the system by which robots bid the deals for ``bids("1N-P-2C")`` and similar functions, as in
    `bid`, or a pair of them. ``_0`` to ``_9`` are the texts of ``$0`` to ``$9``.
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
        beacon_value=beacon_value,
        bidding_system=bidding_system,
        deals=deals,
        exchange=exchange,
        even=even,
        level_budget=level_budget,
        interleave=interleave,
        rnd_seed=rnd_seed,
        opener=opener,
        par_vulnerability=par_vulnerability,
        **variables,
    )
    key = tournament_of(job, tournament)
    columns = None if values is None else Values(values, read, job.names)
    generate_limit, produce_limit = job.limits
    report = progress_callback(progress, min(produce_limit, generate_limit))
    if filter is not None:
        outcome, taken = job.run_filtered(_batched(filter, columns), report)
        return make_result(job, outcome, taken, columns, tables, key)
    keep = produce_limit <= _MAX_KEPT or not job.collects
    outcome, kept = job.run(keep, report)
    return make_result(job, outcome, kept, columns, tables, key)


def tournament_of(job: Job, tournament: bool | str | TournamentKey) -> TournamentKey | None:
    """Returns the key of a tournament whose terms are those of the job; None for other runs."""
    if not tournament:
        return None
    if tournament is True:
        tournament = job.key or ""
    text = tournament.text if isinstance(tournament, TournamentKey) else tournament
    return TournamentKey(*_croupier.tournament_key_file(job, text, None))


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
    text = _profile_text(profile)
    report = progress_callback(progress, boards)
    return _croupier.deal_profile(text, boards, first_board, seed, strategy, max_attempts, rotate, report)


def _profile_text(profile: str | os.PathLike[str] | Mapping[str, object]) -> str:
    if isinstance(profile, Mapping):
        return json.dumps(profile)
    if isinstance(profile, str):
        return profile
    with open(profile, encoding="utf-8") as file:
        return file.read()


def profile_script(profile: str | os.PathLike[str] | Mapping[str, object]) -> Script:
    """Returns the script that deals by a description of the seats: a file in JSON or TOML, its text, or a dictionary."""
    return Script(_croupier.profile_script(_profile_text(profile)), name="profile")
