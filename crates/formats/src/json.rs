//! JSON lines: one object for each deal, and whatever else a run has to say.

use std::io::BufRead;

use cards::{Deal, Seat, Strain, TrickTable, Vulnerability, notation};
use serde_json::Value;

use crate::lines::{Lines, decode_text};
use crate::{Board, Hands, Problem, hand, number};

/// Writes one object, key by key.
#[derive(Debug)]
pub struct Object<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
}

impl<'a> Object<'a> {
    /// Opens an object.
    pub fn open(out: &'a mut Vec<u8>) -> Object<'a> {
        out.push(b'{');
        Object { out, first: true }
    }

    /// Closes it.
    pub fn close(self) {
        self.out.push(b'}');
    }

    /// Writes a key; the value is to be appended to the buffer given back.
    pub fn key(&mut self, name: &str) -> &mut Vec<u8> {
        if !self.first {
            self.out.push(b',');
        }
        self.first = false;
        string(self.out, name.as_bytes());
        self.out.push(b':');
        self.out
    }

    /// An integer.
    pub fn integer(&mut self, name: &str, value: i64) -> &mut Self {
        number::integer(self.key(name), value);
        self
    }

    /// A text.
    pub fn text(&mut self, name: &str, value: &[u8]) -> &mut Self {
        string(self.key(name), value);
        self
    }

    /// A number, `null` if it is not one.
    pub fn number(&mut self, name: &str, value: f64) -> &mut Self {
        float(self.key(name), value);
        self
    }

    /// An array of integers.
    pub fn integers(&mut self, name: &str, values: impl IntoIterator<Item = i64>) -> &mut Self {
        integers(self.key(name), values);
        self
    }

    /// An object inside this one.
    pub fn object(&mut self, name: &str, fill: impl FnOnce(&mut Object)) -> &mut Self {
        let mut inner = Object::open(self.key(name));
        fill(&mut inner);
        inner.close();
        self
    }
}

/// Appends a number, `null` if it is not one.
pub fn float(out: &mut Vec<u8>, value: f64) {
    if value.is_finite() {
        out.extend_from_slice(value.to_string().as_bytes());
    } else {
        out.extend_from_slice(b"null");
    }
}

/// Appends an array of integers.
pub fn integers(out: &mut Vec<u8>, values: impl IntoIterator<Item = i64>) {
    out.push(b'[');
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        number::integer(out, value);
    }
    out.push(b']');
}

/// Appends a string with its quotes.
pub fn string(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for c in decode_text(text).chars() {
        match c {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            c if c < ' ' => out.extend_from_slice(format!("\\u{:04x}", c as u32).as_bytes()),
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out.push(b'"');
}

/// Writes a deal as an object on a line of its own; `more` may add keys.
pub fn write(out: &mut Vec<u8>, board: &Board, deal: &Deal, more: impl FnOnce(&mut Object)) {
    let board = board.clone().with_number(1);
    let mut object = Object::open(out);
    object.integer("board", board.number.unwrap_or(1) as i64);
    object.text(
        "dealer",
        board
            .dealer
            .unwrap_or(Seat::North)
            .letter()
            .to_string()
            .as_bytes(),
    );
    object.text(
        "vulnerable",
        board
            .vulnerable
            .unwrap_or(Vulnerability::None)
            .pbn()
            .as_bytes(),
    );
    object.object("hands", |hands| {
        for seat in Seat::ALL {
            let mut text = Vec::with_capacity(16);
            hand::dotted(&mut text, deal.hand(seat));
            hands.text(seat.name(), &text);
        }
    });
    if let Some(table) = &board.tricks {
        object.object("tricks", |tricks| {
            for seat in Seat::ALL {
                tricks.integers(seat.name(), table.row(seat).map(i64::from));
            }
        });
    }
    if let Some(par) = board.par {
        object.integer("par", i64::from(par));
    }
    more(&mut object);
    object.close();
    out.push(b'\n');
}

/// Reads boards from JSON lines. Objects without a deal (statistics, for example) are skipped.
#[derive(Debug)]
pub struct JsonReader<R> {
    lines: Lines<R>,
    ended: bool,
}

impl<R: BufRead> JsonReader<R> {
    /// Boards of this input.
    pub fn new(input: R) -> Self {
        JsonReader {
            lines: Lines::new(input),
            ended: false,
        }
    }
}

impl<R: BufRead> Iterator for JsonReader<R> {
    type Item = Result<Board, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let parsed = match self.lines.next_line() {
                Ok(Some(line)) if line.trim_ascii().is_empty() => continue,
                Ok(Some(line)) => serde_json::from_slice::<Value>(line),
                Ok(None) => break,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(Problem::io(self.lines.number(), error)));
                }
            };
            let line = self.lines.number();
            match parsed {
                Err(error) => return Some(Err(Problem::at(line, error))),
                Ok(value) => match board(&value, line) {
                    Ok(Some(board)) => return Some(Ok(board)),
                    Ok(None) => {}
                    Err(message) => return Some(Err(Problem::at(line, message))),
                },
            }
        }
        None
    }
}

/// The board of an object with `hands` (by seat) or `deal` (a PBN string).
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
    } else {
        return Ok(None);
    };
    hands.complete().map_err(|error| error.to_string())?;
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    Ok(Some(Board {
        hands,
        number: value.get("board").and_then(Value::as_u64),
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
        line,
        ..Board::default()
    }))
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
