//! The order in which following hands try their cards. It decides how soon a result is found, never the result.

use super::cards::{
    Cards, Lengths, Shape, TRUMPS, above, bottom, highest, lowest, suit, suit_of, top,
};

/// The order in which a following hand tries its cards: first a set of cards upwards or downwards, then a list, then
/// the rest.
#[derive(Clone, Copy)]
pub(crate) struct Order {
    first: Cards,
    first_downwards: bool,
    /// The list, one byte for each card, the next card in the lowest byte. A byte holds the card plus one.
    then: u32,
    rest_downwards: bool,
}

impl Order {
    /// Tries all cards, lowest first.
    pub(crate) const UPWARDS: Order = Order {
        first: 0,
        first_downwards: false,
        then: 0,
        rest_downwards: false,
    };

    /// Returns the next card of `moves`, which must not be empty.
    #[inline(always)]
    pub(crate) fn next(&mut self, moves: Cards) -> u32 {
        let first = self.first & moves;
        if first != 0 {
            return match self.first_downwards {
                true => highest(first),
                false => lowest(first),
            };
        }
        while self.then != 0 {
            let card = (self.then & 0xff) - 1;
            self.then >>= 8;
            if moves >> card & 1 != 0 {
                return card;
            }
        }
        match self.rest_downwards {
            true => highest(moves),
            false => lowest(moves),
        }
    }
}

/// The state of the trick that a following hand orders its cards by.
pub(crate) struct Following {
    pub(crate) seat: usize,
    pub(crate) moves: Cards,
    /// Whether the hand must follow suit.
    pub(crate) must_follow: bool,
    pub(crate) led: u32,
    /// The winning card so far, and the seat that played it.
    pub(crate) winner: u32,
    pub(crate) winner_seat: usize,
    pub(crate) lengths: Lengths,
}

/// Returns the order of a following hand. `PLACE` is 1 for second hand.
#[inline(always)]
pub(crate) fn follow<const NT: bool, const PLACE: usize>(
    hands: &[Cards; 4],
    f: &Following,
) -> Order {
    if f.must_follow {
        follow_suit::<PLACE>(hands, f)
    } else {
        ruff_or_discard::<NT, PLACE>(hands, f)
    }
}

#[inline(always)]
fn follow_suit<const PLACE: usize>(hands: &[Cards; 4], f: &Following) -> Order {
    let moves = f.moves;
    let k = suit(f.led);
    let partner = if PLACE == 1 {
        hands[(f.seat + 2) & 3] & k
    } else {
        0
    };
    let left = if PLACE < 3 {
        hands[(f.seat + 1) & 3] & k
    } else {
        0
    };
    let winner = 1 << f.winner;
    let partner_wins = PLACE >= 2 && f.winner_seat == (f.seat + 2) & 3;
    let beating = if suit_of(f.winner) == f.led {
        above(winner)
    } else {
        0
    };
    let higher = moves & beating;
    if higher == 0 {
        return Order::UPWARDS;
    }
    let best = top(moves);
    if partner_wins
        && (PLACE == 3 || left == 0 || winner > top(left) || left & beating == left & above(best))
    {
        return Order::UPWARDS;
    }
    if PLACE == 1 && partner & beating != 0 {
        let partner_best = top(partner);
        if left == 0 {
            return Order::UPWARDS;
        }
        let left_best = top(left);
        if left_best > partner_best.max(best) && left & above(partner_best) == left & above(best) {
            return Order::UPWARDS;
        }
        if partner_best > left_best {
            return Order::UPWARDS;
        }
    }
    Order {
        first: higher,
        first_downwards: PLACE != 3 && bottom(higher) <= left,
        ..Order::UPWARDS
    }
}

#[inline(always)]
fn ruff_or_discard<const NT: bool, const PLACE: usize>(hands: &[Cards; 4], f: &Following) -> Order {
    let mut moves = f.moves;
    let trumps = moves & TRUMPS;
    let mut first = 0;
    if !NT && trumps != 0 {
        let left_hand = hands[(f.seat + 1) & 3];
        let left = if PLACE < 3 {
            left_hand & suit(f.led)
        } else {
            0
        };
        let winner = 1 << f.winner;
        let partner_wins = PLACE >= 2 && f.winner_seat == (f.seat + 2) & 3;
        let ruffed = f.winner < 16;
        let safe = PLACE == 3 || left != 0 && (ruffed && f.led != 0 || winner > top(left));
        if partner_wins && safe {
        } else if ruffed {
            if !partner_wins {
                first = trumps & above(winner);
            }
        } else if PLACE == 3 || left != 0 || left_hand & TRUMPS == 0 {
            first = bottom(trumps);
        } else {
            first = trumps;
        }
        moves &= !first;
    }
    // The lowest card of each side suit, the longest suit first.
    let shape = Shape::of(f.lengths, f.seat);
    let mut discards = [0; 4];
    for s in (if NT { 0 } else { 1 })..4 {
        let cards = moves & suit(s);
        if cards != 0 {
            let length = shape.len(s) as u32;
            discards[s as usize] = length << 16 | (3 - s) << 8 | (lowest(cards) + 1);
        }
    }
    let mut sort = |i: usize, j: usize| {
        let (a, b) = (discards[i], discards[j]);
        (discards[i], discards[j]) = (a.max(b), a.min(b));
    };
    if NT {
        sort(0, 1);
        sort(2, 3);
        sort(0, 2);
        sort(1, 3);
        sort(1, 2);
    } else {
        sort(1, 2);
        sort(2, 3);
        sort(1, 2);
    }
    let [a, b, c, d] = discards.map(|discard| discard & 0xff);
    let then = b | c << 8 | d << 16;
    Order {
        first,
        first_downwards: false,
        then: if NT { a | then << 8 } else { then },
        rest_downwards: true,
    }
}
