//! USEBIO, the XML format of results of the English Bridge Union and others: events of pairs with travellers.

mod xml;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cards::{Card, Deal, Seat, Suit, Vulnerability};

use super::{BoardResults, EventResults, ResultsError, TableResult};
use crate::lines::decode_text;
use crate::record::contract_text;
use xml::{Part, attribute, escaped, parts, unescaped};

/// Returns whether a file is USEBIO.
pub(super) fn is_usebio(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let text = decode_text(start);
    text.trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
        && text.contains("<USEBIO")
}

/// A pair of the list of participants.
#[derive(Default)]
struct Participant {
    section: String,
    number: String,
    /// `NS` or `EW` in a movement in which the pairs keep their direction.
    direction: String,
    players: Vec<String>,
}

/// A board with the section in which it was played.
#[derive(Default)]
struct PlayedBoard {
    /// The number of the session, counted from 1; 0 without sessions.
    session: usize,
    section: String,
    number: u64,
    /// The results, and whether each has no contract and is no board that was passed out.
    tables: Vec<(TableResult, bool)>,
    vulnerable: Option<Vulnerability>,
    /// The suits of each hand, as its text: spades first.
    hands: [[String; 4]; 4],
    /// The seat of the hand that is read.
    seat: Option<Seat>,
}

impl PlayedBoard {
    /// Returns the cards; `None` if the file has none.
    fn deal(&self, line: u64) -> Result<Option<Deal>, ResultsError> {
        if self.hands.iter().flatten().all(String::is_empty) {
            return Ok(None);
        }
        let hands = self.hands.each_ref().map(|suits| suits.join("."));
        let wrong = |error| {
            let number = self.number;
            ResultsError::Xml(line, format!("the hands of board {number}: {error}"))
        };
        let deal: Result<Deal, _> = format!("N:{}", hands.join(" ")).parse();
        deal.map(Some).map_err(wrong)
    }
}

/// The suits of a hand, in the order of a deal in text.
const SUITS: [&str; 4] = ["SPADES", "HEARTS", "DIAMONDS", "CLUBS"];

/// The elements that were read so far.
#[derive(Default)]
struct UsebioReader {
    results: EventResults,
    participants: Vec<Participant>,
    boards: Vec<PlayedBoard>,
    /// Boards of several sessions, which have the same number and other cards.
    different_deals: BTreeSet<u64>,
    session: usize,
    section: String,
    pair: Participant,
    /// The pairs of a match, for lines that do not name them.
    match_pairs: [String; 2],
    board: PlayedBoard,
    fields: BTreeMap<String, String>,
}

impl UsebioReader {
    fn begin(&mut self, name: &str, attributes: &str) {
        match name {
            "SESSION" => self.session += 1,
            "SECTION" => self.section = attribute(attributes, "SECTION_ID").unwrap_or_default(),
            "PAIR" => {
                self.pair = Participant {
                    section: self.section.clone(),
                    ..Participant::default()
                }
            }
            "MATCH" => self.match_pairs = Default::default(),
            "BOARD" => {
                self.board = PlayedBoard {
                    session: self.session,
                    section: self.section.clone(),
                    ..PlayedBoard::default()
                }
            }
            "HAND" => self.board.seat = None,
            "TRAVELLER_LINE" => self.fields.clear(),
            _ => {}
        }
    }

    /// Takes the element `name` with its text; `open` are the elements around it.
    fn end(
        &mut self,
        name: &str,
        open: &[&str],
        text: String,
        line: u64,
    ) -> Result<(), ResultsError> {
        let parent = open.last().copied();
        match (name, parent) {
            ("EVENT_DESCRIPTION" | "EVENT_NAME", _) if self.results.event.is_empty() => {
                self.results.event = text;
            }
            ("PAIR_NUMBER", Some("PAIR")) => self.pair.number = text,
            ("DIRECTION", Some("PAIR")) => self.pair.direction = direction(&text).to_owned(),
            ("PLAYER_NAME", _) if open.contains(&"PAIR") => self.pair.players.push(text),
            ("PAIR", _) => self.participants.push(std::mem::take(&mut self.pair)),
            ("NS_PAIR_NUMBER", Some("MATCH")) => self.match_pairs[0] = text,
            ("EW_PAIR_NUMBER", Some("MATCH")) => self.match_pairs[1] = text,
            ("BOARD_NUMBER", Some("BOARD")) => {
                let wrong = || ResultsError::Xml(line, format!("{text:?} is no number of a board"));
                self.board.number = text.parse().map_err(|_| wrong())?;
            }
            ("VULNERABILITY", Some("BOARD")) => self.board.vulnerable = text.parse().ok(),
            ("DIRECTION", Some("HAND")) => {
                let wrong = || ResultsError::Xml(line, format!("{text:?} is no direction"));
                self.board.seat = Some(text.parse().map_err(|_| wrong())?);
            }
            (suit, Some("HAND")) => {
                if let (Some(place), Some(seat)) =
                    (SUITS.iter().position(|it| *it == suit), self.board.seat)
                {
                    self.board.hands[seat.index()][place] = text.replace(['-', ' '], "");
                }
            }
            ("TRAVELLER_LINE", _) => {
                let table = result(&self.fields, &self.match_pairs, line)?;
                self.board.tables.push(table);
            }
            ("BOARD", _) => {
                let board = std::mem::take(&mut self.board);
                if let Some(deal) = board.deal(line)?
                    && let Some(earlier) = self.results.deals.insert(board.number, deal)
                    && earlier != deal
                {
                    self.different_deals.insert(board.number);
                }
                self.boards.push(board);
            }
            (name, Some("TRAVELLER_LINE")) => {
                self.fields.insert(name.to_owned(), text);
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the text that stands for a pair: its number, with the section if several sections have the number, and
    /// with the direction if a section has it in both.
    fn name(&self, section: &str, number: &str, direction: &str) -> String {
        let same = self.participants.iter();
        let same: Vec<&Participant> = same.filter(|pair| pair.number == number).collect();
        let (here, elsewhere): (Vec<&Participant>, Vec<_>) =
            same.iter().partition(|pair| pair.section == section);
        let is_shared = !here.is_empty() && !elsewhere.is_empty();
        // The participants may be listed outside of the sections.
        let pairs = if here.is_empty() { &elsewhere } else { &here };
        let has = |direction: &str| pairs.iter().any(|pair| pair.direction == direction);
        let mut name = match is_shared {
            true => format!("{section}{number}"),
            false => number.to_owned(),
        };
        if has("NS") && has("EW") {
            name = format!("{name} {direction}");
        }
        name
    }

    fn finish(mut self) -> EventResults {
        for pair in &self.participants {
            let name = self.name(&pair.section, &pair.number, &pair.direction);
            self.results.names.insert(name, pair.players.join(" – "));
        }
        let tables = || self.boards.iter().flat_map(|board| &board.tables);
        let has_contracts = tables().any(|(table, _)| table.contract.is_some());
        // The rounds of a Swiss event have the boards of a section once each.
        let mut joined: BTreeMap<(u64, usize, &str), Vec<TableResult>> = BTreeMap::new();
        for board in &self.boards {
            let vulnerable = board.vulnerable;
            let vulnerable = vulnerable.unwrap_or_else(|| Vulnerability::of_board(board.number));
            for (table, is_unnamed) in &board.tables {
                let table = table.clone().complete(vulnerable);
                // A score of 0 without a contract is an adjusted score, unless no line has a contract.
                if table.score.is_none() || *is_unnamed && table.score == Some(0) && has_contracts {
                    self.results.left_out.push(board.number);
                    continue;
                }
                let name = |pair: &str, direction| self.name(&board.section, pair, direction);
                let (north_south, east_west) =
                    (name(&table.north_south, "NS"), name(&table.east_west, "EW"));
                let place = (board.number, board.session, board.section.as_str());
                joined.entry(place).or_default().push(TableResult {
                    north_south,
                    east_west,
                    ..table
                });
            }
        }
        let places: BTreeSet<(usize, &str)> = joined
            .keys()
            .map(|&(_, session, section)| (session, section))
            .collect();
        let section_name = |session: usize, section: &str| match places.len() {
            1 => String::new(),
            _ if self.session > 1 => format!("{session}{section}"),
            _ => section.to_owned(),
        };
        let boards = joined.into_iter();
        let boards = boards.map(|((number, session, section), tables)| BoardResults {
            number,
            section: section_name(session, section),
            tables,
        });
        self.results.boards = boards.collect();
        let different = &self.different_deals;
        self.results
            .deals
            .retain(|number, _| !different.contains(number));
        self.results
    }
}

/// Returns `NS` or `EW` for a direction of a pair, else an empty text.
fn direction(text: &str) -> &'static str {
    match text.to_ascii_uppercase().as_str() {
        "NS" | "N-S" | "N" | "NORTH-SOUTH" => "NS",
        "EW" | "E-W" | "E" | "EAST-WEST" => "EW",
        _ => "",
    }
}

/// Reads the results.
pub(super) fn read(bytes: &[u8]) -> Result<EventResults, ResultsError> {
    let text = decode_text(bytes);
    let mut reader = UsebioReader::default();
    let mut open: Vec<&str> = Vec::new();
    let mut value = String::new();
    let mut last_line = 1;
    for (line, part) in parts(&text)? {
        last_line = line;
        match part {
            Part::Text(text) => value.push_str(text),
            Part::Begin(name, attributes) => {
                value.clear();
                open.push(name);
                reader.begin(name, attributes);
            }
            Part::End(name) => {
                if open.pop() != Some(name) {
                    return Err(ResultsError::Xml(
                        line,
                        format!("</{name}> ends an element that is not open"),
                    ));
                }
                let text = unescaped(&std::mem::take(&mut value));
                reader.end(name, &open, text, line)?;
            }
        }
    }
    if let Some(name) = open.last() {
        return Err(ResultsError::Xml(
            last_line,
            format!("the file ends inside <{name}>"),
        ));
    }
    Ok(reader.finish())
}

/// Returns the result of a traveller line, and whether it has no contract and is no board that was passed out.
fn result(
    fields: &BTreeMap<String, String>,
    match_pairs: &[String; 2],
    line: u64,
) -> Result<(TableResult, bool), ResultsError> {
    let field = |name: &str| fields.get(name).map_or("", |text| text.as_str());
    let contract = field("CONTRACT")
        .to_ascii_uppercase()
        .replace(['*', ' '], "");
    let is_pass = matches!(contract.as_str(), "PASS" | "P" | "PASSED" | "PASSEDOUT");
    let read = match field("SCORE") {
        _ if is_pass => Some(0),
        "" => None,
        text => text.parse::<f64>().ok().map(|score| score.round() as i32),
    };
    // A score such as A6040 is adjusted: it does not follow from the contract.
    let is_adjusted = read.is_none() && !field("SCORE").is_empty();
    let tricks: Option<u8> = field("TRICKS").parse().ok();
    let pair = |name: &str, of_match: &String| match field(name) {
        "" => of_match.clone(),
        number => number.to_owned(),
    };
    let result = TableResult {
        north_south: pair("NS_PAIR_NUMBER", &match_pairs[0]),
        east_west: pair("EW_PAIR_NUMBER", &match_pairs[1]),
        contract: contract.parse().ok(),
        declarer: field("PLAYED_BY").parse::<Seat>().ok(),
        tricks: tricks.filter(|&tricks| tricks <= 13 && !is_adjusted),
        lead: field("LEAD").parse::<Card>().ok(),
        score: read,
        is_closed: false,
    };
    if result.north_south.is_empty() || result.east_west.is_empty() {
        return Err(ResultsError::Xml(
            line,
            "a TRAVELLER_LINE needs NS_PAIR_NUMBER and EW_PAIR_NUMBER (matches of teams are not supported)"
                .to_owned(),
        ));
    }
    Ok((result, !is_pass && contract.is_empty()))
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
        let (number, direction) = number_and_direction(pair);
        let _ = writeln!(
            text,
            "   <PAIR>\n    <PAIR_NUMBER>{}</PAIR_NUMBER>",
            escaped(number)
        );
        if let Some(direction) = direction {
            let _ = writeln!(text, "    <DIRECTION>{direction}</DIRECTION>");
        }
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
    // A section is an element around each of its boards.
    for board in &results.boards {
        if !board.section.is_empty() {
            let section = escaped(&board.section);
            let _ = writeln!(text, "  <SECTION SECTION_ID=\"{section}\">");
        }
        let points = board.points(super::Scoring::Matchpoints);
        let _ = writeln!(
            text,
            "  <BOARD>\n   <BOARD_NUMBER>{}</BOARD_NUMBER>",
            board.number
        );
        if let Some(deal) = results.deals.get(&board.number) {
            text.push_str(&hands(deal));
        }
        for (table, points) in board.tables.iter().zip(points) {
            let contract = match (table.contract, table.score) {
                (Some(contract), _) => contract_text(contract),
                (None, Some(0)) => "PASS".to_owned(),
                (None, _) => String::new(),
            };
            let known = |value: Option<String>| value.unwrap_or_default();
            let fields = [
                ("NS_PAIR_NUMBER", pair_number(&table.north_south)),
                ("EW_PAIR_NUMBER", pair_number(&table.east_west)),
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
        if !board.section.is_empty() {
            text.push_str("  </SECTION>\n");
        }
    }
    out.push_str(&text);
    out.push_str(" </EVENT>\n</USEBIO>\n");
    out
}

/// Splits the text that stands for a pair into its number and, if a number belongs to two pairs, the direction.
fn number_and_direction(pair: &str) -> (&str, Option<&str>) {
    match pair.rsplit_once(' ') {
        Some((number, direction @ ("NS" | "EW"))) => (number, Some(direction)),
        _ => (pair, None),
    }
}

fn pair_number(pair: &str) -> String {
    number_and_direction(pair).0.to_owned()
}

/// Returns the elements of the four hands.
fn hands(deal: &Deal) -> String {
    let mut out = String::new();
    for seat in Seat::ALL {
        let letter = seat.letter();
        let _ = write!(out, "   <HAND><DIRECTION>{letter}</DIRECTION>");
        for (name, suit) in SUITS.into_iter().zip(Suit::DESCENDING) {
            let cards = deal.hand(seat).holding(suit).to_string();
            let _ = write!(out, "<{name}>{cards}</{name}>");
        }
        out.push_str("</HAND>\n");
    }
    out
}
