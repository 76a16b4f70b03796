//! Double-dummy cost of each card of a recorded play.

use std::fmt;

use cards::{Card, CardSet, Seat};

use crate::solver::for_north_south;
use crate::{Position, PositionError, Solver};

/// A card that was played, with its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The seat that played the card.
    pub seat: Seat,
    /// The card played.
    pub card: Card,
    /// Tricks that the card cost its side, with best play by all from here on.
    pub cost: u8,
    /// The cards that would have cost nothing; empty if this card cost nothing.
    pub better: CardSet,
    /// Tricks of North-South in total if play is perfect after this card, tricks already won included.
    pub north_south: u8,
}

/// A recorded card that cannot have been played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewError {
    /// Number of the card in the play, from 1.
    pub number: usize,
    /// The rule that the card breaks.
    pub error: PositionError,
}

impl fmt::Display for ReviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "card {} of the play: {}", self.number, self.error)
    }
}

impl std::error::Error for ReviewError {}

impl Solver {
    /// Computes the cost of every card played from `position` on.
    ///
    /// # Errors
    ///
    /// Returns an error if a seat does not hold the card it plays, or revokes.
    pub fn review(
        &mut self,
        position: &Position,
        cards: &[Card],
    ) -> Result<Vec<Played>, ReviewError> {
        let positions = positions(position, cards)?;
        // Positions next to each other have similar values: each value is the guess for the next search.
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

    /// Returns the optimal cards at each turn of a play from `position` on, whether or not they were played: a row for
    /// each of `cards`. The table OptimumPlayTable of PBN has these rows.
    ///
    /// # Errors
    ///
    /// Returns an error if a seat does not hold the card it plays, or revokes.
    pub fn optimal_cards(
        &mut self,
        position: &Position,
        cards: &[Card],
    ) -> Result<Vec<CardSet>, ReviewError> {
        let positions = positions(position, cards)?;
        let mut guess = position.tricks_left() as i32 / 2;
        let mut rows = Vec::with_capacity(cards.len());
        for (before, _) in &positions[..cards.len()] {
            let choices = self.choices_near(before, guess);
            let seat = before.to_play();
            let left = before.tricks_left();
            guess = i32::from(for_north_south(seat, choices.best(), left));
            rows.push(choices.best_cards());
        }
        Ok(rows)
    }
}

/// Returns the positions of a play, each with the tricks that North-South have won since the first: one more than
/// there are cards. Checks that all cards can be played before any is solved, which takes much longer.
fn positions(position: &Position, cards: &[Card]) -> Result<Vec<(Position, u8)>, ReviewError> {
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
    Ok(positions)
}
