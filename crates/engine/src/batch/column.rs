//! Columns: one value per deal of a block, and arithmetic on them.
//!
//! A node of the plan becomes one column. Its width follows from the interval of values that the node can take.
//! Ordinary conditions run in 16-bit lanes (and truth values in bits). An expression that could leave that range is
//! computed in 32 bits and wraps around as the language prescribes.
//!
//! All loops here are plain Rust over slices. They are `inline(always)` so that the block interpreter, which is
//! compiled once for the base instruction set and once for AVX2, gets both versions from the same source.

/// Deals in a full block.
pub const BLOCK: usize = 1024;

/// Deals in a group, the unit of the plane layout.
pub const GROUP: usize = 32;

/// Groups in a full block.
pub const GROUPS: usize = BLOCK / GROUP;

/// Truth values: one word per group, lane 0 in the lowest bit.
pub type Bits = [u32; GROUPS];

/// How the values of a column are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// Numbers 0 and 1, one bit each.
    Truth,
    /// Numbers of 16 bits.
    Short,
    /// Numbers of 32 bits.
    Wide,
}

/// The values of one node for every lane of the current view.
#[derive(Debug, Clone)]
pub enum Column {
    /// 0 or 1.
    Truth(Box<Bits>),
    /// 16-bit values.
    Short(Box<[i16; BLOCK]>),
    /// 32-bit values.
    Wide(Box<[i32; BLOCK]>),
    /// Not computed yet, or being computed.
    Absent,
}

impl Column {
    /// Creates an all-zero column of the given width.
    pub fn new(width: Width) -> Self {
        match width {
            Width::Truth => Column::Truth(Box::new([0; GROUPS])),
            Width::Short => Column::Short(Box::new([0; BLOCK])),
            Width::Wide => Column::Wide(Box::new([0; BLOCK])),
        }
    }

    /// Returns the value of one lane.
    pub fn get(&self, lane: usize) -> i32 {
        match self {
            Column::Truth(v) => (v[lane / GROUP] >> (lane % GROUP) & 1) as i32,
            Column::Short(v) => i32::from(v[lane]),
            Column::Wide(v) => v[lane],
            Column::Absent => 0,
        }
    }

    /// Stores the value of one lane. The caller has chosen a width that the value fits.
    pub fn set(&mut self, lane: usize, value: i32) {
        match self {
            Column::Truth(v) => {
                let bit = 1 << (lane % GROUP);
                v[lane / GROUP] &= !bit;
                v[lane / GROUP] |= bit * u32::from(value != 0);
            }
            Column::Short(v) => v[lane] = value as i16,
            Column::Wide(v) => v[lane] = value,
            Column::Absent => {}
        }
    }

    /// Sets every lane to one value.
    pub fn fill(&mut self, value: i32) {
        match self {
            Column::Truth(v) => v.fill(u32::from(value != 0).wrapping_neg()),
            Column::Short(v) => v.fill(value as i16),
            Column::Wide(v) => v.fill(value),
            Column::Absent => {}
        }
    }
}

/// Sets `out[i] = f(a[i])` for the first `lanes` lanes.
#[inline(always)]
pub fn map<A: Copy, O: Copy>(
    a: &[A; BLOCK],
    out: &mut [O; BLOCK],
    lanes: usize,
    f: impl Fn(A) -> O,
) {
    for (out, a) in out[..lanes].iter_mut().zip(&a[..lanes]) {
        *out = f(*a);
    }
}

/// Sets `out[i] = f(a[i], b[i])` for the first `lanes` lanes.
#[inline(always)]
pub fn zip<A: Copy, B: Copy, O: Copy>(
    a: &[A; BLOCK],
    b: &[B; BLOCK],
    out: &mut [O; BLOCK],
    lanes: usize,
    f: impl Fn(A, B) -> O,
) {
    for ((out, a), b) in out[..lanes].iter_mut().zip(&a[..lanes]).zip(&b[..lanes]) {
        *out = f(*a, *b);
    }
}

/// Returns the truncating quotient of 16-bit lanes through `f32`: exact, because a quotient below 2^15 differs from the
/// next integer by at least 1/b, far more than half a unit in the 24th binary place.
#[inline(always)]
pub fn quotient_short(a: i16, b: i16) -> i16 {
    (f32::from(a) / f32::from(b)) as i32 as i16
}

/// Returns the truncating quotient of 32-bit lanes through `f64`, exact for the same reason (53 places against 32).
#[inline(always)]
pub fn quotient_wide(a: i32, b: i32) -> i32 {
    (f64::from(a) / f64::from(b)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_values_start_at_the_lowest_bit() {
        let mut column = Column::new(Width::Truth);
        column.set(500, 7);
        column.set(1023, 1);
        column.set(0, 1);
        column.set(0, 0);
        let Column::Truth(bits) = &column else {
            panic!("a column of truth values")
        };
        assert_eq!(
            (bits[15], bits[31], bits[0]),
            (1 << (500 - 480), 1 << 31, 0)
        );
        assert_eq!(
            [0, 499, 500, 1023].map(|lane| column.get(lane)),
            [0, 0, 1, 1]
        );
        column.fill(1);
        assert!((0..BLOCK).all(|lane| column.get(lane) == 1));
    }

    #[test]
    fn short_quotients_are_exact_everywhere() {
        for b in (-400..=400)
            .chain([-32768, -32767, -12345, 9999, 32767])
            .filter(|&b| b != 0)
        {
            for a in i16::MIN..=i16::MAX {
                if a == i16::MIN && b == -1 {
                    continue;
                }
                assert_eq!(quotient_short(a, b), a / b, "{a} / {b}");
            }
        }
    }

    #[test]
    fn wide_quotients_are_exact_at_the_edges() {
        let edge = [
            i32::MIN,
            i32::MIN + 1,
            -7,
            -1,
            0,
            1,
            2,
            6,
            7,
            i32::MAX - 1,
            i32::MAX,
        ];
        for a in edge {
            for b in edge.iter().copied().filter(|&b| b != 0) {
                if let Some(expected) = a.checked_div(b) {
                    assert_eq!(quotient_wide(a, b), expected, "{a} / {b}");
                }
            }
        }
    }
}
