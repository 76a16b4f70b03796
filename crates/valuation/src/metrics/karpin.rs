//! Tag 5: Fred Karpin's count.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 13 less 1 for the stiff king, and 2 for length: 14; as declarer with five trumps the stiff
//! heart is worth 1: 15. South: 10, and with four trumps the stiff diamond is worth 2: 12. The side
//! has 24 and 27.

use cards::Suit;

use super::catalogue::Metric;
use super::labels::{Group, whole};
use super::outline::{Bound, Outline, Outlines, best_trumps};
use super::short_honours::ShortHonours;
use super::side::{FitPoints, HandFacts, SideAnalysis};
use super::slots::Valuation;

static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [0, -100, -100, -100, 0],
    [
        0, 0, 0, 0, 0, -100, -100, 0, 0, -100, -100, -100, -100, -100, 0,
    ],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    5,
    Some('K'),
    "karpin",
    "Karpin: points and length, shortness by trump length in a fit",
    DETAILS,
    karpin,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    Outline::sum(points),
    Outline::between(SUM, SUM.with_shape(1, most_shortness)),
];

const SUM: Bound = Bound::sum(points, |sum, _| sum);

/// Returns the high card points with deductions, and length.
fn points(hand: &HandFacts) -> i32 {
    hand.hcp + SHORT_HONOURS.whole(hand) + hand.long_cards(4, 13)
}

/// Returns the maximum of the points for shortness over all trump suits, as dummy or declarer.
pub(super) fn most_shortness(hand: &HandFacts) -> i32 {
    best_trumps(hand, |hand, trumps| by_trumps(hand, trumps, 3))
}

pub(super) const DETAILS: &[Group] = &[Group::EachHand(&[
    whole("short honours"),
    whole("length"),
    whole("dummy"),
    whole("declarer"),
])];

/// Computes Karpin's count: points and length; in a fit shortness, promoted with a fourth trump in dummy or a sixth
/// with declarer.
pub(super) fn karpin(side: &SideAnalysis) -> Valuation {
    let short = side.each(|hand| SHORT_HONOURS.whole(hand));
    let length = side.each(|hand| hand.long_cards(4, 13));
    let fit = shortness(side);
    let notrump = [0, 1].map(|h: usize| side.hands[h].hcp + short[h] + length[h]);
    let in_fit = [0, 1].map(|h: usize| notrump[h] + fit.ruffs[h] + fit.length[h]);
    Valuation::new(notrump, in_fit)
        .with_each(|h| [short[h], length[h], fit.ruffs[h], fit.length[h]])
}

/// Computes the points for shortness in a fit, for dummy with three trumps and for declarer with five.
pub(super) fn shortness(side: &SideAnalysis) -> FitPoints {
    side.fit_points(
        |hand, trumps| by_trumps(hand, trumps, 3),
        |hand, trumps| by_trumps(hand, trumps, 5),
    )
}

/// Returns the points for short suits: void 2, stiff 1 with exactly `enough` trumps; void 3, stiff 2, doubleton 1 with
/// more.
fn by_trumps(hand: &HandFacts, trumps: Suit, enough: i32) -> i32 {
    match hand.length[trumps] - enough {
        ..0 => 0,
        0 => hand.side_suits(trumps, |length| (2 - length).max(0)),
        _ => hand.side_suits(trumps, |length| (3 - length).max(0)),
    }
}
