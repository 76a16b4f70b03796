//! Swapping: several deals from one by exchanging whole hands while North keeps the same hand.

use std::fmt;

use cards::{Deal, Seat};

/// The number of deals made from one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Swap {
    /// One: every deal is a new one.
    #[default]
    Off,
    /// Two: as dealt, then with East and West exchanged.
    Two,
    /// Six: all arrangements of East, South and West.
    Three,
}

/// The exchanges that lead from a deal to its next arrangement.
const EXCHANGES: [(Seat, Seat); 5] = [
    (Seat::East, Seat::West),
    (Seat::South, Seat::West),
    (Seat::East, Seat::South),
    (Seat::East, Seat::West),
    (Seat::South, Seat::West),
];

impl Swap {
    /// Returns the mode of a command-line switch: 0, 2 or 3.
    ///
    /// # Errors
    /// Returns an error for any other number.
    pub const fn from_switch(number: i64) -> Result<Swap, UnknownSwap> {
        match number {
            0 => Ok(Swap::Off),
            2 => Ok(Swap::Two),
            3 => Ok(Swap::Three),
            _ => Err(UnknownSwap(number)),
        }
    }

    /// Returns the number of deals made from one.
    #[must_use]
    pub const fn arrangements(self) -> u64 {
        match self {
            Swap::Off => 1,
            Swap::Two => 2,
            Swap::Three => 6,
        }
    }

    /// Returns whether the hand of a seat moves to other seats.
    #[must_use]
    pub const fn exchanges(self, seat: Seat) -> bool {
        match self {
            Swap::Off => false,
            Swap::Two => matches!(seat, Seat::East | Seat::West),
            Swap::Three => !matches!(seat, Seat::North),
        }
    }

    /// Returns the number of the base deal and of its arrangement that give output deal `index`.
    ///
    /// ```
    /// use croupier_shuffle::Swap;
    /// assert_eq!(Swap::Three.locate(20), (3, 2));
    /// ```
    #[must_use]
    pub const fn locate(self, index: u64) -> (u64, usize) {
        (
            index / self.arrangements(),
            (index % self.arrangements()) as usize,
        )
    }

    /// Returns the seats that exchange hands to reach an arrangement (1 or more) from the one before.
    #[must_use]
    pub const fn exchange(arrangement: usize) -> (Seat, Seat) {
        EXCHANGES[(arrangement + EXCHANGES.len() - 1) % EXCHANGES.len()]
    }

    /// Returns for each seat, North first, the seat of the base deal whose cards it holds in an arrangement.
    ///
    /// ```
    /// use cards::Seat::*;
    /// use croupier_shuffle::Swap;
    /// assert_eq!(Swap::sources(1), [North, West, South, East]);
    /// assert_eq!(Swap::sources(5), [North, South, East, West]);
    /// ```
    #[must_use]
    pub fn sources(arrangement: usize) -> [Seat; 4] {
        let mut sources = Seat::ALL;
        for (a, b) in &EXCHANGES[..arrangement.min(EXCHANGES.len())] {
            sources.swap(*a as usize, *b as usize);
        }
        sources
    }

    /// Returns an arrangement of a base deal.
    #[must_use]
    pub fn arrange(base: &Deal, arrangement: usize) -> Deal {
        Deal::from_valid_hands(Swap::sources(arrangement).map(|seat| base.hand(seat)))
    }
}

/// A number that is not a swap mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownSwap(pub i64);

impl fmt::Display for UnknownSwap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "swapping {}: expected 0 (off), 2 or 3", self.0)
    }
}

impl std::error::Error for UnknownSwap {}

#[cfg(test)]
mod tests {
    use super::*;

    /// N E S W in terms of the base hands A B C D, from the description of the switches.
    #[test]
    fn the_six_arrangements_are_those_of_the_table() {
        let table = ["ABCD", "ADCB", "ADBC", "ABDC", "ACDB", "ACBD"];
        for (arrangement, expected) in table.iter().enumerate() {
            let named: String = Swap::sources(arrangement)
                .iter()
                .map(|&seat| ['A', 'B', 'C', 'D'][seat as usize])
                .collect();
            assert_eq!(named, *expected, "arrangement {arrangement}");
        }
    }

    #[test]
    fn only_0_2_and_3_are_switches() {
        assert_eq!(Swap::from_switch(3).map(Swap::arrangements), Ok(6));
        assert!(
            [-1, 1, 4]
                .into_iter()
                .all(|number| Swap::from_switch(number).is_err())
        );
    }
}
