//! `croupier.results`: travellers and rankings of events.

use std::path::PathBuf;

use croupier::formats::results::{EventResults, Scoring};
use pyo3::prelude::*;

use crate::arguments::value_error;
use crate::card::Card;
use crate::contract::Contract;
use crate::files::with_name;

/// Names of the ways to score.
const SCORINGS: [(&str, Scoring); 4] = [
    ("mp", Scoring::Matchpoints),
    ("imps", Scoring::CrossImps),
    ("butler", Scoring::Butler),
    ("teams", Scoring::Teams),
];

/// Board, North-South, East-West, contract with declarer, tricks, lead, score of North-South, points of both sides, and whether
/// the table is in the closed room.
type TableRow = (
    u64,
    String,
    String,
    Option<Contract>,
    Option<u8>,
    Option<Card>,
    Option<i32>,
    Option<(f64, f64)>,
    bool,
);

/// Rank, name, number of boards, total and percentage.
type RankRow = (usize, String, usize, f64, Option<f64>);

/// Event, way to score, tables, ranking, the boards of results without a score, and the results as USEBIO.
type Answer = (
    String,
    &'static str,
    Vec<TableRow>,
    Vec<RankRow>,
    Vec<u64>,
    String,
);

/// Reads the results of an event. The tables of a board are in the order of the score of North-South, best first.
#[pyfunction]
#[pyo3(signature = (path, scoring=None))]
pub fn read_results(py: Python<'_>, path: PathBuf, scoring: Option<&str>) -> PyResult<Answer> {
    let file = std::fs::File::open(&path).map_err(|error| with_name(error, &path))?;
    let results = py.detach(|| EventResults::read(file));
    let results = results.map_err(|error| value_error(format!("{}: {error}", path.display())))?;
    let scoring = match scoring {
        None => results.default_scoring(),
        Some(name) => {
            let found = SCORINGS.into_iter().find(|(known, _)| *known == name);
            let names = SCORINGS.map(|(name, _)| name).join(", ");
            let wrong = || value_error(format!("scoring={name:?} is not one of {names}"));
            found.ok_or_else(wrong)?.1
        }
    };
    let mut tables = Vec::new();
    for board in &results.boards {
        let points = board.points(scoring);
        let mut rows: Vec<_> = board.tables.iter().zip(points).collect();
        rows.sort_by_key(|(table, _)| std::cmp::Reverse(table.score));
        for (table, points) in rows {
            let is_known = table.contract.is_some() || table.score == Some(0);
            let contract = is_known.then_some(Contract {
                contract: table.contract,
                declarer: table.declarer,
                taken: table.tricks,
            });
            tables.push((
                board.number,
                results.name_of(&table.north_south).to_owned(),
                results.name_of(&table.east_west).to_owned(),
                contract,
                table.tricks,
                table.lead.map(Card),
                table.score,
                points.map(Into::into),
                table.is_closed,
            ));
        }
    }
    let ranking = results.ranking(scoring).into_iter().map(|entry| {
        let name = results.name_of(&entry.name).to_owned();
        let percent = entry.percent();
        (entry.rank, name, entry.boards, entry.total, percent)
    });
    let names = SCORINGS.into_iter().find(|(_, known)| *known == scoring);
    let name = names.map_or("", |(name, _)| name);
    Ok((
        results.event.clone(),
        name,
        tables,
        ranking.collect(),
        results.left_out.clone(),
        results.to_usebio(),
    ))
}
