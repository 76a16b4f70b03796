//! The tables are reproducible, injective and in bounds.

use std::collections::HashSet;

use croupier_poker::reference;
use croupier_poker::tables::bbhash::{MinimalHash, best_five_of_suit};
use croupier_poker::tables::chd::{PerfectHash, plane_key_of_mask, plane_keys};
use croupier_poker::tables::displace::{Displacement, LARGEST_KEY, RANK_KEYS, keys};
use croupier_poker::tables::generate::{BUCKET_BITS, Generated, flush_table};
use croupier_poker::tables::{CHECKSUM, EMBEDDED, checksum};

/// Rank multisets of 5, 6 and 7 cards with at most four of a rank.
const PATTERNS: [usize; 3] = [6_175, 18_395, 49_205];

#[test]
fn embedded_tables_are_what_the_generator_makes() {
    let generated = Generated::new(reference::standard()).unwrap();
    assert!(
        generated.to_bytes() == EMBEDDED,
        "run the example generate_tables"
    );
    assert_eq!(checksum(EMBEDDED), CHECKSUM);
}

#[test]
fn additive_keys_differ_for_all_patterns() {
    for (cards, patterns) in (5..).zip(PATTERNS) {
        let keys = keys(cards);
        assert_eq!(keys.len(), patterns);
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), patterns);
        assert!(keys.iter().all(|&key| key <= LARGEST_KEY));
    }
    assert_eq!(LARGEST_KEY, 7_825_759);
    assert_eq!(RANK_KEYS.len(), 13);
}

#[test]
fn displaced_keys_have_slots_of_their_own() {
    for (i, expected_slots) in [9_581, 23_565, 63_100].into_iter().enumerate() {
        let keys = keys(5 + i as u8);
        let displacement = Displacement::place(&keys, BUCKET_BITS[i]).unwrap();
        let slots: HashSet<usize> = keys.iter().map(|&key| displacement.slot(key)).collect();
        assert_eq!(slots.len(), PATTERNS[i]);
        assert!(slots.iter().all(|&slot| slot < displacement.slots));
        assert_eq!(displacement.slots, expected_slots);
    }
}

/// The textbook construction over plane keys, with byte displacements and 131,072 slots.
#[test]
fn hashed_plane_keys_have_slots_of_their_own() {
    let keys = plane_keys(7);
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), PATTERNS[2]);
    let hash = PerfectHash::build(&keys).unwrap();
    let slots: HashSet<usize> = keys.iter().map(|&key| hash.slot(key)).collect();
    assert_eq!(slots.len(), PATTERNS[2]);
    assert!(slots.iter().all(|&slot| slot < PerfectHash::SLOTS));
    assert!(
        hash.largest_displacement() <= 64,
        "{}",
        hash.largest_displacement()
    );
}

/// A key of three bits per rank, cut to 32 bits, loses patterns. This shows that the check of a key can fail.
#[test]
fn a_key_of_32_bits_would_lose_patterns() {
    let cut: HashSet<u32> = plane_keys(7)
        .into_iter()
        .map(|key| {
            let count = |rank: u32| {
                (key >> rank & 1) | (key >> (13 + rank) & 1) << 1 | (key >> (26 + rank) & 1) << 2
            };
            (0..13).fold(0u64, |packed, rank| packed | count(rank) << (3 * rank)) as u32
        })
        .collect();
    assert_eq!(cut.len(), 30_680);
}

#[test]
fn planes_of_a_mask() {
    // K K Q Q J J 9: one nine, pairs of jacks, queens and kings.
    let hand = croupier_poker::parse_cards("KsKhQdQcJsJh9d").unwrap();
    assert_eq!(plane_key_of_mask(hand.0), 0x1C0_0080);
}

#[test]
fn product_tables_stay_in_bounds_for_any_planes() {
    let generated = Generated::new(reference::standard()).unwrap();
    for product in &generated.products {
        let column = product.columns.iter().max().copied().unwrap();
        let row = product.rows.iter().max().copied().unwrap();
        assert_eq!(product.columns.len(), 4096 + 8192);
        assert_eq!(product.rows.len(), 8192);
        assert!(usize::from(column) + usize::from(row) < 65_536);
        assert!(product.values.len() <= 65_536);
    }
}

#[test]
fn flush_table_has_the_expected_ranks() {
    let flush = flush_table(reference::standard());
    assert_eq!(flush[0x1F00], 0);
    assert_eq!(flush[0x100F], 9);
    assert_eq!(flush[0x106C], 785);
    assert_eq!(flush[0x1E80], 322);
    assert_eq!(flush[0x002F], 1598);
    assert_eq!(
        flush.iter().filter(|&&rank| rank != u16::MAX).count(),
        4_719
    );
}

/// The minimal hash of the 1,287 five-card suits, after reduction of longer suits, gives the same ranks as the direct
/// table.
#[test]
fn minimal_hash_and_direct_flush_table_agree() {
    let flush = flush_table(reference::standard());
    let fives: Vec<u16> = (0..8192)
        .filter(|mask: &u16| mask.count_ones() == 5)
        .collect();
    let hash = MinimalHash::build(&fives);
    let mut ranks = vec![u16::MAX; fives.len()];
    for &five in &fives {
        let index = hash.index(five).unwrap();
        assert_eq!(ranks[index], u16::MAX, "two keys share number {index}");
        ranks[index] = flush[usize::from(five)];
    }
    assert!(hash.levels() <= 12 && hash.bits() < 8 * 1024);
    for suited in (0..8192u16).filter(|mask| (5..=7).contains(&mask.count_ones())) {
        let index = hash.index(best_five_of_suit(suited)).unwrap();
        assert_eq!(ranks[index], flush[usize::from(suited)], "{suited:#x}");
    }
}
