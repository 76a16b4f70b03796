//! Feature vectors of a hand, and sets of them.

use std::collections::{BTreeSet, HashMap};

/// Features of one hand that can be tracked at once.
pub(crate) const MOST_FEATURES: usize = 6;

/// The features of a hand, or their part in a pile.
pub(crate) type Vector = [i32; MOST_FEATURES];

pub(crate) fn sum(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|i| a[i] + b[i])
}

/// The different values something can have, in ascending order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    list: Vec<Vector>,
    index: HashMap<Vector, u32>,
}

impl Values {
    pub(crate) fn new(values: impl IntoIterator<Item = Vector>) -> Values {
        let list: Vec<Vector> = values
            .into_iter()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let index = list.iter().copied().zip(0..).collect();
        Values { list, index }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn list(&self) -> &[Vector] {
        &self.list
    }

    pub(crate) fn position(&self, value: &Vector) -> Option<u32> {
        self.index.get(value).copied()
    }
}
