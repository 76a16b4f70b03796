//! The number of deals that plain dealing would have rejected before the next accepted one.

use shuffle::{BlockWords, Key, RandomWords, Stream};

use crate::count::Count;

/// The number of failures before a success of known probability, drawn with integer arithmetic only.
///
/// The binary digits of a geometric number are independent; digit k is 1 with probability
/// Q/(1+Q), where Q = (1-p)^(2^k). So a draw compares one random word for each digit with a threshold.
#[derive(Clone, Debug)]
pub struct Skips {
    thresholds: Vec<u64>,
}

impl Skips {
    /// Creates the distribution of the number of misses before a hit. `count` gives the probability of a hit, which
    /// must not be 0.
    #[must_use]
    pub fn new(count: &Count) -> Skips {
        let mut thresholds = Vec::new();
        // 1 - p in units of 2^-128; p is at least 2^-96, so it fits.
        let mut q = fraction(count.hits(), count.out_of()).wrapping_neg();
        if count.hits() == count.out_of() {
            q = 0;
        }
        while q > 1 << 64 {
            thresholds.push(threshold(q));
            q = high_product(q, q);
        }
        Skips { thresholds }
    }

    /// Writes the skips before each of the 1024 deals of a block.
    ///
    /// They have their own stream of words, apart from those of the cards. So the number of the first deal of a block
    /// can be found without dealing all blocks before it.
    pub fn block(&self, key: &Key, block: u64, into: &mut Vec<u128>) {
        let mut words = BlockWords::new(Stream::Sampler, key, SKIPS | block);
        into.clear();
        let digits = self.thresholds.len();
        if digits == 0 {
            into.resize(crate::BLOCK as usize, 0);
            return;
        }
        // Generating many words at a time is faster.
        let mut buffer = vec![0; digits * BATCH];
        for _ in 0..crate::BLOCK as usize / BATCH {
            words.fill(&mut buffer);
            into.extend(buffer.chunks_exact(digits).map(|words| self.number(words)));
        }
    }

    /// Returns a number in binary digits, of which each word decides one by its threshold; the lowest digit comes
    /// first.
    #[inline]
    fn number(&self, words: &[u64]) -> u128 {
        let part = |words: &[u64], thresholds: &[u64]| {
            let digits = words.iter().zip(thresholds).rev();
            digits.fold(0u64, |number, (word, threshold)| {
                number << 1 | u64::from(word < threshold)
            })
        };
        let low = self.thresholds.len().min(64);
        let number = u128::from(part(&words[..low], &self.thresholds[..low]));
        match self.thresholds.len() {
            ..=64 => number,
            _ => number | u128::from(part(&words[low..], &self.thresholds[low..])) << 64,
        }
    }

    /// Draws the number of deals skipped before the next hit.
    #[inline]
    pub fn draw(&self, words: &mut impl RandomWords) -> u128 {
        let digits = self.thresholds.iter().enumerate();
        digits.fold(0, |skip, (digit, &threshold)| {
            skip | u128::from(words.word() < threshold) << digit
        })
    }
}

/// Number of skips drawn at a time; a block is a multiple of it.
const BATCH: usize = 64;

/// First block number of the words for skips; those of the cards are below.
const SKIPS: u64 = 1 << 61;

/// Returns `floor(top * 2^128 / bottom)` modulo 2^128 for `top <= bottom < 2^127`.
fn fraction(top: u128, bottom: u128) -> u128 {
    let mut rest = top % bottom;
    (0..128).fold(0, |quotient, _| {
        rest <<= 1;
        let bit = u128::from(rest >= bottom);
        rest -= bottom * bit;
        quotient << 1 | bit
    })
}

/// Returns `floor(q * 2^64 / (2^128 + q))`: the probability q/(1+q) in units of 2^-64.
fn threshold(q: u128) -> u64 {
    // The remainder is below 2^128 + q, which has 129 bits: a flag and a word.
    let (mut carry, mut rest) = (false, q);
    (0..64).fold(0, |quotient, _| {
        // Twice the remainder may have 130 bits, but then it surely exceeds the divisor.
        let overflow = carry;
        carry = rest >> 127 == 1;
        rest <<= 1;
        let exceeds = overflow || (carry && rest >= q);
        if exceeds {
            let (less, borrow) = rest.overflowing_sub(q);
            rest = less;
            // 2^129 * overflow + 2^128 * carry - 2^128 - borrow
            carry = (u8::from(overflow) * 2 + u8::from(carry)) - 1 - u8::from(borrow) == 1;
        }
        quotient << 1 | u64::from(exceeds)
    })
}

/// Returns the high half of a 256-bit product.
fn high_product(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let other = a0 * b1 + (middle & LOW);
    a1 * b1 + (middle >> 64) + (other >> 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::CountUnit;

    #[test]
    fn a_certain_condition_skips_no_deal() {
        assert!(
            Skips::new(&Count::new(7, 7, CountUnit::Deals))
                .thresholds
                .is_empty()
        );
    }

    #[test]
    fn an_even_chance_makes_fair_digits_first() {
        let skips = Skips::new(&Count::new(1, 2, CountUnit::Deals));
        // Q = 1/2, 1/4, 1/16 ...: digit probabilities 1/3, 1/5, 1/17.
        let expected = [3.0, 5.0, 17.0, 257.0];
        for (threshold, expected) in skips.thresholds.iter().zip(expected) {
            let probability = *threshold as f64 / 2f64.powi(64);
            assert!((probability * expected - 1.0).abs() < 1e-12);
        }
    }

    /// Drawing many at a time gives the same numbers as drawing them singly, for any number of digits.
    #[test]
    fn a_block_of_skips_is_single_skips() {
        let key = Key::from_seed(3);
        for (hits, out_of) in [(7, 7), (1, 2), (1, 1_000_000), (1, cards::Deal::COUNT)] {
            let skips = Skips::new(&Count::new(hits, out_of, CountUnit::Deals));
            let mut words = BlockWords::new(Stream::Sampler, &key, SKIPS | 5);
            let mut block = Vec::new();
            skips.block(&key, 5, &mut block);
            assert_eq!(block.len() as u64, crate::BLOCK);
            assert!(block.iter().all(|&skip| skip == skips.draw(&mut words)));
        }
    }

    #[test]
    fn thresholds_agree_with_floating_point() {
        for (hits, out_of) in [
            (1, 3),
            (14, 1000),
            (1, 1_000_000),
            (999, 1000),
            (1, cards::Deal::COUNT),
        ] {
            let skips = Skips::new(&Count::new(hits, out_of, CountUnit::Deals));
            let p = hits as f64 / out_of as f64;
            for (digit, threshold) in skips.thresholds.iter().enumerate() {
                let q = ((-p).ln_1p() * 2f64.powi(digit as i32)).exp();
                let probability = *threshold as f64 / 2f64.powi(64);
                assert!(
                    (probability - q / (1.0 + q)).abs() < 1e-9,
                    "{hits}/{out_of} {digit}"
                );
            }
        }
    }
}
