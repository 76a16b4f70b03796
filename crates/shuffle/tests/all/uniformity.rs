//! Uniformity of the deals: compares counts with exact probabilities.
//!
//! The limit is one false alarm in a million runs over all tests of a census together (Bonferroni). The seeds are
//! fixed, so that a test that passes once always passes. A fit that is too good fails too. Deliberately biased shuffles
//! must fail, as a check of the tests.

mod census;
mod chi_square;

use cards::{Seat, Suit};
use census::{Census, choose};
use chi_square::Verdict;
use croupier_shuffle::legacy::{LegacyDealer, LengthPredeal, V1, V2, V2Start, Variant};
use croupier_shuffle::{
    BLOCK_DEALS, Block, BlockWords, FastDealer, Key, Predeal, RandomWords, Stream, Swap, draw_pool,
    tournament,
};

/// The probability that any test of a census of uniform deals fails.
const FALSE_ALARMS: f64 = 1e-6;

/// Returns the tests that fail.
fn alarms(verdicts: &[Verdict]) -> Vec<&Verdict> {
    let limit = FALSE_ALARMS / verdicts.len() as f64 / 2.0;
    verdicts
        .iter()
        .filter(|verdict| verdict.p < limit || 1.0 - verdict.p < limit && verdict.degrees < 1000.0)
        .collect()
}

fn assert_uniform(census: &Census) {
    let verdicts = census.verdicts();
    let alarms: Vec<String> = alarms(&verdicts)
        .iter()
        .map(|verdict| verdict.to_string())
        .collect();
    assert!(alarms.is_empty(), "{}", alarms.join("\n"));
}

fn native(seed: u64, blocks: std::ops::Range<u64>) -> Census {
    let dealer = FastDealer::new(Key::from_seed(seed), &Predeal::NONE);
    let mut census = Census::new();
    let mut block = Block::new();
    for number in blocks {
        dealer.fill(number, &mut block).unwrap();
        for i in 0..BLOCK_DEALS {
            census.add(Seat::ALL.map(|seat| block.hand(i, seat)));
        }
    }
    census
}

#[test]
fn native_deals_are_uniform() {
    // Ten million deals.
    assert_uniform(&native(1, 0..9766));
}

#[test]
fn tournament_boards_are_uniform() {
    let key = Key::new([7; 32]);
    let mut census = Census::new();
    (0..640_000).for_each(|board| census.add(tournament::deal(&key, board).hands()));
    assert_uniform(&census);
}

#[test]
fn deals_of_consecutive_seeds_are_uniform() {
    let mut census = Census::new();
    let mut block = Block::new();
    for seed in 0..640 {
        FastDealer::new(Key::from_seed(seed), &Predeal::NONE)
            .fill(0, &mut block)
            .unwrap();
        (0..BLOCK_DEALS).for_each(|i| census.add(block.deal(i).hands()));
    }
    assert_uniform(&census);
}

fn classic(mut dealer: impl LegacyDealer) -> Census {
    let mut census = Census::new();
    (0..320_000).for_each(|_| census.add(dealer.next_deal().unwrap().hands()));
    census
}

#[test]
fn deals_of_v2_are_uniform() {
    assert_uniform(&classic(V2::new(V2Start::from_seed(1), Swap::Off)));
}

/// The shuffle of v1 is not uniform in one pass, and it starts from the pack of the deal before. Every single deal
/// looks right, but North keeps too many cards from one deal to the next.
#[test]
fn the_shuffle_of_v1_fails_the_test_of_neighbouring_deals() {
    for variant in [Variant::Debian, Variant::Upstream] {
        let verdicts = classic(V1::new(variant, 1, &Predeal::NONE, Swap::Off)).verdicts();
        let caught: Vec<&str> = alarms(&verdicts)
            .iter()
            .map(|verdict| verdict.what.as_str())
            .collect();
        assert_eq!(caught, ["North's cards in common with 1 deals before"]);
    }
}

/// Returns the hands of a pack: North has the first thirteen cards.
fn hands(pack: &[u8; 52]) -> [cards::CardSet; 4] {
    std::array::from_fn(|seat| {
        cards::CardSet(
            pack[13 * seat..][..13]
                .iter()
                .fold(0, |set, card| set | 1 << card),
        )
    })
}

fn fresh_pack() -> [u8; 52] {
    std::array::from_fn(|i| i as u8)
}

#[test]
fn packs_drawn_from_a_pool_and_by_fisher_yates_are_uniform() {
    let mut random = BlockWords::new(Stream::Choices, &Key::from_seed(1), 0);
    let (mut struck, mut exchanged) = (Census::new(), Census::new());
    for _ in 0..320_000 {
        let mut pack = [0; 52];
        draw_pool::DrawPool::new((1 << 52) - 1).draw_into(&mut pack, &mut random);
        struck.add(hands(&pack));
        let mut pack = fresh_pack();
        draw_pool::fisher_yates(&mut pack, &mut random);
        exchanged.add(hands(&pack));
    }
    assert_uniform(&struck);
    assert_uniform(&exchanged);
}

/// A common mistake: every card is exchanged with any card, not only with those not placed yet.
#[test]
fn a_shuffle_that_draws_from_the_whole_pack_fails_the_test() {
    let mut random = BlockWords::new(Stream::Choices, &Key::from_seed(1), 0);
    let mut census = Census::new();
    for _ in 0..64_000 {
        let mut pack = fresh_pack();
        for i in 0..52 {
            pack.swap(i, random.below(52) as usize);
        }
        census.add(hands(&pack));
    }
    assert!(alarms(&census.verdicts()).len() >= 4);
}

/// Sixteen words as in the native generator, but every number is the word's remainder mod n.
#[test]
fn numbers_by_remainder_of_a_shared_word_fail_the_test() {
    let groups: [&[u16]; 16] = [
        &[52, 42, 30],
        &[51],
        &[50, 17, 11, 7],
        &[49, 46, 29],
        &[48, 44],
        &[47, 41, 34],
        &[45, 23, 9],
        &[43, 40, 38],
        &[39, 35, 24, 2],
        &[37, 31, 19, 3],
        &[36, 14, 13, 10],
        &[33, 22, 18, 5],
        &[32, 16, 8, 4],
        &[28, 26, 15, 6],
        &[27, 25],
        &[21, 20, 12],
    ];
    let mut random = BlockWords::new(Stream::Choices, &Key::from_seed(1), 0);
    let mut census = Census::new();
    for _ in 0..640_000 {
        let mut numbers = [0; 53];
        for bounds in groups {
            let word = random.word() as u16;
            bounds
                .iter()
                .for_each(|&n| numbers[usize::from(n)] = word % n);
        }
        let mut hands = [cards::CardSet::EMPTY; 4];
        let mut thresholds = [13, 26, 39];
        for card in (0..52).rev() {
            let v = numbers[card + 1];
            hands[thresholds
                .iter()
                .filter(|&&threshold| threshold <= v)
                .count()]
            .0 |= 1 << card;
            thresholds
                .iter_mut()
                .for_each(|threshold| *threshold -= u16::from(v < *threshold));
        }
        census.add(hands);
    }
    assert!(!alarms(&census.verdicts()).is_empty());
}

/// v2's length predeal is not uniform over the deals with those lengths. With five spades for North and five hearts for
/// South, North has h further hearts in C(8,h) C(26,8-h) C(26+h,8) of the deals: North takes 8 of 34 cards, South then
/// 8 of the 26 + h that are not hearts.
#[test]
fn the_length_predeal_of_v2_fails_the_test() {
    let mut lengths = LengthPredeal::NONE;
    lengths.require(Seat::North, Suit::Spades, 5).unwrap();
    lengths.require(Seat::South, Suit::Hearts, 5).unwrap();
    let ways: Vec<u128> = (0..=8)
        .map(|h| choose(8, h) * choose(26, 8 - h) * choose(26 + h, 8))
        .collect();
    let all: u128 = ways.iter().sum();
    let exact: Vec<f64> = ways.iter().map(|&ways| ways as f64 / all as f64).collect();

    let mut biased = [0; 9];
    let mut dealer = V2::with_lengths(V2Start::from_seed(1), &lengths);
    for _ in 0..50_000 {
        if let Some(deal) = dealer.next_deal() {
            biased[deal[Seat::North].holding(Suit::Hearts).len()] += 1;
        }
    }
    let verdict = chi_square::test("v2", &biased, &exact);
    assert!(verdict.p < FALSE_ALARMS, "{verdict}");

    // Native deals that happen to have these lengths pass the same test.
    let mut uniform = [0; 9];
    let dealer = FastDealer::new(Key::from_seed(1), &Predeal::NONE);
    let mut block = Block::new();
    for number in 0..2000 {
        dealer.fill(number, &mut block).unwrap();
        for i in 0..BLOCK_DEALS {
            if block.holding(i, Suit::Spades, Seat::North).len() == 5
                && block.holding(i, Suit::Hearts, Seat::South).len() == 5
            {
                uniform[block.holding(i, Suit::Hearts, Seat::North).len()] += 1;
            }
        }
    }
    let verdict = chi_square::test("native", &uniform, &exact);
    assert!(verdict.p > FALSE_ALARMS, "{verdict}");
}

/// A thousand million deals, on all processors.
#[test]
#[ignore = "minutes; run by the long check"]
fn long_a_thousand_million_native_deals_are_uniform() {
    const BLOCKS: u64 = 1_000_000_000 / BLOCK_DEALS as u64;
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let mut census = Census::new();
    std::thread::scope(|scope| {
        let part = |thread: u64| BLOCKS * thread / threads;
        let workers: Vec<_> = (0..threads)
            .map(|thread| scope.spawn(move || native(20_240_229, part(thread)..part(thread + 1))))
            .collect();
        workers
            .into_iter()
            .for_each(|worker| census.merge(&worker.join().unwrap()));
    });
    assert_uniform(&census);
}
