//! Statements whose value DealerV2 reads in its scanner instead of its parser.

use super::{Cursor, Lexer, is_blank};
use crate::plan::Span;
use crate::spelling::number;
use crate::token::TokenKind;
use crate::word::Word;

impl Lexer<'_> {
    /// Reads the value of `produce` and similar statements as v2's scanner does: it copies everything that does not fit to
    /// standard output.
    pub(super) fn value_statement(&mut self, word: Word, span: Span, cursor: &mut Cursor) {
        if !cursor.peek().is_some_and(is_blank) {
            return self.push(TokenKind::Name, span);
        }
        self.push(TokenKind::Word(word), span);
        cursor.at += 1;
        while let Some(byte) = cursor.peek() {
            let length = value_length(word, cursor.rest());
            if length > 0 {
                if word != Word::Title {
                    let start = cursor.at;
                    cursor.at += length;
                    let found = cursor.span(start);
                    let text = &cursor.bytes[start..cursor.at];
                    let kind = match Word::from_spelling(text) {
                        Some(word) => TokenKind::Word(word),
                        None if text[0].is_ascii_digit() => TokenKind::Number(number(text)),
                        None => TokenKind::Name,
                    };
                    self.push(kind, found);
                }
                return;
            }
            if word == Word::Title || !is_blank(byte) {
                self.echo.push(byte);
            }
            cursor.at += 1;
        }
    }
}

/// Returns whether v2 reads the value of this statement in its scanner.
pub(super) fn is_value_statement(word: Word) -> bool {
    use Word::*;
    matches!(
        word,
        Seed | Generate | Produce | Dealer | Vulnerable | Opener | Title | Startboard
    )
}

/// Returns the length of the value at the start of `rest`, 0 if there is none.
fn value_length(word: Word, rest: &[u8]) -> usize {
    let one_of = |words: &[&str], exact: bool| {
        words
            .iter()
            .map(|w| w.as_bytes())
            .find(|w| {
                rest.get(..w.len())
                    .is_some_and(|text| text == *w || !exact && text.eq_ignore_ascii_case(w))
            })
            .map_or(0, <[u8]>::len)
    };
    match word {
        Word::Dealer | Word::Opener => one_of(&["north", "east", "south", "west"], true),
        Word::Vulnerable => one_of(&["none", "all", "both", "ns", "ew"], false),
        Word::Title => usize::from(rest.first() == Some(&b'"')),
        _ => rest.iter().take_while(|b| b.is_ascii_digit()).count(),
    }
}
