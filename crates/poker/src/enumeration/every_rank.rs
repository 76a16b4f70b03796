//! The rank of every seven-card hand.
//!
//! The five lowest cards of the hands are enumerated, by number. For each sixth card the ranks of all seventh cards are
//! copied, suit by suit, from a row with the ranks of the six cards and one of each rank. With four cards of a suit, the
//! row of that suit is replaced by its flushes.

use std::sync::OnceLock;

use cards::{Card, CardSet};

use crate::hand::CARD_KEYS;
use crate::rows::Rows;
use crate::tables::FLUSH;
use crate::tables::displace::RANK_KEYS;
use crate::{HandRank, Rules};

/// Ranks that are copied at once: a whole row, of which thirteen are used.
const LANES: usize = 16;
/// Length of the output for the lowest five cards: 47 * 46 / 2 pairs, and what the last row writes after them.
const OUTPUT: usize = 47 * 46 / 2 + LANES;

/// Calls `visit` with the ranks of all seven-card hands, grouped by the five cards with the lowest numbers.
///
/// `visit` gets these five cards, and the ranks of the hands with every two higher cards: first with the lowest sixth
/// card and every seventh in ascending order, then with the next sixth card. This is several times as fast as
/// evaluating hand by hand.
///
/// ```
/// use croupier_poker::{HandRank, enumeration::{HANDS, for_each_rank}};
/// let (mut hands, mut royal) = (0, 0);
/// # if cfg!(not(debug_assertions)) {
/// for_each_rank(|_five, ranks| {
///     hands += ranks.len() as u64;
///     royal += ranks.iter().filter(|&&rank| rank == HandRank::ROYAL_FLUSH).count();
/// });
/// assert_eq!(hands, HANDS);
/// assert_eq!(royal, 4324);
/// # }
/// ```
pub fn for_each_rank(mut visit: impl FnMut(CardSet, &[HandRank])) {
    for lowest in (0..Card::COUNT).filter_map(Card::from_index) {
        for_each_rank_from(lowest, &mut visit);
    }
}

/// Calls `visit` like [`for_each_rank`], for the hands whose card with the lowest number is `lowest`.
///
/// Threads can share the work by this card. There are no hands if fewer than six cards are higher.
///
/// ```
/// use croupier_poker::{Card, CardSet, HandRank, enumeration::for_each_rank_from};
/// // The lowest card is the eight of spades: all hands consist of the seven highest spades.
/// let lowest = Card::from_index(45).unwrap();
/// for_each_rank_from(lowest, |five, ranks| {
///     assert_eq!(five, CardSet(0b11111 << 45));
///     assert_eq!(ranks, [HandRank::ROYAL_FLUSH]);
/// });
/// ```
pub fn for_each_rank_from(lowest: Card, mut visit: impl FnMut(CardSet, &[HandRank])) {
    let tables = RowTables::get();
    let mut output = [HandRank::default(); OUTPUT];
    let key = |card: usize| CARD_KEYS[card];
    let bit = |card: usize| 1u64 << card;
    let a = lowest.index();
    for b in a + 1..47 {
        for c in b + 1..48 {
            for d in c + 1..49 {
                let four = key(a) + key(b) + key(c) + key(d);
                let mask = bit(a) | bit(b) | bit(c) | bit(d);
                for e in d + 1..50 {
                    let five = Five {
                        key: four + key(e),
                        mask: mask | bit(e),
                        last: e,
                    };
                    let count = five.rank_pairs(tables, &mut output);
                    visit(CardSet(five.mask), &output[..count]);
                }
            }
        }
    }
}

/// The rows of six cards without flushes, and the flushes of a suit with one more card of each rank.
struct RowTables {
    plain: &'static Rows,
    flushes: Vec<[i16; LANES]>,
}

impl RowTables {
    /// Returns the tables, made on first use.
    fn get() -> &'static RowTables {
        static TABLES: OnceLock<RowTables> = OnceLock::new();
        TABLES.get_or_init(|| RowTables {
            plain: Rows::of(Rules::Standard),
            flushes: (0..8192usize).map(flushes_with_one_more).collect(),
        })
    }
}

/// Returns the ranks of a suit with one more card of each rank.
fn flushes_with_one_more(suited: usize) -> [i16; LANES] {
    std::array::from_fn(|rank| match rank {
        0..13 => FLUSH[suited | 1 << rank] as i16,
        _ => i16::MAX,
    })
}

/// The five lowest cards of hands.
struct Five {
    /// The sum of the keys of its cards, as in [`CARD_KEYS`].
    key: u64,
    mask: u64,
    /// Number of the highest of the five cards.
    last: usize,
}

impl Five {
    /// Writes the ranks of the five cards with every two higher ones, and returns their number.
    #[inline(always)]
    fn rank_pairs(&self, tables: &RowTables, output: &mut [HandRank; OUTPUT]) -> usize {
        // A counter that starts at 5 has its highest bit set by the third card of the suit.
        let three = ((self.key >> 48) + 0x5555) & 0x8888;
        if three == 0 {
            self.rank_pairs_plain(tables, output)
        } else {
            self.rank_pairs_with_flushes(tables, output, three.trailing_zeros() as usize / 4)
        }
    }

    /// Writes the ranks where no two more cards make a flush.
    #[inline(always)]
    fn rank_pairs_plain(&self, tables: &RowTables, output: &mut [HandRank; OUTPUT]) -> usize {
        let rows = tables.plain.flat();
        let mut at = 0;
        let mut first = self.last % 13 + 1;
        for suit in self.last / 13..4 {
            for (rank, key) in RANK_KEYS.iter().enumerate().skip(first) {
                let start = tables.plain.row_start(self.key as u32 + key);
                copy(output, at, rows, start + rank + 1);
                at += 12 - rank;
                for _ in suit + 1..4 {
                    copy(output, at, rows, start);
                    at += 13;
                }
            }
            first = 0;
        }
        at
    }

    /// Writes the ranks where the five cards have at least three of `flush_suit`.
    fn rank_pairs_with_flushes(
        &self,
        tables: &RowTables,
        output: &mut [HandRank; OUTPUT],
        flush_suit: usize,
    ) -> usize {
        let plain = tables.plain.flat();
        let flushes = tables.flushes.as_flattened();
        let held = (self.mask >> (13 * flush_suit) & 0x1FFF) as usize;
        let mut at = 0;
        let mut first = self.last % 13 + 1;
        for suit in self.last / 13..4 {
            for (rank, key) in RANK_KEYS.iter().enumerate().skip(first) {
                let held = held | usize::from(suit == flush_suit) << rank;
                let cards = held.count_ones();
                let row = tables.plain.row_start(self.key as u32 + key);
                let flush_row = LANES * held;
                let made = HandRank(FLUSH[held]);
                let mut from = rank + 1;
                for seventh in suit..4 {
                    if seventh == flush_suit && cards >= 4 {
                        copy(output, at, flushes, flush_row + from);
                    } else if cards >= 5 {
                        output[at..at + LANES].fill(made);
                    } else {
                        copy(output, at, plain, row + from);
                    }
                    at += 13 - from;
                    from = 0;
                }
            }
            first = 0;
        }
        at
    }
}

/// Copies as many ranks as a row has, whatever their number; those that are not needed are overwritten later.
#[inline(always)]
fn copy(output: &mut [HandRank; OUTPUT], at: usize, rows: &[i16], start: usize) {
    let row: &[i16] = &rows[start..start + LANES];
    // The whole row is read before any of it is written, so that it fits into registers.
    let row: [HandRank; LANES] = std::array::from_fn(|lane| HandRank(row[lane] as u16));
    output[at..at + LANES].copy_from_slice(&row);
}
