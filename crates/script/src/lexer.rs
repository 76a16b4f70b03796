//! The lexer: splits text into tokens (longest match) and replaces `$n`.

mod shape_text;
mod value;

use crate::diagnostic::{Report, Reports};
use crate::plan::{Mode, Span};
use crate::source::{Origin, SourceMap};
use crate::spelling::{card, contract, is_holding, nearest_decimal, number};
use crate::token::{FdText, Token, TokenKind};
use crate::word::Word;
use value::is_value_statement;

/// Maximum depth of `$n` inside the text of `$m`; deeper nesting is certainly circular.
const DEEPEST_EXPANSION: u32 = 10;

/// Maximum total size of replacement texts in bytes; only texts that multiply themselves exceed it.
const LARGEST_EXPANSION: usize = 1 << 20;

/// The tokens of one file.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    pub tokens: Vec<Token>,
    /// Each `$n` with an empty text: number of the token that follows, n, and its place.
    pub empty_variables: Vec<(u32, u8, Span)>,
}

/// Lexes the files of one script.
pub(crate) struct Lexer<'a> {
    pub sources: SourceMap,
    pub reports: Reports,
    pub fd_texts: Vec<FdText>,
    /// Text that the classic scanners copy to standard output while they read.
    pub echo: Vec<u8>,
    mode: Mode,
    variables: &'a [Option<String>; 10],
    /// Whether the script mentions each `$n`.
    pub used: [bool; 10],
    expanded: usize,
    /// Offset at which v1 stops reading, if that is before the end of the script.
    ended: Option<usize>,
    out: Lexed,
}

/// The replacement of a `$n`.
enum Replacement {
    /// The source with this number.
    Text(u32),
    Nothing,
    /// None: an error at this place is reported.
    Wrong(Span),
}

/// Reading position in one text.
struct Cursor {
    bytes: std::sync::Arc<[u8]>,
    source: u32,
    at: usize,
    /// An offset and the number of quotes from there to the end.
    quotes: Option<(usize, usize)>,
    /// Offset of the last line end.
    last_line_end: Option<usize>,
}

impl Cursor {
    fn new(bytes: std::sync::Arc<[u8]>, source: u32) -> Cursor {
        Cursor {
            last_line_end: bytes.iter().rposition(|&byte| byte == b'\n'),
            bytes,
            source,
            at: 0,
            quotes: None,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn ahead(&self, n: usize) -> Option<u8> {
        self.bytes.get(self.at + n).copied()
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span {
            source: self.source,
            start: start as u32,
            end: self.at as u32,
        }
    }

    /// Returns the number of quotes from here on. Repeated calls count each byte only once.
    fn quotes_left(&mut self) -> usize {
        let count = |bytes: &[u8]| bytes.iter().filter(|&&b| b == b'"').count();
        let left = match self.quotes {
            Some((at, left)) if at <= self.at => left - count(&self.bytes[at..self.at]),
            _ => count(self.rest()),
        };
        self.quotes = Some((self.at, left));
        left
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
    }

    /// Returns whether v1's scanner reads the next bytes differently: a comment must end with a line end, and one with
    /// `#` must begin a line; a carriage return must precede a line end; other blanks are not blanks. NUL and bytes
    /// beyond ASCII (negative numbers in its C code) end the script.
    fn differs_in_v1(&self) -> bool {
        let starts_line = self.at == 0 || self.bytes[self.at - 1] == b'\n';
        let line_ends = self.last_line_end.is_some_and(|end| self.at < end);
        match self.bytes[self.at] {
            0 | 0x0b | 0x0c | 0x80.. => true,
            b'\r' => !matches!(self.ahead(1), Some(b'\r' | b'\n')),
            b'#' => !(starts_line && line_ends),
            b'/' => self.ahead(1) == Some(b'/') && !line_ends,
            _ => false,
        }
    }

    /// Returns the character at the position and its length in bytes. A byte that is not UTF-8 gives a replacement character.
    fn character(&self) -> (char, usize) {
        let rest = self.rest();
        for length in 1..=rest.len().min(4) {
            if let Ok(text) = std::str::from_utf8(&rest[..length]) {
                return (text.chars().next().unwrap_or('\u{fffd}'), length);
            }
        }
        ('\u{fffd}', 1)
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'a> Lexer<'a> {
    pub fn new(mode: Mode, variables: &'a [Option<String>; 10]) -> Lexer<'a> {
        Lexer {
            sources: SourceMap::default(),
            reports: Reports::default(),
            fd_texts: Vec::new(),
            echo: Vec::new(),
            mode,
            variables,
            used: [false; 10],
            expanded: 0,
            ended: None,
            out: Lexed::default(),
        }
    }

    /// Returns the dialect of the script.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the tokens of a whole file, ending with [`TokenKind::End`].
    pub fn file(&mut self, source: u32) -> Lexed {
        self.text(source, 0);
        let whole = self.sources.get(source).bytes.len();
        let end = self.ended.take().unwrap_or(whole);
        self.push(
            TokenKind::End,
            Span {
                source,
                start: end as u32,
                end: end as u32,
            },
        );
        std::mem::take(&mut self.out)
    }

    fn push(&mut self, kind: TokenKind, span: Span) {
        self.out.tokens.push(Token { kind, span });
    }

    fn text(&mut self, source: u32, depth: u32) {
        let mut cursor = Cursor::new(self.sources.get(source).bytes.clone(), source);
        if depth == 0 && cursor.bytes.starts_with(b"\xef\xbb\xbf") {
            cursor.at = 3;
        }
        while let Some(byte) = cursor.peek() {
            match byte {
                _ if self.mode == Mode::V1 && cursor.differs_in_v1() => match byte {
                    0 | 0x80.. => {
                        self.ended = Some(cursor.at);
                        return;
                    }
                    b'/' => self.operator(&mut cursor),
                    _ => self.unexpected_character(&mut cursor),
                },
                _ if is_blank(byte) => cursor.at += 1,
                b'0'..=b'9' => self.number(&mut cursor),
                b'.' if cursor.ahead(1).is_some_and(|b| b.is_ascii_digit()) => {
                    self.decimal(&mut cursor);
                }
                b'A'..=b'Z' | b'a'..=b'z' => self.word(&mut cursor),
                b'"' => self.string(&mut cursor),
                b'$' => self.variable(&mut cursor, depth),
                b'#' => cursor.skip_while(|b| b != b'\n'),
                b'/' if cursor.ahead(1) == Some(b'/') => cursor.skip_while(|b| b != b'\n'),
                b'/' if cursor.ahead(1) == Some(b'*') => self.comment(&mut cursor),
                b'\\' if cursor.ahead(1) == Some(b'n') => {
                    cursor.at += 2;
                    let span = cursor.span(cursor.at - 2);
                    self.push(TokenKind::Newline, span);
                }
                b'{' if self.after_shape() => self.fd_shape(&mut cursor, depth),
                _ => self.operator(&mut cursor),
            }
        }
    }

    fn after_shape(&self) -> bool {
        let in_any_case = |token: &Token| {
            self.mode == Mode::Native
                && token.kind == TokenKind::Name
                && self
                    .sources
                    .bytes(token.span)
                    .eq_ignore_ascii_case(b"shape")
        };
        let last = self.out.tokens.last();
        last.is_some_and(|t| t.kind == TokenKind::Word(Word::Shape) || in_any_case(t))
    }

    fn operator(&mut self, cursor: &mut Cursor) {
        let start = cursor.at;
        let next = cursor.ahead(1);
        let (kind, length) = match (cursor.bytes[start], next) {
            (b'&', Some(b'&')) => (TokenKind::AndAnd, 2),
            (b'|', Some(b'|')) => (TokenKind::OrOr, 2),
            (b'=', Some(b'=')) => (TokenKind::Equal, 2),
            (b'!', Some(b'=')) => (TokenKind::NotEqual, 2),
            (b'<', Some(b'=')) => (TokenKind::LessEqual, 2),
            (b'>', Some(b'=')) => (TokenKind::GreaterEqual, 2),
            (b'<', _) => (TokenKind::Less, 1),
            (b'>', _) => (TokenKind::Greater, 1),
            (b'+', _) => (TokenKind::Plus, 1),
            (b'-', _) => (TokenKind::Minus, 1),
            (b'*', _) => (TokenKind::Star, 1),
            (b'/', _) => (TokenKind::Slash, 1),
            (b'%', _) => (TokenKind::Percent, 1),
            (b'?', _) => (TokenKind::Question, 1),
            (b':', _) => (TokenKind::Colon, 1),
            (b'!', _) => (TokenKind::Bang, 1),
            (b'(', _) => (TokenKind::Open, 1),
            (b')', _) => (TokenKind::Close, 1),
            (b',', _) => (TokenKind::Comma, 1),
            (b'=', _) => (TokenKind::Assign, 1),
            (b';', _) if self.mode == Mode::Native => (TokenKind::Semicolon, 1),
            (b'&', _) => (TokenKind::SingleAnd, 1),
            (b'|', _) => (TokenKind::SingleOr, 1),
            _ => return self.unexpected_character(cursor),
        };
        cursor.at += length;
        self.push(kind, cursor.span(start));
    }

    /// Reports a character that cannot begin a token.
    fn unexpected_character(&mut self, cursor: &mut Cursor) {
        let start = cursor.at;
        let (character, length) = cursor.character();
        let byte = cursor.bytes[start];
        cursor.at += length;
        if self.reports.is_full() {
            return;
        }
        let span = cursor.span(start);
        let right = match character {
            '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => Some(" "),
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => Some("\""),
            '\u{2018}' | '\u{2019}' | '\'' | '`' => Some("\""),
            '\u{2013}' | '\u{2014}' | '\u{2212}' => Some("-"),
            '\u{2265}' => Some(">="),
            '\u{2264}' => Some("<="),
            '\u{2260}' => Some("!="),
            '\u{feff}' => Some(""),
            _ => None,
        };
        let message = match character {
            '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => format!(
                "no-break space (U+{:04X}) in the script; use an ordinary blank ` `",
                character as u32
            ),
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => format!(
                "typographic quote `{character}` (U+{:04X}); strings are written with the straight quote `\"`",
                character as u32
            ),
            '\u{2018}' | '\u{2019}' | '\'' | '`' => {
                format!("`{character}` is no quote in this language; strings are written with `\"`")
            }
            '\u{2013}' | '\u{2014}' | '\u{2212}' => format!(
                "`{character}` (U+{:04X}) is not the minus sign; use `-`",
                character as u32
            ),
            '\u{2265}' | '\u{2264}' | '\u{2260}' => format!(
                "`{character}` is not an operator here; use `{}`",
                match character {
                    '\u{2265}' => ">=",
                    '\u{2264}' => "<=",
                    _ => "!=",
                }
            ),
            '\u{feff}' => "byte order mark (U+FEFF) in the middle of the script".to_owned(),
            ';' => "`;` has no meaning; statements need no separator".to_owned(),
            '{' => "`{` is only used in `shape{...}`; comments are written `/* ... */`".to_owned(),
            '}' => "`}` without `shape{`".to_owned(),
            '\\' => "`\\` is only used in `\\n`".to_owned(),
            '_' => "a name must begin with a letter, not with `_`".to_owned(),
            '[' | ']' => format!("`{character}` is only used inside `shape{{...}}`"),
            '\u{fffd}' if byte >= 0x80 => {
                format!("byte 0x{byte:02X} is not UTF-8 and has no meaning outside a string")
            }
            _ if character.is_ascii_graphic() => format!("`{character}` has no meaning here"),
            _ if character.is_control() => format!(
                "control character U+{:04X} has no meaning here",
                character as u32
            ),
            _ => format!(
                "`{character}` (U+{:04X}) has no meaning outside strings and comments",
                character as u32
            ),
        };
        if self.mode == Mode::V1 {
            // v1 reads it as a token that no rule of its grammar accepts.
            self.push(TokenKind::Bad, span);
        }
        let mut report = Report::error("E101", span, message).classic_syntax_error();
        if let Some(right) = right {
            report = report.replace_with(right);
        }
        self.reports.add(report);
        if character == '{' {
            // `{...}` is probably a comment in the syntax of another language: skip all of it.
            let line = cursor.rest().iter().take_while(|&&b| b != b'\n');
            if let Some(close) = line.clone().position(|&b| b == b'}') {
                cursor.at += close + 1;
            }
        }
    }

    fn number(&mut self, cursor: &mut Cursor) {
        let start = cursor.at;
        let digits = cursor
            .rest()
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        if cursor.ahead(digits) == Some(b'.') {
            return self.decimal(cursor);
        }
        if cursor.ahead(digits) == Some(b'_') && self.mode == Mode::Native {
            // `12_14` is the short name of a class of deals.
            cursor.skip_while(is_name_byte);
            return self.push(TokenKind::Name, cursor.span(start));
        }
        let four = cursor.rest().get(..4).filter(|_| digits < 4);
        if let Some(&[a, b, c, d]) = four
            && [a, b, c, d]
                .iter()
                .all(|x| x.is_ascii_digit() || *x == b'x')
        {
            cursor.at += 4;
            return self.push(TokenKind::Distribution([a, b, c, d]), cursor.span(start));
        }
        if digits == 1
            && let Some(card) = card(cursor.rest().get(..2))
        {
            cursor.at += 2;
            return self.push(TokenKind::Card(card), cursor.span(start));
        }
        cursor.at += digits;
        let span = cursor.span(start);
        let number = number(&cursor.bytes[start..cursor.at]);
        self.push(TokenKind::Number(number), span);
    }

    fn decimal(&mut self, cursor: &mut Cursor) {
        let start = cursor.at;
        cursor.skip_while(|b| b.is_ascii_digit() || b == b'.');
        let span = cursor.span(start);
        let text = String::from_utf8_lossy(&cursor.bytes[start..cursor.at]).into_owned();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        if whole.len() <= 2 && fraction.len() <= 2 && !fraction.contains('.') {
            let whole: i32 = whole.parse().unwrap_or(0);
            let hundredths: i32 = format!("{fraction:0<2}").parse().unwrap_or(0);
            return self.push(TokenKind::Decimal(100 * whole + hundredths), span);
        }
        if self.reports.is_full() {
            return self.push(TokenKind::Bad, span);
        }
        let message = if fraction.contains('.') {
            format!("`{text}` has two decimal points")
        } else {
            "a decimal has at most two digits before and two digits after the point".to_owned()
        };
        let report = Report::error(
            "E105",
            span,
            format!(
                "{message}; the nearest is `{}`",
                nearest_decimal(whole, fraction)
            ),
        )
        .note("numbers with a point stand for the hundredfold: 7.25 is 725");
        self.reports.add(report.classic_syntax_error());
        self.push(TokenKind::Decimal(0), span);
    }

    fn word(&mut self, cursor: &mut Cursor) {
        let start = cursor.at;
        cursor.skip_while(is_name_byte);
        let span = cursor.span(start);
        let bytes = cursor.bytes.clone();
        let text = &bytes[start..cursor.at];
        if let Some(word) = Word::in_dialect(text, self.mode) {
            if self.mode == Mode::V2 && is_value_statement(word) {
                return self.value_statement(word, span, cursor);
            }
            return self.push(TokenKind::Word(word), span);
        }
        let kind = if is_holding(text) {
            TokenKind::Holding
        } else if let Some(card) = card(Some(text)) {
            TokenKind::Card(card)
        } else if let Some(contract) = contract(text, self.mode) {
            TokenKind::Contract(contract)
        } else if let &[a, b, c, d] = text
            && text.iter().all(|x| x.is_ascii_digit() || *x == b'x')
        {
            TokenKind::Distribution([a, b, c, d])
        } else {
            TokenKind::Name
        };
        self.push(kind, span);
    }

    fn string(&mut self, cursor: &mut Cursor) {
        let start = cursor.at;
        let multi_line = match self.mode {
            Mode::V1 | Mode::Exe => true,
            Mode::V2 => false,
            // A string may have several lines. But after a forgotten quote every later string would be read inside out.
            Mode::Native => cursor.quotes_left().is_multiple_of(2),
        };
        cursor.at += 1;
        cursor.skip_while(|b| b != b'"' && (multi_line || b != b'\n'));
        if cursor.peek() == Some(b'"') {
            cursor.at += 1;
            let span = cursor.span(start);
            if self.mode.is_v1() {
                self.sources.uncounted.push(span);
            }
            return self.push(TokenKind::Text, span);
        }
        if self.mode == Mode::V2 {
            // The string ends with the line.
            let span = cursor.span(start);
            return self.push(TokenKind::Text, span);
        }
        let open = Span {
            end: start as u32 + 1,
            ..cursor.span(start)
        };
        let after_title = matches!(
            self.out.tokens.last(),
            Some(token) if token.kind == TokenKind::Word(Word::Title)
        );
        if self.mode == Mode::Native && after_title && !multi_line {
            let message = "this title is not closed; it ends with the line";
            self.reports.add(Report::warning("W23", open, message));
            return self.push(TokenKind::Text, cursor.span(start));
        }
        // v1 does not count the lines of a string. v2 ends the string with the line and reports an error
        // at the next line.
        let noticed = if multi_line {
            open
        } else {
            let next = (cursor.at + 1).min(cursor.bytes.len());
            Span {
                start: next as u32,
                end: next as u32,
                ..open
            }
        };
        let report = Report::error(
            "E102",
            open,
            "this string is not closed; the closing `\"` is missing",
        )
        .classic(noticed, "syntax error");
        self.reports.add(report);
        if multi_line {
            // Continue after this line, or a forgotten quote hides the rest of the script.
            cursor.at = start + 1;
            cursor.skip_while(|b| b != b'\n');
        }
        self.push(TokenKind::Bad, open);
    }

    fn comment(&mut self, cursor: &mut Cursor) {
        let start = cursor.at;
        let bytes = cursor.bytes.clone();
        let body = &bytes[start + 2..];
        let length = body.windows(2).position(|pair| pair == b"*/");
        let Some(length) = length else {
            let span = Span {
                end: start as u32 + 2,
                ..cursor.span(start)
            };
            self.echo_comment(body);
            cursor.at = bytes.len();
            let end = cursor.span(cursor.at);
            self.reports.add(
                Report::error("E103", span, "this comment is not closed; `*/` is missing")
                    .classic(end, "EOF found in comment"),
            );
            return;
        };
        self.echo_comment(&body[..length]);
        cursor.at = start + 2 + length + 2;
    }

    /// Records the characters of a comment that the classic scanners copy to standard output.
    fn echo_comment(&mut self, comment: &[u8]) {
        if self.mode != Mode::Native {
            let leaked = comment.iter().filter(|b| b"<>EOF".contains(b));
            self.echo.extend(leaked);
        }
    }

    /// Finds the text of `$n` and adds it as a source, or reports an error.
    fn replacement(&mut self, cursor: &mut Cursor, depth: u32) -> Replacement {
        let start = cursor.at;
        cursor.at += 1;
        let Some(digit) = cursor.peek().filter(u8::is_ascii_digit) else {
            let span = cursor.span(start);
            let report = Report::error(
                "E106",
                span,
                "`$` must be followed by a digit: `$0` to `$9`",
            );
            self.reports.add(report.classic_syntax_error());
            return Replacement::Wrong(span);
        };
        cursor.at += 1;
        let span = cursor.span(start);
        let n = digit - b'0';
        self.used[usize::from(n)] = true;
        let text = self.variables[n as usize].as_deref().unwrap_or("");
        if text.is_empty() {
            return Replacement::Nothing;
        }
        self.expanded = self.expanded.saturating_add(text.len() + 1);
        if depth >= DEEPEST_EXPANSION || self.expanded > LARGEST_EXPANSION {
            let why = if depth >= DEEPEST_EXPANSION {
                format!(
                    "`${n}` is nested more than {DEEPEST_EXPANSION} deep; do the options refer to each other?"
                )
            } else {
                format!("the texts that replace `$n` add up to more than {LARGEST_EXPANSION} bytes")
            };
            // Report it once: a text that doubles itself would repeat the error a million times.
            if self.expanded < usize::MAX / 2 {
                self.reports
                    .add(Report::error("E106", span, why).classic_syntax_error());
            }
            if self.expanded > LARGEST_EXPANSION {
                self.expanded = usize::MAX / 2;
            }
            return Replacement::Wrong(span);
        }
        let bytes: std::sync::Arc<[u8]> = text.as_bytes().into();
        let source = self
            .sources
            .add(format!("${n}"), bytes, Origin::Variable(n, span));
        Replacement::Text(source)
    }

    fn variable(&mut self, cursor: &mut Cursor, depth: u32) {
        let before = self.out.tokens.len();
        match self.replacement(cursor, depth) {
            Replacement::Text(source) => self.text(source, depth + 1),
            Replacement::Nothing => {}
            Replacement::Wrong(span) => return self.push(TokenKind::Bad, span),
        }
        if self.out.tokens.len() == before {
            let end = cursor.at;
            let span = Span {
                end: end as u32,
                ..cursor.span(end - 2)
            };
            let n = cursor.bytes[end - 1] - b'0';
            self.out.empty_variables.push((before as u32, n, span));
        }
    }
}
