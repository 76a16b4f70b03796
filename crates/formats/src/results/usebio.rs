//! USEBIO, the XML format of results of the English Bridge Union and others: events of pairs with travellers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cards::{Card, Seat};

use super::{BoardResults, EventResults, ResultsError, TableResult};
use crate::lines::decode_text;
use crate::record::contract_text;

/// Returns whether a file is USEBIO.
pub(super) fn is_usebio(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let text = decode_text(start);
    text.trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
        && text.contains("<USEBIO")
}

/// The elements of the file that hold other elements.
const GROUPS: [&str; 8] = [
    "USEBIO",
    "CLUB",
    "EVENT",
    "PARTICIPANTS",
    "PAIR",
    "PLAYER",
    "BOARD",
    "TRAVELLER_LINE",
];

/// A part of the XML: the beginning or the end of an element, or text.
enum Part<'a> {
    Begin(&'a str),
    End(&'a str),
    Text(&'a str),
}

/// Splits the text into parts, each with its line.
fn parts(text: &str) -> Result<Vec<(u64, Part<'_>)>, ResultsError> {
    let mut parts = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while !rest.is_empty() {
        let Some(open) = rest.find('<') else {
            parts.push((line, Part::Text(rest)));
            break;
        };
        parts.push((line, Part::Text(&rest[..open])));
        line += newlines(&rest[..open]);
        let (begin, end): (&str, &str) = if rest[open..].starts_with("<!--") {
            ("<!--", "-->")
        } else {
            ("<", ">")
        };
        let inner = &rest[open + begin.len()..];
        let Some(close) = inner.find(end) else {
            return Err(ResultsError::Xml(
                line,
                "an element is not closed".to_owned(),
            ));
        };
        let tag = &inner[..close];
        if begin == "<" && !tag.starts_with(['?', '!']) {
            let name = tag
                .trim_start_matches('/')
                .split([' ', '\t', '\r', '\n', '/'])
                .next()
                .unwrap_or("");
            if !tag.starts_with('/') {
                parts.push((line, Part::Begin(name)));
            }
            if tag.starts_with('/') || tag.ends_with('/') {
                parts.push((line, Part::End(name)));
            }
        }
        line += newlines(tag);
        rest = &inner[close + end.len()..];
    }
    Ok(parts)
}

fn newlines(text: &str) -> u64 {
    text.matches('\n').count() as u64
}

fn unescaped(text: &str) -> String {
    text.trim()
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Reads the results.
pub(super) fn read(bytes: &[u8]) -> Result<EventResults, ResultsError> {
    let text = decode_text(bytes);
    let mut results = EventResults::default();
    let mut open: Vec<&str> = Vec::new();
    let mut value = String::new();
    let mut players: Vec<String> = Vec::new();
    let mut pair = String::new();
    let mut board = BoardResults::default();
    let mut fields: BTreeMap<String, String> = BTreeMap::new();
    let mut last_line = 1;
    for (line, part) in parts(&text)? {
        last_line = line;
        match part {
            Part::Text(text) => value.push_str(text),
            Part::Begin(name) => {
                value.clear();
                open.push(name);
                match name {
                    "PAIR" => (players, pair) = (Vec::new(), String::new()),
                    "BOARD" => board = BoardResults::default(),
                    "TRAVELLER_LINE" => fields.clear(),
                    _ => {}
                }
            }
            Part::End(name) => {
                if open.pop() != Some(name) {
                    return Err(ResultsError::Xml(
                        line,
                        format!("</{name}> ends an element that is not open"),
                    ));
                }
                let text = unescaped(&std::mem::take(&mut value));
                match (name, open.last().copied()) {
                    ("EVENT_DESCRIPTION" | "EVENT_NAME", _) if results.event.is_empty() => {
                        results.event = text
                    }
                    ("PAIR_NUMBER", Some("PAIR")) => pair = text,
                    ("PLAYER_NAME", _) if open.contains(&"PAIR") => players.push(text),
                    ("PAIR", _) => {
                        results
                            .names
                            .insert(std::mem::take(&mut pair), players.join(" – "));
                    }
                    ("BOARD_NUMBER", Some("BOARD")) => {
                        let wrong =
                            || ResultsError::Xml(line, format!("{text:?} is no number of a board"));
                        board.number = text.parse().map_err(|_| wrong())?;
                    }
                    ("TRAVELLER_LINE", _) => board.tables.extend(result(&fields, line)?),
                    ("BOARD", _) => results.boards.push(std::mem::take(&mut board)),
                    (name, Some("TRAVELLER_LINE")) if !GROUPS.contains(&name) => {
                        fields.insert(name.to_owned(), text);
                    }
                    _ => {}
                }
            }
        }
    }
    if let Some(name) = open.last() {
        return Err(ResultsError::Xml(
            last_line,
            format!("the file ends inside <{name}>"),
        ));
    }
    results.boards.retain(|board| !board.tables.is_empty());
    results.boards.sort_by_key(|board| board.number);
    Ok(results)
}

/// Returns the result of a traveller line; `None` for an adjusted score without points of the table.
fn result(
    fields: &BTreeMap<String, String>,
    line: u64,
) -> Result<Option<TableResult>, ResultsError> {
    let field = |name: &str| fields.get(name).map_or("", |text| text.as_str());
    let contract = field("CONTRACT")
        .to_ascii_uppercase()
        .replace(['*', ' '], "");
    let is_pass = matches!(contract.as_str(), "PASS" | "P" | "PASSED" | "PASSEDOUT");
    let score = field("SCORE");
    let read = match score {
        _ if is_pass => Some(0),
        "" => None,
        text => text.parse::<f64>().ok().map(|score| score.round() as i32),
    };
    let result = TableResult {
        north_south: field("NS_PAIR_NUMBER").to_owned(),
        east_west: field("EW_PAIR_NUMBER").to_owned(),
        contract: contract.parse().ok(),
        declarer: field("PLAYED_BY").parse::<Seat>().ok(),
        tricks: field("TRICKS").parse().ok().filter(|&tricks| tricks <= 13),
        lead: field("LEAD").parse::<Card>().ok(),
        score: read,
        is_closed: false,
    };
    if result.north_south.is_empty() || result.east_west.is_empty() {
        return Err(ResultsError::Xml(
            line,
            "a TRAVELLER_LINE needs NS_PAIR_NUMBER and EW_PAIR_NUMBER".to_owned(),
        ));
    }
    Ok(result.score.is_some().then_some(result))
}

/// Writes the results with matchpoints.
pub(super) fn write(results: &EventResults) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<USEBIO Version=\"1.2\">\n <EVENT EVENT_TYPE=\"PAIRS\">\n",
    );
    let mut line = |depth: usize, name: &str, text: &str| {
        let _ = writeln!(out, "{:depth$}<{name}>{}</{name}>", "", escaped(text));
    };
    line(2, "EVENT_DESCRIPTION", &results.event);
    let mut text = String::from("  <PARTICIPANTS>\n");
    for (pair, names) in &results.names {
        let _ = writeln!(
            text,
            "   <PAIR>\n    <PAIR_NUMBER>{}</PAIR_NUMBER>",
            escaped(pair)
        );
        for name in names.split(" – ") {
            let _ = writeln!(
                text,
                "    <PLAYER><PLAYER_NAME>{}</PLAYER_NAME></PLAYER>",
                escaped(name)
            );
        }
        text.push_str("   </PAIR>\n");
    }
    text.push_str("  </PARTICIPANTS>\n");
    for board in &results.boards {
        let points = board.points(super::Scoring::Matchpoints);
        let _ = writeln!(
            text,
            "  <BOARD>\n   <BOARD_NUMBER>{}</BOARD_NUMBER>",
            board.number
        );
        for (table, points) in board.tables.iter().zip(points) {
            let contract = match (table.contract, table.score) {
                (Some(contract), _) => contract_text(contract),
                (None, Some(0)) => "PASS".to_owned(),
                (None, _) => String::new(),
            };
            let known = |value: Option<String>| value.unwrap_or_default();
            let fields = [
                ("NS_PAIR_NUMBER", table.north_south.clone()),
                ("EW_PAIR_NUMBER", table.east_west.clone()),
                ("CONTRACT", contract),
                (
                    "PLAYED_BY",
                    known(table.declarer.map(|seat| seat.letter().to_string())),
                ),
                ("LEAD", known(table.lead.map(|card| card.to_string()))),
                (
                    "TRICKS",
                    known(table.tricks.map(|tricks| tricks.to_string())),
                ),
                ("SCORE", known(table.score.map(|score| score.to_string()))),
                (
                    "NS_MATCH_POINTS",
                    known(points.map(|points| points[0].to_string())),
                ),
                (
                    "EW_MATCH_POINTS",
                    known(points.map(|points| points[1].to_string())),
                ),
            ];
            text.push_str("   <TRAVELLER_LINE>\n");
            for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
                let _ = writeln!(text, "    <{name}>{}</{name}>", escaped(value));
            }
            text.push_str("   </TRAVELLER_LINE>\n");
        }
        text.push_str("  </BOARD>\n");
    }
    out.push_str(&text);
    out.push_str(" </EVENT>\n</USEBIO>\n");
    out
}
