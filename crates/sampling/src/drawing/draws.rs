//! Several exact draws from one random word.

use shuffle::RandomWords;

/// Draws a word for [`split`] with bounds of this product, which must be below 2^64 and not 0. Words that would make
/// some results more likely than others are rejected.
#[inline]
pub(crate) fn word_for(words: &mut impl RandomWords, product: u64) -> u64 {
    loop {
        let word = words.word();
        // The calls of `split` together are one multiplication by the product of their bounds. So their last remainder
        // decides on the rejection exactly as in a single draw below the product.
        let rest = word.wrapping_mul(product);
        if rest >= product || rest >= product.wrapping_neg() % product {
            return word;
        }
    }
}

/// Returns three independent numbers below the three bounds, each triple exactly equally likely.
///
/// The bounds must be known before the word is drawn. A bound that depends on an earlier number of the same word would
/// bias the result.
#[inline]
pub(crate) fn split(mut word: u64, bounds: [u64; 3]) -> [u64; 3] {
    bounds.map(|bound| {
        let wide = u128::from(word) * u128::from(bound);
        word = wide as u64;
        (wide >> 64) as u64
    })
}

/// Draws a number below `n`. One word is enough if `n` fits in 64 bits.
#[inline]
pub(crate) fn below_wide(words: &mut impl RandomWords, n: u128) -> u128 {
    match u64::try_from(n) {
        Ok(small) => u128::from(words.below(small)),
        Err(_) => words.below128(n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct FixedWords(Vec<u64>);

    impl RandomWords for FixedWords {
        fn word(&mut self) -> u64 {
            self.0.remove(0)
        }
    }

    /// The product of the bounds is 3/4 of 2^64, so a quarter of the words must be rejected: where two consecutive
    /// words give the same outcome, the first of them.
    #[test]
    fn words_of_the_surplus_are_drawn_again() {
        let bounds = [3, 1 << 31, 1 << 31];
        let surplus = 1u64 << 62;
        let mut again = 0;
        for i in 0..64u64 {
            let word = i << 58 | i;
            let rest = word.wrapping_mul(3 << 62);
            let mut words = FixedWords(vec![word, u64::MAX]);
            word_for(&mut words, bounds.iter().product());
            assert_eq!(words.0.is_empty(), rest < surplus, "word {word:x}");
            again += u32::from(words.0.is_empty());
        }
        assert_eq!(again, 16);
    }

    #[test]
    fn numbers_stay_below_their_bounds() {
        for word in [0, 1, u64::MAX / 3, u64::MAX] {
            let numbers = split(word, [7, 1, 1000]);
            assert!(numbers[0] < 7 && numbers[1] == 0 && numbers[2] < 1000);
        }
    }
}
