//! The outcome of a run.

use engine::{Ended, Report, SolverCalls};
use script::plan::{Action, EsItem, Plan, ReportTerm};
use serde::{Deserialize, Serialize};

use crate::clusters::Clusters;
use crate::precision::PrecisionResult;
use crate::settings::DealLimits;
use crate::table::{Table, name};

/// The complete result of a run, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The title of the run; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Deals generated, up to and including the last one that affected the result.
    pub generated: u64,
    /// Deals that satisfied the condition.
    pub produced: u64,
    /// The limits of the run.
    pub limits: DealLimits,
    /// The reason why the run ended.
    pub ended: Ended,
    /// The origin of the deals.
    pub origin: Origin,
    /// The tables, in the order of the script's actions.
    pub tables: Vec<Table>,
    /// The names of the values of each produced deal, in their order.
    pub columns: Vec<ColumnName>,
    /// Call counts of the expensive functions.
    pub calls: SolverCalls,
    /// The averages of a run with a precision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<PrecisionResult>,
    /// Wall-clock seconds, if there is a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl Outcome {
    /// Creates the outcome of a run of the plan.
    #[must_use]
    pub fn new(plan: &Plan, report: &Report, origin: Origin) -> Outcome {
        Outcome {
            title: plan.settings.title.clone().unwrap_or_default(),
            generated: report.generated,
            produced: report.produced,
            limits: DealLimits {
                generate: report.generated as i64,
                produce: report.produced as i64,
            },
            ended: report.ended,
            origin,
            tables: Table::all(plan, &report.tallies),
            columns: ColumnName::all(plan),
            calls: report.calls,
            precision: None,
            seconds: None,
        }
    }

    /// Marks the tables of deals that were derived from one another: they have no intervals until the sums over their
    /// clusters are known.
    pub(crate) fn mark_clusters(&mut self) {
        for table in &mut self.tables {
            table.clusters = Some(Clusters::unknown());
        }
    }
}

/// The origin of the deals of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A random generator with this seed: a number, or `key:` and hexadecimal digits.
    Seed(String),
    /// The tournament generator, with the published hash of its secret key.
    Commitment(String),
    /// A library of solved deals.
    Library {
        /// Deals read; header records do not count.
        records: u64,
        /// How often the end of the file was reached.
        wraps: u64,
        /// The block number that reading started at.
        start: u64,
    },
    /// Deals from a file, a pipe or the caller: neither seed nor library.
    Given,
}

/// The name of one of the numbers that come with every produced deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnName {
    /// The action that needs it, by its position in the script's list.
    pub action: usize,
    /// The variable or expression.
    pub name: String,
}

impl ColumnName {
    /// Returns the columns of all actions, one after the other, in the order of
    /// [`ProducedDeal::values`](engine::ProducedDeal::values).
    #[must_use]
    pub fn all(plan: &Plan) -> Vec<ColumnName> {
        let mut columns = Vec::new();
        for (action, what) in plan.actions.iter().enumerate() {
            let mut add = |name: String| columns.push(ColumnName { action, name });
            match what {
                Action::EvalContract { side, contract, .. } => {
                    add(format!("tricks of {side} in {}", contract.strain));
                }
                Action::PrintEs(items) => items.iter().for_each(|item| {
                    if let EsItem::Value(node) = item {
                        add(name(plan, *node));
                    }
                }),
                Action::CsvReport(terms) | Action::PrintReport(terms) => {
                    terms.iter().for_each(|term| {
                        if let ReportTerm::Value(node) = term {
                            add(name(plan, *node));
                        }
                    });
                }
                other => other.for_each_value(|node| add(name(plan, node))),
            }
        }
        columns
    }
}
