//! Arithmetic on columns of a batch: each function does one small step for all deals.
//!
//! Columns are plain arrays and steps are plain loops, which compilers turn into vector code: for the registers of
//! every processor of the architecture (NEON on AArch64), and again for AVX2 and AVX-512. The path changes only the
//! speed.

use cards::CardSet;
use cpu::CpuPath;

use crate::HandRank;

/// Deals that are drawn, evaluated and scored together.
pub(super) const BATCH: usize = 256;
/// Number of words with 16 bits for every deal of a batch.
const QUARTERS: usize = BATCH / 4;
/// Number of words with 32 bits for every deal of a batch.
const HALVES: usize = BATCH / 2;

/// One value for every deal.
pub(super) type Column<T> = [T; BATCH];
/// The card of every slot, as a set. Its length is a power of two, so that every masked slot is in bounds.
pub(super) type Pack = [CardSet; 64];
/// Random words with 16 bits for every deal.
pub(super) type CardWords = [u64; QUARTERS];
/// Random words with 32 bits for every deal.
pub(super) type HandWords = [u64; HALVES];

/// Defines functions that are compiled for every processor of the architecture, for AVX2 and for AVX-512.
macro_rules! on_every_path {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $body:block)*) => {$(
        $(#[$doc])*
        pub(super) fn $name(path: CpuPath, $($argument: $kind),*) {
            #[inline(always)]
            fn plain($($argument: $kind),*) $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2($($argument: $kind),*) {
                plain($($argument),*);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,avx512f,avx512bw")]
            fn avx512($($argument: $kind),*) {
                plain($($argument),*);
            }
            match path {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the path has AVX2, and the processor has the path, as checked in the guard.
                CpuPath::Avx2 if path.is_available() => unsafe { avx2($($argument),*) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the path has AVX2, AVX-512 F and BW, and the processor has the path, as checked in the guard.
                CpuPath::Avx512 if path.is_available() => unsafe { avx512($($argument),*) },
                _ => plain($($argument),*),
            }
        }
    )*};
}

on_every_path! {
    /// Draws a number below `bound` (at most 256) for every deal from its 16 bits of the words: the high half of the
    /// product. If the low half shows that the bits are among the 2^16 mod `bound` values that are too many for equal
    /// shares, `refused` becomes other than zero.
    fn draw_cards(words: &CardWords, bound: u16, digits: &mut Column<u8>, refused: &mut Column<u16>) {
        let surplus = (1u32 << 16).checked_rem(u32::from(bound)).unwrap_or(0) as u16;
        let mut bits = [0u16; BATCH];
        for (four, &word) in bits.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *four = [word as u16, (word >> 16) as u16, (word >> 32) as u16, (word >> 48) as u16];
        }
        for deal in 0..BATCH {
            digits[deal] = ((u32::from(bits[deal]) * u32::from(bound)) >> 16) as u8;
            refused[deal] |= surplus.saturating_sub(bits[deal].wrapping_mul(bound));
        }
    }

    /// Draws numbers like [`draw_cards`], from 32 bits for every deal and with bounds of up to 2^32 - 1.
    fn draw_hands(words: &HandWords, bound: u32, picks: &mut Column<u32>, refused: &mut Column<u32>) {
        let surplus = bound.wrapping_neg().checked_rem(bound).unwrap_or(0);
        for (deal, &word) in words.iter().enumerate() {
            let low = (word & 0xFFFF_FFFF) * u64::from(bound);
            let high = (word >> 32) * u64::from(bound);
            picks[2 * deal] = (low >> 32) as u32;
            picks[2 * deal + 1] = (high >> 32) as u32;
            refused[2 * deal] |= u32::from((low as u32) < surplus);
            refused[2 * deal + 1] |= u32::from((high as u32) < surplus);
        }
    }

    /// Turns drawn numbers into different slots below `count`, like a shuffle that moves the last remaining slot into
    /// each gap. Number `i` is below `count - i`. If a number was drawn before, its slot is the one that was last at
    /// that time.
    fn numbers_to_slots(digits: &[Column<u8>], slots: &mut [Column<u8>], count: u8) {
        for (number, slot) in slots.iter_mut().enumerate() {
            *slot = digits[number];
            for earlier in (0..number).rev() {
                let last = count - 1 - earlier as u8;
                for (slot, &taken) in slot.iter_mut().zip(&digits[earlier]) {
                    *slot = if *slot == taken { last } else { *slot };
                }
            }
        }
    }

    /// Moves slots past the holes: slots among the remaining cards become slots of the whole pack, in which the cards
    /// at `holes` (ascending) are taken.
    fn skip(holes: &[Column<u8>], slots: &mut [Column<u8>]) {
        for slot in slots {
            for hole in holes {
                for (slot, &hole) in slot.iter_mut().zip(hole) {
                    *slot += u8::from(*slot >= hole);
                }
            }
        }
    }

    /// Sorts the columns of every deal, smallest first.
    fn sort(columns: &mut [Column<u8>]) {
        for end in 1..columns.len() {
            for place in (0..end).rev() {
                let [low, high] = columns[place..]
                    .first_chunk_mut::<2>()
                    .expect("the place is before the end");
                for (low, high) in low.iter_mut().zip(high) {
                    (*low, *high) = ((*low).min(*high), (*low).max(*high));
                }
            }
        }
    }

    /// Writes the slots of every deal as the bits of a word.
    fn gather_bits(slots: &[Column<u8>], bits: &mut Column<u64>) {
        *bits = [0; BATCH];
        for slot in slots {
            for (bits, slot) in bits.iter_mut().zip(slot) {
                *bits |= 1 << (slot & 63);
            }
        }
    }

    /// Joins a player's own cards with those of the board.
    fn join(own: &Column<CardSet>, board: &Column<CardSet>, hands: &mut Column<CardSet>) {
        for (hand, (&own, &board)) in hands.iter_mut().zip(own.iter().zip(board)) {
            *hand = own | board;
        }
    }

    /// Joins a known hand with the cards of the board.
    fn join_known(known: CardSet, board: &Column<CardSet>, hands: &mut Column<CardSet>) {
        for (hand, &board) in hands.iter_mut().zip(board) {
            *hand = known | board;
        }
    }

    /// Writes the set of players who win each deal; empty if the deal does not count. `ranks` has the columns of the
    /// players one after another; the smallest rank wins.
    fn winners(ranks: &[Column<HandRank>], counts: &Column<u16>, sets: &mut Column<u16>) {
        let mut best = [i16::MAX; BATCH];
        for column in ranks {
            for (best, rank) in best.iter_mut().zip(column) {
                *best = (*best).min(rank.0 as i16);
            }
        }
        *sets = [0; BATCH];
        for (player, column) in ranks.iter().enumerate() {
            let bit = 1u16 << player;
            for deal in 0..BATCH {
                sets[deal] |= if column[deal].0 as i16 == best[deal] { bit } else { 0 };
            }
        }
        for (set, &counts) in sets.iter_mut().zip(counts) {
            *set &= counts;
        }
    }

    /// Adds how often each of two players wins alone, among the deals that count.
    fn winners_of_two(ranks: &[Column<HandRank>; 2], counts: &Column<u16>, wins: &mut [u16; 2]) {
        let [first, second] = ranks;
        let (mut first_wins, mut second_wins) = (0u16, 0u16);
        for deal in 0..BATCH {
            let (a, b) = (first[deal].0 as i16, second[deal].0 as i16);
            let counts = counts[deal] & 1;
            first_wins += if a < b { counts } else { 0 };
            second_wins += if b < a { counts } else { 0 };
        }
        *wins = [first_wins, second_wins];
    }
}

/// Returns whether [`deposit`] is one fast instruction on the path.
pub(super) fn can_deposit(path: CpuPath) -> bool {
    path != CpuPath::Portable && cpu::has_pdep() && cpu::pdep_is_fast()
}

/// Writes the cards of bits: bit `k` is card `k` of the cards in `left` that are not in `used`, in ascending order.
///
/// Call it only if [`can_deposit`]; otherwise it is slow.
pub(super) fn deposit(
    path: CpuPath,
    bits: &Column<u64>,
    left: CardSet,
    used: &Column<CardSet>,
    cards: &mut Column<CardSet>,
) {
    match path {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has BMI2, as checked in the guard.
        _ if can_deposit(path) => unsafe { deposit_bmi2(bits, left, used, cards) },
        _ => {
            for (cards, (&bits, &used)) in cards.iter_mut().zip(bits.iter().zip(used)) {
                *cards = CardSet(shuffle::draw_pool::deposit(bits, (left - used).0));
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn deposit_bmi2(
    bits: &Column<u64>,
    left: CardSet,
    used: &Column<CardSet>,
    cards: &mut Column<CardSet>,
) {
    for (cards, (&bits, &used)) in cards.iter_mut().zip(bits.iter().zip(used)) {
        *cards = CardSet(std::arch::x86_64::_pdep_u64(bits, (left - used).0));
    }
}

/// Writes the union of the cards of several slots, each looked up in the pack.
///
/// Not compiled for wide registers: a compiler would turn the loads into gathers, which are slower.
pub(super) fn look_up(pack: &Pack, slots: &[Column<u8>], cards: &mut Column<CardSet>) {
    match slots {
        [] => *cards = [CardSet::EMPTY; BATCH],
        [a] => look_up_some(pack, [a], cards),
        [a, b] => look_up_some(pack, [a, b], cards),
        [a, b, c] => look_up_some(pack, [a, b, c], cards),
        [a, b, c, d] => look_up_some(pack, [a, b, c, d], cards),
        [a, b, c, d, e] => look_up_some(pack, [a, b, c, d, e], cards),
        [a, b, c, d, e, rest @ ..] => {
            let mut more = [CardSet::EMPTY; BATCH];
            look_up(pack, rest, &mut more);
            look_up_some(pack, [a, b, c, d, e], cards);
            for (cards, more) in cards.iter_mut().zip(more) {
                *cards |= more;
            }
        }
    }
}

#[inline(never)]
fn look_up_some<const N: usize>(pack: &Pack, slots: [&Column<u8>; N], cards: &mut Column<CardSet>) {
    for (deal, cards) in cards.iter_mut().enumerate() {
        let card = |slot: &&Column<u8>| pack[usize::from(slot[deal] & 63)];
        *cards = slots.iter().map(card).fold(CardSet::EMPTY, |a, b| a | b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shuffle::{BlockWords, Key, RandomWords, Stream};

    fn words<const N: usize>(random: &mut BlockWords) -> [u64; N] {
        std::array::from_fn(|_| random.word())
    }

    fn random() -> BlockWords {
        BlockWords::new(Stream::Poker, &Key::from_seed(11), 0)
    }

    /// Over all 2^16 values, every number below the bound is accepted equally often.
    #[test]
    fn numbers_below_a_bound_get_equal_shares() {
        for bound in 1..=52u16 {
            let mut kept = vec![0u32; usize::from(bound)];
            for start in (0..1u64 << 16).step_by(BATCH) {
                let word = |quarter: u64| {
                    let first = start + 4 * quarter;
                    (0..4).fold(0, |word, i| word | (first + i) << (16 * i))
                };
                let words: CardWords = std::array::from_fn(|quarter| word(quarter as u64));
                let (mut digits, mut refused) = ([0; BATCH], [0; BATCH]);
                draw_cards(CpuPath::best(), &words, bound, &mut digits, &mut refused);
                for (digit, refused) in digits.into_iter().zip(refused) {
                    kept[usize::from(digit)] += u32::from(refused == 0);
                }
            }
            assert_eq!(kept, vec![(1 << 16) / u32::from(bound); usize::from(bound)]);
        }
    }

    /// All sequences of four numbers below 7, 6, 5 and 4 give each sequence of four different slots of seven once.
    #[test]
    fn every_sequence_of_slots_comes_from_one_sequence_of_numbers() {
        let sequences: Vec<[u8; 4]> = (0..7 * 6 * 5 * 4u32)
            .map(|n| [n % 7, n / 7 % 6, n / 42 % 5, n / 210].map(|digit| digit as u8))
            .collect();
        let mut found = std::collections::BTreeSet::new();
        for part in sequences.chunks(BATCH) {
            let mut digits = vec![[0; BATCH]; 4];
            for (deal, sequence) in part.iter().enumerate() {
                (0..4).for_each(|i| digits[i][deal] = sequence[i]);
            }
            let mut slots = vec![[0; BATCH]; 4];
            numbers_to_slots(CpuPath::best(), &digits, &mut slots, 7);
            for deal in 0..part.len() {
                let slots: [u8; 4] = std::array::from_fn(|i| slots[i][deal]);
                assert!(slots.iter().all(|&slot| slot < 7));
                assert!((0..4).all(|i| !slots[..i].contains(&slots[i])));
                assert!(found.insert(slots), "{slots:?} twice");
            }
        }
        assert_eq!(found.len(), 840);
    }

    #[test]
    fn slots_skip_the_holes() {
        let holes = [[1; BATCH], [2; BATCH], [5; BATCH]];
        let mut slots: Vec<Column<u8>> = (0..4).map(|slot| [slot; BATCH]).collect();
        skip(CpuPath::best(), &holes, &mut slots);
        let found: Vec<u8> = slots.iter().map(|slot| slot[17]).collect();
        assert_eq!(found, [0, 3, 4, 6]);
    }

    /// Depositing bits into the remaining cards gives the same cards as slots past the holes.
    #[test]
    fn cards_are_deposited_as_they_are_looked_up() {
        let mut random = random();
        for path in CpuPath::available() {
            let left = CardSet(random.word() & random.word() & CardSet::FULL.0 | 0xF_0F0F);
            let mut pack = [CardSet::EMPTY; 64];
            for (card, bit) in pack
                .iter_mut()
                .zip((0..52).filter(|b| left.0 >> b & 1 == 1))
            {
                *card = CardSet(1 << bit);
            }
            let cards = left.len() as u64;
            let mut slots = [[0; BATCH]; 3];
            let (mut holes, mut used) = ([[0; BATCH]; 2], [CardSet::EMPTY; BATCH]);
            for deal in 0..BATCH {
                for slot in &mut slots {
                    slot[deal] = random.below(cards - 2) as u8;
                }
                let first = random.below(cards - 1);
                let second = first + 1 + random.below(cards - 1 - first);
                for (hole, place) in holes.iter_mut().zip([first, second]) {
                    hole[deal] = place as u8;
                    used[deal] |= pack[place as usize];
                }
            }
            let (mut bits, mut deposited) = ([0; BATCH], [CardSet::EMPTY; BATCH]);
            gather_bits(path, &slots, &mut bits);
            deposit(path, &bits, left, &used, &mut deposited);
            skip(path, &holes, &mut slots);
            let mut looked_up = [CardSet::EMPTY; BATCH];
            look_up(&pack, &slots, &mut looked_up);
            assert!(deposited == looked_up, "{path}");
        }
    }

    #[test]
    fn columns_are_sorted_deal_by_deal() {
        let mut random = random();
        let mut columns = [[0; BATCH]; 7];
        for value in columns.as_flattened_mut() {
            *value = random.below(52) as u8;
        }
        let mut sorted = columns;
        sort(CpuPath::best(), &mut sorted);
        for deal in 0..BATCH {
            let mut expected = columns.map(|column| column[deal]);
            expected.sort_unstable();
            assert_eq!(sorted.map(|column| column[deal]), expected);
        }
    }

    /// Every path gives the same columns as plain code.
    #[test]
    fn all_paths_agree() {
        let mut random = random();
        for _ in 0..50 {
            let card_words: [CardWords; 9] = std::array::from_fn(|_| words(&mut random));
            let hand_words: HandWords = words(&mut random);
            let bound = 1 + random.below(2000) as u32;
            let run = |path: CpuPath| {
                let mut refused = [0; BATCH];
                let mut digits = [[0; BATCH]; 9];
                for (i, digits) in digits.iter_mut().enumerate() {
                    draw_cards(path, &card_words[i], 40 - i as u16, digits, &mut refused);
                }
                let mut slots = [[0; BATCH]; 9];
                numbers_to_slots(path, &digits, &mut slots, 40);
                sort(path, &mut slots[5..]);
                skip(path, &[[3; BATCH], [20; BATCH]], &mut slots);
                let (mut picks, mut odd) = ([0; BATCH], [0; BATCH]);
                draw_hands(path, &hand_words, bound, &mut picks, &mut odd);
                let ranks = slots.map(|slot| slot.map(|slot| HandRank(slot.into())));
                let counts = refused.map(|refused| if refused == 0 { u16::MAX } else { 0 });
                let mut sets = [0; BATCH];
                winners(path, &ranks[..4], &counts, &mut sets);
                let mut wins = [0; 2];
                winners_of_two(path, &[ranks[0], ranks[1]], &counts, &mut wins);
                let mut own = [CardSet::EMPTY; BATCH];
                let pack = std::array::from_fn(|slot| CardSet(1 << slot));
                look_up(&pack, &slots[..6], &mut own);
                let mut cards = own;
                join(path, &own, &[CardSet(1 << 60); BATCH], &mut cards);
                (slots, refused, picks, odd, sets, wins, cards)
            };
            let plain = run(CpuPath::Portable);
            for path in CpuPath::available() {
                assert!(run(path) == plain, "{path}");
            }
        }
    }
}
