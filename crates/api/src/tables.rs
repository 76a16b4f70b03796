//! Tables of a run, with means, shares and intervals computed.

use croupier::session::interval::CONFIDENCE;
use croupier::session::{Scale, Table, TableData};
use serde::{Deserialize, Serialize};

/// A table that a page can show without further computation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Table))]
pub struct ShownTable {
    /// Title of the table.
    pub title: String,
    /// Position in the script's list of actions.
    pub action: usize,
    /// Content of the table.
    #[serde(flatten)]
    pub data: ShownData,
}

/// Content of a table, by kind of action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", schema(as = TableData))]
pub enum ShownData {
    /// Table of `average`.
    Average {
        /// Number of deals.
        count: u64,
        /// Mean; null without deals.
        #[cfg_attr(feature = "openapi", schema(required))]
        mean: Option<f64>,
        /// Standard deviation.
        #[cfg_attr(feature = "openapi", schema(required))]
        deviation: Option<f64>,
        /// 95 % confidence interval of the mean.
        #[cfg_attr(feature = "openapi", schema(required))]
        interval: Option<(f64, f64)>,
    },
    /// `frequency` and `bktfreq` of one expression.
    Frequency {
        /// Text of the counted expression.
        axis: String,
        /// Classes of values.
        bins: Vec<ValueClass>,
        /// Number of deals in each class.
        counts: Vec<u64>,
        /// 95 % confidence intervals of the shares of the classes.
        intervals: Vec<(f64, f64)>,
        /// Number of all deals.
        total: u64,
    },
    /// `frequency` and `bktfreq` of two expressions.
    Grid {
        /// Text of the expression in the rows.
        row_axis: String,
        /// Text of the expression in the columns.
        column_axis: String,
        /// Classes of the rows.
        rows: Vec<ValueClass>,
        /// Classes of the columns.
        columns: Vec<ValueClass>,
        /// Number of deals in each cell, row by row.
        counts: Vec<u64>,
        /// 95 % confidence intervals of the shares of the cells, row by row.
        intervals: Vec<(f64, f64)>,
        /// Number of all deals.
        total: u64,
    },
    /// Table of `evalcontract`.
    Contract {
        /// Contract, such as `3N`.
        contract: String,
        /// Declaring side: `NS` or `EW`.
        side: String,
        /// Whether the side is vulnerable.
        vulnerable: bool,
        /// Number of deals with 0 to 13 tricks.
        counts: Vec<u64>,
        /// Number of deals in which the contract makes.
        made: u64,
        /// 95 % confidence interval of the share of deals in which the contract makes.
        #[cfg_attr(feature = "openapi", schema(required))]
        made_interval: Option<(f64, f64)>,
        /// 95 % confidence intervals of the shares of 0 to 13 tricks.
        intervals: Vec<(f64, f64)>,
        /// Mean score.
        #[cfg_attr(feature = "openapi", schema(required))]
        score: Option<f64>,
        /// 95 % confidence interval of the mean score.
        #[cfg_attr(feature = "openapi", schema(required))]
        score_interval: Option<(f64, f64)>,
    },
}

/// A class of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValueClass {
    /// Lowest value; null for all values below the table.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub low: Option<i64>,
    /// Highest value; null for all values above the table.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub high: Option<i64>,
}

/// Returns the classes of a scale, the lowest first.
fn classes(scale: &Scale) -> Vec<ValueClass> {
    let (low, size) = (i64::from(scale.low), i64::from(scale.size).max(1));
    let first = ValueClass {
        low: None,
        high: Some(low - 1),
    };
    let inner = (0..scale.buckets as i64).map(|bucket| ValueClass {
        low: Some(low + bucket * size),
        high: Some(low + (bucket + 1) * size - 1),
    });
    let last = ValueClass {
        low: Some(low + scale.buckets as i64 * size),
        high: None,
    };
    std::iter::once(first).chain(inner).chain([last]).collect()
}

/// Computes the numbers to show for a table.
#[must_use]
pub fn shown(table: &Table) -> ShownTable {
    let mut intervals = table.cell_intervals(CONFIDENCE);
    let data = match &table.data {
        TableData::Average { moments, .. } => ShownData::Average {
            count: moments.count,
            mean: moments.mean(),
            deviation: moments.deviation(),
            interval: table.mean_interval(CONFIDENCE),
        },
        TableData::Frequency { axis, counts, .. } => ShownData::Frequency {
            axis: axis.clone(),
            bins: classes(&counts.scale),
            counts: (0..counts.scale.cells())
                .map(|cell| counts.cell(cell))
                .collect(),
            intervals: (0..counts.scale.cells())
                .filter_map(|cell| intervals.cell(cell))
                .collect(),
            total: counts.total(),
        },
        TableData::Grid {
            rows,
            columns,
            counts,
            ..
        } => {
            let cells = (0..counts.rows.cells()).flat_map(|row| {
                (0..counts.columns.cells()).map(move |column| counts.cell(row, column))
            });
            let (columns_shown, rows_shown) = (counts.columns.cells(), counts.rows.cells());
            let places =
                (0..rows_shown).flat_map(|row| (0..columns_shown).map(move |column| (row, column)));
            ShownData::Grid {
                row_axis: rows.clone(),
                column_axis: columns.clone(),
                rows: classes(&counts.rows),
                columns: classes(&counts.columns),
                counts: cells.collect(),
                intervals: places
                    .filter_map(|(row, column)| intervals.grid_cell(row, column))
                    .collect(),
                total: counts.total(),
            }
        }
        TableData::Contract {
            side,
            contract,
            vulnerable,
            tricks,
        } => {
            let needed = usize::from(contract.tricks_needed());
            ShownData::Contract {
                contract: contract.to_string(),
                side: side.letters().to_owned(),
                vulnerable: *vulnerable,
                counts: tricks.0.to_vec(),
                made: tricks.0[needed..].iter().sum(),
                made_interval: table.tricks_interval(|taken| taken >= needed, CONFIDENCE),
                intervals: (0..tricks.0.len())
                    .filter_map(|number| table.tricks_interval(|taken| taken == number, CONFIDENCE))
                    .collect(),
                score: table.mean(),
                score_interval: table.mean_interval(CONFIDENCE),
            }
        }
    };
    ShownTable {
        title: table.title(),
        action: table.action,
        data,
    }
}
