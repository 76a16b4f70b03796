//! Both notations of shapes against the sets of the test vectors.

use crate::common;

use common::{compile_in, rows, shape_text};
use croupier_script::plan::{Mode, Node, Plan};
use croupier_script::shape::{FdLengths, fd};
use std::collections::BTreeSet;

/// Returns the set of the only shape test of a script.
fn only_set(plan: &Plan) -> String {
    let condition = plan.condition.expect("condition");
    match plan.node(condition) {
        Node::Shape(_, id) => shape_text(plan.shape_set(*id)),
        Node::Constant(0) => String::new(),
        Node::Constant(1) => shape_text(&cards::ShapeSet::full()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn classic_lists() {
    let rows = rows("shapes.csv");
    assert_eq!(rows.len(), 318);
    for row in rows {
        for mode in [Mode::V1, Mode::V2, Mode::Native] {
            let text = format!("condition shape(north, {})", row["shape_list"]);
            let (plan, _) = compile_in(mode, text.as_str())
                .unwrap_or_else(|e| panic!("{text}: {}", e[0].render()));
            assert_eq!(only_set(&plan), row["shapes"], "{text}");
        }
    }
}

#[test]
fn fd_expressions_with_the_lengths_of_fdp() {
    let rows = rows("fdshapes.csv");
    assert_eq!(rows.len(), 372);
    for row in rows {
        let expr = row["expr"].replace("\\n", " ");
        let found = fd::shapes(expr.as_bytes(), FdLengths::UpToNine)
            .unwrap_or_else(|e| panic!("{expr}: {e:?}"));
        assert_eq!(shape_text(&found.set), row["shapes"], "{expr}");
    }
}

#[test]
fn fd_expressions_with_natural_lengths() {
    for row in rows("fdshapes.csv") {
        let expr = row["expr"].replace("\\n", " ");
        let found = fd::shapes(expr.as_bytes(), FdLengths::All).expect("valid");
        let mut expected: BTreeSet<&str> = row["shapes"].split_whitespace().collect();
        expected.extend(row["native_add"].split_whitespace());
        for removed in row["native_del"].split_whitespace() {
            expected.remove(removed);
        }
        let expected: Vec<&str> = expected.into_iter().collect();
        assert_eq!(shape_text(&found.set), expected.join(" "), "{expr}");
    }
}

#[test]
fn fd_expressions_of_our_own() {
    let rows = rows("fdshapes_native.csv");
    assert_eq!(rows.len(), 76);
    for row in rows {
        let text = format!(
            "condition shape{{north, {}}}",
            row["expr"].replace("\\n", "\n")
        );
        let (plan, _) = compile_in(Mode::Native, text.as_str())
            .unwrap_or_else(|e| panic!("{text}: {}", e[0].render()));
        assert_eq!(only_set(&plan), row["shapes"], "{text}");
    }
}

#[test]
fn textual_expansion() {
    let mut failures = Vec::new();
    for row in rows("fdshapes.csv") {
        let expr = row["expr"].replace("\\n", " ");
        let line = format!("shape{{north, {expr}}}");
        let text = croupier_script::shape::expansion::expand_line(&line).expect("valid");
        let expected = format!("shape(north,{})", row["expansion"]);
        let patterns = 1 + text.matches(['+', '-']).count();
        if text != expected || patterns.to_string() != row["patterns"] {
            failures.push(format!("{expr}\n  expected {expected}\n  got      {text}"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}
