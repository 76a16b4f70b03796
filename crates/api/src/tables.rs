//! What a run collected, with the numbers that people look at worked out.

use croupier::session::interval::CONFIDENCE;
use croupier::session::{Scale, Table, TableData};
use serde::{Deserialize, Serialize};

/// A table that a page can show as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Shown {
    /// What it is about.
    pub title: String,
    /// Its place in the script's list of actions.
    pub action: usize,
    /// The numbers.
    #[serde(flatten)]
    pub data: ShownData,
}

/// The kinds of tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ShownData {
    /// `average`
    Average {
        /// How many deals.
        count: u64,
        /// The mean; nothing if there was no deal.
        mean: Option<f64>,
        /// The standard deviation.
        deviation: Option<f64>,
        /// The 95 % interval of the mean.
        interval: Option<[f64; 2]>,
    },
    /// `frequency` and `bktfreq` of one expression.
    Frequency {
        /// What was counted.
        axis: String,
        /// The classes.
        bins: Vec<Class>,
        /// How many deals in each class.
        counts: Vec<u64>,
        /// The 95 % intervals of the shares of the classes.
        intervals: Vec<[f64; 2]>,
        /// All deals.
        total: u64,
    },
    /// `frequency` and `bktfreq` of two expressions.
    Grid {
        /// What the rows are.
        row_axis: String,
        /// What the columns are.
        column_axis: String,
        /// The classes of the rows.
        rows: Vec<Class>,
        /// The classes of the columns.
        columns: Vec<Class>,
        /// How many deals in each cell, row by row.
        counts: Vec<u64>,
        /// The 95 % intervals of the shares of the cells, row by row.
        intervals: Vec<[f64; 2]>,
        /// All deals.
        total: u64,
    },
    /// `evalcontract`
    Contract {
        /// As in `3N`.
        contract: String,
        /// `NS` or `EW`.
        side: String,
        /// Whether they are vulnerable.
        vulnerable: bool,
        /// How often 0 to 13 tricks.
        counts: Vec<u64>,
        /// How often it makes.
        made: u64,
        /// The 95 % interval of the share of deals in which it makes.
        made_interval: Option<[f64; 2]>,
        /// The 95 % intervals of the shares of 0 to 13 tricks.
        intervals: Vec<[f64; 2]>,
        /// The mean score.
        score: Option<f64>,
        /// The 95 % interval of the mean score.
        score_interval: Option<[f64; 2]>,
    },
}

/// A class of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Class {
    /// Lowest value; nothing for everything below the table.
    pub low: Option<i64>,
    /// Highest value; nothing for everything above it.
    pub high: Option<i64>,
}

/// Classes of a scale, from below to above.
fn classes(scale: &Scale) -> Vec<Class> {
    let (low, size) = (i64::from(scale.low), i64::from(scale.size).max(1));
    let first = Class {
        low: None,
        high: Some(low - 1),
    };
    let inner = (0..scale.buckets as i64).map(|bucket| Class {
        low: Some(low + bucket * size),
        high: Some(low + (bucket + 1) * size - 1),
    });
    let last = Class {
        low: Some(low + scale.buckets as i64 * size),
        high: None,
    };
    std::iter::once(first).chain(inner).chain([last]).collect()
}

/// Makes a table ready to be shown.
#[must_use]
pub fn shown(table: &Table) -> Shown {
    let mut intervals = table.cell_intervals(CONFIDENCE);
    let data = match &table.data {
        TableData::Average { moments, .. } => ShownData::Average {
            count: moments.count,
            mean: moments.mean(),
            deviation: moments.deviation(),
            interval: table.mean_interval(CONFIDENCE).map(Into::into),
        },
        TableData::Frequency { axis, counts, .. } => ShownData::Frequency {
            axis: axis.clone(),
            bins: classes(&counts.scale),
            counts: (0..counts.scale.cells())
                .map(|cell| counts.cell(cell))
                .collect(),
            intervals: (0..counts.scale.cells())
                .filter_map(|cell| intervals.cell(cell).map(Into::into))
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
                    .filter_map(|(row, column)| intervals.grid_cell(row, column).map(Into::into))
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
                made_interval: table
                    .tricks_interval(|taken| taken >= needed, CONFIDENCE)
                    .map(Into::into),
                intervals: (0..tricks.0.len())
                    .filter_map(|number| table.tricks_interval(|taken| taken == number, CONFIDENCE))
                    .map(Into::into)
                    .collect(),
                score: table.mean(),
                score_interval: table.mean_interval(CONFIDENCE).map(Into::into),
            }
        }
    };
    Shown {
        title: table.title(),
        action: table.action,
        data,
    }
}
