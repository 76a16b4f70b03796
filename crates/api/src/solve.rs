//! Double-dummy results and par of a deal.

use croupier::cards::{Seat, TrickTable, Vulnerability};
use croupier::solver::par_report;
use serde::{Deserialize, Serialize};

use crate::boards;
use crate::{RequestError, RequestLimits};

/// A request to solve a deal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Solve {
    /// The deal, as in PBN.
    pub deal: String,
    /// Vulnerable sides: `none`, `ns`, `ew` or `both`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<boards::VulnerabilityName>))]
    pub vulnerable: Option<String>,
    /// Dealer: `N`, `E`, `S` or `W`. It matters for par only if the side that bids first can buy the contract.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<boards::SeatName>))]
    pub dealer: Option<String>,
    /// Results that are known already; they are not computed again.
    #[serde(default)]
    pub tricks: Option<[[u8; 5]; 4]>,
}

/// A contract that reaches par.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ParText {
    /// Contract in the usual notation: `4Sx`. A part score is at the level that it makes.
    pub contract: String,
    /// Declarers who can play the contract: `N`, `EW`, ...
    pub declarers: String,
    /// Over- or undertricks: `=`, `+1`, `-2`.
    pub result: String,
}

/// Double-dummy results and par.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Solved {
    /// Twenty results: rows N E S W, columns clubs, diamonds, hearts, spades, notrump.
    pub tricks: [[u8; 5]; 4],
    /// Par score of North-South.
    pub par: i32,
    /// Contracts that reach par; empty if the board is passed out.
    pub contracts: Vec<ParText>,
}

/// Solves a deal.
///
/// # Errors
/// If the text is not a deal.
pub fn solve(request: Solve, limits: &RequestLimits) -> Result<Solved, RequestError> {
    let deal = boards::deal(&request.deal)?;
    let vulnerability = boards::vulnerability(request.vulnerable.as_deref())?;
    let dealer = request.dealer.as_deref().map(boards::seat).transpose()?;
    let table = match request.tricks {
        Some(rows) => TrickTable::new(rows)
            .ok_or_else(|| RequestError::request("nobody takes more than thirteen tricks"))?,
        None => limits.solve(|solver| solver.table(&deal))?,
    };
    Ok(worth(&table, vulnerability, dealer.unwrap_or(Seat::North)))
}

/// Returns the results with par.
#[must_use]
pub fn worth(table: &TrickTable, vulnerability: Vulnerability, dealer: Seat) -> Solved {
    let par = par_report(table, vulnerability, dealer);
    let contracts = par.contracts.iter().map(|it| ParText {
        contract: it.contract.to_string(),
        declarers: it.declarers().to_owned(),
        result: it.result(),
    });
    Solved {
        tricks: table.rows(),
        par: par.score,
        contracts: contracts.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn par_is_written_in_the_usual_notation() {
        // From the double-dummy test vectors: North-South make three spades.
        let [ns, ew] = [[5, 7, 6, 9, 5], [8, 5, 7, 4, 7]];
        let table = TrickTable::new([ns, ew, ns, ew]).unwrap();
        let solved = worth(&table, Vulnerability::None, Seat::North);
        assert_eq!(solved.par, 140);
        assert_eq!(solved.contracts[0].contract, "3S");
        assert_eq!(solved.contracts[0].declarers, "NS");
        assert_eq!(solved.contracts[0].result, "=");
    }
}
