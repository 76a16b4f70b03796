//! Our evaluators compared with those of rs_poker and aya_poker, in one run on one thread.
//!
//! `cargo bench -p croupier-poker --bench peers`; pin it to a core for steady figures. All evaluators run in turn on
//! the same random hands, and the median counts. Times are processor times; "x" is the ratio to rs_poker from masks.

use std::hint::black_box;
use std::time::{Duration, Instant};

use aya_poker::base::{CARDS, Hand};
use cards::CardSet;
use cpu_time::ThreadTime;
use croupier_poker::samples::seven_cards;
use croupier_poker::tables::bbhash::{MinimalHash, best_five_of_suit};
use croupier_poker::tables::chd::{PerfectHash, plane_key_of_mask, plane_keys};
use croupier_poker::{CpuPath, HandRank, enumeration, reference};
use rs_poker::core::{Card, Rank, SevenCardAccum};

const HANDS: usize = 1 << 20;
const TURNS: usize = 9;

/// The times of one evaluator, in nanoseconds per hand.
struct Contestant {
    name: String,
    times: Vec<f64>,
}

/// A comparison of evaluators. Each run takes at least a given time.
struct Contest {
    at_least: Duration,
    contestants: Vec<Contestant>,
}

impl Contest {
    fn measure(&mut self, name: &str, hands: u64, mut work: impl FnMut()) {
        let (clock, began) = (ThreadTime::now(), Instant::now());
        let mut passes = 0;
        while passes == 0 || began.elapsed() < self.at_least {
            work();
            passes += 1;
        }
        let time = clock.elapsed().as_nanos() as f64 / (hands * passes) as f64;
        match self
            .contestants
            .iter_mut()
            .find(|contestant| contestant.name == name)
        {
            Some(contestant) => contestant.times.push(time),
            None => self.contestants.push(Contestant {
                name: name.to_string(),
                times: vec![time],
            }),
        }
    }

    fn report(&mut self, title: &str, peer: &str) {
        println!(
            "\n{title}\n{:44} {:>9} {:>9} {:>7}",
            "", "median ns", "best ns", "x"
        );
        for contestant in &mut self.contestants {
            contestant.times.sort_by(f64::total_cmp);
        }
        let median = |contestant: &Contestant| contestant.times[contestant.times.len() / 2];
        let found = self
            .contestants
            .iter()
            .find(|contestant| contestant.name == peer);
        let unit = median(found.expect("the peer takes part"));
        for contestant in &self.contestants {
            let time = median(contestant);
            println!(
                "{:44} {time:>9.3} {:>9.3} {:>7.3}",
                contestant.name,
                contestant.times[0],
                time / unit
            );
        }
    }
}

fn main() {
    // `cargo test --benches` runs this too, with few hands.
    let is_benchmark = std::env::args().any(|argument| argument == "--bench");
    let turns = if is_benchmark { TURNS } else { 1 };
    let at_least = Duration::from_millis(if is_benchmark { 100 } else { 0 });
    evaluators(
        turns,
        Contest {
            at_least,
            contestants: Vec::new(),
        },
    );
    all_hands(
        turns.min(5),
        Contest {
            at_least,
            contestants: Vec::new(),
        },
    );
}

fn accumulator(hand: CardSet) -> SevenCardAccum {
    let mut accumulator = SevenCardAccum::new();
    let mut mask = hand.0;
    while mask != 0 {
        accumulator.add(Card::from(mask.trailing_zeros() as u8));
        mask &= mask - 1;
    }
    accumulator
}

fn aya_hand(hand: CardSet) -> Hand {
    let mut mask = hand.0;
    let mut cards = Hand::new();
    while mask != 0 {
        let index = mask.trailing_zeros() as usize;
        cards.insert_unchecked(&CARDS[4 * (index % 13) + index / 13]);
        mask &= mask - 1;
    }
    cards
}

/// The textbook hash of the planes, with the direct flush table or the minimal hash.
struct Textbook {
    hash: PerfectHash,
    ranks: Vec<u16>,
    flush: Vec<u16>,
    minimal: MinimalHash,
    minimal_ranks: Vec<u16>,
}

impl Textbook {
    fn new(hands: &[CardSet]) -> Textbook {
        let hash = PerfectHash::build(&plane_keys(7)).expect("the patterns can be placed");
        let flush = croupier_poker::tables::generate::flush_table(reference::standard());
        let fives: Vec<u16> = (0..8192)
            .filter(|mask: &u16| mask.count_ones() == 5)
            .collect();
        let minimal = MinimalHash::build(&fives);
        let mut minimal_ranks = vec![0; fives.len()];
        for &five in &fives {
            minimal_ranks[minimal.index(five).expect("a key")] = flush[usize::from(five)];
        }
        let mut ranks = vec![0; PerfectHash::SLOTS];
        for hand in hands.iter().filter(|hand| flush_suit(hand.0).is_none()) {
            ranks[hash.slot(plane_key_of_mask(hand.0))] = croupier_poker::evaluate7(*hand).0;
        }
        Textbook {
            hash,
            ranks,
            flush,
            minimal,
            minimal_ranks,
        }
    }

    fn direct(&self, hand: CardSet) -> u16 {
        match flush_suit(hand.0) {
            Some(suit) => self.flush[usize::from(suit)],
            None => self.ranks[self.hash.slot(plane_key_of_mask(hand.0))],
        }
    }

    fn minimal(&self, hand: CardSet) -> u16 {
        match flush_suit(hand.0) {
            Some(suit) => {
                let index = self.minimal.index(best_five_of_suit(suit));
                self.minimal_ranks[index.expect("five cards")]
            }
            None => self.ranks[self.hash.slot(plane_key_of_mask(hand.0))],
        }
    }
}

fn flush_suit(mask: u64) -> Option<u16> {
    let suit = |number: u32| (mask >> (13 * number) & 0x1FFF) as u16;
    (0..4).map(suit).find(|suit| suit.count_ones() >= 5)
}

fn evaluators(turns: usize, mut contest: Contest) {
    let hands = &seven_cards(HANDS)[..];
    let prepared: Vec<SevenCardAccum> = hands.iter().map(|&hand| accumulator(hand)).collect();
    let aya: Vec<Hand> = hands.iter().map(|&hand| aya_hand(hand)).collect();
    let textbook = Textbook::new(hands);
    let mut ranks = vec![HandRank::default(); HANDS];
    let mut rs_ranks = vec![Rank::HIGH_CARD_MIN; HANDS];
    let count = HANDS as u64;
    for _ in 0..turns {
        for path in CpuPath::available() {
            contest.measure(&format!("batch, {}", path.name()), count, || {
                croupier_poker::evaluate7_batch_with(path, black_box(hands), black_box(&mut ranks));
            });
        }
        contest.measure("scalar", count, || {
            fill(&mut ranks, hands, |&hand| croupier_poker::evaluate7(hand));
        });
        contest.measure("textbook hash, direct flush table", count, || {
            fill(&mut ranks, hands, |&hand| HandRank(textbook.direct(hand)));
        });
        contest.measure("textbook hash, minimal hash for flushes", count, || {
            fill(&mut ranks, hands, |&hand| HandRank(textbook.minimal(hand)));
        });
        contest.measure("rs_poker, prepared accumulators", count, || {
            fill(&mut rs_ranks, &prepared, SevenCardAccum::rank);
        });
        contest.measure("rs_poker, from masks", count, || {
            fill(&mut rs_ranks, hands, |&hand| accumulator(hand).rank());
        });
        contest.measure("aya_poker, prepared hands", count, || {
            fill(&mut ranks, &aya, |hand| {
                HandRank(aya_poker::poker_rank(hand).0)
            });
        });
        contest.measure("aya_poker, from masks", count, || {
            fill(&mut ranks, hands, |&hand| {
                HandRank(aya_poker::poker_rank(&aya_hand(hand)).0)
            });
        });
    }
    contest.report("random seven-card hands", "rs_poker, from masks");
    for &hand in &hands[..10_000] {
        assert_eq!(croupier_poker::evaluate7(hand).0, textbook.direct(hand));
        assert_eq!(croupier_poker::evaluate7(hand).0, textbook.minimal(hand));
    }
    // All three evaluators order hands equally; in the peers a larger rank is better.
    for pair in hands[..10_000].windows(2) {
        let ours = croupier_poker::evaluate7(pair[1]).cmp(&croupier_poker::evaluate7(pair[0]));
        let rs = accumulator(pair[0])
            .rank()
            .cmp(&accumulator(pair[1]).rank());
        let [a, b] = [pair[0], pair[1]].map(|hand| aya_poker::poker_rank(&aya_hand(hand)));
        assert!(ours == rs && ours == a.cmp(&b));
    }
}

fn fill<H, R>(ranks: &mut [R], hands: &[H], evaluate: impl Fn(&H) -> R) {
    for (rank, hand) in ranks.iter_mut().zip(black_box(hands)) {
        *rank = evaluate(hand);
    }
    black_box(ranks);
}

/// Evaluates all seven-card hands in order and sums the ranks.
fn all_hands(turns: usize, mut contest: Contest) {
    assert_eq!(enumeration::sum_of_ranks(), enumeration::SUM_OF_RANKS);
    for _ in 0..turns {
        contest.measure("rows of 91 pairs, sum alone", enumeration::HANDS, || {
            black_box(enumeration::sum_of_ranks());
        });
        contest.measure("rs_poker, accumulator", enumeration::HANDS, || {
            black_box(with_accumulators(SevenCardAccum::new(), 0, 7));
        });
    }
    contest.report("all 133,784,560 hands", "rs_poker, accumulator");
}

fn with_accumulators(hand: SevenCardAccum, from: u8, left: u8) -> u64 {
    if left == 1 {
        return (from..52).map(|card| score(hand + Card::from(card))).sum();
    }
    (from..=52 - left)
        .map(|card| with_accumulators(hand + Card::from(card), card + 1, left - 1))
        .sum()
}

/// Computes a value that depends on the rank. This version of the peer does not expose the rank itself.
fn score(hand: SevenCardAccum) -> u64 {
    u64::from(hand.rank() > Rank::ONE_PAIR_MIN)
}
