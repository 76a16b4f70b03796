//! Groups pieces into statements without parsing expressions.

use std::collections::HashSet;

use crate::pieces::{Piece, PieceKind};
use crate::word::Word;

/// The kind of a statement, for its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatementKind {
    /// `produce 10` and the like: one line.
    Setting,
    /// `predeal`: its lines stay as they are.
    Predeal,
    /// `name = expression`
    Definition,
    /// `condition expression`
    Condition,
    /// An expression alone.
    Bare,
    /// `action` and its list.
    Action,
    /// A rule of a bidding system, `1N-P-2C: condition "meaning"`, with the number of pieces up to the colon.
    Rule(usize),
}

impl StatementKind {
    /// Returns the number of pieces before the body: `condition`, or `name =`.
    pub fn header(self) -> usize {
        match self {
            StatementKind::Bare => 0,
            StatementKind::Definition => 2,
            StatementKind::Rule(head) => head,
            _ => 1,
        }
    }
}

/// A statement: its kind and pieces, with the comments in it.
#[derive(Debug)]
pub(crate) struct Statement<'a> {
    pub kind: StatementKind,
    pub pieces: Vec<Piece<'a>>,
    /// Comments on separate lines before the statement.
    pub above: Vec<Piece<'a>>,
}

impl Statement<'_> {
    /// Returns whether the statement has pieces after the header.
    fn has_body(&self) -> bool {
        let mut code = self.pieces.iter().filter(|piece| !piece.is_comment());
        code.nth(self.kind.header()).is_some()
    }
}

/// Returns whether a word is an operator.
pub(crate) fn is_word_operator(text: &[u8]) -> bool {
    matches!(text, b"and" | b"or" | b"not")
}

/// Returns the names that the script defines. They are variables even if they are words of the language.
pub(crate) fn defined<'a>(pieces: &[Piece<'a>]) -> HashSet<&'a [u8]> {
    pieces
        .windows(2)
        .filter(|pair| pair[0].kind == PieceKind::Word && pair[1].is("="))
        .map(|pair| pair[0].text)
        .collect()
}

/// Returns whether a word is a call of an auction, or `any`.
pub(crate) fn is_call(word: &[u8]) -> bool {
    let word = word.to_ascii_uppercase();
    match word.as_slice() {
        b"P" | b"PASS" | b"X" | b"DBL" | b"DOUBLE" | b"XX" | b"RDBL" | b"REDOUBLE" | b"ANY" => true,
        [b'1'..=b'7', strain @ ..] => {
            matches!(strain, b"C" | b"D" | b"H" | b"S" | b"N" | b"NT")
        }
        _ => false,
    }
}

/// Returns the number of pieces up to the colon if a rule of a bidding system begins at `at`: calls joined by hyphens, on one line.
fn rule_head(code: &[Piece<'_>], at: usize) -> Option<usize> {
    // A `?` before it makes it a part of `test ? yes : no`.
    let continues = |piece: &Piece<'_>| piece.kind == PieceKind::Sign;
    if at
        .checked_sub(1)
        .is_some_and(|before| continues(&code[before]))
    {
        return None;
    }
    let mut has_call = false;
    for (length, piece) in (1..).zip(&code[at..]) {
        if length > 1 && piece.breaks > 0 {
            return None;
        }
        match piece.kind {
            PieceKind::Sign if piece.is(":") => return has_call.then_some(length),
            PieceKind::Sign if matches!(piece.text, b"-" | b"*" | b"?" | b"!") => {}
            PieceKind::Open | PieceKind::Close => {}
            PieceKind::Word if is_call(piece.text) => has_call = true,
            _ => return None,
        }
    }
    None
}

/// Returns the kind of the statement that begins with this piece; none if it continues the statement before.
fn begins(
    piece: Piece<'_>,
    next: Option<Piece<'_>>,
    variables: &HashSet<&[u8]>,
    starts_line: bool,
) -> Option<StatementKind> {
    if piece.kind != PieceKind::Word {
        return None;
    }
    if next.is_some_and(|next| next.is("=")) {
        return Some(StatementKind::Definition);
    }
    let next_kind = next.map(|next| next.kind);
    // `vulnerable(me)` is a value of bidding systems.
    if piece.is("vulnerable") && next_kind == Some(PieceKind::Open) {
        return None;
    }
    if (piece.is("import") || piece.is("otherwise")) && next_kind == Some(PieceKind::Text)
        || piece.is("level") && starts_line && matches!(next_kind, None | Some(PieceKind::Word))
    {
        return Some(StatementKind::Setting);
    }
    if variables.contains(piece.text) {
        return None;
    }
    let word = Word::from_spelling(piece.text)?;
    match word {
        Word::Condition => Some(StatementKind::Condition),
        Word::Action => Some(StatementKind::Action),
        Word::Predeal => Some(StatementKind::Predeal),
        word if word.starts_statement() => Some(StatementKind::Setting),
        _ => None,
    }
}

/// Returns whether two neighbouring pieces cannot belong to one expression.
fn parts(before: Piece<'_>, piece: Piece<'_>, variables: &HashSet<&[u8]>) -> bool {
    let ends = match before.kind {
        PieceKind::Close | PieceKind::Braces => true,
        PieceKind::Word => !is_word_operator(before.text),
        _ => false,
    };
    let begins = match piece.kind {
        PieceKind::Word => !is_word_operator(piece.text) || piece.is("not"),
        PieceKind::Open => {
            before.kind != PieceKind::Word
                || variables.contains(before.text)
                || before.text[0].is_ascii_digit()
        }
        PieceKind::Sign => piece.is("!"),
        _ => false,
    };
    ends && begins
}

/// Returns whether the word is an action whose value must be on its own line, so that the next line is another
/// statement.
fn takes_value(piece: Piece<'_>) -> bool {
    matches!(
        Word::from_spelling(piece.text),
        Some(Word::PrintCompact | Word::PrintOneLine)
    )
}

/// Returns whether a piece on a new line ends a setting.
fn leaves_setting(before: Piece<'_>, piece: Piece<'_>) -> bool {
    let number = piece.text[0].is_ascii_digit() || piece.is("-");
    before.kind != PieceKind::Comma
        && matches!(
            piece.kind,
            PieceKind::Word | PieceKind::Open | PieceKind::Sign
        )
        && !number
}

/// Groups the pieces of a script into statements. Returns them and the comments after the last one.
pub(crate) fn statements<'a>(pieces: &[Piece<'a>]) -> (Vec<Statement<'a>>, Vec<Piece<'a>>) {
    let code: Vec<Piece<'a>> = pieces.iter().copied().filter(|p| !p.is_comment()).collect();
    let variables = defined(&code);
    let mut list: Vec<Statement<'a>> = Vec::new();
    let mut waiting: Vec<Piece<'a>> = Vec::new();
    let (mut depth, mut number) = (0usize, 0);
    let mut starts_line = true;
    for &piece in pieces {
        starts_line |= piece.breaks > 0;
        if piece.is_comment() {
            // A comment on the last line of a statement belongs to that statement.
            match list.last_mut() {
                Some(statement) if piece.breaks == 0 && waiting.is_empty() => {
                    statement.pieces.push(piece);
                }
                _ => waiting.push(piece),
            }
            starts_line |= piece.text.contains(&b'\n');
            continue;
        }
        let next = code.get(number + 1).copied();
        let before = number.checked_sub(1).map(|at| code[at]);
        number += 1;
        let in_level = match (list.last(), before) {
            (Some(statement), Some(before)) => {
                statement.pieces[0].is("level")
                    && (before.kind == PieceKind::Comma
                        || before.is("*")
                        || before.is("level") && !starts_line)
            }
            _ => false,
        };
        // The word after the colon of a rule belongs to its condition: `1N: vulnerable`.
        let in_rule = !starts_line
            && before.is_some_and(|before| before.is(":"))
            && matches!(
                list.last().map(|statement| statement.kind),
                Some(StatementKind::Rule(_))
            );
        let head = (depth == 0 && starts_line).then(|| rule_head(&code, number - 1));
        let begun = (depth == 0 && !in_level && !in_rule)
            .then(|| begins(piece, next, &variables, starts_line))
            .flatten();
        let begun = head.flatten().map(StatementKind::Rule).or(begun);
        let bare = match (list.last(), before) {
            (None, _) => true,
            (Some(statement), Some(before)) => {
                let apart = match statement.kind {
                    StatementKind::Setting => leaves_setting(before, piece),
                    StatementKind::Predeal => false,
                    StatementKind::Action => takes_value(before) && piece.kind == PieceKind::Word,
                    StatementKind::Definition | StatementKind::Condition | StatementKind::Bare => {
                        statement.has_body() && parts(before, piece, &variables)
                    }
                    StatementKind::Rule(_) => {
                        statement.has_body()
                            && (before.kind == PieceKind::Text || parts(before, piece, &variables))
                    }
                };
                depth == 0
                    && (before.kind == PieceKind::Separator || starts_line && apart)
                    && piece.kind != PieceKind::Separator
            }
            (Some(_), None) => false,
        };
        starts_line = false;
        match piece.kind {
            PieceKind::Open => depth += 1,
            PieceKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(kind) = begun.or(bare.then_some(StatementKind::Bare)) {
            list.push(Statement {
                kind,
                pieces: vec![piece],
                above: std::mem::take(&mut waiting),
            });
        } else if let Some(statement) = list.last_mut() {
            statement.pieces.append(&mut waiting);
            statement.pieces.push(piece);
        }
    }
    (list, waiting)
}
