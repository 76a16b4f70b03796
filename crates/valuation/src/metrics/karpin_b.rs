//! Tag 6: Karpin's count with fractional honours.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 12.75 less 1 for the stiff king is 11.75, rounded 12, and 2 for length: 14; 15 in the fit.
//! South: 10.00; 12 in the fit. Exact: 23.75 in notrump, 26.75 in the fit.

use super::karpin::{most_shortness, shortness};
use super::catalogue::Metric;
use super::labels::{Group, cents, whole};
use super::outline::{Bound, Exact, Outline, Outlines};
use super::rounding::{by_body, half_up, least_whole, most_whole};
use super::short_honours::ShortHonours;
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;
use crate::ranks::{A, J, K, Q, T, count};

static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [0, -100, -100, -75, -25],
    [
        -100, -100, -50, 0, 0, -100, 0, 0, 0, -100, -100, -100, -100, -75, -25,
    ],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    6,
    Some('J'),
    "karpin_b",
    "Karpin with A 4.25, K 3, Q 1.75, J 0.75, T 0.25",
    DETAILS,
    karpin_b,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    Outline::between(LEAST, MOST).exactly(Exact {
        sums: &[points, |suit| suit.body, |suit| suit.long_cards(4, 13)],
        by_shape: false,
        value: |sums, _| by_body(sums[0], sums[1]) + sums[2],
        coarse: None,
    }),
    Outline::between(LEAST, MOST.with_shape(100, most_shortness)),
];

const LEAST: Bound = Bound::sum(
    |suit| points(suit) + 100 * suit.long_cards(4, 13),
    least_whole,
);
const MOST: Bound = Bound::sum(
    |suit| points(suit).max(0) + 100 * suit.long_cards(4, 13),
    most_whole,
);

/// Returns the honour points with deductions, in hundredths.
fn points(hand: &HandFacts) -> i32 {
    honours(hand) + SHORT_HONOURS.hand(hand)
}

pub(super) const DETAILS: &[Group] = &[
    Group::Totals(cents("fit, exact")),
    Group::Totals(cents("notrump, exact")),
    Group::EachHand(&[
        whole("short honours"),
        whole("length"),
        whole("dummy"),
        whole("declarer"),
    ]),
];

/// Computes Karpin's count with ace 4.25, king 3, queen 1.75, jack 0.75, ten 0.25, rounded by spot cards.
pub(super) fn karpin_b(side: &SideAnalysis) -> Valuation {
    let short = side.each(|hand| SHORT_HONOURS.hand(hand));
    let length = side.each(|hand| hand.long_cards(4, 13));
    let fit = shortness(side);
    let points = [0, 1].map(|h: usize| honours(&side.hands[h]) + short[h]);
    let added = [0, 1].map(|h: usize| fit.ruffs[h] + fit.length[h]);
    let notrump = [0, 1].map(|h: usize| by_body(points[h], side.hands[h].body) + length[h]);
    let in_fit = [0, 1].map(|h: usize| notrump[h] + added[h]);
    let raw = [0, 1].map(|h: usize| points[h] + 100 * length[h]);
    let raw_fit = [0, 1].map(|h: usize| raw[h] + 100 * added[h]);
    Valuation::new(notrump, in_fit)
        .with([raw_fit[0] + raw_fit[1], raw_fit[0], raw_fit[1]])
        .with([raw[0] + raw[1], raw[0], raw[1]])
        .with_each(|h| [half_up(short[h]), length[h], fit.ruffs[h], fit.length[h]])
}

fn honours(hand: &HandFacts) -> i32 {
    hand.holdings.map(honours_of_suit).total()
}

/// Returns the honour points of a suit in hundredths. Larsson's fractional variant uses them too.
pub(super) fn honours_of_suit(holding: u16) -> i32 {
    425 * count(holding, A)
        + 300 * count(holding, K)
        + 175 * count(holding, Q)
        + 75 * count(holding, J)
        + 25 * count(holding, T)
}
