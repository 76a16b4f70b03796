//! Options of the output of a run: where it goes and what it contains.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use script::plan::{Action, Plan};
use session::{JobSpec, Outcome};

use crate::RenderFormat;
use crate::classic::prints_deals;

/// Options that decide where the output of a run goes and what it contains. Clients open the files.
#[derive(Clone, Debug)]
pub struct OutputOptions {
    /// Format of the deals; overrides the script's printing actions.
    pub format: Option<&'static RenderFormat>,
    /// File for the deals of `format`; `None` for standard output.
    pub file: Option<PathBuf>,
    /// Further files for the same deals, with their formats.
    pub more_files: Vec<(PathBuf, &'static RenderFormat)>,
    /// Whether deals are printed at all.
    pub deals: bool,
    /// Whether `printpbn` prints.
    pub pbn: bool,
    /// Whether deals are rotated so that dealer and vulnerability follow the board number.
    pub rotate: bool,
    /// Whether the statistics follow the tables.
    pub statistics: bool,
    /// Whether tables and statistics are printed as one JSON object instead of text.
    pub statistics_json: bool,
    /// Whether the statistics show call counts of expensive functions.
    pub call_counts: bool,
    /// Whether the progress meter of the classic programs is printed.
    pub meter: bool,
    /// Decimals of estimates; `None` for as many as their intervals support.
    pub digits: Option<usize>,
    /// Whether text in comma-separated values is escaped so that spreadsheets find no formulas.
    pub csv_safe: bool,
    /// File for `csvrpt`.
    pub csv: Option<RecordFileOptions>,
    /// File for `export`.
    pub export: Option<PathBuf>,
    /// File for solved deals.
    pub zrd: Option<RecordFileOptions>,
    /// File for deals of 52 bytes.
    pub dl52: Option<RecordFileOptions>,
    /// Files for the tables as data.
    pub tables: Vec<TableFile>,
    /// File for the HTML page.
    pub report: Option<PathBuf>,
    /// Maximum number of boards on that page; `None` for the default number if the run prints deals.
    pub report_boards: Option<u64>,
    /// File for the key of a tournament.
    pub key_file: Option<PathBuf>,
    /// File for the script with keep rates of a levelled run.
    pub leveled_script: Option<PathBuf>,
}

/// Default for the maximum number of boards on an HTML page.
pub const MOST_BOARDS: u64 = 500;

impl Default for OutputOptions {
    fn default() -> Self {
        OutputOptions {
            format: None,
            file: None,
            more_files: Vec::new(),
            deals: true,
            pbn: true,
            rotate: false,
            statistics: true,
            statistics_json: false,
            call_counts: false,
            meter: false,
            digits: None,
            csv_safe: false,
            csv: None,
            export: None,
            zrd: None,
            dl52: None,
            tables: Vec::new(),
            report: None,
            report_boards: None,
            key_file: None,
            leveled_script: None,
        }
    }
}

impl OutputOptions {
    /// Returns the format of the deals, if deals are printed.
    #[must_use]
    pub fn deal_format(&self) -> Option<&'static RenderFormat> {
        self.format.filter(|_| self.deals)
    }

    /// Returns the formats of all files of deals, if deals are printed.
    fn deal_formats(&self) -> impl Iterator<Item = &'static RenderFormat> {
        let more = self.more_files.iter().map(|(_, format)| *format);
        self.format.into_iter().chain(more).filter(|_| self.deals)
    }

    /// Returns whether a run of the plan prints deals.
    #[must_use]
    pub fn prints_deals(&self, plan: &Plan) -> bool {
        self.format.is_some() || plan.actions.iter().any(prints_deals)
    }

    /// Returns whether the output needs an action of the script. A format replaces the actions that print deals.
    #[must_use]
    pub fn needs(&self, action: &Action) -> bool {
        if self.format.is_none() && self.deals {
            return true;
        }
        let values = self.deal_formats().any(|format| format.values);
        match action {
            Action::CsvReport(_) => self.csv.is_some() || values,
            Action::ExportSeat(_) | Action::ExportSide(_) => self.export.is_some(),
            // The values of these actions become part of the JSON objects.
            Action::PrintOneLine(Some(_))
            | Action::PrintCompact(Some(_))
            | Action::PrintEs(_)
            | Action::PrintReport(_) => values,
            action => !prints_deals(action),
        }
    }

    /// Adds the requirements of this output to a job: whether deals are shown, and whether they are solved.
    pub fn require(&self, job: &mut JobSpec) {
        let solved_file = self.zrd.as_ref().is_some_and(|file| !file.unsolved);
        let solved_format = |format: &RenderFormat| format.names.contains(&"zrd");
        job.shows_deals = self.format.is_some();
        job.solve |= solved_file || self.deal_formats().any(solved_format);
    }
}

/// A file to which reports or records are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFileOptions {
    /// Path of the file.
    pub path: PathBuf,
    /// Whether to replace the file instead of appending.
    pub truncate: bool,
    /// For solved deals: whether to leave the tricks out.
    pub unsolved: bool,
}

/// Format of tables as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TableFormat {
    Csv,
    Json,
    Svg,
}

/// A file for the tables of a run as data or charts; the ending of its name selects the format.
///
/// ```
/// use croupier_render::TableFile;
///
/// assert!("points.svg".parse::<TableFile>().is_ok());
/// assert!("points.doc".parse::<TableFile>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFile {
    path: PathBuf,
    format: TableFormat,
}

/// The error of a file name whose ending belongs to no format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableFileError;

impl fmt::Display for TableFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name must end in .csv, .json or .svg")
    }
}

impl std::error::Error for TableFileError {}

impl FromStr for TableFile {
    type Err = TableFileError;

    fn from_str(name: &str) -> Result<TableFile, TableFileError> {
        let ending = Path::new(name).extension().and_then(|it| it.to_str());
        let format = match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => TableFormat::Csv,
            Some("json") => TableFormat::Json,
            Some("svg") => TableFormat::Svg,
            _ => return Err(TableFileError),
        };
        Ok(TableFile {
            path: name.into(),
            format,
        })
    }
}

impl TableFile {
    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the tables of a run in the format of the file. With `csv_safe`, text in comma-separated values is
    /// escaped so that spreadsheets find no formulas.
    #[must_use]
    pub fn content(&self, outcome: &Outcome, csv_safe: bool) -> Vec<u8> {
        match self.format {
            TableFormat::Csv => {
                let mut bytes = crate::csv::HEADER.as_bytes().to_vec();
                for table in &outcome.tables {
                    crate::csv::table(&mut bytes, table, csv_safe);
                }
                bytes
            }
            TableFormat::Json => crate::json::tables(outcome),
            TableFormat::Svg => crate::svg::tables(&outcome.tables).into_bytes(),
        }
    }
}
