//! Double-dummy results and par of a deal.

use croupier::cards::{Seat, Side, Strain, TrickTable, Vulnerability};
use croupier::solver::{ParContract, par};
use serde::{Deserialize, Serialize};

use crate::boards;
use crate::{Limits, Problem};

/// A deal to solve.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Solve {
    /// The deal, as in PBN.
    pub deal: String,
    /// Vulnerable sides: `none`, `ns`, `ew` or `both`.
    #[serde(default)]
    pub vulnerable: Option<String>,
    /// Results that are known already; they are not computed again.
    #[serde(default)]
    pub tricks: Option<[[u8; 5]; 4]>,
}

/// A contract that reaches par.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ParText {
    /// Contract in the usual notation: `4Sx`.
    pub contract: String,
    /// Declarers who can play it: `N`, `EW`, ...
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
pub fn solve(request: Solve, limits: &Limits) -> Result<Solved, Problem> {
    let deal = boards::deal(&request.deal)?;
    let vulnerability = boards::vulnerability(request.vulnerable.as_deref())?;
    let table = match request.tricks {
        Some(rows) => TrickTable::new(rows)
            .ok_or_else(|| Problem::request("nobody takes more than thirteen tricks"))?,
        None => limits.solve(|solver| solver.table(&deal))?,
    };
    Ok(worth(&table, vulnerability))
}

/// Returns the results with par.
#[must_use]
pub fn worth(table: &TrickTable, vulnerability: Vulnerability) -> Solved {
    let par = par(table, vulnerability);
    Solved {
        tricks: table.rows(),
        par: par.score,
        contracts: par.contracts.iter().map(|it| text(table, it)).collect(),
    }
}

fn text(table: &TrickTable, it: &ParContract) -> ParText {
    let taken = match it.declarer {
        Some(seat) => table.tricks(seat, it.strain),
        None => best(table, it.side, it.strain),
    };
    let over = i32::from(taken) - 6 - i32::from(it.level);
    ParText {
        contract: it.contract().to_string(),
        declarers: it.declarers().to_owned(),
        result: match over {
            0 => "=".to_owned(),
            over => format!("{over:+}"),
        },
    }
}

fn best(table: &TrickTable, side: Side, strain: Strain) -> u8 {
    let seats: [Seat; 2] = side.seats();
    seats
        .into_iter()
        .map(|seat| table.tricks(seat, strain))
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn par_is_said_as_players_say_it() {
        // From the double-dummy test vectors: North-South make three spades.
        let [ns, ew] = [[5, 7, 6, 9, 5], [8, 5, 7, 4, 7]];
        let table = TrickTable::new([ns, ew, ns, ew]).unwrap();
        let solved = worth(&table, Vulnerability::None);
        assert_eq!(solved.par, 140);
        assert_eq!(solved.contracts[0].contract, "3S");
        assert_eq!(solved.contracts[0].declarers, "NS");
        assert_eq!(solved.contracts[0].result, "=");
    }
}
