//! Random words: their streams, and exact bounded draws from them.

use crate::Key;
use crate::chacha;
use crate::lanes::{LANES, Lanes};

/// A source of uniformly random 64-bit words, and unbiased draws from it.
pub trait RandomWords {
    /// Returns the next word.
    fn word(&mut self) -> u64;

    /// Draws a number below `n`, all exactly equally likely (Lemire's multiplication with the exact rejection test).
    /// `below(0)` is 0.
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        let mut product = u128::from(self.word()) * u128::from(n);
        if (product as u64) < n {
            // The first 2^64 mod n words would make some results more likely. The division is rarely reached.
            let surplus = n.wrapping_neg() % n;
            while (product as u64) < surplus {
                product = u128::from(self.word()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// Draws a number below `n` if `wanted`; otherwise returns 0 and takes no word.
    #[inline]
    fn below_if(&mut self, wanted: bool, n: u64) -> u64 {
        if wanted { self.below(n) } else { 0 }
    }

    /// Draws a number below a bound of up to 128 bits. Each try takes two words, the low one first.
    #[inline]
    fn below128(&mut self, n: u128) -> u128 {
        let mut next = || {
            let low = self.word();
            u128::from(low) | u128::from(self.word()) << 64
        };
        let (mut high, mut low) = multiply128(next(), n);
        if low < n {
            let surplus = n.wrapping_neg() % n;
            while low < surplus {
                (high, low) = multiply128(next(), n);
            }
        }
        high
    }

    /// Draws `rnd(n)` of the script language in native mode: 0 .. n-1, or 0 .. -(|n|-1) for a negative `n`.
    #[inline]
    fn rnd(&mut self, n: i64) -> i64 {
        let size = self.below(n.unsigned_abs()) as i64;
        if n < 0 { -size } else { size }
    }
}

/// Returns the 256-bit product as (high, low).
fn multiply128(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let lowest = a0 * b0;
    let middle = a1 * b0 + (lowest >> 64);
    let other = a0 * b1 + (middle & LOW);
    (
        a1 * b1 + (middle >> 64) + (other >> 64),
        other << 64 | (lowest & LOW),
    )
}

/// The use of a stream of random words. Each use has its own stream number of the keystream, so that no two uses share
/// a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stream {
    /// Seeds of the fast deal stream; counter = four per block of 1024 deals.
    Deals = 1,
    /// Tournament deals; counter = deal number.
    Tournament = 2,
    /// Seeds of the exact sampler's words; counter = four per block of 1024 candidates.
    Sampler = 3,
    /// `rnd()` of a script; counter = deal number.
    Rnd = 4,
    /// Choices that are not cards (subprofile, suits, rotation); counter = board number.
    Choices = 5,
    /// `rnd()` for deals that come from the exact sampler; counter = candidate number.
    SamplerRnd = 6,
    /// Poker hands and boards; counter = four per block of deals.
    Poker = 7,
}

impl Stream {
    /// Returns the ChaCha rounds: 20 for tournament deals, 8 elsewhere.
    #[must_use]
    pub const fn rounds(self) -> u32 {
        match self {
            Stream::Tournament => 20,
            _ => 8,
        }
    }
}

/// The random words that belong to one number (a deal, a board, a candidate). They depend only on the key, the stream
/// and that number, not on threads or earlier deals.
///
/// ```
/// use croupier_shuffle::{DealRandom, Key, RandomWords};
///
/// let key = Key::from_seed(1);
/// let mut random = DealRandom::new(&key, 17);
/// let dice: Vec<u64> = (0..5).map(|_| 1 + random.below(6)).collect();
/// assert!(dice.iter().all(|eyes| (1..=6).contains(eyes)));
/// assert_eq!(DealRandom::new(&key, 17).below(6) + 1, dice[0]);
/// ```
#[derive(Clone, Debug)]
pub struct DealRandom {
    key: Key,
    stream: Stream,
    number: u64,
    sub: u32,
    used: usize,
    /// One row holds the words in use. If `made` is not 0, the other rows hold the first words of the numbers from
    /// `first` on, generated together for callers that use consecutive numbers.
    rows: [[u64; 8]; chacha::EIGHT],
    row: usize,
    first: u64,
    /// Number of rows with generated words: all or none.
    made: u64,
    /// Whether the deal number is close after the previous one.
    follows: bool,
}

impl DealRandom {
    /// Creates the words of `rnd()` for deal number `deal`.
    #[must_use]
    pub fn new(key: &Key, deal: u64) -> Self {
        DealRandom::on(Stream::Rnd, key, deal)
    }

    /// Creates the words of `number` on any stream.
    #[must_use]
    pub fn on(stream: Stream, key: &Key, number: u64) -> Self {
        // Words are generated on first use: most deals never need one.
        DealRandom {
            key: *key,
            stream,
            number,
            sub: 0,
            used: 8,
            rows: [[0; 8]; chacha::EIGHT],
            row: 0,
            first: 0,
            made: 0,
            follows: false,
        }
    }

    /// Restarts with the words of another number of the same key and stream. This is faster for increasing numbers that
    /// are close to each other.
    #[inline]
    pub fn restart(&mut self, number: u64) {
        /// Largest distance at which the numbers generated together are likely to be used.
        const CLOSE: u64 = 4;
        self.follows = number.wrapping_sub(self.number) < CLOSE;
        (self.number, self.sub, self.used) = (number, 0, 8);
    }

    /// Writes the first word of each number from `number` on: the same as [`restart`](Self::restart) and one call of
    /// [`RandomWords::word`] for each, but much faster.
    pub fn first_words(&self, number: u64, words: &mut [u64]) {
        let (key, rounds) = (self.key.bytes(), self.stream.rounds());
        chacha::first_words(key, rounds, self.stream as u64, number, words);
    }

    /// Generates the next words. It is a separate function, so that `word` is small enough to be inlined.
    #[inline(never)]
    fn refill(&mut self) {
        let (key, rounds) = (self.key.bytes(), self.stream.rounds());
        let stream = self.stream as u64 | u64::from(self.sub) << 32;
        let place = self.number.wrapping_sub(self.first);
        if self.sub == 0 && place < self.made {
            self.row = place as usize;
        } else if self.sub == 0 && self.follows {
            self.rows = chacha::eight_blocks(key, rounds, stream, self.number);
            (self.row, self.first, self.made) = (0, self.number, self.rows.len() as u64);
        } else {
            self.rows[0] = chacha::one_block(key, rounds, stream, self.number);
            (self.row, self.made) = (0, 0);
        }
        self.sub = self.sub.wrapping_add(1);
        self.used = 0;
    }
}

impl RandomWords for DealRandom {
    #[inline]
    fn word(&mut self) -> u64 {
        if self.used == 8 {
            self.refill();
        }
        self.used += 1;
        self.rows[self.row % chacha::EIGHT][self.used - 1]
    }
}

/// The words of one block of 1024 deals or candidates: eight xoshiro256++ generators seeded from the key, read step by
/// step, lane 0 first. Fast, not cryptographic.
#[derive(Clone, Debug)]
pub struct BlockWords {
    lanes: Lanes,
    /// The words of several steps, because generating many at a time is faster.
    words: [u64; STEPS * LANES],
    used: usize,
}

/// Number of steps generated at a time.
const STEPS: usize = 8;

impl BlockWords {
    /// Creates the words of block number `block` (below 2^62) on `stream`.
    #[must_use]
    pub fn new(stream: Stream, key: &Key, block: u64) -> Self {
        BlockWords {
            lanes: Lanes::seeded(key, stream, block),
            words: [0; STEPS * LANES],
            used: STEPS * LANES,
        }
    }
}

impl BlockWords {
    /// Fills `out` with the next words: the same as repeated calls of [`RandomWords::word`], but faster.
    pub fn fill(&mut self, out: &mut [u64]) {
        let kept = out.len().min(self.words.len() - self.used);
        let (first, rest) = out.split_at_mut(kept);
        first.copy_from_slice(&self.words[self.used..self.used + kept]);
        self.used += kept;
        let (steps, last) = rest.as_chunks_mut();
        self.lanes.fill(steps);
        for word in last {
            *word = self.word();
        }
    }

    /// Generates the words of the next steps. It is a separate function, so that `word` is small enough to be inlined.
    #[inline(never)]
    fn step(&mut self) {
        self.lanes.fill(self.words.as_chunks_mut().0);
        self.used = 0;
    }
}

impl RandomWords for BlockWords {
    #[inline]
    fn word(&mut self) -> u64 {
        if self.used == STEPS * LANES {
            self.step();
        }
        self.used += 1;
        self.words[self.used - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Predetermined words, to test special cases of a draw.
    struct FixedWords(Vec<u64>);

    impl RandomWords for FixedWords {
        fn word(&mut self) -> u64 {
            self.0.remove(0)
        }
    }

    #[test]
    fn a_word_of_the_surplus_is_drawn_again() {
        // 2^64 mod 3 = 1: exactly the word 0 must be rejected.
        assert_eq!(FixedWords(vec![0, u64::MAX]).below(3), 2);
        assert_eq!(FixedWords(vec![1]).below(3), 0);
        // 2^128 mod 3 = 1: exactly the number 0 must be rejected.
        assert_eq!(FixedWords(vec![0, 0, u64::MAX, u64::MAX]).below128(3), 2);
        assert_eq!(FixedWords(vec![1, 0]).below128(3), 0);
        assert_eq!(FixedWords(vec![5]).below(0), 0);
    }

    #[test]
    fn a_negative_bound_of_rnd_mirrors_the_positive_one() {
        let key = Key::from_seed(3);
        for deal in 0..100 {
            let positive = DealRandom::new(&key, deal).rnd(10);
            assert!((0..10).contains(&positive));
            assert_eq!(DealRandom::new(&key, deal).rnd(-10), -positive);
        }
        assert_eq!(DealRandom::new(&key, 0).rnd(0), 0);
        assert!(DealRandom::new(&key, 0).rnd(i64::MIN) <= 0);
    }

    #[test]
    fn the_ninth_word_of_a_deal_is_the_first_of_the_next_sub_stream() {
        let key = Key::from_seed(9);
        let mut random = DealRandom::new(&key, 77);
        let words: Vec<u64> = (0..17).map(|_| random.word()).collect();
        assert_eq!(words[..8], chacha::one_block(key.bytes(), 8, 4, 77));
        assert_eq!(
            words[8..16],
            chacha::one_block(key.bytes(), 8, 4 | 1 << 32, 77)
        );
        random.restart(77);
        assert_eq!(random.word(), words[0]);
    }

    #[test]
    fn numbers_one_after_the_other_have_their_own_words() {
        let key = Key::from_seed(9);
        let near_the_end = (u64::MAX - 9..=u64::MAX).chain(0..4);
        let numbers = (0..40).chain([41, 43, 46, 50, 49, 48, 1000, 1001, 1003, 7, 8]);
        let mut random = DealRandom::on(Stream::Tournament, &key, 3);
        for number in numbers.chain(near_the_end) {
            random.restart(number);
            // Some numbers take more words than others, or none.
            let count = [1, 10, 0, 3][number as usize % 4];
            let words: Vec<u64> = (0..count).map(|_| random.word()).collect();
            let mut alone = DealRandom::on(Stream::Tournament, &key, number);
            assert!(words.iter().all(|&word| word == alone.word()), "{number}");
        }
    }

    #[test]
    fn first_words_are_those_of_each_number() {
        let key = Key::from_seed(9);
        for (stream, first) in [(Stream::Rnd, 0), (Stream::Choices, u64::MAX - 5)] {
            let mut random = DealRandom::on(stream, &key, 3);
            let mut words = [0; 40];
            random.first_words(first, &mut words);
            for (i, word) in words.into_iter().enumerate() {
                random.restart(first.wrapping_add(i as u64));
                assert_eq!(random.word(), word);
            }
        }
    }

    #[test]
    fn words_in_bulk_are_the_words_one_by_one() {
        let key = Key::from_seed(4);
        let mut bulk = BlockWords::new(Stream::Poker, &key, 3);
        let mut single = bulk.clone();
        for size in [0, 1, 7, 8, 9, 64, 3, 5, 100, 16] {
            let mut words = vec![0; size];
            bulk.fill(&mut words);
            assert!(words.iter().all(|&word| word == single.word()), "{size}");
            assert_eq!(bulk.word(), single.word());
        }
    }

    #[test]
    fn streams_of_one_number_differ() {
        let key = Key::from_seed(1);
        let first = |stream| DealRandom::on(stream, &key, 5).word();
        assert_ne!(first(Stream::Rnd), first(Stream::SamplerRnd));
        assert_ne!(first(Stream::Rnd), first(Stream::Choices));
    }

    proptest! {
        #[test]
        fn a_draw_is_the_high_half_of_the_product(word: u64, n in 1u64..) {
            let product = u128::from(word) * u128::from(n);
            prop_assume!(product as u64 >= n);
            prop_assert_eq!(u128::from(FixedWords(vec![word]).below(n)), product >> 64);
        }

        #[test]
        fn the_wide_product_agrees_with_schoolbook_halves(a: u128, b: u64) {
            let (high, low) = multiply128(a, u128::from(b));
            let bottom = (a & u128::from(u64::MAX)) * u128::from(b);
            let top = (a >> 64) * u128::from(b) + (bottom >> 64);
            prop_assert_eq!((high, low), (top >> 64, top << 64 | (bottom & u128::from(u64::MAX))));
        }
    }
}
