//! Columns: one value per deal of a block, and the arithmetic on them.
//!
//! A node of the plan becomes one column. Its width follows from the interval of values the node can take, so
//! that ordinary conditions run in 16-bit lanes (and truth values in bytes) while any expression that could
//! leave that range is computed in 32 bits with the wrap-around the language prescribes.
//!
//! All loops here are plain Rust over slices. They are `inline(always)` so that the block interpreter, which is
//! compiled once for the base instruction set and once for AVX2, gets both versions from the same source.

/// Deals in a full block.
pub const BLOCK: usize = 1024;

/// Deals in a group, the unit of the plane layout.
pub const GROUP: usize = 32;

/// How the values of a column are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// 0 or 1, in bytes.
    Truth,
    /// Fits 16 bits.
    Short,
    /// Anything else.
    Wide,
}

/// The values of one node for every lane of the current view.
#[derive(Debug, Clone)]
pub enum Column {
    /// 0 or 1.
    Truth(Box<[u8; BLOCK]>),
    /// 16-bit values.
    Short(Box<[i16; BLOCK]>),
    /// 32-bit values.
    Wide(Box<[i32; BLOCK]>),
    /// Not computed yet, or being computed.
    Absent,
}

impl Column {
    /// An all-zero column of the given width.
    pub fn new(width: Width) -> Self {
        match width {
            Width::Truth => Column::Truth(Box::new([0; BLOCK])),
            Width::Short => Column::Short(Box::new([0; BLOCK])),
            Width::Wide => Column::Wide(Box::new([0; BLOCK])),
        }
    }

    /// The value of one lane.
    pub fn get(&self, lane: usize) -> i32 {
        match self {
            Column::Truth(v) => i32::from(v[lane]),
            Column::Short(v) => i32::from(v[lane]),
            Column::Wide(v) => v[lane],
            Column::Absent => 0,
        }
    }

    /// Stores the value of one lane; the caller chose the width so that it fits.
    pub fn set(&mut self, lane: usize, value: i32) {
        match self {
            Column::Truth(v) => v[lane] = u8::from(value != 0),
            Column::Short(v) => v[lane] = value as i16,
            Column::Wide(v) => v[lane] = value,
            Column::Absent => {}
        }
    }

    /// Sets every lane to one value.
    pub fn fill(&mut self, value: i32) {
        match self {
            Column::Truth(v) => v.fill(u8::from(value != 0)),
            Column::Short(v) => v.fill(value as i16),
            Column::Wide(v) => v.fill(value),
            Column::Absent => {}
        }
    }
}

/// A comparison of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Comparison {
    /// The comparison's value on two numbers.
    #[inline(always)]
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
            Comparison::Less => a < b,
            Comparison::LessEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterEqual => a >= b,
        }
    }

    /// The comparison that holds for `(b, a)` exactly when this one holds for `(a, b)`.
    pub fn mirrored(self) -> Self {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
            same => same,
        }
    }
}

/// `out[i] = f(a[i])` for the first `lanes` lanes.
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

/// `out[i] = f(a[i], b[i])` for the first `lanes` lanes.
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

/// `out[i] = truth[i] ? a[i] : b[i]` for the first `lanes` lanes.
#[inline(always)]
pub fn select<T: Copy>(
    truth: &[u8; BLOCK],
    a: &[T; BLOCK],
    b: &[T; BLOCK],
    out: &mut [T; BLOCK],
    lanes: usize,
) {
    for lane in 0..lanes.min(BLOCK) {
        out[lane] = if truth[lane] != 0 { a[lane] } else { b[lane] };
    }
}

/// `out[i] = (a[i] ? b[i])` as truth values.
#[inline(always)]
pub fn compare<T: Copy + PartialOrd>(
    comparison: Comparison,
    a: &[T; BLOCK],
    b: &[T; BLOCK],
    out: &mut [u8; BLOCK],
    lanes: usize,
) {
    match comparison {
        Comparison::Equal => zip(a, b, out, lanes, |a, b| u8::from(a == b)),
        Comparison::NotEqual => zip(a, b, out, lanes, |a, b| u8::from(a != b)),
        Comparison::Less => zip(a, b, out, lanes, |a, b| u8::from(a < b)),
        Comparison::LessEqual => zip(a, b, out, lanes, |a, b| u8::from(a <= b)),
        Comparison::Greater => zip(a, b, out, lanes, |a, b| u8::from(a > b)),
        Comparison::GreaterEqual => zip(a, b, out, lanes, |a, b| u8::from(a >= b)),
    }
}

/// `out[i] = (a[i] ? b)` as truth values, for a constant `b`.
#[inline(always)]
pub fn compare_constant<T: Copy + PartialOrd>(
    comparison: Comparison,
    a: &[T; BLOCK],
    b: T,
    out: &mut [u8; BLOCK],
    lanes: usize,
) {
    match comparison {
        Comparison::Equal => map(a, out, lanes, |a| u8::from(a == b)),
        Comparison::NotEqual => map(a, out, lanes, |a| u8::from(a != b)),
        Comparison::Less => map(a, out, lanes, |a| u8::from(a < b)),
        Comparison::LessEqual => map(a, out, lanes, |a| u8::from(a <= b)),
        Comparison::Greater => map(a, out, lanes, |a| u8::from(a > b)),
        Comparison::GreaterEqual => map(a, out, lanes, |a| u8::from(a >= b)),
    }
}

/// Truncating quotient of 16-bit lanes through `f32`: exact, because a quotient below 2^15 differs from the next
/// integer by at least 1/b, far more than half a unit in the 24th binary place.
#[inline(always)]
pub fn quotient_short(a: i16, b: i16) -> i16 {
    (f32::from(a) / f32::from(b)) as i32 as i16
}

/// Truncating quotient of 32-bit lanes through `f64`, exact for the same reason (53 places against 32).
#[inline(always)]
pub fn quotient_wide(a: i32, b: i32) -> i32 {
    (f64::from(a) / f64::from(b)) as i32
}

/// Packs truth values into one word per group, lane 0 in the lowest bit; lanes from `lanes` on give 0.
#[inline(always)]
pub fn pack(truth: &[u8; BLOCK], lanes: usize) -> [u32; BLOCK / GROUP] {
    let mut words = [0u32; BLOCK / GROUP];
    let groups = lanes.div_ceil(GROUP);
    for (word, bytes) in words
        .iter_mut()
        .zip(truth.as_chunks::<GROUP>().0)
        .take(groups)
    {
        let (eights, _) = bytes.as_chunks::<8>();
        for (k, eight) in eights.iter().enumerate() {
            // Multiplying eight 0/1 bytes by this constant brings byte i to bit 56 + i.
            let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            *word |= (bits as u32) << (8 * k);
        }
    }
    if !lanes.is_multiple_of(GROUP) {
        words[groups - 1] &= (1u32 << (lanes % GROUP)) - 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_puts_lane_zero_in_the_lowest_bit() {
        let mut truth = [0u8; BLOCK];
        for lane in [0, 1, 31, 32, 63, 500, 1023] {
            truth[lane] = 1;
        }
        let words = pack(&truth, BLOCK);
        assert_eq!(words[0], 0x8000_0003);
        assert_eq!(words[1], 0x8000_0001);
        assert_eq!(words[15], 1 << (500 - 480));
        assert_eq!(words[31], 1 << 31);
        assert_eq!(pack(&truth, 32)[1], 0);
        assert_eq!(pack(&truth, 33)[1], 1);
        assert_eq!(pack(&truth, 40)[1], 1);
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
