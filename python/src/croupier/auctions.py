"""Auctions: boards bid by a system, and the hands that an auction shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from . import _croupier
from ._croupier import Board, Contract, Deal, Hand, Script
from .chances import Estimate, combine_counts
from .conditions import Expression
from .dealing import System, check_count, progress_callback
from .values import Seat, Vulnerability

if TYPE_CHECKING:
    from .dealing import Progress

__all__ = ["CallMeaning", "HandTable", "HandTables", "Inference", "System", "bid", "infer"]


def bid(
    boards: Board | Deal | str | Iterable[Board | Deal | str],
    *,
    system: System = "2/1",
    ew: System | None = None,
    notes: bool = True,
    robot_time: float = 30.0,
    threads: int = 0,
    progress: Progress = None,
) -> list[Board]:
    """Bids boards and returns them with auction, notes and contract.

    ``system`` is ``2/1``, ``dutch``, the path of a file of rules (``Path("my.bid")``), or ``robot:`` and the command of a
    program; ``ew`` is that of East-West, if it differs. Dealer and vulnerability are those of the board. If it has none, they follow from its number or its position.
    """
    given = [boards] if isinstance(boards, (Board, Deal, str)) else list(boards)
    many = [it if isinstance(it, Board) else Board(it) for it in given]
    report = progress_callback(progress, len(many))
    return _croupier.bid_boards(many, system, ew or system, notes, robot_time, check_count("threads", threads), report)


@dataclass(frozen=True)
class CallMeaning:
    """A call of an auction and its meaning."""

    seat: Seat
    call: str
    #: The meaning in words; empty if the call shows nothing.
    meaning: str
    #: Whether the call is conventional.
    is_alerted: bool


@dataclass(frozen=True)
class HandTable:
    """How often each value of a property comes among the hands of a seat."""

    seat: Seat
    #: ``HCP``, ``spades``, ``hearts``, ``diamonds``, ``clubs``, or a card such as ``KS``, of which 1 means that the hand has it.
    quantity: str
    #: The values that come, with their shares from 0 to 1.
    shares: dict[int, float]
    #: Whether the shares were counted; otherwise they are those of dealt hands.
    is_exact: bool


@dataclass(frozen=True)
class HandTables:
    """The hands that fit an auction, in numbers."""

    #: Share of the deals that fit, among all deals with the known hands.
    fitting: Fraction | Estimate
    #: Points and lengths of each unknown hand, then the honours.
    tables: tuple[HandTable, ...]
    #: Number of deals on which tables were measured; None if all tables were counted.
    measured: int | None
    #: Layouts, drawn uniformly from the deals that fit.
    layouts: list[Deal]

    def shares(self, seat: Seat | str, quantity: str) -> dict[int, float]:
        """Returns the shares of a table: ``shares("N", "HCP")``."""
        wanted = Seat(seat)
        for table in self.tables:
            if (table.seat, table.quantity) == (wanted, quantity):
                return table.shares
        names = ", ".join(dict.fromkeys(table.quantity for table in self.tables if table.seat == wanted))
        raise KeyError(f"there is no table {quantity!r} of {wanted.name.lower()}; it has {names or 'none'}")


@dataclass(frozen=True)
class Inference:
    """The hands that an auction shows."""

    calls: tuple[CallMeaning, ...]
    #: The condition that each seat's hand satisfies, for seats whose calls show something.
    conditions: dict[Seat, Expression]
    #: A script whose deals fit the auction.
    script: Script
    #: The contract so far; None if nobody has bid.
    contract: Contract | None
    _question: tuple[str, Any, Any, Any, Any, Any] = field(repr=False, compare=False)

    def tables(
        self, *, honours: bool = False, layouts: int = 0, seed: int = 1, time: float = 10.0
    ) -> HandTables:
        """Tabulates points and lengths of the unknown hands among the deals that fit, and deals layouts.

        Shares are counted; those that cannot be counted in half of ``time`` (seconds) are measured on dealt hands. ``honours``
        adds who has the aces, kings and queens.
        """
        check_count("layouts", layouts)
        count, tables, measured, deals = _croupier.infer_tables(*self._question, honours, layouts, seed, time)
        rows = tuple(HandTable(seat, name, dict(shares), exact) for seat, name, shares, exact in tables)
        return HandTables(combine_counts([count]), rows, measured, deals)


def infer(
    auction: str | Sequence[str],
    *,
    dealer: Seat | str = Seat.NORTH,
    vulnerable: Vulnerability | str = Vulnerability.NONE,
    system: System = "2/1",
    ew: System | None = None,
    known: Mapping[Seat | str, Hand | str] | Iterable[Seat | str] = (),
) -> Inference:
    """Returns the hands that an auction shows: ``infer("1N-P-3N")``.

    The script deals hands that fit the auction for all seats except the ``known`` ones:
    ``croupier.deal(infer("1N-P-3N").script, produce=10)``. If ``known`` has hands (``{"S": "AKJ.KQJ.A9873.Q9"}``), they must
    fit the auction, and the script predeals nothing: give them as ``predeal``.
    """
    return read_auction(auction, dealer, vulnerable, system, ew, known=known)


def read_auction(
    auction: str | Sequence[str],
    dealer: Seat | str,
    vulnerable: Vulnerability | str,
    system: System,
    ew: System | None,
    *,
    known: Mapping[Seat | str, Hand | str] | Mapping[Seat, Hand] | Iterable[Seat | str] = (),
) -> Inference:
    """Returns the hands that an auction shows. The arguments are those of `infer`."""
    text = auction if isinstance(auction, str) else "-".join(auction)
    hands = list(known.items()) if isinstance(known, Mapping) else []
    calls, conditions, script, contract = _croupier.read_auction(
        text, dealer, vulnerable, system, ew or system, list(known), hands
    )
    shown = {
        seat: Expression(_without_definitions(*condition), 9)
        for seat, condition in zip(Seat, conditions, strict=True)
        if condition is not None
    }
    made = tuple(CallMeaning(*call) for call in calls)
    question = (text, dealer, vulnerable, system, ew or system, hands)
    return Inference(made, shown, Script(script, name="auction"), contract, question)


def _without_definitions(condition: str, definitions: Sequence[str]) -> str:
    """Returns a condition with the values of definitions (``name = value``) in the place of their names."""
    for line in reversed(definitions):
        name, _, value = line.partition(" = ")
        inserted = f"({value})".replace("\\", r"\\")
        condition = re.sub(rf"\b{re.escape(name.strip())}\b", inserted, condition)
    return condition
