//! Reads croupier's files with independent packages: PBN and LIN with two Python packages, files of dealing machines
//! with one npm package.
//!
//! The packages are installed below the target folder, once.

use crate::common::dealer_path;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The packages and the versions that the tests use.
const PACKAGES: [&str; 2] = ["endplay==0.5.12", "bridgebots==0.0.12"];

/// Returns the Python of an environment with the packages; the first test that needs it creates it.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readers");
        let python = folder.join("bin/python");
        let ready = folder.join("ready");
        if !ready.exists() {
            run(
                Command::new("python3")
                    .args(["-m", "venv", "--clear"])
                    .arg(&folder),
                "python3 -m venv (package python3-venv)",
            );
            let mut install = Command::new(&python);
            install
                .args([
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                ])
                .args(PACKAGES);
            run(&mut install, "pip install of the independent readers");
            std::fs::write(&ready, "").expect("a mark in the environment");
        }
        python
    })
}

fn run(command: &mut Command, what: &str) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{what} cannot be run: {error}"));
    assert!(
        output.status.success(),
        "{what} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A script for forty deals with dealer, vulnerability and long suits.
const SCRIPT: &str =
    "condition spades(north) >= 5 or hearts(east) == 0 or rnd(4) == 0\nproduce 40\n";

fn deal(switches: &[&str], script: &str) -> Vec<u8> {
    let mut child = Command::new(dealer_path())
        .env_remove("CROUPIER_COMPAT")
        .args(["-s", "11", "-v"])
        .args(switches)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("dealer runs");
    std::io::Write::write_all(
        &mut child.stdin.take().expect("standard input is piped"),
        script.as_bytes(),
    )
    .expect("the script can be written");
    child.wait_with_output().expect("dealer ends").stdout
}

/// Returns the expected output of a reader: one line per board.
fn expected() -> String {
    let json = deal(&["-f", "json"], SCRIPT);
    let boards: Vec<croupier::formats::Board> = croupier::formats::Reader::new(&json[..])
        .expect("the text is JSON")
        .map(|board| board.expect("the board can be read"))
        .collect();
    assert_eq!(boards.len(), 40);
    let mut text = String::new();
    for board in boards {
        let deal = board.deal().expect("the board has a deal");
        let hands: Vec<String> = deal.hands().iter().map(ToString::to_string).collect();
        text += &format!(
            "{} {} {} {}\n",
            board.number.expect("a number"),
            board.dealer.expect("a dealer").letter(),
            board.vulnerable.expect("a vulnerability").pbn(),
            hands.join(" ")
        );
    }
    text
}

#[test]
fn two_independent_readers_understand_our_files() {
    let python = python();
    let expected = expected();
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let print_pbn = format!("{SCRIPT}action printpbn\n");
    for (reader, switches, script) in [
        ("endplay-pbn", &["-f", "pbn"][..], SCRIPT),
        ("endplay-pbn", &[], &print_pbn),
        ("bridgebots-pbn", &["-f", "pbn"], SCRIPT),
        ("bridgebots-pbn", &[], &print_pbn),
        ("endplay-lin", &["-f", "lin"], SCRIPT),
    ] {
        let file = folder.path().join("boards");
        std::fs::write(&file, deal(switches, script)).expect("the file of boards can be accessed");
        let output = Command::new(python)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/read_boards.py"))
            .arg(reader)
            .arg(&file)
            .output()
            .expect("Python runs");
        let read = String::from_utf8_lossy(&output.stdout);
        assert_eq!(
            read,
            expected,
            "{reader} {switches:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// The package for files of dealing machines, and its version.
const MACHINE_READER: &str = "pbn@1.6.1";

/// Returns a folder with the package [`MACHINE_READER`], installed on first use.
fn node_modules() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readers-node");
    let ready = folder.join("ready");
    if !ready.exists() {
        std::fs::create_dir_all(&folder).expect("the folder exists");
        let mut install = Command::new("npm");
        install.args(["install", "--silent", "--no-fund", "--no-audit", "--prefix"]);
        run(
            install.arg(&folder).arg(MACHINE_READER),
            "npm install of the independent reader",
        );
        std::fs::write(&ready, "").expect("a mark in the folder");
    }
    folder
}

/// Returns number and hands of the boards that a file of this format should have.
fn numbers_and_hands() -> String {
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        format!("{} {}\n", words[0], words[3..].join(" "))
    };
    expected().lines().map(line).collect()
}

#[test]
fn independent_readers_understand_the_files_of_dealing_machines() {
    let (folder, expected) = (node_modules(), numbers_and_hands());
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers");
    let files = tempfile::tempdir().expect("a temporary folder can be created");
    let set = files.path().join("set.pbn");
    std::fs::write(&set, deal(&["-f", "pbn"], SCRIPT)).expect("the file of boards can be accessed");
    let converted = |ending: &str| {
        let file = files.path().join(format!("set.{ending}"));
        let mut convert = Command::new(env!("CARGO_BIN_EXE_croupier"));
        run(
            convert.arg("convert").arg(&set).arg("-o").arg(&file),
            "croupier convert",
        );
        file
    };
    for kind in ["dup", "bri", "dge"] {
        let dealt = files.path().join("dealt");
        std::fs::write(&dealt, deal(&["-f", kind], SCRIPT))
            .expect("the file of boards can be accessed");
        for file in [dealt, converted(kind)] {
            let mut node = Command::new("node");
            node.arg(here.join("read_machine.js"))
                .arg(&folder)
                .arg(kind)
                .arg(&file);
            let output = node.output().expect("node runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                expected,
                "{kind}: {said}"
            );
        }
    }
    let mut python = Command::new("python3");
    python.arg(here.join("read_dlm.py")).arg(converted("dlm"));
    let output = python.output().expect("Python runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected,
        "dlm: {said}"
    );
}

/// Boards without players' names can be read too.
#[test]
fn converted_lin_is_understood() {
    let (python, files) = (
        python(),
        tempfile::tempdir().expect("a temporary folder can be created"),
    );
    let [dup, lin] = ["set.dup", "set.lin"].map(|name| files.path().join(name));
    std::fs::write(&dup, deal(&["-f", "dup"], SCRIPT)).expect("the file of boards can be accessed");
    let mut convert = Command::new(env!("CARGO_BIN_EXE_croupier"));
    run(
        convert.arg("convert").arg(&dup).arg("-o").arg(&lin),
        "croupier convert",
    );
    let mut reader = Command::new(python);
    reader.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/read_boards.py"));
    let output = reader
        .arg("endplay-lin")
        .arg(&lin)
        .output()
        .expect("Python runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected(),
        "{said}"
    );
}

/// Every record contains the number of the last board, so a set that is cut short must name the last board that was
/// found.
#[test]
fn a_set_that_is_cut_short_names_its_last_board() {
    let cut = deal(&["-f", "dup", "-n", "40", "-g", "3"], "produce 40\n");
    assert_eq!(cut.len(), 3 * 156);
    for record in cut.chunks(156) {
        assert_eq!(&record[146..], b"YN1  1 3  ");
    }
}

/// The file begins with the numbers of its first and last board, also if fewer boards were found than requested.
#[test]
fn dealt_dlm_is_what_convert_writes() {
    let files = tempfile::tempdir().expect("a temporary folder");
    let [pbn, dlm] = ["set.pbn", "set.dlm"].map(|name| files.path().join(name));
    let cut = ["-n", "40", "-g", "3", "--first-board", "7"];
    let dealt = |format: &str| deal(&[&["-f", format], &cut[..]].concat(), "produce 40\n");
    std::fs::write(&pbn, dealt("pbn")).expect("a file of boards");
    let mut convert = Command::new(env!("CARGO_BIN_EXE_croupier"));
    run(
        convert.arg("convert").arg(&pbn).arg("-o").arg(&dlm),
        "croupier convert",
    );
    let converted = std::fs::read(&dlm).expect("a file of boards");
    assert_eq!(
        String::from_utf8_lossy(&dealt("dlm")),
        String::from_utf8_lossy(&converted)
    );
    assert!(converted.starts_with(b"[Document]"));
}

/// A board as it was bid and played, with an explanation and a claim.
const PLAYED: &str = "\
[Event \"Club\"]\n[Site \"Bonn\"]\n[Date \"2026.11.16\"]\n[Board \"7\"]\n[West \"Will\"]\n[North \"Ann\"]\n[East \"Eve\"]\n\
[South \"Sue\"]\n[Dealer \"S\"]\n[Vulnerable \"All\"]\n\
[Deal \"S:98642.842.52.652 753.A963.KJ4.AK7 AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843\"]\n[Scoring \"IMP\"]\n[Declarer \"N\"]\n\
[Contract \"1NTX\"]\n[Result \"6\"]\n[Auction \"S\"]\nPass 1C 1NT =1= X\nAP\n[Note \"1:15-17\"]\n[Play \"E\"]\nCJ C2 CK C9\n\
C3 C5 CA CQ\n*\n\n";

/// Both packages read names, auction, explanation, play, contract and tricks from PBN and from LIN.
#[test]
fn independent_readers_follow_auction_and_play() {
    let (python, files) = (
        python(),
        tempfile::tempdir().expect("a temporary folder can be created"),
    );
    let source = files.path().join("played.txt");
    std::fs::write(&source, PLAYED).expect("the file of boards can be accessed");
    for reader in [
        "endplay-pbn",
        "endplay-lin",
        "bridgebots-pbn",
        "bridgebots-lin",
    ] {
        let (_, ending) = reader.split_once('-').expect("two words");
        let file = files.path().join("board").with_extension(ending);
        let mut convert = Command::new(env!("CARGO_BIN_EXE_croupier"));
        run(
            convert
                .args(["convert", "--force"])
                .arg(&source)
                .arg("-o")
                .arg(&file),
            "croupier convert",
        );
        if reader == "bridgebots-pbn" {
            // The package reads a board at the empty line after it, which may be missing at the end of a file.
            let text = std::fs::read_to_string(&file).expect("the file of boards can be accessed");
            std::fs::write(&file, text + "\n").expect("the file of boards can be accessed");
        }
        let mut read = Command::new(python);
        read.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/read_played.py"));
        let output = read.arg(reader).arg(&file).output().expect("Python runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            "Sue,Will,Ann,Eve; Pass 1C 1N X Pass Pass Pass; 2=15-17; CJ C2 CK C9 CA CQ C3 C5; 1NX 6\n",
            "{reader}: {said}"
        );
    }
}
