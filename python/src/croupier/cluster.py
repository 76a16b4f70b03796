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

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent import futures
from fractions import Fraction
from typing import Any, Protocol

from . import _croupier
from ._croupier import Hand, Job, Partial, Script, Solutions
from .dealing import (
    _MAX_KEPT,
    TRIALS_PER_SEED,
    Estimate,
    Progress,
    ScriptLike,
    Values,
    ValuesLike,
    as_script,
    combine_counts,
    make_job,
    progress_callback,
    trial_parts,
)
from .result import Result
from .values import Seat, Strain

__all__ = ["ClusterError", "deal", "probability", "solve"]

#: Number of deals in the first part of a run. Parts grow, so that a run that needs few deals ends soon.
_FIRST_PART = 1 << 16
#: Number of deals in the largest part: about a tenth of a second for a simple condition.
_LARGEST_PART = 1 << 24


class ClusterError(RuntimeError):
    """An error of the cluster, not of the script: a worker without the package, or lost workers."""


def _by_value() -> Callable[..., Any]:
    """Returns a function that workers can load without this package, so that a missing package is a clear error.

    Dask and Ray send functions of ``__main__`` by value, others by name.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(
        "def call(function, *arguments):\n"
        "    import croupier.cluster\n"
        "    return getattr(croupier.cluster, function)(*arguments)\n",
        names,
    )
    call: Callable[..., Any] = names["call"]
    return call


class _Backend(Protocol):
    """The interface to a scheduler."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Starts a task."""

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

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._client.submit(self._call, function.__name__, *arguments, pure=False, retries=2)

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

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._call.remote(function.__name__, *arguments)

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

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._executor.submit(function, *arguments)

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


def _run(
    backend: _Backend,
    tasks: Iterator[tuple[int, Callable[..., Any], tuple[Any, ...]]],
) -> Iterator[tuple[int, Any]]:
    """Runs tasks in order, at most two for each worker at a time, and yields results as they are complete."""
    running: dict[Any, int] = {}
    ahead = 2 * backend.workers()
    try:
        exhausted = False
        while True:
            while not exhausted and len(running) < ahead:
                following = next(tasks, None)
                if following is None:
                    exhausted = True
                    break
                number, function, arguments = following
                running[backend.submit(function, *arguments)] = number
            if not running:
                return
            for task in backend.first_done(list(running)):
                number = running.pop(task)
                yield number, _checked(backend, task)
    finally:
        # The caller has enough results, or an error occurred: the other tasks are not needed.
        if running:
            backend.cancel(list(running))


def _checked(backend: _Backend, task: Any) -> Any:
    """Returns the result of a task. Errors of the cluster become a `ClusterError` with a remedy."""
    try:
        return backend.result(task)
    except ModuleNotFoundError as error:
        if "croupier" not in (error.name or str(error)):
            raise
        raise ClusterError(
            f"a worker does not have the package croupier {_croupier.__version__}: install it on all workers"
        ) from error
    except (_croupier.ScriptError, _croupier.DealError, ValueError, TypeError):
        raise
    except Exception as error:
        name = type(error).__name__
        if name in ("KilledWorker", "WorkerCrashedError", "BrokenProcessPool", "CancelledError", "FutureCancelledError"):
            raise ClusterError(f"workers were lost again and again: {error}") from error
        raise


def _part(job: str, first: int, last: int, keep: bool) -> str:
    """Runs one part of a run, on a worker."""
    return Job.from_json(job, 1).part(first, last, keep).to_json()


def _parts(generate: int) -> Iterator[tuple[int, int]]:
    """Yields first and last deal number of each part, small parts first."""
    first, size = 0, _FIRST_PART
    while first < generate:
        yield first, min(first + size, generate)
        first, size = first + size, min(2 * size, _LARGEST_PART)


class _Merger:
    """Merges parts in the order of their completion, and detects when enough deals are produced."""

    def __init__(self, produce: int) -> None:
        self.partial: Partial | None = None
        self._produce = produce
        self._early: dict[int, tuple[int, int]] = {}
        self._end = 0
        self.produced = 0

    def add(self, part: Partial) -> None:
        self.partial = part if self.partial is None else Partial.merged([self.partial, part])
        for first, last, produced in part.ranges:
            self._early[first] = (last, produced)
        while self._end in self._early:
            self._end, produced = self._early.pop(self._end)
            self.produced += produced

    @property
    def generated(self) -> int:
        """The number before which all deals are merged."""
        return self._end

    @property
    def is_enough(self) -> bool:
        return self.produced >= self._produce


def deal(
    script: ScriptLike,
    *,
    client: Any,
    produce: int | None = None,
    generate: int | None = None,
    seed: int | str | None = None,
    sampler: str | bool = "auto",
    values: ValuesLike | None = None,
    predeal: Mapping[Seat | str, Hand | str] | None = None,
    progress: Progress = None,
    title: str | None = None,
    **variables: Any,
) -> Result:
    """Runs `croupier.deal` on a cluster, with an identical result.

    ``client`` is a `distributed.Client`, the module ``ray`` or an executor. ``produce`` is exact: parts after the
    last deal are cancelled, and the part that contains it is cut there. Ctrl-C cancels all parts.
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
        **variables,
    )
    columns = None if values is None else Values(values, read)
    generate_limit, produce_limit = job.limits
    job.shards(1)  # Raises an error here, not on a worker, if the run cannot be divided.
    keep = produce_limit <= _MAX_KEPT or not job.collects
    report = progress_callback(progress, min(produce_limit, generate_limit))
    text = job.to_json()
    tasks = (
        (number, _part, (text, first, last, keep)) for number, (first, last) in enumerate(_parts(generate_limit))
    )
    merger = _Merger(produce_limit)
    for _, part in _run(backend, tasks):
        merger.add(Partial.from_json(part))
        if report is not None:
            report(min(merger.produced, produce_limit) if produce_limit < generate_limit else merger.generated)
        if merger.is_enough:
            break
    partial = merger.partial if merger.partial is not None else job.part(0, 0, keep)
    outcome, kept = partial.outcome()
    return Result(job, outcome, kept, columns)


def _plain_names(chosen: Any) -> str | list[str] | None:
    """Returns strains or seats as strings, which workers can load without this package."""
    if chosen is None or isinstance(chosen, str):
        return chosen
    return str(chosen) if isinstance(chosen, (Seat, Strain)) else [str(it) for it in chosen]


def _solve(deals: list[str], strains: Any, declarers: Any) -> Solutions:
    """Solves one part of a list of deals, on a worker."""
    solutions: Solutions = _croupier.solve(deals, strains=strains, declarers=declarers, threads=1)
    return solutions


def solve(
    deals: Any,
    *,
    client: Any,
    strains: Any = None,
    declarers: Any = None,
    part: int = 100,
    progress: Progress = None,
) -> Solutions:
    """Runs `croupier.solve` on a cluster with ``part`` deals a task. Results are in the order of the deals."""
    if part < 1:
        raise ValueError("a part has at least one deal")
    backend = _backend(client)
    many = deals if isinstance(deals, _croupier.Deals) else _croupier.Deals(deals)
    report = progress_callback(progress, len(many))
    starts = range(0, len(many), part)
    chosen = (_plain_names(strains), _plain_names(declarers))
    tasks = (
        (number, _solve, ([str(deal) for deal in many[start : start + part]], *chosen))
        for number, start in enumerate(starts)
    )
    found: dict[int, Solutions] = {}
    done = 0
    for number, solutions in _run(backend, tasks):
        found[number] = solutions
        done += len(solutions)
        if report is not None:
            report(done)
    return Solutions.joined([found[number] for number in range(len(starts))])


def _count(spec: str, text: str, samples: int, seed: int) -> tuple[int, int, tuple[int, int] | None]:
    """Runs one part of a count, on a worker."""
    return _croupier.count(Script._restored(spec, text), samples, seed)


def probability(
    script: ScriptLike,
    *,
    client: Any,
    samples: int = 100 * TRIALS_PER_SEED,
    seed: int = 1,
    progress: Progress = None,
    **variables: Any,
) -> Fraction | Estimate:
    """Runs `croupier.probability` on a cluster, for conditions that must be tried on many deals."""
    backend = _backend(client)
    read = as_script(script, **variables)
    parts = trial_parts(samples, seed)
    report = progress_callback(progress, samples)
    # A condition that can be counted exactly needs no cluster.
    first = _croupier.count(read, *parts[0])
    found = {0: first}
    if first[2] is not None:
        # The script as strings, which workers can load without this package.
        state: tuple[str, str] = read.__reduce__()[1]  # type: ignore[assignment]
        tasks = ((number, _count, (*state, *parts[number])) for number in range(1, len(parts)))
        for number, answer in _run(backend, tasks):
            found[number] = answer
            if report is not None:
                report(sum(parts[done][0] for done in found))
    return combine_counts(found[number] for number in sorted(found))
