//! `croupier compare`: compares several contracts on the same deals.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use croupier::cards::{Deal, TrickTable, Vulnerability};
use croupier::declarer::{
    LayoutSource, PlayoutOptions, Playouts, ScriptLayouts, UniformLayouts, play_out_deals,
};
use croupier::render::html::contract_study_page;
use croupier::session::Job;
use croupier::studies::{
    ContractQuestion, ContractResult, DeclaredContract, PlayDifferences, Study, StudyDeals,
    StudyError, StudyQuestion,
};

use super::lead::{EstimateCells, IMPS, MATCHPOINTS, SCORE, TRICKS, sampled_text};
use super::plan::{layout_failure, plan_failure, print_cost};
use crate::boards;
use crate::failure::{Failure, ShownPath};
use crate::interrupt::Interrupt;
use crate::layouts::Layouts;
use crate::table::{self, Listing, ListingCell, TableFormat};
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
    /// Vulnerable side: none, ns, ew or both [default: that of the script or of the boards, else none].
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
    /// Also play the first N deals without sight of the defenders' cards: how often a declarer who sees two hands makes
    /// each contract. The expected time is printed before it starts [default without N: 50].
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "50", value_parser = clap::value_parser!(u32).range(1..))]
    single_dummy: Option<u32>,
    /// Format of the tables.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the tables instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Decimals of the estimates [default: as many as their intervals support].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=12))]
    digits: Option<u8>,
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
        let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
        PlayDifferences::read(&text).map_err(|error| Failure::at(path, error))
    }
}

/// Deals of a file with the double-dummy results that it holds, and the vulnerability of its boards.
struct GivenDeals {
    deals: Vec<Deal>,
    tables: Vec<Option<TrickTable>>,
    vulnerability: Vulnerability,
}

/// Reads the first `number` deals of a file. Without `vulnerable` the boards must agree about the vulnerability.
fn read_deals(
    path: &Path,
    number: Option<u64>,
    vulnerable: Option<Vulnerability>,
) -> Result<GivenDeals, Failure> {
    let mut deals = Vec::new();
    let mut tables = Vec::new();
    let most = number.and_then(|number| usize::try_from(number).ok());
    let mut boards = boards::read(path)?;
    boards.truncate(most.unwrap_or(usize::MAX));
    let given: Vec<Option<Vulnerability>> = boards.iter().map(|board| board.vulnerable).collect();
    let vulnerability = match (vulnerable, &given[..]) {
        (Some(who), _) => who,
        (None, [first, others @ ..]) if others.iter().all(|other| other == first) => {
            first.unwrap_or(Vulnerability::None)
        }
        (None, _) => {
            let name = path.shown();
            return Err(Failure::usage(format!(
                "{name}: the boards have different vulnerabilities; choose the one to score with: --vulnerable none, ns, ew or both"
            )));
        }
    };
    for board in boards {
        let deal = board.deal().ok_or_else(|| {
            let (name, line) = (path.shown(), board.line);
            Failure::runtime(format!("{name}: line {line}: not a whole deal"))
        })?;
        deals.push(deal);
        tables.push(board.tricks);
    }
    Ok(GivenDeals {
        deals,
        tables,
        vulnerability,
    })
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
    let mut source: Box<dyn LayoutSource> = Box::new(UniformLayouts::new(SINGLE_DUMMY_SEED));
    let (all, tables, groups) = match &args.deals {
        Some(path) => {
            let given = read_deals(path, args.layouts.options().number, args.vulnerable)?;
            vulnerability = Some(given.vulnerability);
            (given.deals, given.tables, Vec::new())
        }
        None => {
            #[cfg(feature = "bidding")]
            if let Some(auction) = args.auction.auction()? {
                let who = args.vulnerable.unwrap_or(Vulnerability::None);
                args.layouts.auction_script = Some(args.auction.script(&auction, who, &[])?);
            }
            let session = args.layouts.session()?;
            vulnerability = vulnerability.or(session.settings().vulnerable);
            if args.single_dummy.is_some() {
                let job = Job::from_spec(session.spec().clone());
                let job = job.cancel(args.layouts.interrupt.flag());
                let layouts = ScriptLayouts::new(job, SINGLE_DUMMY_SEED).map_err(layout_failure)?;
                source = Box::new(layouts);
            }
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
    let single_dummy = match args.single_dummy {
        Some(number) => {
            let number = all.len().min(number as usize);
            play_contracts(&args, &all[..number], source.as_ref())?
        }
        None => Vec::new(),
    };
    let who = ["nobody", "NS", "EW", "both"][vulnerability.index()];
    let heading = format!("{solved} deals{}, {who} vulnerable", sampled_text(&study));
    if let Some(path) = &args.html {
        let page = contract_study_page(
            &heading,
            &study,
            &results,
            args.by.as_deref(),
            args.digits.map(usize::from),
        );
        whole_file::write(path, page.as_bytes())?;
    }
    let estimates = EstimateCells::new(args.format, args.digits);
    let mut tables = vec![
        ("contracts", contracts(&results, played.as_ref(), estimates)),
        ("duels", pairs(&results, estimates)),
        ("tricks", tricks(&study, args.format, estimates)),
    ];
    if !single_dummy.is_empty() {
        tables.push(("single_dummy", single_dummy_table(&single_dummy, estimates)));
    }
    if args.by.is_some() {
        tables.push(("groups", group_table(&study, estimates)));
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

/// Seed of the layouts that declarer expects in playouts.
const SINGLE_DUMMY_SEED: u64 = 1;

/// Plays every contract on the deals.
fn play_contracts(
    args: &Args,
    deals: &[Deal],
    source: &dyn LayoutSource,
) -> Result<Vec<(DeclaredContract, Playouts)>, Failure> {
    let options = PlayoutOptions::default();
    print_cost(&options, deals.len() * args.contracts.len());
    let mut played = Vec::new();
    for &declared in &args.contracts {
        let playouts = args.layouts.execute("playouts", deals.len(), |execution| {
            play_out_deals(declared, deals, source, &options, execution)
        });
        let playouts = playouts.map_err(plan_failure)?;
        if playouts.deals > 0 {
            played.push((declared, playouts));
        }
    }
    Ok(played)
}

/// Returns the table of the playouts: how often a declarer who sees two hands makes each contract, and one who sees all.
fn single_dummy_table(
    played: &[(DeclaredContract, Playouts)],
    estimates: EstimateCells,
) -> Listing {
    let single = ["single_dummy_pct", "single_dummy_low", "single_dummy_high"];
    let double = ["double_dummy_pct", "double_dummy_low", "double_dummy_high"];
    let mut columns = vec!["contract", "deals"];
    columns.extend(estimates.titles(single));
    columns.extend(estimates.titles(double));
    let mut table = Listing::new(&columns);
    for (declared, playouts) in played {
        let mut row = vec![
            ListingCell::Text(declared.to_string()),
            ListingCell::Whole(playouts.deals),
        ];
        row.extend(estimates.percentage(playouts.share()));
        row.extend(estimates.percentage(playouts.double_dummy_share()));
        table.push(row);
    }
    table
}

const MADE: [&str; 3] = ["made_pct", "made_low", "made_high"];

/// Returns the table of the numbers of tricks that the contracts take.
fn tricks(
    study: &Study<'_, ContractQuestion>,
    format: TableFormat,
    estimates: EstimateCells,
) -> Listing {
    let contracts = study.question().contracts();
    let histogram = |contract: usize| study.tally().histogram(contract);
    let is_taken = |number: usize| (0..contracts.len()).any(|it| histogram(it)[number] > 0);
    let first = (0..14).find(|&number| is_taken(number)).unwrap_or(0);
    let last = (0..14).rev().find(|&number| is_taken(number)).unwrap_or(13);
    let mut columns = vec!["contract", "tricks"];
    if format != TableFormat::Text {
        columns.push("deals");
    }
    columns.extend(estimates.titles(["pct", "pct_low", "pct_high"]));
    let mut table = Listing::new(&columns);
    for (contract, declared) in contracts.iter().enumerate() {
        for number in first..=last {
            let deals = histogram(contract)[number];
            let is_listed = (0..=number).any(|it| histogram(contract)[it] > 0)
                && (number..14).any(|it| histogram(contract)[it] > 0);
            let mut row = vec![
                ListingCell::Text(declared.to_string()),
                ListingCell::Whole(number as u64),
            ];
            if format != TableFormat::Text {
                row.push(ListingCell::Whole(deals));
            } else if !is_listed {
                continue;
            }
            row.extend(estimates.percentage(study.share_of_tricks(contract, number as u8)));
            table.push(row);
        }
    }
    table
}

/// Returns the table of the contracts in each group of deals; IMPs are those against the first contract.
fn group_table(study: &Study<'_, ContractQuestion>, estimates: EstimateCells) -> Listing {
    let columns = [TRICKS, MADE, SCORE, IMPS];
    let columns = columns
        .into_iter()
        .flat_map(|names| estimates.titles(names));
    let columns: Vec<&str> = ["value", "deals", "contract"]
        .into_iter()
        .chain(columns)
        .collect();
    let mut table = Listing::new(&columns);
    for (value, tally) in study.groups() {
        for result in study.question().results(tally) {
            let mut row = vec![
                ListingCell::Text(value.to_string()),
                ListingCell::Whole(tally.deals()),
                ListingCell::Text(result.declared.to_string()),
            ];
            row.extend(estimates.cells(result.tricks));
            row.extend(estimates.percentage(result.made));
            row.extend(estimates.cells(result.score));
            row.extend(estimates.cells(result.imps[0]));
            table.push(row);
        }
    }
    table
}

fn contracts(
    results: &[ContractResult],
    played: Option<&PlayDifferences>,
    estimates: EstimateCells,
) -> Listing {
    let columns = [TRICKS, MADE, SCORE];
    let columns = columns
        .into_iter()
        .flat_map(|names| estimates.titles(names));
    let mut columns: Vec<&str> = std::iter::once("contract").chain(columns).collect();
    if let Some(played) = played {
        let names = match played.column() {
            "tricks_okbridge" => [
                "tricks_okbridge",
                "tricks_okbridge_low",
                "tricks_okbridge_high",
            ],
            name => [name, "tricks_played_low", "tricks_played_high"],
        };
        columns.extend(estimates.titles(names));
    }
    let mut table = Listing::new(&columns);
    for result in results {
        let mut row = vec![ListingCell::Text(result.declared.to_string())];
        row.extend(estimates.cells(result.tricks));
        row.extend(estimates.percentage(result.made));
        row.extend(estimates.cells(result.score));
        if let Some(played) = played {
            let difference = played.difference(result.declared.contract);
            // The difference is taken as exact, so that the interval is that of the tricks.
            let tricks = result.tricks.shifted(difference.unwrap_or(f64::NAN));
            row.extend(estimates.cells(tricks));
        }
        table.push(row);
    }
    table
}

fn pairs(results: &[ContractResult], estimates: EstimateCells) -> Listing {
    let columns = [IMPS, MATCHPOINTS];
    let columns = columns
        .into_iter()
        .flat_map(|names| estimates.titles(names));
    let columns: Vec<&str> = ["contract", "against"].into_iter().chain(columns).collect();
    let mut table = Listing::new(&columns);
    for (i, result) in results.iter().enumerate() {
        for (j, other) in results.iter().enumerate().filter(|&(j, _)| j != i) {
            let mut row = vec![
                ListingCell::Text(result.declared.to_string()),
                ListingCell::Text(other.declared.to_string()),
            ];
            row.extend(estimates.cells(result.imps[j]));
            row.extend(estimates.percentage(result.matchpoints[j]));
            table.push(row);
        }
    }
    table
}
