"""Ranks of hands, and the equities of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from .. import _croupier
from ..dealing import check_count

if TYPE_CHECKING:
    import numpy
    import numpy.typing

__all__ = ["Equity", "Player", "Rank", "equity", "evaluate"]

#: Number of deals of a simulation at most.
SAMPLES = 100_000_000
#: Standard error at which a simulation ends.
STANDARD_ERROR = 0.0001

#: Game, board, dead cards, named ranges and folded ranges.
Table = tuple[str, str, str, list[tuple[str, str]], list[str]]


def table_of(
    game: str, board: str, dead: str, names: Mapping[str, str] | None, folded: str | Sequence[str] = ()
) -> Table:
    """Returns the cards and ranges that are known, as the native functions take them."""
    return game, board, dead, list((names or {}).items()), [folded] if isinstance(folded, str) else list(folded)


@dataclass(frozen=True)
class Rank:
    """The rank of a hand: 0 for a royal flush to 7461 for the worst; the smaller rank wins."""

    rank: int
    category: str
    description: str

    def __lt__(self, other: Rank) -> bool:
        """Orders better hands first, so that ``min`` finds the winner."""
        return self.rank < other.rank

    def __int__(self) -> int:
        return self.rank


#: Method, seed, number of samples, standard error and number of threads.
Method = tuple[str, int, int, float, int]


def method_of(method: str, seed: int, samples: int, standard_error: float, threads: int) -> Method:
    """Returns the method of computation, as the native functions take it."""
    if not 0 <= standard_error < 1:
        raise ValueError(f"standard_error must be a share from 0 to 1, not {standard_error}")
    checked = check_count("seed", seed), check_count("samples", samples, 1)
    return method, *checked, float(standard_error), check_count("threads", threads)


@overload
def evaluate(hands: str) -> Rank: ...
@overload
def evaluate(hands: numpy.typing.NDArray[numpy.uint64]) -> numpy.typing.NDArray[numpy.uint16]: ...


def evaluate(hands: Any) -> Any:
    """Ranks a hand of five, six or seven cards (a text), or an array ``uint64[n]`` of masks."""
    if isinstance(hands, str):
        return Rank(*_croupier.poker_ranks(hands))
    return _croupier.poker_evaluate(hands)


@dataclass(frozen=True)
class Player:
    """The result of one player in an `Equity`. Shares are from 0 to 1. Exact shares have no intervals."""

    range: str
    #: Share of the pot.
    equity: float
    #: Share of the deals that the player wins alone.
    win: float
    #: Share of the deals that the player ties.
    tie: float
    #: Standard error of the equity.
    standard_error: float | None
    #: 95 % interval of the equity.
    interval: tuple[float, float] | None
    #: 95 % interval of the share of deals won.
    win_interval: tuple[float, float] | None
    #: 95 % interval of the share of deals tied.
    tie_interval: tuple[float, float] | None


def _percent_cell(share: float, interval: tuple[float, float] | None) -> str:
    """Returns a table cell with a share in percent: four decimals if it is exact, else the supported ones."""
    if interval is None:
        return f"<td>{share:.4%}</td>"
    low, high = interval
    decimals = _croupier.interval_decimals(100 * low, 100 * high)
    return f"<td>{share:.{decimals}%} <small>{low:.{decimals}%} to {high:.{decimals}%}</small></td>"


@dataclass(frozen=True)
class Equity:
    """The shares of the pot of all players."""

    exact: bool
    deals: float
    players: tuple[Player, ...]

    def __getitem__(self, player: int) -> Player:
        return self.players[player]

    def __len__(self) -> int:
        return len(self.players)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{p.range}</td>{_percent_cell(p.equity, p.interval)}"
            f"{_percent_cell(p.win, p.win_interval)}{_percent_cell(p.tie, p.tie_interval)}</tr>"
            for p in self.players
        )
        heads = "".join(f"<th>{name}</th>" for name in ("range", "equity", "win", "tie"))
        return f"<table><tr>{heads}</tr>{rows}</table>"


def equity(
    *players: str | Sequence[str],
    board: str = "",
    dead: str = "",
    folded: str | Sequence[str] = (),
    game: str = "holdem",
    names: Mapping[str, str] | None = None,
    method: str = "auto",
    seed: int = 0,
    samples: int = SAMPLES,
    standard_error: float = STANDARD_ERROR,
    threads: int = 0,
) -> Equity:
    """Computes the equity of every player: exact if counting takes less than some seconds, else simulated.

    Players are ranges: ``equity("AhAd", "KK,QQ,AKs", board="2c7d9h")``. ``names`` are ranges that others may use by name:
    ``{"utg": "22+,AJs+"}``. ``folded`` are ranges of players who have folded; their hands take cards from the deck.
    ``game`` is ``holdem``, ``omaha``, ``omaha5``, ``omaha6``, ``omaha-hi-lo``, ``omaha5-hi-lo``, ``short-deck``, ``stud``,
    ``stud-hi-lo``, ``razz``, ``2-7``, ``a-5`` or ``badugi``. ``method`` is ``auto``, ``exact`` or ``simulate``; a simulation
    ends with ``samples`` deals or when the standard error of every player is at most ``standard_error``.
    """
    ranges: list[str] = []
    for player in players:
        ranges.extend([player] if isinstance(player, str) else player)
    table = table_of(game, board, dead, names, folded)
    found = _croupier.poker_equity(ranges, table, method_of(method, seed, samples, standard_error, threads))
    rows = tuple(Player(**row) for row in found["players"])
    return Equity(exact=found["exact"], deals=found["deals"], players=rows)
