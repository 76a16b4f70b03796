"""Declarer play without sight of the defenders' cards."""

from __future__ import annotations

from typing import Any

import pytest

import croupier
from croupier import Contract, Hand, Seat, north, west

HANDS = ["A53.AK4.T83.AK62", "42.Q32.AQJ92.543"]


def test_plays_are_ranked_by_the_chance_of_the_contract() -> None:
    plan = croupier.plan(HANDS, "3N-S", played=["SK", "S2", "S6"], worlds=30)
    assert plan.best == Hand("53...") or str(plan.best)[0] in "53"
    assert str(plan[-1].cards) == "A..." and plan[0].made > plan[-1].made
    assert (plan.worlds, plan.depth, plan.is_exact, plan.value) == (30, 2, False, None)
    assert plan[0].double_dummy >= plan[0].made.value and 8 < plan[0].tricks < 12
    frame = plan.to_frame("polars")
    assert frame.columns == ["play", "made", "made_low", "made_high", "double_dummy", "tricks"]
    assert "double_dummy" in str(plan) and "<table>" in plan._repr_html_() and "best S" in repr(plan)


def test_a_seed_gives_the_same_plan_for_any_number_of_threads() -> None:
    asked: dict[str, Any] = {"played": ["SK", "S2", "S6"], "worlds": 12, "depth": 1, "seed": 7}
    one, two = (croupier.plan(HANDS, "3N-S", threads=threads, **asked) for threads in (1, 2))
    assert list(one) == list(two)


def test_the_layouts_follow_a_condition_or_an_auction() -> None:
    asked: dict[str, Any] = {"played": ["SK", "S2", "S6"], "worlds": 12, "depth": 1}
    long = croupier.plan(HANDS, "3N-S", condition=west.spades >= 6, **asked)
    text = croupier.plan(HANDS, "3N-S", condition="condition spades(west) >= $1", _1=6, **asked)
    assert list(long) == list(text)
    # With six spades in West the ace wins and the suit is dead, so that holding up matters less.
    assert long[-1].made != croupier.plan(HANDS, "3N-S", **asked)[-1].made
    bidden = croupier.plan(["AQ32.K4.KQ83.J62", "K4.Q32.AJ92.K543"], auction="1N-P-3N-P-P-P", lead="HJ", dealer="S",
                           playouts=2, worlds=5, depth=1)
    assert bidden.contract == Contract("3N-S") and bidden.value is not None and bidden.value.layouts == 2


def test_playouts_value_a_contract() -> None:
    plan = croupier.plan(HANDS, "3N-S", playouts=6, worlds=5, depth=1)
    assert plan.value is not None and plan.value.layouts == 6 and len(plan) == 0
    assert plan.value.made.value <= plan.value.double_dummy.value
    with pytest.raises(ValueError, match="a defender plays the next card"):
        _ = plan.best
    compared = croupier.compare(["3N-S", "4H-S"], north.hcp >= 15, deals=3, single_dummy=2)
    assert compared[0].single_dummy is not None and compared[0].single_dummy.layouts == 2
    assert "single_dummy" in compared.to_frame("polars").columns


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, "a defender plays the next card: give it with lead="),
        ({"contract": None}, "give the contract"),
        ({"hands": HANDS[:1]}, "declarer's hand and dummy, not 1"),
        ({"hands": [HANDS[0], HANDS[0]]}, "is in both hands"),
        ({"lead": "S2", "played": ["S2"]}, "not both"),
        ({"lead": "SA"}, "cannot hold"),
        ({"lead": "S9", "depth": 6}, "1 to 5"),
        ({"lead": "S9", "worlds": 1000}, "1 to 256"),
        ({"lead": "S9", "playouts": 0}, "playouts must be at least 1"),
        ({"lead": "S9", "condition": "condition hcp(west) + hcp(east) > 30"}, "no deal"),
        ({"lead": "S9", "condition": "condition hcpp(west) > 9"}, "hcpp"),
        ({"lead": "S9", "condition": "condition 1", "auction": "1N"}, "not both"),
        ({"contract": None, "auction": "P-P-P-P"}, "nobody bids"),
        ({"lead": "S9", "auction": "2C-P-2N-P-3N-P-P-P", "dealer": Seat.SOUTH}, "contradicts the auction"),
    ],
)
def test_wrong_questions_are_errors(change: dict[str, Any], message: str) -> None:
    asked: dict[str, Any] = {"hands": HANDS, "contract": "3N-S", "worlds": 5, **change}
    with pytest.raises((ValueError, croupier.DealError), match=message):
        croupier.plan(**asked)
