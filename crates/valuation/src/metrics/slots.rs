//! The 128 result slots of an evaluation, and the layout that most metrics use.

use std::ops::Index;

use super::side::SideAnalysis;

/// Number of result slots of an evaluation.
pub const SLOTS: usize = 128;

/// The results of one evaluation: 128 numbers, of which a metric fills some.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Slots {
    values: [i32; SLOTS],
    filled: u128,
}

impl Slots {
    pub(super) const EMPTY: Slots = Slots {
        values: [0; SLOTS],
        filled: 0,
    };

    pub(super) fn put(&mut self, slot: usize, value: i32) {
        self.values[slot] = value;
        self.filled |= 1 << slot;
    }

    /// Fills the slots from `first` on.
    pub(super) fn put_all(&mut self, first: usize, values: &[i32]) {
        self.values[first..first + values.len()].copy_from_slice(values);
        if !values.is_empty() {
            self.filled |= u128::MAX >> (SLOTS - values.len()) << first;
        }
    }

    /// Fills the last two slots with trump suit and fit length.
    pub(super) fn put_fit(&mut self, side: &SideAnalysis) {
        self.put_all(126, &[side.trump_number(), side.fit_length]);
    }

    /// Returns all slots. A slot that the metric does not fill is 0.
    pub fn values(&self) -> &[i32; SLOTS] {
        &self.values
    }

    /// Returns whether the metric fills this slot.
    pub fn is_filled(&self, slot: usize) -> bool {
        slot < SLOTS && self.filled >> slot & 1 == 1
    }

    /// Returns the filled slots and their values, in order.
    pub fn filled(&self) -> impl Iterator<Item = (usize, i32)> + '_ {
        (0..SLOTS)
            .filter(|&slot| self.is_filled(slot))
            .map(|slot| (slot, self.values[slot]))
    }
}

impl Index<usize> for Slots {
    type Output = i32;

    fn index(&self, slot: usize) -> &i32 {
        &self.values[slot]
    }
}

impl std::fmt::Debug for Slots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.filled()).finish()
    }
}

/// Largest number of details of a metric.
const MAX_DETAILS: usize = 22;

/// The result of a side metric: a value for each hand in notrump and in the best fit, and details.
#[derive(Clone, Copy, Debug)]
pub(super) struct Valuation {
    pub(super) notrump: [i32; 2],
    pub(super) fit: [i32; 2],
    details: [i32; MAX_DETAILS],
    count: usize,
}

impl Valuation {
    /// Creates the result with the values of both hands, without details.
    #[inline]
    pub(super) fn new(notrump: [i32; 2], fit: [i32; 2]) -> Valuation {
        Valuation {
            notrump,
            fit,
            details: [0; MAX_DETAILS],
            count: 0,
        }
    }

    /// Adds details; the first ones go to slot 6 and on.
    #[inline]
    pub(super) fn with<const N: usize>(mut self, found: [i32; N]) -> Valuation {
        self.details[self.count..self.count + N].copy_from_slice(&found);
        self.count += N;
        self
    }

    /// Adds details of the first hand, then the corresponding ones of the second.
    #[inline]
    pub(super) fn with_each<const N: usize>(self, of: impl Fn(usize) -> [i32; N]) -> Valuation {
        self.with(of(0)).with(of(1))
    }

    /// Returns a detail by its slot, from 6 on.
    pub(super) fn slot(&self, slot: usize) -> i32 {
        self.details[slot - 6]
    }

    /// Returns the values of side, first hand and second hand in notrump, then in the fit, which can be negative.
    pub(super) fn totals(&self) -> [i32; 6] {
        let (nt, fit) = (self.notrump, self.fit);
        [nt[0] + nt[1], nt[0], nt[1], fit[0] + fit[1], fit[0], fit[1]]
    }

    /// Returns the usual layout: the six totals, none negative, the details, trump suit and fit length.
    pub(super) fn framed(&self, side: &SideAnalysis) -> Slots {
        let mut slots = Slots::EMPTY;
        slots.put_all(0, &self.totals().map(|total| total.max(0)));
        slots.put_all(6, &self.details[..self.count]);
        slots.put_fit(side);
        slots
    }

    /// Returns one slot of the layout that [`framed`](Self::framed) makes, without computing the others.
    #[inline]
    pub(super) fn framed_slot(&self, side: &SideAnalysis, slot: usize) -> i32 {
        match slot {
            0..6 => self.totals()[slot].max(0),
            126 => side.trump_number(),
            127 => side.fit_length,
            _ => self.details[..self.count]
                .get(slot - 6)
                .copied()
                .unwrap_or(0),
        }
    }
}
