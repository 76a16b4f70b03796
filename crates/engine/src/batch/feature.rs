//! Columns straight from the plane layout: lengths, point counts, losers, single cards.
//!
//! A holding is 13 bits in a 16-bit lane (bit = rank, deuce lowest), so most features are a handful of shifts,
//! masks and additions on sixteen deals at a time.

use shuffle::Group;

use super::column::{BLOCK, GROUP};

const ACE: u32 = 12;
const KING: u32 = 11;
const QUEEN: u32 = 10;
const JACK: u32 = 9;

/// `out[lane] = f(holding)` for one suit of one seat.
#[inline(always)]
fn each_holding<O: Copy>(
    groups: &[Group],
    suit: usize,
    seat: usize,
    out: &mut [O; BLOCK],
    f: impl Fn(u16) -> O,
) {
    let (out, _) = out.as_chunks_mut::<GROUP>();
    for (group, out) in groups.iter().zip(out) {
        let holdings = &group.planes[suit][seat];
        for lane in 0..GROUP {
            out[lane] = f(holdings[lane]);
        }
    }
}

/// `out[lane] = f(clubs, diamonds, hearts, spades)` for one seat.
#[inline(always)]
fn each_hand<O: Copy>(
    groups: &[Group],
    seat: usize,
    out: &mut [O; BLOCK],
    f: impl Fn([u16; 4]) -> O,
) {
    let (out, _) = out.as_chunks_mut::<GROUP>();
    for (group, out) in groups.iter().zip(out) {
        let [clubs, diamonds, hearts, spades] = &group.planes;
        let (clubs, diamonds) = (&clubs[seat], &diamonds[seat]);
        let (hearts, spades) = (&hearts[seat], &spades[seat]);
        for lane in 0..GROUP {
            out[lane] = f([clubs[lane], diamonds[lane], hearts[lane], spades[lane]]);
        }
    }
}

/// Number of cards, by pairwise sums: the base instruction set has no population count for lanes.
#[inline(always)]
pub fn length_of(holding: u16) -> u16 {
    let pairs = holding - ((holding >> 1) & 0x5555);
    let fours = (pairs & 0x3333) + ((pairs >> 2) & 0x3333);
    let eights = (fours + (fours >> 4)) & 0x0f0f;
    (eights + (eights >> 8)) & 0x1f
}

/// Losers of one suit: of the first `min(length, 3)` top cards those that are missing.
#[inline(always)]
fn losers_of(holding: u16) -> u16 {
    let ace = holding >> ACE;
    let king = (holding >> KING) & 1;
    let queen = (holding >> QUEEN) & 1;
    let length = length_of(holding);
    let two = u16::from(length >= 2);
    let three = u16::from(length >= 3);
    let one = u16::from(length >= 1);
    one + two + three - ace - (king & two) - (queen & three)
}

/// Lengths of one suit.
#[inline(always)]
pub fn length(groups: &[Group], suit: usize, seat: usize, out: &mut [i16; BLOCK]) {
    each_holding(groups, suit, seat, out, |h| length_of(h) as i16);
}

/// Whether the seat holds one card.
#[inline(always)]
pub fn has_card(groups: &[Group], suit: usize, rank: u32, seat: usize, out: &mut [u8; BLOCK]) {
    each_holding(groups, suit, seat, out, |h| ((h >> rank) & 1) as u8);
}

/// Losers of one suit.
#[inline(always)]
pub fn losers_suit(groups: &[Group], suit: usize, seat: usize, out: &mut [i16; BLOCK]) {
    each_holding(groups, suit, seat, out, |h| losers_of(h) as i16);
}

/// Losers of a hand.
#[inline(always)]
pub fn losers_hand(groups: &[Group], seat: usize, out: &mut [i16; BLOCK]) {
    each_hand(groups, seat, out, |suits| {
        suits.iter().map(|&h| losers_of(h)).sum::<u16>() as i16
    });
}

/// The lengths of spades, hearts and diamonds in one key, four bits each: enough to know the shape.
#[inline(always)]
pub fn shape_key(groups: &[Group], seat: usize, out: &mut [i16; BLOCK]) {
    each_hand(groups, seat, out, |[_, diamonds, hearts, spades]| {
        (length_of(spades) << 8 | length_of(hearts) << 4 | length_of(diamonds)) as i16
    });
}

/// A point count with 16-bit sums: for each distinct non-zero weight the ranks that carry it.
///
/// Ranks of equal weight are counted together, so a count costs as many steps as it has different weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
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

impl Counter {
    /// A counter for the values of the 13 ranks, deuce first; `None` if a hand's sum could leave 16 bits.
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
        Some(Counter { kind })
    }

    /// The count of one suit.
    #[inline(always)]
    pub fn suit(&self, groups: &[Group], suit: usize, seat: usize, out: &mut [i16; BLOCK]) {
        match &self.kind {
            CounterKind::Milton => each_holding(groups, suit, seat, out, |h| {
                let honours = h >> JACK;
                (honours - ((honours >> 1) & 4) - ((honours >> 2) & 1)) as i16
            }),
            CounterKind::Controls => {
                each_holding(groups, suit, seat, out, |h| (h >> KING) as i16);
            }
            CounterKind::Weights(weights) => {
                out.fill(0);
                for &(mask, weight) in weights {
                    let (out, _) = out.as_chunks_mut::<GROUP>();
                    for (group, out) in groups.iter().zip(out) {
                        let holdings = &group.planes[suit][seat];
                        for lane in 0..GROUP {
                            out[lane] += length_of(holdings[lane] & mask) as i16 * weight;
                        }
                    }
                }
            }
        }
    }

    /// The count of a whole hand.
    #[inline(always)]
    pub fn hand(&self, groups: &[Group], seat: usize, out: &mut [i16; BLOCK]) {
        match &self.kind {
            CounterKind::Milton => each_hand(groups, seat, out, |suits| {
                let honours = honours_of(suits);
                // In each nibble: 8A+4K+2Q+J less 4A less K = 4A+3K+2Q+J, at most 10.
                let points = honours - ((honours >> 1) & 0x4444) - ((honours >> 2) & 0x1111);
                nibble_sum(points) as i16
            }),
            CounterKind::Controls => each_hand(groups, seat, out, |suits| {
                nibble_sum((honours_of(suits) >> 2) & 0x3333) as i16
            }),
            CounterKind::Weights(weights) => {
                out.fill(0);
                for &(mask, weight) in weights {
                    let (out, _) = out.as_chunks_mut::<GROUP>();
                    for (group, out) in groups.iter().zip(out) {
                        let [c, d, h, s] = &group.planes;
                        let (c, d, h, s) = (&c[seat], &d[seat], &h[seat], &s[seat]);
                        for lane in 0..GROUP {
                            let cards = length_of(c[lane] & mask)
                                + length_of(d[lane] & mask)
                                + length_of(h[lane] & mask)
                                + length_of(s[lane] & mask);
                            out[lane] += cards as i16 * weight;
                        }
                    }
                }
            }
        }
    }
}

/// A K Q J of the four suits, one nibble a suit, the ace highest.
#[inline(always)]
fn honours_of([clubs, diamonds, hearts, spades]: [u16; 4]) -> u16 {
    (clubs >> JACK)
        | ((diamonds >> (JACK - 4)) & 0x00f0)
        | ((hearts >> (JACK - 8)) & 0x0f00)
        | ((spades << (12 - JACK)) & 0xf000)
}

/// Sum of the four nibbles.
#[inline(always)]
fn nibble_sum(nibbles: u16) -> u16 {
    let bytes = (nibbles & 0x0f0f) + ((nibbles >> 4) & 0x0f0f);
    (bytes + (bytes >> 8)) & 0xff
}

/// Sums a table over the suits of a hand, for values that only a table gives. Lanes outside `active` are left
/// out: the table costs a memory access per suit, so deals already rejected are not looked up.
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

/// Looks a table up for one suit, active lanes only.
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

    /// A view whose north spade holdings run through all 8192, others derived from them.
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

    fn check(
        column: impl Fn(&[Group], &mut [i16; BLOCK]),
        expected: impl Fn(&[[[u16; GROUP]; 4]; 4], usize) -> i16,
    ) {
        for groups in all_holdings().chunks(32) {
            let mut out = [0i16; BLOCK];
            column(groups, &mut out);
            for (i, &value) in out.iter().enumerate() {
                assert_eq!(
                    value,
                    expected(&groups[i / GROUP].planes, i % GROUP),
                    "lane {i}"
                );
            }
        }
    }

    #[test]
    fn lengths_and_losers_of_every_holding() {
        check(
            |g, out| length(g, 0, 0, out),
            |p, l| p[0][0][l].count_ones() as i16,
        );
        check(
            |g, out| losers_suit(g, 2, 0, out),
            |p, l| plain_losers(p[2][0][l]),
        );
        check(
            |g, out| losers_hand(g, 0, out),
            |p, l| (0..4).map(|s| plain_losers(p[s][0][l])).sum(),
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
            let counter = Counter::new(&values).unwrap();
            check(
                |g, out| counter.suit(g, 3, 0, out),
                |p, l| plain_count(p[3][0][l], &values),
            );
            check(
                |g, out| counter.hand(g, 0, out),
                |p, l| (0..4).map(|s| plain_count(p[s][0][l], &values)).sum(),
            );
        }
        assert_eq!(Counter::new(&[3000; 13]), None);
    }

    #[test]
    fn single_cards() {
        for groups in all_holdings().chunks(32) {
            let mut out = [0u8; BLOCK];
            has_card(groups, 1, 12, 0, &mut out);
            for (i, &value) in out.iter().enumerate() {
                assert_eq!(
                    u16::from(value),
                    groups[i / GROUP].planes[1][0][i % GROUP] >> 12
                );
            }
        }
    }
}
