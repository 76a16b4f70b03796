//! Tables of the documentation are those of the registries.
#![cfg(feature = "formats")]

use std::fs;
use std::path::Path;

use croupier::formats::{FILE_FORMATS, FileFormat};

/// The row of a format in docs/formats.md.
fn row(format: &FileFormat) -> String {
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    let writers = match format.writes {
        Some(_) => "dealer, convert",
        None => "record",
    };
    let cells = [
        format!("`{}`", format.name),
        format!("`.{}`", format.ending),
        format.aliases.join(", "),
        yes(format.reads.is_some()).to_owned(),
        writers.to_owned(),
        format.keeps.words().join("; "),
    ];
    let cells = cells.map(|cell| match cell.is_empty() {
        true => " ".to_owned(),
        false => format!(" {cell} "),
    });
    format!("|{}|", cells.join("|"))
}

#[test]
fn the_table_of_file_formats_is_the_registry() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("docs/formats.md")).unwrap();
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| name | ending |"));
    let written: Vec<&str> = rows
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let expected: Vec<String> = FILE_FORMATS.iter().map(row).collect();
    assert_eq!(
        written,
        expected,
        "docs/formats.md:\n{}",
        expected.join("\n")
    );
}
