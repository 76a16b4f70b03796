"""Probabilities of conditions: exact counts, and trials of conditions that cannot be counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from typing import Any

from . import _croupier
from ._croupier import Hand
from .dealing import PredealLike, ScriptLike, as_script, check_count
from .result import estimate_text
from .values import Seat

__all__ = ["Estimate", "probability"]


@total_ordering
@dataclass(frozen=True, eq=False)
class Estimate:
    """An estimated probability: an exact upper bound times the share of tried deals that pass.

    It compares as the number that it estimates: ``croupier.probability(condition) > 0.1``.
    """

    #: Exact probability of the part of the condition that can be counted: an upper bound.
    bound: Fraction
    #: Number of tried deals that satisfy the rest of the condition.
    passed: int
    #: Number of deals tried. They satisfy the counted part.
    tried: int

    def __float__(self) -> float:
        return float(self.bound) * self.passed / self.tried

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Estimate):
            return (self.bound, self.passed, self.tried) == (other.bound, other.passed, other.tried)
        return float(self) == other if isinstance(other, (int, float, Fraction)) else NotImplemented

    def __lt__(self, other: Estimate | float | Fraction) -> bool:
        if not isinstance(other, (Estimate, int, float, Fraction)):
            return NotImplemented
        return float(self) < float(other)

    def __hash__(self) -> int:
        return hash(float(self))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Returns an interval that holds the probability with probability ``level``, also for rare events."""
        if not 0 < level < 1:
            raise ValueError(f"level must be between 0 and 1, not {level}")
        low, high = _croupier.share_interval(self.passed, self.tried, level)
        return low * float(self.bound), high * float(self.bound)

    def __str__(self) -> str:
        """Returns the estimate with its 95 % interval, ``0.123 (0.121 to 0.125)``."""
        return estimate_text(float(self), self.interval())

    def __repr__(self) -> str:
        return f"<croupier.Estimate {self}, {self.passed} of {self.tried} deals>"


#: Number of deals that are tried with one seed; each further part has the next seed, here and on a cluster.
TRIALS_PER_SEED = 100_000


def trial_parts(samples: int, seed: int) -> list[tuple[int, int]]:
    """Divides `samples` trials into parts, each with its number of trials and its seed."""
    check_count("samples", samples, 1)
    parts: list[tuple[int, int]] = []
    while samples > 0:
        parts.append((min(samples, TRIALS_PER_SEED), seed + len(parts)))
        samples -= TRIALS_PER_SEED
    return parts


def combine_counts(found: Iterable[tuple[int, int, tuple[int, int] | None]]) -> Fraction | Estimate:
    """Combines the results of the parts of a count."""
    passed = tried = 0
    bound = Fraction(0)
    for hits, out_of, trial in found:
        bound = Fraction(hits, out_of)
        if trial is None:
            return bound
        passed, tried = passed + trial[0], tried + trial[1]
    return Estimate(bound, passed, tried)


def predealt(predeal: PredealLike | None) -> list[tuple[Seat | str, Hand | str]] | None:
    """Returns predealt cards as a list."""
    return None if predeal is None else list(predeal.items())


def probability(
    script: ScriptLike,
    *,
    samples: int = TRIALS_PER_SEED,
    seed: int = 1,
    predeal: PredealLike | None = None,
    **variables: Any,
) -> Fraction | Estimate:
    """Returns the probability of a condition: an exact `Fraction` if it can be counted, else an `Estimate`.

    With ``predeal`` it is the probability among the deals in which the seats have these cards.
    """
    read = as_script(script, **variables)
    parts = trial_parts(samples, seed)
    return combine_counts(_croupier.count(read, *part, predealt(predeal)) for part in parts)
