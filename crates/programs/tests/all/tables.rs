//! Tables as data, contracts compared in groups, and the list of results that were left out.

use crate::common::dealer_path;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

fn done(program: &str, arguments: &[&str]) -> String {
    let output = run(program, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}\n{errors}");
    String::from_utf8(output.stdout).expect("the text is UTF-8")
}

const CROUPIER: &str = env!("CARGO_BIN_EXE_croupier");

fn script(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn averages_and_frequencies_are_written_as_data_and_drawn() {
    let script = script(
        "tables.dl",
        "produce 200 generate 1000000 condition hcp(north) >= 12\naction printoneline, average \"points\" hcp(north), \
         frequency \"spades\" (spades(north), 0, 13), frequency \"both\" (spades(north), 0, 5, hearts(north), 0, 5)\n",
    );
    let file = |ending: &str| script.with_extension(ending).display().to_string();
    let [csv, json, svg] = ["csv", "json", "svg"].map(file);
    let name = script.display().to_string();
    let arguments = [
        "--no-deals",
        "--force",
        "-v",
        "-s",
        "1",
        "--tables",
        &csv,
        "--tables",
        &json,
        "--tables",
        &svg,
        &name,
    ];
    let printed = done(dealer_path(), &arguments);
    let text = fs::read_to_string(&csv).unwrap();
    assert!(
        text.starts_with(croupier::render::csv::HEADER) && text.contains("points,average,,,200,"),
        "{text}"
    );
    let counted: u64 = text
        .lines()
        .filter(|line| line.starts_with("spades,"))
        .map(|line| line.split(',').nth(4).unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(counted, 200);
    let data: Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert_eq!(data["produced"], 200);
    assert_eq!(data["tables"].as_array().unwrap().len(), 3);
    // The chart shows the printed mean, with the two decimals that its interval supports.
    let drawing = fs::read_to_string(&svg).unwrap();
    let mean = text
        .lines()
        .nth(1)
        .unwrap()
        .split(',')
        .nth(5)
        .unwrap()
        .parse::<f64>()
        .unwrap();
    assert!(printed.contains(&format!("{mean:.2}")), "{printed}");
    assert!(
        drawing.contains(&format!("points: {mean:.2}")) && drawing.contains("rows: spades(north)"),
        "{drawing}"
    );
    let output = run(dealer_path(), &["--tables", "out.xls", &name]);
    assert_eq!(output.status.code(), Some(2));
    let bare = self::script("bare.dl", "produce 1\n").display().to_string();
    let output = run(dealer_path(), &["--force", "--tables", &csv, &bare]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("counts nothing"));
}

#[test]
fn contracts_are_broken_down_by_a_variable() {
    let script = script(
        "compare-by.dl",
        "predeal south SAKQJT,HAKQ,DAKQ,C32\nstrong = hcp(north) >= 5\ncondition clubs(north) >= 2\naction printall\n",
    );
    let (name, page) = (
        script.display().to_string(),
        script.with_extension("html").display().to_string(),
    );
    let arguments = [
        "compare", "-k", "3N", "-k", "6S", "--by", "strong", "-n", "12", "-f", "json", "--force",
        "--html", &page, "--digits", "3", &name,
    ];
    let data: Value = serde_json::from_str(&done(CROUPIER, &arguments)).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    for contract in ["3N by S", "6S by S"] {
        let rows = |table: &str| -> Vec<&Value> {
            data[table]
                .as_array()
                .unwrap()
                .iter()
                .filter(|row| row["contract"] == contract)
                .collect()
        };
        let deals: f64 = rows("tricks").iter().map(|row| number(&row["deals"])).sum();
        assert_eq!(deals, 12.0);
        let mean: f64 = rows("tricks")
            .iter()
            .map(|row| number(&row["deals"]) * number(&row["tricks"]))
            .sum();
        assert!((mean / 12.0 - number(&rows("contracts")[0]["tricks"])).abs() < 0.001);
        // The groups add up to the whole.
        let groups = rows("groups");
        let deals: f64 = groups.iter().map(|row| number(&row["deals"])).sum();
        assert_eq!(deals, 12.0);
        let score: f64 = groups
            .iter()
            .map(|row| number(&row["deals"]) * number(&row["score"]))
            .sum();
        assert!((score / 12.0 - number(&rows("contracts")[0]["score"])).abs() < 1.0);
    }
    let html = fs::read_to_string(&page).unwrap();
    assert!(
        html.contains("Tricks in 6S by S")
            && html.contains("By strong")
            && html.contains("cumulative")
    );
    let text = done(
        CROUPIER,
        &["compare", "-k", "3N", "-k", "6S", "-n", "4", &name],
    );
    assert!(text.contains(" pct "), "{text}");
}

#[test]
fn probability_names_what_it_left_out() {
    let countable = script(
        "left-out.dl",
        "condition hcp(north) >= 20\naction average \"points\" hcp(north), average \"tricks\" dds(north, notrump)\n",
    );
    let name = countable.display().to_string();
    let text = done(CROUPIER, &["probability", &name]);
    assert!(
        text.contains("points: mean") && text.contains("left out: \"tricks\"; --tables"),
        "{text}"
    );
    let text = done(CROUPIER, &["probability", "--tables", &name]);
    assert!(
        text.contains("left out: \"tricks\"; they cannot be counted; dealer --tables"),
        "{text}"
    );
    let data: Value =
        serde_json::from_str(&done(CROUPIER, &["probability", "-f", "json", &name])).unwrap();
    assert_eq!(data["left_out"], serde_json::json!(["tricks"]));
}

#[test]
fn solved_boards_of_a_report_have_the_card_of_a_hand_record() {
    let script = script("solved-report.dl", "produce 2\naction printall\n");
    let (name, page) = (
        script.display().to_string(),
        script.with_extension("html").display().to_string(),
    );
    done(
        dealer_path(),
        &["-s", "1", "--force", "--solve", "--report", &page, &name],
    );
    let html = fs::read_to_string(&page).unwrap();
    assert_eq!(
        html.matches("What each hand makes, double dummy").count(),
        2
    );
    assert_eq!(html.matches("Par <b>").count(), 2);
    let plain = ["-s", "1", "--force", "--report", &page, &name];
    done(dealer_path(), &plain);
    assert!(!fs::read_to_string(&page).unwrap().contains("Par <b>"));
    let pbn = done(
        dealer_path(),
        &["-s", "1", "-v", "--solve", "-f", "pbn", &name],
    );
    assert_eq!(pbn.matches("[OptimumResultTable").count(), 2, "{pbn}");
}

/// Text, HTML, CSV and JSON of a run show the means, shares and intervals of `tests/data/intervals.csv`. The tests of the
/// Python package compare the same file.
#[test]
fn every_output_of_a_run_shows_one_set_of_intervals() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let expected = fs::read_to_string(data.join("intervals.csv")).unwrap();
    let script = data.join("intervals.dl").display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let [csv, json, page] = ["run.csv", "run.json", "run.html"]
        .map(|name| folder.path().join(name).display().to_string());
    let text = done(
        dealer_path(),
        &[
            "--no-deals",
            "-s",
            "1",
            "--tables",
            &csv,
            "--tables",
            &json,
            "--report",
            &page,
            &script,
        ],
    );
    let csv = fs::read_to_string(&csv).unwrap();
    let json: Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    let page = fs::read_to_string(&page).unwrap();
    let near = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    };
    let number = |text: &str| text.parse::<f64>().unwrap();
    assert_eq!(csv.lines().count(), expected.lines().count());
    let mut next_cell = 0;
    for (line, expected) in csv.lines().zip(expected.lines()).skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let wanted: Vec<&str> = expected.split(',').collect();
        assert_eq!(fields[..5], wanted[..5]);
        let [low, high] = [7, 8].map(|column| number(fields[column]));
        near(low, number(wanted[7]));
        near(high, number(wanted[8]));
        let tables = json["tables"].as_array().unwrap();
        let table = tables.iter().find(|it| it["label"] == fields[0]).unwrap();
        let (shown, interval) = match fields[1] {
            "average" => {
                let mean = number(fields[5]);
                near(table["mean"].as_f64().unwrap(), mean);
                let decimals = croupier::session::interval::decimals(low, high);
                let shown = format!("{low:.decimals$} to {high:.decimals$}");
                assert!(page.contains(&format!(">{mean:.decimals$}<")), "{mean}");
                (shown, &table["interval"])
            }
            "frequency" => {
                let [low, high] = [100.0 * low, 100.0 * high];
                let decimals = croupier::session::interval::decimals(low, high);
                next_cell += 1;
                let shown = format!("{low:.decimals$} to {high:.decimals$}");
                (shown, &table["intervals"][next_cell - 1])
            }
            // A table of two expressions shows counts, which have no interval.
            _ => continue,
        };
        near(interval[0].as_f64().unwrap(), low);
        near(interval[1].as_f64().unwrap(), high);
        assert!(text.contains(&shown), "{shown}: {text}");
        assert!(page.contains(&shown), "{shown} on the page");
    }
    assert_eq!(next_cell, 6);
}
