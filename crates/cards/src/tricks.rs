//! The twenty double-dummy results of a deal.

use core::fmt;

use crate::{Seat, Side, Strain};

/// Tricks for every declarer and strain, each 0 to 13.
///
/// ```
/// use croupier_cards::{Seat, Side, Strain, TrickTable};
///
/// let mut table = TrickTable::default();
/// table.set(Seat::South, Strain::Hearts, 10);
/// assert_eq!(table.tricks(Seat::South, Strain::Hearts), 10);
/// assert_eq!(table.tricks(Seat::North, Strain::Hearts), 0);
/// assert_eq!(table.best(Side::NorthSouth, Strain::Hearts), 10);
/// assert_eq!(table.to_string(), "0,0,0,0,0,0,0,0,0,0,0,0,10,0,0,0,0,0,0,0");
/// assert_eq!(TrickTable::new([[14; 5]; 4]), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TrickTable([[u8; 5]; 4]);

impl TrickTable {
    /// Creates a table from a row for each declarer, North first, with the tricks from clubs to notrump.
    ///
    /// Returns `None` if a number is above 13.
    #[must_use]
    pub fn new(rows: [[u8; 5]; 4]) -> Option<TrickTable> {
        rows.iter()
            .flatten()
            .all(|&tricks| tricks <= 13)
            .then_some(TrickTable(rows))
    }

    /// Returns the tricks of a declarer in a strain.
    #[must_use]
    pub const fn tricks(&self, declarer: Seat, strain: Strain) -> u8 {
        self.0[declarer as usize][strain as usize]
    }

    /// Sets the tricks of a declarer in a strain; more than thirteen count as thirteen.
    pub const fn set(&mut self, declarer: Seat, strain: Strain, tricks: u8) {
        self.0[declarer as usize][strain as usize] = if tricks > 13 { 13 } else { tricks };
    }

    /// Returns the five numbers of a declarer, clubs to notrump.
    #[must_use]
    pub const fn row(&self, declarer: Seat) -> [u8; 5] {
        self.0[declarer as usize]
    }

    /// Returns all twenty numbers: North's five, East's, South's, West's, each clubs to notrump.
    #[must_use]
    pub const fn rows(&self) -> [[u8; 5]; 4] {
        self.0
    }

    /// Returns the tricks of the better declarer of a side.
    #[must_use]
    pub fn best(&self, side: Side, strain: Strain) -> u8 {
        let [a, b] = side.seats();
        self.tricks(a, strain).max(self.tricks(b, strain))
    }
}

impl fmt::Display for TrickTable {
    /// Writes twenty numbers joined by commas, in the order of [`TrickTable::rows`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, tricks) in self.0.iter().flatten().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{tricks}")?;
        }
        Ok(())
    }
}
