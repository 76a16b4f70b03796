//! `--summary`: what the deals are worth on average.

use std::io::{self, Write};
use std::process::ExitCode;

use cards::{Seat, Strain, TrickTable};
use solver::study::{Estimate, Moments};
use studies::{Precision, Stopping, Unit};

use crate::command::lead::{mean, percentage};
use crate::failure::Failure;
use crate::table::{Cell, Table, TableFormat};

/// What a declarer takes in a strain.
#[derive(Clone, Copy, Default)]
struct Row {
    tricks: Moments,
    games: u64,
    slams: u64,
}

impl Row {
    fn games(&self) -> Estimate {
        Estimate::proportion(self.games, self.tricks.count())
    }

    fn slams(&self) -> Estimate {
        Estimate::proportion(self.slams, self.tricks.count())
    }
}

/// The sums of all deals.
pub struct Summary {
    /// By seat, then by strain.
    rows: [[Row; 5]; 4],
    deals: u64,
    precision: Option<Precision>,
    stopping: Option<Stopping>,
    reached: bool,
}

/// Tricks that make game in a strain.
fn game(strain: Strain) -> u8 {
    match strain {
        Strain::Notrump => 9,
        Strain::Spades | Strain::Hearts => 10,
        Strain::Diamonds | Strain::Clubs => 11,
    }
}

impl Summary {
    /// A summary that wants to know this much, or whatever the deals tell.
    ///
    /// # Errors
    /// If the precision is not one of tricks or shares.
    pub fn new(precision: Option<Precision>) -> Result<Summary, Failure> {
        if let Some(Unit::Imps | Unit::Points) = precision.map(|precision| precision.unit) {
            return Err(Failure::usage(
                "--summary knows tricks and shares: give --precision in tricks or in %",
            ));
        }
        Ok(Summary {
            rows: Default::default(),
            deals: 0,
            precision,
            stopping: precision.map(Stopping::at),
            reached: precision.is_none(),
        })
    }

    /// Adds a solved deal, and says whether enough is known.
    pub fn add(&mut self, table: &TrickTable) -> bool {
        self.deals += 1;
        for (seat, rows) in Seat::ALL.into_iter().zip(&mut self.rows) {
            for (strain, row) in Strain::ALL.into_iter().zip(rows) {
                let tricks = table.tricks(seat, strain);
                row.tricks.add(i32::from(tricks));
                row.games += u64::from(tricks >= game(strain));
                row.slams += u64::from(tricks >= 12);
            }
        }
        let rows = &self.rows;
        let reached = |precision: Precision| {
            let narrow = |row: &Row| match precision.unit {
                Unit::Percent => [row.games(), row.slams()]
                    .iter()
                    .all(|share| 100.0 * share.margin() <= precision.half_width),
                _ => row.tricks.mean().margin() <= precision.half_width,
            };
            rows.as_flattened().iter().all(narrow)
        };
        let solved = usize::try_from(self.deals).unwrap_or(usize::MAX);
        let enough = |stopping: &mut Stopping| stopping.enough(solved, reached);
        let enough = self.stopping.as_mut().is_some_and(enough);
        self.reached |= enough;
        enough
    }

    /// Prints the summary, if it is wished and there is something to tell, and passes on how the run ended.
    ///
    /// # Errors
    /// Those of the run, and if the table cannot be printed.
    pub fn told(&self, wished: bool, end: Result<ExitCode, Failure>) -> Result<ExitCode, Failure> {
        if !wished || self.deals == 0 {
            return end;
        }
        let mut out = io::stdout().lock();
        writeln!(out, "{} deals", self.deals)?;
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
        for (seat, rows) in Seat::ALL.into_iter().zip(&self.rows) {
            for (strain, row) in Strain::ALL.into_iter().zip(rows) {
                let mut cells = vec![Cell::Text(seat.to_string()), Cell::Text(strain.to_string())];
                cells.extend(mean(row.tricks.mean(), 3));
                cells.extend(percentage(row.games()));
                cells.extend(percentage(row.slams()));
                table.push(cells);
            }
        }
        table.write(TableFormat::Text, &mut out)?;
        if let Some(precision) = self.precision.filter(|_| !self.reached) {
            eprintln!(
                "croupier: the precision of {precision} was not reached with {} deals",
                self.deals
            );
        }
        end
    }
}
