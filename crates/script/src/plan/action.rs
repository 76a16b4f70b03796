//! What to do with produced deals.

use cards::{Contract, Seat, Side, Vulnerability};

use super::NodeId;

/// One item of a `printes` list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum EsItem {
    Value(NodeId),
    Text(String),
    Newline,
}

/// One term of `csvrpt` or `printrpt`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ReportTerm {
    Hand(Seat),
    Side(Side),
    Deal,
    Value(NodeId),
    Text(String),
    /// `trix(north)`
    Tricks(Seat),
    /// `trix(deal)`
    AllTricks,
    /// `parcontract`, `parcontract(vul)`
    ParContract(Option<Vulnerability>),
}

/// A range of a frequency table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What is counted.
    pub value: NodeId,
    /// Smallest value with a row or column of its own.
    pub low: i32,
    /// Largest one.
    pub high: i32,
    /// Width of a bucket; 1 for `frequency`.
    pub size: i32,
}

/// Something to do with every produced deal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named like the words of the language")]
pub enum Action {
    PrintAll,
    PrintEw,
    PrintNs,
    PrintSide(Side),
    PrintPbn,
    PrintCompact(Option<NodeId>),
    PrintOneLine(Option<NodeId>),
    PrintEs(Vec<EsItem>),
    /// Hands of these seats, collected and printed at the end, in the order of the list.
    Print(Vec<Seat>),
    Average {
        label: Option<String>,
        value: NodeId,
    },
    Frequency {
        label: Option<String>,
        axis: Axis,
    },
    Frequency2 {
        label: Option<String>,
        rows: Axis,
        columns: Axis,
    },
    BucketFrequency {
        label: Option<String>,
        axis: Axis,
    },
    BucketFrequency2 {
        label: Option<String>,
        rows: Axis,
        columns: Axis,
    },
    /// v1's `evalcontract` without arguments is an error; this is v2's form.
    EvalContract {
        side: Side,
        contract: Contract,
        vulnerable: bool,
    },
    ExportSide(Side),
    ExportSeat(Seat),
    CsvReport(Vec<ReportTerm>),
    PrintReport(Vec<ReportTerm>),
}

impl Action {
    /// Calls `visit` with every expression of the action, in the order of evaluation.
    pub fn for_each_value(&self, mut visit: impl FnMut(NodeId)) {
        let mut copy = self.clone();
        copy.for_each_value_mut(|id| visit(*id));
    }

    pub(crate) fn for_each_value_mut(&mut self, mut visit: impl FnMut(&mut NodeId)) {
        match self {
            Action::PrintCompact(value) | Action::PrintOneLine(value) => {
                value.iter_mut().for_each(visit);
            }
            Action::PrintEs(items) => {
                for item in items {
                    if let EsItem::Value(id) = item {
                        visit(id);
                    }
                }
            }
            Action::Average { value, .. } => visit(value),
            Action::Frequency { axis, .. } | Action::BucketFrequency { axis, .. } => {
                visit(&mut axis.value);
            }
            Action::Frequency2 { rows, columns, .. }
            | Action::BucketFrequency2 { rows, columns, .. } => {
                visit(&mut rows.value);
                visit(&mut columns.value);
            }
            Action::CsvReport(terms) | Action::PrintReport(terms) => {
                for term in terms {
                    if let ReportTerm::Value(id) = term {
                        visit(id);
                    }
                }
            }
            Action::PrintAll
            | Action::PrintEw
            | Action::PrintNs
            | Action::PrintSide(_)
            | Action::PrintPbn
            | Action::Print(_)
            | Action::EvalContract { .. }
            | Action::ExportSide(_)
            | Action::ExportSeat(_) => {}
        }
    }
}
