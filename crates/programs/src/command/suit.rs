//! `croupier suit`: computes the best play of one suit and its exact chances.

mod book;
mod given;
mod html;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use croupier::cards::{Contract, Seat, Suit};
use croupier::suits::{
    Combination, Entries, Fraction, GoalSummary, NamedGoal, SuitGoal, SuitLine, SuitSolver,
    VacantPlaces, WeightedCombination, imp_payoffs, score_payoffs, two_suits,
};

use crate::failure::Failure;
use crate::table::TableFormat;
use crate::whole_file;

use report::{Alternative, GoalAnswer, Report};

/// Show how to play a suit: the best line and its exact chance for every number of tricks.
///
/// Give the two holdings of declarer's side, as in `croupier suit AQT98 5432`. The chance of a line is its chance against
/// best defence, falsecards included: the defenders know all cards and your line. Other first plays are listed with their
/// chances. Entries are unlimited unless you give --entries-north and --entries-south.
#[derive(clap::Args)]
pub struct Args {
    /// North's and South's cards: AQT98 5432 or AQT98/5432; x is a small card, - a void.
    #[arg(value_name = "HOLDING", required_unless_present = "book", num_args = 1..=2)]
    holdings: Vec<String>,
    /// Compute only the chance of this number of tricks.
    #[arg(long, value_name = "TRICKS", conflicts_with = "book")]
    need: Option<u8>,
    /// Payoffs for 0, 1, 2 ... tricks in the suit, for example 0,0,10,11; they must not decrease.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        allow_hyphen_values = true,
        conflicts_with = "book"
    )]
    payoff: Option<Vec<i32>>,
    /// Play for the score in this contract, for example 3N or 4Hx; needs --outside.
    #[arg(long, value_name = "CONTRACT", requires = "outside", conflicts_with_all = ["payoff", "book"])]
    contract: Option<Contract>,
    /// Tricks that you take outside the suit.
    #[arg(long, value_name = "TRICKS", requires = "contract", value_parser = clap::value_parser!(u8).range(0..=13))]
    outside: Option<u8>,
    /// You are vulnerable.
    #[arg(long, requires = "contract")]
    vulnerable: bool,
    /// Play for IMPs against this score at the other table [default: the contract just made].
    #[arg(long, value_name = "SCORE", num_args = 0..=1, requires = "contract", allow_hyphen_values = true)]
    imps: Option<Option<i32>>,
    /// Also find the line that beats the other lines most often.
    #[arg(long, conflicts_with = "book")]
    matchpoints: bool,
    /// Vacant places of West and East for this suit: 13 minus their known cards in other suits.
    #[arg(long, value_name = "WEST,EAST", value_parser = vacant, conflicts_with_all = ["west", "given", "book"])]
    vacant: Option<VacantPlaces>,
    /// Condition on the deal, for example 'hcp(west) >= 12 and spades(west) >= 5'; needs --suit.
    #[arg(long, value_name = "CONDITION", requires = "suit", conflicts_with_all = ["given", "book"])]
    west: Option<String>,
    /// Script with a condition (and predeal) on the deal; needs --suit.
    #[arg(
        long,
        value_name = "SCRIPT",
        requires = "suit",
        conflicts_with = "book"
    )]
    given: Option<PathBuf>,
    /// Suit of the holdings, if a condition depends on it: spades, hearts, diamonds or clubs.
    #[arg(long, value_name = "SUIT", value_parser = suit_of)]
    suit: Option<Suit>,
    /// Number of deals to try for each layout if a condition cannot be counted exactly.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    samples: u64,
    /// Number of entries to North. A lead from North costs one, unless North won the previous trick.
    #[arg(long, value_name = "N", conflicts_with = "entries_south")]
    entries_north: Option<u8>,
    /// Number of entries to South.
    #[arg(long, value_name = "N")]
    entries_south: Option<u8>,
    /// A second suit to play; --need then counts the tricks of both suits.
    #[arg(long, value_name = "HOLDINGS", requires = "need", conflicts_with_all = ["west", "given", "matchpoints", "payoff", "contract", "entries_north", "entries_south", "book"])]
    with: Option<Combination>,
    /// List the layouts that each line wins against.
    #[arg(long)]
    layouts: bool,
    /// Print every case of a line, at any depth.
    #[arg(long)]
    tree: bool,
    /// Format of the answer.
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// File for the answer instead of standard output; with --book, a name that ends in .pdf gives a PDF file.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Also write an HTML page, to be opened in a browser.
    #[arg(long, visible_alias = "report", value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    book: book::BookArgs,
}

fn vacant(text: &str) -> Result<VacantPlaces, String> {
    let wrong = || format!("{text:?} is not two numbers from 0 to 13, for example 9,12");
    let (west, east) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse().ok().filter(|&places: &u8| places <= 13);
    match (number(west), number(east)) {
        (Some(west), Some(east)) => Ok(VacantPlaces { west, east }),
        _ => Err(wrong()),
    }
}

fn suit_of(text: &str) -> Result<Suit, String> {
    let names = [
        ("spades", Suit::Spades),
        ("hearts", Suit::Hearts),
        ("diamonds", Suit::Diamonds),
        ("clubs", Suit::Clubs),
    ];
    let text = text.to_ascii_lowercase();
    let fits = |name: &str| !text.is_empty() && (name == text || name[..1] == text);
    let found = names.into_iter().find(|(name, _)| fits(name));
    found
        .map(|(_, suit)| suit)
        .ok_or_else(|| "say spades, hearts, diamonds or clubs".to_owned())
}

/// Runs the command.
///
/// # Errors
/// If the holdings, the vacant places or the condition are invalid, or a file cannot be written.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    if args.book.is_wanted() {
        return book::run(&args);
    }
    let combination = match &args.holdings[..] {
        [north, south] => Combination::parse(north, south),
        [both] => both.parse(),
        _ => {
            return Err(Failure::usage(
                "give two holdings: croupier suit AQT98 5432",
            ));
        }
    };
    let combination = combination.map_err(Failure::usage)?;
    let report = match args.with {
        Some(other) => sequence(&args, combination, other)?,
        None => answer(&args, combination)?,
    };
    if let Some(path) = &args.html {
        whole_file::write(path, html::page(&report).as_bytes())?;
    }
    let mut out = Vec::new();
    report.write(args.format, &mut out)?;
    whole_file::write(&args.output, &out)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the problem and, if its weights are estimates, the largest error of a chance.
fn problem(
    args: &Args,
    combination: Combination,
) -> Result<(WeightedCombination, Option<f64>), Failure> {
    let (problem, error) = match (&args.west, &args.given, args.suit) {
        (None, None, _) | (_, _, None) => {
            let vacant = args.vacant.unwrap_or_default();
            (WeightedCombination::new(combination, vacant), None)
        }
        (condition, script, Some(suit)) => {
            let source = given::LayoutCondition::new(condition.as_deref(), script.as_deref())?;
            let weights = given::weights(&source, combination, suit, args.samples)?;
            let problem = WeightedCombination::with_layouts(combination, &weights.layouts);
            (problem, weights.largest_error)
        }
    };
    let mut problem = problem.map_err(Failure::usage)?;
    let limits = [
        (Seat::North, args.entries_north),
        (Seat::South, args.entries_south),
    ];
    for (hand, number) in limits {
        if let Some(number) = number {
            let entries = Entries { hand, number };
            problem = problem.with_entries(entries).map_err(Failure::usage)?;
        }
    }
    Ok((problem, error))
}

/// Returns the goals of the switches. Without any: every number of tricks that is in doubt, and the average.
fn goals(args: &Args, solver: &mut SuitSolver) -> Result<Vec<NamedGoal>, Failure> {
    let most = solver.problem().combination().tricks();
    if let Some(need) = args.need.map(usize::from) {
        if need > most || need == 0 {
            return Err(Failure::usage(format!(
                "--need {need}: the suit has 1 to {most} tricks to play for"
            )));
        }
        return Ok(vec![NamedGoal::tricks(need)]);
    }
    let payoff = |list: Vec<i32>, name: &str| NamedGoal {
        goal: SuitGoal::Payoff(list),
        name: name.to_owned(),
        is_chance: false,
    };
    if let Some(list) = &args.payoff {
        return Ok(vec![payoff(list.clone(), "payoff")]);
    }
    if let (Some(contract), Some(outside)) = (args.contract, args.outside) {
        let (vulnerable, made) = (args.vulnerable, contract.tricks_needed() as i32);
        return Ok(vec![match args.imps {
            None => payoff(score_payoffs(contract, vulnerable, outside), "score"),
            Some(other) => {
                let other = other.unwrap_or_else(|| contract.score(vulnerable, made));
                payoff(imp_payoffs(contract, vulnerable, outside, other), "IMPs")
            }
        }]);
    }
    Ok(NamedGoal::usual(solver))
}

fn answer(args: &Args, combination: Combination) -> Result<Report, Failure> {
    let (problem, largest_error) = problem(args, combination)?;
    let mut solver = SuitSolver::new(problem);
    let mut answers = Vec::new();
    for named in goals(args, &mut solver)? {
        let summary = GoalSummary::new(&mut solver, named, args.need.is_some());
        let summary = summary.map_err(Failure::usage)?;
        let alternatives = summary.first_plays.into_iter();
        answers.push(GoalAnswer {
            name: summary.name,
            is_chance: summary.is_chance,
            value: summary.value,
            line: summary.line,
            alternatives: alternatives
                .map(|(play, value)| Alternative { play, value })
                .collect(),
            note: None,
        });
    }
    if args.matchpoints {
        answers.push(matchpoints(&mut solver)?);
    }
    let mut conditions = Vec::new();
    if let Some(vacant) = args.vacant {
        conditions.push(format!(
            "vacant places: West {}, East {}",
            vacant.west, vacant.east
        ));
    }
    if args.west.is_some() || args.given.is_some() {
        conditions.push(match largest_error {
            None => "layouts weighted by exact counts of the deals that satisfy the condition"
                .to_owned(),
            Some(error) => format!(
                "layouts weighted by {} deals each; chances are within {:.2} % (95 % confidence)",
                args.samples,
                100.0 * error
            ),
        });
    }
    for (hand, number) in [("North", args.entries_north), ("South", args.entries_south)] {
        if let Some(number) = number {
            conditions.push(format!("entries to {hand}: {number}"));
        }
    }
    Ok(Report {
        combination,
        conditions,
        answers,
        shows_layouts: args.layouts,
        deepest: if args.tree {
            usize::MAX
        } else {
            report::DEFAULT_DEPTH
        },
    })
}

/// Maximum number of lines to compare at matchpoints.
const MOST_LINES: usize = 3000;

fn matchpoints(solver: &mut SuitSolver) -> Result<GoalAnswer, Failure> {
    let found = solver.matchpoints(MOST_LINES).map_err(Failure::runtime)?;
    let worst = found.worst_margin.percent();
    let note = match found.worst_margin >= Fraction::ZERO {
        true => format!("no other of {} lines beats it", found.lines),
        false => format!(
            "no line is unbeaten; this one loses to another by {:.2} % at most",
            -worst
        ),
    };
    let margin = found.margin_over_best_average.percent();
    Ok(GoalAnswer {
        name: "matchpoints".to_owned(),
        is_chance: false,
        value: found.line.value(),
        line: Some(found.line),
        alternatives: Vec::new(),
        note: Some(format!(
            "{note}; margin over the line with the best average {margin:.2} %"
        )),
    })
}

fn sequence(args: &Args, one: Combination, other: Combination) -> Result<Report, Failure> {
    let need = args.need.map_or(0, usize::from);
    let vacant = args.vacant.unwrap_or_default();
    let sequence = two_suits(one, other, vacant, need).map_err(Failure::usage)?;
    let line: SuitLine = sequence.line;
    Ok(Report {
        combination: sequence.first,
        conditions: vec![format!(
            "played first, then {}: {need} tricks from both suits",
            sequence.second
        )],
        answers: vec![GoalAnswer {
            name: format!("{need} tricks"),
            is_chance: true,
            value: line.value(),
            line: Some(line),
            alternatives: Vec::new(),
            note: None,
        }],
        shows_layouts: args.layouts,
        deepest: if args.tree {
            usize::MAX
        } else {
            report::DEFAULT_DEPTH
        },
    })
}
