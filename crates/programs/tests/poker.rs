//! `croupier poker` as a user runs it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn poker(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .arg("poker")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // A program that has seen enough may close its input early.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn succeeds(arguments: &[&str], input: &str) -> String {
    let output = poker(arguments, input);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).expect("plain text")
}

/// Exit status and the one line on standard error.
fn fails(arguments: &[&str], input: &str) -> (i32, String) {
    let output = poker(arguments, input);
    let complaint = String::from_utf8(output.stderr).expect("plain text");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    (output.status.code().expect("no signal"), complaint)
}

#[test]
fn hands_as_arguments() {
    let one = succeeds(&["eval", "As Kd Qh Jc Ts"], "");
    assert_eq!(one, "AsKdQhJcTs      1599  straight, ace high\n");
    assert_eq!(succeeds(&["eval", "As", "Kd", "Qh", "Jc", "Ts"], ""), one);
    let board = ["eval", "--board", "QhJcTs", "AsKd"];
    assert_eq!(
        succeeds(&board, ""),
        "AsKd            1599  straight, ace high\n"
    );
}

#[test]
fn hands_from_standard_input_as_csv() {
    let text = succeeds(
        &["eval", "--format", "csv"],
        "TsThTd4s4hAc2d\n\nAsKsQsJsTs\n",
    );
    assert_eq!(
        text,
        "cards,rank,category,description\n\
         AcTsThTd4s4h2d,223,full_house,\"full house, tens full of fours\"\n\
         AsKsQsJsTs,0,royal,royal flush\n"
    );
}

#[test]
fn hands_as_json() {
    let text = succeeds(
        &[
            "eval",
            "--format",
            "json",
            "2c2d2h2s3c3d3h",
            "AsKsQsJsTs2c3d",
        ],
        "",
    );
    let rows: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(rows[0]["rank"], 165);
    assert_eq!(rows[1]["category"], "royal");
    let empty = succeeds(&["eval", "--format", "json"], "");
    assert_eq!(
        serde_json::from_str::<Value>(&empty).expect("JSON"),
        Value::Array(Vec::new())
    );
}

#[test]
fn hands_of_other_games() {
    let omaha = [
        "eval",
        "--game",
        "omaha",
        "--board",
        "QsJsTs9h2d",
        "AsKsQd2c",
    ];
    assert!(succeeds(&omaha, "").ends_with("0  royal flush\n"));
    // In short deck a flush beats a full house.
    let text = succeeds(
        &[
            "eval",
            "--game",
            "short-deck",
            "--format",
            "csv",
            "AsKsQsJs9s",
            "AhAdAcKhKd",
        ],
        "",
    );
    let ranks: Vec<u32> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(1).unwrap().parse().unwrap())
        .collect();
    assert!(ranks[0] < ranks[1], "{text}");
}

#[test]
fn bad_hands_are_told() {
    let (status, complaint) = fails(&["eval", "AsAsKdQhJc"], "");
    assert_eq!(status, 2);
    assert_eq!(
        complaint,
        "croupier: \"AsAsKdQhJc\": character 3: As occurs twice\n"
    );
    let (status, complaint) = fails(&["eval"], "AsKsQsJsTs\nAsKx\n");
    assert_eq!(status, 1);
    assert!(
        complaint.starts_with("croupier: line 2: character 4: 'x' is no suit"),
        "{complaint}"
    );
    let (status, complaint) = fails(&["eval", "AsKsQsJs"], "");
    assert_eq!(status, 2);
    assert!(
        complaint.contains("4 cards; a hand has 5, 6 or 7"),
        "{complaint}"
    );
}

#[test]
fn exact_equity_as_json_has_whole_counts() {
    let text = succeeds(&["equity", "AhAs", "KdKc", "--format", "json"], "");
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(answer["exact"], true);
    assert_eq!(answer["deals"], 1_712_304);
    assert_eq!(answer["players"][0]["range"], "AhAs");
    assert_eq!(answer["players"][0]["win"], 1_388_072);
    assert_eq!(answer["players"][0]["tie"], 6_538);
    assert_eq!(answer["players"][1]["win"], 317_694);
    assert_eq!(answer["players"][0]["equity"], 0.812_554_896_794);
}

#[test]
fn equity_on_a_board_as_text_and_csv() {
    let question = ["equity", "JhTh", "AcAd", "--board", "9h8h2s"];
    let text = succeeds(&question, "");
    assert_eq!(
        text,
        "holdem, board 9h8h2s: 990 deals, exact, hand by hand\n\
         player  range  equity%     win%    tie%\n\
         \u{20}    1  JhTh   56.2626  56.2626  0.0000\n\
         \u{20}    2  AcAd   43.7374  43.7374  0.0000\n"
    );
    let csv = succeeds(&[&question[..], &["--format", "csv"]].concat(), "");
    assert!(
        csv.contains("\n1,JhTh,true,990,557,0,0.562626262626,,,\n"),
        "{csv}"
    );
}

#[test]
fn simulations_repeat_on_any_number_of_threads() {
    let ask = |threads: &str, seed: &str| {
        let question = [
            "equity",
            "AKs",
            "22+:0.5",
            "random",
            "--monte-carlo",
            "--format",
            "json",
        ];
        let limits = ["--samples", "100000", "--threads", threads, "--seed", seed];
        succeeds(&[&question[..], &limits].concat(), "")
    };
    let one = ask("1", "7");
    assert_eq!(one, ask("2", "7"));
    assert_ne!(one, ask("2", "8"));
    let answer: Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(answer["exact"], false);
    assert_eq!(answer["deals"], 100_000);
    let player = &answer["players"][0];
    assert!(player["low"].as_f64() < player["equity"].as_f64());
    assert!(player["equity"].as_f64() < player["high"].as_f64());
}

#[test]
fn bad_questions_are_told() {
    let (status, complaint) = fails(&["equity", "AKq", "QQ"], "");
    assert_eq!(status, 2);
    assert!(
        complaint.starts_with("croupier: range \"AKq\": character 3"),
        "{complaint}"
    );
    assert_eq!(fails(&["equity", "AA"], "").0, 2);
    assert_eq!(fails(&["equity", "AA", "KK", "--board", "Kx"], "").0, 2);
    assert_eq!(fails(&["equity", "AhKh", "AhQh"], "").0, 1);
    assert_eq!(
        fails(&["equity", "AA", "KK", "--trips-beat-straight"], "").0,
        2
    );
    assert_eq!(fails(&["equity", "AA", "KK", "--error", "2"], "").0, 2);
}

#[test]
fn bench_measures_and_checks() {
    let text = succeeds(&["bench", "--time", "0.001", "--format", "json"], "");
    let rows: Value = serde_json::from_str(&text).expect("JSON");
    let names: Vec<&str> = rows
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row["what"].as_str().unwrap())
        .collect();
    for name in [
        "seven cards, one by one",
        "all seven-card hands",
        "equity of AA v random",
    ] {
        assert!(names.contains(&name), "{name} is missing: {text}");
    }
}
