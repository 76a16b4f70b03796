//! Payoffs by score and IMPs.

use cards::{Contract, scoring};

/// Returns declarer's score in a contract for each number of tricks in the suit, if he takes `outside` tricks
/// elsewhere.
///
/// ```
/// use croupier_suits::score_payoffs;
///
/// // Three notrump, not vulnerable, with seven tricks outside the suit.
/// assert_eq!(score_payoffs("3N".parse().unwrap(), false, 7)[..4], [-100, -50, 400, 430]);
/// ```
#[must_use]
pub fn score_payoffs(contract: Contract, vulnerable: bool, outside: u8) -> Vec<i32> {
    let outside = i32::from(outside.min(13));
    (outside..=13)
        .map(|tricks| contract.score(vulnerable, tricks))
        .collect()
}

/// Returns the IMPs for each number of tricks in the suit against a score of `other` at the other table.
#[must_use]
pub fn imp_payoffs(contract: Contract, vulnerable: bool, outside: u8, other: i32) -> Vec<i32> {
    let scores = score_payoffs(contract, vulnerable, outside);
    scores
        .into_iter()
        .map(|score| scoring::imps(score - other))
        .collect()
}
