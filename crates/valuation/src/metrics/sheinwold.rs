//! Tag 11: Alfred Sheinwold's count.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 13 less 1 for the stiff king is 12, and 1 for the fifth trump: 13 in notrump, 16 with
//! shortness in spades. South: the lone queen of clubs costs half a point, 9.5 rounds to 10; the
//! stiff with four trumps is worth 3: 13. The side has 23 and 29.

use cards::Suit;

use super::goren::trump_length;
use super::catalogue::Metric;
use super::labels::{Group, cents, whole};
use super::outline::{Bound, Outline, Outlines, SUIT, best_trumps};
use super::rounding::half_up;
use super::short_honours::ShortHonours;
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;
use crate::ranks::{A, J, K, Q, any, length};

static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [0, -100, -100, -100, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, -100, -100, -100, -100, -100, 0],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    11,
    Some('S'),
    "sheinwold",
    "Sheinwold: points, unsupported honours, solid side suits, quick tricks",
    DETAILS,
    sheinwold,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    Outline::between(
        LEAST,
        MOST.with_shape(2, |hand| best_trumps(hand, most_length)),
    ),
    Outline::between(
        LEAST,
        MOST.with_shape(2, |hand| {
            best_trumps(hand, |hand, trumps| {
                dummy_points(hand, trumps).max(hand.shortness + most_length(hand, trumps))
            })
        }),
    ),
];

/// A point less without aces, and half a point for each lone honour.
const LEAST: Bound = Bound::sum(
    |suit| points(suit) - i32::from(is_lone(suit, SUIT)),
    |sum, hands| sum.div_euclid(2) - hands,
);
/// A point more for aces; one of two hands is dummy, whose honours help by five points at most.
const MOST: Bound = Bound::sum(points, |sum, hands| (sum + hands).div_euclid(2) + hands + 5);

/// Returns the points with deductions, in halves of a point.
fn points(hand: &HandFacts) -> i32 {
    2 * hand.hcp + SHORT_HONOURS.hand(hand) / 50
}

/// Returns the maximum of declarer's points for the lengths of trumps and side suits.
fn most_length(hand: &HandFacts, trumps: Suit) -> i32 {
    trump_length(hand.length[trumps])
        + hand.side_suits(trumps, |length| match length {
            5.. => 2 + 2 * (length - 5),
            _ => 0,
        })
}

pub(super) const DETAILS: &[Group] = &[Group::EachHand(&[
    whole("weak honours"),
    whole("aces"),
    whole("help"),
    whole("declarer"),
    whole("shortness"),
    whole("dummy"),
    cents("quick tricks"),
])];

/// Computes Sheinwold's count: points with deductions for unsupported honours, aces, shortness; in a fit length and
/// good side suits with declarer, promoted shortness and helpful honours in dummy. Quick tricks are only reported.
pub(super) fn sheinwold(side: &SideAnalysis) -> Valuation {
    let weak = side.each(|hand| SHORT_HONOURS.hand(hand) + lone_honours(hand, side));
    let points = [0, 1].map(|h: usize| 100 * side.hands[h].hcp + weak[h]);
    let aces = [0, 1].map(|h: usize| match side.hands[h].aces {
        3 | 4 => 1,
        0 if points[h] >= 1100 => -1,
        _ => 0,
    });
    let base = [0, 1].map(|h: usize| (half_up(points[h]) + aces[h]).max(0));
    let shortness = side.each(|hand| hand.shortness);
    let quick = side.each(|hand| hand.holdings.map(quick_tricks).total());
    let mut notrump = base;
    let mut in_fit = [0, 1].map(|h: usize| base[h] + shortness[h]);
    let (mut help, mut long, mut ruffs) = ([0; 2], [0; 2], [0; 2]);
    if let Some(trumps) = side.eight_card_fit() {
        let (declarer, dummy) = (side.declarer, side.dummy());
        let (playing, tabled) = (&side.hands[declarer], &side.hands[dummy]);
        long[declarer] = declarer_points(playing, tabled, trumps);
        ruffs[dummy] = dummy_points(tabled, trumps);
        help[dummy] = helpful_honours(playing, tabled, trumps);
        notrump[declarer] += long[declarer];
        notrump[dummy] += help[dummy];
        in_fit[declarer] += long[declarer];
        in_fit[dummy] = base[dummy] + ruffs[dummy] + help[dummy];
    }
    Valuation::new(notrump, in_fit).with_each(|h| {
        [
            half_up(weak[h]),
            aces[h],
            help[h],
            long[h],
            shortness[h],
            ruffs[h],
            quick[h],
        ]
    })
}

/// Returns the deduction of half a point for each queen or jack of three or more cards without another honour, in a
/// suit without a fit.
fn lone_honours(hand: &HandFacts, side: &SideAnalysis) -> i32 {
    let lone = |suit: Suit| side.fit[suit] < 8 && is_lone(hand, suit);
    -50 * Suit::ALL.iter().filter(|&&suit| lone(suit)).count() as i32
}

/// Returns whether the only honour of a suit of three or more is its queen or jack.
fn is_lone(hand: &HandFacts, suit: Suit) -> bool {
    let honours = hand.holdings[suit] & (A | K | Q | J);
    hand.length[suit] >= 3 && (honours == Q || honours == J)
}

fn quick_tricks(holding: u16) -> i32 {
    match (any(holding, A), any(holding, K), any(holding, Q)) {
        (true, true, _) => 200,
        (true, _, true) => 150,
        (true, ..) => 100,
        (_, true, true) => 100,
        (_, true, _) if length(holding) >= 2 => 50,
        _ => 0,
    }
}

/// Returns the points for trumps from the fifth on, and for side suits of five cards if they are solid or dummy has
/// three cards there.
fn declarer_points(declarer: &HandFacts, dummy: &HandFacts, trumps: Suit) -> i32 {
    let side_suit = |suit: Suit| {
        let length = declarer.length[suit];
        if suit == trumps || length < 5 {
            return 0;
        }
        let raised = if dummy.length[suit] >= 3 {
            1 + 2 * (length - 5)
        } else {
            0
        };
        i32::from(declarer.top4[suit] == 4) + raised
    };
    let suits: i32 = Suit::ALL.iter().map(|&suit| side_suit(suit)).sum();
    trump_length(declarer.length[trumps]) + suits
}

fn dummy_points(hand: &HandFacts, trumps: Suit) -> i32 {
    let less = match hand.length[trumps] {
        ..=2 => return 0,
        3 => 1,
        _ => 0,
    };
    hand.side_suits(trumps, |length| match length {
        0 => 5 - less,
        1 => 3 - less,
        2 => 1 - less,
        _ => 0,
    })
}

/// Returns the points for helpful honours: a queen or jack of trumps without other honours in either hand, and dummy's
/// queens in declarer's long suits.
fn helpful_honours(declarer: &HandFacts, dummy: &HandFacts, trumps: Suit) -> i32 {
    let in_trumps =
        |hand: &HandFacts| i32::from(hand.hcp_in[trumps] <= 3 && hand.holds(trumps, Q | J));
    let queen = |suit: Suit| {
        let alone = dummy.holds(suit, Q) && !dummy.holds(suit, A | K);
        suit != trumps && declarer.length[suit] >= 4 && dummy.length[suit] >= 2 && alone
    };
    let queens = Suit::ALL.iter().filter(|&&suit| queen(suit)).count() as i32;
    in_trumps(dummy) + in_trumps(declarer) + queens
}
