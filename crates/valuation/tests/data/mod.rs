//! Reads the vector files of this folder.

use std::path::Path;

/// A comma separated file.
pub struct Table {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The lines below.
    pub rows: Vec<Vec<String>>,
}

/// Reads a file of this folder.
pub fn read(name: &str) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = text
        .lines()
        .map(|line| line.split(',').map(String::from).collect::<Vec<_>>());
    let header = lines.next().expect("a header line");
    let rows: Vec<_> = lines.collect();
    assert!(
        rows.iter().all(|row| row.len() == header.len()),
        "{name} has ragged lines"
    );
    Table { header, rows }
}
