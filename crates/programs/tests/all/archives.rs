//! Files of archives that `croupier convert` reads: no record disappears, and every loss is announced.

use std::fs;

use crate::common::{croupier, done};

const DEAL: &str = "N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3";

/// Writes `text` to a file and returns its path, and that of the file to convert it to.
fn paths(folder: &tempfile::TempDir, text: &str, output: &str) -> [String; 2] {
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("in.pbn"), text).expect("the file can be written");
    [path("in.pbn"), path(output)]
}

#[test]
fn records_without_a_deal_are_converted_with_that_of_their_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let record =
        |contract: &str| format!("[Declarer \"S\"]\n[Contract \"{contract}\"]\n[Result \"8\"]\n\n");
    let board = format!("[Board \"7\"]\n[Dealer \"S\"]\n[Deal \"{DEAL}\"]\n");
    let text = board + &record("3NT") + &record("4S") + &record("2S");
    let [input, lin] = paths(&folder, &text, "out.lin");
    done(&["convert", &input, "-o", &lin]);
    let lines = fs::read_to_string(&lin).expect("the file was written");
    assert_eq!(lines.matches("|ah|Board 7|").count(), 3, "{lines}");
    assert_eq!(lines.matches("kv|Contract").count(), 3, "{lines}");
    let check = croupier(&["convert", "--check", &input]);
    let errors = String::from_utf8_lossy(&check.stderr);
    assert!(errors.contains("1 board, 3 records of them"), "{errors}");
    let [_, once] = paths(&folder, &text, "once.lin");
    done(&["convert", &input, "--deduplicate", "-o", &once]);
    let lines = fs::read_to_string(&once).expect("the file was written");
    assert_eq!(lines.matches("md|").count(), 1, "{lines}");
}

#[test]
fn every_kind_of_lost_data_is_announced_with_its_boards() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!(
        "[Board \"Finesse-4\"]\n[Deal \"{DEAL}\"]\n[Stage \"Final\"]\n[Auction \"N\"]\n1C! AP\n[Note \"1:strong\"]\n"
    );
    let [input, lin] = paths(&folder, &text, "out.lin");
    let csv = folder.path().join("out.csv").display().to_string();
    let pbn = folder.path().join("out.pbn").display().to_string();
    let output = croupier(&["convert", &input, "-o", &lin, "-o", &csv, "-o", &pbn]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    for (file, lost) in [
        ("out.lin", "marks of calls and cards (!, ?, $1) (1 board)"),
        ("out.lin", "notes to no call or card (1 board)"),
        (
            "out.lin",
            "values of tags that cannot be interpreted (1 board)",
        ),
        ("out.csv", "other tags (1 board)"),
    ] {
        let line = errors.lines().find(|line| line.contains(file));
        assert!(
            line.is_some_and(|line| line.contains(lost)),
            "{lost}: {errors}"
        );
    }
    assert!(!errors.contains("out.pbn"), "{errors}");
    assert_eq!(
        fs::read_to_string(&pbn).expect("the file was written"),
        text
    );
}
