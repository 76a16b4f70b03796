"""Functions for the subcommands of the programs: suit play, auctions, scenarios, records, conversion, levels, mixtures, tournaments."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import croupier
from croupier import Board, Seat, north

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


def test_boards_are_bid() -> None:
    boards = croupier.bid([Board(DEAL, 1), DEAL])
    assert [board.number for board in boards] == [1, 2]
    assert boards[0].auction is not None and boards[0].auction[-3:] == ["Pass"] * 3 and boards[0].contract is not None
    assert boards == croupier.bid([Board(DEAL, 1), DEAL], threads=1)
    assert not croupier.bid(DEAL, notes=False)[0].notes
    with pytest.raises(ValueError, match="2/1, dutch"):
        croupier.bid(DEAL, system="nonsense")


def test_an_auction_shows_hands() -> None:
    shown = croupier.infer("1N-P-3N")
    assert [call.call for call in shown.calls] == ["1NT", "Pass", "3NT"] and shown.calls[0].seat is Seat.NORTH
    deals = croupier.deal(shown.script, produce=20, seed=1).deals
    assert all(14 <= deal.north.hcp <= 18 for deal in deals)
    found = croupier.deal(shown.conditions[Seat.NORTH], produce=20, seed=1).deals
    assert all(14 <= deal.north.hcp <= 18 for deal in found)
    with pytest.raises(ValueError, match="1N-1C"):
        croupier.infer("1N-1C")


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
    assert all((tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF-") for name in "abc")
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
