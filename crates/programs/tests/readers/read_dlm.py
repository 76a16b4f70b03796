"""A second reader of DLM files, written from their public description alone; no registry has one.

usage: read_dlm.py FILE

A board is a line `Board 07=` with 26 letters and three digits. Letter number i (from 0) gives the holders of the cards 2i and 2i+1 of
the pack SA SK ... S2 HA ... C2: as a number from a = 0 it is four times the first holder plus the second, North 0 to West 3. The
digits are the exclusive or of the board's number and the letters' codes. `From board` and `To board` are the numbers of the first and last board of the set, and
`Checksum` of the header is their exclusive or with the number of duplicates, and with 1 where the cards may be shown.

One line a board: its number and the four hands, North first.
"""
import configparser
import functools
import operator
import sys

RANKS = "AKQJT98765432"


def hands(letters):
    held = [[[] for _ in range(4)] for _ in range(4)]
    for pair, letter in enumerate(letters):
        for place, seat in enumerate(divmod(ord(letter) - ord("a"), 4)):
            suit, rank = divmod(2 * pair + place, 13)
            held[seat][suit].append(RANKS[rank])
    return [".".join("".join(suit) for suit in hand) for hand in held]


def main():
    parser = configparser.ConfigParser()
    parser.read_string(open(sys.argv[1], encoding="ascii", newline="").read().replace("\r\n", "\n"))
    document = parser["Document"]
    first, last = int(document["From board"]), int(document["To board"])
    shown = 1 if document["Status"] == "Show" else 0
    assert int(document["Checksum"]) == first ^ last ^ int(document["Duplicates"]) ^ shown, "header"
    for number in range(1, 100):
        value = document[f"Board {number:02}"]
        letters, digits = value[:26], value[26:]
        assert int(digits) == functools.reduce(operator.xor, map(ord, letters), number), f"board {number}"
        if first <= number <= last:
            print(number, *hands(letters))


main()
