//! The answer of `croupier probability` as JSON.

use croupier::engine::{Bin, ExactTallies, Probability};
use serde::Serialize;

/// The answer. Integers are strings, because many JSON readers lose digits of large numbers.
#[derive(Serialize)]
pub(super) struct ProbabilityJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<String>,
    /// Upper bound that replaces `count` where the answer is not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<String>,
    out_of: String,
    unit: String,
    probability: f64,
    exact: bool,
    #[serde(flatten)]
    counted: Option<Counted>,
    #[serde(flatten)]
    tried: Option<Tried>,
    averages: Vec<Average<'a>>,
    tables: Vec<TableJson<'a>>,
    left_out: &'a [String],
}

#[derive(Serialize)]
struct Counted {
    fraction: [String; 2],
    decimal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_in: Option<String>,
}

#[derive(Serialize)]
struct Tried {
    upper_bound: f64,
    passed: u64,
    tried: u64,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct Average<'a> {
    label: &'a str,
    mean: f64,
    deviation: f64,
}

#[derive(Serialize)]
struct TableJson<'a> {
    label: &'a str,
    rows: Vec<[Option<i32>; 2]>,
    columns: Vec<[Option<i32>; 2]>,
    deals: Vec<String>,
    probabilities: &'a [f64],
}

impl<'a> ProbabilityJson<'a> {
    pub(super) fn new(chances: &Probability, tallies: &'a ExactTallies) -> ProbabilityJson<'a> {
        let count = &chances.bound;
        let hits = count.hits().to_string();
        let (count_of_all, at_most) = match chances.is_exact() {
            true => (Some(hits), None),
            false => (None, Some(hits)),
        };
        let averages = tallies.averages.iter().map(|it| Average {
            label: it.label.as_deref().unwrap_or(""),
            mean: it.mean,
            deviation: it.deviation,
        });
        let tables = tallies.tables.iter().map(|table| TableJson {
            label: table.label.as_deref().unwrap_or(""),
            rows: bounds(&table.rows),
            columns: bounds(&table.columns),
            deals: table.deals.iter().map(ToString::to_string).collect(),
            probabilities: &table.cells,
        });
        let counted = || {
            let (top, bottom) = count.lowest_terms();
            Counted {
                fraction: [top, bottom].map(|number| number.to_string()),
                decimal: count.decimal(20, 0),
                one_in: count.one_in(20),
            }
        };
        let (low, high) = chances.interval();
        ProbabilityJson {
            count: count_of_all,
            at_most,
            out_of: count.out_of().to_string(),
            unit: count.unit().to_string(),
            probability: chances.probability(),
            exact: chances.is_exact(),
            counted: chances.trial.is_none().then(counted),
            tried: chances.trial.as_ref().map(|trial| Tried {
                upper_bound: count.probability(),
                passed: trial.passed,
                tried: trial.tried,
                low,
                high,
            }),
            averages: averages.collect(),
            tables: tables.collect(),
            left_out: &tallies.left_out,
        }
    }
}

fn bounds(bins: &[Bin]) -> Vec<[Option<i32>; 2]> {
    bins.iter().map(|bin| [bin.low, bin.high]).collect()
}
