//! Reads the statements of a system.

use std::ops::Range;

use super::words::{Part, Replaced, SYSTEM_WORDS, relative};
use super::{Definition, OtherSystem, SystemRule, SystemScript};
use crate::diagnostic::{Diagnostic, Report, Reports};
use crate::pieces::{Piece, PieceKind, scan};
use crate::plan::Span;
use crate::source::{Origin, ScriptSource, SourceMap};
use crate::statements::{Statement, StatementKind, is_call, statements};

/// The message about a word `vulnerable` without a player.
const VULNERABLE: &str = "write `vulnerable(me)`, or lho, partner or rho instead of me";

/// Creates an error about a range of a system.
pub(super) fn error(
    source: &ScriptSource,
    code: &'static str,
    range: Range<usize>,
    message: String,
) -> Diagnostic {
    let mut sources = SourceMap::default();
    let number = sources.add(
        source.name.clone(),
        source.text.as_slice().into(),
        Origin::Script,
    );
    let span = Span {
        source: number,
        start: range.start as u32,
        end: range.end as u32,
    };
    let mut reports = Reports::default();
    reports.add(Report::error(code, span, message));
    reports.finish(&sources).remove(0)
}

fn range_of(piece: &Piece<'_>) -> Range<usize> {
    piece.at..piece.at + piece.text.len()
}

/// Returns the content of a string piece.
fn unquoted(piece: &Piece<'_>) -> String {
    let text = piece.text.strip_prefix(b"\"").unwrap_or(piece.text);
    let text = text.strip_suffix(b"\"").unwrap_or(text);
    String::from_utf8_lossy(text).into_owned()
}

/// Reads the statements of a system without checking its conditions.
pub(super) fn read(source: &ScriptSource) -> Result<SystemScript, Vec<Diagnostic>> {
    let mut reader = Reader {
        system: SystemScript {
            source: source.clone(),
            title: None,
            otherwise: None,
            definitions: Vec::new(),
            rules: Vec::new(),
        },
        errors: Vec::new(),
    };
    if let Err(wrong) = std::str::from_utf8(&source.text) {
        let at = wrong.valid_up_to();
        reader.fail(
            at..at + 1,
            "a bidding system is written in UTF-8".to_owned(),
        );
        return Err(reader.errors);
    }
    let pieces = scan(&source.text);
    for statement in &statements(&pieces).0 {
        reader.statement(statement);
    }
    if reader.errors.is_empty() && reader.system.rules.is_empty() {
        let end = source.text.len();
        let message = "this is no bidding system: it has no rule such as `1N: 15 <= hcp(me) <= 17`";
        reader.fail(end.saturating_sub(1)..end, message.to_owned());
    }
    match reader.errors.is_empty() {
        true => Ok(reader.system),
        false => Err(reader.errors),
    }
}

struct Reader {
    system: SystemScript,
    errors: Vec<Diagnostic>,
}

impl Reader {
    fn fail(&mut self, range: Range<usize>, message: String) {
        let error = error(&self.system.source, "E810", range, message);
        self.errors.push(error);
    }

    fn statement(&mut self, statement: &Statement<'_>) {
        let code: Vec<Piece<'_>> = statement
            .pieces
            .iter()
            .copied()
            .filter(|piece| !piece.is_comment() && piece.kind != PieceKind::Separator)
            .collect();
        let Some(first) = code.first() else { return };
        match statement.kind {
            StatementKind::Definition => self.definition(&code),
            StatementKind::Rule(head) => self.rule(&code, head),
            StatementKind::Setting if first.is("title") => {
                self.system.title = code.get(1).map(unquoted);
            }
            StatementKind::Setting if first.is("otherwise") => {
                if let Some(name) = code.get(1) {
                    self.system.otherwise = Some(OtherSystem {
                        name: unquoted(name),
                        range: range_of(name),
                    });
                }
            }
            _ => self.stray(&code),
        }
    }

    /// Reports a statement that systems do not have.
    fn stray(&mut self, code: &[Piece<'_>]) {
        let first = code[0];
        let rest = code.iter().skip(1).take_while(|piece| piece.breaks == 0);
        let line: Vec<&Piece<'_>> = std::iter::once(&code[0]).chain(rest).collect();
        let head = line
            .iter()
            .position(|piece| piece.is(":"))
            .map(|end| &line[..end]);
        let wrong = head.and_then(|head| {
            head.iter()
                .find(|piece| piece.kind == PieceKind::Word && !is_call(piece.text))
        });
        if let Some(wrong) = wrong {
            let text = String::from_utf8_lossy(wrong.text).into_owned();
            let message = format!("`{text}` is not a call; write for example P, X, XX, 1C or 3N");
            return self.fail(range_of(wrong), message);
        }
        if first.is("vulnerable") {
            return self.fail(range_of(&first), VULNERABLE.to_owned());
        }
        let text = String::from_utf8_lossy(first.text).into_owned();
        let message = format!(
            "`{text}` does not belong in a bidding system, which has definitions, `title`, `otherwise`, and calls such as `1N-P-2C: hcp(me) >= 8`"
        );
        self.fail(range_of(&first), message);
    }

    fn definition(&mut self, code: &[Piece<'_>]) {
        let name = String::from_utf8_lossy(code[0].text).into_owned();
        if SYSTEM_WORDS.iter().any(|(word, _)| *word == name) {
            let message = format!("`{name}` is a word of bidding systems and cannot be defined");
            return self.fail(range_of(&code[0]), message);
        }
        if self
            .system
            .definitions
            .iter()
            .any(|known| known.name == name)
        {
            return self.fail(range_of(&code[0]), format!("`{name}` is already defined"));
        }
        let Some(value) = self.part(&code[2..], range_of(&code[1])) else {
            return;
        };
        self.system.definitions.push(Definition { name, value });
    }

    fn rule(&mut self, code: &[Piece<'_>], head: usize) {
        let calls = code[0].at..code[head - 1].at;
        let written: String = String::from_utf8_lossy(&self.system.source.text[calls.clone()])
            .split_whitespace()
            .collect();
        let mut words: Vec<&str> = written
            .split('-')
            .map(|word| if word.is_empty() { "P" } else { word })
            .collect();
        let call = words.pop().unwrap_or_default();
        let plain = call.trim_matches(['!', '(', ')']);
        if !is_call(plain.as_bytes()) || plain.eq_ignore_ascii_case("any") {
            let message =
                format!("the rule must end with the call that it makes, not with `{call}`");
            return self.fail(calls, message);
        }
        let (auction, is_alerted) = (words.join("-"), call.contains('!'));
        let plain = plain.to_owned();
        let text = code.last().filter(|piece| piece.kind == PieceKind::Text);
        let body_end = code.len() - usize::from(text.is_some());
        let text = text.map(unquoted).filter(|text| !text.is_empty());
        let Some(condition) = self.part(&code[head.min(body_end)..body_end], calls.clone()) else {
            return;
        };
        self.system.rules.push(SystemRule {
            auction,
            call: plain,
            is_alerted,
            text,
            head: calls,
            condition,
        });
    }

    /// Reads an expression. `before` is the range of an error if there is none.
    fn part(&mut self, code: &[Piece<'_>], before: Range<usize>) -> Option<Part> {
        let (Some(first), Some(last)) = (code.first(), code.last()) else {
            let message = "the condition is missing; write `1` for any hand".to_owned();
            self.fail(before, message);
            return None;
        };
        let range = first.at..range_of(last).end;
        let mut replaced = Vec::new();
        let mut at = 0;
        while let Some(piece) = code.get(at) {
            at += 1;
            if piece.kind != PieceKind::Word {
                continue;
            }
            if piece.is("vulnerable") {
                let player = code.get(at + 1).and_then(|piece| relative(piece.text));
                let is_call = code.get(at).is_some_and(|piece| piece.is("("))
                    && code.get(at + 2).is_some_and(|piece| piece.is(")"));
                let Some(player) = player.filter(|_| is_call) else {
                    self.fail(range_of(piece), VULNERABLE.to_owned());
                    return None;
                };
                let whole = piece.at..range_of(&code[at + 2]).end;
                replaced.push((whole, Replaced::Vulnerable(player)));
                at += 3;
                continue;
            }
            let named = self
                .system
                .definitions
                .iter()
                .position(|known| piece.is(&known.name));
            let replacement = match relative(piece.text) {
                Some(player) => Some(Replaced::Player(player)),
                None if piece.is("position") => Some(Replaced::Turn),
                None => named.map(Replaced::Name),
            };
            replaced.extend(replacement.map(|replacement| (range_of(piece), replacement)));
        }
        Some(Part { range, replaced })
    }
}
