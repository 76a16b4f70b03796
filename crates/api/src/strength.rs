//! Made hands and draws of a range on a board, as `croupier poker strength` prints them.

use croupier::poker::Game;
use croupier::poker::strength::{Made, StrengthDistribution, distribution, distribution_after};
use croupier::poker::{CardSet, Range};
use serde::{Deserialize, Serialize};

use crate::equity::{cards_of, game, parsed};
use crate::{RequestError, RequestLimits};

/// A request for the made hands and draws of a range on a board.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct StrengthRequest {
    /// Game: `holdem` or `short-deck`.
    #[serde(default)]
    pub game: Option<String>,
    /// The range.
    pub range: String,
    /// Board of three to five cards; with `by` also fewer or none.
    #[serde(default)]
    pub board: String,
    /// Street up to which every completion of the board counts: `flop`, `turn` or `river`. Default: the board as it is.
    #[serde(default)]
    pub by: Option<String>,
    /// Dead cards, which no player can have.
    #[serde(default)]
    pub dead: String,
}

/// A kind of hands and its share of a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StrengthShare {
    /// Name, such as `top pair` or `flush draw`.
    pub name: String,
    /// Share of the range by weight, 0 to 1.
    pub share: f64,
}

/// Made hands and draws of a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StrengthData {
    /// Number of hands of the range that are possible on the board.
    pub hands: usize,
    /// Made hands, best first; only those that occur.
    pub made: Vec<StrengthShare>,
    /// Draws that occur. A hand may have several.
    pub draws: Vec<StrengthShare>,
}

/// Computes the made hands and draws of a range on a board.
///
/// # Errors
/// If the game has no hole cards to classify, or the range or board is invalid.
pub fn strength(
    request: StrengthRequest,
    limits: &RequestLimits,
) -> Result<StrengthData, RequestError> {
    let game = game(request.game.as_deref())?;
    if !matches!(game, Game::Holdem | Game::ShortDeck { .. }) {
        return Err(RequestError::request(
            "hands are classified in hold'em and short deck only",
        ));
    }
    let board = cards_of("board", &request.board)?;
    let range = parsed(&request.range, game, board, limits)?;
    let dead = cards_of("dead cards", &request.dead)?;
    let found = match request.by.as_deref().filter(|street| !street.is_empty()) {
        Some(street) => by_street(game, &range, board, dead, street, limits)?,
        None if !(3..=5).contains(&board.len()) => {
            return Err(RequestError::request("give a board of three to five cards"));
        }
        None => distribution(game, &range, board, dead),
    };
    let share = |weight: u64| weight as f64 / found.total.max(1) as f64;
    let made = Made::ALL.iter().filter_map(|made| {
        found.made.get(made).map(|weight| StrengthShare {
            name: made.name().to_owned(),
            share: share(*weight),
        })
    });
    let draws = found.draws.iter().map(|(name, weight)| StrengthShare {
        name: (*name).to_owned(),
        share: share(*weight),
    });
    Ok(StrengthData {
        hands: found.hands,
        made: made.collect(),
        draws: draws.collect(),
    })
}

/// Counts over all completions of the board.
fn by_street(
    game: Game,
    range: &Range,
    board: CardSet,
    dead: CardSet,
    street: &str,
    limits: &RequestLimits,
) -> Result<StrengthDistribution, RequestError> {
    let cards = match street {
        "flop" => 3,
        "turn" => 4,
        "river" => 5,
        _ => return Err(RequestError::request("by is flop, turn or river")),
    };
    distribution_after(game, range, board, dead, cards, limits.threads.max(1))
        .map_err(|error| RequestError::request(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_made_hands_add_up() {
        let request = StrengthRequest {
            range: "AA, KK, QJs".to_owned(),
            board: "Kh9h2c".to_owned(),
            ..StrengthRequest::default()
        };
        let found = strength(request, &RequestLimits::default()).unwrap();
        let total: f64 = found.made.iter().map(|it| it.share).sum();
        assert!((total - 1.0).abs() < 1e-9);
        assert!(found.made.iter().any(|it| it.name == "set"));
        assert!(found.draws.iter().any(|it| it.name == "flush draw"));
    }

    /// Two sevens have a set or better by the flop in 2,352 of 19,600 flops.
    #[test]
    fn all_flops_count_if_a_street_is_given() {
        let request = StrengthRequest {
            range: "77".to_owned(),
            by: Some("flop".to_owned()),
            ..StrengthRequest::default()
        };
        let found = strength(request.clone(), &RequestLimits::default()).unwrap();
        let sets = found
            .made
            .iter()
            .filter(|it| ["set", "full house", "quads"].contains(&it.name.as_str()));
        let share: f64 = sets.map(|it| it.share).sum();
        assert!((share - 2352.0 / 19600.0).abs() < 1e-12, "{share}");
        let wrong = StrengthRequest {
            by: Some("dawn".to_owned()),
            ..request
        };
        let error = strength(wrong, &RequestLimits::default()).unwrap_err();
        assert!(
            error.message.contains("flop, turn or river"),
            "{}",
            error.message
        );
    }
}
