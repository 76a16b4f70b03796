//! Tag 8: Magnus Larsson's count.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 13 less 1 for the stiff king, and 1 for two suits with two honours: 13. South: 10; with
//! nine trumps in the fit, four of them in this hand, the stiff is worth 3: 13. The side has 23 and
//! 26.

use cards::Suit;

use super::dkp::shortest_suit;
use super::catalogue::Metric;
use super::labels::{Group, whole};
use super::outline::{Bound, Outline, Outlines, best_trumps};
use super::short_honours::ShortHonours;
use super::side::{FitPoints, HandFacts, SideAnalysis};
use super::slots::Valuation;

static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [0, -100, -100, -100, 0],
    [0, 0, 0, 0, 0, -100, 0, 0, 0, -100, 0, 0, 0, 0, 0],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    8,
    Some('L'),
    "larsson",
    "Larsson: points, tens and nines, good suits, shortest suit in a big fit",
    DETAILS,
    larsson,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    Outline::between(LEAST, MOST),
    Outline::between(
        LEAST,
        MOST.with_shape(1, |hand| best_trumps(hand, shortest_suit)),
    ),
];

const LEAST: Bound = Bound::sum(points, |sum, _| sum);
/// Spot cards and good suits are worth three points at most.
const MOST: Bound = Bound::sum(points, |sum, hands| sum + 3 * hands);

/// Returns the high card points with deductions, and length.
fn points(hand: &HandFacts) -> i32 {
    hand.hcp + SHORT_HONOURS.whole(hand) + long_suits(hand)
}

pub(super) const DETAILS: &[Group] = &[Group::EachHand(&[
    whole("short honours"),
    whole("length"),
    whole("tens and nines"),
    whole("good suits"),
    whole("dummy"),
])];

/// Computes Larsson's count: points, long cards beyond the fifth, tens and nines, suits with two honours; the shortest
/// suit with a nine-card fit.
pub(super) fn larsson(side: &SideAnalysis) -> Valuation {
    let short = side.each(|hand| SHORT_HONOURS.whole(hand));
    let length = side.each(long_suits);
    let body = tens_and_nines(side);
    let synergy = side.each(good_suits);
    let fit = shortness(side);
    let notrump =
        [0, 1].map(|h: usize| side.hands[h].hcp + short[h] + body[h] + synergy[h] + length[h]);
    let in_fit = [0, 1].map(|h: usize| notrump[h] + fit.ruffs[h]);
    Valuation::new(notrump, in_fit)
        .with_each(|h| [short[h], length[h], body[h], synergy[h], fit.ruffs[h]])
}

/// Returns one point for every card from the sixth to the eighth of a suit.
pub(super) fn long_suits(hand: &HandFacts) -> i32 {
    hand.long_cards(5, 3)
}

/// Returns one point for two tens, or a ten and two nines. For the second hand DealerV2's server counts the nines of
/// both hands, and so does this function.
pub(super) fn tens_and_nines(side: &SideAnalysis) -> [i32; 2] {
    let first = side.hands[0].nines;
    let nines = [first, first + side.hands[1].nines];
    [0, 1].map(|h: usize| {
        let tens = side.hands[h].tens;
        i32::from(tens >= 2 || tens == 1 && nines[h] >= 2)
    })
}

/// Returns one point for two suits, two for three or four suits with two honours, ace or king among them.
pub(super) fn good_suits(hand: &HandFacts) -> i32 {
    let good =
        |&&suit: &&Suit| hand.length[suit] >= 3 && hand.top2[suit] >= 1 && hand.top4[suit] >= 2;
    match Suit::ALL.iter().filter(good).count() {
        0 | 1 => 0,
        2 => 1,
        _ => 2,
    }
}

/// Returns the points for the shortest suit, if the fit has nine cards.
pub(super) fn shortness(side: &SideAnalysis) -> FitPoints {
    match side.fit_length {
        9.. => side.fit_points(shortest_suit, |_, _| 0),
        _ => FitPoints::default(),
    }
}
