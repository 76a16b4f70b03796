//! Reading PBN: games into boards, forgiving about everything that does not change the cards.

use std::io::{self, BufRead};

use cards::{BySeat, Card, CardSet, Seat, Strain, TrickTable, notation};

use super::export::{DECLARERS, STRAINS};
use super::game::{Stripper, Tag, tags};
use crate::lines::{Lines, decode_text};
use crate::record::in_order;
use crate::{Board, Hands, Names, Problem, Record};

/// A longer game is not a game; its rest is read as the next one.
const LONGEST_GAME: usize = 1 << 20;

/// Tags whose value `#` repeats the previous game's, in the order of [`Names`].
const INHERITABLE: [&[u8]; 7] = [
    b"event", b"site", b"date", b"north", b"east", b"south", b"west",
];

/// Reads boards from a PBN stream. Games without a deal are skipped silently.
#[derive(Debug)]
pub struct PbnReader<R> {
    lines: Lines<R>,
    stripper: Stripper,
    game: Vec<u8>,
    /// Games with a deal so far; numbers boards that have no number.
    games: u64,
    previous: [String; 7],
    sticky: [bool; 7],
    ended: bool,
}

impl<R: BufRead> PbnReader<R> {
    /// Boards of this input.
    pub fn new(input: R) -> Self {
        PbnReader {
            lines: Lines::new(input),
            stripper: Stripper::default(),
            game: Vec::new(),
            games: 0,
            previous: Default::default(),
            sticky: [false; 7],
            ended: false,
        }
    }

    /// Collects the next game; gives the number of its first line.
    fn next_game(&mut self) -> io::Result<Option<u64>> {
        self.game.clear();
        let mut first = 0;
        loop {
            let Some(line) = self.lines.next_line()? else {
                self.ended = true;
                return Ok((first > 0).then_some(first));
            };
            let blank = line.iter().all(u8::is_ascii_whitespace);
            if blank && !self.stripper.in_comment() {
                if first > 0 {
                    return Ok(Some(first));
                }
                continue;
            }
            self.stripper.push(&mut self.game, line);
            if first == 0 {
                first = self.lines.number();
            }
            if self.game.len() > LONGEST_GAME {
                return Ok(Some(first));
            }
        }
    }

    fn board(&mut self, first_line: u64) -> Option<Result<Board, Problem>> {
        let tags = tags(&self.game);
        let names = self.names(&tags);
        let deal = find(&tags, b"deal")?;
        self.games += 1;
        let number = find(&tags, b"board")
            .and_then(|tag| decode_text(&tag.value).trim().parse().ok())
            .filter(|&number| number > 0);
        let line = first_line + deal.line;
        let read = hands(&decode_text(&deal.value)).and_then(|(first, hands)| {
            hands.complete().map_err(|error| error.to_string())?;
            Ok((first, hands))
        });
        let (first, hands) = match read {
            Ok(read) => read,
            Err(message) => {
                let board = number.unwrap_or(self.games);
                return Some(Err(Problem::board(line, board, message)));
            }
        };
        let dealer =
            find(&tags, b"dealer").and_then(|tag| decode_text(&tag.value).trim().parse().ok());
        let dealer = dealer.or(if number.is_none() { first } else { None });
        let mut board = Board {
            hands,
            number,
            dealer,
            vulnerable: find(&tags, b"vulnerable")
                .and_then(|tag| decode_text(&tag.value).parse().ok()),
            tricks: tricks(&tags),
            par: find(&tags, b"optimumscore").and_then(|tag| par(&decode_text(&tag.value))),
            names,
            record: record(&tags, dealer),
            line,
        };
        board = board.with_number(self.games);
        Some(Ok(board))
    }

    /// Event, site, date and players with `#` and `##` resolved.
    fn names(&mut self, tags: &[Tag]) -> Option<Box<Names>> {
        for (index, name) in INHERITABLE.into_iter().enumerate() {
            let value = find(tags, name).map(|tag| decode_text(&tag.value));
            match value {
                Some(value) if value.starts_with("##") => {
                    self.previous[index] = value[2..].to_owned();
                    self.sticky[index] = true;
                }
                Some(value) if value == "#" => {}
                Some(value) => {
                    self.previous[index] = value;
                    self.sticky[index] = false;
                }
                None if self.sticky[index] => {}
                None => self.previous[index].clear(),
            }
        }
        let [event, site, date, north, east, south, west] = self.previous.clone();
        let names = Names {
            event,
            site,
            date,
            players: BySeat([north, east, south, west]),
        };
        (names != Names::default()).then(|| Box::new(names))
    }
}

impl<R: BufRead> Iterator for PbnReader<R> {
    type Item = Result<Board, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            match self.next_game() {
                Ok(Some(first_line)) => {
                    if let Some(board) = self.board(first_line) {
                        return Some(board);
                    }
                }
                Ok(None) => return None,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(Problem::io(self.lines.number(), error)));
                }
            }
        }
        None
    }
}

fn find<'a>(tags: &'a [Tag], name: &[u8]) -> Option<&'a Tag> {
    tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name))
}

/// Reads the value of a Deal tag: the seat before the colon, if there is one, and the hands.
pub(crate) fn hands(text: &str) -> Result<(Option<Seat>, Hands), String> {
    let (first, rest) = match text.split_once(':') {
        Some((seat, rest)) => {
            let seat: Seat = seat
                .trim()
                .parse()
                .map_err(|error: cards::NotationError| error.to_string())?;
            (Some(seat), rest)
        }
        None => (None, text),
    };
    let words: Vec<&str> = rest.split_whitespace().collect();
    if words.len() != 4 {
        return Err(format!("a deal has four hands, not {}", words.len()));
    }
    let mut hands = Hands::default();
    for (step, word) in words.into_iter().enumerate() {
        let seat = first.unwrap_or(Seat::North).clockwise(step);
        hands.0[seat] = one_hand(word).map_err(|error| format!("{}: {error}", seat.name()))?;
    }
    Ok((first, hands))
}

/// A dotted hand, or `-` for one that is not known.
fn one_hand(word: &str) -> Result<Option<CardSet>, String> {
    if word == "-" {
        return Ok(None);
    }
    notation::hand(word)
        .map(Some)
        .map_err(|error| error.to_string())
}

/// Auction, contract and play, if the game has any of them.
fn record(tags: &[Tag], dealer: Option<Seat>) -> Option<Box<Record>> {
    let value = |name: &[u8]| find(tags, name).map(|tag| decode_text(&tag.value).trim().to_owned());
    let mut record = Record {
        contract: value(b"contract").and_then(|text| text.parse().ok()),
        // `^S` is an irregular declarer.
        declarer: value(b"declarer").and_then(|text| text.trim_start_matches('^').parse().ok()),
        ..Record::default()
    };
    if let Some(tag) = find(tags, b"auction") {
        record.auction = calls(&decode_text(&tag.section));
        let first = decode_text(&tag.value).trim().parse().ok();
        record.conclude(first.or(dealer));
    }
    if let Some(tag) = find(tags, b"play") {
        let named = decode_text(&tag.value).trim().parse().ok();
        let leader = named.or(record.declarer.map(Seat::next));
        let strain = record.contract.map(|contract| contract.strain);
        if let Some(leader) = leader {
            record.play = in_order(&tricks_played(&decode_text(&tag.section)), leader, strain);
        }
    }
    (!record.is_empty()).then(|| Box::new(record))
}

/// The calls of an auction section, without notes (`=1=`), annotations (`$5`, `!`) and marks of the end.
fn calls(section: &str) -> Vec<String> {
    let mut calls = Vec::new();
    for word in section.split_whitespace() {
        if word.starts_with(['=', '$', '*', '+', '-', '^']) {
            continue;
        }
        if word.eq_ignore_ascii_case("AP") {
            calls.extend(["Pass"; 3].map(str::to_owned));
            continue;
        }
        let call = word.trim_end_matches(['!', '?']);
        let call = call.split_once('=').map_or(call, |(call, _)| call);
        if !call.is_empty() {
            calls.push(call.to_owned());
        }
    }
    calls
}

/// The rows of a play section: a card for each column, none where there is a hyphen.
fn tricks_played(section: &str) -> Vec<Vec<Option<Card>>> {
    let mut rows = vec![Vec::new()];
    for word in section.split_whitespace() {
        if word.starts_with(['=', '$', '!', '?', '^']) {
            continue;
        }
        if word.starts_with(['*', '+']) {
            break;
        }
        if rows.last().is_some_and(|row| row.len() == 4) {
            rows.push(Vec::new());
        }
        let card = word.trim_end_matches(['!', '?']);
        let card = card.split_once('=').map_or(card, |(card, _)| card);
        if let Some(row) = rows.last_mut() {
            row.push(card.parse().ok());
        }
    }
    rows
}

/// North-South's score out of `NS 140`, `EW 140` or `NS 140 EW -140`.
fn par(text: &str) -> Option<i32> {
    let mut words = text.split_whitespace();
    let side = words.next()?.to_ascii_uppercase();
    let score: i32 = words.next()?.parse().ok()?;
    match side.as_str() {
        "NS" => Some(score),
        "EW" => score.checked_neg(),
        _ => None,
    }
}

/// A complete table from either of the two tags that may hold one.
fn tricks(tags: &[Tag]) -> Option<TrickTable> {
    let digits = find(tags, b"doubledummytricks").and_then(|tag| from_digits(&tag.value));
    digits.or_else(|| find(tags, b"optimumresulttable").and_then(from_result_table))
}

fn from_digits(value: &[u8]) -> Option<TrickTable> {
    let digits: Vec<u8> = value
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    if digits.len() != 20 {
        return None;
    }
    let mut table = TrickTable::default();
    for (declarer, five) in DECLARERS.into_iter().zip(digits.chunks_exact(5)) {
        for (strain, &digit) in STRAINS.into_iter().zip(five) {
            let tricks = char::from(digit)
                .to_digit(16)
                .filter(|&tricks| tricks <= 13)?;
            table.set(declarer, strain, tricks as u8);
        }
    }
    Some(table)
}

fn from_result_table(tag: &Tag) -> Option<TrickTable> {
    let heads = decode_text(&tag.value);
    let column = |name: &str| {
        heads.split(';').position(|head| {
            let head = head.trim().trim_start_matches(['+', '-']);
            head.split('\\')
                .next()
                .unwrap_or(head)
                .trim()
                .eq_ignore_ascii_case(name)
        })
    };
    let (declarer, strain, result) = (
        column("Declarer")?,
        column("Denomination")?,
        column("Result")?,
    );
    let width = heads.split(';').count();
    let text = decode_text(&tag.section);
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut table = TrickTable::default();
    let mut filled = [[false; 5]; 4];
    for row in words.chunks_exact(width) {
        let cell = (
            row[declarer].parse::<Seat>().ok(),
            strain_of(row[strain]),
            row[result].parse::<u8>().ok(),
        );
        if let (Some(seat), Some(strain), Some(tricks @ 0..=13)) = cell {
            table.set(seat, strain, tricks);
            filled[seat.index()][strain.index()] = true;
        }
    }
    (filled == [[true; 5]; 4]).then_some(table)
}

fn strain_of(word: &str) -> Option<Strain> {
    if word.eq_ignore_ascii_case("NT") {
        return Some(Strain::Notrump);
    }
    let mut chars = word.chars();
    chars
        .next()
        .and_then(Strain::from_letter)
        .filter(|_| chars.next().is_none())
}
