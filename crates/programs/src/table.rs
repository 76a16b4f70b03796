//! Formats of tables: `--format text|csv|json`.

use croupier::render::listing::ListingFormat;
pub use croupier::render::listing::{Listing, ListingCell, write_named};

/// Format of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum TableFormat {
    /// Aligned columns.
    #[default]
    Text,
    /// Comma-separated values with a header line.
    Csv,
    /// CSV for spreadsheets: text that looks like a formula gets an apostrophe in front.
    CsvSafe,
    /// An array of objects.
    Json,
}

impl From<TableFormat> for ListingFormat {
    fn from(format: TableFormat) -> Self {
        match format {
            TableFormat::Text => ListingFormat::Text,
            TableFormat::Csv => ListingFormat::Csv,
            TableFormat::CsvSafe => ListingFormat::CsvSafe,
            TableFormat::Json => ListingFormat::Json,
        }
    }
}
