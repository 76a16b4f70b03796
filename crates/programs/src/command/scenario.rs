//! `croupier scenario`: the bundled scripts for bidding practice.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use croupier::cards::Seat;
use croupier::formats::Board;
use croupier::formats::number::grouped;
use croupier::scenarios::{SCENARIOS, Scenario};
use croupier::session::{DefaultSettings, Job};
use croupier::shuffle::Key;

use crate::boards::BoardOutput;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::scripts;
use crate::table::{Cell, Table, TableFormat};

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
    /// another format)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Seed: a number, or key: and up to 64 hexadecimal digits; a seed always gives the same boards [default: a random
    /// one]
    #[arg(short, long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<Key>,
    /// Number of the first board
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    first_board: u64,
    /// Rotate the deals so that the dealer of each board gets North's cards
    #[arg(long)]
    rotate: bool,
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
    let mut table = Table::new(&["name", "group", "one_in", "title"]);
    let mut found = 0;
    for it in SCENARIOS.iter().filter(wanted) {
        found += 1;
        let one_in = (1.0 / it.probability).round() as u128;
        table.push(vec![
            Cell::Text(it.name.to_owned()),
            Cell::Text(it.group.to_owned()),
            match format {
                TableFormat::Text => Cell::Text(grouped(one_in)),
                TableFormat::Csv | TableFormat::CsvSafe | TableFormat::Json => {
                    Cell::Whole(one_in as u64)
                }
            },
            Cell::Text(it.title().to_owned()),
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

fn deal(mut args: DealArgs) -> Result<ExitCode, Failure> {
    let target = args.finish.target(&args.output)?;
    let interrupt = Interrupt::watch();
    let mut job = Job::new(args.name.script)
        .name(args.name.file_name())
        .imports(scripts::IMPORTS)
        .threads(args.finish.threads.count())
        .cancel(interrupt.flag())
        .usual(DefaultSettings {
            // Even the rarest scenario appears often enough in this number of deals.
            generate: Some(10_000_000_000),
            ..DefaultSettings::default()
        });
    if let Some(number) = args.number {
        job = job.produce(number);
    }
    if let Some(key) = args.seed {
        job = job.key(key);
    }
    let mut session = job.prepare().map_err(scripts::failure)?;
    session.retain_actions(|_| false);
    let mut boards = Vec::new();
    let mut keep = |produced: &croupier::session::ProducedDeal<'_>| {
        let number = args.first_board + boards.len() as u64;
        let steps = match args.rotate {
            true => Seat::dealer_of_board(number).index(),
            false => 0,
        };
        boards.push(Board::duplicate(&produced.deal.rotated(steps), number));
        ControlFlow::Continue(())
    };
    session.run(&mut keep).map_err(scripts::failure)?;
    let (_, wanted) = session.settings().limits.counts();
    let title = &mut args.finish.sheet.title;
    title.get_or_insert_with(|| args.name.title().to_owned());
    args.finish
        .write(&args.output, target, boards, wanted, &interrupt)
}
