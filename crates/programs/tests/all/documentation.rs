//! Every command in the guides prints what the guide shows.
//!
//! A code block with lines that begin with `$ ` is a session: each command is run in an empty folder of its page, and its output
//! (with error messages) must be the lines below it. A line `...` or `…` stands for any number of lines, also none.
//! `$ cat FILE` shows a file, which is written for the commands that follow.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::dealer_path;

/// Beginnings of the commands that are not run, each with its reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("croupier serve", "runs until it is stopped"),
    ("curl ", "needs that server"),
    (
        "dealer -s 1 --time 1",
        "the number of deals in a second differs between machines",
    ),
    ("echo $?", "the status of the command before it"),
];

/// A command of a session and the lines that the guide shows below it.
struct Step {
    line: usize,
    command: String,
    expected: Vec<String>,
}

#[test]
fn commands_of_the_guides_print_what_they_show() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md")];
    for folder in ["docs", "docs/tutorials"] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder of the documentation") {
            let path = entry.expect("a file of the documentation").path();
            if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    let results: Vec<(usize, Vec<String>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = pages
            .iter()
            .map(|page| scope.spawn(|| run_page(&root, page)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("the page was read"))
            .collect()
    });
    let commands: usize = results.iter().map(|(commands, _)| commands).sum();
    let differences: Vec<String> = results.into_iter().flat_map(|(_, texts)| texts).collect();
    assert!(commands >= 40, "only {commands} commands found");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Runs the sessions of a page. Returns the number of commands and a description of each difference.
fn run_page(root: &Path, page: &Path) -> (usize, Vec<String>) {
    let name = page
        .strip_prefix(root)
        .expect("a page of ours")
        .display()
        .to_string();
    let steps = steps(&fs::read_to_string(page).expect("a guide"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name.replace('/', "-"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("an empty folder");
    let examples = root.join("examples").canonicalize().expect("examples");
    std::os::unix::fs::symlink(examples, folder.join("examples")).expect("a link");

    let mut commands = 0;
    let mut differences = Vec::new();
    for step in steps {
        if let Some(file) = step.command.strip_prefix("cat ") {
            fs::write(folder.join(file), step.expected.join("\n") + "\n").expect("a file");
            continue;
        }
        let command = &step.command;
        if NOT_RUN.iter().any(|(start, _)| command.starts_with(start)) {
            continue;
        }
        commands += 1;
        let printed = run(&folder, command);
        let comparable = |lines: &mut dyn Iterator<Item = &str>| -> Vec<String> {
            lines.map(without_times).collect()
        };
        let shown = comparable(&mut step.expected.iter().map(String::as_str));
        if !matches(trimmed(&shown), trimmed(&comparable(&mut printed.lines()))) {
            differences.push(format!(
                "{name}:{}: {command}\n--- the guide\n{}\n--- the program\n{printed}",
                step.line,
                step.expected.join("\n"),
            ));
        }
    }
    (commands, differences)
}

/// Returns the commands of all code blocks of a page.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut in_block = false;
    let mut in_session = false;
    for (index, line) in page.lines().enumerate() {
        if line.starts_with("```") {
            in_block = !in_block;
            in_session = false;
        } else if !in_block {
            continue;
        } else if let Some(command) = line.strip_prefix("$ ") {
            in_session = true;
            steps.push(Step {
                line: index + 1,
                command: command.to_owned(),
                expected: Vec::new(),
            });
        } else if in_session {
            let step = steps.last_mut().expect("the session has begun");
            if step.command.ends_with('\\') {
                step.command.push('\n');
                step.command.push_str(line);
            } else {
                step.expected.push(line.to_owned());
            }
        }
    }
    steps
}

/// Returns what a command prints, with the two programs first on the path.
fn run(folder: &Path, command: &str) -> String {
    let programs = PathBuf::from(dealer_path());
    let programs = programs.parent().expect("the folder of the programs");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", programs.display()))
        .env_remove("CROUPIER_COMPAT")
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Removes the digits of running times, which differ from run to run, and spaces at the end of the line.
fn without_times(line: &str) -> String {
    let mut line = line.trim_end().to_owned();
    for mark in ["Time needed", "\"seconds\":"] {
        if let Some(start) = line.find(mark) {
            let start = start + mark.len();
            let digits = line[start..]
                .find(|each: char| !matches!(each, '0'..='9' | '.' | ' ' | 'e' | '-'))
                .map_or(line.len(), |length| start + length);
            line.replace_range(start..digits, "");
        }
    }
    line
}

/// Removes empty lines at the end.
fn trimmed(lines: &[String]) -> &[String] {
    let length = lines
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(0, |last| last + 1);
    &lines[..length]
}

/// Returns whether the printed lines are the expected ones, where `...` stands for any lines.
fn matches(expected: &[String], printed: &[String]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line == "..." || line == "…" => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| line == first && matches(rest, others)),
    }
}

#[test]
fn dots_stand_for_any_lines() {
    let lines = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
    assert!(matches(&lines("a|...|d"), &lines("a|b|c|d")));
    assert!(matches(&lines("a|..."), &lines("a")));
    assert!(!matches(&lines("a|...|d"), &lines("a|b|c")));
    assert!(!matches(&lines("a"), &lines("a|b")));
}
