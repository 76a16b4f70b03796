//! What is wrong, where, and what would be right.

use crate::plan::Span;
use crate::source::{Origin, Place, SourceMap};
use std::collections::HashSet;
use std::fmt::Write as _;

/// Error or warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The script cannot be run.
    Error,
    /// Legal, but surely not what was meant.
    Warning,
}

/// A message about a place in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Class of the message: `E203`, `W10`, ...
    pub code: &'static str,
    /// The place in a file (for text from `$n`, where the `$n` stands).
    pub place: Place,
    /// One sentence: what is wrong and what would be right.
    pub message: String,
    /// Further lines.
    pub notes: Vec<String>,
    /// What the classic programs print instead: line number and text.
    pub classic: Option<(u32, String)>,
    /// The byte of the script at which the classic programs notice it and stop reading, if it is in the script itself.
    pub noticed: Option<u32>,
    /// A change of the script that mends it, where there is only one.
    pub fix: Option<Fix>,
}

/// A change of the file of a [`Diagnostic`] that mends what it complains about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in the words of a menu: ``Write `==` ``.
    pub title: String,
    /// Stretches of bytes and what to write in their places, in reading order.
    pub edits: Vec<(std::ops::Range<u32>, String)>,
}

impl Diagnostic {
    /// The message in the shape `file:line:column: error[E203]: text`, the source line and a caret line.
    #[must_use]
    pub fn render(&self) -> String {
        self.render_with(false)
    }

    /// The same with colours for a terminal.
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

    /// The line that the classic programs print for this error, if they see one: `line 3: syntax error`.
    #[must_use]
    pub fn render_classic(&self) -> Option<String> {
        self.classic
            .as_ref()
            .map(|(line, text)| format!("line {line}: {text}"))
    }
}

/// Control characters of a source line would play with the terminal.
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

/// A message before its place has been worked out.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub severity: Severity,
    pub code: &'static str,
    pub span: Span,
    pub message: String,
    pub notes: Vec<String>,
    pub classic: Option<(Span, String)>,
    /// Title of a fix, and what it writes where.
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

    /// Offers to write `text` instead of what is marked.
    pub fn instead(self, text: &str) -> Report {
        let span = self.span;
        self.fixed(format!("Write `{text}`"), vec![(span, text.to_owned())])
    }

    /// Asks whether `text` was meant, and offers to write it.
    pub fn perhaps(mut self, text: Option<&str>) -> Report {
        let Some(text) = text else { return self };
        self.message += &format!("; did you mean `{text}`?");
        self.instead(text)
    }

    /// Offers a change of the script.
    pub fn fixed(mut self, title: impl Into<String>, edits: Vec<(Span, String)>) -> Report {
        self.fix = Some((title.into(), edits));
        self
    }

    /// Sets what the classic programs say, noticed at the token `at`.
    pub fn classic(mut self, at: Span, text: impl Into<String>) -> Report {
        self.classic = Some((at, text.into()));
        self
    }

    /// A syntax error in the eyes of the classic programs, noticed at the marked token.
    pub fn syntax(self) -> Report {
        let at = self.span;
        self.classic(at, "syntax error")
    }
}

/// More than this many messages of a kind are of no use to anybody.
pub(crate) const MOST_REPORTS: usize = 100;

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
        if *count <= MOST_REPORTS {
            self.list.push(report);
        }
    }

    /// Drops everything said so far for the one message that explains it all.
    pub fn replace(&mut self, report: Report) {
        *self = Reports::default();
        self.add(report);
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// True when so many errors were found that going on is pointless.
    pub fn is_full(&self) -> bool {
        self.errors >= MOST_REPORTS
    }

    /// Works out the places; errors first in reading order, then warnings in reading order.
    pub fn finish(mut self, sources: &SourceMap) -> Vec<Diagnostic> {
        self.list
            .sort_by_cached_key(|r| (r.severity, sources.order(r.span)));
        self.list
            .dedup_by(|b, a| a.code == b.code && a.span == b.span);
        // Of a file that is not quoted one message is enough: all would say the same.
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

/// A message about a file that is perhaps no script: it tells where the first error is and nothing of the text.
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
    // A fix inside the text of `$n` is not in the file.
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
