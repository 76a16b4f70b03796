//! Every script and every condition of the test vectors compiles to a consistent plan. (The fuzz surface `script` tests
//! damaged ones.)

use crate::common;

use common::{compile_in, data};
use croupier_script::plan::{Mode, Plan};

fn corpus() -> Vec<Vec<u8>> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        data("errors"),
        root.join("../dealer/tests/data/golden"),
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

/// Checks that operands precede their users, that every node has facts, and that everything can be printed.
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
