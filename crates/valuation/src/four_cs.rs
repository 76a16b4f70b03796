//! Suit quality and the Kaplan-Rubens hand evaluation ("four C's"), in both dialects of the language.

use cards::{BySuit, CardSet, Holding};

use crate::hand_rules::{HandRuleRow, RuleValue, SuitArgument};
use crate::ranks::{self, A, EIGHT, J, K, NINE, Q, T, any, by_holding, cards_in, count, length};

/// The program whose reading of the published method is used.
///
/// The two differ in the ten of a long suit, the queen in a doubleton, the deduction for the first shortness, and in
/// whether a worthless hand can be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FourCsVersion {
    /// The classic dealer.
    V1,
    /// DealerV2.
    V2,
}

type HoldingTable = [i16; ranks::HOLDINGS];
static HONOURS_V1: HoldingTable = by_holding!(honours_of(holding, FourCsVersion::V1), holding, i16);
static HONOURS_V2: HoldingTable = by_holding!(honours_of(holding, FourCsVersion::V2), holding, i16);
static QUALITY_V1: HoldingTable = by_holding!(quality_of(holding, FourCsVersion::V1), holding, i16);
static QUALITY_V2: HoldingTable = by_holding!(quality_of(holding, FourCsVersion::V2), holding, i16);
/// Honours and quality together: all that one suit adds to the total.
static SUIT_V1: HoldingTable = by_holding!(
    honours_of(holding, FourCsVersion::V1) + quality_of(holding, FourCsVersion::V1),
    holding,
    i16
);
static SUIT_V2: HoldingTable = by_holding!(
    honours_of(holding, FourCsVersion::V2) + quality_of(holding, FourCsVersion::V2),
    holding,
    i16
);

impl FourCsVersion {
    fn honours(self) -> &'static HoldingTable {
        match self {
            FourCsVersion::V1 => &HONOURS_V1,
            FourCsVersion::V2 => &HONOURS_V2,
        }
    }

    fn quality(self) -> &'static HoldingTable {
        match self {
            FourCsVersion::V1 => &QUALITY_V1,
            FourCsVersion::V2 => &QUALITY_V2,
        }
    }

    fn suit(self) -> &'static HoldingTable {
        match self {
            FourCsVersion::V1 => &SUIT_V1,
            FourCsVersion::V2 => &SUIT_V2,
        }
    }

    const fn is_v2(self) -> bool {
        matches!(self, FourCsVersion::V2)
    }
}

/// Returns the quality of a suit in hundredths: its honours and spot cards weighted by its length.
///
/// ```
/// use cards::{Suit, notation::holding};
/// use croupier_valuation::{FourCsVersion, quality};
///
/// let suit = holding("KJT9842", Suit::Spades).unwrap();
/// assert_eq!(quality(suit, FourCsVersion::V1), 350);
/// assert_eq!(quality(suit, FourCsVersion::V2), 385); // the ten counts 50 in a long suit too
/// ```
pub fn quality(holding: Holding, dialect: FourCsVersion) -> i32 {
    i32::from(dialect.quality()[ranks::bits(holding)])
}

/// Bounds of `quality` and `cccc`, wider than any value.
const BOUNDS: (i32, i32) = (-100_000, 100_000);

/// The function `quality` of scripts.
pub(crate) const QUALITY_RULE: HandRuleRow = HandRuleRow {
    spellings: &["quality"],
    signature: "quality(compass, suit)",
    documentation: "Quality of the suit by the Bridge World's method, times 100.",
    suit: SuitArgument::Required,
    is_scaled: true,
    range_of_suit: BOUNDS,
    range_of_hand: BOUNDS,
    cost: 50,
    value: RuleValue::Suit(quality),
};

/// The function `cccc` of scripts.
pub(crate) const CCCC_RULE: HandRuleRow = HandRuleRow {
    spellings: &["cccc"],
    signature: "cccc(compass)",
    documentation: "Kaplan and Rubens's four Cs evaluation of the hand, times 100.",
    suit: SuitArgument::Absent,
    is_scaled: true,
    range_of_suit: BOUNDS,
    range_of_hand: BOUNDS,
    cost: 150,
    value: RuleValue::Hand(cccc),
};

const fn quality_of(holding: u16, dialect: FourCsVersion) -> i32 {
    let n = cards_in(holding);
    let points = 400 * count(holding, A)
        + 300 * count(holding, K)
        + 200 * count(holding, Q)
        + 100 * count(holding, J);
    let rest = if n <= 6 {
        spot_cards(holding)
    } else {
        long_suit(holding, n, dialect)
    };
    (points + rest) * n / 10
}

/// Returns the points for tens and nines of a suit of six cards or fewer.
const fn spot_cards(holding: u16) -> i32 {
    let honours = count(holding, A | K | Q | J);
    let ten = match any(holding, T) {
        true if honours >= 2 || any(holding, J) => 100,
        true => 50,
        false => 0,
    };
    let nine = any(holding, NINE) && (honours == 2 || any(holding, T | EIGHT));
    ten + 50 * nine as i32
}

/// Returns the points of a suit of seven or more cards for missing queens and jacks, because length replaces them.
const fn long_suit(holding: u16, n: i32, dialect: FourCsVersion) -> i32 {
    let missing = 3 - 2 * count(holding, Q) - count(holding, J);
    let covered = if missing < n - 6 { missing } else { n - 6 };
    let ten = if dialect.is_v2() {
        50 * count(holding, T)
    } else {
        0
    };
    100 * covered + ten
}

const fn honours_of(holding: u16, dialect: FourCsVersion) -> i32 {
    let n = cards_in(holding);
    let king = if n == 1 { 50 } else { 200 };
    let queen = match (n, any(holding, A | K)) {
        (0 | 1, _) => 0,
        (2, helped) => 25 + 25 * helped as i32 + if dialect.is_v2() { 0 } else { 25 },
        (_, helped) => 75 + 25 * helped as i32,
    };
    let jack = match count(holding, A | K | Q) {
        2 => 50,
        1 => 25,
        _ => 0,
    };
    let ten = match count(holding, A | K | Q | J) {
        2 => 25,
        1 if any(holding, NINE) => 25,
        _ => 0,
    };
    300 * count(holding, A)
        + king * count(holding, K)
        + queen * count(holding, Q)
        + jack * count(holding, J)
        + ten * count(holding, T)
}

/// Returns the points for shortness, or the deduction for a flat hand.
fn shape_points(suits: &BySuit<u16>, dialect: FourCsVersion) -> i32 {
    let mut short = 0;
    let mut doubleton = false;
    for holding in suits.0 {
        let missing = 3 - length(holding);
        short += 100 * missing.max(0);
        doubleton |= missing == 1;
    }
    match (short, dialect) {
        (0, _) => -50,
        (_, FourCsVersion::V1) => short - 100,
        (_, FourCsVersion::V2) if doubleton => short - 100,
        (_, FourCsVersion::V2) => short,
    }
}

/// Returns the Kaplan-Rubens evaluation of a hand, in hundredths of a point.
///
/// ```
/// use cards::notation;
/// use croupier_valuation::{FourCsVersion, cccc};
///
/// let hand = notation::hand("Q4.AQ83.K9852.J6").unwrap();
/// assert_eq!(cccc(hand, FourCsVersion::V1), 1225);
/// assert_eq!(cccc(hand, FourCsVersion::V2), 1200);
/// ```
pub fn cccc(hand: CardSet, dialect: FourCsVersion) -> i32 {
    let suits = ranks::bits_of_hand(hand);
    let table = dialect.suit();
    let cards: i32 = suits
        .0
        .iter()
        .map(|&suit| i32::from(table[suit as usize]))
        .sum();
    floor(cards + shape_points(&suits, dialect), dialect)
}

/// Applies the lower limit of a hand's value: none in v1, where a hand without honours is negative, and 0 in v2.
fn floor(total: i32, dialect: FourCsVersion) -> i32 {
    match dialect {
        FourCsVersion::V1 => total,
        FourCsVersion::V2 => total.max(0),
    }
}

/// The parts of a Kaplan-Rubens evaluation, in hundredths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FourCs {
    /// Points for the honours of each suit.
    pub honours: BySuit<i32>,
    /// The quality of each suit.
    pub quality: BySuit<i32>,
    /// Shortness, or the deduction for a flat hand.
    pub shape: i32,
    /// The evaluation of the hand, as [`cccc`] returns it.
    pub total: i32,
}

impl FourCs {
    /// Evaluates a hand and keeps the parts.
    pub fn of(hand: CardSet, dialect: FourCsVersion) -> FourCs {
        let suits = ranks::bits_of_hand(hand);
        let honours = suits.map(|suit| i32::from(dialect.honours()[suit as usize]));
        let quality = suits.map(|suit| i32::from(dialect.quality()[suit as usize]));
        let shape = shape_points(&suits, dialect);
        let total = floor(honours.total() + quality.total() + shape, dialect);
        FourCs {
            honours,
            quality,
            shape,
            total,
        }
    }
}

/// Returns the points for the honours of a suit in the second dialect, by the bits of the holding.
pub(crate) fn honours_of_suit(holding: u16) -> i32 {
    i32::from(HONOURS_V2[holding as usize])
}

/// Returns the quality of a suit in the second dialect, by the bits of the holding.
pub(crate) fn quality_of_suit(holding: u16) -> i32 {
    i32::from(QUALITY_V2[holding as usize])
}
