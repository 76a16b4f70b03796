//! What every declarer takes in every strain, from few solved deals and many that are only looked at.

use cards::{Deal, Seat, Strain, TrickTable};
use solver::study::Estimate;

use crate::combined::Sample;
use crate::controls;
use crate::leads::{share, within_one};
use crate::precision::{FEWEST, Precision, Unit};

/// Numbers kept of every declarer and strain: tricks, games and slams.
const KEPT: usize = 3;
/// Declarers and strains.
const ROWS: usize = 20;

/// What is known of a declarer in a strain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableRow {
    /// Who plays.
    pub declarer: Seat,
    /// In what.
    pub strain: Strain,
    /// Average tricks.
    pub tricks: Estimate,
    /// How often they are enough for game, 0 to 1.
    pub games: Estimate,
    /// How often they are enough for a slam, 0 to 1.
    pub slams: Estimate,
}

/// Collects deal by deal what the tables of tricks say.
#[derive(Clone, Debug)]
pub struct TableSample {
    sample: Sample,
}

/// Tricks that make game in a strain.
#[must_use]
pub fn game(strain: Strain) -> u8 {
    match strain {
        Strain::Notrump => 9,
        Strain::Spades | Strain::Hearts => 10,
        Strain::Diamonds | Strain::Clubs => 11,
    }
}

impl TableSample {
    /// A sample of these deals, of which some, the first ones, will be solved. Without deals the solved ones stand alone.
    #[must_use]
    pub fn new(deals: &[Deal]) -> TableSample {
        let mut sample = Sample::new(controls::OF_TABLES);
        for deal in deals {
            sample.look(&controls::of_tables(deal));
        }
        TableSample { sample }
    }

    /// Adds a solved deal.
    pub fn add(&mut self, deal: &Deal, table: &TrickTable) {
        let mut values = Vec::with_capacity(KEPT * ROWS);
        for seat in Seat::ALL {
            for strain in Strain::ALL {
                let tricks = table.tricks(seat, strain);
                values.extend([
                    f64::from(tricks),
                    f64::from(u8::from(tricks >= game(strain))),
                    f64::from(u8::from(tricks >= 12)),
                ]);
            }
        }
        self.sample.add(controls::of_tables(deal), values);
    }

    /// How many deals were solved.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.sample.solved()
    }

    /// All rows, seat by seat.
    #[must_use]
    pub fn rows(&self) -> Vec<TableRow> {
        let quantities: Vec<usize> = (0..KEPT * ROWS).collect();
        let mut known = self.sample.all_combined(&quantities);
        for (quantity, estimate) in known.iter_mut().enumerate() {
            if quantity % KEPT > 0 {
                *estimate = within_one(share(&self.sample, quantity, *estimate));
            }
        }
        let places = Seat::ALL
            .into_iter()
            .flat_map(|seat| Strain::ALL.map(|strain| (seat, strain)));
        places
            .zip(known.chunks_exact(KEPT))
            .map(|((declarer, strain), known)| TableRow {
                declarer,
                strain,
                tricks: known[0],
                games: known[1],
                slams: known[2],
            })
            .collect()
    }

    /// Whether everything is known as well as wished, in tricks or percent.
    #[must_use]
    pub fn reached(&self, precision: Precision) -> bool {
        let narrow = |row: &TableRow| match precision.unit {
            Unit::Percent => [row.games, row.slams]
                .iter()
                .all(|share| 100.0 * share.margin() <= precision.half_width),
            _ => row.tricks.margin() <= precision.half_width,
        };
        self.solved() >= FEWEST && self.rows().iter().all(narrow)
    }
}
