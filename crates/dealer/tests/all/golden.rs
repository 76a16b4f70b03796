//! Every golden case of the two reference programs, byte for byte: standard output, standard error
//! where it is part of the behaviour, exit status and files.
//!
//! tests/data/golden/README.md describes the cases and their format; the script `check` there makes the same comparison
//! without Rust.

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden")
}

/// Returns the names of the cases of a dialect.
fn cases(dialect: &str) -> Vec<String> {
    let tail = format!(".{dialect}.dl");
    let mut names: Vec<String> = fs::read_dir(folder())
        .expect("the golden cases")
        .filter_map(|entry| {
            entry
                .ok()?
                .file_name()
                .to_str()?
                .strip_suffix(&tail)
                .map(str::to_owned)
        })
        .collect();
    names.sort();
    names
}

/// Splits a line of switches as a POSIX shell does: blanks separate, quotes protect.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Removes the line with the time from the statistics, and counts such lines.
fn without_time(text: &[u8]) -> (Vec<u8>, usize) {
    let mut rest = Vec::new();
    let mut times = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        // A page break may come directly before a line, but never before the line with the time.
        let timed = std::str::from_utf8(line).ok().and_then(|line| {
            let number = line.strip_prefix("Time needed ")?.strip_suffix(" sec\n")?;
            (number.len() >= 8 && number.trim_start().parse::<f64>().is_ok()).then_some(())
        });
        match timed {
            Some(()) => times += 1,
            None => rest.extend_from_slice(line),
        }
    }
    (rest, times)
}

/// Replaces the value of PBN Date tags by the placeholder of the cases.
fn without_date(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let is_date =
            line.starts_with(b"[Date \"") && line.len() == b"[Date \"2025.07.01\"]\n".len();
        out.extend_from_slice(if is_date {
            b"[Date \"@TODAY@\"]\n"
        } else {
            line
        });
    }
    out
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Runs a case and returns the differences.
fn run(dialect: &str, name: &str) -> Vec<String> {
    let golden = |suffix: &str| fs::read(folder().join(format!("{name}{suffix}"))).ok();
    let script = format!("{name}.{dialect}.dl");
    let place = tempfile::tempdir().expect("a temporary folder can be created");
    fs::copy(folder().join(&script), place.path().join(&script)).expect("the script");
    if let Ok(before) = fs::read_dir(folder().join(format!("{name}.pre"))) {
        for file in before.flatten() {
            let copy = place.path().join(file.file_name());
            fs::write(copy, fs::read(file.path()).expect("a file of the case")).expect("a copy");
        }
    }
    let line = golden(".args")
        .map(|line| String::from_utf8(line).expect("switches in UTF-8"))
        .unwrap_or_default();
    let mut words = shell_words(&line);
    let from_stdin = words.iter().any(|word| word == "@stdin");
    words.retain(|word| word != "@stdin");
    match words.iter_mut().find(|word| *word == "@") {
        Some(mark) => *mark = script.clone(),
        None if from_stdin => {}
        None => words.push(script.clone()),
    }
    let stdin = match from_stdin {
        true => Stdio::from(fs::File::open(place.path().join(&script)).expect("the script")),
        false => Stdio::null(),
    };
    let output = Command::new(env!("CARGO_BIN_EXE_dealer"))
        .arg0(if dialect == "v1" {
            "dealer"
        } else {
            "dealerv2"
        })
        .env_remove("CROUPIER_COMPAT")
        .args(["--compat", dialect])
        .args(words)
        .current_dir(place.path())
        .stdin(stdin)
        .output()
        .expect("dealer runs");

    let mut wrong = Vec::new();
    let mut differ = |what: &str, expected: &[u8], got: &[u8]| {
        if expected != got {
            let show = |text: &[u8]| text.escape_ascii().to_string().replace("\\n", "\n");
            wrong.push(format!(
                "{what} expected:\n{}\n{what} got:\n{}",
                show(expected),
                show(got)
            ));
        }
    };
    let status = output
        .status
        .code()
        .unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
    let expected = golden(".rc").map_or("0".into(), |text| {
        String::from_utf8_lossy(&text).trim().to_owned()
    });
    differ("status", expected.as_bytes(), status.to_string().as_bytes());
    if let Some(expected) = golden(".out") {
        let (text, times) = without_time(&output.stdout);
        differ("stdout", &expected, &without_date(&text));
        let statistics = contains(&expected, b"Initial random seed ")
            || contains(&expected, b"Library file starting seed ");
        differ(
            "time lines",
            usize::from(statistics).to_string().as_bytes(),
            times.to_string().as_bytes(),
        );
    }
    if let Some(expected) = golden(".err") {
        differ("stderr", &expected, &output.stderr);
    }
    if let Ok(files) = fs::read_dir(folder().join(format!("{name}.files"))) {
        for file in files.flatten() {
            let got = fs::read(place.path().join(file.file_name())).unwrap_or_default();
            let expected = fs::read(file.path()).expect("a file of the case");
            differ(&file.file_name().to_string_lossy(), &expected, &got);
        }
    }
    wrong
}

fn check(dialect: &str, count: usize) {
    let cases = cases(dialect);
    assert_eq!(cases.len(), count, "golden cases of {dialect}");
    let mut failed = Vec::new();
    for name in &cases {
        for wrong in run(dialect, name) {
            failed.push(format!("{name} ({dialect}): {wrong}"));
        }
    }
    assert!(
        failed.is_empty(),
        "{} differences\n{}",
        failed.len(),
        failed.join("\n\n")
    );
}

#[test]
fn all_cases_of_v1() {
    check("v1", 112);
}

#[test]
fn all_cases_of_v2() {
    check("v2", 144);
}
