//! Every warning appears where it should and nowhere else.

use crate::common;

use common::compile_in;
use croupier_script::plan::Mode::{self, Native, V1, V2};

fn warnings(mode: Mode, text: &str) -> Vec<String> {
    let (_, warnings) =
        compile_in(mode, text).unwrap_or_else(|e| panic!("{text}\n{}", e[0].render()));
    warnings
        .iter()
        .map(|w| format!("{} {}:{}", w.code, w.place.line, w.place.column))
        .collect()
}

#[test]
fn each_warning_at_its_place() {
    let cases: &[(Mode, &str, &[&str])] = &[
        (
            Native,
            "condition hcp(north)>3\ncondition hcp(south)>3",
            &["W01 1:1"],
        ),
        (Native, "action printall\naction printew", &["W02 1:1"]),
        (
            Native,
            "condition not hcp(north) > 3",
            &["W03 1:11", "W13 1:11"],
        ),
        (Native, "condition not (hcp(north) > 3)", &[]),
        (Native, "condition not hcp(north) and hcp(south) > 3", &[]),
        (Native, "condition 100*hcp(north)/7 > 3", &["W04 1:25"]),
        (V2, "condition 100*hcp(north)/7 > 3", &["W04 1:14"]),
        (V1, "condition 100*hcp(north)/7 > 3", &[]),
        (Native, "condition (100*hcp(north))/7 > 3", &[]),
        (Native, "condition hcp(north)/7*100 > 3", &[]),
        (
            V1,
            "condition 3 < hcp(north) < 9",
            &["W05 1:26", "W13 1:11"],
        ),
        (Native, "condition 3 < hcp(north) < 9", &[]),
        (Native, "condition hcp(north) > 3 == hcp(south) > 3", &[]),
        (V1, "altcount 3 1 1", &["W06 1:1"]),
        (Native, "altcount 3 1 1", &["W06 1:1"]),
        (V1, "predeal spades(north) == 5", &["W07 1:9"]),
        (V2, "predeal spades(north) == 5", &[]),
        (Native, "produce 5 produce 6", &["W08 1:11"]),
        (Native, "generate 5\ngenerate 6", &["W08 2:1"]),
        (Native, "condition hcp(north) 15", &["W10 1:22"]),
        (Native, "x = hcp(north)\nx > 5", &[]),
        (
            Native,
            "x = hcp(north) (5)\ny = x condition y",
            &["W01 1:16", "W10 1:16"],
        ),
        (Native, "predeal north SA\nhearts(north) == 4", &["W11 2:1"]),
        (Native, "predeal north SA hearts(north) == 4", &[]),
        (Native, "predeal north SA\nhearts(north) > 4", &[]),
        (
            Native,
            "condition hcp(north) >= .5",
            &["W12 1:22", "W13 1:11"],
        ),
        (Native, "condition ltc(north) >= 7.5", &[]),
        (
            Native,
            "x = hcp(north)+1\ncondition x == 12.5",
            &["W12 2:13", "W13 2:11"],
        ),
        (
            Native,
            "pointcount 4.5 3 1.5 .75\ncondition hcp(north) >= 12.5",
            &[],
        ),
        (Native, "condition hcp(north) > 40", &["W13 1:11"]),
        (Native, "condition hcp(north) >= 0", &["W13 1:11"]),
        (
            Native,
            "condition hcp(north) > 15 and hcp(north) < 10",
            &["W13 1:11"],
        ),
        (
            Native,
            "condition shape(north, 4333 - 4333) + 1",
            &["W13 1:11", "W13 1:24"],
        ),
        (
            Native,
            "condition shape(north, - 4333 + 4432)",
            &["W13 1:24"],
        ),
        (
            Native,
            "condition shape{north, - 4333 + 4432}",
            &["W13 1:24"],
        ),
        (Native, "condition shape{north, 5555 + 4432}", &["W13 1:24"]),
        (
            Native,
            "condition shape{north, xxx5d}",
            &["W-FD-ORDER 1:27"],
        ),
        (Native, "condition 1", &[]),
        (
            V1,
            "condition hcp(north) < 4294967295",
            &["W14 1:24", "W13 1:11"],
        ),
        (
            V2,
            "condition imps(score(vul,x4H,hcp(north))) > 3",
            &["W15 1:11"],
        ),
        (V1, "condition imps(score(vul,x4H,hcp(north))) > 3", &[]),
        (V2, "condition imps(hcp(north)) > 3", &["W13 1:11"]),
        (V2, "opener north", &["W16 1:1"]),
        (Native, "opener north", &[]),
        (Native, "unused = 5\ncondition hcp(north) > 3", &["W17 1:1"]),
        (Native, "HandType_Game = 5\ncondition hcp(north) > 3", &[]),
    ];
    let mut failures = Vec::new();
    for &(mode, text, expected) in cases {
        let mut got = warnings(mode, text);
        let mut expected: Vec<String> = expected.iter().map(|w| (*w).to_owned()).collect();
        got.sort();
        expected.sort();
        if got != expected {
            failures.push(format!(
                "{mode:?} {text:?}: expected {expected:?}, got {got:?}"
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Our own examples give no warnings.
#[test]
fn the_examples_have_no_warnings() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.extension().is_none_or(|e| e != "dl") {
            continue;
        }
        let source = croupier_script::ScriptSource::new(
            path.to_string_lossy(),
            std::fs::read(&path).expect("file"),
        );
        let (_, warnings) = croupier_script::compile(&source, &Default::default())
            .unwrap_or_else(|e| panic!("{}", e[0].render()));
        assert!(warnings.is_empty(), "{}", warnings[0].render());
        count += 1;
    }
    assert!(count >= 8, "{count}");
}
