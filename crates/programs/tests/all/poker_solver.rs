//! Tests of `croupier poker push` and `croupier poker solve`.

use std::process::{Command, Output};

use serde_json::Value;

fn poker(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .arg("poker")
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn succeeds(arguments: &[&str]) -> String {
    let output = poker(arguments);
    let usage_error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {usage_error}");
    String::from_utf8(output.stdout).expect("the text is UTF-8")
}

/// Returns the exit status and the last line on standard error.
fn fails(arguments: &[&str]) -> (i32, String) {
    let output = poker(arguments);
    let usage_error = String::from_utf8(output.stderr).expect("the text is UTF-8");
    let last = usage_error.lines().last().expect("a message").to_owned();
    (
        output.status.code().expect("the program exits by itself"),
        last,
    )
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("the text is JSON")
}

const RIVER: [&str; 11] = [
    "solve",
    "--board",
    "KhTd7c4s2h",
    "--oop",
    "QQ+,AKs,KQs,T9s,QJs",
    "--ip",
    "JJ-88,KJs,KTs,AQs",
    "--pot",
    "100",
    "--stack",
    "200",
];

fn river<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&RIVER[..], more].concat()
}

#[test]
fn two_players_get_charts_of_pushes_and_calls() {
    let text = succeeds(&["push", "--stacks", "10,10"]);
    assert!(
        text.starts_with("push or fold: 2 players, blinds 0.5 and 1, ante 0;"),
        "{text}"
    );
    assert!(text.contains("\nSB pushes: 58.3"), "{text}");
    assert!(text.contains("\nBB calls SB: 37.3"), "{text}");
    assert_eq!(
        text.lines().filter(|line| line.contains(" AA ")).count(),
        2,
        "{text}"
    );
    let answer = json(&succeeds(&[
        "push", "--stacks", "10,10", "--format", "json",
    ]));
    assert_eq!(answer["converged"], true);
    assert!(answer["largest_gain"].as_f64().unwrap() <= 1e-6);
    assert_eq!(answer["decisions"][0]["hands"]["AA"], 1.0);
    assert_eq!(answer["decisions"][1]["facing"], "SB");
}

#[test]
fn prizes_make_the_big_blind_call_less() {
    let call = |payouts: &[&str]| {
        let mut arguments = vec![
            "push", "--stacks", "10,8,15", "--ante", "0.1", "--format", "json",
        ];
        arguments.extend(payouts);
        let answer = json(&succeeds(&arguments));
        let decisions = answer["decisions"].as_array().unwrap();
        let call = decisions
            .iter()
            .find(|d| d["seat"] == "BB" && d["facing"] == "BTN")
            .unwrap();
        call["share"].as_f64().unwrap()
    };
    assert!(call(&["--payouts", "50,30,20"]) < call(&[]));
    let rows = succeeds(&[
        "push",
        "--stacks",
        "10,8,15",
        "--tolerance",
        "0.01",
        "--format",
        "csv",
    ]);
    assert!(
        rows.starts_with("seat,facing,hand,combos,frequency\nBTN,,AA,6,"),
        "{rows}"
    );
    assert_eq!(rows.lines().count(), 1 + 5 * 169);
}

#[test]
fn tables_that_make_no_sense_are_reported() {
    assert_eq!(fails(&["push", "--stacks", "10"]).0, 2);
    let (status, message) = fails(&["push", "--stacks", "10,0.5"]);
    assert_eq!(
        (status, message.contains("stack 2")),
        (2, true),
        "{message}"
    );
    assert!(
        fails(&["push", "--stacks", "10,10", "--blinds", "1"])
            .1
            .contains("--blinds")
    );
    assert!(
        fails(&["push", "--stacks", "10,10", "--tolerance", "0"])
            .1
            .contains("--tolerance")
    );
}

#[test]
fn rivers_are_solved_and_shown() {
    let text = succeeds(&river(&[]));
    assert!(
        text.starts_with("holdem, board KhTd7c4s2h, pot 100, stack 200: "),
        "{text}"
    );
    assert!(
        text.contains(
            "\nfirst decision: oop decides on KhTd7c4s2h, pot 100, reached in 100.00 % of deals"
        ),
        "{text}"
    );
    for action in ["\ncheck ", "\nbet 50 ", "\nbet 100 ", "\nall-in "] {
        assert!(text.contains(action), "{text}");
    }
    let answer = json(&succeeds(&river(&["--format", "json", "--depth", "1"])));
    assert!(answer["reached"] == true && answer["exploitability_share"].as_f64().unwrap() <= 0.001);
    let values = answer["expected_values"].as_array().unwrap();
    assert!((values[0].as_f64().unwrap() + values[1].as_f64().unwrap() - 100.0).abs() < 1e-6);
    let tree = &answer["tree"];
    assert_eq!(tree["player"], "oop");
    assert_eq!(tree["actions"][0]["next"]["path"], "check");
    assert_eq!(
        tree["actions"][0]["next"]["actions"][0]["next"],
        Value::Null
    );
    let rows = succeeds(&river(&["--format", "csv", "--node", "check, bet 50"]));
    assert!(
        rows.starts_with("hand,weight,action,frequency,value\n"),
        "{rows}"
    );
    assert!(
        rows.contains(",fold,") && rows.contains(",all-in,"),
        "{rows}"
    );
}

#[test]
fn threads_do_not_change_a_turn() {
    let turn = |threads: &str| {
        let spot = [
            "solve", "--board", "KhTd7c4s", "--oop", "AA,KQs", "--ip", "QQ,KJs", "--pot", "10",
            "--stack", "20",
        ];
        let more = [
            "--bets", "a", "--raises", "none", "-n", "20", "--format", "json", "-j", threads,
        ];
        succeeds(&[&spot[..], &more[..]].concat())
    };
    assert_eq!(turn("1"), turn("3"));
}

#[test]
fn saved_games_are_resumed() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("game");
    let file = file.to_str().unwrap();
    succeeds(&river(&[
        "-n",
        "30",
        "--exploitability",
        "0",
        "--save",
        file,
    ]));
    let resumed = succeeds(&[
        "solve",
        "--resume",
        file,
        "-n",
        "50",
        "--exploitability",
        "0",
    ]);
    assert_eq!(
        resumed,
        succeeds(&river(&["-n", "50", "--exploitability", "0"]))
    );
    let (status, message) = fails(&["solve", "--resume", file, "--pot", "5"]);
    assert_eq!(status, 2, "{message}");
    std::fs::write(file, "croupier poker solution 1\n12\n").expect("the file can be written");
    assert!(fails(&["solve", "--resume", file]).1.contains("ends early"));
}

#[test]
fn memory_and_time_are_bounded() {
    let flop = [
        "--board", "KhTd7c", "--oop", "random", "--ip", "random", "--pot", "10", "--stack", "100",
    ];
    let (status, message) = fails(&[&["solve", "--memory", "500"], &flop[..]].concat());
    assert_eq!(status, 2);
    assert!(message.contains("more than the 500 allowed"), "{message}");
    let size = poker(&[&["solve", "--estimate"], &flop[..]].concat());
    assert!(String::from_utf8_lossy(&size.stderr).contains("MB of memory with 16 bits"));
    assert!(size.status.success() && size.stdout.is_empty());
    let late = poker(&river(&[
        "--time",
        "1",
        "--exploitability",
        "0",
        "-n",
        "100000000",
    ]));
    assert_eq!(late.status.code(), Some(124));
    assert!(
        String::from_utf8_lossy(&late.stdout).contains("\ncheck "),
        "what there is is printed"
    );
}

#[test]
fn locked_decisions_are_kept() {
    let answer = json(&succeeds(&river(&[
        "--lock",
        "=> all-in: AKs; check: QQ+,KQs,T9s,QJs",
        "--format",
        "json",
        "--depth",
        "0",
    ])));
    for hand in answer["tree"]["hands"].as_array().unwrap() {
        let name = hand["hand"].as_str().unwrap();
        let bets = name.starts_with('A') && name.contains('K');
        assert_eq!(hand["strategy"][3], if bets { 1.0 } else { 0.0 }, "{name}");
    }
}

#[test]
fn spots_that_make_no_sense_are_reported() {
    for (more, part) in [
        (
            &["--node", "jump"][..],
            "--node \"jump\": \"jump\" is not possible here; use check, bet 50",
        ),
        (&["--bets", "much"], "--bets \"much\""),
        (&["--bets", "2x"], "a bet has no multiple"),
        (&["--raises", "0.5x"], "greater than 1"),
        (&["--lock", "check"], "--lock \"check\""),
        (&["--lock", "=> bet 50: AKs:0.5"], "add up to 0.5"),
        (&["--exploitability", "200"], "--exploitability"),
    ] {
        let (status, message) = fails(&river(more));
        assert_eq!(status, 2, "{message}");
        assert!(message.contains(part), "{message}");
    }
    let (status, message) = fails(&[
        "solve",
        "--board",
        "KhTd7c4s2h",
        "--oop",
        "AA",
        "--ip",
        "KK",
        "--pot",
        "0",
        "--stack",
        "5",
    ]);
    assert_eq!(
        (status, message.contains("pot is 0")),
        (2, true),
        "{message}"
    );
}
