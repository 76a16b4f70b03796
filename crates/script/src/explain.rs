//! A readable description of a plan.

use std::collections::HashMap;
use std::fmt::Write as _;

use cards::Suit;

use crate::function::{self, Arguments};
use crate::plan::{BinaryOp, Counter, LoserRule, Node, NodeId, Plan, ShapeId, SideOrSeat};
use crate::shape::classic;

/// Maximum length of an expression in bytes. Longer ones are cut; the lines of the variables show their parts.
const MAX_EXPRESSION_LENGTH: usize = 2_000;

/// Writes expressions in the syntax of the language.
struct ExpressionWriter<'a> {
    plan: &'a Plan,
    /// Names of the nodes that are values of variables.
    names: HashMap<NodeId, &'a str>,
}

/// Returns how tightly an expression binds, loosest first, to decide where parentheses are needed.
fn level(node: &Node) -> u8 {
    match node {
        Node::Choose { .. } => 1,
        Node::Or(_) => 2,
        Node::And(_) => 3,
        Node::TricksAtLeast(..) => 6,
        Node::Binary { op, .. } => operator(*op).1,
        Node::Not(_) | Node::Negate(_) => 14,
        Node::Constant(value) if *value < 0 => 14,
        _ => 15,
    }
}

fn operator(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Equal => (" == ", 4),
        BinaryOp::NotEqual => (" != ", 4),
        BinaryOp::Less => (" < ", 6),
        BinaryOp::LessEqual => (" <= ", 6),
        BinaryOp::Greater => (" > ", 6),
        BinaryOp::GreaterEqual => (" >= ", 6),
        BinaryOp::Add => (" + ", 10),
        BinaryOp::Subtract => (" - ", 10),
        BinaryOp::Multiply => (" * ", 11),
        BinaryOp::Divide => (" / ", 11),
        BinaryOp::Remainder => (" % ", 11),
    }
}

/// An item of the stack of text that remains to be written.
enum PendingText {
    Text(&'static str),
    /// A node, and the level: looser nodes need parentheses.
    Node(NodeId, u8),
}

impl<'a> ExpressionWriter<'a> {
    fn new(plan: &'a Plan) -> ExpressionWriter<'a> {
        let mut names = HashMap::new();
        for variable in &plan.variables {
            let node = plan.node(variable.value);
            if level(node) < 15 || matches!(node, Node::Shape(..)) {
                names
                    .entry(variable.value)
                    .or_insert(variable.name.as_str());
            }
        }
        ExpressionWriter { plan, names }
    }

    /// Returns the text of a node. With `open`, its own variable name is not used, but names of its operands are.
    fn text(&self, id: NodeId, open: bool) -> String {
        let mut out = String::new();
        let mut pending = vec![PendingText::Node(id, 0)];
        let mut first = open;
        while let Some(piece) = pending.pop() {
            if out.len() > MAX_EXPRESSION_LENGTH {
                out.push_str(" ...");
                break;
            }
            match piece {
                PendingText::Text(text) => out.push_str(text),
                PendingText::Node(id, least) => {
                    if let Some(name) = self.names.get(&id).filter(|_| !first) {
                        out.push_str(name);
                        continue;
                    }
                    first = false;
                    let node = self.plan.node(id);
                    let grouped = level(node) < least;
                    if grouped {
                        out.push('(');
                        pending.push(PendingText::Text(")"));
                    }
                    self.node(node, &mut out, &mut pending);
                }
            }
        }
        out
    }

    fn node(&self, node: &Node, out: &mut String, pending: &mut Vec<PendingText>) {
        let list =
            |items: &[NodeId], word: &'static str, least: u8, pending: &mut Vec<PendingText>| {
                for (number, &item) in items.iter().enumerate().rev() {
                    pending.push(PendingText::Node(item, least));
                    if number > 0 {
                        pending.push(PendingText::Text(word));
                    }
                }
            };
        match node {
            Node::And(items) => list(items, " and ", 4, pending),
            Node::Or(items) => list(items, " or ", 3, pending),
            Node::Choose { test, yes, no } => {
                pending.push(PendingText::Node(*no, 1));
                pending.push(PendingText::Text(" : "));
                pending.push(PendingText::Node(*yes, 2));
                pending.push(PendingText::Text(" ? "));
                pending.push(PendingText::Node(*test, 2));
            }
            Node::Binary { op, left, right } => {
                let (sign, level) = operator(*op);
                pending.push(PendingText::Node(*right, level + 1));
                pending.push(PendingText::Text(sign));
                // Parentheses make comparisons of comparisons clearer.
                pending.push(PendingText::Node(
                    *left,
                    if level < 10 { 10 } else { level },
                ));
            }
            Node::Not(inner) => {
                out.push_str("not ");
                pending.push(PendingText::Node(*inner, 14));
            }
            Node::Negate(inner) => {
                out.push('-');
                pending.push(PendingText::Node(*inner, 15));
            }
            call => self.call(call, out, pending),
        }
    }

    /// Writes a function call, a number or a test by the solver.
    fn call(&self, node: &Node, out: &mut String, pending: &mut Vec<PendingText>) {
        match node {
            Node::Constant(value) => out.push_str(&value.to_string()),
            Node::TricksAtLeast(seat, strain, count) => {
                let _ = write!(out, "dds({seat}, {strain}) >= {count}");
            }
            _ => {
                let Some((function, arguments)) = function::of_node(node) else {
                    return;
                };
                let name = match node {
                    Node::Losers {
                        rule: LoserRule::Tables,
                        ..
                    } => "losers_by_tables",
                    _ => function.spellings[0],
                };
                let list = argument_texts(&arguments, |id| classic::list(self.plan.shape_set(id)))
                    .join(", ");
                let _ = write!(out, "{name}({list}");
                if let Some(value) = arguments.value {
                    if !list.is_empty() {
                        out.push_str(", ");
                    }
                    pending.push(PendingText::Text(")"));
                    pending.push(PendingText::Node(value, 0));
                } else {
                    out.push(')');
                }
            }
        }
    }
}

/// Returns the arguments that are not expressions, in the order of the parameters of the function.
pub(crate) fn argument_texts(
    arguments: &Arguments,
    shapes: impl FnOnce(ShapeId) -> String,
) -> Vec<String> {
    let word = |vulnerability: cards::Vulnerability| vulnerability.word().to_owned();
    let subject = |subject: SideOrSeat| match subject {
        SideOrSeat::Side(side) => side.letters().to_owned(),
        SideOrSeat::Seat(seat) => seat.to_string(),
    };
    let parts = [
        arguments.tag.map(|tag| tag.to_string()),
        arguments.subject.map(subject),
        arguments.seat.map(|seat| seat.to_string()),
        arguments.side.map(|side| side.letters().to_owned()),
        arguments.suit.map(|suit| suit.to_string()),
        arguments.strain.map(|strain| strain.to_string()),
        arguments.vulnerability.map(word),
        arguments.vulnerable.map(|v| vulnerability(v).to_owned()),
        arguments.contract.map(|contract| format!("x{contract}")),
        arguments
            .card
            .map(|card| format!("{}{}", card.rank(), card.suit().letter())),
        arguments.shapes.map(shapes),
        arguments.index.map(|index| index.to_string()),
        arguments.calls.as_ref().map(|calls| format!("\"{calls}\"")),
    ];
    parts.into_iter().flatten().collect()
}

fn vulnerability(vulnerable: bool) -> &'static str {
    if vulnerable { "vul" } else { "nv" }
}

fn counter_name(counter: Counter) -> &'static str {
    match counter {
        Counter::Hcp => "hcp",
        Counter::Controls => "controls",
        Counter::Pt(n) => [
            "tens", "jacks", "queens", "kings", "aces", "top2", "top3", "top4", "top5", "c13",
        ][n as usize % 10],
    }
}

impl Plan {
    /// Returns an expression of the plan as text. Parts that are variables appear by their names.
    #[must_use]
    pub fn expression(&self, id: NodeId) -> String {
        ExpressionWriter::new(self).text(id, true)
    }

    /// Returns the operands of the top-level `and` in the order of evaluation: the tests that a deal must all pass.
    #[must_use]
    pub fn clauses(&self) -> Vec<NodeId> {
        match self.condition.map(|id| (id, self.node(id))) {
            None => Vec::new(),
            Some((_, Node::And(items))) => items.to_vec(),
            Some((id, _)) => vec![id],
        }
    }

    /// Returns a readable description of the whole plan.
    #[must_use]
    pub fn explain(&self) -> String {
        let writer = ExpressionWriter::new(self);
        let mut out = String::new();
        let _ = writeln!(out, "mode: {}", format!("{:?}", self.mode).to_lowercase());
        self.explain_predeal(&mut out);
        self.explain_counters(&mut out);
        let clauses = self.clauses();
        match self.condition.map(|id| self.node(id)) {
            None => out.push_str("condition: none, every deal is produced\n"),
            Some(Node::Constant(0)) => out.push_str("condition: never holds\n"),
            Some(Node::Constant(_)) => out.push_str("condition: always holds\n"),
            Some(_) => {
                let _ = writeln!(out, "condition: all of these, in this order");
                for (number, &clause) in clauses.iter().enumerate() {
                    let facts = self.facts_of(clause);
                    let mut remarks = format!("about {}", duration(facts.cost));
                    if facts.random {
                        remarks += ", random";
                    }
                    if facts.can_fail {
                        remarks += ", division may fail";
                    }
                    let text = writer.text(clause, clauses.len() == 1);
                    let _ = writeln!(out, "{:>4}. {text}   [{remarks}]", number + 1);
                }
            }
        }
        if !self.variables.is_empty() {
            out.push_str("variables:\n");
            for variable in &self.variables {
                let facts = self.facts_of(variable.value);
                let text = writer.text(
                    variable.value,
                    writer.names.get(&variable.value) == Some(&variable.name.as_str()),
                );
                let range = match facts.min == facts.max {
                    true => format!("always {}", facts.min),
                    false => format!("{} to {}", facts.min, facts.max),
                };
                let range = match (facts.min, facts.max) {
                    (i32::MIN, _) | (_, i32::MAX) => "any value".to_owned(),
                    (0, 1) => "true or false".to_owned(),
                    _ => range,
                };
                let _ = writeln!(out, "      {} = {text}   [{range}]", variable.name);
            }
        }
        out.push_str("actions:\n");
        if self.actions.is_empty() {
            out.push_str("      none\n");
        }
        for action in &self.actions {
            let _ = writeln!(out, "      {}", action.text(|id| writer.text(id, false)));
        }
        out
    }

    fn explain_predeal(&self, out: &mut String) {
        for seat in cards::Seat::ALL {
            let cards = self.predeal[seat];
            if !cards.is_empty() {
                let _ = writeln!(out, "predealt to {seat}: {}", cards.suit_holdings());
            }
            for suit in Suit::DESCENDING {
                if let Some(length) = self.lengths[seat][suit] {
                    let _ = writeln!(out, "predealt length: {suit}({seat}) == {length}");
                }
            }
        }
    }

    fn explain_counters(&self, out: &mut String) {
        let defaults = crate::default_counters();
        for (number, default) in defaults.iter().enumerate() {
            let counter = match number {
                0 => Counter::Hcp,
                11 => Counter::Controls,
                n => Counter::Pt(n as u8 - 1),
            };
            if self.counters[number] != *default {
                let values: Vec<String> = self.counters[number]
                    .iter()
                    .rev()
                    .map(i32::to_string)
                    .collect();
                let _ = writeln!(
                    out,
                    "{} counts, ace first: {}",
                    counter_name(counter),
                    values.join(" ")
                );
            }
        }
    }
}

fn duration(nanoseconds: u32) -> String {
    match nanoseconds {
        0..1_000 => format!("{nanoseconds} ns"),
        1_000..1_000_000 => format!("{} us", nanoseconds / 1_000),
        _ => format!("{} ms", nanoseconds / 1_000_000),
    }
}
