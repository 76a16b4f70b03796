//! Compiles the generated parser.

fn main() {
    let source = std::path::Path::new("src/parser.c");
    println!("cargo:rerun-if-changed={}", source.display());
    cc::Build::new()
        .std("c11")
        .include("src")
        .file(source)
        .warnings(false)
        .compile("tree-sitter-dealer");
}
