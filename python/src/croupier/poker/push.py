"""Push or fold before the flop, and the value of stacks in prizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import _croupier
from ..dealing import IncompleteWarning, check_count, progress_callback, warn

if TYPE_CHECKING:
    from ..dealing import Progress

__all__ = ["PushSeat", "PushSolution", "PushStrategy", "icm", "push"]


def icm(stacks: Sequence[float], payouts: Sequence[float]) -> list[float]:
    """Returns the expected prize of each stack by the independent chip model (Malmuth and Harville).

    ``payouts`` are the prizes from the first place down.

        >>> from croupier import poker
        >>> [round(prize, 2) for prize in poker.icm([5000, 3000, 2000], [50, 30, 20])]
        [38.39, 32.75, 28.86]
    """
    return _croupier.poker_icm(list(stacks), list(payouts))


@dataclass(frozen=True)
class PushSeat:
    """A seat of a solved game."""

    #: ``SB``, ``BB``, ``BTN``, ``CO``, ``UTG`` ...
    name: str
    stack: float
    #: Expected chips or prizes at the end of the hand.
    value: float
    #: Gain of the player by playing differently, in big blinds or as a share of all prizes.
    gain: float


@dataclass(frozen=True)
class PushStrategy:
    """How often each kind of hand goes all-in at a decision."""

    seat: str
    #: The seat that has pushed; None if all players before have folded.
    facing: str | None
    #: Frequency of each of the 169 kinds of hands: ``{"AA": 1.0, ...}``.
    hands: dict[str, float]

    @property
    def share(self) -> float:
        """The share of all hands that go all-in."""
        combos = {"s": 4, "o": 12}
        weights = {name: combos.get(name[2:], 6) for name in self.hands}
        return sum(weights[name] * frequency for name, frequency in self.hands.items()) / sum(weights.values())

    def __str__(self) -> str:
        """Returns a grid of the kinds of hands, with percentages where not all hands of a kind go all-in."""
        cells = []
        for name, frequency in self.hands.items():
            percent = round(100 * frequency)
            cells.append(name if percent >= 100 else "·" if percent <= 0 else f"{percent}%")
        rows = (cells[start : start + 13] for start in range(0, 169, 13))
        return "\n".join(" ".join(f"{cell:<4}" for cell in row).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        def cell(name: str, frequency: float) -> str:
            if frequency <= 0:
                return f'<td style="opacity:.4">{name}</td>'
            return f'<td style="background:rgba(90,200,110,{max(frequency, 0.15):.2f})">{name}<br>{frequency:.0%}</td>'

        cells = [cell(*it) for it in self.hands.items()]
        rows = ("".join(cells[start : start + 13]) for start in range(0, 169, 13))
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


@dataclass(frozen=True)
class PushSolution:
    """Strategies of all players who go all-in or fold."""

    seats: tuple[PushSeat, ...]
    strategies: tuple[PushStrategy, ...]
    #: Number of iterations.
    iterations: int
    #: Whether no player can gain more than the tolerance.
    converged: bool

    def strategy(self, seat: str, facing: str | None = None) -> PushStrategy:
        """Returns the strategy of a seat: to push, or to call the push of the seat ``facing``."""
        for strategy in self.strategies:
            if (strategy.seat, strategy.facing) == (seat, facing):
                return strategy
        decisions = ", ".join(it.seat if it.facing is None else f"{it.seat} facing {it.facing}" for it in self.strategies)
        raise KeyError(f"no decision of {seat} facing {facing}; there are {decisions}")


def push(
    stacks: Sequence[float],
    *,
    blinds: tuple[float, float] = (0.5, 1.0),
    ante: float = 0.0,
    payouts: Sequence[float] | None = None,
    tolerance: float | None = None,
    iterations: int = 100_000,
    progress: Progress = None,
) -> PushSolution:
    """Finds the hands to push and to call with when every player goes all-in or folds.

    ``stacks`` of two to nine players are those before blinds and antes, in the order of acting: the big blind last. With
    ``payouts``, the prizes from the first place down, stacks are worth their prizes by `icm`; otherwise the players play for
    chips. The search ends when no player can gain more than ``tolerance`` big blinds (with payouts: this share of all prizes),
    by default 0.000001 for two players who play for chips, else 0.0001. At most one player calls.

        >>> from croupier import poker
        >>> solution = poker.push([10, 10])
        >>> round(solution.strategy("SB").share, 3), solution.strategy("BB", "SB").hands["A2o"]
        (0.583, 1.0)
    """
    report = progress_callback(progress, iterations)
    prizes = None if payouts is None else list(payouts)
    rows, found, done, converged = _croupier.poker_push(
        list(stacks), blinds, ante, prizes, tolerance, check_count("iterations", iterations, 1), report
    )
    seats = tuple(PushSeat(name, stack, value, gain) for (name, value, gain), stack in zip(rows, stacks, strict=True))
    if not converged:
        gain = max(seat.gain for seat in seats)
        warn(f"the tolerance was not reached after {done:,} iterations: a player could gain {gain:.2g}", IncompleteWarning)
    strategies = tuple(PushStrategy(seat, facing, dict(hands)) for seat, facing, hands in found)
    return PushSolution(seats, strategies, done, converged)
