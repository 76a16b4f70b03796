//! The order in which leads are tried.
//!
//! Every lead gets a score from the holdings of its suit and from its results earlier in this deal. The weights were
//! chosen by measuring how many positions are searched with them. The order decides how soon a good lead is found,
//! never the result.

use super::cards::{Cards, Lengths, Shape, TRUMPS, above, bottom, lowest, suit, top};
use super::lead_history::LeadHistory;

/// Weights for and against a lead. Ace, king and queen mean the three highest cards of the suit still in play.
struct Weights {
    /// Penalty for every card the opponents can follow with, in quarters: fewer cards mean a smaller search.
    crowd: i32,
    /// Bonus for every card of the leading side's longer hand.
    length: i32,
    partner_is_void: i32,
    they_ruff: i32,
    partner_ruffs: i32,
    /// Weight of a singleton when partner, who can return the suit for a ruff, has the ace.
    return_ruff: i32,

    /// Weights of leads that win the trick, when the king is held by the leading side or is alone, and when it is not.
    solid: i32,
    open: i32,
    king_right: i32,
    king_left: i32,
    lone_king_left: i32,
    /// Weight of ace and king in different hands of the leading side.
    honours_apart: i32,
    /// Weights of leads that partner ruffs: in general, when the leader has the suit's ace too, and when an opponent has the lone
    /// ace.
    ruff: i32,
    ruff_below_ace: i32,
    ruff_lone_ace: i32,

    /// Weights of leads that lose the trick: into an honour on the right; through the ace towards partner's king.
    honour_right: i32,
    up_to_king: i32,
    /// Weights of king and queen with the leading side: both with partner, or one in each hand.
    partner_has_next: i32,
    next_apart: i32,
    /// The opponents' ace is alone.
    lone_ace: i32,
    below_ace: i32,
    ruffed_ace: i32,
    partners_ace_ruffed: i32,
    plain: i32,
    /// Leading the king from a sequence, and from lower sequences.
    sequence_of_king: i32,
    sequence: i32,
    /// Penalty for every higher card in play, in sixteenths, so that low cards come first; the second is for sequences.
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
    /// Each entry packs the score, the rank counted from the top (so that of equal scores the lowest card is first),
    /// and the index of the entry.
    entries: [i32; 16],
}

const GONE: i32 = i32::MIN;

impl Leads {
    pub(crate) const NONE: Leads = Leads {
        entries: [GONE; 16],
    };

    /// Removes and returns the best lead.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let best = self.entries.iter().fold(GONE, |best, &lead| best.max(lead));
        (best != GONE).then(|| {
            self.entries[best as usize & 15] = GONE;
            63 - (best as u32 >> 4 & 63)
        })
    }
}

/// Adds the leads of a hand with their scores.
#[inline(always)]
pub(crate) fn lead<const NT: bool>(
    leads: &mut Leads,
    hands: &[Cards; 4],
    seat: usize,
    moves: Cards,
    all: Cards,
    lengths: Lengths,
    lead_history: &LeadHistory,
) {
    let mut count = 0;
    for s in 0..4 {
        let mut cards = moves & suit(s);
        if cards == 0 {
            continue;
        }
        let view = SuitLead::<NT>::new(hands, seat, s, all, lengths);
        while cards != 0 {
            let (card, number) = (bottom(cards), lowest(cards));
            cards ^= card;
            let score = view.score(card) + lead_history.score(seat, number, all);
            leads.entries[count & 15] = score << 10 | (63 - number as i32) << 4 | count as i32;
            count += 1;
        }
    }
}

/// A suit from the point of view of its leader.
struct SuitLead<const NT: bool> {
    cards: Cards,
    mine: Cards,
    ace: Cards,
    king: Cards,
    /// Whether no opponent can ruff, and whether a ruff by partner wins the trick.
    safe: bool,
    ruff_wins: bool,
    partner_ruffs: bool,
    /// Whether partner holds the highest card against both opponents.
    partner_tops: bool,
    /// Whether an opponent's only card is the ace.
    lone_ace: bool,
    /// Scores common to all leads, to leads that win the trick, and to leads that lose it.
    any: i32,
    won: i32,
    lost: i32,
}

impl<const NT: bool> SuitLead<NT> {
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

        // An opponent who is void can play any card.
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
        SuitLead {
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

    /// Returns the score of a lead.
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
