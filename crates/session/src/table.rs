//! The statistics of an action of the script, with everything that is needed to show them.

use cards::{Contract, Side};
use engine::{AverageSums, Frequency, Frequency2, Tally, TrickCounts};
use script::plan::{Action, Counted, NodeId, Plan};
use serde::{Deserialize, Serialize};

use crate::clusters::Clusters;
use crate::strata::Strata;

/// One table of a run. It describes itself: showing it requires neither the script nor the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// The label in the script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Position of the action in the script's list of actions, from 0.
    pub action: usize,
    /// The exact counts.
    #[serde(flatten)]
    pub data: TableData,
    /// The sums over clusters of deals, if the deals were derived from one another and a [`Clustered`] sink collected
    /// them.
    ///
    /// [`Clustered`]: crate::Clustered
    #[serde(skip)]
    pub clusters: Option<Clusters>,
    /// The counts by class, if the run was levelled or mixed.
    #[serde(skip)]
    pub strata: Option<Strata>,
}

/// The kinds of tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TableData {
    /// `average`.
    Average {
        /// The averaged expression, as text.
        value: String,
        /// Count, sum and sum of squares, which determine mean, variance and intervals.
        moments: AverageSums,
        /// Smallest and largest value that the expression allows, as far as that is known without a deal.
        range: [i32; 2],
    },
    /// `frequency` and `bktfreq` of one expression.
    Frequency {
        /// The counted expression, as text.
        axis: String,
        /// Whether the script gives the width of the buckets (`bktfreq`), which changes the layout.
        bucketed: bool,
        /// The scale of the axis and the counts.
        counts: Frequency,
    },
    /// `frequency` and `bktfreq` of two expressions.
    Grid {
        /// The expression of the rows, as text.
        rows: String,
        /// The expression of the columns, as text.
        columns: String,
        /// Whether the script gives the width of the buckets (`bktfreq`).
        bucketed: bool,
        /// The scales of both axes and the counts.
        counts: Frequency2,
    },
    /// `evalcontract`.
    Contract {
        /// The declaring side.
        #[serde(with = "crate::text::side")]
        side: Side,
        /// The contract.
        #[serde(with = "crate::text")]
        contract: Contract,
        /// Whether the declaring side is vulnerable.
        vulnerable: bool,
        /// How often declarer took 0, 1, ... 13 tricks.
        tricks: TrickCounts,
    },
}

impl Table {
    /// Returns the tables of a run, in the order of the script's actions. Printing actions have none.
    #[must_use]
    pub fn all(plan: &Plan, tallies: &[Option<Tally>]) -> Vec<Table> {
        plan.actions
            .iter()
            .zip(tallies)
            .enumerate()
            .filter_map(|(number, (action, tally))| {
                let (label, data) = of_action(plan, action, tally.as_ref()?)?;
                Some(Table {
                    label: label.map(str::to_owned),
                    action: number,
                    data,
                    clusters: None,
                    strata: None,
                })
            })
            .collect()
    }

    /// Returns the sums of the table's values: of an average, of a frequency table in which each value has a cell of
    /// its own, of a contract's scores. `None` if the table does not determine them.
    #[must_use]
    pub fn moments(&self) -> Option<AverageSums> {
        match &self.data {
            TableData::Average { moments, .. } => Some(*moments),
            TableData::Frequency { counts, .. } => {
                let is_complete =
                    counts.scale.size == 1 && counts.below() == 0 && counts.above() == 0;
                let values = (0..counts.scale.buckets).map(|bucket| {
                    let value = i32::try_from(counts.scale.name(bucket)).unwrap_or(i32::MAX);
                    (value, counts.count(bucket))
                });
                is_complete.then(|| AverageSums::of_counts(values))
            }
            TableData::Contract {
                contract,
                vulnerable,
                tricks,
                ..
            } => {
                let score = |taken: usize| contract.score(*vulnerable, taken as i32);
                let counts = tricks.0.iter().enumerate();
                let scores = counts.map(|(taken, &deals)| (score(taken), deals));
                Some(AverageSums::of_counts(scores))
            }
            TableData::Grid { .. } => None,
        }
    }

    /// Returns the mean of the table's values; see [`moments`](Self::moments).
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        self.moments()?.mean()
    }

    /// Returns the label, or the expressions if there is none.
    #[must_use]
    pub fn title(&self) -> String {
        match (&self.label, &self.data) {
            (Some(label), _) => label.clone(),
            (None, TableData::Average { value, .. }) => value.clone(),
            (None, TableData::Frequency { axis, .. }) => axis.clone(),
            (None, TableData::Grid { rows, columns, .. }) => format!("{rows}, {columns}"),
            (None, TableData::Contract { side, contract, .. }) => format!("{contract} by {side}"),
        }
    }
}

fn of_action<'a>(
    plan: &Plan,
    action: &'a Action,
    tally: &Tally,
) -> Option<(Option<&'a str>, TableData)> {
    let name = |node| name(plan, node);
    match action.counted()? {
        Counted::Average { label, value } => {
            let Tally::Average(moments) = *tally else {
                return None;
            };
            let facts = plan.facts_of(value);
            let data = TableData::Average {
                value: name(value),
                moments,
                range: [facts.min, facts.max],
            };
            Some((label, data))
        }
        Counted::Frequency {
            label,
            rows,
            columns,
            bucketed,
        } => {
            let data = match (tally, columns) {
                (Tally::Frequency(counts), None) => TableData::Frequency {
                    axis: name(rows.value),
                    bucketed,
                    counts: counts.clone(),
                },
                (Tally::Frequency2(counts), Some(columns)) => TableData::Grid {
                    rows: name(rows.value),
                    columns: name(columns.value),
                    bucketed,
                    counts: counts.clone(),
                },
                _ => return None,
            };
            Some((label, data))
        }
        Counted::EvalContract {
            side,
            contract,
            vulnerable,
        } => {
            let Tally::Tricks(tricks) = *tally else {
                return None;
            };
            let data = TableData::Contract {
                side,
                contract,
                vulnerable,
                tricks,
            };
            Some((None, data))
        }
    }
}

/// Returns the name of a value: its variable, else the expression.
pub(crate) fn name(plan: &Plan, node: NodeId) -> String {
    let variable = plan.variables.iter().find(|v| v.value == node);
    match variable {
        Some(variable) => variable.name.clone(),
        None => plan.expression(node),
    }
}
