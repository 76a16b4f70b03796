//! Where one statement ends and the next begins, seen from the pieces alone.

use std::collections::HashSet;

use crate::pieces::{Kind, Piece};
use crate::word::Word;

/// What a statement is, as far as its layout goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
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
}

impl Sort {
    /// Pieces before the body: `condition`, or `name =`.
    pub fn header(self) -> usize {
        match self {
            Sort::Bare => 0,
            Sort::Definition => 2,
            _ => 1,
        }
    }
}

/// A statement: what it is and its pieces, comments within it included.
#[derive(Debug)]
pub(crate) struct Statement<'a> {
    pub sort: Sort,
    pub pieces: Vec<Piece<'a>>,
    /// Comments on lines of their own before it.
    pub above: Vec<Piece<'a>>,
}

impl Statement<'_> {
    /// Whether there is more than the header.
    fn has_body(&self) -> bool {
        let code = self.pieces.iter().filter(|piece| !piece.is_comment());
        code.count() > self.sort.header()
    }
}

/// Whether a word is an operator between or before values.
pub(crate) fn is_word_operator(text: &[u8]) -> bool {
    matches!(text, b"and" | b"or" | b"not")
}

/// Names that the script defines: they are variables even where they look like words.
pub(crate) fn defined<'a>(pieces: &[Piece<'a>]) -> HashSet<&'a [u8]> {
    pieces
        .windows(2)
        .filter(|pair| pair[0].kind == Kind::Word && pair[1].is("="))
        .map(|pair| pair[0].text)
        .collect()
}

/// What the statement that begins with this piece is, if one must begin here.
fn begins(
    piece: Piece<'_>,
    next: Option<Piece<'_>>,
    variables: &HashSet<&[u8]>,
    starts_line: bool,
) -> Option<Sort> {
    if piece.kind != Kind::Word {
        return None;
    }
    if next.is_some_and(|next| next.is("=")) {
        return Some(Sort::Definition);
    }
    let next_kind = next.map(|next| next.kind);
    if piece.is("import") && next_kind == Some(Kind::Text)
        || piece.is("level") && starts_line && matches!(next_kind, None | Some(Kind::Word))
    {
        return Some(Sort::Setting);
    }
    if variables.contains(piece.text) {
        return None;
    }
    let word = Word::from_spelling(piece.text)?;
    match word {
        Word::Condition => Some(Sort::Condition),
        Word::Action => Some(Sort::Action),
        Word::Predeal => Some(Sort::Predeal),
        word if word.starts_statement() => Some(Sort::Setting),
        _ => None,
    }
}

/// Whether two neighbouring pieces cannot belong to one expression.
fn parts(before: Piece<'_>, piece: Piece<'_>, variables: &HashSet<&[u8]>) -> bool {
    let ends = match before.kind {
        Kind::Close | Kind::Braces => true,
        Kind::Word => !is_word_operator(before.text),
        _ => false,
    };
    let begins = match piece.kind {
        Kind::Word => !is_word_operator(piece.text) || piece.is("not"),
        Kind::Open => {
            before.kind != Kind::Word
                || variables.contains(before.text)
                || before.text[0].is_ascii_digit()
        }
        Kind::Sign => piece.is("!"),
        _ => false,
    };
    ends && begins
}

/// Whether the word is an action that takes a value on its own line: the next line is another statement.
fn takes_value(piece: Piece<'_>) -> bool {
    matches!(
        Word::from_spelling(piece.text),
        Some(Word::PrintCompact | Word::PrintOneLine)
    )
}

/// Whether a piece on a new line is no more part of a setting.
fn leaves_setting(before: Piece<'_>, piece: Piece<'_>) -> bool {
    let number = piece.text[0].is_ascii_digit() || piece.is("-");
    before.kind != Kind::Comma
        && matches!(piece.kind, Kind::Word | Kind::Open | Kind::Sign)
        && !number
}

/// Groups the pieces of a script into statements, and the comments after the last one.
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
            // A comment on the line of the statement before it belongs there.
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
                    && (before.kind == Kind::Comma
                        || before.is("*")
                        || before.is("level") && !starts_line)
            }
            _ => false,
        };
        let begun = (depth == 0 && !in_level)
            .then(|| begins(piece, next, &variables, starts_line))
            .flatten();
        let bare = match (list.last(), before) {
            (None, _) => true,
            (Some(statement), Some(before)) => {
                let apart = match statement.sort {
                    Sort::Setting => leaves_setting(before, piece),
                    Sort::Predeal => false,
                    Sort::Action => takes_value(before) && piece.kind == Kind::Word,
                    Sort::Definition | Sort::Condition | Sort::Bare => {
                        statement.has_body() && parts(before, piece, &variables)
                    }
                };
                depth == 0
                    && (before.kind == Kind::Separator || starts_line && apart)
                    && piece.kind != Kind::Separator
            }
            (Some(_), None) => false,
        };
        starts_line = false;
        match piece.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(sort) = begun.or(bare.then_some(Sort::Bare)) {
            list.push(Statement {
                sort,
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
