//! `croupier scenario`: the bundled scripts for bidding practice.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
#[cfg(feature = "bidding")]
use croupier::bidding::{Detail, SystemName};
use croupier::cards::Seat;
use croupier::formats::number::grouped;
use croupier::formats::{Board, ExtraTag};
use croupier::scenarios::{SCENARIOS, Scenario};
use croupier::session::{DefaultSettings, Job};
use croupier::shuffle::Key;

#[cfg(feature = "bidding")]
use super::bid::bid_boards;
use crate::boards::{BoardFormat, BoardOutput};
use crate::failure::{Failure, ShownPath};
use crate::interrupt::Interrupt;
use crate::robots;
use crate::scripts;
#[cfg(feature = "bidding")]
use crate::systems::{self, DEFAULT_CALL_SECONDS, RobotTime};
use crate::table::{Listing, ListingCell, TableFormat};

/// Deal ready-made scenarios: Stayman, weak twos, splinters, overcalls, leads and more.
///
/// The scenarios are part of the program. Your own scripts can import them from anywhere: import "scenarios/stayman".
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: ScenarioCommand,
}

#[derive(Subcommand)]
enum ScenarioCommand {
    /// List the scenarios and how often they come up
    List {
        /// List only scenarios with this word in their name, group or title
        word: Option<String>,
        /// Format of the table
        #[arg(short, long, value_enum, default_value_t)]
        format: TableFormat,
    },
    /// Print the script of a scenario
    Show {
        /// Name of the scenario, as `list` shows it
        #[arg(value_parser = scenario)]
        name: &'static Scenario,
    },
    /// Deal boards of a scenario
    Deal(Box<DealArgs>),
}

#[derive(clap::Args)]
struct DealArgs {
    /// Name of the scenario, as `list` shows it
    #[arg(value_parser = scenario)]
    name: &'static Scenario,
    /// Number of boards [default: that of the script, 24]
    #[arg(short, long, visible_alias = "boards", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    /// File to write: .pbn, .lin, .pdf, .html, .csv, .json and more; `-` is standard output (pbn unless -f selects
    /// another format). Several -o write the boards in several formats: -o a.pbn -o a.pdf
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: Vec<PathBuf>,
    /// Seed: a number, or key: and up to 64 hexadecimal digits; a seed always gives the same boards [default: a random
    /// one]
    #[arg(short, long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<Key>,
    /// Number of the first board
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    first_board: u64,
    /// Rotate each deal so that the dealer of its board number opens. Without it the seat of the script opens and is
    /// the dealer of every board
    #[arg(long)]
    rotate: bool,
    /// Rotate each deal so that this seat opens and is the dealer of every board: N, E, S or W
    #[arg(long, value_name = "SEAT", conflicts_with = "rotate")]
    dealer: Option<Seat>,
    /// Also bid the boards, with 2/1 or with the system of `--bid=SYSTEM`: dutch, a file of rules, or robot:COMMAND. The
    /// auctions and their meanings are written where the format has room for them
    #[cfg(feature = "bidding")]
    #[arg(long, value_name = "SYSTEM", num_args = 0..=1, require_equals = true, default_missing_value = "2/1", value_parser = SystemName::parse)]
    bid: Option<SystemName>,
    #[command(flatten)]
    finish: BoardOutput,
}

fn scenario(name: &str) -> Result<&'static Scenario, String> {
    croupier::scenarios::by_name(name).ok_or_else(|| {
        let near = SCENARIOS.iter().map(|it| it.name);
        let near: Vec<&str> = near
            .filter(|it| it.contains(name) || name.contains(it))
            .collect();
        match near.is_empty() {
            true => "no scenario has this name; croupier scenario list shows them".to_owned(),
            false => format!(
                "no scenario has this name; did you mean {}?",
                near.join(" or ")
            ),
        }
    })
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be written or the format is unknown.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        ScenarioCommand::List { word, format } => list(word.as_deref(), format),
        ScenarioCommand::Show { name } => {
            io::stdout().write_all(name.script.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        ScenarioCommand::Deal(args) => deal(*args),
    }
}

fn list(word: Option<&str>, format: TableFormat) -> Result<ExitCode, Failure> {
    let word = word.map(str::to_lowercase);
    let wanted = |it: &&Scenario| {
        word.as_ref().is_none_or(|word| {
            [it.name, it.group, it.title()]
                .iter()
                .any(|text| text.to_lowercase().contains(word))
        })
    };
    let mut table = Listing::new(&["name", "group", "one_in", "title"]);
    let mut found = 0;
    for it in SCENARIOS.iter().filter(wanted) {
        found += 1;
        let one_in = (1.0 / it.probability).round() as u128;
        table.push(vec![
            ListingCell::Text(it.name.to_owned()),
            ListingCell::Text(it.group.to_owned()),
            match format {
                TableFormat::Text => ListingCell::Text(grouped(one_in)),
                TableFormat::Csv | TableFormat::CsvSafe | TableFormat::Json => {
                    ListingCell::Whole(one_in as u64)
                }
            },
            ListingCell::Text(it.title().to_owned()),
        ]);
    }
    if found == 0 {
        return Err(Failure::runtime(format!(
            "no scenario is about {:?}; croupier scenario list shows all",
            word.unwrap_or_default()
        )));
    }
    table.write(format, &mut io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a warning if the format has no room for the dealer, who then follows from the board number.
fn warn_of_dealer(path: &Path, target: BoardFormat, dealer: Seat) {
    if let BoardFormat::Data(format) = target
        && !format.entry().keeps.marks
    {
        let (path, dealer) = (path.shown(), dealer.name());
        eprintln!(
            "croupier: {path}: {dealer} opens every board, but this format has no room for the dealer; with --rotate the dealer of the board number opens"
        );
    }
}

fn deal(mut args: DealArgs) -> Result<ExitCode, Failure> {
    let target = args.finish.targets(&args.output)?;
    let interrupt = Interrupt::watch();
    let mut job = Job::new(args.name.script)
        .name(args.name.file_name())
        .imports(scripts::IMPORTS)
        .threads(args.finish.threads.count())
        .cancel(interrupt.flag())
        .defaults(DefaultSettings {
            // Even the rarest scenario appears often enough in this number of deals.
            generate: Some(10_000_000_000),
            ..DefaultSettings::default()
        });
    job = robots::with_robots(job);
    if let Some(number) = args.number {
        job = job.produce(number);
    }
    if let Some(key) = args.seed {
        job = job.key(key);
    }
    let mut session = job.prepare().map_err(scripts::failure)?;
    session.retain_actions(|_| false);
    let opener = args.name.opener();
    let given = args.seed.as_ref().map(ToString::to_string);
    let seed = given.unwrap_or_else(|| session.settings().seed.to_string());
    let origin = format!("croupier scenario deal {}, seed {seed}", args.name.name);
    let mut boards = Vec::new();
    let mut keep = |produced: &croupier::session::ProducedDeal<'_>| {
        let number = args.first_board + boards.len() as u64;
        let dealer = match args.rotate {
            true => Seat::dealer_of_board(number),
            false => args.dealer.unwrap_or(opener),
        };
        let steps = (dealer.index() + 4 - opener.index()) % 4;
        let mut board = Board::duplicate(&produced.deal.rotated(steps), number);
        board.dealer = Some(dealer);
        let extras = board.extras.get_or_insert_default();
        extras.tags.push(ExtraTag {
            name: "Generator".to_owned(),
            value: origin.clone(),
            section: String::new(),
        });
        boards.push(board);
        ControlFlow::Continue(())
    };
    session.run(&mut keep).map_err(scripts::failure)?;
    let (_, wanted) = session.settings().limits.counts();
    let title = &mut args.finish.sheet.title;
    title.get_or_insert_with(|| format!("{} (seed {seed})", args.name.title()));
    eprintln!("croupier: seed {seed}");
    if !args.rotate {
        for (path, target) in args.output.iter().zip(&target) {
            warn_of_dealer(path, *target, args.dealer.unwrap_or(opener));
        }
    }
    #[cfg(feature = "bidding")]
    if let Some(system) = &args.bid {
        let time = RobotTime {
            seconds: DEFAULT_CALL_SECONDS,
        };
        let opened = systems::open([system, system], time)?;
        let threads = args.finish.threads.count();
        boards = bid_boards(&opened, boards, Detail::Explained, threads, &interrupt)?;
    }
    args.finish
        .write(&args.output, &target, boards, wanted, &interrupt)
}
