//! Functions of the low games, in which the ace is the lowest rank.

use cards::CardSet;

use crate::reference::SUIT_MASK;

/// The letters of the ranks, ace first.
const NAMES: &[u8; 13] = b"A23456789TJQK";

/// Returns a mask of the ranks that occur, ace in bit 0, king in bit 12.
#[inline]
pub(super) fn ranks_ace_low(cards: CardSet) -> u16 {
    let any = cards.0 | cards.0 >> 13 | cards.0 >> 26 | cards.0 >> 39;
    let ranks = (any & SUIT_MASK) as u16;
    (ranks << 1 & 0x1FFF) | ranks >> 12
}

/// Returns the lowest `count` bits of a mask, or all bits if there are fewer.
#[inline]
pub(super) fn lowest(mask: u16, count: u32) -> u16 {
    let mut rest = mask;
    for _ in 0..count {
        rest &= rest.wrapping_sub(1);
    }
    mask & !rest
}

/// Returns the number of cards of each rank, aces first.
pub(super) fn counts_ace_low(cards: CardSet) -> [u8; 13] {
    let mut counts = [0; 13];
    for card in cards {
        counts[(card.rank().index() + 1) % 13] += 1;
    }
    counts
}

/// Returns the name of a rank with the ace at 0.
pub(super) fn name(rank: usize) -> char {
    NAMES[rank] as char
}

/// Formats the ranks of a mask, highest first: `8-6-4-3-A`.
pub(super) fn spelled(mask: u16) -> String {
    let ranks = (0..13).rev().filter(|rank| mask >> rank & 1 == 1);
    let names: Vec<String> = ranks.map(|rank| name(rank).to_string()).collect();
    names.join("-")
}

/// Returns the value of five cards for a low in which the ace is low and straights and flushes do not count. It is the
/// mask of ranks if all differ, else the pattern of pairs and then the ranks, most frequent first. Smaller is better.
pub(super) fn ace_to_five(counts: &[u8; 13]) -> u32 {
    let distinct = counts.iter().filter(|&&count| count > 0).count();
    if distinct == 5 {
        let mask = (0..13).filter(|&rank| counts[rank] > 0);
        return mask.fold(0, |mask, rank| mask | 1 << rank);
    }
    let mut ranks: Vec<(u8, usize)> = (0..13)
        .map(|rank| (counts[rank], rank))
        .filter(|&(count, _)| count > 0)
        .collect();
    ranks.sort_unstable_by(|a, b| b.cmp(a));
    let pairing = match (distinct, ranks[0].0) {
        (4, _) => 1,
        (3, 2) => 2,
        (3, _) => 3,
        (_, 3) => 4,
        _ => 5,
    };
    let places = ranks
        .iter()
        .fold(0u32, |sum, &(_, rank)| sum << 4 | rank as u32);
    pairing << 20 | places << (4 * (5 - ranks.len()))
}
