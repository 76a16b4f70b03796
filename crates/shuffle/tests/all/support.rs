//! Readers of the files with expected values.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::Path;

use cards::Deal;

/// Returns the rows of a CSV file without its header; quoted fields may contain commas.
pub fn rows(file: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows: Vec<_> = text.lines().skip(1).map(fields).collect();
    assert!(!rows.is_empty(), "{file} has no rows");
    rows
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

/// Parses a deal.
pub fn deal(text: &str) -> Deal {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Parses a number.
pub fn number<T: std::str::FromStr>(text: &str) -> T
where
    T::Err: std::fmt::Debug,
{
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error:?}"))
}
