"""A range hand by hand, the cards that can come next, and made hands and draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import _croupier
from ..studies import Measure, StudyResults
from .equities import SAMPLES, STANDARD_ERROR, method_of, table_of

if TYPE_CHECKING:
    import numpy
    import numpy.typing

__all__ = [
    "HandEquities", "HandEquity", "HandKind", "Matrix", "NextCard", "Outs", "Strength", "hands", "matrix", "outs", "strength",
]

#: Ranges of the opponents: one, or one for each.
Against = str | Sequence[str]


def _players(range: str, against: Against) -> list[str]:
    return [range, *([against] if isinstance(against, str) else against)]


@dataclass(frozen=True)
class HandEquity:
    """A hand of a range. Shares are from 0 to 1; the interval of an exact share has no width."""

    hand: str
    #: Weight of the hand in the range, 0 to 1.
    weight: float
    #: Share of the pot.
    equity: Measure
    #: Share of the deals that the hand wins alone.
    win: Measure
    #: Share of the deals that it ties.
    tie: Measure


class HandEquities(StudyResults[HandEquity]):
    """The hands of a range, best first."""

    def __init__(self, rows: Sequence[HandEquity]) -> None:
        """Creates the result of `hands`."""
        self._results = list(rows)

    def _names(self) -> tuple[str, list[str], list[str]]:
        hands = [it.hand for it in self._results]
        return "hand", hands, hands

    def _estimates(self) -> dict[str, list[Measure]]:
        return {name: [getattr(it, name) for it in self._results] for name in ("equity", "win", "tie")}

    def _numbers(self) -> dict[str, list[float]]:
        return {"weight": [it.weight for it in self._results]}

    def histogram(self, bins: int = 20) -> list[float]:
        """Returns the share of the range, by weight, in each of ``bins`` equal parts of the equities from 0 to 1."""
        if bins < 1:
            raise ValueError(f"bins must be at least 1, not {bins}")
        sums = [0.0] * bins
        for it in self._results:
            sums[min(int(it.equity.value * bins), bins - 1)] += it.weight
        total = sum(sums)
        return [weight / total for weight in sums]

    def __repr__(self) -> str:
        best = f", best {self._results[0].hand}" if self._results else ""
        return f"<croupier.poker.HandEquities: {len(self)} hands{best}>"


def hands(
    range: str,
    against: Against = "random",
    *,
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
) -> HandEquities:
    """Computes the equity of every hand of a range; the arguments are those of `equity`.

        >>> from croupier import poker
        >>> found = poker.hands("AA,KQs", "JJ", board="Kh7d2c")
        >>> found[0].hand[::2], found[-1].hand[::2]
        ('AA', 'KQ')
    """
    table, chosen = table_of(game, board, dead, names, folded), method_of(method, seed, samples, standard_error, threads)
    rows = _croupier.poker_hands(_players(range, against), table, chosen)
    return HandEquities([HandEquity(hand, weight, *(Measure(*it) for it in shares)) for hand, weight, shares in rows])


@dataclass(frozen=True)
class HandKind:
    """One of the 169 kinds of hands: ``AKs``, ``77``."""

    name: str
    #: Number of hands of this kind in the range.
    hands: int
    #: Their mean weight; None without hands.
    weight: float | None
    #: Share of the pot; None if there is no such hand.
    equity: Measure | None
    win: Measure | None
    tie: Measure | None


#: Red for 0, yellow for one half and green for 1, as red, green and blue.
_HEAT = ((240, 110, 100), (250, 225, 110), (90, 200, 110))


def _heat(share: float) -> str:
    """Returns a colour on which black text can be read."""
    place = min(int(2 * share), 1)
    part = 2 * share - place
    mixed = (round(a + (b - a) * part) for a, b in zip(_HEAT[place], _HEAT[place + 1], strict=True))
    return f"rgb({','.join(map(str, mixed))})"


class Matrix(Mapping[str, HandKind]):
    """The 169 kinds of hands of a range: ``matrix["AKs"].equity``. Pairs are on the diagonal, suited hands above it."""

    def __init__(self, kinds: Sequence[HandKind]) -> None:
        """Creates the result of `matrix`."""
        self._kinds = {kind.name: kind for kind in kinds}

    def __getitem__(self, name: str) -> HandKind:
        return self._kinds[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)

    def to_numpy(self) -> numpy.typing.NDArray[numpy.float64]:
        """Returns the equities as 13 rows of 13, aces first; not a number where the range has no hand."""
        import numpy

        values = [float("nan") if kind.equity is None else kind.equity.value for kind in self._kinds.values()]
        return numpy.array(values).reshape(13, 13)

    def _cell(self, kind: HandKind) -> str:
        if kind.equity is None:
            return f'<td style="opacity:.4">{kind.name}</td>'
        colour = _heat(kind.equity.value)
        weight = "" if kind.weight in (None, 1.0) else f"<br><small>{kind.weight:.0%}</small>"
        return (
            f'<td style="background:{colour};color:#000" title="{kind.name}: {kind.equity}">{kind.name}'
            f"<br>{100 * kind.equity.value:.1f}{weight}</td>"
        )

    def _repr_html_(self) -> str:
        cells = [self._cell(kind) for kind in self._kinds.values()]
        rows = ("".join(cells[start : start + 13]) for start in range(0, 169, 13))
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"

    def __str__(self) -> str:
        texts = ["·" if kind.equity is None else f"{100 * kind.equity.value:.1f}" for kind in self._kinds.values()]
        lines = []
        for start in range(0, 169, 13):
            names = list(self._kinds)[start : start + 13]
            for row in (names, texts[start : start + 13]):
                lines.append(" ".join(f"{cell:<4}" for cell in row).rstrip())
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<croupier.poker.Matrix: {sum(kind.hands for kind in self._kinds.values())} hands>"


def matrix(
    range: str = "random",
    against: Against = "random",
    *,
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
) -> Matrix:
    """Computes the equity of the 169 kinds of hands of a range; the arguments are those of `equity`."""
    table, chosen = table_of(game, board, dead, names, folded), method_of(method, seed, samples, standard_error, threads)
    rows = _croupier.poker_matrix(_players(range, against), table, chosen)
    kinds = []
    for name, number, weight, shares in rows:
        equity, win, tie = (None, None, None) if shares is None else (Measure(*it) for it in shares)
        kinds.append(HandKind(name, number, weight, equity, win, tie))
    return Matrix(kinds)


@dataclass(frozen=True)
class NextCard:
    """A card that can come next."""

    card: str
    #: Share of the pot after the card.
    equity: Measure
    #: Difference to the share before.
    change: Measure
    #: Whether the share rises to more than an even part of the pot.
    is_out: bool


class Outs(StudyResults[NextCard]):
    """All cards that can come next, best first."""

    def __init__(self, equity: Measure, rows: Sequence[NextCard]) -> None:
        """Creates the result of `outs`."""
        #: Share of the pot before the card.
        self.equity = equity
        self._results = list(rows)

    @property
    def outs(self) -> list[str]:
        """The cards that raise the share to more than an even part of the pot."""
        return [it.card for it in self._results if it.is_out]

    def _names(self) -> tuple[str, list[str], list[str]]:
        cards = [it.card for it in self._results]
        return "card", cards, cards

    def _estimates(self) -> dict[str, list[Measure]]:
        return {"equity": [it.equity for it in self._results], "change": [it.change for it in self._results]}

    def _numbers(self) -> dict[str, list[float]]:
        return {"out": [float(it.is_out) for it in self._results]}

    def __repr__(self) -> str:
        return f"<croupier.poker.Outs: {len(self.outs)} of {len(self)} cards>"


def outs(
    range: str,
    against: Against,
    *,
    board: str,
    dead: str = "",
    folded: str | Sequence[str] = (),
    game: str = "holdem",
    names: Mapping[str, str] | None = None,
    method: str = "auto",
    seed: int = 0,
    samples: int = SAMPLES,
    standard_error: float = STANDARD_ERROR,
    threads: int = 0,
) -> Outs:
    """Computes how every next card changes the equity of a range; the other arguments are those of `equity`.

        >>> from croupier import poker
        >>> len(poker.outs("AhKh", "QsQd", board="7h2h9c").outs)
        15
    """
    table, chosen = table_of(game, board, dead, names, folded), method_of(method, seed, samples, standard_error, threads)
    now, rows = _croupier.poker_outs(_players(range, against), table, chosen)
    cards = [NextCard(card, Measure(*equity), Measure(*change), is_out) for card, equity, change, is_out in rows]
    return Outs(Measure(*now), cards)


@dataclass(frozen=True)
class Strength:
    """The made hands and draws of a range on a board, as shares from 0 to 1."""

    #: Number of hands of the range that are possible, by weight.
    hands: float
    #: Share of each made hand, the best first. Every hand is one of them.
    made: dict[str, float]
    #: Share of the hands with each draw. A hand may have several.
    draws: dict[str, float]

    def _repr_html_(self) -> str:
        rows = [("made", *it) for it in self.made.items()] + [("draw", *it) for it in self.draws.items()]
        body = "".join(f"<tr><td>{kind}</td><td>{name}</td><td>{share:.2%}</td></tr>" for kind, name, share in rows)
        return f"<table><tr><th></th><th>hand</th><th>share</th></tr>{body}</table>"


def strength(
    range: str,
    board: str = "",
    *,
    by: str | None = None,
    dead: str = "",
    game: str = "holdem",
    names: Mapping[str, str] | None = None,
) -> Strength:
    """Counts the made hands and draws of a range on a board of three to five cards.

    With ``by`` (``"flop"``, ``"turn"`` or ``"river"``) every completion of the board up to this street counts:
    ``strength("77", by="flop")`` for all flops.

        >>> from croupier import poker
        >>> found = poker.strength("AA,KK,QJs", "Kh9h2c")
        >>> round(sum(found.made.values()), 9), found.made["set"] > 0
        (1.0, True)
        >>> found = poker.strength("77", by="flop")
        >>> round(found.made["set"] + found.made["full house"] + found.made["quads"], 4)
        0.12
    """
    cards = {None: None, "flop": 3, "turn": 4, "river": 5}
    if by not in cards:
        raise ValueError(f"by={by!r} is not flop, turn or river")
    total, made, draws = _croupier.poker_strength(range, table_of(game, board, dead, names), cards[by])
    return Strength(
        hands=total,
        made={name: weight / total for name, weight in made},
        draws={name: weight / total for name, weight in draws},
    )
