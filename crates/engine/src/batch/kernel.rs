//! Computes one column. Compiled twice from the same source: for the base instruction set and for AVX2.

use cards::{CardSet, Holding};
use shuffle::{Group, Path};

use super::column::{
    BLOCK, Column, GROUP, compare, compare_constant, map, quotient_short, quotient_wide, select,
    zip,
};
use super::compile::{ColumnId, Operation, Recipe};
use super::feature;
#[cfg(target_arch = "x86_64")]
use super::lanes::avx2_on;
use super::lanes::{Lanes, Plain};

/// The deals being looked at: their planes and which lanes still count.
pub(super) struct Deals<'a> {
    pub groups: &'a [Group],
    pub active: &'a [u32],
}

impl Deals<'_> {
    /// Lanes to compute, whole groups.
    fn count(&self) -> usize {
        self.groups.len() * GROUP
    }
}

/// Columns of intermediate widths.
pub(super) struct Scratch {
    truth: [Box<[u8; BLOCK]>; 2],
    short: [Box<[i16; BLOCK]>; 2],
    wide: [Box<[i32; BLOCK]>; 2],
}

impl Scratch {
    pub fn new() -> Self {
        Scratch {
            truth: [Box::new([0; BLOCK]), Box::new([0; BLOCK])],
            short: [Box::new([0; BLOCK]), Box::new([0; BLOCK])],
            wide: [Box::new([0; BLOCK]), Box::new([0; BLOCK])],
        }
    }
}

/// Computes the column of `recipe` into `out`, on the given path.
pub(super) fn compute(
    path: Path,
    recipe: &Recipe,
    view: &Deals<'_>,
    columns: &[Column],
    scratch: &mut Scratch,
    out: &mut Column,
) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2_on(path) {
        // SAFETY: the value of `Avx2` says that the processor has it.
        unsafe { compute_avx2(avx2, recipe, view, columns, scratch, out) };
        return;
    }
    let _ = path;
    compute_on(Plain, recipe, view, columns, scratch, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn compute_avx2(
    avx2: cpu::Avx2,
    recipe: &Recipe,
    view: &Deals<'_>,
    columns: &[Column],
    scratch: &mut Scratch,
    out: &mut Column,
) {
    compute_on(avx2, recipe, view, columns, scratch, out);
}

#[inline(always)]
fn compute_on<L: Lanes>(
    lanes: L,
    recipe: &Recipe,
    view: &Deals<'_>,
    columns: &[Column],
    scratch: &mut Scratch,
    out: &mut Column,
) {
    match out {
        Column::Truth(out) => truth(lanes, &recipe.operation, view, columns, scratch, out),
        Column::Short(out) => short(lanes, &recipe.operation, view, columns, scratch, out),
        Column::Wide(out) => wide(&recipe.operation, view, columns, scratch, out),
        Column::Absent => {}
    }
}

/// Operations whose result is 0 or 1.
#[inline(always)]
fn truth<L: Lanes>(
    l: L,
    operation: &Operation,
    view: &Deals<'_>,
    columns: &[Column],
    scratch: &mut Scratch,
    out: &mut [u8; BLOCK],
) {
    let n = view.count();
    match operation {
        Operation::HasCard { suit, rank, seat } => {
            feature::has_card(l, view.groups, (suit.index(), *rank), seat.index(), out);
        }
        Operation::Shape { key, members } => {
            if let Column::Short(keys) = &columns[*key] {
                for (out, key) in out[..n].iter_mut().zip(&keys[..n]) {
                    *out = members[(*key & 0xfff) as usize];
                }
            }
        }
        Operation::Not(x) => match &columns[*x] {
            Column::Truth(x) => map(x, out, n, |x| x ^ 1),
            Column::Short(x) => map(x, out, n, |x| u8::from(x == 0)),
            Column::Wide(x) => map(x, out, n, |x| u8::from(x == 0)),
            Column::Absent => {}
        },
        Operation::And(terms) => {
            out[..n].fill(1);
            for &term in terms {
                combine(&columns[term], out, n, |a, b| a & b);
            }
        }
        Operation::Or(terms) => {
            out[..n].fill(0);
            for &term in terms {
                combine(&columns[term], out, n, |a, b| a | b);
            }
        }
        Operation::Compare(comparison, a, b) => {
            let (a, b) = (&columns[*a], &columns[*b]);
            if let (Column::Wide(_), _) | (_, Column::Wide(_)) = (a, b) {
                let [left, right] = &mut scratch.wide;
                compare(
                    *comparison,
                    to_wide(a, left, n),
                    to_wide(b, right, n),
                    out,
                    n,
                );
            } else {
                let [left, right] = &mut scratch.short;
                compare(
                    *comparison,
                    to_short(a, left, n),
                    to_short(b, right, n),
                    out,
                    n,
                );
            }
        }
        Operation::CompareConstant(comparison, a, b) => {
            let a = &columns[*a];
            match i16::try_from(*b) {
                Ok(b) if !matches!(a, Column::Wide(_)) => {
                    compare_constant(
                        *comparison,
                        to_short(a, &mut scratch.short[0], n),
                        b,
                        out,
                        n,
                    );
                }
                _ => compare_constant(*comparison, to_wide(a, &mut scratch.wide[0], n), *b, out, n),
            }
        }
        // These have wider results; `compile` gives them a wider column.
        Operation::Constant(..)
        | Operation::Length(..)
        | Operation::Count { .. }
        | Operation::Losers { .. }
        | Operation::Table { .. }
        | Operation::ShapeKey(..)
        | Operation::Cccc { .. }
        | Operation::Estimate { .. }
        | Operation::Score { .. }
        | Operation::Imps { .. }
        | Operation::Negate(..)
        | Operation::Abs(..)
        | Operation::Add(..)
        | Operation::Subtract(..)
        | Operation::Multiply(..)
        | Operation::Divide(..)
        | Operation::Remainder(..)
        | Operation::Choose { .. } => {
            debug_assert!(false, "an operation of another width");
        }
    }
}

/// Folds the truth of a column into `out`.
#[inline(always)]
fn combine(term: &Column, out: &mut [u8; BLOCK], n: usize, f: impl Fn(u8, u8) -> u8) {
    match term {
        Column::Truth(x) => x[..n]
            .iter()
            .zip(&mut out[..n])
            .for_each(|(x, o)| *o = f(*o, *x)),
        Column::Short(x) => {
            x[..n]
                .iter()
                .zip(&mut out[..n])
                .for_each(|(x, o)| *o = f(*o, u8::from(*x != 0)));
        }
        Column::Wide(x) => {
            x[..n]
                .iter()
                .zip(&mut out[..n])
                .for_each(|(x, o)| *o = f(*o, u8::from(*x != 0)));
        }
        Column::Absent => {}
    }
}

/// Operations in 16-bit lanes: the plan's intervals say that nothing overflows.
#[inline(always)]
fn short<L: Lanes>(
    l: L,
    operation: &Operation,
    view: &Deals<'_>,
    columns: &[Column],
    scratch: &mut Scratch,
    out: &mut [i16; BLOCK],
) {
    let n = view.count();
    let groups = view.groups;
    let [left, right] = &mut scratch.short;
    let mut pair = |a: ColumnId, b: ColumnId, f: fn(i16, i16) -> i16| {
        let (a, b) = (
            to_short(&columns[a], left, n),
            to_short(&columns[b], right, n),
        );
        zip(a, b, out, n, f);
    };
    match operation {
        Operation::Add(a, b) => pair(*a, *b, i16::wrapping_add),
        Operation::Subtract(a, b) => pair(*a, *b, i16::wrapping_sub),
        Operation::Multiply(a, b) => pair(*a, *b, i16::wrapping_mul),
        Operation::Divide(a, b) => pair(*a, *b, quotient_short),
        Operation::Remainder(a, b) => pair(*a, *b, |a, b| {
            a.wrapping_sub(quotient_short(a, b).wrapping_mul(b))
        }),
        Operation::Constant(value) => out.fill(*value as i16),
        Operation::Length(suit, seat) => {
            feature::length(l, groups, suit.index(), seat.index(), out)
        }
        Operation::Count {
            counter,
            suit: Some(suit),
            seat,
        } => {
            counter.suit(l, groups, suit.index(), seat.index(), out);
        }
        Operation::Count {
            counter,
            suit: None,
            seat,
        } => counter.hand(l, groups, seat.index(), out),
        Operation::Losers {
            suit: Some(suit),
            seat,
        } => {
            feature::losers_suit(l, groups, suit.index(), seat.index(), out);
        }
        Operation::Losers { suit: None, seat } => {
            feature::losers_hand(l, groups, seat.index(), out)
        }
        Operation::ShapeKey(seat) => feature::shape_key(l, groups, seat.index(), out),
        Operation::Negate(x) => map(to_short(&columns[*x], left, n), out, n, i16::wrapping_neg),
        Operation::Abs(x) => map(to_short(&columns[*x], left, n), out, n, i16::wrapping_abs),
        Operation::Choose { test, yes, no } => {
            let (yes, no) = (
                to_short(&columns[*yes], left, n),
                to_short(&columns[*no], right, n),
            );
            select(
                to_truth(&columns[*test], &mut scratch.truth[0], n),
                yes,
                no,
                out,
                n,
            );
        }
        other => by_lane(other, view, columns, |lane, value| out[lane] = value as i16),
    }
}

/// Operations in 32-bit lanes, wrapping as the language does.
#[inline(always)]
fn wide(
    operation: &Operation,
    view: &Deals<'_>,
    columns: &[Column],
    scratch: &mut Scratch,
    out: &mut [i32; BLOCK],
) {
    let n = view.count();
    let [left, right] = &mut scratch.wide;
    let mut pair = |a: ColumnId, b: ColumnId, f: fn(i32, i32) -> i32| {
        let (a, b) = (
            to_wide(&columns[a], left, n),
            to_wide(&columns[b], right, n),
        );
        zip(a, b, out, n, f);
    };
    match operation {
        Operation::Add(a, b) => pair(*a, *b, i32::wrapping_add),
        Operation::Subtract(a, b) => pair(*a, *b, i32::wrapping_sub),
        Operation::Multiply(a, b) => pair(*a, *b, i32::wrapping_mul),
        Operation::Divide(a, b) => pair(*a, *b, quotient_wide),
        Operation::Remainder(a, b) => pair(*a, *b, |a, b| {
            a.wrapping_sub(quotient_wide(a, b).wrapping_mul(b))
        }),
        Operation::Constant(value) => out.fill(*value),
        Operation::Negate(x) => map(to_wide(&columns[*x], left, n), out, n, i32::wrapping_neg),
        Operation::Abs(x) => map(to_wide(&columns[*x], left, n), out, n, i32::wrapping_abs),
        Operation::Choose { test, yes, no } => {
            let (yes, no) = (
                to_wide(&columns[*yes], left, n),
                to_wide(&columns[*no], right, n),
            );
            select(
                to_truth(&columns[*test], &mut scratch.truth[0], n),
                yes,
                no,
                out,
                n,
            );
        }
        other => by_lane(other, view, columns, |lane, value| out[lane] = value),
    }
}

/// Operations that look something up, for the lanes that still count.
#[inline(always)]
fn by_lane(
    operation: &Operation,
    view: &Deals<'_>,
    columns: &[Column],
    mut put: impl FnMut(usize, i32),
) {
    let (groups, active) = (view.groups, view.active);
    match operation {
        Operation::Table {
            table,
            suit: Some(suit),
            seat,
        } => {
            feature::table_suit(groups, suit.index(), seat.index(), table, active, put);
        }
        Operation::Table {
            table,
            suit: None,
            seat,
        } => {
            feature::table_hand(groups, seat.index(), table, active, put);
        }
        Operation::Cccc { seat, dialect } => feature::for_active(active, |group, lane| {
            let planes = &groups[group].planes;
            let hand = CardSet::from_holdings(std::array::from_fn(|suit| {
                Holding(planes[suit][seat.index()][lane])
            }));
            put(group * GROUP + lane, valuation::cccc(hand, *dialect));
        }),
        Operation::Estimate { side, strain } => feature::for_active(active, |group, lane| {
            let planes = &groups[group].planes;
            let holdings =
                std::array::from_fn(|suit| std::array::from_fn(|seat| planes[suit][seat][lane]));
            let tricks = solver::estimate::of_holdings(&holdings, *side, *strain);
            put(group * GROUP + lane, tricks);
        }),
        Operation::Score {
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
        Operation::Imps { imps, difference } => feature::for_active(active, |group, lane| {
            let lane = group * GROUP + lane;
            put(lane, imps(columns[*difference].get(lane)));
        }),
        // These are computed for whole columns by the callers.
        Operation::Constant(..)
        | Operation::Length(..)
        | Operation::Count { .. }
        | Operation::Losers { .. }
        | Operation::HasCard { .. }
        | Operation::ShapeKey(..)
        | Operation::Shape { .. }
        | Operation::Not(..)
        | Operation::Negate(..)
        | Operation::Abs(..)
        | Operation::Add(..)
        | Operation::Subtract(..)
        | Operation::Multiply(..)
        | Operation::Divide(..)
        | Operation::Remainder(..)
        | Operation::Compare(..)
        | Operation::CompareConstant(..)
        | Operation::And(..)
        | Operation::Or(..)
        | Operation::Choose { .. } => {
            debug_assert!(false, "an operation of another width");
        }
    }
}

#[inline(always)]
fn to_truth<'a>(column: &'a Column, scratch: &'a mut [u8; BLOCK], lanes: usize) -> &'a [u8; BLOCK] {
    match column {
        Column::Truth(x) => return x,
        Column::Short(x) => map(x, scratch, lanes, |x| u8::from(x != 0)),
        Column::Wide(x) => map(x, scratch, lanes, |x| u8::from(x != 0)),
        Column::Absent => {}
    }
    scratch
}

#[inline(always)]
fn to_short<'a>(
    column: &'a Column,
    scratch: &'a mut [i16; BLOCK],
    lanes: usize,
) -> &'a [i16; BLOCK] {
    match column {
        Column::Short(x) => return x,
        Column::Truth(x) => map(x, scratch, lanes, i16::from),
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
        Column::Truth(x) => map(x, scratch, lanes, i32::from),
        Column::Short(x) => map(x, scratch, lanes, i32::from),
        Column::Absent => {}
    }
    scratch
}

/// Sum and sum of squares of 16-bit values that stay within `reach`.
pub(super) fn sums(path: Path, values: &[i16], reach: u32) -> (i64, u64) {
    #[cfg(target_arch = "x86_64")]
    if avx2_on(path).is_some() {
        // SAFETY: the value of `Avx2` says that the processor has it.
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

/// 1024 squares of numbers up to this fit 31 bits.
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

/// The same for the active lanes of a column.
pub(super) fn sums_active(
    path: Path,
    values: &[i16; BLOCK],
    active: &[u32; BLOCK / GROUP],
    reach: u32,
) -> (i64, u64) {
    #[cfg(target_arch = "x86_64")]
    if avx2_on(path).is_some() {
        // SAFETY: the value of `Avx2` says that the processor has it.
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
