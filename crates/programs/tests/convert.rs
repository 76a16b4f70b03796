//! `croupier convert` and the formats of clubs, as a user types them.

mod watched;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use formats::{Board, Format, Reader};

fn croupier(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .current_dir(folder)
        .args(words)
        .output()
        .expect("croupier runs")
}

#[track_caller]
fn done(folder: &Path, words: &[&str]) -> String {
    let output = croupier(folder, words);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {errors}");
    String::from_utf8(output.stdout).expect("text") + &errors
}

#[track_caller]
fn refused(folder: &Path, words: &[&str], status: i32) -> String {
    let output = croupier(folder, words);
    assert_eq!(output.status.code(), Some(status), "{words:?}");
    String::from_utf8(output.stderr).expect("text")
}

fn boards(path: &Path) -> Vec<Board> {
    let file = std::fs::File::open(path).expect("a file");
    let boards = Reader::new(file).expect("a format");
    boards
        .map(|board| Board {
            line: 0,
            ..board.expect("a board")
        })
        .collect()
}

/// What a club's program may write about a board.
const PLAYED: &str = "\
% PBN 2.1\n[Event \"Club \\\"evening\\\"\"]\n[Site \"Bonn | Kessenich\"]\n[Date \"2026.11.16\"]\n[Board \"7\"]\n[West \"W, Jr\"]\n\
[North \"Ann\"]\n[East \"\"]\n[South \"Sue\"]\n[Dealer \"S\"]\n[Vulnerable \"All\"]\n\
[Deal \"S:98642.842.52.652 753.A963.KJ4.AK7 AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843\"]\n[Scoring \"IMP\"]\n[Declarer \"N\"]\n\
[Contract \"1NTX\"]\n[Result \"6\"]\n{A remark about the board.\nIt goes on.}\n[Room \"Open\"]\n[Auction \"S\"]\n\
Pass 1C 1NT =1= X\nAP\n[Note \"1:15-17\"]\n[Play \"E\"]\nCJ C2 CK C9\n- - CA CQ\n*\n";

#[test]
fn pbn_to_lin_and_back_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    std::fs::write(here.join("played.pbn"), PLAYED).expect("a file");
    done(
        here,
        &["convert", "played.pbn", "--solve", "-o", "first.pbn"],
    );
    done(here, &["convert", "first.pbn", "-o", "there.lin"]);
    done(here, &["convert", "there.lin", "-o", "back.pbn"]);
    let [first, back] = ["first.pbn", "back.pbn"]
        .map(|name| std::fs::read_to_string(here.join(name)).expect("a file"));
    assert_eq!(first, back);
    let lin = std::fs::read_to_string(here.join("there.lin")).expect("a file");
    assert!(
        lin.contains("|mb|p|mb|1C|mb|1N!|an|15-17|mb|d|mb|p|mb|p|mb|p|pc|CJ|"),
        "{lin}"
    );
    for part in [
        "[Event \"Club \\\"evening\\\"\"]",
        "[West \"W, Jr\"]",
        "[Contract \"1NTX\"]",
        "[Result \"6\"]",
        "[Room \"Open\"]",
        "[Note \"1:15-17\"]",
        "CJ C2 CK C9",
        "{A remark about the board.\r\nIt goes on.}",
        "[ParContract \"",
        "[OptimumResultTable",
        "[Scoring \"IMP\"]",
    ] {
        assert!(back.contains(part), "{part}: {back}");
    }
    // The same through JSON and through a link.
    for name in ["x.json", "x.url"] {
        done(here, &["convert", "first.pbn", "-o", name]);
        done(here, &["convert", name, "-o", "again.pbn"]);
        assert_eq!(
            std::fs::read_to_string(here.join("again.pbn")).expect("a file"),
            first,
            "{name}"
        );
    }
}

/// Twenty-four boards for a lesson: the dealing machine, BBO, and the wall, one command each.
#[test]
fn a_set_of_boards_goes_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let script = "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332) \
        && hearts(south) == 4 && hcp(south) >= 8\n";
    std::fs::write(here.join("stayman.dl"), script).expect("a script");
    let dealt = Command::new(env!("CARGO_BIN_EXE_dealer"))
        .current_dir(here)
        .env_remove("CROUPIER_COMPAT")
        .args(["-s", "1", "-p", "24", "-v", "-f", "pbn", "stayman.dl"])
        .output()
        .expect("dealer runs");
    std::fs::write(here.join("set.pbn"), dealt.stdout).expect("a file");
    let set = boards(&here.join("set.pbn"));
    assert_eq!(set.len(), 24);
    for (name, format, size) in [
        ("s.lin", Format::Lin, None),
        ("s.dup", Format::Dup, Some(24 * 156)),
        ("s.bri", Format::Bri, Some(24 * 128)),
        ("s.dge", Format::Dge, Some(24 * 128)),
        ("s.dlm", Format::Dlm, None),
    ] {
        done(here, &["convert", "set.pbn", "-o", name]);
        let bytes = std::fs::read(here.join(name)).expect("a file");
        assert_eq!(Format::detect(&bytes), format);
        assert!(size.is_none_or(|size| size == bytes.len()), "{name}");
        let read = boards(&here.join(name));
        assert_eq!(read.len(), 24, "{name}");
        for (read, board) in read.iter().zip(&set) {
            assert_eq!(
                (read.deal(), read.number, read.dealer, read.vulnerable),
                (board.deal(), board.number, board.dealer, board.vulnerable)
            );
        }
    }
    done(
        here,
        &[
            "convert", "set.pbn", "--select", "1-3,24", "--solve", "-o", "wall.pbn",
        ],
    );
    let solved = boards(&here.join("wall.pbn"));
    assert_eq!(
        solved
            .iter()
            .filter_map(|board| board.number)
            .collect::<Vec<_>>(),
        [1, 2, 3, 24]
    );
    assert!(solved.iter().all(|board| board.tricks.is_some()
        && board.par.is_some()
        && board.par_contracts.is_some()));
    // The machine numbers in order: a gap is refused, and nothing is written.
    let error = refused(here, &["convert", "wall.pbn", "-o", "gap.dup"], 1);
    assert!(
        error.contains("after board 3 comes board 24") && error.contains("--renumber"),
        "{error}"
    );
    assert!(!here.join("gap.dup").exists());
    let said = done(
        here,
        &[
            "convert",
            "wall.pbn",
            "--renumber",
            "--rotate",
            "--first-board",
            "9",
            "-o",
            "gap.dup",
        ],
    );
    assert!(
        said.contains("no room for double-dummy tricks (4 boards)"),
        "{said}"
    );
    assert_eq!(boards(&here.join("gap.dup"))[3].number, Some(12));
}

#[test]
fn unknown_endings_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    std::fs::write(here.join("played.pbn"), PLAYED).expect("a file");
    for words in [
        &["convert", "played.pbn", "-o", "x.docx"][..],
        &["solve", "played.pbn", "-o", "x.docx"],
        &["solve", "played.pbn", "-o", "x.dup"],
        &["convert", "played.pbn", "-o", "x.pdf"],
        &["convert", "played.pbn"],
    ] {
        let error = refused(here, words, 2);
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    assert!(
        refused(here, &["convert", "played.pbn", "-o", "x.html"], 2).contains("croupier record")
    );
    let error = refused(
        here,
        &["convert", "played.pbn", "--select", "1-6", "-o", "x.lin"],
        1,
    );
    assert!(error.contains("--select"), "{error}");
    assert_eq!(std::fs::read_dir(here).expect("a folder").count(), 1);
    done(here, &["solve", "played.pbn", "-o", "x.lin"]);
    let lin = std::fs::read(here.join("x.lin")).expect("a file");
    assert_eq!(Format::detect(&lin), Format::Lin);
    assert!(boards(&here.join("x.lin"))[0].tricks.is_some());
}

#[test]
fn par_is_said_in_three_formats() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7";
    let pbn = done(here, &["solve", deal]);
    assert!(
        pbn.contains("[OptimumScore \"NS 140\"]\r\n[ParContract \"NS 3S=\"]"),
        "{pbn}"
    );
    let csv = done(here, &["solve", deal, "-f", "csv"]);
    assert!(
        csv.contains(",N_C,N_D,N_H,N_S,N_N,")
            && csv.contains(",5,7,6,9,5,8,5,7,4,7,5,7,6,9,5,8,5,7,4,7,140,NS 3S=\n"),
        "{csv}"
    );
    let json = done(here, &["solve", deal, "-f", "json"]);
    assert!(
        json.contains("\"par\":140,\"par_contracts\":[\"NS 3S=\"]"),
        "{json}"
    );
}

#[test]
fn checks_find_what_is_wrong_with_a_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let board = |number: u64, dealer: &str, deal: &str| {
        format!(
            "[Board \"{number}\"]\n[Dealer \"{dealer}\"]\n[Vulnerable \"None\"]\n[Deal \"N:{deal}\"]\n\n"
        )
    };
    let [first, second] = [
        "AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7",
        "QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7 AKJ.KQJ.A9873.Q9",
    ];
    std::fs::write(here.join("good.pbn"), board(1, "N", first)).expect("a file");
    assert_eq!(done(here, &["convert", "--check", "good.pbn"]), "");
    std::fs::write(
        here.join("bad.pbn"),
        board(1, "N", second)
            + &board(2, "W", first)
            + &board(3, "S", &first.replace("AKJ", "AKK")),
    )
    .expect("a file");
    let error = refused(
        here,
        &["convert", "--check", "good.pbn", "bad.pbn", "-o", "out.lin"],
        1,
    );
    for part in [
        "bad.pbn: board 2: the same cards as board 1 of good.pbn",
        "bad.pbn: board 2: the dealer is west, but east deals board 2",
        "bad.pbn: board 2: vulnerable is None, but on board 2 it is NS",
        "board 3: ",
        "4 problems found; nothing was written",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(!here.join("out.lin").exists());
    // Without the check a bad board alone stops it, unless the others are wanted.
    assert!(refused(here, &["convert", "bad.pbn", "-o", "out.lin"], 1).contains("--keep-going"));
    assert!(!here.join("out.lin").exists());
    refused(
        here,
        &["convert", "bad.pbn", "--keep-going", "-o", "out.lin"],
        1,
    );
    assert_eq!(boards(&here.join("out.lin")).len(), 2);
    done(
        here,
        &[
            "convert",
            "good.pbn",
            "good.pbn",
            "--deduplicate",
            "-o",
            "once.lin",
        ],
    );
    assert_eq!(boards(&here.join("once.lin")).len(), 1);
}

#[test]
fn interrupted_conversions_leave_what_was_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    std::fs::write(here.join("out.pbn"), "old").expect("a file");
    let mut child = watched::hearing(env!("CARGO_BIN_EXE_croupier"))
        .current_dir(here)
        .args(["convert", "-", "-o", "out.pbn"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("croupier runs");
    let mut pipe = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut pipe, PLAYED.repeat(50).as_bytes()).expect("boards");
    let names = || std::fs::read_dir(here).expect("a folder").count();
    let start = Instant::now();
    while names() < 2 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(names(), 2, "the unfinished file stands beside");
    watched::send(&child, "-INT");
    assert_eq!(child.wait().expect("an end").code(), Some(130));
    drop(pipe);
    assert_eq!(names(), 1);
    assert_eq!(
        std::fs::read_to_string(here.join("out.pbn")).expect("a file"),
        "old"
    );
}
