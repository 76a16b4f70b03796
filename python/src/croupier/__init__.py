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

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

from . import _croupier, cluster, conditions, dealing, poker
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
    write,
)
from .conditions import Expression, all_of, any_of, east, ew, expression, north, ns, south, west
from .dealing import (
    ContractResult,
    Contracts,
    Estimate,
    LeadResult,
    Leads,
    Progress,
    compare,
    deal,
    evaluate,
    lead,
    probability,
    profile,
    progress_callback,
)
from .result import Batch, Result, Statistics, Table, Tables
from .values import Seat, Side, Strain, Suit, Vulnerability

if TYPE_CHECKING:
    import numpy
    import numpy.typing

__all__ = [
    "Batch",
    "Board",
    "Card",
    "Columns",
    "Contract",
    "ContractResult",
    "Contracts",
    "Deal",
    "DealError",
    "Deals",
    "Estimate",
    "Expression",
    "Hand",
    "LeadResult",
    "Leads",
    "Par",
    "Partial",
    "Result",
    "Score",
    "Script",
    "ScriptError",
    "Seat",
    "Side",
    "Solutions",
    "Statistics",
    "Strain",
    "Suit",
    "Table",
    "Tables",
    "Tricks",
    "Vulnerability",
    "__version__",
    "all_of",
    "any_of",
    "cluster",
    "compare",
    "deal",
    "east",
    "evaluate",
    "ew",
    "expression",
    "lead",
    "merge",
    "metric",
    "metrics",
    "north",
    "ns",
    "par",
    "poker",
    "probability",
    "profile",
    "read",
    "read_text",
    "solve",
    "south",
    "value",
    "west",
    "write",
]


@overload
def solve(
    deals: Deal | Board | str,
    *,
    strains: Any = None,
    declarers: Any = None,
    threads: int = 0,
    progress: Progress = None,
) -> Tricks: ...
@overload
def solve(
    deals: Deals | list[Deal] | list[Board] | numpy.typing.NDArray[numpy.uint64],
    *,
    strains: Any = None,
    declarers: Any = None,
    threads: int = 0,
    progress: Progress = None,
) -> Solutions: ...


def solve(
    deals: Any,
    *,
    strains: Any = None,
    declarers: Any = None,
    threads: int = 0,
    progress: Progress = None,
) -> Any:
    """Solves one deal (returns `Tricks`) or many (returns `Solutions`), on all cores.

    ``strains`` and ``declarers`` limit the work: ``solve(deals, strains="NS", declarers="N")`` solves notrump and spades
    by North.
    """
    total = len(deals) if hasattr(deals, "__len__") else 1
    return _croupier.solve(
        deals, strains=strains, declarers=declarers, threads=threads, progress=progress_callback(progress, total)
    )


def merge(parts: Iterable[Partial | str]) -> Result:
    """Merges the parts of a run: `Partial` values, or texts of files written by ``dealer --partial``."""
    partials = [part if isinstance(part, Partial) else Partial.from_json(part) for part in parts]
    whole = Partial.merged(partials)
    outcome, kept = whole.outcome()
    return Result(whole.job, outcome, kept, None)
