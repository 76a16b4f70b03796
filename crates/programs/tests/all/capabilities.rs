//! Every subcommand of `croupier` exists in the JSON interface and in Python, or is in the table below with the reason.
//! A new subcommand, question or function fails this test until it has its row.

use std::collections::BTreeSet;

use crate::common::done;
use crate::study_options::{Names, names, read, without};

/// The names of a capability in a client.
#[derive(Clone, Copy)]
enum Place {
    /// The client has it under these names.
    As(&'static [&'static str]),
    /// The client does not have it, for this reason.
    Absent(&'static str),
}

use Place::{Absent, As};

/// A subcommand, the questions of the JSON interface and the functions of Python for the same work.
type Row = (&'static str, Place, Place);

const AT_A_TERMINAL: Place = Absent("it is about the programs themselves");
const OWN_PROGRAMS: Place = Absent("no request may start a program, and robots are programs");
const LONG_RUNS: Place = Absent("the page divides its runs itself");

#[rustfmt::skip]
const SUBCOMMANDS: &[Row] = &[
    ("bench", AT_A_TERMINAL, AT_A_TERMINAL),
    ("bid", As(&["bid"]), As(&["bid"])),
    ("compare", As(&["contract-plan", "tricks", "contract-results", "playouts"]), As(&["compare"])),
    ("convert", As(&["read", "write"]), As(&["convert", "read", "read_text", "write"])),
    ("deal", As(&["run"]), As(&["deal"])),
    ("fmt", Absent("editors call the language server"), Absent("editors call the language server")),
    ("infer", As(&["infer", "infer-tables"]), As(&["infer"])),
    ("lead", As(&["lead-plan", "leads", "lead-results"]), As(&["lead"])),
    ("lsp", AT_A_TERMINAL, AT_A_TERMINAL),
    ("man", AT_A_TERMINAL, AT_A_TERMINAL),
    ("completions", AT_A_TERMINAL, AT_A_TERMINAL),
    ("match", OWN_PROGRAMS, Absent("bid the boards with both tables and compare them")),
    ("merge", LONG_RUNS, As(&["merge"])),
    ("metrics", As(&["words"]), As(&["metrics"])),
    ("plan", As(&["plan"]), As(&["plan"])),
    ("play", As(&["play"]), As(&["analyse_play", "best_play", "solve_position", "solve_positions"])),
    ("poker", As(&["equity", "matrix", "range", "strength", "history", "games", "push", "spot"]), As(&["poker"])),
    ("probability", As(&["probability", "explain"]), As(&["probability"])),
    ("profile", As(&["form"]), As(&["profile", "profile_script"])),
    ("record", As(&["write"]), As(&["record"])),
    ("results", Absent("scores of a club are files on its computer"), As(&["results"])),
    ("scenario", As(&["scenarios"]), As(&["scenario", "scenarios"])),
    ("serve", AT_A_TERMINAL, AT_A_TERMINAL),
    ("shapes", As(&["shapes"]), As(&["expression"])),
    ("solve", As(&["deciding", "line", "solve"]), As(&["deciding_cards", "par", "solve"])),
    ("suit", As(&["suit", "suit-book"]), As(&["suit", "suit_book"])),
    ("system", Absent("it reads files of systems"), As(&["check_system"])),
    ("validate", As(&["explain"]), As(&["evaluate"])),
    ("value", As(&["value"]), As(&["metric", "value"])),
    ("verify", As(&["verify"]), As(&["tournament_key", "verify"])),
];

/// Questions that serve the pages and editors of clients, and belong to no subcommand.
const OTHER_QUESTIONS: &[&str] = &["check", "formats"];

/// Values and types in Python that are parts of other functions, and functions for expressions.
const OTHER_PYTHON: &[&str] = &[
    "all_of", "any_of", "cluster", "crosstab", "east", "ew", "north", "ns", "score", "south",
    "west",
];

/// Returns the subcommands in the help of `croupier`.
fn subcommands() -> Names {
    let help = done(&["help"]);
    let (_, list) = help.split_once("Commands:").expect("a list of commands");
    let (list, _) = list.split_once("\n\n").expect("the end of the list");
    let lines = list.lines().filter(|line| !line.trim().is_empty());
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let found = lines
        .filter(is_name)
        .filter_map(|line| line.split_whitespace().next());
    found.map(str::to_owned).collect()
}

/// Returns the names of a client in all rows.
fn listed(place: impl Fn(&Row) -> Place) -> Names {
    let mut all = BTreeSet::new();
    for row in SUBCOMMANDS {
        match place(row) {
            As(list) => all.extend(names(list)),
            Absent(reason) => assert!(!reason.is_empty(), "{}", row.0),
        }
    }
    all
}

#[test]
#[cfg(all(feature = "bidding", feature = "serve"))]
fn every_subcommand_is_in_the_table() {
    let rows: Names = SUBCOMMANDS.iter().map(|row| row.0.to_owned()).collect();
    assert_eq!(without(subcommands(), &["help"]), rows);
}

#[test]
#[cfg(feature = "serve")]
fn every_question_of_the_json_interface_belongs_to_a_subcommand() {
    let text = serve::openapi::description();
    let description: serde_json::Value = serde_json::from_str(&text).unwrap();
    let paths = description["paths"].as_object().expect("paths");
    let found: Names = paths
        .keys()
        .filter_map(|path| path.strip_prefix("/api/"))
        .map(str::to_owned)
        .collect();
    let found = without(found, OTHER_QUESTIONS);
    assert_eq!(without(found, &["info", "stop"]), listed(|row| row.1));
}

#[test]
fn every_function_of_python_belongs_to_a_subcommand() {
    let package = read("python/src/croupier/__init__.py");
    let (_, list) = package.split_once("__all__ = [").expect("__all__");
    let (list, _) = list.split_once(']').expect("the end of __all__");
    let quoted = list.split('"').skip(1).step_by(2);
    // Types have names with capitals.
    let is_function = |name: &&str| name.starts_with(|c: char| c.is_ascii_lowercase());
    let found: Names = quoted.filter(is_function).map(str::to_owned).collect();
    assert_eq!(without(found, OTHER_PYTHON), listed(|row| row.2));
}
