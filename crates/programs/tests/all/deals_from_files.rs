//! Deals from files and libraries, and files of deals that are read again.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{croupier, dealer, dealer_path, err, feed, out, refused};

/// Returns two deals of seed 1 as a file of this format.
fn two_deals(folder: &Path, format: &str) -> String {
    let written = dealer(&["-s", "1", "-p", "2", "-f", format], "");
    assert!(written.status.success(), "{}", err(&written));
    let path = folder.join("two").with_extension(format);
    fs::write(&path, &written.stdout).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn files_without_a_deal_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("empty.pbn", ""),
        ("words.txt", "hello\n"),
        ("head.csv", "board,north\n"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let solved = croupier(&["solve", path]);
        assert_eq!(solved.status.code(), Some(1), "{name}: {}", out(&solved));
        assert!(err(&solved).contains(name), "{}", err(&solved));
        let there = folder.path().join("there.lin");
        let converted = croupier(&["convert", path, "-o", there.to_str().unwrap()]);
        assert_eq!(converted.status.code(), Some(1), "{name}");
        assert!(err(&converted).contains(name), "{}", err(&converted));
        assert!(!there.exists());
        let filtered = dealer(&["--input-deals", path, "-v"], "action printoneline");
        assert_eq!(filtered.status.code(), Some(1), "{name}");
        assert!(err(&filtered).contains(name), "{}", err(&filtered));
    }
}

#[test]
fn deals_that_exist_are_neither_predealt_nor_exchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (zrd, pbn) = (
        two_deals(folder.path(), "zrd"),
        two_deals(folder.path(), "pbn"),
    );
    for source in [["-L", &zrd], ["--input-deals", &pbn]] {
        for (switches, script, said) in [
            (&[][..], "predeal north SA", "hascard(north, AS)"),
            (&[], "predeal spades(north) == 5", "spades(north) == 5"),
            (&["-N", "SA"], "", "hascard(north, AS)"),
            (&["-x", "2"], "", "are not exchanged"),
            (&["-x", "3"], "", "are not exchanged"),
        ] {
            let output = dealer(&[&source[..], switches].concat(), script);
            let said = match (source[0], switches) {
                ("--input-deals", [_, ..]) => "cannot be used with",
                _ => said,
            };
            refused(&output, 2, said);
        }
        let taken = dealer(&[&source[..], &["-v"]].concat(), "action printoneline");
        assert_eq!(out(&taken).lines().count(), 2, "{}", err(&taken));
    }
}

#[test]
fn the_usual_library_is_the_one_that_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let library = two_deals(folder.path(), "zrd");
    let script = "action printoneline";
    let with = |name: &str| {
        let mut command = Command::new(dealer_path());
        command
            .args(["-L", "=", "-v"])
            .env_remove("CROUPIER_COMPAT");
        feed(command.env("CROUPIER_LIBRARY", name), script)
    };
    let named = dealer(&["-L", &library, "-v"], script);
    assert_eq!(out(&with(&library)), out(&named));
    assert_eq!(out(&named).lines().count(), 2);
    refused(&with("/no/such.zrd"), 2, "/no/such.zrd");
    refused(&with(""), 2, "CROUPIER_LIBRARY names, but it is not set");
}

/// The title is not read as a deal; DealerV2 returns the first deal twice.
#[test]
fn a_library_with_a_title_has_the_deals_that_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let library = two_deals(folder.path(), "zrd");
    let deals = fs::read(&library).unwrap();
    let titled = [&croupier::formats::zrd::headers(b"Club nights")[..], &deals].concat();
    let path = folder.path().join("titled.zrd");
    fs::write(&path, titled).unwrap();
    let path = path.to_str().unwrap();
    let script = "produce 9 action printoneline";
    let own = out(&dealer(&["-L", &library, "-v"], script));
    assert_eq!(own.lines().count(), 2);
    assert_eq!(out(&dealer(&["-L", path, "-v"], script)), own);
}

#[test]
fn records_of_solved_deals_hold_their_results() {
    let folder = tempfile::tempdir().unwrap();
    let written = dealer(&["-s", "1", "-p", "2", "-f", "zrd"], "action printoneline");
    let path = folder.path().join("two.zrd");
    fs::write(&path, &written.stdout).unwrap();
    let ask = "action average \"t\" dds(south, notrump)";
    let line = |output: &Output| {
        let text = out(output);
        text.lines()
            .find(|line| line.starts_with("t: Mean"))
            .map(str::to_owned)
    };
    let solved = line(&dealer(&["-s", "1", "-p", "2"], ask));
    assert!(solved.is_some());
    assert_eq!(line(&dealer(&["-L", path.to_str().unwrap()], ask)), solved);
}

fn dealer_command() -> Command {
    let mut command = Command::new(dealer_path());
    command.env_remove("CROUPIER_COMPAT");
    command
}

#[test]
fn deals_from_elsewhere_in_any_format() {
    let script = "produce 12 action printoneline";
    let expected = out(&dealer(&["-s", "5", "-v"], script));
    assert_eq!(expected.lines().count(), 12);
    let folder = tempfile::tempdir().unwrap();
    for format in [
        "all", "printpbn", "pbn", "compact", "oneline", "lin", "csv", "json", "zrd", "dl52",
    ] {
        let printed = dealer(&["-s", "5", "-v", "-p", "12", "-f", format], "");
        assert_eq!(
            printed.status.code(),
            Some(0),
            "{format}: {}",
            err(&printed)
        );
        let path = folder.path().join(format);
        fs::write(&path, &printed.stdout).unwrap();
        let read = dealer(
            &["--input-deals", path.to_str().unwrap(), "-v", "-g", "12"],
            script,
        );
        assert_eq!(out(&read), expected, "{format}: {}", err(&read));
    }
    // Deals from a pipe, with the script in a file and with a condition.
    let filter = folder.path().join("f.dl");
    fs::write(&filter, "condition hcp(north) > 10 action printoneline").unwrap();
    let mut command = dealer_command();
    command.args(["--input-deals", "-", "-v"]).arg(&filter);
    let some = out(&feed(&mut command, &expected));
    assert!(
        !some.is_empty()
            && some.lines().all(|line| expected.contains(line))
            && some.len() < expected.len()
    );
    let broken = expected.replacen('A', "K", 1);
    let mut command = dealer_command();
    command.args(["--input-deals", "-", "-v"]).arg(&filter);
    let output = feed(&mut command, &broken);
    assert_eq!(
        output.status.code(),
        Some(1),
        "a bad board shows in the status"
    );
    assert!(err(&output).contains("line 1"), "{}", err(&output));
}

#[test]
fn exported_hands_can_be_dealt_again() {
    let exported = out(&dealer(&["-s", "9", "-p", "1", "-v"], "action export(NS)"));
    let words: Vec<&str> = exported.split_whitespace().collect();
    let mut switches = vec!["-s", "10", "-p", "5", "-v"];
    switches.extend(words);
    let again = out(&dealer(&switches, "action export(NS)"));
    assert_eq!(again, exported.repeat(5));
}

#[test]
fn an_empty_or_cut_library_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lib.zrd");
    let name = path.to_str().unwrap();
    let whole = dealer(&["-s", "1", "-p", "3", "-f", "zrd", "-v"], "");
    assert_eq!(whole.stdout.len() % 23, 0);
    for (bytes, message) in [
        (&[][..], "there is no deal in the library"),
        (
            &croupier::formats::zrd::headers(b"a title")[..],
            "there is no deal in the library",
        ),
        (&whole.stdout[..30], "the library ends inside record 2"),
    ] {
        fs::write(&path, bytes).unwrap();
        let output = dealer(&["-L", name, "-p", "1"], "");
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        assert!(err(&output).contains(message), "{}", err(&output));
    }
}
