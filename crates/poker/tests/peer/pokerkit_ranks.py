"""Ranks of random hands according to pokerkit, an independent implementation.

Usage: pokerkit_ranks.py GAME COUNT SEED [table|all] > ranks

The hands come from a generator that the Rust tests repeat. The output has two bytes for each hand, little-endian: pokerkit's index of the hand, larger is better for high hands, smaller for low ones, 65535 for "no qualifying low".

With `table` pokerkit evaluates each of the 7,462 kinds of five cards once, and this program chooses the five cards by the rules of the game:
two of the player's and three of the board in Omaha, any five elsewhere. A million hands then take a minute (with numpy).

With `all` the output has every hand of a game without a board once, in the order of its cards. COUNT is their expected number.
"""

import sys
from itertools import combinations, combinations_with_replacement

from pokerkit import (
    BadugiHand,
    Card,
    EightOrBetterLowHand,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    RegularLowHand,
    ShortDeckHoldemHand,
    StandardHighHand,
    StandardLowHand,
)

# Game: (cards of the player, cards on the board, lowest rank of the deck, pokerkit's class)
GAMES = {
    "holdem": (2, 5, 0, StandardHighHand),
    "omaha": (4, 5, 0, OmahaHoldemHand),
    "omaha5": (5, 5, 0, OmahaHoldemHand),
    "omaha6": (6, 5, 0, OmahaHoldemHand),
    "omaha8": (4, 5, 0, OmahaEightOrBetterLowHand),
    "omaha5-8": (5, 5, 0, OmahaEightOrBetterLowHand),
    "short-deck": (2, 5, 4, ShortDeckHoldemHand),
    "stud": (7, 0, 0, StandardHighHand),
    "stud8": (7, 0, 0, EightOrBetterLowHand),
    "razz": (7, 0, 0, RegularLowHand),
    "2-7": (5, 0, 0, StandardLowHand),
    "a-5": (5, 0, 0, RegularLowHand),
    "badugi": (4, 0, 0, BadugiHand),
}
MASK = (1 << 64) - 1


def words(seed):
    """Yields the pseudo-random 64-bit words of SplitMix64."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        x = seed
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
        yield x ^ (x >> 31)


def five_card_indices(kind, lowest):
    """Returns pokerkit's index of five cards by (sum of 5^rank, whether they are of one suit); None where they do not
    qualify.
    """
    indices = {}
    for ranks in combinations_with_replacement(range(lowest, 13), 5):
        if any(ranks.count(rank) == 5 for rank in ranks):
            continue
        sizes = [False, True] if len(set(ranks)) == 5 else [False]
        for suited in sizes:
            cards = "".join(
                "23456789TJQKA"[rank] + "cdhs"[0 if suited else (ranks[:place].count(rank) + (place == 4)) % 4]
                for place, rank in enumerate(ranks)
            )
            try:
                index = kind(cards).entry.index
            except ValueError:
                index = None
            indices[sum(5**rank for rank in ranks), suited] = index
    return indices


def shuffled(size, taken, first, count, seed):
    """Returns the decks of `count` hands from number `first` on, as far as they are dealt. It makes the swaps of the
    loop below in columns.
    """
    import numpy as np

    numbers = np.arange(first * taken + 1, (first + count) * taken + 1, dtype=np.uint64)
    x = np.uint64(seed) + numbers * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    words = (x ^ (x >> np.uint64(31))).reshape(count, taken)
    decks = np.tile(np.arange(size, dtype=np.int64), (count, 1))
    rows = np.arange(count)
    for i in range(taken):
        j = i + (words[:, i] % np.uint64(size - i)).astype(np.int64)
        held = decks[rows, j].copy()
        decks[rows, j] = decks[:, i]
        decks[:, i] = held
    return decks[:, :taken]


def from_table(game, count, seed):
    import numpy as np

    own, board, lowest, kind = GAMES[game]
    table = five_card_indices(kind, lowest)
    none = 65535 if kind.low else -1
    columns = []
    for suited in (False, True):
        known = sorted((key, none if index is None else index) for (key, of), index in table.items() if of == suited)
        columns.append(tuple(np.array(column, dtype=np.int64) for column in zip(*known)))
    (keys, plain), (flush_keys, flushes) = columns
    per_suit = 13 - lowest
    size = 4 * per_suit
    weights = np.array([5 ** (lowest + card % per_suit) for card in range(size)], dtype=np.int64)
    suits = np.arange(size, dtype=np.int64) // per_suit
    mine, common = range(own), range(own, own + board)
    if game.startswith("omaha"):
        fives = [a + b for a in combinations(mine, 2) for b in combinations(common, 3)]
    else:
        fives = list(combinations(range(own + board), 5))
    best = np.minimum if kind.low else np.maximum
    step = 20_000
    for first in range(0, count, step):
        deck = shuffled(size, own + board, first, min(step, count - first), seed)
        weight, suit = weights[deck], suits[deck]
        found = None
        for five in fives:
            places = list(five)
            key = weight[:, places].sum(axis=1)
            index = plain[np.searchsorted(keys, key)]
            of = suit[:, places]
            one_suit = (of == of[:, :1]).all(axis=1)
            if one_suit.any():
                index[one_suit] = flushes[np.searchsorted(flush_keys, key[one_suit])]
            found = index if found is None else best(found, index)
        found[found == none] = 65535
        sys.stdout.buffer.write(found.astype("<u2").tobytes())


def main():
    game, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if sys.argv[4:] == ["table"]:
        return from_table(game, count, seed)
    own, board, lowest, kind = GAMES[game]
    names = [r + s for s in "cdhs" for r in "23456789TJQKA"[lowest:]]
    cards = [next(iter(Card.parse(name))) for name in names]
    random = words(seed)
    out = sys.stdout.buffer
    if sys.argv[4:] == ["all"]:
        found = 0
        for hand in combinations(cards, own):
            out.write(kind.from_game(list(hand)).entry.index.to_bytes(2, "little"))
            found += 1
        assert board == 0 and found == count, f"{found} hands of {game}"
        return
    for _ in range(count):
        deck = list(cards)
        for i in range(own + board):
            j = i + next(random) % (len(deck) - i)
            deck[i], deck[j] = deck[j], deck[i]
        hand = kind.from_game_or_none(deck[:own], deck[own : own + board])
        index = 65535 if hand is None else hand.entry.index
        out.write(index.to_bytes(2, "little"))


main()
