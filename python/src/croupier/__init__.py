"""Deal and value cards: bridge deals by condition, double dummy, exact probabilities, poker.

    >>> import croupier
    >>> from croupier import north
    >>> result = croupier.deal(north.hcp.between(15, 17) & north.balanced, produce=3, seed=1)
    >>> [deal.north.hcp in (15, 16, 17) for deal in result.deals]
    [True, True, True]
    >>> croupier.probability("spades(north) == 7")
    Fraction(11761893, 1334062100)

"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from . import _croupier, cluster, dealing, poker
from ._croupier import (
    Board,
    Card,
    Columns,
    Contract,
    Deal,
    DealError,
    Deals,
    Hand,
    Par,
    Partial,
    Position,
    Score,
    Script,
    ScriptError,
    Solutions,
    Tricks,
    __version__,
    metric,
    metrics,
    par,
    read,
    read_text,
    value,
)
from .auctions import CallMeaning, HandTable, HandTables, Inference, bid, infer
from .chances import Estimate, probability
from .conditions import Expression, TableRequest, all_of, any_of, crosstab, expression, score
from .dealing import IncompleteWarning, ScriptWarning, TournamentKey, deal, evaluate, profile, profile_script
from .event import EventResults, RankedPair, TableResult, results
from .planning import Plan, RankedPlay, plan
from .play import (
    DecidingCards,
    PlayedCard,
    Step,
    Swing,
    analyse_play,
    best_play,
    deciding_cards,
    solve_position,
    solve_positions,
)
from .players import Pair, Player, east, ew, north, ns, south, west
from .practice import Scenario, convert, record, scenario, scenarios, write
from .result import Batch, Result, Statistics, Table, Tables
from .studies import ContractResult, Contracts, LeadResult, Leads, Measure, Playouts, compare, lead
from .suits import SuitBookEntry, SuitLayout, SuitLine, SuitPlay, suit, suit_book
from .systems import SystemChanges, SystemPoint, SystemReport, check_system
from .tournament import Verdict, tournament_key, verify
from .values import Rank, Seat, Side, Strain, Suit, Vulnerability

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .dealing import DealsLike, Progress

__all__ = [
    "Batch",
    "Board",
    "CallMeaning",
    "Card",
    "Columns",
    "Contract",
    "ContractResult",
    "Contracts",
    "Deal",
    "DealError",
    "Deals",
    "DecidingCards",
    "Estimate",
    "EventResults",
    "Expression",
    "Hand",
    "HandTable",
    "HandTables",
    "IncompleteWarning",
    "Inference",
    "LeadResult",
    "Leads",
    "Measure",
    "Pair",
    "Par",
    "Partial",
    "Plan",
    "PlayedCard",
    "Player",
    "Playouts",
    "Position",
    "Rank",
    "RankedPair",
    "RankedPlay",
    "Result",
    "Scenario",
    "Score",
    "Script",
    "ScriptError",
    "ScriptWarning",
    "Seat",
    "Side",
    "Solutions",
    "Statistics",
    "Step",
    "Strain",
    "Suit",
    "SuitBookEntry",
    "SuitLayout",
    "SuitLine",
    "SuitPlay",
    "Swing",
    "SystemChanges",
    "SystemPoint",
    "SystemReport",
    "Table",
    "TableRequest",
    "TableResult",
    "Tables",
    "TournamentKey",
    "Tricks",
    "Verdict",
    "Vulnerability",
    "__version__",
    "all_of",
    "analyse_play",
    "any_of",
    "best_play",
    "bid",
    "check_system",
    "cluster",
    "compare",
    "convert",
    "crosstab",
    "deal",
    "deciding_cards",
    "east",
    "evaluate",
    "ew",
    "expression",
    "infer",
    "lead",
    "merge",
    "metric",
    "metrics",
    "north",
    "ns",
    "par",
    "plan",
    "poker",
    "probability",
    "profile",
    "profile_script",
    "read",
    "read_text",
    "record",
    "results",
    "scenario",
    "scenarios",
    "score",
    "solve",
    "solve_position",
    "solve_positions",
    "south",
    "suit",
    "suit_book",
    "tournament_key",
    "value",
    "verify",
    "west",
    "write",
]


@overload
def solve(  # type: ignore[overload-overlap]
    deals: Deal | Board | str,
    *,
    strains: Strain | str | Iterable[Strain | str] | None = None,
    declarers: Seat | Side | str | Iterable[Seat | str] | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> Tricks: ...
@overload
def solve(
    deals: DealsLike,
    *,
    strains: Strain | str | Iterable[Strain | str] | None = None,
    declarers: Seat | Side | str | Iterable[Seat | str] | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> Solutions: ...


def solve(
    deals: Deal | Board | str | DealsLike,
    *,
    strains: Strain | str | Iterable[Strain | str] | None = None,
    declarers: Seat | Side | str | Iterable[Seat | str] | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> Tricks | Solutions:
    """Solves one deal (returns `Tricks`) or many (returns `Solutions`), on all cores.

    ``strains`` and ``declarers`` limit the work: ``solve(deals, strains="NS", declarers="N")`` solves notrump and spades
    by North.
    """
    report = dealing.progress_callback(progress, dealing.count_of(deals))
    dealing.check_count("threads", threads)
    return _croupier.solve(deals, strains=strains, declarers=declarers, threads=threads, progress=report)


def merge(parts: Iterable[Partial | str]) -> Result:
    """Merges the parts of a run: `Partial` values, or texts of files written by ``dealer --partial``."""
    partials = [part if isinstance(part, Partial) else Partial.from_json(part) for part in parts]
    whole = Partial.merged(partials)
    outcome, kept = whole.outcome()
    return Result(whole.job, outcome, kept, None)


def __dir__() -> list[str]:
    return __all__
