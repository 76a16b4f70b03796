"""Reading and writing deals."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy
import pytest

import croupier
from croupier import Board, Deal, Deals


@pytest.fixture
def deals() -> Deals:
    return croupier.deal("condition 1", produce=20, seed=5).deals


@pytest.mark.parametrize("name", ["a.pbn", "a.lin", "a.txt", "a.zrd", "a.dl52", "a.csv", "a.json", "a.jsonl"])
def test_every_format_gives_back_what_was_written(tmp_path: Path, deals: Deals, name: str) -> None:
    path = tmp_path / name
    croupier.write(path, deals)
    assert Deals(croupier.read(path)) == deals
    assert [board.deal for board in croupier.read_text(path.read_bytes())] == list(deals)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("format", ["pbn", "lin", "oneline", "compact", "all", "zrd", "dl52", "csv", "json"])
def test_every_format_by_name(tmp_path: Path, deals: Deals, format: str) -> None:
    croupier.write(tmp_path / "deals", [*deals], format=format)
    assert Deals(croupier.read(tmp_path / "deals")) == deals


def test_boards_keep_what_files_say(tmp_path: Path, deal: Deal) -> None:
    tricks = croupier.solve(deal)
    boards = [Board(deal, 5, tricks=tricks), Board(deal, 9)]
    croupier.write(tmp_path / "a.pbn", boards)
    read = croupier.read(tmp_path / "a.pbn")
    assert [board.number for board in read] == [5, 9] and read[0].tricks == tricks
    assert read[0].dealer is croupier.Seat.NORTH and read[0].vulnerable is croupier.Vulnerability.NORTH_SOUTH
    assert read[0].hands[0] == deal.north and read[0].deal == deal


def test_boards_of_a_result_have_dealer_and_vulnerability_of_the_script(tmp_path: Path) -> None:
    named = croupier.deal("dealer west vulnerable EW condition 1", produce=2, seed=1)
    named.write(tmp_path / "a.pbn")
    read = croupier.read(tmp_path / "a.pbn")
    for boards in (named.boards, read):
        assert [(it.number, it.dealer, it.vulnerable) for it in boards] == [
            (number, croupier.Seat.WEST, croupier.Vulnerability.EAST_WEST) for number in (1, 2)
        ]
    assert [it.deal for it in read] == list(named.deals)
    usual = croupier.deal("condition 1", produce=2, seed=1)
    usual.write(tmp_path / "b.pbn")
    assert [it.dealer for it in croupier.read(tmp_path / "b.pbn")] == [croupier.Seat.NORTH, croupier.Seat.EAST]
    # The hand that opens in a scenario is the dealer.
    assert {it.dealer for it in croupier.deal(croupier.scenario("stayman"), produce=4, seed=1).boards} == {croupier.Seat.NORTH}


def test_arrays_of_masks_are_deals(deals: Deals, tmp_path: Path) -> None:
    masks = deals.masks
    assert masks.shape == (20, 4) and masks.dtype == numpy.uint64 and not masks.flags.writeable
    assert Deals(masks) == deals and Deals(numpy.ascontiguousarray(masks)) == deals
    croupier.write(tmp_path / "a.pbn", masks)
    assert Deals(croupier.read(tmp_path / "a.pbn")) == deals
    wrong = numpy.ascontiguousarray(masks).copy()
    wrong[3, 0] ^= numpy.uint64(1)
    with pytest.raises(ValueError, match="deal 3"):
        Deals(wrong)
    with pytest.raises(ValueError, match="4 columns"):
        Deals(wrong[:, :3])
    with pytest.raises(TypeError):
        Deals(wrong.astype(float))


def test_files_that_are_not_there_or_not_deals(tmp_path: Path, deal: Deal) -> None:
    with pytest.raises(FileNotFoundError):
        croupier.read(tmp_path / "missing.pbn")
    with pytest.raises(FileNotFoundError):
        croupier.write(tmp_path / "no" / "folder.pbn", [deal])
    with pytest.raises(ValueError, match="the formats are"):
        croupier.write(tmp_path / "a.xyz", [deal])
    with pytest.raises(FileNotFoundError):
        croupier.Script.from_file(tmp_path / "missing.dl")
    assert list(tmp_path.iterdir()) == []


def test_a_bad_board_is_an_error_or_a_warning(tmp_path: Path, deal: Deal) -> None:
    good = deal.to_text("lin")
    bad = good.replace("SAKJ", "SAKK")
    assert bad != good
    (tmp_path / "a.lin").write_text(bad + good)
    with pytest.raises(ValueError, match="line 1"):
        croupier.read(tmp_path / "a.lin")
    with pytest.warns(UserWarning, match="line 1"):
        assert len(croupier.read(tmp_path / "a.lin", strict=False)) == 1


def test_deals_are_a_sequence(deals: Deals) -> None:
    assert len(deals) == 20 and deals[-1] == deals[19] and list(deals)[3] == deals[3]
    assert list(deals[2:8:2]) == [deals[2], deals[4], deals[6]] and len(deals[5:]) == 15
    assert deals[::-1][0] == deals[19]
    with pytest.raises(IndexError):
        deals[20]
    with pytest.raises(TypeError):
        deals["a"]  # type: ignore[index]


PLAYED = """\
% PBN 2.1
[Event "Club"]
[Board "7"]
[West "W"]
[North "N"]
[East "E"]
[South "S"]
[Dealer "S"]
[Vulnerable "All"]
[Deal "S:98642.842.52.652 753.A963.KJ4.AK7 AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843"]
[Declarer "N"]
[Contract "1NTX"]
[Result "6"]
{A remark.}
[Room "Open"]
[ParContract "EW 3N="]
[Auction "S"]
Pass 1C 1NT =1= X
AP
[Note "1:15-17"]
[Play "E"]
CJ C2 CK C9
*
"""


def test_pickled_boards_keep_auction_play_and_tags(tmp_path: Path) -> None:
    source, again, first = tmp_path / "played.pbn", tmp_path / "again.pbn", tmp_path / "first.pbn"
    source.write_text(PLAYED)
    boards = list(croupier.read(source))
    pickled = pickle.loads(pickle.dumps(boards))
    assert pickled == boards
    croupier.write(first, boards)
    croupier.write(again, pickled)
    text = again.read_text()
    assert text == first.read_text()
    for part in ["1NT =1= X", '[Note "1:15-17"]', "CJ C2 CK C9", "{A remark.}", '[Room "Open"]', '[Contract "1NTX"]', "EW 3N="]:
        assert part in text, part


def test_a_file_without_boards_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "passwd"
    path.write_text("root:x:0:0:root:/root:/bin/bash\n" * 20)
    with pytest.raises(ValueError, match="no board"):
        croupier.read(path)
    with pytest.warns(UserWarning, match="no board"):
        assert croupier.read(path, strict=False) == []
    path.write_text("% PBN 2.1\n\n")
    assert croupier.read(path) == []
    with pytest.raises(ValueError, match="no board"):
        croupier.read_text("hello")
