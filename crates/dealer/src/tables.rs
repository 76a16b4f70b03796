//! `--tables`: writes the results of a run as data or charts, without the deals.

use std::path::{Path, PathBuf};

use croupier::session::Outcome;

use crate::failure::Failure;
use crate::whole_file;

/// Format of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableFormat {
    Csv,
    Json,
    Svg,
}

/// A file for the tables and its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFile {
    path: PathBuf,
    format: TableFormat,
}

impl TableFile {
    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Parses a file name; its ending selects the format.
///
/// # Errors
/// If the ending belongs to no format.
pub(super) fn table_file(name: &str) -> Result<TableFile, String> {
    let ending = Path::new(name).extension().and_then(|it| it.to_str());
    let format = match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("csv") => TableFormat::Csv,
        Some("json") => TableFormat::Json,
        Some("svg") => TableFormat::Svg,
        _ => return Err("the name must end in .csv, .json or .svg".to_owned()),
    };
    Ok(TableFile {
        path: name.into(),
        format,
    })
}

/// Writes the tables of a run. With `csv_safe`, protects text in CSV from being read as a formula.
///
/// # Errors
/// If there are no tables, or a file cannot be written.
pub fn write(files: &[TableFile], csv_safe: bool, outcome: &Outcome) -> Result<(), Failure> {
    if files.is_empty() {
        return Ok(());
    }
    if outcome.tables.is_empty() {
        return Err(Failure::runtime(
            "--tables: the script counts nothing; give it an action such as average \"points\" hcp(north)",
        ));
    }
    for file in files {
        let bytes = match file.format {
            TableFormat::Csv => {
                let mut bytes = croupier::render::csv::HEADER.as_bytes().to_vec();
                for table in &outcome.tables {
                    croupier::render::csv::table(&mut bytes, table, csv_safe);
                }
                bytes
            }
            TableFormat::Json => croupier::render::json::tables(outcome),
            TableFormat::Svg => croupier::render::svg::tables(&outcome.tables).into_bytes(),
        };
        whole_file::write(&file.path, &bytes)?;
    }
    Ok(())
}
