//! docs/ARCHITECTURE.md lists the dependencies between the crates correctly.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Returns the crates of the workspace that a manifest names under `[dependencies]`. The name of such a dependency is
/// that of the crate's folder.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut within = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            within = line.trim() == "[dependencies]";
        } else if let Some((name, _)) = line.split_once([' ', '.', '=']).filter(|_| within)
            && is_ours(name)
        {
            found.insert(name.to_owned());
        }
    }
    found
}

/// Returns whether a dependency is a crate of this workspace.
fn is_ours(name: &str) -> bool {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    !name.is_empty() && crates.join(name).join("Cargo.toml").is_file()
}

#[test]
fn the_table_of_dependencies_is_that_of_the_manifests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut built = BTreeMap::new();
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else {
            continue;
        };
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        built.insert(name, dependencies(&manifest));
    }
    let text = fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
    let section = text.split("## Dependencies").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut above: BTreeSet<String> = BTreeSet::new();
    let mut rows = 0;
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].trim_matches('`').to_owned();
        let told: BTreeSet<String> = cells[2].split_whitespace().map(String::from).collect();
        let real = built
            .get(&name)
            .unwrap_or_else(|| panic!("there is no crate {name}"));
        assert_eq!(&told, real, "docs/ARCHITECTURE.md, {name}");
        above.insert(name.clone());
        let upwards: Vec<&String> = real.intersection(&above).collect();
        assert!(upwards.is_empty(), "{name} depends upwards on {upwards:?}");
        rows += 1;
    }
    assert!(rows >= 19, "{rows} rows");
}

/// Programs, the JSON interface, Python and the language server use the library as external programs do.
#[test]
fn clients_depend_on_the_facade_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let clients = [
        "programs",
        "dealer",
        "command-line",
        "python",
        "serve",
        "wasm",
        "api",
        "lsp",
    ];
    let allowed: BTreeSet<String> = [&["croupier"], &clients[..]]
        .concat()
        .into_iter()
        .map(String::from)
        .collect();
    for client in clients {
        let manifest = root.join("crates").join(client).join("Cargo.toml");
        let named = dependencies(&fs::read_to_string(manifest).unwrap());
        let inner: Vec<&String> = named.difference(&allowed).collect();
        assert!(inner.is_empty(), "{client} depends on {inner:?}");
    }
}

/// Returns the external crates that a manifest names, in any table of dependencies.
fn crates_of_others(manifest: &str) -> BTreeSet<String> {
    let mut within = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if let Some(table) = line.trim().strip_prefix('[') {
            within = table.trim_end_matches(']').ends_with("dependencies");
        } else if let Some((name, _)) = line.split_once(['=', '.']).filter(|_| within) {
            let name = name.trim();
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
            if !name.is_empty() && name.chars().all(plain) && !is_ours(name) {
                found.insert(name.to_owned());
            }
        }
    }
    found
}

#[test]
fn every_dependency_has_its_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let folders = fs::read_dir(root.join("crates")).unwrap();
    let mut folders: Vec<_> = folders.map(|entry| entry.unwrap().path()).collect();
    folders.push(root.join("editors/tree-sitter"));
    for folder in folders {
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else {
            continue;
        };
        let user = folder.file_name().unwrap().to_string_lossy().into_owned();
        for name in crates_of_others(&manifest) {
            named.entry(name).or_default().insert(user.clone());
        }
    }
    let text = fs::read_to_string(root.join("docs/dependencies.md")).unwrap();
    let mut told = BTreeSet::new();
    for row in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].trim_matches('`');
        let users = named
            .get(name)
            .unwrap_or_else(|| panic!("docs/dependencies.md: nobody uses {name}"));
        if cells[2] == "many" {
            assert!(users.len() > 3, "{name} is used by {users:?}");
        } else {
            let listed: BTreeSet<String> = cells[2].split(", ").map(String::from).collect();
            assert_eq!(&listed, users, "docs/dependencies.md, {name}");
        }
        assert!(cells[3].len() > 5, "{name} has no reason");
        assert!(told.insert(name.to_owned()), "{name} twice");
    }
    let missing: Vec<&String> = named.keys().filter(|name| !told.contains(*name)).collect();
    assert!(missing.is_empty(), "docs/dependencies.md lacks {missing:?}");
}

/// Returns the quoted text after a key at the beginning of a line.
fn quoted<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.trim().strip_prefix(key)?.split('"').nth(1)
}

/// deny.toml names every crate that is present in a second, older version, and no other; every crate comes from
/// crates.io.
#[test]
fn crates_that_are_there_twice_are_known() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let lock = fs::read_to_string(root.join("Cargo.lock")).unwrap();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let value = |key| package.lines().find_map(|line| quoted(line, key));
        let (name, version) = (value("name = ").unwrap(), value("version = ").unwrap());
        versions.entry(name).or_default().push(version);
        let source = value("source = ");
        // A package without a source is a crate of this workspace.
        let good = source.is_none_or(|source| {
            source.starts_with("registry+") && source.ends_with("/crates.io-index")
        });
        assert!(good, "{name} comes from {source:?}");
    }
    // Cargo sorts the versions: all but the last are older ones.
    let old = versions.iter().flat_map(|(name, versions)| {
        let older = versions.split_last().unwrap().1;
        older.iter().map(move |version| format!("{name}@{version}"))
    });
    let old: BTreeSet<String> = old.collect();
    let text = fs::read_to_string(root.join("deny.toml")).unwrap();
    let skip = text.split("skip = [").nth(1).unwrap();
    let skip = skip.split("\n]").next().unwrap().lines();
    let told: BTreeSet<&str> = skip.filter_map(|line| quoted(line, "{ crate = ")).collect();
    let is = |told: &str, old: &str| old.starts_with(&format!("{told}."));
    for old in &old {
        assert!(
            told.iter().any(|told| is(told, old)),
            "deny.toml lacks {old}"
        );
    }
    for told in told {
        assert!(
            old.iter().any(|old| is(told, old)),
            "deny.toml: {told} is gone"
        );
    }
}

/// The path of a printed deal through the code stays short enough to be read. `tools/walk` compares the table with the call
/// stacks of a run.
#[test]
fn the_walk_from_a_command_line_to_output_has_at_most_25_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
    let section = text.split("## From a command line to output").nth(1);
    let section = section.unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| "));
    let files: Vec<&str> = rows
        .flat_map(|row| row.split('`'))
        .filter(|word| word.ends_with(".rs"))
        .collect();
    assert!((15..=25).contains(&files.len()), "{} files", files.len());
    for file in files {
        let (name, path) = file.split_once('/').unwrap();
        let path = root.join("crates").join(name).join("src").join(path);
        assert!(path.is_file(), "{} is no file", path.display());
    }
}

/// Each test program is linked with everything that it tests, which takes longer than most of the tests.
#[test]
fn every_crate_has_at_most_one_test_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut programs = 0;
    for entry in fs::read_dir(root).unwrap() {
        let tests = entry.unwrap().path().join("tests");
        let Ok(entries) = fs::read_dir(&tests) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            let alone = path.extension().is_some_and(|ending| ending == "rs");
            let other = path.join("main.rs").is_file() && !path.ends_with("all");
            assert!(
                !alone && !other,
                "{} is a second test program: make it a module of tests/all",
                path.display()
            );
        }
        programs += usize::from(tests.join("all/main.rs").is_file());
    }
    assert!(programs > 15, "{programs} test programs");
}

/// Returns the text of every Rust file below a folder, with its path.
pub fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path.display().to_string(), text));
        }
    }
}

/// Returns the text of every source file of the libraries, with its path.
fn sources_of_libraries() -> Vec<(String, String)> {
    const PROGRAMS: [&str; 7] = [
        "programs",
        "dealer",
        "command-line",
        "python",
        "serve",
        "wasm",
        "surfaces",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if !PROGRAMS.contains(&name.as_str()) && folder.join("src").is_dir() {
            sources(&folder.join("src"), &mut files);
        }
    }
    assert!(files.len() > 300, "{} files", files.len());
    files
}

/// Callers of a library get errors with a type and a cause. A text alone has neither.
#[test]
fn public_functions_of_libraries_return_no_text_as_an_error() {
    for (path, text) in sources_of_libraries() {
        for function in text.split("pub fn ").skip(1) {
            let end = function.find('{').unwrap_or(function.len());
            let signature = &function[..end];
            let returned = signature.split("->").last().unwrap_or_default();
            let is_text = returned.contains("Result<") && returned.contains(", String>");
            assert!(!is_text, "{path}: pub fn {signature}");
        }
    }
}

/// Returns whether a line of code has a long switch, such as `--seed`, in a text. Properties of style sheets are none.
fn names_a_switch(line: &str) -> bool {
    let line = line.trim_start();
    let mut texts = line.split('"').skip(1).step_by(2);
    !line.starts_with("//")
        && !line.starts_with("#[")
        && texts.any(|text| {
            text.match_indices("--").any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let name = text[at + 2..]
                    .split(|c: char| !c.is_ascii_lowercase() && c != '-')
                    .next();
                let after = text[at + 2 + name.map_or(0, str::len)..].chars().next();
                before.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '-' && c != '<')
                    && name.is_some_and(|name| name.len() > 1 && !name.starts_with('-'))
                    && after != Some(':')
            })
        })
}

/// Python, the page and other programs have no switches: clients add the switch that helps.
#[test]
fn libraries_name_no_switches() {
    assert!(names_a_switch("    \"give --seed or a key\""));
    assert!(!names_a_switch("    /// As `--seed`."));
    let mut found = Vec::new();
    for (path, text) in sources_of_libraries() {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code
            .lines()
            .enumerate()
            .filter(|(_, line)| names_a_switch(line));
        found.extend(lines.map(|(number, _)| format!("{path}:{}", number + 1)));
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// A new kind of error does not break programs that match the known ones.
#[test]
fn public_error_enums_are_non_exhaustive() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut closed = Vec::new();
    let mut seen = 0;
    for entry in fs::read_dir(root).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.join("src").is_dir() {
            continue;
        }
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for (path, text) in files {
            let mut attributes = String::new();
            for line in text.lines() {
                if let Some(rest) = line.strip_prefix("pub enum ") {
                    let end = rest.find(|c: char| !c.is_alphanumeric());
                    let kind = &rest[..end.unwrap_or(rest.len())];
                    if kind.ends_with("Error") {
                        seen += 1;
                        if !attributes.contains("#[non_exhaustive]") {
                            closed.push(format!("{path}: {kind}"));
                        }
                    }
                }
                if line.starts_with('#') {
                    attributes.push_str(line);
                } else if !line.starts_with("//") {
                    attributes.clear();
                }
            }
        }
    }
    assert!(seen >= 30, "{seen} error enums");
    assert!(closed.is_empty(), "without #[non_exhaustive]: {closed:#?}");
}
