//! Poker: each player's share of the pot, and ranges of hands.

use croupier::cards::CardSet;
use croupier::poker::grid::{Grid, GridCell};
use croupier::poker::{
    EquityError, EquityMethod, EquityOptions, Game, Query, Range, RangeContext, StopRule,
    parse_cards,
};
use serde::{Deserialize, Serialize};

use crate::boards::shortened;
use crate::{RequestError, RequestLimits};

/// A request for the equities of players: their ranges and the board.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct EquityRequest {
    /// Game. Default: `holdem`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<crate::names::GameName>))]
    pub game: Option<String>,
    /// Ranges of two to ten players.
    pub ranges: Vec<String>,
    /// Board: up to five cards.
    #[serde(default)]
    pub board: String,
    /// Dead cards, which no player can have.
    #[serde(default)]
    pub dead: String,
    /// Ranges of players who have folded. They take cards from the deck.
    #[serde(default)]
    pub folded: Vec<String>,
    /// Seed of the random deals, if not all deals are counted.
    #[serde(default)]
    pub seed: u64,
}

/// Result of one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayerData {
    /// The range as it was written.
    pub range: String,
    /// Share of the pot, 0 to 1.
    pub equity: f64,
    /// Share of the deals that the player wins alone.
    pub win: f64,
    /// Share of the deals that the player ties.
    pub tie: f64,
    /// 95 % interval of the share of the pot; null if the result is exact.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub equity_interval: Option<(f64, f64)>,
    /// 95 % interval of the share of deals won; null if the result is exact.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub win_interval: Option<(f64, f64)>,
    /// 95 % interval of the share of deals tied; null if the result is exact.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub tie_interval: Option<(f64, f64)>,
}

/// Results of all players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Equity {
    /// Whether all deals were counted.
    pub exact: bool,
    /// Name of the algorithm.
    pub algorithm: String,
    /// Total weight of the deals.
    pub deals: String,
    /// Players, in the order of the request.
    pub players: Vec<PlayerData>,
}

/// Computes equity.
///
/// # Errors
/// If a range or a card is invalid.
pub fn equity(request: EquityRequest, limits: &RequestLimits) -> Result<Equity, RequestError> {
    let game = game(request.game.as_deref())?;
    if !(2..=croupier::poker::MAX_PLAYERS).contains(&request.ranges.len()) {
        return Err(RequestError::request(
            "give the ranges of two to ten players",
        ));
    }
    let board = cards_of("board", &request.board)?;
    let players = request
        .ranges
        .iter()
        .map(|text| parsed(text, game, board, limits))
        .collect::<Result<_, _>>()?;
    let folded = request.folded.iter();
    let folded = folded.map(|text| parsed(text, game, board, limits));
    let query = Query {
        game,
        players,
        folded: folded.collect::<Result<_, _>>()?,
        board,
        dead: cards_of("dead cards", &request.dead)?,
    };
    let options = options(limits, request.seed, limits.poker_samples);
    let found = query
        .solve(&options)
        .map_err(|error| RequestError::request(error.to_string()))?;
    Ok(Equity {
        exact: found.is_exact(),
        algorithm: found.algorithm().to_string(),
        deals: found.deals().to_string(),
        players: found
            .players()
            .into_iter()
            .map(|it| PlayerData {
                equity: it.equity,
                win: it.win_share,
                tie: it.tie_share,
                equity_interval: it.intervals.map(|it| it.equity),
                win_interval: it.intervals.map(|it| it.win),
                tie_interval: it.intervals.map(|it| it.tie),
                range: it.range,
            })
            .collect(),
    })
}

/// A request for the equities of classes of starting hands against the opponents' ranges.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MatrixRequest {
    /// Classes, such as `AKs`. Each is valued against the opponents' ranges.
    pub classes: Vec<String>,
    /// Range to which the classes belong. Only hands of this range count.
    pub range: String,
    /// Opponents' ranges.
    pub against: Vec<String>,
    /// Board: up to five cards.
    #[serde(default)]
    pub board: String,
    /// Dead cards, which no player can have.
    #[serde(default)]
    pub dead: String,
    /// Ranges of players who have folded.
    #[serde(default)]
    pub folded: Vec<String>,
}

/// The equity of each class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Matrix {
    /// Equities in the order of the request; null for a class without a possible hand.
    pub equities: Vec<Option<f64>>,
}

/// Computes the equity of classes of starting hands, as `croupier poker matrix` does.
///
/// # Errors
/// If a range or a card is invalid.
pub fn matrix(request: MatrixRequest, limits: &RequestLimits) -> Result<Matrix, RequestError> {
    /// Number of classes of starting hands.
    const CLASSES: usize = 169;
    if request.classes.len() > CLASSES || request.against.is_empty() {
        return Err(RequestError::request(
            "give up to 169 classes and at least one other range",
        ));
    }
    limits.check_cancelled()?;
    let board = cards_of("board", &request.board)?;
    let own = parsed(&request.range, Game::Holdem, board, limits)?;
    let asked = |hand| {
        let cell: Option<GridCell> = GridCell::of(hand);
        cell.is_some_and(|cell| request.classes.contains(&cell.name()))
    };
    let hands = own.hands().iter().copied();
    let hands = Range::of_hands(&request.range, hands.filter(|(hand, _)| asked(*hand)));
    let nothing = Matrix {
        equities: vec![None; request.classes.len()],
    };
    if hands.is_empty() {
        return Ok(nothing);
    }
    let mut players = vec![hands];
    for text in &request.against {
        players.push(parsed(text, Game::Holdem, board, limits)?);
    }
    let folded = request.folded.iter();
    let folded = folded.map(|text| parsed(text, Game::Holdem, board, limits));
    let query = Query {
        game: Game::Holdem,
        players,
        folded: folded.collect::<Result<_, _>>()?,
        board,
        dead: cards_of("dead cards", &request.dead)?,
    };
    // Where hands are not counted exactly, at most this many samples each.
    let options = options(limits, 0, limits.poker_samples.min(30_000));
    let hands = match query.by_hand(0, &options) {
        Ok(hands) => hands,
        // No hand of the class is possible: its cards are on the board or dead.
        Err(EquityError::NothingLeft { player: 1, .. } | EquityError::NoDeal) => {
            return Ok(nothing);
        }
        Err(error) => return Err(RequestError::request(error.to_string())),
    };
    let grid = Grid::new(&hands);
    let by_name = |name: &String| {
        let cell = GridCell::all().find(|cell| cell.name() == *name)?;
        grid.kind(cell).equity()
    };
    Ok(Matrix {
        equities: request.classes.iter().map(by_name).collect(),
    })
}

/// Returns the options of the poker crate within the limits.
pub(crate) fn options(limits: &RequestLimits, seed: u64, samples: u64) -> EquityOptions {
    EquityOptions {
        method: EquityMethod::Auto,
        threads: limits.threads.max(1),
        seed,
        stop: StopRule {
            samples,
            standard_error: 0.0002,
        },
    }
}

/// A request for the hands of a range.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RangeRequest {
    /// Text of the range.
    pub range: String,
    /// Game, as `games` lists them; default: `holdem`. Only games with two cards have classes.
    #[serde(default)]
    pub game: Option<String>,
    /// Board, for filters such as `[flush draw]`.
    #[serde(default)]
    pub board: String,
}

/// A class of starting hands and the part of it in a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClassData {
    /// Row of the grid: 0 for aces.
    pub row: usize,
    /// Column of the grid: 0 for aces.
    pub column: usize,
    /// Weight of the class's hands in the range.
    pub weight: f64,
}

/// Content of a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RangeData {
    /// Number of hands.
    pub hands: usize,
    /// Share of all 1326 starting hands, by weight.
    pub share: f64,
    /// Classes with at least one hand in the range.
    pub classes: Vec<ClassData>,
}

/// Parses a range of starting hands and returns it as a grid of 13 by 13 classes: pairs on the diagonal, suited hands
/// above it.
///
/// # Errors
/// If the range is invalid; the message contains the position.
pub fn range(request: RangeRequest, limits: &RequestLimits) -> Result<RangeData, RequestError> {
    let game = game(request.game.as_deref())?;
    let board = cards_of("board", &request.board)?;
    let range = parsed(&request.range, game, board, limits)?;
    let mut weights = [[0.0; 13]; 13];
    let mut total = 0.0;
    for (hand, weight) in range.hands() {
        let Some(cell) = GridCell::of(*hand) else {
            continue;
        };
        let weight = weight.millionths() as f64 / 1e6;
        weights[cell.row][cell.column] += weight;
        total += weight;
    }
    let classes = GridCell::all()
        .map(|cell| ClassData {
            row: cell.row,
            column: cell.column,
            weight: weights[cell.row][cell.column] / cell.hands() as f64,
        })
        .filter(|class| class.weight > 0.0)
        .collect();
    Ok(RangeData {
        hands: range.len(),
        share: total / 1326.0,
        classes,
    })
}

pub(crate) fn game(name: Option<&str>) -> Result<Game, RequestError> {
    match name {
        None | Some("") => Ok(Game::Holdem),
        Some(name) => shortened(name)
            .parse()
            .map_err(|error: croupier::poker::UnknownGame| {
                RequestError::request(error.to_string())
            }),
    }
}

pub(crate) fn parsed(
    text: &str,
    game: Game,
    board: CardSet,
    limits: &RequestLimits,
) -> Result<Range, RequestError> {
    limits.script(text)?;
    let setting = RangeContext {
        board,
        ..RangeContext::of(game)
    };
    Range::parse_in(text, &setting)
        .map_err(|error| RequestError::request(format!("range {:?}: {error}", shortened(text))))
}

pub(crate) fn cards_of(what: &str, text: &str) -> Result<CardSet, RequestError> {
    if text.len() > 400 {
        return Err(RequestError::request(format!("too many {what}")));
    }
    parse_cards(text).map_err(|error| RequestError::request(format!("{what} {text:?}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aces_against_kings() {
        let request = EquityRequest {
            ranges: vec!["AhAs".to_owned(), "KdKc".to_owned()],
            ..EquityRequest::default()
        };
        let found = equity(request, &RequestLimits::default()).unwrap();
        assert!(found.exact);
        assert_eq!(found.deals, "1712304");
        assert!((found.players[0].equity - 0.8126).abs() < 0.001);
    }

    /// A filter needs the board of the request, in every kind of request.
    #[test]
    fn filters_use_the_board() {
        let (text, board) = ("88+,KQs[top pair+]", "Kh7d2c");
        let limits = RequestLimits::default();
        let request = EquityRequest {
            ranges: vec![text.to_owned(), "QQ".to_owned()],
            board: board.to_owned(),
            ..EquityRequest::default()
        };
        let found = equity(request, &limits).unwrap();
        assert_eq!(found.players[0].range, text);
        let request = RangeRequest {
            range: text.to_owned(),
            board: board.to_owned(),
            ..RangeRequest::default()
        };
        // Six each of 88 to AA, where the board has a king; the three suited king-queens without it.
        assert_eq!(range(request.clone(), &limits).unwrap().hands, 7 * 6 + 3);
        let without_board = RangeRequest {
            board: String::new(),
            ..request
        };
        let error = range(without_board, &limits).unwrap_err();
        assert!(error.message.contains("needs a board"), "{}", error.message);
        let request = MatrixRequest {
            classes: vec!["KQs".to_owned(), "T9s".to_owned()],
            range: text.to_owned(),
            against: vec!["random[any pair]".to_owned()],
            board: board.to_owned(),
            dead: String::new(),
            folded: Vec::new(),
        };
        let found = matrix(request, &limits).unwrap();
        assert!(found.equities[0].is_some() && found.equities[1].is_none());
    }

    #[test]
    fn the_grid_has_pairs_on_the_diagonal_and_suited_hands_above_it() {
        let request = RangeRequest {
            range: "QQ, AKs, 72o:0.5".to_owned(),
            ..RangeRequest::default()
        };
        let found = range(request, &RequestLimits::default()).unwrap();
        let at = |row, column| {
            let class = found
                .classes
                .iter()
                .find(|it| (it.row, it.column) == (row, column));
            class.map(|it| it.weight)
        };
        assert_eq!(at(2, 2), Some(1.0));
        assert_eq!(at(0, 1), Some(1.0));
        assert_eq!(at(12, 7), Some(0.5));
        assert_eq!(found.hands, 6 + 4 + 12);
    }
}
