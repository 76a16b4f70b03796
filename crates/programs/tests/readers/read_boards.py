"""Reads a file of boards with an independent package and prints what it understood.

usage: read_boards.py endplay-pbn|endplay-lin|bridgebots-pbn FILE

Each line is a board: number, dealer, vulnerability and the four hands, North first.
"""
import sys
from pathlib import Path

SUITS = "SHDC"
RANKS = "AKQJT98765432"


def hand(cards):
    """Returns a hand as text. `cards` are pairs of suit letter and rank letter."""
    by_suit = {suit: [] for suit in SUITS}
    for suit, rank in cards:
        by_suit[suit].append(rank)
    return ".".join("".join(sorted(by_suit[suit], key=RANKS.index)) for suit in SUITS)


def endplay_boards(path, kind):
    import endplay.parsers.lin as lin
    import endplay.parsers.pbn as pbn

    with open(path, encoding="utf-8") as file:
        boards = (pbn if kind == "pbn" else lin).load(file)
    for board in boards:
        hands = str(board.deal).split(":", 1)
        order = hands[1].split()
        turn = "NESW".index(hands[0])
        order = [order[(seat - turn) % 4] for seat in range(4)]
        vulnerable = ["None", "All", "NS", "EW"][int(board.vul)]
        yield board.board_num, board.dealer.abbr, vulnerable, order


def bridgebots_boards(path):
    from bridgebots.deal_utils import from_pbn_deal
    from bridgebots.pbn import _build_record_dict, _split_pbn

    for record in _split_pbn(Path(path)):
        tags = _build_record_dict(record)
        if "Deal" not in tags:
            continue
        deal = from_pbn_deal(tags["Dealer"], tags["Vulnerable"], tags["Deal"])
        seats = sorted(deal.hands, key=lambda direction: direction.value)
        hands = [
            hand((suit.name[0], rank.abbreviation()) for suit, ranks in deal.hands[seat].suits.items() for rank in ranks)
            for seat in seats
        ]
        vulnerable = {(False, False): "None", (True, False): "NS", (False, True): "EW", (True, True): "All"}
        yield tags["Board"], deal.dealer.name[0], vulnerable[deal.ns_vulnerable, deal.ew_vulnerable], hands


def main():
    reader, path = sys.argv[1:]
    package, kind = reader.split("-")
    boards = bridgebots_boards(path) if package == "bridgebots" else endplay_boards(path, kind)
    for number, dealer, vulnerable, hands in boards:
        print(number, dealer, vulnerable, *hands)


main()
