"""Results of an event: travellers and the ranking."""

from __future__ import annotations

import os
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Literal

from . import _croupier
from ._croupier import Card, Contract, Score
from .frames import FrameKind, to_frame

if TYPE_CHECKING:
    from .frames import Frame

__all__ = ["EventResults", "RankedPair", "TableResult", "results"]


@dataclass(frozen=True)
class TableResult:
    """The result of one table on a board."""

    board: int
    #: The pairs: their names or numbers.
    north_south: str
    east_west: str
    #: The contract with declarer and tricks; None if it is not known.
    contract: Contract | None
    #: Tricks of declarer.
    tricks: int | None
    lead: Card | None
    #: Score of North-South.
    score: Score | None
    #: Matchpoints or IMPs of both pairs; None without a score to compare with.
    points: tuple[float, float] | None
    #: Whether the table is in the closed room of a match.
    is_closed: bool


@dataclass(frozen=True)
class RankedPair:
    """A pair or a team in a ranking."""

    #: Rank, from 1. Equal totals share a rank.
    rank: int
    name: str
    #: Number of boards with a score.
    boards: int
    total: float
    #: Percentage of the matchpoints; None for IMPs.
    percent: float | None


@dataclass(frozen=True)
class EventResults:
    """The travellers and the ranking of an event."""

    event: str
    #: ``mp``, ``imps``, ``butler`` or ``teams``.
    scoring: str
    #: The tables by board, the best score of North-South first.
    tables: tuple[TableResult, ...]
    ranking: tuple[RankedPair, ...]
    #: The board of each result that has no score (adjusted, or not played); these are not in ``tables``.
    left_out: tuple[int, ...]
    _usebio: str

    def traveller(self, board: int) -> tuple[TableResult, ...]:
        """Returns the tables of a board."""
        return tuple(table for table in self.tables if table.board == board)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the results as USEBIO (XML)."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._usebio)

    def to_frame(self, kind: FrameKind | None = None) -> Frame:
        """Returns a data frame with a row for each table. Missing numbers are not a number, missing texts empty."""
        nothing = float("nan")
        points = [(nothing, nothing) if it.points is None else it.points for it in self.tables]
        columns: dict[str, list[str] | list[float]] = {
            "board": [float(it.board) for it in self.tables],
            "north_south": [it.north_south for it in self.tables],
            "east_west": [it.east_west for it in self.tables],
            "contract": ["" if it.contract is None else str(it.contract) for it in self.tables],
            "lead": ["" if it.lead is None else str(it.lead) for it in self.tables],
            "tricks": [nothing if it.tricks is None else float(it.tricks) for it in self.tables],
            "score": [nothing if it.score is None else float(it.score) for it in self.tables],
            "ns_points": [it[0] for it in points],
            "ew_points": [it[1] for it in points],
        }
        return to_frame(_croupier.columns(columns), kind)

    def __repr__(self) -> str:
        first = f", first {self.ranking[0].name}" if self.ranking else ""
        return f"<croupier.EventResults {self.event!r}: {len(self.tables)} results by {self.scoring}{first}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{it.rank}</td><td>{escape(it.name)}</td><td>{it.boards}</td><td>{it.total:g}</td>"
            f"<td>{'' if it.percent is None else f'{it.percent:.2f}'}</td></tr>"
            for it in self.ranking
        )
        heads = "".join(f"<th>{name}</th>" for name in ("rank", "name", "boards", "total", "percent"))
        return f"<table><tr>{heads}</tr>{rows}</table>"


def results(
    path: str | os.PathLike[str], *, scoring: Literal["mp", "imps", "butler", "teams"] | None = None
) -> EventResults:
    """Reads the results of several tables on the same boards, and ranks pairs or teams.

    The file is PBN or LIN with several records of a board, PBN with score tables, or USEBIO. ``scoring`` is ``mp``
    (matchpoints), ``imps`` (the average against each other table), ``butler`` or ``teams``; by default teams if the file
    has two rooms, else matchpoints.
    """
    event, chosen, tables, ranking, left_out, usebio = _croupier.read_results(os.fspath(path), scoring)
    rows = tuple(
        TableResult(
            board, north_south, east_west, contract, tricks, lead, None if score is None else Score(score), points, closed
        )
        for board, north_south, east_west, contract, tricks, lead, score, points, closed in tables
    )
    return EventResults(event, chosen, rows, tuple(RankedPair(*it) for it in ranking), tuple(left_out), usebio)
