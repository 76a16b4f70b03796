//! Plans built node by node, for tests of expressions that no script contains.
#![allow(dead_code, reason = "not every test file uses all of it")]

use std::collections::HashMap;

use cards::ShapeSet;
use script::plan::{Action, BinaryOp, Counter, Mode, Node, NodeId, Plan, ShapeId, Span};
use script::{CompileOptions, ScriptSource, compile};

/// Compiles a script, which must be valid.
pub fn plan(mode: Mode, text: &str) -> Plan {
    let options = CompileOptions {
        mode,
        ..CompileOptions::default()
    };
    match compile(&ScriptSource::new("test.dl", text), &options) {
        Ok((plan, _)) => plan,
        Err(errors) => panic!("{text}: {}", errors[0].render()),
    }
}

/// Returns the rows of a vector file as maps from column name to field.
pub fn rows(file: &str) -> Vec<HashMap<String, String>> {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut lines = text.lines().map(fields);
    let names = lines.next().expect("a header");
    lines
        .map(|fields| names.iter().cloned().zip(fields).collect())
        .collect()
}

/// Splits a CSV line into fields; quotes protect commas, doubled quotes are quotes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                fields.last_mut().unwrap().push('"');
                chars.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

/// Builds a plan node by node, with short names.
pub struct Builder(script::plan::Builder);

impl Builder {
    pub fn new(mode: Mode) -> Self {
        Builder(script::plan::Builder::new(mode))
    }

    /// Returns the finished plan with this condition.
    pub fn condition(mut self, node: NodeId) -> Plan {
        self.0.condition(Some(node));
        self.build()
    }

    /// Returns the finished plan.
    pub fn build(self) -> Plan {
        self.0.build()
    }

    pub fn average(&mut self, value: NodeId) {
        self.0.action(Action::Average { label: None, value });
    }

    pub fn shape(&mut self, set: ShapeSet) -> ShapeId {
        self.0.shape(set)
    }

    pub fn number(&mut self, value: i32) -> NodeId {
        self.add(Node::Constant(value))
    }

    pub fn binary(&mut self, op: BinaryOp, left: NodeId, right: NodeId) -> NodeId {
        self.add(Node::Binary { op, left, right })
    }

    pub fn and(&mut self, terms: impl IntoIterator<Item = NodeId>) -> NodeId {
        let terms = terms.into_iter().collect();
        self.add(Node::And(terms))
    }

    pub fn add(&mut self, node: Node) -> NodeId {
        self.0.add(node, Span::default())
    }
}

/// Returns the node of `hcp(seat)`.
pub fn hcp(seat: cards::Seat) -> Node {
    Node::Count {
        counter: Counter::Hcp,
        seat,
        suit: None,
    }
}
