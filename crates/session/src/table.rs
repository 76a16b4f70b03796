//! What an action of the script has collected, with everything that is needed to show it.

use cards::{Contract, Side};
use engine::{Frequency, Frequency2, Moments, Tally, TrickCounts};
use script::plan::{Action, NodeId, Plan};
use serde::{Deserialize, Serialize};

/// One table of a run. It describes itself: whoever shows it needs neither the script nor the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// The text that the script gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its place in the script's list of actions, from 0.
    pub action: usize,
    /// What was counted, exactly.
    #[serde(flatten)]
    pub data: TableData,
}

/// The kinds of tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TableData {
    /// `average`.
    Average {
        /// What was averaged, as text.
        value: String,
        /// Count, sum and sum of squares; from them mean, variance and intervals.
        moments: Moments,
    },
    /// `frequency` and `bktfreq` of one expression.
    Frequency {
        /// What was counted, as text.
        axis: String,
        /// Whether the script named the width of the classes (`bktfreq`): such tables look different.
        bucketed: bool,
        /// The scale of the axis and the counts.
        counts: Frequency,
    },
    /// `frequency` and `bktfreq` of two expressions.
    Grid {
        /// What the rows are, as text.
        rows: String,
        /// What the columns are, as text.
        columns: String,
        /// Whether the script named the width of the classes (`bktfreq`).
        bucketed: bool,
        /// The scales of both axes and the counts.
        counts: Frequency2,
    },
    /// `evalcontract`.
    Contract {
        /// Who plays it.
        #[serde(with = "crate::text::side")]
        side: Side,
        /// What is played.
        #[serde(with = "crate::text")]
        contract: Contract,
        /// Whether they are vulnerable.
        vulnerable: bool,
        /// How often declarer took 0, 1, ... 13 tricks.
        tricks: TrickCounts,
    },
}

impl Table {
    /// The tables of a run, in the order of the script's actions. Printing actions have none.
    #[must_use]
    pub fn all(plan: &Plan, tallies: &[Option<Tally>]) -> Vec<Table> {
        plan.actions
            .iter()
            .zip(tallies)
            .enumerate()
            .filter_map(|(number, (action, tally))| {
                let (label, data) = of_action(plan, action, tally.as_ref()?)?;
                Some(Table {
                    label: label.cloned(),
                    action: number,
                    data,
                })
            })
            .collect()
    }

    /// The label, or what is shown in its place: the expressions.
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
) -> Option<(Option<&'a String>, TableData)> {
    let bucketed = matches!(
        action,
        Action::BucketFrequency { .. } | Action::BucketFrequency2 { .. }
    );
    Some(match (action, tally) {
        (Action::Average { label, value }, Tally::Average(moments)) => (
            label.as_ref(),
            TableData::Average {
                value: name(plan, *value),
                moments: *moments,
            },
        ),
        (
            Action::Frequency { label, axis } | Action::BucketFrequency { label, axis },
            Tally::Frequency(counts),
        ) => (
            label.as_ref(),
            TableData::Frequency {
                axis: name(plan, axis.value),
                bucketed,
                counts: counts.clone(),
            },
        ),
        (
            Action::Frequency2 {
                label,
                rows,
                columns,
            }
            | Action::BucketFrequency2 {
                label,
                rows,
                columns,
            },
            Tally::Frequency2(counts),
        ) => (
            label.as_ref(),
            TableData::Grid {
                rows: name(plan, rows.value),
                columns: name(plan, columns.value),
                bucketed,
                counts: counts.clone(),
            },
        ),
        (
            &Action::EvalContract {
                side,
                contract,
                vulnerable,
            },
            Tally::Tricks(tricks),
        ) => (
            None,
            TableData::Contract {
                side,
                contract,
                vulnerable,
                tricks: *tricks,
            },
        ),
        _ => return None,
    })
}

/// What a value is called: the variable that stands for it, else the expression.
pub(crate) fn name(plan: &Plan, node: NodeId) -> String {
    let variable = plan.variables.iter().find(|v| v.value == node);
    match variable {
        Some(variable) => variable.name.clone(),
        None => plan.expression(node),
    }
}
