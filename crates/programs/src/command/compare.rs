//! `croupier compare`: compares several contracts on the same deals.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::cards::{Deal, TrickTable, Vulnerability};
use croupier::render::html::contract_study_page;
use croupier::studies::{
    ContractQuestion, ContractResult, DeclaredContract, PlayDifferences, Study, StudyDeals,
    StudyError, StudyQuestion,
};

use super::lead::{mean, percentage, sampled_text};
use crate::boards;
use crate::failure::{Failure, ShownPath};
use crate::interrupt::Interrupt;
use crate::layouts::Layouts;
use crate::table::{self, Cell, Table, TableFormat};
use crate::whole_file;

/// Compare contracts on the same deals.
///
/// Prints for every contract the average tricks and score and how often it makes; for every pair the IMPs and
/// matchpoints of one against the other, each with its 95 % confidence interval; then how often each contract takes
/// each number of tricks. Scores are those of the side that declares the first contract. If you press Ctrl-C, you get
/// the result of the deals solved so far.
#[derive(clap::Args)]
pub struct Args {
    /// Contract and declarer: 4S-N, 3N, 5Dx-W; without a declarer South plays it. Give at least two.
    #[arg(
        short = 'k',
        long = "contract",
        value_name = "CONTRACT",
        required = true
    )]
    contracts: Vec<DeclaredContract>,
    /// Vulnerable side: none, ns, ew or both [default: the script's, else none].
    #[arg(long, value_name = "WHO")]
    vulnerable: Option<Vulnerability>,
    /// Use the deals of this file, in any format, instead of dealing; double-dummy results in the file are not computed
    /// again.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["script", "condition"])]
    deals: Option<PathBuf>,
    /// Break the results down by a variable of the script or any expression: fit, hcp(north).
    #[arg(long, value_name = "EXPRESSION", conflicts_with_all = ["deals", "precision", "control"])]
    by: Option<String>,
    /// Also estimate the tricks that players take at the table: double-dummy tricks plus the mean difference observed
    /// for such contracts. okbridge: P. Cheung, 30 million plays on OKbridge, by level. Or a file: a line "# source",
    /// the heading "contract,difference", and rows such as "3N,0.2" or, for a level, "3,0.1".
    #[arg(long, value_name = "SOURCE", value_parser = source, value_hint = clap::ValueHint::FilePath)]
    played: Option<DifferenceSource>,
    /// Format of the tables.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the tables instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Also write a report with charts of the tricks, to be opened in a browser.
    #[arg(long, visible_alias = "report", value_name = "FILE")]
    html: Option<PathBuf>,
    #[cfg(feature = "bidding")]
    #[command(flatten)]
    auction: crate::systems::AuctionArgs,
    #[command(flatten)]
    layouts: Layouts,
}

/// Source of the differences between tricks at the table and double-dummy tricks.
#[derive(Clone)]
enum DifferenceSource {
    Okbridge,
    File(PathBuf),
}

fn source(name: &str) -> Result<DifferenceSource, String> {
    let path = PathBuf::from(name);
    match name.to_ascii_lowercase().as_str() {
        "okbridge" => Ok(DifferenceSource::Okbridge),
        _ if path.exists() && !path.is_dir() => Ok(DifferenceSource::File(path)),
        _ => Err(
            "no such source of results at the table: there is okbridge, or name a file".to_owned(),
        ),
    }
}

impl DifferenceSource {
    fn read(&self) -> Result<PlayDifferences, Failure> {
        let path = match self {
            DifferenceSource::Okbridge => return Ok(PlayDifferences::okbridge()),
            DifferenceSource::File(path) => path,
        };
        let text = std::fs::read_to_string(path).map_err(|error| Failure::at(path, error))?;
        PlayDifferences::read(&text).map_err(|error| Failure::at(path, error))
    }
}

/// Reads the deals of a file with the double-dummy results that it holds.
fn read_deals(path: &Path) -> Result<(Vec<Deal>, Vec<Option<TrickTable>>), Failure> {
    let mut deals = Vec::new();
    let mut tables = Vec::new();
    for board in boards::read(path)? {
        let deal = board.deal().ok_or_else(|| {
            let (name, line) = (path.shown(), board.line);
            Failure::runtime(format!("{name}: line {line}: not a whole deal"))
        })?;
        deals.push(deal);
        tables.push(board.tricks);
    }
    Ok((deals, tables))
}

/// Runs the command.
///
/// # Errors
/// If there are fewer than two contracts, the script has an error or a file cannot be read.
pub fn run(mut args: Args) -> Result<ExitCode, Failure> {
    if args.contracts.len() < 2 {
        return Err(Failure::usage("give at least two contracts: -k 3N -k 4S"));
    }
    let played = args
        .played
        .as_ref()
        .map(DifferenceSource::read)
        .transpose()?;
    args.layouts.interrupt = Interrupt::watch();
    args.layouts.by = args.by.clone();
    let mut vulnerability = args.vulnerable;
    let (all, tables, groups) = match &args.deals {
        Some(path) => {
            let (deals, tables) = read_deals(path)?;
            (deals, tables, Vec::new())
        }
        None => {
            #[cfg(feature = "bidding")]
            if let Some(auction) = args.auction.auction()? {
                let who = args.vulnerable.unwrap_or(Vulnerability::None);
                args.layouts.auction_script = Some(args.auction.script(&auction, who, &[])?);
            }
            let session = args.layouts.session()?;
            vulnerability = vulnerability.or(session.settings().vulnerable);
            let (deals, groups) = args.layouts.grouped_deals(&session)?;
            (deals, Vec::new(), groups)
        }
    };
    let deals = match args.deals {
        Some(_) => StudyDeals::given(&all).with_tables(&tables),
        None => StudyDeals::dealt(&all).with_groups(&groups),
    };
    let vulnerability = vulnerability.unwrap_or(Vulnerability::None);
    let question = ContractQuestion::new(args.contracts.clone(), vulnerability);
    let study = question.and_then(|it| Study::new(it, deals, &args.layouts.options()));
    let mut study = match study {
        Err(StudyError::NoDeals) => return Err(args.layouts.nothing_solved()),
        study => study.map_err(|error| Failure::runtime(error.to_string()))?,
    };
    let limit = study.limit();
    args.layouts
        .execute("deals", limit, |execution| study.run(execution));
    let solved = study.tally().deals();
    if solved == 0 {
        return Err(args.layouts.nothing_solved());
    }
    let results = study.results();
    let who = ["nobody", "NS", "EW", "both"][vulnerability.index()];
    let heading = format!("{solved} deals{}, {who} vulnerable", sampled_text(&study));
    if let Some(path) = &args.html {
        let page = contract_study_page(&heading, &study, &results, args.by.as_deref());
        whole_file::write(path, page.as_bytes())?;
    }
    let mut tables = vec![
        ("contracts", contracts(&results, played.as_ref())),
        ("duels", pairs(&results)),
        ("tricks", tricks(&study, args.format)),
    ];
    if args.by.is_some() {
        tables.push(("groups", group_table(&study)));
    }
    let mut text = Vec::new();
    if args.format == TableFormat::Text {
        writeln!(text, "{heading}")?;
    }
    table::write_named(&tables, args.format, &mut text)?;
    if let Some(played) = &played {
        let note = format!(
            "{}: tricks + difference; {}",
            played.column(),
            played.source()
        );
        match args.format {
            TableFormat::Text => writeln!(text, "\n{note}")?,
            _ => eprintln!("croupier: {note}"),
        }
    }
    whole_file::write(&args.output, &text)?;
    args.layouts.report_interrupt(solved, limit);
    Ok(args.layouts.interrupt.exit_code())
}

/// Returns the table of the numbers of tricks in each contract: in percent for text, as counts for other formats.
fn tricks(study: &Study<'_, ContractQuestion>, format: TableFormat) -> Table {
    let contracts = study.question().contracts();
    let histogram = |contract: usize| study.tally().histogram(contract);
    let is_taken = |number: usize| (0..contracts.len()).any(|it| histogram(it)[number] > 0);
    let first = (0..14).find(|&number| is_taken(number)).unwrap_or(0);
    let last = (0..14).rev().find(|&number| is_taken(number)).unwrap_or(13);
    let mut table = Table::new(&["contract", "tricks", "deals", "pct"]);
    if format == TableFormat::Text {
        const NUMBERS: [&str; 14] = [
            "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13",
        ];
        let mut names = vec!["tricks, %"];
        names.extend(&NUMBERS[first..=last]);
        table = Table::new(&names);
    }
    for (contract, declared) in contracts.iter().enumerate() {
        let share = |number: usize| 100.0 * study.share_of_tricks(contract, number as u8);
        if format == TableFormat::Text {
            let mut row = vec![Cell::Text(declared.to_string())];
            row.extend((first..=last).map(|number| Cell::Decimal(share(number), 1)));
            table.push(row);
            continue;
        }
        let numbers = histogram(contract).iter().enumerate();
        for (number, &deals) in numbers.take(last + 1).skip(first) {
            table.push(vec![
                Cell::Text(declared.to_string()),
                Cell::Whole(number as u64),
                Cell::Whole(deals),
                Cell::Decimal(share(number), 3),
            ]);
        }
    }
    table
}

/// Returns the table of the contracts in each group of deals; IMPs are those against the first contract.
fn group_table(study: &Study<'_, ContractQuestion>) -> Table {
    let mut table = Table::new(&[
        "value", "deals", "contract", "tricks", "made_pct", "score", "score_ci", "imps", "imps_ci",
    ]);
    for (value, tally) in study.groups() {
        for result in study.question().results(tally) {
            let mut row = vec![
                Cell::Text(value.to_string()),
                Cell::Whole(tally.deals()),
                Cell::Text(result.declared.to_string()),
                Cell::Decimal(result.tricks.value, 2),
                Cell::Decimal(100.0 * result.made.value, 1),
            ];
            row.extend(mean(result.score, 1));
            row.extend(mean(result.imps[0], 2));
            table.push(row);
        }
    }
    table
}

fn contracts(results: &[ContractResult], played: Option<&PlayDifferences>) -> Table {
    let mut names = vec![
        "contract",
        "tricks",
        "tricks_ci",
        "made_pct",
        "made_low",
        "made_high",
        "score",
        "score_ci",
    ];
    names.extend(played.map(PlayDifferences::column));
    let mut table = Table::new(&names);
    for result in results {
        let mut row = vec![Cell::Text(result.declared.to_string())];
        row.extend(mean(result.tricks, 3));
        row.extend(percentage(result.made));
        row.extend(mean(result.score, 1));
        row.extend(played.map(|played| {
            let difference = played.difference(result.declared.contract);
            difference.map_or(Cell::Empty, |difference| {
                Cell::Decimal(result.tricks.value + difference, 3)
            })
        }));
        table.push(row);
    }
    table
}

fn pairs(results: &[ContractResult]) -> Table {
    let mut table = Table::new(&["contract", "against", "imps", "imps_ci", "mp_pct", "mp_ci"]);
    for (i, result) in results.iter().enumerate() {
        for (j, other) in results.iter().enumerate().filter(|&(j, _)| j != i) {
            let mut row = vec![
                Cell::Text(result.declared.to_string()),
                Cell::Text(other.declared.to_string()),
            ];
            row.extend(mean(result.imps[j], 3));
            row.extend(mean(result.matchpoints[j].scaled(100.0), 1));
            table.push(row);
        }
    }
    table
}
