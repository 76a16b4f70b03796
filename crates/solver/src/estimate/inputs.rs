//! Inputs of the network: for each suit lengths, shortness, honours and top cards, all small integers.

use cards::{Holding, Side};

use super::Holdings;

/// Inputs for each hand: its length, three flags (length 0, at most 1, at most 2), and its six highest cards.
const INPUTS_PER_HAND: usize = 10;
/// Further inputs for the suit: top tricks, and length if solid, of either side.
const INPUTS_PER_SUIT: usize = 4;
/// Number of inputs that describe a suit.
pub const INPUTS: usize = 4 * INPUTS_PER_HAND + INPUTS_PER_SUIT;
/// Number of orders of the two hands of a side. The estimate is the mean over both.
pub const HAND_ORDERS: usize = 2;

/// Inputs of one suit.
pub type Inputs = [i16; INPUTS];

/// Returns the inputs of the four suits from the point of view of a side: its two hands first, then the opponent behind
/// the first hand, then the one behind the second. `turn` selects which of the two hands is first.
#[must_use]
pub fn of_suits(holdings: &Holdings, side: Side, turn: usize) -> [Inputs; 4] {
    let [a, b] = side.seats();
    let [a, b] = if turn == 0 { [a, b] } else { [b, a] };
    let seats = [a, b, a.next(), b.next()].map(|seat| seat.index());
    holdings.map(|suit| of_suit(seats.map(|seat| suit[seat])))
}

/// Returns the inputs of one suit, from our two holdings and theirs.
fn of_suit(hands: [u16; 4]) -> Inputs {
    let mut inputs = [0; INPUTS];
    for (holding, numbers) in hands.iter().zip(inputs.chunks_exact_mut(INPUTS_PER_HAND)) {
        let length = len(*holding);
        numbers[0] = length;
        numbers[1] = i16::from(length == 0);
        numbers[2] = i16::from(length <= 1);
        numbers[3] = i16::from(length <= 2);
        for (place, number) in numbers[4..].iter_mut().enumerate() {
            *number = (holding >> (12 - place) & 1) as i16;
        }
    }
    let [ours, theirs] = [hands[0] | hands[1], hands[2] | hands[3]];
    let longer = |one: usize| len(hands[one]).max(len(hands[one + 1]));
    let (long, longest) = (longer(0), longer(2));
    let [tops, against] = [above(ours, theirs), above(theirs, ours)];
    inputs[4 * INPUTS_PER_HAND..].copy_from_slice(&[
        tops.min(long),
        against.min(longest),
        if tops >= longest { long } else { 0 },
        if against >= long { longest } else { 0 },
    ]);
    inputs
}

fn len(holding: u16) -> i16 {
    Holding(holding).len() as i16
}

/// Counts the cards of `these` that are higher than all of `those`.
fn above(these: u16, those: u16) -> i16 {
    let places = those
        .checked_ilog2()
        .map_or(0x1fff, |best| !((2 << best) - 1) & 0x1fff);
    len(these & places)
}
