//! Runs that end at a precision: `dealer --precision`, `croupier solve --summary --precision`; and estimates of the
//! tricks at the table.

use crate::common::dealer_path;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

fn dealer(arguments: &[&str]) -> Output {
    run(dealer_path(), arguments)
}

fn croupier(arguments: &[&str]) -> Output {
    run(env!("CARGO_BIN_EXE_croupier"), arguments)
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn script(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Parses the interval of a line `name: value, 95 % interval LOW to HIGH`.
fn interval(errors: &str, name: &str) -> (f64, f64) {
    let line = errors
        .lines()
        .find(|line| line.starts_with(name))
        .unwrap_or_else(|| panic!("{name} in {errors}"));
    let (_, ends) = line.split_once("interval ").expect("an interval");
    let (low, high) = ends.split_once(" to ").expect("two ends");
    (low.parse().unwrap(), high.parse().unwrap())
}

#[test]
fn a_run_ends_when_its_averages_are_precise() {
    let path = script(
        "precision.dl",
        "action average \"opening\" hcp(north) >= 12, average \"points\" hcp(north)",
    );
    let name = path.to_str().unwrap();
    let run = |precision, threads| {
        let output = dealer(&["-s", "3", "--precision", precision, "-R", threads, name]);
        assert!(output.status.success(), "{}", errors(&output));
        errors(&output)
    };
    // No average uses the solver, so the precision applies to all of them: conditions in percent, numbers in points.
    let one = run("2%", "1");
    assert_eq!(one, run("2%", "2"));
    let (low, high) = interval(&one, "opening");
    assert!(high - low < 4.0 && low < 36.0 && 33.0 < high, "{one}");
    assert!(!one.contains("points"), "{one}");
    let points = run("0.1 points", "2");
    let (low, high) = interval(&points, "points");
    assert!(
        high - low <= 0.2 && low < 10.0 && 10.0 < high && !points.contains("opening"),
        "{points}"
    );
    let limited = dealer(&["-s", "3", "-p", "300", "--precision", "2%", name]);
    assert!(limited.status.success());
    assert!(
        errors(&limited).contains("the precision of 2% was not reached with 300 deals"),
        "{}",
        errors(&limited)
    );
    for more in [["--partial", "x.part"], [name, name]] {
        let refused = dealer(&[&["--precision", "2%", name][..], &more].concat());
        assert_eq!(refused.status.code(), Some(2), "{}", errors(&refused));
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn only_averages_that_use_the_solver_count_if_there_are_any() {
    let path = script(
        "precision-solver.dl",
        "action average \"points\" hcp(north), average \"game\" dds(south, spades) >= 10,
         evalcontract(NS, x4S, nv)",
    );
    let output = dealer(&["-s", "1", "--precision", "5%", path.to_str().unwrap()]);
    let told = errors(&output);
    assert!(output.status.success(), "{told}");
    assert!(!told.contains("points"), "{told}");
    let (low, high) = interval(&told, "game");
    assert!(high - low <= 10.0, "{told}");
    // The contract makes under the same condition, so it has the same estimate.
    assert_eq!(interval(&told, "4S of NS makes"), (low, high), "{told}");
    fs::remove_file(&path).unwrap();
    let path = script("precision-points.dl", "action evalcontract(NS, x1N, nv)");
    let output = dealer(&[
        "-s",
        "1",
        "--precision",
        "12 points",
        path.to_str().unwrap(),
    ]);
    let told = errors(&output);
    let (low, high) = interval(&told, "1N of NS scores");
    assert!(high - low <= 24.0 && high - low > 12.0, "{told}");
    let imps = dealer(&["--precision", "1 imp", path.to_str().unwrap()]);
    assert_eq!(imps.status.code(), Some(2));
    assert!(
        errors(&imps).contains("tricks or points"),
        "{}",
        errors(&imps)
    );
    fs::remove_file(&path).unwrap();
}

/// Writes deals with made-up results, so that nothing has to be solved.
fn solved_deals(name: &str, deals: usize) -> PathBuf {
    let hands = r#""north":"AKQ.AKQ.AKQ.AKQJ","east":"JT98.JT9.JT9.T98","south":"7654.876.876.765","west":"32.5432.5432.432""#;
    let line = |i: usize| {
        let s = 9 + i % 2;
        format!(
            "{{\"hands\":{{{hands}}},\"tricks\":{{\"north\":[8,8,8,8,8],\"east\":[2,2,2,2,2],\"south\":[{s},{s},{s},{s},{s}],\"west\":[5,5,5,5,5]}}}}\n"
        )
    };
    script(name, &(0..deals).map(line).collect::<String>())
}

#[test]
fn a_summary_has_mean_tricks_and_solves_no_more_than_needed() {
    let path = solved_deals("summary.json", 400);
    let name = path.to_str().unwrap();
    let summary = |more: &[&str]| {
        let output = croupier(&[&["solve", name, "--summary"], more].concat());
        assert!(output.status.success(), "{}", errors(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = summary(&[]);
    assert!(whole.starts_with("400 deals\n"), "{whole}");
    let row = whole
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .find(|words| words.first() == Some(&"south") && words.len() == 14 && words[2] == "9.50")
        .unwrap_or_else(|| panic!("{whole}"));
    assert_eq!(row[3..6], ["9.45", "to", "9.55"]);
    // The first checks of the precision are after 200 and 220 deals.
    assert!(summary(&["--precision", "0.5 tricks"]).starts_with("220 deals solved of 400\n"));
    let fine = croupier(&["solve", name, "--summary", "--precision", "0.01 tricks"]);
    assert!(fine.status.success());
    assert!(errors(&fine).contains("was not reached with 400 deals"));
    let both = croupier(&["solve", name, "--summary", "--output", "x.pbn"]);
    assert_eq!(both.status.code(), Some(2));
    let wrong = croupier(&["solve", name, "--summary", "--precision", "1 imp"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(errors(&wrong).contains("tricks or in %"));
    fs::remove_file(&path).unwrap();
}

#[test]
fn tricks_at_the_table_come_with_their_source() {
    let path = solved_deals("played.json", 2);
    let name = path.to_str().unwrap();
    let arguments = [
        "compare", "-k", "1N", "-k", "4S", "--deals", name, "--played", "okbridge", "--digits", "3",
    ];
    let output = croupier(&arguments);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    for words in [
        "tricks_okbridge",
        "9.870",
        "9.490",
        "30 million plays on OKbridge",
    ] {
        assert!(table.contains(words), "{words} in {table}");
    }
    let plain = croupier(&arguments[..7]);
    assert!(
        !String::from_utf8(plain.stdout)
            .unwrap()
            .contains("okbridge")
    );
    let unknown = croupier(&["compare", "-k", "1N", "-k", "4S", "--played", "mars"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(errors(&unknown).contains("there is okbridge"));
    fs::remove_file(&path).unwrap();
}

#[test]
fn tricks_at_the_table_come_from_a_file_too() {
    let path = solved_deals("played-file.json", 2);
    let figures = script(
        "played.csv",
        "# Our club, 2024\ncontract,difference\n4S,-0.5\n",
    );
    let (name, source) = (path.to_str().unwrap(), figures.to_str().unwrap());
    let arguments = [
        "compare", "-k", "1N", "-k", "4S", "--deals", name, "--played", source,
    ];
    let output = croupier(&[&arguments[..], &["--format", "csv", "--digits", "3"]].concat());
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success());
    // The last three columns are the value and both ends of its interval.
    let cells = |start: &str| {
        let line = table.lines().find(|line| line.starts_with(start));
        line.map(|line| line.rsplit(',').nth(2).unwrap_or_default().to_owned())
    };
    assert_eq!(cells("contract,tricks").as_deref(), Some("tricks_played"));
    assert_eq!(cells("1N by S,").as_deref(), Some(""), "{table}");
    assert_eq!(cells("4S by S,").as_deref(), Some("9.000"), "{table}");
    assert!(errors(&output).contains("Our club, 2024"));
    fs::write(&figures, "# Our club, 2024\ncontract,difference\n4Z,-0.5\n").unwrap();
    let wrong = croupier(&arguments);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(wrong.stdout.is_empty());
    assert!(errors(&wrong).contains("played.csv: line 3: \"4Z\" is neither a contract"));
    fs::remove_file(&path).unwrap();
    fs::remove_file(&figures).unwrap();
}

#[test]
fn a_precision_needs_an_average_to_measure() {
    let path = script("precision-nothing.dl", "condition hcp(north) >= 12");
    let name = path.to_str().unwrap();
    for (arguments, words) in [
        (
            &["--precision", "1%", name][..],
            "needs a quantity to measure",
        ),
        (&["--precision", "1", name], "with a unit"),
        (&["--precision", "-1%", name], "--precision"),
        (
            &["--precision", "1%", "--tournament", name],
            "cannot be used with",
        ),
    ] {
        let output = dealer(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors(&output).contains(words), "{}", errors(&output));
    }
    fs::remove_file(&path).unwrap();
}
