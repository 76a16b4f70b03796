//! Tag 10: Richard Pavlicek's count.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 13 less 2 for the stiff king is 11; 3 for shortness, 1 for the nine-card fit and 2 for
//! five diamonds make 17. South: 10; 2 for shortness and 1 more for the stiff with four trumps make
//! 13. The side has 21 and 30.

use cards::Suit;

use super::catalogue::Metric;
use super::labels::{Group, whole};
use super::outline::{Bound, Outline, Outlines, best_trumps};
use super::short_honours::ShortHonours;
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;

static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [0, -200, -200, -100, 0],
    [
        0, 0, 0, 0, 0, -100, -100, 0, 0, -100, -100, -100, -100, -100, 0,
    ],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    10,
    Some('P'),
    "pavlicek",
    "Pavlicek: points, aces and tens, shortness, side suits with declarer",
    DETAILS,
    pavlicek,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    // At most one of the two hands has a point for its long suit.
    Outline::between(
        Bound::sum(points, |sum, _| sum),
        Bound::sum(points, |sum, hands| sum + aces_and_tens(sum, hands) + 1),
    ),
    Outline::between(
        Bound::sum(points, |sum, _| sum - 1),
        Bound::sum(points, |sum, hands| sum + aces_and_tens(sum, hands)).with_shape(1, |hand| {
            hand.shortness
                + best_trumps(hand, |hand, trumps| {
                    dummy_points(hand, trumps).max(declarer_points(hand, trumps, 9))
                })
        }),
    ),
];

/// Returns the most points for aces and tens. One hand gets one point for four of the eight, two for all of them (it
/// then has 16 points); two hands may have four each.
fn aces_and_tens(points: i32, hands: i32) -> i32 {
    if hands > 1 || points >= 16 { 2 } else { 1 }
}

/// Returns the high card points with deductions.
fn points(hand: &HandFacts) -> i32 {
    hand.hcp + SHORT_HONOURS.whole(hand)
}

pub(super) const DETAILS: &[Group] = &[Group::EachHand(&[
    whole("short honours"),
    whole("aces and tens"),
    whole("long suit"),
    whole("declarer"),
    whole("shortness"),
    whole("dummy"),
    whole("square"),
])];

/// Computes Pavlicek's count: points, aces and tens, shortness; in a fit promoted shortness in dummy, trumps and side
/// suits with declarer; shortness facing length is lost without a fit.
///
/// A square dummy can be worth -1; the side's value includes it although the hand's slot shows 0.
pub(super) fn pavlicek(side: &SideAnalysis) -> Valuation {
    let short = side.each(|hand| SHORT_HONOURS.whole(hand));
    let aces = side.each(|hand| (hand.aces + hand.tens) / 4);
    let base = [0, 1].map(|h: usize| (side.hands[h].hcp + short[h] + aces[h]).max(0));
    let long = long_suit_of_dummy(side);
    let notrump = [0, 1].map(|h: usize| base[h] + long[h]);
    let shortness = side.each(|hand| hand.shortness);
    let mut in_fit = [0, 1].map(|h: usize| base[h] + shortness[h]);
    let (mut ruffs, mut length, mut square) = ([0; 2], [0; 2], [0; 2]);
    if let Some(trumps) = side.eight_card_fit() {
        let (declarer, dummy) = (side.declarer, side.dummy());
        ruffs[dummy] = dummy_points(&side.hands[dummy], trumps);
        square[dummy] = square_dummy(&side.hands[dummy], trumps);
        length[declarer] = declarer_points(&side.hands[declarer], trumps, side.fit_length);
        in_fit[dummy] += ruffs[dummy] + square[dummy];
        in_fit[declarer] += length[declarer];
    } else {
        lose_facing_length(side, &mut in_fit);
    }
    Valuation::new(notrump, in_fit).with_each(|h| {
        [
            short[h],
            aces[h],
            long[h],
            length[h],
            shortness[h],
            ruffs[h],
            square[h],
        ]
    })
}

/// Returns a point for the weaker hand if it has a suit of five cards, in notrump.
fn long_suit_of_dummy(side: &SideAnalysis) -> [i32; 2] {
    let dummy = usize::from(side.hands[0].hcp > side.hands[1].hcp);
    let mut points = [0, 0];
    points[dummy] = i32::from(side.hands[dummy].length.0.iter().any(|&length| length >= 5));
    points
}

fn dummy_points(hand: &HandFacts, trumps: Suit) -> i32 {
    match hand.length[trumps] {
        ..=3 => 0,
        _ => hand.length.map(|length| (2 - length).max(0)).total(),
    }
}

fn square_dummy(hand: &HandFacts, trumps: Suit) -> i32 {
    -i32::from(hand.square && hand.aces == 0 && hand.length[trumps] < 4)
}

/// Returns the points for trumps beyond the fifth, a nine-card fit, and side suits of four and more. With only four
/// trumps the side suits were to lose one point; DealerV2's server takes it at every suit and once more at the end.
fn declarer_points(hand: &HandFacts, trumps: Suit, fit_length: i32) -> i32 {
    let held = hand.length[trumps];
    let mut side_suits = 0;
    for suit in Suit::ALL {
        if suit != trumps {
            side_suits += (hand.length[suit] - 3).max(0);
        }
        if held == 4 {
            side_suits = (side_suits - 1).max(0);
        }
    }
    if held == 4 {
        side_suits = (side_suits - 1).max(0);
    }
    2 * (held - 5).max(0) + i32::from(fit_length >= 9) + side_suits
}

/// Removes the points for a stiff or void facing four cards or more, if there is no fit.
fn lose_facing_length(side: &SideAnalysis, values: &mut [i32; 2]) {
    for suit in Suit::ALL.into_iter().filter(|&suit| side.misfit(suit) >= 4) {
        let short = usize::from(side.hands[0].length[suit] >= side.hands[1].length[suit]);
        values[short] = (values[short] - side.hands[short].short[suit]).max(0);
    }
}
