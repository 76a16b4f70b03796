//! A script as text, and the requirements of its statements.

use cards::{Card, Deal, Seat, Suit};

use super::language::{Expression, Names};

/// The requirements of a script's statements on a deal.
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub text: String,
    pub names: Names,
    /// Cards that a seat must have.
    pub cards: Vec<(Seat, Card)>,
    /// Lengths that a seat must have.
    pub lengths: Vec<(Seat, Suit, u8)>,
    pub condition: Option<Expression>,
    /// Classes of deals, as variables.
    pub classes: Vec<usize>,
    /// Values of `average` and `printoneline`, by their position in the list of actions.
    pub actions: Vec<Expression>,
    /// Whether the condition or an action uses double-dummy tricks, which are slow.
    pub solves: bool,
    /// The texts for `$0` to `$9` that the caller gives; the others are in the script.
    pub given: Vec<(usize, String)>,
}

impl Script {
    /// Returns the first statement that a deal violates as an error; otherwise the number of statements that it
    /// satisfies.
    pub fn check(&self, deal: &Deal) -> Result<u64, String> {
        for &(seat, card) in &self.cards {
            if !deal.hand(seat).contains(card) {
                return Err(format!("{seat} does not have the predealt {card}"));
            }
        }
        for &(seat, suit, length) in &self.lengths {
            let cards = deal.hand(seat).iter();
            let held = cards.filter(|card| card.suit() == suit).count();
            if held != usize::from(length) {
                return Err(format!(
                    "{seat} has {held} {suit}, not the predealt {length}"
                ));
            }
        }
        let condition = self.condition.iter();
        for condition in condition.clone() {
            if !condition.holds(deal, &self.names) {
                let text = condition.text(&self.names);
                return Err(format!("the condition does not hold: {text}"));
            }
        }
        Ok((self.cards.len() + self.lengths.len() + condition.count()) as u64)
    }

    /// Returns whether a deal belongs to a class.
    pub fn is_of(&self, class: usize, deal: &Deal) -> bool {
        Expression::Variable(self.classes[class]).holds(deal, &self.names)
    }
}
