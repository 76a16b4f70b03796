//! Scripts and switches of dealer3, and messages about typical mistakes of users of other programs.

use crate::common::dealer_path;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn dealer(words: &[&str]) -> Output {
    Command::new(dealer_path())
        .env_remove("CROUPIER_COMPAT")
        .env_remove("CROUPIER_LIBRARY")
        .args(words)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the program runs")
}

fn out(output: &Output) -> String {
    assert!(output.status.success(), "{}", err(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/dealer3");
    root.join(name).to_string_lossy().into_owned()
}

fn without_time(text: &str) -> String {
    let kept = text
        .lines()
        .filter(|line| !line.starts_with("Time needed "));
    kept.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_example_runs_natively_and_as_dealer3_and_deals_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/dealer3");
    let mut scripts: Vec<PathBuf> = fs::read_dir(folder)
        .expect("examples")
        .map(|entry| entry.expect("the file can be accessed").path())
        .collect();
    scripts.sort();
    assert!(scripts.len() >= 5);
    for script in scripts {
        let name = script.to_str().expect("a name");
        let native = dealer(&["-s", "1", "-v", name]);
        let other = dealer(&["--compat", "dealer3", "-s", "1", name]);
        let (native, other) = (out(&native), out(&other));
        assert!(native.lines().count() >= 3, "{name}: {native}");
        assert_eq!(without_time(&native), without_time(&other), "{name}");
    }
}

#[test]
fn parameters_by_switch_and_by_comment() {
    let script = example("parameters.dlr");
    let listed = out(&dealer(&["--params", &script]));
    assert!(listed.contains("$0  west  # who opens"), "{listed}");
    assert!(listed.contains("$3  5xxx + x5xx"), "{listed}");
    let own = out(&dealer(&["-s", "1", "-v", &script]));
    let same = out(&dealer(&["-s", "1", "-v", "--param", "1=12", &script]));
    let other = out(&dealer(&["-s", "1", "-v", "--param", "1=13", &script]));
    assert_eq!(own, same);
    assert_ne!(own, other);
    let twice = dealer(&["-1", "5", "--param", "1=6", &script]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(err(&dealer(&["--param", "west", &script])).contains("1=west"));
    assert!(err(&dealer(&["--param", "12=x", &script])).contains("0 to 9"));
    let unused = dealer(&["-9", "x", "-v", "-p", "1", &script]);
    assert!(err(&unused).contains("has no `$9`"), "{}", err(&unused));
}

#[test]
fn a_digit_switch_that_swallows_the_script_is_explained() {
    let script = example("not.dlr");
    let output = dealer(&["-2", &script]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("-x 2"), "{}", err(&output));
    // In the dialect dealer3 `-2` exchanges hands.
    let exchanged = out(&dealer(&["--compat", "dealer3", "-2", "-s", "1", &script]));
    let ours = out(&dealer(&["-x", "2", "-s", "1", "-v", &script]));
    assert_eq!(exchanged, ours);
}

#[test]
fn grouping_follows_the_dialect() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("not.dl");
    fs::write(
        &path,
        "generate 2000\ncondition not hcp(north) > 30\naction average 1\n",
    )
    .unwrap();
    let path = path.to_str().unwrap();
    // In the native dialect `(not hcp)` is 0 or 1 and never above 30. With dealer3's precedence of `not`, nearly every
    // deal satisfies the condition.
    assert!(out(&dealer(&["-s", "1", path])).contains("Produced  0 hands"));
    let other = out(&dealer(&["--compat", "dealer3", "-v", "-s", "1", path]));
    assert!(other.contains("Produced  2000 hands"), "{other}");
}

#[test]
fn errors_of_switches_name_the_valid_values() {
    for (words, said) in [
        (
            &["-P", "7", "x"][..],
            "0 (none), 1 (NS), 2 (EW) or 3 (both)",
        ),
        (&["-p", "x", "s"][..], "a whole number of deals"),
        (&["-L", "=", "s"][..], "CROUPIER_LIBRARY"),
        (&["-D", "x", "s"][..], "such as 2 or 2.1"),
        (&["--rnd-seed", "x", "s"][..], "a whole number"),
        (&["--compat", "v3", "s"][..], "dealer3"),
        (
            &["--rotate", "--vulnerable", "all", "s"][..],
            "cannot be used with",
        ),
    ] {
        let output = dealer(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(err(&output).contains(said), "{words:?}: {}", err(&output));
    }
    assert!(!err(&dealer(&["--outpt", "f"])).contains("--south"));
    assert!(err(&dealer(&["--formt", "csv"])).contains("--format"));
}

#[test]
fn a_file_that_is_no_script_is_reported_with_the_switch_that_helps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards.pbn");
    fs::write(&path, "[Event \"\"]\n[Board \"1\"]\n").unwrap();
    let output = dealer(&[path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        err(&output).contains("this is a PBN file"),
        "{}",
        err(&output)
    );
    assert!(err(&output).contains("`dealer --input-deals FILE SCRIPT`"));
    // The message about a parameter names the switch of the program that the user runs.
    fs::write(&path, "average $2 hcp(north)\n").unwrap();
    let output = dealer(&["--compat", "dealer3", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("`$2` has no text") && err(&output).contains("--param 1=TEXT"));
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_printed_is_a_failure() {
    for (program, words) in [
        (dealer_path(), &["--help"][..]),
        (dealer_path(), &["--version"]),
        (env!("CARGO_BIN_EXE_croupier"), &["--help"]),
        (env!("CARGO_BIN_EXE_croupier"), &["convert", "--help"]),
        (env!("CARGO_BIN_EXE_croupier"), &["--version"]),
    ] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let status = Command::new(program)
            .args(words)
            .stdout(full)
            .stderr(std::process::Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(1), "{program} {words:?}");
    }
}

#[test]
fn part_of_an_input_file_is_looked_at() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("deals.txt");
    let script = folder.path().join("all.dl");
    fs::write(&script, "condition 1\naction printoneline\n").expect("the script can be written");
    let shown = out(&dealer(&[
        "-s",
        "1",
        "-p",
        "9",
        "-v",
        script.to_str().unwrap(),
    ]));
    let deals: Vec<&str> = shown
        .lines()
        .filter(|line| line.starts_with("n "))
        .collect();
    assert_eq!(deals.len(), 9);
    fs::write(&file, deals.join("\n") + "\n").expect("the file can be accessed");
    let words = [
        "--input-deals",
        file.to_str().unwrap(),
        "-v",
        script.to_str().unwrap(),
    ];
    let looked_at = |more: &[&str]| {
        let text = out(&dealer(&[&words, more].concat()));
        let lines = text.lines().filter(|line| line.starts_with("n "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(looked_at(&[]), deals);
    assert_eq!(looked_at(&["--input-offset", "4"]), deals[4..]);
    assert_eq!(
        looked_at(&["--input-offset", "2", "--input-limit", "3"]),
        deals[2..5]
    );
    let nothing = dealer(&[&words[..], &["--input-offset", "20"]].concat());
    assert!(!nothing.status.success());
    assert!(err(&nothing).contains("there is no deal in it"));
}

#[test]
fn quiet_statistics_are_one_object_with_the_levels() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let script = folder.path().join("s.dl");
    let text = "HandType_A = hcp(north) > 10\nLevelType_Low = hcp(south) < 9\nLevelType_High = hcp(south) > 8\nproduce 20\naction printall\n";
    fs::write(&script, text).expect("the script can be written");
    let script = script.to_str().unwrap();
    for quiet in [&["-q"][..], &["-f", "none"]] {
        let switches = [
            &["--compat", "dealer3", "--stats-json"][..],
            quiet,
            &[script],
        ]
        .concat();
        let text = out(&dealer(&switches));
        let object: serde_json::Value = serde_json::from_str(&text).expect("JSON alone");
        let levels = object["level_types"].as_array().expect("levels");
        let names: Vec<&str> = levels
            .iter()
            .map(|it| it["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["Low", "High"]);
        let produced: u64 = levels
            .iter()
            .map(|it| it["produced"].as_u64().unwrap())
            .sum();
        assert_eq!(produced, 20);
    }
}

#[test]
fn counts_and_par_are_those_of_dealer3() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let script = folder.path().join("s.dl");
    let value = |text: &str, switches: &[&str]| {
        fs::write(&script, text).expect("the script can be written");
        let words = ["-s", "1", "--no-warnings", script.to_str().unwrap()];
        out(&dealer(&[switches, &words].concat()))
    };
    // Deals with v1's values and with DealerV2's.
    let text =
        "produce 50\naction average \"c\" cccc(north), average \"q\" quality(north, spades)\n";
    let mean = |switches: &[&str]| {
        let shown = value(text, switches);
        let line = shown.lines().find(|line| line.starts_with("c: "));
        line.expect("a mean").to_owned()
    };
    assert_ne!(mean(&[]), mean(&["--compat", "dealer3"]));
    let par = |vulnerable: &str| {
        let text = format!(
            "vulnerable {vulnerable}\nproduce 10\naction printes(par(ns), \" \", par(south), \\n)\n"
        );
        let shown = value(&text, &["--compat", "dealer3"]);
        let pairs = shown.lines().take(10).map(|line| {
            let numbers: Vec<&str> = line.split_whitespace().collect();
            assert_eq!(numbers[0], numbers[1], "{line}");
            numbers[0].to_owned()
        });
        pairs.collect::<Vec<_>>()
    };
    assert_ne!(par("none"), par("all"));
}

#[test]
fn headings_of_two_way_tables_are_above_their_columns() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let script = folder.path().join("s.dl");
    let text = "produce 50\naction frequency (hcp(north), 5, 7, hcp(south), 10, 11)\n";
    fs::write(&script, text).expect("the script can be written");
    let shown = out(&dealer(&["-s", "1", "-v", script.to_str().unwrap()]));
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "");
    let ends = |line: &str| -> Vec<usize> {
        let bytes = line.as_bytes();
        let ends = (0..bytes.len())
            .filter(|&at| bytes[at] != b' ' && bytes.get(at + 1).is_none_or(|&b| b == b' '));
        ends.collect()
    };
    // The first word of a row is its name.
    assert_eq!(ends(lines[1]), ends(lines[2])[1..], "{shown}");
    assert!(lines[1].trim_start().starts_with("Low"), "{shown}");
}

#[test]
fn shares_are_written_into_the_levelled_script() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (script, written) = (folder.path().join("s.dl"), folder.path().join("out.dl"));
    let text = "# Low {{level-mix:Low}}, High {{level-mix:High}}\nHandType_Low = hcp(north) < 10\nHandType_High = hcp(north) > 9\nHandType_High_Share = 3\nproduce 4\ncondition 1\n";
    fs::write(&script, text).expect("the script can be written");
    let words = [
        "-s",
        "1",
        "--level",
        "--write-leveled",
        written.to_str().unwrap(),
        script.to_str().unwrap(),
    ];
    // `--level` takes the next word unless it is a switch.
    out(&dealer(&words));
    let written = fs::read_to_string(&written).expect("the script can be written");
    assert!(written.starts_with("# Low 25%, High 75%\n"), "{written}");
}

#[test]
fn boards_name_their_hand_type() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("bands.dlr");
    let text = "HandType_12_14 = hcp(south) >= 12 and hcp(south) <= 14
HandType_15_up = hcp(south) >= 15
HandType_12_14_Share = 2
condition hcp(south) >= 11
action printpbn
";
    fs::write(&script, text).expect("written");
    let name = script.to_str().expect("a name");
    let tags = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim);
        let kept = lines.filter(|line| line.starts_with("[HandType "));
        kept.map(str::to_owned).collect()
    };
    let printed = out(&dealer(&[
        "--compat", "dealer3", "-s", "1", "-p", "40", name,
    ]));
    let by_action = tags(&printed);
    let by_format = out(&dealer(&[
        "--compat", "dealer3", "-s", "1", "-p", "40", "-f", "pbn", name,
    ]));
    assert_eq!(by_action, tags(&by_format));
    for class in ["12_14", "15_up"] {
        assert!(by_action.contains(&format!("[HandType \"{class}\"]")));
    }
    // Hands of 11 points have no class.
    assert!((20..40).contains(&by_action.len()), "{}", by_action.len());
    for board in printed.split("[Event").skip(1) {
        let points_of_class = board.contains("[HandType");
        let south = board
            .split("[Deal \"N:")
            .nth(1)
            .and_then(|deal| deal.split(' ').nth(2));
        let points: usize = south
            .expect("a hand")
            .chars()
            .map(|card| "JQKA".find(card).map_or(0, |at| at + 1))
            .sum();
        assert_eq!(points_of_class, points >= 12, "{board}");
    }
    assert!(tags(&out(&dealer(&["-s", "1", "-p", "40", name]))).is_empty());
}
