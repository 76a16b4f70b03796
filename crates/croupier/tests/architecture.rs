//! docs/ARCHITECTURE.md tells the truth about who depends on whom.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The crates of the workspace that a manifest names under `[dependencies]`.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut within = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            within = line.trim() == "[dependencies]";
        } else if let Some(rest) = line.strip_prefix("croupier-").filter(|_| within) {
            let end = rest.find(|c: char| !c.is_ascii_lowercase());
            found.insert(rest[..end.unwrap_or(rest.len())].to_owned());
        }
    }
    found
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
    let section = text.split("## Who depends on whom").nth(1).unwrap();
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
