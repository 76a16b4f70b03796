//! Probability of a condition: exact where it can be counted.

use croupier::engine::{Bin, ExactTable, ExactTallies, Probability};
use serde::{Deserialize, Serialize};

use crate::check::{self, Check};
use crate::{RequestError, RequestLimits};

/// Probability of a condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Odds {
    /// Whether the probability is exact; otherwise a part of the condition was tried on random deals.
    pub exact: bool,
    /// Probability.
    pub probability: f64,
    /// Lower end of the 95 % confidence interval; equal to the probability if it is exact.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Number of deals or hands that satisfy the condition, in digits; an upper bound if not exact.
    pub count: String,
    /// Number of all deals or hands.
    pub out_of: String,
    /// Name of the counted items.
    pub unit: String,
    /// Numerator and denominator in lowest terms, if exact.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub fraction: Option<(String, String)>,
    /// Probability with twenty digits, if exact.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub decimal: Option<String>,
    /// Reciprocal of the probability, if it is not zero.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub one_in: Option<String>,
    /// Number of tried deals that satisfied the part that cannot be counted.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub passed: Option<u64>,
    /// Number of deals tried.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub tried: Option<u64>,
    /// Exact averages of the script.
    pub averages: Vec<ExactMean>,
    /// Exact frequency tables of the script.
    pub tables: Vec<ExactFrequency>,
}

/// An average without sampling error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExactMean {
    /// Number of the action in the script.
    pub action: usize,
    /// Label of the action.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub label: Option<String>,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
}

/// A frequency table without sampling error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExactFrequency {
    /// Number of the action in the script.
    pub action: usize,
    /// Label of the action.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub label: Option<String>,
    /// Lowest and highest value of each row; null where the row is open.
    pub rows: Vec<(Option<i32>, Option<i32>)>,
    /// Lowest and highest value of each column; null where the column is open.
    pub columns: Vec<(Option<i32>, Option<i32>)>,
    /// Probabilities, row by row.
    pub probabilities: Vec<f64>,
}

/// Computes the probability of a condition.
///
/// # Errors
/// If the script has errors or no deal can satisfy its predeal.
pub fn probability(request: Check, limits: &RequestLimits) -> Result<Odds, RequestError> {
    let session = check::session(&request, limits)?;
    let found = session
        .chances(limits.samples, limits.exact_work)
        .map_err(|error| RequestError::of_session(&request.script, error))?;
    Ok(odds(&found.condition, &found.tables))
}

fn odds(found: &Probability, tallies: &ExactTallies) -> Odds {
    let count = &found.bound;
    let (low, high) = found.interval();
    let (top, bottom) = count.lowest_terms();
    let exact = found.is_exact();
    let share = found.probability();
    Odds {
        exact,
        probability: share,
        low,
        high,
        count: count.hits().to_string(),
        out_of: count.out_of().to_string(),
        unit: count.unit().to_string(),
        fraction: exact.then(|| (top.to_string(), bottom.to_string())),
        decimal: exact.then(|| count.decimal(20, 0)),
        one_in: match exact {
            true => count.one_in(12),
            false => (share > 0.0).then(|| format!("{:.6}", 1.0 / share)),
        },
        passed: found.trial.map(|trial| trial.passed),
        tried: found.trial.map(|trial| trial.tried),
        averages: tallies
            .averages
            .iter()
            .map(|it| ExactMean {
                action: it.action,
                label: it.label.clone(),
                mean: it.mean,
                deviation: it.deviation,
            })
            .collect(),
        tables: tallies.tables.iter().map(table).collect(),
    }
}

fn table(it: &ExactTable) -> ExactFrequency {
    let bins = |bins: &[Bin]| bins.iter().map(|bin| (bin.low, bin.high)).collect();
    ExactFrequency {
        action: it.action,
        label: it.label.clone(),
        rows: bins(&it.rows),
        columns: bins(&it.columns),
        probabilities: it.cells.clone(),
    }
}
