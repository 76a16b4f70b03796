//! The grammar accepts every script that the compiler accepts, and every keyword has a colour.

use std::path::{Path, PathBuf};

use script::{CompileOptions, ScriptSource, compile};
use tree_sitter::{Parser, Query, QueryCursor, StreamingIterator};

#[path = "../../../crates/script/tests/common/generated.rs"]
mod generated;

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_dealer::LANGUAGE.into())
        .unwrap();
    parser
}

fn is_right(text: &[u8]) -> bool {
    compile(&ScriptSource::new("x.dl", text), &CompileOptions::default()).is_ok()
}

fn scripts_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            scripts_below(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "dl") {
            found.push(path);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_example_parses() {
    let mut found = Vec::new();
    scripts_below(&root().join("examples"), &mut found);
    let scenarios = root().join("scenarios");
    if scenarios.is_dir() {
        scripts_below(&scenarios, &mut found);
    }
    assert!(found.len() >= 10);
    for path in found {
        let text = std::fs::read(&path).unwrap();
        let tree = parser().parse(&text, None).unwrap();
        assert!(
            !tree.root_node().has_error(),
            "{}: {}",
            path.display(),
            tree.root_node().to_sexp()
        );
    }
}

#[test]
fn systems_parse_and_their_calls_are_found() {
    let system = std::fs::read_to_string(root().join("examples/systems/natural.bid")).unwrap();
    let notation = "otherwise \"2/1\"\n1N-(2S)-X!: hcp(me) >= 8 \"takeout\"\n(1C)-1S: spades(me) >= 5\n\
        P*-1N--2C--?: hcp(me) > 3\n1NT pass 2C pass 2H: hearts(me) >= 4\nP: 1\n";
    for (text, rules) in [(system.as_str(), 130), (notation, 5)] {
        let tree = parser().parse(text, None).unwrap();
        let root = tree.root_node();
        assert!(!root.has_error(), "{}", root.to_sexp());
        let mut cursor = root.walk();
        let found = root.children(&mut cursor);
        let found = found.filter(|node| node.kind() == "rule").count();
        assert!(found >= rules, "{found}");
    }
    // A choice between values is no rule.
    let choice = "condition hcp(north) > 3 ? P : X\n";
    let tree = parser().parse(choice, None).unwrap();
    assert!(!tree.root_node().has_error() && !tree.root_node().to_sexp().contains("auction"));
}

#[test]
fn forms_of_other_dealers_parse() {
    for text in [
        "condition hcp(north) > 3\naction printall,",
        "condition hcp(north) > 3\naction printall, average \"x\" hcp(north),\n",
        "action printall,\ncondition hcp(north) > 3",
        "action printall,\n# the end\n",
        "action average \"x\" (hcp(north), avg > 5000), average (hcp(south)) + 1",
    ] {
        assert!(is_right(text.as_bytes()), "{text}");
        let tree = parser().parse(text, None).unwrap();
        let root = tree.root_node();
        assert!(!root.has_error(), "{text}\n{}", root.to_sexp());
    }
}

#[test]
fn generated_scripts_parse() {
    let mut good = 0;
    let mut parser = parser();
    for seed in 0..1500 {
        let text = generated::script(seed);
        if !is_right(text.as_bytes()) {
            continue;
        }
        good += 1;
        let tree = parser.parse(&text, None).unwrap();
        assert!(
            !tree.root_node().has_error(),
            "seed {seed}:\n{text}\n{}",
            tree.root_node().to_sexp()
        );
    }
    assert!(good >= 1000, "{good}");
}

#[test]
fn no_word_of_the_language_is_uncoloured() {
    let language = tree_sitter_dealer::LANGUAGE.into();
    let query = Query::new(&language, tree_sitter_dealer::HIGHLIGHTS_QUERY).unwrap();
    let colour = |text: &str, word: &str| {
        let tree = parser().parse(text, None).unwrap();
        let at = text.find(word).unwrap();
        let mut cursor = QueryCursor::new();
        let mut captures = cursor.captures(&query, tree.root_node(), text.as_bytes());
        let mut last = None;
        while let Some((found, index)) = captures.next() {
            let capture = found.captures()[*index];
            if capture.node.start_byte() == at && capture.node.end_byte() == at + word.len() {
                last = Some(query.capture_names()[capture.index as usize].to_owned());
            }
        }
        last.unwrap_or_else(|| panic!("no colour for {word} in {text}"))
    };
    for entry in script::words() {
        use script::WordCategory::*;
        for word in std::iter::once(entry.name).chain(entry.aliases) {
            let (text, wanted): (String, &[&str]) = match entry.category {
                Function => (format!("condition {word}(north)"), &["function.builtin"]),
                Operator if word == "not" => ("condition not 1".into(), &["keyword.operator"]),
                Operator => (format!("condition 1 {word} 2"), &["keyword.operator"]),
                Value if word == "any" => (
                    "condition shape(north, any 4333)".into(),
                    &["keyword.operator"],
                ),
                Value => (format!("condition hcp({word})"), &["constant.builtin"]),
                Term => (
                    format!("action printrpt({word})"),
                    &["constant.builtin", "function"],
                ),
                Action => (format!("action {word}"), &["function.macro"]),
                Statement => (statement(word), &["keyword"]),
                Metric => continue,
            };
            let found = colour(&text, word);
            assert!(
                wanted.contains(&found.as_str()),
                "{word} in {text:?} is {found}"
            );
        }
    }
}

fn statement(word: &str) -> String {
    match word {
        "condition" => "condition 1".into(),
        "action" => "action printall".into(),
        "predeal" => "predeal north SAK".into(),
        "title" | "import" => format!("{word} \"x\""),
        "dealer" | "opener" => format!("{word} north"),
        "vulnerable" => "vulnerable none".into(),
        _ => format!("{word} 5"),
    }
}
