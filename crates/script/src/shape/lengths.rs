//! Sets of suit lengths, and the shapes with these lengths.

use std::sync::OnceLock;

use cards::{Shape, ShapeSet};

/// A set of lengths 0..=13, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Lengths(pub u16);

impl Lengths {
    pub const ANY: Lengths = Lengths(0x3fff);
    pub const UP_TO_NINE: Lengths = Lengths(0x03ff);

    pub fn one(length: u8) -> Lengths {
        Lengths(1 << length)
    }

    pub fn from_to(low: u8, high: u8) -> Lengths {
        (low..=high).fold(Lengths(0), |set, length| Lengths(set.0 | 1 << length))
    }
}

/// Returns the shapes whose spades, hearts, diamonds and clubs are in these sets.
pub(crate) fn shapes_with(lengths: [Lengths; 4]) -> ShapeSet {
    let table = by_length();
    let mut result: Option<ShapeSet> = None;
    for (place, set) in lengths.into_iter().enumerate() {
        if set == Lengths::ANY {
            continue;
        }
        let mut with = ShapeSet::EMPTY;
        for (length, shapes) in table[place].iter().enumerate() {
            if set.0 >> length & 1 != 0 {
                with = with.union(shapes);
            }
        }
        result = Some(result.map_or(with, |r| r.intersection(&with)));
    }
    result.unwrap_or_else(ShapeSet::full)
}

/// Returns for each suit (spades first) and each length the shapes with it.
fn by_length() -> &'static [[ShapeSet; 14]; 4] {
    static TABLE: OnceLock<[[ShapeSet; 14]; 4]> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = [[ShapeSet::EMPTY; 14]; 4];
        for shape in Shape::all() {
            for (place, length) in shape.lengths().into_iter().enumerate() {
                table[place][length as usize].insert(shape);
            }
        }
        table
    })
}

/// Calls `visit` with every distinct order of the items.
pub(crate) fn permutations<T: Copy + Ord>(items: &[T], mut visit: impl FnMut(&[T])) {
    let mut items = items.to_vec();
    items.sort_unstable();
    loop {
        visit(&items);
        let Some(pivot) = (1..items.len()).rev().find(|&i| items[i - 1] < items[i]) else {
            return;
        };
        let swap = (pivot..items.len())
            .rev()
            .find(|&i| items[pivot - 1] < items[i])
            .unwrap_or(pivot);
        items.swap(pivot - 1, swap);
        items[pivot..].reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_has_four_lengths() {
        assert_eq!(shapes_with([Lengths::ANY; 4]).len(), 560);
        let five = Lengths::one(5);
        assert_eq!(
            shapes_with([five, Lengths::ANY, Lengths::ANY, Lengths::ANY]).len(),
            45
        );
    }

    #[test]
    fn orders_are_different() {
        let mut count = 0;
        permutations(&[4, 4, 3, 2], |_| count += 1);
        assert_eq!(count, 12);
    }
}
