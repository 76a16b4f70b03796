//! The values that the actions of a plan need of a produced deal.

use cards::{Seat, Side, Strain};
use script::plan::{Action, Counted, NodeId, Plan, ReportTerm};
use solver::SeatSet;

/// One number that an action needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// The value of an expression.
    Value(NodeId),
    /// Double-dummy tricks.
    Tricks(Seat, Strain),
}

/// The inputs of one action.
#[derive(Clone, Debug)]
pub(crate) struct ActionInputs {
    /// Numbers that the action needs of a deal, in the order of the script.
    pub quantities: Vec<Quantity>,
    /// Whether the action prints something for each deal; otherwise it collects statistics.
    pub per_deal: bool,
    /// Declarers whose double-dummy results in all strains the action needs.
    pub table: SeatSet,
}

impl ActionInputs {
    fn of(action: &Action) -> ActionInputs {
        let mut quantities = Vec::new();
        action.for_each_value(|node| quantities.push(Quantity::Value(node)));
        if let Some(Counted::EvalContract { side, contract, .. }) = action.counted() {
            let declarer = match side {
                Side::NorthSouth => Seat::South,
                Side::EastWest => Seat::West,
            };
            quantities.push(Quantity::Tricks(declarer, contract.strain));
        }
        let mut table = SeatSet::NONE;
        if let Action::CsvReport(terms) | Action::PrintReport(terms) = action {
            for term in terms {
                table |= match term {
                    ReportTerm::Tricks(seat) => SeatSet::of(*seat),
                    ReportTerm::AllTricks | ReportTerm::ParContract(_) => SeatSet::ALL,
                    ReportTerm::Hand(_)
                    | ReportTerm::Side(_)
                    | ReportTerm::Deal
                    | ReportTerm::Value(_)
                    | ReportTerm::Text(_) => SeatSet::NONE,
                };
            }
        }
        ActionInputs {
            quantities,
            per_deal: action.counted().is_none(),
            table,
        }
    }
}

/// Returns where the values of each action begin among all values of a produced deal, and the end of the last.
#[must_use]
pub fn value_starts(plan: &Plan) -> Vec<usize> {
    starts(&action_inputs(plan))
}

/// Returns where the values of each of these inputs begin, and the end of the last.
pub(crate) fn starts(action_inputs: &[ActionInputs]) -> Vec<usize> {
    let ends = action_inputs.iter().scan(0, |end, inputs| {
        *end += inputs.quantities.len();
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// Returns the inputs of all actions, in order.
pub(crate) fn action_inputs(plan: &Plan) -> Vec<ActionInputs> {
    plan.actions.iter().map(ActionInputs::of).collect()
}
