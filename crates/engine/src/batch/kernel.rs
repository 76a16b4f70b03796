//! Computes one column. The code is compiled twice: for the base instruction set and for AVX2.

use cards::{CardSet, Holding};
use script::plan::Comparison;
use shuffle::{Group, ShufflePath};

use super::column::{BLOCK, Bits, Column, GROUP, GROUPS, map, quotient_short, quotient_wide, zip};
use super::feature;
#[cfg(target_arch = "x86_64")]
use super::lanes::avx2_on;
use super::lanes::{BASE, Lanes};
use super::operation::{DealFunction, NumberOperation, Operation, ShortOperation, TruthOperation};
use super::slots::Columns;
use super::truth;

/// The deals of the current view: their planes and the active lanes.
pub(super) struct Deals<'a> {
    pub groups: &'a [Group],
    pub active: &'a [u32],
}

impl Deals<'_> {
    /// Returns the number of lanes to compute, whole groups.
    fn count(&self) -> usize {
        self.groups.len() * GROUP
    }
}

/// Buffers for operands converted to another width.
pub(super) struct Scratch {
    truth: Box<Bits>,
    short: [Box<[i16; BLOCK]>; 2],
    wide: [Box<[i32; BLOCK]>; 2],
}

impl Scratch {
    pub fn new() -> Self {
        Scratch {
            truth: Box::new([0; GROUPS]),
            short: [Box::new([0; BLOCK]), Box::new([0; BLOCK])],
            wide: [Box::new([0; BLOCK]), Box::new([0; BLOCK])],
        }
    }
}

/// Computes the column of `operation` into `out`, on the given path.
pub(super) fn compute(
    path: ShufflePath,
    operation: &Operation,
    view: &Deals<'_>,
    columns: &Columns<'_>,
    scratch: &mut Scratch,
    out: &mut Column,
) {
    #[cfg(target_arch = "x86_64")]
    let avx2 = avx2_on(path);
    let _ = path;
    /// Calls the AVX2 version of a kernel if the processor has AVX2, else the portable one.
    macro_rules! call {
        ($avx2:ident, $plain:ident, $operation:expr, $out:expr) => {{
            #[cfg(target_arch = "x86_64")]
            if let Some(avx2) = avx2 {
                // SAFETY: a value of type `Avx2` proves that the processor has AVX2.
                unsafe { $avx2(avx2, $operation, view, columns, scratch, $out) };
                return;
            }
            $plain(BASE, $operation, view, columns, scratch, $out)
        }};
    }
    match (operation, out) {
        (Operation::Truth(operation), Column::Truth(out)) => call!(bits_avx2, bits, operation, out),
        (Operation::Short(operation), Column::Short(out)) => {
            call!(short_avx2, short, operation, out);
        }
        (Operation::Wide(operation), Column::Wide(out)) => call!(wide_avx2, wide, operation, out),
        _ => unreachable!("a computed column has a slot of its operation's width"),
    }
}

/// Defines a function compiled for AVX2. There is one for each width, because a larger function is not inlined fully.
macro_rules! for_avx2 {
    ($name:ident, $on:ident, $operation:ty, $out:ty) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $name(
            avx2: cpu::Avx2,
            operation: &$operation,
            view: &Deals<'_>,
            columns: &Columns<'_>,
            scratch: &mut Scratch,
            out: &mut $out,
        ) {
            $on(avx2, operation, view, columns, scratch, out);
        }
    };
}

for_avx2!(bits_avx2, bits, TruthOperation, Bits);
for_avx2!(short_avx2, short, ShortOperation, [i16; BLOCK]);
for_avx2!(wide_avx2, wide, NumberOperation, [i32; BLOCK]);

/// Computes truth values.
#[inline(always)]
fn bits<L: Lanes>(
    l: L,
    operation: &TruthOperation,
    view: &Deals<'_>,
    columns: &Columns<'_>,
    scratch: &mut Scratch,
    out: &mut Bits,
) {
    let n = view.count();
    let groups = view.groups.len();
    match operation {
        TruthOperation::HasCard { suit, rank, seat } => {
            feature::has_card(l, view.groups, (suit.index(), *rank), seat.index(), out);
        }
        TruthOperation::Shape { key, members } => {
            if let Column::Short(keys) = &columns[*key] {
                let keys = keys.as_chunks::<GROUP>().0;
                for (out, keys) in out[..groups].iter_mut().zip(keys) {
                    *out = truth::word(|lane| members[(keys[lane] & 0xfff) as usize]);
                }
            }
        }
        TruthOperation::Not(x) => match &columns[*x] {
            Column::Truth(x) => {
                for (out, x) in out[..groups].iter_mut().zip(&x[..groups]) {
                    *out = !x;
                }
            }
            Column::Short(x) => {
                truth::compare_constant(l, Comparison::Equal, x, 0, (out, groups));
            }
            Column::Wide(x) => truth::test(x, out, n, |x| x == 0),
            Column::Absent => {}
        },
        TruthOperation::And(terms) => {
            out[..groups].fill(u32::MAX);
            for &term in terms {
                let term = to_truth(l, &columns[term], &mut scratch.truth, groups);
                for (out, term) in out[..groups].iter_mut().zip(&term[..groups]) {
                    *out &= term;
                }
            }
        }
        TruthOperation::Or(terms) => {
            out[..groups].fill(0);
            for &term in terms {
                let term = to_truth(l, &columns[term], &mut scratch.truth, groups);
                for (out, term) in out[..groups].iter_mut().zip(&term[..groups]) {
                    *out |= term;
                }
            }
        }
        TruthOperation::Compare(comparison, a, b) => {
            let (a, b) = (&columns[*a], &columns[*b]);
            if let (Column::Wide(_), _) | (_, Column::Wide(_)) = (a, b) {
                let [left, right] = &mut scratch.wide;
                let (a, b) = (to_wide(a, left, n), to_wide(b, right, n));
                truth::compare_wide(*comparison, a, b, out, n);
            } else {
                let [left, right] = &mut scratch.short;
                let (a, b) = (to_short(l, a, left, n), to_short(l, b, right, n));
                truth::compare(l, *comparison, a, b, (out, groups));
            }
        }
        TruthOperation::CompareConstant(comparison, a, b) => {
            let a = &columns[*a];
            match i16::try_from(*b) {
                Ok(b) if !matches!(a, Column::Wide(_)) => {
                    let a = to_short(l, a, &mut scratch.short[0], n);
                    truth::compare_constant(l, *comparison, a, b, (out, groups));
                }
                _ => {
                    let a = to_wide(a, &mut scratch.wide[0], n);
                    truth::compare_constant_wide(*comparison, a, *b, out, n);
                }
            }
        }
    }
}

/// Computes operations in 16-bit lanes. The intervals of the plan guarantee that nothing overflows.
#[inline(always)]
fn short<L: Lanes>(
    l: L,
    operation: &ShortOperation,
    view: &Deals<'_>,
    columns: &Columns<'_>,
    scratch: &mut Scratch,
    out: &mut [i16; BLOCK],
) {
    let n = view.count();
    let groups = view.groups;
    let [left, right] = &mut scratch.short;
    macro_rules! pair {
        ($a:expr, $b:expr, $f:expr) => {{
            let a = to_short(l, &columns[*$a], left, n);
            let b = to_short(l, &columns[*$b], right, n);
            zip(a, b, out, n, $f);
        }};
    }
    let operation = match operation {
        ShortOperation::Length(suit, seat) => {
            return feature::length(l, groups, suit.index(), seat.index(), out);
        }
        ShortOperation::Count {
            counter,
            suit: Some(suit),
            seat,
        } => return counter.suit(l, groups, suit.index(), seat.index(), out),
        ShortOperation::Count {
            counter,
            suit: None,
            seat,
        } => return counter.hand(l, groups, seat.index(), out),
        ShortOperation::Losers {
            suit: Some(suit),
            seat,
        } => return feature::losers_suit(l, groups, suit.index(), seat.index(), out),
        ShortOperation::Losers { suit: None, seat } => {
            return feature::losers_hand(l, groups, seat.index(), out);
        }
        ShortOperation::ShapeKey(seat) => {
            return feature::shape_key(l, groups, seat.index(), out);
        }
        ShortOperation::Number(operation) => operation,
    };
    match operation {
        // Sums of truth values are the most frequent sums: they are added without a conversion to numbers.
        NumberOperation::Add(a, b) => match (&columns[*a], &columns[*b]) {
            (Column::Short(number), Column::Truth(truth))
            | (Column::Truth(truth), Column::Short(number)) => {
                truth::add::<L, false>(l, number, truth, (out, groups.len()));
            }
            _ => pair!(a, b, i16::wrapping_add),
        },
        NumberOperation::Subtract(a, b) => match (&columns[*a], &columns[*b]) {
            (Column::Short(number), Column::Truth(truth)) => {
                truth::add::<L, true>(l, number, truth, (out, groups.len()));
            }
            _ => pair!(a, b, i16::wrapping_sub),
        },
        NumberOperation::Multiply(a, b) => pair!(a, b, i16::wrapping_mul),
        NumberOperation::Divide(a, b) => pair!(a, b, quotient_short),
        NumberOperation::Remainder(a, b) => pair!(a, b, |a: i16, b: i16| {
            a.wrapping_sub(quotient_short(a, b).wrapping_mul(b))
        }),
        NumberOperation::Negate(x) => map(
            to_short(l, &columns[*x], left, n),
            out,
            n,
            i16::wrapping_neg,
        ),
        NumberOperation::Abs(x) => map(
            to_short(l, &columns[*x], left, n),
            out,
            n,
            i16::wrapping_abs,
        ),
        NumberOperation::Choose { test, yes, no } => {
            let (yes, no) = (
                to_short(l, &columns[*yes], left, n),
                to_short(l, &columns[*no], right, n),
            );
            let test = to_truth(l, &columns[*test], &mut scratch.truth, groups.len());
            truth::select(l, test, [yes, no], (out, groups.len()));
        }
        NumberOperation::ByDeal(function) => {
            by_deal(function, view, columns, |lane, value| {
                out[lane] = value as i16;
            });
        }
    }
}

/// Computes operations in 32-bit lanes, with the wrap-around of the language.
#[inline(always)]
fn wide<L: Lanes>(
    l: L,
    operation: &NumberOperation,
    view: &Deals<'_>,
    columns: &Columns<'_>,
    scratch: &mut Scratch,
    out: &mut [i32; BLOCK],
) {
    let n = view.count();
    let [left, right] = &mut scratch.wide;
    macro_rules! pair {
        ($a:expr, $b:expr, $f:expr) => {{
            let a = to_wide(&columns[*$a], left, n);
            let b = to_wide(&columns[*$b], right, n);
            zip(a, b, out, n, $f);
        }};
    }
    match operation {
        NumberOperation::Add(a, b) => pair!(a, b, i32::wrapping_add),
        NumberOperation::Subtract(a, b) => pair!(a, b, i32::wrapping_sub),
        NumberOperation::Multiply(a, b) => pair!(a, b, i32::wrapping_mul),
        NumberOperation::Divide(a, b) => pair!(a, b, quotient_wide),
        NumberOperation::Remainder(a, b) => pair!(a, b, |a: i32, b: i32| {
            a.wrapping_sub(quotient_wide(a, b).wrapping_mul(b))
        }),
        NumberOperation::Negate(x) => {
            map(to_wide(&columns[*x], left, n), out, n, i32::wrapping_neg)
        }
        NumberOperation::Abs(x) => map(to_wide(&columns[*x], left, n), out, n, i32::wrapping_abs),
        NumberOperation::Choose { test, yes, no } => {
            let (yes, no) = (
                to_wide(&columns[*yes], left, n),
                to_wide(&columns[*no], right, n),
            );
            let test = to_truth(l, &columns[*test], &mut scratch.truth, n / GROUP);
            truth::select_wide(test, yes, no, out, n);
        }
        NumberOperation::ByDeal(function) => {
            by_deal(function, view, columns, |lane, value| out[lane] = value);
        }
    }
}

/// Computes a function of each deal, for the active lanes.
#[inline(always)]
fn by_deal(
    function: &DealFunction,
    view: &Deals<'_>,
    columns: &Columns<'_>,
    mut put: impl FnMut(usize, i32),
) {
    let (groups, active) = (view.groups, view.active);
    match function {
        DealFunction::Table {
            table,
            suit: Some(suit),
            seat,
        } => {
            feature::table_suit(groups, suit.index(), seat.index(), table, active, put);
        }
        DealFunction::Table {
            table,
            suit: None,
            seat,
        } => {
            feature::table_hand(groups, seat.index(), table, active, put);
        }
        DealFunction::Hand {
            seat,
            value,
            dialect,
        } => feature::for_active(active, |group, lane| {
            let planes = &groups[group].planes;
            let hand = CardSet::from_holdings(std::array::from_fn(|suit| {
                Holding(planes[suit][seat.index()][lane])
            }));
            put(group * GROUP + lane, value(hand, *dialect));
        }),
        DealFunction::Estimate { side, strain } => feature::for_active(active, |group, lane| {
            let planes = &groups[group].planes;
            let holdings =
                std::array::from_fn(|suit| std::array::from_fn(|seat| planes[suit][seat][lane]));
            let tricks = solver::estimate::estimate_holdings(&holdings, *side, *strain);
            put(group * GROUP + lane, tricks);
        }),
        DealFunction::Score {
            contract,
            vulnerable,
            tricks,
        } => {
            feature::for_active(active, |group, lane| {
                let lane = group * GROUP + lane;
                put(
                    lane,
                    contract.score(*vulnerable, columns[*tricks].get(lane)),
                );
            });
        }
        DealFunction::Imps { imps, difference } => feature::for_active(active, |group, lane| {
            let lane = group * GROUP + lane;
            put(lane, imps(columns[*difference].get(lane)));
        }),
    }
}

#[inline(always)]
fn to_truth<'a, L: Lanes>(
    l: L,
    column: &'a Column,
    scratch: &'a mut Bits,
    groups: usize,
) -> &'a Bits {
    match column {
        Column::Truth(x) => return x,
        Column::Short(x) => {
            truth::compare_constant(l, Comparison::NotEqual, x, 0, (&mut *scratch, groups));
        }
        Column::Wide(x) => truth::test(x, scratch, groups * GROUP, |x| x != 0),
        Column::Absent => {}
    }
    scratch
}

#[inline(always)]
fn to_short<'a, L: Lanes>(
    l: L,
    column: &'a Column,
    scratch: &'a mut [i16; BLOCK],
    lanes: usize,
) -> &'a [i16; BLOCK] {
    match column {
        Column::Short(x) => return x,
        Column::Truth(x) => truth::numbers(l, x, (&mut *scratch, lanes / GROUP)),
        Column::Wide(x) => map(x, scratch, lanes, |x| x as i16),
        Column::Absent => {}
    }
    scratch
}

#[inline(always)]
fn to_wide<'a>(
    column: &'a Column,
    scratch: &'a mut [i32; BLOCK],
    lanes: usize,
) -> &'a [i32; BLOCK] {
    match column {
        Column::Wide(x) => return x,
        Column::Truth(x) => truth::spread_wide(x, scratch, lanes),
        Column::Short(x) => map(x, scratch, lanes, i32::from),
        Column::Absent => {}
    }
    scratch
}

/// Returns the sum and the sum of squares of 16-bit values whose absolute values are at most `reach`.
pub(super) fn sums(path: ShufflePath, values: &[i16], reach: u32) -> (i64, u64) {
    #[cfg(target_arch = "x86_64")]
    if avx2_on(path).is_some() {
        // SAFETY: a value of type `Avx2` proves that the processor has AVX2.
        return unsafe { sums_avx2(values, reach) };
    }
    let _ = path;
    sums_here(values, reach)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sums_avx2(values: &[i16], reach: u32) -> (i64, u64) {
    sums_here(values, reach)
}

/// Largest absolute value for which a sum of 1024 squares fits 31 bits.
const SMALL: u32 = 1448;

#[inline(always)]
fn sums_here(values: &[i16], reach: u32) -> (i64, u64) {
    if reach <= SMALL && values.len() <= BLOCK {
        let (mut sum, mut squares) = (0i32, 0i32);
        for &value in values {
            sum += i32::from(value);
            squares += i32::from(value) * i32::from(value);
        }
        (i64::from(sum), squares as u64)
    } else {
        let (mut sum, mut squares) = (0i64, 0u64);
        for &value in values {
            sum += i64::from(value);
            squares += (i32::from(value) * i32::from(value)) as u64;
        }
        (sum, squares)
    }
}

/// Returns the sums of [`sums`] for the active lanes of a column.
pub(super) fn sums_active(
    path: ShufflePath,
    values: &[i16; BLOCK],
    active: &[u32; BLOCK / GROUP],
    reach: u32,
) -> (i64, u64) {
    #[cfg(target_arch = "x86_64")]
    if avx2_on(path).is_some() {
        // SAFETY: a value of type `Avx2` proves that the processor has AVX2.
        return unsafe { sums_active_avx2(values, active, reach) };
    }
    let _ = path;
    sums_active_here(values, active, reach)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sums_active_avx2(
    values: &[i16; BLOCK],
    active: &[u32; BLOCK / GROUP],
    reach: u32,
) -> (i64, u64) {
    sums_active_here(values, active, reach)
}

#[inline(always)]
fn sums_active_here(
    values: &[i16; BLOCK],
    active: &[u32; BLOCK / GROUP],
    reach: u32,
) -> (i64, u64) {
    let mut kept = [0i16; GROUP];
    let (mut sum, mut squares) = (0i64, 0u64);
    for (values, &word) in values.as_chunks::<GROUP>().0.iter().zip(active) {
        for lane in 0..GROUP {
            kept[lane] = values[lane] & ((word >> lane & 1) as i16).wrapping_neg();
        }
        let (group_sum, group_squares) = sums_here(&kept, reach);
        sum += group_sum;
        squares += group_squares;
    }
    (sum, squares)
}
