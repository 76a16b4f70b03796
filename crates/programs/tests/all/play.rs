//! `croupier play`: the cost of every card, equal from PBN and from LIN.

use std::io::Write;
use std::process::{Command, Stdio};

/// Board 1, dealer North, 3NT by South: two complete tricks and the beginning of the third.
const PBN: &str = r#"[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:A2.K32.AKQJ.5432 9876.QJT.765.T98 K43.A54.T98.AKQ6 QJT5.9876.432.J7"]
[Declarer "S"]
[Contract "3NT"]
[Auction "N"]
1D Pass 2NT! =1= Pass
3NT AP
[Note "1:balanced"]
[Play "W"]
SQ SA S6 S3
D2 DJ D5 D8
- C5 - -
*
"#;

const LIN: &str = "qx|o1|md|3SK43HA54DT98CAKQ6,SQJT5H9876D432CJ7,SA2HK32DAKQJC5432,S9876HQJTD765CT98|sv|o|\
mb|1D|mb|p|mb|2N!|an|balanced|mb|p|mb|3N|mb|p|mb|p|mb|p|pc|SQ|pc|SA|pc|S6|pc|S3|pc|DJ|pc|D5|pc|D8|pc|D2|pc|C5|pg||\n";

fn play(input: &str, switches: &[&str]) -> (String, String, bool) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["play", "-"])
        .args(switches)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    stdin
        .write_all(input.as_bytes())
        .expect("the file can be written");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the text is UTF-8");
    (
        text(output.stdout),
        text(output.stderr),
        output.status.success(),
    )
}

#[test]
fn every_card_has_its_cost_and_both_formats_agree() {
    let (pbn, errors, success) = play(PBN, &["--format", "csv"]);
    assert!(success, "{errors}");
    let (lin, _, _) = play(LIN, &["--format", "csv", "--solver-memory", "2", "-R", "1"]);
    assert_eq!(pbn, lin);
    let mut lines = pbn.lines();
    assert_eq!(
        lines.next(),
        Some("board,trick,seat,card,cost,declarer,better")
    );
    let cards: Vec<Vec<&str>> = lines
        .by_ref()
        .take_while(|line| !line.is_empty())
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(cards.len(), 9);
    // After a card of any player, declarer's tricks change by its cost.
    let tricks = |row: &[&str]| row[5].parse::<i32>().expect("tricks");
    let board: Vec<&str> = lines.nth(1).expect("the board's row").split(',').collect();
    let mut before: i32 = board[3].parse().expect("tricks");
    for row in &cards {
        let cost: i32 = row[4].parse().expect("a cost");
        let sign = if ["north", "south"].contains(&row[2]) {
            -1
        } else {
            1
        };
        assert_eq!(tricks(row), before + sign * cost, "{row:?}");
        assert_eq!(row[6].is_empty(), cost == 0, "{row:?}");
        before = tricks(row);
    }
    assert_eq!(board[4], cards[8][5]);
}

/// The third of the solved deals: South takes three tricks in notrump, or five after the lead of a low spade.
#[test]
fn a_bad_lead_costs_the_difference_of_solved_tricks() {
    let board = r#"[Board "1"]
[Deal "N:KT.JT764.K742.J8 A98754.9.QJ95.T7 2.Q53.AT63.A6543 QJ63.AK82.8.KQ92"]
[Declarer "S"]
[Contract "3NT"]
[Play "W"]
S6 - - -
*
"#;
    let (out, errors, success) = play(board, &["--format", "csv", "--mistakes"]);
    assert!(success, "{errors}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[1], "1,1,west,6S,2,5,QS JS AH KH KC QC");
    assert_eq!(lines[4], "1,3N,south,3,5,0,2");
}

#[test]
fn only_mistakes_are_shown_on_request() {
    let (all, _, _) = play(PBN, &["--format", "csv"]);
    let (mistakes, errors, success) = play(PBN, &["--format", "csv", "--mistakes"]);
    assert!(success, "{errors}");
    let costly = |text: &str| {
        let rows = text.lines().skip(1).take_while(|line| !line.is_empty());
        rows.filter(|row| row.split(',').nth(4) != Some("0"))
            .count()
    };
    assert_eq!(costly(&mistakes), costly(&all));
    let shown = mistakes
        .lines()
        .skip(1)
        .take_while(|line| !line.is_empty())
        .count();
    assert_eq!(shown, costly(&all));
}

#[test]
fn an_impossible_play_is_an_error_that_names_the_card() {
    let revoke = PBN.replace("SQ SA S6 S3", "SQ SA D6 S3");
    let (out, errors, success) = play(&revoke, &[]);
    assert!(!success && out.is_empty());
    assert!(errors.contains("card 3 of the play"), "{errors}");
    let (_, errors, success) = play(
        "N:A2.K32.AKQJ.5432 9876.QJT.765.T98 K43.A54.T98.AKQ6 QJT5.9876.432.J7\n",
        &[],
    );
    assert!(
        !success && errors.contains("no board with a play"),
        "{errors}"
    );
}
