"""Poker: ranges hand by hand, push or fold, and solved games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest

import croupier
from croupier import poker


def test_hands_of_a_range_have_their_equity() -> None:
    found = poker.hands("AA,KQs:0.5", "JJ", board="Kh7d2c")
    assert len(found) == 6 + 3 and [it.equity.value for it in found] == sorted((it.equity.value for it in found), reverse=True)
    assert {it.weight for it in found} == {0.5, 1.0}
    # All hands together have the equity of the range.
    whole = poker.equity("AA,KQs:0.5", "JJ", board="Kh7d2c")
    assert whole.exact and found[0].equity.low == found[0].equity.value == found[0].equity.high
    assert min(it.equity.value for it in found) < whole[0].equity < max(it.equity.value for it in found)
    frame = found.to_frame("polars")
    assert frame.columns[:4] == ["hand", "equity", "equity_low", "equity_high"] and frame["equity"][0] == pytest.approx(found[0].equity.value)
    shares = found.histogram(4)
    assert len(shares) == 4 and sum(shares) == pytest.approx(1)
    with pytest.raises(ValueError, match="bins"):
        found.histogram(0)


def test_simulated_equities_have_intervals() -> None:
    found = poker.hands("AA", ["random", "22+"], method="simulate", samples=10_000, seed=3)
    low, high = found[0].equity[1:]
    assert low < found[0].equity.value < high
    assert found == poker.hands("AA", ["random", "22+"], method="simulate", samples=10_000, seed=3, threads=1)


def test_a_matrix_has_169_kinds_of_hands() -> None:
    grid = poker.matrix("22+,AKs", "QQ")
    assert len(grid) == 169 and grid["AKs"].hands == 4 and grid["AKo"].equity is None
    aces, queens = grid["AA"].equity, grid["QQ"].equity
    assert aces is not None and queens is not None and aces.value > 0.8 and queens.value == pytest.approx(0.5)
    table = grid.to_numpy()
    assert table.shape == (13, 13) and table[0, 0] == aces.value and numpy.isnan(table[1, 0])
    assert str(grid).splitlines()[0].split()[:2] == ["AA", "AKs"] and grid._repr_html_().count("<td") == 169
    with pytest.raises(ValueError, match="matrix is for hold'em"):
        poker.matrix("AAKK", "QQJJ", game="omaha")


def test_outs_raise_the_equity_to_more_than_half() -> None:
    found = poker.outs("AhKh", "QsQd", board="7h2h9c")
    hearts = {f"{rank}h" for rank in "QJT986543"}
    assert hearts <= set(found.outs) and len(found) == 45 and found.equity.value < 0.6
    assert found[0].equity.value - found.equity.value == pytest.approx(found[0].change.value)
    with pytest.raises(ValueError, match="three or four cards"):
        poker.outs("AhKh", "QsQd", board="")


def test_made_hands_of_a_range_add_up() -> None:
    found = poker.strength("AA,KK,QJs", "Kh9h2c")
    assert sum(found.made.values()) == pytest.approx(1) and found.made["set"] == pytest.approx(3 / found.hands)
    assert 0 < found.draws["flush draw"] < 1 and "flush draw" in found._repr_html_()
    with pytest.raises(ValueError, match="three to five cards"):
        poker.strength("AA", "Kh9h")


def test_filters_of_a_board_and_named_ranges() -> None:
    board = "Kh7d2c"
    paired = poker.hands("22+,KQs[top pair+]", "JJ", board=board)
    assert {"Kd", "Ks", "Kc"} >= {it.hand[:2] for it in paired if it.hand[::2] == "KQ"}
    names = {"tight": "QQ+,AKs"}
    assert len(poker.hands("tight", board=board, names=names)) == len(poker.hands("QQ+,AKs", board=board))
    assert poker.equity("tight", "JJ", names=names)[0].equity == poker.equity("QQ+,AKs", "JJ")[0].equity
    with pytest.raises(ValueError, match="names"):
        poker.equity("tight", "JJ", names={"not a name": "QQ"})


def test_prizes_of_stacks() -> None:
    # Stacks of 50, 30 and 20 % win the second prize with 0.375 and 0.339 ...: worked out by hand.
    first = 0.5 * 50 + (0.3 * 0.5 / 0.7 + 0.2 * 0.5 / 0.8) * 30
    first += (0.3 * (0.2 / 0.7) + 0.2 * (0.3 / 0.8)) * 20
    assert poker.icm([5000, 3000, 2000], [50, 30, 20])[0] == pytest.approx(first)
    assert sum(poker.icm([1, 2, 3, 0], [50, 30, 20])) == pytest.approx(100)
    for wrong in ([], [0.0], [-1.0, 2.0], [float("nan")]):
        with pytest.raises(ValueError, match="stacks"):
            poker.icm(wrong, [1])


def test_push_or_fold_for_two_players() -> None:
    solution = poker.push([10, 10])
    push, call = solution.strategy("SB"), solution.strategy("BB", "SB")
    assert solution.converged and push.hands["AA"] == call.hands["AA"] == 1 and call.hands["72o"] == 0
    # Known equilibrium with ten big blinds: about 58 % pushes and 37 % calls.
    assert push.share == pytest.approx(0.58, abs=0.01) and call.share == pytest.approx(0.37, abs=0.01)
    assert sum(seat.value for seat in solution.seats) == pytest.approx(20) and max(seat.gain for seat in solution.seats) <= 1e-6
    assert str(push).splitlines()[0].split()[0] == "AA" and push._repr_html_().count("<td") == 169
    with pytest.raises(KeyError, match="BB facing SB"):
        solution.strategy("UTG")


def test_push_or_fold_for_prizes() -> None:
    solution = poker.push([10, 8, 15], ante=0.1, payouts=[50, 30, 20])
    assert [seat.name for seat in solution.seats] == ["BTN", "SB", "BB"]
    assert sum(seat.value for seat in solution.seats) == pytest.approx(100)
    with pytest.warns(croupier.IncompleteWarning, match="after 10 iterations"):
        assert not poker.push([10, 8, 15], payouts=[50, 30], iterations=10).converged
    with pytest.raises(ValueError, match="stack 1 does not exceed"):
        poker.push([0.2, 10])
    with pytest.raises(ValueError, match="tolerance"):
        poker.push([10, 10], tolerance=2)


def test_a_river_is_solved(tmp_path: Path) -> None:
    game = poker.Game("Kh7d2c9s4h", oop="AA,QQ,JTs", ip="KQs,88,JJ", pot=100, stack=100)
    assert game.iterations == 0 and game.memory > 0 and game.exploitability is None
    game.run(exploitability=0.002)
    assert game.exploitability is not None and game.exploitability <= 0.2 and game.iterations > 0
    assert sum(game.expected_values) == pytest.approx(100)
    first = game.decision()
    assert first.player == "oop" and first.street == "river" and first.probability == pytest.approx(1)
    assert sum(first.actions.values()) == pytest.approx(1) and set(first.hands[0].strategy) == set(first.actions)
    answer = game.decision("check")
    assert answer == game.decision(["check"]) and answer.player == "ip" and answer.pot == 100
    with pytest.raises(ValueError, match="fold"):
        game.decision("fold")
    game.save(tmp_path / "game.bin")
    again = poker.Game.load(tmp_path / "game.bin")
    assert again.iterations == game.iterations and again.decision() == first
    with pytest.raises(ValueError, match="no saved game"):
        (tmp_path / "other.bin").write_bytes(b"something else, long enough to hold a header")
        poker.Game.load(tmp_path / "other.bin")


def test_a_game_keeps_its_strategies_after_an_interruption() -> None:
    game = poker.Game("Kh7d2c9s", oop="22+,A2s+,KTs+", ip="22+,A2s+,KTs+", pot=10, stack=20)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        game.run(exploitability=0, progress=stop)
    first = game.decision()
    assert game.iterations >= 1 and sum(first.actions.values()) == pytest.approx(1)
    assert sum(game.expected_values) == pytest.approx(10)


def test_sizes_and_locks_of_a_game() -> None:
    spot = {"board": "Kh7d2c9s4h", "oop": "AA,QQ", "ip": "KQs,88", "pot": 100, "stack": 100}
    game = poker.Game(**spot, bets=["50%", "ip: none"], raises="none", lock="=> check: AA; bet 50: QQ")  # type: ignore[arg-type]
    game.run(exploitability=0.01)
    first = game.decision()
    assert list(first.actions) == ["check", "bet 50"] and list(game.decision("check").actions) == ["check"]
    assert all(it.strategy["check"] == (1 if it.hand[0] == "A" else 0) for it in first.hands)
    with pytest.warns(croupier.IncompleteWarning, match="chips"):
        poker.Game(**spot).run(exploitability=0, iterations=3)  # type: ignore[arg-type]
    for wrong in ({"bets": "fifty"}, {"board": "Kh7d"}, {"oop": "AAA"}, {"bits": 8}, {"memory": 0}, {"lock": "nonsense"}):
        with pytest.raises(ValueError):
            poker.Game(**{**spot, **wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("option", [{"samples": 0}, {"samples": -1}, {"seed": -1}, {"standard_error": 2}, {"threads": -1}, {"method": "guess"}])
def test_wrong_options_are_named(option: dict[str, Any]) -> None:
    (name,) = option
    for question in (poker.equity, poker.hands, poker.matrix):
        with pytest.raises(ValueError, match=name):
            question("AA", "KK", **option)
