//! Translates the nodes of a plan into formulas of the sampler.

use std::collections::HashMap;

use cards::{BySuit, Rank, Seat, Side, Suit};
use sampling::{Feature, Formula, Holder, Problem, SuitFunction, SuitFunctions, Term};
use script::plan::{BinaryOp, Counter, LoserRule, Node, NodeId, Plan};
use valuation::{HandRule, RuleValue};

use super::linear::{Forms, HandFeature, Linear, MAX_DEPTH};
use super::{Expression, MetricKnowledge, local, metric};
use crate::prepared::{PreparedPlan, SuitTable};
use crate::user::UserQuery;

/// A function of one suit's holding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Function {
    Length,
    Count(Counter),
    Losers(LoserRule),
    Rule(HandRule),
    Has(Rank),
}

/// Maximum number of nodes of a script to translate; the rest is left to the evaluator.
const MAX_NODES: usize = 20_000;

/// A sum over one suit: local parts and hand features, each with a factor.
type SumOfSuit = (Suit, Vec<(NodeId, i32)>, Vec<(HandFeature, i32)>);

/// Translates conditions into a problem of the sampler.
pub(super) struct Reader<'a> {
    prepared: &'a PreparedPlan<'a>,
    pub(super) problem: &'a mut Problem,
    functions: HashMap<Function, SuitFunction>,
    forms: Forms<'a>,
    /// Cache of suit functions, by the sums of parts that depend on one suit.
    sums: HashMap<SumOfSuit, Option<SuitFunction>>,
    /// For each node, whether it contains a metric; empty if metrics are unknown.
    pub(super) metrics: Vec<bool>,
    /// Whether the negation of the current node is required; `None` if both the node and its negation are.
    negated: Option<bool>,
    /// Whether only the first of the sums that determine a metric is used.
    pub(super) coarse: bool,
    /// Number of nodes that may still be translated.
    pub(super) left: usize,
}

/// The distinct terms of one atom.
#[derive(Default)]
pub(super) struct Terms(pub(super) Vec<Term>);

impl Terms {
    pub(super) fn place(&mut self, term: Term) -> usize {
        let known = self.0.iter().position(|other| *other == term);
        known.unwrap_or_else(|| {
            self.0.push(term);
            self.0.len() - 1
        })
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(prepared: &'a PreparedPlan<'a>, problem: &'a mut Problem) -> Reader<'a> {
        Reader {
            prepared,
            problem,
            functions: HashMap::new(),
            forms: Forms::new(prepared.plan),
            sums: HashMap::new(),
            metrics: Vec::new(),
            negated: Some(false),
            coarse: false,
            left: MAX_NODES,
        }
    }

    /// Sets how far the reader relies on the built-in metrics, if the condition uses any.
    pub(super) fn with_metrics(mut self, metrics: MetricKnowledge) -> Reader<'a> {
        if metrics != MetricKnowledge::Unknown && metric::are_known(self.prepared) {
            self.metrics = metric::contained_in(self.plan());
            self.coarse = metrics == MetricKnowledge::Coarse;
        }
        self
    }

    pub(super) fn plan(&self) -> &'a Plan {
        self.prepared.plan
    }

    /// Returns the condition that the node is not 0.
    pub(super) fn formula(&mut self, node: NodeId) -> Formula {
        self.truth(node, 0)
    }

    /// Returns the condition that `wanted` accepts the node's value, if the sampler can express it.
    pub(super) fn test(
        &mut self,
        node: NodeId,
        wanted: impl Fn(i32) -> bool + Send + Sync + 'static,
    ) -> Option<Formula> {
        let mut terms = Terms::default();
        let value = self.expression(node, &mut terms, 0)?;
        Some(Formula::atom(terms.0, move |terms| {
            wanted(value.value(terms))
        }))
    }

    fn truth(&mut self, node: NodeId, depth: usize) -> Formula {
        let plan = self.plan();
        if self.left == 0 || depth > MAX_DEPTH || plan.facts_of(node).random {
            return Formula::Unknown;
        }
        self.left -= 1;
        match plan.node(node) {
            Node::Constant(value) => Formula::Constant(*value != 0),
            Node::And(parts) => Formula::All(self.all(parts, depth)),
            Node::Or(parts) => Formula::Any(self.all(parts, depth)),
            Node::Not(inner) => {
                self.negated = self.negated.map(|negated| !negated);
                let inner = self.truth(*inner, depth + 1);
                self.negated = self.negated.map(|negated| !negated);
                inner.negate()
            }
            Node::Choose { test, yes, no } => {
                let negated = self.negated.take();
                let question = self.truth(*test, depth + 1);
                self.negated = negated;
                let yes = self.truth(*yes, depth + 1);
                let no = self.truth(*no, depth + 1);
                Formula::Any(vec![
                    Formula::All(vec![question.clone(), yes]),
                    Formula::All(vec![question.negate(), no]),
                ])
            }
            _ => self.atom(node, depth),
        }
    }

    fn all(&mut self, parts: &[NodeId], depth: usize) -> Vec<Formula> {
        parts
            .iter()
            .map(|&part| self.truth(part, depth + 1))
            .collect()
    }

    fn atom(&mut self, node: NodeId, depth: usize) -> Formula {
        let mut terms = Terms::default();
        match self
            .comparison(node, &mut terms)
            .or_else(|| self.expression(node, &mut terms, depth))
        {
            Some(value) => Formula::atom(terms.0, move |terms| value.value(terms) != 0),
            None => match self.negated {
                Some(negated) if self.has_metric(node) => self.about_metrics(node, negated),
                _ => Formula::Unknown,
            },
        }
    }

    /// Translates a comparison of two linear forms into one form compared with 0. This recognises a sum over a
    /// partnership even if its parts are on both sides of the operator.
    fn comparison(&mut self, node: NodeId, terms: &mut Terms) -> Option<Expression> {
        /// The difference of two values up to this one does not wrap.
        const SMALL: i32 = 1 << 29;
        let plan = self.plan();
        let &Node::Binary { op, left, right } = plan.node(node) else {
            return None;
        };
        let arithmetic = matches!(
            op,
            BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Remainder
        );
        let small = |side| {
            let facts = plan.facts_of(side);
            facts.min > -SMALL && facts.max < SMALL
        };
        if arithmetic || !small(left) || !small(right) {
            return None;
        }
        let difference = self.forms.of(left)?.plus(&self.forms.of(right)?.times(-1));
        let zero = Expression::Linear(0, Vec::new());
        let difference = self.linear(difference, terms)?;
        Some(Expression::Binary(op, node, Box::new([difference, zero])))
    }

    pub(super) fn expression(
        &mut self,
        node: NodeId,
        terms: &mut Terms,
        depth: usize,
    ) -> Option<Expression> {
        let plan = self.plan();
        let facts = plan.facts_of(node);
        if self.left == 0 || depth > MAX_DEPTH || facts.random || facts.can_fail {
            return None;
        }
        self.left -= 1;
        if let Some(form) = self.forms.of(node)
            && let Some(sum) = self.linear(form, terms)
        {
            return Some(sum);
        }
        if let Some(query) = UserQuery::of(plan.node(node)) {
            return self.metric(query, terms);
        }
        let imps = self.prepared.imps;
        let mut inner = |node: NodeId| self.expression(node, terms, depth + 1);
        Some(match plan.node(node) {
            Node::Shape(seat, set) => {
                let length = |suit| Term::Length(Holder::Seat(*seat), suit);
                let places = Suit::DESCENDING.map(|suit| terms.place(length(suit)));
                Expression::Shape(Box::new(*plan.shape_set(*set)), places)
            }
            Node::Score {
                vulnerable,
                contract,
                tricks,
            } => Expression::Score(*contract, *vulnerable, Box::new(inner(*tricks)?)),
            Node::Imps(difference) => Expression::Imps(imps, Box::new(inner(*difference)?)),
            operation => return composed(operation, node, inner),
        })
    }

    /// Returns `None` if the parts that depend on one suit cannot be added up.
    fn linear(&mut self, form: Linear, terms: &mut Terms) -> Option<Expression> {
        let mut form = form.simplified(self.plan());
        let mut factors = Vec::new();
        for seat in Seat::ALL {
            if form.locals.iter().any(|local| local.seat == seat) {
                let feature = self.sum_of_hand(seat, &mut form)?;
                factors.push((terms.place(feature), 1));
            }
        }
        for (feature, by_seat) in &form.factors {
            for side in Side::ALL {
                let [one, other] = side.seats();
                let [f, g] = [one, other].map(|seat| by_seat[seat]);
                if f == g && f != 0 && feature.total(self.plan()).is_some() {
                    let term = self.term(*feature, Holder::Side(side));
                    factors.push((terms.place(term), f));
                    continue;
                }
                for (seat, factor) in [(one, f), (other, g)] {
                    if factor != 0 {
                        let term = self.term(*feature, Holder::Seat(seat));
                        factors.push((terms.place(term), factor));
                    }
                }
            }
        }
        Some(Expression::Linear(form.constant, factors))
    }

    /// Removes everything that a form counts in one hand and returns it as a single feature.
    fn sum_of_hand(&mut self, seat: Seat, form: &mut Linear) -> Option<Term> {
        let mut families = Vec::new();
        for (feature, by_seat) in &mut form.factors {
            let factor = std::mem::take(&mut by_seat[seat]);
            if factor != 0 {
                families.push((*feature, factor));
            }
        }
        let mut functions: SuitFunctions = Default::default();
        for suit in Suit::ALL {
            let here = form.locals.iter();
            let here = here.filter(|local| (local.seat, local.suit) == (seat, suit));
            let locals: Vec<_> = here.map(|local| (local.node, local.factor)).collect();
            let counting = families.iter().copied();
            let counting: Vec<_> = counting
                .filter(|(feature, _)| feature.counts(suit))
                .collect();
            if !locals.is_empty() || !counting.is_empty() {
                functions[suit] = Some(self.sum_of_suit((suit, locals, counting))?);
            }
        }
        let holder = Holder::Seat(seat);
        Some(self.problem.feature(Feature { holder, functions }))
    }

    fn sum_of_suit(&mut self, what: SumOfSuit) -> Option<SuitFunction> {
        if let Some(known) = self.sums.get(&what) {
            return known.clone();
        }
        let mut terms = Vec::new();
        let mut parts = Vec::new();
        for &(node, factor) in &what.1 {
            parts.push((self.local(node, &mut terms, 0)?, factor));
        }
        for &(feature, factor) in &what.2 {
            let function = self.function_of(feature);
            parts.push((place(&mut terms, function), factor));
        }
        let sum = local::tabulate(&parts, &terms);
        self.sums.insert(what, sum.clone());
        sum
    }

    /// Translates an expression that depends on one suit of one hand into functions of the holding.
    fn local(
        &mut self,
        node: NodeId,
        terms: &mut Vec<SuitFunction>,
        depth: usize,
    ) -> Option<Expression> {
        if self.left == 0 || depth > MAX_DEPTH {
            return None;
        }
        self.left -= 1;
        let plan = self.plan();
        let feature = match *plan.node(node) {
            Node::Length(_, suit) => Some(HandFeature::Length(suit)),
            Node::Count { counter, suit, .. } => Some(HandFeature::Count(counter, suit)),
            Node::Losers { rule, suit, .. } => Some(HandFeature::Losers(rule, suit)),
            Node::HandValue {
                rule,
                suit: suit @ Some(_),
                ..
            } => Some(HandFeature::Rule(rule, suit)),
            Node::HasCard(_, card) => Some(HandFeature::HasCard(card)),
            _ => None,
        };
        if let Some(feature) = feature {
            let function = self.function_of(feature);
            return Some(place(terms, function));
        }
        let inner = |node: NodeId| self.local(node, terms, depth + 1);
        match plan.node(node) {
            Node::Constant(value) => Some(Expression::Linear(*value, Vec::new())),
            operation => composed(operation, node, inner),
        }
    }

    /// Returns the function that a hand feature adds up over its suits.
    fn function_of(&mut self, feature: HandFeature) -> SuitFunction {
        self.function(match feature {
            HandFeature::Length(_) => Function::Length,
            HandFeature::Count(counter, _) => Function::Count(counter),
            HandFeature::Losers(rule, _) => Function::Losers(rule),
            HandFeature::Rule(rule, _) => Function::Rule(rule),
            HandFeature::HasCard(card) => Function::Has(card.rank()),
        })
    }

    fn term(&mut self, feature: HandFeature, holder: Holder) -> Term {
        if let HandFeature::Length(suit) = feature {
            return Term::Length(holder, suit);
        }
        let function = self.function_of(feature);
        let functions: SuitFunctions =
            BySuit::from_fn(|suit| feature.counts(suit).then(|| function.clone()));
        self.problem.feature(Feature { holder, functions })
    }

    fn function(&mut self, function: Function) -> SuitFunction {
        let prepared = self.prepared;
        let build = || match function {
            Function::Length => SuitFunction::tabulate(|held| held.len() as i32),
            Function::Has(rank) => SuitFunction::tabulate(|held| i32::from(held.contains(rank))),
            Function::Losers(LoserRule::Cards) => SuitFunction::tabulate(valuation::suit_losers),
            Function::Losers(LoserRule::Tables) => from_table(prepared, SuitTable::Losers),
            Function::Rule(rule) => match rule.value() {
                RuleValue::Suit(value) => from_table(prepared, SuitTable::Rule(rule, value)),
                RuleValue::Hand(_) => unreachable!("only rules for single suits are features"),
            },
            Function::Count(counter) => from_table(prepared, SuitTable::Count(counter)),
        };
        self.functions.entry(function).or_insert_with(build).clone()
    }
}

/// Returns the term for a suit function; an equal one is reused.
fn place(terms: &mut Vec<SuitFunction>, function: SuitFunction) -> Expression {
    let known = terms.iter().position(|other| *other == function);
    let place = known.unwrap_or_else(|| {
        terms.push(function);
        terms.len() - 1
    });
    Expression::Linear(0, vec![(place, 1)])
}

fn from_table(prepared: &PreparedPlan<'_>, table: SuitTable) -> SuitFunction {
    let values = prepared.table(table);
    SuitFunction::tabulate(|held| values[usize::from(held.0)])
}

/// Translates an operation if `inner` can translate its operands.
fn composed(
    operation: &Node,
    node: NodeId,
    mut inner: impl FnMut(NodeId) -> Option<Expression>,
) -> Option<Expression> {
    Some(match operation {
        Node::Binary { op, left, right } => {
            Expression::Binary(*op, node, Box::new([inner(*left)?, inner(*right)?]))
        }
        Node::Not(value) => Expression::Not(Box::new(inner(*value)?)),
        Node::Negate(value) => Expression::Negate(Box::new(inner(*value)?)),
        Node::Abs(value) => Expression::Abs(Box::new(inner(*value)?)),
        Node::And(parts) => Expression::And(all(parts, inner)?),
        Node::Or(parts) => Expression::Or(all(parts, inner)?),
        Node::Choose { test, yes, no } => {
            Expression::Choose(Box::new([inner(*test)?, inner(*yes)?, inner(*no)?]))
        }
        _ => return None,
    })
}

fn all<C: FromIterator<Expression>>(
    parts: &[NodeId],
    inner: impl FnMut(NodeId) -> Option<Expression>,
) -> Option<C> {
    parts.iter().copied().map(inner).collect()
}
