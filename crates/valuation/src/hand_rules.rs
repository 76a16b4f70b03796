//! Functions of one hand that scripts can call: one row each.
//!
//! A row has the name and description of a function, the range of its values and the rule itself. The language, both
//! evaluators and the exact sampler use the row. A new function is its row, beside the rule, and its name in the list
//! below; one line in the table of functions of `script` gives it its place there.

use cards::{CardSet, Holding};

use crate::{FourCsVersion, four_cs, losers};

/// Defines the constant of each rule and the table of their rows.
macro_rules! hand_rules {
    ($($name:ident $row:path;)*) => {
        #[allow(clippy::upper_case_acronyms, reason = "the names of the constants below")]
        enum Number { $($name),* }

        /// The rows, by the number of the rule.
        const ROWS: &[HandRuleRow] = &[$($row),*];

        impl HandRule {
            $(
                #[doc = concat!("The rule `", stringify!($name), "`.")]
                pub const $name: HandRule = HandRule(Number::$name as u8);
            )*

            /// All rules.
            pub const ALL: &[HandRule] = &[$(HandRule::$name),*];
        }
    };
}

// The sampler orders features by these numbers, so a new rule comes last.
hand_rules! {
    LTC losers::LTC_RULE;
    QUALITY four_cs::QUALITY_RULE;
    CCCC four_cs::CCCC_RULE;
}

/// A function of one hand that scripts can call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandRule(u8);

/// A rule that gives a number to the cards of one suit. The value of a hand is the sum over its suits.
pub type SuitValue = fn(Holding, FourCsVersion) -> i32;

/// A rule that gives a number to a hand.
pub type HandValue = fn(CardSet, FourCsVersion) -> i32;

/// The way in which a rule is computed.
#[derive(Clone, Copy)]
pub enum RuleValue {
    /// By a function of each suit. The values of the suits are added.
    Suit(SuitValue),
    /// By a function of the whole hand.
    Hand(HandValue),
}

/// Whether a function has a suit as its second argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuitArgument {
    /// Never.
    Absent,
    /// If the caller gives one.
    Optional,
    /// Always.
    Required,
}

/// The description of a rule.
pub struct HandRuleRow {
    /// The names in scripts, the usual one first.
    pub spellings: &'static [&'static str],
    /// The call with its arguments.
    pub signature: &'static str,
    /// Description in one sentence.
    pub documentation: &'static str,
    /// Whether it has a suit as its second argument.
    pub suit: SuitArgument,
    /// Whether the values are hundredths.
    pub is_scaled: bool,
    /// Lower and upper bound of the value of one suit.
    pub range_of_suit: (i32, i32),
    /// Lower and upper bound of the value of a hand.
    pub range_of_hand: (i32, i32),
    /// Estimated cost of one value in nanoseconds.
    pub cost: u32,
    /// The rule. Its values fit 16 bits.
    pub value: RuleValue,
}

impl HandRule {
    /// Returns the position in [`HandRule::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the description.
    #[must_use]
    pub const fn row(self) -> &'static HandRuleRow {
        &ROWS[self.index()]
    }

    /// Returns the way in which it is computed.
    #[must_use]
    pub const fn value(self) -> RuleValue {
        self.row().value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value outside the range of its rule, or of more than 16 bits, would be wrong in columns.
    #[test]
    fn values_of_every_suit_are_in_the_range_of_the_rule() {
        for &rule in HandRule::ALL {
            let row = rule.row();
            let RuleValue::Suit(value) = row.value else {
                continue;
            };
            for dialect in [FourCsVersion::V1, FourCsVersion::V2] {
                for holding in (0..1 << 13).map(Holding) {
                    let value = value(holding, dialect);
                    let (low, high) = row.range_of_suit;
                    assert!((low..=high).contains(&value), "{}", row.signature);
                    assert!(i16::try_from(4 * value).is_ok(), "{}", row.signature);
                }
            }
        }
    }
}
