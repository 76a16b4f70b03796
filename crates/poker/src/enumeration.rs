//! Ranks all 133,784,560 seven-card hands.
//!
//! [`sum_of_ranks`] computes the sum alone, in a few hundredths of a second. Only the first five cards of each hand are
//! enumerated. A row of 91 ranks, one for each pair of ranks, covers the last two cards at once. Hands with a flush are
//! first counted as if without, and corrected afterwards. [`for_each_rank`] writes the rank of every hand.

mod every_rank;

use std::sync::OnceLock;

pub use every_rank::{for_each_rank, for_each_rank_from};

use crate::reference::for_each_multiset;
use crate::tables::displace::{RANK_KEYS, key_of};
use crate::tables::{FLUSH, FLUSH_FLAG, SLOTS5, SLOTS7, SUIT_KEYS};

/// The sum of the ranks of all seven-card hands, a checksum of tables and evaluators.
pub const SUM_OF_RANKS: u64 = 547_832_199_412;

/// Number of seven-card hands.
pub const HANDS: u64 = 133_784_560;

/// Pairs of ranks `low <= high`, padded to whole registers.
const PAIRS: usize = 96;

/// Ranks (or multiplicities) by pairs of ranks.
type PairRow = [i16; PAIRS];

/// Returns the position of a pair of ranks; pairs of higher ranks come last.
const fn pair_index(low: usize, high: usize) -> usize {
    13 * low - low * low.saturating_sub(1) / 2 + (high - low)
}

/// Returns the rows of all five-card rank multisets, in the slots of their keys.
fn rows() -> &'static [PairRow] {
    static ROWS: OnceLock<Vec<PairRow>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let mut rows = vec![[0; PAIRS]; SLOTS5.values.len()];
        for_each_multiset(5, 0, &mut |counts| {
            let key = key_of(counts);
            let row = &mut rows[SLOTS5.slot(key)];
            for low in 0..13 {
                for high in low..13 {
                    let mut longer = *counts;
                    longer[low] += 1;
                    longer[high] += 1;
                    if longer.iter().all(|&count| count <= 4) {
                        let rank = SLOTS7.rank(key + RANK_KEYS[low] + RANK_KEYS[high]);
                        row[pair_index(low, high)] = rank as i16;
                    }
                }
            }
        });
        rows
    })
}

/// Returns the number of ways to draw two cards of each pair of ranks.
fn multiplicities(available: &[i16; 13]) -> PairRow {
    let mut row = [0; PAIRS];
    for low in 0..13 {
        row[pair_index(low, low)] = available[low] * (available[low] - 1) / 2;
        for high in low + 1..13 {
            row[pair_index(low, high)] = available[low] * available[high];
        }
    }
    row
}

/// Computes the sum of the ranks of all seven-card hands by enumeration.
///
/// ```
/// use croupier_poker::enumeration::{SUM_OF_RANKS, sum_of_ranks};
/// assert_eq!(sum_of_ranks(), SUM_OF_RANKS);
/// ```
#[must_use]
pub fn sum_of_ranks() -> u64 {
    let rows = rows();
    #[cfg(target_arch = "x86_64")]
    if cpu::CpuPath::best() >= cpu::CpuPath::Avx2 {
        // SAFETY: the processor has AVX2, as checked above.
        let without_flushes = unsafe { sum_without_flushes_avx2(rows) };
        return without_flushes.wrapping_add_signed(flush_correction(rows));
    }
    sum_without_flushes(rows).wrapping_add_signed(flush_correction(rows))
}

/// Computes [`sum_without_flushes`], compiled for wider registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sum_without_flushes_avx2(rows: &[PairRow]) -> u64 {
    sum_without_flushes(rows)
}

/// Enumerates the first five cards in order of rank, and adds up the rows of the two cards above the fifth.
#[inline(always)]
fn sum_without_flushes(rows: &[PairRow]) -> u64 {
    let following: [PairRow; 52] = std::array::from_fn(|fifth| {
        multiplicities(&std::array::from_fn(|rank| {
            (4 * rank + 3).saturating_sub(fifth).min(4) as i16
        }))
    });
    let key = |card: usize| RANK_KEYS[card / 4];
    let mut sum = 0;
    for a in 0..46 {
        for b in a + 1..47 {
            for c in b + 1..48 {
                for d in c + 1..49 {
                    let four = key(a) + key(b) + key(c) + key(d);
                    for e in d + 1..50 {
                        let row = &rows[SLOTS5.slot(four + key(e))];
                        // Skip pairs with ranks below the fifth card's.
                        let first = pair_index(e / 4, e / 4) / 16;
                        sum += dot(row, &following[e], first);
                    }
                }
            }
        }
    }
    sum
}

/// Returns the sum of products of two rows, from the `first` group of 16 on.
#[inline(always)]
fn dot(ranks: &PairRow, ways: &PairRow, first: usize) -> u64 {
    let (ranks, _) = ranks.as_chunks::<16>();
    let (ways, _) = ways.as_chunks::<16>();
    let mut sum = 0i32;
    for (ranks, ways) in ranks[first..].iter().zip(&ways[first..]) {
        for lane in 0..16 {
            sum += i32::from(ranks[lane]) * i32::from(ways[lane]);
        }
    }
    sum as u64
}

/// Returns the sum over hands with a flush, in all four suits, of rank with the flush minus rank without.
fn flush_correction(rows: &[PairRow]) -> i64 {
    let off_suit = multiplicities(&[3; 13]);
    let mut sum = 0i64;
    for (suited, &rank) in FLUSH
        .iter()
        .enumerate()
        .filter(|(_, rank)| **rank != u16::MAX)
    {
        let key = SUIT_KEYS[suited] & !FLUSH_FLAG;
        let (ways, plain) = match suited.count_ones() {
            5 => (39 * 38 / 2, dot(&rows[SLOTS5.slot(key)], &off_suit, 0)),
            6 => (
                39,
                RANK_KEYS
                    .iter()
                    .map(|r| 3 * u64::from(SLOTS7.rank(key + r)))
                    .sum(),
            ),
            _ => (1, u64::from(SLOTS7.rank(key))),
        };
        sum += ways * i64::from(rank) - plain as i64;
    }
    4 * sum
}
