//! What a run has to compute, found out before it starts.

use cards::Strain;
use script::plan::{Node, NodeId, Plan};
use solver::Seats;

use crate::batch::solving_nodes;
use crate::outcome::Options;
use crate::prepared::Prepared;
use crate::scalar::Program;
use crate::wanted::{Quantity, Wish, starts, wishes};

/// The needs of a run.
pub(super) struct Needs {
    /// What each action wants to know about a produced deal.
    pub wishes: Vec<Wish>,
    /// Where each action's numbers begin among all of a deal's numbers; one entry more than actions.
    pub starts: Vec<usize>,
    /// The condition and all wishes, compiled.
    pub program: Program,
    /// Whether produced deals go to a sink one by one.
    pub deals: bool,
    /// The declarers whose double-dummy results in all strains each produced deal needs.
    pub tables: Seats,
    /// The double-dummy results that the actions need of every produced deal, by strain: asked for together they cost
    /// much less than one by one.
    pub together: [Seats; 5],
    /// Whether the condition or a wish asks the double-dummy solver.
    pub solves: bool,
    /// Whether the condition or a wish contains `rnd`.
    pub draws: bool,
    /// Whether `rnd(0)`, the number of deals produced so far, can occur: then deals must be taken in order.
    pub counts_produced: bool,
}

impl Needs {
    pub fn new(prepared: &Prepared<'_>, options: &Options<'_>, deals: bool) -> Self {
        let plan = prepared.plan;
        let mut wishes = wishes(plan);
        if !deals {
            // Nobody looks at what printing actions would print, but what they draw moves later draws.
            for wish in wishes.iter_mut().filter(|wish| wish.per_deal) {
                wish.quantities.retain(|quantity| match quantity {
                    Quantity::Value(node) => plan.facts_of(*node).random,
                    Quantity::Tricks(..) => false,
                });
                wish.table = Seats::NONE;
            }
        }
        let starts = starts(&wishes);
        let wanted = wishes.iter().flat_map(|wish| &wish.quantities);
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
        let mut tables = Seats::NONE;
        if deals {
            wishes.iter().for_each(|wish| tables |= wish.table);
            if options.solve {
                tables = Seats::ALL;
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
            wishes,
        }
    }

    /// Numbers wanted of each produced deal.
    pub fn values(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }
}

/// Whether a run of the plan asks how many deals were produced before, so that its deals must be taken in order.
#[must_use]
pub fn counts_produced(plan: &Plan) -> bool {
    let mut roots: Vec<NodeId> = plan.condition.into_iter().collect();
    for action in &plan.actions {
        action.for_each_value(|node| roots.push(node));
    }
    roots.iter().any(|&root| may_count_produced(plan, root))
}

/// The results that are certainly asked for, by strain.
fn together(plan: &Plan, tables: Seats, wanted: impl Iterator<Item = Quantity>) -> [Seats; 5] {
    let mut found = [tables; 5];
    let mut stack = Vec::new();
    for quantity in wanted {
        match quantity {
            Quantity::Tricks(seat, strain) => found[strain.index()] |= Seats::of(seat),
            Quantity::Value(node) => stack.push(node),
        }
    }
    let mut seen = vec![false; plan.nodes.len()];
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        match plan.node(id) {
            Node::Tricks(seat, strain) => found[strain.index()] |= Seats::of(*seat),
            Node::Par(..) => return [Seats::ALL; Strain::ALL.len()],
            // What stands behind these may never be asked for.
            Node::And(_) | Node::Or(_) | Node::Choose { .. } => {}
            node => node.for_each_operand(|operand| stack.push(operand)),
        }
    }
    found
}

/// Whether `rnd(0)` can be evaluated below the node, in a mode where it is the number of produced deals.
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
