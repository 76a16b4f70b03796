//! dealer3's scripts and switches, and what the command line says about mistakes of people who come from elsewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn dealer(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dealer"))
        .env_remove("CROUPIER_COMPAT")
        .env_remove("CROUPIER_LIBRARY")
        .args(words)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("it runs")
}

fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", err(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/dealer3");
    root.join(name).to_string_lossy().into_owned()
}

fn without_time(text: &str) -> String {
    let kept = text
        .lines()
        .filter(|line| !line.starts_with("Time needed "));
    kept.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_example_runs_natively_and_as_dealer3_and_deals_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/dealer3");
    let mut scripts: Vec<PathBuf> = fs::read_dir(folder)
        .expect("examples")
        .map(|entry| entry.expect("a file").path())
        .collect();
    scripts.sort();
    assert!(scripts.len() >= 5);
    for script in scripts {
        let name = script.to_str().expect("a name");
        let native = dealer(&["-s", "1", "-v", name]);
        let other = dealer(&["--compat", "dealer3", "-s", "1", name]);
        let (native, other) = (out(&native), out(&other));
        assert!(native.lines().count() >= 3, "{name}: {native}");
        assert_eq!(without_time(&native), without_time(&other), "{name}");
    }
}

#[test]
fn parameters_by_switch_and_by_comment() {
    let script = example("parameters.dlr");
    let listed = out(&dealer(&["--params", &script]));
    assert!(listed.contains("$0  west  # who opens"), "{listed}");
    assert!(listed.contains("$3  5xxx + x5xx"), "{listed}");
    let own = out(&dealer(&["-s", "1", "-v", &script]));
    let same = out(&dealer(&["-s", "1", "-v", "--param", "1=12", &script]));
    let other = out(&dealer(&["-s", "1", "-v", "--param", "1=13", &script]));
    assert_eq!(own, same);
    assert_ne!(own, other);
    let twice = dealer(&["-1", "5", "--param", "1=6", &script]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(err(&dealer(&["--param", "west", &script])).contains("1=west"));
    assert!(err(&dealer(&["--param", "12=x", &script])).contains("0 to 9"));
    let unused = dealer(&["-9", "x", "-v", "-p", "1", &script]);
    assert!(err(&unused).contains("has no `$9`"), "{}", err(&unused));
}

#[test]
fn a_digit_switch_that_swallows_the_script_is_explained() {
    let script = example("not.dlr");
    let output = dealer(&["-2", &script]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("-x 2"), "{}", err(&output));
    // In dealer3's manner it exchanges hands.
    let exchanged = out(&dealer(&["--compat", "dealer3", "-2", "-s", "1", &script]));
    let ours = out(&dealer(&["-x", "2", "-s", "1", "-v", &script]));
    assert_eq!(exchanged, ours);
}

#[test]
fn grouping_follows_the_dialect() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("not.dl");
    fs::write(
        &path,
        "generate 2000\ncondition not hcp(north) > 30\naction average 1\n",
    )
    .unwrap();
    let path = path.to_str().unwrap();
    // Natively (not hcp) is 0 or 1, never above 30; in dealer3's reading nearly every deal has at most 30 points.
    assert!(out(&dealer(&["-s", "1", path])).contains("Produced  0 hands"));
    let other = out(&dealer(&["--compat", "dealer3", "-v", "-s", "1", path]));
    assert!(other.contains("Produced  2000 hands"), "{other}");
}

#[test]
fn switches_say_what_they_take() {
    for (words, said) in [
        (
            &["-P", "7", "x"][..],
            "0 (none), 1 (NS), 2 (EW) or 3 (both)",
        ),
        (&["-p", "x", "s"][..], "a whole number of deals"),
        (&["-L", "=", "s"][..], "CROUPIER_LIBRARY"),
        (&["-D", "x", "s"][..], "such as 2 or 2.1"),
        (&["--rnd-seed", "x", "s"][..], "a whole number"),
        (&["--compat", "v3", "s"][..], "dealer3"),
        (
            &["--rotate", "--vulnerable", "all", "s"][..],
            "cannot be used with",
        ),
    ] {
        let output = dealer(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(err(&output).contains(said), "{words:?}: {}", err(&output));
    }
    assert!(!err(&dealer(&["--outpt", "f"])).contains("--south"));
    assert!(err(&dealer(&["--formt", "csv"])).contains("--format"));
}

#[test]
fn what_is_no_script_is_told_with_the_switch_that_helps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards.pbn");
    fs::write(&path, "[Event \"\"]\n[Board \"1\"]\n").unwrap();
    let output = dealer(&[path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        err(&output).contains("this is a PBN file"),
        "{}",
        err(&output)
    );
    assert!(err(&output).contains("`dealer --input-deals FILE SCRIPT`"));
    // What gives a parameter its text, too, is a matter of the program.
    fs::write(&path, "average $2 hcp(north)\n").unwrap();
    let output = dealer(&["--compat", "dealer3", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("`$2` has no text") && err(&output).contains("--param 1=TEXT"));
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_printed_is_a_failure() {
    for (program, words) in [
        (env!("CARGO_BIN_EXE_dealer"), &["--help"][..]),
        (env!("CARGO_BIN_EXE_dealer"), &["--version"]),
        (env!("CARGO_BIN_EXE_croupier"), &["--help"]),
        (env!("CARGO_BIN_EXE_croupier"), &["convert", "--help"]),
        (env!("CARGO_BIN_EXE_croupier"), &["--version"]),
    ] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let status = Command::new(program)
            .args(words)
            .stdout(full)
            .stderr(std::process::Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(1), "{program} {words:?}");
    }
}
