//! `croupier.poker`: hand histories and the equity at every decision.

use std::collections::BTreeMap;

use croupier::poker::format_cards;
use croupier::poker::history::{HandHistory, HistoryOptions, HistoryView, ReportedDecision, read};
use croupier::poker::{Game, NamedRanges};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::value_error;
use crate::poker::{MethodArgument, wait_for};

/// A share and its interval; `None` for a player who has folded.
type Share = Option<(f64, Option<(f64, f64)>)>;

/// Reads hand histories and computes the equity at every decision.
#[pyfunction]
pub fn poker_history<'py>(
    py: Python<'py>,
    text: &str,
    hero: Option<String>,
    ranges: Vec<(String, String)>,
    names: Vec<(String, String)>,
    method: MethodArgument,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let hands = read(text).map_err(value_error)?;
    let equity = method.options()?;
    let lines: Vec<String> = names
        .iter()
        .map(|(name, range)| format!("{name} = {range}"))
        .collect();
    let lines = lines.join("\n");
    let mut questions = Vec::new();
    for (number, hand) in (1..).zip(hands) {
        let player = |name: &str| {
            let known: Vec<&str> = hand.players.iter().map(|it| it.name.as_str()).collect();
            hand.player(name).ok_or_else(|| {
                value_error(format!(
                    "hand {number} has no player {name:?}; the players are {}",
                    known.join(", ")
                ))
            })
        };
        let view = match &hero {
            None => HistoryView::Everybody,
            Some(name) => HistoryView::Player(player(name)?),
        };
        let mut own = BTreeMap::new();
        for (name, range) in &ranges {
            own.insert(player(name)?, range.clone());
        }
        let options = HistoryOptions {
            view,
            ranges: own,
            names: named(&lines, hand.game)?,
            equity,
        };
        questions.push((hand, options));
    }
    let reports = wait_for(py, move || -> Result<Vec<_>, String> {
        let report = |(number, (hand, options)): (usize, (HandHistory, HistoryOptions))| {
            let report = hand.report(&options);
            let report = report.map_err(|error| format!("hand {number}: {error}"))?;
            Ok((hand, report.decisions))
        };
        (1..).zip(questions).map(report).collect()
    })?;
    let reports = reports.map_err(value_error)?;
    reports
        .iter()
        .map(|(hand, decisions)| row(py, hand, decisions))
        .collect()
}

fn named(lines: &str, game: Game) -> PyResult<NamedRanges> {
    NamedRanges::parse(lines, game).map_err(|error| value_error(format!("names: {error}")))
}

fn row<'py>(
    py: Python<'py>,
    hand: &HandHistory,
    decisions: &[ReportedDecision],
) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("name", &hand.name)?;
    row.set_item("game", hand.game.to_string())?;
    let players = hand.players.iter();
    let players = players.map(|it| (it.name.as_str(), it.stack.map(|stack| stack.to_f64())));
    row.set_item("players", players.collect::<Vec<_>>())?;
    let rows: PyResult<Vec<_>> = decisions.iter().map(|it| decision(py, hand, it)).collect();
    row.set_item("decisions", rows?)?;
    Ok(row)
}

fn decision<'py>(
    py: Python<'py>,
    hand: &HandHistory,
    decision: &ReportedDecision,
) -> PyResult<Bound<'py, PyDict>> {
    let row = PyDict::new(py);
    row.set_item("street", decision.street)?;
    row.set_item("board", format_cards(decision.board))?;
    row.set_item("player", &hand.players[decision.player].name)?;
    row.set_item("action", decision.action.name())?;
    row.set_item(
        "amount",
        decision.action.amount().map(|chips| chips.to_f64()),
    )?;
    row.set_item("pot", decision.pot.to_f64())?;
    row.set_item("to_call", decision.to_call.to_f64())?;
    row.set_item("needed", decision.needed())?;
    let shares: Vec<Share> = match &decision.equity {
        Ok(equity) => {
            let both = equity.shares.iter().zip(&equity.intervals);
            both.map(|(share, interval)| share.map(|share| (share, *interval)))
                .collect()
        }
        Err(_) => Vec::new(),
    };
    row.set_item("shares", shares)?;
    row.set_item(
        "missing",
        decision.equity.as_ref().err().map(ToString::to_string),
    )?;
    Ok(row)
}
