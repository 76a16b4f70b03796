//! Halves: two piles taken together.

use crate::tables::pile::Pile;
use crate::tables::values::{Values, sum};

/// The value for "no such number".
pub(crate) const NONE: u32 = u32::MAX;

/// The features of A (index 0) and B (index 1) in one or two piles, and the sums of the features of the two piles.
#[derive(Debug, Default)]
pub(crate) struct Half {
    /// The first pile and, if there is one, the second.
    pub(crate) piles: (usize, Option<usize>),
    pub(crate) values: [Values; 2],
    /// Number of the sum by (value in the first pile, value in the second).
    add: [Vec<u32>; 2],
    /// Number of the value in the second pile by (sum, value in the first); the index after the last value if there is
    /// none.
    rest: [Vec<u32>; 2],
    widths: [[usize; 2]; 2],
    /// Number of the value in the first pile by sum, if there is no second pile.
    alone: [Vec<u32>; 2],
}

impl Half {
    /// Creates the half with all its possible values.
    pub(crate) fn new(all: &[Pile], piles: (usize, Option<usize>)) -> Half {
        let mut half = Half {
            piles,
            values: Default::default(),
            add: Default::default(),
            rest: Default::default(),
            widths: [[0; 2]; 2],
            alone: Default::default(),
        };
        for role in 0..2 {
            let first = &all[piles.0].values[role];
            half.values[role] = match piles.1 {
                None => first.clone(),
                Some(second) => Values::new(first.list().iter().flat_map(|one| {
                    let others = all[second].values[role].list().iter();
                    others.map(move |other| sum(one, other))
                })),
            };
        }
        half
    }

    /// Keeps those values of a role (A or B) whose numbers are `useful`, and drops the others.
    pub(crate) fn keep(&mut self, role: usize, useful: impl Fn(usize) -> bool) {
        let list = self.values[role].list().iter().enumerate();
        let kept: Vec<_> = list
            .filter(|(number, _)| useful(*number))
            .map(|(_, value)| *value)
            .collect();
        self.values[role] = Values::new(kept);
    }

    /// Fills the tables of sums. Call it after the last `keep`.
    pub(crate) fn connect(&mut self, all: &[Pile]) {
        for role in 0..2 {
            let first = &all[self.piles.0].values[role];
            let none = Values::new([Default::default()]);
            let second = match self.piles.1 {
                Some(second) => &all[second].values[role],
                None => &none,
            };
            let values = &self.values[role];
            self.widths[role] = [first.len(), second.len()];
            self.rest[role] = vec![second.len() as u32; values.len() * first.len()];
            self.add[role].clear();
            for (i, one) in first.list().iter().enumerate() {
                for (j, other) in second.list().iter().enumerate() {
                    let total = values.position(&sum(one, other));
                    self.add[role].push(total.unwrap_or(NONE));
                    if let Some(total) = total {
                        self.rest[role][total as usize * first.len() + i] = j as u32;
                    }
                }
            }
            let only = |total: usize| self.rests(role, total).iter().position(|&rest| rest == 0);
            self.alone[role] = match self.piles.1 {
                None => (0..self.values[role].len())
                    .map(|total| only(total).unwrap_or(0) as u32)
                    .collect(),
                Some(_) => Vec::new(),
            };
        }
    }

    /// Returns the value in the first pile that is this sum, if there is no second pile.
    #[inline]
    pub(crate) fn alone(&self, role: usize, total: usize) -> u32 {
        self.alone[role][total]
    }

    /// Returns the sums of a value in the first pile with each value in the second.
    #[inline]
    pub(crate) fn sums(&self, role: usize, first: u32) -> &[u32] {
        let width = self.widths[role][1];
        &self.add[role][first as usize * width..][..width]
    }

    /// Returns the values in the second pile that complete the values in the first to `total`.
    #[inline]
    pub(crate) fn rests(&self, role: usize, total: usize) -> &[u32] {
        let width = self.widths[role][0];
        &self.rest[role][total * width..][..width]
    }

    /// Returns the number of values of A and of B.
    pub(crate) fn size(&self) -> [usize; 2] {
        self.values.each_ref().map(Values::len)
    }
}

/// Numbers of the totals by (value in half 1, value in half 2).
#[derive(Debug, Default)]
pub(crate) struct Totals {
    pub(crate) values: Values,
    table: Vec<u32>,
    width: usize,
}

impl Totals {
    /// Computes the numbers within `values` of all sums of the values of two halves.
    pub(crate) fn new(values: Values, first: &Values, second: &Values) -> Totals {
        let table = first
            .list()
            .iter()
            .flat_map(|one| second.list().iter().map(move |other| sum(one, other)))
            .map(|total| values.position(&total).unwrap_or(NONE))
            .collect();
        Totals {
            values,
            table,
            width: second.len(),
        }
    }

    #[inline]
    pub(crate) fn of(&self, first: usize, second: usize) -> u32 {
        self.table[first * self.width + second]
    }

    /// Returns the totals of a value in half 1 with each value of half 2.
    #[inline]
    pub(crate) fn with(&self, first: usize) -> &[u32] {
        &self.table[first * self.width..][..self.width]
    }
}
