//! Tables of the documentation are those of the registries.
#![cfg(feature = "formats")]

use std::fs;
use std::path::Path;

use croupier::formats::{FILE_FORMATS, FileFormat};

/// Returns the row of a format in docs/formats.md.
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

fn document(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap()
}

#[cfg(feature = "scripts")]
#[test]
fn the_table_of_dialects_is_the_registry() {
    let text = document("docs/dealer.md");
    let (_, rest) = text.split_once("| switch | what you get |\n").unwrap();
    let rows: Vec<&str> = rest
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let described = &croupier::script::DIALECTS[1..];
    assert_eq!(rows.len(), described.len());
    for row in described {
        let switch = format!("| `--compat {}`", row.name);
        let found = rows.iter().any(|line| line.starts_with(&switch));
        assert!(found, "docs/dealer.md has no row {switch}");
    }
}

#[cfg(feature = "poker")]
#[test]
fn every_poker_game_is_described_for_users() {
    for path in ["docs/poker.md", "python/src/croupier/poker/equities.py"] {
        let text = document(path);
        for game in croupier::poker::GAMES {
            let name = format!("`{}`", game.name);
            assert!(text.contains(&name), "{path} does not mention {name}");
        }
    }
}
