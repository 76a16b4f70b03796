"""Bundled scenarios, hand records as PDF, and conversion of files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from . import _croupier
from ._croupier import Board, Deal, Script
from .values import Seat

__all__ = ["Scenario", "convert", "record", "scenario", "scenarios"]


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
    kind: Literal["records", "practice", "labels"] = "records",
    seats: Iterable[Seat | str] = (Seat.NORTH, Seat.SOUTH),
    paper: Literal["A4", "letter"] = "A4",
    per_page: Literal[6, 12, 36] = 12,
    four_colour: bool = False,
    title: str = "",
    date: str = "",
    solve: bool = False,
) -> None:
    """Writes boards as a PDF: hand records, the hands of ``seats`` for bidding practice, or labels for boards.

    With ``solve`` the records show what every player makes, and par. Results that boards have already are kept.
    """
    many = [it if isinstance(it, Board) else Board(it) for it in boards]
    if solve:
        unsolved = [place for place, board in enumerate(many) if board.tricks is None]
        solutions = _croupier.solve([many[place] for place in unsolved]) if unsolved else ()
        for place, tricks in zip(unsolved, solutions, strict=True):  # type: ignore[arg-type]
            many[place] = many[place].replace(tricks=tricks)
    _croupier.write_pdf(os.fspath(path), many, kind, list(seats), paper, per_page, four_colour, title, date)


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str], format: str | None = None, *,
            strict: bool = True) -> int:
    """Converts a file of boards to the format of the name of ``target``, or to ``format``; returns the number of boards."""
    boards = _croupier.read(source, strict=strict)
    _croupier.write(target, boards, format)
    return len(boards)
