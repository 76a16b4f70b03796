//! `--summary`: the mean trick table of the deals.

use std::io::{self, Write};
use std::process::ExitCode;

use croupier::cards::{Deal, TrickTable};
use croupier::studies::{Precision, PrecisionUnit, StoppingRule, TrickTableSample};

use crate::command::lead::{EstimateCells, TRICKS};
use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

/// The mean trick table, and the precision at which the run ends.
pub struct TableSummary {
    sample: TrickTableSample,
    /// Number of deals that serve as control variates.
    control_deals: usize,
    precision: Option<Precision>,
    stopping: Option<StoppingRule>,
    reached: bool,
}

impl TableSummary {
    /// Creates a summary that ends the run at `precision`. A prefix of `deals` will be solved; all serve as control
    /// variates.
    ///
    /// # Errors
    /// If the precision is in IMPs or points.
    pub fn new(precision: Option<Precision>, deals: &[Deal]) -> Result<TableSummary, Failure> {
        if let Some(PrecisionUnit::Imps | PrecisionUnit::Points) =
            precision.map(|precision| precision.unit)
        {
            return Err(Failure::usage(
                "--summary knows tricks and shares: give --precision in tricks or in %",
            ));
        }
        Ok(TableSummary {
            sample: TrickTableSample::new(deals),
            control_deals: deals.len(),
            precision,
            stopping: precision.map(StoppingRule::new),
            reached: precision.is_none(),
        })
    }

    /// Adds a solved deal and returns whether the precision is reached.
    pub fn add(&mut self, deal: &Deal, table: &TrickTable) -> bool {
        self.sample.add(deal, table);
        let Some(stopping) = &mut self.stopping else {
            return false;
        };
        let reaches = |precision: Precision| self.sample.reaches(precision);
        let stops = stopping.stops(self.sample.solved(), reaches);
        self.reached |= stops;
        stops
    }

    /// Prints the summary if a deal was solved, and returns `end`.
    ///
    /// # Errors
    /// The error of the run, or if the table cannot be printed.
    pub fn print(&self, end: Result<ExitCode, Failure>) -> Result<ExitCode, Failure> {
        let solved = self.sample.solved();
        if solved == 0 {
            return end;
        }
        let mut out = io::stdout().lock();
        match self.control_deals > solved {
            true => writeln!(out, "{solved} deals solved of {}", self.control_deals)?,
            false => writeln!(out, "{solved} deals")?,
        }
        let estimates = EstimateCells::new(TableFormat::Text, None);
        let columns = [
            TRICKS,
            ["game_pct", "game_low", "game_high"],
            ["slam_pct", "slam_low", "slam_high"],
        ];
        let columns = columns
            .into_iter()
            .flat_map(|names| estimates.titles(names));
        let columns: Vec<&str> = ["declarer", "strain"].into_iter().chain(columns).collect();
        let mut table = Listing::new(&columns);
        for row in self.sample.rows() {
            let names = [row.declarer.to_string(), row.strain.to_string()];
            let mut cells: Vec<ListingCell> = names.map(ListingCell::Text).into();
            cells.extend(estimates.cells(row.tricks));
            cells.extend(estimates.percentage(row.games));
            cells.extend(estimates.percentage(row.slams));
            table.push(cells);
        }
        table.write(TableFormat::Text, &mut out)?;
        if let Some(precision) = self.precision.filter(|_| !self.reached) {
            eprintln!("croupier: the precision of {precision} was not reached with {solved} deals");
        }
        end
    }
}
