//! `croupier poker solve`: equilibria of two ranges on a board.

mod output;

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use croupier::poker::{Game, NamedRanges, Range, RangeContext, parse_cards};
use croupier::poker_solver::postflop::{
    DEFAULT_ALL_IN_THRESHOLD, DEFAULT_BETS, DEFAULT_RAISE_LIMIT, DEFAULT_RAISES, Estimate,
    LockedNode, Precision, Solver, SolverOptions, Spot, Stop,
};

use super::question::{Colour, read_names};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::new_file::NewFile;
use crate::progress::Status;
use crate::table::TableFormat;

/// Memory without `--memory`, in megabytes.
const DEFAULT_MEMORY: u64 = 4096;

/// Solve a game of two ranges on a flop, turn or river
///
/// Finds strategies that hardly any other can exploit (discounted counterfactual regret minimisation over all hands,
/// without abstraction), and shows the first decision, or the one at --node. Sizes are shares of the pot (50%), multiples
/// of the bet for raises (2.5x), chips (40) or a for all-in; several lists with a street or player before a colon set them
/// apart: --bets 50%,a --bets 'river: 75%,a' --bets 'oop flop: none'. Ctrl-C and --time end with what there is; --memory
/// bounds the memory.
#[derive(clap::Args)]
#[command(
    after_help = "Example: croupier poker solve --board KhTd7c4s2h --oop 'QQ+,AKs,T9s' --ip 'JJ-77,KQs' --pot 100 --stack 200"
)]
pub struct Args {
    /// The board: three, four or five cards, as in Kh7d2c
    #[arg(long, value_name = "CARDS", required_unless_present = "resume")]
    board: Option<String>,
    /// The range out of position, which acts first
    #[arg(long, value_name = "RANGE", required_unless_present = "resume")]
    oop: Option<String>,
    /// The range in position
    #[arg(long, value_name = "RANGE", required_unless_present = "resume")]
    ip: Option<String>,
    /// Chips in the pot
    #[arg(long, value_name = "CHIPS", required_unless_present = "resume")]
    pot: Option<f64>,
    /// Chips that each player can still bet
    #[arg(long, value_name = "CHIPS", required_unless_present = "resume")]
    stack: Option<f64>,
    /// Bet sizes, for all or after `flop`, `turn`, `river`, `oop`, `ip` and a colon; may be repeated
    #[arg(long, value_name = "[WHERE:]SIZES", default_value = DEFAULT_BETS)]
    bets: Vec<String>,
    /// Raise sizes, in the same way
    #[arg(long, value_name = "[WHERE:]SIZES", default_value = DEFAULT_RAISES)]
    raises: Vec<String>,
    /// Make a bet all-in that would leave at most this part of the pot after a call, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0 * DEFAULT_ALL_IN_THRESHOLD)]
    all_in_threshold: f64,
    /// The most raises on a street
    #[arg(long, value_name = "N", default_value_t = DEFAULT_RAISE_LIMIT)]
    raise_limit: usize,
    /// Give a decision's strategy instead of solving it: `check, bet 50 => fold: QQ; call: AA,KK:0.5; raise 150: KK:0.5`
    #[arg(long, value_name = "NODE => STRATEGY")]
    lock: Vec<String>,
    /// A file of named ranges, a line each: name = range
    #[arg(long, value_name = "FILE")]
    ranges_file: Option<PathBuf>,
    /// Stop when best responses would win at most this part of the pot on average, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0 * Stop::default().exploitability)]
    exploitability: f64,
    /// Stop after this many iterations in any case
    #[arg(short = 'n', long, value_name = "N", default_value_t = Stop::default().iterations)]
    iterations: u32,
    /// Bits of the stored numbers [default: 32 for rivers, 16 for turns and flops]
    #[arg(long, value_enum, value_name = "BITS")]
    precision: Option<Bits>,
    /// Threads [default: all]; the answer does not depend on them
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
    /// The decision to show: actions and cards from the start, as in `check, bet 50` or `check, check, 2c`
    #[arg(long, value_name = "PATH", default_value = "")]
    node: String,
    /// How many decisions deep the tree of JSON goes on the street [default: all]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// List every hand in the text
    #[arg(long)]
    hands: bool,
    /// Save the game at the end, to be resumed
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Go on with a saved game; its spot and tree are kept
    #[arg(long, value_name = "FILE", conflicts_with_all = ["board", "oop", "ip", "pot", "stack", "bets", "raises", "all_in_threshold", "raise_limit", "lock", "ranges_file", "precision"])]
    resume: Option<PathBuf>,
    /// Tell the size of the game and do not solve it
    #[arg(long)]
    estimate: bool,
    /// How to write the answer
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// Whether to colour the text
    #[arg(long, value_enum, default_value_t)]
    color: Colour,
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

/// Solves and prints.
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
            Bits::Compact => Precision::Compact,
            Bits::Single => Precision::Single,
            Bits::Double => Precision::Double,
        }),
        threads: threads.clamp(1, 1024),
        memory: limits::memory().unwrap_or(DEFAULT_MEMORY) << 20,
    };
    let mut solver = match &args.resume {
        Some(path) => {
            let file = File::open(path).map_err(|error| Failure::at(path, error))?;
            Solver::load(BufReader::new(file), options).map_err(|error| Failure::at(path, error))?
        }
        None => {
            let spot = read_spot(&args)?;
            let size = Solver::estimate(&spot, &options).map_err(Failure::usage)?;
            // Said before the memory is taken.
            eprintln!("croupier: {}", size_text(&size));
            if args.estimate {
                return Ok(ExitCode::SUCCESS);
            }
            Solver::new(spot, options).map_err(Failure::usage)?
        }
    };
    if args.resume.is_some() {
        eprintln!("croupier: {}", size_text(&solver.size()));
    }
    // A path that leads nowhere is found before the work.
    solver
        .report(&args.node)
        .map_err(|error| Failure::usage(format!("--node {:?}: {error}", args.node)))?;
    let interrupt = Interrupt::watch();
    let stop = Stop {
        exploitability: args.exploitability / 100.0,
        iterations: args.iterations,
        ..Stop::default()
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
    solver: &mut Solver,
    stop: &Stop,
    interrupt: &Interrupt,
) -> croupier::poker_solver::postflop::Outcome {
    let pot = solver.spot().pot;
    let mut status = Status::new();
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
        !interrupt.came()
    });
    status.finish();
    outcome
}

fn size_text(size: &Estimate) -> String {
    let bits = match size.precision {
        Precision::Compact => 16,
        Precision::Single => 32,
        Precision::Double => 64,
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
