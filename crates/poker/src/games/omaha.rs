//! Omaha with four, five or six hole cards: exactly two of them with exactly three of the board.

use cards::CardSet;

use super::Worth;
use crate::HandRank;
use crate::reference::suit_masks;
use crate::rows::rank_key;
use crate::tables::{FLUSH, SLOTS5};

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

/// Maximum number of hole cards.
const MAX_HOLE_CARDS: usize = 6;
/// Maximum number of pairs of hole cards.
pub(super) const MAX_PAIRS: usize = MAX_HOLE_CARDS * (MAX_HOLE_CARDS - 1) / 2;

/// The pairs of hole cards, prepared for many boards.
#[derive(Clone, Copy)]
pub(crate) struct HoleCards {
    pairs: [u32; MAX_PAIRS],
    count: usize,
    suits: [u16; 4],
}

impl HoleCards {
    pub(crate) fn new(hole: CardSet) -> HoleCards {
        let keys = card_keys::<MAX_HOLE_CARDS>(hole);
        let cards = hole.len().min(MAX_HOLE_CARDS);
        let mut pairs = [0; MAX_PAIRS];
        let mut count = 0;
        for a in 0..cards {
            for b in a + 1..cards {
                pairs[count] = keys[a] + keys[b];
                count += 1;
            }
        }
        HoleCards {
            pairs,
            count,
            suits: suit_masks(hole),
        }
    }

    /// Writes the distinct keys of the pairs and returns their number.
    pub(super) fn different_pairs(&self, pairs: &mut [u32; MAX_PAIRS]) -> usize {
        let mut count = 0;
        for pair in &self.pairs[..self.count] {
            if !pairs[..count].contains(pair) {
                pairs[count] = *pair;
                count += 1;
            }
        }
        count
    }

    /// Returns the best rank of two hole cards with three of the board.
    #[inline]
    pub(crate) fn rank(&self, board: &BoardCards) -> u16 {
        let mut best = u16::MAX;
        for &pair in &self.pairs[..self.count] {
            for triple in board.triples {
                best = best.min(SLOTS5.rank(pair + triple));
            }
        }
        if let Some((suit, on_board)) = board.flush {
            best = best.min(best_flush(self.suits[suit], on_board));
        }
        best
    }
}

pub(super) fn worth(own: CardSet, board: CardSet) -> Worth {
    Worth::whole(HoleCards::new(own).rank(&BoardCards::new(board)).into())
}

pub(super) fn describe(own: CardSet, board: CardSet) -> String {
    HandRank(HoleCards::new(own).rank(&BoardCards::new(board))).describe()
}

/// The ten triples of five board cards, and the suit in which a flush can be made.
pub(crate) struct BoardCards {
    triples: [u32; 10],
    flush: Option<(usize, u16)>,
}

impl BoardCards {
    pub(crate) fn new(board: CardSet) -> BoardCards {
        let keys = card_keys::<5>(board);
        let mut triples = [0; 10];
        let mut index = 0;
        for a in 0..5 {
            for b in a + 1..5 {
                for c in b + 1..5 {
                    triples[index] = keys[a] + keys[b] + keys[c];
                    index += 1;
                }
            }
        }
        let suits = suit_masks(board);
        let flush = (0..4).find(|&suit| suits[suit].count_ones() >= 3);
        BoardCards {
            triples,
            flush: flush.map(|suit| (suit, suits[suit])),
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

/// Returns the best flush of two ranks in hand with three on the board.
fn best_flush(in_hand: u16, on_board: u16) -> u16 {
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
