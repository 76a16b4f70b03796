//! `croupier.poker`: evaluation of arrays of hands, and equity.

use croupier::cards::CardSet;
use croupier::poker::equity::{EquityMethod, EquityOptions, Query, StopRule};
use croupier::poker::{Game, HandRank, NamedRanges, Range, RangeContext, parse_cards};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{type_error, value_error};
use crate::columns::need_numpy;
use crate::waiting::{Events, Link, wait};

/// Ranks hands of five, six or seven cards, given as masks: 0 for a royal flush to 7461 for the worst hand.
#[pyfunction]
pub fn poker_evaluate<'py>(hands: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<u16>>> {
    let py = hands.py();
    need_numpy(py)?;
    let array = hands.extract::<PyReadonlyArray1<'py, u64>>();
    let array = array.map_err(|_| type_error("a text or an array uint64[n] of masks", hands))?;
    let hands: Vec<CardSet> = array.as_array().iter().map(|&mask| CardSet(mask)).collect();
    let ranks = py.detach(|| evaluate(&hands)).map_err(value_error)?;
    Ok(ranks
        .into_iter()
        .map(|rank| rank.0)
        .collect::<Vec<u16>>()
        .into_pyarray(py))
}

fn evaluate(hands: &[CardSet]) -> Result<Vec<HandRank>, String> {
    let size = hands.first().map_or(7, |hand| hand.len());
    let odd = hands
        .iter()
        .position(|hand| hand.len() != size || hand.0 > CardSet::FULL.0);
    let mut ranks = vec![HandRank(0); hands.len()];
    match (odd, size) {
        (None, 7) => croupier::poker::evaluate7_batch(hands, &mut ranks),
        (None, 6) => croupier::poker::evaluate6_batch(hands, &mut ranks),
        (None, 5) => croupier::poker::evaluate5_batch(hands, &mut ranks),
        // Hands of different sizes are evaluated one by one.
        _ => {
            for (place, (hand, rank)) in hands.iter().zip(&mut ranks).enumerate() {
                let known = Some(*hand)
                    .filter(|hand| hand.0 <= CardSet::FULL.0)
                    .and_then(croupier::poker::evaluate);
                *rank = known.ok_or_else(|| {
                    format!(
                        "hand {place} ({:#x}) is not a mask of five, six or seven cards",
                        hand.0
                    )
                })?;
            }
        }
    }
    Ok(ranks)
}

/// Ranks one hand, given as text. Returns its rank, category and description.
#[pyfunction]
pub fn poker_ranks(text: &str) -> PyResult<(u16, String, String)> {
    let cards = parse_cards(text).map_err(|error| value_error(format!("{text:?}: {error}")))?;
    let rank = croupier::poker::evaluate(cards).ok_or_else(|| {
        value_error(format!(
            "{text:?} has {} cards; five, six or seven are ranked",
            cards.len()
        ))
    })?;
    Ok((rank.0, format!("{:?}", rank.category()), rank.describe()))
}

/// Game, board, dead cards, named ranges and folded ranges, as the functions of `croupier.poker` pass them.
#[derive(FromPyObject)]
pub struct TableArgument(String, String, String, Vec<(String, String)>, Vec<String>);

/// Method, seed, number of samples, standard error and number of threads.
#[derive(FromPyObject)]
pub struct MethodArgument(String, u64, u64, f64, usize);

/// A game with the cards and ranges that are known.
pub struct PokerTable {
    /// The game.
    pub game: Game,
    /// The board.
    pub board: CardSet,
    /// Cards that no player can have.
    pub dead: CardSet,
    /// Ranges of players who have folded.
    folded: Vec<Range>,
    names: NamedRanges,
}

/// Reads cards; `what` names the argument in the error.
pub fn cards_of(what: &str, text: &str) -> PyResult<CardSet> {
    parse_cards(text).map_err(|error| value_error(format!("{what}={text:?}: {error}")))
}

impl TableArgument {
    /// Reads the table.
    pub fn read(&self) -> PyResult<PokerTable> {
        let TableArgument(game, board, dead, names, folded) = self;
        let game: Game = game.parse().map_err(value_error)?;
        let board = cards_of("board", board)?;
        let lines: Vec<String> = names
            .iter()
            .map(|(name, range)| format!("{name} = {range}"))
            .collect();
        let names = NamedRanges::parse_on(&lines.join("\n"), game, board)
            .map_err(|error| value_error(format!("names: {error}")))?;
        let mut table = PokerTable {
            game,
            board,
            dead: cards_of("dead", dead)?,
            folded: Vec::new(),
            names,
        };
        let folded: PyResult<Vec<Range>> = folded.iter().map(|text| table.range(text)).collect();
        table.folded = folded?;
        Ok(table)
    }
}

impl PokerTable {
    /// Returns the context of ranges on this table.
    pub fn context(&self) -> RangeContext<'_> {
        RangeContext {
            game: self.game,
            board: self.board,
            names: &self.names,
        }
    }

    /// Reads a range.
    pub fn range(&self, text: &str) -> PyResult<Range> {
        Range::parse_in(text, &self.context())
            .map_err(|error| value_error(format!("{text:?}: {error}")))
    }

    /// Returns the question about these players.
    pub fn query(&self, players: &[String]) -> PyResult<Query> {
        let players: PyResult<Vec<Range>> = players.iter().map(|text| self.range(text)).collect();
        Ok(Query {
            folded: self.folded.clone(),
            board: self.board,
            dead: self.dead,
            ..Query::new(self.game, players?)
        })
    }

    /// Checks that hands of the game have two cards.
    pub fn require_two_hole_cards(&self, function: &str) -> PyResult<()> {
        match self.game.hole_cards() {
            2 => Ok(()),
            number => Err(value_error(format!(
                "{function} is for hold'em and short deck; {} hands have {number} cards",
                self.game
            ))),
        }
    }
}

impl MethodArgument {
    /// Returns the options.
    pub fn options(&self) -> PyResult<EquityOptions> {
        let &MethodArgument(ref method, seed, samples, standard_error, threads) = self;
        let method = match method.as_str() {
            "auto" => EquityMethod::Auto,
            "exact" => EquityMethod::Exact,
            "simulate" => EquityMethod::MonteCarlo,
            other => {
                return Err(value_error(format!(
                    "{other:?} is not a method: auto, exact or simulate"
                )));
            }
        };
        let usual = EquityOptions::default();
        Ok(EquityOptions {
            method,
            seed,
            threads: if threads == 0 { usual.threads } else { threads },
            stop: StopRule {
                samples,
                standard_error,
            },
        })
    }
}

/// Runs `work` without the interpreter lock.
pub fn wait_for<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    wait(
        py,
        &Link::default(),
        None,
        move |_: &Events<(), _>| work(),
        |()| Ok(()),
    )
}

/// Computes each player's equity: exactly if that takes a few seconds at most, else by simulation.
#[pyfunction]
pub fn poker_equity<'py>(
    py: Python<'py>,
    players: Vec<String>,
    table: TableArgument,
    method: MethodArgument,
) -> PyResult<Bound<'py, PyDict>> {
    let query = table.read()?.query(&players)?;
    let options = method.options()?;
    let equity = wait_for(py, move || query.solve(&options))?.map_err(value_error)?;
    let result = PyDict::new(py);
    result.set_item("exact", equity.is_exact())?;
    result.set_item("deals", equity.deals().to_f64())?;
    let mut rows = Vec::new();
    for player in equity.players() {
        let row = PyDict::new(py);
        row.set_item("range", &player.range)?;
        row.set_item("equity", player.equity)?;
        row.set_item("win", player.win_share)?;
        row.set_item("tie", player.tie_share)?;
        row.set_item("standard_error", player.standard_error)?;
        row.set_item("interval", player.confidence_interval())?;
        row.set_item("win_interval", player.intervals.map(|it| it.win))?;
        row.set_item("tie_interval", player.intervals.map(|it| it.tie))?;
        rows.push(row);
    }
    result.set_item("players", rows)?;
    Ok(result)
}
