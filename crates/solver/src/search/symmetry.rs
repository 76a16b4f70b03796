//! Symmetries of a deal: turns of the table that, with other names of the suits, leave every card where it is.
//!
//! In notrump, positions that a symmetry maps to each other have the same result, so the transposition table stores only
//! one of them. The hardest deals known are symmetric.

use super::cards::{Cards, Lengths, suit};
use super::cpu::Cpu;
use super::play::for_north_south;
use super::{Found, Search};

/// A symmetry: the cards that a seat has in a suit are, in the suit `suits[suit]`, those of the seat `turn` places to
/// its left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symmetry {
    pub(crate) turn: usize,
    pub(crate) suits: [u32; 4],
}

impl Symmetry {
    /// The symmetry of every deal, which changes nothing.
    const IDENTITY: Symmetry = Symmetry {
        turn: 0,
        suits: [0, 1, 2, 3],
    };

    /// Finds a symmetry with this turn.
    pub(crate) fn find(hands: &[Cards; 4], turn: usize) -> Option<Symmetry> {
        let ranks = |seat: usize, s: u32| hands[seat & 3] >> (16 * s) & suit(0);
        let mut suits = [0; 4];
        let mut used = [false; 4];
        for s in 0..4 {
            let is_image = |&image: &u32| {
                !used[image as usize]
                    && (0..4).all(|seat| ranks(seat + turn, image) == ranks(seat, s))
            };
            let image = (0..4).find(is_image)?;
            used[image as usize] = true;
            suits[s as usize] = image;
        }
        Some(Symmetry { turn, suits })
    }

    /// Returns the image of cards.
    #[inline(always)]
    fn cards(&self, cards: Cards) -> Cards {
        let image = |s: u32| (cards >> (16 * s) & suit(0)) << (16 * self.suits[s as usize]);
        image(0) | image(1) | image(2) | image(3)
    }

    /// Returns the cards whose image is `cards`.
    #[inline(always)]
    fn originals(&self, cards: Cards) -> Cards {
        let original = |s: u32| (cards >> (16 * self.suits[s as usize]) & suit(0)) << (16 * s);
        original(0) | original(1) | original(2) | original(3)
    }

    /// Returns the lengths of the image of a position.
    #[inline(always)]
    fn lengths(&self, lengths: Lengths) -> Lengths {
        const LOWEST: u64 = 0x000f_000f_000f_000f;
        let image = |s: u32| (lengths >> (4 * s) & LOWEST) << (4 * self.suits[s as usize]);
        (image(0) | image(1) | image(2) | image(3)).rotate_left(16 * self.turn as u32)
    }

    /// Converts tricks of North-South, or back.
    #[inline(always)]
    fn tricks(&self, tricks: i32, n: i32) -> i32 {
        for_north_south(self.turn & 1 == 0, tricks, n)
    }
}

/// The symmetry to apply for each leader, so that few leaders are left.
pub(crate) type LeaderSymmetries = [Symmetry; 4];

/// Returns the symmetries of a deal by leader, if there is any.
pub(crate) fn leader_symmetries(hands: &[Cards; 4]) -> Option<LeaderSymmetries> {
    let mut symmetries = [Symmetry::IDENTITY; 4];
    if Symmetry::find(hands, 1).is_some() {
        for (leader, symmetry) in symmetries.iter_mut().enumerate().skip(1) {
            *symmetry = Symmetry::find(hands, 4 - leader)?;
        }
    } else {
        let half_turn = Symmetry::find(hands, 2)?;
        symmetries[2..].fill(half_turn);
    }
    Some(symmetries)
}

/// A position as the transposition table stores it.
pub(crate) struct Stored {
    pub(crate) leader: usize,
    pub(crate) lengths: Lengths,
    pub(crate) all: Cards,
    pub(crate) need: i32,
}

impl<C: Cpu> Search<C> {
    /// Returns the image of a position that the table stores.
    #[inline(always)]
    pub(super) fn stored(&self, position: Stored, n: i32) -> Stored {
        let Some(symmetries) = &self.symmetries else {
            return position;
        };
        let symmetry = &symmetries[position.leader & 3];
        Stored {
            leader: (position.leader + symmetry.turn) & 3,
            lengths: symmetry.lengths(position.lengths),
            all: symmetry.cards(position.all),
            need: match symmetry.turn & 1 {
                0 => position.need,
                _ => n - position.need + 1,
            },
        }
    }

    /// Converts the result of a position with this leader to that of its image.
    #[inline(always)]
    pub(super) fn to_stored(&self, found: Found, leader: usize, n: i32) -> Found {
        let Some(symmetries) = &self.symmetries else {
            return found;
        };
        let symmetry = &symmetries[leader & 3];
        Found {
            tricks: symmetry.tricks(found.tricks, n),
            ranks: symmetry.cards(found.ranks),
        }
    }

    /// Converts the result of the image of a position with this leader to that of the position.
    #[inline(always)]
    pub(super) fn for_position(&self, found: Found, leader: usize, n: i32) -> Found {
        let Some(symmetries) = &self.symmetries else {
            return found;
        };
        let symmetry = &symmetries[leader & 3];
        Found {
            tricks: symmetry.tricks(found.tricks, n),
            ranks: symmetry.originals(found.ranks),
        }
    }
}
