//! Functions with which tests run the programs.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

pub use crate::calls::{err, feed, out};

/// Returns the path of a link named `dealer` to `croupier`, which then behaves as `dealer`. Cargo gives the tests of a
/// package only the programs of that package; the tests of `dealer` itself are in its own package.
pub fn dealer_path() -> &'static str {
    static PATH: LazyLock<String> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
        std::fs::create_dir_all(&folder).expect("a folder");
        let croupier = env!("CARGO_BIN_EXE_croupier");
        for (program, name) in [(croupier, "croupier"), ("croupier", "dealer")] {
            // The new link is created under another name and renamed, because another process may be running the old
            // one.
            let new = folder.join(format!("{name}-{}", std::process::id()));
            std::os::unix::fs::symlink(program, &new).expect("a link");
            std::fs::rename(&new, folder.join(name)).expect("a link with its name");
        }
        folder.join("dealer").display().to_string()
    });
    &PATH
}

/// Runs `dealer` with a script on standard input.
pub fn dealer(switches: &[&str], script: &str) -> Output {
    let mut command = Command::new(dealer_path());
    feed(command.env_remove("CROUPIER_COMPAT").args(switches), script)
}

/// Runs `croupier` with empty standard input.
pub fn croupier(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    feed(command.args(arguments), "")
}

/// Returns the output of `croupier`, which must succeed.
pub fn done(arguments: &[&str]) -> String {
    let output = croupier(arguments);
    let errors = err(&output);
    assert!(output.status.success(), "{arguments:?}\n{errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the error message of `croupier`, which must end with this exit status and print nothing.
pub fn failure(arguments: &[&str], status: i32) -> String {
    let output = croupier(arguments);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}");
    assert_eq!(out(&output), "", "{arguments:?}");
    err(&output)
}

/// Checks that the command fails with this status and message and prints nothing.
pub fn refused(output: &Output, status: i32, said: &str) {
    assert_eq!(output.status.code(), Some(status), "{}", err(output));
    assert!(err(output).contains(said), "{}", err(output));
    assert_eq!(out(output), "");
}
