//! Binomial coefficients C(n, k) for n up to 52 and k up to 26.

use cards::BySeat;

const SIZE: usize = 53;

static CHOOSE: [[u64; SIZE]; SIZE] = pascal();

const fn pascal() -> [[u64; SIZE]; SIZE] {
    let mut table = [[0; SIZE]; SIZE];
    let mut n = 0;
    while n < SIZE {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// Returns the number of ways to take `k` of `n` cards (`n` at most 52); 0 if `k` is more than `n`.
///
/// ```
/// assert_eq!(croupier_sampling::choose(52, 13), 635_013_559_600);
/// assert_eq!(croupier_sampling::choose(5, 6), 0);
/// ```
#[inline]
#[must_use]
pub fn choose(n: usize, k: usize) -> u64 {
    if k > n { 0 } else { CHOOSE[n][k] }
}

/// Returns the number of ways to deal cards to hands with these numbers of free places, one place for each card.
#[must_use]
pub fn arrangements(places: BySeat<usize>) -> u128 {
    let mut left = places.total();
    let mut ways = 1;
    for &hand in places.values() {
        ways *= u128::from(choose(left, hand));
        left -= hand;
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_count_all_deals_and_the_empty_deal() {
        assert_eq!(arrangements(BySeat([13; 4])), cards::Deal::COUNT);
        assert_eq!(arrangements(BySeat([0; 4])), 1);
    }
}
