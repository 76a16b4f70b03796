//! Tag 9: Larsson's count with fractional honours.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 3.75 + 3 + 6.50 (the queen beside the ace counts half a point more) less 1 for the stiff
//! king is 12.25, rounded 12, and 1 for two good suits: 13. South: 10.00; 13 in the fit. Exact:
//! 23.25 and 26.25.

use super::dkp::shortest_suit;
use super::karpin_b;
use super::catalogue::Metric;
use super::labels::{Group, cents, whole};
use super::larsson::{good_suits, long_suits, shortness, tens_and_nines};
use super::outline::{Bound, Outline, Outlines, best_trumps};
use super::rounding::{by_body, least_whole, most_whole};
use super::short_honours::ShortHonours;
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;
use crate::ranks::{A, J, K, NINE, Q, T, any, length};

static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [0, -100, -100, -75, -25],
    [0, -50, -25, 0, 0, 0, 0, 0, 0, -25, -25, -50, -50, -75, -25],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    9,
    Some('M'),
    "larsson_b",
    "Larsson with fractional honours that support each other",
    DETAILS,
    larsson_b,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    Outline::between(LEAST, MOST),
    Outline::between(
        LEAST,
        MOST.with_shape(100, |hand| best_trumps(hand, shortest_suit)),
    ),
];

const LEAST: Bound = Bound::sum(|suit| points(suit) + 100 * long_suits(suit), least_whole);
/// Good suits are worth two points at most.
const MOST: Bound = Bound::sum(
    |suit| points(suit).max(0) + 100 * long_suits(suit),
    |sum, hands| most_whole(sum, hands) + 2 * hands,
);

/// Returns the honour points with deductions, in hundredths.
fn points(hand: &HandFacts) -> i32 {
    hand.holdings.map(honours_of_suit).total() + SHORT_HONOURS.hand(hand)
}

pub(super) const DETAILS: &[Group] = &[
    Group::Totals(cents("fit, exact")),
    Group::Totals(cents("notrump, exact")),
    Group::EachHand(&[
        whole("short honours"),
        whole("length"),
        whole("tens and nines"),
        whole("good suits"),
        whole("dummy"),
    ]),
];

/// Computes Larsson's count with fractional honours that support each other, rounded by spot cards. The point for tens
/// and nines is reported but not added.
pub(super) fn larsson_b(side: &SideAnalysis) -> Valuation {
    let short = side.each(|hand| SHORT_HONOURS.hand(hand));
    let long = side.each(long_suits);
    let body = tens_and_nines(side);
    let synergy = side.each(good_suits);
    let fit = shortness(side);
    let points =
        [0, 1].map(|h: usize| side.hands[h].holdings.map(honours_of_suit).total() + short[h]);
    let shape = [0, 1].map(|h: usize| synergy[h] + long[h]);
    let notrump = [0, 1].map(|h: usize| by_body(points[h], side.hands[h].body) + shape[h]);
    let in_fit = [0, 1].map(|h: usize| notrump[h] + fit.ruffs[h]);
    let raw = [0, 1].map(|h: usize| points[h] + 100 * shape[h]);
    let raw_fit = [0, 1].map(|h: usize| raw[h] + 100 * fit.ruffs[h]);
    Valuation::new(notrump, in_fit)
        .with([raw_fit[0] + raw_fit[1], raw_fit[0], raw_fit[1]])
        .with([raw[0] + raw[1], raw[0], raw[1]])
        .with_each(|h| [short[h] / 100, long[h], body[h], synergy[h], fit.ruffs[h]])
}

fn honours_of_suit(holding: u16) -> i32 {
    let plain = karpin_b::honours_of_suit(holding);
    if length(holding) < 3 {
        return plain;
    }
    let together = |card, company| i32::from(any(holding, card) && any(holding, company));
    plain + 50 * together(Q, A | K) + 25 * together(J, Q | T) + 25 * together(T, J | NINE)
}
