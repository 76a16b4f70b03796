//! One canonical layout of scripts: [`format`].
//!
//! The text is split into pieces, the pieces are grouped into statements, and each statement is written in lines. Words, strings
//! and comments stay as they are and in their order. Only blanks and line ends change, so the meaning stays.

mod lines;

use crate::non_script;
use crate::pieces::{Piece, scan};
use crate::statements::statements;
use crate::system::{self, SystemScript};
use crate::{CompileOptions, Diagnostic, ScriptSource, Severity, compile};

/// Maximum width of a line in columns.
const WIDTH: usize = 100;

/// Returns the script in the canonical layout.
///
/// Each statement begins a line. Long statements are broken before operators and indented by four blanks. A line that the author
/// ended before or after an operator still ends there. At most one empty line stays between statements. Comments stay where they
/// are: on lines of their own, or after code.
///
/// ```
/// let script = "condition hcp(north)>=15&&\n hcp(north)<=17 // strong\naction printall,average hcp(south)";
/// assert_eq!(
///     String::from_utf8(croupier_script::format(script.as_bytes())).unwrap(),
///     "condition\n    hcp(north) >= 15\n    && hcp(north) <= 17  // strong\naction\n    printall,\n    average hcp(south)\n"
/// );
/// ```
#[must_use]
pub fn format(script: &[u8]) -> Vec<u8> {
    let pieces = scan(script);
    let (statements, rest) = statements(&pieces);
    let mut out = Vec::with_capacity(script.len() + script.len() / 8);
    for statement in &statements {
        comments(&statement.above, &mut out);
        let gap = statement
            .pieces
            .first()
            .is_some_and(|piece| piece.breaks > 1);
        if gap && !out.is_empty() {
            out.push(b'\n');
        }
        lines::Layout::write(statement, &mut out);
    }
    comments(&rest, &mut out);
    out
}

/// Formats a script without errors like [`format()`]. A script with errors is not changed.
///
/// The result is compiled too. If its meaning differs, the script is returned as it was. A script that uses `$0` to `$9` is not
/// compiled, because their texts are often known only when the script is run.
///
/// # Errors
/// The errors of the script.
pub fn reformat(
    source: &ScriptSource,
    options: &CompileOptions<'_>,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    if non_script::script_inside(&source.text).is_some() {
        // The script is only a part of the file, so the file is not changed.
        return Ok(source.text.clone());
    }
    let laid_out = format(&source.text);
    let pieces = scan(&source.text);
    if pieces.iter().any(|piece| piece.text.contains(&b'$')) {
        return Ok(laid_out);
    }
    if system::is_system(&source.text) {
        return reformat_system(source, laid_out);
    }
    let (before, _) = compile(source, options).map_err(|mut diagnostics| {
        diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
        diagnostics
    })?;
    let after = compile(
        &ScriptSource::new(source.name.clone(), laid_out.clone()),
        options,
    );
    Ok(match after {
        Ok((after, _)) if after.explain() == before.explain() => laid_out,
        _ => source.text.clone(),
    })
}

/// Returns the new layout of a bidding system, if its rules are unchanged.
fn reformat_system(source: &ScriptSource, laid_out: Vec<u8>) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let before = SystemScript::parse(source)?;
    let after = SystemScript::parse(&ScriptSource::new(source.name.clone(), laid_out.clone()));
    let is_same = after.is_ok_and(|after| after.has_rules_of(&before));
    Ok(match is_same {
        true => laid_out,
        false => source.text.clone(),
    })
}

/// Writes comments on lines of their own.
fn comments(list: &[Piece<'_>], out: &mut Vec<u8>) {
    for comment in list {
        if comment.breaks > 1 && !out.is_empty() {
            out.push(b'\n');
        }
        out.extend(comment.text);
        out.push(b'\n');
    }
}
