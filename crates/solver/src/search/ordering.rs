//! In which order cards are tried: the order decides how soon a trick is found, never what is found.

use super::cards::{
    Cards, Lengths, Shape, TRUMPS, above, bottom, highest, lowest, suit, suit_of, top,
};

/// Cards waiting to be tried.
pub(crate) struct Queue {
    cards: [u8; 16],
    len: usize,
    next: usize,
}

impl Queue {
    #[inline(always)]
    pub(crate) fn new() -> Queue {
        Queue {
            cards: [0; 16],
            len: 0,
            next: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, card: u32) {
        self.cards[self.len & 15] = card as u8;
        self.len += 1;
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        (self.next < self.len).then(|| {
            let card = self.cards[self.next & 15];
            self.next += 1;
            u32::from(card)
        })
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        (self.len, self.next) = (0, 0);
    }

    /// All of these, lowest first.
    #[inline(always)]
    fn upwards(&mut self, mut cards: Cards) {
        while cards != 0 {
            self.push(lowest(cards));
            cards &= cards - 1;
        }
    }

    /// All of these, highest first.
    #[inline(always)]
    fn downwards(&mut self, mut cards: Cards) {
        while cards != 0 {
            let card = highest(cards);
            self.push(card);
            cards ^= 1 << card;
        }
    }
}

/// What a hand that follows looks at.
pub(crate) struct Following {
    pub(crate) seat: usize,
    pub(crate) moves: Cards,
    /// Whether it must follow suit.
    pub(crate) bound: bool,
    pub(crate) led: u32,
    /// The winning card so far, and who played it.
    pub(crate) winner: u32,
    pub(crate) winner_seat: usize,
    pub(crate) lengths: Lengths,
}

/// The cards of a hand that follows, in the order in which they are tried. `PLACE` is 1 for second hand.
#[inline(always)]
pub(crate) fn follow<const NT: bool, const PLACE: usize>(
    queue: &mut Queue,
    hands: &[Cards; 4],
    f: &Following,
) {
    if f.bound {
        follow_suit::<PLACE>(queue, hands, f);
    } else {
        ruff_or_discard::<NT, PLACE>(queue, hands, f);
    }
}

#[inline(always)]
fn follow_suit<const PLACE: usize>(queue: &mut Queue, hands: &[Cards; 4], f: &Following) {
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
        return queue.upwards(moves);
    }
    let best = top(moves);
    if partner_wins
        && (PLACE == 3 || left == 0 || winner > top(left) || left & beating == left & above(best))
    {
        return queue.upwards(moves);
    }
    if PLACE == 1 && partner & beating != 0 {
        let partner_best = top(partner);
        if left == 0 {
            return queue.upwards(moves);
        }
        let left_best = top(left);
        if left_best > partner_best.max(best) && left & above(partner_best) == left & above(best) {
            return queue.upwards(moves);
        }
        if partner_best > left_best {
            return queue.upwards(moves);
        }
    }
    if PLACE == 3 || left == 0 || bottom(higher) > top(left) {
        queue.upwards(higher);
    } else {
        queue.downwards(higher);
    }
    queue.upwards(moves & !higher);
}

#[inline(always)]
fn ruff_or_discard<const NT: bool, const PLACE: usize>(
    queue: &mut Queue,
    hands: &[Cards; 4],
    f: &Following,
) {
    let mut moves = f.moves;
    let trumps = moves & TRUMPS;
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
            let higher = trumps & above(winner);
            if !partner_wins {
                queue.upwards(higher);
                moves &= !higher;
            }
        } else if PLACE == 3 || left != 0 || left_hand & TRUMPS == 0 {
            queue.push(lowest(trumps));
            moves ^= bottom(trumps);
        } else {
            queue.upwards(trumps);
            moves &= !trumps;
        }
    }
    // The lowest of each side suit, the longest suit first.
    let shape = Shape::of(f.lengths, f.seat);
    let mut discards = [(0, 0); 4];
    let mut suits = 0;
    for s in (if NT { 0 } else { 1 })..4 {
        let cards = moves & suit(s);
        if cards != 0 {
            let length = shape.len(s);
            let mut j = suits;
            while j > 0 && discards[j - 1].0 < length {
                discards[j] = discards[j - 1];
                j -= 1;
            }
            discards[j] = (length, lowest(cards));
            suits += 1;
        }
    }
    for &(_, card) in &discards[..suits] {
        queue.push(card);
        moves ^= 1 << card;
    }
    queue.downwards(moves);
}
