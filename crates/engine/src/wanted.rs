//! What the actions of a plan want to know about a produced deal.

use cards::{Seat, Side, Strain};
use script::plan::{Action, Counted, NodeId, Plan, ReportTerm};
use solver::Seats;

/// One number an action asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// The value of an expression.
    Value(NodeId),
    /// Double-dummy tricks.
    Tricks(Seat, Strain),
}

/// The wishes of one action.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    /// Its numbers, in the order in which it names them.
    pub quantities: Vec<Quantity>,
    /// Whether it prints each deal (else it collects, or does nothing with numbers).
    pub per_deal: bool,
    /// The declarers whose double-dummy results in all strains it needs.
    pub table: Seats,
}

impl Wish {
    fn of(action: &Action) -> Wish {
        let mut quantities = Vec::new();
        action.for_each_value(|node| quantities.push(Quantity::Value(node)));
        if let Some(Counted::EvalContract { side, contract, .. }) = action.counted() {
            let declarer = match side {
                Side::NorthSouth => Seat::South,
                Side::EastWest => Seat::West,
            };
            quantities.push(Quantity::Tricks(declarer, contract.strain));
        }
        let mut table = Seats::NONE;
        if let Action::CsvReport(terms) | Action::PrintReport(terms) = action {
            for term in terms {
                table |= match term {
                    ReportTerm::Tricks(seat) => Seats::of(*seat),
                    ReportTerm::AllTricks | ReportTerm::ParContract(_) => Seats::ALL,
                    ReportTerm::Hand(_)
                    | ReportTerm::Side(_)
                    | ReportTerm::Deal
                    | ReportTerm::Value(_)
                    | ReportTerm::Text(_) => Seats::NONE,
                };
            }
        }
        Wish {
            quantities,
            per_deal: action.counted().is_none(),
            table,
        }
    }
}

/// Where each action's values begin among all values of a produced deal; one entry more than actions.
#[must_use]
pub fn value_starts(plan: &Plan) -> Vec<usize> {
    starts(&wishes(plan))
}

/// The same for these wishes.
pub(crate) fn starts(wishes: &[Wish]) -> Vec<usize> {
    let ends = wishes.iter().scan(0, |end, wish| {
        *end += wish.quantities.len();
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// The wishes of all actions, in order.
pub(crate) fn wishes(plan: &Plan) -> Vec<Wish> {
    plan.actions.iter().map(Wish::of).collect()
}
