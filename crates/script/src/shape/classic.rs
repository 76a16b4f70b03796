//! The classic notation: four characters, digits or `x`.

use cards::ShapeSet;

use super::lengths::{Lengths, permutations, shapes_with};

/// Whether a pattern can be a shape; the sum of its digits if not.
pub(crate) fn check(pattern: [u8; 4]) -> Result<(), u32> {
    let sum = pattern
        .iter()
        .filter(|c| c.is_ascii_digit())
        .map(|c| u32::from(c - b'0'))
        .sum();
    let open = pattern.contains(&b'x');
    if sum == 13 || open && sum < 13 {
        Ok(())
    } else {
        Err(sum)
    }
}

/// The shapes of a pattern, with `any` in all orders.
pub(crate) fn shapes(pattern: [u8; 4], any: bool) -> ShapeSet {
    let lengths = pattern.map(|c| match c {
        b'x' => Lengths::ANY,
        digit => Lengths::one(digit - b'0'),
    });
    if !any {
        return shapes_with(lengths);
    }
    let mut set = ShapeSet::EMPTY;
    permutations(&lengths, |order| {
        set = set.union(&shapes_with([order[0], order[1], order[2], order[3]]));
    });
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balanced_shapes() {
        assert_eq!(shapes(*b"4333", true).len(), 4);
        assert_eq!(shapes(*b"4432", true).len(), 12);
        assert_eq!(shapes(*b"5332", true).len(), 12);
        assert_eq!(shapes(*b"xxxx", false).len(), 560);
    }

    #[test]
    fn sums() {
        assert_eq!(check(*b"5333"), Err(14));
        assert_eq!(check(*b"x555"), Err(15));
        assert_eq!(check(*b"111x"), Ok(()));
    }
}
