//! `croupier.poker`: a range hand by hand, cards that can come next, and made hands.

use croupier::poker::equity::{Equity, ShareIntervals};
use croupier::poker::grid::{Grid, GridCell};
use croupier::poker::strength::{Draws, Made, distribution, distribution_after};
use croupier::poker::{EquityOptions, card_text, format_cards};
use pyo3::prelude::*;

use crate::arguments::value_error;
use crate::poker::{MethodArgument, TableArgument, wait_for};
use crate::studies::Triple;

/// Returns a share with the ends of its interval, which are the share itself if it is exact.
fn triple(share: f64, limits: Option<(f64, f64)>) -> Triple {
    let (low, high) = limits.unwrap_or((share, share));
    (share, low, high)
}

/// Returns the share of the pot, of deals won and of deals tied.
fn shares(values: [f64; 3], intervals: Option<ShareIntervals>) -> [Triple; 3] {
    let limits = intervals.map(|it| [it.equity, it.win, it.tie]);
    std::array::from_fn(|place| triple(values[place], limits.map(|limits| limits[place])))
}

/// A hand, its weight and its shares.
type HandRow = (String, f64, [Triple; 3]);

/// Computes the equity of every hand of the first range, best hand first.
#[pyfunction]
pub fn poker_hands(
    py: Python<'_>,
    players: Vec<String>,
    table: TableArgument,
    method: MethodArgument,
) -> PyResult<Vec<HandRow>> {
    let query = table.read()?.query(&players)?;
    let options = method.options()?;
    let found = wait_for(py, move || query.by_hand(0, &options))?;
    let mut hands = found.map_err(value_error)?;
    hands.sort_by(|a, b| b.equity.total_cmp(&a.equity).then(b.hand.cmp(&a.hand)));
    let rows = hands.iter().map(|hand| {
        let values = [hand.equity, hand.win_share, hand.tie_share];
        let weight = hand.weight.millionths() as f64 / 1e6;
        (
            format_cards(hand.hand),
            weight,
            shares(values, hand.intervals),
        )
    });
    Ok(rows.collect())
}

/// The name of a kind of hand, the number of its hands in the range, their mean weight and their shares.
type KindRow = (String, u64, Option<f64>, Option<[Triple; 3]>);

/// Computes the equity of the 169 kinds of hands of the first range, row by row of the grid.
#[pyfunction]
pub fn poker_matrix(
    py: Python<'_>,
    players: Vec<String>,
    table: TableArgument,
    method: MethodArgument,
) -> PyResult<Vec<KindRow>> {
    let table = table.read()?;
    table.require_two_hole_cards("matrix")?;
    let query = table.query(&players)?;
    let options = method.options()?;
    let hands = wait_for(py, move || query.by_hand(0, &options))?.map_err(value_error)?;
    let grid = Grid::new(&hands);
    let rows = GridCell::all().map(|cell| {
        let kind = grid.kind(cell);
        let values = kind.equity().zip(kind.win()).zip(kind.tie());
        let found = values.map(|((equity, win), tie)| shares([equity, win, tie], kind.intervals()));
        (cell.name(), kind.hands, kind.mean_weight(), found)
    });
    Ok(rows.collect())
}

/// A card, the equity after it, the change of the equity, and whether it is an out.
type CardRow = (String, Triple, Triple, bool);

/// Computes how every next card changes the equity of the first range: the equity now, and the cards, best first.
#[pyfunction]
pub fn poker_outs(
    py: Python<'_>,
    players: Vec<String>,
    table: TableArgument,
    method: MethodArgument,
) -> PyResult<(Triple, Vec<CardRow>)> {
    let table = table.read()?;
    let full = table.game.board_cards();
    if full == 0 {
        return Err(value_error(format!("{} has no board", table.game)));
    }
    if !(3..full).contains(&table.board.len()) {
        return Err(value_error(
            "give a board of three or four cards, after which a card can come",
        ));
    }
    let query = table.query(&players)?;
    let options = method.options()?;
    let work = move || -> Result<(Equity, Vec<_>), _> {
        let equity = query.solve(&options)?;
        query.next_cards(&options).map(|next| (equity, next))
    };
    let found: Result<_, croupier::poker::EquityError> = wait_for(py, work)?;
    let (now, mut next) = found.map_err(value_error)?;
    next.sort_by(|a, b| b.player(0).equity.total_cmp(&a.player(0).equity));
    let rows = next.iter().map(|card| {
        let player = card.player(0);
        let (change, limits) = card.change(0, &now);
        (
            card_text(card.card),
            triple(player.equity, player.confidence_interval()),
            triple(change, limits),
            card.is_out(0, &now),
        )
    });
    let player = now.players().swap_remove(0);
    let equity = triple(player.equity, player.confidence_interval());
    Ok((equity, rows.collect()))
}

/// Made hands or draws by name, each with the number of hands by weight.
type Weights = Vec<(&'static str, f64)>;

/// Counts the hands of a range, and how many of them are each made hand and each draw. `cards` is the number of cards up to
/// which every completion of the board counts; the counts are then means over these boards.
#[pyfunction]
#[pyo3(signature = (range, table, cards=None))]
pub fn poker_strength(
    py: Python<'_>,
    range: &str,
    table: TableArgument,
    cards: Option<usize>,
) -> PyResult<(f64, Weights, Weights)> {
    let table = table.read()?;
    table.require_two_hole_cards("strength")?;
    let own = table.range(range)?;
    let (game, board, dead) = (table.game, table.board, table.dead);
    let found = match cards {
        None if !(3..=5).contains(&board.len()) => {
            return Err(value_error(
                "give a board of three to five cards, or a street with by",
            ));
        }
        None => distribution(game, &own, board, dead),
        Some(cards) => wait_for(py, move || {
            let threads = EquityOptions::default().threads;
            distribution_after(game, &own, board, dead, cards, threads)
        })?
        .map_err(value_error)?,
    };
    if found.total == 0 {
        return Err(value_error(format!(
            "no hand of {range} is left; each shares a card with the board or the dead cards"
        )));
    }
    let hands = |weight: u64| weight as f64 / 1e6 / found.boards as f64;
    let made = Made::ALL.iter().map(|made| {
        (
            made.name(),
            hands(found.made.get(made).copied().unwrap_or(0)),
        )
    });
    let draws = Draws::default()
        .named()
        .map(|(name, _)| (name, hands(found.draws.get(name).copied().unwrap_or(0))));
    Ok((hands(found.total), made.collect(), draws.to_vec()))
}
