"""Hand histories, and the equity at every decision."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .. import _croupier
from ..studies import Measure
from .equities import SAMPLES, method_of

__all__ = ["HistoryDecision", "HistoryHand", "history"]


@dataclass(frozen=True)
class HistoryDecision:
    """A decision of a player, the state before it, and the equities."""

    #: Name of the round: ``preflop``, ``flop``, ``third street``, ``predraw``.
    street: str
    board: str
    player: str
    #: ``fold``, ``check``, ``call``, ``bet``, ``raise`` or ``draw``.
    action: str
    #: Chips of a call or bet, or the total of a raise.
    amount: float | None
    #: Chips bet so far.
    pot: float
    #: Chips that a call costs.
    to_call: float
    #: Share of the pot that a call needs; None if there is nothing to call.
    needed: float | None
    #: Share of the pot of each player in the hand; empty if they are not known.
    equities: dict[str, Measure]
    #: Reason why there are no equities.
    missing: str | None

    @property
    def equity(self) -> Measure | None:
        """Share of the pot of the player who decides."""
        return self.equities.get(self.player)


@dataclass(frozen=True)
class HistoryHand:
    """A hand with its decisions."""

    #: Number or name of the hand, if it has one.
    name: str | None
    game: str
    #: Chips before the hand by player; None if unknown.
    stacks: dict[str, float | None]
    decisions: list[HistoryDecision]


def history(
    source: str | os.PathLike[str],
    *,
    hero: str | None = None,
    ranges: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
    method: str = "auto",
    seed: int = 0,
    samples: int = SAMPLES,
    standard_error: float = 0.001,
    threads: int = 0,
) -> list[HistoryHand]:
    """Reads hands in the formats PHH and Open Hand History, and computes the equity at every decision.

    ``source`` is a text, or a path (``pathlib.Path``). All cards that it shows count as known, also those shown later;
    with ``hero``, the name of a player, only this player's. ``ranges`` are ranges of players whose cards are not known:
    ``{"Ann": "QQ+,AKs"}``; the others have any hand.

        >>> from croupier import poker
        >>> [hand] = poker.history('''variant = "NT"
        ... antes = [0, 0]
        ... blinds_or_straddles = [1, 2]
        ... starting_stacks = [100, 100]
        ... actions = ["d dh p1 AhKh", "d dh p2 QcQd", "p2 cbr 6", "p1 cc", "d db Qh7h2c", "p1 cc", "p2 cbr 8", "p1 f"]''')
        >>> last = hand.decisions[-1]
        >>> last.player, last.action, last.pot, round(last.needed, 4), round(last.equity.value, 4)
        ('p1', 'fold', 20.0, 0.2857, 0.2556)
    """
    text = Path(source).read_text(encoding="utf-8") if isinstance(source, os.PathLike) else source
    chosen = method_of(method, seed, samples, standard_error, threads)
    rows = _croupier.poker_history(text, hero, list((ranges or {}).items()), list((names or {}).items()), chosen)
    return [_hand(row) for row in rows]


def _hand(row: _croupier._HistoryHand) -> HistoryHand:
    players = [name for name, _ in row["players"]]
    decisions = []
    for it in row["decisions"]:
        equities = {}
        for name, share in zip(players, it["shares"]):
            if share is not None:
                value, interval = share
                equities[name] = Measure(value, *(interval or (value, value)))
        decisions.append(
            HistoryDecision(
                street=it["street"],
                board=it["board"],
                player=it["player"],
                action=it["action"],
                amount=it["amount"],
                pot=it["pot"],
                to_call=it["to_call"],
                needed=it["needed"],
                equities=equities,
                missing=it["missing"],
            )
        )
    return HistoryHand(row["name"], row["game"], dict(row["players"]), decisions)
