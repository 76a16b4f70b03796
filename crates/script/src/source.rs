//! Texts and positions in them: the script itself, imported files, and the texts that replace `$0`..`$9`.

use std::sync::{Arc, OnceLock};

use crate::plan::Span;

/// A text to compile, with the name used in messages.
///
/// Scripts are bytes, not `str`: strings in old scripts may be in any encoding and are copied unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptSource {
    /// Name shown in messages, normally the path as the user typed it.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
    /// Whether messages may quote the text. A file that may not be a script is not quoted.
    pub is_quotable: bool,
}

impl ScriptSource {
    /// Creates a source with the given name and text.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> ScriptSource {
        ScriptSource {
            name: name.into(),
            text: text.into(),
            is_quotable: true,
        }
    }
}

/// The origin of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The script itself.
    Script,
    /// An `import` at this place.
    Import(Span),
    /// A `$n` at this place.
    Variable(u8, Span),
    /// An option of the caller, by its name.
    Switch(String),
}

/// A source text of the compilation.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub name: String,
    pub bytes: Arc<[u8]>,
    pub origin: Origin,
    /// Whether messages may quote the text.
    pub is_quotable: bool,
    newlines: OnceLock<Vec<u32>>,
}

impl Text {
    /// Returns the offsets of the line ends.
    fn newlines(&self) -> &[u32] {
        self.newlines.get_or_init(|| {
            let offsets = 0_u32..self.bytes.len() as u32;
            offsets
                .zip(self.bytes.iter())
                .filter(|&(_, &byte)| byte == b'\n')
                .map(|(at, _)| at)
                .collect()
        })
    }
}

/// All texts of one compilation: the script, its imports and the texts of `$n`.
///
/// Kept in the plan, so that an error during dealing can point into the script.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    texts: Vec<Text>,
    /// Strings whose line ends v1 does not count.
    pub(crate) uncounted: Vec<Span>,
}

/// A place for human readers: file, line and column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file.
    pub file: String,
    /// Line number, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The marked bytes.
    pub bytes: std::ops::Range<u32>,
    /// The source line (or a window of it when it is very long).
    pub text: String,
    /// Number of characters of `text` before the marked ones.
    pub mark_from: usize,
    /// Number of marked characters: at least 1, or 0 if the line is not shown.
    pub mark_length: usize,
}

/// Maximum number of characters of a shown line; longer lines are cut to a window around the mark.
const WINDOW: usize = 160;

impl SourceMap {
    /// Returns the place behind the last byte of the script.
    pub(crate) fn end_of_script(&self) -> Span {
        let end = self.texts.first().map_or(0, |text| text.bytes.len()) as u32;
        Span {
            source: 0,
            start: end,
            end,
        }
    }

    pub(crate) fn add(&mut self, name: String, bytes: Arc<[u8]>, origin: Origin) -> u32 {
        self.texts.push(Text {
            name,
            bytes,
            origin,
            is_quotable: true,
            newlines: OnceLock::new(),
        });
        self.texts.len() as u32 - 1
    }

    /// Adds an imported file.
    pub(crate) fn add_import(&mut self, source: ScriptSource, import: Span) -> u32 {
        let number = self.add(source.name, source.text.into(), Origin::Import(import));
        self.texts[number as usize].is_quotable = source.is_quotable;
        number
    }

    pub(crate) fn get(&self, id: u32) -> &Text {
        &self.texts[id as usize]
    }

    pub(crate) fn bytes(&self, span: Span) -> &[u8] {
        &self.get(span.source).bytes[span.start as usize..span.end as usize]
    }

    /// Returns the text of a span for use in a message.
    pub(crate) fn text(&self, span: Span) -> String {
        String::from_utf8_lossy(self.bytes(span)).into_owned()
    }

    /// Returns the innermost `$n` whose text contains the span, and the place of that `$n` in a file.
    pub(crate) fn variable_of(&self, span: Span) -> Option<(u8, Span)> {
        match self.get(span.source).origin {
            Origin::Variable(n, site) => Some((n, site)),
            _ => None,
        }
    }

    /// Follows `$n` expansions outwards to a span in a file or in an option of the caller.
    pub(crate) fn in_file(&self, mut span: Span) -> Span {
        while let Origin::Variable(_, site) = self.get(span.source).origin {
            span = site;
        }
        span
    }

    /// Returns a key that sorts spans in reading order: offsets from the script down to the innermost text.
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
                // Texts of the caller's options come before the script.
                Origin::Switch(_) => {
                    chain.push(0);
                    break;
                }
            }
        }
        chain.reverse();
        chain
    }

    /// Returns the line number (from 1) of a span.
    pub(crate) fn line(&self, span: Span) -> u32 {
        let span = self.in_file(span);
        let newlines = self.get(span.source).newlines();
        newlines.partition_point(|&at| at < span.start) as u32 + 1
    }

    /// Returns the line number as the classic programs count.
    pub(crate) fn classic_line(&self, span: Span) -> u32 {
        let at = self.in_file(span);
        let ends = |text: &&Span| text.source == at.source && text.end <= at.start;
        let before = self.uncounted.iter().filter(ends);
        let uncounted = before
            .flat_map(|&text| self.bytes(text))
            .filter(|&&byte| byte == b'\n');
        self.line(span) - uncounted.count() as u32
    }

    /// Returns the place of a span. For text that replaces `$n` it is the place in that text.
    #[must_use]
    pub fn place(&self, span: Span) -> Place {
        let text = self.get(span.source);
        let bytes = &text.bytes;
        let start = (span.start as usize).min(bytes.len());
        let end = (span.end as usize).clamp(start, bytes.len());
        let newlines = text.newlines();
        let line = newlines.partition_point(|&at| (at as usize) < start);
        let line_start = line
            .checked_sub(1)
            .map_or(0, |before| newlines[before] as usize + 1);
        let line_end = newlines.get(line).map_or(bytes.len(), |&at| at as usize);
        let marked_end = end.clamp(start, line_end.max(start));
        let before_length = characters(&bytes[line_start..start]);
        let marked = lossy_start(&bytes[start..marked_end], WINDOW);
        let marked_length = characters(marked.as_bytes());
        let shown_before = if marked_length + before_length > WINDOW {
            WINDOW / 2
        } else {
            WINDOW
        };
        let skipped = before_length.saturating_sub(shown_before);
        let mut shown = lossy_end(&bytes[line_start..start], before_length - skipped);
        shown.push_str(&marked);
        let room = WINDOW.saturating_sub(characters(shown.as_bytes()));
        shown.push_str(&lossy_start(
            &bytes[marked_end..line_end.max(marked_end)],
            room,
        ));
        // A byte order mark at the start of the file does not count as a column.
        let bom = usize::from(line_start == 0 && bytes.starts_with(b"\xef\xbb\xbf") && start >= 3);
        Place {
            file: text.name.clone(),
            line: line as u32 + 1,
            column: (before_length + 1 - bom) as u32,
            bytes: span.start..span.end,
            text: shown.trim_start_matches('\u{feff}').to_owned(),
            mark_from: before_length - skipped - bom.min(before_length - skipped),
            mark_length: marked_length.clamp(1, WINDOW),
        }
    }
}

/// Returns the number of characters. A byte that is not UTF-8 counts as 0 or 1, which is close enough for a column.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

/// Returns the first `count` characters of a text, without a carriage return at its end.
fn lossy_start(bytes: &[u8], count: usize) -> String {
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let start = &bytes[..bytes.len().min(4 * count)];
    String::from_utf8_lossy(start).chars().take(count).collect()
}

/// Returns the last `count` characters of a text.
fn lossy_end(bytes: &[u8], count: usize) -> String {
    let mut from = bytes.len();
    let mut left = count;
    while from > 0 && left > 0 {
        from -= 1;
        left -= usize::from(bytes[from] & 0xc0 != 0x80);
    }
    String::from_utf8_lossy(&bytes[from..]).into_owned()
}
