"""Reads a file of played boards with an independent package and prints what it understood.

usage: read_played.py endplay-pbn|endplay-lin|bridgebots-pbn|bridgebots-lin FILE

Each line is a board, its parts separated by semicolons: the names from South on, the auction, explanations with the place of their
call, the cards in the order of play, contract and tricks.
"""
import sys
from pathlib import Path

SYMBOLS = str.maketrans("♠♥♦♣", "SHDC")
CALLS = {"P": "Pass", "PASS": "Pass", "X": "X", "XX": "XX"}


def call(text):
    text = str(text).translate(SYMBOLS).rstrip("!*")
    return CALLS.get(text, text.replace("NT", "N"))


def endplay_boards(path, kind):
    import endplay.parsers.lin as lin
    import endplay.parsers.pbn as pbn

    with open(path, encoding="utf-8") as file:
        boards = (pbn if kind == "pbn" else lin).load(file)
    for board in boards:
        info = board.info
        names = [info.get(seat, info.get(seat.lower())) for seat in ("South", "West", "North", "East")]
        auction = [call(str(it).split("!")[0].rstrip("*")) for it in board.auction]
        notes = [(place, it.announcement) for place, it in enumerate(board.auction) if getattr(it, "announcement", None)]
        play = [str(card).translate(SYMBOLS) for card in board.play]
        contract = board.contract
        bid = f"{contract.level}{contract.denom.abbr.replace('NT', 'N')}{contract.penalty.abbr.upper()}"
        tricks = 6 + contract.level + contract.result if contract.result is not None else None
        yield names, auction, notes, play, (bid, tricks)


def bridgebots_boards(path, kind):
    from bridgebots.deal_enums import Direction
    from bridgebots.lin import parse_single_lin
    from bridgebots.pbn import parse_pbn

    records = (parse_pbn if kind == "pbn" else parse_single_lin)(Path(path))
    for record in (board for deal in records for board in deal.board_records):
        names = [record.names[seat] for seat in (Direction.SOUTH, Direction.WEST, Direction.NORTH, Direction.EAST)]
        auction = [call(it) for it in record.bidding_record]
        notes = [(it.bid_index, it.explanation) for it in record.bidding_metadata if it.explanation]
        play = [f"{card.suit.name[0]}{card.rank.abbreviation()}" for card in record.play_record]
        bid = str(record.contract).upper().replace("NT", "N")
        yield names, auction, notes, play, (bid, record.tricks)


def main():
    reader, path = sys.argv[1:]
    package, kind = reader.split("-")
    boards = bridgebots_boards(path, kind) if package == "bridgebots" else endplay_boards(path, kind)
    for names, auction, notes, play, result in boards:
        notes = " ".join(f"{place}={text}" for place, text in notes)
        print(",".join(names), " ".join(auction), notes, " ".join(play), " ".join(map(str, result)), sep="; ")


main()
