//! Tag 4: Edgar Kaplan's count.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 13 and 2 for length: 15 (a stiff king loses nothing); shortness 3 in the fit: 18. South:
//! 10, shortness 2: 12. The side has 25 and 30.

use cards::Suit;

use super::catalogue::Metric;
use super::labels::{Group, whole};
use super::outline::{Bound, Outline, Outlines, SUIT};
use super::short_honours::ShortHonours;
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;
use crate::ranks::{J, Q};

static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [0, 0, -200, -100, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, -100, 0, 0, 0, 0, 0],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    4,
    Some('E'),
    "kaplan",
    "Kaplan: points and length, shortness of both hands in a fit",
    DETAILS,
    kaplan,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    Outline::between(
        Bound::sum(points, |sum, _| sum),
        Bound::sum(|suit| points(suit) + helped(suit), |sum, _| sum),
    ),
    Outline::between(
        Bound::sum(points, |sum, _| sum),
        Bound::sum(
            |suit| points(suit) + helped(suit) + suit.short[SUIT],
            |sum, _| sum,
        ),
    ),
];

/// Returns the high card points with deductions, and length.
fn points(hand: &HandFacts) -> i32 {
    hand.hcp + SHORT_HONOURS.whole(hand) + hand.long_cards(4, 13)
}

/// Returns the most that partner's length adds to a suit.
fn helped(hand: &HandFacts) -> i32 {
    match hand.holdings[SUIT] {
        Q => 2,
        J => 1,
        _ => 0,
    }
}

pub(super) const DETAILS: &[Group] = &[Group::EachHand(&[
    whole("short honours"),
    whole("length"),
    whole("help"),
    whole("shortness"),
])];

/// Computes Kaplan's count: points and length; stiff queens and jacks count again facing four cards; in a fit both
/// hands add their shortness if they have three trumps.
pub(super) fn kaplan(side: &SideAnalysis) -> Valuation {
    let short = side.each(|hand| SHORT_HONOURS.whole(hand));
    let length = side.each(|hand| hand.long_cards(4, 13));
    let help = [0, 1].map(|h: usize| stiff_honours(&side.hands[h], &side.hands[1 - h]));
    let notrump = [0, 1].map(|h: usize| side.hands[h].hcp + short[h] + length[h] + help[h]);
    let ruffs = match side.eight_card_fit() {
        Some(trumps) => side.each(|hand| shortness(hand, trumps)),
        None => [0, 0],
    };
    let in_fit = [0, 1].map(|h: usize| notrump[h] + ruffs[h]);
    Valuation::new(notrump, in_fit).with_each(|h| [short[h], length[h], help[h], ruffs[h]])
}

fn stiff_honours(hand: &HandFacts, partner: &HandFacts) -> i32 {
    let value = |suit: Suit| match hand.holdings[suit] {
        _ if partner.length[suit] < 4 => 0,
        Q => 2,
        J => 1,
        _ => 0,
    };
    Suit::ALL.iter().map(|&suit| value(suit)).sum()
}

fn shortness(hand: &HandFacts, trumps: Suit) -> i32 {
    if hand.length[trumps] > 2 {
        hand.shortness
    } else {
        0
    }
}
