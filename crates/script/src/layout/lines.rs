//! The lines of one statement: line breaks, indentation and blanks.

use super::WIDTH;
use crate::pieces::{Piece, PieceKind};
use crate::statements::{Statement, StatementKind, is_word_operator};
use crate::word::Word;

/// Blanks per level of indentation.
const STEP: usize = 4;

/// The pieces of one line.
#[derive(Debug, Default)]
struct Line<'a> {
    indent: usize,
    pieces: Vec<PlacedPiece<'a>>,
}

/// A piece, its depth in parentheses, and whether a blank precedes it.
#[derive(Clone, Copy, Debug)]
struct PlacedPiece<'a> {
    piece: Piece<'a>,
    depth: usize,
    blank: bool,
}

impl Line<'_> {
    fn width(&self) -> usize {
        let code = self
            .pieces
            .iter()
            .filter(|placed| placed.piece.kind != PieceKind::LineComment);
        self.indent
            + code
                .map(|placed| {
                    String::from_utf8_lossy(placed.piece.text).chars().count()
                        + usize::from(placed.blank)
                })
                .sum::<usize>()
    }

    fn write(&self, out: &mut Vec<u8>) {
        // The classic dealer reads `#` as a comment only at the start of a line.
        let is_hash = |placed: &PlacedPiece<'_>| {
            placed.piece.is_comment() && placed.piece.text.starts_with(b"#")
        };
        if !self.pieces.first().is_some_and(is_hash) {
            out.extend(std::iter::repeat_n(b' ', self.indent));
        }
        for (number, placed) in self.pieces.iter().enumerate() {
            if number > 0 && placed.piece.kind == PieceKind::LineComment {
                out.extend(b"  ");
            } else if number > 0 && placed.blank {
                out.push(b' ');
            }
            out.extend(placed.piece.text);
        }
        out.push(b'\n');
    }
}

fn is_binary_sign(piece: Piece<'_>) -> bool {
    piece.kind == PieceKind::Sign && !piece.is("!") && !piece.is("\\n")
}

/// Returns whether a `-` or `!` after `before` is a prefix of a value rather than an operator between two values.
fn expects_value(before: Option<Piece<'_>>) -> bool {
    let Some(before) = before else { return true };
    match before.kind {
        PieceKind::Open | PieceKind::Comma | PieceKind::Text | PieceKind::Separator => true,
        PieceKind::Sign => !before.is("\\n"),
        PieceKind::Word => {
            is_word_operator(before.text)
                || Word::from_spelling(before.text)
                    .is_some_and(|word| word.starts_statement() || word.is_action())
        }
        _ => false,
    }
}

/// Returns whether a blank separates this word from a parenthesis after it.
fn is_apart_from_parenthesis(text: &[u8]) -> bool {
    is_word_operator(text)
        || Word::from_spelling(text).is_some_and(|word| {
            word.starts_statement()
                || matches!(
                    word,
                    Word::Average | Word::Frequency | Word::BktFreq | Word::Any
                )
        })
}

/// Returns whether a blank is written between two pieces.
fn blank(before: Piece<'_>, prefix: bool, piece: Piece<'_>, setting: bool) -> bool {
    use PieceKind::*;
    match (before.kind, piece.kind) {
        (LineComment | BlockComment, _) | (_, LineComment | BlockComment) => true,
        // `$n` may be replaced by the name of a function.
        (Variable, Open) => piece.apart,
        (Open, _) | (_, Close | Comma | Separator | Braces) => false,
        (Comma, _) => true,
        (Word, Open) => is_apart_from_parenthesis(before.text),
        (_, Open) => !prefix,
        (Sign, _) if prefix => false,
        (Word, Word) => true,
        (_, Sign) if setting && piece.is("-") => piece.apart,
        _ => true,
    }
}

/// Returns whether the author's line break before `piece` is kept.
fn may_break(kind: StatementKind, before: Piece<'_>, piece: Piece<'_>, depth: usize) -> bool {
    match kind {
        StatementKind::Setting => false,
        StatementKind::Predeal => piece.kind != PieceKind::Comma,
        _ => {
            is_operator(piece)
                || before.kind == PieceKind::Comma && depth > 0
                || before.kind == PieceKind::Text && depth == 0 && kind == StatementKind::Action
        }
    }
}

fn is_operator(piece: Piece<'_>) -> bool {
    is_binary_sign(piece)
        || piece.kind == PieceKind::Word && is_word_operator(piece.text) && !piece.is("not")
}

/// Returns the binding level of an operator, 0 for the loosest. None if no line may break at it.
fn looseness(piece: Piece<'_>) -> Option<u8> {
    Some(match piece.text {
        b"?" | b":" => 0,
        b"or" | b"||" => 1,
        b"and" | b"&&" => 2,
        b"+" | b"-" => 3,
        _ => return None,
    })
}

/// Builds the lines of a statement.
pub(super) struct Layout<'a> {
    kind: StatementKind,
    lines: Vec<Line<'a>>,
    depth: usize,
    before: Option<Piece<'a>>,
    /// Whether the last piece was a prefix of a value.
    prefix: bool,
    /// Whether the next piece must begin a line, because a comment ended the last one.
    needs_new_line: bool,
    /// Whether a piece of the body has been placed.
    has_body: bool,
}

impl<'a> Layout<'a> {
    fn new(kind: StatementKind) -> Layout<'a> {
        Layout {
            kind,
            lines: vec![Line::default()],
            depth: 0,
            before: None,
            prefix: false,
            needs_new_line: false,
            has_body: false,
        }
    }

    /// Writes the lines of a statement to `out`.
    pub fn write(statement: &Statement<'a>, out: &mut Vec<u8>) {
        let mut layout = Layout::new(statement.kind);
        let header = statement.kind.header();
        let body_at = body_start(&statement.pieces, header);
        let separate = layout.is_broken(statement, body_at);
        let mut moved = false;
        for (number, &piece) in statement.pieces.iter().enumerate() {
            if number == body_at && separate {
                layout.needs_new_line = true;
            }
            let next = statement.pieces[number + 1..]
                .iter()
                .find(|piece| !piece.is_comment());
            // A break after an operator moves before it.
            let requested = piece.breaks > 0 || moved;
            moved = false;
            let follows = next.is_some_and(|next| next.breaks > 0) && is_operator(piece);
            if number > body_at && piece.kind != PieceKind::LineComment {
                let unary = piece.is("-") && expects_value(layout.before);
                let at = layout.before.unwrap_or(piece);
                if (requested || follows)
                    && !unary
                    && may_break(layout.kind, at, piece, layout.depth)
                {
                    layout.needs_new_line = true;
                }
            }
            let own_line = stands_alone(&statement.pieces[number..]);
            layout.place(piece, number < body_at, own_line);
        }
        layout.narrow();
        for line in &layout.lines {
            line.write(out);
        }
    }

    /// Returns whether the body begins on a line of its own: it has several lines or several items.
    fn is_broken(&self, statement: &Statement<'a>, body_at: usize) -> bool {
        let body = &statement.pieces[body_at.min(statement.pieces.len())..];
        let mut depth = 0usize;
        let (mut items, mut broken) = (1, false);
        let mut before: Option<Piece<'a>> = None;
        for (number, &piece) in body.iter().enumerate() {
            let next = body[number + 1..].iter().find(|piece| !piece.is_comment());
            let follows = next.is_some_and(|next| next.breaks > 0) && is_operator(piece);
            if let Some(before) = before {
                let unary = piece.is("-") && expects_value(Some(before));
                broken |= (piece.breaks > 0 || follows)
                    && !unary
                    && may_break(self.kind, before, piece, depth);
                broken |= before.kind == PieceKind::LineComment;
                broken |= stands_alone(&body[number..]);
            }
            match piece.kind {
                PieceKind::Open => depth += 1,
                PieceKind::Close => depth = depth.saturating_sub(1),
                PieceKind::Comma if depth == 0 => items += 1,
                _ => {}
            }
            before = Some(piece);
        }
        match self.kind {
            StatementKind::Setting | StatementKind::Predeal | StatementKind::Bare => false,
            StatementKind::Action => broken || items > 1 || self.is_wide(statement),
            StatementKind::Definition | StatementKind::Condition | StatementKind::Rule(_) => {
                broken || self.is_wide(statement)
            }
        }
    }

    /// Returns whether the statement is too wide for one line.
    fn is_wide(&self, statement: &Statement<'a>) -> bool {
        let mut layout = Layout::new(self.kind);
        let calls = match self.kind {
            StatementKind::Rule(head) => body_start(&statement.pieces, head),
            _ => 0,
        };
        for (number, &piece) in statement.pieces.iter().enumerate() {
            layout.place(piece, number < calls, false);
        }
        layout.lines.iter().any(|line| line.width() > WIDTH)
    }

    /// Returns the indentation of a line that continues the statement at this depth.
    fn continuation(&self, begins_item: bool, depth: usize) -> usize {
        let base = match self.kind {
            StatementKind::Action if !begins_item => 2 * STEP,
            _ => STEP,
        };
        base + STEP * depth
    }

    fn place(&mut self, piece: Piece<'a>, header: bool, own_line: bool) {
        let depth = match piece.kind {
            PieceKind::Close => self.depth.saturating_sub(1),
            _ => self.depth,
        };
        let after_comma = self
            .before
            .is_some_and(|before| before.kind == PieceKind::Comma);
        let new_item = self.kind == StatementKind::Action && after_comma && self.depth == 0;
        let own_line = own_line && self.before.is_some();
        if self.needs_new_line || own_line || new_item && piece.kind != PieceKind::LineComment {
            let indent = self.continuation(new_item || !self.has_body, depth);
            self.lines.push(Line {
                indent,
                pieces: Vec::new(),
            });
            self.needs_new_line = false;
        }
        let unary = (piece.is("-") || piece.is("!")) && expects_value(self.before);
        let in_calls = header && matches!(self.kind, StatementKind::Rule(_));
        let wants_blank = !in_calls
            && self.before.is_some_and(|before| {
                blank(
                    before,
                    self.prefix,
                    piece,
                    self.kind == StatementKind::Setting,
                )
            });
        if let Some(line) = self.lines.last_mut() {
            line.pieces.push(PlacedPiece {
                piece,
                depth,
                blank: wants_blank && !line.pieces.is_empty(),
            });
        }
        match piece.kind {
            PieceKind::Open => self.depth += 1,
            PieceKind::Close => self.depth = depth,
            _ => {}
        }
        self.needs_new_line = piece.kind == PieceKind::LineComment
            || piece.kind == PieceKind::BlockComment && own_line;
        // Blanks between code do not depend on comments; a comment always has a blank before it.
        if !piece.is_comment() {
            self.has_body |= !header;
            self.prefix = unary;
            self.before = Some(piece);
        } else if self.before.is_none() {
            self.prefix = false;
        }
    }

    /// Splits lines that are too wide, first at their loosest operators.
    fn narrow(&mut self) {
        let mut at = 0;
        while at < self.lines.len() {
            if self.kind != StatementKind::Setting
                && self.lines[at].width() > WIDTH
                && let Some(parts) = self.split(&self.lines[at])
            {
                self.lines.splice(at..=at, parts);
            } else {
                at += 1;
            }
        }
    }

    /// Splits a line in several. None if there is no suitable place.
    fn split(&self, line: &Line<'a>) -> Option<Vec<Line<'a>>> {
        let places = line
            .pieces
            .iter()
            .enumerate()
            .skip(1)
            .filter_map(|(at, placed)| {
                let earlier = line.pieces[..at].iter().rev().map(|placed| placed.piece);
                let before = earlier.into_iter().find(|piece| !piece.is_comment())?;
                let rank = match looseness(placed.piece) {
                    Some(_) if placed.piece.is("-") && expects_value(Some(before)) => None,
                    Some(rank) => Some(rank),
                    None if before.kind == PieceKind::Comma
                        && (placed.depth > 0 || self.kind != StatementKind::Action) =>
                    {
                        Some(4)
                    }
                    None => None,
                };
                rank.map(|rank| (placed.depth, rank, at))
            });
        let places: Vec<_> = places.collect();
        let &(depth, rank, _) = places
            .iter()
            .min_by_key(|(depth, rank, _)| (*depth, *rank))?;
        let mut cuts: Vec<usize> = places
            .iter()
            .filter(|place| (place.0, place.1) == (depth, rank))
            .map(|place| place.2)
            .collect();
        cuts.push(line.pieces.len());
        let mut parts = Vec::new();
        let mut from = 0;
        for cut in cuts {
            let mut pieces = line.pieces[from..cut].to_vec();
            if let Some(first) = pieces.first_mut() {
                first.blank = false;
            }
            let indent = if from == 0 {
                line.indent
            } else {
                self.continuation(false, depth)
            };
            parts.push(Line { indent, pieces });
            from = cut;
        }
        Some(parts)
    }
}

/// Returns whether the first of these pieces is a comment on a line of its own.
fn stands_alone(pieces: &[Piece<'_>]) -> bool {
    let comment = pieces[0];
    let alone = match comment.kind {
        PieceKind::LineComment => true,
        PieceKind::BlockComment => pieces.get(1).is_none_or(|next| next.breaks > 0),
        _ => false,
    };
    alone && comment.breaks > 0
}

/// Returns the number of the first piece after the header and the comments in it.
fn body_start(pieces: &[Piece<'_>], header: usize) -> usize {
    let mut code = 0;
    for (number, piece) in pieces.iter().enumerate() {
        if code == header && !(piece.is_comment() && piece.breaks == 0) {
            return number;
        }
        code += usize::from(!piece.is_comment());
    }
    pieces.len()
}
