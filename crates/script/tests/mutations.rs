//! Scripts with random damage never make the compiler panic, and its messages always point into the text.

mod common;

use common::{compile_in, data};
use script::plan::{Mode, Plan};
use script::{CompileOptions, Loaded, Loader, Source, compile};

/// Marsaglia's xorshift: the same damage in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

fn corpus() -> Vec<Vec<u8>> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        data("errors"),
        root.join("tests/data/golden"),
        root.join("../../examples"),
    ];
    let mut texts = Vec::new();
    for folder in folders {
        let mut paths: Vec<_> = std::fs::read_dir(&folder)
            .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
            .map(|entry| entry.expect("entry").path())
            .filter(|path| path.extension().is_some_and(|e| e == "dl"))
            .collect();
        paths.sort();
        texts.extend(
            paths
                .iter()
                .map(|path| std::fs::read(path).expect("script")),
        );
    }
    for (file, column, brackets) in [
        ("fdshapes.csv", "expr", ("shape{north,", "}")),
        ("fdshapes_native.csv", "expr", ("shape{west , ", " }")),
        ("shapes.csv", "shape_list", ("shape(north,", ")")),
        ("expressions.csv", "expr", ("", "")),
    ] {
        for row in common::rows(file) {
            let (open, close) = brackets;
            let text = format!(
                "condition {open}{}{close}\naction printoneline",
                row[column]
            );
            texts.push(text.into_bytes());
        }
    }
    texts
}

/// Pieces that are likely to matter.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    "+",
    "-",
    "*",
    "/",
    "%",
    "?",
    ":",
    "=",
    "==",
    "!=",
    "<",
    ">",
    "&",
    "|",
    "!",
    "\"",
    "\\n",
    "$1",
    "$0",
    "$",
    "/*",
    "*/",
    "//",
    "#",
    "\n",
    " ",
    "\t",
    "\r",
    "x",
    "xxxx",
    "5xxx",
    "4333",
    "any ",
    "north",
    "NS",
    "spades",
    "hcp(",
    "shape{north,",
    "shape(north,",
    "SAK",
    "AS",
    "x3N",
    "12.5",
    ".5",
    "99999999999",
    "not ",
    " and ",
    " or ",
    "condition ",
    "action ",
    "predeal ",
    "x = ",
    "import \"a\"\n",
    "metric(zar,NS)",
    "é",
    "\u{a0}",
    "\u{0}",
    "M",
    "m",
    "s",
    "0",
    "9",
    "rnd(",
    "score(vul,",
    "imps(",
    "dds(south,notrump)",
    "printes(",
    "frequency(",
    "altcount ",
    "pointcount ",
    "predeal spades(north)==5 ",
    "1/0",
    "5..9",
    "[10..13]",
];

fn damage(random: &mut Random, texts: &[Vec<u8>]) -> Vec<u8> {
    let mut text = texts[random.below(texts.len())].clone();
    for _ in 0..=random.below(2) {
        let at = random.below(text.len() + 1);
        match random.below(6) {
            0 => {
                let end = (at + random.below(8)).min(text.len());
                text.drain(at..end);
            }
            1 => {
                let piece = PIECES[random.below(PIECES.len())];
                text.splice(at..at, piece.bytes());
            }
            2 if at < text.len() => text[at] = random.next() as u8,
            3 => {
                let other = &texts[random.below(texts.len())];
                let from = random.below(other.len() + 1);
                let to = (from + random.below(30)).min(other.len());
                text.splice(at..at, other[from..to].iter().copied());
            }
            4 => text.truncate(at),
            _ => {
                let end = (at + random.below(20)).min(text.len());
                let copy = text[at..end].to_vec();
                text.splice(at..at, copy);
            }
        }
    }
    text
}

/// Files for `import`: one that is fine and one that imports itself.
struct Shelf;

impl Loader for Shelf {
    fn load(&self, _: &str, path: &str) -> Result<Loaded, String> {
        let text = match path {
            "a" => "imported = hcp(north)\n",
            "b" => "import \"b\"\n",
            _ => return Err("no such file".to_owned()),
        };
        Ok(Loaded {
            identity: path.to_owned(),
            source: Source::new(path, text),
        })
    }
}

/// Children come before parents, facts are there for every node, and everything can be printed.
fn check_plan(plan: &Plan) {
    assert_eq!(plan.nodes.len(), plan.facts.len());
    for (number, node) in plan.nodes.iter().enumerate() {
        node.for_each_operand(|id| assert!(id.index() < number));
        let facts = &plan.facts[number];
        assert!(facts.min <= facts.max);
        let _ = plan.sources.place(facts.span);
    }
    assert!(!plan.explain().is_empty());
}

#[test]
fn damaged_scripts() {
    let texts = corpus();
    assert!(texts.len() > 1500, "{}", texts.len());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut accepted = 0;
    let mut options = CompileOptions {
        loader: &Shelf,
        ..CompileOptions::default()
    };
    options.script_variables[0] = Some("hcp(north) $1".to_owned());
    options.script_variables[1] = Some("> 5 and (".to_owned());
    for round in 0..30_000 {
        let text = damage(&mut random, &texts);
        options.mode = [Mode::Native, Mode::V1, Mode::V2, Mode::Exe][round % 4];
        match compile(&Source::new("script.dl", text.clone()), &options) {
            Ok((plan, warnings)) => {
                accepted += 1;
                check_plan(&plan);
                warnings
                    .iter()
                    .for_each(|w| assert!(!w.render().is_empty()));
            }
            Err(errors) => {
                assert!(!errors.is_empty());
                for error in &errors {
                    let lines = text.iter().filter(|&&b| b == b'\n').count() as u32 + 1;
                    assert!(error.place.file != "script.dl" || error.place.line <= lines);
                    assert!(!error.message.is_empty());
                    assert!(error.render_coloured().len() >= error.render().len());
                }
            }
        }
    }
    assert!(
        accepted > 1_000,
        "only {accepted} accepted: the damage is too heavy to test much"
    );
}

#[test]
fn the_corpus_itself() {
    let texts = corpus();
    let mut accepted = 0;
    for text in &texts {
        if let Ok((plan, _)) = compile_in(Mode::Native, text.clone()) {
            accepted += 1;
            check_plan(&plan);
        }
    }
    assert!(accepted > 1_400, "{accepted} of {}", texts.len());
}
