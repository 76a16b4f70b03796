"""Double dummy, par, leads, contracts, probabilities, profiles, poker."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy
import polars
import pytest

import croupier
from croupier import Deal, Hand, Seat, Strain, north

#: Thirteen tricks for North-South in notrump; spades lose one to JT98.
GRAND = Deal("N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432")


def test_solving_answers_what_is_asked() -> None:
    tricks = croupier.solve(GRAND)
    assert tricks["S", "NT"] == 13 and tricks[Seat.EAST, Strain.NOTRUMP] == 0 and len(tricks.to_dict()) == 20
    some = croupier.solve([GRAND, GRAND.rotated()], strains=["NT", "S"], declarers="NS")
    assert len(some) == 2 and len(some[0].to_dict()) == 4 and some[0]["N", "NT"] == 13
    assert some[1]["N", "NT"] == 0 and croupier.solve(GRAND.rotated())["E", "NT"] == 13
    with pytest.raises(KeyError, match="not asked"):
        some[0]["E", "NT"]
    with pytest.raises(IndexError):
        some[2]
    with pytest.raises(ValueError, match="strain"):
        croupier.solve(GRAND, strains="X")


def test_solutions_are_columns() -> None:
    deals = croupier.deal("condition 1", produce=6, seed=1).deals
    solutions = croupier.solve(deals, strains="NT", threads=2)
    frame = polars.DataFrame(solutions)
    assert frame.columns == ["north_notrump", "east_notrump", "south_notrump", "west_notrump"]
    assert frame["south_notrump"].to_list() == [it["S", "NT"] for it in solutions]
    assert croupier.solve(deals.masks, strains="NT") == solutions == croupier.solve(list(deals), strains="N", threads=1)
    # One declarer alone, which is a separate search.
    alone = croupier.solve(deals, strains="NT", declarers="S")
    assert [it["S", "N"] for it in alone] == [it["S", "N"] for it in solutions]


def test_par() -> None:
    # The example in the documentation of `solver::par`.
    ns, ew = "5,7,6,9,5", "8,5,7,4,7"
    par = croupier.par(croupier.Tricks(",".join([ns, ew, ns, ew])))
    assert par.score == 140 and str(par.contracts[0]) == "3S-N" and "3S by NS" in str(par)
    assert croupier.par(GRAND, "both").score == 2220
    with pytest.raises(ValueError, match="all declarers"):
        croupier.par(croupier.solve(GRAND, strains="N"))


def test_leads_against_a_grand_slam_and_a_game() -> None:
    hand = Hand("QJT98.A2.K543.72")
    leads = croupier.lead(hand, "3N-S", north.hcp.between(8, 12), deals=20, seed=1)
    first, last = leads[0].imps, leads[-1].imps
    assert len(leads) == 7 and leads.layouts == 20 and first is not None and last is not None and first[0] >= last[0]
    assert 0 <= leads[0].sets[1] <= leads[0].sets[0] <= leads[0].sets[2] <= 1
    quick = croupier.lead(hand, "3N-S", north.hcp.between(8, 12), deals=20, seed=1, sets_only=True)
    assert {str(it.cards): it.sets[0] for it in quick} == {str(it.cards): it.sets[0] for it in leads}
    frame = leads.to_frame("polars")
    names = ["tricks", "sets", "score", "imps", "matchpoints"]
    assert frame.columns == ["lead", *(name + end for name in names for end in ("", "_low", "_high"))]
    assert "SQJT98" in frame["lead"].to_list()
    assert "<table>" in leads._repr_html_() and "against 3N-S" in repr(leads)
    value, low, high = leads[0].tricks or (0.0, 0.0, 0.0)
    decimals = 1 if high - low >= 1 else 2
    shown = f"{value:.{decimals}f} ({low:.{decimals}f} to {high:.{decimals}f})"
    assert shown in leads._repr_html_() and shown in str(leads) and frame["tricks_low"][0] == round(low, decimals)
    assert f"{value:.4f} ({low:.4f} to {high:.4f})" in leads.text(digits=4)
    assert leads.to_frame("polars", digits=5)["tricks_high"][0] == round(high, 5)
    with pytest.raises(ValueError, match="13 cards"):
        croupier.lead("QJT98...", "3N-S")
    with pytest.raises(croupier.DealError, match="none of"):
        croupier.lead(hand, "3N-S", "condition hcp(west) == 37", generate=1000)


def test_contracts_on_the_same_deals() -> None:
    compared = croupier.compare(["3N-S", "4S-S"], given=[GRAND, GRAND])
    assert compared[0].tricks[0] == 13 and compared[0].made[0] == 1 and compared.deals == 2
    assert compared[0].score[0] == 520 and compared[1].score[0] == 480 and str(compared.best) == "3N-S"
    assert compared.to_frame("polars")["imps against 3N-S"].to_list() == [0.0, -1.0]
    dealt = croupier.compare(["2S", "3N"], "condition hcp(south) + hcp(north) == 25", deals=5, seed=2)
    assert dealt.deals == 5
    with pytest.raises(ValueError, match="at least two"):
        croupier.compare(["3N"], given=[GRAND])
    with pytest.raises(ValueError, match="one of them"):
        croupier.compare(["3N", "4S"])


def test_a_precision_ends_a_study() -> None:
    condition = "condition hcp(south) >= 15 and hcp(south) <= 17 and hcp(north) >= 10 and spades(north) == 5"
    precise = croupier.compare(["3N", "4S-N"], condition, precision="9%", control=4000, seed=1)
    # As many as `croupier compare --precision 9% --control 4000` solves and screens.
    assert (precise.deals, precise.screened) == (220, 955)
    assert all(it.made[2] - it.made[1] <= 0.18 + 1e-9 for it in precise)
    again = croupier.compare(["3N", "4S-N"], condition, precision="9%", control=4000, seed=1, threads=1)
    assert [it.score for it in again] == [it.score for it in precise]
    few = croupier.lead("KQJ4.T9.A2.87632", "3N-S", north.hcp.between(8, 12), deals=10, control=300, seed=1)
    assert few.layouts == 10
    with pytest.raises(ValueError, match="positive number with a unit"):
        croupier.compare(["3N", "4S"], condition, precision="9 tables")
    with pytest.raises(ValueError, match="leave precision and control out"):
        croupier.lead("KQJ4.T9.A2.87632", "3N-S", precision="9%", sets_only=True)


def test_probabilities_are_exact_fractions() -> None:
    assert croupier.probability("spades(north) == 7") == Fraction(comb(13, 7) * comb(39, 6), comb(52, 13))
    assert croupier.probability(north.spades == 7) == croupier.probability("condition spades(north) == $1", _1=7)
    assert croupier.probability("condition 1") == 1
    with pytest.raises(croupier.ScriptError):
        croupier.probability("spades(norht) == 7")


def test_what_cannot_be_counted_is_tried() -> None:
    found = croupier.probability("hcp(north) > 12 and cccc(north) > hcp(south) * 100", samples=150_000, seed=3)
    assert isinstance(found, croupier.Estimate) and found.tried == 150_000
    low, high = found.interval()
    assert low < float(found) < high <= float(found.bound)
    first = croupier.probability("hcp(north) > 12 and cccc(north) > hcp(south) * 100", samples=100_000, seed=3)
    assert isinstance(first, croupier.Estimate) and first.passed < found.passed


def test_profiles() -> None:
    profile = {
        "profile_name": "North has six spades and 10 to 12 points",
        "dealer": "N",
        "seat_profiles": {
            "N": {"subprofiles": [{"standard": {"spades": {"min_cards": 6, "max_cards": 6}, "total_min_hcp": 10, "total_max_hcp": 12}}]}
        },
    }
    boards = croupier.profile(profile, 5, seed=1, rotate=False)
    assert len(boards) == 5 and [board.number for board in boards] == [1, 2, 3, 4, 5]
    assert all(len(b.deal.north.spades) == 6 and 10 <= b.deal.north.hcp <= 12 for b in boards)
    assert croupier.profile(profile, 5, seed=1, rotate=False) == boards
    with pytest.raises(ValueError):
        croupier.profile("not a profile")
    with pytest.raises(ValueError, match="strategy"):
        croupier.profile(profile, strategy="nonsense")
    with pytest.raises(FileNotFoundError):
        from pathlib import Path

        croupier.profile(Path("missing.toml"))


def test_poker_hands() -> None:
    royal = croupier.poker.evaluate("As Ks Qs Js Ts")
    assert royal.rank == 0 and royal < croupier.poker.evaluate("2c 3d 4h 5s 7c")
    assert croupier.poker.evaluate("2c 3d 4h 5s 7c").rank == 7461 == int(croupier.poker.evaluate("7c 2c 3d 4h 5s"))
    rng = numpy.random.default_rng(1)
    masks = numpy.array([sum(1 << int(c) for c in rng.choice(52, 7, replace=False)) for _ in range(300)], dtype=numpy.uint64)
    ranks = croupier.poker.evaluate(masks)
    assert ranks.dtype == numpy.uint16 and ranks.shape == (300,)
    for mask, rank in zip(masks, ranks, strict=True):
        cards = "".join("23456789TJQKA"[i % 13] + "cdhs"[i // 13] for i in range(52) if int(mask) >> i & 1)
        assert croupier.poker.evaluate(cards).rank == rank
    mixed = numpy.array([masks[0], masks[0] & (masks[0] - numpy.uint64(1))], dtype=numpy.uint64)
    assert croupier.poker.evaluate(mixed)[0] == ranks[0]
    with pytest.raises(ValueError, match="hand 0"):
        croupier.poker.evaluate(numpy.array([7], dtype=numpy.uint64))
    with pytest.raises(TypeError):
        croupier.poker.evaluate(numpy.array([1.5]))


def test_poker_equity() -> None:
    # Aces against kings: 1,410,336 + ... of 1,712,304 boards each; well known as 81.95 %.
    found = croupier.poker.equity("AhAd", "KhKd")
    assert found.exact and found.deals == 1_712_304 and found[0].equity == pytest.approx(0.8264, abs=2e-3)
    assert found[0].equity + found[1].equity == pytest.approx(1) and len(found) == 2
    simulated = croupier.poker.equity("AhAd", "KhKd", method="simulate", samples=200_000, seed=1)
    assert not simulated.exact and simulated[0].interval is not None
    assert simulated[0].interval[0] < found[0].equity < simulated[0].interval[1]
    for share, interval in [
        (simulated[0].win, simulated[0].win_interval),
        (simulated[0].tie, simulated[0].tie_interval),
    ]:
        assert interval is not None and interval[0] <= share <= interval[1]
    assert simulated._repr_html_().count(" to ") == 6 and found._repr_html_().count(" to ") == 0
    assert found[0].win_interval is None and found[0].tie_interval is None
    assert croupier.poker.equity("AhAd", "KhKd", board="Kc 2d 7s")[1].equity > 0.9
    with pytest.raises(ValueError):
        croupier.poker.equity("AhAd", "nonsense")
    with pytest.raises(ValueError, match="players"):
        croupier.poker.equity("AhAd")
