"""Conditions written in Python are expressions of the language."""

from __future__ import annotations

import pytest

import croupier
from croupier import all_of, any_of, east, ew, expression, north, ns, south, west

SAME = [
    (north.hcp.between(15, 17) & north.balanced, "hcp(north) >= 15 and hcp(north) <= 17 and shape(north, any 4333 + any 4432 + any 5332)"),
    ((north.hcp + south.hcp >= 25) | ~(east.spades == 5), "hcp(north) + hcp(south) >= 25 or not (spades(east) == 5)"),
    (ns.hcp - ew.hcp > 2 * west.clubs, "hcp(north) + hcp(south) - (hcp(east) + hcp(west)) > 2 * clubs(west)"),
    (ns.fit("H") & (ns.length("S") < 8), "hearts(north) + hearts(south) >= 8 and spades(north) + spades(south) < 8"),
    (north.holds("SA") & north.holds(croupier.Card("HK")), "hascard(north, AS) and hascard(north, KH)"),
    (north.losers.isin(5, 6), "losers(north) == 5 or losers(north) == 6"),
    ((north.hcp - south.hcp) * 2 > -3, "(hcp(north) - hcp(south)) * 2 > -3"),
    (north.points("S") + north.quality("S") // 100 > 9, "hcp(north, spades) + quality(north, spades) / 100 > 9"),
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
    result = croupier.deal(script, produce=40, seed=2, values=["total", north.spades])
    assert result.columns.names[5:] == ["total", "total_2", "spades(north)"]
    assert result["total"].tolist() == result["total_2"].tolist()
    assert result["total"].mean() == pytest.approx(result.tables["total"].mean)


def test_any_deals_can_be_evaluated(deal: croupier.Deal) -> None:
    batch = croupier.evaluate([deal, deal.rotated(1)], {"n": north.hcp, "tricks": south.tricks("NT")})
    assert batch["n"].tolist() == [20, deal.west.hcp]
    assert batch["tricks"].tolist()[0] == croupier.solve(deal)["S", "NT"]
