//! What the actions of a plan want to know about a produced deal.

use cards::{Seat, Side, Strain};
use script::plan::{Action, EsItem, NodeId, Plan, ReportTerm};
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
        let mut table = Seats::NONE;
        let quantities: Vec<Quantity> = match action {
            Action::PrintCompact(value) | Action::PrintOneLine(value) => {
                value.iter().copied().map(Quantity::Value).collect()
            }
            Action::PrintEs(items) => items
                .iter()
                .filter_map(|item| match item {
                    EsItem::Value(node) => Some(Quantity::Value(*node)),
                    EsItem::Text(_) | EsItem::Newline => None,
                })
                .collect(),
            Action::CsvReport(terms) | Action::PrintReport(terms) => terms
                .iter()
                .filter_map(|term| match term {
                    ReportTerm::Value(node) => Some(Quantity::Value(*node)),
                    ReportTerm::Tricks(seat) => {
                        table |= Seats::of(*seat);
                        None
                    }
                    ReportTerm::AllTricks | ReportTerm::ParContract(_) => {
                        table = Seats::ALL;
                        None
                    }
                    _ => None,
                })
                .collect(),
            Action::Average { value, .. } => vec![Quantity::Value(*value)],
            Action::Frequency { axis, .. } | Action::BucketFrequency { axis, .. } => {
                vec![Quantity::Value(axis.value)]
            }
            Action::Frequency2 { rows, columns, .. }
            | Action::BucketFrequency2 { rows, columns, .. } => {
                vec![Quantity::Value(rows.value), Quantity::Value(columns.value)]
            }
            Action::EvalContract { side, contract, .. } => {
                let declarer = match side {
                    Side::NorthSouth => Seat::South,
                    Side::EastWest => Seat::West,
                };
                vec![Quantity::Tricks(declarer, contract.strain)]
            }
            _ => Vec::new(),
        };
        let collects = crate::tally::Tally::for_action(action).is_some();
        Wish {
            quantities,
            per_deal: !collects,
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
