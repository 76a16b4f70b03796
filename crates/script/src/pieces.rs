//! Splits a script into pieces: words, strings, signs and comments. Only blanks are dropped.

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceKind {
    /// A word, number, card, shape: anything of letters and digits.
    Word,
    /// A string with its quotes.
    Text,
    /// `$n`. Blanks around it are kept, because an unknown text replaces it.
    Variable,
    /// The whole `{...}` after `shape`.
    Braces,
    Open,
    Close,
    Comma,
    /// `;`
    Separator,
    /// Any other sign of one or two characters.
    Sign,
    /// `//` or `#` to the end of the line.
    LineComment,
    /// `/* ... */`
    BlockComment,
}

/// A piece of the script, and the blanks before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    pub kind: PieceKind,
    pub text: &'a [u8],
    /// Offset of the text in the script.
    pub at: usize,
    /// Line ends between the previous piece and this one.
    pub breaks: usize,
    /// Whether a blank or line end precedes it.
    pub apart: bool,
}

impl Piece<'_> {
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, PieceKind::LineComment | PieceKind::BlockComment)
    }

    pub fn is(&self, text: &str) -> bool {
        self.text == text.as_bytes()
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the number of leading bytes that satisfy `wanted`.
fn run(text: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|&&byte| wanted(byte)).count()
}

/// Returns the length of a text that ends with `end`, or of its first line if `end` is missing.
fn closed(text: &[u8], from: usize, end: &[u8]) -> usize {
    let body = &text[from.min(text.len())..];
    match body.windows(end.len()).position(|window| window == end) {
        Some(at) => from + at + end.len(),
        None => run(text, |byte| byte != b'\n'),
    }
}

fn is_sign(pair: &[u8]) -> bool {
    matches!(pair, b"&&" | b"||" | b"==" | b"!=" | b"<=" | b">=" | b"\\n")
}

/// Returns kind and length of the piece at the start of `rest`, which is not blank.
fn piece(rest: &[u8], after_shape: bool) -> (PieceKind, usize) {
    let next = rest.get(1).copied();
    match rest[0] {
        b'#' => (PieceKind::LineComment, run(rest, |byte| byte != b'\n')),
        b'/' if next == Some(b'/') => (PieceKind::LineComment, run(rest, |byte| byte != b'\n')),
        b'/' if next == Some(b'*') => (PieceKind::BlockComment, closed(rest, 2, b"*/")),
        b'"' => (PieceKind::Text, closed(rest, 1, b"\"")),
        b'{' if after_shape => (PieceKind::Braces, closed(rest, 1, b"}")),
        b'$' if next.is_some_and(|byte| byte.is_ascii_digit()) => (PieceKind::Variable, 2),
        b'.' if next.is_some_and(|byte| byte.is_ascii_digit()) => {
            (PieceKind::Word, 1 + run(&rest[1..], is_word_byte))
        }
        // `7.5`, `3.` and `5xxx` are one piece each.
        b'0'..=b'9' => (
            PieceKind::Word,
            run(rest, |byte| is_word_byte(byte) || byte == b'.'),
        ),
        byte if is_word_byte(byte) => (PieceKind::Word, run(rest, is_word_byte)),
        b'(' => (PieceKind::Open, 1),
        b')' => (PieceKind::Close, 1),
        b',' => (PieceKind::Comma, 1),
        b';' => (PieceKind::Separator, 1),
        _ if rest.len() > 1 && is_sign(&rest[..2]) => (PieceKind::Sign, 2),
        // A letter of another alphabet is not split.
        byte if byte >= 0x80 => (PieceKind::Sign, run(rest, |byte| byte >= 0x80)),
        _ => (PieceKind::Sign, 1),
    }
}

/// Splits a script into pieces.
pub(crate) fn scan(text: &[u8]) -> Vec<Piece<'_>> {
    let mut at = if text.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let (mut breaks, mut apart, mut after_shape) = (0, true, false);
    while at < text.len() {
        let byte = text[at];
        if byte.is_ascii_whitespace() || byte == 0x0b {
            breaks += usize::from(byte == b'\n');
            apart = true;
            at += 1;
            continue;
        }
        let (kind, length) = piece(&text[at..], after_shape);
        let piece = &text[at..at + length];
        let text = if kind == PieceKind::LineComment {
            piece.trim_ascii_end()
        } else {
            piece
        };
        pieces.push(Piece {
            kind,
            text,
            at,
            breaks,
            apart,
        });
        if !matches!(kind, PieceKind::LineComment | PieceKind::BlockComment) {
            after_shape = text.eq_ignore_ascii_case(b"shape");
        }
        at += length;
        (breaks, apart) = (0, false);
    }
    pieces
}
