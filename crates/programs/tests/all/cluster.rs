//! Runs the snippet for GNU parallel in docs/cluster.md unchanged.

use crate::common::dealer_path;
use std::path::Path;
use std::process::Command;

/// Returns the commands under a heading of the page.
fn snippet(heading: &str) -> &'static str {
    include_str!("../../../../docs/cluster.md")
        .split(heading)
        .nth(1)
        .and_then(|rest| rest.split("```sh\n").nth(1))
        .and_then(|rest| rest.split("```").next())
        .unwrap()
}

fn without_the_time(text: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(text)
        .lines()
        .filter(|line| !line.contains("Time needed"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn gnu_parallel_runs_the_parts() {
    let folder = tempfile::tempdir().unwrap();
    let script = "generate 64000 condition hcp(north) > 9\naction average \"points\" hcp(north)";
    std::fs::write(folder.path().join("script.dl"), script).unwrap();
    let programs = Path::new(dealer_path()).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let run = |commands: &str| {
        Command::new("sh")
            .args(["-ec", commands])
            .current_dir(folder.path())
            .env("PATH", format!("{}:{path}", programs.display()))
            .env("HOME", folder.path())
            .output()
            .unwrap()
    };
    let parallel = run("parallel --version");
    assert!(
        parallel.status.success(),
        "GNU parallel is needed; ./check installs it"
    );
    let merged = run(snippet("## GNU parallel"));
    let errors = String::from_utf8_lossy(&merged.stderr);
    assert!(merged.status.success(), "{errors}");
    let whole = run("dealer --seed 1 script.dl");
    let printed = without_the_time(&merged.stdout);
    assert_eq!(printed, without_the_time(&whole.stdout));
    assert!(printed.iter().any(|line| line.contains("points")));
}
