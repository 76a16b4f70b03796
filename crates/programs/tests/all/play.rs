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
        Some("board,trick,seat,card,cost,declarer,better,player")
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
    assert_eq!(lines[1], "1,1,west,S6,2,5,SQ SJ HA HK CK CQ,");
    assert_eq!(lines[4], "1,3N,south,3,5,0,2,");
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

/// Runs a dialogue with the play of one board, and returns its screens.
fn dialogue(input: &str, commands: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("board.pbn");
    std::fs::write(&file, input).expect("the file can be written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["play", "--interactive", "--board", "1"])
        .arg(&file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    stdin
        .write_all(commands.as_bytes())
        .expect("the program reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("the text is UTF-8")
}

#[test]
fn a_play_is_stepped_through_forwards_and_backwards() {
    let named = PBN.replace("[Dealer \"N\"]", "[South \"Ann\"]\n[Dealer \"N\"]");
    let text = dialogue(&named, "\n\nb\nsa\nq\n");
    let screens: Vec<&str> = text.split("Board 1: 3N by south").collect();
    assert_eq!(screens.len(), 6, "{text}");
    for (screen, part) in [
        (1, "West to play. Declarer's tricks after each card:"),
        (1, "South Ann"),
        (1, "Played: ♠Q, costs nothing"),
        (2, "Trick 1: west ♠Q\n"),
        (3, "Trick 1: west ♠Q, north ♠A\n"),
        (4, "card 1 of 9"),
        (5, "Trick 1: west ♠Q, north ♠A\n"),
    ] {
        assert!(screens[screen].contains(part), "{screen}: {part}: {text}");
    }
    // Another card leaves the recorded play; `f` returns to it, and a wrong card changes nothing.
    let text = dialogue(PBN, "s5\n\nf\nzz\nd9\n");
    for part in [
        "(your own line)",
        "You left the recorded play",
        "neither a command nor a card",
        "does not hold",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // A board that was played twice has two tables; the names tell them apart.
    let twice =
        named.clone() + "\n" + &PBN.replace("[Dealer \"N\"]", "[South \"Bob\"]\n[Dealer \"N\"]");
    let text = dialogue(&twice, "\no\no\nq\n");
    let screens: Vec<&str> = text.split("Table ").collect();
    for (screen, parts) in [
        (1, ["1 of 2", "South Ann"]),
        (3, ["2 of 2", "South Bob"]),
        (4, ["1 of 2", "South Ann"]),
    ] {
        assert!(
            parts.iter().all(|part| screens[screen].contains(part)),
            "{screen}: {text}"
        );
    }
    // The costs are those of the table.
    let (table, _, _) = play(PBN, &["--format", "csv", "--mistakes"]);
    let mistakes = table
        .lines()
        .skip(1)
        .take_while(|line| !line.is_empty())
        .count();
    let text = dialogue(PBN, &"m\n".repeat(mistakes + 1));
    let costly = text
        .lines()
        .filter(|line| line.starts_with("Played:") && line.contains("better:"));
    assert!(costly.count() >= mistakes, "{mistakes}: {text}");
}

#[test]
fn folders_and_several_files_are_reviewed_with_their_names() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("night")).expect("the folder can be made");
    let named = PBN.replace("[Dealer \"N\"]", "[West \"Wim\"]\n[Dealer \"N\"]");
    std::fs::write(path("night/a.pbn"), &named).expect("the file can be written");
    std::fs::write(path("night/b.lin"), LIN).expect("the file can be written");
    std::fs::write(path("night/notes.txt"), "nothing").expect("the file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["play", "-f", "csv"])
        .arg(path("night"))
        .output()
        .expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("the text is UTF-8");
    assert!(text.starts_with("file,board,trick"), "{text}");
    assert!(
        text.contains("a.pbn,1,1,west,SQ,0,") && text.contains(",Wim\n"),
        "{text}"
    );
    assert!(text.contains("b.lin,1,1,west,SQ,0,"), "{text}");
    let many = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["play", "-i"])
        .arg(path("night"))
        .output()
        .expect("the program runs");
    assert_eq!(many.status.code(), Some(2));
    let missing = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["play"])
        .arg(path("missing.pbn"))
        .output()
        .expect("the program runs");
    assert_eq!(missing.status.code(), Some(2));
}
