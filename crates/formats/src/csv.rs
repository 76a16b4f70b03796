//! Deals as comma-separated values: a header row, then one row for each deal.
//!
//! Columns are `board,dealer,vulnerable,north,east,south,west`, the tricks by declarer and strain (`N_C,N_D,…,W_N`),
//! `par,par_contracts`. The reader accepts them in any order, needs only the hands, and ignores other columns. It also
//! reads a column `tricks` of twenty hexadecimal digits, which earlier versions wrote.

use std::borrow::Cow;
use std::io::BufRead;

use cards::{Deal, Seat, Strain, TrickTable, Vulnerability, notation};

use crate::lines::{Lines, decode_text};
use crate::{Board, BoardReadError, Hands, hand, number};

/// The header row, with its line end.
pub const HEADER: &str = "board,dealer,vulnerable,north,east,south,west,\
    N_C,N_D,N_H,N_S,N_N,E_C,E_D,E_H,E_S,E_N,S_C,S_D,S_H,S_S,S_N,W_C,W_D,W_H,W_S,W_N,par,par_contracts\n";

/// Writes a deal as a row. Unknown values are empty; par is that of North-South.
pub fn write(out: &mut Vec<u8>, board: &Board, deal: &Deal) {
    let (number, dealer, vulnerable) = board.place();
    number::natural(out, number);
    out.extend_from_slice(&[b',', dealer.letter() as u8, b',']);
    out.extend_from_slice(vulnerable.pbn().as_bytes());
    for seat in Seat::ALL {
        out.push(b',');
        hand::dotted(out, deal.hand(seat));
    }
    for seat in Seat::ALL {
        for strain in Strain::ALL {
            out.push(b',');
            if let Some(table) = &board.tricks {
                number::integer(out, i64::from(table.tricks(seat, strain)));
            }
        }
    }
    out.push(b',');
    if let Some(par) = board.par {
        number::integer(out, i64::from(par));
    }
    out.push(b',');
    if let Some(contracts) = &board.par_contracts {
        field(out, contracts.as_bytes());
    }
    out.push(b'\n');
}

/// Appends a field, quoted if necessary.
pub fn field(out: &mut Vec<u8>, text: &[u8]) {
    if text
        .iter()
        .any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r'))
        || text.first() == Some(&b' ')
    {
        out.push(b'"');
        for &byte in text {
            if byte == b'"' {
                out.push(b'"');
            }
            out.push(byte);
        }
        out.push(b'"');
    } else {
        out.extend_from_slice(text);
    }
}

/// Returns `text` as a field that spreadsheets read as text: an apostrophe before a sign that would begin a formula
/// (`=`, `+`, `-`, `@`, a tab or a line end). Numbers stay unchanged.
///
/// ```
/// assert_eq!(&*croupier_formats::csv::guarded(b"=1+1"), b"'=1+1");
/// assert_eq!(&*croupier_formats::csv::guarded(b"-12.5"), b"-12.5");
/// ```
pub fn guarded(text: &[u8]) -> Cow<'_, [u8]> {
    let begins_formula = matches!(
        text.first(),
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n')
    );
    let is_number = || decode_text(text).parse::<f64>().is_ok_and(f64::is_finite);
    match begins_formula && !is_number() {
        true => Cow::Owned([b"'", text].concat()),
        false => Cow::Borrowed(text),
    }
}

/// Splits a row into fields. Quotes protect commas; a doubled quote means one quote.
pub fn fields(row: &str) -> Vec<String> {
    split(row).0
}

/// Returns the fields of a row, and whether a quote is open at its end.
fn split(row: &str) -> (Vec<String>, bool) {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        let last = fields.len() - 1;
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                fields[last].push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields[last].push(c),
        }
    }
    (fields, quoted)
}

/// Returns whether a line is the header row of a file of deals.
pub fn is_header(line: &[u8]) -> bool {
    Columns::of(&decode_text(line)).is_some()
}

#[derive(Debug)]
struct Columns {
    count: usize,
    hands: [usize; 4],
    board: Option<usize>,
    dealer: Option<usize>,
    vulnerable: Option<usize>,
    digits: Option<usize>,
    tricks: Option<[usize; 20]>,
    par: Option<usize>,
    par_contracts: Option<usize>,
}

impl Columns {
    fn of(header: &str) -> Option<Columns> {
        let names = fields(header);
        let column = |name: &str| {
            names
                .iter()
                .position(|other| other.trim().eq_ignore_ascii_case(name))
        };
        let [north, east, south, west] = Seat::ALL.map(|seat| column(seat.name()));
        let results = Seat::ALL.into_iter().flat_map(|seat| {
            Strain::ALL.map(|strain| format!("{}_{}", seat.letter(), strain.letter()))
        });
        let tricks: Option<Vec<usize>> = results.map(|name| column(&name)).collect();
        Some(Columns {
            count: names.len(),
            hands: [north?, east?, south?, west?],
            board: column("board"),
            dealer: column("dealer"),
            vulnerable: column("vulnerable"),
            digits: column("tricks"),
            tricks: tricks.map(|columns| std::array::from_fn(|i| columns[i])),
            par: column("par"),
            par_contracts: column("par_contracts"),
        })
    }
}

/// Reads boards from a CSV stream.
#[derive(Debug)]
pub struct CsvReader<R> {
    lines: Lines<R>,
    columns: Option<Columns>,
    ended: bool,
}

impl<R: BufRead> CsvReader<R> {
    /// Creates a reader of the boards in `input`.
    pub fn new(input: R) -> Self {
        CsvReader {
            lines: Lines::new(input),
            columns: None,
            ended: false,
        }
    }
}

impl<R: BufRead> Iterator for CsvReader<R> {
    type Item = Result<Board, BoardReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let row = match self.lines.next_line() {
                Ok(Some(line)) => decode_text(line),
                Ok(None) => break,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(BoardReadError::io(self.lines.number(), error)));
                }
            };
            if row.trim().is_empty() {
                continue;
            }
            // Concatenated files have header rows in the middle.
            if let Some(columns) = Columns::of(&row) {
                self.columns = Some(columns);
                continue;
            }
            let Some(columns) = &self.columns else {
                self.ended = true;
                return Some(Err(BoardReadError::at(
                    self.lines.number(),
                    "no header row; the columns north, east, south and west are needed",
                )));
            };
            let (line, is_open) = (self.lines.number(), self.lines.is_open());
            let board = board(columns, &row, (line, is_open));
            return Some(board.map_err(|message| BoardReadError::at(line, message)));
        }
        None
    }
}

/// Returns the board of a row. Spreadsheets omit empty fields at the end of a row. A short row without a line end at
/// the end of the file was cut.
fn board(columns: &Columns, row: &str, (line, is_open): (u64, bool)) -> Result<Board, String> {
    let (fields, quoted) = split(row);
    if quoted {
        return Err("a quote is not closed".to_owned());
    }
    if is_open && fields.len() < columns.count {
        let (found, wanted) = (fields.len(), columns.count);
        return Err(format!("the row has {found} fields, the header {wanted}"));
    }
    let field = |column: Option<usize>| {
        column
            .and_then(|column| fields.get(column))
            .map(|field| field.trim())
    };
    let mut hands = Hands::default();
    for seat in Seat::ALL {
        let text = field(Some(columns.hands[seat.index()])).unwrap_or_default();
        if !text.is_empty() && text != "-" {
            let cards =
                notation::hand(text).map_err(|error| format!("{}: {error}", seat.name()))?;
            hands.0[seat] = Some(cards);
        }
    }
    hands.complete().map_err(|error| error.to_string())?;
    Ok(Board {
        hands,
        number: field(columns.board)
            .and_then(|text| text.parse().ok())
            .filter(|&number| number > 0),
        dealer: field(columns.dealer).and_then(|text| text.parse().ok()),
        vulnerable: field(columns.vulnerable).and_then(|text| {
            Vulnerability::ALL
                .into_iter()
                .find(|v| v.pbn().eq_ignore_ascii_case(text))
        }),
        tricks: columns
            .tricks
            .and_then(|columns| cells(&columns.map(|column| field(Some(column)))))
            .or_else(|| field(columns.digits).and_then(tricks)),
        par: field(columns.par).and_then(|text| text.parse().ok()),
        par_contracts: field(columns.par_contracts)
            .filter(|text| !text.is_empty())
            .map(str::to_owned),
        line,
        ..Board::default()
    })
}

/// Returns the table of twenty fields, if all of them are numbers of tricks.
fn cells(fields: &[Option<&str>; 20]) -> Option<TrickTable> {
    let mut rows = [[0; 5]; 4];
    for (cell, field) in rows.as_flattened_mut().iter_mut().zip(fields) {
        *cell = (*field)?.parse().ok()?;
    }
    TrickTable::new(rows)
}

fn tricks(digits: &str) -> Option<TrickTable> {
    let mut table = TrickTable::default();
    let mut digits = digits.chars();
    for seat in Seat::ALL {
        for strain in Strain::ALL {
            let tricks = digits.next()?.to_digit(16).filter(|&tricks| tricks <= 13)?;
            table.set(seat, strain, tricks as u8);
        }
    }
    digits.next().is_none().then_some(table)
}
