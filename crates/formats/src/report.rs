//! The report lines of `printrpt` and `csvrpt`, and `printes`.

use cards::{Deal, Seat, Side, TrickTable};

use crate::hand;
use crate::number;

/// One item of a report line, already evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    /// The value of an expression.
    Value(i32),
    /// A text, printed between apostrophes: a string of the script or a par contract.
    Text(&'a [u8]),
    /// One hand.
    Hand(Seat),
    /// The two hands of a side.
    Hands(Side),
    /// All four hands.
    Deal,
    /// Double-dummy tricks of one declarer, clubs to notrump.
    Tricks(&'a TrickTable, Seat),
    /// Double-dummy tricks of all four declarers.
    AllTricks(&'a TrickTable),
}

/// Writes a line of `printrpt` or `csvrpt`.
pub fn line(out: &mut Vec<u8>, deal: &Deal, fields: &[Field]) {
    for (index, field) in fields.iter().enumerate() {
        out.push(if index == 0 { b' ' } else { b',' });
        self::field(out, deal, field);
    }
    out.push(b'\n');
}

/// Writes one item, without the separator before it.
pub fn field(out: &mut Vec<u8>, deal: &Deal, field: &Field) {
    match field {
        Field::Value(value) => number::integer(out, i64::from(*value)),
        Field::Text(text) => {
            out.push(b'\'');
            out.extend_from_slice(text);
            out.push(b'\'');
        }
        Field::Hand(seat) => hand::report(out, deal, *seat),
        Field::Hands(side) => side
            .seats()
            .into_iter()
            .for_each(|seat| hand::report(out, deal, seat)),
        Field::Deal => hand::all_four(out, deal),
        Field::Tricks(table, seat) => tricks(out, &[*seat], table),
        Field::AllTricks(table) => tricks(out, &Seat::ALL, table),
    }
}

fn tricks(out: &mut Vec<u8>, declarers: &[Seat], table: &TrickTable) {
    let mut separator = false;
    for &declarer in declarers {
        for tricks in table.row(declarer) {
            if separator {
                out.push(b',');
            }
            separator = true;
            number::integer(out, i64::from(tricks));
        }
    }
}

/// One item of `printes`, already evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// The value of an expression.
    Value(i32),
    /// A text of the script, printed as it is.
    Text(&'a [u8]),
}

/// Writes the items of `printes` one after the other with nothing between.
pub fn pieces(out: &mut Vec<u8>, pieces: &[Piece]) {
    for piece in pieces {
        match piece {
            Piece::Value(value) => number::integer(out, i64::from(*value)),
            Piece::Text(text) => out.extend_from_slice(text),
        }
    }
}
