//! Generates the embedded tables with the reference evaluator.
//!
//! `cargo run --release -p croupier-poker --example generate_tables` writes the file. A test generates the tables again
//! and compares every byte.

use super::displace::{Displacement, key_of};
use super::product::{FLUSH_INDEX, Product};
use crate::reference::{Numbering, for_each_multiset, score_of_counts};

/// Low key bits that choose the bucket, for hands of 5, 6 and 7 cards.
pub const BUCKET_BITS: [u32; 3] = [10, 11, 12];

/// Returns the direct flush table: the rank of every suit mask with five to seven cards, `u16::MAX` for others.
#[must_use]
pub fn flush_table(numbering: &Numbering) -> Vec<u16> {
    let rules = numbering.rules();
    let lowest = rules.lowest_rank();
    (0..8192u16)
        .map(|suited| {
            if !(5..=7).contains(&suited.count_ones()) || suited >> lowest << lowest != suited {
                return u16::MAX;
            }
            let counts = std::array::from_fn(|rank| (suited >> rank & 1) as u8);
            numbering
                .rank(score_of_counts(rules, &counts, &[suited, 0, 0, 0]))
                .0
        })
        .collect()
}

/// Returns the ranks of all hands of `cards` cards without a flush, each in the slot of its key.
///
/// Patterns that are not in the rules' deck keep `u16::MAX`.
#[must_use]
pub fn slot_values(numbering: &Numbering, cards: u8, displacement: &Displacement) -> Vec<u16> {
    let rules = numbering.rules();
    let mut values = vec![u16::MAX; displacement.slots];
    for_each_multiset(cards, rules.lowest_rank(), &mut |counts| {
        let rank = numbering.rank(score_of_counts(rules, counts, &[0; 4]));
        values[displacement.slot(key_of(counts))] = rank.0;
    });
    values
}

/// All embedded tables, in file order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The direct flush table.
    pub flush: Vec<u16>,
    /// Displacements and slot values for 5, 6 and 7 cards.
    pub slots: [(Displacement, Vec<u16>); 3],
    /// Product tables for 5, 6 and 7 cards.
    pub products: [Product; 3],
}

impl Generated {
    /// Generates all tables for the standard rules.
    ///
    /// `None` if a displacement does not fit, which does not happen with the constants here.
    #[must_use]
    pub fn new(numbering: &Numbering) -> Option<Generated> {
        let flush = flush_table(numbering);
        let slots = |cards: u8| {
            let keys = super::displace::keys(cards);
            let bits = BUCKET_BITS[usize::from(cards) - 5];
            let displacement = Displacement::place(&keys, bits)?;
            let values = slot_values(numbering, cards, &displacement);
            Some((displacement, values))
        };
        let slots = [slots(5)?, slots(6)?, slots(7)?];
        let products = [5, 6, 7].map(|cards| Product::new(numbering, cards, &flush));
        Some(Generated {
            flush,
            slots,
            products,
        })
    }

    /// Returns the bytes of the file: all tables as little-endian 16-bit numbers, one after another. The flush half of
    /// the product columns is the same for all sizes and stored once.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut sections: Vec<&[u16]> = vec![&self.flush, &self.products[0].columns[FLUSH_INDEX..]];
        for ((displacement, values), product) in self.slots.iter().zip(&self.products) {
            sections.push(&displacement.offsets);
            sections.push(values);
            sections.push(&product.columns[..FLUSH_INDEX]);
            sections.push(&product.rows);
            sections.push(&product.values);
        }
        sections
            .concat()
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect()
    }

    /// Returns the number of entries of each slot and product value table, for 5, 6 and 7 cards.
    #[must_use]
    pub fn value_counts(&self) -> [(usize, usize); 3] {
        std::array::from_fn(|i| (self.slots[i].1.len(), self.products[i].values.len()))
    }
}
