//! Poker: everybody's share of the pot.

use croupier::poker::grid::{Cell, Grid};
use croupier::poker::{
    EquityError, EquityOptions, Game, Method, Query, Range, StopRule, format_cards, parse_cards,
};
use serde::{Deserialize, Serialize};

use crate::boards::shortened;
use crate::{Limits, Problem};

/// Who plays what on which board.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskEquity {
    /// `holdem`, `omaha` or `short-deck`.
    #[serde(default)]
    pub game: Option<String>,
    /// The players' ranges, two to ten.
    pub ranges: Vec<String>,
    /// Up to five cards.
    #[serde(default)]
    pub board: String,
    /// Cards nobody can have.
    #[serde(default)]
    pub dead: String,
    /// Seed of the random deals, where not all are counted.
    #[serde(default)]
    pub seed: u64,
}

/// What comes out for one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayerData {
    /// The range as it was written.
    pub range: String,
    /// The share of the pot, 0 to 1.
    pub equity: f64,
    /// The share of deals won alone.
    pub win: f64,
    /// The share of deals tied.
    pub tie: f64,
    /// Half the width of the 95 % interval; nothing if it is exact.
    pub within: Option<f64>,
}

/// Everybody's share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EquityData {
    /// Whether all deals were counted.
    pub exact: bool,
    /// How the answer was found.
    pub algorithm: String,
    /// The weight of all deals.
    pub deals: String,
    /// The players, in the order of the question.
    pub players: Vec<PlayerData>,
}

/// Computes equity.
///
/// # Errors
/// If ranges or cards are wrong.
pub fn equity(ask: AskEquity, limits: &Limits) -> Result<EquityData, Problem> {
    let game = game(ask.game.as_deref())?;
    if !(2..=croupier::poker::MAX_PLAYERS).contains(&ask.ranges.len()) {
        return Err(Problem::request("give the ranges of two to ten players"));
    }
    let players = ask
        .ranges
        .iter()
        .map(|text| parsed(text, game, limits))
        .collect::<Result<_, _>>()?;
    let query = Query {
        game,
        players,
        board: cards_of("board", &ask.board)?,
        dead: cards_of("dead cards", &ask.dead)?,
    };
    let options = options(limits, ask.seed, limits.poker_samples);
    let found = query
        .solve(&options)
        .map_err(|error| Problem::request(error.to_string()))?;
    Ok(EquityData {
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
                within: it.within(),
                range: it.range,
            })
            .collect(),
    })
}

/// Which hands of a range do how well against the others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskMatrix {
    /// The classes asked about, such as `AKs`; each is valued against the others' ranges.
    pub classes: Vec<String>,
    /// The range they belong to: only its hands count.
    pub range: String,
    /// The others.
    pub against: Vec<String>,
    /// Up to five cards.
    #[serde(default)]
    pub board: String,
    /// Cards nobody can have.
    #[serde(default)]
    pub dead: String,
}

/// The equity of each class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Matrix {
    /// In the order of the question; nothing where the class has no hand left.
    pub equities: Vec<Option<f64>>,
}

/// Values classes of starting hands, as `croupier poker matrix` does.
///
/// # Errors
/// If ranges or cards are wrong.
pub fn matrix(ask: AskMatrix, limits: &Limits) -> Result<Matrix, Problem> {
    /// All classes of starting hands.
    const CLASSES: usize = 169;
    if ask.classes.len() > CLASSES || ask.against.is_empty() {
        return Err(Problem::request(
            "give up to 169 classes and at least one other range",
        ));
    }
    limits.go_on()?;
    let own = parsed(&ask.range, Game::Holdem, limits)?;
    let asked = |hand| {
        let cell: Option<Cell> = Cell::of(hand);
        cell.is_some_and(|cell| ask.classes.contains(&cell.name()))
    };
    let hands: Vec<String> = own
        .hands()
        .iter()
        .filter(|(hand, _)| asked(*hand))
        .map(|(hand, weight)| format!("{}:{weight}", format_cards(*hand)))
        .collect();
    let nothing = Matrix {
        equities: vec![None; ask.classes.len()],
    };
    if hands.is_empty() {
        return Ok(nothing);
    }
    let mut players = vec![parsed(&hands.join(","), Game::Holdem, limits)?];
    for text in &ask.against {
        players.push(parsed(text, Game::Holdem, limits)?);
    }
    let query = Query {
        game: Game::Holdem,
        players,
        board: cards_of("board", &ask.board)?,
        dead: cards_of("dead cards", &ask.dead)?,
    };
    // Where hands are not counted out, so many deals for each.
    let options = options(limits, 0, limits.poker_samples.min(30_000));
    let hands = match query.by_hand(0, &options) {
        Ok(hands) => hands,
        // Classes whose cards are all on the board or dead have no hand left.
        Err(EquityError::NothingLeft { player: 1, .. } | EquityError::NoDeal) => {
            return Ok(nothing);
        }
        Err(error) => return Err(Problem::request(error.to_string())),
    };
    let grid = Grid::new(&hands);
    let by_name = |name: &String| {
        let cell = Cell::all().find(|cell| cell.name() == *name)?;
        grid.kind(cell).equity()
    };
    Ok(Matrix {
        equities: ask.classes.iter().map(by_name).collect(),
    })
}

/// How the poker crate works within the limits.
fn options(limits: &Limits, seed: u64, samples: u64) -> EquityOptions {
    EquityOptions {
        method: Method::Auto,
        threads: limits.threads.max(1),
        seed,
        stop: StopRule {
            samples,
            standard_error: 0.0002,
        },
    }
}

/// A range to read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AskRange {
    /// As players write it.
    pub range: String,
}

/// A class of starting hands and how much of it is in a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClassData {
    /// Row of the grid: 0 for aces.
    pub row: usize,
    /// Column of the grid.
    pub column: usize,
    /// Weight of its hands in the range.
    pub weight: f64,
}

/// What a range holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RangeData {
    /// How many hands.
    pub hands: usize,
    /// Of all 1326, by weight.
    pub share: f64,
    /// The classes that it touches.
    pub classes: Vec<ClassData>,
}

/// Reads a range of starting hands onto the grid of 13 times 13: pairs on the diagonal, suited above it.
///
/// # Errors
/// If it is wrong; the message says where.
pub fn range(ask: AskRange, limits: &Limits) -> Result<RangeData, Problem> {
    let range = parsed(&ask.range, Game::Holdem, limits)?;
    let mut weights = [[0.0; 13]; 13];
    let mut total = 0.0;
    for (hand, weight) in range.hands() {
        let Some(cell) = Cell::of(*hand) else {
            continue;
        };
        let weight = weight.millionths() as f64 / 1e6;
        weights[cell.row][cell.column] += weight;
        total += weight;
    }
    let classes = Cell::all()
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

fn game(name: Option<&str>) -> Result<Game, Problem> {
    match name {
        None | Some("") => Ok(Game::Holdem),
        Some(name) => shortened(name)
            .parse()
            .map_err(|error: croupier::poker::UnknownGame| Problem::request(error.to_string())),
    }
}

fn parsed(text: &str, game: Game, limits: &Limits) -> Result<Range, Problem> {
    limits.script(text)?;
    Range::parse(text, game)
        .map_err(|error| Problem::request(format!("range {:?}: {error}", shortened(text))))
}

fn cards_of(what: &str, text: &str) -> Result<croupier::cards::CardSet, Problem> {
    if text.len() > 400 {
        return Err(Problem::request(format!("too many {what}")));
    }
    parse_cards(text).map_err(|error| Problem::request(format!("{what} {text:?}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aces_against_kings() {
        let ask = AskEquity {
            ranges: vec!["AhAs".to_owned(), "KdKc".to_owned()],
            ..AskEquity::default()
        };
        let found = equity(ask, &Limits::default()).unwrap();
        assert!(found.exact);
        assert_eq!(found.deals, "1712304");
        assert!((found.players[0].equity - 0.8126).abs() < 0.001);
    }

    #[test]
    fn the_grid_has_pairs_on_the_diagonal_and_suited_hands_above_it() {
        let ask = AskRange {
            range: "QQ, AKs, 72o:0.5".to_owned(),
        };
        let found = range(ask, &Limits::default()).unwrap();
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
