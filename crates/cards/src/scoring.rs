//! Contracts, scores and IMPs.

use core::fmt;
use core::str::FromStr;

use crate::{NotationError, Strain};

/// Whether a contract is doubled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Doubling {
    /// Not doubled.
    Undoubled = 0,
    /// Doubled.
    Doubled = 1,
    /// Redoubled.
    Redoubled = 2,
}

/// A contract without its declarer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Contract {
    level: u8,
    /// Denomination of the contract.
    pub strain: Strain,
    /// Doubling of the contract.
    pub doubling: Doubling,
}

impl Contract {
    /// Creates the contract, or returns `None` if the level is not 1 to 7.
    #[must_use]
    pub const fn new(level: u8, strain: Strain, doubling: Doubling) -> Option<Contract> {
        if level >= 1 && level <= 7 {
            Some(Contract {
                level,
                strain,
                doubling,
            })
        } else {
            None
        }
    }

    /// Returns the level, 1 to 7.
    #[must_use]
    pub const fn level(self) -> u8 {
        self.level
    }

    /// Returns the number of tricks that make the contract: 7 to 13.
    #[must_use]
    pub const fn tricks_needed(self) -> u8 {
        self.level + 6
    }

    /// Returns declarer's score for this number of tricks.
    ///
    /// Any number is allowed: as in the language's `score()`, the formulas also apply outside 0 to 13.
    ///
    /// ```
    /// use croupier_cards::Contract;
    /// let three_notrump: Contract = "3N".parse().unwrap();
    /// assert_eq!(three_notrump.score(true, 9), 600);
    /// assert_eq!(three_notrump.score(false, 8), -50);
    /// ```
    #[must_use]
    pub const fn score(self, vulnerable: bool, tricks: i32) -> i32 {
        let v = vulnerable as i64;
        let d = self.doubling as i64;
        let tricks = tricks as i64;
        let need = self.tricks_needed() as i64;
        let score = if tricks < need {
            penalty(need - tricks, v, d)
        } else {
            self.made(tricks, need, v, d)
        };
        // Wraps like the 32-bit arithmetic of the language for extreme numbers of tricks.
        score as i32
    }

    const fn made(self, tricks: i64, need: i64, v: i64, d: i64) -> i64 {
        let level = self.level as i64;
        let per_trick = match self.strain {
            Strain::Clubs | Strain::Diamonds => 20,
            Strain::Hearts | Strain::Spades | Strain::Notrump => 30,
        };
        let first = if matches!(self.strain, Strain::Notrump) {
            10
        } else {
            0
        };
        let bid = (per_trick * level + first) << d;
        let game = if bid >= 100 { 300 + 200 * v } else { 50 };
        let slam = match self.level {
            6 => 500 + 250 * v,
            7 => 1000 + 500 * v,
            _ => 0,
        };
        let over = tricks - need;
        let overtricks = if d == 0 {
            per_trick * over
        } else {
            over * 100 * (1 + v) * d
        };
        bid + game + slam + 50 * d + overtricks
    }
}

const fn penalty(down: i64, v: i64, d: i64) -> i64 {
    if d == 0 {
        -50 * (1 + v) * down
    } else if v == 1 {
        -(300 * down - 100) * d
    } else if down <= 3 {
        -(200 * down - 100) * d
    } else {
        -(300 * down - 400) * d
    }
}

impl fmt::Display for Contract {
    /// Writes `3N`, `4Sx`, `7Nxx`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doubling = ["", "x", "xx"][self.doubling as usize];
        write!(f, "{}{}{}", self.level, self.strain.letter(), doubling)
    }
}

impl FromStr for Contract {
    type Err = NotationError;

    /// Reads `3N`, `3NT`, `4Sx`, `6Hxx`, in either case.
    fn from_str(text: &str) -> Result<Contract, NotationError> {
        let wrong = || NotationError::Contract;
        let mut chars = text.chars();
        let level = chars
            .next()
            .and_then(|c| c.to_digit(10))
            .ok_or_else(wrong)?;
        let strain = chars
            .next()
            .and_then(Strain::from_letter)
            .ok_or_else(wrong)?;
        let rest = chars.as_str();
        let rest = match strain {
            Strain::Notrump => rest.strip_prefix(['T', 't']).unwrap_or(rest),
            _ => rest,
        };
        let doubling = match rest {
            "" => Doubling::Undoubled,
            "x" | "X" | "d" | "D" => Doubling::Doubled,
            "xx" | "XX" | "r" | "R" => Doubling::Redoubled,
            _ => return Err(wrong()),
        };
        Contract::new(level as u8, strain, doubling).ok_or_else(wrong)
    }
}

/// The largest score difference for 0, 1, ... 23 IMPs; larger differences are 24 IMPs.
const IMP_LIMITS: [u32; 24] = [
    10, 40, 80, 120, 160, 210, 260, 310, 360, 410, 490, 590, 740, 890, 1090, 1190, 1490, 1740,
    1990, 2240, 2490, 2990, 3490, 3990,
];

/// Returns the international match points for a difference of scores.
///
/// ```
/// assert_eq!(croupier_cards::scoring::imps(600), 12);
/// assert_eq!(croupier_cards::scoring::imps(-50), -2);
/// ```
#[must_use]
pub const fn imps(difference: i32) -> i32 {
    let size = difference.unsigned_abs();
    let mut imps = 0;
    while imps < IMP_LIMITS.len() && size > IMP_LIMITS[imps] {
        imps += 1;
    }
    if difference < 0 {
        -(imps as i32)
    } else {
        imps as i32
    }
}

/// Returns [`imps`] as DealerV2 counts them: its table has a wrong sign at 12 IMPs, so that differences of 591 to 740
/// are worth 13.
#[must_use]
pub const fn imps_dealer_v2(difference: i32) -> i32 {
    match imps(difference) {
        12 => 13,
        -12 => -13,
        other => other,
    }
}
