//! Nanoseconds per call of every valuation, over random deals: `cargo bench -p croupier-valuation`.
//!
//! Each figure is the median over short stretches of deals, with the analysis of the hands included.
//! The sum of all results is printed too: it must not change unless a rule does.

use std::hint::black_box;
use std::time::Instant;

use cards::{CardSet, Deal, Seat, Side};
use croupier_valuation::{
    FourCsVersion, HandPair, cccc, controls, hcp, losers, ltc, metrics, opc, quality,
};

const DEALS: usize = 4096;
const ROUNDS: usize = 31;

/// Returns random deals from a small generator with a fixed seed, which is good enough for a benchmark.
fn random_deals() -> Vec<Deal> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % n
    };
    (0..DEALS)
        .map(|_| {
            let mut pack: Vec<u8> = (0..52).collect();
            for card in (1..52).rev() {
                pack.swap(card, below(card + 1));
            }
            let hand = |seat: usize| {
                CardSet(
                    pack[13 * seat..][..13]
                        .iter()
                        .fold(0, |set, &card| set | 1 << card),
                )
            };
            Deal::new([0, 1, 2, 3].map(hand)).expect("a shuffled pack")
        })
        .collect()
}

/// Number of deals timed together: few, so that another program seldom interrupts the measurement.
const DEALS_TIMED_TOGETHER: usize = 128;

fn measure(name: &str, deals: &[Deal], value: impl Fn(&Deal) -> i32) {
    let mut checksum = 0i64;
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        checksum = 0;
        for stretch in deals.chunks_exact(DEALS_TIMED_TOGETHER) {
            let start = Instant::now();
            checksum += stretch
                .iter()
                .map(|deal| i64::from(value(black_box(deal))))
                .sum::<i64>();
            times.push(start.elapsed().as_secs_f64() * 1e9 / DEALS_TIMED_TOGETHER as f64);
        }
    }
    times.sort_by(f64::total_cmp);
    println!(
        "{name:<20} {:>8.1} ns {checksum:>12}",
        times[times.len() / 2]
    );
}

fn main() {
    let deals = random_deals();
    println!("{:<20} {:>11} {:>12}", "valuation", "per call", "checksum");
    let hand = |deal: &Deal| deal.hand(Seat::North);
    measure("hcp", &deals, |deal| hcp(hand(deal)));
    measure("controls", &deals, |deal| controls(hand(deal)));
    measure("losers", &deals, |deal| losers(hand(deal)));
    measure("ltc", &deals, |deal| ltc(hand(deal)));
    measure("quality (suit)", &deals, |deal| {
        quality(hand(deal).holding(cards::Suit::Spades), FourCsVersion::V2)
    });
    measure("cccc", &deals, |deal| cccc(hand(deal), FourCsVersion::V2));
    measure("opc", &deals, |deal| {
        let count = opc(&HandPair::of(deal, Side::NorthSouth, Seat::South));
        black_box(count).longest()
    });
    for metric in metrics::list() {
        measure(metric.name, &deals, |deal| {
            let slots = metrics::evaluate(metric.tag, deal, Side::NorthSouth).expect("a known tag");
            black_box(&slots)[3]
        });
    }
}
