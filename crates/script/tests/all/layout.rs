//! The canonical layout keeps the meaning, and formatting twice changes nothing.

use std::path::{Path, PathBuf};

use crate::generated;

use croupier_script::plan::Mode;
use croupier_script::{CompileOptions, ScriptSource, compile, format};

/// Returns everything that the script means, without the places in it.
fn meaning(name: &str, text: &[u8], mode: Mode) -> Option<String> {
    let options = CompileOptions {
        mode,
        script_variables: std::array::from_fn(|_| Some("hcp(north)".to_owned())),
        ..CompileOptions::default()
    };
    let (plan, warnings) = compile(&ScriptSource::new(name, text), &options).ok()?;
    let codes: Vec<&str> = warnings.iter().map(|warning| warning.code).collect();
    // DealerV2 copies the blanks between `title` and its text to the output; these belong to the layout.
    let echo = String::from_utf8_lossy(&plan.echo).replace(char::is_whitespace, "");
    Some(format!("{}\n{codes:?}\n{echo}", plan.explain()))
}

fn check(name: &str, text: &[u8], mode: Mode) -> bool {
    let Some(before) = meaning(name, text, mode) else {
        return false;
    };
    let once = format(text);
    let shown = String::from_utf8_lossy(&once);
    let after = meaning(name, &once, mode);
    assert_eq!(
        Some(before),
        after,
        "{name} {mode:?}: the meaning changed:\n{shown}"
    );
    let twice = format(&once);
    assert_eq!(
        shown,
        String::from_utf8_lossy(&twice),
        "{name}: the second run changed it"
    );
    let long = shown.lines().filter(|line| line.ends_with(' ')).count();
    assert_eq!(long, 0, "{name}: blanks at the end of a line");
    true
}

fn scripts_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            scripts_below(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "dl") {
            found.push(path);
        }
    }
}

#[test]
fn examples_and_vectors_keep_their_meaning() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    scripts_below(&root.join("examples"), &mut found);
    scripts_below(&root.join("crates/script/tests"), &mut found);
    scripts_below(&root.join("crates/dealer/tests"), &mut found);
    let mut good = 0;
    for path in &found {
        let text = std::fs::read(path).unwrap();
        let name = path.display().to_string();
        for mode in [Mode::Native, Mode::V1, Mode::V2] {
            good += usize::from(check(&name, &text, mode));
        }
    }
    assert!(good > 300, "{good} of {} files", found.len());
}

#[test]
fn the_examples_are_in_the_canonical_layout() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    scripts_below(&root.join("examples"), &mut found);
    for path in found {
        let text = std::fs::read(&path).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&text),
            String::from_utf8_lossy(&format(&text)),
            "{}",
            path.display()
        );
    }
}

#[test]
fn two_thousand_generated_scripts_keep_their_meaning() {
    let mut good = 0;
    for seed in 0..2600 {
        let text = generated::script(seed);
        good += usize::from(check(
            &format!("seed {seed}"),
            text.as_bytes(),
            Mode::Native,
        ));
        if seed % 8 == 0 {
            check(&format!("seed {seed}"), text.as_bytes(), Mode::V1);
            check(&format!("seed {seed}"), text.as_bytes(), Mode::V2);
        }
    }
    assert!(good >= 2000, "{good} compile");
}

#[test]
fn any_bytes_can_be_formatted() {
    let mut random = generated::SeededRandom::new(7);
    for _ in 0..3000 {
        let length = random.below(40);
        let text: Vec<u8> = (0..length)
            .map(|_| b"(){}\"/*#,=-!a1 $\n;\xe4\\"[random.below(20) as usize % 19])
            .collect();
        let _ = format(&text);
    }
}

#[test]
fn layout_by_example() {
    for (before, after) in [
        ("", ""),
        ("produce   10 generate 5", "produce 10\ngenerate 5\n"),
        (
            "condition hcp(north)>15 and\n  spades(north)>4",
            "condition\n    hcp(north) > 15\n    and spades(north) > 4\n",
        ),
        ("action printall", "action printall\n"),
        (
            "action printall,average \"x\" -hcp ( north )",
            "action\n    printall,\n    average \"x\" -hcp(north)\n",
        ),
        (
            "x=1\n\n\n\n# about y\ny=x+-2",
            "x = 1\n\n# about y\ny = x + -2\n",
        ),
        ("x = $0+1", "x = $0 + 1\n"),
        (
            "predeal north SAK,H2\n south DA",
            "predeal north SAK, H2\n    south DA\n",
        ),
        ("shape{north,4333}", "shape{north,4333}\n"),
    ] {
        assert_eq!(
            String::from_utf8(format(before.as_bytes())).unwrap(),
            after,
            "{before}"
        );
    }
}
