//! Errors and warnings about a script, with their places and suggested fixes.

use crate::plan::Span;
use crate::source::{Origin, Place, SourceMap};
use std::collections::HashSet;
use std::fmt::Write as _;

/// Error or warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The script cannot be run.
    Error,
    /// The script is legal, but probably does not do what its author meant.
    Warning,
}

/// A message about a place in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Class of the message: `E203`, `W10`, ...
    pub code: &'static str,
    /// The place in a file. For text that replaces `$n` it is the place of the `$n`.
    pub place: Place,
    /// One sentence: what is wrong and what would be right.
    pub message: String,
    /// Further lines below the source line.
    pub notes: Vec<String>,
    /// Line number and text that the classic programs print for this error.
    pub classic: Option<(u32, String)>,
    /// Offset in the script at which the classic programs notice the error and stop reading; none if that is in another text.
    pub noticed: Option<u32>,
    /// A change that corrects the script, if there is exactly one.
    pub fix: Option<Fix>,
}

/// A change of the file that corrects the error of a [`Diagnostic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The title for a menu of an editor: ``Write `==` ``.
    pub title: String,
    /// Byte ranges and their new text, in reading order.
    pub edits: Vec<(std::ops::Range<u32>, String)>,
}

impl Diagnostic {
    /// Formats the message as `file:line:column: error[E203]: text`, with the source line and a caret line.
    #[must_use]
    pub fn render(&self) -> String {
        self.render_with(false)
    }

    /// Formats the message like [`Diagnostic::render`], with colours for a terminal.
    #[must_use]
    pub fn render_coloured(&self) -> String {
        self.render_with(true)
    }

    fn render_with(&self, colour: bool) -> String {
        let (word, hue) = match self.severity {
            Severity::Error => ("error", "\x1b[1;31m"),
            Severity::Warning => ("warning", "\x1b[1;33m"),
        };
        let paint = |hue: &'static str| if colour { hue } else { "" };
        let (bold, blue, off) = (paint("\x1b[1m"), paint("\x1b[34m"), paint("\x1b[0m"));
        let hue = paint(hue);
        let place = &self.place;
        let mut out = String::new();
        let _ = writeln!(
            out,
            "{bold}{}:{}:{}:{off} {hue}{word}[{}]{off}: {bold}{}{off}",
            printable(&place.file),
            place.line,
            place.column,
            self.code,
            self.message
        );
        if place.mark_length > 0 {
            let _ = writeln!(
                out,
                "{blue}{:>5} |{off} {}",
                place.line,
                printable(&place.text)
            );
            let indent: String = place
                .text
                .chars()
                .chain(std::iter::repeat(' '))
                .take(place.mark_from)
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            let _ = writeln!(
                out,
                "{blue}      |{off} {indent}{hue}{}{off}",
                "^".repeat(place.mark_length)
            );
        }
        for note in &self.notes {
            let _ = writeln!(out, "{blue}      ={off} {note}");
        }
        out
    }

    /// Formats the line that the classic programs print for this error: `line 3: syntax error`. None if they accept the script.
    #[must_use]
    pub fn render_classic(&self) -> Option<String> {
        self.classic
            .as_ref()
            .map(|(line, text)| format!("line {line}: {text}"))
    }
}

/// Replaces control characters of a source line, which could change the state of the terminal.
fn printable(line: &str) -> String {
    line.chars()
        .map(|c| {
            if c.is_control() && c != '\t' {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

/// A message whose place is still a span: file, line and column are worked out at the end.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub severity: Severity,
    pub code: &'static str,
    pub span: Span,
    pub message: String,
    pub notes: Vec<String>,
    pub classic: Option<(Span, String)>,
    /// Title of a fix, and the new text for each span.
    pub fix: Option<(String, Vec<(Span, String)>)>,
}

impl Report {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Report {
        Report {
            severity: Severity::Error,
            code,
            span,
            message: message.into(),
            notes: Vec::new(),
            classic: None,
            fix: None,
        }
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Report {
        Report {
            severity: Severity::Warning,
            ..Report::error(code, span, message)
        }
    }

    pub fn note(mut self, note: impl Into<String>) -> Report {
        self.notes.push(note.into());
        self
    }

    /// Offers the fix to replace the marked bytes by `text`.
    pub fn replace_with(self, text: &str) -> Report {
        let span = self.span;
        self.with_fix(format!("Write `{text}`"), vec![(span, text.to_owned())])
    }

    /// Appends "did you mean `text`?" to the message and offers to write `text`.
    pub fn suggest(mut self, text: Option<&str>) -> Report {
        let Some(text) = text else { return self };
        self.message += &format!("; did you mean `{text}`?");
        self.replace_with(text)
    }

    /// Adds a fix.
    pub fn with_fix(mut self, title: impl Into<String>, edits: Vec<(Span, String)>) -> Report {
        self.fix = Some((title.into(), edits));
        self
    }

    /// Sets the text that the classic programs print, which they do at the token `at`.
    pub fn classic(mut self, at: Span, text: impl Into<String>) -> Report {
        self.classic = Some((at, text.into()));
        self
    }

    /// Marks the error as one that the classic programs report as a syntax error at the marked token.
    pub fn classic_syntax_error(self) -> Report {
        let at = self.span;
        self.classic(at, "syntax error")
    }
}

/// Maximum number of errors, and of warnings, that are kept.
pub(crate) const MAX_REPORTS: usize = 100;

/// The messages of one compilation.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    list: Vec<Report>,
    errors: usize,
    warnings: usize,
}

impl Reports {
    pub fn add(&mut self, report: Report) {
        let count = match report.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count <= MAX_REPORTS {
            self.list.push(report);
        }
    }

    /// Replaces all messages so far by one that explains them.
    pub fn replace(&mut self, report: Report) {
        *self = Reports::default();
        self.add(report);
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns whether the maximum number of errors is reached, so that reading on is pointless.
    pub fn is_full(&self) -> bool {
        self.errors >= MAX_REPORTS
    }

    /// Works out the places and sorts: first the errors in reading order, then the warnings.
    pub fn finish(mut self, sources: &SourceMap) -> Vec<Diagnostic> {
        self.list
            .sort_by_cached_key(|r| (r.severity, sources.order(r.span)));
        self.list
            .dedup_by(|b, a| a.code == b.code && a.span == b.span);
        // One message is enough for a file that must not be quoted: all would have the same text.
        let mut unquoted = HashSet::new();
        self.list.retain(|report| {
            let source = sources.in_file(report.span).source;
            sources.get(source).is_quotable || unquoted.insert(source)
        });
        self.list
            .into_iter()
            .map(|report| resolve(report, sources))
            .collect()
    }
}

/// Makes a message about a file that may not be a script: it contains the place of the first error and no text of the file.
fn unquoted(
    severity: Severity,
    code: &'static str,
    place: Place,
    mut notes: Vec<String>,
) -> Diagnostic {
    let note = "lines of an imported file are shown if its name ends like a script's: .dl, .dlr";
    notes.push(note.to_owned());
    Diagnostic {
        severity,
        code,
        place: Place {
            text: String::new(),
            mark_from: 0,
            mark_length: 0,
            ..place
        },
        message: "the imported file is wrong here; check it by itself".to_owned(),
        notes,
        classic: None,
        noticed: None,
        fix: None,
    }
}

fn resolve(report: Report, sources: &SourceMap) -> Diagnostic {
    let mut notes = report.notes;
    let mut span = report.span;
    while let Some((n, site)) = sources.variable_of(span) {
        let place = sources.place(span);
        notes.push(format!(
            "in the text of the option -{n} (replacing ${n}): `{}`, at character {}",
            printable(&place.text),
            place.column
        ));
        span = site;
    }
    if let Origin::Switch(switch) = &sources.get(span.source).origin {
        notes.push(format!("this text comes from the option {switch}"));
    }
    let mut source = span.source;
    while let Origin::Import(site) = sources.get(source).origin {
        let from = sources.place(site);
        let file = printable(&from.file);
        notes.push(format!("imported at {file}:{}", from.line));
        source = site.source;
    }
    // The text of `$n` is not in the file, so a fix inside it cannot be applied.
    let here = report.span.source == span.source;
    let fix = report.fix.filter(|_| here).and_then(|(title, edits)| {
        let edits = edits
            .into_iter()
            .map(|(at, text)| (at.source == span.source).then_some((at.start..at.end, text)));
        Some(Fix {
            title,
            edits: edits.collect::<Option<_>>()?,
        })
    });
    if !sources.get(span.source).is_quotable {
        return unquoted(report.severity, report.code, sources.place(span), notes);
    }
    let noticed = report.classic.as_ref().map(|(at, _)| *at);
    let in_script = |at: &Span| matches!(sources.get(at.source).origin, Origin::Script);
    Diagnostic {
        severity: report.severity,
        code: report.code,
        fix,
        noticed: noticed.filter(in_script).map(|at| at.start),
        place: sources.place(span),
        message: report.message,
        notes,
        classic: report
            .classic
            .map(|(at, text)| (sources.classic_line(at), text)),
    }
}
