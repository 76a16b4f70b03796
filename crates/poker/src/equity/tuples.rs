//! Hands of all players together, with one representative for all combinations that differ only in suits.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use cards::CardSet;

use super::MAX_PLAYERS;
use super::symmetry::SuitPermutation;

/// One hand for every player; unused positions are empty.
pub(super) type Tuple = [CardSet; MAX_PLAYERS];

/// The players' hands with integer weights.
pub(super) type Ranges = [Vec<(CardSet, u64)>];

/// Calls `visit` with all tuples in which a given player holds the hand with a given index, and with the products of
/// their weights.
pub(super) fn for_each_tuple(
    ranges: &Ranges,
    player: usize,
    index: usize,
    visit: &mut impl FnMut(&Tuple, u128),
) {
    fn extend(
        ranges: &Ranges,
        player: usize,
        used: CardSet,
        weight: u128,
        tuple: &mut Tuple,
        visit: &mut impl FnMut(&Tuple, u128),
    ) {
        let Some(range) = ranges.get(player) else {
            return visit(tuple, weight);
        };
        if !tuple[player].is_empty() {
            return extend(ranges, player + 1, used, weight, tuple, visit);
        }
        for &(hand, hand_weight) in range.iter().filter(|(hand, _)| hand.is_disjoint(used)) {
            tuple[player] = hand;
            let weight = weight * u128::from(hand_weight);
            extend(ranges, player + 1, used | hand, weight, tuple, visit);
        }
        tuple[player] = CardSet::EMPTY;
    }
    let (hand, weight) = ranges[player][index];
    let mut tuple = [CardSet::EMPTY; MAX_PLAYERS];
    tuple[player] = hand;
    extend(ranges, 0, hand, u128::from(weight), &mut tuple, visit);
}

/// Returns the classes of tuples and their weights: the sums over the class of the products of the hands' weights.
/// `symmetries` are the exchanges of suits that are allowed.
pub(super) fn classes(ranges: &Ranges, symmetries: &[SuitPermutation]) -> Vec<(Tuple, u128)> {
    let mut search = Search {
        ranges,
        classes: HashMap::default(),
    };
    search.extend(
        0,
        CardSet::EMPTY,
        1,
        &mut [CardSet::EMPTY; MAX_PLAYERS],
        symmetries,
    );
    let mut classes: Vec<_> = search.classes.into_iter().collect();
    classes.sort_unstable_by_key(|&(tuple, _)| tuple);
    classes
}

struct Search<'a> {
    ranges: &'a Ranges,
    classes: HashMap<Tuple, u128, BuildHasherDefault<MaskHasher>>,
}

impl Search<'_> {
    /// Adds all tuples that start with the hands chosen so far. The representative is built hand by hand: of the
    /// remaining permutations, only those that give the next hand its smallest image stay.
    fn extend(
        &mut self,
        player: usize,
        used: CardSet,
        weight: u128,
        smallest: &mut Tuple,
        symmetries: &[SuitPermutation],
    ) {
        let Some(range) = self.ranges.get(player) else {
            *self.classes.entry(*smallest).or_insert(0) += weight;
            return;
        };
        let mut staying = Vec::with_capacity(symmetries.len());
        for &(hand, hand_weight) in range {
            if !hand.is_disjoint(used) {
                continue;
            }
            staying.clear();
            let mut best = CardSet(u64::MAX);
            for &symmetry in symmetries {
                let image = symmetry.apply(hand);
                if image < best {
                    best = image;
                    staying.clear();
                }
                if image == best {
                    staying.push(symmetry);
                }
            }
            smallest[player] = best;
            let weight = weight * u128::from(hand_weight);
            self.extend(player + 1, used | hand, weight, smallest, &staying);
        }
        smallest[player] = CardSet::EMPTY;
    }
}

/// A fast hash for card masks. They do not come from untrusted input, so it need not resist attacks.
#[derive(Default)]
struct MaskHasher(u64);

impl Hasher for MaskHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}
