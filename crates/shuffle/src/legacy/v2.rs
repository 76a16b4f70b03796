//! DealerV2 4.3.3.

use cards::{BySeat, CardSet, Deal, Seat, Side};

use super::congruential::Congruential;
use super::parallel::Rounds;
use super::{LegacyDealer, LengthPredeal, Pack};
use crate::{Key, KeyError, Predeal, Swap};

/// The start state of v2's generator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct V2Start(u64);

impl V2Start {
    /// Returns the start of a seed, of which the low 32 bits count. (To v2 the seed 0 means a random seed: see
    /// [`from_os`](Self::from_os).)
    #[must_use]
    pub const fn from_seed(seed: i64) -> Self {
        V2Start(((seed as u32 as u64) << 16) + 0x330E)
    }

    /// Returns a start given as the 48 bits of the generator's state, which v2 prints for an unseeded run.
    #[must_use]
    pub const fn from_state(state: u64) -> Self {
        V2Start(state & ((1 << 48) - 1))
    }

    /// Returns 48 random bits from the operating system.
    ///
    /// # Errors
    /// Returns an error if the system provides none.
    pub fn from_os() -> Result<Self, KeyError> {
        let key = Key::from_os()?;
        let [a, b, c, d, e, f, ..] = *key.bytes();
        Ok(V2Start(u64::from_le_bytes([a, b, c, d, e, f, 0, 0])))
    }

    /// Returns the 48 bits.
    #[must_use]
    pub const fn state(self) -> u64 {
        self.0
    }

    pub(super) fn generator(self) -> Congruential {
        Congruential::from_state(self.0)
    }
}

/// The cards that v2 deals from.
#[derive(Clone, Debug)]
enum Source {
    /// The whole pack, perhaps with swapping; acceptance sorts it.
    Pack {
        pack: Pack,
        swap: Swap,
        arrangement: u64,
    },
    /// The cards that are not fixed, kept in shuffled order from deal to deal.
    Rest {
        rest: Vec<u8>,
        fixed: BySeat<CardSet>,
    },
    /// Required lengths, with a new pack for every attempt.
    Lengths(LengthPredeal),
}

/// The generator of DealerV2: a Fisher-Yates shuffle on a 48-bit congruential stream.
#[derive(Clone, Debug)]
pub struct V2 {
    random: Congruential,
    source: Source,
}

impl V2 {
    /// Creates a generator that deals from the whole pack, with or without swapping. Accepting a deal changes the later ones.
    #[must_use]
    pub fn new(start: V2Start, swap: Swap) -> Self {
        let source = Source::Pack {
            pack: Pack::DESCENDING,
            swap,
            arrangement: 0,
        };
        V2 {
            random: start.generator(),
            source,
        }
    }

    /// Creates a generator with fixed cards. (An empty predeal is a mode of its own in v2: its first deal is that of
    /// [`new`](Self::new), later ones are not, because here acceptance sorts no hands.)
    #[must_use]
    pub fn with_predeal(start: V2Start, predeal: &Predeal) -> Self {
        let rest = predeal
            .free_cards()
            .iter()
            .map(|card| card.index() as u8)
            .collect();
        V2 {
            random: start.generator(),
            source: Source::Rest {
                rest,
                fixed: predeal.hands(),
            },
        }
    }

    /// Creates a generator with required lengths, by v2's method.
    #[must_use]
    pub fn with_lengths(start: V2Start, lengths: &LengthPredeal) -> Self {
        V2 {
            random: start.generator(),
            source: Source::Lengths(*lengths),
        }
    }

    /// Returns the state of the generator, 48 bits.
    #[must_use]
    pub fn state(&self) -> u64 {
        self.random.state()
    }
}

/// Deals shuffled cards from the front: each seat gets its fixed cards and the missing number of others.
pub(super) fn hand_out(rest: &[u8], fixed: BySeat<CardSet>) -> Deal {
    let mut next = rest.iter();
    let hands = fixed.map(|hand| {
        let drawn = next
            .by_ref()
            .take(13 - hand.len())
            .fold(0, |set, card| set | 1 << card);
        hand | CardSet(drawn)
    });
    Deal::from_valid_hands(hands.0)
}

impl LegacyDealer for V2 {
    fn next_deal(&mut self) -> Option<Deal> {
        match &mut self.source {
            Source::Pack {
                pack,
                swap,
                arrangement,
            } => {
                if *arrangement == 0 {
                    self.random.shuffle(&mut pack.0);
                } else {
                    let (a, b) = Swap::exchange(*arrangement as usize);
                    pack.exchange(a, b);
                }
                *arrangement = (*arrangement + 1) % swap.arrangements();
                Some(pack.deal())
            }
            Source::Rest { rest, fixed } => {
                self.random.shuffle(rest);
                Some(hand_out(rest, *fixed))
            }
            Source::Lengths(lengths) => lengths.attempt(&mut self.random),
        }
    }

    fn rounds(&self) -> Option<Rounds> {
        match &self.source {
            Source::Rest { rest, fixed } => Some(Rounds::of_rest(self.random, rest, *fixed)),
            Source::Pack { .. } | Source::Lengths(_) => None,
        }
    }

    /// Computes bound * X / 2^48 in double precision, truncated toward zero.
    fn rnd(&mut self, bound: i64) -> i64 {
        self.random.scaled(bound)
    }

    fn accept(&mut self) {
        if let Source::Pack { pack, .. } = &mut self.source {
            Seat::ALL.into_iter().for_each(|seat| pack.sort_hand(seat));
        }
    }

    fn opc_evaluated(&mut self, side: Side) {
        if let Source::Pack { pack, .. } = &mut self.source {
            side.seats()
                .into_iter()
                .for_each(|seat| pack.sort_hand(seat));
        }
    }
}
