//! Intervals hold the true value as often as they claim: small samples, rare events, exchanged hands, levels.

use std::collections::BTreeMap;

use session::interval::{CONFIDENCE, Interval};
use session::{Clustered, Job, NoDeals, Swap, Table, TableData};

/// Averages of numbers, of conditions with probabilities of about 0.5, 0.1, 0.01 and 0.001, and tables whose first and
/// last rows are rare.
const ACTIONS: &str = "action
    average \"points\" hcp(north), average \"aces\" aces(north), average \"length\" spades(east),
    average \"half\" hcp(north) >= 10, average \"tenth\" hcp(north) >= 15, average \"hundredth\" hcp(north) >= 20,
    average \"thousandth\" hcp(north) >= 24,
    frequency \"rows\" (hcp(north), 4, 17), frequency \"cells\" (spades(north), 1, 6, hearts(south), 1, 6)";

/// A quantity of the tables above: the title of its table, and its row and column.
type Quantity = (String, usize, usize);

/// The estimates and intervals of everything that a report shows.
fn shown(tables: &[Table]) -> BTreeMap<Quantity, (f64, Option<Interval>)> {
    let mut all = BTreeMap::new();
    for table in tables {
        let mut add = |row, column, value, interval| {
            all.insert((table.title(), row, column), (value, interval));
        };
        let mut cells = table.cell_intervals(CONFIDENCE);
        match &table.data {
            TableData::Average { moments, .. } => {
                let mean = moments.mean().unwrap_or(f64::NAN);
                add(0, 0, mean, table.mean_interval(CONFIDENCE));
            }
            TableData::Frequency { counts, .. } => {
                let last = counts.scale.cells() - 1;
                for cell in 0..=last {
                    let count = counts.cell(cell);
                    // The rows beyond the scale are shown only if they hold something.
                    if count > 0 || (cell != 0 && cell != last) {
                        let share = count as f64 / counts.total() as f64;
                        add(cell, 0, share, cells.cell(cell));
                    }
                }
            }
            TableData::Grid { counts, .. } => {
                for row in 0..counts.rows.cells() {
                    for column in 0..counts.columns.cells() {
                        let count = counts.cell(row, column);
                        let share = count as f64 / counts.total() as f64;
                        if count > 0 {
                            add(row, column, share, cells.grid_cell(row, column));
                        }
                    }
                }
            }
            TableData::Contract { .. } => {}
        }
    }
    all
}

/// The tables of a run of `deals` deals.
fn tables(script: &str, level: bool, swap: Swap, seed: i64, deals: u64) -> Vec<Table> {
    let mut job = Job::new(script).seed(seed).produce(deals).threads(1);
    if level {
        job = job.level("");
    }
    let session = job.swap(swap).prepare().unwrap();
    let mut run = session.start().unwrap();
    let (plan, mut nothing) = (run.plan(), NoDeals);
    if swap == Swap::Off {
        return run.finish(&mut nothing).unwrap().tables;
    }
    let mut sink = Clustered::new(&mut nothing, &plan, swap.arrangements());
    let mut outcome = run.finish(&mut sink).unwrap();
    sink.finish(&mut outcome.tables);
    outcome.tables
}

/// How often intervals hold the true value, and how many there were, by title.
fn coverage(
    script: &str,
    level: bool,
    swap: Swap,
    deals: u64,
    seeds: i64,
    truth: &BTreeMap<Quantity, (f64, Option<Interval>)>,
) -> BTreeMap<String, (u64, u64)> {
    let mut held = BTreeMap::new();
    for seed in 1..=seeds {
        for (quantity, (_, interval)) in shown(&tables(script, level, swap, seed, deals)) {
            let value = truth.get(&quantity).map_or(0.0, |(value, _)| *value);
            let (hits, all) = held.entry(quantity.0).or_insert((0, 0));
            *all += 1;
            *hits += u64::from(interval.is_some_and(|(low, high)| low <= value && value <= high));
        }
    }
    held
}

/// Checks every quantity at these sizes: at least 93 of 100 intervals hold the true value, and at most 99 where the
/// outcomes are fine enough to allow that.
fn check(script: &str, level: bool, swap: Swap, sizes: &[u64], seeds: i64, truth_deals: u64) {
    let truth = shown(&tables(script, level, Swap::Off, 99, truth_deals));
    for &deals in sizes {
        for (title, (hits, all)) in coverage(script, level, swap, deals, seeds, &truth) {
            let share = hits as f64 / all as f64;
            // Three standard errors of this experiment.
            let noise = 3.0 * (0.05 * 0.95 / all.min(seeds as u64) as f64).sqrt();
            println!(
                "{deals} deals, {swap:?}, level {level}, {title}: {hits} of {all}, {share:.3}"
            );
            assert!(share > 0.93 - noise, "{deals} deals, {title}: {share}");
            let fine = ["points", "length", "half"].contains(&&*title) && deals >= 50 && !level;
            assert!(
                !fine || share < 0.985 + noise,
                "{deals} deals, {title}: {share}"
            );
        }
    }
}

fn script(condition: &str) -> String {
    format!("condition {condition}\n{ACTIONS}")
}

#[test]
fn small_samples_and_rare_events_are_covered() {
    check(
        &script("1"),
        false,
        Swap::Off,
        &[5, 20, 200],
        400,
        1_000_000,
    );
}

#[test]
fn exchanged_hands_are_covered() {
    let script = script("hcp(east) >= 9");
    check(&script, false, Swap::Two, &[20], 300, 1_000_000);
    check(&script, false, Swap::Three, &[60], 200, 1_000_000);
}

#[test]
fn levelled_deals_are_covered() {
    let script =
        format!("HandType_Weak = hcp(north) < 12\nHandType_Strong = hcp(north) >= 12\n{ACTIONS}");
    check(&script, true, Swap::Off, &[20], 100, 200_000);
}

#[test]
#[ignore = "minutes"]
fn long_every_size_is_covered() {
    let sizes = [5, 10, 20, 50, 200, 1000];
    for swap in [Swap::Off, Swap::Two, Swap::Three] {
        check(&script("1"), false, swap, &sizes, 1000, 20_000_000);
        check(
            &script("hcp(east) >= 9"),
            false,
            swap,
            &sizes,
            1000,
            20_000_000,
        );
    }
    let level =
        format!("HandType_Weak = hcp(north) < 12\nHandType_Strong = hcp(north) >= 12\n{ACTIONS}");
    check(&level, true, Swap::Off, &sizes, 1000, 2_000_000);
}
