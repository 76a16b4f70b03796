//! Tests of `croupier plan` and of `croupier compare --single-dummy`.

use crate::common::{croupier, done, failure, out};
use serde_json::Value;

const DECLARER: &str = "A53.AK4.T83.AK62";
const DUMMY: &str = "42.Q32.AQJ92.543";
const DEAL: &str = "N:42.Q32.AQJ92.543 T98.JT98.K76.QJT S:A53.AK4.T83.AK62 KQJ76.765.54.987";

fn json(arguments: &[&str]) -> Value {
    let words = [&["plan", "-f", "json"], arguments].concat();
    serde_json::from_str(&done(&words)).unwrap()
}

#[test]
fn plays_are_ranked_and_the_hold_up_is_found() {
    let answer = json(&[
        DECLARER, DUMMY, "-k", "3N-S", "--played", "SK,S2,S6", "--worlds", "30",
    ]);
    let plays = answer["plays"].as_array().unwrap();
    assert_eq!(plays[0]["play"], "S5");
    assert_eq!(plays.last().unwrap()["play"], "SA");
    let chance = |play: &Value| play["made_pct"].as_f64().unwrap();
    assert!(chance(&plays[0]) > chance(plays.last().unwrap()));
    let text = done(&[
        "plan", DECLARER, DUMMY, "-k", "3N-S", "--played", "SK,S2,S6", "--worlds", "30",
    ]);
    assert!(
        text.starts_with("3N by S, played SK S2 S6\n30 worlds, depth 2\n"),
        "{text}"
    );
}

#[test]
fn a_whole_deal_shows_declarer_two_hands_only() {
    let deal = "N:42.Q32.AQJ92.543 T98.JT98.K76.QJT A53.AK4.T83.AK62 KQJ76.765.54.987";
    let options = ["-k", "3N-S", "--lead", "SK", "--worlds", "20"];
    let one = json(&[&[deal], &options[..]].concat());
    let two = json(&[&[DECLARER, DUMMY], &options[..]].concat());
    assert_eq!(one, two);
}

#[test]
fn playouts_give_a_value_with_an_interval_and_state_their_cost_first() {
    let run = |threads: &str| {
        croupier(&[
            "plan",
            DECLARER,
            DUMMY,
            "-k",
            "3N-S",
            "--playouts",
            "6",
            "--worlds",
            "6",
            "--depth",
            "1",
            "-f",
            "json",
            "-j",
            threads,
        ])
    };
    let one = run("1");
    let errors = String::from_utf8_lossy(&one.stderr).into_owned();
    assert!(
        errors.contains("6 playouts with 6 worlds for each card, depth 1: about "),
        "{errors}"
    );
    assert_eq!(out(&one), out(&run("2")));
    let answer: Value = serde_json::from_str(&out(&one)).unwrap();
    let value = &answer["value"];
    assert_eq!(value[0]["layouts"], 6);
    let percent = |row: usize, name: &str| value[row][name].as_f64().unwrap();
    assert!(percent(0, "made_pct") <= percent(1, "made_pct"));
    assert!(percent(0, "made_low") < percent(0, "made_high"));
}

#[test]
fn wrong_input_is_one_clear_error() {
    let error = |arguments: &[&str]| failure(&[&["plan"], arguments].concat(), 2);
    let hands = [DECLARER, DUMMY];
    let with = |more: &[&'static str]| error(&[&hands[..], more].concat());
    assert!(with(&[]).contains("give the contract: --contract 4S-S"));
    assert!(with(&["-k", "3N-S"]).contains("west plays the next card"));
    assert!(with(&["-k", "3N-S", "--lead", "SA"]).contains("west is to play and cannot hold"));
    assert!(with(&["-k", "3N-S", "--lead", "SK", "--depth", "9"]).contains("use 1 to 5"));
    assert!(with(&["-k", "3N-S", "--lead", "SK", "--worlds", "999"]).contains("use 1 to 256"));
    assert!(error(&["AK.2", DUMMY, "-k", "3N-S", "--lead", "SK"]).contains("four suits"));
    assert!(error(&[DEAL, "-k", "3N-S", "--lead", "SK"]).contains("is not a deal"));
    assert!(error(&[DUMMY, DUMMY, "-k", "3N-S"]).contains("in both hands"));
}

#[test]
fn conditions_select_the_layouts() {
    let base = ["AK2.AKQ.AK32.AT3", "Q43.432.QJ54.KJ4", "-k", "7N-S"];
    let played = ["--played", "SJ,SQ,S5,S2,C4,C6", "--worlds", "20"];
    let best = |condition: &str| {
        let answer = json(&[&base[..], &played[..], &["-c", condition]].concat());
        answer["plays"][0]["play"].as_str().unwrap().to_owned()
    };
    assert_eq!(best("hascard(east, QC)"), "CT");
    assert_eq!(best("hascard(west, QC)"), "CA");
}

#[test]
fn compare_adds_the_chances_of_a_declarer_who_sees_two_hands() {
    let hands = ["-N", "S42,HQ32,DAQJ92,C543", "-S", "SA53,HAK4,DT83,CAK62"];
    let words = [
        "compare",
        "-k",
        "3N",
        "-k",
        "2N",
        "-n",
        "8",
        "-f",
        "json",
        "--single-dummy",
        "3",
    ];
    let text = done(&[&words[..], &hands[..]].concat());
    let answer: Value = serde_json::from_str(&text).unwrap();
    let rows = answer["single_dummy"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        assert_eq!(row["deals"], 3);
        assert!(row["single_dummy_pct"].as_f64() <= row["double_dummy_pct"].as_f64());
    }
}
