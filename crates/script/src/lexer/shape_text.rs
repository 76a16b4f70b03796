//! The text between the braces of `shape{...}`, which has its own syntax.

use super::{Cursor, Lexer, Replacement, is_blank};
use crate::diagnostic::Report;
use crate::plan::Mode;
use crate::token::{FdText, TokenKind};

impl Lexer<'_> {
    /// Reads `{ ... }` after `shape`.
    pub(super) fn fd_shape(&mut self, cursor: &mut Cursor, depth: u32) {
        let start = cursor.at;
        cursor.at += 1;
        let mut fd = FdText::new(cursor.span(start));
        let closed = self.fd_text(&mut fd, cursor, depth, true);
        if closed {
            fd.close = cursor.span(cursor.at);
            cursor.at += 1;
            fd.close.end += 1;
        } else {
            let at = cursor.span(cursor.at);
            self.reports.add(
                Report::error("E412", fd.open, "this `{` is not closed; `}` is missing")
                    .classic(at, "syntax error"),
            );
            cursor.at = start;
            cursor.skip_while(|b| b != b'\n');
            return self.push(TokenKind::Bad, fd.open);
        }
        let open = fd.open;
        if fd.has_reported_error {
            return self.push(TokenKind::Bad, open);
        }
        self.fd_texts.push(fd);
        self.push(TokenKind::FdShape(self.fd_texts.len() as u32 - 1), open);
    }

    /// Copies the text up to the closing brace. Returns false if there is none.
    fn fd_text(&mut self, fd: &mut FdText, cursor: &mut Cursor, depth: u32, outer: bool) -> bool {
        while let Some(byte) = cursor.peek() {
            match byte {
                b'}' if outer => return true,
                b'{' | b'"' if outer => return false,
                b'$' => match self.replacement(cursor, depth) {
                    Replacement::Text(source) => {
                        let bytes = self.sources.get(source).bytes.clone();
                        let mut inner = Cursor::new(bytes, source);
                        self.fd_text(fd, &mut inner, depth + 1, false);
                    }
                    Replacement::Nothing if self.mode == Mode::Native => {
                        let span = cursor.span(cursor.at - 2);
                        let n = char::from(cursor.bytes[cursor.at - 1]);
                        let message = format!(
                            "`${n}` stands for nothing (option -{n} is not given or empty)"
                        );
                        self.reports.add(Report::error("E106", span, message));
                        fd.has_reported_error = true;
                    }
                    Replacement::Nothing | Replacement::Wrong(_) => {}
                },
                b'/' if cursor.ahead(1) == Some(b'/') => cursor.skip_while(|b| b != b'\n'),
                b'/' if cursor.ahead(1) == Some(b'*') => {
                    fd.push(b' ', cursor.source, cursor.at as u32);
                    self.comment(cursor);
                }
                _ => {
                    let byte = if is_blank(byte) { b' ' } else { byte };
                    fd.push(byte, cursor.source, cursor.at as u32);
                    cursor.at += 1;
                }
            }
        }
        !outer
    }
}
