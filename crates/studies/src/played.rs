//! What people take at the table, compared with double dummy: published figures.

use cards::Contract;

/// A published comparison.
///
/// ```
/// use studies::Played;
///
/// let game: cards::Contract = "4S".parse().unwrap();
/// assert_eq!(Played::Okbridge.difference(game), -0.01);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// Peter Cheung's analysis of 30 million plays on OKbridge (2002), by the level of the contract.
    Okbridge,
}

impl Played {
    /// Tricks that declarers took at the table less double-dummy tricks, on the average over contracts like this.
    #[must_use]
    pub fn difference(self, contract: Contract) -> f64 {
        // As printed in the source's table of levels, from 1 to 7.
        const OKBRIDGE: [f64; 7] = [0.37, 0.15, 0.14, -0.01, 0.06, -0.09, -0.09];
        let level = usize::from(contract.tricks_needed()).saturating_sub(7);
        match self {
            Played::Okbridge => OKBRIDGE[level.min(6)],
        }
    }

    /// The name of the column.
    #[must_use]
    pub fn column(self) -> &'static str {
        match self {
            Played::Okbridge => "tricks_okbridge",
        }
    }

    /// Where the figures come from.
    #[must_use]
    pub fn source(self) -> &'static str {
        match self {
            Played::Okbridge => {
                "P. Cheung, 30 million plays on OKbridge, mean difference by level, crystalwebsite.tripod.com/double_dummy_accurate.htm"
            }
        }
    }
}
