//! Features: integers that are sums over the suits of a hand.

use std::fmt;
use std::sync::Arc;

use cards::{Holding, Seat, Side, Suit};

/// The number of holdings in a suit.
pub const HOLDINGS: usize = 1 << 13;

/// Any integer function of one suit's holding: length, points, losers, "has the queen".
#[derive(Clone)]
pub struct SuitFunction(Arc<[i32]>);

impl SuitFunction {
    /// The function that `value` computes.
    ///
    /// ```
    /// use cards::{Holding, Rank};
    /// let has_ace = sampling::SuitFunction::tabulate(|held| i32::from(held.contains(Rank::ACE)));
    /// assert_eq!(has_ace.of(Holding(1 << 12)), 1);
    /// ```
    #[must_use]
    pub fn tabulate(value: impl FnMut(Holding) -> i32) -> SuitFunction {
        SuitFunction((0..HOLDINGS as u16).map(Holding).map(value).collect())
    }

    /// The sum of these values of the ranks held, deuce first.
    #[must_use]
    pub fn points(values: [i32; 13]) -> SuitFunction {
        SuitFunction::tabulate(|held| {
            let ranks = (0..13).filter(|rank| held.0 >> rank & 1 == 1);
            ranks.map(|rank| values[rank]).sum()
        })
    }

    /// High-card points: ace 4, king 3, queen 2, jack 1.
    #[must_use]
    pub fn hcp() -> SuitFunction {
        SuitFunction::points([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])
    }

    /// The value for a holding.
    #[inline]
    #[must_use]
    pub fn of(&self, held: Holding) -> i32 {
        self.0[usize::from(held.0) & (HOLDINGS - 1)]
    }

    /// Whether the function is a sum of values of single cards; then it also makes sense for the two
    /// hands of a side together.
    #[must_use]
    pub fn is_additive(&self) -> bool {
        self.0[0] == 0
            && (1..HOLDINGS).all(|held| {
                let lowest = held & held.wrapping_neg();
                self.0[held] == self.0[lowest].wrapping_add(self.0[held ^ lowest])
            })
    }

    /// The value of the whole suit.
    #[must_use]
    pub fn of_whole_suit(&self) -> i32 {
        self.0[HOLDINGS - 1]
    }
}

impl PartialEq for SuitFunction {
    fn eq(&self, other: &SuitFunction) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl fmt::Debug for SuitFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SuitFunction(whole suit {})", self.of_whole_suit())
    }
}

/// One function for each suit, clubs first; `None` counts nothing.
pub type SuitFunctions = [Option<SuitFunction>; 4];

/// Whose cards a term is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// One hand.
    Seat(Seat),
    /// The two hands of a side together.
    Side(Side),
}

/// A sum over suits of suit functions of somebody's cards.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Whose cards.
    pub holder: Holder,
    /// What is counted in each suit. For a side every function must be additive.
    pub functions: SuitFunctions,
}

impl Feature {
    /// Whether every suit's function is a sum over single cards.
    #[must_use]
    pub fn is_additive(&self) -> bool {
        let mut functions = self.functions.iter().flatten();
        functions.all(SuitFunction::is_additive)
    }

    /// The value over all 52 cards; only for additive features.
    #[must_use]
    pub fn deal_total(&self) -> i32 {
        let functions = self.functions.iter().flatten();
        functions.map(SuitFunction::of_whole_suit).sum()
    }

    /// Smallest and largest value over the thirteen or 26 cards of its holder; only for additive features.
    #[must_use]
    pub fn hand_range(&self) -> (i32, i32) {
        let mut values: Vec<i32> = cards::CardSet::FULL
            .iter()
            .map(|card| self.of(cards::CardSet::of(card)))
            .collect();
        values.sort_unstable();
        let cards = match self.holder {
            Holder::Seat(_) => 13,
            Holder::Side(_) => 26,
        };
        (
            values[..cards].iter().sum(),
            values[52 - cards..].iter().sum(),
        )
    }

    /// The suit, if the feature counts in one suit only.
    #[must_use]
    pub fn only_suit(&self) -> Option<Suit> {
        let mut counting = Suit::ALL
            .into_iter()
            .filter(|&suit| self.functions[suit.index()].is_some());
        counting.next().filter(|_| counting.next().is_none())
    }

    /// The value for these cards.
    #[must_use]
    pub fn of(&self, cards: cards::CardSet) -> i32 {
        Suit::ALL
            .into_iter()
            .filter_map(|suit| {
                Some(
                    self.functions[suit.index()]
                        .as_ref()?
                        .of(cards.holding(suit)),
                )
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_add_up_and_losers_do_not() {
        assert!(SuitFunction::hcp().is_additive());
        let losers = SuitFunction::tabulate(|held| (held.len().min(3)) as i32);
        assert!(!losers.is_additive());
    }
}
