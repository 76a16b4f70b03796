"""Bundled scenarios, hand records as PDF, and conversion of files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from . import _croupier
from ._croupier import Board, Deal, Script
from .dealing import warn
from .values import Seat

if TYPE_CHECKING:
    from .dealing import DealsLike

__all__ = ["Scenario", "convert", "record", "scenario", "scenarios", "write"]


@dataclass(frozen=True)
class Scenario:
    """A bundled script for practice."""

    name: str
    title: str
    group: str
    description: str
    #: Share of all deals that satisfy the condition of the script.
    probability: float


def scenarios() -> list[Scenario]:
    """Returns the bundled scenarios, by group."""
    return [Scenario(*row) for row in _croupier.scenario_list()]


def scenario(name: str) -> Script:
    """Returns the script of a bundled scenario: ``croupier.deal(croupier.scenario("stayman"), produce=8)``."""
    return _croupier.scenario_script(name)


def record(
    path: str | os.PathLike[str],
    boards: Iterable[Board | Deal | str],
    *,
    kind: Literal["records", "practice", "labels", "lesson"] = "records",
    seats: Iterable[Seat | str] = (Seat.NORTH, Seat.SOUTH),
    parts: Iterable[Literal["auction", "play", "comments"]] = ("auction", "play", "comments"),
    paper: Literal["A4", "letter"] = "A4",
    per_page: Literal[6, 12, 36] = 12,
    four_colour: bool = False,
    title: str = "",
    date: str = "",
    solve: bool = False,
) -> None:
    """Writes boards as a PDF: hand records, the hands of ``seats`` for bidding practice, labels for boards, or pages for
    lessons, with these ``parts`` of a board below its diagram.

    With ``solve`` the records show what every player makes, and par. Results that boards have already are kept.
    """
    many = [it if isinstance(it, Board) else Board(it) for it in boards]
    if solve:
        unsolved = [place for place, board in enumerate(many) if board.tricks is None]
        solutions = _croupier.solve([many[place] for place in unsolved]) if unsolved else ()
        for place, tricks in zip(unsolved, solutions, strict=True):  # type: ignore[arg-type]
            many[place] = many[place].replace(tricks=tricks)
    _croupier.write_pdf(os.fspath(path), many, kind, list(seats), list(parts), paper, per_page, four_colour, title, date)


def write(path: str | os.PathLike[str], deals: DealsLike | Board | Deal | str, format: str | None = None) -> None:
    """Writes deals or boards to a file in the format of its name, or in ``format``.

    The formats are ``pbn``, ``lin``, ``oneline``, ``compact``, ``all``, ``zrd``, ``dl52``, ``csv``, ``json``, and those of
    dealing machines. You get a warning if the format has no room for some data. The file appears only when it is complete.
    """
    lost = _croupier.write_boards(os.fspath(path), deals, format)
    if lost:
        listed = ", ".join(f"{what} ({number} board{'s' if number > 1 else ''})" for what, number in lost)
        warn(f"{os.fspath(path)}: no room for {listed}", UserWarning)


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str], format: str | None = None, *,
            strict: bool = True) -> int:
    """Converts a file of boards to the format of the name of ``target``, or to ``format``; returns the number of boards."""
    boards = _croupier.read(source, strict=strict)
    write(target, boards, format)
    return len(boards)
