//! How tests call the programs.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs a program with a text on standard input.
pub fn feed(command: &mut Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // It may print before it has read all; one that refuses its switches reads nothing.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends");
    output
}

/// `dealer` with a script on standard input.
pub fn dealer(switches: &[&str], script: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dealer"));
    feed(command.env_remove("CROUPIER_COMPAT").args(switches), script)
}

/// `croupier` with nothing on standard input.
pub fn croupier(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    feed(command.args(arguments), "")
}

/// What `croupier` prints if all is well.
pub fn done(arguments: &[&str]) -> String {
    let output = croupier(arguments);
    let errors = err(&output);
    assert!(output.status.success(), "{arguments:?}\n{errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// What `croupier` complains about, with this exit status and nothing printed.
pub fn failure(arguments: &[&str], status: i32) -> String {
    let output = croupier(arguments);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}");
    assert_eq!(out(&output), "", "{arguments:?}");
    err(&output)
}

/// Standard output as text.
pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
