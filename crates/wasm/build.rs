//! Sets the stack size: the searches recurse deeply and need more than the linker's default of one megabyte.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo::rustc-cdylib-link-arg=-zstack-size=16777216");
    }
}
