//! A contract with its declarer.

use std::fmt;
use std::str::FromStr;

use cards::{Contract, Seat, Side, Vulnerability};

/// A contract and its declarer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeclaredContract {
    /// Level, strain and doubling.
    pub contract: Contract,
    /// Seat that plays it.
    pub declarer: Seat,
}

/// The error of a text that is not a contract with an optional declarer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseDeclaredContractError {
    text: String,
}

impl fmt::Display for ParseDeclaredContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is not a contract; expected for example 4S, 3N-W or 5Dx-N (contract, then declarer)",
            self.text
        )
    }
}

impl std::error::Error for ParseDeclaredContractError {}

impl DeclaredContract {
    /// Returns the score of `side` when declarer takes `tricks` tricks.
    #[must_use]
    pub fn score(&self, tricks: u8, vulnerability: Vulnerability, side: Side) -> i32 {
        let declaring = self.declarer.side();
        let score = self
            .contract
            .score(vulnerability.includes(declaring), i32::from(tricks));
        if declaring == side { score } else { -score }
    }
}

impl fmt::Display for DeclaredContract {
    /// Writes `4Sx by N`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.contract, self.declarer.letter())
    }
}

impl FromStr for DeclaredContract {
    type Err = ParseDeclaredContractError;

    /// Reads `4S`, `4S-N`, `4SN`, `4Sx/w` or `3NT by east`. The declarer is South if the text names none.
    fn from_str(text: &str) -> Result<DeclaredContract, ParseDeclaredContractError> {
        let error = || ParseDeclaredContractError {
            text: text.to_owned(),
        };
        let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
        let (contract, declarer) = match text.find([' ', '-', '/', '@']) {
            Some(at) => text.split_at(at),
            None if text.parse::<Contract>().is_ok() => (text, ""),
            None => text.split_at(last),
        };
        let declarer = declarer.trim_start_matches([' ', '-', '/', '@']);
        let declarer = declarer.strip_prefix("by ").unwrap_or(declarer).trim();
        Ok(DeclaredContract {
            contract: contract.parse().map_err(|_| error())?,
            declarer: match declarer {
                "" => Seat::South,
                name => name.parse().map_err(|_| error())?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarer_follows_the_contract_with_or_without_a_sign() {
        for (text, expected) in [
            ("4S", "4S-S"),
            ("4SS", "4S-S"),
            ("4SN", "4S-N"),
            ("3NE", "3N-E"),
            ("3NTw", "3N-W"),
            ("5Dx-n", "5Dx-N"),
            ("5DxN", "5Dx-N"),
            ("3NT by east", "3N-E"),
        ] {
            let declared: DeclaredContract = text.parse().unwrap();
            let declarer = declared.declarer.letter();
            assert_eq!(
                format!("{}-{declarer}", declared.contract),
                expected,
                "{text}"
            );
        }
        for text in ["", "S", "9Q", "4S-Q", "3NTSS", "48S"] {
            assert!(text.parse::<DeclaredContract>().is_err(), "{text}");
        }
    }
}
