//! Evaluates many hands at a time with vector instructions.
//!
//! The kernels work in two phases on chunks of hands. The first uses vector registers: split the suits, add them up to
//! planes, find flushes, and write two table indices per hand. The second handles one hand after the other: two small
//! lookups and a large one. Separate phases let the loads of the second run without waiting for the first. The scalar
//! evaluator handles the rare four of a kind again.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod look_up;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod wide;

use cards::CardSet;
use cpu::CpuPath;

use crate::HandRank;
use crate::evaluate::rank;
use crate::tables::{PRODUCTS5, PRODUCTS6, PRODUCTS7, Products, SLOTS5, SLOTS6, SLOTS7, Slots};

/// Evaluates hands of exactly seven cards: `ranks[i]` becomes the rank of `hands[i]`.
///
/// The ranks of hands with another number of cards are meaningless, but no memory is accessed out of bounds.
///
/// ```
/// use croupier_poker::HandRank;
/// let hands = [croupier_poker::parse_cards("AsKsQsJsTs2c3d")?, croupier_poker::parse_cards("9s8d7h5c4s3d2h")?];
/// let mut ranks = [HandRank::default(); 2];
/// croupier_poker::evaluate7_batch(&hands, &mut ranks);
/// assert_eq!(ranks, [HandRank(0), HandRank(7413)]);
/// # Ok::<(), croupier_poker::CardsError>(())
/// ```
///
/// # Panics
/// If the slices differ in length.
pub fn evaluate7_batch(hands: &[CardSet], ranks: &mut [HandRank]) {
    evaluate7_batch_with(CpuPath::best(), hands, ranks);
}

/// Evaluates hands of exactly six cards, like [`evaluate7_batch`].
///
/// # Panics
/// If the slices differ in length.
pub fn evaluate6_batch(hands: &[CardSet], ranks: &mut [HandRank]) {
    evaluate6_batch_with(CpuPath::best(), hands, ranks);
}

/// Evaluates hands of exactly five cards, like [`evaluate7_batch`].
///
/// # Panics
/// If the slices differ in length.
pub fn evaluate5_batch(hands: &[CardSet], ranks: &mut [HandRank]) {
    evaluate5_batch_with(CpuPath::best(), hands, ranks);
}

/// Evaluates like [`evaluate7_batch`] on a chosen processor path (on the portable one if the processor lacks it).
///
/// # Panics
/// If the slices differ in length.
pub fn evaluate7_batch_with(path: CpuPath, hands: &[CardSet], ranks: &mut [HandRank]) {
    run(path, hands, ranks, &PRODUCTS7, &SLOTS7);
}

/// Evaluates like [`evaluate6_batch`] on a chosen processor path (on the portable one if the processor lacks it).
///
/// # Panics
/// If the slices differ in length.
pub fn evaluate6_batch_with(path: CpuPath, hands: &[CardSet], ranks: &mut [HandRank]) {
    run(path, hands, ranks, &PRODUCTS6, &SLOTS6);
}

/// Evaluates like [`evaluate5_batch`] on a chosen processor path (on the portable one if the processor lacks it).
///
/// # Panics
/// If the slices differ in length.
pub fn evaluate5_batch_with(path: CpuPath, hands: &[CardSet], ranks: &mut [HandRank]) {
    run(path, hands, ranks, &PRODUCTS5, &SLOTS5);
}

/// Evaluates whole chunks on the path and the tail one by one.
fn run<const B: usize, const N: usize>(
    path: CpuPath,
    hands: &[CardSet],
    ranks: &mut [HandRank],
    products: &Products,
    slots: &Slots<B, N>,
) {
    assert_eq!(hands.len(), ranks.len(), "as many ranks as hands");
    let quads = |hand: CardSet| HandRank(rank(hand.0, slots));
    let done = match path {
        #[cfg(target_arch = "x86_64")]
        CpuPath::Avx2 => cpu::Avx2::detect().map(|proof| {
            // SAFETY: `proof` exists only if the processor has the features.
            unsafe { avx2::evaluate(proof, hands, ranks, products, quads) }
        }),
        #[cfg(target_arch = "x86_64")]
        CpuPath::Avx512 => cpu::Avx512::detect().map(|proof| {
            // SAFETY: `proof` exists only if the processor has the features.
            unsafe { avx512::evaluate(proof, hands, ranks, products, quads) }
        }),
        #[cfg(target_arch = "aarch64")]
        CpuPath::Neon => cpu::Neon::detect().map(|proof| {
            // SAFETY: `proof` exists only if the processor has the features.
            unsafe { neon::evaluate(proof, hands, ranks, products, quads) }
        }),
        _ => None,
    };
    let done = done.unwrap_or(0);
    let _ = (products, quads);
    for (hand, rank_of_hand) in hands[done..].iter().zip(&mut ranks[done..]) {
        *rank_of_hand = HandRank(rank(hand.0, slots));
    }
}
