//! Tag 1: Harold Bissell's distributional count.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! North: diamonds K 2, J 1 (one higher card missing, then two) and length 3 make 6; the stiff king
//! of hearts 2 - 1 = 1; spades A 3, Q 2 and length 3 make 8; 15. South: clubs 1 + 1, hearts A 3, J 1
//! and 1, spades K 2 and 1 make 10, less 1 for 4-4-4-1: 9. The side has 24 in any strain.

use cards::{BySuit, Suit};

use super::catalogue::Metric;
use super::labels::{Group, whole};
use super::outline::{Bound, Exact, Outline, Outlines, SUIT};
use super::short_honours::ShortHonours;
use super::side::{HandFacts, SideAnalysis};
use super::slots::Valuation;

static SHORT_HONOURS: ShortHonours = ShortHonours::new(
    [0, -100, -100, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, -100, -100, -100, 0, 0, 0],
);

/// The metric's entry in the catalogue.
pub(super) const METRIC: Metric = Metric::of_side(
    1,
    Some('b'),
    "bissell",
    "Bissell: honours and length of every suit together, no fit points",
    DETAILS,
    bissell,
)
.outlined(&OUTLINES);

/// The value is the same in every strain.
const OUTLINE: Outline = Outline::between(
    Bound::sum(one_suit, |sum, _| sum).with_shape(1, flat_shape),
    Bound::sum(one_suit, |sum, _| sum).with_shape(1, flat_shape),
)
.exactly(Exact {
    sums: &[one_suit],
    by_shape: true,
    value: |sums, shape| sums[0] + flat_shape(shape),
    coarse: None,
});

static OUTLINES: Outlines = [OUTLINE, OUTLINE];

fn one_suit(hand: &HandFacts) -> i32 {
    suit_values(hand)[SUIT]
}

pub(super) const DETAILS: &[Group] = &[
    Group::EachHand(&[
        whole("clubs"),
        whole("diamonds"),
        whole("hearts"),
        whole("spades"),
    ]),
    Group::EachHand(&[whole("shape")]),
];

/// Honour points by the top five cards: each is worth three, less the higher ones that are missing.
static HONOURS: [u8; 32] = honours();

const fn honours() -> [u8; 32] {
    let mut table = [0; 32];
    let mut five = 0;
    while five < 32 {
        let mut missing = 0;
        let mut card = 16;
        while card > 0 && missing < 3 {
            if five & card != 0 {
                table[five] += 3 - missing;
            } else {
                missing += 1;
            }
            card >>= 1;
        }
        five += 1;
    }
    table
}

/// Computes Bissell's count: each suit for its honours and length together. Fits do not matter.
pub(super) fn bissell(side: &SideAnalysis) -> Valuation {
    let suits = side.hands.each_ref().map(suit_values);
    let shape = side.each(flat_shape);
    let values = [0, 1].map(|h: usize| suits[h].total() + shape[h]);
    Valuation::new(values, values)
        .with_each(|h| suits[h].0)
        .with(shape)
}

fn suit_values(hand: &HandFacts) -> BySuit<i32> {
    BySuit::from_fn(|suit: Suit| {
        let length = hand.length[suit];
        let honours = i32::from(HONOURS[usize::from(hand.holdings[suit] >> 8)]);
        let honours = (honours + SHORT_HONOURS.suit(hand, suit) / 100).max(0);
        let long = match length {
            ..4 => 0,
            4 => 1,
            _ => 3 * (length - 4),
        };
        (honours + long).min(3 * length)
    })
}

/// Returns the deduction of one point for the shapes 4-3-3-3, 4-4-4-1 and 4-4-3-2.
fn flat_shape(hand: &HandFacts) -> i32 {
    let flat = match hand.suits_of_length(4) {
        3 => true,
        2 => hand.suits_of_length(0) == 0,
        _ => hand.square,
    };
    -i32::from(flat)
}
