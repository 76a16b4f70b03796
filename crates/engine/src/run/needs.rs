//! The values that a run has to compute, determined before it starts.

use cards::Strain;
use script::plan::{Node, NodeId, Plan};
use solver::SeatSet;

use crate::action_inputs::{ActionInputs, Quantity, action_inputs, starts};
use crate::batch::solving_nodes;
use crate::outcome::Options;
use crate::prepared::PreparedPlan;
use crate::scalar::Program;

/// The values that a run has to compute.
pub(super) struct Needs {
    /// The inputs of each action.
    pub action_inputs: Vec<ActionInputs>,
    /// Where the numbers of each action begin among all numbers of a deal, and the end of the last.
    pub starts: Vec<usize>,
    /// The condition and all inputs of actions, compiled.
    pub program: Program,
    /// Whether produced deals go to a sink one by one.
    pub deals: bool,
    /// The declarers whose double-dummy results in all strains each produced deal needs.
    pub tables: SeatSet,
    /// The double-dummy results that the actions need of every produced deal, by strain. Solving them together costs
    /// much less than one by one.
    pub together: [SeatSet; 5],
    /// Whether the condition or an action needs the double-dummy solver.
    pub solves: bool,
    /// Whether the condition or an action contains `rnd`.
    pub draws: bool,
    /// Whether `rnd(0)`, the number of deals produced so far, can occur; if so, deals must be evaluated in order.
    pub counts_produced: bool,
}

impl Needs {
    pub fn new(prepared: &PreparedPlan<'_>, options: &Options<'_>, deals: bool) -> Self {
        let plan = prepared.plan;
        let mut action_inputs = action_inputs(plan);
        if !deals {
            // The output of printing actions is not needed here, but their draws affect later draws.
            for inputs in action_inputs.iter_mut().filter(|inputs| inputs.per_deal) {
                inputs.quantities.retain(|quantity| match quantity {
                    Quantity::Value(node) => plan.facts_of(*node).random,
                    Quantity::Tricks(..) => false,
                });
                inputs.table = SeatSet::NONE;
            }
        }
        let starts = starts(&action_inputs);
        let wanted = action_inputs.iter().flat_map(|inputs| &inputs.quantities);
        let values = wanted.clone().filter_map(|quantity| match quantity {
            Quantity::Value(node) => Some(*node),
            Quantity::Tricks(..) => None,
        });
        let parts = crate::batch::conjuncts(&plan.nodes, plan.condition);
        let roots: Vec<NodeId> = plan
            .condition
            .into_iter()
            .chain(parts)
            .chain(values)
            .collect();
        let mut tables = SeatSet::NONE;
        if deals {
            action_inputs
                .iter()
                .for_each(|inputs| tables |= inputs.table);
            if options.solve {
                tables = SeatSet::ALL;
            }
        }
        let together = together(plan, tables, wanted.clone().copied());
        let solving = solving_nodes(&plan.nodes);
        let solves = !tables.is_empty()
            || wanted
                .clone()
                .any(|quantity| matches!(quantity, Quantity::Tricks(..)))
            || roots.iter().any(|root| solving[root.index()]);
        Needs {
            starts,
            program: Program::new(plan, roots.iter().copied()),
            deals,
            tables,
            together,
            solves,
            draws: roots.iter().any(|&root| plan.facts_of(root).random),
            counts_produced: roots.iter().any(|&root| may_count_produced(plan, root)),
            action_inputs,
        }
    }

    /// Returns how many numbers each produced deal needs.
    pub fn values(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }
}

/// Returns whether a plan uses the number of deals produced so far, so that its deals must be evaluated in order.
#[must_use]
pub fn counts_produced(plan: &Plan) -> bool {
    let mut roots: Vec<NodeId> = plan.condition.into_iter().collect();
    for action in &plan.actions {
        action.for_each_value(|node| roots.push(node));
    }
    roots.iter().any(|&root| may_count_produced(plan, root))
}

/// Returns the results that are certainly needed, by strain.
fn together(plan: &Plan, tables: SeatSet, wanted: impl Iterator<Item = Quantity>) -> [SeatSet; 5] {
    let mut found = [tables; 5];
    let mut stack = Vec::new();
    for quantity in wanted {
        match quantity {
            Quantity::Tricks(seat, strain) => found[strain.index()] |= SeatSet::of(seat),
            Quantity::Value(node) => stack.push(node),
        }
    }
    let mut seen = vec![false; plan.nodes.len()];
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        match plan.node(id) {
            Node::Tricks(seat, strain) => found[strain.index()] |= SeatSet::of(*seat),
            Node::Par(..) => return [SeatSet::ALL; Strain::ALL.len()],
            // The operands of these nodes may never be evaluated.
            Node::And(_) | Node::Or(_) | Node::Choose { .. } => {}
            node => node.for_each_operand(|operand| stack.push(operand)),
        }
    }
    found
}

/// Returns whether `rnd(0)` can be evaluated below the node, in a mode in which it is the number of produced deals.
fn may_count_produced(plan: &Plan, root: NodeId) -> bool {
    if plan.mode.is_v1() || !plan.facts_of(root).random {
        return false;
    }
    let mut seen = vec![false; plan.nodes.len()];
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        let node = plan.node(id);
        if let Node::Rnd(argument) = node {
            let facts = plan.facts_of(*argument);
            if facts.min <= 0 && 0 <= facts.max {
                return true;
            }
        }
        node.for_each_operand(|operand| stack.push(operand));
    }
    false
}
