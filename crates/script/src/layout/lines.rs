//! The lines of one statement: where they break, how far they are indented, and the blanks within.

use super::WIDTH;
use crate::pieces::{Kind, Piece};
use crate::statements::{Sort, Statement, is_word_operator};
use crate::word::Word;

/// Blanks a level of indentation is wide.
const STEP: usize = 4;

/// Pieces that stand on one line.
#[derive(Debug, Default)]
struct Line<'a> {
    indent: usize,
    pieces: Vec<Set<'a>>,
}

/// A piece, how deep in parentheses it stands, and whether a blank comes before it.
#[derive(Clone, Copy, Debug)]
struct Set<'a> {
    piece: Piece<'a>,
    depth: usize,
    blank: bool,
}

impl Line<'_> {
    fn width(&self) -> usize {
        let code = self
            .pieces
            .iter()
            .filter(|set| set.piece.kind != Kind::LineComment);
        self.indent
            + code
                .map(|set| {
                    String::from_utf8_lossy(set.piece.text).chars().count() + usize::from(set.blank)
                })
                .sum::<usize>()
    }

    fn write(&self, out: &mut Vec<u8>) {
        // The classic dealer knows `#` only where a line begins.
        let is_hash = |set: &Set<'_>| set.piece.is_comment() && set.piece.text.starts_with(b"#");
        if !self.pieces.first().is_some_and(is_hash) {
            out.extend(std::iter::repeat_n(b' ', self.indent));
        }
        for (number, set) in self.pieces.iter().enumerate() {
            if number > 0 && set.piece.kind == Kind::LineComment {
                out.extend(b"  ");
            } else if number > 0 && set.blank {
                out.push(b' ');
            }
            out.extend(set.piece.text);
        }
        out.push(b'\n');
    }
}

fn is_binary_sign(piece: Piece<'_>) -> bool {
    piece.kind == Kind::Sign && !piece.is("!") && !piece.is("\\n")
}

/// Whether a `-` or `!` after this piece stands before a value instead of between two.
fn wants_value(before: Option<Piece<'_>>) -> bool {
    let Some(before) = before else { return true };
    match before.kind {
        Kind::Open | Kind::Comma | Kind::Text | Kind::Separator => true,
        Kind::Sign => !before.is("\\n"),
        Kind::Word => {
            is_word_operator(before.text)
                || Word::from_spelling(before.text)
                    .is_some_and(|word| word.starts_statement() || word.is_action())
        }
        _ => false,
    }
}

/// Whether these words stand apart from the parenthesis after them.
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

/// Whether a blank comes between two pieces.
fn blank(before: Piece<'_>, prefix: bool, piece: Piece<'_>, setting: bool) -> bool {
    use Kind::*;
    match (before.kind, piece.kind) {
        (LineComment | BlockComment, _) | (_, LineComment | BlockComment) => true,
        // `$n` may stand for the name of a function.
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

/// Whether a line may begin at this piece because the author began one there.
fn may_break(sort: Sort, before: Piece<'_>, piece: Piece<'_>, depth: usize) -> bool {
    match sort {
        Sort::Setting => false,
        Sort::Predeal => piece.kind != Kind::Comma,
        _ => {
            is_operator(piece)
                || before.kind == Kind::Comma && depth > 0
                || before.kind == Kind::Text && depth == 0 && sort == Sort::Action
        }
    }
}

fn is_operator(piece: Piece<'_>) -> bool {
    is_binary_sign(piece)
        || piece.kind == Kind::Word && is_word_operator(piece.text) && !piece.is("not")
}

/// How loosely an operator binds: the loosest is 0. None for what is no place to break at.
fn looseness(piece: Piece<'_>) -> Option<u8> {
    Some(match piece.text {
        b"?" | b":" => 0,
        b"or" | b"||" => 1,
        b"and" | b"&&" => 2,
        b"+" | b"-" => 3,
        _ => return None,
    })
}

/// Lays a statement out.
pub(super) struct Layout<'a> {
    sort: Sort,
    lines: Vec<Line<'a>>,
    depth: usize,
    before: Option<Piece<'a>>,
    /// The last piece was a sign before a value.
    prefix: bool,
    /// A new line must begin: a comment ended the last one.
    due: bool,
    /// The body has begun.
    begun: bool,
}

impl<'a> Layout<'a> {
    fn new(sort: Sort) -> Layout<'a> {
        Layout {
            sort,
            lines: vec![Line::default()],
            depth: 0,
            before: None,
            prefix: false,
            due: false,
            begun: false,
        }
    }

    /// The lines of a statement, written to `out`.
    pub fn write(statement: &Statement<'a>, out: &mut Vec<u8>) {
        let mut layout = Layout::new(statement.sort);
        let header = statement.sort.header();
        let body_at = body_start(&statement.pieces, header);
        let separate = layout.is_broken(statement, body_at);
        let mut moved = false;
        for (number, &piece) in statement.pieces.iter().enumerate() {
            if number == body_at && separate {
                layout.due = true;
            }
            let next = statement.pieces[number + 1..]
                .iter()
                .find(|piece| !piece.is_comment());
            // A break after an operator moves before it.
            let wish = piece.breaks > 0 || moved;
            moved = false;
            let follows = next.is_some_and(|next| next.breaks > 0) && is_operator(piece);
            if number > body_at && piece.kind != Kind::LineComment {
                let unary = piece.is("-") && wants_value(layout.before);
                let at = layout.before.unwrap_or(piece);
                if (wish || follows) && !unary && may_break(layout.sort, at, piece, layout.depth) {
                    layout.due = true;
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

    /// Whether the body begins on a line of its own: it has several lines, or more than one item.
    fn is_broken(&self, statement: &Statement<'a>, body_at: usize) -> bool {
        let body = &statement.pieces[body_at.min(statement.pieces.len())..];
        let mut depth = 0usize;
        let (mut items, mut broken) = (1, false);
        let mut before: Option<Piece<'a>> = None;
        for (number, &piece) in body.iter().enumerate() {
            let next = body[number + 1..].iter().find(|piece| !piece.is_comment());
            let follows = next.is_some_and(|next| next.breaks > 0) && is_operator(piece);
            if let Some(before) = before {
                let unary = piece.is("-") && wants_value(Some(before));
                broken |= (piece.breaks > 0 || follows)
                    && !unary
                    && may_break(self.sort, before, piece, depth);
                broken |= before.kind == Kind::LineComment;
                broken |= stands_alone(&body[number..]);
            }
            match piece.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                Kind::Comma if depth == 0 => items += 1,
                _ => {}
            }
            before = Some(piece);
        }
        match self.sort {
            Sort::Setting | Sort::Predeal | Sort::Bare => false,
            Sort::Action => broken || items > 1 || self.is_wide(statement),
            Sort::Definition | Sort::Condition => broken || self.is_wide(statement),
        }
    }

    /// Whether the statement does not fit one line.
    fn is_wide(&self, statement: &Statement<'a>) -> bool {
        let mut layout = Layout::new(self.sort);
        for &piece in &statement.pieces {
            layout.place(piece, false, false);
        }
        layout.lines.iter().any(|line| line.width() > WIDTH)
    }

    /// Indentation of a line that continues the statement at this depth.
    fn continuation(&self, begins_item: bool, depth: usize) -> usize {
        let base = match self.sort {
            Sort::Action if !begins_item => 2 * STEP,
            _ => STEP,
        };
        base + STEP * depth
    }

    fn place(&mut self, piece: Piece<'a>, header: bool, own_line: bool) {
        let depth = match piece.kind {
            Kind::Close => self.depth.saturating_sub(1),
            _ => self.depth,
        };
        let after_comma = self.before.is_some_and(|before| before.kind == Kind::Comma);
        let new_item = self.sort == Sort::Action && after_comma && self.depth == 0;
        let own_line = own_line && self.before.is_some();
        if self.due || own_line || new_item && piece.kind != Kind::LineComment {
            let indent = self.continuation(new_item || !self.begun, depth);
            self.lines.push(Line {
                indent,
                pieces: Vec::new(),
            });
            self.due = false;
        }
        let unary = (piece.is("-") || piece.is("!")) && wants_value(self.before);
        let wants_blank = self
            .before
            .is_some_and(|before| blank(before, self.prefix, piece, self.sort == Sort::Setting));
        if let Some(line) = self.lines.last_mut() {
            line.pieces.push(Set {
                piece,
                depth,
                blank: wants_blank && !line.pieces.is_empty(),
            });
        }
        match piece.kind {
            Kind::Open => self.depth += 1,
            Kind::Close => self.depth = depth,
            _ => {}
        }
        self.due = piece.kind == Kind::LineComment || piece.kind == Kind::BlockComment && own_line;
        // Blanks are decided by code; a comment stands apart from everything.
        if !piece.is_comment() {
            self.begun |= !header;
            self.prefix = unary;
            self.before = Some(piece);
        } else if self.before.is_none() {
            self.prefix = false;
        }
    }

    /// Breaks lines that are too wide, at their loosest operators first.
    fn narrow(&mut self) {
        let mut at = 0;
        while at < self.lines.len() {
            if self.sort != Sort::Setting
                && self.lines[at].width() > WIDTH
                && let Some(parts) = self.split(&self.lines[at])
            {
                self.lines.splice(at..=at, parts);
            } else {
                at += 1;
            }
        }
    }

    /// The line in several, or nothing if there is no good place.
    fn split(&self, line: &Line<'a>) -> Option<Vec<Line<'a>>> {
        let places = line
            .pieces
            .iter()
            .enumerate()
            .skip(1)
            .filter_map(|(at, set)| {
                let earlier = line.pieces[..at].iter().rev().map(|set| set.piece);
                let before = earlier.into_iter().find(|piece| !piece.is_comment())?;
                let rank = match looseness(set.piece) {
                    Some(_) if set.piece.is("-") && wants_value(Some(before)) => None,
                    Some(rank) => Some(rank),
                    None if before.kind == Kind::Comma
                        && (set.depth > 0 || self.sort != Sort::Action) =>
                    {
                        Some(4)
                    }
                    None => None,
                };
                rank.map(|rank| (set.depth, rank, at))
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

/// Whether the first of these pieces is a comment on a line of its own.
fn stands_alone(pieces: &[Piece<'_>]) -> bool {
    let comment = pieces[0];
    let alone = match comment.kind {
        Kind::LineComment => true,
        Kind::BlockComment => pieces.get(1).is_none_or(|next| next.breaks > 0),
        _ => false,
    };
    alone && comment.breaks > 0
}

/// Number of the first piece after the header, comments between them included.
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
