//! The messages about a run agree with the run.

use crate::common::{dealer, out};

#[test]
fn the_deviation_of_large_values_is_that_of_small_ones() {
    let line = |script: &str| {
        let text = out(&dealer(
            &["-s", "1", "-g", "100000", "--digits", "4"],
            script,
        ));
        let line = text.lines().next().unwrap().to_owned();
        let (_, spread) = line.split_once("Std Dev=").unwrap();
        let (spread, _) = spread.split_once(", 95 % interval").unwrap();
        spread.to_owned()
    };
    let near = line("action average hcp(north)");
    assert!(near.starts_with("    4.1294"), "{near}");
    assert_eq!(line("action average 1600000000+hcp(north)"), near);
}

#[test]
fn questions_to_the_solver_are_counted() {
    let script = "action average dds(north, spades), average par(NS)";
    let text = out(&dealer(&["-s", "1", "-g", "3", "-D", "2"], script));
    assert!(
        text.contains("Tot Calls to DDS =     6, DDS Solve  Calls=     3 DDS_Par Calls=3"),
        "{text}"
    );
}

#[test]
fn an_explanation_does_not_hide_what_a_run_fails_with() {
    let script = "condition 12 / spades(north) > 2 produce 9999";
    let explained = out(&dealer(&["--explain"], script));
    let run = dealer(&["-s", "1"], script);
    assert_eq!(run.status.code(), Some(1));
    let error = String::from_utf8_lossy(&run.stderr);
    let error = error.trim_end().strip_prefix("dealer: ").unwrap();
    assert!(error.contains("error[E801]"), "{error}");
    assert!(
        explained.contains(&format!("a run over these deals fails: {error}")),
        "{explained}"
    );
}

/// PDF takes long to build, so `dealer` alone has none and names the program that has it.
#[test]
fn pages_are_refused_before_the_first_deal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pdf");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_dealer"))
        .env_remove("CROUPIER_COMPAT")
        .args(["-s", "1", "-p", "3", "-o"])
        .arg(&file)
        .arg("/dev/null")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(2) && errors.contains("`croupier deal` prints them"),
        "{errors}"
    );
    assert!(!file.exists() && output.stdout.is_empty());
}
