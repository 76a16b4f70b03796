//! A public type name has one meaning in the whole workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::architecture::sources;

/// Names that several crates may use: the crate, its names and the reason.
const SHARED: [(&str, &[&str], &str); 4] = [
    (
        "python",
        &[
            "Board", "Card", "Contract", "Deal", "Hand", "Job", "Outcome", "Par", "Partial",
            "Position", "Table",
        ],
        "a Python class is named after the library's type that it holds",
    ),
    (
        "api",
        &[
            "CallExplanation",
            "Clause",
            "Diagnostic",
            "Dialect",
            "Equity",
            "Estimate",
            "Fix",
            "NamedValue",
            "Scenario",
            "ScriptSettings",
            "SuitContract",
        ],
        "the JSON form of a type is named after it",
    ),
    (
        "dealer",
        &["Cli"],
        "the parser of a program's command line, as clap's documentation names it",
    ),
    (
        "dealer",
        &["Args"],
        "the arguments of a subcommand, as clap's documentation names them",
    ),
];

/// Returns the name of the public type that a line defines, if it defines one.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
    let keywords = ["struct ", "enum ", "trait ", "type ", "union "];
    let rest = keywords
        .iter()
        .find_map(|keyword| rest.strip_prefix(keyword))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &rest[..end.unwrap_or(rest.len())];
    // In a macro the name may be a parameter: `pub struct $name`.
    (!name.is_empty()).then_some(name)
}

#[test]
fn a_public_type_name_is_defined_in_one_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut crates: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in fs::read_dir(root).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.join("src").is_dir() {
            continue;
        }
        let user = folder.file_name().unwrap().to_string_lossy().into_owned();
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for name in files
            .iter()
            .flat_map(|(_, text)| text.lines())
            .filter_map(public_type)
        {
            crates
                .entry(name.to_owned())
                .or_default()
                .insert(user.clone());
        }
    }
    assert!(crates.len() > 700, "{} types", crates.len());
    for (user, names, reason) in SHARED {
        for name in names {
            let users = &crates[*name];
            assert!(
                users.contains(user) && users.len() > 1,
                "{name} of {user} is not shared: remove it from the list ({reason})"
            );
        }
    }
    for (name, users) in &mut crates {
        for (user, names, _) in SHARED {
            if names.contains(&name.as_str()) {
                users.remove(user);
            }
        }
        assert!(
            users.len() == 1,
            "{name} is defined in {users:?}: give each meaning a name of its own"
        );
    }
}

#[test]
fn definitions_of_public_types_are_recognised() {
    assert_eq!(public_type("pub struct Deal<'a> {"), Some("Deal"));
    assert_eq!(
        public_type("    pub unsafe trait Lanes: Copy {"),
        Some("Lanes")
    );
    assert_eq!(public_type("pub type Picks = [usize; 4];"), Some("Picks"));
    assert_eq!(public_type("pub(crate) struct Deal;"), None);
    assert_eq!(public_type("pub struct $name(());"), None);
    assert_eq!(public_type("    /// pub struct Deal"), None);
}
