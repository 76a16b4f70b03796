//! Frequencies shown in the script: a line above the condition, and a note after each clause.

use croupier::script::outline::StatementRole;
use croupier::script::plan::{NodeId, Plan};
use lsp_types::{CodeLens, Command, InlayHint, InlayHintLabel};

use crate::analysis::CompiledDocument;
use crate::chances::Frequencies;
use crate::document::OpenDocument;

/// Returns the nodes whose frequencies are shown: the condition, its clauses and the variables with the values true and
/// false.
#[must_use]
pub fn questions(plan: &Plan) -> Vec<NodeId> {
    let variables = plan.variables.iter().map(|variable| variable.value);
    let mut nodes: Vec<NodeId> = plan.condition.into_iter().collect();
    nodes.extend(plan.clauses());
    nodes.extend(variables.filter(|&node| is_test(plan, node)));
    nodes
}

/// Returns whether the value of a node is only ever 0 or 1, and not constant.
#[must_use]
pub fn is_test(plan: &Plan, node: NodeId) -> bool {
    let facts = plan.facts_of(node);
    (facts.min, facts.max) == (0, 1)
}

/// Command of the lens: runs the script whose address is the first argument.
pub const RUN: &str = "croupier.run";

/// Returns the line `deals 1 in 116.75 · run` above the condition.
#[must_use]
pub fn lenses(
    address: &str,
    document: &OpenDocument,
    analysis: &CompiledDocument,
    frequencies: &Frequencies,
) -> Vec<CodeLens> {
    let mut conditions = document
        .outline
        .statements
        .iter()
        .filter(|part| part.role == StatementRole::Condition);
    // The last condition of a script is the effective one.
    let Some(part) = conditions.next_back() else {
        return Vec::new();
    };
    let Some(node) = analysis.plan.as_deref().and_then(|plan| plan.condition) else {
        return Vec::new();
    };
    let title = match frequencies.get(analysis.fingerprint, node) {
        Some(frequency) => format!("deals {} · run", frequency.text()),
        None => "run".to_owned(),
    };
    vec![CodeLens {
        range: document.range(part.head.clone()),
        command: Some(Command {
            title,
            command: RUN.to_owned(),
            arguments: Some(vec![address.into()]),
        }),
        data: None,
    }]
}

/// Returns the frequency of each clause of the condition, shown after it.
#[must_use]
pub fn hints(
    document: &OpenDocument,
    analysis: &CompiledDocument,
    frequencies: &Frequencies,
) -> Vec<InlayHint> {
    let Some(plan) = analysis.plan.as_deref() else {
        return Vec::new();
    };
    let clauses = plan.clauses();
    // A single clause is the whole condition, whose frequency is shown above it.
    if clauses.len() < 2 {
        return Vec::new();
    }
    let hints = clauses.into_iter().filter_map(|clause| {
        let frequency = frequencies.get(analysis.fingerprint, clause)?;
        let bytes = analysis.bytes_of(plan.facts_of(clause).span)?;
        Some(InlayHint {
            position: document.position(bytes.end),
            label: InlayHintLabel::String(format!("  {}", frequency.percent())),
            kind: None,
            text_edits: None,
            tooltip: None,
            padding_left: Some(true),
            padding_right: Some(true),
            data: None,
        })
    });
    hints.collect()
}
