//! `croupier suit --book`: lists the chances of many suit combinations.

use std::fmt::Write as _;
use std::process::ExitCode;

use croupier::cards::Holding;
use croupier::render::html::{Page, escape};
use croupier::suits::book::{Book, BookSelection, CatalogueEntry};
use croupier::suits::holding_text;

use crate::failure::Failure;
use crate::table::{Listing, ListingCell};
use crate::whole_file;

use super::Args;

/// Selection of combinations.
#[derive(clap::Args)]
pub(super) struct BookArgs {
    /// List the chances of many combinations instead: select them with --fit, --missing and --split.
    #[arg(long, conflicts_with = "holdings")]
    book: bool,
    /// List combinations with this many cards in both hands together.
    #[arg(long, value_name = "CARDS", requires = "book", value_parser = clap::value_parser!(u8).range(1..=13))]
    fit: Option<u8>,
    /// List combinations that lack exactly these of A, K, Q and J; - for none.
    #[arg(long, value_name = "HONOURS", requires = "book", value_parser = BookSelection::honours, allow_hyphen_values = true)]
    missing: Option<Holding>,
    /// List combinations with these lengths, for example 5-3.
    #[arg(long, value_name = "LENGTHS", requires = "book", value_parser = BookSelection::lengths)]
    split: Option<(u8, u8)>,
    /// Also print the best first play for the average; takes about a millisecond per combination.
    #[arg(long, requires = "book")]
    plays: bool,
}

impl BookArgs {
    pub(super) fn is_wanted(&self) -> bool {
        self.book
    }

    fn selection(&self) -> BookSelection {
        BookSelection {
            fit: self.fit,
            missing: self.missing,
            split: self.split,
        }
    }
}

/// Prints the selected combinations.
///
/// # Errors
/// If the selection is empty, or a file cannot be written.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let book = Book::shipped();
    let entries = book.select(args.book.selection());
    if entries.is_empty() {
        return Err(Failure::usage("no suit combination is of this kind"));
    }
    let plays: Vec<Option<String>> = entries
        .iter()
        .map(|entry| args.book.plays.then(|| entry.best_play()))
        .collect();
    if let Some(path) = &args.html {
        whole_file::write(path, page(&entries, &plays).as_bytes())?;
    }
    let is_pdf = args
        .output
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("pdf"));
    let mut out = Vec::new();
    match is_pdf {
        true => out = pdf(&entries, &plays)?,
        false => table(&entries, &plays).write(args.format, &mut out)?,
    }
    whole_file::write(&args.output, &out)?;
    Ok(ExitCode::SUCCESS)
}

fn table(entries: &[&CatalogueEntry], plays: &[Option<String>]) -> Listing {
    let with_plays = plays.iter().any(Option::is_some);
    let columns = [
        "north",
        "south",
        "missing",
        "average",
        "chances_pct",
        "play",
    ];
    let mut table = Listing::new(&columns[..if with_plays { 6 } else { 5 }]);
    for (entry, play) in entries.iter().zip(plays) {
        let combination = entry.combination;
        let mut row = vec![
            ListingCell::Text(holding_text(combination.north())),
            ListingCell::Text(holding_text(combination.south())),
            ListingCell::Text(holding_text(combination.missing())),
            ListingCell::Decimal(entry.solution.average.value(), 4),
            ListingCell::Text(entry.chances_text()),
        ];
        row.extend(play.clone().map(ListingCell::Text));
        table.push(row);
    }
    table
}

/// Returns the book as a PDF file.
#[cfg(feature = "records")]
fn pdf(entries: &[&CatalogueEntry], plays: &[Option<String>]) -> Result<Vec<u8>, Failure> {
    use croupier::records::{TableSheet, table_pdf};

    let mut columns = vec!["North", "South", "missing", "average", "chances in percent"];
    if plays.iter().any(Option::is_some) {
        columns.push("first play");
    }
    let rows = entries.iter().zip(plays).map(|(entry, play)| {
        let combination = entry.combination;
        let mut row = vec![
            holding_text(combination.north()),
            holding_text(combination.south()),
            holding_text(combination.missing()),
            format!("{:.4}", entry.solution.average.value()),
            entry.chances_text(),
        ];
        row.extend(play.clone());
        row
    });
    Ok(table_pdf(&TableSheet {
        title: "Suit combinations".to_owned(),
        columns: columns.into_iter().map(str::to_owned).collect(),
        rows: rows.collect(),
        ..TableSheet::default()
    }))
}

/// Returns the failure of a program that is built without PDF.
#[cfg(not(feature = "records"))]
fn pdf(_: &[&CatalogueEntry], _: &[Option<String>]) -> Result<Vec<u8>, Failure> {
    Err(Failure::usage(
        "this croupier is built without PDF; write HTML with --html",
    ))
}

fn page(entries: &[&CatalogueEntry], plays: &[Option<String>]) -> String {
    let mut page = Page::new("Suit combinations");
    page.paragraph(&format!(
        "{} combinations. Chances in percent of at least that number of tricks, each with its own best line, and the best average.",
        entries.len()
    ));
    let mut table = "<table><tr><th>North</th><th>South</th><th>missing</th><th>average</th><th>chances</th><th></th></tr>\n".to_owned();
    for (entry, play) in entries.iter().zip(plays) {
        let combination = entry.combination;
        let _ = writeln!(
            table,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.4}</td><td>{}</td><td>{}</td></tr>",
            holding_text(combination.north()),
            holding_text(combination.south()),
            holding_text(combination.missing()),
            entry.solution.average.value(),
            entry.chances_text(),
            escape(play.as_deref().unwrap_or(""))
        );
    }
    page.raw(&(table + "</table>\n"));
    page.finish()
}
