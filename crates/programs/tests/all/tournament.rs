//! Boards of a tournament: an organiser deals them and a player verifies them.

use crate::common::dealer_path;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

fn run(program: &str, folder: &Path, words: &[&str]) -> Output {
    Command::new(program)
        .current_dir(folder)
        .env_remove("CROUPIER_COMPAT")
        .args(words)
        .output()
        .expect("the program runs")
}

fn dealer(folder: &Path, words: &[&str]) -> Output {
    run(dealer_path(), folder, words)
}

fn verify(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let words: Vec<&str> = std::iter::once("verify")
        .chain(words.iter().copied())
        .collect();
    let output = run(env!("CARGO_BIN_EXE_croupier"), folder, &words);
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

fn replace(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).expect("the file can be accessed");
    assert!(text.contains(from), "{from}");
    std::fs::write(path, text.replacen(from, to, 1)).expect("the file can be accessed");
}

/// Verifies `final.pbn` and `final.key` with the example in Python.
fn assert_python_agrees(here: &Path) {
    let key = std::fs::read_to_string(here.join("final.key")).expect("the key file can be read");
    let commitment = key
        .lines()
        .find_map(|line| line.strip_prefix("commitment:"));
    let commitment = commitment.expect("the key file has the commitment");
    let (status, text) = python_verdict(
        here,
        &["final.pbn", "final.key", "--commitment", commitment],
    );
    assert!(status == Some(0) && text.starts_with("OK: "), "{text}");
}

/// Runs the example in Python, which takes the arguments of `croupier verify`.
fn python_verdict(here: &Path, words: &[&str]) -> (Option<i32>, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tournament/verify.py");
    let python = Command::new("python3")
        .current_dir(here)
        .arg(script)
        .args(words)
        .output()
        .expect("Python runs");
    let text = String::from_utf8_lossy(&python.stdout).into_owned()
        + &String::from_utf8_lossy(&python.stderr);
    (python.status.code(), text)
}

#[test]
fn thirty_six_boards_of_a_condition_are_verified() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(
        here.join("strong.dl"),
        "# a long line follows\nhcp(north) >= $1\n",
    )
    .expect("the script can be written");
    let dealt = dealer(
        here,
        &[
            "--tournament",
            "-n",
            "36",
            "-v",
            "--rotate",
            "-1",
            "15",
            "-o",
            "final.pbn",
            "strong.dl",
        ],
    );
    let said = String::from_utf8_lossy(&dealt.stderr).into_owned();
    assert!(
        dealt.status.success() && said.contains("commitment SHA-256"),
        "{said}"
    );
    let key = std::fs::read_to_string(here.join("final.key")).expect("the key file can be read");
    let digits = key
        .lines()
        .next()
        .expect("a line")
        .trim_start_matches("key:");
    assert_eq!(digits.len(), 64);
    assert!(!said.contains(digits), "the key is not told");
    let mode = std::fs::metadata(here.join("final.key"))
        .expect("the key file can be read")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let (status, text) = verify(here, &["final.pbn", "final.key"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(
        text.starts_with("OK: all 36 boards follow")
            && text.contains("no deal that satisfies the script was left out"),
        "{text}"
    );
    // Check the script itself on the deals of the key.
    let file = std::fs::read(here.join("final.pbn")).expect("the file can be accessed");
    for board in croupier::formats::Reader::new(&file[..]).expect("PBN") {
        let board = board.expect("the board can be read");
        assert!(
            board
                .extras
                .expect("the board has tags")
                .tag("DealNumber")
                .is_some()
        );
    }
    // The Python example agrees on everything except the selection of the deals.
    assert_python_agrees(here);
    // The converted file has the same boards; then the script must be given.
    let converted = run(
        env!("CARGO_BIN_EXE_croupier"),
        here,
        &["convert", "final.pbn", "-o", "final.lin"],
    );
    assert!(converted.status.success(), "{converted:?}");
    let (status, text) = verify(here, &["final.lin", "final.key"]);
    assert!(
        status == Some(0) && text.contains("not known without the script"),
        "{text}"
    );
    // A key is never overwritten.
    let again = dealer(
        here,
        &[
            "--tournament",
            "--force",
            "-n",
            "2",
            "-v",
            "-o",
            "final.pbn",
            "strong.dl",
            "-1",
            "3",
        ],
    );
    assert!(
        !again.status.success()
            && String::from_utf8_lossy(&again.stderr).contains("never overwritten")
    );
    assert_eq!(
        std::fs::read(here.join("final.pbn")).expect("the file can be accessed"),
        file,
        "and the boards stay"
    );
}

#[test]
fn the_first_wrong_board_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(here.join("strong.dl"), "hcp(north) >= 13\n")
        .expect("the script can be written");
    let deal = || {
        let dealt = dealer(
            here,
            &[
                "--tournament=000102",
                "-n",
                "6",
                "-v",
                "-o",
                "set.pbn",
                "strong.dl",
            ],
        );
        assert!(dealt.status.success(), "{dealt:?}");
    };
    deal();
    let (status, text) = verify(here, &["set.pbn", "000102"]);
    assert_eq!(status, Some(0), "{text}");
    let (status, text) = verify(here, &["set.pbn", "000103"]);
    assert!(
        status == Some(1) && text.contains("not the one that was promised"),
        "{text}"
    );
    // The condition differs from the one that selected the deals.
    std::fs::write(here.join("weak.dl"), "hcp(north) >= 10\n").expect("the script can be written");
    let (status, text) = verify(here, &["set.pbn", "000102", "--script", "weak.dl"]);
    assert!(
        status == Some(1) && text.contains("not chosen as promised"),
        "{text}"
    );
    std::fs::write(here.join("other.dl"), "hcp(north) <= 9\n").expect("the script can be written");
    let (status, text) = verify(here, &["set.pbn", "000102", "--script", "other.dl"]);
    assert!(status == Some(1), "{text}");
    // Exchange two cards on the third board.
    let set = std::fs::read_to_string(here.join("set.pbn")).expect("the file can be accessed");
    let deal_of = |board: &str| {
        let from = set
            .find(&format!("[Board \"{board}\"]"))
            .expect("the board can be read");
        let line = set[from..]
            .lines()
            .find(|line| line.starts_with("[Deal \""))
            .expect("the board has a deal");
        line.to_owned()
    };
    replace(
        &here.join("set.pbn"),
        &deal_of("3"),
        &deal_of("5").replace("[Deal \"N", "[Deal \"S"),
    );
    let (status, text) = verify(here, &["set.pbn", "000102"]);
    assert!(
        status == Some(1) && text.contains("WRONG: board 3 is not deal"),
        "{text}"
    );
}

#[test]
fn tournaments_and_classic_programs_do_not_mix() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(here.join("any.dl"), "produce 1\n").expect("the script can be written");
    for compat in ["v1", "v2", "exe"] {
        let output = dealer(here, &["--compat", compat, "--tournament", "any.dl"]);
        assert!(!output.status.success(), "{compat}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("--tournament"),
            "{output:?}"
        );
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn given_boards_keep_their_data() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    let board = |number: u64, dealer: &str, deal: &str| {
        format!(
            "[Event \"Cup\"]\n[Date \"2020.01.02\"]\n[Board \"{number}\"]\n[North \"Ann\"]\n[Dealer \"{dealer}\"]\n[Vulnerable \"EW\"]\n\
             [Deal \"N:{deal}\"]\n[DoubleDummyTricks \"59675596757475874758\"]\n[Auction \"{dealer}\"]\n1C AP\n\n"
        )
    };
    let [strong, weak] = [
        "AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7",
        "QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7 AKJ.KQJ.A9873.Q9",
    ];
    let file = board(17, "S", weak) + &board(21, "W", strong);
    std::fs::write(here.join("set.pbn"), file).expect("the file can be accessed");
    std::fs::write(here.join("strong.dl"), "hcp(north) >= 15\n")
        .expect("the script can be written");
    for (name, more) in [("out.pbn", &[][..]), ("out.json", &[]), ("out.lin", &[])] {
        let mut words = vec!["--input-deals", "set.pbn", "-v", "-o", name, "strong.dl"];
        words.extend_from_slice(more);
        let output = dealer(here, &words);
        assert!(output.status.success(), "{output:?}");
        let bytes = std::fs::read(here.join(name)).expect("the file can be accessed");
        let boards: Vec<croupier::formats::Board> = croupier::formats::Reader::new(&bytes[..])
            .expect("the format is known")
            .map(|board| board.expect("the board can be read"))
            .collect();
        assert_eq!(boards.len(), 1, "{name}");
        let board = &boards[0];
        assert_eq!(
            (board.number, board.dealer),
            (Some(21), Some(croupier::cards::Seat::West)),
            "{name}"
        );
        assert_eq!(
            board.vulnerable,
            Some(croupier::cards::Vulnerability::EastWest),
            "{name}"
        );
        assert!(
            board.tricks.is_some() && board.par_contracts.is_some(),
            "{name}"
        );
        assert_eq!(
            board.record.as_ref().expect("an auction").auction.len(),
            4,
            "{name}"
        );
        if name != "out.lin" {
            let names = board.names.as_ref().expect("names");
            assert_eq!(
                (
                    &*names.event,
                    &*names.date,
                    &*names.players[croupier::cards::Seat::North]
                ),
                ("Cup", "2020.01.02", "Ann"),
                "{name}"
            );
        }
    }
    // A file for the dealing machine, straight from the script.
    let output = dealer(
        here,
        &[
            "-s",
            "1",
            "-n",
            "24",
            "-v",
            "--first-board",
            "5",
            "-o",
            "lesson.dup",
            "strong.dl",
        ],
    );
    assert!(output.status.success(), "{output:?}");
    let bytes = std::fs::read(here.join("lesson.dup")).expect("the file can be accessed");
    assert_eq!(bytes.len(), 24 * 156);
    assert_eq!(&bytes[146..156], b"YN5  1 28 ");
    let output = dealer(
        here,
        &["-s", "1", "-n", "2", "-o", "lesson.docx", "strong.dl"],
    );
    assert_eq!(output.status.code(), Some(2));
}

/// One key for all runs, because the number of deals of each class depends on the key.
const KEY: &str = "--tournament=000102";

const CLASSES: &str = "\
HandType_Flat = shape(north, any 4333 + any 4432 + any 5332)
HandType_Long = shape(north, any 6xxx)
LevelType_Weak = hcp(north) <= 11
LevelType_Strong = hcp(north) >= 12
condition hcp(south) >= 8
";

/// Conditions, rotation and levels together give 36 boards, nine of each combined class.
#[test]
fn levelled_boards_are_verified() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(here.join("classes.dl"), CLASSES).expect("the script can be written");
    let words = |file: &'static str, more: &[&'static str]| -> Vec<&'static str> {
        let mut words = vec![
            KEY,
            "--level",
            "Flat=1,Long=1,Weak=1,Strong=1",
            "-n",
            "36",
            "--rotate",
        ];
        words.extend(more);
        words.extend(["-o", file, "classes.dl"]);
        words
    };
    let dealt = dealer(here, &words("final.pbn", &[]));
    let said = String::from_utf8_lossy(&dealt.stderr).into_owned();
    assert!(dealt.status.success(), "{said}");
    let (status, text) = verify(here, &["final.pbn", "final.key"]);
    assert_eq!(status, Some(0), "{text}");
    assert!(
        text.contains("the classes come in the order of the key"),
        "{text}"
    );
    // Nine boards of each combined class, in the hand that was North's before the rotation.
    let bytes = std::fs::read(here.join("final.pbn")).expect("the file can be accessed");
    let mut counts = [[0; 2]; 2];
    let mut numbers = Vec::new();
    for board in croupier::formats::Reader::new(&bytes[..]).expect("PBN") {
        let board = board.expect("the board can be read");
        let tag = |name: &str| {
            board
                .extras
                .as_ref()
                .expect("the board has tags")
                .tag(name)
                .map(str::to_owned)
        };
        let turns: usize = tag("DealTurned").map_or(0, |text| text.parse().unwrap());
        numbers.push(tag("DealNumber").unwrap().parse::<u64>().unwrap());
        let north = board
            .deal()
            .unwrap()
            .rotated(4 - turns)
            .hand(croupier::cards::Seat::North);
        let long = croupier::cards::Suit::ALL
            .into_iter()
            .any(|suit| north.holding(suit).len() == 6);
        let points: i32 = croupier::cards::Suit::ALL
            .into_iter()
            .map(|suit| croupier::valuation::suit_hcp(north.holding(suit)))
            .sum();
        counts[usize::from(long)][usize::from(points >= 12)] += 1;
    }
    assert_eq!(counts, [[9, 9], [9, 9]]);
    assert!(!numbers.is_sorted(), "each class has its own order");
    // The Python example agrees on the cards.
    let key = std::fs::read_to_string(here.join("final.key")).expect("the key file can be read");
    assert_python_agrees(here);
    // A key and a script give the same file with any number of threads.
    let digits = key.lines().next().unwrap().trim_start_matches("key:");
    let given = format!("--tournament=key:{digits}");
    let again = dealer(
        here,
        &[
            &given,
            "--level",
            "Flat=1,Long=1,Weak=1,Strong=1",
            "-n",
            "36",
            "--rotate",
            "-j",
            "1",
            "-o",
            "again.pbn",
            "classes.dl",
        ],
    );
    assert!(again.status.success(), "{again:?}");
    assert_eq!(
        std::fs::read(here.join("again.pbn")).expect("the file can be accessed"),
        bytes
    );
    // Other shares, another script or two exchanged boards are detected.
    replace(
        &here.join("again.pbn"),
        "%level 36 shuffled",
        "%level 36 even",
    );
    let (status, text) = verify(here, &["again.pbn", "final.key"]);
    assert!(
        status == Some(1) && text.contains("covers level:shuffled"),
        "{text}"
    );
    std::fs::write(here.join("again.pbn"), &bytes).expect("the file can be accessed");
    replace(
        &here.join("again.pbn"),
        "hcp(south) >= 8",
        "hcp(south) >= 7",
    );
    let (status, text) = verify(here, &["again.pbn", "final.key"]);
    assert!(status == Some(1) && text.contains("WRONG: "), "{text}");
    // Rounds with equal shares, and shares that the script itself gives.
    std::fs::write(
        here.join("classes.dl"),
        format!("{CLASSES}HandType_Long_Share = 3\n"),
    )
    .expect("the script can be written");
    let dealt = dealer(
        here,
        &[
            KEY,
            "--level",
            "-n",
            "16",
            "--even",
            "-o",
            "even.pbn",
            "classes.dl",
        ],
    );
    assert!(dealt.status.success(), "{dealt:?}");
    let (status, text) = verify(here, &["even.pbn", "even.key"]);
    assert_eq!(status, Some(0), "{text}");
    // A class that never occurs is an error and does not shorten the set.
    std::fs::write(
        here.join("classes.dl"),
        CLASSES.replace("any 6xxx)", "any 6xxx) && hcp(north) > 37"),
    )
    .expect("the script can be written");
    let rare = dealer(
        here,
        &[
            KEY,
            "--level",
            "Flat=1,Long=1",
            "-n",
            "9",
            "-g",
            "20",
            "-o",
            "rare.pbn",
            "classes.dl",
        ],
    );
    assert_eq!(rare.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&rare.stderr).contains("Long: found 0 of the"),
        "{rare:?}"
    );
    assert!(!here.join("rare.pbn").exists());
}

/// Without a condition every deal of the key must be on a board, and nothing else about a board may be changed.
#[test]
fn changed_dealers_numbers_and_missing_boards_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    let words = [
        "--tournament=0a0b",
        "-p",
        "6",
        "-f",
        "pbn",
        "-o",
        "set.pbn",
        "/dev/null",
    ];
    let dealt = dealer(here, &words);
    assert!(dealt.status.success(), "{dealt:?}");
    // The commitment is printed after the boards are written.
    let errors = String::from_utf8_lossy(&dealt.stderr);
    assert!(
        errors.contains("Publish before play: commitment"),
        "{errors}"
    );
    let refused = dealer(
        here,
        &[
            "--tournament=0a0c",
            "--force",
            "-p",
            "6",
            "-f",
            "pbn",
            "-o",
            "set.pbn",
            "/dev/null",
        ],
    );
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && !errors.contains("Publish"),
        "{errors}"
    );
    let path = here.join("set.pbn");
    let set = std::fs::read_to_string(&path).expect("the file can be read");
    let games: Vec<&str> = set.split("\r\n\r\n").collect();
    let without = |left_out: usize| {
        let kept = games.iter().enumerate().filter(|(i, _)| *i != left_out);
        kept.map(|(_, game)| *game)
            .collect::<Vec<_>>()
            .join("\r\n\r\n")
    };
    let exchanged = set
        .replace("[Board \"2\"]", "[Board \"X\"]")
        .replace("[Board \"3\"]", "[Board \"2\"]")
        .replace("[Board \"X\"]", "[Board \"3\"]");
    let numbered_again = without(2)
        .replace("[Board \"4\"]", "[Board \"3\"]")
        .replace("[Board \"5\"]", "[Board \"4\"]")
        .replace("[Board \"6\"]", "[Board \"5\"]")
        .replace("[Dealer", "[WasDealer")
        .replace("[Vulnerable", "[WasVulnerable");
    for (text, message) in [
        (set.clone(), "OK: all 6 boards"),
        (
            set.replacen("[Dealer \"E\"]", "[Dealer \"S\"]", 1),
            "WRONG: board 2: the dealer is south",
        ),
        (
            set.replacen("[Vulnerable \"NS\"]", "[Vulnerable \"All\"]", 1),
            "WRONG: board 2: vulnerable is All",
        ),
        (exchanged, "WRONG: board 3"),
        (without(2), "deal 2 of the key"),
        (numbered_again, "deal 2 of the key"),
    ] {
        std::fs::write(&path, text).expect("the file can be written");
        let (status, text) = verify(here, &["set.pbn", "0a0b"]);
        assert!(text.contains(message), "{message}: {text}");
        assert_eq!(
            status,
            Some(i32::from(!message.starts_with("OK"))),
            "{text}"
        );
    }
}

/// The commitment covers the number of boards and the script, so boards that are missing at the end and renumbered
/// boards are found, with the script or without one.
#[test]
fn missing_boards_at_the_end_and_renumbered_boards_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    for script in ["", "hcp(north) >= 12\n"] {
        let name = if script.is_empty() { "all" } else { "some" };
        let (boards, key) = (format!("{name}.pbn"), format!("{name}.key"));
        std::fs::write(here.join("s.dl"), script).expect("the script can be written");
        let dealt = dealer(here, &["--tournament", "-n", "6", "-o", &boards, "s.dl"]);
        assert!(dealt.status.success(), "{dealt:?}");
        let set = std::fs::read_to_string(here.join(&boards)).expect("the file can be read");
        let games: Vec<&str> = set.trim_end().split("\r\n\r\n").collect();
        let without = |left_out: usize| {
            let kept = games.iter().enumerate().filter(|(i, _)| *i != left_out);
            let kept: Vec<&str> = kept.map(|(_, game)| *game).collect();
            kept.join("\r\n\r\n") + "\r\n\r\n"
        };
        // The lines of the file that carry terms and script can be removed; the key file has the terms.
        let plain = |text: &str| -> String {
            let lines = text.split_inclusive('\n');
            lines.filter(|line| !line.starts_with('%')).collect()
        };
        let mut renumbered = without(2);
        for number in 3..6 {
            let (from, to) = (
                format!("[Board \"{}\"]", number + 1),
                format!("[Board \"{number}\"]"),
            );
            renumbered = renumbered.replace(&from, &to);
        }
        renumbered = renumbered
            .replace("[Dealer", "[WasDealer")
            .replace("[Vulnerable", "[WasVulnerable");
        let mut cases = vec![
            (set.clone(), "OK: all 6 boards", "OK"),
            (
                without(5),
                "5 boards, but 6 were promised",
                "WRONG: there are 5",
            ),
            (without(2), "WRONG: ", "WRONG: "),
            (
                plain(&without(5)),
                "5 boards, but 6 were promised",
                "WRONG: there are 5",
            ),
        ];
        if script.is_empty() {
            // Deals 0, 1, 3 on boards 1, 2, 3, and nothing that says which script chose them.
            cases.push((plain(&renumbered), "deal 2 of the key", "deal 2 of the key"));
        } else {
            cases.push((renumbered, "was left out", "5 boards, but 6"));
            let weaker = set.replace("hcp(north) >= 12", "hcp(north) >= 11");
            cases.push((
                weaker,
                "not chosen as promised",
                "not the one that was promised",
            ));
        }
        for (text, message, python) in cases {
            std::fs::write(here.join("set.pbn"), text).expect("the file can be written");
            let (status, text) = verify(here, &["set.pbn", &key]);
            assert!(text.contains(message), "{name}: {message}: {text}");
            assert_eq!(
                status,
                Some(i32::from(!message.starts_with("OK"))),
                "{text}"
            );
            let (status, text) = python_verdict(here, &["set.pbn", &key]);
            assert!(text.contains(python), "{name}: {python}: {text}");
            assert_eq!(status, Some(i32::from(python != "OK")), "{text}");
        }
        // The digits of the key alone do not show what else the commitment covers.
        let text = std::fs::read_to_string(here.join(&key)).expect("the key file can be read");
        let digits = text
            .lines()
            .next()
            .expect("a line")
            .trim_start_matches("key:");
        std::fs::write(here.join("set.pbn"), plain(&set)).expect("the file can be written");
        let (status, text) = verify(here, &["set.pbn", digits]);
        assert!(
            status == Some(1) && text.contains("give the key file"),
            "{text}"
        );
        // The commitment is the hash of the lines of the key file before it.
        let hash = Command::new("sh")
            .current_dir(here)
            .args(["-c", &format!("grep -v ^commitment {key} | sha256sum")])
            .output()
            .expect("the hash can be computed");
        let hash = String::from_utf8_lossy(&hash.stdout)[..64].to_owned();
        let (status, text) = verify(here, &[&boards, &key, "--commitment", &hash]);
        assert_eq!(status, Some(0), "{text}");
    }
}

/// Boards that depend on a public value cannot be chosen before the commitment is published.
#[test]
fn a_public_value_decides_the_deals_after_the_commitment() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(here.join("s.dl"), "hcp(north) >= 12\n").expect("the script can be written");
    let words = ["-n", "6", "--rotate", "-o", "final.pbn", "s.dl"];
    let promised = dealer(
        here,
        &[
            &["--tournament", "--beacon", "Dow Jones on 1 December"][..],
            &words,
        ]
        .concat(),
    );
    let said = String::from_utf8_lossy(&promised.stderr).into_owned();
    assert!(
        promised.status.success() && !here.join("final.pbn").exists(),
        "{said}"
    );
    assert!(said.contains("Publish now: commitment SHA-256"), "{said}");
    let key = std::fs::read_to_string(here.join("final.key")).expect("the key file can be read");
    let commitment = key
        .lines()
        .find_map(|line| line.strip_prefix("commitment:"));
    let commitment = commitment.expect("the key file has the commitment");
    assert!(said.contains(commitment), "{said}");
    // Without the value, and with other terms, nothing is dealt.
    let with_key = "--tournament=final.key";
    for (more, message) in [
        (vec![with_key], "depend on a public value"),
        (
            vec![with_key, "--beacon-value", "44910.65", "-n", "7"],
            "covers boards:6",
        ),
    ] {
        let words = words
            .iter()
            .copied()
            .filter(|word| more.len() < 4 || !["-n", "6"].contains(word));
        let words: Vec<&str> = more.iter().copied().chain(words).collect();
        let refused = dealer(here, &words);
        let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{errors}");
        assert!(errors.contains(message), "{errors}");
        assert!(!here.join("final.pbn").exists());
    }
    let dealt = dealer(
        here,
        &[&[with_key, "--beacon-value", "44910.65"][..], &words].concat(),
    );
    assert!(dealt.status.success(), "{dealt:?}");
    let after = std::fs::read_to_string(here.join("final.key")).expect("the key file can be read");
    assert_eq!(key, after, "the promise stays as it was");
    let verdict = [
        "final.pbn",
        "final.key",
        "--commitment",
        commitment,
        "--beacon-value",
    ];
    for (value, message, expected) in [
        (
            "44910.65",
            "and the public value \"44910.65\" (Dow Jones on 1 December)",
            0,
        ),
        ("44910.66", "WRONG: board 1 is not deal", 1),
    ] {
        let (status, text) = verify(here, &[&verdict[..], &[value]].concat());
        assert!(status == Some(expected) && text.contains(message), "{text}");
        let (status, text) = python_verdict(here, &[&verdict[..], &[value]].concat());
        assert_eq!(status, Some(expected), "{text}");
    }
    // Another number gives other boards from the same key.
    let other = [
        &[with_key, "--beacon-value", "44910.66", "--force"][..],
        &words,
    ]
    .concat();
    let before = std::fs::read(here.join("final.pbn")).expect("the file can be read");
    assert!(dealer(here, &other).status.success());
    let after = std::fs::read(here.join("final.pbn")).expect("the file can be read");
    assert_ne!(before, after);
    let without = dealer(
        here,
        &["--tournament", "--beacon-value", "1", "-n", "1", "s.dl"],
    );
    assert_eq!(without.status.code(), Some(2));
}

/// Fewer boards than promised give no commitment.
#[test]
fn a_set_with_too_few_boards_has_no_commitment() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let here = folder.path();
    std::fs::write(here.join("s.dl"), "hcp(north) >= 20\n").expect("the script can be written");
    let short = dealer(
        here,
        &[
            "--tournament=0102",
            "-n",
            "36",
            "-g",
            "500",
            "-o",
            "a.pbn",
            "s.dl",
        ],
    );
    let said = String::from_utf8_lossy(&short.stderr).into_owned();
    assert_eq!(short.status.code(), Some(1), "{said}");
    assert!(
        said.contains("of the 36 boards were found") && !said.contains("Publish"),
        "{said}"
    );
}
