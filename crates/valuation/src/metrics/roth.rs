//! Tag 14: Alvin Roth's "picture bidding" count.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: AQ963 is a good suit: 1 in notrump, where South supports it, and 1 for the fifth trump. 13
//! less 1 for the stiff king, 3 for shortness and 1 make 16; 14 in notrump. South: 10, and with four
//! trumps the stiff counts 2 + 1: 13. The side has 24 and 29.

use cards::Suit;

use super::catalogue::Metric;
use super::labels::{Group, whole};
use super::outline::{Bound, Outline, Outlines, best_trumps};
use super::short_honours::ShortHonours;
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;
use crate::ranks::T;

static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [0, -100, -100, -100, 0],
    [
        0, 0, 0, 0, 0, -100, -100, 0, 0, -100, -100, -100, -100, -100, 0,
    ],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    14,
    Some('R'),
    "roth",
    "Roth: points, shortness and the quality of long suits",
    DETAILS,
    roth,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    Outline::between(
        Bound::sum(|suit| suit.hcp, |sum, _| sum),
        Bound::sum(|suit| suit.hcp, |sum, _| sum + four_aces(sum)).with_shape(1, |hand| {
            match hand.sorted_lengths()[0] {
                5 => 1,
                _ => 2 * most_length(hand),
            }
        }),
    ),
    Outline::between(
        Bound::sum(points, |sum, _| sum),
        Bound::sum(points, |sum, _| sum + four_aces(sum)).with_shape(1, |hand| {
            best_trumps(hand, |hand, trumps| {
                let length = most_length(hand);
                let declarer = length + length.max(hand.length[trumps] - 4);
                dummy_points(hand, trumps).max(hand.shortness + declarer)
            })
        }),
    ),
];

/// Returns the largest bonus for four aces in one hand, which a side with these points can have: a hand with four aces has
/// 16 points.
fn four_aces(points: i32) -> i32 {
    i32::from(points >= 16)
}

/// Returns the high card points with deductions.
fn points(hand: &HandFacts) -> i32 {
    hand.hcp + SHORT_HONOURS.whole(hand)
}

/// Returns the points for the length of a hand's best suit, if it is good enough.
fn most_length(hand: &HandFacts) -> i32 {
    (hand.sorted_lengths()[0] - 5).clamp(0, 2)
}

pub(super) const DETAILS: &[Group] = &[Group::EachHand(&[
    whole("suit type"),
    whole("short honours"),
    whole("shortness"),
    whole("length"),
    whole("length in notrump"),
    whole("declarer"),
    whole("five-card suit in notrump"),
    whole("dummy"),
])];

/// Quality of a long suit, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SuitType {
    None,
    WeakMajor,
    Good,
    Reliable,
    SelfSufficient,
}

/// The points for a hand's long suits.
struct LongSuits {
    best: SuitType,
    /// Points for length with a suit as trumps, of the best suit.
    length: i32,
    /// Points for length in notrump, where only good suits count.
    notrump_length: i32,
    /// A good five-card suit that partner supports, if no suit is longer.
    supported_five: i32,
}

/// Computes Roth's count: points, shortness and the quality of long suits, which decide how declarer's hand is counted.
pub(super) fn roth(side: &SideAnalysis) -> Valuation {
    let short = side.each(|hand| SHORT_HONOURS.whole(hand));
    let aces = side.each(|hand| i32::from(hand.has_every_ace()));
    let suits = [0, 1].map(|h: usize| long_suits(&side.hands[h], &side.hands[1 - h]));
    let shortness = side.each(|hand| hand.shortness);
    let (declarer, dummy) = (side.declarer, side.dummy());
    let (mut length, mut ruffs) = ([0; 2], [0; 2]);
    if let Some(trumps) = side.eight_card_fit() {
        length[declarer] = trump_length(&side.hands[declarer], trumps);
        ruffs[dummy] = dummy_points(&side.hands[dummy], trumps);
        ruffs[declarer] = shortness[declarer];
    }
    let notrump = [0, 1].map(|h: usize| {
        let more = match suits[h].best {
            SuitType::SelfSufficient => suits[h].notrump_length,
            _ => suits[h].supported_five,
        };
        side.hands[h].hcp + aces[h] + suits[h].notrump_length + more
    });
    let mut in_fit = [0, 1].map(|h: usize| side.hands[h].hcp + short[h] + aces[h]);
    let own = &suits[declarer];
    match own.best {
        SuitType::SelfSufficient => {
            in_fit[declarer] += shortness[declarer] + 2 * own.length;
            in_fit[dummy] += ruffs[dummy];
        }
        best if best == SuitType::Reliable || side.fit_length >= 8 => {
            in_fit[declarer] += shortness[declarer] + own.length + length[declarer];
            in_fit[dummy] += ruffs[dummy];
        }
        _ => in_fit[declarer] += own.length,
    }
    Valuation::new(notrump, in_fit).with_each(|h| {
        let of = &suits[h];
        let kind = of.best as i32;
        [
            kind,
            short[h],
            shortness[h],
            of.length,
            of.notrump_length,
            length[h],
            of.supported_five,
            ruffs[h],
        ]
    })
}

fn suit_type(hand: &HandFacts, suit: Suit) -> SuitType {
    let weak = if suit.is_major() {
        SuitType::WeakMajor
    } else {
        SuitType::None
    };
    match hand.length[suit] {
        ..5 => SuitType::None,
        5 if hand.top3[suit] >= 2 => SuitType::Good,
        5 => SuitType::None,
        6 if hand.top5[suit] >= 4 => SuitType::SelfSufficient,
        6 if hand.top4[suit] >= 3 => SuitType::Reliable,
        6 if hand.top3[suit] >= 2 => SuitType::Good,
        6 => weak,
        _ if hand.top4[suit] >= 3 => SuitType::SelfSufficient,
        _ if hand.top2[suit] == 2 && hand.holds(suit, T) => SuitType::SelfSufficient,
        _ if hand.top3[suit] >= 2 => SuitType::Reliable,
        _ => weak,
    }
}

fn long_suits(hand: &HandFacts, partner: &HandFacts) -> LongSuits {
    let mut found = LongSuits {
        best: SuitType::None,
        length: 0,
        notrump_length: 0,
        supported_five: 0,
    };
    let mut supported_five = false;
    for suit in Suit::ALL {
        let kind = suit_type(hand, suit);
        let points = match hand.length[suit] {
            _ if kind == SuitType::None => 0,
            6 => 1,
            7.. => 2,
            _ => 0,
        };
        found.best = found.best.max(kind);
        found.length = found.length.max(points);
        if kind >= SuitType::Good {
            found.notrump_length = found.notrump_length.max(points);
        }
        supported_five |=
            hand.length[suit] == 5 && kind == SuitType::Good && partner.length[suit] >= 2;
    }
    found.supported_five = i32::from(supported_five && found.notrump_length == 0);
    found
}

/// Returns the number of declarer's trumps beyond the fourth, in a good suit of at least five.
fn trump_length(hand: &HandFacts, trumps: Suit) -> i32 {
    match hand.length[trumps] {
        held @ 5.. if suit_type(hand, trumps) > SuitType::None => held - 4,
        _ => 0,
    }
}

/// Returns the points for shortness, promoted with four or five trumps. With six trumps DealerV2's server promotes only
/// the doubletons.
fn dummy_points(hand: &HandFacts, trumps: Suit) -> i32 {
    let promotion = match hand.length[trumps] {
        ..=2 => return 0,
        3 => return hand.shortness,
        4 => 1,
        5 => 2,
        _ => 0,
    };
    let doubletons = hand.side_suits(trumps, |length| i32::from(length == 2));
    let shorter = hand.side_suits(trumps, |length| i32::from(length <= 1));
    hand.shortness + doubletons.min(1) + promotion * shorter
}
