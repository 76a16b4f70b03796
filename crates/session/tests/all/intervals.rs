//! Intervals hold the true value as often as they claim: small samples, rare events, exchanged hands, levels.

use std::collections::BTreeMap;

use croupier_session::interval::{CONFIDENCE, Interval, of_seen_share, of_share};
use croupier_session::{Clustered, Job, NoDeals, Swap, Table, TableData};

/// Averages of numbers, of conditions with probabilities of about 0.5, 0.1, 0.01 and 0.001, and tables whose first and
/// last rows are rare.
const ACTIONS: &str = "action
    average \"points\" hcp(north), average \"aces\" aces(north), average \"length\" spades(east),
    average \"half\" hcp(north) >= 10, average \"tenth\" hcp(north) >= 15, average \"hundredth\" hcp(north) >= 20,
    average \"thousandth\" hcp(north) >= 24,
    frequency \"rows\" (hcp(north), 4, 17), frequency \"cells\" (spades(north), 1, 6, hearts(south), 1, 6)";

/// A quantity of the tables above: the title of its table, and its row and column.
type Quantity = (String, usize, usize);

/// Returns the estimates and intervals of everything that a report shows.
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

/// How the deals of a run are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Without selection.
    Plain,
    /// The classes of the script, equally often.
    Level,
    /// Three of four from the script, one from a script of weak hands.
    Mixture,
}

/// Returns the tables of a run of `deals` deals.
fn tables(script: &str, way: Way, swap: Swap, seed: i64, deals: u64) -> Vec<Table> {
    let job = Job::new(script).seed(seed).produce(deals).threads(1);
    let job = match way {
        Way::Plain => job,
        Way::Level => job.level(""),
        Way::Mixture => {
            let weak = format!("condition hcp(north) < 12\n{ACTIONS}");
            job.share(3).mix("weak", weak, 1)
        }
    };
    let session = job.exchange(swap).prepare().unwrap();
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

/// Returns how often intervals contain the true value, and the number of intervals, by title.
fn coverage(
    script: &str,
    way: Way,
    swap: Swap,
    deals: u64,
    seeds: i64,
    truth: &BTreeMap<Quantity, (f64, Option<Interval>)>,
) -> BTreeMap<String, (u64, u64)> {
    let mut held = BTreeMap::new();
    for seed in 1..=seeds {
        for (quantity, (_, interval)) in shown(&tables(script, way, swap, seed, deals)) {
            // A mean of numbers over fewer than two whole clusters is shown without an interval.
            if interval.is_none() && deals < 2 * swap.arrangements() {
                continue;
            }
            let value = truth.get(&quantity).map_or(0.0, |(value, _)| *value);
            let (hits, all) = held.entry(quantity.0).or_insert((0, 0));
            *all += 1;
            *hits += u64::from(interval.is_some_and(|(low, high)| low <= value && value <= high));
        }
    }
    held
}

/// Returns the probability that the interval of a share of `trials` independent deals holds `p`, given at least `least`
/// successes: the few possible outcomes decide it. `None` if `least` successes are improbable.
fn attainable(trials: u64, p: f64, least: u64) -> Option<(f64, f64)> {
    let n = trials as f64;
    let (mut logarithm, mut held, mut all) = (n * (-p).ln_1p(), 0.0, 0.0);
    for successes in 0..=trials {
        let interval = match least {
            0 => of_share(successes, trials, None, CONFIDENCE),
            _ => of_seen_share(successes, trials, None, CONFIDENCE),
        };
        let (low, high) = interval?;
        if successes >= least {
            all += logarithm.exp();
            held += if low <= p && p <= high {
                logarithm.exp()
            } else {
                0.0
            };
        }
        let k = successes as f64;
        logarithm += ((n - k) / (k + 1.0) * p / (1.0 - p)).ln();
    }
    (all > 0.0).then_some((held / all, all))
}

/// Returns the mean of [`attainable`] over several shares, weighted by the probabilities that they are shown.
fn attainable_of_all(trials: u64, shares: &[f64], least: u64) -> f64 {
    let (mut held, mut weight) = (0.0, 0.0);
    for &p in shares {
        if let Some((covered, seen)) = attainable(trials, p, least) {
            held += seen * covered;
            weight += seen;
        }
    }
    if weight > 0.0 { held / weight } else { 0.95 }
}

/// Checks every quantity at these sizes: at least 93 of 100 intervals hold the true value, and at most 99 unless the
/// possible outcomes are so few that the exact coverage of independent deals is higher.
fn check(script: &str, way: Way, swap: Swap, sizes: &[u64], seeds: i64, truth_deals: u64) {
    let truth = shown(&tables(script, way, Swap::Off, 99, truth_deals));
    for &deals in sizes {
        for (title, (hits, all)) in coverage(script, way, swap, deals, seeds, &truth) {
            let share = hits as f64 / all as f64;
            // Three standard errors of this experiment.
            let noise = 3.0 * (0.05 * 0.95 / all.min(seeds as u64) as f64).sqrt();
            println!("{deals} deals, {swap:?}, {way:?}, {title}: {hits} of {all}, {share:.3}");
            assert!(share > 0.93 - noise, "{deals} deals, {title}: {share}");
            // A cell is in the table only because some deal belongs to it; an average of a condition is always shown.
            let is_table = ["rows", "cells"].contains(&&*title);
            let of_title = truth.iter().filter(|(quantity, _)| quantity.0 == title);
            let shares = of_title
                .map(|(_, (value, _))| *value)
                .filter(|&p| p > 0.0 && p < 1.0);
            let shares: Vec<f64> = shares.collect();
            let exact = attainable_of_all(deals, &shares, u64::from(is_table));
            // Exchanged deals carry at least as much information as their clusters, and at most as much as independent
            // deals. The possible outcomes of either may force a higher coverage.
            let clusters = deals.div_ceil(swap.arrangements());
            let of_clusters = attainable_of_all(clusters, &shares, u64::from(is_table));
            // A success that is expected in fewer than five clusters has an interval that is wider than necessary.
            let is_rare = |p: &f64| p * (clusters as f64) < 5.0;
            let is_rare = swap != Swap::Off && !shares.is_empty() && shares.iter().all(is_rare);
            let is_number = ["points", "aces", "length"].contains(&&*title);
            let is_exact = way == Way::Plain && swap == Swap::Off && !is_number && !is_table;
            if is_exact {
                assert!(
                    (share - exact).abs() < noise,
                    "{deals} deals, {title}: {share}, exactly {exact}"
                );
            }
            // Few clusters, or few deals of each class, do not determine the variance well, so intervals are wider.
            let fine = match way {
                Way::Plain => swap == Swap::Off || deals >= 10 * swap.arrangements(),
                Way::Level | Way::Mixture => deals >= 200,
            };
            let most = if is_number {
                0.99
            } else {
                exact.max(of_clusters).max(0.99)
            };
            let upper_noise = 3.0 * (0.01 * 0.99 / all.min(seeds as u64) as f64).sqrt();
            assert!(
                !fine || is_rare || share < most + upper_noise,
                "{deals} deals, {title}: {share}, exactly {exact}"
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
        Way::Plain,
        Swap::Off,
        &[5, 20, 200],
        400,
        1_000_000,
    );
}

#[test]
fn exchanged_hands_are_covered() {
    let script = script("hcp(east) >= 9");
    check(&script, Way::Plain, Swap::Two, &[20], 300, 1_000_000);
    check(&script, Way::Plain, Swap::Three, &[60], 200, 1_000_000);
}

#[test]
fn levelled_deals_are_covered() {
    let script =
        format!("HandType_Weak = hcp(north) < 12\nHandType_Strong = hcp(north) >= 12\n{ACTIONS}");
    check(&script, Way::Level, Swap::Off, &[20], 100, 200_000);
}

#[test]
fn mixed_scripts_are_covered() {
    let strong = script("hcp(north) >= 12");
    check(&strong, Way::Mixture, Swap::Off, &[20], 100, 200_000);
}

/// Sizes of the samples of the long tests.
const SIZES: [u64; 6] = [5, 10, 20, 50, 200, 1000];

/// Checks runs with and without a condition at every size.
fn check_every_size(swap: Swap) {
    for condition in ["1", "hcp(east) >= 9"] {
        let script = script(condition);
        check(&script, Way::Plain, swap, &SIZES, 1000, 20_000_000);
    }
}

#[test]
#[ignore = "minutes"]
fn long_independent_deals_of_every_size_are_covered() {
    check_every_size(Swap::Off);
}

#[test]
#[ignore = "minutes"]
fn long_two_arrangements_of_every_size_are_covered() {
    check_every_size(Swap::Two);
}

#[test]
#[ignore = "minutes"]
fn long_six_arrangements_of_every_size_are_covered() {
    check_every_size(Swap::Three);
}

#[test]
#[ignore = "minutes"]
fn long_levelled_deals_of_every_size_are_covered() {
    let script =
        format!("HandType_Weak = hcp(north) < 12\nHandType_Strong = hcp(north) >= 12\n{ACTIONS}");
    check(&script, Way::Level, Swap::Off, &SIZES, 1000, 2_000_000);
}

#[test]
#[ignore = "minutes"]
fn long_mixed_scripts_of_every_size_are_covered() {
    let strong = script("hcp(north) >= 12");
    check(&strong, Way::Mixture, Swap::Off, &SIZES, 1000, 2_000_000);
}
