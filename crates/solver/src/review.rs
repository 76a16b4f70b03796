//! What the cards of a recorded play cost double dummy.

use std::fmt;

use cards::{Card, CardSet, Seat};

use crate::{Position, PositionError, Solver};

/// A card that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who played it.
    pub seat: Seat,
    /// The card.
    pub card: Card,
    /// Tricks that it cost its side against best play by everybody from here on.
    pub cost: u8,
    /// The cards that would have cost nothing, if this one did.
    pub better: CardSet,
    /// Tricks that North-South get in all after this card, those already won included.
    pub north_south: u8,
}

/// A card of the record cannot have been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewError {
    /// The card's number in the play, from 1.
    pub number: usize,
    /// Why not.
    pub error: PositionError,
}

impl fmt::Display for ReviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "card {} of the play: {}", self.number, self.error)
    }
}

impl std::error::Error for ReviewError {}

impl Solver {
    /// The cost of every card played from a position on.
    ///
    /// # Errors
    ///
    /// If somebody does not hold the card or revokes.
    pub fn review(
        &mut self,
        position: &Position,
        cards: &[Card],
    ) -> Result<Vec<Played>, ReviewError> {
        // First see whether it can be played at all: solving takes longer.
        let mut positions = vec![(position.clone(), 0)];
        for (i, &card) in cards.iter().enumerate() {
            let (mut now, mut won) = positions[i].clone();
            let winner = now.play(card).map_err(|error| ReviewError {
                number: i + 1,
                error,
            })?;
            won += u8::from(winner.is_some_and(|seat| seat.index() % 2 == 0));
            positions.push((now, won));
        }
        // Neighbours are alike: the value of one is the guess for the next.
        let mut value = self.north_south(position);
        let mut played = Vec::with_capacity(cards.len());
        for (pair, &card) in positions.windows(2).zip(cards) {
            let ((before, won), (after, won_after)) = (&pair[0], &pair[1]);
            let seat = before.to_play();
            let taken = won_after - won;
            let next = self.north_south_near(after, i32::from(value) - i32::from(taken));
            let cost = if seat.index() % 2 == 0 {
                value - (next + taken)
            } else {
                next + taken - value
            };
            let better = match cost {
                0 => CardSet::EMPTY,
                _ => self.choices_near(before, i32::from(value)).best_cards(),
            };
            played.push(Played {
                seat,
                card,
                cost,
                better,
                north_south: won_after + next,
            });
            value = next;
        }
        Ok(played)
    }
}
