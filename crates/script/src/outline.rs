//! The structure of a script for editors, even if the script is incomplete: the class of each word, the statements, and the
//! places where names are defined and used.
//!
//! ```
//! use croupier_script::outline::{TokenClass, Outline};
//!
//! let outline = Outline::of(b"strong = hcp(north) > 15\ncondition strong and");
//! let names: Vec<&str> = outline.definitions().map(|(name, _)| name).collect();
//! assert_eq!(names, ["strong"]);
//! assert_eq!(outline.uses("strong").count(), 2);
//! assert_eq!(outline.tokens[2].class, TokenClass::Function);
//! ```

use std::ops::Range;

use crate::pieces::{Piece, PieceKind, scan};
use crate::plan::Mode;
use crate::statements::{self, StatementKind, defined, is_word_operator};
use crate::word::Word;

/// The class of a piece of a script, for syntax colouring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// `condition`, `produce`, `any`, `vul`: words of the language that are in no other class.
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
    /// A name where it is used, defined or not.
    Variable,
    /// `$0` to `$9`.
    Parameter,
    /// A comment.
    Comment,
    /// Parentheses and commas.
    Punctuation,
}

impl TokenClass {
    /// All classes, in the order of declaration.
    pub const ALL: [TokenClass; 15] = [
        TokenClass::Keyword,
        TokenClass::Action,
        TokenClass::Function,
        TokenClass::Seat,
        TokenClass::Strain,
        TokenClass::Operator,
        TokenClass::Number,
        TokenClass::Text,
        TokenClass::Card,
        TokenClass::Shape,
        TokenClass::Definition,
        TokenClass::Variable,
        TokenClass::Parameter,
        TokenClass::Comment,
        TokenClass::Punctuation,
    ];
}

/// A range of the script and its class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassifiedToken {
    /// Bytes of the token in the text.
    pub range: Range<usize>,
    /// Class of the token.
    pub class: TokenClass,
}

/// The purpose of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementRole {
    /// `produce 10` and other settings, `predeal`, `import`.
    Setting,
    /// `name = expression`
    Definition,
    /// The condition, with or without the word `condition`.
    Condition,
    /// The action list.
    Action,
    /// A rule of a bidding system: a call and its condition.
    Rule,
}

/// A statement of the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineStatement {
    /// Purpose.
    pub role: StatementRole,
    /// Bytes from its first to its last piece, with comments at its end.
    pub range: Range<usize>,
    /// Bytes of the first word: the defined name, `condition`, `produce`. For a rule, bytes of its calls.
    pub head: Range<usize>,
}

/// The classified pieces and the statements of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// All pieces in reading order.
    pub tokens: Vec<ClassifiedToken>,
    /// The statements in reading order.
    pub statements: Vec<OutlineStatement>,
    text: Vec<u8>,
}

fn range(piece: &Piece<'_>) -> Range<usize> {
    piece.at..piece.at + piece.text.len()
}

impl Outline {
    /// Reads any text. Syntax errors are not reported here.
    #[must_use]
    pub fn of(text: &[u8]) -> Outline {
        let pieces = scan(text);
        let code: Vec<Piece<'_>> = pieces.iter().copied().filter(|p| !p.is_comment()).collect();
        let variables = defined(&code);
        let mut tokens: Vec<ClassifiedToken> = Vec::with_capacity(pieces.len());
        let mut number = 0usize;
        for piece in &pieces {
            let class = if piece.is_comment() {
                TokenClass::Comment
            } else {
                number += 1;
                let before = number.checked_sub(2).map(|at| code[at]);
                classify(piece, before, code.get(number), &variables)
            };
            tokens.push(ClassifiedToken {
                range: range(piece),
                class,
            });
        }
        let (list, _) = statements::statements(&pieces);
        let statements = list.iter().filter_map(|statement| {
            let (first, last) = (statement.pieces.first()?, statement.pieces.last()?);
            Some(OutlineStatement {
                role: match statement.kind {
                    StatementKind::Setting | StatementKind::Predeal => StatementRole::Setting,
                    StatementKind::Definition => StatementRole::Definition,
                    StatementKind::Condition | StatementKind::Bare => StatementRole::Condition,
                    StatementKind::Action => StatementRole::Action,
                    StatementKind::Rule(_) => StatementRole::Rule,
                },
                range: first.at..range(last).end,
                head: match statement.kind {
                    // The calls, without the colon.
                    StatementKind::Rule(_) => {
                        let colon = statement.pieces.iter().find(|piece| piece.is(":"));
                        first.at..colon.map_or(range(first).end, |colon| colon.at)
                    }
                    _ => range(first),
                },
            })
        });
        let statements: Vec<OutlineStatement> = statements.collect();
        if statements.iter().any(|it| it.role == StatementRole::Rule) {
            for token in &mut tokens {
                let calls = statements.iter().any(|it| {
                    it.role == StatementRole::Rule && it.head.contains(&token.range.start)
                });
                token.class = match &text[token.range.clone()] {
                    _ if token.class == TokenClass::Comment => token.class,
                    _ if calls => TokenClass::Card,
                    b"me" | b"partner" | b"lho" | b"rho" => TokenClass::Seat,
                    b"vulnerable" | b"position" | b"otherwise" => TokenClass::Keyword,
                    _ => token.class,
                };
            }
        }
        Outline {
            tokens,
            statements,
            text: text.to_vec(),
        }
    }

    /// Returns the text of a range; empty if it is not UTF-8.
    #[must_use]
    pub fn text(&self, range: Range<usize>) -> &str {
        std::str::from_utf8(&self.text[range]).unwrap_or("")
    }

    /// Returns names and the places of their definitions.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        let tokens = self.tokens.iter();
        let own = tokens.filter(|token| token.class == TokenClass::Definition);
        own.map(|token| (self.text(token.range.clone()), token.range.clone()))
    }

    /// Returns all places of a name: definitions and uses.
    pub fn uses<'a>(&'a self, name: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        self.tokens
            .iter()
            .filter(move |token| {
                matches!(token.class, TokenClass::Definition | TokenClass::Variable)
                    && self.text(token.range.clone()) == name
            })
            .map(|token| token.range.clone())
    }

    /// Returns the token at `offset`, or the token that ends at `offset`.
    #[must_use]
    pub fn at(&self, offset: usize) -> Option<&ClassifiedToken> {
        let after = self
            .tokens
            .partition_point(|token| token.range.end < offset);
        let touching = self.tokens[after..].iter().take(2);
        touching
            .filter(|token| token.range.start <= offset && offset <= token.range.end)
            // Between a word and a parenthesis that touch, take the word.
            .max_by_key(|token| (token.class != TokenClass::Punctuation, token.range.start))
    }
}

fn classify(
    piece: &Piece<'_>,
    before: Option<Piece<'_>>,
    next: Option<&Piece<'_>>,
    variables: &std::collections::HashSet<&[u8]>,
) -> TokenClass {
    match piece.kind {
        PieceKind::Text => TokenClass::Text,
        PieceKind::Variable => TokenClass::Parameter,
        PieceKind::Braces => TokenClass::Shape,
        PieceKind::Open | PieceKind::Close | PieceKind::Comma | PieceKind::Separator => {
            TokenClass::Punctuation
        }
        PieceKind::Sign => TokenClass::Operator,
        PieceKind::LineComment | PieceKind::BlockComment => TokenClass::Comment,
        PieceKind::Word => word(piece.text, before, next, variables),
    }
}

fn word(
    text: &[u8],
    before: Option<Piece<'_>>,
    next: Option<&Piece<'_>>,
    variables: &std::collections::HashSet<&[u8]>,
) -> TokenClass {
    let called = next.is_some_and(|next| matches!(next.kind, PieceKind::Open | PieceKind::Braces));
    if next.is_some_and(|next| next.is("=")) {
        return TokenClass::Definition;
    }
    if is_word_operator(text) {
        return TokenClass::Operator;
    }
    if variables.contains(text) && !called {
        return TokenClass::Variable;
    }
    if let Some(word) = Word::from_spelling(text) {
        return match word {
            Word::Seat(_) | Word::NsSide | Word::EwSide | Word::NsVul | Word::EwVul => {
                TokenClass::Seat
            }
            Word::Suit(_) if !called => TokenClass::Strain,
            Word::Notrump => TokenClass::Strain,
            word if word.is_action() => TokenClass::Action,
            word if word.is_function() => TokenClass::Function,
            _ => TokenClass::Keyword,
        };
    }
    let follows_shape = before.is_some_and(|before| before.text.eq_ignore_ascii_case(b"any"));
    if text.len() == 4
        && text.iter().all(|b| b.is_ascii_digit() || *b == b'x')
        && (follows_shape || text.contains(&b'x'))
    {
        return TokenClass::Shape;
    }
    if text[0].is_ascii_digit() || text[0] == b'.' {
        return TokenClass::Number;
    }
    if crate::spelling::card(Some(text)).is_some()
        || crate::spelling::contract(text, Mode::Native).is_some()
        || crate::spelling::is_holding(text)
    {
        return TokenClass::Card;
    }
    match text {
        b"metric" if called => TokenClass::Function,
        b"import" | b"level" => TokenClass::Keyword,
        _ if called => TokenClass::Function,
        _ => TokenClass::Variable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(text: &str) -> Vec<(String, TokenClass)> {
        let outline = Outline::of(text.as_bytes());
        let tokens = outline.tokens.iter();
        tokens
            .map(|token| (text[token.range.clone()].to_owned(), token.class))
            .collect()
    }

    #[test]
    fn words_are_classified() {
        use TokenClass::*;
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
        let expected: Vec<(String, TokenClass)> = expected
            .into_iter()
            .map(|(text, class)| (text.to_owned(), class))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn statements_have_roles_and_heads() {
        let text = "produce 3\nx = 1\ncondition x\n  and 2\naction printall";
        let outline = Outline::of(text.as_bytes());
        let statements: Vec<(StatementRole, &str)> = outline
            .statements
            .iter()
            .map(|part| (part.role, &text[part.head.clone()]))
            .collect();
        assert_eq!(
            statements,
            [
                (StatementRole::Setting, "produce"),
                (StatementRole::Definition, "x"),
                (StatementRole::Condition, "condition"),
                (StatementRole::Action, "action")
            ]
        );
        assert_eq!(
            &text[outline.statements[2].range.clone()],
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
            let token = outline.at(offset).unwrap();
            assert_eq!(outline.text(token.range.clone()), word, "{offset}");
        }
        assert!(Outline::of(b"").at(0).is_none());
    }
}
