//! Statements whose value DealerV2 reads in its scanner.

use super::{Cursor, Lexer, is_blank};
use crate::plan::Span;
use crate::spelling::number;
use crate::token::Kind;
use crate::word::Word;

impl Lexer<'_> {
    /// v2 reads the value of `produce` and its like in the scanner: everything that does not fit is copied to
    /// standard output.
    pub(super) fn value_statement(&mut self, word: Word, span: Span, cursor: &mut Cursor) {
        if !cursor.peek().is_some_and(is_blank) {
            return self.push(Kind::Name, span);
        }
        self.push(Kind::Word(word), span);
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
                        Some(word) => Kind::Word(word),
                        None if text[0].is_ascii_digit() => Kind::Number(number(text)),
                        None => Kind::Name,
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

/// Whether v2 reads the value of this statement in its scanner.
pub(super) fn is_value_statement(word: Word) -> bool {
    use Word::*;
    matches!(
        word,
        Seed | Generate | Produce | Dealer | Vulnerable | Opener | Title | Startboard
    )
}

/// Length of the value of a v2 value statement at the start of `rest`, 0 if there is none.
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
