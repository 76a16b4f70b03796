"""Boards with auction and play, positions and endings."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier import Board, Card, Contract, Position, Score, Seat, Strain

from conftest import DEAL

PBN = f"""[Event "Club"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{DEAL}"]
[Declarer "N"]
[Contract "3NT"]
[Result "9"]
[Room "Open"]
[Auction "N"]
1NT =1= Pass 3NT Pass
Pass Pass
[Note "1:15-17"]
[Play "E"]
CJ C2 CK C9
"""


def test_a_board_shows_its_auction_and_play() -> None:
    (board,) = croupier.read_text(PBN)
    assert board.auction == ["1NT", "Pass", "3NT", "Pass", "Pass", "Pass"] and board.notes == [(0, "15-17")]
    assert board.contract == Contract("3NT-N=") and board.declarer is Seat.NORTH and board.result == 9
    assert board.score == 400 and board.play is not None and board.play[0] == Card("CJ")
    assert board.tags["Room"] == "Open" and board.event == "Club"


def test_a_board_is_edited_and_written_back(tmp_path: Path) -> None:
    (board,) = croupier.read_text(PBN)
    changed = board.replace(number=7, contract="4HxS-1", vulnerable="all", tags={"Room": "Closed"}, auction=["1H", "X", "4H", "X", "Pass", "Pass", "Pass"])
    assert changed.score == Score(-200) and board.number == 1
    croupier.write(tmp_path / "board.pbn", [changed])
    (again,) = croupier.read(tmp_path / "board.pbn")
    assert (again.number, again.contract, again.tags["Room"]) == (7, Contract("4HxS-1"), "Closed")
    assert again.auction == changed.auction and again.play == board.play
    assert croupier.read_text(changed.to_text("pbn"))[0].contract == changed.contract
    assert pickle.loads(pickle.dumps(changed)) == changed
    wrong: dict[str, Any]
    for wrong in ({"auction": ["8N"]}, {"result": 14}, {"contract": "9S"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            board.replace(**wrong)
    with pytest.raises(TypeError, match="nonsense"):
        board.replace(nonsense=1)  # type: ignore[call-arg]


def test_a_board_that_was_passed_out() -> None:
    board = Board(DEAL, 1).replace(auction=["Pass"] * 4)
    assert board.contract == Contract("Pass") and board.score == 0


def test_an_ending_is_solved_card_by_card() -> None:
    ending = Position("N:AQ... 32... 54... KJ...", "NT", "S")
    assert croupier.solve_position(ending) == {Card("S5"): 2, Card("S4"): 2} == croupier.solve_position("N:AQ... 32... 54... KJ...", "NT", "S")
    assert (ending.to_play, ending.tricks_left, str(ending.legal)) == (Seat.SOUTH, 2, "54...")
    after = ending.play("S4").play("SJ")
    assert croupier.solve_position(after) == {Card("SQ"): 2, Card("SA"): 1} and after.trick == [Card("S4"), Card("SJ")]
    line = croupier.best_play(ending)
    assert len(line) == 8 and line[0].north_south == 2 and line[0].seat is Seat.SOUTH
    assert pickle.loads(pickle.dumps(after)) == after and eval(repr(after), vars(croupier)) == after
    assert Position({"N": "AQ...", "E": "32...", "S": "54...", "W": "KJ..."}, Strain.NOTRUMP, "S") == ending


def test_an_ending_of_a_file_is_solved() -> None:
    (board,) = croupier.read_text('[Board "1"]\n[Deal "N:AQ... 32... 54... KJ..."]\n')
    assert croupier.solve_position(board, "NT", "S") == croupier.solve_position("N:AQ... 32... 54... KJ...", "NT", "S")
    assert len(croupier.best_play(board, "NT", "S")) == 8 and repr(board) == "<croupier.Board 1 N:AQ... 32... 54... KJ...>"


def test_wrong_positions_are_errors() -> None:
    for hands in ("N:AQ... 32... 5... KJ...", "N:AQ... A2... 54... KJ...", "nonsense", "N:AQ..."):
        with pytest.raises(ValueError):
            Position(hands, "NT", "S")
    with pytest.raises(ValueError, match="does not hold"):
        Position("N:AQ... 32... 54... KJ...", "NT", "S").play("SA")
    with pytest.raises(TypeError, match="strain"):
        croupier.solve_position("N:AQ... 32... 54... KJ...")


def test_the_cost_of_cards_that_were_played() -> None:
    (board,) = croupier.read_text(PBN)
    played = croupier.analyse_play(board)
    best = croupier.solve(board.deal, strains="N", declarers="N")["N", "NT"]
    assert [it.seat for it in played] == [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH]
    assert played[0].tricks == best + played[0].cost
    total = sum(it.cost if it.seat in (Seat.EAST, Seat.WEST) else -it.cost for it in played)
    assert played[-1].tricks == best + total
    assert all((it.cost == 0) == (not it.better) for it in played)
    assert croupier.analyse_play(board.deal, "3N-N", ["CJ"])[0] == played[0]
    with pytest.raises(ValueError, match="card 1"):
        croupier.analyse_play(board.deal, "3N-N", ["SA"])
    with pytest.raises(ValueError, match="contract"):
        croupier.analyse_play(Board(DEAL, 1))


def test_deciding_cards_and_swings() -> None:
    ending = Position("N:AQ... 32... 54... KJ...", "NT", "S")
    found = croupier.deciding_cards(ending)
    assert found.north_south == 2 and Card("SA") in found.cards and Card("S2") not in found.cards
    assert [(str(it.card), it.seat, str(it.lower), it.lower_seat, it.north_south) for it in found.swings] == [
        ("SA", Seat.NORTH, "SK", Seat.WEST, 1),
        ("SQ", Seat.NORTH, "SJ", Seat.WEST, 1),
    ]


def test_many_positions_in_one_call() -> None:
    ending = Position("N:AQ... 32... 54... KJ...", "NT", "S")
    positions = [ending, ending.play("S4"), ending.play("S4").play("SJ")] * 20
    assert croupier.solve_positions(positions, threads=2) == [croupier.solve_position(it) for it in positions]
    assert croupier.solve_positions([]) == []


def test_optimum_play_of_a_board() -> None:
    (board,) = croupier.read_text(PBN)
    assert board.contract is not None and board.play is not None
    rows = Position.opening(board.deal, board.contract).optimal_cards(board.play)
    assert len(rows) == len(board.play)
    assert [card in row for card, row in zip(board.play, rows)] == [it.cost == 0 for it in croupier.analyse_play(board)]
    assert "[OptimumPlayTable " in board.with_optimum_play().to_text()
    with pytest.raises(ValueError, match="no play"):
        Board(DEAL, 1).with_optimum_play()
