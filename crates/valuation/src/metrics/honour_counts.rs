//! Tags 20 to 27: high card counts with finer scales for aces, tens and short honours.
//!
//! *Worked hand*: North `AQ963.K.KJ752.84`, South `KT74.AJ65.8.Q732`, nine spades between them.
//! Bum-wrap (tag 23): North has KJ of diamonds 3.75, the stiff king of hearts 2, AQ of spades 6:
//! 11.75, rounded 12. South: queen of clubs 1.50, AJ of hearts 5.25, KT of spades 3.25: 10.00. The
//! side has 22, or 21.75 exactly.

use super::labels::{Group, cents, whole};
use super::outline::{Bound, Exact, Outline, Outlines, SUIT};
use super::rounding::{by_body, least_whole, most_whole};
use super::short_honours::{DOUBLETONS, STIFFS};
use super::side::{HandFacts, SideAnalysis};
use super::slots::Slots;
use crate::ranks::{A, J, K, NINE, Q, T, all, any};
use cards::BySuit;

/// One of the counts: values of honours by the length of their suit, in hundredths.
pub(super) struct HonourCount {
    /// By length (0 to 2, or 3 for all longer suits) and the cards from the ace to the nine.
    values: [[i16; SIX_CARDS]; 4],
}

/// Tables are looked up by the cards from the ace to the nine.
const SIX_CARDS: usize = 64;

const fn six(cards: u16) -> usize {
    (cards >> 7) as usize
}

/// Creates a count of short suits from the values of the singletons A K Q J T, then of the doubletons AK AQ AJ AT Ax KQ
/// KJ KT Kx QJ QT Qx JT.
const fn short_suits(stiff: [i16; 5], doubleton: [i16; 13]) -> HonourCount {
    let mut count = HonourCount {
        values: [[0; SIX_CARDS]; 4],
    };
    let mut i = 0;
    while i < STIFFS.len() {
        count.values[1][six(STIFFS[i])] = stiff[i];
        i += 1;
    }
    let mut i = 0;
    while i < doubleton.len() {
        // The small card beside an honour may be the nine, which has a bit of its own.
        count.values[2][six(DOUBLETONS[i])] = doubleton[i];
        count.values[2][six(DOUBLETONS[i] | NINE)] = doubleton[i];
        i += 1;
    }
    count
}

impl HonourCount {
    /// Creates a count that is a scale: in suits of three and more, A K Q J T are worth `long`.
    const fn scale(stiff: [i16; 5], doubleton: [i16; 13], long: [i16; 5]) -> HonourCount {
        let mut count = short_suits(stiff, doubleton);
        let mut cards = 0;
        while cards < SIX_CARDS {
            count.values[3][cards] = scaled((cards as u16) << 7, long);
            cards += 1;
        }
        count
    }

    fn suit(&self, holding: u16, length: i32) -> i32 {
        i32::from(self.values[length.min(3) as usize & 3][six(holding) % SIX_CARDS])
    }
}

/// Adds the values of the honours among the three highest cards, and behind AKQ also those of jack and ten, behind AKJ
/// that of the ten. (The ten of AQJT or KQJT counts nothing, as in DealerV2's server.)
const fn scaled(cards: u16, values: [i16; 5]) -> i16 {
    const CARDS: [u16; 5] = [A, K, Q, J, T];
    let most = if all(cards, A | K | Q) {
        5
    } else if all(cards, A | K | J) {
        4
    } else {
        3
    };
    let (mut sum, mut counted, mut i) = (0, 0, 0);
    while i < CARDS.len() {
        if any(cards, CARDS[i]) && counted < most {
            sum += values[i];
            counted += 1;
        }
        i += 1;
    }
    sum
}

/// Returns the value of a suit of three or more cards in the count OPCjgm: a value for the three highest cards, more
/// for tens and nines behind them.
const fn opc_like(cards: u16) -> i16 {
    let has_ten = any(cards, T);
    let has_nine = any(cards, NINE);
    let (jack, ten) = (any(cards, J), has_ten as i16);
    // Behind two top honours and the jack: the ten 100, ten and nine 150.
    let behind = 100 * ten + 50 * (has_ten && has_nine) as i16;
    // As third card: the ten, and the nine behind jack and ten.
    let nine = 50 * has_nine as i16;
    match (any(cards, A), any(cards, K), any(cards, Q)) {
        (true, true, true) if jack => 925 + 50 + 100 * ten,
        (true, true, true) => 925 + 75 * ten,
        (true, true, false) if jack => 825 + behind,
        (true, true, false) => 725 + 25 * ten,
        (true, false, true) if jack => 725 + behind,
        (true, false, true) => 625 + 75 * ten,
        (true, false, false) if jack && has_ten => 625 + nine,
        (true, false, false) => 425 + 100 * jack as i16,
        (false, true, true) if jack => 600 + behind,
        (false, true, true) => 500 + 75 * ten,
        (false, true, false) if jack && has_ten => 500 + nine,
        (false, true, false) if jack => 400,
        (false, true, false) => 300 + 25 * ten,
        (false, false, true) if jack && has_ten => 400 + nine,
        (false, false, true) if jack => 300,
        (false, false, true) => 150 + 75 * ten,
        (false, false, false) if jack => 50 + 150 * ten,
        (false, false, false) => 0,
    }
}

const fn opc_jgm() -> HonourCount {
    let mut count = short_suits(
        [425, 200, 50, 0, 0],
        [
            625, 525, 475, 425, 425, 450, 325, 300, 300, 200, 150, 100, 50,
        ],
    );
    let mut cards = 0;
    while cards < SIX_CARDS {
        count.values[3][cards] = opc_like((cards as u16) << 7);
        cards += 1;
    }
    count
}

/// The counts of tags 20 to 27, in order.
pub(super) static COUNTS: [HonourCount; 8] = [
    HonourCount::scale(
        [400, 200, 100, 0, 0],
        [
            700, 600, 500, 450, 400, 400, 325, 300, 300, 200, 150, 100, 0,
        ],
        [400, 300, 200, 100, 50],
    ),
    HonourCount::scale(
        [425, 200, 100, 0, 0],
        [
            725, 625, 525, 425, 425, 400, 325, 300, 300, 200, 100, 100, 0,
        ],
        [425, 300, 200, 100, 0],
    ),
    HonourCount::scale(
        [450, 200, 100, 0, 0],
        [
            725, 625, 525, 475, 425, 400, 325, 300, 300, 200, 150, 100, 0,
        ],
        [425, 300, 200, 100, 50],
    ),
    HonourCount::scale(
        [450, 200, 50, 0, 0],
        [750, 600, 525, 475, 450, 350, 300, 300, 300, 125, 100, 75, 0],
        [450, 300, 150, 75, 25],
    ),
    HonourCount::scale(
        [450, 200, 75, 0, 0],
        [750, 625, 525, 450, 450, 375, 300, 300, 300, 150, 100, 75, 0],
        [450, 300, 175, 75, 0],
    ),
    HonourCount::scale(
        [400, 180, 80, 0, 0],
        [680, 580, 500, 440, 400, 360, 320, 280, 280, 180, 120, 80, 0],
        [400, 280, 180, 100, 40],
    ),
    HonourCount::scale(
        [425, 200, 75, 0, 0],
        [725, 600, 500, 450, 425, 375, 325, 300, 300, 150, 100, 75, 0],
        [425, 300, 175, 75, 25],
    ),
    opc_jgm(),
];

/// Labels after the six totals: body, then the suits of each hand.
pub(super) const DETAILS: &[Group] = &[
    Group::EachHand(&[whole("body")]),
    Group::EachHand(&[
        cents("clubs"),
        cents("diamonds"),
        cents("hearts"),
        cents("spades"),
    ]),
];

/// Returns the rounded and exact points of the side and of each hand.
pub(super) fn totals(side: &SideAnalysis, suits: &[BySuit<i32>; 2]) -> [i32; 6] {
    let exact = [suits[0].total(), suits[1].total()];
    let rounded = [0, 1].map(|h: usize| by_body(exact[h], side.hands[h].body));
    [
        rounded[0] + rounded[1],
        rounded[0],
        rounded[1],
        exact[0] + exact[1],
        exact[0],
        exact[1],
    ]
}

/// Returns the values of every suit of both hands, in hundredths.
pub(super) fn suits(side: &SideAnalysis, count: &HonourCount) -> [BySuit<i32>; 2] {
    side.hands
        .each_ref()
        .map(|hand| BySuit::from_fn(|suit| count.suit(hand.holdings[suit], hand.length[suit])))
}

/// Returns the honour count of a side: totals, body cards, and each suit.
pub(super) fn honour_count(side: &SideAnalysis, count: &HonourCount) -> Slots {
    let suits = suits(side, count);
    let body = [side.hands[0].body, side.hands[1].body];
    let mut slots = Slots::EMPTY;
    slots.put_all(0, &totals(side, &suits));
    slots.put_all(6, &body);
    slots.put_all(8, &suits[0].0);
    slots.put_all(12, &suits[1].0);
    slots.put_all(126, &body);
    slots
}

/// Returns the value of one suit by count number `N`.
fn of_suit<const N: usize>(hand: &HandFacts) -> i32 {
    COUNTS[N].suit(hand.holdings[SUIT], hand.length[SUIT])
}

const fn outlines<const N: usize>() -> Outlines {
    [
        Outline::between(
            Bound::sum(of_suit::<N>, least_whole),
            Bound::sum(of_suit::<N>, most_whole),
        )
        .exactly(Exact {
            sums: &[of_suit::<N>, |suit| suit.body],
            by_shape: false,
            value: |sums, _| by_body(sums[0], sums[1]),
            coarse: Some(|points, _| [0, 12].map(|body| by_body(points, body))),
        }),
        Outline::sum(of_suit::<N>),
    ]
}

/// Rounded and exact points of the counts: they are sums over the suits.
pub(super) static OUTLINES: [Outlines; 8] = [
    outlines::<0>(),
    outlines::<1>(),
    outlines::<2>(),
    outlines::<3>(),
    outlines::<4>(),
    outlines::<5>(),
    outlines::<6>(),
    outlines::<7>(),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::length;

    fn value(count: &HonourCount, holding: u16) -> i32 {
        count.suit(holding, length(holding))
    }

    #[test]
    fn a_nine_is_a_small_card_in_short_suits() {
        for count in &COUNTS {
            assert_eq!(value(count, A | NINE), value(count, A | 1));
            assert_eq!(value(count, NINE), 0);
        }
    }

    #[test]
    fn the_three_highest_cards_count() {
        let hcpt050 = &COUNTS[0];
        assert_eq!(value(hcpt050, A | Q | J | T), 700);
        assert_eq!(value(hcpt050, A | K | Q | J | T), 1050);
        assert_eq!(value(hcpt050, A | K | J | T), 850);
    }
}
