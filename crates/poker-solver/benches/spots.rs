//! Solves the spots of tests/data/spots.txt one by one and prints processor time, iterations, exploitability and values.
//!
//! `cargo bench -p croupier-poker-solver --bench spots -- [--peer PROGRAM] [--threads N] [--goal PERCENT] [WORD]`.
//! `WORD` selects spots by name. A peer is called with the fields of a spot and the goal as arguments, and prints its
//! seconds of processor time, iterations, exploitability in chips and the first player's expected chips.

use std::process::Command;

use cpu_time::ProcessTime;
use croupier_poker_solver::postflop::{PostflopGoals, PostflopSolver, SolverOptions, Spot};
use poker::parse_cards;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).filter(|word| word != "--bench");
    let (mut peer, mut threads, mut goal, mut word) = (None, 1, 0.1, String::new());
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--peer" => peer = Some(value()),
            "--threads" => threads = value().parse()?,
            "--goal" => goal = value().parse()?,
            _ => word = argument,
        }
    }
    println!(
        "{:<20} {:>9} {:>6} {:>9} {:>10} {:>8} | peer seconds, iterations, exploitability %, value | ratio, difference % of the pot",
        "spot", "seconds", "iter.", "expl. %", "value", "MB"
    );
    for line in include_str!("../tests/data/spots.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, board, oop, ip, pot, stack, bets, raises] = fields[..] else {
            panic!("{line}");
        };
        if !name.contains(&word) {
            continue;
        }
        let (pot, stack): (f64, f64) = (pot.parse()?, stack.parse()?);
        let mut spot = Spot::new(parse_cards(board)?, [oop.parse()?, ip.parse()?], pot, stack)
            .with_sizes(bets, raises)?;
        spot.raise_limit = 100;
        let started = ProcessTime::now();
        let mut solver = PostflopSolver::new(
            spot,
            SolverOptions {
                threads,
                ..SolverOptions::default()
            },
        )?;
        let stop = PostflopGoals {
            exploitability: goal / 100.0,
            ..PostflopGoals::default()
        };
        let outcome = solver.run(&stop, |_| true);
        let seconds = started.elapsed().as_secs_f64();
        let value = solver.expected_values()[0];
        let megabytes = solver.size().bytes as f64 / 1e6;
        let share = 100.0 * outcome.exploitability / pot;
        print!(
            "{name:<20} {seconds:>9.3} {:>6} {share:>9.4} {value:>10.4} {megabytes:>8.1}",
            outcome.iterations
        );
        if let Some(peer) = &peer {
            let output = Command::new(peer)
                .args(&fields[1..])
                .arg(goal.to_string())
                .output()?;
            let text = String::from_utf8(output.stdout)?;
            let numbers: Vec<f64> = text
                .split_whitespace()
                .filter_map(|number| number.parse().ok())
                .collect();
            if let [time, iterations, exploitability, other] = numbers[..] {
                let difference = 100.0 * (other - value) / pot;
                print!(
                    " | {time:.3} {iterations} {:.4} {other:.4} | {:.2} {difference:.4}",
                    100.0 * exploitability / pot,
                    time / seconds
                );
            } else {
                print!(" | failed: {}", String::from_utf8_lossy(&output.stderr));
            }
        }
        println!();
    }
    Ok(())
}
