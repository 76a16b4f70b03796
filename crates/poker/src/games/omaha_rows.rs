//! Ranks without flushes of two hole cards with three board cards: a row for every three ranks on the board, with a rank
//! for every two ranks in the hand.

use std::sync::OnceLock;

use crate::tables::SLOTS5;
use crate::tables::displace::RANK_KEYS;

/// Number of rows: three ranks of thirteen, with repetition, are 455. A power of two, so that masking an index keeps any
/// input in bounds.
const ROWS: usize = 512;
/// Ranks in one register.
const LANES: usize = 16;
/// Registers of a row: two ranks of thirteen, with repetition, are 91.
const BLOCKS: usize = 6;

/// The ranks by the two ranks in the hand. They are signed, because every processor has the minimum of narrow signed
/// numbers.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct OmahaRow([[i16; LANES]; BLOCKS]);

impl OmahaRow {
    /// Returns the rank of two ranks in the hand, by their number in [`PAIRS`].
    #[inline(always)]
    pub(super) fn rank(&self, pair: u8) -> u16 {
        self.0.as_flattened()[usize::from(pair)] as u16
    }
}

/// The rows by the numbers in [`TRIPLES`], 98 kB.
pub(super) struct OmahaRows(Box<[OmahaRow; ROWS]>);

impl OmahaRows {
    /// Returns the table, made on first use in less than a millisecond.
    #[inline]
    pub(super) fn get() -> &'static OmahaRows {
        static TABLE: OnceLock<OmahaRows> = OnceLock::new();
        TABLE.get_or_init(OmahaRows::new)
    }

    fn new() -> OmahaRows {
        let mut rows = Box::new([OmahaRow([[i16::MAX; LANES]; BLOCKS]); ROWS]);
        for a in 0..13 {
            for b in a..13 {
                for c in b..13 {
                    let row = rows[row_number(a, b, c)].0.as_flattened_mut();
                    let triple = RANK_KEYS[a] + RANK_KEYS[b] + RANK_KEYS[c];
                    for x in 0..13 {
                        for y in x..13 {
                            let mut held = [0; 13];
                            for rank in [a, b, c, x, y] {
                                held[rank] += 1;
                            }
                            if held.iter().all(|&count| count <= 4) {
                                let key = triple + RANK_KEYS[x] + RANK_KEYS[y];
                                row[entry_number(x, y)] = SLOTS5.rank(key) as i16;
                            }
                        }
                    }
                }
            }
        }
        OmahaRows(rows)
    }

    /// Returns the best ranks of several rows.
    #[inline(always)]
    pub(super) fn best_of<const COUNT: usize>(&self, numbers: [u16; COUNT]) -> OmahaRow {
        let rows = numbers.map(|number| &self.0[usize::from(number) & (ROWS - 1)].0);
        let mut best = *rows[0];
        for (block, best) in best.iter_mut().enumerate() {
            for row in &rows[1..] {
                let row = &row[block];
                *best = std::array::from_fn(|lane| best[lane].min(row[lane]));
            }
        }
        OmahaRow(best)
    }
}

/// Returns the number of three ranks in ascending order (the combinatorial number system).
const fn row_number(a: usize, b: usize, c: usize) -> usize {
    let (b, c) = (b + 1, c + 2);
    a + b * (b - 1) / 2 + c * (c - 1) * (c - 2) / 6
}

/// Returns the number of two ranks in ascending order.
const fn entry_number(x: usize, y: usize) -> usize {
    x + y * (y + 1) / 2
}

/// The row number of three ranks in any order, by their 12 bits.
pub(super) static TRIPLES: [u16; 4096] = triples();

const fn triples() -> [u16; 4096] {
    let mut numbers = [0; 4096];
    let mut c = 0;
    while c < 13 {
        let mut b = 0;
        while b <= c {
            let mut a = 0;
            while a <= b {
                let number = row_number(a, b, c) as u16;
                numbers[a << 8 | b << 4 | c] = number;
                numbers[a << 8 | c << 4 | b] = number;
                numbers[b << 8 | a << 4 | c] = number;
                numbers[b << 8 | c << 4 | a] = number;
                numbers[c << 8 | a << 4 | b] = number;
                numbers[c << 8 | b << 4 | a] = number;
                a += 1;
            }
            b += 1;
        }
        c += 1;
    }
    numbers
}

/// The entry number of two ranks in any order, by their 8 bits.
pub(super) static PAIRS: [u8; 256] = pairs();

const fn pairs() -> [u8; 256] {
    let mut numbers = [0; 256];
    let mut y = 0;
    while y < 13 {
        let mut x = 0;
        while x <= y {
            let number = entry_number(x, y) as u8;
            numbers[x << 4 | y] = number;
            numbers[y << 4 | x] = number;
            x += 1;
        }
        y += 1;
    }
    numbers
}

/// First bit of the suit counters in the sum of [`RANKS_AND_SUITS`].
const COUNTERS: u32 = 16;

/// The rank of the card with each number, and 1 in the counter of its suit (four bits for each), for any six bits.
static RANKS_AND_SUITS: [u32; 64] = ranks_and_suits();

const fn ranks_and_suits() -> [u32; 64] {
    let mut table = [0; 64];
    let mut card = 0;
    while card < 52 {
        table[card as usize] = (card % 13) | (1 << (COUNTERS + 4 * (card / 13)));
        card += 1;
    }
    table
}

/// Returns the ranks of the first `N` cards of a mask, the lowest card first; the counters of their suits, four bits for
/// each, clubs lowest; and the other cards. Ranks and counters are meaningless if there are fewer cards.
#[inline(always)]
pub(super) fn ranks_and_counts<const N: usize>(mut mask: u64) -> ([usize; N], u32, u64) {
    let mut ranks = [0; N];
    let mut sum = 0;
    for rank in &mut ranks {
        let card = RANKS_AND_SUITS[mask.trailing_zeros() as usize & 63];
        *rank = (card & 0xF) as usize;
        sum += card >> COUNTERS;
        mask &= mask.wrapping_sub(1);
    }
    (ranks, sum, mask)
}
