//! Fifty-one draws from sixteen words of sixteen bits.
//!
//! Dealing the cards one by one needs numbers v(n), uniform below n, for n = 52 .. 2. Each word serves a group of
//! bounds: `v = mulhi(u, n)`, then `u = mullo(u, n)` for the next bound. If the word's last remainder is below `T =
//! 65536 mod P`, where P is the product of the bounds, the lane is rejected. The chain writes floor(u*P / 65536) in
//! mixed radix. Of the words that give one of the P outcomes exactly floor(65536 / P) have a remainder of T or more. So
//! the accepted outcomes are equally likely, and the draws of a word are uniform and independent. A test counts all of
//! them.

/// Number of words of a deal.
pub(crate) const WORDS: usize = 16;

/// The bounds that each word serves: the partition of 52 .. 2 into sixteen groups with products of at most 65536 that
/// rejects the fewest lanes (2.03 %), found by annealing. The order within a row defines the stream and must not
/// change.
pub(crate) const BOUNDS: [&[u16]; WORDS] = [
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

/// For each word, the limit below which its last remainder rejects the lane: 65536 modulo the product of its bounds.
pub(crate) const REJECT_BELOW: [u16; WORDS] = {
    let mut table = [0; WORDS];
    let mut g = 0;
    while g < WORDS {
        let (mut product, mut k) = (1u32, 0);
        while k < BOUNDS[g].len() {
            product *= BOUNDS[g][k] as u32;
            k += 1;
        }
        table[g] = (65536 % product) as u16;
        g += 1;
    }
    table
};

/// Draws a number below `bound`. Returns it and the rest of the word.
#[inline(always)]
pub(crate) const fn draw(word: u16, bound: u16) -> (u16, u16) {
    let product = word as u32 * bound as u32;
    ((product >> 16) as u16, product as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_from_52_to_2_is_served_once() {
        let mut bounds: Vec<u16> = BOUNDS.concat();
        bounds.sort_unstable();
        assert_eq!(bounds, (2..=52).collect::<Vec<u16>>());
    }

    /// All 16 x 65536 words: each outcome of each word has exactly floor(65536 / P) accepted words.
    #[test]
    fn every_outcome_of_every_word_is_equally_likely() {
        let mut accepted_share = 1.0;
        for (bounds, &reject_below) in BOUNDS.iter().zip(&REJECT_BELOW) {
            let product: usize = bounds.iter().map(|&n| usize::from(n)).product();
            let mut count = vec![0u32; product];
            for word in 0..=u16::MAX {
                let (mut rest, mut outcome) = (word, 0);
                for &n in *bounds {
                    let (v, next) = draw(rest, n);
                    assert!(v < n);
                    outcome = outcome * usize::from(n) + usize::from(v);
                    rest = next;
                }
                if rest >= reject_below {
                    count[outcome] += 1;
                }
            }
            let share = (65536 / product) as u32;
            assert!(count.iter().all(|&c| c == share), "bounds {bounds:?}");
            accepted_share *= f64::from(share) * product as f64 / 65536.0;
        }
        assert!((accepted_share - 0.979732).abs() < 1e-6);
    }

    /// Returns how far the outcomes of two million words of the stream are from equal shares, in standard deviations of
    /// chi-square, for the word with bounds 45, 23, 9.
    fn deviation_of_outcomes(reject: bool) -> f64 {
        let bounds = BOUNDS[6];
        let product: usize = bounds.iter().map(|&n| usize::from(n)).product();
        let mut lanes =
            crate::lanes::Lanes::seeded(&crate::Key::from_seed(1), crate::Stream::Deals, 0);
        let mut count = vec![0u32; product];
        for word in (0..62_500)
            .flat_map(|_| lanes.step())
            .flat_map(|word| [0, 16, 32, 48].map(|k| (word >> k) as u16))
        {
            let (mut rest, mut outcome) = (word, 0);
            for &n in bounds {
                let (v, next) = draw(rest, n);
                outcome = outcome * usize::from(n) + usize::from(v);
                rest = next;
            }
            if !reject || rest >= REJECT_BELOW[6] {
                count[outcome] += 1;
            }
        }
        let expected = f64::from(count.iter().sum::<u32>()) / product as f64;
        let statistic: f64 = count
            .iter()
            .map(|&c| (f64::from(c) - expected).powi(2) / expected)
            .sum();
        let degrees = product as f64 - 1.0;
        (statistic - degrees) / (2.0 * degrees).sqrt()
    }

    /// Negative control: without the rejection test the outcomes are visibly unequal. Five standard deviations mean one
    /// false alarm in three million runs; the seed is fixed.
    #[test]
    fn a_shuffle_without_rejection_fails_the_test() {
        assert!(deviation_of_outcomes(true).abs() < 5.0);
        assert!(deviation_of_outcomes(false) > 8.0);
    }
}
