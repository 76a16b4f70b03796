//! The network: every suit goes through a layer of its own, trumps and side suits through different ones; the side suits
//! are added up, so that their order does not matter; a second layer weighs it all.

use cards::{Side, Strain};

use super::Holdings;
use super::inputs::{self, INPUTS, Inputs, TURNS};

/// Width of the first layer.
pub const FIRST: usize = 24;
/// Width of the second layer.
pub const SECOND: usize = 16;
/// A weight of 1 is written as this.
pub const UNIT: i32 = 64;
/// What the last row of a first layer, its constants, is multiplied with.
pub const ONE: i16 = 4;

/// The first layer: a row for each input and one for the constants.
pub type Layer = [[i8; FIRST]; INPUTS + 1];

/// Weights in 64ths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// For the trump suit; not used in notrump.
    pub trumps: Layer,
    /// For each other suit.
    pub sides: Layer,
    /// From the first layer, trumps before side suits, to the second.
    pub second: [[i8; SECOND]; 2 * FIRST],
    /// Constants of the second layer, in 4096ths.
    pub constants: [i32; SECOND],
    /// From the second layer to the tricks.
    pub last: [i8; SECOND],
    /// From the first layer to the tricks.
    pub direct: [i8; 2 * FIRST],
    /// Tricks to begin with, in 4096ths.
    pub start: i32,
}

impl Network {
    /// Tricks in hundredths, 0 to 1300: the mean of both ways to look at the side.
    #[must_use]
    pub fn hundredths(&self, holdings: &Holdings, side: Side, strain: Strain) -> i32 {
        let tricks: i32 = (0..TURNS)
            .map(|turn| self.tricks(&inputs::of_suits(holdings, side, turn), strain))
            .sum();
        // Twice the tricks in 4096ths; 100 / 8192 is 25 / 2048.
        ((tricks.clamp(0, 26 * UNIT * UNIT) * 25 + 1024) >> 11).min(1300)
    }

    /// Tricks in 4096ths, one way.
    fn tricks(&self, suits: &[Inputs; 4], strain: Strain) -> i32 {
        let mut seen = [0; 2 * FIRST];
        let trumps = strain.suit().map(cards::Suit::index);
        for (suit, inputs) in suits.iter().enumerate() {
            let (layer, sums) = if Some(suit) == trumps {
                (&self.trumps, &mut seen[..FIRST])
            } else {
                (&self.sides, &mut seen[FIRST..])
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

/// The first layer of a suit. Thirteen cards times 127 and some flags: far within 16 bits.
fn first(layer: &Layer, inputs: &Inputs) -> [i16; FIRST] {
    let mut sums = [0; FIRST];
    for (row, &input) in layer.iter().zip(inputs.iter().chain([&ONE])) {
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum += input * i16::from(weight);
        }
    }
    sums
}
