//! Every option of a study exists in the library, the command line, the JSON interface, Python and the page.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::done;
use croupier::declarer::DeclarerOptions;
use croupier::studies::StudyOptions;

/// Switches that select or describe deals, write files or control the execution, and the question itself.
const OTHER_SWITCHES: &[&str] = &[
    "condition",
    "contract",
    "deals",
    "digits",
    "east",
    "force",
    "format",
    "generate",
    "hand",
    "help",
    "html",
    "memory",
    "north",
    "output",
    "seed",
    "solver-memory",
    "south",
    "threads",
    "time",
    "west",
];

/// Switches that add columns or tables to the output of `compare`, and do not change deals or estimates. In the JSON
/// interface `single-dummy` is the question `playouts`, and `by` a request for the results of each group of rows.
const TABLE_SWITCHES: &[&str] = &["by", "played", "single-dummy"];

/// Switches that select deals by an auction. The other clients pass the script that `infer` returns for it.
const AUCTION_SWITCHES: &[&str] = &["auction", "dealer", "ew", "system"];

/// Fields of requests for deals, rows, or the question itself.
const OTHER_FIELDS: &[&str] = &[
    "bounds",
    "contract",
    "contracts",
    "deals",
    "first",
    "hand",
    "plan",
    "tricks",
];

/// Parameters in Python that select deals or control the execution, and the question itself.
const OTHER_PARAMETERS: &[&str] = &[
    "condition",
    "contract",
    "contracts",
    "generate",
    "given",
    "hand",
    "predeal",
    "progress",
    "seed",
    "single_dummy",
    "threads",
    "variables",
];

/// Parameters of the native functions below the Python package.
const NATIVE_PARAMETERS: &[&str] = &[
    "contract",
    "contracts",
    "dealt",
    "deals",
    "progress",
    "threads",
];

/// Switches of `croupier plan` that state the question, write files or control the execution.
const OTHER_SWITCHES_OF_PLAN: &[&str] = &[
    "contract",
    "digits",
    "force",
    "format",
    "help",
    "html",
    "lead",
    "memory",
    "output",
    "played",
    "solver-memory",
    "threads",
    "time",
];

/// Switches of `croupier plan` with which an auction is stated. In requests it is an object.
const AUCTION_OF_PLAN: &[&str] = &["dealer", "ew", "system", "vulnerable"];

/// Fields of a request for a plan that state the question.
const OTHER_FIELDS_OF_PLAN: &[&str] = &["contract", "declarer", "dummy", "played"];

/// Parameters of `croupier.plan` in Python that state the question or control the execution.
const OTHER_PARAMETERS_OF_PLAN: &[&str] = &[
    "contract",
    "hands",
    "lead",
    "played",
    "progress",
    "threads",
    "variables",
];

/// Names of options.
pub(crate) type Names = BTreeSet<String>;

pub(crate) fn names(list: &[&str]) -> Names {
    list.iter().map(|&name| name.to_owned()).collect()
}

pub(crate) fn without(all: Names, others: &[&str]) -> Names {
    all.difference(&names(others)).cloned().collect()
}

/// Returns the fields of an options struct, which its debug output names.
fn fields_of(options: impl std::fmt::Debug) -> Names {
    let text = format!("{options:#?}");
    let fields = text.lines().filter_map(|line| line.split_once(':'));
    fields.map(|(name, _)| name.trim().to_owned()).collect()
}

fn library_options() -> Names {
    fields_of(StudyOptions::default())
}

/// Returns the options of a plan for declarer: those of the library, and those that select the layouts.
fn expected_of_plan() -> Names {
    let mut all = fields_of(DeclarerOptions::default());
    all.extend(names(&["auction", "condition", "script", "seed"]));
    all
}

/// Returns the options of a study: those of the library, the vulnerability, and those of its question.
fn expected(study: &str) -> Names {
    let mut all = library_options();
    all.insert("vulnerable".to_owned());
    if study == "lead" {
        all.insert("sets_only".to_owned());
    }
    all
}

pub(crate) fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the long switches in the help of a subcommand.
pub(crate) fn switches(study: &str) -> Names {
    let help = done(&[study, "--help"]);
    let lines = help.lines().map(str::trim_start);
    let switches = lines.filter(|line| line.starts_with('-'));
    let name = |line: &str| {
        let (_, rest) = line.split_once("--")?;
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '-');
        Some(rest[..end.unwrap_or(rest.len())].to_owned())
    };
    switches.filter_map(name).collect()
}

/// Returns the parameter names of a Python function, from the text of its definition.
pub(crate) fn parameters(source: &str, function: &str) -> Names {
    let start = source.find(&format!("def {function}(")).expect(function);
    let definition = &source[start..];
    let (_, list) = definition.split_once("(\n").expect("a parameter a line");
    let (list, _) = list.split_once("\n)").expect("the end of the list");
    let lines = list.lines().filter_map(|line| line.split_once(':'));
    lines
        .map(|(name, _)| name.trim().trim_start_matches('*').to_owned())
        .collect()
}

#[test]
fn the_command_line_has_the_options_of_the_library() {
    for study in ["lead", "compare"] {
        let found = without(switches(study), OTHER_SWITCHES);
        let found = without(found, AUCTION_SWITCHES);
        let found: Names = without(found, TABLE_SWITCHES)
            .into_iter()
            .map(|name| name.replace('-', "_"))
            .collect();
        assert_eq!(found, expected(study), "croupier {study}");
    }
}

/// Returns the fields of a request of the JSON interface.
#[cfg(feature = "serve")]
fn fields(schema: &str) -> Names {
    let text = serve::openapi::description();
    let description: serde_json::Value = serde_json::from_str(&text).unwrap();
    let properties = &description["components"]["schemas"][schema]["properties"];
    let properties = properties.as_object().expect(schema);
    properties.keys().cloned().collect()
}

#[test]
#[cfg(feature = "bidding")]
fn the_command_line_has_the_options_of_plans() {
    let found = without(switches("plan"), OTHER_SWITCHES_OF_PLAN);
    let mut found = without(found, AUCTION_OF_PLAN);
    // `--given` names the file of a script, because the hands are the arguments.
    assert!(found.remove("given"));
    found.insert("script".to_owned());
    assert_eq!(found, expected_of_plan());
}

#[test]
fn python_has_the_options_of_plans() {
    let package = read("python/src/croupier/planning.py");
    let found = without(parameters(&package, "plan"), OTHER_PARAMETERS_OF_PLAN);
    let mut found = without(found, AUCTION_OF_PLAN);
    // `condition` is a condition or a script.
    found.insert("script".to_owned());
    assert_eq!(found, expected_of_plan());
}

#[test]
#[cfg(feature = "serve")]
fn the_json_interface_has_the_options_of_plans() {
    let found = without(fields("PlanRequest"), OTHER_FIELDS_OF_PLAN);
    assert_eq!(found, expected_of_plan());
    let auction = without(fields("AuctionRequest"), &["calls"]);
    assert_eq!(auction, names(AUCTION_OF_PLAN));
}

#[test]
#[cfg(feature = "serve")]
fn the_json_interface_has_the_options_of_the_library() {
    for (study, requests) in [
        (
            "lead",
            ["LeadPlanRequest", "LeadsRequest", "LeadResultsRequest"],
        ),
        (
            "compare",
            [
                "ContractPlanRequest",
                "TricksRequest",
                "ContractResultsRequest",
            ],
        ),
    ] {
        let all: Names = requests
            .iter()
            .flat_map(|request| fields(request))
            .collect();
        assert_eq!(without(all, OTHER_FIELDS), expected(study), "{study}");
    }
}

#[test]
fn python_has_the_options_of_the_library() {
    let package = read("python/src/croupier/studies.py");
    let stubs = read("python/src/croupier/_croupier.pyi");
    for (study, native) in [("lead", "study_leads"), ("compare", "study_contracts")] {
        let mut found = without(parameters(&package, study), OTHER_PARAMETERS);
        // Python calls the number of deals to solve `deals`.
        assert!(found.remove("deals"), "{study}");
        found.insert("number".to_owned());
        assert_eq!(found, expected(study), "{study}");
        let found = without(parameters(&stubs, native), NATIVE_PARAMETERS);
        assert_eq!(found, expected(study), "{native}");
    }
}

#[test]
fn the_page_has_the_options_of_the_library() {
    let mut options = library_options();
    options.insert("vulnerable".to_owned());
    let view = read("web/src/views/Studies.svelte");
    for option in options {
        assert!(
            view.contains(&format!("let {option} = $state")),
            "web/src/views/Studies.svelte has no field for {option}"
        );
    }
}

#[test]
#[cfg(feature = "serve")]
fn every_client_offers_the_precision_of_a_run() {
    let text = serve::openapi::description();
    let description: serde_json::Value = serde_json::from_str(&text).unwrap();
    let request = &description["components"]["schemas"]["RunRequest"]["properties"];
    assert!(request["precision"].is_object());
    assert!(done(&["deal", "--help"]).contains("--precision"));
    let package = read("python/src/croupier/dealing.py");
    assert!(parameters(&package, "deal").contains("precision"));
    assert!(read("web/src/engine/types.ts").contains("precision?: string;"));
}
