//! A board played card by card, with the double-dummy cost of every card.

use croupier::cards::{Card, Seat, Side};
use croupier::solver::Position;
use serde::{Deserialize, Serialize};

use crate::boards;
use crate::{RequestError, RequestLimits};

/// A request for the tricks after each card of a position in the play.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The deal, as in PBN.
    pub deal: String,
    /// Seat of declarer.
    pub declarer: String,
    /// Strain: `C`, `D`, `H`, `S` or `N`.
    pub strain: String,
    /// The cards played so far, as in `SA`, the opening lead first.
    #[serde(default)]
    pub played: Vec<String>,
}

/// A card of the current trick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayedCard {
    /// Seat that played the card.
    #[cfg_attr(feature = "openapi", schema(value_type = boards::SeatName))]
    pub seat: String,
    /// The card.
    pub card: String,
}

/// A card that may be played next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CardCost {
    /// The card.
    pub card: String,
    /// Declarer's total tricks after this card, with best play by all.
    pub tricks: u8,
    /// Number of tricks that the card gives away.
    pub cost: u8,
}

/// A position with the cards that may be played next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Playing {
    /// Seat that plays next; null when all cards are played.
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<boards::SeatName>))]
    pub turn: Option<String>,
    /// Cards of the current trick.
    pub trick: Vec<PlayedCard>,
    /// Tricks won so far by declarer's side.
    pub declarer: u8,
    /// Tricks won so far by the defence.
    pub defence: u8,
    /// The cards that may be played.
    pub cards: Vec<CardCost>,
    /// Seats that won each trick so far.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<boards::SeatName>))]
    pub winners: Vec<String>,
}

/// Computes the cost of the cards that may be played next.
///
/// # Errors
/// If the played cards are not a legal play.
pub fn play(request: Play, limits: &RequestLimits) -> Result<Playing, RequestError> {
    let ReachedPosition {
        position,
        declarer,
        winners,
    } = reached(&request)?;
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

/// A position of a play, and what led to it.
pub(crate) struct ReachedPosition {
    pub(crate) position: Position,
    pub(crate) declarer: Seat,
    /// Seats that won each trick so far.
    pub(crate) winners: Vec<Seat>,
}

impl ReachedPosition {
    /// Returns declarer's total tricks if North-South take `north_south` of the tricks left.
    pub(crate) fn declarers(&self, north_south: u8) -> u8 {
        let side = self.declarer.side();
        let won = self.winners.iter().filter(|seat| seat.side() == side);
        let rest = match side {
            Side::NorthSouth => north_south,
            Side::EastWest => self.position.tricks_left() as u8 - north_south,
        };
        won.count() as u8 + rest
    }
}

/// Plays the cards of a request.
///
/// # Errors
/// If the played cards are not a legal play.
pub(crate) fn reached(request: &Play) -> Result<ReachedPosition, RequestError> {
    let deal = boards::deal(&request.deal)?;
    let declarer = boards::seat(&request.declarer)?;
    let strain = boards::strain(&request.strain)?;
    if request.played.len() > 52 {
        return Err(RequestError::request("a deal has 52 cards"));
    }
    let mut position = Position::opening(&deal, declarer, strain);
    let mut winners: Vec<Seat> = Vec::new();
    for (number, text) in (1..).zip(&request.played) {
        let winner = card(text).and_then(|card| {
            position
                .play(card)
                .map_err(|error| RequestError::request(format!("card {number}: {error}")))
        })?;
        winners.extend(winner);
    }
    Ok(ReachedPosition {
        position,
        declarer,
        winners,
    })
}

fn card(text: &str) -> Result<Card, RequestError> {
    boards::shortened(text)
        .parse()
        .map_err(|_| RequestError::request(format!("{:?} is not a card", boards::shortened(text))))
}

/// Formats a card, such as `SA`.
pub(crate) fn name(card: Card) -> String {
    format!("{}{}", card.suit().letter(), card.rank().letter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_trick_costs_nothing() {
        let mut request = Play {
            deal: "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
                .to_owned(),
            declarer: "N".to_owned(),
            strain: "N".to_owned(),
            played: Vec::new(),
        };
        let start = play(request.clone(), &RequestLimits::default()).unwrap();
        assert_eq!(start.turn.as_deref(), Some("E"));
        assert_eq!(start.cards.len(), 13);
        assert!(
            start
                .cards
                .iter()
                .all(|card| card.tricks == 13 && card.cost == 0)
        );
        request.played = ["SJ", "S4", "S2", "SA"].map(str::to_owned).to_vec();
        let next = play(request.clone(), &RequestLimits::default()).unwrap();
        assert_eq!((next.declarer, next.turn.as_deref()), (1, Some("N")));
        request.played.push("HA".to_owned());
        request.played.push("SK".to_owned());
        assert!(play(request, &RequestLimits::default()).is_err());
    }
}
