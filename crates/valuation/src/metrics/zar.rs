//! Tag 12: Zar Petkov's basic points.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 13 points less 1 for the stiff king, 4 controls, twice five and five less one for shape:
//! 30. South: 10, 3 and 11: 24. The side has 54, or 27 halved.

use cards::Suit;

use super::catalogue::Metric;
use super::labels::{Group, whole};
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

/// The metric's place in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    12,
    Some('z'),
    "zar",
    "Zar points: points, controls and distribution",
    DETAILS,
    zar,
);

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

/// Points, controls, and the two longest suits with the difference of the longest and the shortest.
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
    let [longest, second, _, shortest] = hand.sorted_lengths();
    let distribution = 2 * longest + second - shortest;
    let suits_with_points = hand.hcp_in.0.iter().filter(|&&points| points > 0).count();
    let concentrated = match hand.hcp {
        11..=13 => suits_with_points <= 2,
        14.. => suits_with_points <= 3,
        _ => false,
    };
    let mut synergy = i32::from(concentrated);
    let total = hand.hcp + short + hand.controls + distribution + synergy;
    // One point short of an opening bid: four spades are worth it.
    let spades = i32::from(total == 25 && hand.length[Suit::Spades] >= 4);
    synergy += spades;
    ZarHand {
        short,
        distribution,
        synergy,
        total: total + spades,
    }
}

/// Half the Zar points, rounded by spot cards: side, first hand, second hand.
pub(super) fn halves(side: &SideAnalysis, zar: [i32; 2]) -> [i32; 3] {
    let [first, second] = [0, 1].map(|h: usize| by_body(50 * zar[h], side.hands[h].body));
    [first + second, first, second]
}
