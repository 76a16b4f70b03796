//! `croupier profile`: deals boards that fit a profile of the seats.

use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use croupier::cards::Seat;
use croupier::formats::Board;
use croupier::profiles::compare::{self, DealtCounts};
use croupier::profiles::{
    Combinations, DealOptions, DealingStrategy, HandProfile, Preallocation, ProfileDealer,
    SubprofileChoice, Tightness,
};
use croupier::shuffle::Key;

use crate::boards::BoardOutput;
use crate::failure::{Failure, ShownPath};
use crate::interrupt::Interrupt;
use crate::progress::ItemProgress;
use crate::whole_file;

/// Deal boards that fit a profile: a file that describes points and shapes of the seats
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<ProfileCommand>,
    #[command(flatten)]
    deal: DealArgs,
}

#[derive(Subcommand)]
enum ProfileCommand {
    /// Answer questions on the terminal to write a commented profile, or copy a ready-made one
    New {
        /// Copy the profile of this scenario instead of asking; `list` shows the scenarios
        #[arg(short, long, value_name = "SCENARIO")]
        preset: Option<String>,
        /// File to write instead of standard output; it must not exist yet
        #[arg(short, long)]
        output: Option<PathBuf>,
    },
    /// Check a profile for mistakes, and show how rare its requirements are
    Check {
        /// Profile in JSON or TOML; - for standard input
        file: PathBuf,
    },
    /// Translate a profile to a script in the dealer language
    ToScript {
        /// Profile in JSON or TOML; - for standard input
        file: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StrategyName {
    /// All deals that fit are equally likely, however rare they are
    Exact,
    /// Deal a part of the long suits first, fill up and check (biased)
    Preallocate,
    /// Shuffle until a deal fits
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TurnMode {
    /// By 0 to 3 seats, each equally likely
    Random,
    /// Not at all: the seats are those of the profile
    None,
}

#[derive(clap::Args)]
struct DealArgs {
    /// Profile in JSON or TOML; - for standard input
    #[arg(required = true)]
    file: Option<PathBuf>,
    /// Number of boards
    #[arg(
        short = 'n',
        long = "number",
        visible_alias = "boards",
        value_name = "N",
        default_value_t = 40,
        value_parser = clap::value_parser!(u64).range(1..1 << 40)
    )]
    boards: u64,
    /// Number of the first board
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    first_board: u64,
    /// Seed (a number, or key: and hexadecimal digits); a random one by default
    #[arg(short, long)]
    seed: Option<String>,
    /// How to find deals that fit
    #[arg(long, value_enum, default_value = "exact")]
    strategy: StrategyName,
    /// With preallocate: a suit is tight if a random hand satisfies its minimum with at most this probability
    #[arg(long, default_value_t = 0.19, value_name = "P")]
    shape_prob_threshold: f64,
    /// With preallocate: the part of a minimum length that is dealt first
    #[arg(long, default_value_t = 0.5, value_name = "PART")]
    pre_allocate_fraction: f64,
    /// Attempts per board before giving up [default: 10000; 10000000 with exact and none]
    #[arg(long, value_name = "N")]
    max_attempts: Option<u64>,
    /// Rotate each board so that the profile's dealer is the dealer of its number
    #[arg(long, conflicts_with_all = ["turn", "no_rotate"])]
    rotate: bool,
    /// Rotate each board at random or not at all; overrides the profile
    #[arg(long, value_enum, value_name = "HOW", conflicts_with = "no_rotate")]
    turn: Option<TurnMode>,
    /// Same as --turn none
    #[arg(long, hide = true)]
    no_rotate: bool,
    /// File to write: .pbn, .lin, .pdf, .html, .csv, .json and more; `-` is standard output (pbn unless -f selects
    /// another format). Several -o write the boards in several formats: -o a.pbn -o a.pdf
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: Vec<PathBuf>,
    /// Report failures and how rare the requirements are: a table on standard error, or json FILE, csv FILE
    #[arg(long, num_args = 0..=2, value_names = ["KIND", "FILE"])]
    report: Option<Vec<String>>,
    /// Deal the boards with exact and with preallocate and show how they differ, seat by seat
    #[arg(long)]
    compare: bool,
    #[command(flatten)]
    finish: BoardOutput,
}

/// Runs the command.
///
/// # Errors
/// If the profile or an argument is invalid, boards cannot be found, or a file cannot be written.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        Some(ProfileCommand::New { preset, output }) => new(preset.as_deref(), output.as_deref()),
        Some(ProfileCommand::Check { file }) => check(&file),
        Some(ProfileCommand::ToScript { file }) => to_script(&file),
        None => deal(&args.deal),
    }
}

fn read_profile(path: &Path) -> Result<HandProfile, Failure> {
    let name = path.shown();
    let text = if path.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    let text = text.map_err(|error| Failure::file(path, &error))?;
    match croupier::profiles::read(&text) {
        Ok((profile, warnings)) => {
            warnings
                .iter()
                .for_each(|warning| eprintln!("{name}:{warning} (warning)"));
            Ok(profile)
        }
        Err(problems) => {
            let lines: Vec<String> = problems.iter().map(|p| format!("{name}:{p}")).collect();
            Err(Failure::runtime(lines.join("\n")))
        }
    }
}

/// Returns the profile of a scenario.
fn preset(name: &str) -> Result<&'static str, Failure> {
    let known = croupier::scenarios::by_name(name).and_then(|scenario| scenario.profile);
    known.ok_or_else(|| {
        let with = |it: &croupier::scenarios::Scenario| it.profile.map(|_| it.name);
        let names: Vec<&str> = croupier::scenarios::SCENARIOS
            .iter()
            .filter_map(with)
            .collect();
        Failure::usage(format!(
            "no preset is called {name:?}; there are {}",
            names.join(", ")
        ))
    })
}

fn list_presets() -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    for scenario in croupier::scenarios::SCENARIOS
        .iter()
        .filter(|it| it.profile.is_some())
    {
        writeln!(out, "{:16} {}", scenario.name, scenario.title())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn new(name: Option<&str>, output: Option<&Path>) -> Result<ExitCode, Failure> {
    if name == Some("list") {
        return list_presets();
    }
    if let Some(path) = output.filter(|path| path.exists()) {
        return Err(Failure::runtime(format!(
            "{}: the file exists already",
            path.shown()
        )));
    }
    let toml = match name {
        Some(name) => preset(name)?.to_owned(),
        None => {
            if !io::stdin().is_terminal() {
                eprintln!("croupier: reading the answers from standard input");
            }
            croupier::profiles::ask(&mut io::stdin().lock(), &mut io::stderr().lock())?
        }
    };
    match output {
        Some(path) => write_file(path, toml.as_bytes())?,
        None => io::stdout().write_all(toml.as_bytes())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    whole_file::write(path, bytes)
}

fn check(path: &Path) -> Result<ExitCode, Failure> {
    let profile = read_profile(path)?;
    let mut dealer = dealer(
        profile.clone(),
        DealingStrategy::Exact,
        Key::from_seed(0),
        &CheckOptions::default(),
    )?;
    dealer.board(1).map_err(Failure::runtime)?;
    let combinations = Combinations::of(&profile).map_err(Failure::runtime)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}: good", path.shown())?;
    let count = combinations.all().len();
    for (place, (picks, weight)) in (1..).zip(combinations.all()) {
        if count > 1 {
            let share = 100.0 * *weight as f64 / combinations.total() as f64;
            let seats =
                Seat::ALL.map(|seat| format!("{} {}", seat.name(), picks[seat.index()] + 1));
            let seats = seats.join(", ");
            writeln!(
                out,
                "\ncombination {place} of {count}, {share:.1} % of the boards: subprofiles {seats}"
            )?;
        }
        // Seats with a random suit have one list of requirements for each suit; the first is shown.
        let Some(scenario) = SubprofileChoice::draws(&profile, *picks).into_iter().next() else {
            continue;
        };
        let demands = scenario.demands(&profile).map_err(Failure::runtime)?;
        if let Some(tightness) = Tightness::of(&demands) {
            write!(out, "\n{}", tightness.to_text())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn to_script(path: &Path) -> Result<ExitCode, Failure> {
    let script = croupier::profiles::to_script(&read_profile(path)?).map_err(Failure::runtime)?;
    io::stdout().write_all(script.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The options that apply to every strategy.
#[derive(Default)]
struct CheckOptions {
    max_attempts: Option<u64>,
    rotate: Option<bool>,
}

fn dealer(
    profile: HandProfile,
    strategy: DealingStrategy,
    key: Key,
    options: &CheckOptions,
) -> Result<ProfileDealer, Failure> {
    let usual = strategy.default_max_attempts();
    let options = DealOptions {
        key,
        strategy,
        max_attempts: options.max_attempts.unwrap_or(usual),
        rotate: options.rotate,
    };
    let (dealer, warnings) = ProfileDealer::new(profile, options).map_err(Failure::runtime)?;
    for warning in warnings {
        eprintln!("croupier: a combination of subprofiles is left out: {warning}");
    }
    Ok(dealer)
}

/// Format and destination of the report.
enum ReportOutput {
    Table,
    Json(PathBuf),
    Csv(PathBuf),
}

impl DealArgs {
    fn report_output(&self) -> Result<Option<ReportOutput>, Failure> {
        let Some(words) = &self.report else {
            return Ok(None);
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            [] | ["table"] => Ok(Some(ReportOutput::Table)),
            ["json", file] => Ok(Some(ReportOutput::Json(file.into()))),
            ["csv", file] => Ok(Some(ReportOutput::Csv(file.into()))),
            _ => Err(Failure::usage(
                "--report stands alone, or with json FILE or csv FILE; put it after the profile",
            )),
        }
    }

    fn strategy(&self) -> Result<DealingStrategy, Failure> {
        let preallocation = Preallocation {
            shape_prob_threshold: self.shape_prob_threshold,
            pre_allocate_fraction: self.pre_allocate_fraction,
        };
        if !(0.0..=1.0).contains(&self.shape_prob_threshold) {
            return Err(Failure::usage(
                "--shape-prob-threshold is a probability from 0 to 1",
            ));
        }
        if !(0.0..=1.0).contains(&self.pre_allocate_fraction) {
            return Err(Failure::usage(
                "--pre-allocate-fraction is a number from 0 to 1",
            ));
        }
        Ok(match self.strategy {
            StrategyName::Exact => DealingStrategy::Exact,
            StrategyName::Preallocate => DealingStrategy::Preallocate(preallocation),
            StrategyName::None => DealingStrategy::Plain,
        })
    }

    /// Returns the numbers of the boards.
    fn numbers(&self) -> Range<u64> {
        self.first_board..self.first_board + self.boards
    }

    /// Returns the board with its number, dealer and vulnerability.
    fn completed_board(&self, board: &croupier::profiles::DealtBoard) -> Board {
        let dealer = match self.rotate {
            true => Seat::dealer_of_board(board.number),
            false => board.dealer,
        };
        let steps = (dealer.index() + 4 - board.dealer.index()) % 4;
        let mut record = Board::of(&board.deal().rotated(steps));
        record.number = Some(board.number);
        record.dealer = Some(dealer);
        record.vulnerable = Some(board.vulnerability);
        record
    }

    fn key(&self) -> Result<Key, Failure> {
        match &self.seed {
            Some(seed) => seed
                .parse()
                .map_err(|error| Failure::usage(format!("--seed {seed}: {error}"))),
            None => Key::from_os().map_err(Failure::runtime),
        }
    }
}

fn deal(args: &DealArgs) -> Result<ExitCode, Failure> {
    let report = args.report_output()?;
    let strategy = args.strategy()?;
    let key = args.key()?;
    let file = args.file.as_deref().unwrap_or(Path::new("-"));
    let profile = read_profile(file)?;
    let still = args.rotate || args.no_rotate;
    let rotate = match args.turn {
        Some(turn) => Some(turn == TurnMode::Random),
        None => still.then_some(false),
    };
    let options = CheckOptions {
        max_attempts: args.max_attempts,
        rotate,
    };
    if args.compare {
        return comparison(args, profile, key, &options);
    }
    let mut dealer = dealer(profile, strategy, key, &options)?;
    let written = write_boards(args, &mut dealer);
    if let Some(kind) = report {
        write_report(&kind, &mut dealer, args, strategy)?;
    }
    if args.seed.is_none() {
        eprintln!("seed {key}");
    }
    written
}

/// Deals the boards and writes them. If a board cannot be found, or after Ctrl-C, the boards before it are still
/// written.
fn write_boards(args: &DealArgs, dealer: &mut ProfileDealer) -> Result<ExitCode, Failure> {
    let target = args.finish.targets(&args.output)?;
    let interrupt = Interrupt::watch();
    let mut progress = ItemProgress::new("boards", Some(args.boards));
    let mut boards = Vec::new();
    let mut missing = None;
    for number in args.numbers() {
        if interrupt.is_requested() {
            break;
        }
        match dealer.board(number) {
            Ok(board) => boards.push(args.completed_board(&board)),
            Err(failure) => {
                missing = Some(Failure::runtime(failure));
                break;
            }
        }
        progress.advance(1);
    }
    progress.finish();
    match missing {
        Some(failure) if boards.is_empty() => Err(failure),
        Some(failure) => {
            let written = args
                .finish
                .write(&args.output, &target, boards, args.boards, &interrupt);
            written.and(Err(failure))
        }
        None => args
            .finish
            .write(&args.output, &target, boards, args.boards, &interrupt),
    }
}

fn write_report(
    kind: &ReportOutput,
    dealer: &mut ProfileDealer,
    args: &DealArgs,
    strategy: DealingStrategy,
) -> Result<(), Failure> {
    let tightness = match strategy {
        DealingStrategy::Exact => scenarios_of(dealer, args),
        _ => Vec::new(),
    };
    match kind {
        ReportOutput::Table => {
            eprint!("{}", dealer.report().to_text());
            for (name, boards, tightness) in tightness.iter().take(MOST_TABLES) {
                eprint!("\n{name}: {boards} boards\n{}", tightness.to_text());
            }
        }
        ReportOutput::Json(path) => {
            let mut json = dealer.report().to_json();
            json["combinations"] = tightness
                .iter()
                .map(|(name, boards, t)| {
                    serde_json::json!({"combination": name, "boards": boards, "probabilities": t.to_json()})
                })
                .collect();
            write_file(path, format!("{json:#}\n").as_bytes())?;
        }
        ReportOutput::Csv(path) => {
            let mut csv = dealer.report().to_csv();
            if !tightness.is_empty() {
                csv.push_str("\ncombination,boards,who,count,out_of,probability\n");
            }
            for (name, boards, t) in &tightness {
                for (who, count) in t.rows() {
                    csv.push_str(&format!(
                        "{name},{boards},\"{who}\",{},{},{}\n",
                        count.hits(),
                        count.out_of(),
                        count.probability()
                    ));
                }
            }
            write_file(path, csv.as_bytes())?;
        }
    }
    Ok(())
}

/// Maximum number of tables in a report on the terminal; files hold all of them.
const MOST_TABLES: usize = 12;

/// Returns the combinations of variants that were dealt, the most frequent first, each with its exact count.
fn scenarios_of(dealer: &mut ProfileDealer, args: &DealArgs) -> Vec<(String, u64, Tightness)> {
    let mut seen: Vec<(croupier::profiles::SubprofileChoice, u64)> = Vec::new();
    for number in args.numbers() {
        let scenario = dealer.scenario(number);
        match seen.iter_mut().find(|(known, _)| *known == scenario) {
            Some((_, boards)) => *boards += 1,
            None => seen.push((scenario, 1)),
        }
    }
    seen.sort_by_key(|(_, boards)| std::cmp::Reverse(*boards));
    seen.into_iter()
        .filter_map(|(scenario, boards)| {
            let demands = dealer.demands(&scenario).ok()?;
            Some((scenario.to_string(), boards, Tightness::of(&demands)?))
        })
        .collect()
}

fn comparison(
    args: &DealArgs,
    profile: HandProfile,
    key: Key,
    options: &CheckOptions,
) -> Result<ExitCode, Failure> {
    let preallocation = Preallocation {
        shape_prob_threshold: args.shape_prob_threshold,
        pre_allocate_fraction: args.pre_allocate_fraction,
    };
    let strategies = [
        DealingStrategy::Exact,
        DealingStrategy::Preallocate(preallocation),
    ];
    let mut samples = Vec::new();
    for strategy in strategies {
        let mut dealer = dealer(profile.clone(), strategy, key, options)?;
        let mut distribution = DealtCounts::default();
        for number in args.numbers() {
            // The board before rotation: the bias belongs to the seats of the profile.
            distribution.add(&dealer.board(number).map_err(Failure::runtime)?.unturned);
        }
        samples.push(distribution);
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{} boards of each strategy\n", args.boards)?;
    out.write_all(compare::to_text(&samples[0], &samples[1], "preallocate").as_bytes())?;
    for (seat, suit) in tight_suits(&samples) {
        write!(
            out,
            "\n{}",
            compare::length_table(&samples[0], &samples[1], seat, suit)
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the suits whose length distributions differ most.
fn tight_suits(samples: &[DealtCounts]) -> Vec<(croupier::cards::Seat, croupier::cards::Suit)> {
    let mut suits: Vec<_> = compare::compare(&samples[0], &samples[1])
        .into_iter()
        .filter(|row| row.p_value < 1e-3)
        .filter_map(|row| {
            let suit = croupier::cards::Suit::ALL
                .into_iter()
                .find(|suit| suit.name() == row.quantity)?;
            Some((row.total_variation, row.seat, suit))
        })
        .collect();
    suits.sort_by(|a, b| b.0.total_cmp(&a.0));
    suits
        .into_iter()
        .take(4)
        .map(|(_, seat, suit)| (seat, suit))
        .collect()
}
