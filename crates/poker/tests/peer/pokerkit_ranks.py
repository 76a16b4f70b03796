"""Ranks of random hands according to pokerkit, an independent implementation.

Usage: pokerkit_ranks.py GAME COUNT SEED > ranks

Hands come from a generator that the Rust tests repeat; two bytes a hand come out, little-endian: pokerkit's index
of the hand, larger is better for high hands, smaller for low ones, 65535 for "no qualifying low".
"""

import sys

from pokerkit import (
    BadugiHand,
    Card,
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
    "short-deck": (2, 5, 4, ShortDeckHoldemHand),
    "stud": (7, 0, 0, StandardHighHand),
    "razz": (7, 0, 0, RegularLowHand),
    "2-7": (5, 0, 0, StandardLowHand),
    "badugi": (4, 0, 0, BadugiHand),
}
MASK = (1 << 64) - 1


def words(seed):
    """splitmix64"""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        x = seed
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
        yield x ^ (x >> 31)


def main():
    game, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    own, board, lowest, kind = GAMES[game]
    names = [r + s for s in "cdhs" for r in "23456789TJQKA"[lowest:]]
    cards = [next(iter(Card.parse(name))) for name in names]
    random = words(seed)
    out = sys.stdout.buffer
    for _ in range(count):
        deck = list(cards)
        for i in range(own + board):
            j = i + next(random) % (len(deck) - i)
            deck[i], deck[j] = deck[j], deck[i]
        hand = kind.from_game_or_none(deck[:own], deck[own : own + board])
        index = 65535 if hand is None else hand.entry.index
        out.write(index.to_bytes(2, "little"))


main()
