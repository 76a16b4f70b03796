//! `croupier poker push`: push-or-fold strategies before the flop.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use croupier::poker::grid::GridCell;
use croupier::poker_solver::push::{
    Decision, Payoffs, PushGame, PushGoals, PushSolution, PushStrategy, solve,
};
use serde::Serialize;

use super::question::ColourMode;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::progress::StatusLine;
use crate::table::{Listing, ListingCell, TableFormat};

/// Find which hands to push and to call with when every player goes all-in or folds
///
/// Two players who play for chips get the equilibrium. With more players or with prizes (ICM) the search ends when no
/// player can gain more than the tolerance. At most one player calls. Give the stacks in the order of acting: the small
/// blind last but one, the big blind last.
#[derive(clap::Args)]
#[command(
    after_help = "Example: croupier poker push --stacks 10,8,15 --blinds 0.5,1 --ante 0.1 --payouts 50,30,20"
)]
pub struct Args {
    /// Stacks of two to nine players before blinds and antes, in the order of acting
    #[arg(long, required = true, value_name = "CHIPS", value_delimiter = ',')]
    stacks: Vec<f64>,
    /// Small blind and big blind
    #[arg(
        long,
        value_name = "CHIPS",
        value_delimiter = ',',
        default_value = "0.5,1"
    )]
    blinds: Vec<f64>,
    /// Ante of every player
    #[arg(long, value_name = "CHIPS", default_value_t = 0.0)]
    ante: f64,
    /// Prizes from the first place down; without them the players play for chips
    #[arg(long, value_name = "PRIZES", value_delimiter = ',')]
    payouts: Vec<f64>,
    /// Stop when no player can gain more than this share of a big blind (with payouts: of all prizes) [default:
    /// 0.000001 for two players without payouts, else 0.0001]
    #[arg(long, value_name = "SHARE")]
    tolerance: Option<f64>,
    /// Stop after N iterations in any case
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// Charts to show in the text [default: all for up to three players, else pushes]
    #[arg(long, value_enum)]
    charts: Option<Charts>,
    /// Format of the answer
    #[arg(short, long, value_enum, default_value_t)]
    format: TableFormat,
    /// When to colour the text
    #[arg(long, value_enum, default_value_t)]
    color: ColourMode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Charts {
    /// Pushes and calls
    All,
    /// Pushes
    Pushes,
    /// Only the table of shares
    None,
}

/// Solves the game and prints the strategies.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let &[small, big] = &args.blinds[..] else {
        return Err(Failure::usage(
            "--blinds: two numbers are needed, as in 0.5,1",
        ));
    };
    let seats = PushGame {
        stacks: args.stacks.clone(),
        blinds: [small, big],
        ante: args.ante,
        payoffs: if args.payouts.is_empty() {
            Payoffs::Chips
        } else {
            Payoffs::Prizes(args.payouts.clone())
        },
    };
    let tolerance = args.tolerance.unwrap_or(seats.default_tolerance());
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(Failure::usage(
            "--tolerance: a share between 0 and 1 is needed, as in 0.0001",
        ));
    }
    let unit = seats.unit();
    let stop = PushGoals {
        tolerance: tolerance * unit,
        iterations: args.iterations,
    };
    let interrupt = Interrupt::watch();
    let mut status = StatusLine::new();
    let solution = solve(&seats, &stop, |iteration, gain| {
        status.show(|_| format!("{iteration} iterations, largest gain {:.7}", gain / unit));
        limits::end_if_late(Duration::ZERO);
        !interrupt.is_requested()
    })
    .map_err(Failure::usage)?;
    status.finish();
    let mut out = io::stdout().lock();
    match args.format {
        TableFormat::Text => {
            write_text(&seats, &solution, unit, &mut out)?;
            let charts = args.charts.unwrap_or(if seats.stacks.len() <= 3 {
                Charts::All
            } else {
                Charts::Pushes
            });
            let coloured = args.color.is_on(&out);
            for strategy in &solution.strategies {
                if charts == Charts::All
                    || charts == Charts::Pushes && strategy.decision.pusher.is_none()
                {
                    writeln!(
                        out,
                        "\n{}: {:.2} %",
                        title(&seats, strategy.decision),
                        100.0 * strategy.share()
                    )?;
                    out.write_all(chart(strategy, coloured).as_bytes())?;
                }
            }
        }
        TableFormat::Csv | TableFormat::CsvSafe => {
            listing(&seats, &solution).write(args.format, &mut out)?;
        }
        TableFormat::Json => {
            serde_json::to_writer_pretty(&mut out, &PushJson::new(&seats, &solution, unit))
                .map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    if !solution.converged && !interrupt.is_requested() {
        eprintln!(
            "croupier: the tolerance was not reached after {} iterations; a player could still gain {:.6} of {}",
            solution.iterations,
            solution.largest_gain() / unit,
            unit_name(&seats)
        );
    }
    Ok(interrupt.exit_code())
}

fn unit_name(seats: &PushGame) -> &'static str {
    match seats.payoffs {
        Payoffs::Chips => "a big blind",
        Payoffs::Prizes(_) => "all prizes",
    }
}

fn title(seats: &PushGame, decision: Decision) -> String {
    let name = seats.seat_name(decision.seat);
    match decision.pusher {
        None => format!("{name} pushes"),
        Some(pusher) => format!("{name} calls {}", seats.seat_name(pusher)),
    }
}

fn write_text(
    seats: &PushGame,
    solution: &PushSolution,
    unit: f64,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(
        out,
        "push or fold: {} players, blinds {} and {}, ante {}; {} iterations, nobody can gain more than {:.7} of {}",
        seats.stacks.len(),
        seats.blinds[0],
        seats.blinds[1],
        seats.ante,
        solution.iterations,
        solution.largest_gain() / unit,
        unit_name(seats),
    )?;
    let mut table = Listing::new(&["seat", "stack", "value", "push%", "call%"]);
    for (seat, &stack) in seats.stacks.iter().enumerate() {
        let push = solution.strategy(Decision { seat, pusher: None });
        let calls = solution
            .strategies
            .iter()
            .filter(|s| s.decision.seat == seat && s.decision.pusher.is_some());
        let calls: Vec<String> = calls.map(|s| format!("{:.2}", 100.0 * s.share())).collect();
        table.push(vec![
            seats.seat_name(seat).into(),
            ListingCell::Text(stack.to_string()),
            ListingCell::Decimal(solution.values[seat], 6),
            push.map_or(ListingCell::Empty, |push| {
                ListingCell::Decimal(100.0 * push.share(), 2)
            }),
            // One entry for every player who may have pushed, in the order of acting.
            ListingCell::Text(calls.join(" ")),
        ]);
    }
    table.write(TableFormat::Text, out)
}

/// Formats a grid of the kinds of hands: the name where all hands of the kind go all-in, a percentage where some do.
fn chart(strategy: &PushStrategy, coloured: bool) -> String {
    let mut text = String::new();
    for (kind, &frequency) in GridCell::all().zip(&strategy.frequencies) {
        let percent = (100.0 * frequency).round();
        let cell = match percent {
            _ if percent >= 100.0 => format!("{:<4}", kind.name()),
            _ if percent <= 0.0 => "·   ".to_owned(),
            _ => format!("{:<4}", format!("{percent}%")),
        };
        match percent {
            _ if coloured && percent >= 50.0 => text += &format!("\x1b[42m\x1b[30m {cell}\x1b[0m"),
            _ if coloured && percent > 0.0 => text += &format!("\x1b[43m\x1b[30m {cell}\x1b[0m"),
            _ => text += &format!(" {cell}"),
        }
        if kind.column == 12 {
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
    }
    text
}

fn listing(seats: &PushGame, solution: &PushSolution) -> Listing {
    let mut table = Listing::new(&["seat", "facing", "hand", "combos", "frequency"]);
    for PushStrategy {
        decision,
        frequencies,
    } in &solution.strategies
    {
        for (kind, &frequency) in GridCell::all().zip(frequencies) {
            table.push(vec![
                seats.seat_name(decision.seat).into(),
                decision
                    .pusher
                    .map_or("", |pusher| seats.seat_name(pusher))
                    .into(),
                ListingCell::Text(kind.name()),
                ListingCell::Whole(kind.hands()),
                ListingCell::Decimal(frequency, 6),
            ]);
        }
    }
    table
}

#[derive(Serialize)]
struct PushJson {
    blinds: [f64; 2],
    ante: f64,
    payouts: Option<Vec<f64>>,
    iterations: u32,
    converged: bool,
    /// Unit: big blinds, or shares of all prizes.
    largest_gain: f64,
    players: Vec<PlayerJson>,
    decisions: Vec<StrategyJson>,
}

#[derive(Serialize)]
struct PlayerJson {
    seat: &'static str,
    stack: f64,
    value: f64,
    gain: f64,
}

#[derive(Serialize)]
struct StrategyJson {
    seat: &'static str,
    facing: Option<&'static str>,
    share: f64,
    hands: std::collections::BTreeMap<String, f64>,
}

impl PushJson {
    fn new(seats: &PushGame, solution: &PushSolution, unit: f64) -> PushJson {
        let player = |seat: usize| PlayerJson {
            seat: seats.seat_name(seat),
            stack: seats.stacks[seat],
            value: solution.values[seat],
            gain: solution.gains[seat] / unit,
        };
        let shown = |strategy: &PushStrategy| StrategyJson {
            seat: seats.seat_name(strategy.decision.seat),
            facing: strategy
                .decision
                .pusher
                .map(|pusher| seats.seat_name(pusher)),
            share: strategy.share(),
            hands: GridCell::all()
                .map(GridCell::name)
                .zip(strategy.frequencies)
                .collect(),
        };
        PushJson {
            blinds: seats.blinds,
            ante: seats.ante,
            payouts: match &seats.payoffs {
                Payoffs::Chips => None,
                Payoffs::Prizes(prizes) => Some(prizes.clone()),
            },
            iterations: solution.iterations,
            converged: solution.converged,
            largest_gain: solution.largest_gain() / unit,
            players: (0..seats.stacks.len()).map(player).collect(),
            decisions: solution.strategies.iter().map(shown).collect(),
        }
    }
}
