//! The tracked hands, and the conditions in terms of them.

use std::sync::Arc;

use cards::{BySeat, BySuit, CardSet, Seat, Side, Suit};

use crate::problem::feature::{Feature, Holder, SuitFunctions};
use crate::problem::filter::{Filter, Prepared};
use crate::problem::{Atom, Formula, Term};
use crate::setup::needs::Needs;

/// The hands whose cards the sampler chooses from tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracked {
    /// One hand.
    One(Seat),
    /// Two hands, with lengths and features; the lengths of the other two may count too.
    Two(Seat, Seat),
    /// The 26 cards of a side.
    Side(Side),
    /// All four hands, by the points of their cards only.
    Points,
}

/// The role of a hand in the layout; A and B are tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    A,
    B,
    C,
    D,
}

/// An input of a resolved atom: a length or a feature of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Length(Role, Suit),
    Feature(Role, usize),
}

impl Source {
    fn need(self) -> Needs {
        match self {
            Source::Length(Role::A, _) => Needs::LENGTH_A,
            Source::Feature(Role::A, _) => Needs::FEATURE_A,
            Source::Length(Role::B, _) => Needs::LENGTH_B,
            Source::Feature(..) => Needs::FEATURE_B,
            Source::Length(Role::C, _) => Needs::LENGTH_C,
            Source::Length(Role::D, _) => Needs::LENGTH_D,
        }
    }
}

/// `offset + sign * (sum of the sources)`: a term, or the rest of a total.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) sources: Vec<Source>,
    pub(crate) sign: i32,
    pub(crate) offset: i32,
}

impl Value {
    fn of(source: Source) -> Value {
        Value {
            sources: vec![source],
            sign: 1,
            offset: 0,
        }
    }
}

/// An atom whose terms are resolved to sources.
#[derive(Debug)]
pub(crate) struct ResolvedAtom {
    pub(crate) values: Vec<Value>,
    pub(crate) atom: Arc<Atom>,
    pub(crate) needs: Needs,
}

impl ResolvedAtom {
    fn new(values: Vec<Value>, atom: Arc<Atom>) -> ResolvedAtom {
        let sources = values.iter().flat_map(|value| &value.sources);
        let needs = sources.map(|source| source.need()).collect();
        ResolvedAtom {
            values,
            atom,
            needs,
        }
    }

    /// Returns the approximate nanoseconds to evaluate the atom.
    pub(crate) fn cost(&self) -> f64 {
        25.0 + 12.0 * self.values.len() as f64
    }

    /// Evaluates the atom with the numbers that `number` returns.
    pub(crate) fn evaluate(&self, number: impl Fn(Source) -> i32) -> bool {
        let mut numbers = [0; 8];
        let value = |value: &Value| {
            let sum: i32 = value.sources.iter().map(|&source| number(source)).sum();
            value.offset + value.sign * sum
        };
        if self.values.len() <= numbers.len() {
            for (slot, item) in numbers.iter_mut().zip(&self.values) {
                *slot = value(item);
            }
            (self.atom.test)(&numbers[..self.values.len()])
        } else {
            let list: Vec<i32> = self.values.iter().map(value).collect();
            (self.atom.test)(&list)
        }
    }
}

/// A condition over resolved atoms.
#[derive(Clone, Debug)]
pub(crate) enum Clause {
    Constant(bool),
    ResolvedAtom {
        question: Arc<ResolvedAtom>,
        negated: bool,
    },
    All(Vec<Clause>),
    Any(Vec<Clause>),
}

impl Clause {
    /// Returns the union of the inputs of its atoms.
    pub(crate) fn needs(&self) -> Needs {
        match self {
            Clause::Constant(_) => Needs::NOTHING,
            Clause::ResolvedAtom { question, .. } => question.needs,
            Clause::All(list) | Clause::Any(list) => list.iter().map(Clause::needs).collect(),
        }
    }

    pub(crate) fn for_each_resolved_atom<'a>(
        &'a self,
        visit: &mut impl FnMut(&'a Arc<ResolvedAtom>),
    ) {
        match self {
            Clause::Constant(_) => (),
            Clause::ResolvedAtom { question, .. } => visit(question),
            Clause::All(list) | Clause::Any(list) => {
                list.iter()
                    .for_each(|part| part.for_each_resolved_atom(visit));
            }
        }
    }
}

/// A problem in terms of the tracked hands.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) tracked: Tracked,
    /// The seats of the roles A, B, C, D. A side takes two seats and leaves B empty.
    pub(crate) seats: [Vec<Seat>; 4],
    /// Cards whose owner is known.
    pub(crate) fixed: BySeat<CardSet>,
    /// The free cards.
    pub(crate) deck: CardSet,
    /// Features of A and of B.
    pub(crate) features: [Vec<SuitFunctions>; 2],
    /// Allowed holdings of A and of B.
    pub(crate) filters: [BySuit<Option<Arc<Filter>>>; 2],
    /// The conditions; all must hold.
    pub(crate) conditions: Vec<Clause>,
    /// For each conjunct of the problem, whether it is expressed fully.
    pub(crate) covered: Vec<bool>,
    /// Features of the problem that are ignored.
    left_out: FeatureSet,
    /// Whether only sums over A and B are followed. Then each feature of A is a pair of functions and represents both
    /// hands, and B has none.
    pub(crate) pooled: bool,
}

/// A set of the first 64 features of a problem, as bits.
pub(crate) type FeatureSet = u64;

impl Layout {
    /// Expresses as much of the problem as these hands and inputs allow. The rest is left out, which can only weaken
    /// the conditions.
    pub(crate) fn new(prepared: &Prepared<'_>, tracked: Tracked, allowed: Needs) -> Layout {
        Layout::without(prepared, tracked, allowed, 0)
    }

    /// Expresses the problem like [`Layout::new`], and also leaves out every condition on the features `left_out`.
    pub(crate) fn without(
        prepared: &Prepared<'_>,
        tracked: Tracked,
        allowed: Needs,
        left_out: FeatureSet,
    ) -> Layout {
        let mut layout = Layout {
            left_out,
            pooled: Needs::FEATURES.is_within(allowed) && pools(prepared, tracked),
            tracked,
            seats: roles(tracked),
            fixed: prepared.fixed,
            deck: prepared.deck(),
            features: [Vec::new(), Vec::new()],
            filters: Default::default(),
            conditions: Vec::new(),
            covered: vec![true; prepared.problem.conjuncts.len()],
        };
        layout.take_filters(prepared, allowed);
        for (number, conjunct) in prepared.problem.conjuncts.iter().enumerate() {
            layout.covered[number] &= !conjunct.has_unknown();
            if prepared.single[number].is_none() {
                let mut complete = true;
                let clause = layout.express(prepared, conjunct, allowed, &mut complete);
                layout.conditions.push(clause);
                layout.covered[number] &= complete;
            }
        }
        layout.bound_the_others(prepared, allowed);
        layout
    }

    fn take_filters(&mut self, prepared: &Prepared<'_>, allowed: Needs) {
        for (number, single) in prepared.single.iter().enumerate() {
            let &Some((seat, suit)) = single else {
                continue;
            };
            let Some(filter) = &prepared.filters[seat][suit] else {
                continue;
            };
            match self.role(seat) {
                Some(Role::A) if !matches!(self.tracked, Tracked::Side(_)) => {
                    self.filters[0][suit] = Some(filter.clone());
                }
                Some(Role::B) if allowed.meets(Needs::FEATURE_B) => {
                    self.filters[1][suit] = Some(filter.clone());
                }
                _ => self.covered[number] = false,
            }
        }
    }

    pub(crate) fn role(&self, seat: Seat) -> Option<Role> {
        let roles = [Role::A, Role::B, Role::C, Role::D];
        let place = self.seats.iter().position(|seats| seats.contains(&seat))?;
        Some(roles[place])
    }

    fn express(
        &mut self,
        prepared: &Prepared<'_>,
        formula: &Formula,
        allowed: Needs,
        complete: &mut bool,
    ) -> Clause {
        match formula {
            Formula::Constant(truth) => Clause::Constant(*truth),
            // Negation occurs only at atoms, so "true" is the weaker choice everywhere.
            Formula::Unknown => Clause::Constant(true),
            Formula::Literal { atom, negated } => match self.question(prepared, atom, allowed) {
                Some(question) => Clause::ResolvedAtom {
                    question,
                    negated: *negated,
                },
                None => {
                    *complete = false;
                    Clause::Constant(true)
                }
            },
            Formula::All(list) => Clause::All(
                list.iter()
                    .map(|part| self.express(prepared, part, allowed, complete))
                    .collect(),
            ),
            Formula::Any(list) => Clause::Any(
                list.iter()
                    .map(|part| self.express(prepared, part, allowed, complete))
                    .collect(),
            ),
        }
    }

    fn question(
        &mut self,
        prepared: &Prepared<'_>,
        atom: &Arc<Atom>,
        allowed: Needs,
    ) -> Option<Arc<ResolvedAtom>> {
        let features_before = self.features.each_ref().map(Vec::len);
        let values: Option<Vec<Value>> = atom
            .terms
            .iter()
            .map(|&term| self.value(prepared, term))
            .collect();
        let question = values.map(|values| ResolvedAtom::new(values, atom.clone()));
        let usable = question.filter(|question| {
            let mixes_others =
                question.needs.meets(Needs::OTHERS) && !question.needs.is_within(Needs::OTHERS);
            question.needs.is_within(allowed) && !mixes_others
        });
        if usable.is_none() {
            for (features, before) in self.features.iter_mut().zip(features_before) {
                features.truncate(before);
            }
        }
        usable.map(Arc::new)
    }

    fn value(&mut self, prepared: &Prepared<'_>, term: Term) -> Option<Value> {
        match term {
            Term::Length(Holder::Seat(seat), suit) => self.length_of_seat(seat, suit),
            Term::Length(Holder::Side(side), suit) => self.of_side(side, Some(13), |_, roles| {
                let length = |&role: &Role| Source::Length(role, suit);
                roles.iter().map(length).collect()
            }),
            Term::Feature(id) if self.left_out.checked_shr(id.0 as u32).unwrap_or(0) & 1 == 1 => {
                None
            }
            Term::Feature(id) => {
                let feature = &prepared.problem.features[id.0];
                match feature.holder {
                    Holder::Seat(seat) => self.feature_of_seat(seat, &feature.functions),
                    Holder::Side(side) => {
                        let total = feature.is_additive().then(|| feature.deal_total());
                        self.of_side(side, total, |layout, roles| {
                            layout.feature_sources(roles, &feature.functions)
                        })
                    }
                }
            }
        }
    }

    fn length_of_seat(&self, seat: Seat, suit: Suit) -> Option<Value> {
        if matches!(self.tracked, Tracked::Side(_)) {
            return None;
        }
        let role = self.role(seat)?;
        Some(Value::of(Source::Length(role, suit)))
    }

    fn feature_of_seat(&mut self, seat: Seat, functions: &SuitFunctions) -> Option<Value> {
        match self.role(seat)? {
            role @ (Role::A | Role::B) if !matches!(self.tracked, Tracked::Side(_)) => {
                let mut sources = self.feature_sources(&[role], functions);
                sources.pop().map(Value::of)
            }
            _ => None,
        }
    }

    /// Resolves a sum over both hands of a side. For the side that is not tracked it is the rest of the total, if the
    /// feature has one. Otherwise both hands must be tracked, and each counts separately.
    fn of_side(
        &mut self,
        side: Side,
        total: Option<i32>,
        sources: impl FnOnce(&mut Layout, &[Role]) -> Vec<Source>,
    ) -> Option<Value> {
        let (ours, roles) = match self.tracked {
            Tracked::Side(ours) if total.is_some() => (ours, &[Role::A][..]),
            Tracked::Two(a, b) if a.partner() == b => (a.side(), &[Role::A, Role::B][..]),
            _ => return None,
        };
        let (sign, offset) = if side == ours { (1, 0) } else { (-1, total?) };
        Some(Value {
            sources: sources(self, roles),
            sign,
            offset,
        })
    }

    /// Returns the sources of the sum of a feature over these roles.
    fn feature_sources(&mut self, roles: &[Role], functions: &SuitFunctions) -> Vec<Source> {
        if self.pooled {
            let of = |role| match roles.contains(&role) {
                true => functions.clone(),
                false => SuitFunctions::default(),
            };
            let pair = [Role::A, Role::B].map(of);
            let [of_a, of_b] = &mut self.features;
            let mut pairs = of_a.iter().zip(of_b.iter());
            let known = pairs.position(|(a, b)| *a == pair[0] && *b == pair[1]);
            let index = known.unwrap_or(of_a.len());
            if known.is_none() {
                let [a, b] = pair;
                of_a.push(a);
                of_b.push(b);
            }
            return vec![Source::Feature(Role::A, index)];
        }
        let mut sources = Vec::new();
        for &role in roles {
            sources.push(self.feature_source(role, functions));
        }
        sources
    }

    fn feature_source(&mut self, role: Role, functions: &SuitFunctions) -> Source {
        let features = &mut self.features[usize::from(role == Role::B)];
        let known = features.iter().position(|other| other == functions);
        let index = known.unwrap_or_else(|| {
            features.push(functions.clone());
            features.len() - 1
        });
        Source::Feature(role, index)
    }

    /// Converts limits on a feature of C and D to limits on the part of its total that A and B have.
    fn bound_the_others(&mut self, prepared: &Prepared<'_>, allowed: Needs) {
        let two = matches!(self.tracked, Tracked::Two(..));
        if !two || self.pooled || !Needs::FEATURES.is_within(allowed) {
            return;
        }
        for (a, functions) in self.features[0].clone().iter().enumerate() {
            let Some(b) = self.features[1].iter().position(|other| other == functions) else {
                continue;
            };
            let feature = |role: usize| Feature {
                holder: Holder::Seat(self.seats[role][0]),
                functions: functions.clone(),
            };
            if !feature(2).is_additive() {
                continue;
            }
            let [c, d] = [2, 3].map(|role| prepared.range_left(&feature(role)));
            let [Some(c), Some(d)] = [c, d] else { continue };
            let whole = feature(2).hand_range();
            if (c, d) == (whole, whole) {
                continue;
            }
            let left = Value {
                sources: vec![Source::Feature(Role::A, a), Source::Feature(Role::B, b)],
                sign: -1,
                offset: feature(2).deal_total(),
            };
            let (low, high) = (c.0 + d.0, c.1 + d.1);
            let atom = Arc::new(Atom {
                terms: Vec::new(),
                test: Box::new(move |values| (low..=high).contains(&values[0])),
            });
            self.conditions.push(Clause::ResolvedAtom {
                question: Arc::new(ResolvedAtom::new(vec![left], atom)),
                negated: false,
            });
        }
    }
}

/// Returns whether a condition depends on the sum of a feature that each of the two tracked hands counts separately.
/// Then sums are followed, which are far fewer than pairs of numbers.
fn pools(prepared: &Prepared<'_>, tracked: Tracked) -> bool {
    let Tracked::Two(a, b) = tracked else {
        return false;
    };
    let mut found = false;
    for conjunct in &prepared.problem.conjuncts {
        conjunct.for_each_atom(&mut |atom| {
            for term in &atom.terms {
                if let Term::Feature(id) = *term {
                    let feature = &prepared.problem.features[id.0];
                    let ours = a.partner() == b && feature.holder == Holder::Side(a.side());
                    found |= ours && !feature.is_additive();
                }
            }
        });
    }
    found
}

fn roles(tracked: Tracked) -> [Vec<Seat>; 4] {
    let (a, b) = match tracked {
        Tracked::Points => (vec![], vec![]),
        Tracked::One(a) => (vec![a], vec![]),
        Tracked::Two(a, b) => (vec![a], vec![b]),
        Tracked::Side(side) => (side.seats().to_vec(), vec![]),
    };
    let others: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|seat| !a.contains(seat) && !b.contains(seat))
        .collect();
    match tracked {
        // No condition is about the other hands, so they need no separate roles.
        Tracked::One(_) | Tracked::Side(_) | Tracked::Points => [a, b, vec![], vec![]],
        Tracked::Two(..) => [a, b, vec![others[0]], vec![others[1]]],
    }
}
