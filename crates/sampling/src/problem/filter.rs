//! First look at a problem: conditions on a single suit of a single hand, and the cards they force.

use cards::{CardSet, Holding, Seat, Suit};

use crate::problem::feature::{Feature, HOLDINGS, Holder};
use crate::problem::{Formula, Problem, Term};
use crate::setup::budget::{GaveUp, Meter};

/// Nanoseconds to see whether a holding satisfies a condition.
const COST_OF_HOLDING: f64 = 40.0;

/// The holdings that a hand may have in a suit.
#[derive(Clone, Debug)]
pub(crate) struct Filter(Vec<bool>);

impl Filter {
    pub(crate) fn allows(&self, held: Holding) -> bool {
        self.0[usize::from(held.0)]
    }

    /// Whether it says no more than that these cards are held.
    fn is_only(&self, forced: Holding) -> bool {
        (0..HOLDINGS as u16)
            .filter(|held| held & forced.0 == forced.0)
            .all(|held| self.0[usize::from(held)])
    }

    /// The cards that every allowed holding contains; none if nothing is allowed.
    fn forced(&self) -> Option<Holding> {
        (0..HOLDINGS as u16)
            .filter(|&held| self.0[usize::from(held)])
            .reduce(|all, held| all & held)
            .map(Holding)
    }
}

/// A problem with its single-suit conditions turned into filters and held cards.
#[derive(Debug)]
pub(crate) struct Prepared<'a> {
    pub(crate) problem: &'a Problem,
    /// All cards whose place is known: predealt or forced by a condition.
    pub(crate) fixed: [CardSet; 4],
    /// Filters by seat and suit that say more than which cards are held.
    pub(crate) filters: [[Option<Filter>; 4]; 4],
    /// For each conjunct, the suit it is about if it has become a filter.
    pub(crate) single: Vec<Option<(Seat, Suit)>>,
    /// Whether no deal can satisfy the conditions.
    pub(crate) impossible: bool,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(problem: &'a Problem, meter: &Meter<'_>) -> Result<Prepared<'a>, GaveUp> {
        let mut prepared = Prepared {
            problem,
            fixed: problem.fixed,
            filters: Default::default(),
            single: vec![None; problem.conjuncts.len()],
            impossible: false,
        };
        for (number, conjunct) in problem.conjuncts.iter().enumerate() {
            meter.spend(50.0)?;
            if let Some((seat, suit)) = single_suit(problem, conjunct) {
                meter.spend(COST_OF_HOLDING * HOLDINGS as f64)?;
                prepared.single[number] = Some((seat, suit));
                prepared.restrict(seat, suit, conjunct);
            }
        }
        prepared.force_cards();
        Ok(prepared)
    }

    fn restrict(&mut self, seat: Seat, suit: Suit, conjunct: &Formula) {
        let problem = self.problem;
        let slot = &mut self.filters[seat.index()][suit.index()];
        let filter = slot.get_or_insert_with(|| Filter(vec![true; HOLDINGS]));
        for (held, allowed) in (0..).map(Holding).zip(&mut filter.0) {
            *allowed = *allowed
                && conjunct.holds(&mut |term| match term {
                    Term::Length(..) => held.len() as i32,
                    Term::Feature(id) => problem.features[id.0].of(held.in_suit(suit)),
                });
        }
    }

    fn force_cards(&mut self) {
        for seat in Seat::ALL {
            for suit in Suit::ALL {
                let slot = &mut self.filters[seat.index()][suit.index()];
                let Some(filter) = slot else { continue };
                let Some(forced) = filter.forced() else {
                    self.impossible = true;
                    continue;
                };
                if filter.is_only(forced) {
                    *slot = None;
                }
                let hand = &mut self.fixed[seat.index()];
                *hand |= forced.in_suit(suit);
            }
        }
        let mut seen = CardSet::EMPTY;
        for hand in self.fixed {
            self.impossible |= !seen.is_disjoint(hand) || hand.len() > 13;
            seen |= hand;
        }
    }

    /// The cards nobody has yet.
    pub(crate) fn deck(&self) -> CardSet {
        let fixed = self.fixed.iter().fold(0, |all, hand| all | hand.0);
        CardSet(CardSet::FULL.0 & !fixed)
    }

    /// The range that the conditions on this additive feature alone leave; none if they leave nothing.
    pub(crate) fn range_left(&self, feature: &Feature) -> Option<(i32, i32)> {
        let mut known = self.problem.features.iter();
        match known.position(|other| other == feature) {
            Some(number) => self.range_of_feature(number),
            None => Some(feature.hand_range()),
        }
    }

    /// The same by the number of the feature.
    pub(crate) fn range_of_feature(&self, number: usize) -> Option<(i32, i32)> {
        /// Ranges wider than this are not tested value by value.
        const WIDEST: i32 = 4096;
        let (low, high) = self.problem.features[number].hand_range();
        if high - low > WIDEST {
            return Some((low, high));
        }
        let mine = |term: Term| matches!(term, Term::Feature(other) if other.0 == number);
        let about: Vec<&Formula> = self
            .problem
            .conjuncts
            .iter()
            .filter(|conjunct| {
                let mut only = true;
                conjunct.for_each_atom(&mut |atom| only &= atom.terms.iter().all(|&t| mine(t)));
                only
            })
            .collect();
        let fits = |value: &i32| about.iter().all(|it| it.holds(&mut |_| *value));
        let mut fitting = (low..=high).filter(fits);
        let first = fitting.next()?;
        Some((first, fitting.next_back().unwrap_or(first)))
    }

    /// Whether cards beyond the predealt ones are fixed for this seat.
    pub(crate) fn holds_more(&self, seat: Seat) -> bool {
        self.fixed[seat.index()] != self.problem.fixed[seat.index()]
    }
}

/// The one suit of one hand that a condition with at least one feature is about.
fn single_suit(problem: &Problem, conjunct: &Formula) -> Option<(Seat, Suit)> {
    let mut about = None;
    let mut single = true;
    let mut has_feature = false;
    conjunct.for_each_atom(&mut |atom| {
        for &term in &atom.terms {
            let this = match term {
                Term::Length(holder, suit) => Some((holder, suit)),
                Term::Feature(id) => {
                    has_feature = true;
                    let feature = &problem.features[id.0];
                    feature.only_suit().map(|suit| (feature.holder, suit))
                }
            };
            single &= this.is_some() && (about.is_none() || about == this);
            about = this;
        }
    });
    match about {
        Some((Holder::Seat(seat), suit)) if single && has_feature => Some((seat, suit)),
        _ => None,
    }
}
