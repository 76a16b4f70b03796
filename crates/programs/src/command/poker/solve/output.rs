//! Output of a solved game as text, CSV and JSON.

use std::io::{self, Write};

use croupier::poker::format_cards;
use croupier::poker::grid::GridCell;
use croupier::poker_solver::postflop::{NodeReport, PostflopSolver, SolverOutcome};
use serde::Serialize;

use super::Args;
use crate::failure::Failure;
use crate::table::{Listing, ListingCell, TableFormat};

const PLAYERS: [&str; 2] = ["oop", "ip"];

/// Writes the answer to standard output.
pub(super) fn write(
    args: &Args,
    solver: &PostflopSolver,
    outcome: &SolverOutcome,
) -> Result<(), Failure> {
    let report = solver.report(&args.node).map_err(Failure::usage)?;
    let mut out = io::stdout().lock();
    match args.format {
        TableFormat::Text => {
            write_text(args, solver, outcome, &report, &mut out)?;
        }
        TableFormat::Csv | TableFormat::CsvSafe => hands(&report).write(args.format, &mut out)?,
        TableFormat::Json => {
            let depth = args.depth.unwrap_or(usize::MAX);
            let answer = SolutionJson {
                board: format_cards(solver.spot().board),
                pot: solver.spot().pot,
                stack: solver.spot().stack,
                iterations: outcome.iterations,
                exploitability: outcome.exploitability,
                exploitability_share: outcome.exploitability / solver.spot().pot,
                reached: outcome.reached,
                expected_values: solver.expected_values(),
                tree: TreeJson::new(solver, &args.node, report, depth),
            };
            serde_json::to_writer_pretty(&mut out, &answer).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(())
}

fn write_text(
    args: &Args,
    solver: &PostflopSolver,
    outcome: &SolverOutcome,
    report: &NodeReport,
    out: &mut (impl Write + io::IsTerminal),
) -> io::Result<()> {
    let (spot, values) = (solver.spot(), solver.expected_values());
    writeln!(
        out,
        "holdem, board {}, pot {}, stack {}: {} iterations, exploitability {:.4} % of the pot",
        format_cards(spot.board),
        spot.pot,
        spot.stack,
        outcome.iterations,
        100.0 * outcome.exploitability / spot.pot
    )?;
    writeln!(
        out,
        "expected chips: out of position {:.4}, in position {:.4}",
        values[0], values[1]
    )?;
    let path = if args.node.trim().is_empty() {
        "first decision"
    } else {
        args.node.trim()
    };
    writeln!(
        out,
        "\n{path}: {} decides on {}, pot {}, reached in {:.2} % of deals, expected chips {:.4}",
        PLAYERS[report.player],
        format_cards(report.board),
        report.pot,
        100.0 * report.probability,
        report.expected_values[report.player]
    )?;
    let mut actions = Listing::new(&["action", "percent"]);
    for (action, frequency) in report.actions.iter().zip(&report.frequencies) {
        actions.push(vec![
            ListingCell::Text(action.to_string()),
            ListingCell::Decimal(100.0 * frequency, 2),
        ]);
    }
    actions.write(TableFormat::Text, out)?;
    if args.hands {
        writeln!(out)?;
        return hands(report).write(TableFormat::Text, out);
    }
    if let Some(passive) = report.actions.first() {
        writeln!(
            out,
            "\npercent of each kind of hand that does not {passive}:"
        )?;
        let coloured = args.color.is_on(out);
        out.write_all(chart(report, coloured).as_bytes())?;
    }
    Ok(())
}

/// Formats a grid of the kinds of hands with the share that does not take the first action.
fn chart(report: &NodeReport, coloured: bool) -> String {
    let mut sums = [[(0.0, 0.0); 13]; 13];
    for hand in &report.hands {
        if let Some(kind) = GridCell::of(hand.hand) {
            let (weight, active) = &mut sums[kind.row][kind.column];
            *weight += hand.weight;
            *active += hand.weight * (1.0 - hand.strategy[0]);
        }
    }
    let mut text = String::new();
    for (row, sums) in sums.iter().enumerate() {
        for line in 0..2 {
            for (column, &(weight, active)) in sums.iter().enumerate() {
                let share = active / weight;
                let cell = match line {
                    0 => format!(" {:<4}", GridCell { row, column }.name()),
                    _ if weight > 0.0 => format!(" {:<4.0}", 100.0 * share),
                    _ => " ·   ".to_owned(),
                };
                if coloured && weight > 0.0 {
                    let green = (230.0 - 100.0 * (1.0 - share)) as u8;
                    let red = (230.0 - 140.0 * share) as u8;
                    text += &format!("\x1b[48;2;{red};{green};110m\x1b[30m{cell}\x1b[0m");
                } else {
                    text += &cell;
                }
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
    }
    text
}

/// Returns the value, or zero if it would print as minus zero.
fn without_sign(value: f64) -> f64 {
    if value.abs() < 5e-5 { 0.0 } else { value }
}

/// Returns a table with a row for every hand and action.
fn hands(report: &NodeReport) -> Listing {
    let mut table = Listing::new(&["hand", "weight", "action", "frequency", "value"]);
    for hand in &report.hands {
        for (place, action) in report.actions.iter().enumerate() {
            let value = hand.action_values.get(place);
            table.push(vec![
                ListingCell::Text(format_cards(hand.hand)),
                ListingCell::Decimal(hand.weight, 6),
                ListingCell::Text(action.to_string()),
                ListingCell::Decimal(hand.strategy[place], 6),
                value.map_or(ListingCell::Empty, |&value| {
                    ListingCell::Decimal(without_sign(value), 4)
                }),
            ]);
        }
    }
    table
}

#[derive(Serialize)]
struct SolutionJson {
    board: String,
    pot: f64,
    stack: f64,
    iterations: u32,
    exploitability: f64,
    exploitability_share: f64,
    reached: bool,
    expected_values: [f64; 2],
    tree: TreeJson,
}

#[derive(Serialize)]
struct TreeJson {
    path: String,
    board: String,
    street: &'static str,
    player: &'static str,
    pot: f64,
    probability: f64,
    expected_values: [f64; 2],
    actions: Vec<ActionJson>,
    hands: Vec<HandJson>,
}

#[derive(Serialize)]
struct ActionJson {
    action: String,
    frequency: f64,
    /// The next decision; null where the street or the hand ends.
    next: Option<Box<TreeJson>>,
}

#[derive(Serialize)]
struct HandJson {
    hand: String,
    weight: f64,
    value: Option<f64>,
    strategy: Vec<f64>,
    action_values: Vec<f64>,
}

impl TreeJson {
    fn new(solver: &PostflopSolver, path: &str, report: NodeReport, depth: usize) -> TreeJson {
        let next = |action: String| {
            let path = match path.trim() {
                "" => action,
                path => format!("{path}, {action}"),
            };
            let report = solver.report(&path).ok()?;
            Some(Box::new(TreeJson::new(solver, &path, report, depth - 1)))
        };
        let actions = report.actions.iter().zip(&report.frequencies);
        TreeJson {
            path: path.trim().to_owned(),
            board: format_cards(report.board),
            street: report.street.name(),
            player: PLAYERS[report.player],
            pot: report.pot,
            probability: report.probability,
            expected_values: report.expected_values,
            actions: actions
                .map(|(action, &frequency)| ActionJson {
                    action: action.to_string(),
                    frequency,
                    next: if depth > 0 {
                        next(action.to_string())
                    } else {
                        None
                    },
                })
                .collect(),
            hands: report
                .hands
                .into_iter()
                .map(|hand| HandJson {
                    hand: format_cards(hand.hand),
                    weight: hand.weight,
                    value: hand.expected_value,
                    strategy: hand.strategy,
                    action_values: hand.action_values,
                })
                .collect(),
        }
    }
}
