//! Our evaluators beside rs_poker's and aya_poker's, in one run.
use std::hint::black_box;
use std::time::Instant;

use cards::CardSet;
use poker::{HandRank, Path};

fn main() {
    let hands = random_hands(1 << 20);
    evaluators(&hands);
}

fn random_hands(count: usize) -> Vec<CardSet> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    };
    (0..count)
        .map(|_| {
            let mut hand = 0u64;
            while hand.count_ones() < 7 {
                hand |= 1 << ((u128::from(next()) * 52) >> 64);
            }
            CardSet(hand)
        })
        .collect()
}

fn rs_accumulator(hand: CardSet) -> rs_poker::core::SevenCardAccum {
    let mut accumulator = rs_poker::core::SevenCardAccum::new();
    let mut mask = hand.0;
    while mask != 0 {
        accumulator.add(rs_poker::core::Card::from(mask.trailing_zeros() as u8));
        mask &= mask - 1;
    }
    accumulator
}

fn evaluators(hands: &[CardSet]) {
    let mut ranks = vec![HandRank::default(); hands.len()];
    let mut out = vec![rs_poker::core::Rank::HIGH_CARD_MIN; hands.len()];
    let prepared: Vec<_> = hands.iter().map(|&h| rs_accumulator(h)).collect();
    let mut times: Vec<(String, Vec<f64>)> = Vec::new();
    for round in 0..9 {
        let mut record = |name: &str, t: Instant| {
            let ns = t.elapsed().as_secs_f64() * 1e9 / hands.len() as f64;
            if round == 0 {
                times.push((name.to_string(), vec![ns]));
            } else {
                times.iter_mut().find(|x| x.0 == name).unwrap().1.push(ns);
            }
        };
        for path in Path::available() {
            let t = Instant::now();
            poker::evaluate7_batch_with(path, black_box(hands), &mut ranks);
            black_box(&ranks);
            record(path.name(), t);
        }
        let t = Instant::now();
        for (h, r) in black_box(hands).iter().zip(&mut ranks) {
            *r = poker::evaluate7(*h);
        }
        black_box(&ranks);
        record("scalar", t);
        let t = Instant::now();
        for (h, r) in black_box(&prepared).iter().zip(&mut out) {
            *r = h.rank();
        }
        black_box(&out);
        record("rs prepared", t);
        let t = Instant::now();
        for (h, r) in black_box(hands).iter().zip(&mut out) {
            *r = rs_accumulator(*h).rank();
        }
        black_box(&out);
        record("rs masks", t);
    }
    for (name, mut t) in times {
        t.sort_by(f64::total_cmp);
        println!("{name:14} {:.3} (best {:.3})", t[t.len() / 2], t[0]);
    }
    let mut a = vec![HandRank::default(); hands.len()];
    for path in Path::available() {
        poker::evaluate7_batch_with(path, hands, &mut a);
        for (i, h) in hands.iter().enumerate() {
            assert_eq!(a[i], poker::evaluate7(*h));
        }
    }
    for h in hands.iter().take(20000) {
        assert_eq!(poker::evaluate7(*h), poker::reference::evaluate(*h));
    }
}
