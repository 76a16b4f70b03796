//! Compares the solver with two large collections of solved deals in Debian's source of DDS: 100,000 random deals
//! solved by GIB, and 10,000 deals of real play with tables, leads and the value of every card played.
//! `tools/solved-deals` downloads the files to `target/solved-deals`.

use crate::common::DDS_STRAINS;
use cards::{Card, Deal, Rank, Seat, Strain, Suit, TrickTable};
use croupier_solver::{Position, Solver};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn file(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/solved-deals");
    let path = format!("{folder}/{name}");
    std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{path}: {e} (run tools/solved-deals)"))
}

/// Checks all items on all cores, and fails with the list of all disagreements.
fn check_all<T: Sync>(
    items: &[T],
    disagreement: impl Fn(&mut Solver, &T) -> Option<String> + Sync,
) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut solver = Solver::new();
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { break };
                    if let Some(text) = disagreement(&mut solver, item) {
                        eprintln!("{i}: {text}");
                        found.lock().expect("no panic").push(text);
                    }
                    if (i + 1) % 5_000 == 0 {
                        eprintln!("{} of {}", i + 1, items.len());
                    }
                }
            });
        }
    });
    let found = found.into_inner().expect("no panic");
    assert!(
        found.is_empty(),
        "{} differ:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// Reads a line of GIB: `WEST NORTH EAST SOUTH:` and the tricks of North-South in hexadecimal, from notrump down to
/// clubs, with South, East, North and West on lead.
fn read_gib(line: &str) -> (Deal, TrickTable) {
    const LEADERS: [Seat; 4] = [Seat::South, Seat::East, Seat::North, Seat::West];
    let (hands, digits) = line.split_once(':').expect("hands and results");
    let deal = format!("W:{hands}").parse().expect("a deal");
    let mut table = TrickTable::default();
    assert_eq!(digits.len(), 20, "{line}");
    for (i, digit) in digits.chars().enumerate() {
        let (strain, declarer) = (
            Strain::DESCENDING[i / 4],
            Seat::from_index(LEADERS[i % 4].index() + 3),
        );
        let tricks = digit.to_digit(16).expect("a digit") as u8;
        let theirs = declarer.index() % 2 == 1;
        table.set(declarer, strain, if theirs { 13 - tricks } else { tricks });
    }
    (deal, table)
}

#[test]
#[ignore = "two hours of CPU time on all cores; run by ./check --long"]
fn long_100000_tables_of_gib() {
    let deals: Vec<_> = file("sol100000.txt").lines().map(read_gib).collect();
    assert_eq!(deals.len(), 100_000);
    check_all(&deals, |solver, (deal, expected)| {
        let table = solver.table(deal);
        (table != *expected).then(|| format!("{deal}\nours:\n{table}\ntheirs:\n{expected}"))
    });
}

/// A deal of DDS's own tests: the recorded play and the results of DDS.
struct Record {
    deal: Deal,
    declarer: Seat,
    strain: Strain,
    table: TrickTable,
    /// Tricks of the defence after each lead.
    leads: Vec<(Card, u8)>,
    play: Vec<Card>,
    /// Tricks of declarer before the first card and after each card.
    trace: Vec<u8>,
}

fn numbers(line: &str, tag: &str) -> Vec<usize> {
    let rest = line
        .strip_prefix(tag)
        .unwrap_or_else(|| panic!("{tag}: {line}"));
    let numbers = rest.split_whitespace();
    numbers
        .map(|word| word.parse().expect("a number"))
        .collect()
}

/// Reads cards with their tricks. The third number of each group holds the lower cards that are as good, one bit each.
fn leads(line: &str) -> Vec<(Card, u8)> {
    let numbers = numbers(line, "FUT ");
    let parts: Vec<&[usize]> = numbers[1..].chunks(numbers[0]).collect();
    let mut leads = Vec::new();
    for (((&suit, &rank), &equals), &value) in
        parts[0].iter().zip(parts[1]).zip(parts[2]).zip(parts[3])
    {
        for rank in (2..15).filter(|&bit| bit == rank || equals >> bit & 1 == 1) {
            let rank = Rank::from_index(rank - 2).expect("two to ace");
            leads.push((Card::new(Suit::DESCENDING[suit], rank), value as u8));
        }
    }
    leads
}

/// Reads the seven lines of a deal.
fn record(lines: &[&str]) -> Record {
    let quoted = |line: &str| line.split('"').nth(1).expect("a text in quotes").to_owned();
    let numbers_of_deal = numbers(lines[0].split('"').next().expect("numbers"), "PBN ");
    let [_, _, strain, leader] = numbers_of_deal[..] else {
        panic!("{}", lines[0])
    };
    let mut table = TrickTable::default();
    for (i, tricks) in numbers(lines[2], "TABLE ").into_iter().enumerate() {
        table.set(Seat::from_index(i), DDS_STRAINS[i / 4], tricks as u8);
    }
    let play = quoted(lines[5]);
    let card = |i: usize| play[i..i + 2].parse().expect("a card");
    Record {
        deal: quoted(lines[0]).parse().expect("a deal"),
        declarer: Seat::from_index(leader + 3),
        strain: DDS_STRAINS[strain],
        table,
        leads: leads(lines[1]),
        play: (0..play.len()).step_by(2).map(card).collect(),
        trace: numbers(lines[6], "TRACE ")[1..]
            .iter()
            .map(|&t| t as u8)
            .collect(),
    }
}

fn disagreement(solver: &mut Solver, record: &Record) -> Option<String> {
    let (deal, declarer, strain) = (&record.deal, record.declarer, record.strain);
    let table = solver.table(deal);
    if table != record.table {
        return Some(format!("{deal}\nours:\n{table}\ntheirs:\n{}", record.table));
    }
    let leads = solver.leads(deal, declarer, strain);
    let wrong = record
        .leads
        .iter()
        .find(|(card, tricks)| leads.tricks(*card) != Some(*tricks));
    if let Some((card, tricks)) = wrong {
        return Some(format!(
            "{deal} {declarer} {strain} lead {card}: {tricks} expected"
        ));
    }
    assert_eq!(leads.by_card().len(), record.leads.len(), "{deal}");
    let played = solver.review(&Position::opening(deal, declarer, strain), &record.play);
    let north_south = played
        .expect("a legal play")
        .into_iter()
        .map(|card| card.north_south);
    let own = |tricks: u8| {
        if declarer.index() % 2 == 0 {
            tricks
        } else {
            13 - tricks
        }
    };
    let first = table.tricks(declarer, strain);
    let trace: Vec<u8> = std::iter::once(first).chain(north_south.map(own)).collect();
    let told = record.trace.len();
    (trace[..told] != record.trace[..])
        .then(|| format!("{deal} {declarer} {strain}: {trace:?} {:?}", record.trace))
}

#[test]
#[ignore = "half an hour of CPU time on all cores; run by ./check --long"]
fn long_10000_played_deals_of_dds() {
    let text = file("list10000.txt");
    let lines: Vec<&str> = text.lines().map(str::trim_end).skip(1).collect();
    let starts = (0..lines.len()).filter(|&i| lines[i].starts_with("PBN "));
    let records: Vec<Record> = starts.map(|i| record(&lines[i..i + 7])).collect();
    assert_eq!(records.len(), 10_000);
    check_all(&records, disagreement);
}
