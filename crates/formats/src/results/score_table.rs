//! The tables of PBN with results: `ScoreTable` on a board and `TotalScoreTable` with the names of pairs.

use cards::{Card, Seat};

use super::TableResult;
use crate::ExtraTag;

/// Rows of a table section with access to their columns by name.
struct TableRows {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl TableRows {
    fn new(tag: &ExtraTag) -> TableRows {
        let name = |column: &str| {
            let column = column.trim().trim_start_matches(['+', '-']);
            column
                .split('\\')
                .next()
                .unwrap_or(column)
                .to_ascii_lowercase()
        };
        TableRows {
            columns: tag.value.split(';').map(name).collect(),
            rows: tag
                .section
                .lines()
                .map(words)
                .filter(|row| !row.is_empty())
                .collect(),
        }
    }

    /// Returns the value in a row; `None` if it is missing or unknown (`-`, `?`).
    fn value<'a>(&self, row: &'a [String], column: &str) -> Option<&'a str> {
        let place = self.columns.iter().position(|name| name == column)?;
        let value = row.get(place)?.as_str();
        (!matches!(value, "" | "-" | "?")).then_some(value)
    }
}

/// Splits a row at blanks; quotes keep a text together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

/// Returns the rows of a `ScoreTable`.
pub(super) fn results(tag: &ExtraTag) -> Vec<TableResult> {
    let table = TableRows::new(tag);
    let result = |row: &Vec<String>| {
        let value = |column: &str| table.value(row, column);
        let number = |column: &str| value(column).and_then(|text| text.parse::<f64>().ok());
        let contract = value("contract");
        let is_pass = contract.is_some_and(|text| text.eq_ignore_ascii_case("pass"));
        let score = number("score_ns").or_else(|| number("score_ew").map(|score| -score));
        let score = score.map(|score| score.round() as i32);
        let pair = |id: &str, names: [&str; 2]| {
            let names = names.map(|column| value(column).unwrap_or_default());
            match value(id) {
                Some(id) => id.to_owned(),
                None => names
                    .into_iter()
                    .filter(|name| !name.is_empty())
                    .collect::<Vec<_>>()
                    .join(" – "),
            }
        };
        let result = TableResult {
            north_south: pair("pairid_ns", ["north", "south"]),
            east_west: pair("pairid_ew", ["east", "west"]),
            contract: contract.and_then(|text| text.parse().ok()),
            declarer: value("declarer").and_then(|text| text.parse::<Seat>().ok()),
            tricks: value("result")
                .and_then(|text| text.parse().ok())
                .filter(|&tricks| tricks <= 13),
            lead: value("lead").and_then(|text| text.parse::<Card>().ok()),
            score: if is_pass { Some(0) } else { score },
            is_closed: value("room").is_some_and(|room| room.eq_ignore_ascii_case("closed")),
        };
        let count = number("multiplicity").map_or(1, |count| count.clamp(1.0, 1000.0) as usize);
        std::iter::repeat_n(result, count)
    };
    table.rows.iter().flat_map(result).collect()
}

/// Returns the names of the pairs in a `TotalScoreTable`.
pub(super) fn names(tag: &ExtraTag) -> Vec<(String, String)> {
    let table = TableRows::new(tag);
    let name = |row: &Vec<String>| {
        let id = table
            .value(row, "pairid")
            .or_else(|| table.value(row, "teamid"))?;
        let names = table
            .value(row, "names")
            .or_else(|| table.value(row, "name"))?;
        Some((id.to_owned(), names.to_owned()))
    };
    table.rows.iter().filter_map(name).collect()
}
