"""Runs on a cluster: Dask distributed, Ray, or any executor of `concurrent.futures`.

A run is divided by the numbers of its deals. The parts are tasks of your scheduler, and their results are merged
exactly: the result equals that of one machine, for any number of workers, also if some of them fail.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> import croupier
    >>> with ThreadPoolExecutor(2) as pool:
    ...     there = croupier.cluster.deal("produce 5 condition hcp(north) > 20", client=pool, seed=1)
    >>> here = croupier.deal("produce 5 condition hcp(north) > 20", seed=1)
    >>> there.to_json() == here.to_json() and there.deals == here.deals
    True
"""

from __future__ import annotations

import math
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from . import _croupier
from ._croupier import Board, Deal, Deals, Hand, Job, Kept, Partial, Script, Solutions
from .chances import TRIALS_PER_SEED, Estimate, combine_counts, predealt, trial_parts
from .conditions import TableRequest
from .dealing import (
    _MAX_KEPT,
    PredealLike,
    Progress,
    ScriptLike,
    TournamentKey,
    Values,
    ValuesLike,
    as_script,
    check_count,
    make_job,
    make_result,
    progress_callback,
    tournament_of,
)
from .result import Batch, Result
from .schedulers import ClusterError, Task, cancellation_poll, run_tasks, scheduler_of
from .values import Seat, Side, Strain

if TYPE_CHECKING:
    from .dealing import DealsLike, Mask

__all__ = ["ClusterError", "deal", "probability", "solve"]

#: Seconds that the calling process deals before it uses the cluster. Short runs end within that time.
_FIRST_SECONDS = 0.1
#: Seconds that a task takes at most (a block of 1024 deals is never divided). After a cancellation no task runs longer.
_TASK_SECONDS = 1.0
#: Number of deals that a task returns at most, which limits the size of a message to about 10 megabytes.
_TASK_DEALS = 1 << 18
#: Number of deals in a block. Parts begin at blocks.
_BLOCK = 1024


def _part(job: str, first: int, last: int, keep: bool, run: str) -> tuple[str, Kept | None]:
    """Runs one part of a run on a worker. It may end before ``last``."""
    partial, kept = Job.from_json(job, 1).timed_part(first, last, keep, _TASK_SECONDS, _TASK_DEALS, cancellation_poll(run))
    return partial.to_json(), kept


def _filtered_part(
    job: str, first: int, last: int, filter: Callable[[Batch], Mask], values: Values | None, run: str
) -> tuple[int, Kept]:
    """Runs one part of a run with a filter on a worker, and returns where it ended and the accepted deals."""
    return _filtered(Job.from_json(job, 1), first, last, filter, values, _TASK_SECONDS, cancellation_poll(run))


def _filtered(
    job: Job,
    first: int,
    last: int,
    filter: Callable[[Batch], Mask],
    values: Values | None,
    seconds: float,
    poll: Callable[[], None] | None = None,
) -> tuple[int, Kept]:
    partial, kept = job.timed_part(first, last, True, seconds, _TASK_DEALS, poll, True)
    assert kept is not None
    if partial.fails:
        partial.outcome(1)  # Raises the error of the expression.
    batch = Batch(kept if values is None else values.of(kept))
    return partial.ranges[-1][1], kept.accepted(filter(batch))


class _Parts:
    """The parts of a run: their ranges, and the results of those that are complete."""

    def __init__(self, generate: int, produce: int) -> None:
        self._generate, self._produce = generate, produce
        self._next = 0
        self._again: deque[tuple[int, int]] = deque()
        self._early: dict[int, tuple[int, int]] = {}
        self._end = 0
        self.size = _BLOCK
        self.produced = 0
        self.failed = False

    def following(self) -> tuple[int, int] | None:
        """Returns the next numbers of deals to do: rests of parts first."""
        if self._again:
            return self._again.popleft()
        if self._next >= self._generate:
            return None
        first, self._next = self._next, min(self._next + self.size, self._generate)
        return first, self._next

    def done(self, first: int, reached: int, last: int, produced: int) -> None:
        """Records that a part is done up to ``reached``; the rest is done later."""
        if reached < last:
            self._again.append((reached, last))
        self._early[first] = (reached, produced)
        while self._end in self._early:
            self._end, more = self._early.pop(self._end)
            self.produced += more

    def start_after(self, reached: int) -> None:
        """Continues after the first part, which this process did."""
        self._next = reached
        self._again.clear()

    @property
    def generated(self) -> int:
        """Returns the number before which all deals are done."""
        return self._end

    @property
    def is_enough(self) -> bool:
        return self.failed or self.produced >= self._produce or self._end >= self._generate

    def choose_size(self, seconds: float, workers: int) -> None:
        """Chooses the size of parts by the speed of the first one: as long as a task may take, and not larger than
        needed.
        """
        pace = self._end / max(seconds, 1e-3)
        size = pace * _TASK_SECONDS
        if self.produced:
            rate = self.produced / self._end
            size = min(size, _TASK_DEALS / rate)
            if self._produce < self._generate:
                size = min(size, (self._produce - self.produced) / rate / workers)
        self.size = max(_BLOCK, math.ceil(size / _BLOCK) * _BLOCK)


def deal(
    script: ScriptLike,
    *,
    client: Any,
    produce: int | None = None,
    generate: int | None = None,
    seed: int | str | None = None,
    sampler: str | bool = "auto",
    values: ValuesLike | None = None,
    tables: Mapping[str, TableRequest] | None = None,
    filter: Callable[[Batch], Mask] | None = None,
    predeal: PredealLike | None = None,
    part: int | None = None,
    progress: Progress = None,
    title: str | None = None,
    tournament: bool | str | TournamentKey = False,
    beacon_value: str | None = None,
    **variables: Any,
) -> Result:
    """Runs `croupier.deal` on a cluster, with an identical result.

    ``client`` is a `distributed.Client`, the module ``ray`` or an executor. The calling process deals for a tenth of a
    second; if that is not enough, it divides the rest into parts that take a worker about a second each, or of ``part``
    deals. ``produce`` is exact: parts after the last deal are cancelled, and the part that contains it is cut there.
    Ctrl-C cancels all parts. ``filter`` runs on the workers, so your scheduler must be able to send it to them.
    """
    scheduler = scheduler_of(client)
    read, job = make_job(
        script,
        produce=produce,
        generate=generate,
        seed=seed,
        sampler=sampler,
        predeal=predeal,
        title=title,
        tables=tables,
        tournament=tournament,
        beacon_value=beacon_value,
        **variables,
    )
    key = tournament_of(job, tournament)
    columns = None if values is None else Values(values, read, job.names)
    generate_limit, produce_limit = job.limits
    job.shards(1)  # Raises an error here, not on a worker, if the run cannot be divided.
    keep = filter is not None or produce_limit <= _MAX_KEPT or not job.collects
    report = progress_callback(progress, min(produce_limit, generate_limit))
    run, text = uuid.uuid4().hex, job.to_json()
    parts = _Parts(generate_limit, produce_limit)
    partials: list[Partial] = []
    kept: dict[int, Kept] = {}
    sent: list[tuple[int, int]] = []

    def note(first: int, last: int, found: tuple[Partial, Kept | None] | tuple[int, Kept]) -> None:
        done, deals = found
        if isinstance(done, Partial):
            partials.append(done)
            parts.failed = parts.failed or (done.fails and done.ranges[0][0] <= parts.generated)
            reached, produced = done.ranges[-1][1], sum(range_[2] for range_ in done.ranges)
        else:
            assert deals is not None
            reached, produced = done, len(deals)
        if deals is not None:
            kept[first] = deals
        parts.done(first, reached, last, produced)
        if report is not None:
            done_deals = min(parts.produced, produce_limit)
            report(done_deals if produce_limit < generate_limit else parts.generated)

    if part is None:
        started = time.perf_counter()
        if filter is None:
            found = job.timed_part(0, generate_limit, keep, _FIRST_SECONDS, _TASK_DEALS)
            note(0, generate_limit, found)
        else:
            note(0, generate_limit, _filtered(job, 0, generate_limit, filter, columns, _FIRST_SECONDS))
        parts.start_after(parts.generated)
        if not parts.is_enough:
            parts.choose_size(time.perf_counter() - started, scheduler.workers())
    else:
        parts.size = math.ceil(check_count("part", part, 1) / _BLOCK) * _BLOCK

    def following() -> Task | None:
        numbers = parts.following()
        if numbers is None:
            return None
        sent.append(numbers)
        if filter is None:
            return len(sent) - 1, "_part", (text, *numbers, keep, run)
        return len(sent) - 1, "_filtered_part", (text, *numbers, filter, columns, run)

    if not parts.is_enough:
        for number, answer in run_tasks(scheduler, run, following):
            if filter is None:
                note(*sent[number], (Partial.from_json(answer[0]), answer[1]))
            else:
                note(*sent[number], answer)
            if parts.is_enough:
                break
    in_order = [kept[first] for first in sorted(kept)]
    if filter is not None:
        outcome, taken = job.filtered_outcome(in_order, parts.generated)
        return make_result(job, outcome, taken, columns, tables, key)
    outcome, _ = Partial.merged(partials).outcome()
    deals = Kept.concatenated(in_order, outcome.produced) if keep else None
    return make_result(job, outcome, deals, columns, tables, key)


def _plain_names(chosen: object) -> str | list[str] | None:
    """Returns strains or seats as strings, which workers can load without this package."""
    if chosen is None or isinstance(chosen, str):
        return chosen
    if isinstance(chosen, (Seat, Side, Strain)):
        return str(chosen)
    return [str(it) for it in chosen]  # type: ignore[attr-defined]


def _solve(deals: bytes, strains: Any, declarers: Any, run: str) -> Solutions:
    """Solves deals on a worker: the first ones, as many as the time of a task allows."""
    solutions = _croupier.solve(
        Deals._restored(deals), strains=strains, declarers=declarers, threads=1, seconds=_TASK_SECONDS, poll=cancellation_poll(run)
    )
    assert isinstance(solutions, Solutions)
    return solutions


def solve(
    deals: DealsLike | Sequence[Deal | Board | str],
    *,
    client: Any,
    strains: Strain | str | Sequence[Strain | str] | None = None,
    declarers: Seat | Side | str | Sequence[Seat | str] | None = None,
    part: int = 100,
    progress: Progress = None,
) -> Solutions:
    """Runs `croupier.solve` on a cluster. Results are in the order of the deals.

    A task has at most ``part`` deals and takes about a second; deals that it does not reach are sent again.
    """
    check_count("part", part, 1)
    scheduler = scheduler_of(client)
    many = deals if isinstance(deals, Deals) else Deals(deals)
    report = progress_callback(progress, len(many))
    chosen = (_plain_names(strains), _plain_names(declarers))
    run = uuid.uuid4().hex
    waiting = deque((start, min(start + part, len(many))) for start in range(0, len(many), part))
    sent: list[tuple[int, int]] = []

    def following() -> Task | None:
        if not waiting:
            return None
        sent.append(waiting.popleft())
        first, last = sent[-1]
        state: bytes = many[first:last].__reduce__()[1][0]  # type: ignore[assignment]
        return len(sent) - 1, "_solve", (state, *chosen, run)

    found: dict[int, Solutions] = {}
    done = 0
    for number, solutions in run_tasks(scheduler, run, following):
        first, last = sent[number]
        found[first] = solutions
        if first + len(solutions) < last:
            waiting.appendleft((first + len(solutions), last))
        done += len(solutions)
        if report is not None:
            report(done)
    return Solutions.joined([found[first] for first in sorted(found)])


def _count(
    spec: str, text: str, samples: int, seed: int, predeal: list[tuple[str, str]] | None
) -> tuple[int, int, tuple[int, int] | None]:
    """Runs one part of a count, on a worker."""
    cards = None if predeal is None else [(Seat(seat), Hand(hand)) for seat, hand in predeal]
    return _croupier.count(Script._restored(spec, text), samples, seed, cards)


def probability(
    script: ScriptLike,
    *,
    client: Any,
    samples: int = 100 * TRIALS_PER_SEED,
    seed: int = 1,
    predeal: PredealLike | None = None,
    progress: Progress = None,
    **variables: Any,
) -> Fraction | Estimate:
    """Runs `croupier.probability` on a cluster, for conditions that must be tried on many deals."""
    scheduler = scheduler_of(client)
    read = as_script(script, **variables)
    parts = trial_parts(samples, seed)
    report = progress_callback(progress, samples)
    # A condition that can be counted exactly needs no cluster.
    first = _croupier.count(read, *parts[0], predealt(predeal))
    found = {0: first}
    if first[2] is not None:
        # The script and the cards as strings, which workers can load without this package.
        state: tuple[str, str] = read.__reduce__()[1]  # type: ignore[assignment]
        cards = None if predeal is None else [(str(Seat(seat)), str(hand)) for seat, hand in predeal.items()]
        numbers = iter(range(1, len(parts)))

        def following() -> Task | None:
            number = next(numbers, None)
            return None if number is None else (number, "_count", (*state, *parts[number], cards))

        for number, answer in run_tasks(scheduler, uuid.uuid4().hex, following):
            found[number] = answer
            if report is not None:
                report(sum(parts[done][0] for done in found))
    return combine_counts(found[number] for number in sorted(found))
