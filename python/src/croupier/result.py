"""Results of a run: deals, tables, statistics, columns."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, overload

from . import _croupier
from .frames import FrameKind, to_frame

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    from ._croupier import Columns, Deal, Deals, Job, Kept, Outcome

__all__ = ["Batch", "Result", "Statistics", "Table", "Tables"]


class _Evaluator(Protocol):
    """An object that evaluates expressions for deals."""

    def of(self, kept: Kept) -> Kept:
        """Adds values to the deals."""


class Table:
    """One table of a run: an average, a frequency table of one or two expressions, or a contract."""

    def __init__(self, data: _croupier.TableData) -> None:
        """Created by a run."""
        self._data = data

    @property
    def title(self) -> str:
        """The label of the script, or the expression."""
        return self._data.title

    @property
    def label(self) -> str | None:
        """The label of the script, if it gives one."""
        return self._data.label

    @property
    def kind(self) -> str:
        """``average``, ``frequency``, ``grid`` or ``contract``."""
        return self._data.kind

    @property
    def count(self) -> int:
        """Number of deals counted."""
        return self._data.count

    @property
    def mean(self) -> float | None:
        """The mean of the values, or of a contract's score; None if the table does not determine it."""
        return self._data.mean

    @property
    def std(self) -> float | None:
        """The standard deviation of the values, or of a contract's score."""
        return self._data.std

    @property
    def sums(self) -> tuple[int, int] | None:
        """Sum and sum of squares of an average, exactly; None for other tables."""
        return self._data.sums

    def interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """Returns an interval that contains the true mean with probability ``level``.

        It is valid for few deals and rare events, too.
        """
        if not 0 < level < 1:
            raise ValueError(f"a level is between 0 and 1, not {level}")
        return self._data.interval(level)

    @property
    def columns(self) -> Columns:
        """The table as columns, which Polars, PyArrow and pandas accept directly."""
        return self._data.columns

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._data.columns.__arrow_c_stream__(requested_schema)

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """Returns a data frame of Polars, pandas or PyArrow."""
        return to_frame(self._data.columns, kind)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._data == other._data

    def __repr__(self) -> str:
        mean = "" if self.mean is None else f", mean {self._data.mean_text}"
        return f"<croupier.Table {self.kind} {self.title!r}, {self.count} deals{mean}>"

    def _repr_html_(self) -> str:
        return self._data._repr_html_()


class Tables(Sequence[Table]):
    """The tables of a run, by place or by title."""

    def __init__(self, tables: Sequence[Table]) -> None:
        """Created by a run."""
        self._tables = list(tables)

    def __len__(self) -> int:
        return len(self._tables)

    @overload
    def __getitem__(self, key: int | str) -> Table: ...
    @overload
    def __getitem__(self, key: slice) -> Tables: ...

    def __getitem__(self, key: int | str | slice) -> Table | Tables:
        if isinstance(key, slice):
            return Tables(self._tables[key])
        if isinstance(key, int):
            return self._tables[key]
        for table in self._tables:
            if table.title == key:
                return table
        raise KeyError(f"no table {key!r}; there are {', '.join(repr(table.title) for table in self._tables)}")

    def __repr__(self) -> str:
        return f"<croupier.Tables: {', '.join(repr(table.title) for table in self._tables)}>"

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self._tables)


@dataclass(frozen=True)
class Statistics:
    """Counts and times of a run."""

    #: Number of deals generated.
    generated: int
    #: Number of deals that satisfied the condition.
    produced: int
    #: ``produced`` or ``generated``: which limit ended the run.
    ended: str
    #: The seed that repeats the run.
    seed: str | None
    #: Elapsed seconds, if they were measured.
    seconds: float | None
    #: Number of calls of the double-dummy solver and other expensive functions.
    calls: dict[str, int]

    @property
    def share(self) -> float:
        """The share of the deals that satisfied the condition."""
        return self.produced / self.generated if self.generated else 0.0


class _Columnar:
    """Deals with numbers and values."""

    def _rows(self) -> Kept:
        raise NotImplementedError

    @property
    def deals(self) -> Deals:
        """The deals: a sequence that creates each `Deal` when it is accessed."""
        return self._rows().deals

    @property
    def masks(self) -> numpy.typing.NDArray[numpy.uint64]:
        """The hands as bits, one row a deal, North first: ``uint64[n, 4]``, without a copy."""
        return self._rows().deals.masks

    @property
    def columns(self) -> Columns:
        """Number and hands (as masks) of each deal, and its values."""
        return self._rows().columns("mask")

    def __getitem__(self, name: str) -> Any:
        """Returns a column as a NumPy array that shares its memory."""
        return self.columns[name]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.columns.__arrow_c_stream__(requested_schema)

    def to_frame(self, kind: FrameKind | None = None, *, cards: str = "mask") -> Any:
        """Returns a data frame; hands are masks, texts or left out: ``cards="mask"``, ``"text"`` or ``"none"``."""
        return to_frame(self._rows().columns(cards), kind)


class Batch(_Columnar):
    """Some thousand deals that satisfy the condition: the argument of a ``filter``."""

    def __init__(self, kept: Kept) -> None:
        """Created by a run."""
        self._kept = kept

    def _rows(self) -> Kept:
        return self._kept

    def __len__(self) -> int:
        return len(self._kept)


class Result(_Columnar):
    """The result of a run."""

    def __init__(self, job: Job, outcome: Outcome, kept: Kept | None, values: _Evaluator | None) -> None:
        """Created by `croupier.deal`."""
        self._job = job
        self._outcome = outcome
        self._kept = kept
        self._values = values
        self._complete: Kept | None = None

    def _rows(self) -> Kept:
        if self._complete is None:
            # A large run with tables does not keep its deals. They are dealt again when they are used.
            kept = self._kept if self._kept is not None else self._job.run(True)[1]
            assert kept is not None
            self._complete = kept if self._values is None else self._values.of(kept)
        return self._complete

    @property
    def tables(self) -> Tables:
        """The tables of averages, frequencies and contracts, in the order of the script."""
        return Tables([Table(table) for table in self._outcome.tables])

    @property
    def statistics(self) -> Statistics:
        """Number of deals generated and produced, and the reason why the run ended."""
        it = self._outcome
        return Statistics(it.generated, it.produced, it.ended, it.seed, it.seconds, it.calls)

    @property
    def seed(self) -> str | None:
        """The seed that repeats the run."""
        return self._outcome.seed

    def __len__(self) -> int:
        """Returns the number of deals produced."""
        return self._outcome.produced

    def __iter__(self) -> Iterator[Deal]:
        return iter(self.deals)

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the deals to a file in the format of its name, or in ``format``."""
        _croupier.write(os.fspath(path), self.deals, format)

    def to_json(self) -> str:
        """Returns tables and statistics without the time, so that equal results are equal texts."""
        return self._outcome.to_json()

    def __repr__(self) -> str:
        it = self._outcome
        tables = f", {len(it.tables)} tables" if it.tables else ""
        return f"<croupier.Result: {it.produced} of {it.generated} deals{tables}>"

    def _repr_html_(self) -> str:
        html = self._outcome.to_html()
        if not self._outcome.tables:
            first = list(self.deals[:6])
            html = "&emsp;".join(deal._repr_html_() for deal in first) + html
        return html
