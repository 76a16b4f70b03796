//! Compiles a plan's nodes to columns: which nodes can be columns, and the order of their computation.

mod definition;
mod draws;

use std::collections::HashMap;

use cards::{BySeat, Side};
use script::plan::{Node, NodeId};
use shuffle::ShufflePath;

use super::draw::Draw;
use super::operation::{ColumnDefinition, ColumnId, Filled, Operation};
use super::side::{SideCalls, SideColumns, SideValue};
use super::slots::ColumnSlots;
use crate::action_inputs::{ActionInputs, Quantity};
use crate::prepared::PreparedPlan;

/// Maximum number of columns; expressions that need more are evaluated deal by deal. It limits the memory of columns
/// that several parts of a script read and that therefore cannot share slots.
pub const MAX_COLUMNS: usize = 200_000;

/// Maximum number of columns that all parts of a script need, where a column used by several parts counts for each of
/// them. It limits memory and the time of compilation.
pub(super) const MAX_NEEDS: usize = 4_000_000;

/// Maximum number of columns in [`BatchPlan::new`]. The estimated cost of columns decides whether the sampler is used,
/// so this limit affects which deals are dealt.
const MAX_COLUMNS_OF_A_CHOICE: usize = 20_000;

/// A column to compute, with all columns that it needs.
pub(super) struct Target {
    pub column: ColumnId,
    /// The needed columns in ascending order, the target itself last.
    pub needs: Box<[ColumnId]>,
    /// Planes that these columns read.
    pub planes: u16,
    pub cost: u32,
    /// Number of values of partnerships that the column needs.
    pub side_calls: SideCalls,
}

/// A plan compiled for evaluation in blocks.
pub struct BatchPlan {
    pub(super) definitions: Vec<ColumnDefinition>,
    pub(super) side_groups: Vec<SideColumns>,
    pub(super) places: ColumnSlots,
    /// The parts of the condition that are columns, in source order.
    pub(super) conjuncts: Vec<Target>,
    /// The remaining parts, in the order in which they must be evaluated.
    pub(crate) tail: Vec<NodeId>,
    /// The distinct values that actions need and that are columns.
    pub(super) outputs: Vec<Target>,
    /// The columns that are drawn for each deal, in the order of the draws.
    pub(super) draws: Vec<Draw>,
    /// For each action, the sources of its numbers.
    pub(crate) action_inputs: Vec<Vec<ValueSource>>,
    pub(super) path: ShufflePath,
}

/// The source of a number that an action needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueSource {
    /// Output column with this number.
    Column(usize),
    /// The scalar machine.
    Scalar(Quantity),
}

impl BatchPlan {
    /// Compiles the plan's condition and the inputs of its actions for a cost estimate, without columns for values of
    /// partnerships.
    #[must_use]
    pub(crate) fn new(
        prepared: &PreparedPlan<'_>,
        action_inputs: &[ActionInputs],
        path: ShufflePath,
    ) -> Self {
        let builder = Builder::new(prepared, false, MAX_COLUMNS_OF_A_CHOICE);
        BatchPlan::from_builder(builder, action_inputs, path)
    }

    /// Compiles the condition for a cost estimate that includes values of partnerships.
    #[must_use]
    pub(crate) fn with_sides(prepared: &PreparedPlan<'_>, path: ShufflePath) -> Self {
        let builder = Builder::new(prepared, true, MAX_COLUMNS_OF_A_CHOICE);
        BatchPlan::from_builder(builder, &[], path)
    }

    /// Compiles the plan for a run, with as many columns as possible.
    #[must_use]
    pub(crate) fn for_run(
        prepared: &PreparedPlan<'_>,
        action_inputs: &[ActionInputs],
        path: ShufflePath,
    ) -> Self {
        BatchPlan::from_builder(
            Builder::new(prepared, true, MAX_COLUMNS),
            action_inputs,
            path,
        )
    }

    fn from_builder(
        mut builder: Builder<'_>,
        action_inputs: &[ActionInputs],
        path: ShufflePath,
    ) -> Self {
        let (conjuncts, tail) = builder.condition();
        builder.open = [None; 2];
        let mut outputs: Vec<Target> = Vec::new();
        let mut known: HashMap<NodeId, usize> = HashMap::new();
        let draws = builder.can_draw(&tail, action_inputs);
        let mut origins = Vec::with_capacity(action_inputs.len());
        for inputs in action_inputs {
            let quantities = inputs.quantities.iter();
            let list = quantities.map(|&quantity| match quantity {
                Quantity::Value(node) => builder
                    .output(node, draws, &mut outputs, &mut known)
                    .map_or(ValueSource::Scalar(quantity), ValueSource::Column),
                Quantity::Tricks(..) => ValueSource::Scalar(quantity),
            });
            origins.push(list.collect());
        }
        let prepared = builder.prepared;
        let side_groups = builder.side_groups.iter();
        BatchPlan {
            places: ColumnSlots::new(&builder.definitions, conjuncts.iter().chain(&outputs)),
            side_groups: side_groups
                .map(|(side, values)| SideColumns::new(prepared, *side, values))
                .collect(),
            definitions: builder.definitions,
            conjuncts,
            tail,
            outputs,
            draws: builder.draws,
            action_inputs: origins,
            path,
        }
    }

    /// Returns the estimated nanoseconds for the condition's columns on a block of 1024 deals if none is rejected
    /// early.
    pub(crate) fn cost(&self) -> u64 {
        self.conjuncts.iter().map(|part| u64::from(part.cost)).sum()
    }

    /// Returns the estimated nanoseconds for the columns of the actions on a block of 1024 deals if all are produced.
    pub(crate) fn cost_of_outputs(&self) -> u64 {
        self.outputs.iter().map(|part| u64::from(part.cost)).sum()
    }

    /// Returns whether some part of the condition is a column.
    pub(crate) fn has_columns(&self) -> bool {
        !self.conjuncts.is_empty()
    }

    /// Returns how many numbers of each produced deal come from the scalar machine.
    pub(crate) fn scalars(&self) -> usize {
        let wanted = self.action_inputs.iter().flatten();
        wanted
            .filter(|origin| matches!(origin, ValueSource::Scalar(_)))
            .count()
    }
}

/// Returns, for each node, whether evaluating it (operands included) calls the double-dummy solver or a robot.
pub(crate) fn solving_nodes(nodes: &[Node]) -> Vec<bool> {
    let mut solving = vec![false; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let mut side_calls = matches!(
            node,
            Node::Tricks(..)
                | Node::LeadTricks(..)
                | Node::TricksAtLeast(..)
                | Node::Par(..)
                | Node::Auction(_)
        );
        node.for_each_operand(|operand| side_calls |= solving[operand.index()]);
        solving[index] = side_calls;
    }
    solving
}

struct Builder<'a> {
    prepared: &'a PreparedPlan<'a>,
    definitions: Vec<ColumnDefinition>,
    by_node: HashMap<NodeId, Option<ColumnId>>,
    keys: BySeat<Option<ColumnId>>,
    /// Whether values of partnerships become columns.
    sides: bool,
    most: usize,
    /// Estimated number of columns held at once to compute each node.
    held: Vec<u32>,
    /// The values of a partnership that are needed at one place.
    side_groups: Vec<(Side, Vec<(ColumnId, SideValue)>)>,
    /// For each partnership, the group of values at the place that is being compiled.
    open: [Option<usize>; 2],
    draws: Vec<Draw>,
    /// The last visit of each column, the number of visits, and the columns needed by all targets so far.
    visited: Vec<u32>,
    visits: u32,
    needed: usize,
}

impl<'a> Builder<'a> {
    fn new(prepared: &'a PreparedPlan<'a>, sides: bool, most: usize) -> Self {
        Builder {
            prepared,
            definitions: Vec::new(),
            by_node: HashMap::new(),
            keys: BySeat::default(),
            sides,
            most,
            held: held(&prepared.plan.nodes),
            side_groups: Vec::new(),
            open: [None; 2],
            draws: Vec::new(),
            visited: Vec::new(),
            visits: 0,
            needed: 0,
        }
    }

    /// Splits the condition into columns and the rest.
    ///
    /// A part may be evaluated earlier than written only if neither it nor any part that it overtakes can fail:
    /// otherwise a division by zero could appear or disappear. Parts with `rnd` keep their relative order. Draws belong
    /// to the deal, so rejecting a deal before it draws does not affect other deals.
    fn condition(&mut self) -> (Vec<Target>, Vec<NodeId>) {
        let plan = self.prepared.plan;
        let parts = conjuncts(&plan.nodes, plan.condition);
        let solving = solving_nodes(&plan.nodes);
        let (mut columns, mut tail) = (Vec::new(), Vec::new());
        let mut failing = false;
        for part in parts {
            failing |= plan.facts_of(part).can_fail;
            self.open = [None; 2];
            let target = if failing { None } else { self.target(part) };
            match target {
                Some(target) => columns.push(target),
                None => tail.push(part),
            }
        }
        if !failing {
            // The solver is called last, for the cheapest part first.
            tail.sort_by_key(|part| match solving[part.index()] {
                true => plan.facts_of(*part).cost.max(1),
                false => 0,
            });
        }
        (columns, tail)
    }

    /// Returns the number of the output for a value that an action needs, if it can be a column. `draws` is whether
    /// random values can be columns. An output that is not among `known` is added.
    fn output(
        &mut self,
        node: NodeId,
        draws: bool,
        outputs: &mut Vec<Target>,
        known: &mut HashMap<NodeId, usize>,
    ) -> Option<usize> {
        if let Some(&output) = known.get(&node) {
            return Some(output);
        }
        let random = self.is_random(node);
        let target = match random && draws {
            true => self.drawing_target(node),
            false => self.target(node),
        };
        outputs.push(target?);
        // A random value is drawn anew for each use.
        if !random {
            known.insert(node, outputs.len() - 1);
        }
        Some(outputs.len() - 1)
    }

    /// Returns the columns needed for a node, if it can be computed in columns.
    fn target(&mut self, node: NodeId) -> Option<Target> {
        let column = self.column(node)?;
        let needs = self.needs(column)?;
        let (mut planes, mut cost) = (0, 0u32);
        let mut side_calls = SideCalls::default();
        for &id in &needs {
            let definition = &self.definitions[id];
            planes |= definition.operation.planes();
            cost = cost.saturating_add(definition.cost);
            if let Operation::Filled(Filled::SideValue { value, .. }, _) = &definition.operation {
                side_calls.note(value);
            }
        }
        Some(Target {
            column,
            needs: needs.into(),
            planes,
            cost,
            side_calls,
        })
    }

    /// Returns the columns that a column needs, itself included, in ascending order; `None` if all targets together
    /// would need too many.
    fn needs(&mut self, column: ColumnId) -> Option<Vec<ColumnId>> {
        if self.needed > MAX_NEEDS {
            return None;
        }
        self.visits += 1;
        self.visited.resize(self.definitions.len(), 0);
        let mut needs = vec![column];
        self.visited[column] = self.visits;
        let mut next = 0;
        while let Some(&id) = needs.get(next) {
            next += 1;
            self.definitions[id].operation.for_inputs(|input| {
                if std::mem::replace(&mut self.visited[input], self.visits) != self.visits {
                    needs.push(input);
                }
            });
        }
        self.needed += needs.len();
        needs.sort_unstable();
        (self.needed <= MAX_NEEDS).then_some(needs)
    }

    /// Returns the column of a node. Operands get their columns first, without recursion.
    fn column(&mut self, root: NodeId) -> Option<ColumnId> {
        let mut stack = vec![(root, false)];
        let mut operands = Vec::new();
        while let Some((id, ready)) = stack.pop() {
            if self.by_node.contains_key(&id) {
                continue;
            }
            if !ready {
                if !self.can_be_column(id) {
                    self.by_node.insert(id, None);
                    continue;
                }
                stack.push((id, true));
                let node = self.prepared.plan.node(id);
                node.for_each_operand(|operand| operands.push(operand));
                // The operand that holds most columns comes first, so that fewer columns are held while it is computed.
                operands.sort_by_key(|operand| std::cmp::Reverse(self.held[operand.index()]));
                stack.extend(operands.drain(..).rev().map(|operand| (operand, false)));
                continue;
            }
            let mut possible = self.definitions.len() + 2 <= self.most;
            self.prepared.plan.node(id).for_each_operand(|operand| {
                possible &= matches!(self.by_node.get(&operand), Some(Some(_)));
            });
            let column = if possible {
                Some(self.definition(id))
            } else {
                None
            };
            self.by_node.insert(id, column);
        }
        self.by_node[&root]
    }

    /// Returns whether the node itself, apart from its operands, can be a column: `definition` has an arm for it. The
    /// scalar machine evaluates all other nodes.
    fn can_be_column(&self, id: NodeId) -> bool {
        let facts = self.prepared.plan.facts_of(id);
        if facts.random || facts.can_fail {
            return false;
        }
        match self.prepared.plan.node(id) {
            node @ (Node::Opc(..) | Node::UserEval { .. }) => {
                self.sides && SideValue::of(self.prepared, node).is_some()
            }
            Node::Constant(_)
            | Node::Length(..)
            | Node::Count { .. }
            | Node::Losers { .. }
            | Node::HasCard(..)
            | Node::Shape(..)
            | Node::HandValue { .. }
            | Node::Estimate(..)
            | Node::Score { .. }
            | Node::Imps(_)
            | Node::Abs(_)
            | Node::Not(_)
            | Node::Negate(_)
            | Node::Binary { .. }
            | Node::And(_)
            | Node::Or(_)
            | Node::Choose { .. } => true,
            _ => false,
        }
    }

    fn of(&self, node: NodeId) -> ColumnId {
        self.by_node[&node].expect("operands have columns already")
    }

    fn push(&mut self, definition: ColumnDefinition) -> ColumnId {
        self.definitions.push(definition);
        self.definitions.len() - 1
    }
}

/// Returns how many columns are held at once to compute each node if the operand that holds most comes first.
fn held(nodes: &[Node]) -> Vec<u32> {
    let mut held = vec![1u32; nodes.len()];
    let mut operands = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        node.for_each_operand(|operand| operands.push(held[operand.index()]));
        operands.sort_unstable_by(|a, b| b.cmp(a));
        let most = (0..).zip(operands.drain(..)).map(|(kept, of)| of + kept);
        held[index] = most.max().unwrap_or(1);
    }
    held
}

/// Returns the terms of the condition's top-level `and` in source order, with nested ones flattened.
pub(crate) fn conjuncts(nodes: &[Node], condition: Option<NodeId>) -> Vec<NodeId> {
    let mut parts = Vec::new();
    let mut stack: Vec<NodeId> = condition.into_iter().collect();
    while let Some(id) = stack.pop() {
        match &nodes[id.index()] {
            Node::And(terms) => stack.extend(terms.iter().rev()),
            _ => parts.push(id),
        }
    }
    parts
}
