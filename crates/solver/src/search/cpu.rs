//! Processor-dependent operations of the search: with x86 instructions (BMI2, AVX2), or in portable Rust.
//!
//! A value of [`Bmi2`] exists only if the processor has these instructions, so holding one proves that they may be
//! used. The search is generic over [`Cpu`] and written in functions that are always inlined. Where it is recursive, it
//! calls the *entry points* of the trait, which are compiled once for each kind of processor.

use super::Found;
use super::cards::{Cards, Lengths, counts, nth_highest, sequence_tops, suit};
use super::lead_history::LeadHistory;
use super::leading::{self, Leads};
use super::ordering::{self, Following, Order};
use super::play::{following, trick_start};
use super::table::Block;
use super::{Search, Trick};

/// Owners of the cards still in play, by relative rank: two suits in a word, two bits for each card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Code(pub [u64; 2]);

/// The operations that depend on the processor.
pub(crate) trait Cpu: Copy {
    /// Table of the owner of each card.
    type Owners: Clone;

    /// Builds the table of owners from four hands.
    fn owners(self, hands: &[Cards; 4]) -> Self::Owners;
    /// Returns the owners of the cards still in play, in order of relative rank.
    fn code(self, owners: &Self::Owners, all: Cards) -> Code;
    /// Returns the part of a code that holds the owners of `cards`, which must include the highest card of each suit
    /// they are in.
    fn mask(self, cards: Cards, all: Cards) -> Code;
    /// Returns cards of which the lowest in each suit is the lowest that `mask` selects.
    fn unmask(self, mask: Code, all: Cards) -> Cards;
    /// Returns the highest card of every sequence in `cards`. Only cards in `all` separate two others.
    fn sequence_tops(self, cards: Cards, all: Cards) -> Cards;
    /// Returns the lanes whose pattern matches the code, one bit each.
    fn fits(self, block: &Block, code: Code) -> u32;
    /// Returns the lanes whose pattern does not contradict another pattern, one bit each.
    fn agrees(self, block: &Block, own: Code, mask: Code) -> u32;
    /// Prefetches an element that will be read soon.
    fn prefetch<T>(self, of: &[T], index: usize);

    /// Calls [`trick_start`], compiled for this processor.
    fn trick_start<const NT: bool>(
        search: &mut Search<Self>,
        leader: usize,
        need: i32,
        n: i32,
        lengths: Lengths,
    ) -> Found;
    /// Calls [`following`], compiled for this processor.
    fn following<const NT: bool, const PLACE: usize>(
        search: &mut Search<Self>,
        trick: &Trick,
        seat: usize,
        lengths: Lengths,
        winning: u32,
        played: Cards,
    ) -> Found;
    /// Calls [`leading::lead`], compiled for this processor.
    fn order_lead<const NT: bool>(
        leads: &mut Leads,
        hands: &[Cards; 4],
        seat: usize,
        moves: Cards,
        all: Cards,
        lengths: Lengths,
        lead_history: &LeadHistory,
    );
    /// Calls [`ordering::follow`], compiled for this processor.
    fn order_follow<const NT: bool, const PLACE: usize>(
        hands: &[Cards; 4],
        following: &Following,
    ) -> Order;
}

/// The implementation for any processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// For each suit and each subset of its cards, the owners in order of relative rank.
#[derive(Clone)]
pub(crate) struct OwnerTable(Vec<u32>);

/// Number of subsets of a suit's thirteen cards.
const SUIT_SETS: usize = 1 << 13;
/// Bits of a suit in a portable code.
const FIELD: u32 = 26;

impl Cpu for Portable {
    type Owners = OwnerTable;

    fn owners(self, hands: &[Cards; 4]) -> OwnerTable {
        let mut table = vec![0; 4 * SUIT_SETS];
        for s in 0..4 {
            let suit_table = &mut table[s * SUIT_SETS..][..SUIT_SETS];
            // Build each set from the set without its highest card, whose owner is put on top.
            for rank in 0..13 {
                let owner = hands
                    .iter()
                    .position(|hand| hand >> (16 * s + rank) & 1 != 0);
                let owner = owner.unwrap_or(0) as u32;
                let (known, new) = suit_table.split_at_mut(1 << rank);
                for (below, (code, new)) in known.iter().zip(new).enumerate() {
                    *new = code | owner << (2 * below.count_ones());
                }
            }
        }
        OwnerTable(table)
    }

    #[inline(always)]
    fn code(self, owners: &OwnerTable, all: Cards) -> Code {
        let of = |s: u32| {
            let set = (all >> (16 * s)) as usize & (SUIT_SETS - 1);
            u64::from(owners.0[s as usize * SUIT_SETS + set])
        };
        Code([of(0) | of(1) << FIELD, of(2) | of(3) << FIELD])
    }

    #[inline(always)]
    fn mask(self, cards: Cards, all: Cards) -> Code {
        let (kept, held) = (counts(cards), counts(all));
        let field = |s: u32| {
            let (kept, held) = (kept >> (16 * s) & 15, held >> (16 * s) & 15);
            (1u64 << (2 * held)) - (1u64 << (2 * (held - kept)))
        };
        Code([field(0) | field(1) << FIELD, field(2) | field(3) << FIELD])
    }

    #[inline(always)]
    fn unmask(self, mask: Code, all: Cards) -> Cards {
        let mut cards = 0;
        for s in 0..4 {
            let field = mask.0[s as usize / 2] >> (FIELD * (s % 2)) & ((1 << FIELD) - 1);
            if field != 0 {
                // The width of the field gives the number of cards selected.
                let width = 64 - field.leading_zeros() - field.trailing_zeros();
                cards |= nth_highest(all & suit(s), width as i32 / 2);
            }
        }
        cards
    }

    #[inline(always)]
    fn sequence_tops(self, cards: Cards, all: Cards) -> Cards {
        sequence_tops(cards, all)
    }

    #[inline(always)]
    fn fits(self, block: &Block, code: Code) -> u32 {
        let mut lanes = 0;
        for lane in 0..4 {
            let difference = (block.own[0][lane] ^ code.0[0]) & block.mask[0][lane]
                | (block.own[1][lane] ^ code.0[1]) & block.mask[1][lane];
            lanes |= u32::from(difference == 0) << lane;
        }
        lanes
    }

    #[inline(always)]
    fn agrees(self, block: &Block, own: Code, mask: Code) -> u32 {
        let mut lanes = 0;
        for lane in 0..4 {
            let difference = (block.own[0][lane] ^ own.0[0])
                & block.mask[0][lane]
                & (mask.0[0] | Block::NOTHING)
                | (block.own[1][lane] ^ own.0[1]) & block.mask[1][lane] & mask.0[1];
            lanes |= u32::from(difference == 0) << lane;
        }
        lanes
    }

    #[inline(always)]
    fn prefetch<T>(self, _: &[T], _: usize) {}

    #[inline(never)]
    fn trick_start<const NT: bool>(
        search: &mut Search<Self>,
        leader: usize,
        need: i32,
        n: i32,
        lengths: Lengths,
    ) -> Found {
        trick_start::<Self, NT>(search, leader, need, n, lengths)
    }

    #[inline(never)]
    fn following<const NT: bool, const PLACE: usize>(
        search: &mut Search<Self>,
        trick: &Trick,
        seat: usize,
        lengths: Lengths,
        winning: u32,
        played: Cards,
    ) -> Found {
        following::<Self, NT, PLACE>(search, trick, seat, lengths, winning, played)
    }

    #[inline(never)]
    fn order_lead<const NT: bool>(
        leads: &mut Leads,
        hands: &[Cards; 4],
        seat: usize,
        moves: Cards,
        all: Cards,
        lengths: Lengths,
        lead_history: &LeadHistory,
    ) {
        leading::lead::<NT>(leads, hands, seat, moves, all, lengths, lead_history);
    }

    #[inline(never)]
    fn order_follow<const NT: bool, const PLACE: usize>(
        hands: &[Cards; 4],
        following: &Following,
    ) -> Order {
        ordering::follow::<NT, PLACE>(hands, following)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use bmi2::Bmi2;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // intrinsics and the doors, each with its portable twin above
mod bmi2 {
    use std::arch::x86_64::*;

    use super::*;
    use crate::search::cards::FENCE;

    /// The implementation for x86 processors with BMI2 and AVX2 on which `pext` and `pdep` are fast.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Bmi2(());

    /// The lower of the two bits of each card in a code.
    const LOWER: u64 = 0x5555_5555_5555_5555;

    impl Bmi2 {
        /// Returns a value if this processor has all the instructions.
        pub(crate) fn detect() -> Option<Bmi2> {
            cpu::has_fast_bits().then_some(Bmi2(()))
        }

        #[inline(always)]
        fn pext(self, word: u64, mask: u64) -> u64 {
            // SAFETY: `self` proves that the processor has BMI2.
            unsafe { _pext_u64(word, mask) }
        }

        #[inline(always)]
        fn pdep(self, word: u64, mask: u64) -> u64 {
            // SAFETY: `self` proves that the processor has BMI2.
            unsafe { _pdep_u64(word, mask) }
        }

        /// Returns two bits for every card of the two lower suits.
        #[inline(always)]
        fn doubled(self, cards: Cards) -> u64 {
            self.pdep(cards & 0xffff_ffff, LOWER) * 3
        }
    }

    impl Cpu for Bmi2 {
        type Owners = [u64; 2];

        fn owners(self, hands: &[Cards; 4]) -> [u64; 2] {
            let mut owners = [0; 2];
            for (seat, hand) in hands.iter().enumerate() {
                for (half, owners) in owners.iter_mut().enumerate() {
                    *owners |= self.pdep(hand >> (32 * half) & 0xffff_ffff, LOWER) * seat as u64;
                }
            }
            owners
        }

        #[inline(always)]
        fn code(self, owners: &[u64; 2], all: Cards) -> Code {
            Code([
                self.pext(owners[0], self.doubled(all)),
                self.pext(owners[1], self.doubled(all >> 32)),
            ])
        }

        #[inline(always)]
        fn mask(self, cards: Cards, all: Cards) -> Code {
            Code([
                self.pext(self.doubled(cards), self.doubled(all)),
                self.pext(self.doubled(cards >> 32), self.doubled(all >> 32)),
            ])
        }

        #[inline(always)]
        fn unmask(self, mask: Code, all: Cards) -> Cards {
            let lower = self.pext(self.pdep(mask.0[0], self.doubled(all)), LOWER);
            let upper = self.pext(self.pdep(mask.0[1], self.doubled(all >> 32)), LOWER);
            lower | upper << 32
        }

        #[inline(always)]
        fn sequence_tops(self, cards: Cards, all: Cards) -> Cards {
            let places = all | FENCE;
            let relative = self.pext(cards, places);
            self.pdep(relative & !(relative >> 1), places)
        }

        #[inline(always)]
        fn fits(self, block: &Block, code: Code) -> u32 {
            // SAFETY: `self` proves that the processor has AVX2; a block is aligned to 64 bytes.
            unsafe {
                let load = |lanes: &[u64; 4]| _mm256_load_si256(lanes.as_ptr().cast());
                let difference = |word: usize| {
                    let code = _mm256_set1_epi64x(code.0[word] as i64);
                    let other = _mm256_xor_si256(load(&block.own[word]), code);
                    _mm256_and_si256(other, load(&block.mask[word]))
                };
                let any = _mm256_or_si256(difference(0), difference(1));
                let none = _mm256_cmpeq_epi64(any, _mm256_setzero_si256());
                _mm256_movemask_pd(_mm256_castsi256_pd(none)) as u32
            }
        }

        #[inline(always)]
        fn agrees(self, block: &Block, own: Code, mask: Code) -> u32 {
            // SAFETY: `self` proves that the processor has AVX2; a block is aligned to 64 bytes.
            unsafe {
                let load = |lanes: &[u64; 4]| _mm256_load_si256(lanes.as_ptr().cast());
                let difference = |word: usize, mask: u64| {
                    let own = _mm256_set1_epi64x(own.0[word] as i64);
                    let other = _mm256_xor_si256(load(&block.own[word]), own);
                    let both = _mm256_and_si256(other, load(&block.mask[word]));
                    _mm256_and_si256(both, _mm256_set1_epi64x(mask as i64))
                };
                let lower = difference(0, mask.0[0] | Block::NOTHING);
                let any = _mm256_or_si256(lower, difference(1, mask.0[1]));
                let none = _mm256_cmpeq_epi64(any, _mm256_setzero_si256());
                _mm256_movemask_pd(_mm256_castsi256_pd(none)) as u32
            }
        }

        #[inline(always)]
        fn prefetch<T>(self, of: &[T], index: usize) {
            if let Some(item) = of.get(index) {
                // SAFETY: every x86-64 has SSE; a prefetch reads nothing.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) }
            }
        }

        #[inline(always)]
        fn trick_start<const NT: bool>(
            search: &mut Search<Self>,
            leader: usize,
            need: i32,
            n: i32,
            lengths: Lengths,
        ) -> Found {
            // SAFETY: the search holds a `Bmi2`, the proof that the processor has the instructions.
            unsafe { trick_start_bmi2::<NT>(search, leader, need, n, lengths) }
        }

        #[inline(always)]
        fn following<const NT: bool, const PLACE: usize>(
            search: &mut Search<Self>,
            trick: &Trick,
            seat: usize,
            lengths: Lengths,
            winning: u32,
            played: Cards,
        ) -> Found {
            // SAFETY: the search holds a `Bmi2`, the proof that the processor has the instructions.
            unsafe { following_bmi2::<NT, PLACE>(search, trick, seat, lengths, winning, played) }
        }

        #[inline(always)]
        fn order_lead<const NT: bool>(
            leads: &mut Leads,
            hands: &[Cards; 4],
            seat: usize,
            moves: Cards,
            all: Cards,
            lengths: Lengths,
            lead_history: &LeadHistory,
        ) {
            // SAFETY: only a search that holds a `Bmi2` names this type.
            unsafe { order_lead_bmi2::<NT>(leads, hands, seat, moves, all, lengths, lead_history) }
        }

        #[inline(always)]
        fn order_follow<const NT: bool, const PLACE: usize>(
            hands: &[Cards; 4],
            following: &Following,
        ) -> Order {
            // SAFETY: only a search that holds a `Bmi2` names this type.
            unsafe { order_follow_bmi2::<NT, PLACE>(hands, following) }
        }
    }

    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,avx2")]
    fn trick_start_bmi2<const NT: bool>(
        search: &mut Search<Bmi2>,
        leader: usize,
        need: i32,
        n: i32,
        lengths: Lengths,
    ) -> Found {
        trick_start::<Bmi2, NT>(search, leader, need, n, lengths)
    }

    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,avx2")]
    fn following_bmi2<const NT: bool, const PLACE: usize>(
        search: &mut Search<Bmi2>,
        trick: &Trick,
        seat: usize,
        lengths: Lengths,
        winning: u32,
        played: Cards,
    ) -> Found {
        following::<Bmi2, NT, PLACE>(search, trick, seat, lengths, winning, played)
    }

    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,avx2")]
    fn order_lead_bmi2<const NT: bool>(
        leads: &mut Leads,
        hands: &[Cards; 4],
        seat: usize,
        moves: Cards,
        all: Cards,
        lengths: Lengths,
        lead_history: &LeadHistory,
    ) {
        leading::lead::<NT>(leads, hands, seat, moves, all, lengths, lead_history);
    }

    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,avx2")]
    fn order_follow_bmi2<const NT: bool, const PLACE: usize>(
        hands: &[Cards; 4],
        following: &Following,
    ) -> Order {
        ordering::follow::<NT, PLACE>(hands, following)
    }
}
