//! Embeds the scripts under scenarios/ with the data of their index.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

fn main() {
    let root = linked("scripts");
    println!("cargo::rerun-if-changed={}", root.display());
    let index = root.join("index.json");
    println!("cargo::rerun-if-changed={}", index.display());
    let index = fs::read_to_string(index).expect("the folder scenarios is part of the repository");
    let index: Value = serde_json::from_str(&index).expect("the index is JSON");
    let mut code = String::from("&[\n");
    for entry in index.as_array().expect("the index is a list") {
        let text = |key: &str| entry[key].as_str().expect("names and groups are texts");
        let path = root.join(format!("{}.dl", text("name")));
        println!("cargo::rerun-if-changed={}", path.display());
        let fraction = entry.get("fraction").map(|fraction| {
            [0, 1].map(|place| fraction[place].as_str().expect("fractions are two texts"))
        });
        let profile = root.join(format!("profiles/{}.toml", text("name")));
        // Cargo regards a watched file that does not exist as changed at every build. A new file changes the folder,
        // which is watched.
        let profile = match profile.exists() {
            true => {
                println!("cargo::rerun-if-changed={}", profile.display());
                format!("Some(include_str!({:?}))", profile.display().to_string())
            }
            false => "None".to_owned(),
        };
        let probability = entry["probability"].as_f64().expect("each has a frequency");
        writeln!(
            code,
            "    Scenario {{ name: {:?}, group: {:?}, fraction: {fraction:?}, probability: {probability:?}, \
             script: include_str!({:?}), profile: {profile} }},",
            text("name"),
            text("group"),
            path.display().to_string()
        )
        .expect("text grows");
    }
    code.push_str("]\n");
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("scenarios.rs");
    fs::write(out, code).expect("the build folder can be written");
}

/// Returns the folder of this package's symbolic link `name`. Git on Windows may check out a link as a file with the path
/// of the folder.
fn linked(name: &str) -> PathBuf {
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let link = package.join(name);
    match fs::read_to_string(&link) {
        Ok(folder) => package.join(folder.trim()),
        Err(_) => link,
    }
}
