//! Tag 12: Zar Petkov's basic points.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 13 points less 1 for the stiff king, 4 controls, twice five and five less one for shape:
//! 30. South: 10, 3 and 11: 24. The side has 54, or 27 halved.

use cards::Suit;

use super::catalogue::Metric;
use super::labels::{Group, whole};
use super::outline::{Bound, Exact, Outline, Outlines};
use super::rounding::by_body;
use super::short_honours::ShortHonours;
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;

pub(super) static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [-100, -100, -100, -100, 0],
    [
        0, 0, -100, 0, 0, -100, -100, 0, 0, -100, -100, -100, -100, -100, 0,
    ],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    12,
    Some('z'),
    "zar",
    "Zar points: points, controls and distribution",
    DETAILS,
    zar,
)
.outlined(&OUTLINES);

/// The value is the same in every strain: points and distribution, and a point for concentration. Four spades lift a hand from 25 to
/// 26, but none that has 26 already.
pub(super) const OUTLINE: Outline = Outline::between(
    Bound::sum(points, |sum, _| sum).with_shape(1, distribution),
    Bound::sum(points, |sum, hands| match (hands, sum) {
        (1, 24) | (2, 24..48 | 49..) => sum + hands + 1,
        (2, 48) => sum + hands + 2,
        _ => sum + hands,
    })
    .with_shape(1, distribution),
)
.exactly(Exact {
    sums: &[points, |suit| suit.hcp, |suit| i32::from(suit.hcp > 0)],
    by_shape: true,
    value: |sums, shape| {
        let counted = sums[0] + distribution(shape);
        counted + synergy(counted, (sums[1], sums[2]), shape)
    },
    coarse: Some(|points, shape| {
        let counted = points + distribution(shape);
        [counted, counted + 1 + i32::from(counted == 24)]
    }),
});

static OUTLINES: Outlines = [OUTLINE, OUTLINE];

pub(super) const DETAILS: &[Group] = &[
    Group::Totals(whole("fit, halved")),
    Group::Totals(whole("notrump, halved")),
    Group::EachHand(&[
        whole("short honours"),
        whole("controls"),
        whole("distribution"),
        whole("concentration"),
        whole("body"),
    ]),
];

/// The parts of a hand's Zar points.
pub(super) struct ZarHand {
    pub(super) short: i32,
    pub(super) distribution: i32,
    pub(super) synergy: i32,
    pub(super) total: i32,
}

/// Computes Zar points: points, controls, and the two longest suits with the difference of the longest and the
/// shortest.
pub(super) fn zar(side: &SideAnalysis) -> Valuation {
    let hands = side.hands.each_ref().map(zar_hand);
    let total = [hands[0].total, hands[1].total];
    let half = halves(side, total);
    Valuation::new(total, total)
        .with(half)
        .with(half)
        .with_each(|h| {
            let (parts, facts) = (&hands[h], &side.hands[h]);
            [
                parts.short,
                facts.controls,
                parts.distribution,
                parts.synergy,
                facts.body,
            ]
        })
}

pub(super) fn zar_hand(hand: &HandFacts) -> ZarHand {
    let short = SHORT_HONOURS.whole(hand);
    let distribution = distribution(hand);
    let suits_with_points = hand.hcp_in.0.iter().filter(|&&points| points > 0).count();
    let counted = hand.hcp + short + hand.controls + distribution;
    let synergy = synergy(counted, (hand.hcp, suits_with_points as i32), hand);
    ZarHand {
        short,
        distribution,
        synergy,
        total: counted + synergy,
    }
}

/// Returns the high card points with deductions, and controls.
fn points(hand: &HandFacts) -> i32 {
    hand.hcp + SHORT_HONOURS.whole(hand) + hand.controls
}

pub(super) fn distribution(hand: &HandFacts) -> i32 {
    let [longest, second, _, shortest] = hand.sorted_lengths();
    2 * longest + second - shortest
}

/// Returns the additional points: one if the high-card points lie in few suits, and one for four spades in a hand that
/// is one point short of an opening bid.
fn synergy(counted: i32, (hcp, suits_with_points): (i32, i32), shape: &HandFacts) -> i32 {
    let concentrated = match hcp {
        11..=13 => suits_with_points <= 2,
        14.. => suits_with_points <= 3,
        _ => false,
    };
    let concentrated = i32::from(concentrated);
    concentrated + i32::from(counted + concentrated == 25 && shape.length[Suit::Spades] >= 4)
}

/// Returns half the Zar points, rounded by spot cards: side, first hand, second hand.
pub(super) fn halves(side: &SideAnalysis, zar: [i32; 2]) -> [i32; 3] {
    let [first, second] = [0, 1].map(|h: usize| by_body(50 * zar[h], side.hands[h].body));
    [first + second, first, second]
}
