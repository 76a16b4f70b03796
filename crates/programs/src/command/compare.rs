//! `croupier compare`: several contracts on the same deals.

mod html;

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use cards::{Deal, TrickTable, Vulnerability};
use engine::parallel;
use solver::study::{ContractResult, ContractStudy, Declared};
use solver::{DealCache, Solver};
use studies::{ContractSample, Examined, Played, Precision, Stopping};

use super::lead::{mean, percentage, solved_of};
use crate::boards;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::layouts::Layouts;
use crate::progress::Progress;
use crate::table::{self, Cell, Table, TableFormat};
use crate::whole_file;

/// Compare contracts on the same deals.
///
/// Tells for every contract the average tricks and score and how often it makes, and for every pair
/// the IMPs and matchpoints of one against the other, each with its 95 % confidence interval; then how
/// often each contract takes each number of tricks. Scores are those of the side that declares the first
/// contract. Ctrl-C ends the study with the deals that are solved.
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
    /// Break the results down by a variable of the script or any expression: hcp(north), fit.
    #[arg(long, value_name = "EXPRESSION", conflicts_with_all = ["deals", "precision", "control"])]
    by: Option<String>,
    /// Add the tricks that people would take at the table: double-dummy tricks and the mean difference that was
    /// found for such contracts. okbridge: P. Cheung, 30 million plays on OKbridge, by level. Or a file: a line
    /// "# source", the heading "contract,difference", and rows such as "3N,0.2" or, for a level, "3,0.1".
    #[arg(long, value_name = "SOURCE", value_parser = source, value_hint = clap::ValueHint::FilePath)]
    played: Option<Source>,
    /// How to write the tables.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the tables instead of standard output.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Also write a report for the browser, with charts of the tricks.
    #[arg(long, visible_alias = "report", value_name = "FILE")]
    html: Option<PathBuf>,
    #[cfg(feature = "bidding")]
    #[command(flatten)]
    auction: crate::systems::AuctionArgs,
    #[command(flatten)]
    layouts: Layouts,
}

/// Who compared play at the table with double dummy.
#[derive(Clone)]
enum Source {
    Okbridge,
    File(PathBuf),
}

fn source(name: &str) -> Result<Source, String> {
    let path = PathBuf::from(name);
    match name.to_ascii_lowercase().as_str() {
        "okbridge" => Ok(Source::Okbridge),
        _ if path.exists() && !path.is_dir() => Ok(Source::File(path)),
        _ => Err(
            "no such source of results at the table: there is okbridge, or name a file".to_owned(),
        ),
    }
}

impl Source {
    fn read(&self) -> Result<Played, Failure> {
        let path = match self {
            Source::Okbridge => return Ok(Played::okbridge()),
            Source::File(path) => path,
        };
        let text = std::fs::read_to_string(path).map_err(|error| Failure::at(path, error))?;
        Played::read(&text).map_err(|error| Failure::at(path, error))
    }
}

/// A deal, what its file says about its results, and the value that it is grouped by.
type Known = (Deal, Option<TrickTable>, i32);

/// How often each number of tricks is taken.
type Histogram = [u64; 14];

/// What came out.
struct Findings<'a> {
    study: ContractStudy,
    sample: Option<ContractSample<'a>>,
    /// For each contract.
    tricks: Vec<Histogram>,
    /// A study for each value that the deals are grouped by.
    groups: BTreeMap<i32, ContractStudy>,
}

impl Findings<'_> {
    /// Adds the tricks of a solved deal in each contract.
    fn add(&mut self, tricks: &[u8]) {
        self.study.add(tricks);
        for (histogram, &tricks) in self.tricks.iter_mut().zip(tricks) {
            histogram[usize::from(tricks)] += 1;
        }
    }

    /// How often a contract takes so many tricks, 0 to 1.
    fn share(&self, contract: usize, number: usize) -> f64 {
        if let Some(sample) = &self.sample {
            return sample.share_of_tricks(contract, number as u8);
        }
        let histogram = &self.tricks[contract];
        histogram[number] as f64 / histogram.iter().sum::<u64>().max(1) as f64
    }
}

/// Runs the command.
///
/// # Errors
/// If there are fewer than two contracts, the script is wrong or a file cannot be read.
pub fn run(mut args: Args) -> Result<ExitCode, Failure> {
    if args.contracts.len() < 2 {
        return Err(Failure::usage("give at least two contracts: -k 3N -k 4S"));
    }
    let played = args.played.as_ref().map(Source::read).transpose()?;
    args.layouts.interrupt = Interrupt::watch();
    args.layouts.by = args.by.clone();
    let mut vulnerability = args.vulnerable;
    let (deals, most) = match &args.deals {
        Some(path) => {
            let mut deals = Vec::new();
            for board in boards::read(path)? {
                let whole = board.deal().ok_or_else(|| {
                    let (name, line) = (path.display(), board.line);
                    Failure::runtime(format!("{name}: line {line}: not a whole deal"))
                })?;
                deals.push((whole, board.tricks, 0));
            }
            let most = deals.len();
            (deals, most)
        }
        None => {
            #[cfg(feature = "bidding")]
            if let Some(auction) = args.auction.auction()? {
                let who = args.vulnerable.unwrap_or(Vulnerability::None);
                args.layouts.auction_script = Some(args.auction.script(&auction, who, &[])?);
            }
            let session = args.layouts.session()?;
            vulnerability = vulnerability.or(session.settings().vulnerable);
            let (deals, most) = args.layouts.grouped_deals(&session)?;
            let known = |(deal, value)| (deal, None, value);
            (deals.into_iter().map(known).collect(), most)
        }
    };
    let vulnerability = vulnerability.unwrap_or(Vulnerability::None);
    let all: Vec<Deal> = deals.iter().map(|(deal, ..)| *deal).collect();
    let found = study(&args, vulnerability, (&deals, &all), most);
    let Findings { study, sample, .. } = &found;
    if study.deals() == 0 {
        return Err(args.layouts.nothing_yet());
    }
    let results = match sample {
        Some(sample) => sample.sharpen(study.results()),
        None => study.results(),
    };
    let who = ["nobody", "NS", "EW", "both"][vulnerability.index()];
    let heading = match sample {
        Some(sample) => {
            let seen = solved_of(sample.solved(), sample.looked_into(), deals.len());
            format!("{} deals{seen}, {who} vulnerable", study.deals())
        }
        None => format!("{} deals, {who} vulnerable", study.deals()),
    };
    if let Some(path) = &args.html {
        let page = html::page(&heading, &results, &found, args.by.as_deref());
        whole_file::write(path, page.as_bytes())?;
    }
    let mut tables = vec![
        ("contracts", contracts(&results, played.as_ref())),
        ("duels", duels(&results)),
        ("tricks", tricks(&args.contracts, &found, args.format)),
    ];
    if args.by.is_some() {
        tables.push(("groups", groups(&found.groups)));
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
    args.layouts.tell_interrupt(study.deals(), most);
    Ok(args.layouts.interrupt.exit_code())
}

/// Solves at most so many of the deals, and looks at the others if that is wished.
fn study<'a>(
    args: &Args,
    vulnerability: Vulnerability,
    (deals, all): (&[Known], &'a [Deal]),
    most: usize,
) -> Findings<'a> {
    let layouts = &args.layouts;
    let empty = ContractStudy::new(args.contracts.clone(), vulnerability);
    let mut found = Findings {
        study: empty.clone(),
        sample: match (layouts.looks_further(), layouts.precision) {
            (false, _) => None,
            // The deals of a file are taken as they come: there are no others.
            (true, Some(Precision { unit, .. })) if args.deals.is_none() => {
                let (contracts, cut) = (args.contracts.clone(), layouts.cut(all.len()));
                let sample = ContractSample::choosing(contracts, vulnerability, unit, all, cut);
                Some(sample)
            }
            (true, _) => Some(ContractSample::new(
                args.contracts.clone(),
                vulnerability,
                all,
            )),
        },
        tricks: vec![[0; 14]; args.contracts.len()],
        groups: BTreeMap::new(),
    };
    let mut stopping = layouts.precision.map(Stopping::at);
    let mut progress = Progress::new("deals", Some(most as u64));
    let examiner = found.sample.as_ref().map(ContractSample::examiner);
    let ask = |solver: &mut Solver, (place, (deal, tricks, value)): (usize, &Known)| {
        if layouts.interrupt.came() {
            return None;
        }
        let examined = examiner.as_ref().map(|it| it.examine(solver, place, deal));
        let chosen = examined.as_ref().is_none_or(Examined::is_chosen);
        let solved = chosen.then(|| {
            let mut known = tricks.as_ref().map_or_else(DealCache::new, DealCache::from);
            empty.solve(solver, deal, &mut known)
        });
        Some((examined, solved, *value))
    };
    let solver = || layouts.memory.solver();
    let stream: Box<dyn Iterator<Item = (usize, &Known)> + Send> = match &found.sample {
        Some(sample) => Box::new(sample.stream().map(|(place, _)| (place, &deals[place]))),
        None => Box::new(deals.iter().enumerate().take(most)),
    };
    let take = |answer: Option<(Option<Examined>, Option<Vec<u8>>, i32)>| {
        let Some((examined, tricks, value)) = answer else {
            return ControlFlow::Break(());
        };
        if let Some(tricks) = &tricks {
            found.add(tricks);
            if args.by.is_some() {
                let group = found.groups.entry(value);
                group.or_insert_with(|| empty.clone()).add(tricks);
            }
            progress.advance(1);
        }
        let (Some(sample), Some(examined)) = (&mut found.sample, examined) else {
            return ControlFlow::Continue(());
        };
        sample.add(examined, tricks.as_deref());
        let enough = |stopping: &mut Stopping| {
            tricks.is_some()
                && stopping.enough(sample.solved(), |precision| sample.reached(precision))
        };
        match stopping.as_mut().is_some_and(enough) || sample.solved() >= most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let _ = parallel::ordered_map(layouts.threads.count(), stream, solver, ask, take);
    progress.finish();
    found
}

/// How often each contract takes each number of tricks: in percent for people, as counts for programs.
fn tricks(contracts: &[Declared], found: &Findings<'_>, format: TableFormat) -> Table {
    let tricks = &found.tricks;
    let taken = |number: usize| tricks.iter().any(|histogram| histogram[number] > 0);
    let first = (0..14).find(|&number| taken(number)).unwrap_or(0);
    let last = (0..14).rev().find(|&number| taken(number)).unwrap_or(13);
    let mut table = Table::new(&["contract", "tricks", "deals", "pct"]);
    if format == TableFormat::Text {
        const NUMBERS: [&str; 14] = [
            "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13",
        ];
        let mut names = vec!["tricks, %"];
        names.extend(&NUMBERS[first..=last]);
        table = Table::new(&names);
    }
    for (place, (declared, histogram)) in contracts.iter().zip(tricks).enumerate() {
        let share = |number: usize| 100.0 * found.share(place, number);
        if format == TableFormat::Text {
            let mut row = vec![Cell::Text(declared.to_string())];
            row.extend((first..=last).map(|number| Cell::Decimal(share(number), 1)));
            table.push(row);
            continue;
        }
        for (number, &deals) in histogram.iter().enumerate().take(last + 1).skip(first) {
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

/// The contracts in each group of deals; IMPs are those against the first contract.
fn groups(groups: &BTreeMap<i32, ContractStudy>) -> Table {
    let mut table = Table::new(&[
        "value", "deals", "contract", "tricks", "made_pct", "score", "score_ci", "imps", "imps_ci",
    ]);
    for (value, study) in groups {
        for result in study.results() {
            let mut row = vec![
                Cell::Text(value.to_string()),
                Cell::Whole(study.deals()),
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

fn contracts(results: &[ContractResult], played: Option<&Played>) -> Table {
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
    names.extend(played.map(Played::column));
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
