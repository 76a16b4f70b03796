//! Truth values as bits: results of comparisons, operands of sums and choices.

use script::plan::Comparison;

use super::column::{BLOCK, Bits, GROUP};
use super::lanes::{Lanes, WIDTH};

/// Returns the word of a group whose lane *i* has the truth value `f(i)`, 0 or 1.
#[inline(always)]
pub fn word(f: impl Fn(usize) -> u8) -> u32 {
    let bytes: [u8; GROUP] = std::array::from_fn(f);
    let mut word = 0;
    for (k, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        // Multiplying eight 0/1 bytes by this constant brings byte i to bit 56 + i.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word |= (bits as u32) << (8 * k);
    }
    word
}

/// Sets `out[i] = truth[i] ? a[i] : b[i]` for the first `lanes` lanes, whole groups.
#[inline(always)]
pub fn select_wide(
    truth: &Bits,
    a: &[i32; BLOCK],
    b: &[i32; BLOCK],
    out: &mut [i32; BLOCK],
    lanes: usize,
) {
    for (group, &word) in truth[..lanes / GROUP].iter().enumerate() {
        let range = group * GROUP..(group + 1) * GROUP;
        let values = a[range.clone()].iter().zip(&b[range.clone()]);
        for (lane, (out, (a, b))) in out[range].iter_mut().zip(values).enumerate() {
            let mask = ((word >> lane & 1) as i32).wrapping_neg();
            *out = a & mask | b & !mask;
        }
    }
}

/// Sets `out[i] = f(a[i])` as truth values, for the first `lanes` lanes, whole groups.
#[inline(always)]
pub fn test<T: Copy>(a: &[T; BLOCK], out: &mut Bits, lanes: usize, f: impl Fn(T) -> bool) {
    for (out, a) in out[..lanes / GROUP]
        .iter_mut()
        .zip(a.as_chunks::<GROUP>().0)
    {
        *out = word(|lane| u8::from(f(a[lane])));
    }
}

/// Sets `out[i] = comparison(a[i], b[i])` as truth values.
#[inline(always)]
pub fn compare_wide(
    comparison: Comparison,
    a: &[i32; BLOCK],
    b: &[i32; BLOCK],
    out: &mut Bits,
    lanes: usize,
) {
    let values = a
        .as_chunks::<GROUP>()
        .0
        .iter()
        .zip(b.as_chunks::<GROUP>().0);
    for (out, (a, b)) in out[..lanes / GROUP].iter_mut().zip(values) {
        *out = match comparison {
            Comparison::Equal => word(|i| u8::from(a[i] == b[i])),
            Comparison::NotEqual => word(|i| u8::from(a[i] != b[i])),
            Comparison::Less => word(|i| u8::from(a[i] < b[i])),
            Comparison::LessEqual => word(|i| u8::from(a[i] <= b[i])),
            Comparison::Greater => word(|i| u8::from(a[i] > b[i])),
            Comparison::GreaterEqual => word(|i| u8::from(a[i] >= b[i])),
        };
    }
}

/// Sets `out[i] = comparison(a[i], b)` as truth values, for a constant `b`.
#[inline(always)]
pub fn compare_constant_wide(
    comparison: Comparison,
    a: &[i32; BLOCK],
    b: i32,
    out: &mut Bits,
    lanes: usize,
) {
    match comparison {
        Comparison::Equal => test(a, out, lanes, |a| a == b),
        Comparison::NotEqual => test(a, out, lanes, |a| a != b),
        Comparison::Less => test(a, out, lanes, |a| a < b),
        Comparison::LessEqual => test(a, out, lanes, |a| a <= b),
        Comparison::Greater => test(a, out, lanes, |a| a > b),
        Comparison::GreaterEqual => test(a, out, lanes, |a| a >= b),
    }
}

/// Converts truth values to the numbers 0 and 1, for the first `lanes` lanes, whole groups.
#[inline(always)]
pub fn spread_wide(truth: &Bits, out: &mut [i32; BLOCK], lanes: usize) {
    let groups = out.as_chunks_mut::<GROUP>().0;
    for (&word, out) in truth[..lanes / GROUP].iter().zip(groups) {
        *out = std::array::from_fn(|lane| (word >> lane & 1) as i32);
    }
}

/// Compares 16-bit lanes: `$b` gives the right operand of the vector at `$place`. It is a macro so that the comparison
/// is chosen outside the loop.
macro_rules! compared {
    ($l:expr, $comparison:expr, $a:expr, |$place:ident| $b:expr, $out:expr) => {{
        let l = $l;
        macro_rules! each {
            ($negated:expr, |$x:ident, $y:ident| $mask:expr) => {{
                let groups = $a.as_chunks::<GROUP>().0;
                for (group, (out, a)) in $out.iter_mut().zip(groups).enumerate() {
                    let a = a.as_chunks::<WIDTH>().0;
                    let low = {
                        let $place = 2 * group;
                        let ($x, $y) = (l.load_signed(&a[0]), $b);
                        $mask
                    };
                    let high = {
                        let $place = 2 * group + 1;
                        let ($x, $y) = (l.load_signed(&a[1]), $b);
                        $mask
                    };
                    let bits = l.bits([low, high]);
                    *out = if $negated { !bits } else { bits };
                }
            }};
        }
        // There are two instructions; the other comparisons exchange the operands or negate the result.
        match $comparison {
            Comparison::Equal => each!(false, |x, y| l.equal(x, y)),
            Comparison::NotEqual => each!(true, |x, y| l.equal(x, y)),
            Comparison::Greater => each!(false, |x, y| l.greater(x, y)),
            Comparison::LessEqual => each!(true, |x, y| l.greater(x, y)),
            Comparison::Less => each!(false, |x, y| l.greater(y, x)),
            Comparison::GreaterEqual => each!(true, |x, y| l.greater(y, x)),
        }
    }};
}

/// Sets `out[i] = comparison(a[i], b[i])` in 16-bit lanes.
#[inline(always)]
pub fn compare<L: Lanes>(
    l: L,
    comparison: Comparison,
    a: &[i16; BLOCK],
    b: &[i16; BLOCK],
    (out, groups): (&mut Bits, usize),
) {
    let b = b.as_chunks::<WIDTH>().0;
    compared!(
        l,
        comparison,
        a,
        |place| l.load_signed(&b[place]),
        out[..groups]
    );
}

/// Sets `out[i] = comparison(a[i], b)` in 16-bit lanes, for a constant `b`.
#[inline(always)]
pub fn compare_constant<L: Lanes>(
    l: L,
    comparison: Comparison,
    a: &[i16; BLOCK],
    b: i16,
    (out, groups): (&mut Bits, usize),
) {
    let b = l.splat(b as u16);
    compared!(l, comparison, a, |_place| b, out[..groups]);
}

/// Sets `out[i] = a[i] + truth[i]`, or `a[i] - truth[i]`, in 16-bit lanes.
#[inline(always)]
pub fn add<L: Lanes, const MINUS: bool>(
    l: L,
    a: &[i16; BLOCK],
    truth: &Bits,
    (out, groups): (&mut [i16; BLOCK], usize),
) {
    let a = a.as_chunks::<GROUP>().0;
    let out = out.as_chunks_mut::<GROUP>().0;
    for ((&word, a), out) in truth[..groups].iter().zip(a).zip(out) {
        let (a, out) = (a.as_chunks::<WIDTH>().0, out.as_chunks_mut::<WIDTH>().0);
        for half in 0..2 {
            // A mask of all ones is -1 as a number.
            let mask = l.spread((word >> (WIDTH * half)) as u16);
            let a = l.load_signed(&a[half]);
            let sum = if MINUS {
                l.add(a, mask)
            } else {
                l.sub(a, mask)
            };
            l.store(sum, &mut out[half]);
        }
    }
}

/// Converts truth values to the numbers 0 and 1 in 16-bit lanes.
#[inline(always)]
pub fn numbers<L: Lanes>(l: L, truth: &Bits, (out, groups): (&mut [i16; BLOCK], usize)) {
    let out = out.as_chunks_mut::<GROUP>().0;
    for (&word, out) in truth[..groups].iter().zip(out) {
        for (half, out) in out.as_chunks_mut::<WIDTH>().0.iter_mut().enumerate() {
            let mask = l.spread((word >> (WIDTH * half)) as u16);
            l.store(l.and(mask, l.splat(1)), out);
        }
    }
}

/// Sets `out[i] = truth[i] ? a[i] : b[i]` in 16-bit lanes.
#[inline(always)]
pub fn select<L: Lanes>(
    l: L,
    truth: &Bits,
    [a, b]: [&[i16; BLOCK]; 2],
    (out, groups): (&mut [i16; BLOCK], usize),
) {
    let [a, b] = [a, b].map(|values| values.as_chunks::<WIDTH>().0);
    let out = out.as_chunks_mut::<WIDTH>().0;
    for (group, &word) in truth[..groups].iter().enumerate() {
        for half in 0..2 {
            let (place, none) = (2 * group + half, !((word >> (WIDTH * half)) as u16));
            let yes = l.and(l.load_signed(&a[place]), l.spread(!none));
            let no = l.and(l.load_signed(&b[place]), l.spread(none));
            l.store(l.or(yes, no), &mut out[place]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::column::GROUPS;
    use crate::batch::lanes::{Plain, avx2_on};
    use shuffle::ShufflePath;

    #[test]
    fn words_begin_with_the_lowest_bit() {
        assert_eq!(
            word(|lane| u8::from([0, 1, 31].contains(&lane))),
            0x8000_0003
        );
    }

    #[test]
    fn comparisons_and_choices_of_wide_numbers_follow_their_definitions() {
        let a: [i32; BLOCK] = std::array::from_fn(|i| i as i32 % 7 - 3);
        let b: [i32; BLOCK] = std::array::from_fn(|i| i as i32 % 5 - 2);
        let (mut bits, mut numbers, mut chosen) = ([0; GROUPS], [0; BLOCK], [0; BLOCK]);
        for comparison in [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessEqual,
            Comparison::Greater,
            Comparison::GreaterEqual,
        ] {
            compare_wide(comparison, &a, &b, &mut bits, BLOCK);
            spread_wide(&bits, &mut numbers, BLOCK);
            select_wide(&bits, &a, &b, &mut chosen, BLOCK);
            for i in 0..BLOCK {
                let holds = comparison.holds(a[i], b[i]);
                assert_eq!(numbers[i], i32::from(holds));
                assert_eq!(chosen[i], if holds { a[i] } else { b[i] });
            }
            compare_constant_wide(comparison, &a, 1, &mut bits, BLOCK);
            spread_wide(&bits, &mut numbers, BLOCK);
            assert!((0..BLOCK).all(|i| numbers[i] == i32::from(comparison.holds(a[i], 1))));
        }
    }

    /// Returns 16-bit numbers with many equal pairs and the extremes.
    fn numbers_like(seed: usize) -> [i16; BLOCK] {
        std::array::from_fn(|i| match (i * 31 + seed * 17) % 11 {
            0 => i16::MIN,
            1 => i16::MAX,
            k => k as i16 - 5,
        })
    }

    /// Applies every operation on 16-bit lanes.
    fn on<L: Lanes>(
        l: L,
        comparison: Comparison,
        [a, b]: [&[i16; BLOCK]; 2],
        [pair, constant]: &mut [&mut Bits; 2],
        [chosen, ones, sum]: [&mut [i16; BLOCK]; 3],
    ) {
        compare(l, comparison, a, b, (pair, 32));
        compare_constant(l, comparison, a, -2, (constant, 32));
        select(l, pair, [a, b], (chosen, 32));
        numbers(l, pair, (ones, 32));
        add::<L, false>(l, a, pair, (sum, 32));
        let more = *sum;
        add::<L, true>(l, &more, pair, (sum, 32));
        add::<L, false>(l, &sum.clone(), pair, (sum, 32));
    }

    #[test]
    fn comparisons_and_choices_of_short_numbers_follow_their_definitions() {
        let (a, b) = (numbers_like(1), numbers_like(4));
        for path in [ShufflePath::Avx2, ShufflePath::Portable] {
            for comparison in [
                Comparison::Equal,
                Comparison::NotEqual,
                Comparison::Less,
                Comparison::LessEqual,
                Comparison::Greater,
                Comparison::GreaterEqual,
            ] {
                let (mut pair, mut constant) = ([0; BLOCK / GROUP], [0; BLOCK / GROUP]);
                let mut out = [[0; BLOCK]; 3];
                let [chosen, ones, sum] = &mut out;
                let mut both = [&mut pair, &mut constant];
                match avx2_on(path) {
                    Some(l) => on(l, comparison, [&a, &b], &mut both, [chosen, ones, sum]),
                    None => on(Plain, comparison, [&a, &b], &mut both, [chosen, ones, sum]),
                }
                for i in 0..BLOCK {
                    let holds = comparison.holds(a[i], b[i]);
                    assert_eq!(pair[i / GROUP] >> (i % GROUP) & 1 == 1, holds);
                    let to_constant = constant[i / GROUP] >> (i % GROUP) & 1 == 1;
                    assert_eq!(to_constant, comparison.holds(a[i], -2));
                    assert_eq!(out[0][i], if holds { a[i] } else { b[i] });
                    assert_eq!(out[1][i], i16::from(holds));
                    assert_eq!(out[2][i], a[i].wrapping_add(i16::from(holds)));
                }
            }
        }
    }
}
