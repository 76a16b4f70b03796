//! The features and filters of a hand within a pile, and the choice of marks.

use std::sync::Arc;

use cards::{BySuit, Holding, Suit};

use crate::problem::feature::SuitFunctions;
use crate::problem::filter::Filter;
use crate::setup::budget::{CostMeter, SetupError};
use crate::tables::values::{MAX_FEATURES, Vector};

/// Nanoseconds to compute a feature of some cards.
pub(crate) const COST_OF_FEATURE: f64 = 5.0;

/// A hand's features and filters within a pile.
pub(crate) struct HandInPile<'a> {
    pub(crate) features: &'a [SuitFunctions],
    pub(crate) filters: &'a BySuit<Option<Arc<Filter>>>,
    pub(crate) fixed: u32,
    pub(crate) suits: &'a [Suit],
}

impl HandInPile<'_> {
    fn holding(&self, positions: u32, which: usize) -> Holding {
        Holding(((positions | self.fixed) >> (13 * which)) as u16 & 0x1fff)
    }

    pub(crate) fn features(&self, positions: u32) -> Vector {
        let mut vector = [0; MAX_FEATURES];
        for (value, functions) in vector.iter_mut().zip(self.features) {
            *value = self
                .suits
                .iter()
                .enumerate()
                .filter_map(|(which, &suit)| {
                    let function = functions[suit].as_ref()?;
                    Some(function.of(self.holding(positions, which)))
                })
                .sum();
        }
        vector
    }

    pub(crate) fn allows(&self, positions: u32) -> bool {
        self.suits.iter().enumerate().all(|(which, &suit)| {
            let filter = self.filters[suit].as_ref();
            filter.is_none_or(|filter| filter.allows(self.holding(positions, which)))
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        let suits = || self.suits.iter().copied();
        let counts = |functions: &SuitFunctions| suits().any(|suit| functions[suit].is_some());
        !self.features.iter().any(counts) && suits().all(|suit| self.filters[suit].is_none())
    }

    /// Returns whether the values may change with the number of spots.
    pub(crate) fn depends_on_length(&self) -> bool {
        self.suits.iter().any(|&suit| {
            self.filters[suit].is_some()
                || self.features.iter().any(|functions| {
                    let function = functions[suit].as_ref();
                    function.is_some_and(|function| !function.is_additive())
                })
        })
    }

    /// Returns whether exchanging two cards of a suit never changes a value, whatever else is held.
    fn rank_classes(&self, suit: Suit, one: u32, other: u32) -> bool {
        let [one, other] = [one, other].map(|bit| bit.trailing_zeros() as usize);
        let mut functions = self.features.iter().filter_map(|all| all[suit].as_ref());
        functions.all(|function| function.rank_classes().same_class(one, other))
            && self.filters[suit]
                .as_ref()
                .is_none_or(|filter| filter.rank_classes().same_class(one, other))
    }

    /// Returns whether exchanging two positions never changes a value.
    fn interchangeable(
        &self,
        one: u32,
        other: u32,
        free: u32,
        depends: bool,
        meter: &CostMeter<'_>,
    ) -> Result<bool, SetupError> {
        if !depends {
            return Ok(self.features(one) == self.features(other));
        }
        if let [suit] = *self.suits {
            let all_free = free == 0x1fff && self.fixed == 0;
            let rank_classes = self.rank_classes(suit, one, other);
            if rank_classes || all_free {
                return Ok(rank_classes);
            }
        }
        let rest = free & !one & !other;
        let mut subset = rest;
        let each = COST_OF_FEATURE * (1 + 2 * self.features.len()) as f64;
        loop {
            meter.spend(each)?;
            let (with_one, with_other) = (subset | one, subset | other);
            if self.features(with_one) != self.features(with_other)
                || self.allows(with_one) != self.allows(with_other)
            {
                return Ok(false);
            }
            if subset == 0 {
                return Ok(true);
            }
            subset = (subset - 1) & rest;
        }
    }
}

/// Chooses the marks: the largest class of interchangeable positions are the spots, all others are marks.
pub(crate) fn find_marks(
    hands_in_pile: &[HandInPile<'_>],
    depends: &[bool; 2],
    cards: u32,
    meter: &CostMeter<'_>,
) -> Result<(Vec<u32>, u32), SetupError> {
    let mut classes: Vec<u32> = Vec::new();
    let positions = (0..26).rev().map(|bit| 1 << bit);
    'positions: for position in positions.filter(|bit| cards & bit != 0) {
        for class in &mut classes {
            let other = *class & class.wrapping_neg();
            let mut same = true;
            for (hand_in_pile, &depends) in hands_in_pile.iter().zip(depends) {
                same =
                    same && hand_in_pile.interchangeable(position, other, cards, depends, meter)?;
            }
            if same {
                *class |= position;
                continue 'positions;
            }
        }
        classes.push(position);
    }
    let spots = classes
        .iter()
        .copied()
        .max_by_key(|class| class.count_ones());
    let spots = spots.unwrap_or(0);
    let marks = (0..26)
        .map(|bit| 1 << bit)
        .filter(|bit| cards & !spots & bit != 0)
        .collect();
    Ok((marks, spots))
}
