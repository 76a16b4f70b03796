"""Games of two ranges on a flop, turn or river, solved."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import _croupier
from ..dealing import IncompleteWarning, check_count, progress_callback, warn
from .equities import table_of

if TYPE_CHECKING:
    from ..dealing import Progress

__all__ = ["Decision", "DecisionHand", "Game"]

#: Megabytes of memory that a game may need.
_MEMORY = 4096


@dataclass(frozen=True)
class DecisionHand:
    """A hand at a decision."""

    hand: str
    #: Weight with which the hand reaches the decision.
    weight: float
    #: Frequency of each action.
    strategy: dict[str, float]
    #: Expected chips; None if the opponent has no hand here that fits.
    value: float | None
    #: Expected chips after each action; empty without a value.
    action_values: dict[str, float]


@dataclass(frozen=True)
class Decision:
    """A decision of a solved game, hand by hand."""

    #: Actions and cards from the start: ``check, bet 50``; empty for the first decision.
    path: str
    board: str
    #: ``flop``, ``turn`` or ``river``.
    street: str
    #: The player who decides: ``oop`` (out of position) or ``ip``.
    player: str
    #: Chips in the pot.
    pot: float
    #: Probability that the decision is reached.
    probability: float
    #: Expected chips of both players, out of position first.
    expected_values: tuple[float, float]
    #: Frequency of each action over all hands.
    actions: dict[str, float]
    hands: tuple[DecisionHand, ...]

    def __repr__(self) -> str:
        actions = ", ".join(f"{name} {share:.0%}" for name, share in self.actions.items())
        return f"<croupier.poker.Decision {self.path!r}: {self.player} on {self.board}: {actions}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("hand", "weight", "value", *self.actions))
        body = ""
        for it in self.hands:
            value = "" if it.value is None else f"{it.value:.2f}"
            cells = [it.hand, f"{it.weight:.3f}", value, *(f"{share:.1%}" for share in it.strategy.values())]
            body += "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
        return f"<p>{self.player} on {self.board}, pot {self.pot:g}</p><table><tr>{head}</tr>{body}</table>"


def _list(texts: str | Sequence[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)


class Game:
    """A game of two ranges on a board, whose strategies `run` improves until nobody can exploit them by much.

        >>> from croupier import poker
        >>> game = poker.Game("Kh7d2c9s4h", oop="AA,QQ,JTs", ip="KQs,88", pot=100, stack=100)
        >>> game.run(exploitability=0.005)
        >>> round(sum(game.decision().actions.values()), 6)
        1.0
    """

    def __init__(
        self,
        board: str,
        *,
        oop: str,
        ip: str,
        pot: float,
        stack: float,
        bets: str | Sequence[str] = (),
        raises: str | Sequence[str] = (),
        lock: str | Sequence[str] = (),
        all_in_threshold: float | None = None,
        raise_limit: int | None = None,
        names: Mapping[str, str] | None = None,
        bits: int | None = None,
        threads: int = 0,
        memory: int = _MEMORY,
    ) -> None:
        """Prepares a game on three to five cards.

        ``oop`` and ``ip`` are the ranges out of position and in position, ``stack`` the chips that each player can still
        bet. Sizes are percentages of the pot (``50%``), multiples of the bet for raises (``2.5x``), chips (``40``) or ``a``
        for all-in; several lists each begin with a street or player: ``["50%,a", "river: 75%,a", "oop flop: none"]``. By
        default bets are ``50%,100%,a`` and raises ``60%,a``, at most ``raise_limit`` (3) on a street.
        ``lock`` fixes strategies: ``"check, bet 50 => fold: QQ; call: AA,KK:0.5; raise 150: KK:0.5"``.

        A bet that would leave at most the share ``all_in_threshold`` (0.2) of the pot after a call is all-in. Numbers are stored
        with ``bits``, 32 for rivers and 16 before; the game may need ``memory`` megabytes.
        """
        self._options = (bits, check_count("threads", threads), check_count("memory", memory, 1))
        table = table_of("holdem", board, "", names)
        self._game = _croupier.PostflopGame(
            oop, ip, table, pot, stack, _list(bets), _list(raises), all_in_threshold, raise_limit, _list(lock), self._options
        )
        #: Exploitability in chips after the last `run`; None before.
        self.exploitability: float | None = None

    @staticmethod
    def load(path: str | os.PathLike[str], *, threads: int = 0, memory: int = _MEMORY) -> Game:
        """Reads a game that `save` or ``croupier poker solve --save`` wrote."""
        game = Game.__new__(Game)
        game._options = (None, check_count("threads", threads), check_count("memory", memory, 1))
        game._game = _croupier.PostflopGame.load(os.fspath(path), game._options)
        game.exploitability = None
        return game

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the game with its strategies to a file."""
        self._game.save(os.fspath(path))

    def run(self, *, exploitability: float = 0.001, iterations: int = 10_000, progress: Progress = None) -> None:
        """Improves the strategies until a best response wins at most the share ``exploitability`` of the pot on average.

        After Ctrl-C the strategies are those found so far. ``iterations`` includes those of earlier runs.
        """
        report = progress_callback(progress, iterations)
        done, chips, reached = self._game.run(exploitability, check_count("iterations", iterations, 1), report)
        self.exploitability = chips
        if not reached:
            warn(f"the exploitability is {chips:.3g} chips after {done:,} iterations, more than you asked for", IncompleteWarning)

    @property
    def iterations(self) -> int:
        """Number of iterations done."""
        return self._game.iterations

    @property
    def memory(self) -> int:
        """Bytes of memory that the game needs."""
        return self._game.size[2]

    @property
    def expected_values(self) -> tuple[float, float]:
        """Expected chips of both players, out of position first; together they are the pot."""
        return self._game.expected_values

    def decision(self, path: str | Sequence[str] = "") -> Decision:
        """Returns a decision. ``path`` are the actions and cards from the start: ``"check, bet 50"``, ``["check", "check",
        "2c"]``.
        """
        text = path if isinstance(path, str) else ", ".join(path)
        place, actions, hands = self._game.report(text)
        names = [name for name, _ in actions]
        rows = (
            DecisionHand(hand, weight, dict(zip(names, strategy, strict=True)), value, dict(zip(names, values)))
            for hand, weight, strategy, value, values in hands
        )
        return Decision(text, *place, dict(actions), tuple(rows))

    def __repr__(self) -> str:
        bits, decisions, size, hands = self._game.size
        return (
            f"<croupier.poker.Game: {hands[0]} and {hands[1]} hands, {decisions:,} decisions, {size / 2**20:.1f} MB,"
            f" {self.iterations} iterations>"
        )
