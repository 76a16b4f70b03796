//! dealer version 1: Debian's package and the upstream release.

use cards::{BySeat, CardSet, Deal, Seat};

use super::additive::{Additive, Variant};
use super::parallel::Rounds;
use super::{LegacyDealer, Pack};
use crate::{Predeal, Swap};

/// Converts outputs of the generator to slots to exchange.
#[derive(Clone, Debug)]
pub(super) struct SlotDraw {
    variant: Variant,
    /// Slots without a predealt card, ascending.
    pub(super) open: Vec<u8>,
    /// A 16-bit draw at or above this is drawn again.
    limit: u32,
    /// ceil(2^32 / open slots), to compute k mod n of a 16-bit k by two multiplications.
    reciprocal: u32,
}

impl SlotDraw {
    fn new(variant: Variant, predeal: &Predeal) -> Self {
        let open: Vec<u8> = (0..52u8)
            .filter(|slot| {
                let seat = Seat::from_index(usize::from(slot / 13));
                usize::from(slot % 13) >= predeal.hand(seat).len()
            })
            .collect();
        let n = open.len().max(1) as u32;
        // The program fills a table of 65536 entries in whole cycles. If they fit exactly and the last slot is not
        // open, it detects the end of the table one cycle too late.
        let west_is_full = predeal.hand(Seat::West).len() == 13;
        let limit = if 65536 % n == 0 && west_is_full {
            65536 - n
        } else {
            n * (65536 / n)
        };
        SlotDraw {
            variant,
            open,
            limit,
            reciprocal: (u32::MAX / n).wrapping_add(1),
        }
    }

    /// Returns the slot of a word of the generator; `None` if it must be drawn again.
    #[inline]
    pub(super) fn slot(&self, word: u32) -> Option<u8> {
        let k = match self.variant {
            Variant::Debian => word >> 1 & 0xffff,
            Variant::Upstream => word >> 16,
        };
        if k >= self.limit {
            return None;
        }
        let fraction = u64::from(k.wrapping_mul(self.reciprocal));
        Some(self.open[((fraction * self.open.len() as u64) >> 32) as usize])
    }

    /// Computes the slots of many words at once if no card is fixed. Returns `false` if one of them must be drawn
    /// again.
    #[inline(always)]
    pub(super) fn whole_pack<const N: usize>(&self, words: &[u32; N], slots: &mut [u8; N]) -> bool {
        let shift = match self.variant {
            Variant::Debian => 1,
            Variant::Upstream => 16,
        };
        // Sixteen bits throughout, so that vector registers hold at least eight of them.
        let mut draws = [0u16; N];
        for (draw, word) in draws.iter_mut().zip(words) {
            *draw = (word >> shift) as u16;
        }
        let last = (self.limit - 1) as u16;
        let mut beyond = 0;
        for (slot, &k) in slots.iter_mut().zip(&draws) {
            beyond |= k.saturating_sub(last);
            // k - 52 * floor(k / 52): the reciprocal is close enough for 16 bits of k.
            let quotient = ((u32::from(k) * RECIPROCAL_OF_52) >> 16) as u16 >> 5;
            *slot = (k - 52 * quotient) as u8;
        }
        beyond == 0
    }
}

/// 2^21 / 52, rounded up: with 16 bits of k the product is below 2^32 and the quotient exact.
const RECIPROCAL_OF_52: u32 = (1 << 21) / 52 + 1;

/// The generator of dealer version 1.
///
/// Every open slot, in ascending order, is exchanged with any open slot. This is not a uniform shuffle, but it is the
/// one of the program. The next deal starts from the resulting pack.
#[derive(Clone, Debug)]
pub struct V1 {
    random: Additive,
    draw: SlotDraw,
    pack: Pack,
    swap: Swap,
    arrangement: u64,
}

impl V1 {
    /// Creates the generator for a seed (of which the low 32 bits count), fixed cards and swapping.
    #[must_use]
    pub fn new(variant: Variant, seed: i64, predeal: &Predeal, swap: Swap) -> Self {
        V1 {
            random: Additive::new(variant, seed),
            draw: SlotDraw::new(variant, predeal),
            pack: first_pack(predeal),
            swap,
            arrangement: 0,
        }
    }

    fn shuffle(&mut self) {
        if self.draw.open.len() == 52 {
            let mut slots = [0; 52];
            let words = self.random.peek::<52>();
            if self.draw.whole_pack(words, &mut slots) {
                self.random.skip(52);
                self.pack.shuffle(&slots);
                return;
            }
        }
        for i in 0..self.draw.open.len() {
            let slot = loop {
                if let Some(slot) = self.draw.slot(self.random.step()) {
                    break slot;
                }
            };
            self.pack
                .0
                .swap(usize::from(self.draw.open[i]), usize::from(slot));
        }
    }
}

/// Returns the first pack: fixed cards in the first slots of their seats in the order of naming, the others ascending.
fn first_pack(predeal: &Predeal) -> Pack {
    const FREE: u8 = u8::MAX;
    let mut slots = [FREE; 52];
    let mut filled = BySeat([0; 4]);
    for &(seat, card) in predeal.order() {
        slots[13 * seat.index() + filled[seat]] = card.index() as u8;
        filled[seat] += 1;
    }
    let mut left: CardSet = predeal.free_cards();
    for slot in slots.iter_mut().filter(|slot| **slot == FREE) {
        *slot = left.0.trailing_zeros() as u8;
        left.0 &= left.0 - 1;
    }
    Pack(slots)
}

impl LegacyDealer for V1 {
    fn next_deal(&mut self) -> Option<Deal> {
        if self.arrangement == 0 {
            self.shuffle();
        } else {
            let (a, b) = Swap::exchange(self.arrangement as usize);
            self.pack.exchange(a, b);
        }
        self.arrangement = (self.arrangement + 1) % self.swap.arrangements();
        Some(self.pack.deal())
    }

    fn rounds(&self) -> Option<Rounds> {
        // A stream cannot start between the arrangements of one shuffle.
        (self.arrangement == 0)
            .then(|| Rounds::of_slots(self.random.clone(), self.draw.clone(), self.pack, self.swap))
    }

    /// Computes bound * r / 2^31 in double precision, truncated toward zero; draws for a bound of 0 too.
    fn rnd(&mut self, bound: i64) -> i64 {
        let output = self.random.step() >> 1;
        (bound as f64 * f64::from(output) / 2_147_483_648.0) as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remainder_by_multiplication_is_the_remainder() {
        for fixed in 0..52 {
            let all = Seat::ALL.into_iter().flat_map(|seat| {
                let suit = cards::Suit::ALL[seat as usize];
                CardSet::of_suit(suit).iter().map(move |card| (seat, card))
            });
            let draw = SlotDraw::new(
                Variant::Upstream,
                &Predeal::in_order(all.take(fixed)).unwrap(),
            );
            let n = draw.open.len() as u32;
            for k in 0..draw.limit {
                assert_eq!(
                    draw.slot(k << 16),
                    Some(draw.open[(k % n) as usize]),
                    "{k} mod {n}"
                );
            }
        }
    }

    #[test]
    fn many_slots_at_once_are_the_slots_one_by_one() {
        for variant in [Variant::Debian, Variant::Upstream] {
            let draw = SlotDraw::new(variant, &Predeal::NONE);
            let place = |k: u32| match variant {
                Variant::Debian => k << 1 | 0xfffe_0001,
                Variant::Upstream => k << 16 | 0xffff,
            };
            for first in (0..65536u32).step_by(32) {
                let words: [u32; 32] = std::array::from_fn(|i| place(first + i as u32));
                let mut slots = [0; 32];
                let all = draw.whole_pack(&words, &mut slots);
                let expected = words.map(|word| draw.slot(word));
                assert_eq!(all, expected.iter().all(Option::is_some), "{first}");
                if all {
                    assert_eq!(slots.map(Some), expected);
                }
            }
        }
    }

    /// Sixteen open slots with West full: the last cycle of the table is drawn again.
    #[test]
    fn a_full_west_loses_the_last_cycle_of_an_exact_table() {
        let text = "north DAKQ,SJT98765432 west CAKQJT98765432 east HAKQJT98765";
        let predeal: Predeal = text.parse().unwrap();
        let n = predeal.free_cards().len() as u32;
        assert_eq!(
            SlotDraw::new(Variant::Debian, &predeal).open.len() as u32,
            n
        );
        let sixteen: Predeal = "west CAKQJT98765432 north SAKQJT98765432 east HAKQJT98765"
            .parse()
            .unwrap();
        // 52 - 13 - 13 - 10 = 16 free cards.
        assert_eq!(SlotDraw::new(Variant::Debian, &sixteen).limit, 65536 - 16);
    }
}
