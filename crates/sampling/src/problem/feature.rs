//! Features: integers that are sums over the suits of a hand.

use std::fmt;
use std::sync::{Arc, OnceLock};

use cards::{BySuit, Holding, Seat, Side, Suit};

/// The number of holdings in a suit.
pub const HOLDINGS: usize = 1 << 13;

/// With more combinations of values than this, each holding is evaluated separately.
const MAX_COMBINATIONS: i64 = 1 << 16;

/// An integer function of one suit's holding: length, points, losers, "has the queen".
#[derive(Clone)]
pub struct SuitFunction(Arc<FunctionTable>);

/// The values by holding, and properties of the function that are computed on first use.
struct FunctionTable {
    values: Box<[i32]>,
    additive: OnceLock<bool>,
    rank_classes: OnceLock<RankClasses>,
}

/// Classes of ranks that can be exchanged without changing any value: for each rank, the lowest one of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RankClasses([u8; 13]);

impl RankClasses {
    /// Tests the exchange of two ranks in every holding.
    pub(crate) fn of<T: PartialEq>(value: impl Fn(usize) -> T) -> RankClasses {
        let same = |one: usize, other: usize| {
            let both = 1 << one | 1 << other;
            let mut rests = (0..HOLDINGS).filter(|rest| rest & both == 0);
            rests.all(|rest| value(rest | 1 << one) == value(rest | 1 << other))
        };
        let mut lowest = [0; 13];
        for rank in 0..13 {
            // Only the lowest rank of each class is compared.
            let known = (0..rank).find(|&other| lowest[other] == other as u8 && same(rank, other));
            lowest[rank] = known.unwrap_or(rank) as u8;
        }
        RankClasses(lowest)
    }

    /// Returns whether these two ranks can be exchanged.
    pub(crate) fn same_class(&self, one: usize, other: usize) -> bool {
        self.0[one] == self.0[other]
    }
}

impl SuitFunction {
    /// Creates the function that `value` computes.
    ///
    /// ```
    /// use cards::{Holding, Rank};
    /// let has_ace = croupier_sampling::SuitFunction::tabulate(|held| i32::from(held.contains(Rank::ACE)));
    /// assert_eq!(has_ace.of(Holding(1 << 12)), 1);
    /// ```
    #[must_use]
    pub fn tabulate(value: impl FnMut(Holding) -> i32) -> SuitFunction {
        SuitFunction(Arc::new(FunctionTable {
            values: (0..HOLDINGS as u16).map(Holding).map(value).collect(),
            additive: OnceLock::new(),
            rank_classes: OnceLock::new(),
        }))
    }

    /// Creates a function of the values of other functions. Few combinations of values occur, so each is computed once.
    ///
    /// ```
    /// use cards::{Holding, Rank};
    /// use croupier_sampling::SuitFunction;
    /// let length = SuitFunction::tabulate(|held| held.len() as i32);
    /// let bare = SuitFunction::composed(&[length, SuitFunction::hcp()], |values| {
    ///     i32::from(values[0] < 3 && values[1] > 0)
    /// });
    /// assert_eq!(bare.of(Holding(0b11 << 11)), 1);
    /// assert_eq!(bare.of(Holding(0b111 << 10)), 0);
    /// ```
    #[must_use]
    pub fn composed(terms: &[SuitFunction], mut value: impl FnMut(&[i32]) -> i32) -> SuitFunction {
        // Number the combinations: each value has an index within its range, multiplied by a step.
        let mut combinations = 1i64;
        let mut steps: Vec<(&[i32], i64, i64)> = Vec::new();
        for term in terms {
            let all = &term.0.values;
            let low = all.iter().copied().min().map_or(0, i64::from);
            let high = all.iter().copied().max().map_or(0, i64::from);
            steps.push((all, low, combinations));
            combinations = combinations.saturating_mul(high - low + 1);
        }
        let few = combinations <= MAX_COMBINATIONS;
        let mut known: Vec<Option<i32>> = vec![None; if few { combinations as usize } else { 0 }];
        let mut values = vec![0; terms.len()];
        SuitFunction::tabulate(|held| {
            let held = usize::from(held.0);
            let place = steps.iter().fold(0i64, |place, &(all, low, step)| {
                place.wrapping_add(step.wrapping_mul(i64::from(all[held]) - low))
            });
            if let Some(&Some(found)) = known.get(place as usize) {
                return found;
            }
            for (value, (all, ..)) in values.iter_mut().zip(&steps) {
                *value = all[held];
            }
            let found = value(&values);
            if let Some(slot) = known.get_mut(place as usize) {
                *slot = Some(found);
            }
            found
        })
    }

    /// Creates the sum of these values over the ranks held, deuce first.
    #[must_use]
    pub fn points(values: [i32; 13]) -> SuitFunction {
        SuitFunction::tabulate(|held| {
            let ranks = (0..13).filter(|rank| held.0 >> rank & 1 == 1);
            ranks.map(|rank| values[rank]).sum()
        })
    }

    /// Returns the high-card points: ace 4, king 3, queen 2, jack 1.
    #[must_use]
    pub fn hcp() -> SuitFunction {
        SuitFunction::points([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])
    }

    /// Returns the value of a holding.
    #[inline]
    #[must_use]
    pub fn of(&self, held: Holding) -> i32 {
        self.0.values[usize::from(held.0) & (HOLDINGS - 1)]
    }

    /// Returns whether the function is a sum of values of single cards. Only such a function is defined for the two
    /// hands of a side together.
    #[must_use]
    pub fn is_additive(&self) -> bool {
        *self.0.additive.get_or_init(|| {
            let values = &self.0.values;
            values[0] == 0
                && (1..HOLDINGS).all(|held| {
                    let lowest = held & held.wrapping_neg();
                    values[held] == values[lowest].wrapping_add(values[held ^ lowest])
                })
        })
    }

    /// Returns the classes of ranks that can be exchanged in every holding without changing the value.
    pub(crate) fn rank_classes(&self) -> &RankClasses {
        let values = &self.0.values;
        self.0
            .rank_classes
            .get_or_init(|| RankClasses::of(|held| values[held]))
    }

    /// Returns the value of the whole suit.
    #[must_use]
    pub fn of_whole_suit(&self) -> i32 {
        self.0.values[HOLDINGS - 1]
    }
}

impl PartialEq for SuitFunction {
    fn eq(&self, other: &SuitFunction) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.values == other.0.values
    }
}

impl fmt::Debug for SuitFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SuitFunction(whole suit {})", self.of_whole_suit())
    }
}

/// One function for each suit; `None` contributes nothing.
pub type SuitFunctions = BySuit<Option<SuitFunction>>;

/// The owner of the cards that a term is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// One hand.
    Seat(Seat),
    /// The two hands of a side together.
    Side(Side),
}

/// A sum over suits of suit functions of the cards of a hand; for a side, the sum of both hands.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// The owner of the cards.
    pub holder: Holder,
    /// The function of each suit. For a side it is applied to each hand, and the results are added.
    pub functions: SuitFunctions,
}

impl Feature {
    /// Returns whether every suit's function is a sum over single cards.
    #[must_use]
    pub fn is_additive(&self) -> bool {
        let mut functions = self.functions.values().flatten();
        functions.all(SuitFunction::is_additive)
    }

    /// Returns the value over all 52 cards; only for additive features.
    #[must_use]
    pub fn deal_total(&self) -> i32 {
        let functions = self.functions.values().flatten();
        functions.map(SuitFunction::of_whole_suit).sum()
    }

    /// Returns the smallest and largest value over the thirteen or 26 cards of its holder; only for additive features.
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

    /// Returns the suit, if the feature depends on one suit only.
    #[must_use]
    pub fn only_suit(&self) -> Option<Suit> {
        let mut counting = Suit::ALL
            .into_iter()
            .filter(|&suit| self.functions[suit].is_some());
        counting.next().filter(|_| counting.next().is_none())
    }

    /// Returns the value for these cards.
    #[must_use]
    pub fn of(&self, cards: cards::CardSet) -> i32 {
        let of_suit = |(suit, function): (Suit, &Option<SuitFunction>)| {
            Some(function.as_ref()?.of(cards.holding(suit)))
        };
        self.functions.iter().filter_map(of_suit).sum()
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

    /// Each honour has its own class in points; all ranks are equal for the length of a suit.
    #[test]
    fn ranks_that_count_the_same_can_be_exchanged() {
        let hcp = *SuitFunction::hcp().rank_classes();
        assert!(hcp.same_class(0, 8) && !hcp.same_class(8, 9) && !hcp.same_class(11, 12));
        let length = *SuitFunction::tabulate(|held| held.len() as i32).rank_classes();
        assert!((0..13).all(|rank| length.same_class(rank, 0)));
        // "The king or the ace": both are in one class, although the function is not additive.
        let top = |held: Holding| i32::from(held.0 >> 11 != 0);
        let top = *SuitFunction::tabulate(top).rank_classes();
        assert!(top.same_class(11, 12) && top.same_class(0, 10) && !top.same_class(10, 11));
    }
}
