//! Tests of `croupier fmt`.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::common::feed;

fn fmt(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .arg("fmt")
        .args(words)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

const BEFORE: &str = "condition hcp(north)>15 // strong\naction printall,printpbn\n";
const AFTER: &str = "condition hcp(north) > 15  // strong\naction\n    printall,\n    printpbn\n";

#[test]
fn a_folder_is_laid_out_once() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("more");
    fs::create_dir(&below).unwrap();
    let (first, second) = (folder.path().join("a.dl"), below.join("b.dlr"));
    let other = folder.path().join("notes.txt");
    for path in [&first, &second, &other] {
        fs::write(path, BEFORE).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    let checked = fmt(&["--check", path]);
    assert_eq!(checked.status.code(), Some(1));
    let named = String::from_utf8(checked.stdout).unwrap();
    assert_eq!(
        named,
        format!("{}\n{}\n", first.display(), second.display())
    );
    assert_eq!(fs::read_to_string(&first).unwrap(), BEFORE);
    assert_eq!(fmt(&[path]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&first).unwrap(), AFTER);
    assert_eq!(fs::read_to_string(&second).unwrap(), AFTER);
    assert_eq!(fs::read_to_string(&other).unwrap(), BEFORE);
    assert_eq!(fmt(&["--check", path]).status.code(), Some(0));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn a_script_with_errors_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (bad, good) = (folder.path().join("bad.dl"), folder.path().join("good.dl"));
    fs::write(&bad, "condition hcp(nrth)>3").unwrap();
    fs::write(&good, BEFORE).unwrap();
    let output = fmt(&[bad.to_str().unwrap(), good.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("bad.dl:1:15: error[E306]"), "{told}");
    assert_eq!(fs::read_to_string(&bad).unwrap(), "condition hcp(nrth)>3");
    assert_eq!(fs::read_to_string(&good).unwrap(), AFTER);
    let missing = fmt(&["no-such-file.dl"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&missing.stderr)
            .contains("no-such-file.dl: there is no file of this name")
    );
}

#[test]
fn standard_input_goes_to_standard_output() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    let output = feed(command.args(["fmt", "-"]), BEFORE);
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), AFTER);
}

#[test]
fn scripts_of_dealer3_are_laid_out_in_their_dialect() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dlr");
    fs::write(&path, "condition hcp(north)>notrump\n").unwrap();
    let path = path.to_str().unwrap();
    assert!(!fmt(&[path]).status.success());
    assert!(fmt(&["--compat", "dealer3", path]).status.success());
    assert_eq!(
        fs::read_to_string(path).unwrap(),
        "condition hcp(north) > notrump\n"
    );
}

#[test]
fn practice_scenarios_are_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.dl");
    let text = "Script,A\nsetDealerCode(`\ncondition hcp(north)>3\n`,\"S\",true)\n";
    fs::write(&path, text).unwrap();
    assert!(fmt(&[path.to_str().unwrap()]).status.success());
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}
