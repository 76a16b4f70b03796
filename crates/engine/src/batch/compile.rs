//! From a plan's nodes to columns: which nodes can be columns, and in what order they are computed.

mod draws;
mod recipe;

use std::collections::HashMap;

use cards::{BySeat, Side};
use script::plan::{Node, NodeId};
use shuffle::Path;

use super::draw::Draw;
use super::operation::{ColumnId, Operation, Recipe, for_inputs};
use super::places::Places;
use super::side::{Asks, Panel, SideValue};
use crate::prepared::Prepared;
use crate::wanted::{Quantity, Wish};

/// What needs more columns than this is evaluated deal by deal: a limit of memory for columns that several parts of a
/// script read, which cannot share theirs.
pub const MAX_COLUMNS: usize = 200_000;

/// Columns that all parts of a script need, those that several parts share counted for each: a limit of memory, and of
/// the time that it takes to find them.
pub(super) const MOST_NEEDS: usize = 4_000_000;

/// The same where what columns cost decides which deals come out.
const MAX_COLUMNS_OF_A_CHOICE: usize = 20_000;

/// A set of columns, computed in ascending order, of which the last is the result.
pub(super) struct Target {
    pub column: ColumnId,
    /// The columns it needs, itself included, operands first.
    pub needs: Box<[ColumnId]>,
    /// Planes they read.
    pub planes: u16,
    pub cost: u32,
    /// How often it asks for values of sides.
    pub asks: Asks,
}

/// A plan taken apart for evaluation in blocks.
pub struct BatchPlan {
    pub(super) recipes: Vec<Recipe>,
    pub(super) panels: Vec<Panel>,
    pub(super) places: Places,
    /// The parts of the condition that are columns, in source order.
    pub(super) conjuncts: Vec<Target>,
    /// The other parts, in the order in which they must be evaluated.
    pub(crate) tail: Vec<NodeId>,
    /// The distinct values that actions want and that are columns.
    pub(super) outputs: Vec<Target>,
    /// The columns that are drawn for each deal, in the order of the draws.
    pub(super) draws: Vec<Draw>,
    /// For each action, where its numbers come from.
    pub(crate) wishes: Vec<Vec<Origin>>,
    pub(super) path: Path,
}

/// Where a number that an action wants comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Output column with this number.
    Column(usize),
    /// The scalar machine.
    Scalar(Quantity),
}

impl BatchPlan {
    /// Takes the plan's condition and the wishes of its actions apart, for those who weigh what it costs: values of sides
    /// are no columns here.
    #[must_use]
    pub(crate) fn new(prepared: &Prepared<'_>, wishes: &[Wish], path: Path) -> Self {
        let builder = Builder::new(prepared, false, MAX_COLUMNS_OF_A_CHOICE);
        BatchPlan::from_builder(builder, wishes, path)
    }

    /// The same for those who weigh values of sides too.
    #[must_use]
    pub(crate) fn with_sides(prepared: &Prepared<'_>, path: Path) -> Self {
        let builder = Builder::new(prepared, true, MAX_COLUMNS_OF_A_CHOICE);
        BatchPlan::from_builder(builder, &[], path)
    }

    /// The same with everything in columns that can be, for those who run it.
    #[must_use]
    pub(crate) fn for_run(prepared: &Prepared<'_>, wishes: &[Wish], path: Path) -> Self {
        BatchPlan::from_builder(Builder::new(prepared, true, MAX_COLUMNS), wishes, path)
    }

    fn from_builder(mut builder: Builder<'_>, wishes: &[Wish], path: Path) -> Self {
        let (conjuncts, tail) = builder.condition();
        builder.open = [None; 2];
        let mut outputs: Vec<Target> = Vec::new();
        let mut known: HashMap<NodeId, usize> = HashMap::new();
        let draws = builder.can_draw(&tail, wishes);
        let mut origins = Vec::with_capacity(wishes.len());
        for wish in wishes {
            let quantities = wish.quantities.iter();
            let list = quantities.map(|&quantity| match quantity {
                Quantity::Value(node) => builder
                    .output(node, draws, &mut outputs, &mut known)
                    .map_or(Origin::Scalar(quantity), Origin::Column),
                Quantity::Tricks(..) => Origin::Scalar(quantity),
            });
            origins.push(list.collect());
        }
        let prepared = builder.prepared;
        let panels = builder.panels.iter();
        BatchPlan {
            places: Places::new(&builder.recipes, conjuncts.iter().chain(&outputs)),
            panels: panels
                .map(|(side, values)| Panel::new(prepared, *side, values))
                .collect(),
            recipes: builder.recipes,
            conjuncts,
            tail,
            outputs,
            draws: builder.draws,
            wishes: origins,
            path,
        }
    }

    /// Nanoseconds for the parts of the condition that are columns on a block of 1024 deals, if none is rejected early.
    pub(crate) fn cost(&self) -> u64 {
        self.conjuncts.iter().map(|part| u64::from(part.cost)).sum()
    }

    /// Nanoseconds for the columns that actions want of a block of 1024 deals, if all are produced.
    pub(crate) fn cost_of_outputs(&self) -> u64 {
        self.outputs.iter().map(|part| u64::from(part.cost)).sum()
    }

    /// Whether some part of the condition is a column.
    pub(crate) fn has_columns(&self) -> bool {
        !self.conjuncts.is_empty()
    }

    /// How many numbers of each produced deal come from the scalar machine.
    pub(crate) fn scalars(&self) -> usize {
        let wanted = self.wishes.iter().flatten();
        wanted
            .filter(|origin| matches!(origin, Origin::Scalar(_)))
            .count()
    }
}

/// Whether evaluating the node asks the double-dummy solver: `Vec` by node, operands included.
pub(crate) fn solving_nodes(nodes: &[Node]) -> Vec<bool> {
    let mut solving = vec![false; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let mut asks = matches!(
            node,
            Node::Tricks(..) | Node::LeadTricks(..) | Node::TricksAtLeast(..) | Node::Par(..)
        );
        node.for_each_operand(|operand| asks |= solving[operand.index()]);
        solving[index] = asks;
    }
    solving
}

struct Builder<'a> {
    prepared: &'a Prepared<'a>,
    recipes: Vec<Recipe>,
    by_node: HashMap<NodeId, Option<ColumnId>>,
    keys: BySeat<Option<ColumnId>>,
    /// Whether values of sides are columns, and how many columns there may be.
    sides: bool,
    most: usize,
    /// How many columns are held at once to compute each node, roughly.
    held: Vec<u32>,
    /// What is wanted of a side at one place.
    panels: Vec<(Side, Vec<(ColumnId, SideValue)>)>,
    /// The panel of each side at the place that is being taken apart.
    open: [Option<usize>; 2],
    draws: Vec<Draw>,
    /// The last visit of each column, the number of visits, and the columns needed by all targets so far.
    visited: Vec<u32>,
    visits: u32,
    needed: usize,
}

impl<'a> Builder<'a> {
    fn new(prepared: &'a Prepared<'a>, sides: bool, most: usize) -> Self {
        Builder {
            prepared,
            recipes: Vec::new(),
            by_node: HashMap::new(),
            keys: BySeat::default(),
            sides,
            most,
            held: held(&prepared.plan.nodes),
            panels: Vec::new(),
            open: [None; 2],
            draws: Vec::new(),
            visited: Vec::new(),
            visits: 0,
            needed: 0,
        }
    }

    /// Splits the condition into columns and the rest.
    ///
    /// A part may be evaluated earlier than written only if neither it nor any part it overtakes can fail:
    /// otherwise a division by zero could appear or disappear. Parts with `rnd` keep their order among each
    /// other; draws belong to the deal, so a deal rejected before drawing shows nothing.
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
            // The solver is asked last, the cheapest question first.
            tail.sort_by_key(|part| match solving[part.index()] {
                true => plan.facts_of(*part).cost.max(1),
                false => 0,
            });
        }
        (columns, tail)
    }

    /// The number of the output for a value that an action wants, if it can be a column; `draws` says whether what is drawn
    /// can. The output is new unless it is among the `known`.
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
        // What is drawn is drawn again for whoever asks next.
        if !random {
            known.insert(node, outputs.len() - 1);
        }
        Some(outputs.len() - 1)
    }

    /// The columns needed for a node, if it can be computed in columns.
    fn target(&mut self, node: NodeId) -> Option<Target> {
        let column = self.column(node)?;
        let needs = self.needs(column)?;
        let (mut planes, mut cost) = (0, 0u32);
        let mut asks = Asks::default();
        for &id in &needs {
            let recipe = &self.recipes[id];
            planes |= recipe.planes;
            cost = cost.saturating_add(recipe.cost);
            if let Operation::SideValue { value, .. } = &recipe.operation {
                asks.note(value);
            }
        }
        Some(Target {
            column,
            needs: needs.into(),
            planes,
            cost,
            asks,
        })
    }

    /// The columns that a column needs, itself included, in ascending order; nothing if all targets together would need
    /// too many.
    fn needs(&mut self, column: ColumnId) -> Option<Vec<ColumnId>> {
        if self.needed > MOST_NEEDS {
            return None;
        }
        self.visits += 1;
        self.visited.resize(self.recipes.len(), 0);
        let mut needs = vec![column];
        self.visited[column] = self.visits;
        let mut next = 0;
        while let Some(&id) = needs.get(next) {
            next += 1;
            for_inputs(&self.recipes[id].operation, |input| {
                if std::mem::replace(&mut self.visited[input], self.visits) != self.visits {
                    needs.push(input);
                }
            });
        }
        self.needed += needs.len();
        needs.sort_unstable();
        (self.needed <= MOST_NEEDS).then_some(needs)
    }

    /// The column of a node; operands get theirs first, without recursion.
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
                // What holds most columns comes first, else the others would wait for it.
                operands.sort_by_key(|operand| std::cmp::Reverse(self.held[operand.index()]));
                stack.extend(operands.drain(..).rev().map(|operand| (operand, false)));
                continue;
            }
            let mut possible = self.recipes.len() + 2 <= self.most;
            self.prepared.plan.node(id).for_each_operand(|operand| {
                possible &= matches!(self.by_node.get(&operand), Some(Some(_)));
            });
            let column = if possible {
                Some(self.recipe(id))
            } else {
                None
            };
            self.by_node.insert(id, column);
        }
        self.by_node[&root]
    }

    /// Whether the node itself (its operands aside) is something for columns.
    fn can_be_column(&self, id: NodeId) -> bool {
        let facts = self.prepared.plan.facts_of(id);
        if facts.random || facts.can_fail {
            return false;
        }
        match self.prepared.plan.node(id) {
            node @ (Node::Opc(..) | Node::UserEval { .. }) => {
                self.sides && SideValue::of(self.prepared, node).is_some()
            }
            Node::Tricks(..)
            | Node::LeadTricks(..)
            | Node::TricksAtLeast(..)
            | Node::Par(..)
            | Node::Rnd(_) => false,
            _ => true,
        }
    }

    fn of(&self, node: NodeId) -> ColumnId {
        self.by_node[&node].expect("operands were made first")
    }

    fn push(&mut self, recipe: Recipe) -> ColumnId {
        self.recipes.push(recipe);
        self.recipes.len() - 1
    }
}

/// How many columns are held at once to compute each node if the operand that holds most comes first.
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

/// The terms of the condition's top-level `and`, nested ones flattened, in source order.
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
