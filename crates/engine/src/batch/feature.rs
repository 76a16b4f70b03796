//! Columns computed directly from the plane layout: lengths, point counts, losers, single cards.
//!
//! A holding is 13 bits in a 16-bit lane (bit = rank, deuce lowest), so most features take a few shifts, masks and
//! additions for sixteen deals at a time.

use shuffle::Group;

use super::column::{BLOCK, Bits, GROUP};
use super::lanes::{Lanes, WIDTH};

/// Returns the two halves of a plane.
#[inline(always)]
fn halves(plane: &[u16; GROUP]) -> &[[u16; WIDTH]] {
    plane.as_chunks().0
}

/// Sets `out[lane] = f(holding)` for one suit of one seat.
#[inline(always)]
fn each_holding<L: Lanes>(
    lanes: L,
    groups: &[Group],
    (suit, seat): (usize, usize),
    out: &mut [i16; BLOCK],
    f: impl Fn(L::V) -> L::V,
) {
    let out = out.as_chunks_mut::<GROUP>().0;
    for (group, out) in groups.iter().zip(out) {
        let out = out.as_chunks_mut::<WIDTH>().0;
        for (holdings, out) in halves(&group.planes[suit][seat]).iter().zip(out) {
            lanes.store(f(lanes.load(holdings)), out);
        }
    }
}

/// Sets `out[lane] = f([clubs, diamonds, hearts, spades])` for one seat.
#[inline(always)]
fn each_hand<L: Lanes>(
    lanes: L,
    groups: &[Group],
    seat: usize,
    out: &mut [i16; BLOCK],
    f: impl Fn([L::V; 4]) -> L::V,
) {
    let out = out.as_chunks_mut::<GROUP>().0;
    for (group, out) in groups.iter().zip(out) {
        let [c, d, h, s] = &group.planes;
        let hand = [
            halves(&c[seat]),
            halves(&d[seat]),
            halves(&h[seat]),
            halves(&s[seat]),
        ];
        let out = out.as_chunks_mut::<WIDTH>().0;
        for (half, out) in out.iter_mut().enumerate() {
            let [c, d, h, s] = hand;
            let suits = [&c[half], &d[half], &h[half], &s[half]];
            lanes.store(
                f([
                    lanes.load(suits[0]),
                    lanes.load(suits[1]),
                    lanes.load(suits[2]),
                    lanes.load(suits[3]),
                ]),
                out,
            );
        }
    }
}

/// Returns the number of cards by pairwise sums, since AVX2 has no population count.
#[inline(always)]
fn length_of<L: Lanes>(l: L, holding: L::V) -> L::V {
    let pairs = l.sub(holding, l.and(l.down::<1>(holding), l.splat(0x5555)));
    let twos = l.splat(0x3333);
    let fours = l.add(l.and(pairs, twos), l.and(l.down::<2>(pairs), twos));
    let eights = l.and(l.add(fours, l.down::<4>(fours)), l.splat(0x0f0f));
    l.and(l.add(eights, l.down::<8>(eights)), l.splat(0x1f))
}

/// Returns the losers of one suit: the missing cards among the `min(length, 3)` top ranks.
#[inline(always)]
fn losers_of<L: Lanes>(l: L, holding: L::V) -> L::V {
    let length = length_of(l, holding);
    let at_least = |n: u16| l.and(l.greater(length, l.splat(n - 1)), l.splat(1));
    let (one, two, three) = (at_least(1), at_least(2), at_least(3));
    let (ace, king, queen) = (
        l.down::<12>(holding),
        l.down::<11>(holding),
        l.down::<10>(holding),
    );
    let missing = l.sub(l.sub(one, ace), l.and(king, two));
    l.add(l.add(missing, two), l.sub(three, l.and(queen, three)))
}

/// Computes the lengths of one suit.
#[inline(always)]
pub fn length<L: Lanes>(l: L, groups: &[Group], suit: usize, seat: usize, out: &mut [i16; BLOCK]) {
    each_holding(l, groups, (suit, seat), out, |h| length_of(l, h));
}

/// Computes whether the seat holds a card.
#[inline(always)]
pub fn has_card<L: Lanes>(
    l: L,
    groups: &[Group],
    (suit, rank): (usize, u32),
    seat: usize,
    out: &mut Bits,
) {
    let card = l.splat(1 << rank);
    for (group, out) in groups.iter().zip(out) {
        let halves = halves(&group.planes[suit][seat]);
        let low = l.equal(l.and(l.load(&halves[0]), card), card);
        let high = l.equal(l.and(l.load(&halves[1]), card), card);
        *out = l.bits([low, high]);
    }
}

/// Computes the losers of one suit.
#[inline(always)]
pub fn losers_suit<L: Lanes>(
    l: L,
    groups: &[Group],
    suit: usize,
    seat: usize,
    out: &mut [i16; BLOCK],
) {
    each_holding(l, groups, (suit, seat), out, |h| losers_of(l, h));
}

/// Computes the losers of a hand.
#[inline(always)]
pub fn losers_hand<L: Lanes>(l: L, groups: &[Group], seat: usize, out: &mut [i16; BLOCK]) {
    each_hand(l, groups, seat, out, |[c, d, h, s]| {
        let minors = l.add(losers_of(l, c), losers_of(l, d));
        l.add(minors, l.add(losers_of(l, h), losers_of(l, s)))
    });
}

/// Computes the shape key: the lengths of spades, hearts and diamonds, four bits each.
#[inline(always)]
pub fn shape_key<L: Lanes>(l: L, groups: &[Group], seat: usize, out: &mut [i16; BLOCK]) {
    each_hand(l, groups, seat, out, |[_, diamonds, hearts, spades]| {
        let majors = l.or(
            l.up::<8>(length_of(l, spades)),
            l.up::<4>(length_of(l, hearts)),
        );
        l.or(majors, length_of(l, diamonds))
    });
}

/// A point count with 16-bit sums: for each distinct non-zero weight, the mask of the ranks with that weight.
///
/// Ranks of equal weight are counted together, so the cost is proportional to the number of different weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightCounter {
    kind: CounterKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum CounterKind {
    /// A=4 K=3 Q=2 J=1.
    Milton,
    /// A=2 K=1.
    Controls,
    /// Anything else: (mask of ranks, weight).
    Weights(Vec<(u16, i16)>),
}

impl WeightCounter {
    /// Creates a counter for the values of the 13 ranks, deuce first; `None` if a hand's sum could exceed 16 bits.
    pub fn new(values: &[i32; 13]) -> Option<Self> {
        const MILTON: [i32; 13] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4];
        const CONTROLS: [i32; 13] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2];
        let largest: i64 = values
            .iter()
            .map(|&v| i64::from(v).abs())
            .max()
            .unwrap_or(0);
        if largest * 13 > i64::from(i16::MAX) {
            return None;
        }
        let kind = if *values == MILTON {
            CounterKind::Milton
        } else if *values == CONTROLS {
            CounterKind::Controls
        } else {
            let mut weights: Vec<(u16, i16)> = Vec::new();
            for (rank, &value) in values.iter().enumerate().filter(|&(_, &v)| v != 0) {
                match weights.iter_mut().find(|(_, w)| i32::from(*w) == value) {
                    Some((mask, _)) => *mask |= 1 << rank,
                    None => weights.push((1 << rank, value as i16)),
                }
            }
            CounterKind::Weights(weights)
        };
        Some(WeightCounter { kind })
    }

    /// Computes the count of one suit.
    #[inline(always)]
    pub fn suit<L: Lanes>(
        &self,
        l: L,
        groups: &[Group],
        suit: usize,
        seat: usize,
        out: &mut [i16; BLOCK],
    ) {
        let place = (suit, seat);
        match &self.kind {
            CounterKind::Milton => each_holding(l, groups, place, out, |holding| {
                milton(l, l.down::<9>(holding))
            }),
            CounterKind::Controls => {
                each_holding(l, groups, place, out, |h| l.down::<11>(h));
            }
            CounterKind::Weights(weights) => {
                each_holding(l, groups, place, out, |h| weigh(l, weights, h));
            }
        }
    }

    /// Computes the count of a whole hand.
    #[inline(always)]
    pub fn hand<L: Lanes>(&self, l: L, groups: &[Group], seat: usize, out: &mut [i16; BLOCK]) {
        match &self.kind {
            CounterKind::Milton => each_hand(l, groups, seat, out, |suits| {
                nibble_sum(l, milton(l, honours_of(l, suits)))
            }),
            CounterKind::Controls => each_hand(l, groups, seat, out, |suits| {
                let controls = l.and(l.down::<2>(honours_of(l, suits)), l.splat(0x3333));
                nibble_sum(l, controls)
            }),
            CounterKind::Weights(weights) => {
                each_hand(l, groups, seat, out, |[c, d, h, s]| {
                    let minors = l.add(weigh(l, weights, c), weigh(l, weights, d));
                    l.add(minors, l.add(weigh(l, weights, h), weigh(l, weights, s)))
                });
            }
        }
    }
}

/// Computes Milton points in each nibble AKQJ: 8A+4K+2Q+J less 4A less K = 4A+3K+2Q+J, at most 10.
#[inline(always)]
fn milton<L: Lanes>(l: L, honours: L::V) -> L::V {
    let aces = l.and(l.down::<1>(honours), l.splat(0x4444));
    let kings = l.and(l.down::<2>(honours), l.splat(0x1111));
    l.sub(l.sub(honours, aces), kings)
}

/// Returns the weighted count of one holding.
#[inline(always)]
fn weigh<L: Lanes>(l: L, weights: &[(u16, i16)], holding: L::V) -> L::V {
    let mut sum = l.splat(0);
    for &(mask, weight) in weights {
        let cards = l.and(holding, l.splat(mask));
        let count = if mask.is_power_of_two() {
            l.and(l.greater(cards, l.splat(0)), l.splat(1))
        } else {
            length_of(l, cards)
        };
        sum = l.add(sum, l.mul(count, l.splat(weight as u16)));
    }
    sum
}

/// Packs A, K, Q and J of the four suits, four bits for each suit, the ace highest.
#[inline(always)]
fn honours_of<L: Lanes>(l: L, [clubs, diamonds, hearts, spades]: [L::V; 4]) -> L::V {
    let minors = l.or(
        l.down::<9>(clubs),
        l.and(l.down::<5>(diamonds), l.splat(0x00f0)),
    );
    let hearts = l.and(l.down::<1>(hearts), l.splat(0x0f00));
    let spades = l.and(l.up::<3>(spades), l.splat(0xf000));
    l.or(minors, l.or(hearts, spades))
}

/// Returns the sum of the four nibbles.
#[inline(always)]
fn nibble_sum<L: Lanes>(l: L, nibbles: L::V) -> L::V {
    let low = l.splat(0x0f0f);
    let bytes = l.add(l.and(nibbles, low), l.and(l.down::<4>(nibbles), low));
    l.and(l.add(bytes, l.down::<8>(bytes)), l.splat(0xff))
}

/// Sums a table over the suits of a hand, for values that only a table gives. Only `active` lanes are computed, because
/// the table costs a memory access per suit.
#[inline(always)]
pub fn table_hand(
    groups: &[Group],
    seat: usize,
    table: &[i32; 8192],
    active: &[u32],
    mut out: impl FnMut(usize, i32),
) {
    for_active(active, |group, lane| {
        let planes = &groups[group].planes;
        let values = planes
            .iter()
            .map(|suit| table[usize::from(suit[seat][lane] & 0x1fff)]);
        out(group * GROUP + lane, values.fold(0, i32::wrapping_add));
    });
}

/// Reads a table for one suit, for `active` lanes only.
#[inline(always)]
pub fn table_suit(
    groups: &[Group],
    suit: usize,
    seat: usize,
    table: &[i32; 8192],
    active: &[u32],
    mut out: impl FnMut(usize, i32),
) {
    for_active(active, |group, lane| {
        let holding = groups[group].planes[suit][seat][lane];
        out(group * GROUP + lane, table[usize::from(holding & 0x1fff)]);
    });
}

/// Calls `f(group, lane)` for every set bit.
#[inline(always)]
pub fn for_active(active: &[u32], mut f: impl FnMut(usize, usize)) {
    for (group, &word) in active.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            f(group, word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::lanes::{Plain, avx2_on};
    use shuffle::ShufflePath;

    /// Returns a view whose north spade holdings are all 8192; the other holdings are derived from them.
    fn all_holdings() -> Vec<Group> {
        let mut groups = vec![Group::EMPTY; 8192 / GROUP];
        for holding in 0..8192u32 {
            let planes = &mut groups[holding as usize / GROUP].planes;
            for (suit, step) in [1u32, 3, 5, 7].into_iter().enumerate() {
                planes[suit][0][holding as usize % GROUP] =
                    (holding.wrapping_mul(step) & 0x1fff) as u16;
            }
        }
        groups
    }

    fn plain_losers(h: u16) -> i16 {
        let n = h.count_ones().min(3);
        (0..n).filter(|k| h >> (12 - k) & 1 == 0).count() as i16
    }

    fn plain_count(h: u16, values: &[i32; 13]) -> i16 {
        (0..13)
            .map(|r| i32::from(h >> r & 1) * values[r])
            .sum::<i32>() as i16
    }

    /// Compares a column with its definition, on every path that this machine supports.
    fn check(
        column: impl Fn(&[Group], &mut [i16; BLOCK], ShufflePath),
        expected: impl Fn(&[[[u16; GROUP]; 4]; 4], usize) -> i16,
    ) {
        for path in [ShufflePath::Avx2, ShufflePath::Portable]
            .into_iter()
            .filter(|path| path.is_available())
        {
            for groups in all_holdings().chunks(32) {
                let mut out = [0i16; BLOCK];
                column(groups, &mut out, path);
                for (i, &value) in out.iter().enumerate() {
                    assert_eq!(
                        value,
                        expected(&groups[i / GROUP].planes, i % GROUP),
                        "lane {i}"
                    );
                }
            }
        }
    }

    /// Calls a feature with the lanes of a path.
    macro_rules! on {
        ($path:expr, |$l:ident| $call:expr) => {
            match avx2_on($path) {
                Some($l) => $call,
                None => {
                    let $l = Plain;
                    $call
                }
            }
        };
    }

    #[test]
    fn lengths_and_losers_of_every_holding() {
        check(
            |g, out, p| on!(p, |l| length(l, g, 0, 0, out)),
            |p, l| p[0][0][l].count_ones() as i16,
        );
        check(
            |g, out, p| on!(p, |l| losers_suit(l, g, 2, 0, out)),
            |p, l| plain_losers(p[2][0][l]),
        );
        check(
            |g, out, p| on!(p, |l| losers_hand(l, g, 0, out)),
            |p, l| (0..4).map(|s| plain_losers(p[s][0][l])).sum(),
        );
        check(
            |g, out, p| on!(p, |l| shape_key(l, g, 0, out)),
            |p, l| {
                let length = |suit: usize| p[suit][0][l].count_ones() as i16;
                length(3) << 8 | length(2) << 4 | length(1)
            },
        );
    }

    #[test]
    fn counters_agree_with_the_definition() {
        let tables = [
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2],
            [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
            [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
            [-7, 0, 0, 13, 0, 0, 400, -400, 2, 1, 100, 250, 450],
            [0; 13],
        ];
        for values in tables {
            let counter = WeightCounter::new(&values).unwrap();
            check(
                |g, out, p| on!(p, |l| counter.suit(l, g, 3, 0, out)),
                |p, l| plain_count(p[3][0][l], &values),
            );
            check(
                |g, out, p| on!(p, |l| counter.hand(l, g, 0, out)),
                |p, l| (0..4).map(|s| plain_count(p[s][0][l], &values)).sum(),
            );
        }
        assert_eq!(WeightCounter::new(&[3000; 13]), None);
    }

    #[test]
    fn single_cards() {
        for rank in 0..13 {
            for groups in all_holdings().chunks(32) {
                for path in [ShufflePath::Avx2, ShufflePath::Portable] {
                    let mut out = [0u32; BLOCK / GROUP];
                    on!(path, |l| has_card(l, groups, (1, rank), 0, &mut out));
                    for i in 0..BLOCK {
                        let holding = groups[i / GROUP].planes[1][0][i % GROUP];
                        let held = out[i / GROUP] >> (i % GROUP) & 1;
                        assert_eq!(held, u32::from(holding >> rank & 1));
                    }
                }
            }
        }
    }
}
