//! In which order leads are tried.
//!
//! Every lead gets a score from what can be seen of its suit and from what happened with it before in this deal; the weights
//! are the result of measuring how many positions are searched with them. The order decides how soon a good lead is found, never what is found.

use super::cards::{Cards, Lengths, Shape, TRUMPS, above, bottom, lowest, suit, top};
use super::experience::Experience;

/// What speaks for a lead and against it. Ace, king and queen are the three highest cards still in play.
struct Weights {
    /// Against every card the opponents may follow with, in quarters; the fewer, the smaller the search.
    crowd: i32,
    /// For every card of our longer hand.
    length: i32,
    partner_is_void: i32,
    they_ruff: i32,
    partner_ruffs: i32,
    /// A singleton with partner's ace, who returns the suit for a ruff.
    return_ruff: i32,

    /// Leads with which we win the trick: the king is ours or alone, or it is not.
    solid: i32,
    open: i32,
    king_right: i32,
    king_left: i32,
    lone_king_left: i32,
    /// Ace and king in different hands.
    honours_apart: i32,
    /// Partner ruffs it: any card, one below our own ace, an opponent's lone ace.
    ruff: i32,
    ruff_below_ace: i32,
    ruff_lone_ace: i32,

    /// Leads with which we lose it: into an honour on the right, through the ace up to partner's king.
    honour_right: i32,
    up_to_king: i32,
    /// King and queen are ours, with partner or one each.
    partner_has_next: i32,
    next_apart: i32,
    /// The opponents' ace is alone.
    lone_ace: i32,
    below_ace: i32,
    ruffed_ace: i32,
    partners_ace_ruffed: i32,
    plain: i32,
    /// The king from a sequence, and lower sequences.
    sequence_of_king: i32,
    sequence: i32,
    /// For every higher card in play, in sixteenths: low cards first, and sequences.
    low: i32,
    low_sequence: i32,
}

const NOTRUMP: Weights = Weights {
    crowd: 19,
    length: 8,
    partner_is_void: -9,
    they_ruff: 0,
    partner_ruffs: 0,
    return_ruff: 0,
    solid: 53,
    open: 14,
    king_right: -3,
    king_left: 22,
    lone_king_left: 18,
    honours_apart: 0,
    ruff: 0,
    ruff_below_ace: 0,
    ruff_lone_ace: 0,
    honour_right: -10,
    up_to_king: 31,
    partner_has_next: 33,
    next_apart: 25,
    lone_ace: 27,
    below_ace: -19,
    ruffed_ace: 0,
    partners_ace_ruffed: 0,
    plain: 12,
    sequence_of_king: 40,
    sequence: 29,
    low: 18,
    low_sequence: -24,
};

const SUITS: Weights = Weights {
    crowd: 30,
    length: 2,
    partner_is_void: 0,
    they_ruff: -17,
    partner_ruffs: 8,
    return_ruff: 15,
    solid: 30,
    open: 25,
    king_right: -10,
    king_left: -2,
    lone_king_left: 12,
    honours_apart: 10,
    ruff: 10,
    ruff_below_ace: -2,
    ruff_lone_ace: 27,
    honour_right: -10,
    up_to_king: 20,
    partner_has_next: 27,
    next_apart: 10,
    lone_ace: 3,
    below_ace: -15,
    ruffed_ace: 30,
    partners_ace_ruffed: 23,
    plain: 10,
    sequence_of_king: 37,
    sequence: 10,
    low: 3,
    low_sequence: 10,
};

/// Leads with their scores.
pub(crate) struct Leads {
    /// The score, the place of the card from the top, so that of equal ones the lowest comes first, and the entry's number.
    entries: [i32; 16],
}

const GONE: i32 = i32::MIN;

impl Leads {
    pub(crate) const NONE: Leads = Leads {
        entries: [GONE; 16],
    };

    /// Takes the best lead.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let best = self.entries.iter().fold(GONE, |best, &lead| best.max(lead));
        (best != GONE).then(|| {
            self.entries[best as usize & 15] = GONE;
            63 - (best as u32 >> 4 & 63)
        })
    }
}

/// Enters the leads of a hand with their scores.
#[inline(always)]
pub(crate) fn lead<const NT: bool>(
    leads: &mut Leads,
    hands: &[Cards; 4],
    seat: usize,
    moves: Cards,
    all: Cards,
    lengths: Lengths,
    experience: &Experience,
) {
    let mut count = 0;
    for s in 0..4 {
        let mut cards = moves & suit(s);
        if cards == 0 {
            continue;
        }
        let view = View::<NT>::new(hands, seat, s, all, lengths);
        while cards != 0 {
            let (card, number) = (bottom(cards), lowest(cards));
            cards ^= card;
            let score = view.score(card) + experience.score(seat, number, all);
            leads.entries[count & 15] = score << 10 | (63 - number as i32) << 4 | count as i32;
            count += 1;
        }
    }
}

/// A suit as its leader sees it.
struct View<const NT: bool> {
    cards: Cards,
    mine: Cards,
    ace: Cards,
    king: Cards,
    /// Whether no opponent can ruff, and whether partner's ruff takes the trick.
    safe: bool,
    ruff_wins: bool,
    partner_ruffs: bool,
    /// Whether partner beats both opponents.
    partner_tops: bool,
    /// Whether an opponent holds nothing but the ace.
    lone_ace: bool,
    /// The score of every lead, of those that win the trick, of those that lose it.
    any: i32,
    won: i32,
    lost: i32,
}

impl<const NT: bool> View<NT> {
    const WEIGHTS: Weights = if NT { NOTRUMP } else { SUITS };

    #[inline(always)]
    fn new(hands: &[Cards; 4], seat: usize, s: u32, all: Cards, lengths: Lengths) -> Self {
        let weights = Self::WEIGHTS;
        let k = suit(s);
        let cards = all & k;
        let [mine, left, partner, right] = [0, 1, 2, 3].map(|i| hands[(seat + i) & 3] & k);
        let [my_length, left_length, partners_length, right_length] =
            [0, 1, 2, 3].map(|i| Shape::of(lengths, seat + i).len(s));
        let trumps = |i: usize| hands[(seat + i) & 3] & TRUMPS;
        let has = |hand: Cards, card: Cards| hand & card != 0;
        let highest = |cards: Cards| if cards == 0 { 0 } else { top(cards) };
        let ace = highest(cards);
        let king = highest(cards ^ ace);
        let queen = highest(cards ^ ace ^ king);

        let side = !NT && s != 0;
        let left_ruffs = side && left == 0 && trumps(1) != 0;
        let right_ruffs = side && right == 0 && trumps(3) != 0;
        let partner_ruffs = side && partner == 0 && trumps(2) != 0;
        let overruffs = |i: usize| trumps(2) > trumps(i);
        let partner_overruffs = (!left_ruffs || overruffs(1)) && (!right_ruffs || overruffs(3));

        // An opponent who is void may throw anything.
        let tricks = hands[seat & 3].count_ones() as i32;
        let choices = |length: i32| if length == 0 { tricks } else { length };
        let mut any = -((choices(left_length) + choices(right_length)) * weights.crowd) / 4;
        any += weights.length * my_length.max(partners_length);
        if NT && partner == 0 {
            any += weights.partner_is_void;
        }
        if left_ruffs || right_ruffs {
            any += weights.they_ruff;
        }
        if partner_ruffs && right != 0 {
            any += weights.partner_ruffs;
        }
        if side && my_length == 1 && trumps(0) != 0 && partners_length > 1 && has(partner, ace) {
            any += weights.return_ruff;
        }

        let mut won = any;
        won += if has(left, king) && left_length > 1 {
            weights.open + weights.king_left
        } else if has(right, king) && right_length > 1 {
            weights.open + weights.king_right
        } else if has(left, king) {
            weights.solid + weights.lone_king_left
        } else {
            weights.solid
        };
        if has(mine, ace) && has(partner, king) || has(partner, ace) && has(mine, king) {
            won += weights.honours_apart;
        }

        let mut lost = any;
        if has(right, ace | king) {
            if right_length > 1 {
                lost += weights.honour_right;
            }
        } else if has(left, ace) && has(partner, king) && partners_length > 1 {
            lost += weights.up_to_king;
        }
        if has(partner, king) && has(partner, queen) {
            lost += weights.partner_has_next;
        } else if partners_length > 1
            && (has(partner, king) && has(mine, queen) || has(mine, king) && has(partner, queen))
        {
            lost += weights.next_apart;
        }
        View {
            cards,
            mine,
            ace,
            king,
            safe: !left_ruffs && !right_ruffs,
            ruff_wins: partner_ruffs && partner_overruffs,
            partner_ruffs,
            partner_tops: partner > left | right,
            lone_ace: left == ace || right == ace,
            any,
            won,
            lost,
        }
    }

    /// How good a lead looks.
    #[inline(always)]
    fn score(&self, card: Cards) -> i32 {
        let weights = Self::WEIGHTS;
        let rank = (self.cards & above(card)).count_ones() as i32 + 1;
        let my_ace = self.mine & self.ace != 0;
        if (card == self.ace || self.partner_tops) && !self.partner_ruffs && self.safe {
            return self.won + rank;
        }
        if self.ruff_wins {
            let reason = if self.lone_ace {
                weights.ruff_lone_ace
            } else if card == self.ace {
                weights.solid
            } else if my_ace {
                weights.ruff_below_ace
            } else {
                weights.ruff
            };
            return self.any + reason + rank;
        }
        let low = rank * weights.low / 16;
        let below = self.cards & (card - 1);
        let heads_sequence = below != 0 && top(below) & self.mine != 0;
        self.lost
            + if self.lone_ace {
                weights.lone_ace + low
            } else if card == self.ace {
                weights.ruffed_ace
            } else if my_ace {
                weights.below_ace + low
            } else if self.partner_tops {
                weights.partners_ace_ruffed + low
            } else if !heads_sequence {
                weights.plain + low
            } else if card == self.king {
                weights.sequence_of_king
            } else {
                weights.sequence + rank * weights.low_sequence / 16
            }
    }
}
