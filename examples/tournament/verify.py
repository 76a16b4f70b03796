#!/usr/bin/env python3
"""Verifies a set of tournament boards without any part of croupier.

usage: verify.py BOARDS KEY [--commitment HEX] [--script SCRIPT] [--beacon-value VALUE]

BOARDS is a file of PBN, or - for standard input. KEY was published by the organiser after the event: the key file, or
64 hexadecimal digits. The commitment was published before it. A key file holds the terms of the event (the number of
boards, the hash of the script ...), and the commitment is the SHA-256 hash of its lines up to the commitment:
grep -v ^commitment final.key | sha256sum. The commitment of a key alone is the hash of its 32 bytes.

VALUE is the public value on which the deals depend, if the terms have a line "beacon:" (default: the line %beacon of
the boards); then the key of the deals is the SHA-256 hash of the 32 bytes of the secret key and the value.

A game may contain the number of its deal under the key ([DealNumber "17"], counted from 0; without it the deals follow
each other) and by how many seats it was turned clockwise ([DealTurned "1"]). The numbers grow, unless classes of deals
were levelled (a line %level marks this): then each class has its own order, and no deal may occur twice. Whether the
script selected the deals correctly is not checked here, only that it is the promised script; croupier verify deals again.
"""
import argparse, hashlib, os, re, struct, sys
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


def key_file(word):
    """Returns the 32 bytes of the key, and the lines of the key file (none for digits)."""
    text = open(word).read() if os.path.isfile(word) else "key:" + word.removeprefix("key:")
    found = re.search(r"^key:((?:[0-9a-fA-F]{2}){1,32})\s*$", text, re.M)
    if not found:
        sys.exit(f"{word}: neither a key file nor hexadecimal digits")
    lines = [line.rstrip() for line in text.splitlines()]
    return bytes.fromhex(found[1]).ljust(32, b"\0"), [line for line in lines if line.partition(":")[0] in TERMS]


TERMS = "boards first rotated dealer vulnerable script parameter level beacon".split()


def digest(data):
    return hashlib.sha256(data).hexdigest()


def script_digest(text):
    return digest(text.replace(b"\r\n", b"\n").rstrip())


def promised(terms, name):
    return next((line.partition(":")[2] for line in terms if line.startswith(name + ":")), None)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("boards")
    words.add_argument("key")
    words.add_argument("--commitment", metavar="HEX")
    words.add_argument("--script", metavar="SCRIPT")
    words.add_argument("--beacon-value", metavar="VALUE")
    given = words.parse_args()
    text = (sys.stdin if given.boards == "-" else open(given.boards, newline="")).read().replace("\r", "")
    key, terms = key_file(given.key)
    terms = terms or re.findall(r"^%tournament (.*)", text, re.M)
    own = "".join(line + "\n" for line in [f"key:{key.hex()}"] + terms).encode()
    commitment = digest(own) if terms else digest(key)
    games = [dict(re.findall(r'^\[(\w+) "([^"]*)"\]', game, re.M)) for game in re.split(r"\n\s*\n", text)]
    games = [game for game in games if "Deal" in game]
    promises = [given.commitment] + [game.get("Commitment") for game in games]
    if os.path.isfile(given.key):
        promises += re.findall(r"^commitment:(\w+)", open(given.key).read(), re.M)
    if any(it and it.strip().lower() != commitment for it in promises):
        sys.exit("WRONG: the key is not the one that was committed to")
    beacon = promised(terms, "beacon")
    value = given.beacon_value or next(iter(re.findall(r"^%beacon (.*)", text, re.M)), None)
    if beacon is not None and value is None:
        sys.exit(f"the deals depend on a public value, which is not given: {beacon}")
    if value is not None:
        key = hashlib.sha256(key + value.strip().encode()).digest()
    script = open(given.script, "rb").read() if given.script else embedded_script(text)
    if terms and script is not None and (script_digest(script) if script.strip() else None) != promised(terms, "script"):
        sys.exit("WRONG: the script is not the one that was promised")
    check(key, games, terms, re.search(r"^%level ", text, re.M))
    if terms and int(promised(terms, "boards")) != len(games):
        sys.exit(f"WRONG: there are {len(games)} boards, but {promised(terms, 'boards')} were promised")
    print(f"OK: the key fits the commitment, and all {len(games)} boards follow from it")


def embedded_script(text):
    lines = re.findall(r"^%script(\+?) ?(.*)", text, re.M)
    script = "".join(more if plus else "\n" + more for plus, more in lines)
    return script[1:].encode() if lines else None


def check(key, games, terms, levelled):
    before, seen, from_seat = -1, set(), promised(terms, "rotated")
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
        if not terms:
            continue
        if int(name) != int(promised(terms, "first")) + place:
            sys.exit(f"WRONG: board {name} stands in place {place + 1}: a board is missing, or numbers were exchanged")
        if turned != (0 if from_seat is None else (int(name) - 1 - "NESW".index(from_seat)) % 4):
            sys.exit(f"WRONG: board {name} was turned by {turned} seats")
        if promised(terms, "script") is None and not levelled and number != place:
            sys.exit(f"WRONG: before board {name}, deal {place} of the key was left out")
        dealer = promised(terms, "dealer") or "NESW"[(int(name) - 1) % 4]
        if game.get("Dealer", dealer) != dealer:
            sys.exit(f"WRONG: board {name}: the dealer is {game['Dealer']}")
        round_ = (int(name) - 1) % 16
        vulnerable = promised(terms, "vulnerable") or ("None", "NS", "EW", "All")[(round_ + round_ // 4) % 4]
        if game.get("Vulnerable", vulnerable) != vulnerable:
            sys.exit(f"WRONG: board {name}: vulnerable is {game['Vulnerable']}")


main()
