//! Generates the parser from the grammar: `cargo run -p tree-sitter-dealer --features generate --bin generate`.

use std::path::Path;

use tree_sitter_generate::{OptLevel, PARSER_HEADER, generate_parser_for_grammar};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let grammar = std::fs::read_to_string(folder.join("grammar.json"))?;
    let mut notes = Vec::new();
    let version = Some((0, 1, 0));
    let (_, code) =
        generate_parser_for_grammar(&grammar, version, OptLevel::default(), &mut notes)?;
    for note in notes {
        eprintln!("{note:?}");
    }
    std::fs::write(folder.join("parser.c"), code)?;
    let headers = folder.join("tree_sitter");
    std::fs::create_dir_all(&headers)?;
    std::fs::write(headers.join("parser.h"), PARSER_HEADER)?;
    Ok(())
}
