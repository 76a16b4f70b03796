//! What is asked of the deals: fixed cards and a list of conditions that must all hold.

pub(crate) mod feature;
pub(crate) mod filter;

use std::fmt;
use std::sync::Arc;

use cards::{BySeat, BySuit, CardSet, Deal, Seat, Shape, ShapeSet, Suit};

use feature::{Feature, Holder, SuitFunction, SuitFunctions};

/// Number of a feature in a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FeatureId(pub(crate) usize);

/// A number that conditions are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// How many cards of a suit somebody holds.
    Length(Holder, Suit),
    /// The value of a feature.
    Feature(FeatureId),
}

/// The answer to a question, given the values of its terms.
type Test = Box<dyn Fn(&[i32]) -> bool + Send + Sync>;

/// A question about some terms. The test sees their values in the order of the list.
pub struct Atom {
    pub(crate) terms: Vec<Term>,
    pub(crate) test: Test,
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Atom({:?})", self.terms)
    }
}

/// A condition: and, or, not over atoms. Negation is pushed down to the atoms when it is made.
#[derive(Clone, Debug)]
pub enum Formula {
    /// Always or never.
    Constant(bool),
    /// Something the sampler cannot see: it may be true or false, and somebody else must check it.
    Unknown,
    /// An atom, or its opposite.
    Literal {
        /// The question.
        atom: Arc<Atom>,
        /// Whether its opposite is meant.
        negated: bool,
    },
    /// All of these.
    All(Vec<Formula>),
    /// At least one of these.
    Any(Vec<Formula>),
}

impl Formula {
    /// A question about these terms.
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

    /// The term lies between two values, both included.
    #[must_use]
    pub fn between(term: Term, low: i32, high: i32) -> Formula {
        Formula::atom(vec![term], move |values| (low..=high).contains(&values[0]))
    }

    /// The shape of a hand is one of these.
    #[must_use]
    pub fn shape_in(seat: Seat, shapes: ShapeSet) -> Formula {
        let terms = Suit::DESCENDING.map(|suit| Term::Length(Holder::Seat(seat), suit));
        Formula::atom(terms.to_vec(), move |lengths| {
            let lengths = [0, 1, 2, 3].map(|suit: usize| lengths[suit] as u8);
            Shape::new(lengths).is_some_and(|shape| shapes.contains(shape))
        })
    }

    /// The opposite. What is unknown stays unknown.
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

    /// Whether some part is unknown.
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

    /// The truth with `value` giving the terms; what is unknown counts as true.
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
/// use sampling::{Budget, Formula, Problem, Sampler, SuitFunction};
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
    /// Numbers of the conditions that every sampler must cover; see [`Problem::insist`].
    pub(crate) insisted: Vec<usize>,
}

impl Problem {
    /// Nothing fixed, nothing asked.
    #[must_use]
    pub fn new() -> Problem {
        Problem::default()
    }

    /// Fixes these cards. They belong to every deal: probabilities are relative to them.
    ///
    /// # Errors
    /// If a card is given to two seats or a seat gets more than thirteen.
    pub fn predeal(&mut self, cards: BySeat<CardSet>) -> Result<(), Impossible> {
        let mut seen = CardSet::EMPTY;
        for &hand in cards.values() {
            if !seen.is_disjoint(hand) || hand.len() > 13 {
                return Err(Impossible);
            }
            seen |= hand;
        }
        self.fixed = cards;
        Ok(())
    }

    /// The length of a suit in one hand.
    #[must_use]
    pub fn length(&self, seat: Seat, suit: Suit) -> Term {
        Term::Length(Holder::Seat(seat), suit)
    }

    /// The same function in all four suits of one hand.
    pub fn points(&mut self, seat: Seat, function: SuitFunction) -> Term {
        self.feature(Feature {
            holder: Holder::Seat(seat),
            functions: BySuit::from_fn(|_| Some(function.clone())),
        })
    }

    /// A function of one suit of one hand.
    pub fn suit_points(&mut self, seat: Seat, suit: Suit, function: SuitFunction) -> Term {
        let mut functions: SuitFunctions = Default::default();
        functions[suit] = Some(function);
        self.feature(Feature {
            holder: Holder::Seat(seat),
            functions,
        })
    }

    /// Any feature; equal ones become one.
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

    /// Adds a condition that no sampler may leave out: where it cannot be covered, there is no sampler. It is for what
    /// nobody tests on the deals afterwards, such as predealt lengths. Returns its number, as [`Problem::require`].
    pub fn insist(&mut self, condition: Formula) -> usize {
        let number = self.require(condition);
        self.insisted.push(number);
        number
    }

    /// Whether a sampler that covers these conditions covers all that [`Problem::insist`] added.
    pub(crate) fn is_kept_by(&self, covered: &[bool]) -> bool {
        self.insisted.iter().all(|&number| covered[number])
    }

    /// Whether all conditions are about the same hand.
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

    /// Whether a deal has the fixed cards and satisfies every condition (unknown parts count as true).
    #[must_use]
    pub fn accepts(&self, deal: &Deal) -> bool {
        let mut fixed = self.fixed.into_iter();
        let fixed = fixed.all(|(seat, cards)| deal[seat].contains_all(cards));
        fixed && (0..self.conjuncts.len()).all(|number| self.conjunct_accepts(number, deal))
    }

    /// Whether a deal satisfies condition `number`.
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

/// The fixed cards do not fit: a card twice, or more than thirteen in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impossible;

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fixed cards do not fit: a card is given twice, or a hand has more than 13")
    }
}

impl std::error::Error for Impossible {}
