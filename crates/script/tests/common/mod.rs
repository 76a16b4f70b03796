//! Functions that several tests of the language use.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::PathBuf;

use croupier_script::plan::{Action, EsItem, Mode, Node, Plan};
use croupier_script::{CompileOptions, Diagnostic, ScriptSource, compile};

/// Returns the path of a test vector file.
pub fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/language")
        .join(name)
}

/// Returns the rows of a CSV file, by column name.
pub fn rows(name: &str) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(data(name)).expect("vector file");
    reader.deserialize().map(|row| row.expect("row")).collect()
}

/// Compiles a text in a mode.
pub fn compile_in(
    mode: Mode,
    text: impl Into<Vec<u8>>,
) -> Result<(Plan, Vec<Diagnostic>), Vec<Diagnostic>> {
    let options = CompileOptions {
        mode,
        ..CompileOptions::default()
    };
    compile(&ScriptSource::new("script.dl", text), &options)
}

/// Returns the value of an expression that needs no deal, or the class of its error.
pub fn constant(mode: Mode, setup: &str, expression: &str) -> Result<i32, String> {
    let text = format!("{setup}\naction printes({expression}\n)");
    match compile_in(mode, text) {
        Err(errors) => Err(errors[0].code.to_owned()),
        Ok((plan, _)) => match plan.actions.as_slice() {
            [Action::PrintEs(items)] => match items.as_slice() {
                [EsItem::Value(id)] => match plan.node(*id) {
                    Node::Constant(value) => Ok(*value),
                    other => Err(format!("not constant: {other:?}")),
                },
                other => Err(format!("items: {other:?}")),
            },
            other => Err(format!("actions: {other:?}")),
        },
    }
}

/// Returns a shape set in the notation of the vectors: `3334 3343`, with A..D for 10..13.
pub fn shape_text(set: &cards::ShapeSet) -> String {
    let mut list: Vec<String> = set
        .iter()
        .map(|shape| {
            shape
                .lengths()
                .iter()
                .map(|&n| char::from(b"0123456789ABCD"[n as usize]))
                .collect()
        })
        .collect();
    list.sort();
    list.join(" ")
}
