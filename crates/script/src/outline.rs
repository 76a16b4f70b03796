//! What an editor wants to know of a script that may be half written: what each word is, where
//! statements begin and end, and where names are defined and used.
//!
//! ```
//! use script::outline::{Class, Outline};
//!
//! let outline = Outline::of(b"strong = hcp(north) > 15\ncondition strong and");
//! let names: Vec<&str> = outline.definitions().map(|(name, _)| name).collect();
//! assert_eq!(names, ["strong"]);
//! assert_eq!(outline.uses("strong").count(), 2);
//! assert_eq!(outline.marks[2].class, Class::Function);
//! ```

use std::ops::Range;

use crate::pieces::{Kind, Piece, scan};
use crate::plan::Mode;
use crate::statements::{self, Sort, defined, is_word_operator};
use crate::word::Word;

/// What a piece of a script is, as an editor colours it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// `condition`, `produce`, `any`, `vul`: words of the language that are none of the others.
    Keyword,
    /// `printall`, `average` and the other actions.
    Action,
    /// `hcp`, `spades(`, `metric`: functions.
    Function,
    /// `north`, `NS`.
    Seat,
    /// A suit or `notrump` that is not used as a function.
    Strain,
    /// `and`, `==`, `+` and other operators.
    Operator,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A card, holding or contract: `AS`, `SAK`, `x3N`.
    Card,
    /// A shape: `5xxx`, `4333`, or all of `{...}`.
    Shape,
    /// A name where it is defined.
    Definition,
    /// A name where it is used, also one that nobody defined.
    Variable,
    /// `$0` to `$9`.
    Parameter,
    /// A comment.
    Comment,
    /// Parentheses and commas.
    Punctuation,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 15] = [
        Class::Keyword,
        Class::Action,
        Class::Function,
        Class::Seat,
        Class::Strain,
        Class::Operator,
        Class::Number,
        Class::Text,
        Class::Card,
        Class::Shape,
        Class::Definition,
        Class::Variable,
        Class::Parameter,
        Class::Comment,
        Class::Punctuation,
    ];
}

/// A classified stretch of the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The bytes.
    pub range: Range<usize>,
    /// What they are.
    pub class: Class,
}

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `produce 10` and other settings, `predeal`, `import`.
    Setting,
    /// `name = expression`
    Definition,
    /// The condition, with or without its word.
    Condition,
    /// The action list.
    Action,
}

/// A statement of the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it does.
    pub role: Role,
    /// From its first to its last byte, comments at its end included.
    pub range: Range<usize>,
    /// Its first word: the name that is defined, `condition`, `produce`.
    pub head: Range<usize>,
}

/// A script as an editor sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Every piece of the script in reading order.
    pub marks: Vec<Mark>,
    /// The statements in reading order.
    pub parts: Vec<Part>,
    text: Vec<u8>,
}

fn range(piece: &Piece<'_>) -> Range<usize> {
    piece.at..piece.at + piece.text.len()
}

impl Outline {
    /// Reads any text; nothing in it is an error here.
    #[must_use]
    pub fn of(text: &[u8]) -> Outline {
        let pieces = scan(text);
        let code: Vec<Piece<'_>> = pieces.iter().copied().filter(|p| !p.is_comment()).collect();
        let variables = defined(&code);
        let mut marks: Vec<Mark> = Vec::with_capacity(pieces.len());
        let mut number = 0usize;
        for piece in &pieces {
            let class = if piece.is_comment() {
                Class::Comment
            } else {
                number += 1;
                let before = number.checked_sub(2).map(|at| code[at]);
                classify(piece, before, code.get(number), &variables)
            };
            marks.push(Mark {
                range: range(piece),
                class,
            });
        }
        let (list, _) = statements::statements(&pieces);
        let parts = list.iter().filter_map(|statement| {
            let (first, last) = (statement.pieces.first()?, statement.pieces.last()?);
            Some(Part {
                role: match statement.sort {
                    Sort::Setting | Sort::Predeal => Role::Setting,
                    Sort::Definition => Role::Definition,
                    Sort::Condition | Sort::Bare => Role::Condition,
                    Sort::Action => Role::Action,
                },
                range: first.at..range(last).end,
                head: range(first),
            })
        });
        Outline {
            marks,
            parts: parts.collect(),
            text: text.to_vec(),
        }
    }

    /// The text of a stretch; what is not UTF-8 is empty.
    #[must_use]
    pub fn text(&self, range: Range<usize>) -> &str {
        std::str::from_utf8(&self.text[range]).unwrap_or("")
    }

    /// Names and the places of their definitions.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        let marks = self.marks.iter();
        let own = marks.filter(|mark| mark.class == Class::Definition);
        own.map(|mark| (self.text(mark.range.clone()), mark.range.clone()))
    }

    /// Every place of a name: where it is defined and where it is used.
    pub fn uses<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        self.marks
            .iter()
            .filter(move |mark| {
                matches!(mark.class, Class::Definition | Class::Variable)
                    && self.text(mark.range.clone()) == name
            })
            .map(|mark| mark.range.clone())
    }

    /// The piece at this offset, or that ends there.
    #[must_use]
    pub fn at(&self, offset: usize) -> Option<&Mark> {
        let after = self.marks.partition_point(|mark| mark.range.end < offset);
        let touching = self.marks[after..].iter().take(2);
        touching
            .filter(|mark| mark.range.start <= offset && offset <= mark.range.end)
            // Between two that touch, the word is meant and not the parenthesis.
            .max_by_key(|mark| (mark.class != Class::Punctuation, mark.range.start))
    }
}

fn classify(
    piece: &Piece<'_>,
    before: Option<Piece<'_>>,
    next: Option<&Piece<'_>>,
    variables: &std::collections::HashSet<&[u8]>,
) -> Class {
    match piece.kind {
        Kind::Text => Class::Text,
        Kind::Variable => Class::Parameter,
        Kind::Braces => Class::Shape,
        Kind::Open | Kind::Close | Kind::Comma | Kind::Separator => Class::Punctuation,
        Kind::Sign => Class::Operator,
        Kind::LineComment | Kind::BlockComment => Class::Comment,
        Kind::Word => word(piece.text, before, next, variables),
    }
}

fn word(
    text: &[u8],
    before: Option<Piece<'_>>,
    next: Option<&Piece<'_>>,
    variables: &std::collections::HashSet<&[u8]>,
) -> Class {
    let called = next.is_some_and(|next| matches!(next.kind, Kind::Open | Kind::Braces));
    if next.is_some_and(|next| next.is("=")) {
        return Class::Definition;
    }
    if is_word_operator(text) {
        return Class::Operator;
    }
    if variables.contains(text) && !called {
        return Class::Variable;
    }
    if let Some(word) = Word::from_spelling(text) {
        return match word {
            Word::Seat(_) | Word::NsSide | Word::EwSide | Word::NsVul | Word::EwVul => Class::Seat,
            Word::Suit(_) if !called => Class::Strain,
            Word::Notrump => Class::Strain,
            word if word.is_action() => Class::Action,
            word if word.is_function() => Class::Function,
            _ => Class::Keyword,
        };
    }
    let follows_shape = before.is_some_and(|before| before.text.eq_ignore_ascii_case(b"any"));
    if text.len() == 4
        && text.iter().all(|b| b.is_ascii_digit() || *b == b'x')
        && (follows_shape || text.contains(&b'x'))
    {
        return Class::Shape;
    }
    if text[0].is_ascii_digit() || text[0] == b'.' {
        return Class::Number;
    }
    if crate::spelling::card(Some(text)).is_some()
        || crate::spelling::contract(text, Mode::Native).is_some()
        || crate::spelling::is_holding(text)
    {
        return Class::Card;
    }
    match text {
        b"metric" if called => Class::Function,
        b"import" | b"level" => Class::Keyword,
        _ if called => Class::Function,
        _ => Class::Variable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str) -> Vec<(String, Class)> {
        let outline = Outline::of(text.as_bytes());
        let marks = outline.marks.iter();
        marks
            .map(|mark| (text[mark.range.clone()].to_owned(), mark.class))
            .collect()
    }

    #[test]
    fn words_are_told_apart() {
        use Class::*;
        let found = classes(
            "predeal north SAK // a\npar = dds(south, hearts) >= 10 and shape(east, any 4333 + 5xxx)\nscore(vul, x3N, $0) + par",
        );
        let expected = [
            ("predeal", Keyword),
            ("north", Seat),
            ("SAK", Card),
            ("// a", Comment),
            ("par", Definition),
            ("=", Operator),
            ("dds", Function),
            ("(", Punctuation),
            ("south", Seat),
            (",", Punctuation),
            ("hearts", Strain),
            (")", Punctuation),
            (">=", Operator),
            ("10", Number),
            ("and", Operator),
            ("shape", Function),
            ("(", Punctuation),
            ("east", Seat),
            (",", Punctuation),
            ("any", Keyword),
            ("4333", Shape),
            ("+", Operator),
            ("5xxx", Shape),
            (")", Punctuation),
            ("score", Function),
            ("(", Punctuation),
            ("vul", Keyword),
            (",", Punctuation),
            ("x3N", Card),
            (",", Punctuation),
            ("$0", Parameter),
            (")", Punctuation),
            ("+", Operator),
            ("par", Variable),
        ];
        let expected: Vec<(String, Class)> = expected
            .into_iter()
            .map(|(text, class)| (text.to_owned(), class))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn statements_have_roles_and_heads() {
        let text = "produce 3\nx = 1\ncondition x\n  and 2\naction printall";
        let outline = Outline::of(text.as_bytes());
        let parts: Vec<(Role, &str)> = outline
            .parts
            .iter()
            .map(|part| (part.role, &text[part.head.clone()]))
            .collect();
        assert_eq!(
            parts,
            [
                (Role::Setting, "produce"),
                (Role::Definition, "x"),
                (Role::Condition, "condition"),
                (Role::Action, "action")
            ]
        );
        assert_eq!(
            &text[outline.parts[2].range.clone()],
            "condition x\n  and 2"
        );
    }

    #[test]
    fn the_word_under_the_cursor() {
        let text = b"hcp(north)";
        let outline = Outline::of(text);
        for (offset, word) in [
            (0, "hcp"),
            (3, "hcp"),
            (4, "north"),
            (9, "north"),
            (10, ")"),
        ] {
            let mark = outline.at(offset).unwrap();
            assert_eq!(outline.text(mark.range.clone()), word, "{offset}");
        }
        assert!(Outline::of(b"").at(0).is_none());
    }
}
