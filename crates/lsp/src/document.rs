//! An open script: its text, and conversion of the editor's positions.

use std::ops::Range;

use croupier::script::outline::Outline;
use lsp_types::{Position, TextDocumentContentChangeEvent};

/// A script that an editor has open.
#[derive(Clone, Debug)]
pub struct OpenDocument {
    /// Text of the script.
    pub text: String,
    /// The editor's version number of the text, if it has sent one.
    pub version: Option<i32>,
    /// Offsets of the beginnings of lines.
    lines: Vec<usize>,
    /// The end of each character that is not ASCII, and the sum of the bytes of these characters up to there less their
    /// UTF-16 units. Positions in long lines are found without reading the line.
    wide: Vec<(usize, usize)>,
    /// Outline of the script: its tokens and statements.
    pub outline: Outline,
}

impl OpenDocument {
    /// Creates a document with this text.
    #[must_use]
    pub fn new(text: String, version: Option<i32>) -> OpenDocument {
        let mut surplus = 0;
        let wide = text.char_indices().filter(|(_, c)| !c.is_ascii());
        let wide = wide.map(|(at, c)| {
            surplus += c.len_utf8() - c.len_utf16();
            (at + c.len_utf8(), surplus)
        });
        OpenDocument {
            wide: wide.collect(),
            lines: OpenDocument::lines_of(&text),
            outline: Outline::of(text.as_bytes()),
            text,
            version,
        }
    }

    /// Returns the document after the editor's changes.
    #[must_use]
    pub fn changed(
        &self,
        changes: &[TextDocumentContentChangeEvent],
        version: Option<i32>,
    ) -> OpenDocument {
        let mut text = self.text.clone();
        for change in changes {
            match change.range {
                None => text.clone_from(&change.text),
                Some(range) => {
                    // Each change applies to the text after the previous one.
                    let lines = OpenDocument::lines_of(&text);
                    let start = offset(&text, &lines, range.start);
                    let end = offset(&text, &lines, range.end).max(start);
                    text.replace_range(start..end, &change.text);
                }
            }
        }
        OpenDocument::new(text, version)
    }

    fn lines_of(text: &str) -> Vec<usize> {
        let starts = text.match_indices('\n').map(|(at, _)| at + 1);
        std::iter::once(0).chain(starts).collect()
    }

    /// Returns the offset of a position. A position after the end of a line is its end.
    #[must_use]
    pub fn offset(&self, position: Position) -> usize {
        offset(&self.text, &self.lines, position)
    }

    /// Returns the position of an offset.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|&start| start <= offset) - 1;
        let start = self.lines[line];
        let units = offset - start - (self.surplus(offset) - self.surplus(start));
        Position::new(line as u32, units as u32)
    }

    /// Returns the bytes of the text before `offset` less its UTF-16 units.
    fn surplus(&self, offset: usize) -> usize {
        let before = self.wide.partition_point(|(end, _)| *end <= offset);
        before.checked_sub(1).map_or(0, |last| self.wide[last].1)
    }

    /// Returns a span of bytes as a range of positions.
    #[must_use]
    pub fn range(&self, bytes: Range<usize>) -> lsp_types::Range {
        lsp_types::Range::new(self.position(bytes.start), self.position(bytes.end))
    }

    /// Returns the range of the whole text.
    #[must_use]
    pub fn whole(&self) -> lsp_types::Range {
        self.range(0..self.text.len())
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }
}

/// Returns a column, counted in UTF-16 units.
fn offset(text: &str, lines: &[usize], position: Position) -> usize {
    let Some(&start) = lines.get(position.line as usize) else {
        return text.len();
    };
    let end = lines
        .get(position.line as usize + 1)
        .map_or(text.len(), |next| next - 1);
    let mut units = 0;
    for (at, character) in text[start..end].char_indices() {
        if units >= position.character as usize {
            return start + at;
        }
        units += character.len_utf16();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf16_units() {
        let document = OpenDocument::new("a♠b\n𝄞x\n".into(), Some(1));
        for (offset, line, column) in [
            (0, 0, 0),
            (1, 0, 1),
            (4, 0, 2),
            (6, 1, 0),
            (10, 1, 2),
            (12, 2, 0),
        ] {
            let position = Position::new(line, column);
            assert_eq!(document.position(offset), position, "{offset}");
            assert_eq!(document.offset(position), offset);
        }
        assert_eq!(document.offset(Position::new(0, 99)), 5);
        assert_eq!(document.offset(Position::new(9, 0)), 12);
    }

    #[test]
    fn changes_follow_each_other() {
        let change = |range, text: &str| TextDocumentContentChangeEvent {
            range,
            range_length: None,
            text: text.into(),
        };
        let range = |a, b, c, d| {
            Some(lsp_types::Range::new(
                Position::new(a, b),
                Position::new(c, d),
            ))
        };
        let document = OpenDocument::new("one\ntwo\n".into(), Some(1));
        let after = document.changed(
            &[
                change(range(0, 0, 0, 3), "1\n1½"),
                change(range(1, 2, 2, 1), "|"),
            ],
            Some(2),
        );
        assert_eq!(after.text, "1\n1½|wo\n");
        assert_eq!(after.version, Some(2));
        assert_eq!(after.changed(&[change(None, "new")], Some(3)).text, "new");
    }
}
