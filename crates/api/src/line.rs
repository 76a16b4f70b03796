//! How the cards of a position are played, and which of them decide the result.

use croupier::cards::CardSet;
use serde::{Deserialize, Serialize};

use crate::boards;
use crate::play::{self, Play, name};
use crate::{RequestError, RequestLimits};

/// A card of the principal line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LineCard {
    /// Seat that plays the card.
    #[cfg_attr(feature = "openapi", schema(value_type = boards::SeatName))]
    pub seat: String,
    /// The card.
    pub card: String,
    /// The other cards that are as good, spade ace first.
    pub as_good: Vec<String>,
}

/// The principal line of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PrincipalLine {
    /// Declarer's total tricks with best play by all.
    pub tricks: u8,
    /// The cards that are left, in the order of play.
    pub cards: Vec<LineCard>,
}

/// Two cards of a suit whose exchange changes the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CardExchange {
    /// The higher card.
    pub card: String,
    /// Seat that holds it, or has played it to the current trick.
    #[cfg_attr(feature = "openapi", schema(value_type = boards::SeatName))]
    pub seat: String,
    /// The next lower card that is left.
    pub lower: String,
    /// Seat that holds the lower card, or has played it to the current trick.
    #[cfg_attr(feature = "openapi", schema(value_type = boards::SeatName))]
    pub lower_seat: String,
    /// Declarer's total tricks after the exchange.
    pub tricks: u8,
}

/// The cards that decide the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Deciding {
    /// Declarer's total tricks with best play by all.
    pub tricks: u8,
    /// Cards whose ranks matter. All other cards of a suit can change places.
    pub cards: Vec<String>,
    /// Exchanges of two adjacent cards that change the result.
    pub swings: Vec<CardExchange>,
}

fn names(cards: CardSet) -> Vec<String> {
    cards.iter().map(name).collect()
}

/// Computes the principal line from a position on.
///
/// # Errors
/// If the played cards are not a legal play.
pub fn line(request: Play, limits: &RequestLimits) -> Result<PrincipalLine, RequestError> {
    let reached = play::reached(&request)?;
    let line = limits.solve(|solver| solver.line(&reached.position))?;
    let cards = line.iter().map(|step| LineCard {
        seat: boards::seat_letter(step.seat),
        card: name(step.card),
        as_good: names(step.alternatives - CardSet::of(step.card)),
    });
    Ok(PrincipalLine {
        tricks: reached.declarers(line.first().map_or(0, |step| step.north_south)),
        cards: cards.collect(),
    })
}

/// Computes the cards that decide the result of a position.
///
/// # Errors
/// If the played cards are not a legal play.
pub fn deciding(request: Play, limits: &RequestLimits) -> Result<Deciding, RequestError> {
    let reached = play::reached(&request)?;
    let (deciding, swings) = limits.solve(|solver| {
        let deciding = solver.deciding_cards(&reached.position);
        (deciding, solver.swings(&reached.position))
    })?;
    let swings = swings.iter().map(|swing| CardExchange {
        card: name(swing.card),
        seat: boards::seat_letter(swing.seat),
        lower: name(swing.lower),
        lower_seat: boards::seat_letter(swing.lower_seat),
        tricks: reached.declarers(swing.north_south),
    });
    Ok(Deciding {
        tricks: reached.declarers(deciding.north_south),
        cards: names(deciding.cards),
        swings: swings.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(played: &[&str]) -> Play {
        Play {
            deal: "N:A2.K32.AKQJ.5432 9876.QJT.765.T98 K43.A54.T98.AKQ6 QJT5.9876.432.J7"
                .to_owned(),
            declarer: "S".to_owned(),
            strain: "N".to_owned(),
            played: played.iter().map(|card| (*card).to_owned()).collect(),
        }
    }

    #[test]
    fn a_principal_line_plays_the_cards_that_are_left() {
        let limits = RequestLimits::default();
        let whole = line(request(&[]), &limits).unwrap();
        assert_eq!((whole.tricks, whole.cards.len()), (12, 52));
        assert_eq!(whole.cards[0].seat, "W");
        let later = line(request(&["SQ", "SA", "S6", "S3", "DJ"]), &limits).unwrap();
        assert_eq!((later.cards.len(), later.cards[0].seat.as_str()), (47, "E"));
        assert!(line(request(&["SA"]), &limits).is_err());
    }

    #[test]
    fn deciding_cards_and_swings_have_total_tricks() {
        let limits = RequestLimits::default();
        let found = deciding(request(&["SQ", "SA", "S6", "S3"]), &limits).unwrap();
        assert_eq!(found.tricks, 12);
        assert!(!found.cards.contains(&"SA".to_owned()), "{found:?}");
        assert!(
            found.swings.iter().all(|swing| swing.tricks != 12),
            "{found:?}"
        );
    }
}
