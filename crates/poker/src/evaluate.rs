//! Evaluates one hand at a time.

use cards::CardSet;

use crate::HandRank;
use crate::tables::{FLUSH, FLUSH_FLAG, SLOTS5, SLOTS6, SLOTS7, SUIT_KEYS, SUIT_MASK, Slots};

/// Returns the rank of a hand of exactly five cards.
///
/// The value for any other number of cards is meaningless.
///
/// ```
/// let hand = croupier_poker::parse_cards("AsKsQsJsTs").unwrap();
/// assert_eq!(croupier_poker::evaluate5(hand), croupier_poker::HandRank::ROYAL_FLUSH);
/// ```
#[must_use]
#[inline]
pub fn evaluate5(hand: CardSet) -> HandRank {
    debug_assert_eq!(hand.len(), 5, "evaluate5 is for five cards");
    HandRank(rank(hand.0, &SLOTS5))
}

/// Returns the rank of the best five of exactly six cards.
///
/// The value for any other number of cards is meaningless.
#[must_use]
#[inline]
pub fn evaluate6(hand: CardSet) -> HandRank {
    debug_assert_eq!(hand.len(), 6, "evaluate6 is for six cards");
    HandRank(rank(hand.0, &SLOTS6))
}

/// Returns the rank of the best five of exactly seven cards.
///
/// The value for any other number of cards is meaningless.
///
/// ```
/// let hand = croupier_poker::parse_cards("AsAdKhKc9s9d2h").unwrap();
/// assert_eq!(croupier_poker::evaluate7(hand).describe(), "two pair, aces and kings with nine kicker");
/// ```
#[must_use]
#[inline]
pub fn evaluate7(hand: CardSet) -> HandRank {
    debug_assert_eq!(hand.len(), 7, "evaluate7 is for seven cards");
    HandRank(rank(hand.0, &SLOTS7))
}

/// Returns the rank of the best five of five, six or seven cards; `None` for any other number.
///
/// ```
/// let hand = croupier_poker::parse_cards("AsKsQsJs").unwrap();
/// assert_eq!(croupier_poker::evaluate(hand), None);
/// ```
#[must_use]
#[inline]
pub fn evaluate(hand: CardSet) -> Option<HandRank> {
    match hand.len() {
        _ if hand.0 >> 52 != 0 => None,
        5 => Some(evaluate5(hand)),
        6 => Some(evaluate6(hand)),
        7 => Some(evaluate7(hand)),
        _ => None,
    }
}

/// Returns the five cards that make the hand's rank; `None` unless there are five to seven cards.
///
/// Among equal choices it takes the one with the highest suits.
///
/// ```
/// let hand = croupier_poker::parse_cards("9s9h9d5c5d4h4s").unwrap();
/// let best = croupier_poker::best_five(hand).unwrap();
/// assert_eq!(croupier_poker::format_cards(best), "9s9h9d5d5c");
/// ```
#[must_use]
pub fn best_five(hand: CardSet) -> Option<CardSet> {
    let target = evaluate(hand)?;
    let mut best = None;
    for_each_subset(hand, hand.len() - 5, &mut |five| {
        if evaluate5(five) == target && best.is_none_or(|other| five > other) {
            best = Some(five);
        }
    });
    best
}

/// Calls `visit` with every set that is `hand` without `drop` of its cards.
fn for_each_subset(hand: CardSet, drop: usize, visit: &mut impl FnMut(CardSet)) {
    fn go(hand: CardSet, candidates: CardSet, drop: usize, visit: &mut impl FnMut(CardSet)) {
        if drop == 0 {
            visit(hand);
            return;
        }
        let mut later = candidates;
        for card in candidates {
            later.remove(card);
            go(hand - CardSet::of(card), later, drop - 1, visit);
        }
    }
    go(hand, hand, drop, visit);
}

/// Returns the rank of a mask with the table for its number of cards. Every mask stays within the tables.
#[inline(always)]
pub(crate) fn rank<const B: usize, const N: usize>(mask: u64, slots: &Slots<B, N>) -> u16 {
    rank_with(mask, slots, &FLUSH)
}

/// Returns the rank like [`rank`], with the flush table of other rules.
#[inline(always)]
pub(crate) fn rank_with<const B: usize, const N: usize>(
    mask: u64,
    slots: &Slots<B, N>,
    flush: &[u16; 8192],
) -> u16 {
    let suit = |number: u32| (mask >> (13 * number) & SUIT_MASK) as usize;
    let suits = [suit(0), suit(1), suit(2), suit(3)];
    let keys = suits.map(|suit| in_register(SUIT_KEYS[suit]));
    let key = keys[0]
        .wrapping_add(keys[1])
        .wrapping_add(keys[2])
        .wrapping_add(keys[3]);
    if key & FLUSH_FLAG == 0 {
        slots.rank(key)
    } else {
        // One hand in 33 has a flush: the suit whose flag is set is selected without a branch.
        let flagged = |i: usize| {
            if keys[i] & FLUSH_FLAG == 0 {
                0
            } else {
                suits[i]
            }
        };
        flush[(flagged(0) | flagged(1) | flagged(2) | flagged(3)) & 0x1FFF]
    }
}

/// Returns the value, as one of a general register.
///
/// Compiled for a processor with AVX2 (`-C target-cpu=native`), the four lookups of a hand would become a gather, which
/// is slower than four loads.
#[inline(always)]
fn in_register(value: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        let mut value = value;
        // SAFETY: there is no instruction. The compiler only has to keep the value in a general register.
        unsafe {
            core::arch::asm!("/* {0:e} */", inout(reg) value, options(pure, nomem, nostack, preserves_flags));
        }
        value
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    value
}

/// Returns the rank of the lowest thirteen bits, a suit with five to seven cards.
#[inline(always)]
pub(crate) fn flush_rank(suit: u64) -> u16 {
    FLUSH[(suit & SUIT_MASK) as usize]
}
