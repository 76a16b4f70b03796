"""Conditions written in Python are expressions of the language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import croupier
from croupier import all_of, any_of, east, ew, expression, north, ns, south, west

SAME = [
    (north.hcp.between(15, 17) & north.balanced, "hcp(north) >= 15 and hcp(north) <= 17 and shape(north, any 4333 + any 4432 + any 5332)"),
    ((north.hcp + south.hcp >= 25) | ~(east.spades == 5), "hcp(north) + hcp(south) >= 25 or not (spades(east) == 5)"),
    (ns.hcp - ew.hcp > 2 * west.clubs, "hcp(north) + hcp(south) - (hcp(east) + hcp(west)) > 2 * clubs(west)"),
    (ns.fit("H") & (ns.length("S") < 8), "hearts(north) + hearts(south) >= 8 and spades(north) + spades(south) < 8"),
    (north.holds("SA") & north.holds(croupier.Card("HK")), "hascard(north, AS) and hascard(north, KH)"),
    (north.losers.isin([5, 6]), "losers(north) == 5 or losers(north) == 6"),
    (north.losers.isin(5, 6), "losers(north) == 5 or losers(north) == 6"),
    ((north.hcp - south.hcp) * 2 > -3, "(hcp(north) - hcp(south)) * 2 > -3"),
    (north.points("S") + north.quality("S") // 1 > 9, "hcp(north, spades) + quality(north, spades) / 100 > 9"),
    (north.cccc > 12.5, "cccc(north) > 1250"),
    (north.ltc + south.ltc <= 14.5, "ltc(north) + ltc(south) <= 1450"),
    (ns.spades + ns.hearts >= 16, "spades(north) + spades(south) + hearts(north) + hearts(south) >= 16"),
    (north.honours("S") >= 3, "top5(north, spades) >= 3"),
    (north.honours("S", "AQ") == 2, "aces(north, spades) + queens(north, spades) == 2"),
    (abs(north.hcp - south.hcp) < 3, "abs(hcp(north) - hcp(south)) < 3"),
    (ns.hcp / 2 >= 12.5, "hcp(north) + hcp(south) >= 25"),
    (north.count(4.5, 3, 1.5, 0.75, 0.25) >= 15, "18 * aces(north) + 12 * kings(north) + 6 * queens(north) + 3 * jacks(north) + tens(north) >= 60"),
    (ns.metric("zar") >= 50, "metric(zar, NS) >= 50"),
    (ns.opc() >= 25, "opc(NS) >= 2500"),
    (north.shape("5M(332)"), "shape{north, 5M(332)}"),
    (north.shape("(54)xx - (54)(40)"), "shape(north, 54xx + 45xx - 5440 - 5404 - 4540 - 4504)"),
    (north.shape("(32)(53)"), "shape(north, 3253 + 3235 + 2353 + 2335)"),
    ((north.hcp - south.hcp) // 2 == -2, "hcp(north) - hcp(south) == -4 or hcp(north) - hcp(south) == -3"),
    ((north.hcp - south.hcp) % 5 == 3, "(hcp(north) - hcp(south) + 40) % 5 == 3"),
    (sum(player.aces for player in (north, south)) == 4, "aces(north) + aces(south) == 4"),
    (any_of(north.shape("any 7xxx"), expression("hcp(north) > 20 or hcp(south) > 20")) & (west.controls > 2), "(shape(north, any 7xxx) or hcp(north) > 20 or hcp(south) > 20) and controls(west) > 2"),
    (all_of(north.aces == 2, (north.hcp > 12).if_else(north.spades, north.hearts) > 4), "aces(north) == 2 and (hcp(north) > 12 ? spades(north) : hearts(north)) > 4"),
    (-north.hcp < -20, "0 - hcp(north) < -20"),
    (30 - north.hcp < 12, "30 - hcp(north) < 12"),
    (north.semibalanced & (north.top5 % 2 == 0), "shape(north, any 4333 + any 4432 + any 5332 + any 5422 + any 6322) and top5(north) % 2 == 0"),
]


@pytest.mark.parametrize(("written", "text"), SAME, ids=range(len(SAME)))
def test_the_same_deals_as_the_script(written: croupier.Expression, text: str) -> None:
    ours = croupier.deal(written, produce=30, seed=3)
    theirs = croupier.deal(f"condition {text}", produce=30, seed=3)
    assert ours.deals == theirs.deals and len(ours) == 30


def test_no_truth_value_before_the_deal() -> None:
    with pytest.raises(TypeError, match="between"):
        bool(10 <= north.hcp <= 12)
    with pytest.raises(TypeError, match="truth value"):
        _ = north.balanced and south.balanced
    with pytest.raises(TypeError):
        north.hcp & 5  # type: ignore[operator]
    with pytest.raises(TypeError):
        north.hcp + "5"  # type: ignore[operator]
    with pytest.raises(ValueError):
        north.length("X")


def test_values_become_columns() -> None:
    result = croupier.deal(north.hcp >= 15, produce=50, seed=1, values={"points": north.hcp, "fit": "spades(north) + spades(south)"})
    assert result.columns.names == ["number", "north", "east", "south", "west", "points", "fit"]
    for deal, points, fit in zip(result.deals, result["points"], result["fit"], strict=True):
        assert points == deal.north.hcp and fit == len(deal.north.spades + deal.south.spades)


def test_values_beside_the_scripts_own_use_its_names() -> None:
    script = "total = hcp(north) + hcp(south) condition total > 24 action average \"total\" total"
    result = croupier.deal(script, produce=40, seed=2, values={"again": "total", "spades": north.spades})
    assert result.columns.names[5:] == ["total", "again", "spades"]
    assert result["total"].tolist() == result["again"].tolist()
    assert result["total"].mean() == pytest.approx(result.tables["total"].mean)


def test_any_deals_can_be_evaluated(deal: croupier.Deal) -> None:
    batch = croupier.evaluate([deal, deal.rotated(1)], {"n": north.hcp, "tricks": south.tricks("NT")})
    assert batch["n"].tolist() == [20, deal.west.hcp]
    assert batch["tricks"].tolist()[0] == croupier.solve(deal)["S", "NT"]


@pytest.mark.parametrize("wrong", [
    lambda: north.hcp.between(12.5, 14),
    lambda: north.hcp > 12.5,
    lambda: north.cccc > 12.345,
    lambda: north.hcp.isin([10, 11.5]),
    lambda: north.hcp >= float("nan"),
    lambda: north.shape("4444"),
    lambda: north.shape("5M(33"),
    lambda: north.shape("(54)x"),
    lambda: north.honours("S", "AX"),
    lambda: north.metric("nonsense"),
])
def test_impossible_numbers_and_shapes_are_errors_at_once(wrong: Callable[[], object]) -> None:
    with pytest.raises(ValueError):
        wrong()


@pytest.mark.parametrize("wrong", [
    lambda: north.hcp == None,  # noqa: E711
    lambda: north.hcp.between(None, 3),  # type: ignore[arg-type]
    lambda: north.hcp > "5",  # type: ignore[operator]
    lambda: all_of(None),  # type: ignore[arg-type]
    lambda: all_of([north.hcp > 3, None]),  # type: ignore[list-item]
    lambda: expression(None),  # type: ignore[arg-type]
    lambda: north.shape(None),  # type: ignore[arg-type]
    lambda: north.hcp / south.hcp,  # type: ignore[operator]
    lambda: croupier.deal(None),  # type: ignore[arg-type]
])
def test_none_and_other_types_are_errors(wrong: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        wrong()


def test_conditions_in_lists_and_generators() -> None:
    listed = all_of([north.hcp >= 10, south.hcp >= 10])
    generated = all_of(player.hcp >= 10 for player in (north, south))
    assert str(listed) == str(generated) == str((north.hcp >= 10) & (south.hcp >= 10))
    assert str(any_of([])) == "0" and str(all_of()) == "1"


def test_values_are_on_the_scale_that_python_users_see() -> None:
    values = {"k": north.cccc, "l": north.ltc, "q": north.quality("S"), "half": north.hcp / 2, "n": north.hcp, "own": north.count(1.5)}
    result = croupier.deal(north.hcp >= 8, produce=30, seed=1, values=values)
    for deal, k, l, q, half, own in zip(result.deals, *(result[name] for name in ("k", "l", "q", "half", "own")), strict=True):
        hand = deal.north
        assert (k, l, q) == (hand.cccc, hand.ltc, hand.quality("S")) and half == hand.hcp / 2
        assert own == 1.5 * sum(1 for card in hand if card.rank == "A")
    assert result["n"].dtype == "int32" and result["k"].dtype == "float64"


def test_scores_and_par_as_expressions(deal: croupier.Deal) -> None:
    tricks = croupier.solve(deal)
    values = {
        "par": ns.par("NS"),
        "game": croupier.score("4S", north.tricks("S"), vulnerable=True),
        "imps": (croupier.score("4S", north.tricks("S")) - croupier.score("3N", north.tricks("N"))).imps(),
        "best": ns.tricks("S"),
    }
    batch = croupier.evaluate(deal, values)
    spades, notrump = croupier.Contract("4S-N").score(tricks["N", "S"]), croupier.Contract("3N-N").score(tricks["N", "N"])
    assert batch["par"].tolist() == [croupier.par(tricks, "NS").score]
    assert batch["game"].tolist() == [croupier.Contract("4S-N").score(tricks["N", "S"], True)]
    assert batch["imps"].tolist() == [spades.imps(notrump)]
    assert batch["best"].tolist() == [max(tricks["N", "S"], tricks["S", "S"])]
