//! Common switches have the same name and meaning in every command.

use crate::common::dealer_path;
use std::path::Path;
use std::process::{Command, Output};

use clap::{Arg, CommandFactory};
use croupier_programs::command::Cli;

const NUMBER: (&str, &str) = ("n", "number");
const SEED: (&str, &str) = ("s", "seed");
const FORMAT: (&str, &str) = ("f", "format");
const OUTPUT: (&str, &str) = ("o", "output");
const THREADS: (&str, &str) = ("j", "threads");
const FIRST_BOARD: (&str, &str) = ("", "first-board");
const ROTATE: (&str, &str) = ("", "rotate");
const TURN: (&str, &str) = ("", "turn");
const REPORT: (&str, &str) = ("", "report");

/// The commands that accept each of the common switches.
const TABLE: [(&str, &[(&str, &str)]); 29] = [
    (
        "dealer",
        &[
            NUMBER,
            SEED,
            FORMAT,
            OUTPUT,
            THREADS,
            FIRST_BOARD,
            ROTATE,
            REPORT,
        ],
    ),
    ("bench", &[FORMAT, THREADS]),
    ("bid", &[NUMBER, FORMAT, OUTPUT, THREADS]),
    ("infer", &[NUMBER, SEED, OUTPUT]),
    ("match", &[NUMBER, SEED, FORMAT, OUTPUT, THREADS, REPORT]),
    ("compare", &[NUMBER, SEED, FORMAT, OUTPUT, THREADS, REPORT]),
    (
        "convert",
        &[NUMBER, FORMAT, OUTPUT, THREADS, FIRST_BOARD, ROTATE],
    ),
    ("lead", &[NUMBER, SEED, FORMAT, OUTPUT, THREADS, REPORT]),
    ("merge", &[FORMAT, THREADS, ROTATE, REPORT]),
    ("metrics", &[FORMAT]),
    ("play", &[FORMAT, OUTPUT, THREADS]),
    ("shapes", &[FORMAT]),
    ("solve", &[NUMBER, FORMAT, OUTPUT, THREADS]),
    ("suit", &[FORMAT, OUTPUT, REPORT]),
    (
        "system check",
        &[NUMBER, SEED, FORMAT, OUTPUT, THREADS, REPORT],
    ),
    ("probability", &[SEED, FORMAT, OUTPUT]),
    (
        "profile",
        &[
            NUMBER,
            SEED,
            FORMAT,
            OUTPUT,
            FIRST_BOARD,
            ROTATE,
            TURN,
            REPORT,
        ],
    ),
    ("profile new", &[OUTPUT]),
    ("record", &[NUMBER, FORMAT, OUTPUT, THREADS]),
    ("scenario list", &[FORMAT]),
    (
        "scenario deal",
        &[NUMBER, SEED, FORMAT, OUTPUT, THREADS, FIRST_BOARD, ROTATE],
    ),
    ("value", &[FORMAT, OUTPUT]),
    ("poker equity", &[NUMBER, SEED, FORMAT, THREADS]),
    ("poker matrix", &[NUMBER, SEED, FORMAT, THREADS]),
    ("poker combos", &[NUMBER, SEED, FORMAT, THREADS]),
    ("poker strength", &[FORMAT]),
    ("poker outs", &[FORMAT]),
    ("validate", &[]),
    ("verify", &[]),
];

/// Returns the names of an argument, short and long, visible or hidden.
fn has(arg: &Arg, (short, long): (&str, &str)) -> bool {
    let shorts = arg.get_short_and_visible_aliases().unwrap_or_default();
    let longs = arg.get_long_and_visible_aliases().unwrap_or_default();
    longs.contains(&long) && (short.is_empty() || shorts.contains(&short.chars().next().unwrap()))
}

fn command(path: &str) -> clap::Command {
    if path == "dealer" {
        return dealer::native::Cli::command();
    }
    let mut command = Cli::command();
    for word in path.split(' ') {
        let found = command
            .find_subcommand(word)
            .unwrap_or_else(|| panic!("{path}"));
        command = found.clone();
    }
    command
}

#[test]
fn common_switches_have_the_same_names_everywhere() {
    let mut wrong = Vec::new();
    for (path, switches) in TABLE {
        let command = command(path);
        for &switch in switches {
            if !command.get_arguments().any(|arg| has(arg, switch)) {
                wrong.push(format!("{path}: -{} --{}", switch.0, switch.1));
            }
        }
        // No common name has another meaning.
        for arg in command.get_arguments() {
            let long = arg.get_long_and_visible_aliases().unwrap_or_default();
            for (short, word) in [NUMBER, SEED, FORMAT, OUTPUT, THREADS] {
                let shorts = arg.get_short_and_visible_aliases().unwrap_or_default();
                let short = short.chars().next().unwrap();
                // The validator's -f is that of dealer3, so it is an exception.
                if shorts.contains(&short) && !long.contains(&word) && path != "validate" {
                    wrong.push(format!("{path}: -{short} is {long:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn croupier(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(words)
        .output()
        .unwrap()
}

#[track_caller]
fn printed(words: &[&str]) -> String {
    let output = croupier(words);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

const DEAL: &str = "N:AQ963.K.KJ752.84 2.QT984.AQT.AKJ5 KT74.AJ65.8.Q732 J85.732.9643.T96";

/// A deal may be given as text or as a file, wherever a deal is expected.
#[test]
fn a_deal_is_an_argument_or_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let file = path("deal.pbn");
    printed(&["convert", DEAL, "-o", &file]);
    std::fs::write(path("all.dl"), "condition hcp(north) == 13\n").unwrap();
    for given in [DEAL, file.as_str()] {
        assert!(printed(&["solve", given, "-f", "csv"]).lines().count() == 2);
        assert!(printed(&["value", given, "--only", "hcp", "-f", "csv"]).contains(",hcp,"));
        printed(&["record", given, "--force", "-o", &path("out.html")]);
        assert!(printed(&["convert", given, "-f", "lin"]).contains("|md|"));
        assert!(
            printed(&["compare", "-k", "3N", "-k", "4S-N", "--deals", given]).contains("1 deals")
        );
        assert!(printed(&["validate", &path("all.dl"), given, "-v"]).starts_with("PASS"));
        for words in [["--input-deals", given], ["--explain-deal", given]] {
            let mut dealer = Command::new(dealer_path());
            let output = dealer
                .args(words)
                .args(["-v", &path("all.dl")])
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success() && !output.stdout.is_empty(),
                "{words:?}: {errors}"
            );
        }
    }
    // The error for a text that is neither a deal nor a file is printed once.
    for words in [
        &["solve", "N:AQ963 nonsense"][..],
        &["record", "/no/such.pbn", "-o", "-", "-f", "html"],
        &["validate", &path("all.dl"), "/no/such.pbn"],
    ] {
        let output = croupier(words);
        assert!(
            !output.status.success() && output.stdout.is_empty(),
            "{words:?}"
        );
        assert_eq!(
            String::from_utf8_lossy(&output.stderr).lines().count(),
            1,
            "{words:?}"
        );
    }
}

#[test]
fn the_first_boards_alone_and_files_for_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let set = path("set.pbn");
    printed(&[
        "scenario", "deal", "stayman", "--number", "6", "-s", "3", "-o", &set,
    ]);
    assert_eq!(
        printed(&["solve", &set, "-n", "2", "-f", "csv"])
            .lines()
            .count(),
        3
    );
    assert_eq!(
        printed(&["convert", &set, "-n", "4", "-f", "oneline"])
            .lines()
            .count(),
        4
    );
    for (command, words) in [
        ("value", &["value", DEAL][..]),
        ("probability", &["probability", &path("one.dl")]),
        (
            "compare",
            &["compare", "-k", "3N", "-k", "4S-N", "--deals", DEAL],
        ),
        (
            "lead",
            &["lead", "-k", "3N-S", "-H", "KQJ4.T9.A2.87632", "-n", "2"],
        ),
    ] {
        std::fs::write(path("one.dl"), "condition hcp(north) == 13\n").unwrap();
        let shown = printed(words);
        let file = path(command);
        assert_eq!(printed(&[words, &["-o", &file]].concat()), "", "{command}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), shown, "{command}");
    }
}

/// `--rotate` follows the numbers of the boards; `--turn random` does not.
#[test]
fn turning_has_one_meaning() {
    let profile =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../profiles/tests/data/weak-two.toml");
    let profile = profile.to_str().unwrap();
    let dealers = |more: &[&str]| -> String {
        let pbn = printed(&[&["profile", profile, "-n", "8", "-s", "5"], more].concat());
        pbn.lines()
            .filter_map(|line| line.strip_prefix("[Dealer \"")?.chars().next())
            .collect()
    };
    assert_eq!(dealers(&["--rotate"]), "NESWNESW");
    assert_eq!(dealers(&["--turn", "none"]), "NNNNNNNN");
    assert_eq!(dealers(&["--turn", "random"]), dealers(&[]));
    assert_ne!(dealers(&["--turn", "random"]), "NNNNNNNN");
    assert_eq!(
        croupier(&["profile", profile, "--rotate", "--turn", "none"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn an_error_names_the_poker_command_of_that_name() {
    for word in ["equity", "matrix", "outs", "strength"] {
        let output = croupier(&[word, "AA", "KK"]);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(&format!("croupier poker {word}")), "{said}");
    }
}
