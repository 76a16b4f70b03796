//! Parses files and prints those with an error node: `cargo run -p tree-sitter-dealer --example parse -- FILE...`.

use std::process::ExitCode;

use tree_sitter::{Node, Parser};

/// Returns the first error node or missing token, in reading order.
fn first_error(node: Node<'_>) -> Option<Node<'_>> {
    if node.is_error() || node.is_missing() {
        return Some(node);
    }
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
    children
        .into_iter()
        .filter(Node::has_error)
        .find_map(first_error)
}

fn main() -> ExitCode {
    let mut parser = Parser::new();
    if parser
        .set_language(&tree_sitter_dealer::LANGUAGE.into())
        .is_err()
    {
        eprintln!("parse: the parser was generated for another version of tree-sitter");
        return ExitCode::FAILURE;
    }
    let (mut files, mut wrong) = (0, 0);
    for name in std::env::args().skip(1) {
        let text = match std::fs::read(&name) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("parse: {name}: {error}");
                return ExitCode::FAILURE;
            }
        };
        files += 1;
        let Some(tree) = parser.parse(&text, None) else {
            continue;
        };
        if let Some(node) = first_error(tree.root_node()) {
            wrong += 1;
            let place = node.start_position();
            println!(
                "{name}:{}:{}: {}",
                place.row + 1,
                place.column + 1,
                node.kind()
            );
        }
    }
    println!(
        "{} of {files} files parse without an error node",
        files - wrong
    );
    ExitCode::from(u8::from(wrong > 0))
}
