//! Bundles the scripts under scenarios/.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let root =
        Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../../scenarios");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut names: Vec<String> = fs::read_dir(&root)
        .expect("the folder scenarios is part of the repository")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".dl").map(str::to_owned))
        .collect();
    names.sort();
    let mut code = String::from("const SCENARIOS: &[(&str, &str)] = &[\n");
    for name in names {
        let path = root.join(format!("{name}.dl"));
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(
            code,
            "    ({name:?}, include_str!({:?})),",
            path.display().to_string()
        )
        .expect("text grows");
    }
    code.push_str("];\n");
    let index = root.join("index.json");
    println!("cargo::rerun-if-changed={}", index.display());
    writeln!(
        code,
        "const INDEX: &str = include_str!({:?});",
        index.display().to_string()
    )
    .expect("text grows");
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("scenarios.rs");
    fs::write(out, code).expect("the build folder can be written");
}
