//! `croupier compare`: several contracts on the same deals.

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cards::{Deal, TrickTable, Vulnerability};
use engine::parallel;
use formats::Reader;
use solver::study::{ContractResult, ContractStudy, Declared};
use solver::{DealCache, Solver};
use studies::{ContractSample, Stopping};

use super::lead::{mean, percentage};
use crate::failure::Failure;
use crate::layouts::Layouts;
use crate::progress::Progress;
use crate::table::{Cell, Table, TableFormat};

/// Compare contracts on the same deals.
///
/// Tells for every contract the average tricks and score and how often it makes, and for every pair
/// the IMPs and matchpoints of one against the other, each with its 95 % confidence interval. Scores
/// are those of the side that declares the first contract.
#[derive(clap::Args)]
pub struct Args {
    /// Contract and declarer: 4S-N, 3N, 5Dx-W; South plays it if nobody is named. At least two.
    #[arg(
        short = 'k',
        long = "contract",
        value_name = "CONTRACT",
        required = true
    )]
    contracts: Vec<Declared>,
    /// Who is vulnerable: none, ns, ew or both [default: the script's, else none].
    #[arg(long, value_name = "WHO")]
    vulnerable: Option<Vulnerability>,
    /// Take the deals of this file, in any format, instead of a script's; results in it are used.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["script", "condition"])]
    deals: Option<PathBuf>,
    /// How to write the tables.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    #[command(flatten)]
    layouts: Layouts,
}

/// A deal and what its file says about its results.
type Known = (Deal, Option<TrickTable>);

/// Runs the command.
///
/// # Errors
/// If there are fewer than two contracts, the script is wrong or a file cannot be read.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    if args.contracts.len() < 2 {
        return Err(Failure::usage("give at least two contracts: -k 3N -k 4S"));
    }
    let mut vulnerability = args.vulnerable;
    let (deals, most) = match &args.deals {
        Some(path) => {
            let deals = read(path)?;
            let most = deals.len();
            (deals, most)
        }
        None => {
            let session = args.layouts.session()?;
            vulnerability = vulnerability.or(session.settings().vulnerable);
            let (deals, most) = args.layouts.deals(&session)?;
            (deals.into_iter().map(|deal| (deal, None)).collect(), most)
        }
    };
    let vulnerability = vulnerability.unwrap_or(Vulnerability::None);
    let (study, sample) = study(&args, vulnerability, &deals, most);
    let results = match &sample {
        Some(sample) => sample.sharpen(study.results()),
        None => study.results(),
    };
    let mut out = io::stdout().lock();
    let (before, between, after) = match args.format {
        TableFormat::Text => {
            let who = ["nobody", "NS", "EW", "both"][vulnerability.index()];
            (
                match sample {
                    Some(_) => format!(
                        "{} deals solved of {}, {who} vulnerable\n",
                        study.deals(),
                        deals.len()
                    ),
                    None => format!("{} deals, {who} vulnerable\n", study.deals()),
                },
                "\n",
                "",
            )
        }
        TableFormat::Csv => (String::new(), "\n", ""),
        TableFormat::Json => ("{\"contracts\": ".to_owned(), ", \"duels\": ", "}\n"),
    };
    write!(out, "{before}")?;
    contracts(&results).write(args.format, &mut out)?;
    write!(out, "{between}")?;
    duels(&results).write(args.format, &mut out)?;
    write!(out, "{after}")?;
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Vec<Known>, Failure> {
    let failure =
        |error: &dyn std::fmt::Display| Failure::runtime(format!("{}: {error}", path.display()));
    let input: Box<dyn io::Read> = match path.as_os_str() == "-" {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path).map_err(|error| failure(&error))?),
    };
    let mut deals = Vec::new();
    for board in Reader::new(input).map_err(|error| failure(&error))? {
        let board = board.map_err(|problem| failure(&problem))?;
        match board.deal() {
            Some(deal) => deals.push((deal, board.tricks)),
            None => return Err(failure(&format!("line {}: not a whole deal", board.line))),
        }
    }
    if deals.is_empty() {
        return Err(failure(&"no deals in it"));
    }
    Ok(deals)
}

/// Solves at most so many of the deals, and looks at the others if that is wished.
fn study(
    args: &Args,
    vulnerability: Vulnerability,
    deals: &[Known],
    most: usize,
) -> (ContractStudy, Option<ContractSample>) {
    let layouts = &args.layouts;
    let mut study = ContractStudy::new(args.contracts.clone(), vulnerability);
    let asked = study.clone();
    let mut sample = layouts.looks_further().then(|| {
        let all: Vec<Deal> = deals.iter().map(|(deal, _)| *deal).collect();
        ContractSample::new(args.contracts.clone(), vulnerability, &all)
    });
    let mut stopping = layouts.precision.map(Stopping::at);
    let mut progress = Progress::new("deals", Some(most as u64));
    let ask = |solver: &mut Solver, (deal, tricks): &Known| {
        let mut known = tricks.as_ref().map_or_else(DealCache::new, DealCache::from);
        asked.solve(solver, deal, &mut known)
    };
    let solver = || layouts.memory.solver();
    let _ = parallel::ordered_map(layouts.threads, &deals[..most], solver, ask, |tricks| {
        study.add(&tricks);
        progress.advance(1);
        let Some(sample) = &mut sample else {
            return ControlFlow::Continue(());
        };
        sample.add(&tricks);
        let enough = |stopping: &mut Stopping| {
            stopping.enough(sample.solved(), |precision| sample.reached(precision))
        };
        match stopping.as_mut().is_some_and(enough) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    progress.finish();
    (study, sample)
}

fn contracts(results: &[ContractResult]) -> Table {
    let mut table = Table::new(&[
        "contract",
        "tricks",
        "tricks_ci",
        "made_pct",
        "made_low",
        "made_high",
        "score",
        "score_ci",
    ]);
    for result in results {
        let mut row = vec![Cell::Text(result.declared.to_string())];
        row.extend(mean(result.tricks, 3));
        row.extend(percentage(result.made));
        row.extend(mean(result.score, 1));
        table.push(row);
    }
    table
}

fn duels(results: &[ContractResult]) -> Table {
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
