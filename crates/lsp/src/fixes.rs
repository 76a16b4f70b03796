//! Quick fixes: replacements that the compiler suggests.

use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, TextEdit, Uri, WorkspaceEdit};

use crate::analysis::CompiledDocument;
use crate::document::OpenDocument;

/// Returns the fixes of messages that touch a range.
#[must_use]
#[expect(
    clippy::mutable_key_type,
    reason = "the protocol's type of edits has addresses as keys"
)]
pub fn actions(
    uri: &Uri,
    document: &OpenDocument,
    analysis: &CompiledDocument,
    range: lsp_types::Range,
) -> Vec<CodeActionOrCommand> {
    let diagnostics = analysis.diagnostics(document);
    let mut actions = Vec::new();
    for (message, diagnostic) in analysis.messages.iter().zip(diagnostics) {
        let touches = diagnostic.range.start <= range.end && range.start <= diagnostic.range.end;
        let Some(fix) = message
            .fix
            .as_ref()
            .filter(|_| touches && message.place.file == analysis.name)
        else {
            continue;
        };
        let edits = fix.edits.iter().map(|(bytes, text)| {
            TextEdit::new(
                document.range(bytes.start as usize..bytes.end as usize),
                text.clone(),
            )
        });
        let changes = [(uri.clone(), edits.collect())].into_iter().collect();
        actions.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: fix.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic]),
            edit: Some(WorkspaceEdit::new(changes)),
            is_preferred: Some(true),
            ..CodeAction::default()
        }));
    }
    actions
}
