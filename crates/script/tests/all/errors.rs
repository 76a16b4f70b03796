//! Every script of the error vectors gives the expected class of error at the expected place.

use crate::common;

use common::{compile_in, data, rows};
use croupier_script::plan::Mode;

/// Errors of the classic dialects that native mode accepts as syntax of other programs: `;` between statements, words
/// in capitals, seats as letters, sides in lower case.
const OF_OTHER_DEALERS: [&str; 6] = [
    "004_semicolon.dl",
    "014_upper_and.dl",
    "029_keyword_case.dl",
    "030_keyword_case_stmt.dl",
    "041_short_seat.dl",
    "050_par_lower_side.dl",
];

#[test]
fn every_wrong_script_is_explained_at_the_right_place() {
    let mut failures = Vec::new();
    let index = rows("errors/index.csv");
    assert_eq!(index.len(), 93);
    for row in &index {
        // In native mode `evalcontract` without arguments is an action of suokko's dealer.
        if row["file"] == "091_evalcontract_v1.dl" {
            continue;
        }
        let text = std::fs::read(data("errors").join(&row["file"])).expect("script");
        let other_dealers = OF_OTHER_DEALERS.contains(&row["file"].as_str());
        let problem = match compile_in(Mode::Native, text) {
            Ok(_) if other_dealers => continue,
            Ok(_) => "accepted".to_owned(),
            Err(errors) => {
                let first = &errors[0];
                let line: u32 = row["line"].parse().expect("line");
                let column: u32 = row["column"].parse().expect("column");
                let width = row["token"].chars().count().max(1) as u32;
                let found = first.place.column;
                let missing: Vec<&str> = row["must_mention"]
                    .split(';')
                    .filter(|word| !first.message.contains(word))
                    .collect();
                if first.code != row["class"]
                    || first.place.line != line
                    || found < column
                    || found >= column + width
                {
                    format!(
                        "expected {} {line}:{column}, got\n{}",
                        row["class"],
                        first.render()
                    )
                } else if row["must_mention"] != ";" && !missing.is_empty() {
                    format!("{missing:?} not mentioned in\n{}", first.render())
                } else {
                    continue;
                }
            }
        };
        failures.push(format!("{}: {problem}", row["file"]));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// In the compatibility modes the program prints the messages of the original program.
#[test]
fn classic_messages() {
    let mut failures = Vec::new();
    for row in &rows("errors/index.csv") {
        for (mode, column) in [(Mode::V1, "v1_result"), (Mode::V2, "v2_result")] {
            let Some(expected) = row[column].strip_prefix("exit 255: line ") else {
                continue;
            };
            let text = std::fs::read(data("errors").join(&row["file"])).expect("script");
            // Every mode accepts decimals and `$n`, which v1 rejects. DealerV2 reports errors in braces outside its
            // parser.
            let braces = text.windows(6).any(|w| w == b"shape{");
            let newer = ["7.125", "$3"]
                .iter()
                .any(|w| String::from_utf8_lossy(&text).contains(w));
            if braces || mode == Mode::V1 && newer {
                continue;
            }
            let got = match compile_in(mode, text) {
                Ok(_) => "accepted".to_owned(),
                Err(errors) => errors[0]
                    .render_classic()
                    .unwrap_or_else(|| errors[0].render()),
            };
            if got != format!("line {expected}") {
                failures.push(format!(
                    "{} {mode:?}: expected line {expected}, got {got}",
                    row["file"]
                ));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}
