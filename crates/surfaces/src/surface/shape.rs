//! Patterns of shapes, in both notations.

use script::shape::{FdLengths, expansion, fd};

use crate::observed::Observed;
use crate::{Surface, seeds};

/// Patterns of shapes.
pub static SHAPES: Surface = Surface {
    name: "shapes",
    about: "Any text as a pattern of shapes: an error with its place, or a set whose classic expansion is the same set.",
    feed,
    seeds: patterns,
    words,
    inputs: 8_000,
};

fn patterns() -> Vec<Vec<u8>> {
    let mut patterns = Vec::new();
    for (file, column) in [
        ("fdshapes", "expr"),
        ("fdshapes_native", "expr"),
        ("shapes", "shape_list"),
    ] {
        let file = format!("crates/script/tests/data/language/{file}.csv");
        patterns.extend(
            seeds::column(&file, column)
                .into_iter()
                .map(String::into_bytes),
        );
    }
    patterns
}

fn words() -> Vec<String> {
    let words = [
        "5M",
        "4m",
        "(332)",
        "xx",
        "x",
        "!",
        "+",
        "-",
        ",",
        "5+",
        "3-",
        "[4-6]",
        "[57]",
        "{",
        "}",
        "any ",
        "s>h",
        "h>=d",
        "s+h>9",
        "d==c",
        "&",
        "|",
        "5xxx",
        "0xxx",
        "DDDD",
        "A",
        "B",
        "C",
        "D",
        "13",
        "h+s=10",
        "not ",
        ":",
        "4432",
        "m<M",
        "M+m",
        "%s",
        "14",
        "(54)(xx)",
        "((",
        "))",
        "5332-5M(332)",
        "[",
        "]",
        "[0-",
        "[9-0]",
        "shape{north,",
    ];
    words.map(str::to_owned).to_vec()
}

fn feed(input: &[u8]) -> u64 {
    let mut observed = Observed::default();
    let within = |messages: &[fd::ShapeDiagnostic]| {
        for message in messages {
            assert!(!message.message.is_empty());
            assert!(
                message.range.start <= message.range.end
                    // An error about missing text at the end is marked after the end.
                    && message.range.start <= input.len()
                    && message.range.end <= input.len() + 1,
                "a place in the text"
            );
        }
    };
    for lengths in [FdLengths::All, FdLengths::UpToNine] {
        match fd::shapes(input, lengths) {
            Ok(found) => {
                within(&found.warnings);
                observed.note(found.set.len());
            }
            Err(errors) => {
                assert!(!errors.is_empty(), "a refusal has a reason");
                within(&errors);
                observed.message(&errors[0].message);
            }
        }
    }
    let expanded = expansion::expand(input);
    assert_eq!(
        expanded.is_ok(),
        fd::shapes(input, FdLengths::UpToNine).is_ok(),
        "expander and reader agree"
    );
    if let (Ok(expansion), Ok(found)) = (&expanded, fd::shapes(input, FdLengths::UpToNine)) {
        let list = expansion.to_string();
        // The classic notation and the expander support lengths up to nine.
        let up_to_nine = |set: cards::ShapeSet| {
            let shapes = set
                .iter()
                .filter(|shape| shape.lengths().iter().all(|&length| length <= 9));
            shapes.collect::<Vec<_>>()
        };
        assert_eq!(
            classic(&list).map(up_to_nine),
            Some(up_to_nine(found.set)),
            "the expansion {list:?} is the same set"
        );
    }
    if let Ok(line) = std::str::from_utf8(input) {
        let _ = expansion::expand_line(line);
        let _ = expansion::expand_line(&format!("x = shape{{north, {line}}} and 1"));
    }
    observed.number()
}

/// Returns the shapes of a classic list, read by the compiler; `None` if it is empty.
fn classic(list: &str) -> Option<cards::ShapeSet> {
    if list.trim().is_empty() {
        return Some(cards::ShapeSet::EMPTY);
    }
    let text = format!("condition shape(north, {list})");
    let (plan, _) = script::compile(
        &script::ScriptSource::new("list", text.as_str()),
        &script::CompileOptions::default(),
    )
    .ok()?;
    let condition = plan.condition?;
    match &plan.nodes[condition.index()] {
        script::plan::Node::Shape(_, shapes) => Some(*plan.shape_set(*shapes)),
        script::plan::Node::Constant(0) => Some(cards::ShapeSet::EMPTY),
        script::plan::Node::Constant(_) => Some(cards::ShapeSet::full()),
        other => panic!("{text} is {other:?}"),
    }
}
