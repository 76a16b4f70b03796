//! Texts and positions in them: the script itself, imported files, and the texts that replace `$0`..`$9`.

use std::sync::Arc;

use crate::plan::Span;

/// A text to compile, with the name used in messages.
///
/// Scripts are bytes, not `str`: strings in old scripts may be in any encoding and pass through unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name shown in messages, normally the path as the user typed it.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
}

impl Source {
    /// A source with the given name and text.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Source {
        Source {
            name: name.into(),
            text: text.into(),
        }
    }
}

/// How a text came into the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The script itself.
    Script,
    /// `import` at this place.
    Import(Span),
    /// `$n` at this place.
    Variable(u8, Span),
    /// The argument of a switch such as `-N`.
    Switch(String),
}

/// One text known to the compiler.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub name: String,
    pub bytes: Arc<[u8]>,
    pub origin: Origin,
}

/// All texts of one compilation: the script, its imports and the texts of `$n`.
///
/// Kept in the plan so that an error found while dealing can still point into the script.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    texts: Vec<Text>,
}

/// Where a span is, in the terms of a reader: file, line and column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Line number, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The stretch of bytes that is meant.
    pub bytes: std::ops::Range<u32>,
    /// The source line (or a window of it when it is very long).
    pub text: String,
    /// Number of characters of `text` before the marked ones.
    pub mark_from: usize,
    /// Number of marked characters, at least 1.
    pub mark_length: usize,
}

/// Lines longer than this are shown as a window around the mark.
const WINDOW: usize = 160;

impl SourceMap {
    pub(crate) fn add(&mut self, name: String, bytes: Arc<[u8]>, origin: Origin) -> u32 {
        self.texts.push(Text {
            name,
            bytes,
            origin,
        });
        self.texts.len() as u32 - 1
    }

    pub(crate) fn get(&self, id: u32) -> &Text {
        &self.texts[id as usize]
    }

    pub(crate) fn bytes(&self, span: Span) -> &[u8] {
        &self.get(span.source).bytes[span.start as usize..span.end as usize]
    }

    /// The text of a span for use in a message.
    pub(crate) fn text(&self, span: Span) -> String {
        String::from_utf8_lossy(self.bytes(span)).into_owned()
    }

    /// The `$n` under whose expansion the span lies, innermost first, and the place in a file where it stands.
    pub(crate) fn variable_of(&self, span: Span) -> Option<(u8, Span)> {
        match self.get(span.source).origin {
            Origin::Variable(n, site) => Some((n, site)),
            _ => None,
        }
    }

    /// Follows `$n` expansions outwards to a span in a file (or in a switch).
    pub(crate) fn in_file(&self, mut span: Span) -> Span {
        while let Origin::Variable(_, site) = self.get(span.source).origin {
            span = site;
        }
        span
    }

    /// Position of a span in reading order: offsets from the script down to the innermost text.
    pub(crate) fn order(&self, span: Span) -> Vec<u32> {
        let mut chain = vec![span.start];
        let mut source = span.source;
        loop {
            match &self.get(source).origin {
                Origin::Import(site) | Origin::Variable(_, site) => {
                    chain.push(site.start);
                    source = site.source;
                }
                Origin::Script => break,
                // Texts from switches come before everything in the script.
                Origin::Switch(_) => {
                    chain.push(0);
                    break;
                }
            }
        }
        chain.reverse();
        chain
    }

    /// Line number (from 1) of a byte offset.
    pub(crate) fn line(&self, span: Span) -> u32 {
        let span = self.in_file(span);
        let bytes = &self.get(span.source).bytes;
        1 + bytes[..span.start as usize]
            .iter()
            .filter(|&&b| b == b'\n')
            .count() as u32
    }

    /// The place of a span; for text from `$n` the place in the text of the option.
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        let text = self.get(span.source);
        let bytes = &text.bytes;
        let start = (span.start as usize).min(bytes.len());
        let end = (span.end as usize).clamp(start, bytes.len());
        let line_start = bytes[..start]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |p| p + 1);
        let line_end = bytes[start..]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(bytes.len(), |p| start + p);
        let before = String::from_utf8_lossy(&bytes[line_start..start]).into_owned();
        let before_length = before.chars().count();
        let marked = String::from_utf8_lossy(&bytes[start..end.min(line_end).max(start)])
            .trim_end_matches('\r')
            .to_owned();
        let after = String::from_utf8_lossy(&bytes[end.min(line_end).max(start)..line_end])
            .trim_end_matches('\r')
            .to_owned();
        let marked_length = marked.chars().count();
        let skipped = before_length.saturating_sub(if marked_length + before_length > WINDOW {
            WINDOW / 2
        } else {
            WINDOW
        });
        let mut shown: String = before
            .chars()
            .skip(skipped)
            .chain(marked.chars().take(WINDOW))
            .collect();
        let room = WINDOW.saturating_sub(shown.chars().count());
        shown.extend(after.chars().take(room));
        // A byte order mark at the start of the file is no column.
        let bom = usize::from(line_start == 0 && bytes.starts_with(b"\xef\xbb\xbf") && start >= 3);
        Place {
            file: text.name.clone(),
            line: 1 + bytes[..line_start].iter().filter(|&&b| b == b'\n').count() as u32,
            column: (before_length + 1 - bom) as u32,
            bytes: span.start..span.end,
            text: shown.trim_start_matches('\u{feff}').to_owned(),
            mark_from: before_length - skipped - bom.min(before_length - skipped),
            mark_length: marked_length.clamp(1, WINDOW),
        }
    }
}
