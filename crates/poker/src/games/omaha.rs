//! Omaha with four, five or six hole cards: exactly two of them with exactly three of the board.

use cards::CardSet;
use cpu::CpuPath;

use super::Worth;
use super::omaha_rows::{OmahaRow, OmahaRows, PAIRS, TRIPLES, ranks_and_counts};
use crate::HandRank;
use crate::reference::SUIT_MASK;
use crate::rows::rank_key;
use crate::tables::FLUSH;

/// Returns the rank of an Omaha hand; `None` unless there are four to six hole cards and five other cards on the board.
///
/// ```
/// let hole = croupier_poker::parse_cards("AsKsQd2c").unwrap();
/// let board = croupier_poker::parse_cards("QsJsTs9h2d").unwrap();
/// assert_eq!(croupier_poker::evaluate_omaha(hole, board), Some(croupier_poker::HandRank::ROYAL_FLUSH));
/// ```
#[must_use]
pub fn evaluate_omaha(hole: CardSet, board: CardSet) -> Option<HandRank> {
    let fits = (4..=6).contains(&hole.len()) && board.len() == 5 && hole.is_disjoint(board);
    fits.then(|| HandRank(HoleCards::new(hole).rank(&BoardCards::new(board))))
}

/// Computes the ranks of Omaha hands: `ranks[i]` becomes the rank of the hole cards `holes[i]` on the board `boards[i]`.
///
/// The ranks of hands with another number of cards than [`evaluate_omaha`] takes are meaningless, but no memory is
/// accessed out of bounds.
///
/// ```
/// use croupier_poker::{HandRank, evaluate_omaha_batch, parse_cards};
/// let holes = [parse_cards("AsKsQd2c")?, parse_cards("QhQc9d9c")?];
/// let boards = [parse_cards("QsJsTs9h2d")?; 2];
/// let mut ranks = [HandRank::default(); 2];
/// evaluate_omaha_batch(&holes, &boards, &mut ranks);
/// assert_eq!(ranks[0], HandRank::ROYAL_FLUSH);
/// assert_eq!(ranks[1].describe(), "three of a kind, queens with jack, ten");
/// # Ok::<(), croupier_poker::CardsError>(())
/// ```
///
/// # Panics
/// If the slices differ in length.
pub fn evaluate_omaha_batch(holes: &[CardSet], boards: &[CardSet], ranks: &mut [HandRank]) {
    evaluate_omaha_batch_with(CpuPath::best(), holes, boards, ranks);
}

/// Evaluates like [`evaluate_omaha_batch`] on a chosen processor path (on the portable one if the processor lacks it).
///
/// # Panics
/// If the slices differ in length.
pub fn evaluate_omaha_batch_with(
    path: CpuPath,
    holes: &[CardSet],
    boards: &[CardSet],
    ranks: &mut [HandRank],
) {
    assert_eq!(holes.len(), boards.len(), "as many boards as hands");
    assert_eq!(holes.len(), ranks.len(), "as many ranks as hands");
    #[cfg(target_arch = "x86_64")]
    if path >= CpuPath::Avx2 && path.is_available() && cpu::has_pdep() {
        // SAFETY: the processor has AVX2, BMI1, BMI2 and POPCNT, as checked above.
        return unsafe { rank_all_avx2(holes, boards, ranks) };
    }
    let _ = path;
    rank_all(holes, boards, ranks);
}

/// Computes [`rank_all`], compiled for wider registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn rank_all_avx2(holes: &[CardSet], boards: &[CardSet], ranks: &mut [HandRank]) {
    rank_all(holes, boards, ranks);
}

/// Computes the ranks of hands on boards.
#[inline(always)]
fn rank_all(holes: &[CardSet], boards: &[CardSet], ranks: &mut [HandRank]) {
    let rows = OmahaRows::get();
    for ((rank, &hole), &board) in ranks.iter_mut().zip(holes).zip(boards) {
        *rank = HandRank(HoleCards::new(hole).rank(&BoardCards::with_rows(rows, board)));
    }
}

/// Maximum number of hole cards.
const MAX_HOLE_CARDS: usize = 6;
/// Maximum number of pairs of hole cards.
pub(super) const MAX_PAIRS: usize = MAX_HOLE_CARDS * (MAX_HOLE_CARDS - 1) / 2;

/// The pairs of hole cards, prepared for many boards.
#[derive(Clone, Copy)]
pub(crate) struct HoleCards {
    /// Numbers of pairs of ranks, as in [`PAIRS`].
    pairs: [u8; MAX_PAIRS],
    count: usize,
    mask: u64,
}

impl HoleCards {
    #[inline(always)]
    pub(crate) fn new(hole: CardSet) -> HoleCards {
        let mut pairs = [0; MAX_PAIRS];
        let (four, _, others) = ranks_and_counts::<4>(hole.0);
        let count = if others == 0 {
            add_pairs(&four, &mut pairs)
        } else {
            let (others, _, none) = ranks_and_counts::<2>(others);
            let six = [four[0], four[1], four[2], four[3], others[0], others[1]];
            let is_six = none == 0 && hole.len() == MAX_HOLE_CARDS;
            add_pairs(if is_six { &six } else { &six[..5] }, &mut pairs)
        };
        HoleCards {
            pairs,
            count,
            mask: hole.0,
        }
    }

    /// Returns the best rank of two hole cards with three of the board.
    #[inline(always)]
    pub(crate) fn rank(&self, board: &BoardCards) -> u16 {
        let pairs = &self.pairs[..self.count];
        let ranks = pairs.iter().map(|&pair| board.plain.rank(pair));
        let best = ranks.fold(u16::MAX, u16::min);
        if let Some((suit, on_board)) = board.flush {
            let in_hand = (self.mask >> (13 * suit) & SUIT_MASK) as u16;
            // At least two cards.
            if in_hand & in_hand.wrapping_sub(1) != 0 {
                return best.min(best_flush(in_hand, on_board));
            }
        }
        best
    }
}

/// Writes the numbers of all pairs of these ranks, and returns how many there are.
#[inline(always)]
fn add_pairs(ranks: &[usize], pairs: &mut [u8; MAX_PAIRS]) -> usize {
    let mut count = 0;
    for (place, first) in ranks.iter().enumerate() {
        for second in &ranks[place + 1..] {
            pairs[count] = PAIRS[(first << 4 | second) & 0xFF];
            count += 1;
        }
    }
    count
}

/// Writes the distinct keys of the pairs of hole cards and returns their number.
pub(super) fn different_pairs(hole: CardSet, pairs: &mut [u32; MAX_PAIRS]) -> usize {
    let keys = card_keys::<MAX_HOLE_CARDS>(hole);
    let keys = &keys[..hole.len().min(MAX_HOLE_CARDS)];
    let mut count = 0;
    for (place, first) in keys.iter().enumerate() {
        for second in &keys[place + 1..] {
            let pair = first + second;
            if !pairs[..count].contains(&pair) {
                pairs[count] = pair;
                count += 1;
            }
        }
    }
    count
}

pub(super) fn worth(own: CardSet, board: CardSet) -> Worth {
    Worth::whole(HoleCards::new(own).rank(&BoardCards::new(board)).into())
}

pub(super) fn describe(own: CardSet, board: CardSet) -> String {
    HandRank(HoleCards::new(own).rank(&BoardCards::new(board))).describe()
}

/// The best ranks with three of five board cards, and the suit in which a flush can be made.
pub(crate) struct BoardCards {
    /// The ranks without flushes.
    plain: OmahaRow,
    /// A suit with three cards and their ranks.
    flush: Option<(u32, u16)>,
}

impl BoardCards {
    #[inline]
    pub(crate) fn new(board: CardSet) -> BoardCards {
        BoardCards::with_rows(OmahaRows::get(), board)
    }

    #[inline(always)]
    fn with_rows(rows: &OmahaRows, board: CardSet) -> BoardCards {
        let (ranks, counts, _) = ranks_and_counts::<5>(board.0);
        let mut triples = [0; 10];
        let mut index = 0;
        for a in 0..5 {
            for b in a + 1..5 {
                for c in b + 1..5 {
                    triples[index] = TRIPLES[(ranks[a] << 8 | ranks[b] << 4 | ranks[c]) & 0xFFF];
                    index += 1;
                }
            }
        }
        // Counters that start at 5 have their highest bit set by the third card.
        let three = (counts + 0x5555) & 0x8888;
        let flush = (three != 0).then(|| {
            let suit = three.trailing_zeros() / 4;
            (suit, (board.0 >> (13 * suit) & SUIT_MASK) as u16)
        });
        BoardCards {
            plain: rows.best_of(triples),
            flush,
        }
    }
}

/// Returns the key of each card.
pub(super) fn card_keys<const N: usize>(cards: CardSet) -> [u32; N] {
    let mut keys = [0; N];
    for (key, card) in keys.iter_mut().zip(cards) {
        *key = rank_key(CardSet::of(card).0);
    }
    keys
}

/// Returns the best flush of two ranks in hand with three on the board, both masks of one suit.
fn best_flush(in_hand: u16, on_board: u16) -> u16 {
    if has_straight(in_hand | on_board) {
        return best_of_all_flushes(in_hand, on_board);
    }
    // Without a straight flush the highest cards are best.
    FLUSH[usize::from(highest(in_hand, 2) | highest(on_board, 3))]
}

/// Returns whether five ranks are in sequence; the ace is also the lowest.
fn has_straight(ranks: u16) -> bool {
    let with_low_ace = ranks << 1 | ranks >> 12;
    let two = with_low_ace & with_low_ace >> 1;
    two & two >> 2 & with_low_ace >> 4 != 0
}

/// Returns the highest `count` bits.
fn highest(mut mask: u16, count: u32) -> u16 {
    let all = mask;
    for _ in 0..count {
        mask ^= mask.checked_ilog2().map_or(0, |bit| 1 << bit);
    }
    all ^ mask
}

/// Returns the best flush, straight flushes included. Seldom called.
#[cold]
fn best_of_all_flushes(in_hand: u16, on_board: u16) -> u16 {
    let mut best = u16::MAX;
    for_each_subset(in_hand, 2, &mut |pair| {
        for_each_subset(on_board, 3, &mut |triple| {
            best = best.min(FLUSH[usize::from(pair | triple)]);
        });
    });
    best
}

fn for_each_subset(mask: u16, size: u32, visit: &mut impl FnMut(u16)) {
    let mut subset = mask;
    loop {
        if subset.count_ones() == size {
            visit(subset);
        }
        if subset == 0 {
            return;
        }
        subset = (subset - 1) & mask;
    }
}
