//! Plans built by hand, for tests that want expressions no script would contain.
#![allow(dead_code, reason = "not every test file uses all of it")]

use std::collections::HashMap;

use cards::ShapeSet;
use script::plan::{Action, BinaryOp, Counter, Mode, Node, NodeFacts, NodeId, Plan, ShapeId, Span};
use script::{CompileOptions, Source, compile};

/// The plan of a script, which must be right.
pub fn plan(mode: Mode, text: &str) -> Plan {
    let options = CompileOptions {
        mode,
        ..CompileOptions::default()
    };
    match compile(&Source::new("test.dl", text), &options) {
        Ok((plan, _)) => plan,
        Err(errors) => panic!("{text}: {}", errors[0].render()),
    }
}

/// The rows of a vector file as maps from column name to field.
pub fn rows(file: &str) -> Vec<HashMap<String, String>> {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut lines = text.lines().map(fields);
    let names = lines.next().expect("a header");
    lines
        .map(|fields| names.iter().cloned().zip(fields).collect())
        .collect()
}

/// The fields of a CSV line; quotes protect commas, doubled quotes are quotes.
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

/// Builds a plan node by node; equal nodes are one.
pub struct Builder {
    pub plan: Plan,
    known: HashMap<Node, NodeId>,
}

impl Builder {
    pub fn new(mode: Mode) -> Self {
        Builder {
            plan: Plan::empty(mode),
            known: HashMap::new(),
        }
    }

    pub fn condition(mut self, node: NodeId) -> Self {
        self.plan.condition = Some(node);
        self
    }

    pub fn average(&mut self, value: NodeId) {
        self.plan
            .actions
            .push(Action::Average { label: None, value });
    }

    pub fn shape(&mut self, set: ShapeSet) -> ShapeId {
        self.plan.shapes.push(set);
        ShapeId(self.plan.shapes.len() as u32 - 1)
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
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        let facts = self.facts(&node);
        let id = NodeId(self.plan.nodes.len() as u32);
        self.plan.nodes.push(node.clone());
        self.plan.facts.push(facts);
        self.known.insert(node, id);
        id
    }

    fn facts(&self, node: &Node) -> NodeFacts {
        let of = |id: &NodeId| *self.plan.facts_of(*id);
        let mut random = matches!(node, Node::Rnd(_));
        let mut can_fail = false;
        let mut operands = |ids: &[NodeId]| {
            for id in ids {
                random |= of(id).random;
                can_fail |= of(id).can_fail;
            }
        };
        let all = (i32::MIN, i32::MAX);
        let (min, max) = match node {
            Node::Constant(value) => (*value, *value),
            Node::Length(..) => (0, 13),
            Node::Count { counter, .. } => {
                let values = self.plan.counter(*counter);
                let size = values
                    .iter()
                    .map(|v| i64::from(*v).abs())
                    .max()
                    .unwrap_or(0)
                    * 13;
                i32::try_from(size).map_or(all, |size| (-size, size))
            }
            Node::Losers { .. } => (0, 12),
            Node::HasCard(..) | Node::Shape(..) | Node::TricksAtLeast(..) => (0, 1),
            Node::Cccc(_) => (-50, 9000),
            Node::Quality(..) => (0, 1365),
            Node::Ltc(..) => (0, 1200),
            Node::Tricks(..) => (0, 13),
            Node::Opc(..) | Node::UserEval { .. } | Node::Par(..) => all,
            Node::Score { tricks: x, .. } | Node::Rnd(x) => {
                operands(&[*x]);
                all
            }
            Node::Imps(x) => {
                operands(&[*x]);
                (-24, 24)
            }
            Node::Not(x) => {
                operands(&[*x]);
                (0, 1)
            }
            Node::Negate(x) => {
                operands(&[*x]);
                match (of(x).max.checked_neg(), of(x).min.checked_neg()) {
                    (Some(min), Some(max)) => (min, max),
                    _ => all,
                }
            }
            Node::And(terms) | Node::Or(terms) => {
                operands(terms);
                (0, 1)
            }
            Node::Choose { test, yes, no } => {
                operands(&[*test, *yes, *no]);
                (of(yes).min.min(of(no).min), of(yes).max.max(of(no).max))
            }
            Node::Binary { op, left, right } => {
                operands(&[*left, *right]);
                let (a, b) = (of(left), of(right));
                can_fail |= match op {
                    BinaryOp::Divide | BinaryOp::Remainder => {
                        (b.min <= 0 && 0 <= b.max)
                            || (a.min == i32::MIN && b.min <= -1 && -1 <= b.max)
                    }
                    _ => false,
                };
                binary_interval(*op, &a, &b)
            }
        };
        NodeFacts {
            min,
            max,
            random,
            can_fail,
            cost: 1,
            span: Span::default(),
        }
    }
}

fn binary_interval(op: BinaryOp, a: &NodeFacts, b: &NodeFacts) -> (i32, i32) {
    let ends = |f: fn(i64, i64) -> i64| {
        let all = [
            f(a.min.into(), b.min.into()),
            f(a.min.into(), b.max.into()),
            f(a.max.into(), b.min.into()),
            f(a.max.into(), b.max.into()),
        ];
        let low = all.iter().min().copied().unwrap_or(0);
        let high = all.iter().max().copied().unwrap_or(0);
        match (i32::try_from(low), i32::try_from(high)) {
            (Ok(low), Ok(high)) => (low, high),
            _ => (i32::MIN, i32::MAX),
        }
    };
    match op {
        BinaryOp::Add => ends(|x, y| x + y),
        BinaryOp::Subtract => ends(|x, y| x - y),
        BinaryOp::Multiply => ends(|x, y| x * y),
        BinaryOp::Divide | BinaryOp::Remainder => {
            let size = a.min.unsigned_abs().max(a.max.unsigned_abs());
            i32::try_from(size).map_or((i32::MIN, i32::MAX), |size| (-size, size))
        }
        _ => (0, 1),
    }
}

/// `hcp(seat)`
pub fn hcp(seat: cards::Seat) -> Node {
    Node::Count {
        counter: Counter::Hcp,
        seat,
        suit: None,
    }
}
