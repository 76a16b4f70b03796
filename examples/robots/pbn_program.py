#!/usr/bin/env python3
"""A robot for croupier made of a program that bids the boards of a PBN file.

    croupier bid boards.pbn --robot 'python3 examples/robots/pbn_program.py mybidder {in} {out}' -o out.pbn

The command runs once for each call, with a file of one board: the hand of the player to call, the cards of the
others dealt to them in order, and the auction so far, which the program continues. `{in}` and `{out}` are replaced by the
names of the file to read and the file to write. The first call after the given auction is the answer. This adapter does not
work with programs that use the other hands or restart the auction.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

SUITS = "AKQJT98765432"
SEATS = "NESW"
VULNERABLE = {"none": "None", "ns": "NS", "ew": "EW", "both": "All"}
TO_PBN = {"P": "Pass"}
FROM_PBN = {"PASS": "P", "X": "X", "XX": "XX"}


def layout(hand, seat):
    """Returns the Deal tag: the hand at its seat, and the other cards dealt in order."""
    held = hand.split(".")
    rest = [(suit, rank) for suit in range(4) for rank in SUITS if rank not in held[suit]]
    hands = {seat: hand}
    others = [name for name in SEATS if name != seat]
    for place, name in enumerate(others):
        cards = rest[place::3]
        suits = ("".join(rank for where, rank in cards if where == suit) for suit in range(4))
        hands[name] = ".".join(suits)
    return "N:" + " ".join(hands[name] for name in SEATS)


def board(question):
    """Returns a PBN file of one board with the auction so far."""
    calls = [TO_PBN.get(call, re.sub(r"N$", "NT", call)) for call in question["auction"]]
    rows = [" ".join(calls[at : at + 4]) for at in range(0, len(calls), 4)]
    return "\n".join(
        [
            "% PBN 2.1",
            '[Board "1"]',
            f'[Dealer "{question["dealer"]}"]',
            f'[Vulnerable "{VULNERABLE[question["vulnerable"]]}"]',
            f'[Deal "{layout(question["hand"], question["seat"])}"]',
            f'[Auction "{question["dealer"]}"]',
            *rows,
            "",
        ]
    )


def next_call(text, before):
    """Returns the call behind the first `before` calls of the auction in a PBN file."""
    section = re.search(r'\[Auction "[^"]*"\]([^\[]*)', text)
    if section is None:
        raise ValueError("the program wrote no auction")
    words = [word for word in section.group(1).split() if not re.match(r"[=$*+!?-]", word)]
    calls = []
    for word in words:
        calls += ["P"] * 3 if word.upper() == "AP" else [word.rstrip("!?*")]
    if len(calls) <= before:
        raise ValueError("the program made no call")
    call = calls[before].upper()
    return FROM_PBN.get(call, call.replace("NT", "N"))


def ask(command, question):
    with tempfile.TemporaryDirectory() as folder:
        given, made = os.path.join(folder, "in.pbn"), os.path.join(folder, "out.pbn")
        with open(given, "w", encoding="utf-8") as file:
            file.write(board(question))
        words = [word.replace("{in}", given).replace("{out}", made) for word in command]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, timeout=60)
        with open(made, encoding="utf-8") as file:
            return {"call": next_call(file.read(), len(question["auction"]))}


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: pbn_program.py COMMAND ARGUMENTS, with {in} and {out} for the files")
    for line in sys.stdin:
        try:
            message = ask(sys.argv[1:], json.loads(line))
        except (OSError, KeyError, ValueError, subprocess.SubprocessError) as error:
            message = {"error": repr(error)}
        print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main()
