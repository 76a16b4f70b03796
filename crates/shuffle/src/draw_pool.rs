//! Draws without replacement from a set of up to 64 places.
//!
//! The set is a bit mask. A draw takes a random number below the count of the places left and removes the place with
//! that index. Finding the k-th set bit is one PDEP instruction where that is fast, and a binary search over counts
//! elsewhere; the result is the same. Use it to draw a few cards from those that are left: a poker board, an ending,
//! the rest of a hand. For whole bridge deals [`FastDealer`](crate::FastDealer) is an order of magnitude faster.
//!
//! ```
//! use croupier_shuffle::draw_pool::DrawPool;
//! use croupier_shuffle::{DealRandom, Key};
//!
//! let mut random = DealRandom::new(&Key::from_seed(1), 0);
//! let mut pool = DrawPool::new((1 << 52) - 1);
//! let board = pool.draw_set(5, &mut random);
//! assert_eq!(board.count_ones(), 5);
//! assert_eq!(pool.left(), (1 << 52) - 1 - board);
//! ```

use crate::RandomWords;

/// The method that finds the k-th set bit. The results are the same; only the time differs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BitSelection {
    /// The PDEP instruction of x86-64 processors with BMI2.
    Pdep,
    /// A binary search over bit counts, on any machine.
    Portable,
}

impl BitSelection {
    /// Both methods, the faster first.
    pub const ALL: [BitSelection; 2] = [BitSelection::Pdep, BitSelection::Portable];

    /// Returns whether the processor has the instructions, fast or not.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            BitSelection::Pdep => cpu::has_pdep(),
            BitSelection::Portable => true,
        }
    }

    /// Returns the faster method: PDEP, unless it is missing, slow or disabled.
    #[must_use]
    pub fn fastest() -> BitSelection {
        if cpu::pdep_is_fast() {
            BitSelection::Pdep
        } else {
            BitSelection::Portable
        }
    }

    /// Returns the name for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            BitSelection::Pdep => "pdep",
            BitSelection::Portable => "portable",
        }
    }
}

/// Moves the lowest bits of `bits` to the set places of `mask`, as the PDEP instruction does.
#[must_use]
pub fn deposit(bits: u64, mask: u64) -> u64 {
    match BitSelection::fastest() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `fastest` gives Pdep only if the processor has BMI2.
        BitSelection::Pdep => unsafe { deposit_bmi2(bits, mask) },
        _ => deposit_portable(bits, mask),
    }
}

/// Collects the bits of `bits` at the set places of `mask`: the inverse of [`deposit`].
#[must_use]
pub fn extract(bits: u64, mask: u64) -> u64 {
    let (mut left, mut result, mut place) = (mask, 0, 0);
    while left != 0 {
        result |= (bits >> left.trailing_zeros() & 1) << place;
        left &= left - 1;
        place += 1;
    }
    result
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn deposit_bmi2(bits: u64, mask: u64) -> u64 {
    std::arch::x86_64::_pdep_u64(bits, mask)
}

fn deposit_portable(bits: u64, mask: u64) -> u64 {
    let (mut left, mut bits, mut result) = (mask, bits, 0);
    while left != 0 && bits != 0 {
        result |= (left & left.wrapping_neg()) * (bits & 1);
        left &= left - 1;
        bits >>= 1;
    }
    result
}

/// Returns the k-th set bit of `bits` (from 0, lowest first) as a one-bit mask; 0 if fewer bits are set.
#[must_use]
#[inline]
pub fn nth(bits: u64, k: u32, method: BitSelection) -> u64 {
    match method {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the guard has checked that the processor has BMI2.
        BitSelection::Pdep if cpu::has_pdep() => unsafe { nth_bmi2(bits, k) },
        _ => nth_portable(bits, k),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn nth_bmi2(bits: u64, k: u32) -> u64 {
    if k < 64 {
        std::arch::x86_64::_pdep_u64(1 << k, bits)
    } else {
        0
    }
}

/// `PLACE_IN_BYTE[k][byte]`: the position of the k-th set bit of a byte.
const PLACE_IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut k, mut place) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                table[k][byte] = place as u8;
                k += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    table
};

/// Finds the byte of the k-th set bit from running counts, and the position in the byte from a table.
#[inline]
fn nth_portable(bits: u64, k: u32) -> u64 {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    const HIGHEST: u64 = LOWEST << 7;
    let twos = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    let fours = (twos & 0x3333_3333_3333_3333) + (twos >> 2 & 0x3333_3333_3333_3333);
    let eights = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // Byte i holds the number of bits set in bytes 0 ..= i.
    let running = eights.wrapping_mul(LOWEST);
    let k = u64::from(k);
    if k >= running >> 56 {
        return 0;
    }
    // The highest bit of a byte remains set if its running count is at most k: these bytes are skipped.
    let skipped = (((k * LOWEST) | HIGHEST) - running) & HIGHEST;
    let place = 8 * skipped.count_ones();
    let before = (running << 8) >> place & 0xff;
    let byte = bits >> place & 0xff;
    1 << (place + u32::from(PLACE_IN_BYTE[(k - before) as usize][byte as usize]))
}

/// A set of places from which places are drawn and removed.
#[derive(Clone, Copy, Debug)]
pub struct DrawPool {
    left: u64,
    method: BitSelection,
}

impl DrawPool {
    /// Creates the set of all set bits of `places`.
    #[must_use]
    pub fn new(places: u64) -> Self {
        DrawPool {
            left: places,
            method: BitSelection::fastest(),
        }
    }

    /// Creates the set with a given method; [`BitSelection::Pdep`] falls back if the instruction is missing.
    #[must_use]
    pub fn with_method(places: u64, method: BitSelection) -> Self {
        DrawPool {
            left: places,
            method: if method.is_available() {
                method
            } else {
                BitSelection::Portable
            },
        }
    }

    /// Returns the places that are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Returns the number of places left.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.left.count_ones()
    }

    /// Returns whether no place is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// Removes and returns the k-th place that is left (from 0, lowest first).
    #[inline]
    pub fn remove_nth(&mut self, k: u32) -> Option<u32> {
        let removed = nth(self.left, k, self.method);
        self.left ^= removed;
        (removed != 0).then(|| removed.trailing_zeros())
    }

    /// Draws one of the places that are left, each equally likely.
    #[inline]
    pub fn draw(&mut self, random: &mut impl RandomWords) -> Option<u32> {
        if self.is_empty() {
            return None;
        }
        let k = random.below(u64::from(self.len()));
        self.remove_nth(k as u32)
    }

    /// Draws `count` places (or all, if there are fewer) as a set. One random word serves up to ten draws.
    pub fn draw_set(&mut self, count: u32, random: &mut impl RandomWords) -> u64 {
        let before = self.left;
        self.draw_many(count, random, |_, _| ());
        before ^ self.left
    }

    /// Draws places into `order` until it is full or no place is left. Returns how many. With room for all of them the
    /// result is a random permutation.
    ///
    /// ```
    /// use croupier_shuffle::draw_pool::DrawPool;
    /// use croupier_shuffle::{DealRandom, Key};
    ///
    /// let mut order = [0; 52];
    /// let mut pool = DrawPool::new((1 << 52) - 1);
    /// assert_eq!(pool.draw_into(&mut order, &mut DealRandom::new(&Key::from_seed(1), 0)), 52);
    /// order.sort_unstable();
    /// assert!(order.into_iter().eq(0..52));
    /// ```
    pub fn draw_into(&mut self, order: &mut [u8], random: &mut impl RandomWords) -> usize {
        let count = order.len().min(self.len() as usize);
        self.draw_many(count as u32, random, |i, removed| {
            order[i] = removed.trailing_zeros() as u8
        });
        count
    }

    /// Draws up to `count` places, and calls `each` with the index and the one-bit mask of each.
    #[inline]
    fn draw_many(
        &mut self,
        count: u32,
        random: &mut impl RandomWords,
        each: impl FnMut(usize, u64),
    ) {
        let count = count.min(self.len());
        match self.method {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a pool has this method only if the processor has the instructions.
            BitSelection::Pdep => unsafe { draw_many_bmi2(&mut self.left, count, random, each) },
            _ => draw_many(&mut self.left, count, random, nth_portable, each),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt")]
fn draw_many_bmi2(
    left: &mut u64,
    count: u32,
    random: &mut impl RandomWords,
    each: impl FnMut(usize, u64),
) {
    let nth = |bits, k: u32| std::arch::x86_64::_pdep_u64(1 << (k & 63), bits);
    draw_many(left, count, random, nth, each);
}

/// Largest product of the bounds that one word serves. With this limit a rejection, and even the division that decides
/// on it, is rare.
const PRODUCT_LIMIT: u64 = 1 << 56;

/// Number of draws, below n, n - 1, ..., that one word serves.
const DRAWS_OF_WORD: [u8; 65] = {
    let mut table = [1; 65];
    let mut n = 2;
    while n <= 64 {
        let (mut product, mut draws) = (n as u64, 1);
        while draws < n && product * (n - draws) as u64 <= PRODUCT_LIMIT {
            product *= (n - draws) as u64;
            draws += 1;
        }
        table[n] = draws as u8;
        n += 1;
    }
    table
};

/// Removes `count` random places from `left`.
#[inline(always)]
fn draw_many(
    left: &mut u64,
    count: u32,
    random: &mut impl RandomWords,
    nth: impl Fn(u64, u32) -> u64,
    mut each: impl FnMut(usize, u64),
) {
    let mut size = left.count_ones();
    let (mut drawn, count) = (0, count as usize);
    while drawn < count {
        let mut numbers = [0; 64];
        let batch = usize::from(DRAWS_OF_WORD[size as usize]).min(count - drawn);
        draw_numbers(size, &mut numbers[..batch], random);
        for &k in &numbers[..batch] {
            let removed = nth(*left, k);
            *left ^= removed;
            each(drawn, removed);
            drawn += 1;
        }
        size -= batch as u32;
    }
}

/// Draws numbers below `size`, `size - 1`, ..., uniform and independent, all from one word: the digits of floor(word *
/// P / 2^64) in mixed radix, where P is the product of the bounds. Words whose remainder is below 2^64 mod P would make
/// some outcomes more likely and are rejected.
#[inline(always)]
fn draw_numbers(size: u32, numbers: &mut [u32], random: &mut impl RandomWords) {
    loop {
        let (mut rest, mut product) = (random.word(), 1);
        for (bound, number) in (1..=u64::from(size)).rev().zip(numbers.iter_mut()) {
            let wide = u128::from(rest) * u128::from(bound);
            *number = (wide >> 64) as u32;
            rest = wide as u64;
            product *= bound;
        }
        if rest >= product || rest >= product.wrapping_neg() % product {
            return;
        }
    }
}

/// Shuffles a byte array by the usual Fisher-Yates method, as a reference for benchmarks. The order of the places
/// differs from that of a pool but is as uniform.
pub fn fisher_yates(pack: &mut [u8], random: &mut impl RandomWords) {
    for i in (1..pack.len()).rev() {
        pack.swap(i, random.below(i as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockWords, Key, Stream};
    use proptest::prelude::*;
    use statistics::chi_square;

    #[test]
    fn set_bits_are_found_in_full_words_and_in_words_with_one_bit() {
        for method in BitSelection::ALL {
            for k in 0..64 {
                assert_eq!(nth(u64::MAX, k, method), 1 << k);
                assert_eq!(nth(1 << k, 0, method), 1 << k);
                assert_eq!(nth(1 << k, 1, method), 0);
            }
            assert_eq!(nth(u64::MAX, 64, method), 0);
        }
    }

    #[test]
    fn an_empty_pool_yields_nothing() {
        let mut random = BlockWords::new(Stream::Choices, &Key::from_seed(1), 0);
        let mut pool = DrawPool::new(0);
        assert_eq!(pool.draw(&mut random), None);
        assert_eq!(pool.remove_nth(0), None);
        assert_eq!(pool.draw_set(3, &mut random), 0);
        let mut pool = DrawPool::new(0b101);
        assert_eq!(pool.remove_nth(2), None);
        assert_eq!(pool.draw_into(&mut [0; 4], &mut random), 2);
    }

    /// All 3-subsets of 6 places and all orders of 4 have equal shares within chance. Chi-square limits for one false
    /// alarm in a million; the seed is fixed.
    #[test]
    fn subsets_and_orders_are_equally_likely() {
        let mut random = BlockWords::new(Stream::Choices, &Key::from_seed(5), 0);
        let places = 0x8000_0100_0040_1021;
        let mut subsets = std::collections::BTreeMap::new();
        let mut orders = std::collections::BTreeMap::new();
        for _ in 0..60_000 {
            *subsets
                .entry(DrawPool::new(places).draw_set(3, &mut random))
                .or_insert(0u64) += 1;
            let mut order = [0; 4];
            DrawPool::new(0b1111).draw_into(&mut order, &mut random);
            *orders.entry(order).or_insert(0u64) += 1;
        }
        assert_eq!((subsets.len(), orders.len()), (20, 24));
        let surprise = |counts: Vec<u64>| {
            let degrees = counts.len() as f64 - 1.0;
            chi_square::upper_tail(chi_square::of_equal(&counts), degrees)
        };
        assert!(surprise(subsets.into_values().collect()) > 1e-6);
        assert!(surprise(orders.into_values().collect()) > 1e-6);
    }

    /// Predetermined words.
    struct FixedWords(Vec<u64>);

    impl RandomWords for FixedWords {
        fn word(&mut self) -> u64 {
            self.0.remove(0)
        }
    }

    #[test]
    fn one_word_serves_several_draws_and_its_surplus_is_drawn_again() {
        // 5 * 4 * 3 = 60 and 2^64 mod 60 = 16: words with a remainder below 16 are rejected.
        let surplus = (0..200u64).find(|word| word.wrapping_mul(60) < 16).unwrap();
        let mut numbers = [0; 3];
        draw_numbers(5, &mut numbers, &mut FixedWords(vec![surplus, u64::MAX]));
        assert_eq!(numbers, [4, 3, 2]);
        let fair = u64::MAX / 60 * 7 + 5;
        draw_numbers(5, &mut numbers, &mut FixedWords(vec![fair]));
        assert_eq!(numbers, [0, 2, 1], "7 = (0 * 4 + 2) * 3 + 1");
        assert_eq!(DRAWS_OF_WORD[52], 10);
        assert_eq!(DRAWS_OF_WORD[1], 1);
        assert_eq!(DRAWS_OF_WORD[16], 16, "16! is below 2^56");
    }

    proptest! {
        #[test]
        fn every_method_finds_the_same_place(bits: u64, k in 0u32..70) {
            let slow = (0..64).filter(|place| bits >> place & 1 == 1).nth(k as usize);
            let expected = slow.map_or(0, |place| 1u64 << place);
            for method in BitSelection::ALL {
                prop_assert_eq!(nth(bits, k, method), expected);
            }
        }

        #[test]
        fn methods_draw_the_same_cards(bits: u64, seed: u64) {
            let drawn = BitSelection::ALL.map(|method| {
                let mut random = BlockWords::new(Stream::Choices, &Key::from_seed(seed), 0);
                let mut order = [0; 64];
                let count = DrawPool::with_method(bits, method).draw_into(&mut order, &mut random);
                (order, count)
            });
            prop_assert_eq!(drawn[0], drawn[1]);
            prop_assert_eq!(drawn[0].1 as u32, bits.count_ones());
        }

        #[test]
        fn deposit_and_extract_are_inverse(bits: u64, mask: u64) {
            prop_assert_eq!(deposit(bits, mask), deposit_portable(bits, mask));
            prop_assert_eq!(deposit(extract(bits, mask), mask), bits & mask);
        }
    }
}
