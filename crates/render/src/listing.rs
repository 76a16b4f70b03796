//! Listings as text, CSV or JSON.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use formats::csv;
use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::value::RawValue;

/// The format of a listing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ListingFormat {
    /// Aligned columns.
    #[default]
    Text,
    /// Comma-separated values with a header line.
    Csv,
    /// Comma-separated values in which spreadsheets find no formulas ([`csv::guarded`]).
    CsvSafe,
    /// An array of objects.
    Json,
}

/// One entry of a listing.
#[derive(Clone, PartialEq, Debug)]
pub enum ListingCell {
    /// Text, aligned to the left.
    Text(String),
    /// A whole number.
    Whole(u64),
    /// A number, and the number of decimals to print.
    Decimal(f64, usize),
    /// A statement that holds or does not: `yes` or `no`, in JSON `true` or `false`.
    YesNo(bool),
    /// An empty cell.
    Empty,
}

impl From<&str> for ListingCell {
    fn from(text: &str) -> Self {
        ListingCell::Text(text.to_owned())
    }
}

impl ListingCell {
    fn plain(&self) -> String {
        match self {
            ListingCell::Text(text) => text.clone(),
            ListingCell::Whole(number) => number.to_string(),
            ListingCell::Decimal(number, decimals) => format!("{number:.decimals$}"),
            ListingCell::YesNo(true) => "yes".to_owned(),
            ListingCell::YesNo(false) => "no".to_owned(),
            ListingCell::Empty => String::new(),
        }
    }
}

impl Serialize for ListingCell {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            ListingCell::Text(text) => to.serialize_str(text),
            ListingCell::Whole(number) => to.serialize_u64(*number),
            // The decimal digits as they are shown, not those of the nearest binary number.
            ListingCell::Decimal(number, _) if number.is_finite() => {
                let digits = RawValue::from_string(self.plain());
                digits.map_err(S::Error::custom)?.serialize(to)
            }
            ListingCell::YesNo(holds) => to.serialize_bool(*holds),
            ListingCell::Decimal(..) | ListingCell::Empty => to.serialize_none(),
        }
    }
}

/// Rows of cells under column titles.
#[derive(Clone, Debug)]
pub struct Listing {
    columns: Vec<&'static str>,
    rows: Vec<Vec<ListingCell>>,
}

impl Listing {
    /// Creates a listing without rows.
    #[must_use]
    pub fn new(columns: &[&'static str]) -> Self {
        Listing {
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row with a cell for every column.
    pub fn push(&mut self, row: Vec<ListingCell>) {
        self.rows.push(row);
    }

    /// Writes the listing.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, format: impl Into<ListingFormat>, out: &mut impl Write) -> io::Result<()> {
        match format.into() {
            ListingFormat::Text => self.write_text(out),
            ListingFormat::Csv => self.write_csv(out, |cell| cell.into()),
            ListingFormat::CsvSafe => self.write_csv(out, csv::guarded),
            ListingFormat::Json => self.write_json(out),
        }
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let mut lines = vec![
            self.columns
                .iter()
                .map(|&title| title.to_owned())
                .collect::<Vec<_>>(),
        ];
        lines.extend(
            self.rows
                .iter()
                .map(|row| row.iter().map(ListingCell::plain).collect()),
        );
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| width(column).unwrap_or(0))
            .collect();
        let is_text = |column: usize| {
            self.rows
                .iter()
                .any(|row| matches!(row[column], ListingCell::Text(_) | ListingCell::YesNo(_)))
        };
        for line in &lines {
            let mut text = String::new();
            for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
                let gap = if column == 0 { "" } else { "  " };
                let _ = if is_text(column) {
                    write!(text, "{gap}{cell:<width$}")
                } else {
                    write!(text, "{gap}{cell:>width$}")
                };
            }
            writeln!(out, "{}", text.trim_end())?;
        }
        Ok(())
    }

    fn write_csv(
        &self,
        out: &mut impl Write,
        guard: impl Fn(&[u8]) -> Cow<'_, [u8]>,
    ) -> io::Result<()> {
        let mut text = Vec::new();
        let mut row = |cells: &mut dyn Iterator<Item = String>| {
            for (index, cell) in cells.enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                csv::field(&mut text, &guard(cell.as_bytes()));
            }
            text.push(b'\n');
        };
        row(&mut self.columns.iter().map(|&title| title.to_owned()));
        for cells in &self.rows {
            row(&mut cells.iter().map(ListingCell::plain));
        }
        out.write_all(&text)
    }

    /// Writes one object per line, which is easy to read, too.
    fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        write_json(self, out)
    }
}

/// Writes listings one after the other: as JSON, members of an object by their names.
///
/// # Errors
/// If they cannot be written.
pub fn write_named(
    listings: &[(&str, Listing)],
    format: impl Into<ListingFormat>,
    out: &mut impl Write,
) -> io::Result<()> {
    let format = format.into();
    if format == ListingFormat::Json {
        return write_json(&Named(listings), out);
    }
    for (place, (_, listing)) in listings.iter().enumerate() {
        if place > 0 {
            writeln!(out)?;
        }
        listing.write(format, out)?;
    }
    Ok(())
}

fn write_json(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut *out, Spaced,
    ))?;
    writeln!(out)
}

impl Serialize for Listing {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.rows.iter().map(|cells| Row(&self.columns, cells)))
    }
}

/// Listings as the members of an object.
struct Named<'a>(&'a [(&'a str, Listing)]);

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, listing)| (name, listing)))
    }
}

/// A row as an object.
struct Row<'a>(&'a [&'static str], &'a [ListingCell]);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().zip(self.1))
    }
}

/// A JSON formatter that writes a blank after commas and colons, and the values of an array on lines of their own.
struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b"[\n")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { "  " } else { ",\n  " }.as_bytes())
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n]")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing() -> Listing {
        let mut table = Listing::new(&["what", "ns"]);
        table.push(vec!["a \"b\", c".into(), ListingCell::Decimal(4.949, 2)]);
        table.push(vec!["d".into(), ListingCell::Empty]);
        table
    }

    fn written(format: ListingFormat) -> String {
        let mut out = Vec::new();
        listing().write(format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn several_listings_are_members_of_one_object() {
        let all = [("one", listing()), ("two", Listing::new(&["what"]))];
        let mut out = Vec::new();
        write_named(&all, ListingFormat::Json, &mut out).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(value["one"][0]["ns"], 4.95);
        assert_eq!(value["two"], serde_json::json!([]));
        out.clear();
        write_named(&all, ListingFormat::Csv, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            written(ListingFormat::Csv) + "\nwhat\n"
        );
    }

    #[test]
    fn every_format_quotes_and_pads_cells_by_its_rules() {
        assert_eq!(
            written(ListingFormat::Text),
            "what        ns\na \"b\", c  4.95\nd\n"
        );
        assert_eq!(
            written(ListingFormat::Csv),
            "what,ns\n\"a \"\"b\"\", c\",4.95\nd,\n"
        );
        assert_eq!(
            written(ListingFormat::Json),
            "[\n  {\"what\": \"a \\\"b\\\", c\", \"ns\": 4.95},\n  {\"what\": \"d\", \"ns\": null}\n]\n"
        );
    }
}
