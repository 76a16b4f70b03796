//! Tests of `croupier convert` and of the formats that clubs use.

use crate::common::dealer_path;
use crate::process_control;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use croupier::formats::{Board, InputFormat, Reader};

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
    String::from_utf8(output.stdout).expect("the text is UTF-8") + &errors
}

#[track_caller]
fn refused(folder: &Path, words: &[&str], status: i32) -> String {
    let output = croupier(folder, words);
    assert_eq!(output.status.code(), Some(status), "{words:?}");
    String::from_utf8(output.stderr).expect("the text is UTF-8")
}

fn boards(path: &Path) -> Vec<Board> {
    let file = std::fs::File::open(path).expect("the file can be accessed");
    let boards = Reader::new(file).expect("the format is known");
    boards
        .map(|board| Board {
            line: 0,
            ..board.expect("the board can be read")
        })
        .collect()
}

/// A board as a club's program writes it.
const PLAYED: &str = "\
% PBN 2.1\n[Event \"Club \\\"evening\\\"\"]\n[Site \"Bonn | Kessenich\"]\n[Date \"2026.11.16\"]\n[Board \"7\"]\n[West \"W, Jr\"]\n\
[North \"Ann\"]\n[East \"\"]\n[South \"Sue\"]\n[Dealer \"S\"]\n[Vulnerable \"All\"]\n\
[Deal \"S:98642.842.52.652 753.A963.KJ4.AK7 AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843\"]\n[Scoring \"IMP\"]\n[Declarer \"N\"]\n\
[Contract \"1NTX\"]\n[Result \"6\"]\n{A remark about the board.\nIt goes on.}\n[Room \"Open\"]\n[Auction \"S\"]\n\
Pass 1C 1NT =1= X\nAP\n[Note \"1:15-17\"]\n[Play \"E\"]\nCJ C2 CK C9\n- - CA CQ\n*\n";

#[test]
fn pbn_to_lin_and_back_loses_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(here.join("played.pbn"), PLAYED).expect("the file can be accessed");
    // From JSON, because PBN to PBN keeps the layout of the file.
    done(
        here,
        &["convert", "played.pbn", "--solve", "-o", "solved.json"],
    );
    done(here, &["convert", "solved.json", "-o", "first.pbn"]);
    done(here, &["convert", "first.pbn", "-o", "there.lin"]);
    done(here, &["convert", "there.lin", "-o", "back.pbn"]);
    let [first, back] = ["first.pbn", "back.pbn"]
        .map(|name| std::fs::read_to_string(here.join(name)).expect("the file can be accessed"));
    assert_eq!(first, back);
    let lin = std::fs::read_to_string(here.join("there.lin")).expect("the file can be accessed");
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
    // The conversion through JSON and through a link gives an equal file.
    for name in ["x.json", "x.url"] {
        done(here, &["convert", "first.pbn", "-o", name]);
        done(here, &["convert", name, "-o", "again.pbn", "--force"]);
        assert_eq!(
            std::fs::read_to_string(here.join("again.pbn")).expect("the file can be accessed"),
            first,
            "{name}"
        );
    }
}

/// Twenty-four boards for a lesson become files for the dealing machine and for BBO and a hand record, with one command
/// each.
#[test]
fn a_set_of_boards_goes_everywhere() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    let script = "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332) \
        && hearts(south) == 4 && hcp(south) >= 8\n";
    std::fs::write(here.join("stayman.dl"), script).expect("the script can be written");
    let dealt = Command::new(dealer_path())
        .current_dir(here)
        .env_remove("CROUPIER_COMPAT")
        .args(["-s", "1", "-p", "24", "-v", "-f", "pbn", "stayman.dl"])
        .output()
        .expect("dealer runs");
    std::fs::write(here.join("set.pbn"), dealt.stdout).expect("the file can be accessed");
    let set = boards(&here.join("set.pbn"));
    assert_eq!(set.len(), 24);
    for (name, format, size) in [
        ("s.lin", InputFormat::Lin, None),
        ("s.dup", InputFormat::Dup, Some(24 * 156)),
        ("s.bri", InputFormat::Bri, Some(24 * 128)),
        ("s.dge", InputFormat::Dge, Some(24 * 128)),
        ("s.dlm", InputFormat::Dlm, None),
    ] {
        done(here, &["convert", "set.pbn", "-o", name]);
        let bytes = std::fs::read(here.join(name)).expect("the file can be accessed");
        assert_eq!(InputFormat::detect(&bytes), format);
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
    // A dealing machine numbers its boards consecutively: a gap is refused, and nothing is written.
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
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(here.join("played.pbn"), PLAYED).expect("the file can be accessed");
    for words in [
        &["convert", "played.pbn", "-o", "x.docx"][..],
        &["solve", "played.pbn", "-o", "x.docx"],
        &["solve", "played.pbn", "-o", "x.dup"],
        &["convert", "played.pbn"],
    ] {
        let error = refused(here, words, 2);
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    assert!(refused(here, &["solve", "played.pbn", "-o", "x.html"], 2).contains("croupier record"));
    let error = refused(
        here,
        &["convert", "played.pbn", "--select", "1-6", "-o", "x.lin"],
        1,
    );
    assert!(error.contains("--select"), "{error}");
    assert_eq!(
        std::fs::read_dir(here).expect("the folder exists").count(),
        1
    );
    done(here, &["solve", "played.pbn", "-o", "x.lin"]);
    let lin = std::fs::read(here.join("x.lin")).expect("the file can be accessed");
    assert_eq!(InputFormat::detect(&lin), InputFormat::Lin);
    assert!(boards(&here.join("x.lin"))[0].tricks.is_some());
}

#[test]
fn par_is_written_in_three_formats() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
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
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
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
    std::fs::write(here.join("good.pbn"), board(1, "N", first)).expect("the file can be accessed");
    assert_eq!(done(here, &["convert", "--check", "good.pbn"]), "");
    std::fs::write(
        here.join("bad.pbn"),
        board(1, "N", second)
            + &board(2, "W", first)
            + &board(3, "S", &first.replace("AKJ", "AKK")),
    )
    .expect("the file can be accessed");
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
    // Without --check a bad board stops the conversion, unless --keep-going is given.
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
fn interrupted_conversions_keep_existing_files() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(here.join("out.pbn"), "old").expect("the file can be accessed");
    let mut child = process_control::command_with_signals(env!("CARGO_BIN_EXE_croupier"))
        .current_dir(here)
        .args(["convert", "-", "-o", "out.pbn", "--force"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("croupier runs");
    let mut pipe = child.stdin.take().expect("standard input is piped");
    std::io::Write::write_all(&mut pipe, PLAYED.repeat(50).as_bytes()).expect("boards");
    let names = || std::fs::read_dir(here).expect("the folder exists").count();
    let start = Instant::now();
    while names() < 2 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(names(), 2, "the unfinished file stands beside");
    process_control::send(&child, "-INT");
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
    drop(pipe);
    assert_eq!(names(), 1);
    assert_eq!(
        std::fs::read_to_string(here.join("out.pbn")).expect("the file can be accessed"),
        "old"
    );
}

/// Returns a PBN file of three boards with links in their comments.
fn three_boards() -> String {
    let deals = [
        "AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7",
        "QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7 AKJ.KQJ.A9873.Q9",
        "98642.842.52.652 753.A963.KJ4.AK7 AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843",
    ];
    let board = |(number, deal)| {
        format!(
            "[Board \"{number}\"]\n[Deal \"N:{deal}\"]\n{{ https://example.org/?lin=md%7C3SAK%7C md|1S| }}\n\n"
        )
    };
    (1..).zip(deals).map(board).collect()
}

#[test]
fn a_link_in_a_remark_does_not_hide_the_other_boards() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(here.join("set.pbn"), three_boards()).expect("the file can be accessed");
    done(here, &["convert", "set.pbn", "-o", "set.lin"]);
    assert_eq!(boards(&here.join("set.lin")).len(), 3);
}

#[test]
fn a_damaged_board_is_named_and_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    let damaged = three_boards().replace("[Deal \"N:QT", "[Deal N:QT");
    std::fs::write(here.join("set.pbn"), &damaged).expect("the file can be accessed");
    for words in [
        &["convert", "set.pbn", "-o", "out.lin"][..],
        &["convert", "--check", "set.pbn"],
        &["convert", "--check", "--keep-going", "set.pbn"],
        &["solve", "set.pbn"],
        &["record", "set.pbn", "-o", "out.pdf"],
    ] {
        let error = refused(here, words, 1);
        assert!(
            error.contains("set.pbn: line 6, board 2: the tag [Deal is broken"),
            "{words:?}: {error}"
        );
    }
    assert!(!here.join("out.lin").exists() && !here.join("out.pdf").exists());
    let words = ["convert", "set.pbn", "--keep-going", "-o", "out.lin"];
    let error = refused(here, &words, 1);
    assert!(
        error.ends_with("croupier: 1 board could not be read and was left out\n"),
        "{error}"
    );
    assert_eq!(boards(&here.join("out.lin")).len(), 2);
    // A file without deals does not stop the others.
    std::fs::write(here.join("empty.txt"), "nothing\n").expect("the file can be accessed");
    std::fs::write(here.join("good.pbn"), three_boards()).expect("the file can be accessed");
    let words = [
        "convert",
        "empty.txt",
        "good.pbn",
        "--keep-going",
        "-o",
        "out.json",
    ];
    let error = refused(here, &words, 1);
    assert!(
        error.contains("empty.txt: there is no deal in it"),
        "{error}"
    );
    assert_eq!(boards(&here.join("out.json")).len(), 3);
}

/// Files of every format, cut at twelve places: all complete boards are converted, and if there is none, there is a
/// message. The library's test cuts at every byte.
#[test]
fn cut_files_are_never_converted_in_silence() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(here.join("set.pbn"), three_boards()).expect("the file can be accessed");
    for (name, format) in croupier::formats::OutputFormat::NAMES {
        done(
            here,
            &["convert", "set.pbn", "--force", "--to", name, "-o", "whole"],
        );
        let whole = std::fs::read(here.join("whole")).expect("the file can be accessed");
        // A file of the first boards alone is the beginning of the whole file, except for the numbers of a set.
        let ends = ["1", "2"].map(|boards| {
            let words = [
                "convert", "set.pbn", "--force", "-n", boards, "--to", name, "-o", "some",
            ];
            done(here, &words);
            std::fs::read(here.join("some"))
                .expect("the file can be accessed")
                .len()
        });
        for part in 1..=12 {
            let cut = whole.len() * part / 13;
            std::fs::write(here.join("cut"), &whole[..cut]).expect("the file can be accessed");
            let words = [
                "convert",
                "cut",
                "--to",
                "json",
                "--keep-going",
                "-o",
                "out",
            ];
            let output = croupier(here, &words);
            let read = boards(&here.join("out")).len();
            let least = match (format, output.status.success()) {
                // All lines of DLM are there, however many boards the set has.
                (croupier::formats::OutputFormat::Dlm, silent) => 3 * usize::from(silent),
                _ => ends.iter().filter(|&&end| end <= cut).count(),
            };
            assert!(read >= least, "{name} cut at {cut}: {read}");
            let is_told = !output.status.success() && !output.stderr.is_empty();
            assert!(is_told || read > 0, "{name} cut at {cut}");
            let _ = std::fs::remove_file(here.join("out"));
        }
    }
}

/// Two boards of a match, each played in two rooms.
const MATCH: &str = "\
qx|o1|pn|s,w,n,e|st||md|3S98642H842D52C652,S753HA963DKJ4CAK7,SAKJHKQJDA9873CQ9|sv|o|mb|1N|mb|p|mb|p|mb|p|mc|7|pg||\n\
qx|c1|pn|a,b,c,d|st||md|3S98642H842D52C652,S753HA963DKJ4CAK7,SAKJHKQJDA9873CQ9|sv|o|mb|2N|mb|p|mb|p|mb|p|mc|6|pg||\n\
qx|o2|md|4SQTHT75DQT6CJT843,S98642H842D52C652,S753HA963DKJ4CAK7|sv|n|mb|p|mb|p|mb|p|mb|p|pg||\n\
qx|c2|md|4SQTHT75DQT6CJT843,S98642H842D52C652,S753HA963DKJ4CAK7|sv|n|mb|p|mb|1C|mb|p|mb|p|mb|p|mc|8|pg||\n";

#[test]
fn all_results_of_a_board_are_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(here.join("match.lin"), MATCH).expect("the file can be accessed");
    for name in ["out.pbn", "out.lin", "out.json"] {
        done(here, &["convert", "match.lin", "-o", name]);
        done(here, &["convert", name, "--force", "-o", "back.pbn"]);
        let back = boards(&here.join("back.pbn"));
        let facts: Vec<_> = back
            .iter()
            .map(|board| {
                let record = board.record.as_deref().expect("an auction");
                let extras = board.extras.as_deref();
                let room = extras.and_then(|extras| extras.tag("Room"));
                (board.number, room.map(str::to_owned), record.result)
            })
            .collect();
        let closed = || Some("Closed".to_owned());
        let expected = [
            (Some(1), None, Some(7)),
            (Some(1), closed(), Some(6)),
            (Some(2), None, None),
            (Some(2), closed(), Some(8)),
        ];
        assert_eq!(facts, expected, "{name}");
    }
    let said = done(here, &["convert", "--check", "match.lin"]);
    assert_eq!(said, "croupier: match.lin: 2 boards, 4 records of them\n");
    // Games in PBN that follow each other without a blank line are separate records too.
    let pbn = std::fs::read_to_string(here.join("back.pbn")).expect("the file can be accessed");
    let glued = pbn.replace("\r\n\r\n", "\r\n");
    std::fs::write(here.join("glued.pbn"), glued).expect("the file can be accessed");
    done(here, &["convert", "glued.pbn", "-o", "glued.lin"]);
    assert_eq!(boards(&here.join("glued.lin")).len(), 4);
    // A dealing machine deals each board once.
    let error = refused(here, &["convert", "match.lin", "-o", "x.dup"], 1);
    assert!(error.contains("--deduplicate"), "{error}");
    done(
        here,
        &["convert", "match.lin", "--deduplicate", "-o", "x.dup"],
    );
    assert_eq!(boards(&here.join("x.dup")).len(), 2);
    let pages = |words: &[&str]| {
        done(
            here,
            &[&["record", "--force", "match.lin", "-o", "x.html"], words].concat(),
        );
        let page = std::fs::read_to_string(here.join("x.html")).expect("a page");
        page.matches("AKJ").count()
    };
    assert!(pages(&[]) > pages(&["--deduplicate"]));
}

#[test]
fn a_contract_that_the_auction_contradicts_is_kept_and_listed() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    let file = PLAYED.replace("[Contract \"1NTX\"]", "[Contract \"3NT\"]");
    std::fs::write(here.join("set.pbn"), file).expect("the file can be accessed");
    let error = refused(here, &["convert", "--check", "set.pbn"], 1);
    assert!(
        error.contains("board 7: the auction leads to 1Nx by north, but the file says otherwise"),
        "{error}"
    );
    done(here, &["convert", "set.pbn", "-o", "set.lin"]);
    let record = boards(&here.join("set.lin"))[0]
        .record
        .clone()
        .expect("a record");
    assert_eq!(record.contract, "3N".parse().ok());
    assert_eq!(record.declarer, Some(croupier::cards::Seat::North));
}

/// A lesson with directives, an item without a deal, comments, unknown tags, marks of calls and two hands.
const LESSON: &str = "% PBN 2.1\r\n%Font:Times\r\n\r\n[Event \"Lesson\"]\r\n[Deal \"\"]\r\n{Read this.}\r\n\r\n\
    [Event \"#\"]\r\n[Board \"1\"]\r\n[Dealer \"N\"]\r\n[Vulnerable \"None\"]\r\n\
    [Deal \"N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3\"] ; here\r\n\
    [Declarer \"S\"]\r\n[Contract \"3S\"]\r\n[BCFlags \"1f\"]\r\n[Auction \"N\"]\r\n\
    p P 1S! $1 pass\r\n2s* =1= All Pass\r\n[Note \"1:weak\"]\r\n[Own \"A\"]\r\nx\r\n\r\n\
    [Board \"2\"]\r\n[Deal \"N:AKQ2.KJ5.T43.JT7 - T85.AT2.QJ965.Q8 -\"]\r\n";

#[test]
fn a_lesson_keeps_every_byte_and_every_loss_is_announced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("lesson.pbn"), LESSON).unwrap();
    let output = croupier(
        Path::new("."),
        &[
            "convert",
            &path("lesson.pbn"),
            "-o",
            &path("again.pbn"),
            "-o",
            &path("a.lin"),
        ],
    );
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    assert_eq!(std::fs::read_to_string(path("again.pbn")).unwrap(), LESSON);
    assert!(
        errors.contains("a.lin: no room for marks of calls and cards (!, ?, $1) (1 board), texts between the boards (1 board)"),
        "{errors}"
    );
    assert!(
        errors.contains("on 1 board the auction leads to another contract"),
        "{errors}"
    );
    // LIN keeps the contract of the file, the alert and its explanation.
    let lin = std::fs::read_to_string(path("a.lin")).unwrap();
    assert!(
        lin.contains("mb|2S!|an|weak|") && lin.contains("kv|Contract 3S|"),
        "{lin}"
    );
    let check = croupier(Path::new("."), &["convert", &path("lesson.pbn"), "--check"]);
    let errors = String::from_utf8_lossy(&check.stderr).into_owned();
    assert!(
        check.status.code() == Some(1) && errors.contains("the auction leads to 2S by south"),
        "{errors}"
    );
    // A format that needs all cards refuses the two hands, with their line.
    let refused = croupier(
        Path::new("."),
        &["convert", &path("lesson.pbn"), "--to", "csv"],
    );
    let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        refused.status.code() == Some(1) && errors.contains("board 2: not all cards are known"),
        "{errors}"
    );
}

#[test]
fn an_unknown_call_is_an_error_with_its_line_and_keep_going_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("bad.pbn"), LESSON.replace("2s* =1=", "2s* Xass")).unwrap();
    std::fs::write(path("empty.pbn"), "% PBN 2.1\n").unwrap();
    std::fs::write(path("good.pbn"), LESSON).unwrap();
    let output = croupier(
        Path::new("."),
        &[
            "convert",
            &path("bad.pbn"),
            &path("empty.pbn"),
            &path("good.pbn"),
            "--to",
            "lin",
            "--keep-going",
        ],
    );
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        errors.contains("line 18, board 1: \"Xass\" is no call")
            && errors.contains("there is no deal in it"),
        "{errors}"
    );
    assert_eq!(
        output
            .stdout
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .count(),
        3
    );
    assert_eq!(output.status.code(), Some(1));
    let missing = croupier(
        Path::new("."),
        &["convert", &path("nofile.pbn"), "--to", "lin"],
    );
    let errors = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(
        missing.status.code() == Some(2) && errors.contains("there is no file of this name"),
        "{errors}"
    );
}

#[test]
fn deals_on_the_command_line_are_numbered_in_order() {
    let deal = "N:T85.AT.Q96543.Q8 J4.Q432.K2.K9542 AKQ62.KJ5.T.JT76 973.9876.AJ87.A3";
    let output = croupier(Path::new("."), &["convert", deal, deal, "--to", "pbn"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("[Board \"1\"]") && text.contains("[Board \"2\"]"),
        "{text}"
    );
}
