//! Writes the results of the oracle, the crate `pons-dds`, for the deals and positions of the tests.
//!
//! `cargo run --release -p croupier-solver --example oracle -- tables|leads|positions [FIRST COUNT]` writes a line for
//! each deal or position to standard output; lines of tables begin with the number of the deal. The files in
//! `tests/data` were made with it: tables, the leads of 2,000 deals and 20,000 positions.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/oracle/mod.rs"]
mod oracle;

use cards::{Seat, Strain};
use common::positions::RandomPositions;
use common::{LEADS_SEED, POSITIONS_SEED, RandomDeals, TABLES_SEED, digits, lead_question};
use oracle::Oracle;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| arguments.get(i).and_then(|text| text.parse().ok());
    let (first, count) = (number(1).unwrap_or(0), number(2).unwrap_or(20_000));
    let mut oracle = Oracle::new();
    match arguments.first().map(String::as_str) {
        Some("tables") => {
            for (i, deal) in RandomDeals(TABLES_SEED).enumerate().skip(first).take(count) {
                let table = oracle.table(&deal);
                let tricks = Seat::ALL
                    .into_iter()
                    .flat_map(|seat| Strain::ALL.map(|strain| table.tricks(seat, strain)));
                println!("{i} {}", digits(tricks));
            }
        }
        Some("leads") => {
            for (i, deal) in RandomDeals(LEADS_SEED).enumerate().skip(first).take(count) {
                let (declarer, strain) = lead_question(i);
                let leads = oracle.leads(&deal, declarer, strain);
                println!("{}", digits(leads.into_iter().map(|(_, tricks)| tricks)));
            }
        }
        Some("positions") => {
            let positions = RandomPositions(RandomDeals(POSITIONS_SEED));
            for position in positions.skip(first).take(count) {
                let choices = oracle.choices(&position);
                println!("{}", digits(choices.into_iter().map(|(_, tricks)| tricks)));
            }
        }
        _ => {
            eprintln!("usage: oracle tables|leads|positions [FIRST COUNT]");
            std::process::exit(2);
        }
    }
}
