//! Tag 2: Danny Kleinman's "little jack points".
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: 38 thirds, 1 off for the stiff king, 2 for the jack of diamonds beside the king and the
//! queen of spades beside the ace: 39 thirds are 13, and length 2: 15. South: 29 + 2 thirds are 10;
//! with four trumps the stiff is worth 3. In the fit 15 + 13 = 28.

use cards::Suit;

use super::catalogue::Metric;
use super::labels::{Group, whole};
use super::outline::{Bound, Exact, Outline, Outlines, SUIT, best_trumps};
use super::rounding::third;
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;
use crate::ranks::{A, J, K, NINE, Q, T, count};

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    2,
    Some('D'),
    "dkp",
    "Kleinman's little jack points: A 13, K 9, Q 5, J 2 thirds, synergy",
    DETAILS,
    dkp,
)
.outlined(&OUTLINES);

static OUTLINES: Outlines = [
    Outline::between(LEAST, MOST).exactly(Exact {
        sums: &[thirds],
        by_shape: true,
        value: |sums, shape| third(sums[0] - 2 * i32::from(shape.square)),
        coarse: None,
    }),
    Outline::between(
        LEAST,
        MOST.with_shape(3, |hand| best_trumps(hand, shortest_suit)),
    ),
];

/// Roundings lose or gain a third at most.
const LEAST: Bound = Bound::sum(thirds, |sum, hands| (sum - hands).div_euclid(3) + i32::from((sum - hands).rem_euclid(3) > 0))
    .with_shape(2, |hand| -i32::from(hand.square));
const MOST: Bound = Bound::sum(thirds, |sum, hands| (sum + hands).div_euclid(3));

/// Returns the value of a suit in thirds, its length included.
fn thirds(hand: &HandFacts) -> i32 {
    scale(hand, SUIT) + short_honours(hand, SUIT) + synergy(hand, SUIT) + 3 * hand.long_cards(4, 3)
}

pub(super) const DETAILS: &[Group] = &[Group::EachHand(&[
    whole("short honours"),
    whole("length"),
    whole("synergy"),
    whole("square"),
    whole("dummy"),
    whole("unused"),
])];

/// Computes Kleinman's count: ace 13, king 9, queen 5, jack 2 thirds of a point, with deductions for short honours and
/// additions for honours in company, rounded; length; and in a fit the shortest suit.
pub(super) fn dkp(side: &SideAnalysis) -> Valuation {
    let short = side.each(|hand| sum_suits(hand, short_honours));
    let synergy = side.each(|hand| sum_suits(hand, synergy));
    let square = side.each(|hand| -2 * i32::from(hand.square));
    let length = side.each(|hand| hand.long_cards(4, 3));
    let base = [0, 1].map(|h: usize| {
        let scale = sum_suits(&side.hands[h], scale);
        (third(scale + short[h] + synergy[h] + square[h]) + length[h]).max(0)
    });
    let fit = side.fit_points(shortest_suit, |_, _| 0);
    let in_fit = [0, 1].map(|h: usize| base[h] + fit.ruffs[h]);
    Valuation::new(base, in_fit)
        .with_each(|h| [short[h], length[h], synergy[h], square[h], fit.ruffs[h], 0])
}

fn sum_suits(hand: &HandFacts, of: fn(&HandFacts, Suit) -> i32) -> i32 {
    Suit::ALL.iter().map(|&suit| of(hand, suit)).sum()
}

fn scale(hand: &HandFacts, suit: Suit) -> i32 {
    let cards = hand.holdings[suit];
    13 * count(cards, A) + 9 * count(cards, K) + 5 * count(cards, Q) + 2 * count(cards, J)
}

fn short_honours(hand: &HandFacts, suit: Suit) -> i32 {
    let length = hand.length[suit];
    let only_honours = length > 0 && length == hand.top4[suit];
    let short_queen = hand.holds(suit, Q) && length == 2;
    let short_jack = hand.holds(suit, J) && !hand.holds(suit, A | K | Q) && length <= 3;
    -i32::from(only_honours || short_queen || short_jack)
}

fn synergy(hand: &HandFacts, suit: Suit) -> i32 {
    let holds = |cards| hand.holds(suit, cards);
    let king = holds(K) && holds(A);
    let queen = holds(Q) && hand.top2[suit] >= 1;
    let jack = holds(J) && hand.top2[suit] >= 1;
    let ten = match hand.top4[suit] {
        _ if !holds(T) => 0,
        2.. => 2,
        1 => 1 + i32::from(holds(NINE)),
        _ => i32::from(holds(NINE) && hand.length[suit] > 2),
    };
    i32::from(king) + i32::from(queen) + i32::from(jack) + ten
}

/// Returns the ruffing value of the shortest suit: 3, 2, 1 with three trumps, 5, 3, 1 with more. Larsson's metrics use
/// this scale too.
pub(super) fn shortest_suit(hand: &HandFacts, trumps: Suit) -> i32 {
    match (hand.length[trumps], hand.shortest()) {
        (..3, _) => 0,
        (3, 0) => 3,
        (3, 1) => 2,
        (_, 0) => 5,
        (_, 1) => 3,
        (_, 2) => 1,
        _ => 0,
    }
}
