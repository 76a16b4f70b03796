//! Merged parts of separate processes print the output of one run.

use crate::common::dealer_path;
use std::path::Path;
use std::process::{Command, Output};

fn dealer(arguments: &[&str], script: &Path) -> Output {
    Command::new(dealer_path())
        .args(arguments)
        .arg(script)
        .output()
        .unwrap()
}

/// Returns standard output without the line with the time.
fn printed(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter(|line| !line.starts_with("Time needed"));
    lines
        .map(|line| format!("{}\n", without_seconds(line)))
        .collect()
}

/// Removes the time from JSON.
fn without_seconds(line: &str) -> String {
    match line.split_once("\"seconds\":") {
        Some((before, after)) => {
            let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || "-+.e".contains(c));
            format!("{before}{rest}")
        }
        None => line.to_owned(),
    }
}

/// Divides a run, merges its parts in reverse order and compares the output.
fn check(
    folder: &Path,
    script: &str,
    switches: &[&str],
    merge_switches: &[&str],
    counts: &[usize],
) {
    let path = folder.join("script.dl");
    std::fs::write(&path, script).unwrap();
    let whole = printed(&dealer(switches, &path));
    for &count in counts {
        let files: Vec<String> = (1..=count)
            .map(|part| folder.join(format!("{part}.json")).display().to_string())
            .collect();
        for (part, file) in (1..).zip(&files) {
            let shard = format!("{part}/{count}");
            let mut arguments = switches.to_vec();
            arguments.extend(["--shard", &shard, "--force", "--partial", file]);
            let made = dealer(&arguments, &path);
            assert_eq!(printed(&made), "");
        }
        let merged = Command::new(env!("CARGO_BIN_EXE_croupier"))
            .arg("merge")
            .args(merge_switches)
            .args(files.iter().rev())
            .output()
            .unwrap();
        assert_eq!(printed(&merged), whole, "{count} parts of {script}");
    }
}

#[test]
fn merged_parts_print_what_one_run_prints() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let tables = "condition hcp(north) >= 15 action average \"p\" hcp(south),
        frequency \"f\" (hcp(south), 0, 12), frequency \"g\" (hcp(south), 0, 9, spades(south), 0, 6)";
    check(
        folder,
        tables,
        &["-s", "3", "-g", "50000"],
        &[],
        &[1, 2, 7, 64],
    );
    check(
        folder,
        tables,
        &["-s", "3", "-g", "50000", "-p", "900"],
        &[],
        &[7],
    );
    let prints = "condition hearts(north) >= 7 title \"Hearts\" startboard 5
        action printall, printoneline(hcp(north)), average hcp(east)";
    check(folder, prints, &["-s", "3", "-p", "25"], &[], &[2, 7]);
    check(
        folder,
        prints,
        &["-s", "3", "-p", "25", "--sampler", "on"],
        &[],
        &[7],
    );
    check(
        folder,
        prints,
        &["-s", "3", "-p", "25", "-f", "json"],
        &["-f", "json"],
        &[7],
    );
    check(
        folder,
        "predeal south SA condition hcp(south) > 10",
        &["-s", "3", "-f", "pbn", "-v"],
        &["-f", "pbn", "-v"],
        &[2],
    );
}

/// Scripts with all kinds of actions, with their switches.
const TWELVE: [(&str, &[&str]); 12] = [
    ("action average \"a\" hcp(north)", &["-g", "3000"]),
    (
        "condition hcp(north) >= 15 action frequency \"f\" (hcp(south), 0, 12)",
        &["-g", "20000"],
    ),
    (
        "action frequency \"two\" (hcp(south), 0, 9, spades(south), 0, 6)",
        &["-g", "5000"],
    ),
    (
        "condition shape(north, any 5332) produce 33 action printoneline",
        &[],
    ),
    (
        "condition hearts(north) >= 8 and hcp(north) <= 10 action printcompact, average hcp(south)",
        &["-p", "12", "-g", "400000"],
    ),
    (
        // The condition is so rare that the exact sampler deals it.
        "condition spades(north) >= 9 and hcp(north) >= 18 action average hcp(south)",
        &["-p", "70", "-g", "100000000"],
    ),
    (
        // Fewer deals are found than requested.
        "condition hcp(north) == 30 action printes(\"found \", hcp(south), \\n)",
        &["-p", "50", "-g", "60000", "--sampler", "off"],
    ),
    (
        "predeal north SAKQ, HA condition hcp(south) > 12 action csvrpt(\"x\", hcp(south), deal)",
        &["-p", "9"],
    ),
    (
        "x = rnd(100) condition x < 20 action average \"r\" x, frequency (x, 0, 19)",
        &["-g", "4000"],
    ),
    (
        "condition hcp(south) >= 22 action bktfreq \"b\" (hcp(north), 0, 12, 4), average losers(south)",
        &["-g", "200000"],
    ),
    (
        "condition hcp(north) + hcp(south) >= 30 action average \"d\" dds(south, notrump)",
        &["-p", "3"],
    ),
    (
        "condition metric(zar, north) >= 45 startboard 7 action printall",
        &["-p", "4", "-g", "500000"],
    ),
];

#[test]
fn twelve_scripts_in_up_to_64_parts() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for (number, (script, switches)) in TWELVE.iter().enumerate() {
            let folder = folder.path().join(number.to_string());
            std::fs::create_dir(&folder).unwrap();
            let task = move || {
                let switches = [&["-s", "7", "-R", "1"], *switches].concat();
                check(&folder, script, &switches, &[], &[1, 2, 7, 64]);
            };
            let handle = scope.spawn(task);
            // Every second time, the parts are merged two at a time.
            if number % 2 == 1 {
                handle.join().unwrap();
            }
        }
    });
}

#[test]
fn parts_that_cannot_be_merged_are_reported_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.dl");
    std::fs::write(&script, "action average hcp(north)").unwrap();
    let part = |switches: &[&str], name: &str| {
        let file = folder.path().join(name).display().to_string();
        let mut arguments = switches.to_vec();
        arguments.extend(["--force", "--partial", &file]);
        let made = dealer(&arguments, &script);
        (file, made)
    };
    let merge = |files: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_croupier"))
            .arg("merge")
            .args(files)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let (first, _) = part(&["-s", "1", "-g", "9000", "--shard", "1/2"], "a.json");
    let (second, _) = part(&["-s", "2", "-g", "9000", "--shard", "2/2"], "b.json");
    assert!(merge(&[&first]).contains("are missing"));
    assert!(merge(&[&first, &second]).contains("different jobs"));
    assert!(merge(&[&first, &first]).contains("more than one part"));
    assert!(merge(&[&script.display().to_string()]).contains("not a part of a run"));
    for switches in [&["--shard", "1/2"][..], &["-s", "1", "--shard", "3/2"]] {
        let (file, made) = part(switches, "c.json");
        assert_eq!(made.status.code(), Some(2));
        assert!(!Path::new(&file).exists());
    }
    let (file, made) = part(&["-s", "1", "--shard", "1/2", "--compat", "v1"], "d.json");
    assert!(!made.status.success() && !Path::new(&file).exists());
}
