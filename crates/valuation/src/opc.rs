//! The Optimal Point Count of Patrick Darricades for a pair of hands.
//!
//! All values are computed exactly, in half points; results are in hundredths of a point, as in the language. The
//! figures of the pair in every strain are
//!
//! ```text
//! HL      = max(0, H + L + Sy + ADJ)           both hands: honours, length, synergy, adjustments
//! BASE    = max(0, HL + HF + FN + MISFIT + MIRROR + negative WASTE)
//! a suit  = BASE + positive WASTE + DFIT of that suit
//! notrump = max(0, BASE - the shortages of both hands)
//! ```

mod facing;
mod quick;
mod suit;
mod trumps;

use cards::{BySuit, CardSet, Deal, Seat, Side, Strain, Suit};

use crate::ranks::{self, A, K, Q, any, length};
use facing::{fit_honours, misfit, waste};
pub use quick::OpcCount;
use suit::{distribution, honours, length_points, synergy};
use trumps::{Lengths, dfit};

/// Hundredths of a point in half a point, the unit of all calculations.
const HALF: i32 = 50;

/// The hand of a pair that opened the bidding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Opener {
    /// North or East.
    NorthEast,
    /// South or West, the default.
    #[default]
    SouthWest,
}

impl From<Seat> for Opener {
    fn from(seat: Seat) -> Self {
        match seat {
            Seat::North | Seat::East => Opener::NorthEast,
            Seat::South | Seat::West => Opener::SouthWest,
        }
    }
}

/// The two hands of a side, and which of them opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandPair {
    /// North's or East's hand.
    pub north_east: CardSet,
    /// South's or West's hand.
    pub south_west: CardSet,
    /// The hand that opened.
    pub opener: Opener,
}

impl HandPair {
    /// Returns the pair of a side in a deal.
    pub fn of(deal: &Deal, side: Side, opener: impl Into<Opener>) -> HandPair {
        let [north_east, south_west] = side.seats().map(|seat| deal.hand(seat));
        HandPair {
            north_east,
            south_west,
            opener: opener.into(),
        }
    }
}

/// The Optimal Point Count of a pair: one figure for every strain, in hundredths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opc {
    /// With each suit as trumps.
    pub suits: BySuit<i32>,
    /// In notrump.
    pub notrump: i32,
    /// The suit of the longest fit, which `opc(side)` uses.
    pub longest_fit: Suit,
    /// Quick losers with a suit as trumps (whole tricks, for information).
    pub quick_losers_suit: i32,
    /// Quick losers in notrump (whole tricks, for information).
    pub quick_losers_notrump: i32,
}

impl Opc {
    /// Returns the point count with the longest fit as trumps.
    pub fn longest(&self) -> i32 {
        self.suits[self.longest_fit]
    }

    /// Returns the tricks that the method expects in a strain: one for every three points, seven from 21 points in
    /// notrump and eight from 20 with a trump suit. A slam is not expected if there are too many quick losers. Returns
    /// `None` with fewer points.
    ///
    /// ```
    /// use cards::{Strain, Suit, notation::hand};
    /// use croupier_valuation::{Opener, HandPair, opc};
    ///
    /// let count = opc(&HandPair {
    ///     south_west: hand("AQJ84.K6.KT95.83").unwrap(),
    ///     north_east: hand("K95.A842.7.QJ976").unwrap(),
    ///     opener: Opener::SouthWest,
    /// });
    /// assert_eq!(count.expected_tricks(Strain::from(Suit::Spades)), Some(11)); // 29.5 points
    /// assert_eq!(count.expected_tricks(Strain::Notrump), Some(9)); // 25.5 points
    /// ```
    pub fn expected_tricks(&self, strain: Strain) -> Option<i32> {
        let hundredths = self.strain(strain);
        let points = hundredths / 100;
        let (tricks, quick_losers) = match strain.suit() {
            Some(_) if points < 20 => return None,
            Some(_) => (8 + (points - 20) / 3, self.quick_losers_suit),
            None if points < 21 => return None,
            // Twelve tricks need more than 33 points; from there on two points make a trick.
            None if hundredths > 3300 => {
                (if points < 36 { 12 } else { 13 }, self.quick_losers_notrump)
            }
            None => (7 + (points - 19) / 3, self.quick_losers_notrump),
        };
        let tricks = tricks.min(13);
        Some(match quick_losers {
            0 => tricks,
            1 => tricks.min(11).max(tricks - 1),
            _ => tricks.min(11),
        })
    }

    /// Returns the figure in one strain.
    pub fn strain(&self, strain: Strain) -> i32 {
        strain.suit().map_or(self.notrump, |suit| self.suits[suit])
    }
}

/// Returns the Optimal Point Count of a pair of hands.
///
/// ```
/// use cards::{Suit, notation::hand};
/// use croupier_valuation::{Opener, HandPair, opc};
///
/// let count = opc(&HandPair {
///     south_west: hand("AQJ84.K6.KT95.83").unwrap(),
///     north_east: hand("K95.A842.7.QJ976").unwrap(),
///     opener: Opener::SouthWest,
/// });
/// assert_eq!(count.longest_fit, Suit::Spades);
/// assert_eq!(count.longest(), 2950);
/// assert_eq!(count.notrump, 2550);
/// ```
pub fn opc(pair: &HandPair) -> Opc {
    OpcCount::of(pair).all()
}

/// The parts of one hand's contribution, in hundredths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpcHand {
    /// H: honour points of each suit.
    pub honours: BySuit<i32>,
    /// L: length points of each suit, before the cap on the hand that did not open.
    pub length: BySuit<i32>,
    /// L of the hand, after the cap.
    pub capped_length: i32,
    /// Sy: synergy points of each suit.
    pub synergy: BySuit<i32>,
    /// D: distribution points of each suit. They count only through DFIT.
    pub distribution: BySuit<i32>,
    /// ADJ: adjustments for a flat hand and for kings, queens and aces.
    pub adjustment: i32,
    /// HF: honours that help partner's suit.
    pub fit_honours: BySuit<i32>,
    /// MISFIT: shortness facing length.
    pub misfit: BySuit<i32>,
    /// WASTE: honours facing shortness (negative), or no honours there (positive).
    pub waste: BySuit<i32>,
    /// This hand's share of DFIT with each suit as trumps.
    pub dfit: BySuit<i32>,
    /// Deduction for the shortest suit in notrump.
    pub notrump_shortage: i32,
}

/// An Optimal Point Count with all its parts, in hundredths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpcParts {
    /// The South or West hand.
    pub south_west: OpcHand,
    /// The North or East hand.
    pub north_east: OpcHand,
    /// HL: honours, length, synergy and adjustments of both hands, never negative.
    pub hl: i32,
    /// FN: points for the length of each fit.
    pub fit_length: BySuit<i32>,
    /// MIRROR: the deduction for suits of equal length.
    pub mirror: i32,
    /// The sum of the negative entries of WASTE, which count in every strain.
    pub waste: i32,
    /// The sum of the positive entries of WASTE, which count in suit contracts.
    pub no_waste: i32,
    /// BASE: the common part of all strains, never negative.
    pub base: i32,
    /// The figures of every strain.
    pub opc: Opc,
}

impl OpcParts {
    /// Computes the count of a pair and all its parts.
    pub fn of(pair: &HandPair) -> OpcParts {
        // The method distinguishes a first hand (South or West) and a second; ties depend on it.
        let hands = [pair.south_west, pair.north_east].map(ranks::bits_of_hand);
        let lengths = hands.map(|hand| Lengths::new(hand.map(length)));
        let opener = usize::from(pair.opener == Opener::NorthEast);
        let parts = [0, 1].map(|hand: usize| {
            let shortest = lengths[hand].shortest();
            hand_parts(&hands[hand], &hands[1 - hand], shortest, hand == opener)
        });
        pair_parts(&hands, &lengths, opener, parts)
    }
}

/// Computes the parts of one hand, given its partner's suits: all but DFIT.
fn hand_parts(hand: &BySuit<u16>, partner: &BySuit<u16>, shortest: i32, opens: bool) -> OpcHand {
    let facing = |of: fn(u16, i32) -> i32| {
        BySuit::from_fn(|s| HALF * of(hand[s], ranks::length(partner[s])))
    };
    let length = hand.map(|suit| HALF * length_points(suit));
    let capped_length = if opens {
        length.total()
    } else {
        length.total().min(200)
    };
    let shortage = match shortest {
        0 => 300,
        1 => 200,
        _ => 0,
    };
    OpcHand {
        honours: hand.map(|suit| HALF * honours(suit)),
        length,
        capped_length,
        synergy: hand.map(|suit| HALF * synergy(suit)),
        distribution: hand.map(|suit| HALF * distribution(ranks::length(suit))),
        adjustment: 100 * TopCounts::of(hand).adjustment(opens),
        fit_honours: facing(fit_honours),
        misfit: facing(misfit),
        waste: facing(waste),
        dfit: BySuit::default(),
        notrump_shortage: if opens {
            shortage
        } else {
            (shortage - 100).max(0)
        },
    }
}

fn pair_parts(
    hands: &[BySuit<u16>; 2],
    lengths: &[Lengths; 2],
    opener: usize,
    mut parts: [OpcHand; 2],
) -> OpcParts {
    let fits = BySuit::from_fn(|suit| lengths[0].of[suit] + lengths[1].of[suit]);
    let fit_length = fits.map(|cards| 100 * (cards - 7).clamp(0, 3));
    let mirror = mirror(lengths);
    let entries = || parts.iter().flat_map(|hand| hand.waste.0);
    let waste: i32 = entries().filter(|&entry| entry < 0).sum();
    let no_waste: i32 = entries().filter(|&entry| entry > 0).sum();
    let sum = |of: fn(&OpcHand) -> i32| of(&parts[0]) + of(&parts[1]);
    let hl = sum(|h| h.honours.total() + h.capped_length + h.synergy.total() + h.adjustment).max(0);
    let helped = sum(|hand| hand.fit_honours.total() + hand.misfit.total());
    let base = (hl + helped + fit_length.total() + mirror + waste).max(0);
    let shortage = sum(|hand| hand.notrump_shortage);
    for suit in Suit::ALL {
        let shares = dfit(lengths, opener, suit);
        parts[0].dfit[suit] = HALF * shares[0];
        parts[1].dfit[suit] = HALF * shares[1];
    }
    let dfits = BySuit::from_fn(|suit| parts[0].dfit[suit] + parts[1].dfit[suit]);
    let [quick_losers_suit, quick_losers_notrump] = quick_losers(hands);
    OpcParts {
        south_west: parts[0],
        north_east: parts[1],
        hl,
        fit_length,
        mirror,
        waste,
        no_waste,
        base,
        opc: Opc {
            suits: dfits.map(|points| base + no_waste + points),
            notrump: (base - shortage).max(0),
            longest_fit: longest_fit(&fits, &dfits),
            quick_losers_suit,
            quick_losers_notrump,
        },
    }
}

/// The number of aces, kings and queens of a hand, and whether it has no short suit.
#[derive(Clone, Copy)]
struct TopCounts {
    aces: u8,
    kings: u8,
    queens: u8,
    flat: bool,
}

impl TopCounts {
    fn of(hand: &BySuit<u16>) -> TopCounts {
        let holding = |card: u16| hand.0.iter().filter(|&&suit| any(suit, card)).count() as u8;
        TopCounts {
            aces: holding(A),
            kings: holding(K),
            queens: holding(Q),
            flat: hand.0.iter().all(|&suit| length(suit) >= 3),
        }
    }

    /// Returns ADJ in whole points: deductions for a flat hand and for missing kings and queens (at most two; with
    /// fewer, also one for an opener without an ace), bonuses for three or four kings and four queens.
    const fn adjustment(self, opens: bool) -> i32 {
        let deduction = -(self.flat as i32) - (self.kings == 0) as i32 - (self.queens == 0) as i32;
        let deduction = if deduction <= -2 {
            -2
        } else {
            deduction - (opens && self.aces == 0) as i32
        };
        let kings_bonus = match self.kings {
            4 => 2,
            3 => 1,
            _ => 0,
        };
        deduction + kings_bonus + (self.queens == 4) as i32
    }
}

/// Returns MIRROR: the deduction for two hands of the same shape, or with two suits of equal length.
fn mirror(lengths: &[Lengths; 2]) -> i32 {
    let equal = Suit::ALL
        .iter()
        .filter(|&&s| lengths[0].of[s] == lengths[1].of[s])
        .count();
    match equal {
        4 => -200,
        2 => -100,
        _ => 0,
    }
}

/// Counts quick losers with a suit as trumps and in notrump.
fn quick_losers(hands: &[BySuit<u16>; 2]) -> [i32; 2] {
    let mut losers = [0, 0];
    for suit in Suit::ALL {
        let both = hands[0][suit] | hands[1][suit];
        let in_notrump = match (any(both, A), any(both, K)) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        let shorter = length(hands[0][suit]).min(length(hands[1][suit]));
        losers[0] += in_notrump.min(shorter);
        losers[1] += in_notrump;
    }
    losers
}

/// Returns the longest fit. If the two longest are equal, the higher suit, unless the lower one has more DFIT. A third
/// suit of the same length is ignored.
fn longest_fit(fits: &BySuit<i32>, dfits: &BySuit<i32>) -> Suit {
    let mut order = Suit::ALL;
    order.sort_by_key(|&suit| fits[suit]);
    let [_, _, next, longest] = order;
    if fits[longest] > fits[next] || dfits[longest] >= dfits[next] {
        longest
    } else {
        next
    }
}
