"""Verification of the boards of a tournament."""

from __future__ import annotations

import subprocess
import sys
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


def test_boards_that_depend_on_a_public_value(tmp_path: Path) -> None:
    condition = croupier.north.hcp >= 12
    key = croupier.tournament_key(condition, produce=4, beacon="the lottery numbers of 1 December")
    assert len(key.commitment) == 64 and key.beacon == "the lottery numbers of 1 December" and key.key not in repr(key)
    key.save(tmp_path / "final.key")
    assert croupier.TournamentKey.load(tmp_path / "final.key") == key
    with pytest.raises(FileExistsError):
        key.save(tmp_path / "final.key")
    with pytest.raises(ValueError, match="public value: the lottery numbers"):
        croupier.deal(condition, produce=4, tournament=key)
    boards = croupier.deal(condition, produce=4, tournament=key, beacon_value="3 14 15")
    other = croupier.deal(condition, produce=4, tournament=key, beacon_value="3 14 16")
    assert boards.commitment == key.commitment == other.commitment and boards.deals != other.deals
    boards.write(tmp_path / "final.pbn")
    right = croupier.verify(tmp_path / "final.pbn", key, script=condition, commitment=key.commitment, beacon_value="3 14 15")
    assert right, right.text
    wrong = croupier.verify(tmp_path / "final.pbn", key, script=condition, beacon_value="3 14 16")
    assert not wrong
    for change in ({"produce": 5}, {"script": croupier.north.hcp >= 13}):
        with pytest.raises(ValueError, match="the commitment of this key covers"):
            croupier.deal(**{"script": condition, "produce": 4, "tournament": key, "beacon_value": "3", **change})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="beacon_value is for the key"):
        croupier.deal(condition, produce=4, tournament=True, beacon_value="3")


def test_the_program_deals_the_same_tournament(tmp_path: Path) -> None:
    script = "dealer west  vulnerable EW  condition hcp(north) > 9"
    key = croupier.tournament_key(script, produce=4, beacon="tomorrow")
    key.save(tmp_path / "a.key")
    (tmp_path / "a.dl").write_text(script)
    program = Path(sys.executable).with_name("dealer")
    command = [str(program), f"--tournament={tmp_path / 'a.key'}", "--beacon-value", "sunny", "-p", "4", "-o", str(tmp_path / "a.pbn"), str(tmp_path / "a.dl")]
    subprocess.run(command, check=True, capture_output=True)
    here = croupier.deal(script, produce=4, tournament=key, beacon_value="sunny")
    assert [board.deal for board in croupier.read(tmp_path / "a.pbn")] == list(here.deals)
    assert croupier.verify(tmp_path / "a.pbn", key)
    here.write(tmp_path / "b.pbn")
    there = croupier.verify(tmp_path / "b.pbn", key, script=croupier.Script(script), beacon_value="sunny")
    assert there, there.text
