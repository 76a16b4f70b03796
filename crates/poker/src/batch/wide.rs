//! The first phase of the batch kernels, generic over [`Registers`], and the loop over chunks.

use cards::CardSet;

use super::look_up::look_up;
use crate::HandRank;
use crate::tables::Products;

/// Hands per chunk. Their indices fill four cache lines.
const CHUNK: usize = 64;

const _: () = assert!(size_of::<CardSet>() == 8, "a card set is its mask");

/// Registers of `WIDTH` 16-bit elements. A value exists only if the processor has them.
pub(super) trait Registers<const WIDTH: usize>: Copy {
    /// The contents of a register: one element for each hand of a step.
    type V: Copy;

    /// Loads the hands of a step into four registers.
    fn load(self, hands: &[CardSet; WIDTH]) -> [Self::V; 4];
    /// Returns the ranks of clubs, diamonds, hearts and spades of the hands: word `i` of a 64-bit lane from register
    /// `i`.
    fn suits(self, hands: [Self::V; 4]) -> [Self::V; 4];
    /// Returns the bits that are set in both.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the bits that are set in either.
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the bits that are set in exactly one.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the column and row indices of hands with these suits, whose ranks add up to `ones` and `twos`. Without a
    /// flush they are `ones / 2` and `twos`; with a flush 4096 plus its ranks, and 0.
    fn columns_and_rows(self, suits: [Self::V; 4], ones: Self::V, twos: Self::V) -> [Self::V; 2];
    /// Stores columns and rows, interleaved within 128 bits.
    fn store(self, columns: Self::V, rows: Self::V, places: &mut [u32; WIDTH]);
    /// Returns whether any bit is set.
    fn any(self, a: Self::V) -> bool;

    /// Counts each rank over the four suits, as binary digits: ones, twos, fours.
    #[inline(always)]
    fn count(self, [clubs, diamonds, hearts, spades]: [Self::V; 4]) -> [Self::V; 3] {
        let minor_odd = self.xor(clubs, diamonds);
        let minor_both = self.and(clubs, diamonds);
        let major_odd = self.xor(hearts, spades);
        let major_both = self.and(hearts, spades);
        let ones = self.xor(minor_odd, major_odd);
        let both_odd = self.and(minor_odd, major_odd);
        let twos = self.or(self.xor(minor_both, major_both), both_odd);
        [ones, twos, self.and(minor_both, major_both)]
    }
}

/// Evaluates all whole chunks and returns the number of hands in them. `quads` ranks the hands with four of a kind.
/// Inlined into a function that is compiled for the registers.
#[inline(always)]
pub(super) fn evaluate<const WIDTH: usize, R: Registers<WIDTH>>(
    registers: R,
    hands: &[CardSet],
    ranks: &mut [HandRank],
    products: &Products,
    quads: impl Fn(CardSet) -> HandRank,
) -> usize {
    let mut places = [0u32; CHUNK];
    let whole = hands.len() / CHUNK * CHUNK;
    let (chunks, _) = hands.as_chunks::<CHUNK>();
    let (rank_chunks, _) = ranks.as_chunks_mut::<CHUNK>();
    for (hands, ranks) in chunks.iter().zip(rank_chunks) {
        let mut with_quads = 0u64;
        let (steps, _) = hands.as_chunks::<WIDTH>();
        let (step_places, _) = places.as_chunks_mut::<WIDTH>();
        for (step, (hands, places)) in steps.iter().zip(step_places).enumerate() {
            with_quads |= indices(registers, hands, places) << (WIDTH * step);
        }
        // SAFETY: phase 1 writes columns below 4096 + 8192 and rows below 8192.
        unsafe { look_up::<WIDTH, CHUNK>(&places, ranks, products) };
        while with_quads != 0 {
            let hand = with_quads.trailing_zeros() as usize;
            ranks[hand] = quads(hands[hand]);
            with_quads &= with_quads - 1;
        }
    }
    whole
}

/// Runs phase 1 for the hands of a step: writes the table indices and returns a mask of the hands with four of a kind.
#[inline(always)]
fn indices<const WIDTH: usize, R: Registers<WIDTH>>(
    registers: R,
    hands: &[CardSet; WIDTH],
    places: &mut [u32; WIDTH],
) -> u64 {
    let suits = registers.suits(registers.load(hands));
    let [ones, twos, fours] = registers.count(suits);
    let [columns, rows] = registers.columns_and_rows(suits, ones, twos);
    registers.store(columns, rows, places);
    if registers.any(fours) {
        hands_with_quads(hands)
    } else {
        0
    }
}

/// Returns a mask of the hands with four of a kind. Seldom called.
#[cold]
fn hands_with_quads(hands: &[CardSet]) -> u64 {
    hands.iter().enumerate().fold(0, |found, (i, hand)| {
        let pairs = hand.0 & hand.0 >> 26;
        found | u64::from(pairs & pairs >> 13 & 0x1FFF != 0) << i
    })
}
