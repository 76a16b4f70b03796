//! JSON lines: one object for each deal.

use std::io::BufRead;

use cards::{Card, CardSet, Deal, Seat, Strain, TrickTable, Vulnerability, notation};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::lines::Lines;
use crate::record::contract_text;
use crate::{
    Board, BoardNames, BoardReadError, Call, ExtraTag, Extras, Hands, Record, hand, number,
};

/// Fields of an object that few boards have: results and texts, after the hands.
struct Details<'a> {
    tricks: Option<BySeat<[u8; 5]>>,
    par: Option<i32>,
    par_contracts: Vec<&'a str>,
    texts: Option<BoardTexts>,
}

impl<'a> Details<'a> {
    /// Returns the details of a board, if it has any.
    fn of(board: &'a Board) -> Option<Details<'a>> {
        let plain = board.tricks.is_none()
            && board.par.is_none()
            && board.par_contracts.is_none()
            && !BoardTexts::has_texts(board);
        (!plain).then(|| Details {
            tricks: board.tricks.map(|table| BySeat::of(|seat| table.row(seat))),
            par: board.par,
            par_contracts: board
                .par_contracts
                .iter()
                .flat_map(|text| text.split(", "))
                .collect(),
            texts: BoardTexts::of(board),
        })
    }

    /// Appends the fields to those of the object that has been written so far.
    fn follow(&self, out: &mut Vec<u8>) {
        let from = out.len();
        // All values are valid in JSON, and writing to a vector cannot fail.
        let written = serde_json::to_writer(&mut *out, self);
        // The details are written as an object of their own, whose fields are kept: `{"par":110}` becomes `,"par":110`.
        if written.is_ok() && out.len() > from + "{}".len() {
            out[from] = b',';
            out.pop();
        } else {
            out.truncate(from);
        }
    }
}

impl Serialize for Details<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // The count must not be 0, because serde would close the object at once.
        let mut object = to.serialize_struct("Details", 1)?;
        known(&mut object, "tricks", self.tricks.as_ref())?;
        known(&mut object, "par", self.par.as_ref())?;
        listed(&mut object, "par_contracts", &self.par_contracts)?;
        if let Some(texts) = &self.texts {
            texts.serialize_into(&mut object)?;
        }
        object.end()
    }
}

/// Writes a field, unless its value is unknown.
fn known<S: SerializeStruct>(
    object: &mut S,
    name: &'static str,
    value: Option<&impl Serialize>,
) -> Result<(), S::Error> {
    value.map_or(Ok(()), |value| object.serialize_field(name, value))
}

/// Writes a field, unless its list is empty.
fn listed<S: SerializeStruct>(
    object: &mut S,
    name: &'static str,
    list: &[impl Serialize],
) -> Result<(), S::Error> {
    known(object, name, (!list.is_empty()).then_some(&list))
}

/// Names, auction, play and comments of a board, as JSON has them.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BoardTexts {
    event: String,
    site: String,
    date: String,
    players: Option<BySeat<String>>,
    auction: Vec<String>,
    notes: Vec<(usize, String)>,
    contract: Option<String>,
    declarer: Option<char>,
    result: Option<u8>,
    play: Vec<String>,
    play_notes: Vec<(usize, String)>,
    comments: Vec<String>,
    /// Name, value and the lines that follow.
    tags: Vec<(String, String, String)>,
}

impl BoardTexts {
    fn serialize_into<S: SerializeStruct>(&self, object: &mut S) -> Result<(), S::Error> {
        for (name, text) in [
            ("event", &self.event),
            ("site", &self.site),
            ("date", &self.date),
        ] {
            known(object, name, (!text.is_empty()).then_some(text))?;
        }
        known(object, "players", self.players.as_ref())?;
        listed(object, "auction", &self.auction)?;
        listed(object, "notes", &self.notes)?;
        known(object, "contract", self.contract.as_ref())?;
        known(object, "declarer", self.declarer.as_ref())?;
        known(object, "result", self.result.as_ref())?;
        listed(object, "play", &self.play)?;
        listed(object, "play_notes", &self.play_notes)?;
        listed(object, "comments", &self.comments)?;
        listed(object, "tags", &self.tags)
    }

    fn has_texts(board: &Board) -> bool {
        board.names.is_some() || board.record.is_some() || board.extras.is_some()
    }

    /// Returns these data of a board, if it has any.
    fn of(board: &Board) -> Option<BoardTexts> {
        if !BoardTexts::has_texts(board) {
            return None;
        }
        let mut texts = BoardTexts::default();
        if let Some(names) = board.names.as_deref() {
            texts.event.clone_from(&names.event);
            texts.site.clone_from(&names.site);
            texts.date.clone_from(&names.date);
            let named = names.players.values().any(|name| !name.is_empty());
            texts.players = named.then(|| BySeat::of(|seat| names.players[seat].clone()));
        }
        if let Some(record) = board.record.as_deref() {
            texts.auction.clone_from(&record.auction);
            texts.notes.clone_from(&record.notes);
            texts.contract = record.contract.map(contract_text);
            texts.declarer = record.declarer.map(Seat::letter);
            texts.result = record.result;
            let text = |card: &Card| format!("{}{}", card.suit().letter(), card.rank().letter());
            texts.play = record.play.iter().map(text).collect();
            texts.play_notes.clone_from(&record.play_notes);
        }
        if let Some(extras) = board.extras.as_deref() {
            texts.comments.clone_from(&extras.comments);
            let tag = |tag: &ExtraTag| (tag.name.clone(), tag.value.clone(), tag.section.clone());
            texts.tags = extras.tags.iter().map(tag).collect();
        }
        Some(texts)
    }

    /// Copies the data to a board.
    fn apply_to(self, board: &mut Board) {
        let players = self
            .players
            .map(|by| cards::BySeat([by.north, by.east, by.south, by.west]));
        let names = BoardNames {
            event: self.event,
            site: self.site,
            date: self.date,
            players: players.unwrap_or_default(),
        };
        let record = Record {
            auction: self.auction,
            notes: self.notes,
            contract: self.contract.and_then(|text| text.parse().ok()),
            declarer: self.declarer.and_then(Seat::from_letter),
            result: self.result.filter(|&tricks| tricks <= 13),
            play: self
                .play
                .iter()
                .map_while(|card| card.parse().ok())
                .collect(),
            play_notes: self.play_notes,
        };
        let tag = |(name, value, section)| ExtraTag {
            name,
            value,
            section,
        };
        let extras = Extras {
            comments: self.comments,
            tags: self.tags.into_iter().map(tag).collect(),
        };
        board.names = (names != BoardNames::default()).then(|| Box::new(names));
        board.record = (!record.is_empty()).then(|| Box::new(record));
        board.extras = (extras != Extras::default()).then(|| Box::new(extras));
    }
}

#[derive(Deserialize, Serialize)]
struct BySeat<T> {
    north: T,
    east: T,
    south: T,
    west: T,
}

impl<T> BySeat<T> {
    fn of(each: impl Fn(Seat) -> T) -> Self {
        let [north, east, south, west] = Seat::ALL.map(each);
        BySeat {
            north,
            east,
            south,
            west,
        }
    }
}

/// Text that is appended to a vector: constant text is copied without a check of length or capacity each time.
struct Line<'a> {
    out: &'a mut Vec<u8>,
    bytes: [u8; 256],
    len: usize,
}

impl<'a> Line<'a> {
    /// Maximum length of a number, hand or constant text, including room for fixed-size copies.
    const PIECE: usize = 32;

    fn new(out: &'a mut Vec<u8>) -> Line<'a> {
        Line {
            out,
            bytes: [0; 256],
            len: 0,
        }
    }

    fn put<const N: usize>(&mut self, text: &[u8; N]) {
        self.bytes[self.len..self.len + N].copy_from_slice(text);
        self.len += N;
    }

    fn hand(&mut self, hand: CardSet) {
        self.len += hand::place_dotted(&mut self.bytes[self.len..], hand);
    }

    fn natural(&mut self, value: u64) {
        self.len += number::place_natural(&mut self.bytes[self.len..], value);
    }

    fn integer(&mut self, value: i32) {
        if value < 0 {
            self.put(b"-");
        }
        self.natural(u64::from(value.unsigned_abs()));
    }

    /// Appends the buffered text to the vector.
    fn flush(&mut self) -> &mut Vec<u8> {
        self.out.extend_from_slice(&self.bytes[..self.len]);
        self.len = 0;
        self.out
    }
}

/// Writes a deal as an object on a line of its own; empty `values` are omitted.
///
/// The fields of every board are written from constant text and the texts of holdings. They contain nothing to escape,
/// and serde would check them byte by byte.
pub fn write(out: &mut Vec<u8>, board: &Board, deal: &Deal, values: &[i32]) {
    let (number, dealer, vulnerable) = board.place();
    let mut line = Line::new(out);
    line.put(b"{\"board\":");
    line.natural(number);
    line.put(b",\"dealer\":\"");
    line.put(&[dealer.letter() as u8]);
    line.put(b"\",\"vulnerable\":\"");
    match vulnerable {
        Vulnerability::None => line.put(b"None"),
        Vulnerability::NorthSouth => line.put(b"NS"),
        Vulnerability::EastWest => line.put(b"EW"),
        Vulnerability::Both => line.put(b"All"),
    }
    line.put(b"\",\"hands\":{\"north\":\"");
    line.hand(deal.hand(Seat::North));
    line.put(b"\",\"east\":\"");
    line.hand(deal.hand(Seat::East));
    line.put(b"\",\"south\":\"");
    line.hand(deal.hand(Seat::South));
    line.put(b"\",\"west\":\"");
    line.hand(deal.hand(Seat::West));
    line.put(b"\"}");
    if let Some(details) = Details::of(board) {
        details.follow(line.flush());
    }
    if let Some((first, others)) = values.split_first() {
        line.put(b",\"values\":[");
        line.integer(*first);
        for value in others {
            if line.len + 2 * Line::PIECE > line.bytes.len() {
                line.flush();
            }
            line.put(b",");
            line.integer(*value);
        }
        line.put(b"]");
    }
    line.put(b"}\n");
    line.flush();
}

/// Reads boards from JSON lines. Objects without a deal (statistics, for example) are skipped.
#[derive(Debug)]
pub struct JsonReader<R> {
    lines: Lines<R>,
    ended: bool,
}

impl<R: BufRead> JsonReader<R> {
    /// Creates a reader of the boards in `input`.
    pub fn new(input: R) -> Self {
        JsonReader {
            lines: Lines::new(input),
            ended: false,
        }
    }
}

impl<R: BufRead> Iterator for JsonReader<R> {
    type Item = Result<Board, BoardReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let parsed = match self.lines.next_line() {
                Ok(Some(line)) if line.trim_ascii().is_empty() => continue,
                Ok(Some(line)) => serde_json::from_slice::<Value>(line),
                Ok(None) => break,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(BoardReadError::io(self.lines.number(), error)));
                }
            };
            let line = self.lines.number();
            match parsed {
                Err(error) => return Some(Err(BoardReadError::at(line, error))),
                Ok(value) => match board(&value, line) {
                    Ok(Some(board)) => return Some(Ok(board)),
                    Ok(None) => {}
                    Err(message) => return Some(Err(BoardReadError::at(line, message))),
                },
            }
        }
        None
    }
}

/// Returns whether a line begins a JSON object: a brace, a name in quotes and a colon, as far as the line goes.
pub(crate) fn is_object(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"{") else {
        return false;
    };
    let Some(name) = rest.trim_ascii_start().strip_prefix(b"\"") else {
        return false;
    };
    match name.iter().position(|&byte| byte == b'"') {
        Some(end) => matches!(name[end + 1..].trim_ascii_start(), [] | [b':', ..]),
        None => !name.contains(&b' '),
    }
}

/// Returns the board of an object with `hands` (by seat) or `deal` (a PBN string).
fn board(value: &Value, line: u64) -> Result<Option<Board>, String> {
    let hands = if let Some(object) = value.get("hands").and_then(Value::as_object) {
        let mut hands = Hands::default();
        for (name, text) in object {
            let seat: Seat = name.parse().map_err(|error| format!("{name:?}: {error}"))?;
            if let Some(text) = text.as_str() {
                let cards = notation::hand(text).map_err(|error| format!("{name}: {error}"))?;
                hands.0[seat] = Some(cards);
            }
        }
        hands
    } else if let Some(text) = value.get("deal").and_then(Value::as_str) {
        crate::pbn::hands(text)?.1
    } else if value.get("board").is_some() || value.get("hands").is_some() {
        return Err(
            "a board without hands: give them by seat in `hands`, or as a `deal`".to_owned(),
        );
    } else {
        return Ok(None);
    };
    hands.complete().map_err(|error| error.to_string())?;
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let mut board = Board {
        hands,
        number: value
            .get("board")
            .and_then(Value::as_u64)
            .filter(|&number| number > 0),
        dealer: text("dealer").and_then(|text| text.parse().ok()),
        vulnerable: text("vulnerable").and_then(|text| {
            Vulnerability::ALL
                .into_iter()
                .find(|v| v.pbn().eq_ignore_ascii_case(text))
        }),
        tricks: value.get("tricks").and_then(tricks),
        par: value
            .get("par")
            .and_then(Value::as_i64)
            .and_then(|par| i32::try_from(par).ok()),
        par_contracts: value.get("par_contracts").and_then(par_contracts),
        line,
        ..Board::default()
    };
    // If a field of this name has another type, another program wrote it, and it is ignored.
    if let Ok(texts) = BoardTexts::deserialize(value) {
        if let Some(word) = texts.auction.iter().find(|word| Call::read(word).is_none()) {
            return Err(format!("{word:?} is no call of an auction"));
        }
        texts.apply_to(&mut board);
    }
    Ok(Some(board))
}

fn par_contracts(value: &Value) -> Option<String> {
    let texts: Vec<&str> = value.as_array()?.iter().filter_map(Value::as_str).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn tricks(value: &Value) -> Option<TrickTable> {
    let mut table = TrickTable::default();
    for seat in Seat::ALL {
        let row = value
            .get(seat.name())?
            .as_array()
            .filter(|row| row.len() == 5)?;
        for strain in Strain::ALL {
            let tricks = row[strain.index()]
                .as_u64()
                .filter(|&tricks| tricks <= 13)?;
            table.set(seat, strain, tricks as u8);
        }
    }
    Some(table)
}
