"""Random hands of every variant of the PHH format, written and replayed by pokerkit, an independent implementation.

Usage: pokerkit_histories.py FOLDER

Writes `hands.phhs`, and `decisions.csv` with a line for every decision: hand, player (from 1), action, pot before it, the chips
that a call costs, the number of players in the hand, and the cards on the board. Bets of all streets count for the pot.
"""

import random
import sys
from pathlib import Path

from pokerkit import (
    Automation,
    FixedLimitBadugi,
    FixedLimitDeuceToSevenLowballTripleDraw,
    FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    FixedLimitRazz,
    FixedLimitSevenCardStud,
    FixedLimitSevenCardStudHighLowSplitEightOrBetter,
    FixedLimitTexasHoldem,
    HandHistory,
    NoLimitDeuceToSevenLowballSingleDraw,
    NoLimitShortDeckHoldem,
    NoLimitTexasHoldem,
    PotLimitOmahaHoldem,
)

AUTOMATIONS = tuple(Automation)
BUTTON_LIMIT = [FixedLimitTexasHoldem, FixedLimitOmahaHoldemHighLowSplitEightOrBetter, FixedLimitDeuceToSevenLowballTripleDraw, FixedLimitBadugi]
BUTTON_FREE = [NoLimitTexasHoldem, NoLimitShortDeckHoldem, PotLimitOmahaHoldem, NoLimitDeuceToSevenLowballSingleDraw]
STUD = [FixedLimitSevenCardStud, FixedLimitSevenCardStudHighLowSplitEightOrBetter, FixedLimitRazz]


def game_of(kind, players):
    antes = random.choice([[0] * players, [1] * players])
    if kind in STUD:
        return kind(AUTOMATIONS, True, [1] * players, 2, 4, 8)
    blinds = [2, 4] + [0] * (players - 2)
    if players > 3 and random.random() < 0.2:
        blinds[2] = 8
    if kind in BUTTON_FREE:
        return kind(AUTOMATIONS, True, antes, blinds, 4)
    return kind(AUTOMATIONS, True, antes, blinds, 4, 8)


def play(kind):
    players = random.randint(2, 4)
    game = game_of(kind, players)
    stacks = [random.choice([30, 60.5, 200, 400]) for _ in range(players)]
    state = game(stacks, players)
    while state.status:
        if state.can_post_bring_in():
            if random.random() < 0.7:
                state.post_bring_in()
            else:
                state.complete_bet_or_raise_to()
        elif state.can_stand_pat_or_discard():
            cards = list(state.hole_cards[state.stand_patter_or_discarder_index])
            state.stand_pat_or_discard(random.sample(cards, random.randint(0, min(3, len(cards)))))
        elif state.can_complete_bet_or_raise_to() and random.random() < 0.35:
            low = state.min_completion_betting_or_raising_to_amount
            high = state.max_completion_betting_or_raising_to_amount
            state.complete_bet_or_raise_to(random.choice([low, low, high, max(low, (low + high) // 2)]))
        elif state.can_fold() and state.checking_or_calling_amount and random.random() < 0.25:
            state.fold()
        elif state.can_check_or_call():
            state.check_or_call()
        else:
            raise AssertionError("no action is possible")
    return HandHistory.from_game_state(game, state)


def main():
    random.seed(20_261_119)
    folder = Path(sys.argv[1])
    texts, rows = [], ["hand,player,action,pot,to_call,live,board"]
    number = 0
    for kind in BUTTON_FREE + BUTTON_LIMIT + STUD:
        for _ in range(8):
            history = HandHistory.loads(play(kind).dumps())
            number += 1
            texts.append(f"[{number}]\n{history.dumps()}\n")
            before = None
            for state, action in history.state_actions:
                if before is not None and action is not None and action[0] == "p":
                    actor, verb = action.split()[:2]
                    player = int(actor[1:])
                    if verb in ("f", "cc", "cbr", "sd"):
                        pot, call, live, board = before
                        rows.append(f"{number},{player},{verb},{float(pot):g},{float(call):g},{live},{board}")
                board = "".join(repr(card) for cards in state.board_cards for card in cards)
                call = state.checking_or_calling_amount or 0
                before = (state.total_pot_amount, call, sum(state.statuses), board)
    (folder / "hands.phhs").write_text("\n".join(texts))
    (folder / "decisions.csv").write_text("\n".join(rows) + "\n")


main()
