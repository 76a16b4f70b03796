//! The network. Each suit goes through a first layer, with different weights for trumps and for side suits. The outputs
//! of the side suits are added, so that their order does not matter. A second layer combines the sums.

use cards::{Side, Strain};

use super::Holdings;
use super::inputs::{self, HAND_ORDERS, INPUTS, Inputs};

/// Width of the first layer.
pub const FIRST_WIDTH: usize = 24;
/// Width of the second layer.
pub const SECOND_WIDTH: usize = 16;
/// Scale of the weights: the integer that represents 1.
pub const UNIT: i32 = 64;
/// Input of the last row of a first layer, which holds the constants.
pub const CONSTANT_INPUT: i16 = 4;

/// Weights of a first layer: a row for each input and one for the constants.
pub type Layer = [[i8; FIRST_WIDTH]; INPUTS + 1];

/// The weights, in 64ths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// First layer of the trump suit; unused in notrump.
    pub trumps: Layer,
    /// First layer of each other suit.
    pub sides: Layer,
    /// Weights from the first layer (trumps, then side suits) to the second.
    pub second: [[i8; SECOND_WIDTH]; 2 * FIRST_WIDTH],
    /// Constants of the second layer, in 4096ths.
    pub constants: [i32; SECOND_WIDTH],
    /// Weights from the second layer to the tricks.
    pub last: [i8; SECOND_WIDTH],
    /// Weights from the first layer directly to the tricks.
    pub direct: [i8; 2 * FIRST_WIDTH],
    /// Constant term of the tricks, in 4096ths.
    pub start: i32,
}

impl Network {
    /// Returns the tricks in hundredths, 0 to 1300: the mean over both orders of the hands.
    #[must_use]
    pub fn hundredths(&self, holdings: &Holdings, side: Side, strain: Strain) -> i32 {
        let tricks: i32 = (0..HAND_ORDERS)
            .map(|turn| self.tricks(&inputs::of_suits(holdings, side, turn), strain))
            .sum();
        // `tricks` is the sum of two results in 4096ths; 100 / 8192 is 25 / 2048.
        ((tricks.clamp(0, 26 * UNIT * UNIT) * 25 + 1024) >> 11).min(1300)
    }

    /// Returns the tricks in 4096ths for one order of the hands.
    fn tricks(&self, suits: &[Inputs; 4], strain: Strain) -> i32 {
        let mut seen = [0; 2 * FIRST_WIDTH];
        let trumps = strain.suit().map(cards::Suit::index);
        for (suit, inputs) in suits.iter().enumerate() {
            let (layer, sums) = if Some(suit) == trumps {
                (&self.trumps, &mut seen[..FIRST_WIDTH])
            } else {
                (&self.sides, &mut seen[FIRST_WIDTH..])
            };
            for (sum, value) in sums.iter_mut().zip(first(layer, inputs)) {
                *sum += i32::from(value.max(0));
            }
        }
        let mut second = self.constants;
        let mut tricks = self.start;
        for ((&seen, row), &direct) in seen.iter().zip(&self.second).zip(&self.direct) {
            tricks += seen * i32::from(direct);
            for (sum, &weight) in second.iter_mut().zip(row) {
                *sum += seen * i32::from(weight);
            }
        }
        for (&value, &weight) in second.iter().zip(&self.last) {
            tricks += (value.max(0) / UNIT) * i32::from(weight);
        }
        tricks
    }
}

/// Applies a first layer to a suit. Sums stay below thirteen cards times 127 plus some flags, far within 16 bits.
fn first(layer: &Layer, inputs: &Inputs) -> [i16; FIRST_WIDTH] {
    let mut sums = [0; FIRST_WIDTH];
    for (row, &input) in layer.iter().zip(inputs.iter().chain([&CONSTANT_INPUT])) {
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum += input * i16::from(weight);
        }
    }
    sums
}
