//! Embeds the page that web/ builds, so that the installation needs no Node.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = linked("page");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut code = String::from("const FILES: &[(&str, &[u8])] = &[\n");
    for path in files {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path
            .strip_prefix(&root)
            .expect("the file is below the root");
        let name = name.to_string_lossy().replace('\\', "/");
        writeln!(
            code,
            "    ({name:?}, include_bytes!({:?})),",
            path.display().to_string()
        )
        .expect("writing to a string cannot fail");
    }
    code.push_str("];\n");
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("page.rs");
    fs::write(out, code).expect("the build folder can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("web/dist is part of the repository") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
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
