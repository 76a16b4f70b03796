//! Tag 3: Charles Goren's point count.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 13 less 2 for the stiff king is 11 in notrump; 3 for shortness and 1 for the fifth trump
//! make 15 in spades. South: 10 in notrump; 2 for shortness, 1 more for the stiff with four trumps
//! and 1 for the king of trumps make 14. The side has 21 and 29.

use cards::Suit;

use super::catalogue::Metric;
use super::labels::{Group, whole};
use super::outline::{Bound, Exact, Outline, Outlines, best_trumps};
use super::short_honours::ShortHonours;
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;

static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [0, -200, -200, -100, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, -100, -100, -100, -100, -100, 0],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    3,
    Some('G'),
    "goren",
    "Goren: points and shortness, promoted in dummy",
    DETAILS,
    goren,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    Outline::between(
        Bound::sum(points, |sum, _| sum).with_shape(1, |hand| -i32::from(hand.square)),
        Bound::sum(points, |sum, _| sum + four_aces(sum)),
    )
    .exactly(Exact {
        sums: &[points, |suit| suit.aces],
        by_shape: true,
        value: |sums, shape| sums[0] + i32::from(sums[1] == 4) - i32::from(shape.square),
        coarse: Some(|points, shape| {
            let least = points - i32::from(shape.square);
            [least, least + four_aces(points)]
        }),
    }),
    Outline::between(
        Bound::sum(points, |sum, _| sum).with_shape(1, |hand| -i32::from(hand.square)),
        // Only one hand is dummy, whose trump honour helps.
        Bound::sum(points, |sum, _| sum + four_aces(sum) + 1).with_shape(1, |hand| {
            let square = i32::from(hand.square);
            hand.shortness
                + best_trumps(hand, |hand, trumps| {
                    (dummy_points(hand, trumps) - square).max(trump_length(hand.length[trumps]))
                })
        }),
    ),
];

/// Returns the most that a side with these points can get for a hand with four aces: such a hand has 16 points.
fn four_aces(points: i32) -> i32 {
    i32::from(points >= 16)
}

/// Returns high card points with deductions.
fn points(hand: &HandFacts) -> i32 {
    hand.hcp + SHORT_HONOURS.whole(hand)
}

pub(super) const DETAILS: &[Group] = &[Group::EachHand(&[
    whole("short honours"),
    whole("aces"),
    whole("shortness"),
    whole("dummy"),
    whole("declarer"),
    whole("help"),
    whole("square"),
])];

/// Computes Goren's count: points and shortness; in a fit promoted shortness and a trump honour for dummy, length for
/// declarer; with a misfit no shortness. The deduction for an aceless hand never takes effect in DealerV2's server and
/// is not made here.
pub(super) fn goren(side: &SideAnalysis) -> Valuation {
    let short = side.each(|hand| SHORT_HONOURS.whole(hand));
    let aces = side.each(|hand| i32::from(hand.aces == 4));
    let mut square = side.each(|hand| -i32::from(hand.square));
    let points = [0, 1].map(|h: usize| side.hands[h].hcp + short[h] + aces[h]);
    let notrump = [0, 1].map(|h: usize| (points[h] + square[h]).max(0));
    let shortness = side.each(|hand| hand.shortness);
    let mut in_fit = [0, 1].map(|h: usize| points[h] + shortness[h]);
    let (mut ruffs, mut length, mut help) = ([0; 2], [0; 2], [0; 2]);
    if let Some(trumps) = side.eight_card_fit() {
        let (declarer, dummy) = (side.declarer, side.dummy());
        ruffs[dummy] = dummy_points(&side.hands[dummy], trumps);
        length[declarer] = trump_length(side.hands[declarer].length[trumps]);
        help[dummy] = i32::from((1..=3).contains(&side.hands[dummy].hcp_in[trumps]));
        square[declarer] = 0;
        in_fit[dummy] += ruffs[dummy] + square[dummy] + help[dummy];
        in_fit[declarer] += length[declarer];
    } else if side.has_misfit(4) {
        in_fit = points;
    }
    Valuation::new(notrump, in_fit.map(|value| value.max(0))).with_each(|h| {
        [
            short[h],
            aces[h],
            shortness[h],
            ruffs[h],
            length[h],
            help[h],
            square[h],
        ]
    })
}

fn dummy_points(hand: &HandFacts, trumps: Suit) -> i32 {
    match hand.length[trumps] {
        ..3 => 0,
        3 => i32::from(hand.shortest() == 0),
        _ => hand.side_suits(trumps, |length| (2 - length).max(0)),
    }
}

/// Returns one point for the fifth trump, two for every further one. Sheinwold uses this count too.
pub(super) fn trump_length(trumps: i32) -> i32 {
    if trumps >= 5 { 1 + 2 * (trumps - 5) } else { 0 }
}
