//! Shapes: the classic notation in `shape(...)` and François Dellacherie's in `shape{...}`.

pub(crate) mod classic;
pub(crate) mod condition;
pub mod expansion;
pub mod fd;
mod fd_parser;
pub(crate) mod lengths;

use std::collections::HashMap;

use cards::ShapeSet;

use crate::plan::ShapeId;

/// The maximum length that `5+` and conditions include.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FdLengths {
    /// Thirteen cards.
    All,
    /// Nine cards, as in DealerV2's expander.
    UpToNine,
}

/// The shape sets of a script, each stored once.
#[derive(Debug, Default)]
pub(crate) struct ShapeTable {
    pub sets: Vec<ShapeSet>,
    numbers: HashMap<ShapeSet, ShapeId>,
    patterns: HashMap<([u8; 4], bool), ShapeSet>,
}

impl ShapeTable {
    pub fn add(&mut self, set: ShapeSet) -> ShapeId {
        *self.numbers.entry(set).or_insert_with(|| {
            self.sets.push(set);
            ShapeId(self.sets.len() as u32 - 1)
        })
    }

    /// Returns the shapes of a classic pattern that has passed [`classic::check`].
    pub fn pattern(&mut self, pattern: [u8; 4], any: bool) -> ShapeSet {
        *self
            .patterns
            .entry((pattern, any))
            .or_insert_with(|| classic::shapes(pattern, any))
    }
}
