//! Compiles the conditions of systems.

use cards::Seat;

use super::read::error;
use super::words::{Written, name_for};
use super::{CallerPosition, SystemScript};
use crate::diagnostic::{Diagnostic, Severity};
use crate::plan::{Action, Node, NodeId, Plan};
use crate::source::ScriptSource;
use crate::{CompileOptions, compile};

/// The conditions of all rules, compiled for one caller.
#[derive(Clone, Debug)]
pub struct RuleValues {
    /// The plan.
    pub plan: Plan,
    /// The value of each rule's condition.
    pub values: Vec<NodeId>,
}

impl SystemScript {
    /// Compiles the conditions of all rules for a caller.
    ///
    /// # Errors
    /// The errors of the script; there are none in a system that [`SystemScript::parse`] returned.
    pub fn compile(&self, position: CallerPosition) -> Result<RuleValues, Vec<Diagnostic>> {
        let mut written = Written::default();
        for definition in &self.definitions {
            let name = name_for(&definition.name, position.caller);
            let start = definition.value.range.start;
            written.push(&format!("{name} = "), start..start);
            definition
                .value
                .write(&self.source, &self.definitions, position, &mut written);
            written.push("\n", definition.value.range.end..definition.value.range.end);
        }
        for (number, rule) in self.rules.iter().enumerate() {
            let start = rule.condition.range.start;
            written.push(&format!("call_{number} = "), start..start);
            rule.condition
                .write(&self.source, &self.definitions, position, &mut written);
            written.push("\n", rule.condition.range.end..rule.condition.range.end);
        }
        let last = self.source.text.len();
        let averages: Vec<String> = (0..self.rules.len())
            .map(|number| format!("average call_{number}"))
            .collect();
        written.push(&format!("action {}\n", averages.join(", ")), last..last);
        let script = ScriptSource::new(self.source.name.clone(), written.text.as_str());
        let (plan, _) = compile(&script, &CompileOptions::default()).map_err(|found| {
            let errors = found
                .into_iter()
                .filter(|diagnostic| diagnostic.severity == Severity::Error);
            errors
                .map(|diagnostic| self.moved(diagnostic, &written))
                .collect::<Vec<_>>()
        })?;
        let outside = plan
            .nodes
            .iter()
            .enumerate()
            .find(|(_, node)| !is_own(node, position.caller));
        if let Some((number, _)) = outside {
            let span = plan.facts[number].span;
            let range = written.origin(span.start as usize..span.end as usize);
            let message = "a call can depend only on the caller's own hand: use `me`, and no values of other hands, of both, or of the play";
            return Err(vec![self.error("E811", range, message.to_owned())]);
        }
        let values = plan.actions.iter().filter_map(|action| match action {
            Action::Average { value, .. } => Some(*value),
            _ => None,
        });
        Ok(RuleValues {
            values: values.collect(),
            plan,
        })
    }

    /// Moves an error in the text of the dealer language to the place in the system from which that text was made.
    fn moved(&self, found: Diagnostic, written: &Written) -> Diagnostic {
        let bytes = found.place.bytes.start as usize..found.place.bytes.end as usize;
        let moved = error(
            &self.source,
            found.code,
            written.origin(bytes),
            found.message,
        );
        Diagnostic {
            notes: found.notes,
            ..moved
        }
    }
}

/// Checks all conditions. They are compiled for two seats, so that a seat that is named by itself is noticed.
pub(super) fn check(system: &SystemScript) -> Result<(), Vec<Diagnostic>> {
    for caller in [Seat::North, Seat::East] {
        let position = CallerPosition {
            caller,
            turn: 1,
            vulnerable: [false; 2],
        };
        system.compile(position)?;
    }
    Ok(())
}

/// Returns whether the value depends on no hand but `caller`'s, and on no draw.
fn is_own(node: &Node, caller: Seat) -> bool {
    match node {
        Node::Length(seat, _)
        | Node::Count { seat, .. }
        | Node::Losers { seat, .. }
        | Node::HasCard(seat, _)
        | Node::Shape(seat, _)
        | Node::HandValue { seat, .. } => *seat == caller,
        Node::UserEval { subject, .. } => *subject == crate::plan::SideOrSeat::Seat(caller),
        Node::Constant(_)
        | Node::Score { .. }
        | Node::Imps(_)
        | Node::Abs(_)
        | Node::Not(_)
        | Node::Negate(_)
        | Node::Binary { .. }
        | Node::And(_)
        | Node::Or(_)
        | Node::Choose { .. } => true,
        // Functions of several hands, and draws.
        _ => false,
    }
}
