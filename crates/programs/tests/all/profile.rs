//! Tests of `croupier profile`; the evaluator of the language checks its boards.

use crate::common::dealer_path;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn croupier(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(words)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../profiles/tests/data")
        .join(name);
    path.to_str().unwrap().to_owned()
}

const POSSIBLE: [&str; 12] = [
    "a-open.json",
    "b-five-spades.json",
    "c-points.json",
    "coupled.json",
    "d-both.json",
    "e-six-exactly.json",
    "e6-six-or-more.json",
    "exclusions.json",
    "roles.json",
    "two-suiter.json",
    "two-tight.json",
    "weak-two.toml",
];

/// Every board of every strategy satisfies the script translated from the profile.
#[test]
fn boards_satisfy_the_script_of_their_profile() {
    let folder = tempfile::tempdir().unwrap();
    for name in POSSIBLE {
        let file = data(name);
        let script = croupier(&["profile", "to-script", &file]);
        assert!(script.status.success(), "{name}: {}", text(&script.stderr));
        let filter: PathBuf = folder.path().join("filter.dl");
        std::fs::write(&filter, &script.stdout).unwrap();
        for strategy in ["exact", "none", "preallocate"] {
            let boards = croupier(&[
                "profile",
                &file,
                "-n",
                "30",
                "-s",
                "3",
                "--no-rotate",
                "-f",
                "oneline",
                "--strategy",
                strategy,
                "--max-attempts",
                "1000000",
            ]);
            assert!(
                boards.status.success(),
                "{name} {strategy}: {}",
                text(&boards.stderr)
            );
            assert_eq!(
                text(&boards.stdout).lines().count(),
                30,
                "{name} {strategy}"
            );
            let validated = validate(&filter, &boards.stdout);
            assert!(
                validated.status.success(),
                "{name} {strategy}: {}",
                text(&validated.stderr)
            );
        }
    }
}

fn validate(filter: &Path, boards: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["validate", filter.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), boards).unwrap();
    child.wait_with_output().unwrap()
}

/// The check can fail: boards of another profile do not satisfy the script.
#[test]
fn boards_of_another_profile_fail_the_script() {
    let folder = tempfile::tempdir().unwrap();
    let filter = folder.path().join("filter.dl");
    std::fs::write(
        &filter,
        croupier(&["profile", "to-script", &data("e-six-exactly.json")]).stdout,
    )
    .unwrap();
    let boards = croupier(&[
        "profile",
        &data("a-open.json"),
        "-n",
        "30",
        "-s",
        "3",
        "--no-rotate",
        "-f",
        "oneline",
    ]);
    assert_eq!(validate(&filter, &boards.stdout).status.code(), Some(1));
}

#[test]
fn boards_are_numbered_turned_and_always_the_same() {
    let file = data("weak-two.toml");
    let deal = || croupier(&["profile", &file, "-n", "8", "-s", "5"]).stdout;
    let pbn = text(&deal());
    assert_eq!(pbn, text(&deal()));
    assert_eq!(pbn.matches("[Board \"").count(), 8);
    assert!(pbn.contains("[Board \"8\"]"));
    let dealers: std::collections::BTreeSet<&str> = pbn
        .lines()
        .filter(|line| line.starts_with("[Dealer"))
        .collect();
    assert!(dealers.len() > 1, "turned boards have different dealers");
    let still = text(&croupier(&["profile", &file, "-n", "8", "-s", "5", "--no-rotate"]).stdout);
    assert_eq!(still.matches("[Dealer \"N\"]").count(), 8);
}

#[test]
fn boards_are_written_like_those_of_other_commands() {
    let folder = tempfile::tempdir().unwrap();
    let file = data("weak-two.toml");
    let deal = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        let words = ["profile", &file, "-n", "2", "-s", "5", "-o"];
        let words = [&words[..], &[path.to_str().unwrap()], more].concat();
        let output = croupier(&words);
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read(path).unwrap()
    };
    assert!(deal("boards.pdf", &[]).starts_with(b"%PDF"));
    assert_eq!(text(&deal("boards.lin", &[])).matches("md|").count(), 2);
    let solved = text(&deal("boards.txt", &["-f", "pbn", "--solve"]));
    assert_eq!(solved.matches("[OptimumResultTable").count(), 2, "{solved}");
    let unknown = croupier(&["profile", &file, "-n", "2", "-o", "boards.xyz"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("the ending tells no format"));
}

#[test]
fn reports_are_tables_json_and_csv() {
    let folder = tempfile::tempdir().unwrap();
    let file = data("e-six-exactly.json");
    let output = folder.path().join("boards.pbn");
    let base = [
        "profile",
        &file,
        "-n",
        "20",
        "-s",
        "1",
        "-o",
        output.to_str().unwrap(),
    ];
    let with = |more: &[&str]| croupier(&[&base[..], &["--force"], more].concat());
    let table = with(&["--strategy", "none", "--report"]);
    assert!(
        text(&table.stderr).contains("hardest seat: north"),
        "{}",
        text(&table.stderr)
    );
    let json = folder.path().join("report.json");
    assert!(
        with(&["--report", "json", json.to_str().unwrap()])
            .status
            .success()
    );
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&json).unwrap()).unwrap();
    assert_eq!(report["boards_succeeded"], 20);
    let north = &report["combinations"][0]["probabilities"][0];
    assert_eq!(north["who"], "north");
    assert!((north["probability"].as_f64().unwrap() - 0.011_270_44).abs() < 1e-8);
    let csv = folder.path().join("report.csv");
    assert!(
        with(&[
            "--strategy",
            "preallocate",
            "--report",
            "csv",
            csv.to_str().unwrap()
        ])
        .status
        .success()
    );
    assert!(
        std::fs::read_to_string(&csv)
            .unwrap()
            .starts_with("seat,fail_as_seat,")
    );
    assert_eq!(with(&["--report", "xml", "f"]).status.code(), Some(2));
}

#[test]
fn mistakes_have_a_place_and_a_status() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.toml");
    std::fs::write(
        &bad,
        "profile_name = \"x\"\ndealer = \"Q\"\n[seat_profiles]\n",
    )
    .unwrap();
    let bad = bad.to_str().unwrap();
    let output = croupier(&["profile", "check", bad]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains(":2:10: dealer: unknown value \"Q\""),
        "{}",
        text(&output.stderr)
    );
    let impossible = croupier(&["profile", &data("impossible.json")]);
    assert_eq!(impossible.status.code(), Some(1));
    assert!(text(&impossible.stderr).contains("the four seats ask for 16 to 52 cards"));
    assert!(impossible.stdout.is_empty());
    assert_eq!(
        croupier(&["profile", "no-such-file.json"]).status.code(),
        Some(2)
    );
    assert_eq!(
        croupier(&["profile", &data("a-open.json"), "--seed", "x"])
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn the_comparison_shows_the_bias() {
    let output = croupier(&[
        "profile",
        &data("e6-six-or-more.json"),
        "-n",
        "3000",
        "-s",
        "1",
        "--compare",
    ]);
    let table = text(&output.stdout);
    assert!(
        table.contains("north, spades: length, exact, preallocate, ratio"),
        "{table}"
    );
}

/// A profile draws its random suit first, each equally often, however rare the deals are that follow. The translated
/// script keeps that: levelled by its own shares, the suits are equally frequent, and `dealer` accepts the script
/// unchanged.
#[test]
fn the_script_of_a_profile_keeps_the_draw_of_random_suits() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // Six spades without an honour are much rarer than six hearts.
    let profile = "profile_name = \"One major\"\ndealer = \"N\"\n\
        [[seat_profiles.N.subprofiles]]\nweight_percent = 100\nstandard = { spades = { max_hcp = 0 } }\n\
        random_suit_constraint = { required_suits_count = 1, allowed_suits = [\"S\", \"H\"], \
        suit_ranges = [{ min_cards = 6, max_cards = 6 }] }\n";
    fs::write(path("one-major.toml"), profile).unwrap();
    let script = croupier(&["profile", "to-script", &path("one-major.toml")]);
    assert!(script.status.success(), "{}", text(&script.stderr));
    fs::write(path("one-major.dl"), &script.stdout).unwrap();
    let said = text(&script.stdout);
    assert!(
        said.contains("// Dealt with levels, the classes have the profile's weights.")
            && said.matches("_Share = 50000").count() == 2,
        "{said}"
    );
    let spades = |boards: &[u8]| {
        let north = |board: Result<croupier::formats::Board, _>| {
            board
                .unwrap()
                .deal()
                .unwrap()
                .hand(croupier::cards::Seat::North)
        };
        let hands = croupier::formats::Reader::new(boards).unwrap().map(north);
        let drawn = hands.filter(|hand| hand.holding(croupier::cards::Suit::Spades).len() == 6);
        drawn.count()
    };
    let dealer = |more: &[&str]| {
        let output = Command::new(dealer_path())
            .args(["-s", "1", "-n", "400", "-v", "-f", "pbn"])
            .args(more)
            .arg(path("one-major.dl"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        output.stdout
    };
    let levelled = spades(&dealer(&["--level"]));
    assert!((198..=206).contains(&levelled), "{levelled}");
    let boards = croupier(&[
        "profile",
        &path("one-major.toml"),
        "-n",
        "400",
        "-s",
        "1",
        "--turn",
        "none",
    ]);
    let drawn = spades(&boards.stdout);
    assert!((150..=250).contains(&drawn), "{drawn}");
    let natural = spades(&dealer(&[]));
    assert!(
        natural < 100,
        "as they come, they are not equally frequent: {natural}"
    );
}
