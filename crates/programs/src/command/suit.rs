//! `croupier suit`: computes the best play of one suit and its exact chances.

mod book;
mod html;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use croupier::cards::{Contract, Seat, Suit};
use croupier::declarer::{
    MAX_SUIT_SAMPLES, SuitAnalysis, SuitCondition, SuitContract, SuitPurpose, SuitQuestion,
    SuitQuestionError,
};
use croupier::session::Job;
use croupier::suits::{Combination, Entries, VacantPlaces};

use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::ElapsedTimeLine;
use crate::scripts;
use crate::table::TableFormat;
use crate::whole_file;

use report::Report;

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
    #[arg(long, value_name = "SCORE", num_args = 0..=1, requires = "contract", allow_negative_numbers = true)]
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
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=MAX_SUIT_SAMPLES))]
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
    #[arg(skip)]
    interrupt: Interrupt,
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
pub fn run(mut args: Args) -> Result<ExitCode, Failure> {
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
    if args.west.is_some() || args.given.is_some() {
        args.interrupt = Interrupt::watch();
    }
    let report = Report {
        answer: args.answer(combination)?,
        shows_layouts: args.layouts,
        deepest: match args.tree {
            true => usize::MAX,
            false => report::DEFAULT_DEPTH,
        },
    };
    if let Some(path) = &args.html {
        whole_file::write(path, html::page(&report).as_bytes())?;
    }
    let mut out = Vec::new();
    report.write(args.format, &mut out)?;
    whole_file::write(&args.output, &out)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the failure for an error: a wrong question has another status than one without an answer.
fn failure(error: SuitQuestionError) -> Failure {
    match error {
        SuitQuestionError::Script(error) => scripts::failure(error),
        SuitQuestionError::NoDeals | SuitQuestionError::Lines(_) | SuitQuestionError::Cancelled => {
            Failure::runtime(error)
        }
        SuitQuestionError::Tricks { need, most } => Failure::usage(format!(
            "--need {need}: there are 1 to {most} tricks to play for"
        )),
        error => Failure::usage(error),
    }
}

impl Args {
    fn purpose(&self) -> SuitPurpose {
        if let Some(need) = self.need {
            return SuitPurpose::Tricks(need.into());
        }
        if let Some(list) = &self.payoff {
            return SuitPurpose::Payoffs(list.clone());
        }
        match (self.contract, self.outside) {
            (Some(contract), Some(outside)) => {
                let contract = SuitContract {
                    contract,
                    vulnerable: self.vulnerable,
                    outside,
                };
                match self.imps {
                    None => SuitPurpose::Score(contract),
                    Some(other) => SuitPurpose::Imps(contract, other),
                }
            }
            _ => SuitPurpose::EveryNumber,
        }
    }

    /// Returns the condition of the switches and prints its warnings.
    fn condition(&self) -> Result<Option<SuitCondition>, Failure> {
        let job = match (&self.west, &self.given) {
            (_, Some(path)) => scripts::job(path)?,
            (Some(condition), None) => Job::new(format!("condition {condition}")).name("condition"),
            (None, None) => return Ok(None),
        };
        let suit = self
            .suit
            .ok_or_else(|| Failure::usage("give the suit: --suit"))?;
        let job = job.cancel(self.interrupt.flag());
        let condition = SuitCondition::new(job, suit, self.samples).map_err(failure)?;
        scripts::show(condition.session().warnings());
        Ok(Some(condition))
    }

    fn entries(&self) -> Option<Entries> {
        let limits = [
            (Seat::North, self.entries_north),
            (Seat::South, self.entries_south),
        ];
        limits.into_iter().find_map(|(hand, number)| {
            Some(Entries {
                hand,
                number: number?,
            })
        })
    }

    fn answer(&self, combination: Combination) -> Result<SuitAnalysis, Failure> {
        let (purpose, condition) = (self.purpose(), self.condition()?);
        let question = SuitQuestion {
            matchpoints: self.matchpoints,
            vacant: self.vacant.unwrap_or_default(),
            condition: condition.as_ref(),
            entries: self.entries(),
            second: self.with,
            ..SuitQuestion::new(combination, &purpose)
        };
        let waiting = condition
            .is_some()
            .then(|| ElapsedTimeLine::show("counting deals"));
        let answer = question.answer();
        drop(waiting);
        answer.map_err(|error| match error {
            SuitQuestionError::Cancelled if self.interrupt.is_requested() => {
                let text = format!("{} while deals were counted", self.interrupt.text());
                Failure::runtime(text).with_runtime_status(self.interrupt.status())
            }
            error => failure(error),
        })
    }
}
