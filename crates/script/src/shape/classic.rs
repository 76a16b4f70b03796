//! The classic notation: four characters, digits or `x`.

use std::sync::OnceLock;

use cards::{Shape, ShapeSet};

use super::lengths::{Lengths, permutations, shapes_with};

/// A length of ten in dealer3: the ASCII character after 9.
pub(crate) const TEN: u8 = b':';

/// Checks that the lengths of a pattern can add up to 13; the error is their sum.
pub(crate) fn check(pattern: [u8; 4]) -> Result<(), u32> {
    let sum = pattern
        .iter()
        .filter(|c| c.is_ascii_digit() || **c == TEN)
        .map(|c| u32::from(c - b'0'))
        .sum();
    let open = pattern.contains(&b'x');
    if sum == 13 || open && sum < 13 {
        Ok(())
    } else {
        Err(sum)
    }
}

/// Returns the shapes of a pattern, with `any` in all orders.
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

/// Maximum number of terms in a list; longer lists are cut.
const LONGEST_LIST: usize = 12;

/// Returns a set of shapes as a list in the classic notation, shortened if it is long. Lengths above nine have no digit
/// and appear as A, B, C, D.
pub(crate) fn list(set: &ShapeSet) -> String {
    let count = set.len();
    let missing = set.complement();
    if let Some(items) = cover(set) {
        return items.join(" + ");
    }
    if count > Shape::COUNT / 2
        && let Some(items) = cover(&missing)
    {
        return format!("xxxx - {}", items.join(" - "));
    }
    format!("{count} shapes")
}

/// Returns a small list of patterns that make up the set, by the greedy method: in each step the pattern that adds most
/// shapes.
fn cover(set: &ShapeSet) -> Option<Vec<String>> {
    let fitting: Vec<&(String, ShapeSet)> = patterns()
        .iter()
        .filter(|(_, shapes)| shapes.difference(set).is_empty())
        .collect();
    let mut items = Vec::new();
    let mut left = *set;
    while !left.is_empty() {
        let gain = |shapes: &ShapeSet| shapes.intersection(&left).len();
        let (text, shapes) = fitting.iter().max_by_key(|(_, shapes)| gain(shapes))?;
        if gain(shapes) == 0 || items.len() == LONGEST_LIST {
            return None;
        }
        items.push(text.clone());
        left = left.difference(shapes);
    }
    items.sort_by_key(|text| (!text.starts_with("any"), text.clone()));
    Some(items)
}

/// Returns all patterns of digits with two or more `x` and all complete shapes, each also with `any`.
fn patterns() -> &'static [(String, ShapeSet)] {
    static PATTERNS: OnceLock<Vec<(String, ShapeSet)>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let mut list = Vec::new();
        for shape in Shape::all() {
            let digits = shape.lengths().map(|n| b"0123456789ABCD"[usize::from(n)]);
            let text = String::from_utf8_lossy(&digits).into_owned();
            list.push((text, ShapeSet::from_iter([shape])));
            if shape.pattern() == shape.lengths() {
                let all = Shape::all().filter(|s| s.pattern() == shape.pattern());
                let text = String::from_utf8_lossy(&digits).into_owned();
                list.push((format!("any {text}"), all.collect()));
            }
        }
        for number in 0..11_usize.pow(4) {
            let pattern: [u8; 4] = std::array::from_fn(|place| {
                b"0123456789x"[number / 11_usize.pow(3 - place as u32) % 11]
            });
            let open = pattern.iter().filter(|&&c| c == b'x').count();
            if open < 2 || check(pattern).is_err() {
                continue;
            }
            let text = String::from_utf8_lossy(&pattern).into_owned();
            list.push((text.clone(), shapes(pattern, false)));
            if pattern
                .windows(2)
                .all(|pair| pair[0] >= pair[1] || pair[0] == b'x')
            {
                let mut digits_first = pattern;
                digits_first.sort_unstable_by_key(|&c| if c == b'x' { 0 } else { c });
                digits_first.reverse();
                let text = String::from_utf8_lossy(&digits_first).into_owned();
                list.push((format!("any {text}"), shapes(pattern, true)));
            }
        }
        list
    })
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
    fn lists_of_shapes_are_written_in_their_short_form() {
        let balanced = shapes(*b"4333", true)
            .union(&shapes(*b"4432", true))
            .union(&shapes(*b"5332", true));
        assert_eq!(list(&balanced), "any 4333 + any 4432 + any 5332");
        assert_eq!(list(&shapes(*b"x4xx", false)), "x4xx");
        let no_major = ShapeSet::full()
            .difference(&shapes(*b"4xxx", false))
            .difference(&shapes(*b"x4xx", false));
        assert_eq!(list(&no_major), "xxxx - 4xxx - x4xx");
    }

    #[test]
    fn sums_of_lengths_are_checked() {
        assert_eq!(check(*b"5333"), Err(14));
        assert_eq!(check(*b"x555"), Err(15));
        assert_eq!(check(*b"111x"), Ok(()));
    }
}
