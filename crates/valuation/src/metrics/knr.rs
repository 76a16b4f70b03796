//! Tag 7: the Kaplan-Rubens evaluation ("four C's") of both hands, with shortness revalued in a fit.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: honours 6.75, shortness 3, quality 5.55: 15.30. South: 6 + 2 + 4.20 = 12.20. With nine
//! trumps dummy's shortness counts again (2), declarer's by half (1.50): 16.80 and 14.20. Rounded,
//! the side has 27 and 31.

use super::catalogue::Metric;
use super::labels::{Group, cents, whole};
use super::outline::{Bound, Outline, Outlines};
use super::rounding::{by_body, least_whole, most_whole};
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;
use crate::four_cs::{honours_of_suit, quality_of_suit};

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    7,
    Some('k'),
    "knr",
    "Kaplan-Rubens four C's with fit and misfit",
    DETAILS,
    knr,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    Outline::between(
        Bound::sum(low, |sum, hands| least_whole(25 * sum, hands)).with_shape(2, in_fifties),
        Bound::sum(high, |sum, hands| most_whole(25 * sum, hands)).with_shape(2, in_fifties),
    ),
    // A misfit cancels shortness; a fit counts it at most twice.
    Outline::between(
        Bound::sum(low, |sum, hands| least_whole(25 * sum, hands))
            .with_shape(2, |hand| -i32::from(hand.square)),
        Bound::sum(high, |sum, hands| most_whole(25 * sum, hands))
            .with_shape(2, |hand| in_fifties(hand) + shortness(hand) / 50),
    ),
];

/// Returns honours and quality in quarters of a point: finer steps would only make larger tables.
fn low(hand: &HandFacts) -> i32 {
    fine(hand).div_euclid(25)
}

fn high(hand: &HandFacts) -> i32 {
    -(-fine(hand).max(0)).div_euclid(25)
}

fn fine(hand: &HandFacts) -> i32 {
    hand.holdings.map(|held| honours_of_suit(held) + quality_of_suit(held)).total()
}

fn in_fifties(hand: &HandFacts) -> i32 {
    shortness(hand) / 50 - i32::from(hand.square)
}

pub(super) const DETAILS: &[Group] = &[
    Group::Totals(cents("fit, exact")),
    Group::Totals(cents("notrump, exact")),
    Group::EachHand(&[
        cents("honours"),
        cents("shortness"),
        cents("quality"),
        cents("total"),
        cents("dummy"),
        cents("declarer"),
        cents("misfit"),
        whole("body"),
    ]),
];

/// Computes the Kaplan-Rubens evaluation: honours, shortness and suit quality, in hundredths, rounded by spot cards; a
/// fit raises the shortness of both hands, a misfit takes it away.
pub(super) fn knr(side: &SideAnalysis) -> Valuation {
    let honours = side.each(|hand| hand.holdings.map(honours_of_suit).total());
    let quality = side.each(|hand| hand.holdings.map(quality_of_suit).total());
    let short = side.each(shortness);
    let total = [0, 1].map(|h: usize| {
        let square = -50 * i32::from(side.hands[h].square);
        (honours[h] + short[h] + quality[h] + square).max(0)
    });
    let (mut dummy, mut declarer, mut misfit) = ([0; 2], [0; 2], [0; 2]);
    if side.eight_card_fit().is_some() {
        let (ruffing, playing) = match side.fit_length {
            8 => (50, 25),
            9 => (100, 50),
            _ => (100, 100),
        };
        dummy[side.dummy()] = short[side.dummy()] * ruffing / 100;
        declarer[side.declarer] = short[side.declarer] * playing / 100;
    } else if side.has_misfit(5) {
        misfit = short.map(|points| -points);
    }
    let last = [0, 1].map(|h: usize| (total[h] + dummy[h] + declarer[h] + misfit[h]).max(0));
    let rounded = |values: [i32; 2]| [0, 1].map(|h: usize| by_body(values[h], side.hands[h].body));
    Valuation::new(rounded(total), rounded(last))
        .with([last[0] + last[1], last[0], last[1]])
        .with([total[0] + total[1], total[0], total[1]])
        .with_each(|h| {
            let body = side.hands[h].body;
            [
                honours[h],
                short[h],
                quality[h],
                total[h],
                dummy[h],
                declarer[h],
                misfit[h],
                body,
            ]
        })
}

/// Returns the points for short suits in hundredths. The first doubleton does not count if the hand has nothing shorter.
fn shortness(hand: &HandFacts) -> i32 {
    let first_doubleton = hand.shortest() == 2;
    100 * (hand.shortness - i32::from(first_doubleton))
}
