//! Translates the syntax tree to the plan.

pub(crate) mod counters;
mod leads;
mod lint;
pub(crate) mod predeal;
mod simplify;

use crate::CompileOptions;
use crate::ast::{ExprId, ExprKind, Operator, Script};
use crate::diagnostic::{Report, Reports};
use crate::plan::{Action, BinaryOp, Builder, LoserRule, Node, NodeId, Plan, Span, Variable};
use crate::source::SourceMap;
use leads::LeadLowering;
use simplify::Simplifier;

/// Translates a script without errors to a plan.
pub(crate) fn lower(
    script: Script,
    options: &CompileOptions<'_>,
    sources: &SourceMap,
    switches: &predeal::SwitchCards,
    reports: &mut Reports,
) -> Builder {
    let mode = options.mode;
    let v1_values = options.has_v1_values();
    let end = sources.end_of_script();
    let predealt = predeal::predeal(&script.predeal, switches, mode, end, reports);
    let counters = counters::counters(&script);
    let tables = v1_values && counters::losers_depend_on(&counters);
    if tables && script.expressions.iter().any(uses_losers) {
        counters::check_losers(&script, &counters, reports);
    }
    let mut plan = Builder::new(mode);
    plan.counters(counters);
    if v1_values {
        plan.four_cs(valuation::FourCsVersion::V1);
    }
    for set in &script.shapes.sets {
        plan.shape(*set);
    }
    let mut lowering = Lowering {
        builder: Simplifier::new(plan),
        values: Vec::with_capacity(script.expressions.len()),
        loser_rule: if tables {
            LoserRule::Tables
        } else {
            LoserRule::Cards
        },
        v1_values,
        script: &script,
    };
    lowering.expressions();
    lint::lint(&script, &lowering, sources, reports);
    let Lowering {
        builder: Simplifier { mut plan },
        values,
        ..
    } = lowering;
    let value_of = |id: ExprId| values[id.index()];
    let condition = script.condition.map(|(id, _)| value_of(id));
    let mut leads = LeadLowering::new(&mut plan, &predealt.cards);
    let condition = condition.map(|id| leads.condition(id, reports));
    let mut actions = match &script.actions {
        Some((actions, _)) => actions.clone(),
        None if script.bare_actions.is_empty() => vec![Action::PrintAll],
        None => Vec::new(),
    };
    actions.extend(script.bare_actions.iter().cloned());
    for mut action in actions {
        action.for_each_value_mut(|id| *id = value_of(*id));
        leads.action(action, reports);
    }
    plan.condition(condition);
    for definition in &script.definitions {
        plan.variable(Variable {
            name: definition.name.clone(),
            value: value_of(definition.value),
            span: definition.span,
        });
    }
    plan.predeal(predealt.order, predealt.lengths);
    plan.empty_predeal(predealt.nothing_by_switch);
    let no_list = script.actions.is_none() && script.bare_actions.is_empty();
    let prints_deals = no_list || script.printing_action;
    plan.settings(script.settings, prints_deals);
    plan.compact();
    plan
}

fn uses_losers(expr: &crate::ast::Expr) -> bool {
    matches!(expr.kind, ExprKind::Call(Node::Losers { .. }))
}

/// Translates expressions in reading order, operands first.
pub(crate) struct Lowering<'a> {
    pub builder: Simplifier,
    /// The node of each expression.
    pub values: Vec<NodeId>,
    loser_rule: LoserRule,
    /// Whether counters have the values of v1.
    pub v1_values: bool,
    script: &'a Script,
}

/// An operation whose chains (`a + b + c`) are translated as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chain {
    And,
    Or,
    Sum,
    Product,
}

fn chain_of(kind: &ExprKind) -> Option<(Chain, ExprId, ExprId)> {
    let &ExprKind::Binary(operator, left, right) = kind else {
        return None;
    };
    let chain = match operator {
        Operator::And => Chain::And,
        Operator::Or => Chain::Or,
        Operator::Strict(BinaryOp::Add | BinaryOp::Subtract) => Chain::Sum,
        Operator::Strict(BinaryOp::Multiply) => Chain::Product,
        Operator::Strict(_) => return None,
    };
    Some((chain, left, right))
}

impl Lowering<'_> {
    fn expressions(&mut self) {
        let expressions = &self.script.expressions;
        // The links of a chain are translated together. Then a sum of a million terms becomes a shallow tree, and an `and` of a
        // million tests one list.
        let mut inner = vec![false; expressions.len()];
        for expr in expressions {
            if let Some((chain, left, right)) = chain_of(&expr.kind) {
                for part in [left, right] {
                    let below = chain_of(&expressions[part.index()].kind);
                    inner[part.index()] = below.is_some_and(|(kind, ..)| kind == chain);
                }
            }
        }
        for (number, is_inner) in inner.into_iter().enumerate() {
            let id = NodeId(number as u32);
            let value = if is_inner {
                NodeId(u32::MAX)
            } else {
                self.expression(id)
            };
            self.values.push(value);
        }
    }

    fn expression(&mut self, id: ExprId) -> NodeId {
        let expr = self.script.expr(id);
        let (span, at) = (expr.span, expr.at);
        let value = |this: &Self, id: ExprId| this.values[id.index()];
        match &expr.kind {
            &ExprKind::Number { value, .. } => self.builder.constant(value, span),
            &ExprKind::Variable(number) => {
                value(self, self.script.definitions[number as usize].value)
            }
            &ExprKind::Not(operand) => {
                let operand = value(self, operand);
                self.builder.not(operand, span)
            }
            &ExprKind::Negate(operand) => {
                let operand = value(self, operand);
                self.builder.negate(operand, span)
            }
            &ExprKind::Choose(test, yes, no) => {
                let (test, yes, no) = (value(self, test), value(self, yes), value(self, no));
                self.builder.choose(test, yes, no, span)
            }
            ExprKind::Call(node) => {
                let mut node = node.clone();
                node.for_each_operand_mut(|id| *id = self.values[id.index()]);
                if let Node::Losers { rule, .. } = &mut node {
                    *rule = self.loser_rule;
                }
                self.builder.plain(node, span)
            }
            &ExprKind::Binary(operator, left, right) => match chain_of(&expr.kind) {
                Some((chain, ..)) => self.chain(id, chain, span),
                None => {
                    let Operator::Strict(op) = operator else {
                        return self.chain(id, Chain::And, span);
                    };
                    let (left, right) = (value(self, left), value(self, right));
                    let span = match op {
                        BinaryOp::Divide | BinaryOp::Remainder => at,
                        _ => span,
                    };
                    self.builder.binary(op, left, right, span)
                }
            },
        }
    }

    /// Translates a whole chain whose outermost link is `id`.
    fn chain(&mut self, id: ExprId, chain: Chain, span: Span) -> NodeId {
        let mut parts: Vec<NodeId> = Vec::new();
        // Links to visit, and whether their terms are subtracted.
        let mut pending = vec![(id, false)];
        while let Some((id, minus)) = pending.pop() {
            let expr = self.script.expr(id);
            match chain_of(&expr.kind) {
                Some((kind, left, right)) if kind == chain => {
                    let subtracts = matches!(
                        expr.kind,
                        ExprKind::Binary(Operator::Strict(BinaryOp::Subtract), ..)
                    );
                    pending.push((right, minus ^ subtracts));
                    pending.push((left, minus));
                }
                _ => {
                    let value = self.values[id.index()];
                    parts.push(if minus {
                        self.builder.negate(value, expr.span)
                    } else {
                        value
                    });
                }
            }
        }
        match chain {
            Chain::And => self.builder.list(&parts, true, span),
            Chain::Or => self.builder.list(&parts, false, span),
            Chain::Sum => self.balanced(parts, BinaryOp::Add, span),
            Chain::Product => self.balanced(parts, BinaryOp::Multiply, span),
        }
    }

    /// Joins the parts pairwise until one is left. The order of evaluation stays, and the grouping does not change the result of
    /// wrapping addition and multiplication.
    fn balanced(&mut self, mut parts: Vec<NodeId>, op: BinaryOp, span: Span) -> NodeId {
        // A short chain is grouped from the left, as it is read.
        if parts.len() <= 8 {
            let mut parts = parts.into_iter();
            let first = parts.next().unwrap_or(NodeId(0));
            return parts.fold(first, |left, right| self.join(op, left, right, span));
        }
        while parts.len() > 1 {
            parts = parts
                .chunks(2)
                .map(|pair| match *pair {
                    [left, right] => self.join(op, left, right, span),
                    _ => pair[0],
                })
                .collect();
        }
        parts[0]
    }

    /// Returns `a + b`, or `a - b` if b is a negation.
    fn join(&mut self, op: BinaryOp, left: NodeId, right: NodeId, span: Span) -> NodeId {
        match (op, self.builder.plan.node(right)) {
            (BinaryOp::Add, &Node::Negate(inner)) => {
                self.builder.binary(BinaryOp::Subtract, left, inner, span)
            }
            _ => self.builder.binary(op, left, right, span),
        }
    }
}

/// Reports E801 and E802 for divisions that are evaluated for every deal and always fail.
pub(crate) fn report_certain_failures(plan: &Plan, reports: &mut Reports) {
    let mut pending: Vec<NodeId> = plan.condition.into_iter().collect();
    for action in &plan.actions {
        action.for_each_value(|id| pending.push(id));
    }
    let mut seen = vec![false; plan.nodes.len()];
    while let Some(id) = pending.pop() {
        if std::mem::replace(&mut seen[id.index()], true) || !plan.facts_of(id).can_fail {
            continue;
        }
        match plan.node(id) {
            &Node::Binary { op, left, right } => {
                let facts = plan.facts_of(id);
                let constant = |id: NodeId| match plan.node(id) {
                    Node::Constant(value) => Some(*value),
                    _ => None,
                };
                if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) {
                    let report = match (constant(left), constant(right)) {
                        (_, Some(0)) => Report::error("E801", facts.span, "division by zero"),
                        (Some(i32::MIN), Some(-1)) => Report::error(
                            "E802",
                            facts.span,
                            "the quotient of -2147483648 and -1 does not fit in 32 bits",
                        ),
                        _ => {
                            pending.extend([right, left]);
                            continue;
                        }
                    };
                    reports.add(report);
                }
                pending.extend([right, left]);
            }
            // Only the test is always evaluated.
            Node::Choose { test, .. } => pending.push(*test),
            Node::And(items) | Node::Or(items) => pending.extend(items.first()),
            other => other.for_each_operand(|id| pending.push(id)),
        }
    }
}
