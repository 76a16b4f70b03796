#!/usr/bin/env python3
"""Verifies a set of tournament boards without any part of croupier.

usage: verify.py KEY COMMITMENT < boards.pbn

KEY was published by the organiser after the event (64 hexadecimal digits, or the key file), COMMITMENT
before it. The boards are games of PBN in order. A game may contain the number of its deal under the key
([DealNumber "17"], counted from 0; without it the deals follow each other) and by how many seats
it was turned clockwise ([DealTurned "1"]). The numbers grow, unless classes of deals were levelled (a
line %level marks this): then each class has its own order, and no deal may occur twice. Whether a script
selected the deals correctly is not checked here; croupier verify does that.
"""
import hashlib, os, re, struct, sys
from math import comb

D = 53644737765488792839237440000  # 52! / 13!^4 deals


def chacha20(key, counter, stream, sub):
    """Returns one block of the ChaCha20 keystream: 64-bit counter, then stream and sub-stream."""
    start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key),
             counter & 0xFFFFFFFF, counter >> 32, stream, sub]
    s = start[:]
    for _ in range(10):
        for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                           (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                s[x] = (s[x] + s[y]) & 0xFFFFFFFF
                s[z] ^= s[x]
                s[z] = (s[z] << turn | s[z] >> 32 - turn) & 0xFFFFFFFF
    return struct.pack("<16I", *((x + y) & 0xFFFFFFFF for x, y in zip(s, start)))


def board(key, i):
    """Returns the four hands of board i (from 0), as sets of cards 13 * suit + rank, clubs and deuces lowest."""
    tries = (int.from_bytes(chacha20(key, i, 2, sub)[at:at + 16], "little")
             for sub in range(2**32) for at in (0, 16, 32, 48))
    rank = next(x * D >> 128 for x in tries if x * D % 2**128 >= 2**128 % D)
    rest, south = divmod(rank, comb(26, 13))
    north, east = divmod(rest, comb(39, 13))
    deck, hands = list(range(52)), []
    for r in (north, east, south):
        places = []
        for k in range(13, 0, -1):
            p = max(p for p in range(len(deck)) if comb(p, k) <= r)
            r -= comb(p, k)
            places.append(p)
        hands.append({deck[p] for p in places})
        deck = [card for card in deck if card not in hands[-1]]
    return hands + [set(deck)]


def cards(hand):
    suits = hand.split(".")
    return {13 * (3 - s) + "23456789TJQKA".index(c) for s in range(4) for c in suits[s]}


def key_of(word):
    if os.path.isfile(word):
        found = re.search(r"^key:([0-9a-fA-F]+)\s*$", open(word).read(), re.M)
        if not found:
            sys.exit(f"{word}: no line begins with key:")
        word = found[1]
    try:
        return bytes.fromhex(word.removeprefix("key:")).ljust(32, b"\0")
    except ValueError:
        sys.exit(f"{word}: neither a file nor hexadecimal digits")


def main():
    if len(sys.argv) != 3 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip(), file=sys.stdout if "-h" in sys.argv or "--help" in sys.argv else sys.stderr)
        sys.exit(0 if "-h" in sys.argv or "--help" in sys.argv else 2)
    key = key_of(sys.argv[1])
    if hashlib.sha256(key).hexdigest() != sys.argv[2].lower():
        sys.exit("WRONG: the key is not the one that was committed to")
    text = sys.stdin.read().replace("\r", "")
    levelled = re.search(r"^%level ", text, re.M)
    games = re.split(r"\n\s*\n", text)
    games = [dict(re.findall(r'^\[(\w+) "([^"]*)"\]', game, re.M)) for game in games]
    games = [game for game in games if "Deal" in game]
    before, seen = -1, set()
    for place, game in enumerate(games):
        name = game.get("Board", place + 1)
        number, turned = int(game.get("DealNumber", place)), int(game.get("DealTurned", 0))
        first, hands = game["Deal"].split(":")
        hands, first = hands.split(), "NESW".index(first)
        given = [cards(hands[(seat - first) % 4]) for seat in range(4)]
        expected = board(key, number)
        if given != [expected[(seat - turned) % 4] for seat in range(4)]:
            sys.exit(f"WRONG: board {name} is not deal {number} of the key")
        if number in seen:
            sys.exit(f"WRONG: board {name} is deal {number} of the key, as is another board")
        seen.add(number)
        if number <= before and not levelled:
            sys.exit(f"WRONG: board {name} is deal {number} of the key, which does not come after deal {before}")
        before = number
    print(f"OK: the key fits the commitment, and all {len(games)} boards follow from it")


main()
