"""Declarer play without sight of the defenders' cards: ranked plays, and the value of a contract."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import _croupier
from ._croupier import Board, Card, Contract, Deal, Hand, Script
from .auctions import System, read_auction
from .dealing import Progress, ScriptLike, as_script, check_count, progress_callback
from .studies import Measure, Playouts, StudyResults, lead_name
from .values import Seat, Vulnerability

__all__ = ["Plan", "RankedPlay", "plan"]


@dataclass(frozen=True)
class RankedPlay:
    """A card that declarer can play next, with its equal cards."""

    cards: Hand
    #: Chance that the contract makes, 0 to 1.
    made: Measure
    #: Share of the layouts on which the contract makes double dummy after this play, 0 to 1.
    double_dummy: float
    #: Average of all tricks of declarer, double dummy.
    tricks: float


class Plan(StudyResults[RankedPlay]):
    """The plays of declarer, best first. There are none if a defender plays the next card."""

    def __init__(
        self, contract: Contract, plays: Sequence[RankedPlay], worlds: int, depth: int, is_exact: bool,
        value: Playouts | None,
    ) -> None:
        """Creates the result of `croupier.plan`."""
        self.contract = contract
        #: Number of different layouts that were searched.
        self.worlds = worlds
        #: Number of declarer's cards that were searched.
        self.depth = depth
        #: Whether the search went to the last card.
        self.is_exact = is_exact
        #: The value of the contract, with ``playouts``.
        self.value = value
        self._results = list(plays)

    @property
    def best(self) -> Hand:
        """The best play, with its equal cards."""
        if not self._results:
            raise ValueError("a defender plays the next card, so that no plays were ranked")
        return self._results[0].cards

    def _names(self) -> tuple[str, list[str], list[str]]:
        cards = [it.cards for it in self._results]
        return "play", [lead_name(it) for it in cards], [it._repr_html_() for it in cards]

    def _estimates(self) -> dict[str, list[Measure]]:
        return {"made": [it.made for it in self._results]}

    def _numbers(self) -> dict[str, list[float]]:
        return {
            "double_dummy": [it.double_dummy for it in self._results],
            "tricks": [it.tricks for it in self._results],
        }

    def __repr__(self) -> str:
        best = f", best {lead_name(self.best)}, makes {self._results[0].made}" if self._results else ""
        value = "" if self.value is None else f", value {self.value.made}"
        return f"<croupier.Plan for {self.contract}, {self.worlds} worlds{best}{value}>"


def plan(
    hands: Sequence[Hand | str] | Deal | Board | str,
    contract: Contract | str | None = None,
    *,
    lead: Card | str | None = None,
    played: Sequence[Card | str] = (),
    condition: ScriptLike | None = None,
    auction: str | Sequence[str] | None = None,
    dealer: Seat | str = Seat.NORTH,
    vulnerable: Vulnerability | str = Vulnerability.NONE,
    system: System = "2/1",
    ew: System | None = None,
    depth: int | None = None,
    worlds: int | None = None,
    playouts: int | None = None,
    seed: int = 1,
    threads: int = 0,
    progress: Progress = None,
    **variables: Any,
) -> Plan:
    """Ranks declarer's plays by the chance that the contract makes, without sight of the defenders' cards.

    ``hands`` are declarer's hand and dummy, or a deal, of which the other two hands are not used. ``played`` are the cards
    played so far, from the opening ``lead`` on. The defenders' hands are drawn from all that are possible, or from those
    of a ``condition`` or an ``auction``, whose ``dealer``, ``vulnerable``, ``system`` and ``ew`` are those of
    `croupier.infer`; the contract is then that of the auction, if you give none.

    ``depth`` cards of declarer (1 to 5, by default 2) are searched before double-dummy results decide, on ``worlds``
    layouts (by default 60). ``playouts`` is the number of layouts on which the whole hand is played as well, with 20
    worlds for each card: `Plan.value` is what the contract is worth to a declarer who sees two hands.

        >>> import croupier
        >>> hands = ["A53.AK4.T83.AK62", "42.Q32.AQJ92.543"]
        >>> plan = croupier.plan(hands, "3N-S", played=["SK", "S2", "S6"], worlds=20)
        >>> str(plan[-1].cards)
        'A...'
    """
    if condition is not None and auction is not None:
        raise ValueError("give a condition or an auction, not both")
    if lead is not None and played:
        raise ValueError("give the lead or all cards played, not both")
    declared = Contract(contract) if isinstance(contract, str) else contract
    script: Script | None = None if condition is None else as_script(condition, **variables)
    if condition is None and variables:
        raise TypeError(f"unexpected arguments {', '.join(variables)}: there is no script with variables")
    if auction is not None:
        found = read_auction(auction, dealer, vulnerable, system, ew)
        declared = declared or found.contract
        if declared is None:
            raise ValueError("nobody bids in the auction: give the contract")
    if declared is None:
        raise ValueError("give the contract: plan(hands, '4S-S')")
    declarer = declared.declarer or Seat.SOUTH
    if isinstance(hands, (Deal, Board, str)):
        deal = hands.deal if isinstance(hands, Board) else Deal(hands)
        own, dummy = deal[declarer], deal[declarer.partner]
    else:
        if len(hands) != 2:
            raise ValueError(f"hands are declarer's hand and dummy, not {len(hands)} hands")
        own, dummy = (hand if isinstance(hand, Hand) else Hand(hand) for hand in hands)
    if auction is not None:
        known = {declarer: own, declarer.partner: dummy}
        script = read_auction(auction, dealer, vulnerable, system, ew, known=known).script
    for name, number in (("depth", depth), ("worlds", worlds), ("playouts", playouts)):
        if number is not None:
            check_count(name, number, 1)
    report = progress_callback(progress, playouts or worlds or 60)
    cards = [lead] if lead is not None else list(played)
    threads = check_count("threads", threads)
    ranked, value = _croupier.plan_play(
        declared, own, dummy, cards, script, depth, worlds, playouts, check_count("seed", seed), threads, report
    )
    rows, searched, reached, is_exact = ranked or ([], 0, 0, False)
    plays = [RankedPlay(cards, Measure(*made), double, tricks) for cards, made, double, tricks in rows]
    return Plan(declared, plays, searched, reached, is_exact, Playouts.of(value))
