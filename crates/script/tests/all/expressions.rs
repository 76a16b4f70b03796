//! Constant expressions of the test vectors, in every mode.

use crate::common;

use common::{constant, rows};
use croupier_script::plan::Mode;

/// Returns whether the value of a row needs no deal.
fn needs_no_deal(row: &std::collections::HashMap<String, String>) -> bool {
    row["deal"].is_empty() && row["group"] != "rnd" && !row["expr"].contains("hcp(north)*0")
}

#[test]
fn constant_expressions() {
    let mut failures = Vec::new();
    let mut tested = 0;
    for row in rows("expressions.csv").iter().filter(|r| needs_no_deal(r)) {
        for (mode, column) in [
            (Mode::V1, "v1"),
            (Mode::Exe, "v1"),
            (Mode::V2, "v2"),
            (Mode::Native, "v1"),
        ] {
            let unescape = |text: &str| text.replace("\\n", "\n");
            let got = constant(mode, &unescape(&row["setup"]), &unescape(&row["expr"]));
            let got = match got {
                Ok(value) => value.to_string(),
                Err(class) => class,
            };
            // Native mode accepts words in capitals.
            let capitals = ["VUL", "AND", "HCP"]
                .iter()
                .any(|w| row["expr"].contains(w));
            if mode == Mode::Native && capitals {
                continue;
            }
            if mode == Mode::Native && is_range(&unescape(&row["setup"]), &unescape(&row["expr"])) {
                // `3 > 2 > 1` is a range in native mode, see tests/all/dealer3.rs.
                continue;
            }
            let peer = &row[column];
            let expected = if !row["croupier"].is_empty() {
                row["croupier"].clone()
            } else if mode == Mode::Native && row["group"] == "literal" && row["expr"].len() > 9 {
                // Native mode reports numbers that do not fit instead of wrapping them.
                "E104".to_owned()
            } else if peer.parse::<i32>().is_ok() {
                peer.clone()
            } else if mode.is_v1() && row["group"] == "score" {
                // A doubled contract, or one with `z`, is a name in v1.
                "E306".to_owned()
            } else {
                // Every mode accepts decimals, and a minus before any operand.
                row["v2"].clone()
            };
            tested += 1;
            if got != expected {
                failures.push(format!(
                    "{} {mode:?}: {} [{}]: expected {expected}, got {got}",
                    row["id"], row["expr"], row["setup"]
                ));
            }
        }
    }
    assert!(tested > 1500, "{tested} tested");
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Returns whether an expression has a chain of comparisons, which the classic modes warn about.
fn is_range(setup: &str, expr: &str) -> bool {
    let text = format!("{setup}\ncondition {expr}");
    let options = croupier_script::CompileOptions {
        mode: Mode::V1,
        ..Default::default()
    };
    match croupier_script::compile(
        &croupier_script::ScriptSource::new("chain.dl", text),
        &options,
    ) {
        Ok((_, warnings)) => warnings.iter().any(|warning| warning.code == "W05"),
        Err(_) => false,
    }
}

#[test]
fn scores_of_all_contracts_equal_the_vectors() {
    let rows = rows("score.csv");
    assert_eq!(rows.len(), 2940);
    // One script per mode computes the values of all expressions.
    for (mode, column) in [
        (Mode::V1, "score_v1"),
        (Mode::V2, "score_v2"),
        (Mode::Native, "score_v2"),
    ] {
        for row in &rows {
            let expected = &row[column];
            let doubled = ["", "x", "xx"][row["doubled"].parse::<usize>().expect("0, 1 or 2")];
            let prefix = if doubled.is_empty() { 'x' } else { 'z' };
            let call = format!(
                "score({},{prefix}{}{}{doubled},{})",
                row["vul"], row["level"], row["strain"], row["tricks"]
            );
            if !expected.is_empty() {
                let got = constant(mode, "", &call).map(|v| v.to_string());
                assert_eq!(got.as_deref(), Ok(expected.as_str()), "{call} {mode:?}");
            }
        }
    }
}

#[test]
fn imps_of_all_differences_equal_the_vectors() {
    let rows = rows("imps.csv");
    assert_eq!(rows.len(), 1101);
    for row in rows {
        for (mode, column) in [
            (Mode::V1, "imps_v1"),
            (Mode::V2, "imps_v2"),
            (Mode::Native, "imps_correct"),
        ] {
            let call = format!("imps({})", row["diff"]);
            let got = constant(mode, "", &call).map(|v| v.to_string());
            assert_eq!(got.as_deref(), Ok(row[column].as_str()), "{call} {mode:?}");
        }
    }
}
