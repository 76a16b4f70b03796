"""Verification of the boards of a tournament."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from . import _croupier


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
    key: str | os.PathLike[str],
    *,
    script: str | os.PathLike[str] | None = None,
    commitment: str | None = None,
    beacon_value: str | None = None,
) -> Verdict:
    """Checks that the boards of a tournament follow from the key whose commitment was published before play.

    ``boards`` is the path of a file that ``dealer --tournament`` wrote, or its content as bytes. ``key`` is the path
    of the key file, or the key itself in hexadecimal digits. ``script`` is the path of the script that selected the
    deals, if the file of boards does not carry it; with a script it is also checked that no deal was left out.
    ``beacon_value`` is the public value on which the deals depend (``dealer --beacon``), if the boards do not carry it.

        >>> import croupier
        >>> board = "N:T6.853.QJ9.KQT76 9843.AT.T8432.J3 K75.J9.AK7.A9854 AQJ2.KQ7642.65.2"
        >>> bool(croupier.verify(board.encode(), "01"))
        False

    """
    if isinstance(boards, bytes):
        name, content = "the boards", boards
    else:
        name, content = os.fspath(boards), Path(boards).read_bytes()
    text = os.fspath(key)
    digits = text.removeprefix("key:")
    if not digits or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
        text = Path(key).read_text(encoding="utf-8")
    path = None if script is None else os.fspath(script)
    return Verdict(*_croupier.verify_boards(content, text, name, path, commitment, beacon_value))
