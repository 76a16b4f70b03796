//! Actions on produced deals.

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
    /// The value that is counted.
    pub value: NodeId,
    /// Smallest value with a row or column of its own.
    pub low: i32,
    /// Largest value with a row or column of its own.
    pub high: i32,
    /// Width of a bucket; 1 for `frequency`.
    pub size: i32,
}

/// An action on every produced deal.
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
    /// The hands of these seats, which are collected and printed at the end in the order of the list.
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
    /// v2's `evalcontract`. Without arguments it is an error in v1.
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

/// A statistic over all produced deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named like the words of the language")]
pub enum Counted<'a> {
    Average {
        label: Option<&'a str>,
        value: NodeId,
    },
    Frequency {
        label: Option<&'a str>,
        rows: &'a Axis,
        /// The second axis of a table that has two.
        columns: Option<&'a Axis>,
        /// Whether it was written as `bktfreq`.
        bucketed: bool,
    },
    EvalContract {
        side: Side,
        contract: Contract,
        vulnerable: bool,
    },
}

impl Action {
    /// Returns the statistic that the action computes; none if it handles each deal on its own.
    #[must_use]
    pub fn counted(&self) -> Option<Counted<'_>> {
        let bucketed = matches!(
            self,
            Action::BucketFrequency { .. } | Action::BucketFrequency2 { .. }
        );
        match self {
            Action::Average { label, value } => Some(Counted::Average {
                label: label.as_deref(),
                value: *value,
            }),
            Action::Frequency { label, axis } | Action::BucketFrequency { label, axis } => {
                Some(Counted::Frequency {
                    label: label.as_deref(),
                    rows: axis,
                    columns: None,
                    bucketed,
                })
            }
            Action::Frequency2 {
                label,
                rows,
                columns,
            }
            | Action::BucketFrequency2 {
                label,
                rows,
                columns,
            } => Some(Counted::Frequency {
                label: label.as_deref(),
                rows,
                columns: Some(columns),
                bucketed,
            }),
            &Action::EvalContract {
                side,
                contract,
                vulnerable,
            } => Some(Counted::EvalContract {
                side,
                contract,
                vulnerable,
            }),
            Action::PrintAll
            | Action::PrintEw
            | Action::PrintNs
            | Action::PrintSide(_)
            | Action::PrintPbn
            | Action::PrintCompact(_)
            | Action::PrintOneLine(_)
            | Action::PrintEs(_)
            | Action::Print(_)
            | Action::ExportSide(_)
            | Action::ExportSeat(_)
            | Action::CsvReport(_)
            | Action::PrintReport(_) => None,
        }
    }

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

    /// Returns the action in the syntax of the language. `value` returns the text of an expression.
    pub(crate) fn text(&self, value: impl Fn(NodeId) -> String) -> String {
        let label = |label: &Option<String>| {
            label
                .as_ref()
                .map_or(String::new(), |l| format!("\"{l}\" "))
        };
        let axis = |a: &Axis, buckets: bool| {
            let size = if buckets {
                format!(", {}", a.size)
            } else {
                String::new()
            };
            format!("{}, {}, {}{size}", value(a.value), a.low, a.high)
        };
        let optional = |name: &str, id: &Option<NodeId>| match id {
            Some(id) => format!("{name}({})", value(*id)),
            None => name.to_owned(),
        };
        match self {
            Action::PrintAll => "printall".to_owned(),
            Action::PrintEw => "printew".to_owned(),
            Action::PrintNs => "printns".to_owned(),
            Action::PrintSide(side) => format!("printside({})", side.letters()),
            Action::PrintPbn => "printpbn".to_owned(),
            Action::PrintCompact(id) => optional("printcompact", id),
            Action::PrintOneLine(id) => optional("printoneline", id),
            Action::PrintEs(items) => {
                let items: Vec<String> = items
                    .iter()
                    .map(|item| match item {
                        EsItem::Value(id) => value(*id),
                        EsItem::Text(text) => format!("\"{text}\""),
                        EsItem::Newline => "\\n".to_owned(),
                    })
                    .collect();
                format!("printes({})", items.join(", "))
            }
            Action::Print(seats) => {
                let seats: Vec<String> = seats.iter().map(ToString::to_string).collect();
                format!("print({})", seats.join(", "))
            }
            Action::Average { label: l, value: v } => format!("average {}{}", label(l), value(*v)),
            Action::Frequency { label: l, axis: a } => {
                format!("frequency {}({})", label(l), axis(a, false))
            }
            Action::Frequency2 {
                label: l,
                rows,
                columns,
            } => format!(
                "frequency {}({}, {})",
                label(l),
                axis(rows, false),
                axis(columns, false)
            ),
            Action::BucketFrequency { label: l, axis: a } => {
                format!("bktfreq {}({})", label(l), axis(a, true))
            }
            Action::BucketFrequency2 {
                label: l,
                rows,
                columns,
            } => format!(
                "bktfreq {}({}, {})",
                label(l),
                axis(rows, true),
                axis(columns, true)
            ),
            Action::EvalContract {
                side,
                contract,
                vulnerable,
            } => format!(
                "evalcontract({}, x{contract}, {})",
                side.letters(),
                if *vulnerable { "vul" } else { "nv" }
            ),
            Action::ExportSide(side) => format!("export({})", side.letters()),
            Action::ExportSeat(seat) => format!("export({seat})"),
            Action::CsvReport(terms) => format!("csvrpt({})", report_text(terms, &value)),
            Action::PrintReport(terms) => format!("printrpt({})", report_text(terms, &value)),
        }
    }
}

fn report_text(terms: &[ReportTerm], value: impl Fn(NodeId) -> String) -> String {
    let terms: Vec<String> = terms
        .iter()
        .map(|term| match term {
            ReportTerm::Hand(seat) => seat.to_string(),
            ReportTerm::Side(side) => side.letters().to_owned(),
            ReportTerm::Deal => "deal".to_owned(),
            ReportTerm::Value(id) => value(*id),
            ReportTerm::Text(text) => format!("\"{text}\""),
            ReportTerm::Tricks(seat) => format!("trix({seat})"),
            ReportTerm::AllTricks => "trix(deal)".to_owned(),
            ReportTerm::ParContract(None) => "parcontract".to_owned(),
            ReportTerm::ParContract(Some(v)) => {
                format!("parcontract({})", ["none", "ns", "ew", "both"][v.index()])
            }
        })
        .collect();
    terms.join(", ")
}
