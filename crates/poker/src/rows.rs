//! Rank tables of a set of rules, with a row of thirteen ranks for every six cards.
//!
//! Equity often needs the ranks of the same six cards with one more card of each rank. A row holds all thirteen, and
//! rows of several players are compared lane by lane.

use std::sync::OnceLock;

use crate::Rules;
use crate::evaluate::rank_with;
use crate::reference::{Numbering, for_each_multiset};
use crate::tables::displace::{Displacement, RANK_KEYS, key_of};
use crate::tables::generate::{flush_table, slot_values};
use crate::tables::{FLUSH, FLUSH_FLAG, SLOTS6, SLOTS7, SUIT_KEYS, Slots};

/// The ranks after one more card, by its rank. They are signed: ranks are below 2^15, and every processor has narrow
/// signed comparisons. The last three lanes are padding.
pub(crate) type Row = [i16; 16];

/// The tables of one set of rules.
pub(crate) struct Rows {
    slots: &'static Slots<4096, 65536>,
    flush: &'static [u16; 8192],
    rows: Vec<Row>,
}

impl Rows {
    /// Returns the tables of these rules, made on first use (about two milliseconds for the standard rules, whose ranks
    /// are embedded).
    pub(crate) fn of(rules: Rules) -> &'static Rows {
        static STANDARD: OnceLock<Rows> = OnceLock::new();
        static SHORT_DECK: [OnceLock<Rows>; 2] = [OnceLock::new(), OnceLock::new()];
        match rules {
            Rules::Standard => STANDARD.get_or_init(|| Rows::new(&SLOTS7, &FLUSH)),
            Rules::ShortDeck {
                trips_beat_straight,
            } => SHORT_DECK[usize::from(trips_beat_straight)].get_or_init(|| Rows::made_for(rules)),
        }
    }

    /// Makes tables for other rules, with the same slots and other ranks.
    fn made_for(rules: Rules) -> Rows {
        let numbering = Numbering::new(rules);
        let displacement = Displacement {
            bits: 12,
            offsets: SLOTS7.offsets.to_vec(),
            slots: SLOTS7.values.len(),
        };
        let ranks = slot_values(&numbering, 7, &displacement);
        let mut values = [0; 65536];
        values.copy_from_slice(&ranks);
        let mut flush = [0; 8192];
        flush.copy_from_slice(&flush_table(&numbering));
        let slots = Box::new(Slots {
            offsets: SLOTS7.offsets,
            values,
        });
        Rows::new(Box::leak(slots), Box::leak(Box::new(flush)))
    }

    fn new(slots: &'static Slots<4096, 65536>, flush: &'static [u16; 8192]) -> Rows {
        let mut rows = vec![[i16::MAX; 16]; SLOTS6.values.len()];
        for_each_multiset(6, 0, &mut |counts| {
            let key = key_of(counts);
            let row = &mut rows[SLOTS6.slot(key)];
            for rank in (0..13).filter(|&rank| counts[rank] < 4) {
                row[rank] = slots.rank(key + RANK_KEYS[rank]) as i16;
            }
        });
        Rows { slots, flush, rows }
    }

    /// Returns the row of six cards with this key.
    #[inline]
    pub(crate) fn row(&self, key: u32) -> &Row {
        &self.rows[SLOTS6.slot(key)]
    }

    /// Returns all rows, one after another.
    #[inline]
    pub(crate) fn flat(&self) -> &[i16] {
        self.rows.as_flattened()
    }

    /// Returns the place in [`Rows::flat`] where the row of six cards with this key starts.
    #[inline]
    pub(crate) fn row_start(&self, key: u32) -> usize {
        size_of::<Row>() / 2 * SLOTS6.slot(key)
    }

    /// Returns the rank of seven cards with this key and no flush.
    #[inline]
    pub(crate) fn rank(&self, key: u32) -> i16 {
        self.slots.rank(key) as i16
    }

    /// Returns the rank of a suit with five to seven cards.
    #[inline]
    pub(crate) fn flush_rank(&self, suited: u64) -> i16 {
        self.flush[suited as usize & 0x1FFF] as i16
    }

    /// Returns the rank of a mask of seven cards.
    #[inline]
    pub(crate) fn evaluate(&self, mask: u64) -> u16 {
        rank_with(mask, self.slots, self.flush)
    }
}

/// Returns the key of the cards of a mask; suits do not matter.
#[inline]
pub(crate) fn rank_key(mask: u64) -> u32 {
    let suit = |number: u32| SUIT_KEYS[(mask >> (13 * number) & 0x1FFF) as usize] & !FLUSH_FLAG;
    suit(0) + suit(1) + suit(2) + suit(3)
}
