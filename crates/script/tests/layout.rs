//! The canonical layout: same meaning, and a second run changes nothing.

use std::path::{Path, PathBuf};

use script::plan::Mode;
use script::{CompileOptions, Source, compile, format};

/// Everything that the script means, without the places where it says so.
fn meaning(name: &str, text: &[u8], mode: Mode) -> Option<String> {
    let options = CompileOptions {
        mode,
        script_variables: std::array::from_fn(|_| Some("hcp(north)".to_owned())),
        ..CompileOptions::default()
    };
    let (plan, warnings) = compile(&Source::new(name, text), &options).ok()?;
    let codes: Vec<&str> = warnings.iter().map(|warning| warning.code).collect();
    // DealerV2 copies the blanks between `title` and its text to the output: that is layout.
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
    scripts_below(&root.join("crates/programs/tests"), &mut found);
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

/// A small generator of scripts; layout is as random as the rest.
struct Writer {
    state: u64,
    out: String,
    names: Vec<String>,
}

impl Writer {
    fn below(&mut self, n: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % n
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    /// A token, with blanks, lines and comments before it as chance will have it.
    fn token(&mut self, text: &str) {
        let gap = match self.below(40) {
            0 => "\n",
            1 => "\n\n\n",
            2 => "  \t ",
            3 => " /* a note */ ",
            4 => " // to the end\n",
            5 => "\n# a line\n",
            6 => "\n/* a\n block */\n",
            7..20 => "",
            _ => " ",
        };
        let glued = gap.is_empty()
            && self
                .out
                .ends_with(|c: char| c.is_alphanumeric() || "_\"<>=!&|/".contains(c))
            && !matches!(text, "(" | ")" | ",");
        self.out.push_str(if glued { " " } else { gap });
        self.out.push_str(text);
    }

    fn value(&mut self, depth: u64) {
        let seat = ["north", "east", "south", "west"];
        match self.below(if depth > 4 { 4 } else { 10 }) {
            0 => {
                let number = self.below(20).to_string();
                self.token(&number);
            }
            1 | 2 => {
                let function = self.pick(&["hcp", "spades", "hearts", "controls", "losers"]);
                self.token(function);
                self.token("(");
                let seat = self.pick(&seat);
                self.token(seat);
                self.token(")");
            }
            3 if !self.names.is_empty() => {
                let at = self.below(self.names.len() as u64) as usize;
                let name = self.names[at].clone();
                self.token(&name);
            }
            3 | 4 => {
                for text in ["shape", "(", "north", ","] {
                    self.token(text);
                }
                let shape = self.pick(&["any 4333 + any 5332 - 5xxx", "5xxx", "any 4432"]);
                self.token(shape);
                self.token(")");
            }
            5 => {
                let sign = self.pick(&["-", "not", "!"]);
                self.token(sign);
                self.token("(");
                self.expression(depth + 1);
                self.token(")");
            }
            6 => {
                self.token("(");
                self.expression(depth + 1);
                self.token("?");
                self.expression(depth + 1);
                self.token(":");
                self.expression(depth + 1);
                self.token(")");
            }
            _ => {
                self.token("(");
                self.expression(depth + 1);
                self.token(")");
            }
        }
    }

    fn expression(&mut self, depth: u64) {
        self.value(depth);
        for _ in 0..self.below(4) {
            let sign = self.pick(&[
                "and", "or", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*",
            ]);
            self.token(sign);
            self.value(depth + 1);
        }
    }

    fn action(&mut self) {
        match self.below(7) {
            0 => self.token("printall"),
            1 => {
                for text in ["printoneline", "("] {
                    self.token(text);
                }
                self.expression(1);
                self.token(")");
            }
            2 => {
                for text in [
                    "printes",
                    "(",
                    "\"a, b\"",
                    ",",
                    "hcp(north)",
                    ",",
                    "\\n",
                    ")",
                ] {
                    self.token(text);
                }
            }
            3 => {
                for text in ["frequency", "\"table (x)\"", "("] {
                    self.token(text);
                }
                self.expression(1);
                for text in [",", "0", ",", "12", ")"] {
                    self.token(text);
                }
            }
            4 => {
                for text in ["print", "(", "north", ",", "south", ")"] {
                    self.token(text);
                }
            }
            5 => {
                self.token("average");
                self.expression(1);
            }
            _ => {
                self.token("average");
                self.token("\"the mean\"");
                self.expression(1);
            }
        }
    }

    fn script(seed: u64) -> String {
        let mut writer = Writer {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            out: String::new(),
            names: Vec::new(),
        };
        if writer.below(2) == 0 {
            writer.token("produce");
            writer.token("12");
        }
        if writer.below(4) == 0 {
            for text in ["predeal", "north", "SAK", ",", "H2", "south", "DA"] {
                writer.token(text);
            }
        }
        for number in 0..writer.below(5) {
            let name = format!("n{number}");
            writer.out.push('\n');
            writer.token(&name);
            writer.token("=");
            writer.expression(0);
            writer.names.push(name);
        }
        if writer.below(3) > 0 {
            writer.token("condition");
        } else {
            writer.out.push('\n');
        }
        writer.expression(0);
        writer.token("action");
        writer.action();
        for _ in 0..writer.below(4) {
            writer.token(",");
            writer.action();
        }
        writer.out
    }
}

#[test]
fn two_thousand_generated_scripts_keep_their_meaning() {
    let mut good = 0;
    for seed in 0..2600 {
        let text = Writer::script(seed);
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
fn anything_at_all_can_be_laid_out() {
    let mut writer = Writer {
        state: 7,
        out: String::new(),
        names: Vec::new(),
    };
    for _ in 0..3000 {
        let length = writer.below(40);
        let text: Vec<u8> = (0..length)
            .map(|_| b"(){}\"/*#,=-!a1 $\n;\xe4\\"[writer.below(20) as usize % 19])
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
