//! Dealing the classic streams in runs gives the same deals as dealing them one by one.

use crate::support::rows;
use cards::{Deal, Seat, Side, Suit};
use croupier_shuffle::legacy::parallel::{
    Blocks, ConsecutiveDeals, OneThread, ParallelMap, Rounds,
};
use croupier_shuffle::legacy::{LegacyDealer, V1, V2, V2Start, Variant};
use croupier_shuffle::{Block, Predeal, Swap};
use proptest::prelude::*;

/// Two threads that take the items in turn.
struct TwoThreads;

impl ParallelMap for TwoThreads {
    fn map<T: Send, R: Send>(&self, items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
        let mut rest = items;
        let second_half = rest.split_off(rest.len() / 2);
        std::thread::scope(|scope| {
            let work = &work;
            let second = scope.spawn(move || second_half.into_iter().map(work).collect::<Vec<R>>());
            let mut results: Vec<R> = rest.into_iter().map(work).collect();
            results.extend(second.join().expect("the work does not panic"));
            results
        })
    }
}

fn assert_same(mut rounds: Rounds, mut one_by_one: impl LegacyDealer, at_least: u64, what: &str) {
    let mut index = 0;
    while index < at_least {
        for run in rounds.next_round(3, &TwoThreads) {
            assert_eq!(run.first(), index, "{what}");
            for i in 0..run.len() {
                assert_eq!(
                    Some(run.deal(i)),
                    one_by_one.next_deal(),
                    "{what}, deal {index}"
                );
                index += 1;
            }
        }
    }
}

#[test]
fn v1_in_runs_is_v1() {
    for variant in [Variant::Debian, Variant::Upstream] {
        for swap in [Swap::Off, Swap::Two, Swap::Three] {
            for seed in [1, -1, 4_000_000_000] {
                let dealer = V1::new(variant, seed, &Predeal::NONE, swap);
                let what = format!("{variant:?} {swap:?} seed {seed}");
                assert_same(dealer.rounds().unwrap(), dealer, 8_000, &what);
            }
        }
    }
}

#[test]
fn predeals_in_runs_are_predeals() {
    for row in rows("legacy/predeal-cases.csv") {
        let predeal: Predeal = row[1].trim_start_matches("predeal ").parse().unwrap();
        for swap in [Swap::Off, Swap::Three] {
            let dealer = V1::new(Variant::Debian, 12, &predeal, swap);
            assert_same(
                dealer.rounds().unwrap(),
                dealer,
                4_000,
                &format!("v1 {swap:?} {}", row[1]),
            );
        }
        let dealer = V2::with_predeal(V2Start::from_seed(12), &predeal);
        assert_same(
            dealer.rounds().unwrap(),
            dealer,
            4_000,
            &format!("v2 {}", row[1]),
        );
    }
}

fn five_spades(deal: &Deal) -> bool {
    deal[Seat::North].holding(Suit::Spades).len() >= 5
}

/// Uses runs of v2 as an evaluator does: finds the first accepted deal, accepts it, continues.
fn accepted_in_runs(
    mut rounds: Rounds,
    deals: u64,
    condition: fn(&Deal) -> bool,
) -> Vec<(u64, Deal)> {
    let mut accepted = Vec::new();
    loop {
        let mut round = rounds.next_round(2, &OneThread);
        for current in 0..round.len() {
            let mut next = 0;
            while let Some(found) = first_accepted(&round[current], next, condition) {
                let run = &mut round[current];
                let index = run.first() + found as u64;
                if index >= deals {
                    return accepted;
                }
                accepted.push((index, run.deal(found)));
                run.accept(found);
                next = found + 1;
            }
            rounds.update_packs(&mut round, current);
        }
        if round.last().is_none_or(|run| run.first() >= deals) {
            return accepted;
        }
    }
}

fn first_accepted(
    run: &ConsecutiveDeals,
    from: usize,
    condition: fn(&Deal) -> bool,
) -> Option<usize> {
    (from..run.len()).find(|&i| condition(&run.deal(i)))
}

fn accepted_one_by_one(
    mut dealer: V2,
    deals: u64,
    condition: fn(&Deal) -> bool,
) -> Vec<(u64, Deal)> {
    let mut accepted = Vec::new();
    for index in 0..deals {
        let deal = dealer.next_deal().unwrap();
        if condition(&deal) {
            dealer.accept();
            accepted.push((index, deal));
        }
    }
    accepted
}

#[test]
fn accepted_deals_of_v2_in_runs_are_those_one_by_one() {
    for swap in [Swap::Off, Swap::Two, Swap::Three] {
        for seed in [1, 99] {
            let start = V2Start::from_seed(seed);
            let expected = accepted_one_by_one(V2::new(start, swap), 5_000, five_spades);
            assert!(expected.len() > 500);
            assert_eq!(
                accepted_in_runs(Rounds::v2(start, swap), 5_000, five_spades),
                expected
            );
        }
    }
}

#[test]
fn a_run_fills_blocks_with_its_deals() {
    let run = Rounds::v2(V2Start::from_seed(3), Swap::Three)
        .next_round(1, &OneThread)
        .remove(0);
    assert_eq!(run.len(), 6 * 1024);
    let mut block = Block::new();
    assert_eq!(run.fill(5000, &mut block), 1024);
    assert!((0..1024).all(|i| block.deal(i) == run.deal(5000 + i)));
    assert_eq!(run.fill(6000, &mut block), 144);
    assert_eq!(run.fill(7000, &mut block), 0);
}

#[test]
fn blocks_requested_by_several_threads_hold_the_deals_in_order() {
    let mut dealer = V1::new(Variant::Debian, 77, &Predeal::NONE, Swap::Two);
    // A stream can start at the current deal of a dealer, but not between two arrangements.
    dealer.next_deal();
    assert!(dealer.rounds().is_none());
    dealer.next_deal();
    let blocks = Blocks::new(dealer.rounds().unwrap(), 3, TwoThreads);
    let next = std::sync::atomic::AtomicU64::new(0);
    let mut filled: Vec<(u64, Block)> = std::thread::scope(|scope| {
        let take = || {
            let mut taken = Vec::new();
            loop {
                let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if number >= 20 {
                    return taken;
                }
                let mut block = Block::new();
                blocks.fill(number, &mut block);
                taken.push((number, block));
            }
        };
        let workers: Vec<_> = (0..3).map(|_| scope.spawn(take)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    filled.sort_by_key(|(number, _)| *number);
    assert_eq!(filled.len(), 20);
    for (number, block) in filled {
        for i in 0..1024 {
            assert_eq!(
                Some(block.deal(i)),
                dealer.next_deal(),
                "block {number}, deal {i}"
            );
        }
    }
}

#[test]
fn the_deals_of_v2_that_depend_on_acceptance_are_not_offered_in_blocks() {
    assert!(V2::new(V2Start::from_seed(1), Swap::Off).rounds().is_none());
}

#[test]
fn opc_sorts_one_side_in_runs_too() {
    let start = V2Start::from_seed(5);
    let mut dealer = V2::new(start, Swap::Off);
    let mut run = Rounds::v2(start, Swap::Off)
        .next_round(1, &OneThread)
        .remove(0);
    for i in 0..run.len() {
        assert_eq!(dealer.next_deal(), Some(run.deal(i)));
        if i % 3 == 0 {
            dealer.opc_evaluated(Side::EastWest);
            run.opc_evaluated(i, Side::EastWest);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_seed_of_v1_in_runs_is_v1(seed: i64, upstream: bool) {
        let variant = if upstream { Variant::Upstream } else { Variant::Debian };
        let dealer = V1::new(variant, seed, &Predeal::NONE, Swap::Off);
        assert_same(dealer.rounds().unwrap(), dealer, 2_000, "random seed");
    }
}
