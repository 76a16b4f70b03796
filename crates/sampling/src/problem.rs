//! The problem: fixed cards and a list of conditions that must all hold.

pub(crate) mod feature;
pub(crate) mod filter;

use std::fmt;
use std::sync::Arc;

use cards::{BySeat, BySuit, CardSet, Deal, Seat, Shape, ShapeSet, Suit};

use feature::{Feature, Holder, SuitFunction, SuitFunctions};

/// Number of a feature in a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FeatureId(pub(crate) usize);

/// A number that conditions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// The number of cards of a suit that a hand or side holds.
    Length(Holder, Suit),
    /// The value of a feature.
    Feature(FeatureId),
}

/// A predicate over the values of an atom's terms.
type Test = Box<dyn Fn(&[i32]) -> bool + Send + Sync>;

/// A predicate over some terms. It gets their values in the order of the list.
pub struct Atom {
    pub(crate) terms: Vec<Term>,
    pub(crate) test: Test,
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Atom({:?})", self.terms)
    }
}

/// A condition: and, or, not over atoms. Negation is pushed down to the atoms when the formula is built.
#[derive(Clone, Debug)]
pub enum Formula {
    /// Always true or always false.
    Constant(bool),
    /// A condition that the sampler cannot express. It may be true or false, and the caller must test it.
    Unknown,
    /// An atom, or its negation.
    Literal {
        /// The atom.
        atom: Arc<Atom>,
        /// Whether it is negated.
        negated: bool,
    },
    /// True if all of these are true.
    All(Vec<Formula>),
    /// True if at least one of these is true.
    Any(Vec<Formula>),
}

impl Formula {
    /// Creates a condition on these terms.
    pub fn atom(
        terms: Vec<Term>,
        test: impl Fn(&[i32]) -> bool + Send + Sync + 'static,
    ) -> Formula {
        let test = Box::new(test);
        Formula::Literal {
            atom: Arc::new(Atom { terms, test }),
            negated: false,
        }
    }

    /// Creates the condition that a term is between two values, both inclusive.
    #[must_use]
    pub fn between(term: Term, low: i32, high: i32) -> Formula {
        Formula::atom(vec![term], move |values| (low..=high).contains(&values[0]))
    }

    /// Creates the condition that a hand has one of these shapes.
    #[must_use]
    pub fn shape_in(seat: Seat, shapes: ShapeSet) -> Formula {
        let terms = Suit::DESCENDING.map(|suit| Term::Length(Holder::Seat(seat), suit));
        Formula::atom(terms.to_vec(), move |lengths| {
            let lengths = [0, 1, 2, 3].map(|suit: usize| lengths[suit] as u8);
            Shape::new(lengths).is_some_and(|shape| shapes.contains(shape))
        })
    }

    /// Negates the formula. Unknown parts stay unknown.
    #[must_use]
    pub fn negate(self) -> Formula {
        let all = |list: Vec<Formula>| list.into_iter().map(Formula::negate).collect();
        match self {
            Formula::Constant(truth) => Formula::Constant(!truth),
            Formula::Unknown => Formula::Unknown,
            Formula::Literal { atom, negated } => Formula::Literal {
                atom,
                negated: !negated,
            },
            Formula::All(list) => Formula::Any(all(list)),
            Formula::Any(list) => Formula::All(all(list)),
        }
    }

    /// Returns whether some part is unknown.
    #[must_use]
    pub fn has_unknown(&self) -> bool {
        match self {
            Formula::Unknown => true,
            Formula::Constant(_) | Formula::Literal { .. } => false,
            Formula::All(list) | Formula::Any(list) => list.iter().any(Formula::has_unknown),
        }
    }

    pub(crate) fn for_each_atom<'a>(&'a self, visit: &mut impl FnMut(&'a Atom)) {
        match self {
            Formula::Constant(_) | Formula::Unknown => (),
            Formula::Literal { atom, .. } => visit(atom),
            Formula::All(list) | Formula::Any(list) => {
                list.iter().for_each(|part| part.for_each_atom(visit));
            }
        }
    }

    /// Evaluates the formula with the terms that `value` returns. Unknown parts count as true.
    pub(crate) fn holds(&self, value: &mut impl FnMut(Term) -> i32) -> bool {
        match self {
            Formula::Constant(truth) => *truth,
            Formula::Unknown => true,
            Formula::Literal { atom, negated } => {
                let values: Vec<i32> = atom.terms.iter().map(|&term| value(term)).collect();
                (atom.test)(&values) != *negated
            }
            Formula::All(list) => list.iter().all(|part| part.holds(value)),
            Formula::Any(list) => list.iter().any(|part| part.holds(value)),
        }
    }
}

/// Fixed cards and the conditions that a deal must satisfy.
///
/// ```
/// use cards::{Seat, Suit};
/// use croupier_sampling::{Budget, Formula, Problem, Sampler, SuitFunction};
///
/// // North has six or more spades and 10 to 12 points.
/// let mut problem = Problem::new();
/// let spades = problem.length(Seat::North, Suit::Spades);
/// let points = problem.points(Seat::North, SuitFunction::hcp());
/// problem.require(Formula::between(spades, 6, 13));
/// problem.require(Formula::between(points, 10, 12));
/// let sampler = Sampler::new(&problem, Budget::default()).unwrap();
/// assert_eq!(sampler.count().hits(), 8_973_193_160);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Problem {
    pub(crate) fixed: BySeat<CardSet>,
    pub(crate) features: Vec<Feature>,
    pub(crate) conjuncts: Vec<Formula>,
    /// Numbers of the conditions that every sampler must cover; see [`Problem::require_covered`].
    pub(crate) must_cover: Vec<usize>,
}

impl Problem {
    /// Creates a problem without fixed cards and conditions.
    #[must_use]
    pub fn new() -> Problem {
        Problem::default()
    }

    /// Fixes these cards. They belong to every deal, and probabilities are relative to them.
    ///
    /// # Errors
    /// Returns an error if two seats get the same card, or a seat gets more than thirteen.
    pub fn predeal(&mut self, cards: BySeat<CardSet>) -> Result<(), PredealConflict> {
        let mut seen = CardSet::EMPTY;
        for &hand in cards.values() {
            if !seen.is_disjoint(hand) || hand.len() > 13 {
                return Err(PredealConflict);
            }
            seen |= hand;
        }
        self.fixed = cards;
        Ok(())
    }

    /// Returns the length of a suit in one hand.
    #[must_use]
    pub fn length(&self, seat: Seat, suit: Suit) -> Term {
        Term::Length(Holder::Seat(seat), suit)
    }

    /// Returns the sum of one function over all four suits of a hand.
    pub fn points(&mut self, seat: Seat, function: SuitFunction) -> Term {
        self.feature(Feature {
            holder: Holder::Seat(seat),
            functions: BySuit::from_fn(|_| Some(function.clone())),
        })
    }

    /// Returns a function of one suit of one hand.
    pub fn suit_points(&mut self, seat: Seat, suit: Suit, function: SuitFunction) -> Term {
        let mut functions: SuitFunctions = Default::default();
        functions[suit] = Some(function);
        self.feature(Feature {
            holder: Holder::Seat(seat),
            functions,
        })
    }

    /// Adds a feature; equal features get the same number.
    pub fn feature(&mut self, feature: Feature) -> Term {
        let known = self.features.iter().position(|other| *other == feature);
        Term::Feature(FeatureId(known.unwrap_or_else(|| {
            self.features.push(feature);
            self.features.len() - 1
        })))
    }

    /// Adds a condition; all must hold. Returns its number, counting from 0.
    pub fn require(&mut self, condition: Formula) -> usize {
        self.conjuncts.push(condition);
        self.conjuncts.len() - 1
    }

    /// Adds a condition that every sampler must cover; if none can, there is no sampler. Use it for conditions that are
    /// not tested on the deals afterwards, such as predealt lengths. Returns its number, like [`Problem::require`].
    pub fn require_covered(&mut self, condition: Formula) -> usize {
        let number = self.require(condition);
        self.must_cover.push(number);
        number
    }

    /// Returns whether a sampler that covers these conditions covers all that [`Problem::require_covered`] added.
    pub(crate) fn is_covered_by(&self, covered: &[bool]) -> bool {
        self.must_cover.iter().all(|&number| covered[number])
    }

    /// Returns whether all conditions are about the same hand.
    #[must_use]
    pub fn is_about_one_hand(&self) -> bool {
        let mut about: Option<Holder> = None;
        let mut one = true;
        for conjunct in &self.conjuncts {
            conjunct.for_each_atom(&mut |atom| {
                for term in &atom.terms {
                    let holder = match *term {
                        Term::Length(holder, _) => holder,
                        Term::Feature(id) => self.features[id.0].holder,
                    };
                    one &=
                        matches!(holder, Holder::Seat(_)) && *about.get_or_insert(holder) == holder;
                }
            });
        }
        one
    }

    /// Returns whether a deal has the fixed cards and satisfies every condition (unknown parts count as true).
    #[must_use]
    pub fn accepts(&self, deal: &Deal) -> bool {
        let mut fixed = self.fixed.into_iter();
        let fixed = fixed.all(|(seat, cards)| deal[seat].contains_all(cards));
        fixed && (0..self.conjuncts.len()).all(|number| self.conjunct_accepts(number, deal))
    }

    /// Returns whether a deal satisfies condition `number`.
    #[must_use]
    pub fn conjunct_accepts(&self, number: usize, deal: &Deal) -> bool {
        let held = |holder| match holder {
            Holder::Seat(seat) => deal[seat],
            Holder::Side(side) => side
                .seats()
                .into_iter()
                .fold(CardSet::EMPTY, |all, seat| all | deal[seat]),
        };
        self.conjuncts[number].holds(&mut |term| match term {
            Term::Length(holder, suit) => held(holder).holding(suit).len() as i32,
            Term::Feature(FeatureId(index)) => {
                let feature = &self.features[index];
                match feature.holder {
                    Holder::Seat(seat) => feature.of(deal[seat]),
                    Holder::Side(side) => {
                        side.seats().map(|seat| feature.of(deal[seat])).iter().sum()
                    }
                }
            }
        })
    }
}

/// An error in fixed cards: a card twice, or more than thirteen in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredealConflict;

impl fmt::Display for PredealConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fixed cards do not fit: a card is given twice, or a hand has more than 13")
    }
}

impl std::error::Error for PredealConflict {}
