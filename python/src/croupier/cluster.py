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
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent import futures
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from . import _croupier
from ._croupier import Board, Deal, Deals, Hand, Job, Kept, Partial, Script, Solutions
from .conditions import TableRequest
from .dealing import (
    _MAX_KEPT,
    TRIALS_PER_SEED,
    Estimate,
    PredealLike,
    Progress,
    ScriptLike,
    Values,
    ValuesLike,
    as_script,
    check_count,
    combine_counts,
    make_job,
    make_result,
    predealt,
    progress_callback,
    trial_parts,
)
from .result import Batch, Result
from .values import Seat, Side, Strain

if TYPE_CHECKING:
    from .dealing import DealsLike, Mask

__all__ = ["ClusterError", "deal", "probability", "solve"]

# : Seconds that the calling process deals before it uses the cluster. Short runs end within that time.
_FIRST_SECONDS = 0.1
#: Seconds that a task takes at most (a block of 1024 deals is never divided). After a cancellation no task runs longer.
_TASK_SECONDS = 1.0
#: Number of deals that a task returns at most, which limits the size of a message to about 10 megabytes.
_TASK_DEALS = 1 << 18
#: Number of deals in a block. Parts begin at blocks.
_BLOCK = 1024


class ClusterError(RuntimeError):
    """An error of the cluster, not of the script: a worker without the package or with another version, lost workers."""


class _Cancelled(RuntimeError):
    """The run of a task was cancelled."""


# : Runs that ended in this process. Tasks on threads of this process check this set and stop.
_ended: set[str] = set()
_ended_lock = threading.Lock()


def _by_value() -> Callable[..., Any]:
    """Returns a function that workers can load without this package, so that a missing package is a clear error.

    Dask and Ray send functions of ``__main__`` by value, others by name.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(
        "def call(version, function, *arguments):\n"
        "    import croupier\n"
        "    if croupier.__version__ != version:\n"
        "        return croupier.__version__, None\n"
        "    import croupier.cluster\n"
        "    return version, getattr(croupier.cluster, function)(*arguments)\n",
        names,
    )
    call: Callable[..., Any] = names["call"]
    return call


def _call(version: str, function: str, *arguments: Any) -> tuple[str, Any]:
    """Calls a function of this module on a worker, if the worker has the same version of the package."""
    if _croupier.__version__ != version:
        return _croupier.__version__, None
    return version, globals()[function](*arguments)


def _poll(run: str) -> Callable[[], None]:
    """Returns a function that raises an exception on a worker when its task is no longer needed."""
    distributed = sys.modules.get("distributed.worker")
    state = getattr(distributed, "thread_state", None)
    key = getattr(state, "key", None)
    worker = getattr(getattr(state, "execution_state", None), "get", lambda _: None)("worker")

    def look() -> None:
        if run in _ended:
            raise _Cancelled("the run was cancelled")
        if worker is not None and key is not None:
            task = worker.state.tasks.get(key)
            if task is None or task.state in ("cancelled", "released", "forgotten"):
                raise _Cancelled("the run was cancelled")

    return look


class _Backend(Protocol):
    """The interface to a scheduler."""

    def submit(self, function: str, *arguments: Any) -> Any:
        """Starts a task: a function of this module."""

    def first_done(self, tasks: Sequence[Any]) -> list[Any]:
        """Waits until at least one task is done, and returns all that are."""

    def result(self, task: Any) -> Any:
        """Returns the result of a task, or raises its exception."""

    def cancel(self, tasks: Sequence[Any]) -> None:
        """Cancels tasks that are no longer needed."""

    def workers(self) -> int:
        """Returns the number of tasks that can run at once."""


class _Dask:
    """A `distributed.Client`."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._call = _by_value()

    def submit(self, function: str, *arguments: Any) -> Any:
        version = _croupier.__version__
        return self._client.submit(self._call, version, function, *arguments, pure=False, retries=2)

    def first_done(self, tasks: Sequence[Any]) -> list[Any]:
        import distributed

        wait: Any = distributed.wait
        return list(wait(list(tasks), return_when="FIRST_COMPLETED").done)

    def result(self, task: Any) -> Any:
        return task.result()

    def cancel(self, tasks: Sequence[Any]) -> None:
        self._client.cancel(list(tasks), force=True)

    def workers(self) -> int:
        threads = self._client.nthreads()
        return sum(threads.values()) or 1


class _Ray:
    """The module `ray`, initialised."""

    def __init__(self, ray: Any) -> None:
        if not ray.is_initialized():
            raise ClusterError("Ray is not initialised: call ray.init() first")
        self._ray = ray
        self._call = ray.remote(max_retries=5, num_cpus=1)(_by_value())

    def submit(self, function: str, *arguments: Any) -> Any:
        return self._call.remote(_croupier.__version__, function, *arguments)

    def first_done(self, tasks: Sequence[Any]) -> list[Any]:
        done, _ = self._ray.wait(list(tasks), num_returns=1)
        return list(done)

    def result(self, task: Any) -> Any:
        try:
            return self._ray.get(task)
        except self._ray.exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, BaseException) else error) from None

    def cancel(self, tasks: Sequence[Any]) -> None:
        for task in tasks:
            self._ray.cancel(task, force=False)

    def workers(self) -> int:
        return int(self._ray.cluster_resources().get("CPU", 1)) or 1


class _Executor:
    """An executor of `concurrent.futures`, or of a library with the same interface."""

    def __init__(self, executor: futures.Executor) -> None:
        self._executor = executor

    def submit(self, function: str, *arguments: Any) -> Any:
        return self._executor.submit(_call, _croupier.__version__, function, *arguments)

    def first_done(self, tasks: Sequence[Any]) -> list[Any]:
        return list(futures.wait(tasks, return_when=futures.FIRST_COMPLETED).done)

    def result(self, task: Any) -> Any:
        return task.result()

    def cancel(self, tasks: Sequence[Any]) -> None:
        for task in tasks:
            task.cancel()

    def workers(self) -> int:
        return getattr(self._executor, "_max_workers", 4)


def _backend(client: Any) -> _Backend:
    module = type(client).__module__.split(".")[0]
    if module == "distributed":
        return _Dask(client)
    if getattr(client, "__name__", "") == "ray":
        return _Ray(client)
    if isinstance(client, futures.Executor):
        return _Executor(client)
    raise TypeError(
        f"client is a distributed.Client, the module ray or an executor, not {type(client).__name__}"
    )


#: A task: its place among all, the name of its function and the arguments.
_Task = tuple[int, str, tuple[Any, ...]]


def _run(backend: _Backend, run: str, following: Callable[[], _Task | None]) -> Iterator[tuple[int, Any]]:
    """Runs tasks in order, at most two for each worker at a time, and yields results as they are complete.

    ``following`` returns the next task, or None if there is none now; it is called again after every result.
    """
    running: dict[Any, int] = {}
    ahead = 2 * backend.workers()
    try:
        while True:
            while len(running) < ahead:
                task = following()
                if task is None:
                    break
                number, function, arguments = task
                running[backend.submit(function, *arguments)] = number
            if not running:
                return
            for done in backend.first_done(list(running)):
                number = running.pop(done)
                yield number, _checked(backend, done)
    finally:
        # The caller has enough results, or an error occurred, so the other tasks are not needed.
        with _ended_lock:
            _ended.add(run)
        if running:
            backend.cancel(list(running))


def _checked(backend: _Backend, task: Any) -> Any:
    """Returns the result of a task. Errors of the cluster become a `ClusterError` with a remedy."""
    ours = _croupier.__version__
    try:
        theirs, result = backend.result(task)
        if theirs != ours:
            raise ClusterError(
                f"a worker has croupier {theirs}, but this process has {ours}: install the same version everywhere"
            )
        return result
    except ModuleNotFoundError as error:
        if "croupier" not in (error.name or str(error)):
            raise
        raise ClusterError(
            f"a worker does not have the package croupier {_croupier.__version__}: install it on all workers"
        ) from error
    except (ClusterError, _croupier.ScriptError, _croupier.DealError, ValueError, TypeError):
        raise
    except Exception as error:
        name = type(error).__name__
        if name in ("KilledWorker", "WorkerCrashedError", "BrokenProcessPool", "CancelledError", "FutureCancelledError"):
            raise ClusterError(f"workers were lost again and again: {error}") from error
        raise


def _part(job: str, first: int, last: int, keep: bool, run: str) -> tuple[str, Kept | None]:
    """Runs one part of a run on a worker. It may end before ``last``."""
    partial, kept = Job.from_json(job, 1).timed_part(first, last, keep, _TASK_SECONDS, _TASK_DEALS, _poll(run))
    return partial.to_json(), kept


def _filtered_part(
    job: str, first: int, last: int, filter: Callable[[Batch], Mask], values: Values | None, run: str
) -> tuple[int, Kept]:
    """Runs one part of a run with a filter on a worker, and returns where it ended and the accepted deals."""
    return _filtered(Job.from_json(job, 1), first, last, filter, values, _TASK_SECONDS, _poll(run))


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
    **variables: Any,
) -> Result:
    """Runs `croupier.deal` on a cluster, with an identical result.

    ``client`` is a `distributed.Client`, the module ``ray`` or an executor. The calling process deals for a tenth of a
    second; if that is not enough, it divides the rest into parts that take a worker about a second each, or of ``part``
    deals. ``produce`` is exact: parts after the last deal are cancelled, and the part that contains it is cut there.
    Ctrl-C cancels all parts. ``filter`` runs on the workers, so your scheduler must be able to send it to them.
    """
    backend = _backend(client)
    read, job = make_job(
        script,
        produce=produce,
        generate=generate,
        seed=seed,
        sampler=sampler,
        predeal=predeal,
        title=title,
        tables=tables,
        **variables,
    )
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
            parts.choose_size(time.perf_counter() - started, backend.workers())
    else:
        parts.size = math.ceil(check_count("part", part, 1) / _BLOCK) * _BLOCK

    def following() -> _Task | None:
        numbers = parts.following()
        if numbers is None:
            return None
        sent.append(numbers)
        if filter is None:
            return len(sent) - 1, "_part", (text, *numbers, keep, run)
        return len(sent) - 1, "_filtered_part", (text, *numbers, filter, columns, run)

    if not parts.is_enough:
        for number, answer in _run(backend, run, following):
            if filter is None:
                note(*sent[number], (Partial.from_json(answer[0]), answer[1]))
            else:
                note(*sent[number], answer)
            if parts.is_enough:
                break
    in_order = [kept[first] for first in sorted(kept)]
    if filter is not None:
        outcome, taken = job.filtered_outcome(in_order, parts.generated)
        return make_result(job, outcome, taken, columns, tables)
    outcome, _ = Partial.merged(partials).outcome()
    deals = Kept.concatenated(in_order, outcome.produced) if keep else None
    return make_result(job, outcome, deals, columns, tables)


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
        Deals._restored(deals), strains=strains, declarers=declarers, threads=1, seconds=_TASK_SECONDS, poll=_poll(run)
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
    backend = _backend(client)
    many = deals if isinstance(deals, Deals) else Deals(deals)
    report = progress_callback(progress, len(many))
    chosen = (_plain_names(strains), _plain_names(declarers))
    run = uuid.uuid4().hex
    waiting = deque((start, min(start + part, len(many))) for start in range(0, len(many), part))
    sent: list[tuple[int, int]] = []

    def following() -> _Task | None:
        if not waiting:
            return None
        sent.append(waiting.popleft())
        first, last = sent[-1]
        state: bytes = many[first:last].__reduce__()[1][0]  # type: ignore[assignment]
        return len(sent) - 1, "_solve", (state, *chosen, run)

    found: dict[int, Solutions] = {}
    done = 0
    for number, solutions in _run(backend, run, following):
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
    backend = _backend(client)
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

        def following() -> _Task | None:
            number = next(numbers, None)
            return None if number is None else (number, "_count", (*state, *parts[number], cards))

        for number, answer in _run(backend, uuid.uuid4().hex, following):
            found[number] = answer
            if report is not None:
                report(sum(parts[done][0] for done in found))
    return combine_counts(found[number] for number in sorted(found))
