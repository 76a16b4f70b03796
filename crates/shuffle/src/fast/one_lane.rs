//! One deal at a time, directly from the definition: the reference for tests of the vector paths.

use super::Placing;
use crate::block::{GROUP_DEALS, Group};
use crate::draws::{BOUNDS, REJECT_BELOW, WORDS, draw};
use crate::lanes::Lanes;

pub(super) fn make(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    for (group, rejected) in groups.iter_mut().zip(rejected) {
        let steps: [[u64; 8]; WORDS] = std::array::from_fn(|_| lanes.step());
        *rejected = 0;
        for lane in 0..GROUP_DEALS {
            let word = |g: usize| (steps[g][lane / 4] >> (16 * (lane % 4))) as u16;
            let (numbers, accepted) = numbers(word);
            *rejected |= u32::from(!accepted) << lane;
            place(placing, &numbers, group, lane);
        }
    }
}

/// Returns the numbers v(n), by n, of one lane, and whether the lane is accepted.
fn numbers(word: impl Fn(usize) -> u16) -> ([u8; 53], bool) {
    let mut numbers = [0; 53];
    let mut accepted = true;
    for g in 0..WORDS {
        let mut rest = word(g);
        for &n in BOUNDS[g] {
            let (v, next) = draw(rest, n);
            numbers[usize::from(n)] = v as u8;
            rest = next;
        }
        accepted &= rest >= REJECT_BELOW[g];
    }
    (numbers, accepted)
}

fn place(placing: &Placing, numbers: &[u8; 53], group: &mut Group, lane: usize) {
    let mut thresholds = placing.thresholds;
    for (suit, planes) in group.planes.iter_mut().enumerate().rev() {
        for (plane, fixed) in planes.iter_mut().zip(placing.fixed[suit]) {
            plane[lane] = fixed;
        }
        for rank in (0..13).rev() {
            let bound = placing.bound[13 * suit + rank];
            if bound == 0 {
                continue;
            }
            let v = numbers[usize::from(bound)];
            let seat = thresholds
                .iter()
                .filter(|&&threshold| threshold <= v)
                .count();
            planes[seat][lane] |= 1 << rank;
            for threshold in &mut thresholds {
                *threshold -= u8::from(v < *threshold);
            }
        }
    }
}
