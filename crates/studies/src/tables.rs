//! Mean trick tables: tricks, games and slams of every declarer in every strain.

use cards::{Deal, Seat, Strain, TrickTable};

use crate::controls::{TRICK_TABLE_CONTROLS, trick_table_controls};
use crate::estimate::Estimate;
use crate::sample::Sample;
use statistics::precision::{MIN_SOLVED, Precision, PrecisionUnit};

/// Number of quantities of a declarer and strain: tricks, games and slams.
const PER_ROW: usize = 3;
/// Number of pairs of declarer and strain.
const ROWS: usize = 20;

/// The mean results of a declarer in a strain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrickTableRow {
    /// Declarer.
    pub declarer: Seat,
    /// Strain.
    pub strain: Strain,
    /// Tricks of declarer.
    pub tricks: Estimate,
    /// Share of the deals with enough tricks for game, 0 to 1.
    pub games: Estimate,
    /// Share of the deals with enough tricks for a slam, 0 to 1.
    pub slams: Estimate,
}

/// A sample of trick tables.
#[derive(Clone, Debug)]
pub struct TrickTableSample {
    sample: Sample,
}

/// Returns the number of tricks that make game in a strain.
pub(crate) fn tricks_for_game(strain: Strain) -> u8 {
    match strain {
        Strain::Notrump => 9,
        Strain::Spades | Strain::Hearts => 10,
        Strain::Diamonds | Strain::Clubs => 11,
    }
}

impl TrickTableSample {
    /// Creates a sample with the controls of `deals`, the first of which will be solved. Without deals the estimates are
    /// those of the solved deals alone.
    #[must_use]
    pub fn new(deals: &[Deal]) -> TrickTableSample {
        let ranges = [(0.0, 13.0), (0.0, 1.0), (0.0, 1.0)];
        let ranges = ranges.into_iter().cycle().take(PER_ROW * ROWS);
        let mut sample = Sample::new(TRICK_TABLE_CONTROLS).with_ranges(ranges.collect());
        for deal in deals {
            sample.add_controls(&trick_table_controls(deal));
        }
        TrickTableSample { sample }
    }

    /// Adds a solved deal.
    pub fn add(&mut self, deal: &Deal, table: &TrickTable) {
        let mut values = Vec::with_capacity(PER_ROW * ROWS);
        for seat in Seat::ALL {
            for strain in Strain::ALL {
                let tricks = table.tricks(seat, strain);
                values.extend([
                    f64::from(tricks),
                    f64::from(u8::from(tricks >= tricks_for_game(strain))),
                    f64::from(u8::from(tricks >= 12)),
                ]);
            }
        }
        self.sample.add_solved(trick_table_controls(deal), values);
    }

    /// Returns the number of solved deals.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.sample.solved()
    }

    /// Returns all rows, seat by seat.
    #[must_use]
    pub fn rows(&self) -> Vec<TrickTableRow> {
        let quantities: Vec<usize> = (0..PER_ROW * ROWS).collect();
        let mut means = self.sample.controlled_means(&quantities);
        for (quantity, estimate) in means.iter_mut().enumerate() {
            if quantity % PER_ROW > 0 {
                *estimate = self.sample.proportion(quantity, *estimate).within_one();
            }
        }
        let names = Seat::ALL
            .into_iter()
            .flat_map(|seat| Strain::ALL.map(|strain| (seat, strain)));
        names
            .zip(means.chunks_exact(PER_ROW))
            .map(|((declarer, strain), means)| TrickTableRow {
                declarer,
                strain,
                tricks: means[0],
                games: means[1],
                slams: means[2],
            })
            .collect()
    }

    /// Returns whether all intervals are narrow enough: those of games and slams for percent, otherwise those of tricks.
    #[must_use]
    pub fn reaches(&self, precision: Precision) -> bool {
        let is_narrow = |row: &TrickTableRow| match precision.unit {
            PrecisionUnit::Percent => [row.games, row.slams]
                .iter()
                .all(|share| 100.0 * share.margin() <= precision.half_width),
            _ => row.tricks.margin() <= precision.half_width,
        };
        self.solved() >= MIN_SOLVED && self.rows().iter().all(is_narrow)
    }
}
