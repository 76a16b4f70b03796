//! Our PBN and LIN files, read by two Python packages that know nothing of us.
//!
//! The packages are installed into a virtual environment below the target folder, once.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The readers and the versions they are known to work with.
const PACKAGES: [&str; 2] = ["endplay==0.5.12", "bridgebots==0.0.12"];

/// The Python of an environment that has the packages.
fn python() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readers");
    let python = folder.join("bin/python");
    let ready = folder.join("ready");
    if !ready.exists() {
        run(
            Command::new("python3").args(["-m", "venv"]).arg(&folder),
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

/// Forty deals with dealer, vulnerability and long suits among them.
const SCRIPT: &str =
    "condition spades(north) >= 5 or hearts(east) == 0 or rnd(4) == 0\nproduce 40\n";

fn deal(switches: &[&str], script: &str) -> Vec<u8> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dealer"))
        .env_remove("CROUPIER_COMPAT")
        .args(["-s", "11", "-v"])
        .args(switches)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("dealer runs");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), script.as_bytes())
        .expect("a script");
    child.wait_with_output().expect("dealer ends").stdout
}

/// What a reader should understand: one line a board.
fn expected() -> String {
    let json = deal(&["-f", "json"], SCRIPT);
    let boards: Vec<formats::Board> = formats::Reader::new(&json[..])
        .expect("JSON")
        .map(|board| board.expect("a board"))
        .collect();
    assert_eq!(boards.len(), 40);
    let mut text = String::new();
    for board in boards {
        let deal = board.deal().expect("a deal");
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
    let folder = tempfile::tempdir().expect("a temporary folder");
    let print_pbn = format!("{SCRIPT}action printpbn\n");
    for (reader, switches, script) in [
        ("endplay-pbn", &["-f", "pbn"][..], SCRIPT),
        ("endplay-pbn", &[], &print_pbn),
        ("bridgebots-pbn", &["-f", "pbn"], SCRIPT),
        ("bridgebots-pbn", &[], &print_pbn),
        ("endplay-lin", &["-f", "lin"], SCRIPT),
    ] {
        let file = folder.path().join("boards");
        std::fs::write(&file, deal(switches, script)).expect("a file of boards");
        let output = Command::new(&python)
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
