//! Decides which random values can be columns.
//!
//! The draws of a deal are made in the order in which its values are evaluated, and a value that occurs twice is drawn
//! twice. So every occurrence gets a column of its own, in that order. This is possible only if every deal makes the
//! same draws: not behind `and`, `or` and `?:`, not with limits that differ between deals, and not if an expression
//! that is evaluated deal by deal draws too.

use script::plan::{Mode, Node, NodeId};

use super::{Builder, MAX_NEEDS, Target};
use crate::action_inputs::{ActionInputs, Quantity};
use crate::batch::draw::Draw;
use crate::batch::operation::{ColumnId, Filled, Operation};

/// Maximum number of parts of a random expression in columns. Each use of a random variable needs columns of its own,
/// so variables that use each other twice would need exponentially many.
const MAX_PARTS: usize = 200;

impl Builder<'_> {
    /// Returns whether all random values can be columns.
    pub(super) fn can_draw(&self, tail: &[NodeId], action_inputs: &[ActionInputs]) -> bool {
        let quantities = action_inputs.iter().flat_map(|inputs| &inputs.quantities);
        let mut values = quantities.filter_map(|quantity| match quantity {
            Quantity::Value(node) if self.is_random(*node) => Some(*node),
            _ => None,
        });
        let mut parts = MAX_PARTS;
        let plan = self.prepared.plan;
        // Either all draws are columns or none is, so there must be room for all columns that are defined later. A node
        // needs at most two.
        let columns = self.definitions.len() + 2 * (plan.nodes.len() + MAX_PARTS);
        let values_of_all = action_inputs
            .iter()
            .map(|inputs| inputs.quantities.len())
            .sum::<usize>();
        let roomy = columns < self.most && self.needed + values_of_all * columns < MAX_NEEDS;
        plan.mode == Mode::Native
            && roomy
            && !tail.iter().any(|&part| self.is_random(part))
            && values.all(|node| self.is_steady(node, &mut parts))
    }

    pub(super) fn is_random(&self, node: NodeId) -> bool {
        self.prepared.plan.facts_of(node).random
    }

    /// Returns the limit of a draw, if it is equal for every deal.
    pub(super) fn constant(&self, limit: NodeId) -> Option<i32> {
        match self.prepared.plan.node(limit) {
            // `rnd(0)` does not draw: it is the number of deals produced so far.
            &Node::Constant(limit) if limit != 0 => Some(limit),
            _ => None,
        }
    }

    /// Returns whether a random value makes the same draws for every deal and can otherwise be computed in columns.
    fn is_steady(&self, id: NodeId, parts: &mut usize) -> bool {
        let plan = self.prepared.plan;
        *parts = parts.saturating_sub(1);
        if *parts == 0 || plan.facts_of(id).can_fail {
            return false;
        }
        if !self.is_random(id) {
            let mut steady = self.can_be_column(id);
            plan.node(id)
                .for_each_operand(|operand| steady = steady && self.is_steady(operand, parts));
            return steady;
        }
        match *plan.node(id) {
            Node::Rnd(limit) => self.constant(limit).is_some(),
            Node::Not(x) | Node::Negate(x) | Node::Abs(x) | Node::Imps(x) => {
                self.is_steady(x, parts)
            }
            Node::Score { tricks, .. } => self.is_steady(tricks, parts),
            // The column of an operand is found by its node, so two random operands must be different nodes.
            Node::Binary { left, right, .. } => {
                left != right && self.is_steady(left, parts) && self.is_steady(right, parts)
            }
            _ => false,
        }
    }

    /// Returns the columns needed for one occurrence of a random value that [`can_draw`](Self::can_draw) accepted.
    pub(super) fn drawing_target(&mut self, node: NodeId) -> Option<Target> {
        let column = self.drawing_column(node)?;
        self.by_node.insert(node, Some(column));
        let target = self.target(node);
        self.by_node.remove(&node);
        target
    }

    fn drawing_column(&mut self, id: NodeId) -> Option<ColumnId> {
        if !self.is_random(id) {
            return self.column(id);
        }
        let node = self.prepared.plan.node(id);
        let mut operands = Vec::new();
        if !matches!(node, Node::Rnd(_)) {
            node.for_each_operand(|operand| operands.push(operand));
        }
        // The order of the scalar machine. One variable may occur below two of the operands.
        let mut columns = Vec::new();
        for &operand in &operands {
            columns.push(self.drawing_column(operand)?);
        }
        for (&operand, &column) in operands.iter().zip(&columns) {
            self.by_node.insert(operand, Some(column));
        }
        let column = self.definition(id);
        for operand in operands {
            if self.is_random(operand) {
                self.by_node.remove(&operand);
            }
        }
        if let Operation::Filled(Filled::Draw(limit), _) = self.definitions[column].operation {
            self.draws.push(Draw { column, limit });
        }
        Some(column)
    }
}

#[cfg(test)]
mod tests {
    use script::ScriptSource;

    use crate::action_inputs::action_inputs;
    use crate::batch::BatchPlan;
    use crate::outcome::Options;
    use crate::prepared::PreparedPlan;

    /// Returns how many columns a script draws, and how many of its values are left to the scalar machine.
    fn draws_and_scalars(text: &str) -> (usize, usize) {
        let (plan, _) = script::compile(&ScriptSource::new("test", text), &Default::default())
            .unwrap_or_else(|errors| panic!("{}", errors[0].render()));
        let options = Options::default();
        let prepared = PreparedPlan::new(&plan, &options);
        let batch = BatchPlan::for_run(&prepared, &action_inputs(&plan), options.path);
        (batch.draws.len(), batch.scalars())
    }

    #[test]
    fn a_draw_that_every_deal_makes_is_a_column() {
        for (text, expected) in [
            ("action average rnd(100)", (1, 0)),
            ("x = rnd(6)  action average x, average x", (2, 0)),
            (
                "x = rnd(6)  action average x + hcp(north) * (1 - x)",
                (2, 0),
            ),
            (
                "condition hcp(north) > 9  action printes(rnd(3) == 1, opc(NS))",
                (1, 0),
            ),
            ("action average rnd(10), average 100 / hcp(north)", (1, 1)),
        ] {
            assert_eq!(draws_and_scalars(text), expected, "{text}");
        }
    }

    #[test]
    fn draws_that_differ_between_deals_are_not_columns() {
        for (text, scalars) in [
            ("action average rnd(2) and rnd(3)", 1),
            ("action average hcp(north) > 9 ? rnd(2) : 0", 1),
            ("action average rnd(hcp(north) + 1)", 1),
            ("action average rnd(10), average 100 / rnd(10)", 2),
            ("x = rnd(6)  action average x + x, average hcp(north)", 1),
            ("condition rnd(3) > 0  action average rnd(10)", 1),
        ] {
            assert_eq!(draws_and_scalars(text), (0, scalars), "{text}");
        }
    }
}
