//! Compares random scripts in Debian's dealer and in croupier: the output must be equal, except for lines with the
//! time.
//!
//! Half of the scripts are valid. Others are damaged: odd tokens, layouts and characters. docs/reliability.md lists the
//! remaining differences between the programs and their reasons. Others have variables with names that are words of
//! newer programs.
//!
//! The scripts use every statement, action and function of the classic language, except those that the classic program
//! cannot execute: its `evalcontract` and `tricks` abort or need programs that are lost, and division by zero ends it.

mod generator;
mod newer_names;
mod odd;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use generator::ScriptGenerator;

/// Number of scripts compared in every test run.
const SCRIPTS: u64 = 360;

/// Returns the number of scripts of a long test: `default_number`, or the number that tools/reliability sets.
fn scripts(default_number: u64) -> u64 {
    let number = std::env::var("CROUPIER_SCRIPTS").ok();
    number.map_or(default_number, |text| {
        text.parse().expect("a number of scripts")
    })
}

/// Returns the path of the classic program.
fn reference() -> PathBuf {
    [
        "/usr/games/dealer",
        "/usr/bin/dealer",
        "/usr/local/bin/dealer",
    ]
    .iter()
    .map(PathBuf::from)
    .find(|path| path.exists())
    .expect("Debian's dealer is not installed: run ./check, or `apt-get install dealer`")
}

fn run(program: &Path, compat: &[&str], switches: &[String], folder: &Path) -> Output {
    Command::new(program)
        .args(compat)
        .args(switches)
        .arg("script.dl")
        .current_dir(folder)
        .env_remove("CROUPIER_COMPAT")
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

/// Returns standard output without the line with the time. Text that is not UTF-8 is read as Latin-1 and printed as
/// UTF-8.
fn without_time(output: &Output) -> String {
    let latin = |bytes: &[u8]| bytes.iter().copied().map(char::from).collect();
    let text = match std::str::from_utf8(&output.stdout) {
        Ok(text) => text.to_owned(),
        Err(_) => latin(&output.stdout),
    };
    text.split_inclusive('\n')
        .filter(|line| !line.starts_with("Time needed "))
        .collect()
}

/// Returns the first line in which two texts differ.
fn first_difference(theirs: &str, ours: &str) -> Option<String> {
    if theirs == ours {
        return None;
    }
    let pairs = theirs
        .split('\n')
        .chain(std::iter::repeat("(end)"))
        .zip(ours.split('\n').chain(std::iter::repeat("(end)")));
    let (number, (theirs, ours)) = pairs
        .enumerate()
        .find(|(_, (theirs, ours))| theirs != ours)?;
    Some(format!(
        "line {}: theirs {theirs:?}, ours {ours:?}",
        number + 1
    ))
}

/// Result of comparing one script.
enum Verdict {
    Same {
        accepted: bool,
    },
    /// The classic program was ended by a signal: a division that overflows, or memory that it does not own.
    Died,
    Different(String),
}

/// Runs a script in both programs and compares status, output and, if it is refused, the message.
fn verdict(script: &[u8], switches: &[String], folder: &Path) -> Verdict {
    std::fs::write(folder.join("script.dl"), script).expect("the script can be written");
    let theirs = run(&reference(), &[], switches, folder);
    let Some(status) = theirs.status.code() else {
        return Verdict::Died;
    };
    let ours = Path::new(env!("CARGO_BIN_EXE_dealer"));
    let own = run(ours, &["--compat", "v1"], switches, folder);
    let mut wrong = Vec::new();
    if own.status.code() != Some(status) {
        wrong.push(format!(
            "status {:?} instead of {status}: {}",
            own.status.code(),
            String::from_utf8_lossy(&own.stderr)
        ));
    }
    // A table that ends before it begins has too many cells for the classic program. Its message comes after the script
    // was read, and is not about the script.
    let too_large = theirs.stderr == b"Out of memory\n";
    if !too_large {
        wrong.extend(first_difference(
            &without_time(&theirs),
            &without_time(&own),
        ));
    }
    let told = switches.iter().any(|switch| switch == "-m") || status != 0;
    if told && !too_large && own.stderr != theirs.stderr {
        wrong.push(format!(
            "standard error: theirs {:?}, ours {:?}",
            String::from_utf8_lossy(&theirs.stderr),
            String::from_utf8_lossy(&own.stderr)
        ));
    }
    if wrong.is_empty() {
        return Verdict::Same {
            accepted: status == 0,
        };
    }
    let script = String::from_utf8_lossy(script);
    Verdict::Different(format!(
        "switches {switches:?}\n{script}\n{}",
        wrong.join("\n")
    ))
}

/// Compares valid scripts.
fn compare(first: u64, count: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (mut accepted, mut died, mut failures) = (0, 0, Vec::new());
    for number in first..first + count {
        let mut generator = ScriptGenerator::new(number);
        let (script, switches) = (generator.script(), generator.switches());
        match verdict(script.as_bytes(), &switches, folder.path()) {
            Verdict::Same { accepted: it } => accepted += u64::from(it),
            Verdict::Died => died += 1,
            Verdict::Different(how) => failures.push(format!("script {number}, {how}")),
        }
    }
    println!(
        "{count} scripts: {accepted} accepted, the reference died of a signal on {died}, {} differ",
        failures.len()
    );
    report(&failures, count);
    // Scripts that the classic program refuses test little; there must be few of them.
    assert!(
        accepted >= count * 9 / 10,
        "only {accepted} of {count} scripts are valid"
    );
}

/// Compares scripts with odd tokens, layouts and characters.
fn compare_odd(first: u64, count: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (mut tried, mut accepted, mut died, mut failures) = (0, 0, 0, Vec::new());
    for number in first..first + count {
        let (script, switches) = odd::script(number);
        if odd::is_undefined(&script) {
            continue;
        }
        tried += 1;
        match verdict(&script, &switches, folder.path()) {
            Verdict::Same { accepted: it } => accepted += u64::from(it),
            Verdict::Died => died += 1,
            Verdict::Different(how) => failures.push(format!("odd script {number}, {how}")),
        }
    }
    println!(
        "{tried} odd scripts: {accepted} accepted, the reference died of a signal on {died}, {} differ",
        failures.len()
    );
    report(&failures, count);
    assert!(
        accepted > count / 20 && accepted < count * 19 / 20,
        "{accepted} of {count} odd scripts are accepted: they are not odd, or too odd"
    );
}

/// Compares scripts with variables named like words of newer programs.
fn compare_newer_names(first: u64, count: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let names = newer_names::all(|script| {
        let switches = ["-s1", "-g1"].map(str::to_owned);
        std::fs::write(folder.path().join("script.dl"), script).expect("the script can be written");
        run(&reference(), &[], &switches, folder.path())
            .status
            .success()
    });
    let (mut accepted, mut died, mut failures) = (0, 0, Vec::new());
    for number in first..first + count {
        let (script, switches) = newer_names::script(number, &names);
        match verdict(script.as_bytes(), &switches, folder.path()) {
            Verdict::Same { accepted: it } => accepted += u64::from(it),
            Verdict::Died => died += 1,
            Verdict::Different(how) => failures.push(format!("script {number}, {how}")),
        }
    }
    println!(
        "{count} scripts with {} newer names: {accepted} accepted, the reference died of a signal on {died}, {} differ",
        names.len(),
        failures.len()
    );
    report(&failures, count);
    assert!(
        accepted >= count * 3 / 4,
        "only {accepted} of {count} scripts are valid"
    );
}

fn report(failures: &[String], count: u64) {
    let some: Vec<&str> = failures.iter().take(5).map(String::as_str).collect();
    assert!(
        failures.is_empty(),
        "{} of {count} scripts differ:\n{}",
        failures.len(),
        some.join("\n\n")
    );
}

#[test]
fn random_scripts_give_the_bytes_of_the_live_program() {
    compare(0, SCRIPTS);
}

#[test]
fn odd_scripts_give_the_bytes_of_the_live_program() {
    compare_odd(0, SCRIPTS);
}

#[test]
fn newer_words_are_names_as_in_the_live_program() {
    compare_newer_names(0, SCRIPTS);
}

#[test]
#[ignore = "many more scripts, for ./check --long"]
fn long_newer_words_are_names_as_in_the_live_program() {
    compare_newer_names(1_000_000, scripts(20_000));
}

#[test]
#[ignore = "many more scripts, for ./check --long"]
fn long_random_scripts_give_the_bytes_of_the_live_program() {
    compare(1_000_000, scripts(6_000));
}

#[test]
#[ignore = "many more scripts, for ./check --long"]
fn long_odd_scripts_give_the_bytes_of_the_live_program() {
    compare_odd(1_000_000, scripts(10_000));
}

/// Small scripts that depend on the scanners: line ends inside strings, and text that is copied from comments before a
/// script is refused.
#[test]
fn comments_and_lines_are_those_of_the_live_program() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let switches = ["-s1", "-g1", "-p1", "-v"].map(str::to_owned);
    for script in [
        "#x\ncondition 1",
        "condition 1 //x\n",
        "action average \"a\n\nb\" hcp(north),\n bla(1)",
        "/* FOE <x> */ condition hcp(bla) > 1",
        "condition hcp(bla) > 1 /* FOE <x> */",
        "condition hcp( /* FOE <x> */ bla /* <y> */) /* FOE <z> */ > 1",
        "/* FOE <x> */ condition 1",
        "/* FOE <x>",
        // A comment needs the end of its line; `#` must also be at the beginning of a line.
        "condition 1 #x\n",
        "condition 1\n #x\n",
        "condition 1\n#",
        "condition 1\n//x",
        // Characters that look like blanks or line ends but are not.
        "condition\u{b}1\n",
        "condition 1\u{c}\n",
        "condition\r1\n",
        "condition 1\r\r\n",
        "condition 1\r",
        // NUL ends the script, and a string.
        "condition 1\0(((\n",
        "condition\0 bla",
        "/* \0 */ condition 0 // \0\n",
        "action average \"a\0b\" 1, printes(\"\0\", 2, \"c\0\")\n",
        // Other words after `vulnerable` are refused.
        "vulnerable both",
        "vulnerable ALL",
        // Words of newer programs.
        "title = 5\nboth = 7\ncondition title < both",
        "condition par(NS) > 3",
        "x = deal",
        "action\ncsvrpt(deal)",
        "import \"x\"",
        "level\n",
        // A letter outside ASCII ends the script.
        "condition 1é(\n",
        "condition hé = 3\n",
        "é condition bla",
        // Unknown names are reported at once, but at the beginning of a statement only if no `=` follows.
        "bla\n\n",
        "condition bla\n\n",
        "condition (bla\n\n",
        "bla\n#",
        "bla\n@",
        "bla /*",
        "condition (NOT",
        "condition (1 AND 1)",
        "condition\nv0 = 3",
        "v1 =>",
        "ns\n\n",
        "none ns\naction average 1",
        "pointcount -\n\n",
        "produce -\n\n",
        "condition hcp(\nquality(",
    ] {
        std::fs::write(folder.path().join("script.dl"), script).expect("the script can be written");
        let theirs = run(&reference(), &[], &switches, folder.path());
        let ours = Path::new(env!("CARGO_BIN_EXE_dealer"));
        let own = run(ours, &["--compat", "v1"], &switches, folder.path());
        assert_eq!(own.status.code(), theirs.status.code(), "{script:?}");
        assert_eq!(without_time(&own), without_time(&theirs), "{script:?}");
        assert_eq!(own.stderr, theirs.stderr, "{script:?}");
    }
}
