"""Functions for the subcommands of the programs: suit play, auctions, scenarios, records, conversion, levels, mixtures, tournaments."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier import Board, Seat, north, west

from conftest import DEAL


def test_suit_play_has_exact_chances() -> None:
    play = croupier.suit("AQT98", "5432")
    assert f"{float(play.chance(5)):.4%}" == "26.5652%" and play.chance(0) == 1 and play.chance(6) == 0
    assert isinstance(play.average, Fraction) and [line.goal for line in play.lines][-1] == "average"
    best = croupier.suit("AQT98", "5432", need=5).lines[0]
    assert best.value == play.chance(5) == best.plays[0].value and best.line and "5 tricks" in str(play)
    assert croupier.suit("AQT98", "5432", need=5, vacant=(5, 13)).chance(5) != play.chance(5)
    for wrong in ({"need": 9}, {"payoff": [3, 1]}, {"vacant": (0, 0)}):
        with pytest.raises(ValueError):
            croupier.suit("AQT98", "5432", **wrong)
    with pytest.raises(ValueError):
        croupier.suit("AQZ", "5432")


def test_suit_play_has_the_options_of_the_program() -> None:
    given = croupier.suit("AQ", "32", need=2, condition=west.hcp >= 12, suit="hearts")
    assert given.chance(2) > Fraction(1, 2) and "exact counts" in given.assumptions[0]
    score = croupier.suit("AQ", "32", contract="3N", outside=7).lines[0]
    assert score.goal == "score" and score.value == 175 and not score.is_chance
    assert croupier.suit("AQ", "32", contract="3N", outside=7, imps=True).lines[0].value == -5
    assert croupier.suit("AQ", "32", contract="3N", outside=7, imps=-50).lines[0].value == 5
    assert croupier.suit("AQ", "32", need=2, entries=("S", 0)).chance(2) < Fraction(1, 20)
    both = croupier.suit("AQ", "32", need=3, second=("AQ", "32"))
    assert both.lines[0].value == Fraction(19, 25) and "both suits" in str(both)
    with pytest.raises(ValueError, match="two suits"):
        both.chance(3)
    matchpoints = croupier.suit("AQT98", "5432", matchpoints=True).lines[-1]
    assert matchpoints.note is not None and "3.65 %" in matchpoints.note
    won = croupier.suit("AQ", "32", need=2).lines[0].layouts
    assert sum(layout.chance for layout in won) == Fraction(1, 2)
    wrong: list[dict[str, Any]] = [
        {"need": 2, "payoff": [0, 1]}, {"contract": "3N"}, {"outside": 7}, {"imps": True}, {"contract": "P", "outside": 7},
        {"condition": west.hcp > 9}, {"condition": west.hcp > 9, "suit": "H", "vacant": (9, 9)},
        {"second": ("AQ", "32")}, {"need": 5, "second": ("AQ", "32")},
        {"condition": west.hcp > 9, "suit": "H", "samples": 2_000_000},
        {"contract": "3N", "outside": 14}, {"vacant": (300, 0)}, {"entries": ("N", 300)},
    ]
    for arguments in wrong:
        with pytest.raises(ValueError):
            croupier.suit("AQ", "32", **arguments)
    with pytest.raises(croupier.DealError):
        croupier.suit("AQ", "32", condition="condition hascard(west, AH)", suit="H")
    book = croupier.suit_book(fit=9, missing="Q", split="4-5", plays=True)
    assert book[0].play and book[0].chances == croupier.suit(book[0].north, book[0].south).chances
    unknown: list[dict[str, Any]] = [{"missing": "T"}, {"split": "5"}, {"fit": 0}, {"fit": 14}]
    for kind in unknown:
        with pytest.raises(ValueError):
            croupier.suit_book(**kind)


def test_boards_are_bid() -> None:
    boards = croupier.bid([Board(DEAL, 1), DEAL])
    assert [board.number for board in boards] == [1, 2]
    assert boards[0].auction is not None and boards[0].auction[-3:] == ["Pass"] * 3 and boards[0].contract is not None
    assert boards == croupier.bid([Board(DEAL, 1), DEAL], threads=1)
    assert not croupier.bid(DEAL, notes=False)[0].notes
    with pytest.raises(ValueError, match="2/1, dutch"):
        croupier.bid(DEAL, system="nonsense")


NATURAL = Path(__file__).parents[2] / "examples" / "systems" / "natural.bid"


def test_deals_are_selected_by_their_auctions() -> None:
    script = 'condition bids("1N-P") and hcp(north) >= 14'
    result = croupier.deal(script, produce=3, seed=1, values={"contract": "contract()"}, threads=2)
    boards = croupier.bid([Board(deal, dealer="N", vulnerable="none") for deal in result.deals])
    assert [board.auction[:2] for board in boards if board.auction] == [["1NT", "Pass"]] * 3
    contracts = [board.contract for board in boards]
    expected = [0 if it is None else 5 * it.level + "CDHSN".index(str(it)[1]) for it in contracts]
    assert list(result["contract"]) == expected
    pair = croupier.deal(script, produce=3, seed=1, bidding_system=("2/1", "2/1"), threads=1)
    assert list(pair.deals) == list(result.deals)
    assert croupier.deal(script, produce=1, seed=1, bidding_system=NATURAL).complete
    with pytest.raises(ValueError, match='there is no system "nonsense"'):
        croupier.deal(script, produce=1, bidding_system="nonsense")


def test_a_file_of_rules_is_a_system() -> None:
    shown = croupier.infer("1N-P-2C", system=NATURAL)
    assert [call.meaning for call in shown.calls] == ["15-17, balanced", "any strength", "Stayman"]
    assert croupier.bid(DEAL, system=NATURAL)[0].auction
    with pytest.raises(ValueError, match="contradicts the auction: 1N shows 15-17, balanced"):
        croupier.infer("1N", system=NATURAL, known={"N": "AKQJ9.9.876.5432"})


def test_hands_of_an_auction_are_tabulated_and_dealt() -> None:
    shown = croupier.infer("1N-P-3N", known={"W": "KQJ4.T9.A2.87632"})
    found = shown.tables(honours=True, layouts=2, time=60)
    points = found.shares("N", "HCP")
    assert sorted(points) == [15, 16, 17]
    assert sum(points.values()) == pytest.approx(1)
    assert 0 < float(found.fitting) < 1
    assert {table.seat.value for table in found.tables} == {"N", "E", "S"}
    # West has the king of spades; the ace is with one of the others. Some of these shares are measured.
    assert sum(found.shares(seat, "AS").get(1, 0) for seat in "NES") == pytest.approx(1, abs=0.02)
    with pytest.raises(KeyError, match="KS"):
        found.shares("E", "KS")
    assert [len(found.layouts), str(found.layouts[0]["W"])] == [2, "KQJ4.T9.A2.87632"]
    assert found == shown.tables(honours=True, layouts=2, time=60)
    with pytest.raises(ValueError, match="time"):
        shown.tables(time=0)


def test_an_auction_shows_hands() -> None:
    shown = croupier.infer("1N-P-3N")
    assert [call.call for call in shown.calls] == ["1NT", "Pass", "3NT"] and shown.calls[0].seat is Seat.NORTH
    deals = croupier.deal(shown.script, produce=20, seed=1).deals
    assert all(14 <= deal.north.hcp <= 18 for deal in deals)
    found = croupier.deal(shown.conditions[Seat.NORTH], produce=20, seed=1).deals
    assert all(14 <= deal.north.hcp <= 18 for deal in found)
    with pytest.raises(ValueError, match="1N-1C"):
        croupier.infer("1N-1C")


SYSTEM = Path(__file__).parents[2] / "examples" / "systems" / "natural.bid"


def test_boards_are_bid_by_a_file_of_rules() -> None:
    deals = croupier.deal("condition 1", produce=20, seed=4).deals
    boards = croupier.bid(deals, system=SYSTEM)
    assert boards == croupier.bid(deals, system=SYSTEM, threads=1) != croupier.bid(deals)
    assert all(board.auction is not None and board.auction[-1] == "Pass" for board in boards)
    shown = croupier.infer("1N-P-2H", system=SYSTEM)
    assert shown.calls[0].meaning == "15-17, balanced" and shown.calls[2].is_alerted
    found = croupier.deal(shown.conditions[Seat.NORTH] & shown.conditions[Seat.SOUTH], produce=20, seed=1).deals
    assert all(15 <= deal.north.hcp <= 17 and deal.north.balanced and len(deal.south.spades) >= 5 for deal in found)
    assert found == croupier.deal(shown.script, produce=20, seed=1).deals
    with pytest.raises(FileNotFoundError):
        croupier.bid(DEAL, system=Path("missing.bid"))
    with pytest.raises(ValueError, match=r"Path\('my.bid'\)|Path\(\"my.bid\"\)"):
        croupier.bid(DEAL, system="my.bid")


def test_a_wrong_file_of_rules_is_an_error_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "wrong.bid"
    path.write_text('title "Wrong"\n1N: hcpp(me) >= 15\n')
    with pytest.raises(croupier.ScriptError) as wrong:
        croupier.bid(DEAL, system=path)
    assert (wrong.value.line, wrong.value.column) == (2, 5)


@pytest.mark.parametrize("auction", ["1N-P-3N", "1S-P-3S", "1H-P-2N", "1C-1S-2H", "2D-X-P-3C"])
def test_conditions_of_an_auction_stand_alone(auction: str) -> None:
    shown = croupier.infer(auction)
    for condition in shown.conditions.values():
        assert croupier.deal(condition, produce=2, seed=1).complete


def test_a_system_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "small.bid"
    rules = 'title "Small"\n1N: 15 <= hcp(me) <= 17 and balanced(me)\n1S: hcp(me) >= 12 and spades(me) >= 5\nP: hcp(me) < 12\n'
    path.write_text(rules)
    report = croupier.check_system(path, deals=500)
    opening = report.points[0]
    assert report.name == "Small" and opening.auction == "" and [rule.call for rule in opening.rules] == ["1N", "1S", "P"]
    exact = croupier.probability(north.hcp.between(15, 17) & north.balanced)
    assert opening.rules[0].share.value == pytest.approx(float(exact)) and opening.rules[0].line == 2
    assert opening in report.gaps and opening.gap_examples and opening.overlaps[0].lines == (2, 3)
    assert "Opening" in str(report) and "gap" in repr(report)
    report.write(tmp_path / "small.html")
    assert (tmp_path / "small.html").read_text().startswith("<!")
    (tmp_path / "new.bid").write_text(rules.replace("15 <= hcp(me) <= 17", "14 <= hcp(me) <= 16"))
    changes = croupier.check_system(path, tmp_path / "new.bid", deals=500)
    (point,) = [it for it in changes.points if it.auction == ""]
    assert {(it.before, it.after) for it in point.changes} >= {("1N", "P"), ("P", "1N")}


RESULTS = '''[Event "Club"]
[Board "1"]
[Vulnerable "None"]
[Deal "N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3"]
[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result"]
1 2 4S S 10
3 4 2S S 10
5 6 4S S 9
'''


def test_results_of_an_event(tmp_path: Path) -> None:
    (tmp_path / "club.pbn").write_text(RESULTS)
    found = croupier.results(tmp_path / "club.pbn")
    assert found.event == "Club" and found.scoring == "mp" and [it.score for it in found.tables] == [420, 170, -50]
    assert [it.points for it in found.traveller(1)] == [(4, 0), (2, 2), (0, 4)]
    assert str(found.tables[0].contract) == "4S-S=" and found.tables[1].tricks == 10
    assert (found.ranking[0].name, found.ranking[0].percent) == ("1", 100)
    assert found.to_frame("polars")["ns_points"].to_list() == [4, 2, 0]
    butler = croupier.results(tmp_path / "club.pbn", scoring="imps")
    assert butler.ranking[0].total == pytest.approx((6 + 10) / 2) and butler.ranking[0].percent is None
    found.write(tmp_path / "club.xml")
    assert [it.points for it in croupier.results(tmp_path / "club.xml").tables] == [it.points for it in found.tables]
    (tmp_path / "adjusted.pbn").write_text(RESULTS + "7 8 - - -\n")
    adjusted = croupier.results(tmp_path / "adjusted.pbn")
    assert adjusted.left_out == (1,) and found.left_out == () and adjusted.tables == found.tables
    with pytest.raises(ValueError, match="no results"):
        croupier.write(tmp_path / "a.pbn", DEAL)
        croupier.results(tmp_path / "a.pbn")
    with pytest.raises(ValueError, match="mp, imps"):
        croupier.results(tmp_path / "club.pbn", scoring="points")  # type: ignore[arg-type]


def test_what_a_format_cannot_hold_is_a_warning(tmp_path: Path) -> None:
    boards = croupier.bid([Board(DEAL, 1), Board(DEAL, 2)])
    croupier.write(tmp_path / "a.pbn", boards)
    with pytest.warns(UserWarning, match=r"no room for auction, play and result \(2 boards\)") as caught:
        croupier.convert(tmp_path / "a.pbn", tmp_path / "a.csv")
    assert caught[0].filename == __file__
    croupier.write(tmp_path / "b.dup", [DEAL] * 36)
    assert len(croupier.read(tmp_path / "b.dup")) == 36


def test_endings_are_written_and_read(tmp_path: Path) -> None:
    (board,) = croupier.read_text('[Board "1"]\n[Deal "N:AQ... 32... 54... KJ..."]\n')
    croupier.write(tmp_path / "a.pbn", board)
    assert croupier.read(tmp_path / "a.pbn")[0].hands == board.hands and "AQ..." in board.to_text()
    with pytest.raises(ValueError, match="not all cards are known"):
        croupier.write(tmp_path / "a.csv", [board])
    assert [it.name for it in tmp_path.iterdir()] == ["a.pbn"]


def test_scenarios_are_scripts() -> None:
    listed = {it.name: it for it in croupier.scenarios()}
    assert listed["stayman"].title == "Stayman" and 0.005 < listed["stayman"].probability < 0.02
    assert len(croupier.deal(croupier.scenario("stayman"), produce=3, seed=1)) == 3
    with pytest.raises(ValueError, match="nonsense"):
        croupier.scenario("nonsense")


def test_records_are_pdf_files(tmp_path: Path) -> None:
    croupier.record(tmp_path / "a.pdf", [Board(DEAL, 1)], title="Club", solve=True)
    croupier.record(tmp_path / "b.pdf", [DEAL], kind="practice", seats="NS", paper="letter")
    croupier.record(tmp_path / "c.pdf", [DEAL], kind="labels")
    croupier.record(tmp_path / "d.pdf", croupier.bid(DEAL), kind="lesson", parts=["auction"])
    assert all((tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF-") for name in "abcd")
    with pytest.raises(ValueError, match="auction, play and comments"):
        croupier.record(tmp_path / "e.pdf", [DEAL], kind="lesson", parts=["names"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="per_page"):
        croupier.record(tmp_path / "d.pdf", [DEAL], per_page=7)  # type: ignore[arg-type]


def test_files_are_converted(tmp_path: Path) -> None:
    croupier.write(tmp_path / "a.pbn", [Board(DEAL, 1), Board(DEAL, 2)])
    assert croupier.convert(tmp_path / "a.pbn", tmp_path / "a.lin") == 2
    assert [board.deal for board in croupier.read(tmp_path / "a.lin")] == [croupier.Deal(DEAL)] * 2


def test_levels_and_mixtures() -> None:
    script = "weak = hcp(north) < 8\nstrong = hcp(north) > 15\ncondition weak or strong"
    levelled = croupier.deal(script, level={"weak": 1, "strong": 3}, produce=40, seed=1)
    assert Counter(deal.north.hcp > 15 for deal in levelled.deals) == {True: 30, False: 10}
    mixed = croupier.deal(north.hcp > 15, mix=[(north.hcp < 8, 1)], produce=40, seed=1)
    assert Counter(deal.north.hcp > 15 for deal in mixed.deals) == {True: 20, False: 20}


def test_a_tournament_has_a_key_and_a_commitment() -> None:
    result = croupier.deal("condition 1", produce=4, tournament=True)
    assert result.key is not None and result.commitment is not None
    again = croupier.deal("condition 1", produce=4, tournament=result.key)
    assert again.deals == result.deals and again.commitment == result.commitment
    assert croupier.deal("condition 1", produce=4, seed=1).key is None


def test_probabilities_with_predealt_cards() -> None:
    exact = croupier.probability(north.aces == 4, predeal={"N": "SA HA DA"})
    assert exact == Fraction(10, 49)
