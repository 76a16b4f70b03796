"""Card play double dummy: positions, the cost of each card played, optimal lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ._croupier import Board, Card, Contract, Deal, Hand, Position, solve_positions
from .values import Seat, Strain

__all__ = [
    "DecidingCards",
    "PlayedCard",
    "Step",
    "Swing",
    "analyse_play",
    "best_play",
    "deciding_cards",
    "solve_position",
    "solve_positions",
]


@dataclass(frozen=True)
class PlayedCard:
    """A card that was played, and the tricks that it cost."""

    seat: Seat
    card: Card
    #: Tricks that the card cost its side, with best play by all from here on.
    cost: int
    #: The cards that would have cost nothing; no cards if this one cost nothing.
    better: Hand
    #: Tricks of declarer in all if play is perfect after this card.
    tricks: int


@dataclass(frozen=True)
class Step:
    """A card of an optimal line of play."""

    seat: Seat
    card: Card
    #: All cards that are as good, this one included.
    alternatives: Hand
    #: Tricks of North-South from here on, the current trick included.
    north_south: int


@dataclass(frozen=True)
class Swing:
    """Two adjacent cards of a suit whose exchange changes the result."""

    card: Card
    seat: Seat
    #: The next lower card that is left, and the seat that holds it.
    lower: Card
    lower_seat: Seat
    #: Tricks of North-South after the exchange.
    north_south: int


@dataclass(frozen=True)
class DecidingCards:
    """The cards whose ranks decide a result. All other cards of a suit can change places."""

    #: Tricks of North-South from here on, the current trick included.
    north_south: int
    cards: Hand
    swings: list[Swing]


def solve_position(
    hands: Position | Deal | Board | str,
    strain: Strain | str | None = None,
    leader: Seat | str | None = None,
    trick: Sequence[Card | str] = (),
) -> dict[Card, int]:
    """Returns the tricks that the side to play takes after each card that it can play, best card first.

    ``hands`` is a `Position`, a deal, or the text of an ending; ``strain``, ``leader`` and ``trick`` are those of
    `Position`.

        >>> import croupier
        >>> tricks = croupier.solve_position("N:AQ... 32... 54... KJ...", "NT", "S")
        >>> {str(card): number for card, number in tricks.items()}
        {'S5': 2, 'S4': 2}
    """
    return _position(hands, strain, leader, trick).choices()


def best_play(
    hands: Position | Deal | Board | str,
    strain: Strain | str | None = None,
    leader: Seat | str | None = None,
    trick: Sequence[Card | str] = (),
) -> list[Step]:
    """Returns an optimal line of play to the end, with the equally good cards at each step."""
    return [Step(*step) for step in _position(hands, strain, leader, trick).line()]


def deciding_cards(
    hands: Position | Deal | Board | str,
    strain: Strain | str | None = None,
    leader: Seat | str | None = None,
    trick: Sequence[Card | str] = (),
) -> DecidingCards:
    """Returns the cards that decide the result, and the exchanges of two adjacent cards that change it.

        >>> import croupier
        >>> found = croupier.deciding_cards("N:AQ... 32... 54... KJ...", "NT", "S")
        >>> [f"{swing.card} for {swing.lower}: {swing.north_south}" for swing in found.swings]
        ['SA for SK: 1', 'SQ for SJ: 1']
    """
    north_south, cards, swings = _position(hands, strain, leader, trick).deciding_cards()
    return DecidingCards(north_south, cards, [Swing(*swing) for swing in swings])


def _position(
    hands: Position | Deal | Board | str,
    strain: Strain | str | None,
    leader: Seat | str | None,
    trick: Sequence[Card | str],
) -> Position:
    if isinstance(hands, Position):
        if strain is not None or leader is not None or trick:
            raise TypeError("a Position has its strain, leader and trick: leave them out")
        return hands
    if strain is None or leader is None:
        raise TypeError("give the strain and the leader: solve_position(hands, 'NT', 'S')")
    return Position(hands, strain, leader, list(trick))


def analyse_play(
    board: Board | Deal | str,
    contract: Contract | str | None = None,
    play: Sequence[Card | str] | None = None,
) -> list[PlayedCard]:
    """Returns the double-dummy cost of every card that was played.

    Contract and play are those of the board, unless you give others.
    """
    if isinstance(board, Board):
        contract = board.contract if contract is None else contract
        play = board.play if play is None else play
    if contract is None or play is None:
        raise ValueError("the board has no contract or no play: give contract= and play=")
    declared = contract if isinstance(contract, Contract) else Contract(contract)
    if declared.declarer is None:
        raise ValueError(f"the contract {declared} names no declarer: write {declared}-S")
    north_south = declared.declarer.side is Seat.NORTH.side
    deal = board.deal if isinstance(board, Board) else Deal(board)
    rows = Position.opening(deal, declared).review(list(play))
    return [
        PlayedCard(seat, card, cost, better, tricks if north_south else 13 - tricks)
        for seat, card, cost, better, tricks in rows
    ]
