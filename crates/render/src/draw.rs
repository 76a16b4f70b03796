//! Dispatch over the kinds of tables of an outcome.

use cards::{Contract, Side};
use session::{AverageSums, Frequency, Frequency2, Table, TableData};

/// Draws tables of every kind, one after the other.
pub trait Draw {
    /// Draws the result of an `average`.
    fn average(&mut self, table: &Table, value: &str, moments: &AverageSums);

    /// Draws the counts of one expression, in buckets of a chosen width if `bucketed`.
    fn frequency(&mut self, table: &Table, axis: &str, counts: &Frequency, bucketed: bool);

    /// Draws the counts of two expressions, with the names of rows and columns.
    fn grid(&mut self, table: &Table, axes: [&str; 2], counts: &Frequency2, bucketed: bool);

    /// Draws the results of a contract.
    fn contract(&mut self, table: &Table, results: &ContractCounts<'_>);
}

/// The counts of `evalcontract`: how often the declarer takes each number of tricks.
#[derive(Clone, Copy, Debug)]
pub struct ContractCounts<'a> {
    /// The declaring side.
    pub side: Side,
    /// The contract.
    pub contract: Contract,
    /// Whether the declaring side is vulnerable.
    pub vulnerable: bool,
    /// `tricks[t]`: the deals with `t` tricks, 0 to 13.
    pub tricks: &'a [u64; 14],
}

/// Draws one table.
pub fn draw(table: &Table, with: &mut dyn Draw) {
    match &table.data {
        TableData::Average { value, moments, .. } => with.average(table, value, moments),
        TableData::Frequency {
            axis,
            bucketed,
            counts,
        } => with.frequency(table, axis, counts, *bucketed),
        TableData::Grid {
            rows,
            columns,
            bucketed,
            counts,
        } => with.grid(table, [rows, columns], counts, *bucketed),
        TableData::Contract {
            side,
            contract,
            vulnerable,
            tricks,
        } => {
            let results = ContractCounts {
                side: *side,
                contract: *contract,
                vulnerable: *vulnerable,
                tricks: &tricks.0,
            };
            with.contract(table, &results);
        }
    }
}
