//! First step of the set-up: conditions on a single suit of a single hand, and the cards that they force.

use std::sync::{Arc, OnceLock};

use cards::{BySeat, BySuit, CardSet, Holding, Seat, Suit};

use crate::problem::feature::{Feature, HOLDINGS, Holder, RankClasses, SuitFunction};
use crate::problem::{Formula, Problem, Term};
use crate::setup::budget::{CostMeter, SetupError};

/// Nanoseconds to test a holding, and to test a combination of values.
const COST_OF_HOLDING: f64 = 2.0;
const COST_OF_COMBINATION: f64 = 40.0;

/// Typical number of combinations of values of one suit.
const USUAL_COMBINATIONS: f64 = 200.0;

/// The holdings that a hand may have in a suit.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    allowed: Vec<bool>,
    rank_classes: OnceLock<RankClasses>,
}

impl Filter {
    fn everything() -> Filter {
        Filter {
            allowed: vec![true; HOLDINGS],
            rank_classes: OnceLock::new(),
        }
    }

    pub(crate) fn allows(&self, held: Holding) -> bool {
        self.allowed[usize::from(held.0)]
    }

    /// Returns the classes of ranks that can be exchanged in every holding. Call it when the filter is complete.
    pub(crate) fn rank_classes(&self) -> &RankClasses {
        self.rank_classes
            .get_or_init(|| RankClasses::of(|held| self.allowed[held]))
    }

    /// Returns whether the filter only requires that these cards are held.
    fn is_only(&self, forced: Holding) -> bool {
        (0..HOLDINGS as u16)
            .filter(|held| held & forced.0 == forced.0)
            .all(|held| self.allowed[usize::from(held)])
    }

    /// Returns the cards that every allowed holding contains; `None` if no holding is allowed.
    fn forced(&self) -> Option<Holding> {
        (0..HOLDINGS as u16)
            .filter(|&held| self.allowed[usize::from(held)])
            .reduce(|all, held| all & held)
            .map(Holding)
    }
}

/// A problem whose single-suit conditions have been turned into filters and fixed cards.
#[derive(Debug)]
pub(crate) struct Prepared<'a> {
    pub(crate) problem: &'a Problem,
    /// All cards whose owner is known: predealt, or forced by a condition.
    pub(crate) fixed: BySeat<CardSet>,
    /// Filters that require more than single cards.
    pub(crate) filters: BySeat<BySuit<Option<Arc<Filter>>>>,
    /// For each conjunct, the seat and suit if it has become a filter.
    pub(crate) single: Vec<Option<(Seat, Suit)>>,
    /// Whether no deal can satisfy the conditions.
    pub(crate) impossible: bool,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        meter: &CostMeter<'_>,
    ) -> Result<Prepared<'a>, SetupError> {
        let mut prepared = Prepared {
            problem,
            fixed: problem.fixed,
            filters: Default::default(),
            single: vec![None; problem.conjuncts.len()],
            impossible: false,
        };
        let mut filters: BySeat<BySuit<Option<Filter>>> = BySeat::default();
        for (number, conjunct) in problem.conjuncts.iter().enumerate() {
            meter.spend(50.0)?;
            if let Some((seat, suit)) = single_suit(problem, conjunct) {
                prepared.single[number] = Some((seat, suit));
                let filter = filters[seat][suit].get_or_insert_with(Filter::everything);
                restrict(filter, problem, suit, conjunct, meter)?;
            }
        }
        prepared.filters = filters.map(|suits| suits.map(|filter| filter.map(Arc::new)));
        prepared.force_cards();
        Ok(prepared)
    }

    fn force_cards(&mut self) {
        for seat in Seat::ALL {
            for suit in Suit::ALL {
                let slot = &mut self.filters[seat][suit];
                let Some(filter) = slot else { continue };
                let Some(forced) = filter.forced() else {
                    self.impossible = true;
                    continue;
                };
                if filter.is_only(forced) {
                    *slot = None;
                }
                self.fixed[seat] |= forced.in_suit(suit);
            }
        }
        let mut seen = CardSet::EMPTY;
        for &hand in self.fixed.values() {
            self.impossible |= !seen.is_disjoint(hand) || hand.len() > 13;
            seen |= hand;
        }
    }

    /// Returns the cards without an owner.
    pub(crate) fn deck(&self) -> CardSet {
        let fixed = self.fixed.values().fold(0, |all, hand| all | hand.0);
        CardSet(CardSet::FULL.0 & !fixed)
    }

    /// Returns the range of values that the conditions on this additive feature alone allow; `None` if they allow none.
    pub(crate) fn range_left(&self, feature: &Feature) -> Option<(i32, i32)> {
        let mut known = self.problem.features.iter();
        match known.position(|other| other == feature) {
            Some(number) => self.range_of_feature(number),
            None => Some(feature.hand_range()),
        }
    }

    /// Returns the range as [`Prepared::range_left`] does, for feature `number`.
    pub(crate) fn range_of_feature(&self, number: usize) -> Option<(i32, i32)> {
        /// Widest range that is tested value by value.
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

    /// Returns whether cards beyond the predealt ones are fixed for this seat.
    pub(crate) fn holds_more(&self, seat: Seat) -> bool {
        self.fixed[seat] != self.problem.fixed[seat]
    }
}

/// Restricts a filter to the holdings that a condition on the suit allows.
fn restrict(
    filter: &mut Filter,
    problem: &Problem,
    suit: Suit,
    conjunct: &Formula,
    meter: &CostMeter<'_>,
) -> Result<(), SetupError> {
    let mut terms: Vec<Term> = Vec::new();
    conjunct.for_each_atom(&mut |atom| {
        for &term in &atom.terms {
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
    });
    meter.spend(
        COST_OF_HOLDING * (HOLDINGS * (1 + terms.len())) as f64
            + COST_OF_COMBINATION * USUAL_COMBINATIONS,
    )?;
    let function = |term: &Term| match *term {
        Term::Length(..) => SuitFunction::tabulate(|held| held.len() as i32),
        Term::Feature(id) => match &problem.features[id.0].functions[suit] {
            Some(function) => function.clone(),
            None => SuitFunction::tabulate(|_| 0),
        },
    };
    let functions: Vec<SuitFunction> = terms.iter().map(function).collect();
    let truth = SuitFunction::composed(&functions, |values| {
        let value = |term: Term| terms.iter().position(|other| *other == term);
        i32::from(conjunct.holds(&mut |term| value(term).map_or(0, |place| values[place])))
    });
    for (held, allowed) in (0..).map(Holding).zip(&mut filter.allowed) {
        *allowed &= truth.of(held) != 0;
    }
    Ok(())
}

/// Returns the seat and suit of a condition that depends on one suit of one hand.
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
