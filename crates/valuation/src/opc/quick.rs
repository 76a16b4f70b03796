//! Computes the figures without their parts, many times as fast, from tables.
//!
//! The value of a holding depends on its cards down to the nine and on its length; its value to the partner depends on
//! the partner's length too. Both are read from tables. An entry packs all figures into one word, so that one addition
//! adds them all.

use cards::{BySuit, Strain, Suit};

use super::facing::{fit_honours, misfit, waste};
use super::suit::{honours_of, length_of, synergy_of};
use super::trumps::{Lengths, dfit};
use super::{HALF, HandPair, Opc, Opener, TopCounts, quick_losers};
use crate::ranks::{self, A, K, Q, any, cards_in};

/// Number of kinds of holdings: sets of the six cards from ace to nine, each with 0 to 7 others.
const KINDS: usize = 64 * 8;

/// Number of cards below the nine, by the seven lowest bits of a holding.
static OTHERS: [u8; 128] = {
    let mut table = [0; 128];
    let mut cards = 0;
    while cards < 128 {
        table[cards] = cards.count_ones() as u8;
        cards += 1;
    }
    table
};

fn kind(holding: u16) -> usize {
    let named = usize::from(holding >> 7) % 64;
    named << 3 | usize::from(OTHERS[usize::from(holding) % 128])
}

/// Returns the lowest holding of a kind.
const fn of_kind(kind: usize) -> u16 {
    (kind as u16 >> 3) << 7 | ((1 << (kind & 7)) - 1)
}

/// The packed values of a holding by itself; the sum of four is that of the hand.
#[derive(Clone, Copy)]
struct Own(u64);

impl Own {
    /// Points for honours and their synergy, and for length: one byte each.
    const POINTS: u32 = 0;
    const LENGTH: u32 = 8;
    /// Aces, kings, queens, suits of at most two cards, voids and singletons: four bits each.
    const ACES: u32 = 16;
    const KINGS: u32 = 20;
    const QUEENS: u32 = 24;
    const SHORT: u32 = 28;
    const VOIDS: u32 = 32;
    const SINGLETONS: u32 = 36;
    /// Number of cards.
    const CARDS: u32 = 40;

    const fn of(holding: u16) -> Own {
        let cards = cards_in(holding);
        Own((honours_of(holding) + synergy_of(holding)) as u64
            | (length_of(holding) as u64) << Own::LENGTH
            | (any(holding, A) as u64) << Own::ACES
            | (any(holding, K) as u64) << Own::KINGS
            | (any(holding, Q) as u64) << Own::QUEENS
            | ((cards < 3) as u64) << Own::SHORT
            | ((cards == 0) as u64) << Own::VOIDS
            | ((cards == 1) as u64) << Own::SINGLETONS
            | (cards as u64) << Own::CARDS)
    }

    fn byte(self, at: u32) -> i32 {
        i32::from((self.0 >> at) as u8)
    }

    fn nibble(self, at: u32) -> u8 {
        (self.0 >> at) as u8 & 15
    }

    /// Returns the points of the hand in the sum of both hands.
    fn points(self, opens: bool) -> i32 {
        let length = self.byte(Own::LENGTH);
        let length = if opens { length } else { length.min(4) };
        let tops = TopCounts {
            aces: self.nibble(Own::ACES),
            kings: self.nibble(Own::KINGS),
            queens: self.nibble(Own::QUEENS),
            flat: self.nibble(Own::SHORT) == 0,
        };
        self.byte(Own::POINTS) + length + 2 * tops.adjustment(opens)
    }

    /// Returns the deduction for the shortest suit in notrump.
    fn shortage(self, opens: bool) -> i32 {
        let singleton = 4 * i32::from(self.nibble(Own::SINGLETONS) != 0);
        let shortage = if self.nibble(Own::VOIDS) == 0 {
            singleton
        } else {
            6
        };
        if opens {
            shortage
        } else {
            (shortage - 2).max(0)
        }
    }
}

static OWN: [Own; KINDS] = {
    let mut table = [Own(0); KINDS];
    let mut kind = 0;
    while kind < KINDS {
        table[kind] = Own::of(of_kind(kind));
        kind += 1;
    }
    table
};

/// The packed values of a holding facing a length; the sum of all eight is that of the pair.
#[derive(Clone, Copy)]
struct Facing(u32);

impl Facing {
    /// Help, misfit, waste and half of the points for the fit, increased by [`Facing::BIAS`].
    const HELP: u32 = 0;
    /// Points for waste, where they are positive.
    const BONUS: u32 = 8;
    /// Whether both hands have the same length.
    const EQUAL: u32 = 16;

    /// Number added to every entry, so that no entry is negative.
    const BIAS: i32 = 12;

    const fn of(holding: u16, partner: i32) -> Facing {
        let cards = cards_in(holding);
        let waste = waste(holding, partner);
        let fit_length = match cards + partner {
            ..=7 => 0,
            8 => 1,
            9 => 2,
            _ => 3,
        };
        let help = fit_honours(holding, partner) + misfit(holding, partner) + fit_length;
        let wasted = if waste < 0 { waste } else { 0 };
        Facing(
            (help + wasted + Facing::BIAS) as u32
                | ((waste - wasted) as u32) << Facing::BONUS
                | ((cards == partner) as u32) << Facing::EQUAL,
        )
    }

    fn byte(self, at: u32) -> i32 {
        i32::from((self.0 >> at) as u8)
    }
}

/// Entries by kind and partner's length.
static FACING: [[Facing; 16]; KINDS] = {
    let mut table = [[Facing(0); 16]; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        let mut partner = 0;
        while partner <= 13 {
            table[kind][partner] = Facing::of(of_kind(kind), partner as i32);
            partner += 1;
        }
        kind += 1;
    }
    table
};

/// The Optimal Point Count of a pair. It computes the figure of a suit on request.
///
/// ```
/// use cards::{Strain, Suit, notation::hand};
/// use croupier_valuation::{Opener, OpcCount, HandPair};
///
/// let count = OpcCount::of(&HandPair {
///     south_west: hand("AQJ84.K6.KT95.83").unwrap(),
///     north_east: hand("K95.A842.7.QJ976").unwrap(),
///     opener: Opener::SouthWest,
/// });
/// assert_eq!(count.longest(), 2950); // in spades
/// assert_eq!(count.strain(Strain::Notrump), 2550);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OpcCount {
    hands: [BySuit<u16>; 2],
    lengths: [Lengths; 2],
    opener: usize,
    /// In half points: the common part of all strains, the addition for suits and the deduction for notrump.
    base: i32,
    welcome: i32,
    shortage: i32,
}

impl OpcCount {
    /// Computes the parts that all strains share.
    #[must_use]
    pub fn of(pair: &HandPair) -> OpcCount {
        // The method distinguishes a first hand (South or West) and a second; ties depend on it.
        let hands = [pair.south_west, pair.north_east].map(ranks::bits_of_hand);
        let opener = usize::from(pair.opener == Opener::NorthEast);
        let kinds = hands.map(|hand| hand.map(kind));
        let own = kinds.map(|hand| hand.map(|kind| OWN[kind]));
        let cards = own.map(|hand| hand.map(|suit| suit.byte(Own::CARDS)));
        let mut facing = Facing(0);
        for suit in 0..4 {
            for hand in 0..2 {
                let partner = cards[1 - hand].0[suit] as usize % 16;
                facing.0 += FACING[kinds[hand].0[suit]][partner].0;
            }
        }
        let brought = own.map(|BySuit([c, d, h, s])| Own(c.0 + d.0 + h.0 + s.0));
        let hl = brought[opener].points(true) + brought[1 - opener].points(false);
        let mirror = match facing.byte(Facing::EQUAL) {
            8 => -4,
            4 => -2,
            _ => 0,
        };
        let help = facing.byte(Facing::HELP) - 8 * Facing::BIAS;
        OpcCount {
            hands,
            lengths: cards.map(Lengths::new),
            opener,
            base: (hl.max(0) + help + mirror).max(0),
            welcome: facing.byte(Facing::BONUS),
            shortage: brought[opener].shortage(true) + brought[1 - opener].shortage(false),
        }
    }

    fn dfit(&self, suit: Suit) -> i32 {
        let [first, second] = dfit(&self.lengths, self.opener, suit);
        first + second
    }

    /// Returns the optimal points of the pair with `dfit` points for distribution and fit.
    fn with_dfit(&self, dfit: i32) -> i32 {
        HALF * (self.base + self.welcome + dfit)
    }

    /// Returns the figure in one strain.
    #[must_use]
    pub fn strain(&self, strain: Strain) -> i32 {
        match strain.suit() {
            Some(suit) => self.with_dfit(self.dfit(suit)),
            None => HALF * (self.base - self.shortage).max(0),
        }
    }

    /// Returns the point count with the longest fit as trumps.
    #[must_use]
    pub fn longest(&self) -> i32 {
        self.with_dfit(self.longest_fit().1)
    }

    /// Returns the longest fit and its DFIT. If the two longest are equal, the higher suit, unless the lower one has
    /// more DFIT. A third suit of the same length is ignored.
    fn longest_fit(&self) -> (Suit, i32) {
        // The suit in the low bits makes all keys different.
        let keys = [0, 1, 2, 3].map(|suit: usize| {
            (self.lengths[0].of.0[suit] + self.lengths[1].of.0[suit]) << 2 | suit as i32
        });
        let (minors, majors) = (keys[0].max(keys[1]), keys[2].max(keys[3]));
        let longest = minors.max(majors);
        let others = [keys[0].min(keys[1]), keys[2].min(keys[3])];
        let next = minors.min(majors).max(others[0]).max(others[1]);
        let suit = |key: i32| Suit::ALL[(key & 3) as usize];
        let found = (suit(longest), self.dfit(suit(longest)));
        if longest >> 2 == next >> 2 {
            let other = (suit(next), self.dfit(suit(next)));
            if other.1 > found.1 {
                return other;
            }
        }
        found
    }

    /// Returns all figures.
    pub(super) fn all(&self) -> Opc {
        let [quick_losers_suit, quick_losers_notrump] = quick_losers(&self.hands);
        Opc {
            suits: BySuit(Suit::ALL.map(|suit| self.with_dfit(self.dfit(suit)))),
            notrump: self.strain(Strain::Notrump),
            longest_fit: self.longest_fit().0,
            quick_losers_suit,
            quick_losers_notrump,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::OpcParts;
    use super::*;
    use cards::CardSet;

    /// Returns pairs of hands from a pack shuffled by a simple generator, many of them with extreme shapes.
    fn pairs(count: usize) -> impl Iterator<Item = HandPair> {
        let mut state = 1u64;
        let mut below = move |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % n
        };
        (0..count).map(move |number| {
            let mut pack: [u8; 52] = std::array::from_fn(|card| card as u8);
            // Few exchanges leave long suits together.
            for _ in 0..[4, 12, 30, 200][number % 4] {
                pack.swap(below(52), below(52));
            }
            let first = below(3) * 13;
            let hand = |cards: &[u8]| CardSet(cards.iter().fold(0, |set, card| set | 1 << card));
            HandPair {
                north_east: hand(&pack[first..first + 13]),
                south_west: hand(&pack[39..]),
                opener: [Opener::NorthEast, Opener::SouthWest][below(2)],
            }
        })
    }

    #[test]
    fn the_figures_are_those_of_the_parts() {
        for pair in pairs(40_000) {
            let (count, expected) = (OpcCount::of(&pair), OpcParts::of(&pair).opc);
            assert_eq!(count.all(), expected, "{pair:?}");
            assert_eq!(count.longest(), expected.longest(), "{pair:?}");
            for strain in Strain::ALL {
                assert_eq!(count.strain(strain), expected.strain(strain), "{pair:?}");
            }
        }
    }

    /// The tables distinguish holdings only by kind.
    #[test]
    fn holdings_of_a_kind_are_worth_the_same() {
        for holding in 0..ranks::HOLDINGS as u16 {
            let place = kind(holding);
            assert!(place < KINDS && of_kind(place) <= holding);
            assert_eq!(OWN[place].0, Own::of(holding).0, "{holding:b}");
            for partner in 0..=13 - cards_in(holding) {
                let facing = FACING[place][partner as usize].0;
                assert_eq!(
                    facing,
                    Facing::of(holding, partner).0,
                    "{holding:b} {partner}"
                );
            }
        }
    }
}
