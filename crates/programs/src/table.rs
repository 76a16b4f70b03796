//! Tables as people, spreadsheets and programs read them: `--format text|csv|json`.

use std::fmt::Write as _;
use std::io::{self, Write};

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum TableFormat {
    /// Aligned columns.
    #[default]
    Text,
    /// Comma-separated values with a header line.
    Csv,
    /// An array of objects.
    Json,
}

/// One entry of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// Words, aligned to the left.
    Text(String),
    /// A whole number.
    Whole(u64),
    /// A number with so many decimals.
    Decimal(f64, usize),
    /// Nothing to say here.
    Empty,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_owned())
    }
}

impl Cell {
    fn plain(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Whole(number) => number.to_string(),
            Cell::Decimal(number, decimals) => format!("{number:.decimals$}"),
            Cell::Empty => String::new(),
        }
    }

    fn csv(&self) -> String {
        match self {
            Cell::Text(text) if text.contains([',', '"', '\n']) => {
                format!("\"{}\"", text.replace('"', "\"\""))
            }
            other => other.plain(),
        }
    }

    fn json(&self) -> String {
        match self {
            Cell::Text(text) => json_string(text),
            Cell::Empty => "null".to_owned(),
            other => other.plain(),
        }
    }
}

/// A text as a JSON string.
#[must_use]
pub fn json_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Rows of cells under column titles.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(columns: &[&'static str]) -> Self {
        Table {
            columns: columns.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row with a cell for every column.
    pub fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// Writes the table.
    pub fn write(&self, format: TableFormat, out: &mut impl Write) -> io::Result<()> {
        match format {
            TableFormat::Text => self.write_text(out),
            TableFormat::Csv => self.write_csv(out),
            TableFormat::Json => self.write_json(out),
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
                .map(|row| row.iter().map(Cell::plain).collect()),
        );
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| width(column).unwrap_or(0))
            .collect();
        let is_text = |column: usize| {
            self.rows
                .iter()
                .any(|row| matches!(row[column], Cell::Text(_)))
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

    fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", self.columns.join(","))?;
        for row in &self.rows {
            writeln!(
                out,
                "{}",
                row.iter().map(Cell::csv).collect::<Vec<_>>().join(",")
            )?;
        }
        Ok(())
    }

    fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let object = |row: &Vec<Cell>| {
            let fields = self
                .columns
                .iter()
                .zip(row)
                .map(|(title, cell)| format!("{}: {}", json_string(title), cell.json()));
            format!("  {{{}}}", fields.collect::<Vec<_>>().join(", "))
        };
        let objects: Vec<String> = self.rows.iter().map(object).collect();
        writeln!(out, "[\n{}\n]", objects.join(",\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: TableFormat) -> String {
        let mut table = Table::new(&["what", "ns"]);
        table.push(vec!["a \"b\", c".into(), Cell::Decimal(4.949, 2)]);
        table.push(vec!["d".into(), Cell::Empty]);
        let mut out = Vec::new();
        table.write(format, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_format_has_its_manners() {
        assert_eq!(
            written(TableFormat::Text),
            "what        ns\na \"b\", c  4.95\nd\n"
        );
        assert_eq!(
            written(TableFormat::Csv),
            "what,ns\n\"a \"\"b\"\", c\",4.95\nd,\n"
        );
        assert_eq!(
            written(TableFormat::Json),
            "[\n  {\"what\": \"a \\\"b\\\", c\", \"ns\": 4.95},\n  {\"what\": \"d\", \"ns\": null}\n]\n"
        );
    }
}
