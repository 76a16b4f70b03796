"""Keys of tournaments, and verification of their boards."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _croupier
from ._croupier import Script
from .conditions import Expression
from .dealing import PredealLike, ScriptLike, TournamentKey, make_job, read_script

__all__ = ["TournamentKey", "Verdict", "tournament_key", "verify"]


def tournament_key(
    script: ScriptLike = "condition 1",
    *,
    produce: int,
    beacon: str | None = None,
    generate: int | None = None,
    predeal: PredealLike | None = None,
    level: str | dict[str, int] | None = None,
    **variables: Any,
) -> TournamentKey:
    """Makes the key of a tournament of ``produce`` boards, whose commitment is published before play.

    The commitment covers the key and the terms: the number of boards, the script with its variables and levels, and the
    ``beacon``, words for a public value that nobody can know yet (``"closing value of the Dow Jones on 1 December"``). With
    a beacon the organiser cannot choose the deals by trying keys. Deal the boards with the same script and arguments, and with
    the value when it is known:

        >>> import croupier
        >>> key = croupier.tournament_key(produce=8, beacon="the lottery numbers of 1 December")
        >>> boards = croupier.deal("condition 1", produce=8, tournament=key, beacon_value="3 14 15 26 35 41")
        >>> boards.commitment == key.commitment
        True
    """
    _, job = make_job(
        script, produce=produce, generate=generate, predeal=predeal, level=level, tournament=True, **variables
    )
    return TournamentKey(*_croupier.tournament_key_file(job, None, beacon))



@dataclass(frozen=True)
class Verdict:
    """Result of :func:`verify`; true if all boards are right."""

    right: bool
    """Whether all boards are right."""
    text: str
    """Statement of the verified facts, or the first fault."""

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return f"{'OK' if self.right else 'WRONG'}: {self.text}"


def verify(
    boards: str | os.PathLike[str] | bytes,
    key: str | os.PathLike[str] | TournamentKey,
    *,
    script: str | os.PathLike[str] | Script | Expression | None = None,
    commitment: str | None = None,
    beacon_value: str | None = None,
) -> Verdict:
    """Checks that the boards of a tournament follow from the key whose commitment was published before play.

    ``boards`` is the path of a file that ``dealer --tournament`` or `Result.write` wrote, or its content as bytes. ``key``
    is a `TournamentKey`, the path of the key file, or the key itself in hexadecimal digits. ``script`` selected the deals: a
    path, a `Script` or a condition; with a script it is also checked that no deal was left out. ``beacon_value`` is the
    public value on which the deals depend. The files of ``dealer`` carry script and value themselves.

        >>> import croupier
        >>> board = "N:T6.853.QJ9.KQT76 9843.AT.T8432.J3 K75.J9.AK7.A9854 AQJ2.KQ7642.65.2"
        >>> bool(croupier.verify(board.encode(), "01")), bool(croupier.verify(board.encode(), "02"))
        (True, False)

    """
    if isinstance(boards, bytes):
        name, content = "the boards", boards
    else:
        name, content = os.fspath(boards), Path(boards).read_bytes()
    if isinstance(key, TournamentKey):
        text = key.text
    else:
        text = os.fspath(key)
        digits = text.removeprefix("key:")
        if not digits or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
            text = Path(key).read_text(encoding="utf-8")
    selecting: tuple[str, bytes] | None = None
    if isinstance(script, (Script, Expression)):
        read = read_script(script)
        selecting = (read.name, read.text.encode())
    elif script is not None:
        selecting = (os.fspath(script), Path(script).read_bytes())
    return Verdict(*_croupier.verify_boards(content, text, name, selecting, commitment, beacon_value))
