//! The grammars in `editors/` contain the current words of the language.

use std::path::PathBuf;

fn current(file: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../editors")
        .join(file);
    // `CROUPIER_WRITE_GRAMMARS=1 cargo test -p croupier-lsp --test all grammars` writes the files.
    if std::env::var_os("CROUPIER_WRITE_GRAMMARS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == text, "{} is not current", path.display());
}

#[test]
fn the_textmate_grammar_is_current() {
    current(
        "vscode/syntaxes/dealer.tmLanguage.json",
        &croupier_lsp::grammar::textmate(),
    );
}

#[test]
fn the_tree_sitter_query_is_current() {
    current(
        "tree-sitter/queries/highlights.scm",
        &croupier_lsp::grammar::highlights(),
    );
}
