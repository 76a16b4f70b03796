//! A board played card by card, with the double-dummy cost of every card.

use croupier::cards::{Card, Seat, Side};
use croupier::solver::Position;
use serde::{Deserialize, Serialize};

use crate::boards;
use crate::{Limits, Problem};

/// A position in the play of a board.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Play {
    /// The deal, as in PBN.
    pub deal: String,
    /// Who plays the contract.
    pub declarer: String,
    /// `C`, `D`, `H`, `S` or `N`.
    pub strain: String,
    /// The cards played so far, as in `SA`, the opening lead first.
    #[serde(default)]
    pub played: Vec<String>,
}

/// A card on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayedCard {
    /// Who played it.
    pub seat: String,
    /// The card.
    pub card: String,
}

/// A card that may be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CardCost {
    /// The card.
    pub card: String,
    /// Declarer's tricks in all after it, with best play by everybody.
    pub tricks: u8,
    /// Tricks it gives away.
    pub cost: u8,
}

/// What can be played, and what it costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Playing {
    /// Whose turn it is; nobody's when all cards are played.
    pub turn: Option<String>,
    /// The cards on the table.
    pub trick: Vec<PlayedCard>,
    /// Tricks won so far by declarer's side.
    pub declarer: u8,
    /// Tricks won so far by the defence.
    pub defence: u8,
    /// The cards that may be played.
    pub cards: Vec<CardCost>,
    /// Who won each trick so far.
    pub winners: Vec<String>,
}

/// Values the cards that may be played next.
///
/// # Errors
/// If the cards cannot have been played like that.
pub fn play(ask: Play, limits: &Limits) -> Result<Playing, Problem> {
    let deal = boards::deal(&ask.deal)?;
    let declarer = boards::seat(&ask.declarer)?;
    let strain = boards::strain(&ask.strain)?;
    if ask.played.len() > 52 {
        return Err(Problem::request("a deal has 52 cards"));
    }
    let mut position = Position::opening(&deal, declarer, strain);
    let mut winners: Vec<Seat> = Vec::new();
    for (number, text) in (1..).zip(&ask.played) {
        let winner = card(text).and_then(|card| {
            position
                .play(card)
                .map_err(|error| Problem::request(format!("card {number}: {error}")))
        })?;
        winners.extend(winner);
    }
    let side = declarer.side();
    let won = |side: Side| winners.iter().filter(|seat| seat.side() == side).count() as u8;
    let (ours, theirs) = (won(side), won(side.opponents()));
    let left = position.tricks_left() as u8;
    let turn = position.to_play();
    let mut cards = Vec::new();
    if left > 0 {
        let choices = limits.solve(|solver| solver.choices(&position))?;
        let best = choices.best();
        for card in position.legal().iter() {
            let Some(tricks) = choices.tricks(card) else {
                continue;
            };
            cards.push(CardCost {
                card: name(card),
                tricks: match turn.side() == side {
                    true => ours + tricks,
                    false => ours + left - tricks,
                },
                cost: best - tricks,
            });
        }
    }
    let trick = position
        .trick()
        .iter()
        .enumerate()
        .map(|(place, &card)| PlayedCard {
            seat: boards::seat_letter(position.leader().clockwise(place)),
            card: name(card),
        });
    Ok(Playing {
        turn: (left > 0).then(|| boards::seat_letter(turn)),
        trick: trick.collect(),
        declarer: ours,
        defence: theirs,
        cards,
        winners: winners.into_iter().map(boards::seat_letter).collect(),
    })
}

fn card(text: &str) -> Result<Card, Problem> {
    boards::shortened(text)
        .parse()
        .map_err(|_| Problem::request(format!("{:?} is not a card", boards::shortened(text))))
}

/// `SA`
fn name(card: Card) -> String {
    format!("{}{}", card.suit().letter(), card.rank().letter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_trick_costs_nothing() {
        let mut ask = Play {
            deal: "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
                .to_owned(),
            declarer: "N".to_owned(),
            strain: "N".to_owned(),
            played: Vec::new(),
        };
        let start = play(ask.clone(), &Limits::default()).unwrap();
        assert_eq!(start.turn.as_deref(), Some("E"));
        assert_eq!(start.cards.len(), 13);
        assert!(
            start
                .cards
                .iter()
                .all(|card| card.tricks == 13 && card.cost == 0)
        );
        ask.played = ["SJ", "S4", "S2", "SA"].map(str::to_owned).to_vec();
        let next = play(ask.clone(), &Limits::default()).unwrap();
        assert_eq!((next.declarer, next.turn.as_deref()), (1, Some("N")));
        ask.played.push("HA".to_owned());
        ask.played.push("SK".to_owned());
        assert!(play(ask, &Limits::default()).is_err());
    }
}
