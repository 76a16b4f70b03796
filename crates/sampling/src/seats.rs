//! Ranges for each seat: the plain way to say what the four hands must look like.

use std::ops::RangeInclusive;

use cards::{CardSet, Deal, Hand, Holding, Rank, Seat, Shape, ShapeSet, Suit};
use shuffle::{BlockWords, Key, Stream};

use crate::count::Count;
use crate::draft::Budget;
use crate::feature::SuitFunction;
use crate::problem::{Formula, Impossible, Problem};
use crate::sampler::{Sampler, TooExpensive};

/// What one hand must look like. The default allows everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandRanges {
    /// Cards in each suit, clubs first.
    pub lengths: [RangeInclusive<u8>; 4],
    /// High-card points in each suit, clubs first.
    pub suit_hcp: [RangeInclusive<u8>; 4],
    /// High-card points of the hand.
    pub hcp: RangeInclusive<u8>,
    /// Shapes that are not wanted.
    pub excluded: ShapeSet,
}

impl Default for HandRanges {
    fn default() -> HandRanges {
        HandRanges {
            lengths: [const { 0..=13 }; 4],
            suit_hcp: [const { 0..=10 }; 4],
            hcp: 0..=37,
            excluded: ShapeSet::EMPTY,
        }
    }
}

fn hcp(held: Holding) -> u8 {
    let honours = [
        (Rank::ACE, 4),
        (Rank::KING, 3),
        (Rank::QUEEN, 2),
        (Rank::JACK, 1),
    ];
    honours
        .iter()
        .map(|&(rank, points)| if held.contains(rank) { points } else { 0 })
        .sum()
}

impl HandRanges {
    /// Whether a hand lies within the ranges and its shape is not excluded.
    #[must_use]
    pub fn accepts(&self, hand: Hand) -> bool {
        let suits = Suit::ALL.iter().all(|&suit| {
            let held = hand.holding(suit);
            self.lengths[suit.index()].contains(&(held.len() as u8))
                && self.suit_hcp[suit.index()].contains(&hcp(held))
        });
        let total = Suit::ALL.iter().map(|&suit| hcp(hand.holding(suit))).sum();
        suits
            && self.hcp.contains(&total)
            && Shape::of(hand).is_some_and(|shape| !self.excluded.contains(shape))
    }

    /// The shapes that the lengths allow and that are not excluded.
    #[must_use]
    pub fn shapes(&self) -> ShapeSet {
        let mut set = ShapeSet::EMPTY;
        for shape in Shape::all() {
            let mut suits = Suit::DESCENDING.iter().zip(shape.lengths());
            let fits = suits.all(|(suit, length)| self.lengths[suit.index()].contains(&length));
            if fits && !self.excluded.contains(shape) {
                set.insert(shape);
            }
        }
        set
    }

    fn require(&self, seat: Seat, problem: &mut Problem) {
        let shapes = self.shapes();
        if shapes.len() < Shape::COUNT {
            problem.require(in_shapes(problem, seat, shapes));
        }
        for suit in Suit::ALL {
            let range = &self.suit_hcp[suit.index()];
            if *range.start() > 0 || *range.end() < 10 {
                let points = problem.suit_points(seat, suit, SuitFunction::hcp());
                problem.require(within(points, range));
            }
        }
        if *self.hcp.start() > 0 || *self.hcp.end() < 37 {
            let points = problem.points(seat, SuitFunction::hcp());
            problem.require(within(points, &self.hcp));
        }
    }
}

fn within(term: crate::Term, range: &RangeInclusive<u8>) -> Formula {
    Formula::between(term, i32::from(*range.start()), i32::from(*range.end()))
}

/// The seat's shape is one of these.
#[must_use]
pub fn in_shapes(problem: &Problem, seat: Seat, shapes: ShapeSet) -> Formula {
    let terms = Suit::DESCENDING.map(|suit| problem.length(seat, suit));
    Formula::atom(terms.to_vec(), move |lengths| {
        let lengths = [0, 1, 2, 3].map(|suit: usize| lengths[suit] as u8);
        Shape::new(lengths).is_some_and(|shape| shapes.contains(shape))
    })
}

/// Ranges for all four seats, and cards that are fixed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// What each hand must look like, North first.
    pub hands: [HandRanges; 4],
    /// Cards each seat has anyway, North first.
    pub predeal: [CardSet; 4],
}

impl Constraints {
    /// Whether a deal satisfies everything.
    #[must_use]
    pub fn accepts(&self, deal: &Deal) -> bool {
        Seat::ALL.iter().all(|&seat| {
            self.hands[seat.index()].accepts(deal[seat])
                && deal[seat].contains_all(self.predeal[seat.index()])
        })
    }

    /// The same as a problem for the sampler.
    ///
    /// # Errors
    /// If the predealt cards do not fit.
    pub fn problem(&self) -> Result<Problem, Impossible> {
        let mut problem = Problem::new();
        problem.predeal(self.predeal)?;
        for seat in Seat::ALL {
            self.hands[seat.index()].require(seat, &mut problem);
        }
        Ok(problem)
    }
}

/// Why there is no dealer for some constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintsError {
    /// The predealt cards do not fit.
    Predeal(Impossible),
    /// The tables would be too large.
    TooExpensive(TooExpensive),
}

impl std::fmt::Display for ConstraintsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ConstraintsError::Predeal(error) => error.fmt(f),
            ConstraintsError::TooExpensive(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ConstraintsError {}

/// Deals exactly uniformly among the deals that satisfy [`Constraints`].
///
/// ```
/// use cards::{Seat, Suit};
/// use sampling::{ConstrainedDealer, Constraints};
/// use shuffle::Key;
///
/// let mut constraints = Constraints::default();
/// constraints.hands[Seat::North.index()].lengths[Suit::Spades.index()] = 6..=13;
/// constraints.hands[Seat::North.index()].hcp = 10..=12;
/// let dealer = ConstrainedDealer::new(&constraints).unwrap();
/// assert_eq!(dealer.count().hits(), 8_973_193_160);
/// let deal = dealer.deal(&Key::from_seed(1), 3).unwrap();
/// assert!(constraints.accepts(&deal));
/// ```
pub struct ConstrainedDealer {
    constraints: Constraints,
    sampler: Sampler,
}

impl ConstrainedDealer {
    /// Candidates tried for one deal before it is given up.
    pub const MOST_CANDIDATES: u32 = 1 << 20;

    /// Sets up the tables.
    ///
    /// # Errors
    /// If the predealt cards do not fit or the tables would be too large.
    pub fn new(constraints: &Constraints) -> Result<ConstrainedDealer, ConstraintsError> {
        let problem = constraints.problem().map_err(ConstraintsError::Predeal)?;
        let sampler = Sampler::new(&problem, Budget::default());
        Ok(ConstrainedDealer {
            constraints: constraints.clone(),
            sampler: sampler.map_err(ConstraintsError::TooExpensive)?,
        })
    }

    /// The exact count; an upper bound unless [`ConstrainedDealer::is_exact`].
    #[must_use]
    pub fn count(&self) -> Count {
        self.sampler.count()
    }

    /// Whether the count is exact. It is with points required of at most two seats.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.sampler.is_complete()
    }

    /// Deal number `number` of a key: a function of the key, the number and the constraints alone.
    /// None if no deal satisfies them, or none was found among
    /// [`MOST_CANDIDATES`](Self::MOST_CANDIDATES) that satisfy the part that is counted.
    #[must_use]
    pub fn deal(&self, key: &Key, number: u64) -> Option<Deal> {
        // Each number has a block of random words to itself, so a rejected candidate of one deal
        // does not shift the next deal.
        let mut words = BlockWords::new(Stream::Sampler, key, number);
        for _ in 0..Self::MOST_CANDIDATES {
            let deal = self.sampler.draw(&mut words)?;
            if self.sampler.is_complete() || self.constraints.accepts(&deal) {
                return Some(deal);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_hands_with_points_are_dealt_as_asked() {
        let mut constraints = Constraints::default();
        let range = |spades: RangeInclusive<u8>, hcp| HandRanges {
            lengths: [0..=13, 0..=13, 0..=13, spades],
            hcp,
            ..HandRanges::default()
        };
        constraints.hands = [
            range(2..=3, 15..=17),
            range(5..=13, 8..=14),
            range(0..=3, 0..=9),
            range(0..=13, 0..=11),
        ];
        let dealer = ConstrainedDealer::new(&constraints).unwrap();
        assert!(!dealer.is_exact());
        for number in 0..200 {
            let deal = dealer.deal(&Key::from_seed(4), number).unwrap();
            assert!(constraints.accepts(&deal), "{deal}");
        }
    }

    #[test]
    fn impossible_constraints_have_no_deals() {
        let mut constraints = Constraints::default();
        constraints.hands[0].hcp = 30..=37;
        constraints.hands[1].hcp = 11..=37;
        let dealer = ConstrainedDealer::new(&constraints).unwrap();
        assert_eq!(dealer.count().hits(), 0);
        assert_eq!(dealer.deal(&Key::from_seed(1), 0), None);
        constraints.predeal = [CardSet(1), CardSet(1), CardSet(0), CardSet(0)];
        assert!(ConstrainedDealer::new(&constraints).is_err());
    }
}
