//! `croupier poker solve`: computes equilibria of two ranges on a board.

mod output;

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use croupier::poker::{Game, NamedRanges, Range, RangeContext, parse_cards};
use croupier::poker_solver::postflop::{
    DEFAULT_ALL_IN_THRESHOLD, DEFAULT_BETS, DEFAULT_RAISE_LIMIT, DEFAULT_RAISES, GameSize,
    LockedNode, PostflopGoals, PostflopSolver, SolverOptions, Spot, StoragePrecision,
};

use super::question::{ColourMode, read_names};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::new_file::NewFile;
use crate::progress::StatusLine;
use crate::table::TableFormat;

/// Default of `--memory`, in megabytes.
const DEFAULT_MEMORY: u64 = 4096;

/// Solve a game of two ranges on a flop, turn or river
///
/// Computes strategies that no opponent can exploit by more than --exploitability (discounted counterfactual regret
/// minimisation over all hands, without abstraction), and shows the first decision, or the one at --node. Sizes are
/// percentages of the pot (50%), multiples of the bet for raises (2.5x), chips (40) or a for all-in. Give several
/// lists, each after a street or player and a colon, to set sizes separately: --bets 50%,a --bets 'river: 75%,a' --bets
/// 'oop flop: none'. After Ctrl-C or --time you get the strategies found so far; --memory limits the memory.
#[derive(clap::Args)]
#[command(
    after_help = "Example: croupier poker solve --board KhTd7c4s2h --oop 'QQ+,AKs,T9s' --ip 'JJ-77,KQs' --pot 100 --stack 200"
)]
pub struct Args {
    /// Board: three, four or five cards, as in Kh7d2c
    #[arg(long, value_name = "CARDS", required_unless_present = "resume")]
    board: Option<String>,
    /// Range of the player out of position, who acts first
    #[arg(long, value_name = "RANGE", required_unless_present = "resume")]
    oop: Option<String>,
    /// Range of the player in position
    #[arg(long, value_name = "RANGE", required_unless_present = "resume")]
    ip: Option<String>,
    /// Chips in the pot
    #[arg(long, value_name = "CHIPS", required_unless_present = "resume")]
    pot: Option<f64>,
    /// Chips that each player can still bet
    #[arg(long, value_name = "CHIPS", required_unless_present = "resume")]
    stack: Option<f64>,
    /// Bet sizes, for all decisions or after `flop`, `turn`, `river`, `oop`, `ip` and a colon; may be repeated
    #[arg(long, value_name = "[WHERE:]SIZES", default_value = DEFAULT_BETS)]
    bets: Vec<String>,
    /// Raise sizes, in the same notation
    #[arg(long, value_name = "[WHERE:]SIZES", default_value = DEFAULT_RAISES)]
    raises: Vec<String>,
    /// Make a bet all-in if it would leave at most this part of the pot after a call, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0 * DEFAULT_ALL_IN_THRESHOLD)]
    all_in_threshold: f64,
    /// Maximum number of raises on a street
    #[arg(long, value_name = "N", default_value_t = DEFAULT_RAISE_LIMIT)]
    raise_limit: usize,
    /// Fix the strategy of a decision instead of solving it: `check, bet 50 => fold: QQ; call: AA,KK:0.5; raise 150:
    /// KK:0.5`
    #[arg(long, value_name = "NODE => STRATEGY")]
    lock: Vec<String>,
    /// File of named ranges, one per line: name = range
    #[arg(long, value_name = "FILE")]
    ranges_file: Option<PathBuf>,
    /// Stop when a best response would win at most this part of the pot on average, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0 * PostflopGoals::default().exploitability)]
    exploitability: f64,
    /// Stop after N iterations in any case
    #[arg(short = 'n', long, value_name = "N", default_value_t = PostflopGoals::default().iterations)]
    iterations: u32,
    /// Bits of the stored numbers [default: 32 for rivers, 16 for turns and flops]
    #[arg(long, value_enum, value_name = "BITS")]
    precision: Option<Bits>,
    /// Threads to use [default: all]; the answer does not depend on them
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
    /// Decision to show: actions and cards from the start, as in `check, bet 50` or `check, check, 2c`
    #[arg(long, value_name = "PATH", default_value = "")]
    node: String,
    /// Depth of the decision tree in JSON output [default: the whole street]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// List every hand in the text
    #[arg(long)]
    hands: bool,
    /// Save the game to this file at the end, for --resume
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Continue a saved game with its board, ranges, stacks and sizes
    #[arg(long, value_name = "FILE", conflicts_with_all = ["board", "oop", "ip", "pot", "stack", "bets", "raises", "all_in_threshold", "raise_limit", "lock", "ranges_file", "precision"])]
    resume: Option<PathBuf>,
    /// Show the size of the game and do not solve it
    #[arg(long)]
    estimate: bool,
    /// Format of the answer
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// When to colour the text
    #[arg(long, value_enum, default_value_t)]
    color: ColourMode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Bits {
    /// Integers with a scale for each decision
    #[value(name = "16")]
    Compact,
    /// Single precision
    #[value(name = "32")]
    Single,
    /// Double precision, for small games
    #[value(name = "64")]
    Double,
}

/// Solves the game and prints the strategies.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    if !(0.0..=100.0).contains(&args.exploitability) {
        return Err(Failure::usage(
            "--exploitability: percent of the pot from 0 to 100 are needed, as in 0.1",
        ));
    }
    let threads = args
        .threads
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let options = SolverOptions {
        precision: args.precision.map(|bits| match bits {
            Bits::Compact => StoragePrecision::Compact,
            Bits::Single => StoragePrecision::Single,
            Bits::Double => StoragePrecision::Double,
        }),
        threads: threads.clamp(1, 1024),
        memory: limits::memory().unwrap_or(DEFAULT_MEMORY) << 20,
    };
    let mut solver = match &args.resume {
        Some(path) => {
            let file = File::open(path).map_err(|error| Failure::file(path, &error))?;
            PostflopSolver::load(BufReader::new(file), options)
                .map_err(|error| Failure::at(path, error))?
        }
        None => {
            let spot = read_spot(&args)?;
            let size = PostflopSolver::estimate(&spot, &options).map_err(Failure::usage)?;
            // Print the size before allocating the memory.
            eprintln!("croupier: {}", size_text(&size));
            if args.estimate {
                return Ok(ExitCode::SUCCESS);
            }
            PostflopSolver::new(spot, options).map_err(Failure::usage)?
        }
    };
    if args.resume.is_some() {
        eprintln!("croupier: {}", size_text(&solver.size()));
    }
    // Report an invalid path before the long computation.
    solver
        .report(&args.node)
        .map_err(|error| Failure::usage(format!("--node {:?}: {error}", args.node)))?;
    let interrupt = Interrupt::watch();
    let stop = PostflopGoals {
        exploitability: args.exploitability / 100.0,
        iterations: args.iterations,
        ..PostflopGoals::default()
    };
    let outcome = solve(&mut solver, &stop, &interrupt);
    if let Some(path) = &args.save {
        let mut file = NewFile::create(path)?;
        solver
            .save(&mut file)
            .map_err(|error| Failure::at(path, error))?;
        file.finish()?;
    }
    output::write(&args, &solver, &outcome)?;
    Ok(interrupt.exit_code())
}

fn solve(
    solver: &mut PostflopSolver,
    stop: &PostflopGoals,
    interrupt: &Interrupt,
) -> croupier::poker_solver::postflop::SolverOutcome {
    let pot = solver.spot().pot;
    let mut status = StatusLine::new();
    let (mut slowest, mut last) = (Duration::ZERO, Instant::now());
    let outcome = solver.run(stop, |progress| {
        slowest = slowest.max(last.elapsed());
        last = Instant::now();
        status.show(|elapsed| {
            let share = progress.exploitability.map_or(String::new(), |chips| {
                format!(", exploitability {:.3} % of the pot", 100.0 * chips / pot)
            });
            format!(
                "{} iterations, {:.0} s{share}",
                progress.iteration,
                elapsed.as_secs_f64()
            )
        });
        // The last check and the output take about as long as the slowest iteration with its check.
        limits::end_if_late(2 * slowest);
        !interrupt.is_requested()
    });
    status.finish();
    outcome
}

fn size_text(size: &GameSize) -> String {
    let bits = match size.precision {
        StoragePrecision::Compact => 16,
        StoragePrecision::Single => 32,
        StoragePrecision::Double => 64,
    };
    format!(
        "{} and {} hands, {} decisions, {:.1} MB of memory with {bits} bits",
        size.hands[0],
        size.hands[1],
        size.decisions,
        size.bytes as f64 / (1 << 20) as f64
    )
}

fn read_spot(args: &Args) -> Result<Spot, Failure> {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let board_text = text(&args.board);
    let board = parse_cards(&board_text)
        .map_err(|error| Failure::usage(format!("--board {board_text:?}: {error}")))?;
    let names: NamedRanges = read_names(args.ranges_file.as_deref(), Game::Holdem, board)?;
    let setting = RangeContext {
        game: Game::Holdem,
        board,
        names: &names,
    };
    let range = |name: &str, value: &Option<String>| {
        let text = text(value);
        Range::parse_in(&text, &setting)
            .map_err(|error| Failure::usage(format!("{name} {text:?}: {error}")))
    };
    let ranges = [range("--oop", &args.oop)?, range("--ip", &args.ip)?];
    let mut spot = Spot::new(
        board,
        ranges,
        args.pot.unwrap_or_default(),
        args.stack.unwrap_or_default(),
    );
    for (name, lists, table, is_raise) in [
        ("--bets", &args.bets, &mut spot.bets, false),
        ("--raises", &args.raises, &mut spot.raises, true),
    ] {
        for list in lists {
            table
                .set(list, is_raise)
                .map_err(|error| Failure::usage(format!("{name} {list:?}: {error}")))?;
        }
    }
    spot.all_in_threshold = args.all_in_threshold / 100.0;
    spot.raise_limit = args.raise_limit;
    for lock in &args.lock {
        let read = LockedNode::parse(lock, &setting)
            .map_err(|error| Failure::usage(format!("--lock {lock:?}: {error}")))?;
        spot.locks.push(read);
    }
    Ok(spot)
}
