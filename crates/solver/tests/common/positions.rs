//! Random positions in the play of random deals.

use cards::{Card, CardSet, Seat, Strain};
use croupier_solver::Position;

use super::RandomDeals;

/// Iterator over positions with 1 to 12 tricks left, three of four with cards on the table.
pub struct RandomPositions(pub RandomDeals);

impl Iterator for RandomPositions {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        let deal = self.0.next()?;
        let declarer = Seat::from_index(self.0.below(4) as usize);
        let strain = Strain::from_index(self.0.below(5) as usize);
        let mut position = Position::opening(&deal, declarer, strain);
        let tricks_left = 1 + self.0.below(12);
        let on_table = self.0.below(4);
        for _ in 0..4 * (13 - tricks_left) + on_table {
            let card = self.card(&position);
            position.play(card).expect("a legal card");
        }
        Some(position)
    }
}

impl RandomPositions {
    /// Returns a random legal card, more often than not a middle one: with high cards left, endings are harder.
    fn card(&mut self, position: &Position) -> Card {
        let legal: Vec<Card> = position.legal().iter().collect();
        let mut draw = || legal[self.0.below(legal.len() as u64) as usize];
        let (a, b) = (draw(), draw());
        if a.rank() < b.rank() { a } else { b }
    }
}

/// Returns the position as text: four hands, strain, leader and trick.
pub fn text(position: &Position) -> String {
    let hands = position.hands().map(|hand: CardSet| hand.to_string());
    let trick: Vec<String> = position.trick().iter().map(Card::to_string).collect();
    format!(
        "{} {} {} led [{}]",
        hands.join(" "),
        position.strain(),
        position.leader(),
        trick.join(" ")
    )
}

/// Returns the tricks of North-South by trying every card of every hand.
pub fn minimax(position: &Position) -> u8 {
    if position.tricks_left() == 0 {
        return 0;
    }
    let ns = position.to_play().index().is_multiple_of(2);
    let after = position.legal().iter().map(|card| {
        let mut next = position.clone();
        let winner = next.play(card).expect("a legal card");
        u8::from(winner.is_some_and(|seat| seat.index() % 2 == 0)) + minimax(&next)
    });
    if ns { after.max() } else { after.min() }.expect("a card to play")
}
