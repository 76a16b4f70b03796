//! Losers: the missing honours among ace, king and queen of every suit, and the modern losing trick count.

use cards::{CardSet, Holding, Suit};

use crate::hand_rules::{HandRuleRow, RuleValue, SuitArgument};
use crate::points::PointTable;
use crate::ranks::{self, A, J, K, Q, T, all, any, by_holding, cards_in, count};

static LOSERS: [u8; ranks::HOLDINGS] = by_holding!(losers_of(holding), holding, u8);
/// Values in halves of a loser.
static LTC: [u8; ranks::HOLDINGS] = by_holding!(half_losers_of(holding), holding, u8);

/// Returns the losers of one suit: how many of the first `min(length, 3)` of ace, king and queen are missing.
///
/// ```
/// use cards::{Suit, notation::holding};
/// use croupier_valuation::suit_losers;
///
/// let losers = |text| suit_losers(holding(text, Suit::Spades).unwrap());
/// assert_eq!(losers("K"), 1);
/// assert_eq!(losers("KQ"), 1);
/// assert_eq!(losers("QJ"), 2);
/// assert_eq!(losers("AQ2"), 1);
/// ```
pub fn suit_losers(holding: Holding) -> i32 {
    i32::from(LOSERS[ranks::bits(holding)])
}

/// Returns the losers of a hand: the sum of the four suits.
pub fn losers(hand: CardSet) -> i32 {
    ranks::bits_of_hand(hand)
        .0
        .iter()
        .map(|&suit| i32::from(LOSERS[suit as usize]))
        .sum()
}

const fn losers_of(holding: u16) -> i32 {
    match cards_in(holding) {
        0 => 0,
        1 => 1 - count(holding, A),
        2 => 2 - count(holding, A | K),
        _ => 3 - count(holding, A | K | Q),
    }
}

/// Returns the losers of one suit as the classic dealer counts them when a script has redefined its tables.
///
/// The classic dealer derives losers of short suits from the sum of the *controls* table and of long ones from the
/// *top3* table, so `altcount` changes losers too. It reads past the end of its lists for unusual sums of controls;
/// here the nearest entry counts.
pub fn suit_losers_by_tables(holding: Holding, controls: &PointTable, top3: &PointTable) -> i32 {
    const SINGLETON: [i32; 3] = [1, 1, 0];
    const DOUBLETON: [i32; 4] = [2, 1, 1, 0];
    let by_controls = |list: &[i32]| {
        let last = list.len() as i32 - 1;
        list[controls.suit(holding).clamp(0, last) as usize]
    };
    match holding.len() {
        0 => 0,
        1 => by_controls(&SINGLETON),
        2 => by_controls(&DOUBLETON),
        _ => 3i32.wrapping_sub(top3.suit(holding)),
    }
}

/// Returns the losers of a hand with redefined tables; see [`suit_losers_by_tables`].
pub fn losers_by_tables(hand: CardSet, controls: &PointTable, top3: &PointTable) -> i32 {
    Suit::ALL.iter().fold(0i32, |sum, &suit| {
        sum.wrapping_add(suit_losers_by_tables(hand.holding(suit), controls, top3))
    })
}

/// Returns the modern losing trick count of one suit, in hundredths of a loser.
///
/// ```
/// use cards::{Suit, notation::holding};
/// use croupier_valuation::suit_ltc;
///
/// let ltc = |text| suit_ltc(holding(text, Suit::Spades).unwrap());
/// assert_eq!(ltc("AJT4"), 150);
/// assert_eq!(ltc("K"), 50);
/// assert_eq!(ltc("Q92"), 250);
/// assert_eq!(ltc("AQJ83"), 50);
/// ```
pub fn suit_ltc(holding: Holding) -> i32 {
    50 * i32::from(LTC[ranks::bits(holding)])
}

/// The function `ltc` of scripts.
pub(crate) const LTC_RULE: HandRuleRow = HandRuleRow {
    spellings: &["ltc"],
    signature: "ltc(compass[, suit])",
    documentation: "Losing tricks by the modern count (ace 1.5, king 1, queen 0.5), times 100.",
    suit: SuitArgument::Optional,
    is_scaled: true,
    range_of_suit: (0, 300),
    range_of_hand: (0, 1200),
    cost: 10,
    value: RuleValue::Suit(|holding, _| suit_ltc(holding)),
};

/// Returns the modern losing trick count of a hand, in hundredths of a loser: the sum of the four suits.
pub fn ltc(hand: CardSet) -> i32 {
    let halves = ranks::bits_of_hand(hand)
        .0
        .map(|suit| i32::from(LTC[suit as usize]));
    50 * halves.iter().sum::<i32>()
}

const fn half_losers_of(holding: u16) -> i32 {
    match cards_in(holding) {
        0 => 0,
        1 => match holding {
            A => 0,
            K => 1,
            _ => 2,
        },
        2 => {
            if all(holding, A | K) {
                0
            } else if all(holding, A | Q) {
                1
            } else if any(holding, A | K) {
                2
            } else {
                4
            }
        }
        _ => half_losers_of_long_suit(holding),
    }
}

/// Returns the losers of a suit of three or more cards, in halves. Every missing top honour is a loser. Supporting
/// cards (the jack behind AK or AQ, jack and ten behind a lone ace or king) take off half a loser. A queen alone
/// without the jack adds half a loser.
const fn half_losers_of_long_suit(holding: u16) -> i32 {
    let missing = 2 * (3 - count(holding, A | K | Q));
    match count(holding, A | K | Q) {
        2 if any(holding, A) && any(holding, J) => missing - 1,
        1 if any(holding, A | K) && all(holding, J | T) => missing - 1,
        1 if any(holding, Q) && !any(holding, J) => missing + 1,
        _ => missing,
    }
}
