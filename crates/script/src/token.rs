//! Tokens, the output of the lexer.

use cards::{Card, Contract};

use crate::plan::Span;
use crate::word::Word;

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// An integer literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    /// The value modulo 2^32, as the classic programs see it.
    pub wrapped: i32,
    /// Whether the number is larger than 2147483647.
    pub large: bool,
    /// Whether the number has exactly four digits, so that it can also be a shape.
    pub four: bool,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    AndAnd,
    OrOr,
    Equal,
    NotEqual,
    LessEqual,
    GreaterEqual,
    Less,
    Greater,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Question,
    Colon,
    Bang,
    Open,
    Close,
    Comma,
    Assign,
    /// `;` between statements.
    Semicolon,
    /// `&`, which is not an operator but often meant as one.
    SingleAnd,
    /// `|`
    SingleOr,
    Word(Word),
    /// `SAK`; the cards are in the text.
    Holding,
    Card(Card),
    Contract(Contract),
    /// Four characters of `0-9 x` with at least one `x`.
    Distribution([u8; 4]),
    Number(Number),
    /// A number with a decimal point, times 100.
    Decimal(i32),
    Name,
    /// A quoted string; the span includes the quotes.
    Text,
    /// `\n` outside quotes.
    Newline,
    /// `{...}` after `shape`; number of the text in the lexer's list.
    FdShape(u32),
    /// A character or word that the lexer has reported as an error.
    Bad,
    End,
}

impl TokenKind {
    /// Returns whether the token is a binary operator.
    pub fn is_operator(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            AndAnd
                | OrOr
                | Equal
                | NotEqual
                | LessEqual
                | GreaterEqual
                | Less
                | Greater
                | Plus
                | Minus
                | Star
                | Slash
                | Percent
                | Question
                | Word(crate::word::Word::And | crate::word::Word::Or)
        )
    }
}

/// The text between the braces of `shape{...}`, with `$n` expanded and comments blanked.
#[derive(Clone, Debug)]
pub(crate) struct FdText {
    /// The `{`.
    pub open: Span,
    /// The text.
    pub text: Vec<u8>,
    /// Origin of parts of the text: offset in `text`, source, offset in the source.
    pieces: Vec<(u32, u32, u32)>,
    /// The `}`.
    pub close: Span,
    /// Whether an error in it has been reported.
    pub has_reported_error: bool,
}

impl FdText {
    pub fn new(open: Span) -> FdText {
        FdText {
            open,
            text: Vec::new(),
            pieces: Vec::new(),
            close: open,
            has_reported_error: false,
        }
    }

    /// Appends `byte`, which stands for the byte at `offset` of `source`.
    pub fn push(&mut self, byte: u8, source: u32, offset: u32) {
        let here = self.text.len() as u32;
        let continues = self
            .pieces
            .last()
            .is_some_and(|&(from, s, start)| s == source && start + (here - from) == offset);
        if !continues {
            self.pieces.push((here, source, offset));
        }
        self.text.push(byte);
    }

    /// Returns the place in the sources of a range of the text.
    pub fn span(&self, range: std::ops::Range<usize>) -> Span {
        if range.start >= self.text.len() {
            return self.close;
        }
        let at = range.start as u32;
        let piece = self.pieces.partition_point(|&(from, ..)| from <= at) - 1;
        let (from, source, start) = self.pieces[piece];
        let piece_end = self
            .pieces
            .get(piece + 1)
            .map_or(self.text.len() as u32, |&(next, ..)| next);
        let end = (range.end as u32).clamp(at + 1, piece_end.max(at + 1));
        Span {
            source,
            start: start + (at - from),
            end: start + (end - from),
        }
    }
}
