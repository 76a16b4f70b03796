//! Thirty-two lanes in plain arrays.
//!
//! Every loop runs without branches over arrays of one element width, so that the compiler vectorises it for 128-bit
//! registers (SSE2, NEON, simd128). The steps are separate functions: if they are inlined into one, half of the code
//! stays scalar and takes twice the time.

use super::Placing;
use crate::block::{GROUP_DEALS, Group};
use crate::draws::{BOUNDS, REJECT_BELOW, WORDS};
use crate::lanes::Lanes;

/// Lanes placed at a time: one 128-bit register of bytes.
const HALF: usize = 16;

/// The draws of a group by bound n. Row 0 belongs to fixed cards: its number is above every threshold.
#[repr(align(64))]
struct Draws([[u8; GROUP_DEALS]; 53]);

/// A number above every threshold.
const NEVER: u8 = 127;

pub(super) fn make(
    lanes: &mut Lanes,
    placing: &Placing,
    groups: &mut [Group],
    rejected: &mut [u32],
) {
    let mut draws = Draws([[0; GROUP_DEALS]; 53]);
    draws.0[0] = [NEVER; GROUP_DEALS];
    for (group, rejected) in groups.iter_mut().zip(rejected) {
        *rejected = draw_numbers(lanes, &mut draws);
        place_half::<0>(placing, &draws, group);
        place_half::<HALF>(placing, &draws, group);
    }
}

/// Draws all numbers of 32 lanes. Returns the rejected lanes.
#[inline(never)]
fn draw_numbers(lanes: &mut Lanes, draws: &mut Draws) -> u32 {
    let mut bad = [0u16; GROUP_DEALS];
    for g in 0..WORDS {
        let mut words = [0u16; GROUP_DEALS];
        for (four, step) in words.chunks_exact_mut(4).zip(lanes.step()) {
            for (k, word) in four.iter_mut().enumerate() {
                *word = (step >> (16 * k)) as u16;
            }
        }
        for &n in BOUNDS[g] {
            let row = &mut draws.0[usize::from(n)];
            for (number, word) in row.iter_mut().zip(&mut words) {
                let product = u32::from(*word) * u32::from(n);
                *number = (product >> 16) as u8;
                *word = product as u16;
            }
        }
        for (bad, word) in bad.iter_mut().zip(&words) {
            *bad |= REJECT_BELOW[g].saturating_sub(*word);
        }
    }
    bad.iter()
        .enumerate()
        .fold(0, |mask, (lane, &bad)| mask | u32::from(bad != 0) << lane)
}

/// Places all cards of lanes `FIRST .. FIRST + 16`.
#[inline(never)]
fn place_half<const FIRST: usize>(placing: &Placing, draws: &Draws, group: &mut Group) {
    let mut thresholds = placing.thresholds.map(|places| [places as i8; HALF]);
    for suit in (0..4).rev() {
        // Bits of N; of N or E; of N, E or S.
        let high = place_run::<FIRST, 5>(placing, draws, 13 * suit + 8, &mut thresholds);
        let low = place_run::<FIRST, 8>(placing, draws, 13 * suit, &mut thresholds);
        let [north, east, south, west] = &mut group.planes[suit];
        let (free, fixed) = (placing.free[suit], placing.fixed[suit]);
        for lane in 0..HALF {
            let join = |k: usize| u16::from(high[k][lane]) << 8 | u16::from(low[k][lane]);
            let (one, two, three) = (join(0), join(1), join(2));
            north[FIRST + lane] = one | fixed[0];
            east[FIRST + lane] = (two ^ one) | fixed[1];
            south[FIRST + lane] = (three ^ two) | fixed[2];
            west[FIRST + lane] = (free ^ three) | fixed[3];
        }
    }
}

/// Places `CARDS` cards of a suit, downwards to card `lowest`; one bit per card and threshold.
#[inline(always)]
fn place_run<const FIRST: usize, const CARDS: usize>(
    placing: &Placing,
    draws: &Draws,
    lowest: usize,
    thresholds: &mut [[i8; HALF]; 3],
) -> [[u8; HALF]; 3] {
    let mut bits = [[0u8; HALF]; 3];
    for card in (lowest..lowest + CARDS).rev() {
        let row = &draws.0[usize::from(placing.bound[card])][FIRST..FIRST + HALF];
        for (threshold, bits) in thresholds.iter_mut().zip(&mut bits) {
            for lane in 0..HALF {
                let below = i8::from((row[lane] as i8) < threshold[lane]);
                threshold[lane] -= below;
                bits[lane] = (bits[lane] << 1) + below as u8;
            }
        }
    }
    bits
}
