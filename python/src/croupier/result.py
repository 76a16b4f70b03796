"""Results of a run: deals, tables, statistics, columns."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import isnan
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

from . import _croupier
from .frames import FrameKind, to_frame

if TYPE_CHECKING:
    import numpy
    import numpy.typing
    import pandas
    import polars
    import pyarrow
    from matplotlib.axes import Axes

    from ._croupier import Columns, Deal, Deals, Job, Kept, Outcome
    from .dealing import TournamentKey
    from .frames import Frame

__all__ = ["Batch", "Result", "Statistics", "Table", "Tables"]


class _Evaluator(Protocol):
    """An object that evaluates expressions for deals."""

    def of(self, kept: Kept) -> Kept:
        """Adds values to the deals."""


class Table:
    """One table of a run: an average, a frequency table of one or two expressions, or a contract."""

    def __init__(self, data: _croupier.TableData, scales: tuple[int, ...] = ()) -> None:
        """Creates the table of a run. The values of axis i are divided by ``scales[i]``."""
        self._data = data
        self._scales = scales

    def _scale(self, axis: int = 0) -> int:
        return self._scales[axis] if axis < len(self._scales) else 1

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
        mean = self._data.mean
        return None if mean is None else mean / self._scale()

    @property
    def std(self) -> float | None:
        """The standard deviation of the values, or of a contract's score."""
        std = self._data.std
        return None if std is None else std / self._scale()

    @property
    def sums(self) -> tuple[int, int] | None:
        """Sum and sum of squares of an average, exactly; None for other tables.

        They are those of the integers of the language: of hundredths, if the value is ``cccc``, ``ltc`` or ``quality``.
        """
        return self._data.sums

    def interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """Returns an interval that contains the true mean with probability ``level``.

        It is valid for few deals and rare events, too.
        """
        if not 0 < level < 1:
            raise ValueError(f"level must be between 0 and 1, not {level}")
        interval = self._data.interval(level)
        return None if interval is None else (interval[0] / self._scale(), interval[1] / self._scale())

    @property
    def columns(self) -> Columns:
        """The table as columns, which Polars, PyArrow and pandas accept directly."""
        return self._data.scaled_columns(list(self._scales))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.columns.__arrow_c_stream__(requested_schema)

    @overload
    def to_frame(self, kind: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def to_frame(self, kind: Literal["pandas"]) -> pandas.DataFrame: ...
    @overload
    def to_frame(self, kind: Literal["pyarrow"]) -> pyarrow.Table: ...
    @overload
    def to_frame(self, kind: FrameKind | None = None) -> Frame: ...

    def to_frame(self, kind: FrameKind | None = None) -> Frame:
        """Returns a data frame of Polars, pandas or PyArrow."""
        return to_frame(self.columns, kind)

    def _axis(self, place: int) -> list[float]:
        """Returns the lowest value of each row (0) or column (1); infinite for values below the range."""
        columns = self.columns
        names = columns.names[: columns.names.index("count")]
        first = [name for name in names if not name.endswith(" to")][place]
        numbers = [float("-inf") if number is None else float(number) for number in columns.to_list(first)]
        return list(dict.fromkeys(numbers))

    def to_numpy(self) -> numpy.typing.NDArray[numpy.number[Any]]:
        """Returns the counts: an array of one dimension, or of two for a grid; for an average its mean."""
        import numpy

        if self.kind == "average":
            return numpy.array([float("nan") if self.mean is None else self.mean])
        counts = numpy.asarray(self.columns["count"])
        if self.kind == "grid":
            return counts.reshape(len(self._axis(0)), len(self._axis(1)))
        return counts

    def pivot(self) -> dict[float, dict[float, int]]:
        """Returns the counts of a grid by row and column: ``table.pivot()[12][5]``."""
        if self.kind != "grid":
            raise ValueError(f"{self.title!r} has one dimension; its counts are in to_frame() and to_numpy()")
        rows, columns = self._axis(0), self._axis(1)
        cells = self.to_numpy().tolist()
        return {row: dict(zip(columns, line, strict=True)) for row, line in zip(rows, cells, strict=True)}

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the table with matplotlib and returns the axes: bars, or a map of colours for a grid."""
        pyplot: Any = importlib.import_module("matplotlib.pyplot")
        axes: Any = pyplot.subplots()[1] if ax is None else ax
        names = self.columns.names
        if self.kind == "average":
            interval = self.interval() or (0.0, 0.0)
            mean = self.mean or 0.0
            axes.errorbar([0], [mean], yerr=[[mean - interval[0]], [interval[1] - mean]], fmt="o", capsize=4)
            axes.set_xticks([0], [self.title])
        elif self.kind == "grid":
            image = axes.imshow(self.to_numpy(), origin="lower", aspect="auto")
            rows, columns = self._axis(0), self._axis(1)
            axes.set_yticks(range(len(rows)), [f"{row:g}" for row in rows])
            axes.set_xticks(range(len(columns)), [f"{column:g}" for column in columns])
            heads = [name for name in names[: names.index("count")] if not name.endswith(" to")]
            axes.set_ylabel(heads[0].removesuffix(" from"))
            axes.set_xlabel(heads[1].removesuffix(" from"))
            axes.figure.colorbar(image, ax=axes, label="deals")
        else:
            labels = [f"{value:g}" for value in self._axis(0)]
            shares = numpy_list(self.columns["share"])
            low, high = numpy_list(self.columns["share low"]), numpy_list(self.columns["share high"])
            below = [max(0.0, share - end) for share, end in zip(shares, low, strict=True)]
            above = [max(0.0, end - share) for share, end in zip(shares, high, strict=True)]
            axes.bar(labels, shares, yerr=[below, above], capsize=2)
            axes.set_xlabel(names[0].removesuffix(" from"))
            axes.set_ylabel("share of the deals")
        axes.set_title(self.title)
        drawn: Axes = axes
        return drawn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._data == other._data and self._scales == other._scales

    def _mean_text(self) -> str:
        mean, interval = self.mean, self.interval()
        if mean is None:
            return ""
        return f", mean {estimate_text(mean, interval)}"

    def __repr__(self) -> str:
        return f"<croupier.Table {self.kind} {self.title!r}, {self.count} deals{self._mean_text()}>"

    def _repr_html_(self) -> str:
        if all(scale == 1 for scale in self._scales):
            return self._data._repr_html_()
        columns = self.columns
        head = "".join(f"<th>{escape(name)}</th>" for name in columns.names)
        lists = [columns.to_list(name) for name in columns.names]
        rows = ("".join(f"<td>{_cell(cell)}</td>" for cell in row) for row in zip(*lists, strict=True))
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<h3>{escape(self.title)}</h3><table><tr>{head}</tr>{body}</table>"


def _cell(cell: str | float | None) -> str:
    if cell is None:
        return ""
    return escape(cell) if isinstance(cell, str) else f"{cell:.6g}"


def numpy_list(column: object) -> list[float]:
    """Returns a column of numbers as a list."""
    numbers: list[float] = column.tolist()  # type: ignore[attr-defined]
    return numbers


def estimate_text(value: float, interval: tuple[float, float] | None, digits: int | None = None) -> str:
    """Returns value and interval, ``8.35 (8.1 to 8.6)``, with the digits that the interval supports."""
    if interval is None or isnan(interval[0]):
        return f"{value:.6g}" if digits is None else f"{value:.{digits}f}"
    decimals = _croupier.interval_decimals(*interval) if digits is None else digits
    # Zero is added to remove the sign of a number that rounds to zero.
    shown = [f"{round(it, decimals) + 0.0:.{decimals}f}" for it in (value, *interval)]
    return f"{shown[0]} ({shown[1]} to {shown[2]})"


class Tables(Sequence[Table]):
    """The tables of a run, by place or by title."""

    def __init__(self, tables: Sequence[Table]) -> None:
        """Creates the tables of a run."""
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

    def keys(self) -> list[str]:
        """Returns the titles."""
        return [table.title for table in self._tables]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tables) and self._tables == other._tables

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
        """The hands as bits, one row for each deal, North first: ``uint64[n, 4]``, without a copy."""
        return self._rows().deals.masks

    @property
    def columns(self) -> Columns:
        """Number and hands (as masks) of each deal, and its values."""
        return self._rows().columns("mask")

    def __getitem__(self, name: str) -> numpy.typing.NDArray[numpy.number[Any]]:
        """Returns a column as a NumPy array that shares its memory."""
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.columns

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.columns.__arrow_c_stream__(requested_schema)

    @overload
    def to_frame(self, kind: Literal["polars"], *, cards: str = "mask") -> polars.DataFrame: ...
    @overload
    def to_frame(self, kind: Literal["pandas"], *, cards: str = "mask") -> pandas.DataFrame: ...
    @overload
    def to_frame(self, kind: Literal["pyarrow"], *, cards: str = "mask") -> pyarrow.Table: ...
    @overload
    def to_frame(self, kind: FrameKind | None = None, *, cards: str = "mask") -> Frame: ...

    def to_frame(self, kind: FrameKind | None = None, *, cards: str = "mask") -> Frame:
        """Returns a data frame; hands are masks, texts or left out: ``cards="mask"``, ``"text"`` or ``"none"``."""
        return to_frame(self._rows().columns(cards), kind)


def _first_deals(deals: Deals) -> str:
    """Returns the diagrams of a few deals side by side."""
    return "".join(
        f'<div style="display:inline-block;margin:0 2.5em 1em 0;vertical-align:top">{deal._repr_html_()}</div>'
        for deal in deals[:6]
    )


class Batch(_Columnar):
    """Deals with values: the argument of a ``filter``, and the result of `croupier.evaluate`."""

    def __init__(self, kept: Kept) -> None:
        """Creates the deals of a run."""
        self._kept = kept

    def _rows(self) -> Kept:
        return self._kept

    def __len__(self) -> int:
        return len(self._kept)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Batch) and self.columns == other.columns

    def __repr__(self) -> str:
        return f"<croupier.Batch: {len(self)} deals, {', '.join(self._kept.names) or 'no values'}>"

    def _repr_html_(self) -> str:
        return _first_deals(self.deals) + f"<p>{len(self):,} deals</p>"


class Result(_Columnar):
    """The result of a run."""

    def __init__(
        self,
        job: Job,
        outcome: Outcome,
        kept: Kept | None,
        values: _Evaluator | None,
        scales: dict[str, tuple[int, ...]] | None = None,
        tournament: TournamentKey | None = None,
    ) -> None:
        """Creates the result of `croupier.deal`."""
        self._job = job
        self._outcome = outcome
        self._kept = kept
        self._values = values
        self._scales = scales or {}
        self._tournament = tournament
        self._whole: Kept | None = None

    def _rows(self) -> Kept:
        if self._whole is None:
            # A large run with tables does not keep its deals. They are dealt again when they are used.
            kept = self._kept if self._kept is not None else self._job.run(True)[1]
            assert kept is not None
            self._whole = kept if self._values is None else self._values.of(kept)
        return self._whole

    @property
    def tables(self) -> Tables:
        """The tables of averages, frequencies and contracts, in the order of the script."""
        return Tables([Table(table, self._scales.get(table.label or "", ())) for table in self._outcome.tables])

    @property
    def statistics(self) -> Statistics:
        """Number of deals generated and produced, and the reason why the run ended."""
        it = self._outcome
        return Statistics(it.generated, it.produced, it.ended, it.seed, it.seconds, it.calls)

    @property
    def complete(self) -> bool:
        """Whether the run produced the requested number of deals, or reached the requested precision."""
        if self.precise is not None:
            return self.precise
        asked = self._job.asked
        return self._outcome.ended not in ("cancelled", "timed out") and (
            asked is None or self._outcome.produced >= asked
        )

    @property
    def precise(self) -> bool | None:
        """Whether the run reached the requested precision; None without one."""
        return self._outcome.is_precise

    @property
    def key(self) -> str | None:
        """The key of a tournament, which is secret until the boards have been played; None for other runs."""
        return None if self._tournament is None else self._tournament.key

    @property
    def commitment(self) -> str | None:
        """The commitment of a tournament, to be published before play; None for other runs."""
        return None if self._tournament is None else self._tournament.commitment

    @property
    def seed(self) -> str | None:
        """The seed that repeats the run."""
        return self._outcome.seed

    def __len__(self) -> int:
        """Returns the number of deals produced."""
        return self._outcome.produced

    def __iter__(self) -> Iterator[Deal]:
        return iter(self.deals)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self.to_json() == other.to_json() and self.columns == other.columns

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the `boards` to a file in the format of its name, or in ``format``.

        The boards of a tournament have their commitment and the numbers of their deals in PBN, which `croupier.verify` reads.
        """
        is_usual = self._tournament is None and self._job.heading == (1, None, None)
        _croupier.write_boards(os.fspath(path), self.deals if is_usual else self.boards, format)

    @property
    def boards(self) -> list[_croupier.Board]:
        """The deals as numbered boards. Dealer and vulnerability are those that the script names, else those of the number."""
        first, dealer, vulnerable = self._job.heading
        boards = [_croupier.Board(deal, number, dealer, vulnerable) for number, deal in enumerate(self.deals, first)]
        if self._tournament is None:
            return boards
        commitment, numbers = self._tournament.commitment, numpy_list(self.columns["number"])
        return [
            board.replace(tags={"DealNumber": f"{number:.0f}", "Commitment": commitment})
            for board, number in zip(boards, numbers, strict=True)
        ]

    def to_json(self) -> str:
        """Returns tables and statistics without the time, so that equal results are equal texts."""
        return self._outcome.to_json()

    def __repr__(self) -> str:
        it = self._outcome
        tables = f", {len(it.tables)} tables" if it.tables else ""
        short = "" if self.complete or self._job.asked is None else f" ({self._job.asked} asked for)"
        return f"<croupier.Result: {it.produced} of {it.generated} deals{short}{tables}>"

    def _repr_html_(self) -> str:
        it = self._outcome
        if not it.tables:
            return _first_deals(self.deals) + it.to_html()
        if self._scales:
            return self.tables._repr_html_() + f"<p>{it.produced:,} of {it.generated:,} deals</p>"
        return it.to_html()
