//! A problem: a combination, the weights of the layouts, and the entries.

use std::error::Error;
use std::fmt;

use cards::{Holding, Rank, Seat};

use crate::classes::Classes;
use crate::combination::Combination;

/// The places in the defenders' hands for the cards of the suit: 13 minus the known cards of other suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VacantPlaces {
    /// Places in West's hand, at most 13.
    pub west: u8,
    /// Places in East's hand, at most 13.
    pub east: u8,
}

impl Default for VacantPlaces {
    /// Returns 13 places in each hand: nothing is known of the other suits.
    fn default() -> VacantPlaces {
        VacantPlaces { west: 13, east: 13 }
    }
}

/// A limit on the leads from one hand.
///
/// A lead from `hand` costs an entry unless this hand won the previous trick. After a trick that the defenders win,
/// declarer is in the other hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entries {
    /// The hand with limited entries: North or South.
    pub hand: Seat,
    /// Number of entries to this hand in other suits.
    pub number: u8,
}

/// An invalid problem.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CombinationWeightError {
    /// A defender has more than 13 vacant places.
    TooManyPlaces(u8),
    /// There are fewer places than missing cards.
    TooFewPlaces {
        /// The places of both defenders.
        places: u8,
        /// The missing cards of the suit.
        missing: u8,
    },
    /// A layout gives West a card that declarer holds.
    NotADefendersCard(Rank),
    /// All layouts have weight 0.
    NoLayout,
    /// The sum of the weights has more than 96 bits.
    WeightsTooLarge,
    /// The weights distinguish more layouts than the search can hold.
    TooManyLayouts(usize),
    /// The hand with limited entries is not declarer's.
    NotDeclarersHand(Seat),
}

impl fmt::Display for CombinationWeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CombinationWeightError::TooManyPlaces(number) => {
                write!(f, "a hand has at most 13 vacant places, not {number}")
            }
            CombinationWeightError::TooFewPlaces { places, missing } => write!(
                f,
                "the defenders have {missing} cards of the suit and only {places} vacant places"
            ),
            CombinationWeightError::NotADefendersCard(rank) => write!(
                f,
                "West cannot hold the {}: it is declarer's",
                crate::rank_name(*rank)
            ),
            CombinationWeightError::NoLayout => f.write_str("no layout of the suit is possible"),
            CombinationWeightError::WeightsTooLarge => {
                f.write_str("the weights of the layouts add up to more than 96 bits")
            }
            CombinationWeightError::TooManyLayouts(number) => write!(
                f,
                "the weights tell {number} layouts apart, and at most {MOST_WORLDS} can be searched"
            ),
            CombinationWeightError::NotDeclarersHand(seat) => {
                write!(f, "entries are to North or South, not to {seat}")
            }
        }
    }
}

impl Error for CombinationWeightError {}

/// The largest number of worlds that a search holds.
pub(crate) const MOST_WORLDS: usize = 1024;

/// The largest sum of weights, so that sums of weights times payoffs stay in 128 bits.
const MOST_WEIGHT: u128 = 1 << 96;

/// A combination with the weight of every layout of the defenders' cards.
#[derive(Clone, Debug)]
pub struct WeightedCombination {
    pub(crate) combination: Combination,
    pub(crate) classes: Classes,
    /// The weight of every world.
    pub(crate) weights: Vec<u128>,
    pub(crate) total: u128,
    pub(crate) entries: Option<Entries>,
}

/// Returns the number of ways to choose `k` of `n` things; `n` is at most 26.
pub(crate) fn binomial(n: u8, k: u8) -> u128 {
    if k > n {
        return 0;
    }
    let (n, k) = (u128::from(n), u128::from(k));
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

impl WeightedCombination {
    /// Creates a problem in which the missing cards are in the vacant places at random.
    ///
    /// # Errors
    /// If the defenders have no room for the missing cards.
    pub fn new(
        combination: Combination,
        vacant: VacantPlaces,
    ) -> Result<WeightedCombination, CombinationWeightError> {
        let classes = Classes::new(combination.cards(), |_, _| true);
        WeightedCombination::with_classes(combination, vacant, classes)
    }

    /// Creates the problem of [`new`](Self::new) without merging equal cards, to test the merging.
    #[doc(hidden)]
    pub fn unmerged(
        combination: Combination,
        vacant: VacantPlaces,
    ) -> Result<WeightedCombination, CombinationWeightError> {
        let classes = Classes::new(combination.cards(), |_, _| false);
        if classes.worlds() > MOST_WORLDS {
            return Err(CombinationWeightError::TooManyLayouts(classes.worlds()));
        }
        WeightedCombination::with_classes(combination, vacant, classes)
    }

    fn with_classes(
        combination: Combination,
        vacant: VacantPlaces,
        classes: Classes,
    ) -> Result<WeightedCombination, CombinationWeightError> {
        let missing = combination.missing().len() as u8;
        if let Some(number) = [vacant.west, vacant.east].into_iter().find(|&n| n > 13) {
            return Err(CombinationWeightError::TooManyPlaces(number));
        }
        let places = vacant.west + vacant.east;
        if places < missing {
            return Err(CombinationWeightError::TooFewPlaces { places, missing });
        }
        let weight = |world: usize| {
            let mut west = 0;
            let mut ways = 1;
            for class in 0..classes.len() {
                let held = classes.west_holds(world, class);
                west += held;
                ways *= binomial(classes.cards(class).len() as u8, held);
            }
            match west <= vacant.west && missing - west <= vacant.east {
                true => ways * binomial(places - missing, vacant.west - west),
                false => 0,
            }
        };
        Ok(WeightedCombination {
            combination,
            weights: (0..classes.worlds()).map(weight).collect(),
            classes,
            total: binomial(places, vacant.west),
            entries: None,
        })
    }

    /// Creates a problem from layouts with given weights: West's cards and a weight for each. Layouts that are not
    /// listed are impossible; weights of a layout that is listed twice are added.
    ///
    /// Neighbouring cards of the defenders count as equal if exchanging them never changes a weight.
    ///
    /// # Errors
    /// If West has a card of declarer's, no weight is positive, or there are too many different layouts.
    pub fn with_layouts(
        combination: Combination,
        layouts: &[(Holding, u128)],
    ) -> Result<WeightedCombination, CombinationWeightError> {
        let missing = combination.missing();
        let mut weight_of = vec![0u128; 1 << 13];
        let mut total = 0u128;
        for &(west, weight) in layouts {
            if let Some(rank) = (west - missing).iter().next() {
                return Err(CombinationWeightError::NotADefendersCard(rank));
            }
            weight_of[usize::from(west.0)] += weight.min(MOST_WEIGHT);
            total = total.saturating_add(weight);
            if total >= MOST_WEIGHT {
                return Err(CombinationWeightError::WeightsTooLarge);
            }
        }
        if total == 0 {
            return Err(CombinationWeightError::NoLayout);
        }
        let subsets = || (0..1u16 << 13).filter(|bits| bits & !missing.0 == 0);
        let are_equal = |one: Rank, other: Rank| {
            let (one, other) = (1u16 << one.index(), 1u16 << other.index());
            subsets()
                .filter(|west| west & one != 0 && west & other == 0)
                .all(|west| {
                    weight_of[usize::from(west)] == weight_of[usize::from(west ^ one ^ other)]
                })
        };
        let classes = Classes::new(combination.cards(), are_equal);
        if classes.worlds() > MOST_WORLDS {
            return Err(CombinationWeightError::TooManyLayouts(classes.worlds()));
        }
        let mut weights = vec![0; classes.worlds()];
        for west in subsets() {
            weights[classes.world_of(Holding(west))] += weight_of[usize::from(west)];
        }
        Ok(WeightedCombination {
            combination,
            classes,
            weights,
            total,
            entries: None,
        })
    }

    /// Limits the entries to one hand.
    ///
    /// # Errors
    /// If the hand is a defender's.
    pub fn with_entries(
        self,
        entries: Entries,
    ) -> Result<WeightedCombination, CombinationWeightError> {
        match entries.hand {
            Seat::North | Seat::South => Ok(WeightedCombination {
                entries: Some(entries),
                ..self
            }),
            seat => Err(CombinationWeightError::NotDeclarersHand(seat)),
        }
    }

    /// Returns the two hands.
    #[must_use]
    pub fn combination(&self) -> Combination {
        self.combination
    }

    /// Returns the groups of equal cards of the defenders, highest first.
    #[must_use]
    pub fn equal_cards(&self) -> Vec<Holding> {
        (0..self.classes.len())
            .map(|class| self.classes.cards(class))
            .collect()
    }
}
