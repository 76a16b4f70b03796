//! Every option of a job exists in `dealer`, the JSON interface and Python, or is in a list of exceptions with its
//! reason. `web/tests/recipes.test.mjs` compares the JSON interface with the page.

use std::collections::BTreeSet;

use crate::study_options::{Names, names, parameters, read, switches, without};

/// Name of an option in a client.
#[derive(Clone, Copy)]
enum Place {
    /// The client has it under these names.
    As(&'static [&'static str]),
    /// The client does not have it, for this reason.
    Absent(&'static str),
}

use Place::{Absent, As};

/// An option of a job or of its execution, and its names: switches of `dealer`, fields of `/api/run`, parameters of
/// `croupier.deal`.
type Row = (&'static str, Place, Place, Place);

const IN_LIBRARY: Place = Absent("set by the library itself");

/// The fields of `JobSpec`.
#[rustfmt::skip]
const JOB: &[Row] = &[
    ("name", Absent("the name of the file"), Absent("there is no file"), Absent("the name of the Script")),
    ("script", Absent("an argument, not a switch"), As(&["script"]), As(&["script"])),
    ("imports", Absent("files that the loader reads"), As(&["imports"]), Absent("files that the loader reads")),
    ("dialect", As(&["compat"]), As(&["dialect"]), As(&["dialect"])),
    ("dealer3", Absent("one of the dialects"), Absent("one of the dialects"), Absent("one of the dialects")),
    ("variables", As(&["param"]), As(&["variables"]), As(&["variables"])),
    ("seed", As(&["seed"]), As(&["seed"]), As(&["seed"])),
    ("key", Absent("a value of --seed"), Absent("a value of seed"), Absent("a value of seed")),
    ("produce", As(&["produce"]), As(&["produce"]), As(&["produce"])),
    ("generate", As(&["generate"]), As(&["generate"]), As(&["generate"])),
    ("precision", As(&["precision"]), As(&["precision"]), As(&["precision"])),
    ("defaults", IN_LIBRARY, IN_LIBRARY, IN_LIBRARY),
    ("shows_deals", Absent("the output decides"), As(&["deals_only"]), Absent("a result always has its deals")),
    ("actions", Absent("the output decides"), Absent("follows from deals_only"), Absent("a result has all tables")),
    ("predeal", As(&["north", "east", "south", "west"]), As(&["predeal"]), As(&["predeal"])),
    ("exchange", As(&["exchange"]), As(&["exchange"]), As(&["exchange"])),
    ("supply", As(&["sampler", "library", "input-deals", "input-offset", "input-limit", "tournament", "key-file"]),
        As(&["sampler", "tournament", "beacon_value", "deals"]), As(&["sampler", "tournament", "deals"])),
    ("opener", As(&["opener"]), As(&["opener"]), As(&["opener"])),
    ("par_vulnerability", As(&["par-vulnerability"]), As(&["par_vulnerability"]), As(&["par_vulnerability"])),
    ("solve", As(&["solve"]), As(&["solve"]), Absent("croupier.solve solves the deals of a result")),
    ("title", As(&["title"]), As(&["title"]), As(&["title"])),
    ("dealer", As(&["dealer"]), As(&["dealer"]), Absent("boards get their dealer when they are made of deals")),
    ("vulnerable", As(&["vulnerable"]), As(&["vulnerable"]), Absent("boards get it when they are made of deals")),
    ("systems", As(&["bidding-system", "bidding-system-ew"]), As(&["bidding_system", "bidding_system_ew"]), As(&["bidding_system"])),
    ("first_board", As(&["first-board"]), As(&["first_board"]), Absent("boards are numbered when they are made of deals")),
    ("level", As(&["level", "level-target"]), As(&["level"]), As(&["level"])),
    ("even", As(&["even"]), As(&["even"]), As(&["even"])),
    ("level_budget", As(&["level-budget"]), As(&["level_budget"]), As(&["level_budget"])),
    ("interleave", As(&["interleave"]), As(&["interleave"]), As(&["interleave"])),
    ("rnd_seed", As(&["rnd-seed"]), As(&["rnd_seed"]), As(&["rnd_seed"])),
    ("as_dealt", Absent("for verification"), Absent("for verification"), Absent("for verification")),
    ("mix", As(&["mix"]), As(&["mix"]), As(&["mix"])),
    ("share", Absent("a value of --mix"), Absent("a value of mix"), Absent("a value of mix")),
];

/// The fields of `ExecutionOptions`.
#[rustfmt::skip]
const EXECUTION: &[Row] = &[
    ("threads", As(&["threads"]), Absent("the server divides its threads"), As(&["threads"])),
    ("batch", As(&["batch-size"]), Absent("for measurements"), Absent("for measurements")),
    ("solver_memory", As(&["solver-memory"]), Absent("the server limits it"), Absent("bounded by default")),
    ("time_limit", As(&["timeout", "time"]), Absent("the server limits it"), Absent("a progress function can end the run")),
    ("cancel", Absent("signals"), Absent("the client disconnects"), Absent("Ctrl-C")),
    ("progress", As(&["progress"]), Absent("events of the run"), As(&["progress"])),
    ("clock", IN_LIBRARY, IN_LIBRARY, IN_LIBRARY),
    ("robots", Absent("a program opens its systems"), Absent("the server opens the systems"), Absent("Python opens its systems")),
    ("metrics", As(&["user-program"]), Absent("no request may start a program"), Absent("a filter in Python")),
];

/// Switches about output and files, and switches that print something without a run.
const OTHER_SWITCHES: &[&str] = &[
    "beacon",
    "beacon-value",
    "check",
    "credits",
    "csv",
    "csv-safe",
    "debug",
    "digits",
    "every",
    "explain",
    "explain-deal",
    "export",
    "force",
    "format",
    "help",
    "legacy",
    "license",
    "memory",
    "no-deals",
    "no-warnings",
    "output",
    "params",
    "partial",
    "quiet",
    "report",
    "report-boards",
    "rotate",
    "shard",
    "solver-mode",
    "stats-json",
    "stats-on",
    "tables",
    "verbose",
    "version",
    "write-dl",
    "write-leveled",
    "write-zrd",
];

/// Parameters of `croupier.deal` that only Python can have, and the public value of a tournament, which `dealer` has as a
/// switch about files.
const OTHER_PARAMETERS: &[&str] = &["beacon_value", "filter", "tables", "values"];

/// Returns the fields of a struct, from the text of its declaration.
fn fields(path: &str, name: &str) -> Names {
    let source = read(path);
    let (_, body) = source
        .split_once(&format!("pub struct {name} {{\n"))
        .expect(name);
    let (body, _) = body.split_once("\n}").expect("the end of the struct");
    let lines = body
        .lines()
        .filter_map(|line| line.strip_prefix("    pub "));
    let fields = lines.filter_map(|line| line.split_once(':'));
    fields.map(|(field, _)| field.to_owned()).collect()
}

/// Returns the names of the options in a client.
fn listed(place: impl Fn(&Row) -> Place) -> Names {
    let mut all = BTreeSet::new();
    for row in JOB.iter().chain(EXECUTION) {
        match place(row) {
            As(list) => all.extend(names(list)),
            Absent(reason) => assert!(!reason.is_empty(), "{}", row.0),
        }
    }
    all
}

#[test]
fn the_lists_have_every_option_of_the_library() {
    let rows = |rows: &[Row]| -> Names { rows.iter().map(|row| row.0.to_owned()).collect() };
    assert_eq!(rows(JOB), fields("crates/session/src/spec.rs", "JobSpec"));
    assert_eq!(
        rows(EXECUTION),
        fields("crates/session/src/execution.rs", "ExecutionOptions")
    );
}

#[test]
fn dealer_has_the_options_of_a_job() {
    let found = without(switches("deal"), OTHER_SWITCHES);
    assert_eq!(found, listed(|row| row.1));
}

#[test]
#[cfg(feature = "serve")]
fn the_json_interface_has_the_options_of_a_job() {
    let text = serve::openapi::description();
    let description: serde_json::Value = serde_json::from_str(&text).unwrap();
    let properties = &description["components"]["schemas"]["RunRequest"]["properties"];
    let found: Names = properties
        .as_object()
        .expect("fields")
        .keys()
        .cloned()
        .collect();
    assert_eq!(found, listed(|row| row.2));
}

#[test]
fn python_has_the_options_of_a_job() {
    let source = read("python/src/croupier/dealing.py");
    let found = without(parameters(&source, "deal"), OTHER_PARAMETERS);
    assert_eq!(found, listed(|row| row.3));
}
