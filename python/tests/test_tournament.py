"""Verification of the boards of a tournament."""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier

# The first two deals of the key 000102.
BOARDS = """\
n J764.9765.A6.KJ5 e T92.42.QT8.AQT64 s AKQ.QT83.K753.98 w 853.AKJ.J942.732
n KQ98.KT83.T63.Q7 e .Q9764.K974.JT32 s A762.J52.AJ2.A94 w JT543.A.Q85.K865
"""


def test_boards_of_the_key_are_right(tmp_path: Path) -> None:
    verdict = croupier.verify(BOARDS.encode(), "000102")
    assert verdict and verdict.text.startswith("all 2 boards follow from the key with commitment c49f95d7")
    (tmp_path / "set.txt").write_text(BOARDS)
    (tmp_path / "set.key").write_text("key:000102\n")
    assert croupier.verify(tmp_path / "set.txt", tmp_path / "set.key") == verdict


def test_the_first_wrong_board_is_named() -> None:
    first, second = BOARDS.splitlines()
    verdict = croupier.verify(f"{second}\n{first}\n".encode(), "000102")
    assert not verdict and str(verdict) == "WRONG: board 1 is not deal 0 of the key"


def test_a_script_that_left_deals_out(tmp_path: Path) -> None:
    second = BOARDS.splitlines()[1]
    (tmp_path / "any.dl").write_text("condition hcp(north) >= 0\n")
    verdict = croupier.verify(BOARDS.encode(), "000102", script=tmp_path / "any.dl")
    assert verdict and "no deal that satisfies the script was left out" in verdict.text
    (tmp_path / "strong.dl").write_text("condition hcp(north) >= 12\n")
    verdict = croupier.verify(BOARDS.encode(), "000102", script=tmp_path / "strong.dl")
    assert not verdict and "does not satisfy the script" in verdict.text, second


def test_another_commitment_is_reported() -> None:
    verdict = croupier.verify(BOARDS.encode(), "000102", commitment="00" * 32)
    assert not verdict and "not the one that was promised" in verdict.text


def test_wrong_input_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there are no boards"):
        croupier.verify(b"", "000102")
    with pytest.raises(FileNotFoundError):
        croupier.verify(BOARDS.encode(), tmp_path / "missing.key")
    (tmp_path / "wrong.dl").write_text("condition hcp(nrth)\n")
    with pytest.raises(croupier.ScriptError):
        croupier.verify(BOARDS.encode(), "000102", script=tmp_path / "wrong.dl")
