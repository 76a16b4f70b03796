//! Runs with checkpoints: killed at any moment and started again, they print the output of an undisturbed run.

use crate::process_control;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn dealer(words: &str, script: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dealer"));
    command.args(words.split_whitespace()).arg(script);
    command.env_remove("CROUPIER_COMPAT").stdin(Stdio::null());
    command
}

fn printed(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter(|line| !line.starts_with("Time needed"));
    lines.map(|line| format!("{line}\n")).collect()
}

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("checkpoints-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Place(folder)
    }

    fn script(&self, text: &str) -> PathBuf {
        let path = self.0.join("script.dl");
        fs::write(&path, text).unwrap();
        path
    }

    /// Returns the switches, with those of a run that saves a checkpoint after every batch.
    fn with_file(&self, words: &str) -> String {
        format!("{words} --partial {} --every 0", self.file().display())
    }

    fn file(&self) -> PathBuf {
        self.0.join("run.json")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Kills a run after each of these times and then lets it finish. Returns how many runs were killed before their end.
fn survives(place: &Place, words: &str, script: &Path, kills: &[u64]) -> usize {
    let whole = printed(&dealer(words, script).output().unwrap());
    let with_file = place.with_file(words);
    let mut killed = 0;
    for &time in kills {
        let mut child = dealer(&with_file, script)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let still = process_control::wait_for_cpu_time(&mut child, Duration::from_millis(time));
        killed += usize::from(still);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(
        printed(&dealer(&with_file, script).output().unwrap()),
        whole,
        "{words}"
    );
    // Started once more, the run is complete and only prints its result.
    assert_eq!(
        printed(&dealer(&with_file, script).output().unwrap()),
        whole,
        "{words}"
    );
    killed
}

const TABLES: &str = "action average \"a\" hcp(north) * hcp(south), frequency \"f\" (hcp(north), 0, 37, spades(north), 0, 13)\n";

#[test]
fn a_killed_run_goes_on_and_prints_the_same() {
    let place = Place::new("tables");
    let script = place.script(TABLES);
    survives(
        &place,
        "-s 5 -g 3000000 -p 3000000",
        &script,
        &[150, 400, 250],
    );
}

#[test]
fn deals_that_are_printed_and_limits_within_a_stretch() {
    for (name, words, text) in [
        (
            "print",
            "-s 5 -p 700",
            "condition hcp(north) > 17 action printoneline(hcp(north)), average hcp(south)\n",
        ),
        (
            "rare",
            "-s 5 -p 60 -g 2000000000",
            "condition spades(north) == 9 and hcp(north) == 12\n",
        ),
        (
            "format",
            "-s 5 -p 300 -f csv",
            "condition hcp(north) > 17\n",
        ),
        (
            "solved",
            "-s 5 -p 4",
            "condition hcp(north) > 17 action average dds(north, notrump)\n",
        ),
        ("none", "-s 5 -g 30000", "condition hcp(north) > 36\n"),
    ] {
        let place = Place::new(name);
        let script = place.script(text);
        survives(&place, words, &script, &[100]);
    }
}

#[test]
fn a_part_with_a_file_is_the_part_without() {
    let place = Place::new("shard");
    let script = place.script(TABLES);
    let words = "-s 5 -g 400000 -p 400000 --shard 2/3";
    let plain = place.0.join("plain.json");
    let made = dealer(&format!("{words} --partial {}", plain.display()), &script)
        .output()
        .unwrap();
    assert_eq!(printed(&made), "");
    assert_eq!(
        printed(&dealer(&place.with_file(words), &script).output().unwrap()),
        ""
    );
    assert!(fs::read(plain).unwrap() == fs::read(place.file()).unwrap());
}

/// Ends a long run by its time limit and by a signal. Returns the message of each.
fn messages_of_ended_runs(words: &str, script: &Path) -> [String; 2] {
    [("--time 1.5", 124), ("", 143)].map(|(limit, status)| {
        let mut child = process_control::command_with_signals(env!("CARGO_BIN_EXE_dealer"))
            .args(format!("{words} {limit}").split_whitespace())
            .arg(script)
            .env_remove("CROUPIER_COMPAT")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if limit.is_empty() {
            assert!(process_control::wait_for_signal_handler(&mut child));
            process_control::send(&child, "-TERM");
        }
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{errors}");
        errors
    })
}

#[test]
fn an_interrupted_run_prints_how_to_continue() {
    let place = Place::new("told");
    let script = place.script(TABLES);
    let words = place.with_file("-s 5 -g 900000000000 -p 900000000000");
    let [late, stopped] = messages_of_ended_runs(&words, &script);
    assert!(late.contains("the time is up"), "{late}");
    assert!(stopped.contains("interrupted"), "{stopped}");
    for errors in [late, stopped] {
        assert!(errors.contains("goes on from"), "{errors}");
    }
}

#[test]
fn an_interrupted_part_leaves_no_file_and_a_message() {
    let place = Place::new("part");
    let script = place.script(TABLES);
    let words = format!(
        "-s 5 -g 900000000000 -p 900000000000 --shard 2/3 --partial {}",
        place.file().display()
    );
    let [late, stopped] = messages_of_ended_runs(&words, &script);
    assert!(late.contains("the time is up"), "{late}");
    assert!(stopped.contains("interrupted"), "{stopped}");
    for errors in [late, stopped] {
        assert!(errors.contains("run.json is not written"), "{errors}");
    }
    assert!(!place.file().exists());
}

#[test]
fn files_of_other_runs_and_of_running_ones_are_refused() {
    let place = Place::new("refused");
    let script = place.script(TABLES);
    let words = place.with_file("-s 5 -g 100000 -p 100000");
    printed(&dealer(&words, &script).output().unwrap());
    let before = fs::read(place.file()).unwrap();
    let refused = |words: &str, said: &str| {
        let output = dealer(words, &script).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(1) && errors.contains(said),
            "{errors}"
        );
    };
    refused(
        &place.with_file("-s 6 -g 100000 -p 100000"),
        "different jobs",
    );
    let lock = fs::File::open(place.file()).unwrap();
    lock.lock().unwrap();
    refused(&words, "another run is writing this file");
    drop(lock);
    assert!(fs::read(place.file()).unwrap() == before);
    fs::write(place.file(), "{").unwrap();
    refused(&words, "not a part of a run");
    let unseeded = dealer(&place.with_file("-g 1000"), &script)
        .output()
        .unwrap();
    assert_eq!(unseeded.status.code(), Some(2));
}

#[test]
#[ignore = "about two minutes; run by ./check --long"]
fn long_runs_survive_many_kills() {
    let place = Place::new("long");
    let script = place.script(TABLES);
    let kills: Vec<u64> = (0..40).map(|kill| 200 + kill * 7919 % 1500).collect();
    let killed = survives(&place, "-s 5 -g 3000000000 -p 3000000000", &script, &kills);
    println!("{killed} kills of a run that goes on");
    assert!(killed > 20, "{killed} runs were killed");
}

/// Parses a number; long ones are written as strings.
fn number(value: &serde_json::Value) -> u64 {
    match value.as_str() {
        Some(text) => text.parse().unwrap(),
        None => value.as_u64().unwrap(),
    }
}

/// Multiplies every number in the value.
fn multiply(value: &mut serde_json::Value, by: u64) {
    use serde_json::Value;
    match value {
        Value::Number(number) => *value = (number.as_u64().unwrap() * by).into(),
        Value::Array(list) => list.iter_mut().for_each(|item| multiply(item, by)),
        Value::Object(map) => map.values_mut().for_each(|item| multiply(item, by)),
        _ => {}
    }
}

#[test]
fn counters_are_exact_beyond_what_a_float_can_count() {
    /// More than 2^53, in whole blocks.
    const BEFORE: u64 = (1 << 53) + (1 << 20);
    const AFTER: u64 = 3 * 1024 + 7;
    let place = Place::new("counters");
    let script =
        place.script("action average \"a\" hcp(north), frequency \"f\" (hcp(north), 0, 37)\n");
    let limit = (BEFORE + AFTER).to_string();
    let words = place.with_file(&format!("-s 5 -g {limit} -p {limit}"));
    // The time until the first checkpoint depends on the machine.
    let mut time = 1.5;
    let mut part: serde_json::Value = loop {
        let stopped = dealer(&format!("{words} --time {time}"), &script)
            .output()
            .unwrap();
        assert_eq!(stopped.status.code(), Some(124), "{stopped:?}");
        let bytes = fs::read(place.file()).unwrap_or_default();
        match serde_json::from_slice::<serde_json::Value>(&bytes) {
            Ok(part) if part["parts"][0]["produced"].as_u64() > Some(0) => break part,
            _ => time *= 2.0,
        }
        assert!(time < 200.0, "{stopped:?}");
    };
    // Simulate a run of several years by multiplying all its counts.
    let done = &mut part["parts"][0];
    let produced = done["produced"].as_u64().unwrap();
    let times = BEFORE / produced;
    let cells = &mut done["tallies"][1]["frequency"]["cells"];
    multiply(cells, times);
    let highest = number(&cells["dense"][11]);
    let average = &mut done["tallies"][0]["average"];
    multiply(average, times);
    let sum = number(&average["sum"]);
    for name in ["last", "generated"] {
        done[name] = BEFORE.into();
    }
    done["produced"] = (produced * times).into();
    let part = serde_json::to_vec(&part).unwrap();
    let part: croupier::session::Partial = serde_json::from_slice(&part).unwrap();
    fs::write(place.file(), serde_json::to_vec(&part.sealed()).unwrap()).unwrap();
    let output = dealer(&words, &script).output().unwrap();
    let text = printed(&output);
    let size = produced * times + AFTER;
    assert!(text.contains(&format!("Sample Size={size}")), "{text}");
    assert!(text.contains(&format!("Generated {limit} hands")), "{text}");
    let end: serde_json::Value = serde_json::from_slice(&fs::read(place.file()).unwrap()).unwrap();
    let end = &end["parts"][0]["tallies"];
    let tens = number(&end[1]["frequency"]["cells"]["dense"][11]);
    assert!(tens > highest && tens < highest + AFTER, "{highest} {tens}");
    assert!(text.contains(&format!("{tens}")), "{text}");
    let more = number(&end[0]["average"]["sum"]) - sum;
    assert!((9 * AFTER..11 * AFTER).contains(&more), "{more}");
}
