//! Hands to which cards are added and from which they are removed, and ranks of cards given as lists.

use core::ops::{Add, AddAssign, Sub, SubAssign};

use cards::{Card, CardSet};

use crate::HandRank;
use crate::evaluate::flush_rank;
use crate::tables::{RANK_KEYS, SLOTS5, SLOTS6, SLOTS7, Slots};

/// First bit of the suit counters in a key; the sum of the rank keys is below them.
const COUNTERS: u32 = 48;

/// The key of no cards. Each suit has a counter of four bits that starts at 3, so that the fifth card of a suit sets
/// the highest bit.
const NO_CARDS: u64 = 0x3333 << COUNTERS;

/// The highest bit of each suit counter.
const FIVE_OF_A_SUIT: u64 = 0x8888 << COUNTERS;

/// The number that each card adds to a key: the key of its rank, and 1 for the counter of its suit. 256 entries keep
/// every byte in bounds.
pub(crate) static CARD_KEYS: [u64; 256] = card_keys(0);

/// Keys with a share of [`NO_CARDS`] in each entry, so that the sum over five, six or seven cards needs no start.
static KEYS_OF_FIVE: [u64; 256] = card_keys(share_of_no_cards(5));
static KEYS_OF_SIX: [u64; 256] = card_keys(share_of_no_cards(6));
static KEYS_OF_SEVEN: [u64; 256] = card_keys(share_of_no_cards(7));

const fn card_keys(share: u64) -> [u64; 256] {
    let mut keys = [0; 256];
    let mut card = 0;
    while card < Card::COUNT {
        let counter = 1 << (COUNTERS + 4 * (card as u32 / 13));
        keys[card] = share.wrapping_add(RANK_KEYS[card % 13] as u64 | counter);
        card += 1;
    }
    keys
}

/// Returns a number that is [`NO_CARDS`] if it is added `cards` times, modulo 2^64. Its low bits are zero, so that it
/// leaves the sum of the rank keys alone; one bit below the counters makes it possible for even numbers.
const fn share_of_no_cards(cards: u64) -> u64 {
    let mut share: u64 = 0;
    while (share << (COUNTERS - 1)).wrapping_mul(cards) != NO_CARDS {
        share += 1;
    }
    share << (COUNTERS - 1)
}

/// A hand to which cards can be added one by one, and from which they can be removed.
///
/// The hand keeps a sum over its cards, from which five to seven cards are ranked with two lookups. That is faster than
/// [`evaluate7`](crate::evaluate7), which adds up the cards of a mask first. Each card must be added at most once, and
/// only cards of the hand may be removed; otherwise ranks are meaningless, but nothing panics in release builds.
///
/// ```
/// use croupier_poker::{PokerHand, parse_cards};
///
/// let board = PokerHand::from(parse_cards("Ks Kh Kd Qs 2c")?);
/// let [queens, kings] = [parse_cards("Qh Qd")?, parse_cards("Kc 3h")?].map(PokerHand::from);
/// assert_eq!((board + queens).rank().unwrap().describe(), "full house, kings full of queens");
/// assert!((board + kings).rank7() < (board + queens).rank7());
///
/// let mut hand = board;
/// for card in parse_cards("Qh Qd")? {
///     hand += card;
/// }
/// assert_eq!(hand, board + queens);
/// assert_eq!(hand - queens, board);
/// # Ok::<(), croupier_poker::CardsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PokerHand {
    key: u64,
    mask: u64,
}

impl PokerHand {
    /// The hand without cards.
    pub const EMPTY: PokerHand = PokerHand {
        key: NO_CARDS,
        mask: 0,
    };

    /// Returns the cards.
    #[must_use]
    #[inline]
    pub const fn cards(self) -> CardSet {
        CardSet(self.mask)
    }

    /// Returns the number of cards.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        self.mask.count_ones() as usize
    }

    /// Returns whether the hand has no cards.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.mask == 0
    }

    /// Returns whether the card is in the hand.
    #[must_use]
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.cards().contains(card)
    }

    /// Returns the rank of five, six or seven cards; `None` for any other number.
    #[must_use]
    #[inline]
    pub fn rank(self) -> Option<HandRank> {
        match self.len() {
            5 => Some(self.rank5()),
            6 => Some(self.rank6()),
            7 => Some(self.rank7()),
            _ => None,
        }
    }

    /// Returns the rank of exactly five cards. The value for any other number of cards is meaningless.
    #[must_use]
    #[inline]
    pub fn rank5(self) -> HandRank {
        debug_assert_eq!(self.len(), 5, "rank5 is for five cards");
        self.rank_in(&SLOTS5)
    }

    /// Returns the rank of exactly six cards. The value for any other number of cards is meaningless.
    #[must_use]
    #[inline]
    pub fn rank6(self) -> HandRank {
        debug_assert_eq!(self.len(), 6, "rank6 is for six cards");
        self.rank_in(&SLOTS6)
    }

    /// Returns the rank of exactly seven cards. The value for any other number of cards is meaningless.
    #[must_use]
    #[inline]
    pub fn rank7(self) -> HandRank {
        debug_assert_eq!(self.len(), 7, "rank7 is for seven cards");
        self.rank_in(&SLOTS7)
    }

    /// Returns the rank with the table for the number of cards.
    #[inline(always)]
    fn rank_in<const B: usize, const N: usize>(self, slots: &Slots<B, N>) -> HandRank {
        if self.key & FIVE_OF_A_SUIT == 0 {
            HandRank(slots.rank(self.key as u32))
        } else {
            rank_of_flush(self.key, self.mask)
        }
    }
}

/// Returns the rank of a hand with five cards of a suit. Kept out of the way of the other hands, 97 of 100.
#[cold]
#[inline(never)]
fn rank_of_flush(key: u64, mask: u64) -> HandRank {
    flush_in_suit(key, mask)
}

/// Returns the rank of the suit whose counter is five or more.
#[inline(always)]
fn flush_in_suit(key: u64, mask: u64) -> HandRank {
    let suit = ((key & FIVE_OF_A_SUIT).trailing_zeros() - COUNTERS) / 4;
    HandRank(flush_rank(mask >> (13 * suit)))
}

impl Default for PokerHand {
    /// Returns [`PokerHand::EMPTY`].
    fn default() -> PokerHand {
        PokerHand::EMPTY
    }
}

impl Add<Card> for PokerHand {
    type Output = PokerHand;

    /// Returns the hand with one more card.
    #[inline]
    fn add(self, card: Card) -> PokerHand {
        debug_assert!(!self.contains(card), "the hand has this card already");
        PokerHand {
            key: self.key.wrapping_add(CARD_KEYS[card.index()]),
            mask: self.mask | 1 << card.index(),
        }
    }
}

impl Sub<Card> for PokerHand {
    type Output = PokerHand;

    /// Returns the hand without one of its cards.
    #[inline]
    fn sub(self, card: Card) -> PokerHand {
        debug_assert!(self.contains(card), "the hand does not have this card");
        PokerHand {
            key: self.key.wrapping_sub(CARD_KEYS[card.index()]),
            mask: self.mask & !(1 << card.index()),
        }
    }
}

impl Add for PokerHand {
    type Output = PokerHand;

    /// Returns the hand with the cards of both; they must have no card in common.
    #[inline]
    fn add(self, other: PokerHand) -> PokerHand {
        debug_assert_eq!(self.mask & other.mask, 0, "the hands share a card");
        PokerHand {
            key: self.key.wrapping_add(other.key).wrapping_sub(NO_CARDS),
            mask: self.mask | other.mask,
        }
    }
}

impl Sub for PokerHand {
    type Output = PokerHand;

    /// Returns the hand without the cards of `other`, which it must contain.
    #[inline]
    fn sub(self, other: PokerHand) -> PokerHand {
        debug_assert_eq!(other.mask & !self.mask, 0, "a card is not in the hand");
        PokerHand {
            key: self.key.wrapping_sub(other.key).wrapping_add(NO_CARDS),
            mask: self.mask & !other.mask,
        }
    }
}

impl<T> AddAssign<T> for PokerHand
where
    PokerHand: Add<T, Output = PokerHand>,
{
    #[inline]
    fn add_assign(&mut self, other: T) {
        *self = *self + other;
    }
}

impl<T> SubAssign<T> for PokerHand
where
    PokerHand: Sub<T, Output = PokerHand>,
{
    #[inline]
    fn sub_assign(&mut self, other: T) {
        *self = *self - other;
    }
}

impl From<CardSet> for PokerHand {
    /// Creates the hand with these cards.
    fn from(cards: CardSet) -> PokerHand {
        cards.iter().collect()
    }
}

impl FromIterator<Card> for PokerHand {
    /// Creates the hand with these cards, each of which must occur once.
    #[inline]
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> PokerHand {
        cards.into_iter().fold(PokerHand::EMPTY, PokerHand::add)
    }
}

/// Returns the rank of five different cards.
///
/// The order does not matter. The value for equal cards is meaningless.
#[must_use]
#[inline]
pub fn evaluate5_cards(cards: &[Card; 5]) -> HandRank {
    rank_of_list(cards, &KEYS_OF_FIVE, &SLOTS5)
}

/// Returns the rank of the best five of six different cards, like [`evaluate5_cards`].
#[must_use]
#[inline]
pub fn evaluate6_cards(cards: &[Card; 6]) -> HandRank {
    rank_of_list(cards, &KEYS_OF_SIX, &SLOTS6)
}

/// Returns the rank of the best five of seven different cards, like [`evaluate5_cards`].
///
/// ```
/// use croupier_poker::{Card, HandRank, evaluate7_cards};
/// // The card with number 13 * suit + rank: the spades from ten to ace, and two deuces.
/// let cards = [51, 0, 50, 49, 13, 48, 47].map(|number| Card::from_index(number).unwrap());
/// assert_eq!(evaluate7_cards(&cards), HandRank::ROYAL_FLUSH);
/// ```
#[must_use]
#[inline]
pub fn evaluate7_cards(cards: &[Card; 7]) -> HandRank {
    rank_of_list(cards, &KEYS_OF_SEVEN, &SLOTS7)
}

/// Returns the rank of different cards. Their mask is needed for flushes only.
#[inline(always)]
fn rank_of_list<const CARDS: usize, const B: usize, const N: usize>(
    cards: &[Card; CARDS],
    keys: &[u64; 256],
    slots: &Slots<B, N>,
) -> HandRank {
    let mut key = 0u64;
    for card in cards {
        key = in_register(key.wrapping_add(keys[card.index()]));
    }
    if key & FIVE_OF_A_SUIT == 0 {
        HandRank(slots.rank(key as u32))
    } else {
        rank_of_flush_in_list(key, cards)
    }
}

/// Returns the value, as one of a general register.
///
/// Compiled for a processor with AVX2 (`-C target-cpu=native`), the lookups of a list would become gathers, which are
/// slower than loads.
#[inline(always)]
fn in_register(value: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        let mut value = value;
        // SAFETY: there is no instruction. The compiler only has to keep the value in a general register.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) value, options(pure, nomem, nostack, preserves_flags));
        }
        value
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    value
}

/// Returns the rank of cards of which five are of a suit.
#[cold]
#[inline(never)]
fn rank_of_flush_in_list<const CARDS: usize>(key: u64, cards: &[Card; CARDS]) -> HandRank {
    let mask = cards.iter().fold(0, |mask, card| mask | 1 << card.index());
    flush_in_suit(key, mask)
}
