//! `--summary`: what the deals are worth on average.

use std::io::{self, Write};
use std::process::ExitCode;

use cards::{Deal, TrickTable};
use studies::{Precision, Stopping, TableSample, Unit};

use crate::command::lead::{mean, percentage};
use crate::failure::Failure;
use crate::table::{Cell, Table, TableFormat};

/// What is known of all deals.
pub struct Summary {
    sample: TableSample,
    /// How many deals are looked at, if that is more than are solved.
    looked_at: usize,
    precision: Option<Precision>,
    stopping: Option<Stopping>,
    reached: bool,
}

impl Summary {
    /// A summary that wants to know this much, or whatever the deals tell. Some of these deals will be solved, the first
    /// ones; the others help.
    ///
    /// # Errors
    /// If the precision is not one of tricks or shares.
    pub fn new(precision: Option<Precision>, deals: &[Deal]) -> Result<Summary, Failure> {
        if let Some(Unit::Imps | Unit::Points) = precision.map(|precision| precision.unit) {
            return Err(Failure::usage(
                "--summary knows tricks and shares: give --precision in tricks or in %",
            ));
        }
        Ok(Summary {
            sample: TableSample::new(deals),
            looked_at: deals.len(),
            precision,
            stopping: precision.map(Stopping::at),
            reached: precision.is_none(),
        })
    }

    /// Adds a solved deal, and says whether enough is known.
    pub fn add(&mut self, deal: &Deal, table: &TrickTable) -> bool {
        self.sample.add(deal, table);
        let Some(stopping) = &mut self.stopping else {
            return false;
        };
        let reached = |precision: Precision| self.sample.reached(precision);
        let enough = stopping.enough(self.sample.solved(), reached);
        self.reached |= enough;
        enough
    }

    /// Prints the summary, if there is something to tell, and passes on how the run ended.
    ///
    /// # Errors
    /// Those of the run, and if the table cannot be printed.
    pub fn told(&self, end: Result<ExitCode, Failure>) -> Result<ExitCode, Failure> {
        let solved = self.sample.solved();
        if solved == 0 {
            return end;
        }
        let mut out = io::stdout().lock();
        match self.looked_at > solved {
            true => writeln!(out, "{solved} deals solved of {}", self.looked_at)?,
            false => writeln!(out, "{solved} deals")?,
        }
        let mut table = Table::new(&[
            "declarer",
            "strain",
            "tricks",
            "tricks_ci",
            "game_pct",
            "game_low",
            "game_high",
            "slam_pct",
            "slam_low",
            "slam_high",
        ]);
        for row in self.sample.rows() {
            let names = [row.declarer.to_string(), row.strain.to_string()];
            let mut cells: Vec<Cell> = names.map(Cell::Text).into();
            cells.extend(mean(row.tricks, 3));
            cells.extend(percentage(row.games));
            cells.extend(percentage(row.slams));
            table.push(cells);
        }
        table.write(TableFormat::Text, &mut out)?;
        if let Some(precision) = self.precision.filter(|_| !self.reached) {
            eprintln!("croupier: the precision of {precision} was not reached with {solved} deals");
        }
        end
    }
}
