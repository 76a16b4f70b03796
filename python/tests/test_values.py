"""Cards, hands, deals, contracts and scores as values."""

from __future__ import annotations

import copy
import pickle

import pytest

import croupier
from croupier import Board, Card, Contract, Deal, Deals, Hand, Score, Seat, Side, Strain, Suit, Tricks, Vulnerability

from conftest import DEAL

VALUES = [
    Card("SA"),
    Hand("AK842.QJ5.KT9.72"),
    Deal(DEAL),
    Board(DEAL, 7),
    Contract("4Sx-N"),
    Contract("3N"),
    Score(-50),
    Tricks(",".join(["7"] * 19 + ["-"])),
    Seat.NORTH,
    Suit.HEARTS,
    Strain.NOTRUMP,
    Side.EAST_WEST,
    Vulnerability.BOTH,
    Deals([DEAL]),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_survive_pickling_and_copying(value: object) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert copy.deepcopy(value) == value


@pytest.mark.parametrize("value", VALUES[:-1], ids=lambda value: type(value).__name__)
def test_equal_values_have_equal_hashes_and_differ_from_others(value: object) -> None:
    again = pickle.loads(pickle.dumps(value))
    assert hash(again) == hash(value) and {value: 1}[again] == 1
    assert value != "something else" and value is not None


@pytest.mark.parametrize("value", VALUES[:8] , ids=lambda value: type(value).__name__)
def test_repr_is_python_where_the_value_is_a_text(value: object) -> None:
    if isinstance(value, Board):
        assert "Board 7" in repr(value)
    else:
        assert eval(repr(value), vars(croupier)) == value


@pytest.mark.parametrize("text", ["SA", "AS", "as", "♠A", "A♠"])
def test_a_card_in_every_notation(text: str) -> None:
    card = Card(text)
    assert card == Card("SA") and (card.suit, card.rank, card.index) == (Suit.SPADES, "A", 51)


def test_tens_are_tens() -> None:
    assert Card("10h") == Card("HT") == Card("th")
    assert Card("C2") < Card("D2") < Card("SA")


@pytest.mark.parametrize(
    "text",
    ["AK842.QJ5.KT9.72", "ak842.qj5.k109.72", "AK842 QJ5 KT9 72", "SAK842,HQJ5,DKT9,C72", "♠AK842 ♥QJ5 ♦KT9 ♣72", "SAK842HQJ5DKT9C72"],
)
def test_a_hand_in_every_notation(text: str) -> None:
    hand = Hand(text)
    assert str(hand) == "AK842.QJ5.KT9.72" and len(hand) == 13
    assert (hand.hcp, hand.controls, hand.losers, hand.ltc, hand.cccc) == (13, 4, 7, 7.0, 13.85)
    assert hand.shape == (5, 3, 3, 2) and hand.balanced


def test_a_hand_is_a_set_of_cards() -> None:
    hand = Hand("AKQ.JT9..8765432")
    assert hand.spades == "AKQ" and hand["D"] == "" and hand.length(Suit.CLUBS) == 7
    assert "SA" in hand and Card("DA") not in hand and "nonsense" not in hand
    assert list(hand)[0] == Card("SA") and Hand(hand.cards) == hand and Hand.from_mask(hand.mask) == hand
    assert hand - Hand("AKQ...") == Hand(".JT9..8765432") and (hand & "AKQ...") == Hand("AKQ...")
    assert not Hand("...") and (Hand("A...") | Hand("K...")) == Hand("AK...")


@pytest.mark.parametrize(
    ("text", "what"),
    [("AK842.QJ5", "four suits"), ("AKX.2.3.4", "not a rank"), ("AA...", "twice"), ("AKQJT98765432.A..", "at most 13")],
)
def test_wrong_hands_say_what_is_wrong(text: str, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        Hand(text)


def test_wrong_types_are_type_errors() -> None:
    for wrong in (lambda: Hand(5), lambda: Deal(5), lambda: Card(5), lambda: croupier.solve(5), lambda: Score([])):  # type: ignore[arg-type,call-overload]
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(TypeError, match="seat"):
        Deal(DEAL)[5]  # type: ignore[index]
    with pytest.raises(ValueError, match="seat"):
        Deal(DEAL)["Q"]


def test_a_deal_in_every_notation(deal: Deal) -> None:
    east_first = "E:QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7 AKJ.KQJ.A9873.Q9"
    for text in (east_first, str(deal), *(deal.to_text(name) for name in ("pbn", "lin", "oneline", "compact", "all", "csv", "json"))):
        assert Deal(text) == deal
    assert Deal(north=deal.north, east=deal.east, west=deal.west) == deal
    assert Deal.from_masks(deal.masks) == deal and Deal(Board(deal)) == deal


def test_a_deal_answers_questions(deal: Deal) -> None:
    assert deal["N"] == deal[Seat.NORTH] == deal.north and deal.hands[2] == deal.south
    assert deal.holder("SA") is Seat.NORTH and deal.holder(Card("CA")) is Seat.WEST
    assert deal.rotated(1).east == deal.north and deal.rotated(-1).west == deal.north
    assert deal.swapped("N", "S").north == deal.south


def test_wrong_deals_say_what_is_wrong(deal: Deal) -> None:
    with pytest.raises(ValueError, match="four hands"):
        Deal("N:AKJ.KQJ.A9873.Q9")
    with pytest.raises(ValueError, match="both hold"):
        Deal(north=deal.north, east=deal.north, south=deal.south)
    with pytest.raises(ValueError, match="at least three"):
        Deal(north=deal.north)
    with pytest.raises(ValueError, match="more than one"):
        Deal(deal.to_text() + deal.to_text())


def test_seats_suits_and_strains() -> None:
    assert [seat.value for seat in Seat] == ["N", "E", "S", "W"]
    assert Seat("north") is Seat("n") is Seat.NORTH and Seat.NORTH.partner is Seat.SOUTH and Seat.WEST.next is Seat.NORTH
    assert Suit("♥") is Suit("heart") is Suit.HEARTS and Suit.CLUBS < Suit.SPADES and Suit.SPADES.strain is Strain.SPADES
    assert Strain("NT") is Strain("notrump") is Strain.NOTRUMP and Strain.NOTRUMP.suit is None
    assert Vulnerability("all") is Vulnerability.BOTH and Vulnerability("NS").includes(Seat.SOUTH)
    assert not Vulnerability.EAST_WEST.includes("NS") and Side("ns").opponents is Side.EAST_WEST
    with pytest.raises(ValueError):
        Seat("Q")


def test_contracts_and_scores() -> None:
    contract = Contract("4Sx by north")
    assert (contract.level, contract.strain, contract.doubled, contract.declarer) == (4, Strain.SPADES, 1, Seat.NORTH)
    assert contract.tricks_needed == 10 and str(contract) == "4Sx-N"
    assert Contract("3NT").declarer is None and Contract("3N", "W") == Contract("3NT-W")
    assert Contract("4S").score(10) == 420 and Contract("4S").score(10, True) == 620
    assert Contract("4Sx-N").score(8, "NS") == -500 and Contract("4Sx-N").score(8, Vulnerability.EAST_WEST) == -300
    with pytest.raises(ValueError, match="declarer"):
        Contract("4S").score(10, "NS")
    with pytest.raises(ValueError, match="not a contract"):
        Contract("8S")
    assert Score(620) - Score(170) == 450 and Score("620").imps(170) == 10 and -Score(50) == -50
    assert Score(50) < Score(90) and Score(90) > 50 and int(Score(90)) == 90 and hash(Score(90)) == hash(90)
    assert str(Score(90)) == "+90" and list(range(3))[Score(1)] == 1


def test_notebooks_show_diagrams(deal: Deal) -> None:
    html = deal._repr_html_()
    assert html.startswith("<div") and "♠ AKJ" in html.replace("</span>", "") and html.count("<div") == html.count("</div>")
    assert "10" in html
    board = Board(deal, 2)._repr_html_()
    assert "Board 2" in board and "Dealer East" in board and "N-S vulnerable" in board
    assert "<th>NT</th>" in Tricks(",".join(["7"] * 20))._repr_html_()
    assert "4" in Contract("4Hx-N")._repr_html_() and "♥" in Contract("4Hx-N")._repr_html_()


def test_values_are_valued_by_every_method(deal: Deal) -> None:
    rows = croupier.value(deal.north)
    total = {row["valuation"]: row["value"] for row in rows if row["part"] == "total" and row["suit"] is None}
    assert total["hcp"] == 20 and total["cccc"] == deal.north.cccc and total["controls"] == deal.north.controls
    assert {row["whose"] for row in croupier.value(deal)} >= {"N", "E", "S", "W", "NS", "EW"}
    assert "zar" in croupier.metrics()
    # The documentation of the valuation crate: both hands in notrump, both in their spade fit.
    pair = Deal("N:AQ963.K.KJ752.84 2.QT984.AQT.AKJ5 KT74.AJ65.8.Q732 J85.732.9643.T96")
    assert croupier.metric("bergen", pair, side="NS", strain="N") == 22
    assert croupier.metric("bergen", pair, side="NS") == 31
    assert croupier.metric("bergen", [pair.north, pair.south]) == 31
    with pytest.raises(ValueError, match="no metric"):
        croupier.metric("nonsense", pair)
    with pytest.raises(ValueError, match="13 cards"):
        croupier.value("AK...")


def test_scores_add_up() -> None:
    total = sum([Score(1), Score(2)])
    assert total == Score(3) and isinstance(total, Score) and 10 - Score(4) == 6


@pytest.mark.parametrize(
    ("text", "same"),
    [("4HxN", "4Hx-N"), ("4HNx=", "4Hx-N="), ("3NS-1", "3N-S-1"), ("3NTW+2", "3N-W+2"), ("4S-2", "4S-2"), ("6♥ by north", "6H-N"), ("pass", "Pass"), ("3NN", "3N-N"), ("2C*E", "2Cx-E")],
)
def test_contracts_in_every_notation(text: str, same: str) -> None:
    assert Contract(text) == Contract(same) and str(Contract(text)) == same


def test_results_of_contracts() -> None:
    assert Contract("4HNx=").result == 10 and Contract("3NS-1").score() == -50 and Contract("3NT").result is None
    assert Contract("Pass").is_pass and Contract("Pass").score() == 0 and Contract("Pass").level == 0
    for wrong in ("4Sxxx", "4S+4", "4SQ", "S4", "3N-Q", ""):
        with pytest.raises(ValueError, match="not a contract"):
            Contract(wrong)
    with pytest.raises(ValueError, match="tricks"):
        Contract("4S").score()
    with pytest.raises(ValueError, match="tricks"):
        Contract("4S").score(14)


def test_seats_ranks_and_contracts_are_ordered() -> None:
    assert sorted([Seat.WEST, Seat.NORTH, Seat.SOUTH]) == [Seat.NORTH, Seat.SOUTH, Seat.WEST]
    contracts = [Contract(text) for text in ("4S", "3N", "Pass", "4Sx", "1C")]
    assert [str(it) for it in sorted(contracts)] == ["Pass", "1C", "3N", "4S", "4Sx"]
    assert max(Card("H2"), Card("HT")) == Card("HT")


def test_texts_for_people(deal: Deal) -> None:
    shown = deal.show(2).splitlines()
    assert shown[0].startswith("Board 2") and "♠ AKJ" in shown[0] and shown[1].startswith("East deals") and len(shown) == 12
    assert str(croupier.solve(deal, strains="NS", declarers="N")).splitlines()[0].split() == ["NT", "S", "H", "D", "C"]
    assert [str(hand) for hand in deal] == [str(hand) for hand in deal.hands]
    batch = croupier.evaluate([deal], {"points": croupier.north.hcp})
    assert repr(batch) == "<croupier.Batch: 1 deals, points>"


def test_sequences_behave_as_sequences() -> None:
    result = croupier.deal("condition 1", produce=6, seed=1, values={"p": croupier.north.hcp})
    strong = result.deals[result["p"] > 9]
    assert [deal.north.hcp > 9 for deal in strong] == [True] * len(strong)
    assert result.deals[[0, -1]][1] == result.deals[5] and result.deals[::2][1] == result.deals[2]
    solutions = croupier.solve(result, strains="N", declarers=Side("NS"))
    assert len(solutions[1:3]) == 2 and solutions[1:3][0] == solutions[1] and solutions[-1] == solutions[5]
    assert solutions.to_frame("polars").columns == ["north_notrump", "south_notrump"]
    with pytest.raises(IndexError, match="mask"):
        result.deals[[True]]
    with pytest.raises(IndexError, match="no deal 6"):
        solutions[6]


def test_declarers_may_be_a_side(deal: Deal) -> None:
    by_side = croupier.solve(deal, strains="N", declarers=Side("NS"))
    assert by_side == croupier.solve(deal, strains="N", declarers="NS")


def test_columns_become_frames() -> None:
    import polars

    columns = croupier.deal("condition 1", produce=3, seed=1).columns
    assert columns.to_frame("polars").equals(polars.DataFrame(columns)) and list(columns) == columns.names


def test_only_public_names_are_listed() -> None:
    assert dir(croupier) == sorted(croupier.__all__) and "annotations" not in dir(croupier)


def test_ranks_are_ordered_and_equal_their_letters() -> None:
    ace, king = Card("SA").rank, Card("H10").rank
    assert ace > king == "T" and ace is croupier.Rank("ace") and croupier.Rank("10") is king
    assert sorted(card.rank for card in Hand("A2.T.K.Q")) == ["2", "T", "Q", "K", "A"]
    assert f"{ace}" == "A" and ace > "K" and hash(ace) == hash("A") and pickle.loads(pickle.dumps(ace)) is ace
    with pytest.raises(ValueError, match="'X' is not a valid Rank"):
        croupier.Rank("X")
