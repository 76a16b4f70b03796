//! Compares the solver and the estimate with recorded results of the oracle for tables, leads and positions
//! (`examples/oracle.rs` wrote the files). The long tests compare the solver with the oracle itself.

use crate::common::positions::{RandomPositions, text};
use crate::common::{LEADS_SEED, POSITIONS_SEED, RandomDeals, TABLES_SEED, digits, lead_question};
use crate::oracle::Oracle;
use cards::{Deal, Seat, Strain, TrickTable};
use croupier_solver::{Choices, Leads, Position, Solver};

const TABLES: &str = include_str!("../data/oracle-tables.txt");
const LEADS: &str = include_str!("../data/oracle-leads.txt");
const POSITIONS: &str = include_str!("../data/oracle-positions.txt");

fn table_digits(table: &TrickTable) -> String {
    let of = |seat: Seat| Strain::ALL.map(|strain| table.tricks(seat, strain));
    digits(Seat::ALL.into_iter().flat_map(of))
}

/// Returns the deals that the oracle has solved, with its results.
fn solved() -> Vec<(Deal, &'static str)> {
    let lines = TABLES.lines().map(|line| {
        let (number, digits) = line.split_once(' ').expect("number and results");
        (number.parse::<usize>().expect("a number"), digits)
    });
    let lines: Vec<(usize, &str)> = lines.collect();
    let last = lines.iter().map(|line| line.0).max().expect("a deal");
    let deals: Vec<Deal> = RandomDeals(TABLES_SEED).take(last + 1).collect();
    let solved: Vec<_> = lines
        .into_iter()
        .map(|(i, digits)| (deals[i], digits))
        .collect();
    assert_eq!(solved.len(), 5_000);
    solved
}

/// Checks one of four parts of the tables, so that the tests run in parallel.
fn tables(part: usize) {
    let mut solver = Solver::new();
    for (deal, expected) in solved().into_iter().skip(part).step_by(4) {
        assert_eq!(table_digits(&solver.table(&deal)), expected, "{deal}");
    }
}

#[test]
fn tables_first_quarter() {
    tables(0);
}

#[test]
fn tables_second_quarter() {
    tables(1);
}

#[test]
fn tables_third_quarter() {
    tables(2);
}

#[test]
fn tables_last_quarter() {
    tables(3);
}

#[test]
fn a_hundred_tables_on_the_portable_path() {
    let mut solver = Solver::portable(64);
    for (deal, expected) in solved().into_iter().take(100) {
        assert_eq!(table_digits(&solver.table(&deal)), expected, "{deal}");
    }
}

fn lead_digits(leads: &Leads) -> String {
    digits(leads.by_card().into_iter().map(|(_, tricks)| tricks))
}

/// Uses the deals that `examples/train_estimate.rs` keeps out of the training set.
#[test]
fn estimates_have_the_documented_error() {
    let (mut squares, mut samples) = ([0.0; 5], [0.0; 5]);
    let numbers = TABLES.lines().filter_map(|line| line.split_once(' '));
    let unseen = numbers.map(|(number, _)| number.parse::<usize>().expect("a number") % 5 == 0);
    for (deal, digits) in solved()
        .into_iter()
        .zip(unseen)
        .filter(|it| it.1)
        .map(|it| it.0)
    {
        let tricks = |seat: Seat, strain: Strain| {
            let digit = digits.as_bytes()[5 * seat.index() + strain.index()];
            f64::from(char::from(digit).to_digit(16).expect("tricks"))
        };
        for side in [cards::Side::NorthSouth, cards::Side::EastWest] {
            let [a, b] = side.seats();
            for strain in Strain::ALL {
                let truth = (tricks(a, strain) + tricks(b, strain)) / 2.0;
                let error =
                    f64::from(croupier_solver::estimate(&deal, side, strain)) / 100.0 - truth;
                squares[strain.index()] += error * error;
                samples[strain.index()] += 1.0;
            }
        }
    }
    let errors: Vec<f64> = squares
        .iter()
        .zip(samples)
        .map(|(sum, n)| (sum / n).sqrt())
        .collect();
    println!("{:?} in {samples:?} cases", errors);
    for (strain, error) in Strain::ALL.into_iter().zip(errors) {
        let told = if strain == Strain::Notrump {
            0.88
        } else {
            0.65
        };
        assert!(
            (told - 0.05..told + 0.05).contains(&error),
            "{strain}: {error}"
        );
    }
}

#[test]
fn estimates_do_not_change_when_partners_change_seats() {
    for (deal, _) in solved().into_iter().take(50) {
        let [n, e, s, w] = deal.hands();
        let turned = Deal::new([s, w, n, e]).expect("the same cards");
        for side in [cards::Side::NorthSouth, cards::Side::EastWest] {
            for strain in Strain::ALL {
                let estimate = croupier_solver::estimate(&deal, side, strain);
                assert_eq!(
                    estimate,
                    croupier_solver::estimate(&turned, side, strain),
                    "{deal}"
                );
                assert!((0..=1300).contains(&estimate));
            }
        }
    }
}

/// Checks every `step`-th recorded list of leads.
fn leads(step: usize) {
    assert_eq!(LEADS.lines().count(), 2_000);
    let mut solver = Solver::new();
    let deals = RandomDeals(LEADS_SEED).zip(LEADS.lines()).enumerate();
    for (i, (deal, expected)) in deals.step_by(step) {
        let (declarer, strain) = lead_question(i);
        let leads = solver.leads(&deal, declarer, strain);
        assert_eq!(lead_digits(&leads), expected, "{deal} {declarer} {strain}");
    }
}

#[test]
fn all_leads_of_400_deals() {
    leads(5);
}

#[test]
#[ignore = "a minute or two; run by ./check --long"]
fn long_all_leads_of_2000_deals() {
    leads(1);
}

fn choice_digits(position: &Position, choices: &Choices) -> String {
    digits(
        position
            .legal()
            .iter()
            .filter_map(|card| choices.tricks(card)),
    )
}

/// Checks one of four parts of the positions.
fn positions(part: usize) {
    let expected: Vec<&str> = POSITIONS.lines().collect();
    assert_eq!(expected.len(), 20_000);
    let (mut solver, mut portable) = (Solver::new(), Solver::portable(32));
    let positions = RandomPositions(RandomDeals(POSITIONS_SEED)).zip(expected);
    for (i, (position, expected)) in positions.enumerate().skip(part).step_by(4) {
        let choices = solver.choices(&position);
        let found = choice_digits(&position, &choices);
        assert_eq!(found, expected, "{}", text(&position));
        // The portable path solves only one in sixteen of the long ones.
        if i % 64 == part || position.tricks_left() < 8 && i % 16 == part {
            let choices = portable.choices(&position);
            let found = choice_digits(&position, &choices);
            assert_eq!(found, expected, "portable: {}", text(&position));
        }
    }
}

#[test]
fn positions_with_cards_on_the_table_first_quarter() {
    positions(0);
}

#[test]
fn positions_with_cards_on_the_table_second_quarter() {
    positions(1);
}

#[test]
fn positions_with_cards_on_the_table_third_quarter() {
    positions(2);
}

#[test]
fn positions_with_cards_on_the_table_last_quarter() {
    positions(3);
}

#[test]
fn the_live_oracle_agrees_on_ten_tables_and_two_hundred_endings() {
    let (mut solver, mut oracle) = (Solver::new(), Oracle::new());
    for deal in RandomDeals(77).take(10) {
        assert_eq!(solver.table(&deal), oracle.table(&deal), "{deal}");
    }
    let endings = RandomPositions(RandomDeals(78)).filter(|position| position.tricks_left() < 8);
    for position in endings.take(200) {
        let choices = solver.choices(&position);
        let ours: Vec<_> = position
            .legal()
            .iter()
            .map(|card| choices.tricks(card))
            .collect();
        let theirs: Vec<_> = oracle
            .choices(&position)
            .into_iter()
            .map(|(_, t)| Some(t))
            .collect();
        assert_eq!(ours, theirs, "{}", text(&position));
    }
}

#[test]
#[ignore = "half an hour of CPU time on all cores, nearly all of it the oracle's; run by ./check --long"]
fn long_5000_more_tables_against_the_live_oracle() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for first in 0..threads {
            scope.spawn(move || {
                let (mut solver, mut oracle) = (Solver::new(), Oracle::new());
                let deals = RandomDeals(100_000).take(5_000);
                for deal in deals.skip(first).step_by(threads) {
                    let deal: Deal = deal;
                    assert_eq!(solver.table(&deal), oracle.table(&deal), "{deal}");
                }
            });
        }
    });
}
