//! Divides the text of a range into items: separators, brackets and braces.

use super::error::{RangeError, RangeProblem};
use super::item::{Item, ItemText, continues};
use super::weight::{Weight, weight_in_brackets};
use crate::Game;
use crate::notation::{VARIATION, suit_letter};

/// The parts of the text.
#[derive(Clone)]
enum Token {
    /// A character of an item, in lower case.
    Letter(char),
    Blank,
    /// A comma or semicolon.
    Separator,
    /// The words in brackets.
    Filter(String),
    /// A weight in brackets before the hands it is for: `[50]`.
    Weight(Weight),
    /// The end of these hands: `[/50]`.
    EndOfWeight,
    OpenBrace,
    CloseBrace,
}

/// Reads the tokens one by one.
pub(super) struct Reader {
    tokens: Vec<(Token, usize)>,
    next: usize,
    /// The position after the text.
    end: usize,
    game: Game,
    /// The weight of the brackets around the current items.
    weight: Option<Weight>,
}

/// Returns the items of a range.
pub(super) fn items(text: &str, game: Game) -> Result<Vec<Item>, RangeError> {
    let letters: Vec<(char, usize)> = text.chars().zip(1..).collect();
    let mut reader = Reader {
        tokens: tokens(&letters)?,
        next: 0,
        end: letters.len() + 1,
        game,
        weight: None,
    };
    let items = reader.list(false)?;
    match reader.weight {
        Some(_) => Err(RangeError::new(reader.end, RangeProblem::WeightEnd)),
        None => Ok(items),
    }
}

fn tokens(letters: &[(char, usize)]) -> Result<Vec<(Token, usize)>, RangeError> {
    let mut tokens = Vec::with_capacity(letters.len());
    let mut rest = letters.iter();
    while let Some(&(letter, position)) = rest.next() {
        let token = match letter {
            '[' => {
                let inside: Vec<char> = rest.as_slice().iter().map(|l| l.0).collect();
                let end = inside.iter().position(|&l| l == ']' || l == '[');
                let end = end.filter(|&end| inside[end] == ']');
                let end = end.ok_or(RangeError::new(position, RangeProblem::Bracket))?;
                rest = rest.as_slice()[end + 1..].iter();
                let inside: String = inside[..end].iter().collect();
                let weight = |text: &str| {
                    weight_in_brackets(text)
                        .transpose()
                        .map_err(|problem| RangeError::new(position + 1, problem))
                };
                if inside.trim() == "/" {
                    (Token::EndOfWeight, position)
                } else if let Some(closing) = inside.trim().strip_prefix('/')
                    && weight(closing)?.is_some()
                {
                    (Token::EndOfWeight, position)
                } else if let Some(weight) = weight(&inside)? {
                    (Token::Weight(weight), position)
                } else {
                    (Token::Filter(inside), position + 1)
                }
            }
            ']' => return Err(RangeError::new(position, RangeProblem::Bracket)),
            '{' => (Token::OpenBrace, position),
            '}' => (Token::CloseBrace, position),
            ',' | ';' => (Token::Separator, position),
            VARIATION => continue,
            _ if letter.is_whitespace() => (Token::Blank, position),
            _ => (
                Token::Letter(suit_letter(letter).to_ascii_lowercase()),
                position,
            ),
        };
        tokens.push(token);
    }
    Ok(tokens)
}

impl Reader {
    /// Reads items up to the end of the text or the closing brace.
    fn list(&mut self, in_braces: bool) -> Result<Vec<Item>, RangeError> {
        let mut items = Vec::new();
        let mut text = ItemText::default();
        let mut start = self.position();
        let mut after_blank = false;
        // Nothing is needed between the end of a weight and the next separator.
        let mut is_complete = false;
        loop {
            let position = self.position();
            let Some((token, _)) = self.tokens.get(self.next) else {
                if in_braces {
                    return Err(RangeError::new(self.end, RangeProblem::Brace));
                }
                break;
            };
            let token = token.clone();
            let starts_anew = after_blank
                && !text.is_empty()
                && match token {
                    Token::Letter(_) => !self.continues(&text),
                    Token::OpenBrace => !matches!(text.letters[..], [('!', _)]),
                    _ => false,
                };
            if starts_anew {
                items.push(self.item(&mut text, start)?);
                is_complete = false;
            }
            if text.is_empty() {
                start = position;
            }
            after_blank = matches!(token, Token::Blank);
            self.next += 1;
            match token {
                Token::Letter(letter) => text.letters.push((letter, position)),
                Token::Blank => {}
                Token::Separator => {
                    if !(is_complete && text.is_empty()) {
                        items.push(self.item(&mut text, position)?);
                    }
                    is_complete = false;
                }
                Token::Filter(words) => {
                    if text.filter.replace((words, position)).is_some() {
                        return Err(RangeError::new(position - 1, RangeProblem::Bracket));
                    }
                }
                Token::Weight(weight) => {
                    if self.weight.is_some() || !text.is_empty() {
                        return Err(RangeError::new(position, RangeProblem::WeightPlace));
                    }
                    self.weight = Some(weight);
                }
                Token::EndOfWeight => {
                    items.push(self.item(&mut text, position)?);
                    is_complete = true;
                    if self.weight.take().is_none() {
                        return Err(RangeError::new(position, RangeProblem::WeightEnd));
                    }
                }
                Token::OpenBrace => {
                    if text.group.is_some() || !matches!(text.letters[..], [] | [('!', _)]) {
                        return Err(RangeError::new(position, RangeProblem::Brace));
                    }
                    text.group = Some(self.list(true)?);
                }
                Token::CloseBrace if in_braces => {
                    self.next -= 1;
                    break;
                }
                Token::CloseBrace => return Err(RangeError::new(position, RangeProblem::Brace)),
            }
        }
        let end = self.position();
        if !(is_complete && text.is_empty()) {
            let position = if text.is_empty() { end } else { start };
            items.push(self.item(&mut text, position)?);
        }
        self.next += usize::from(in_braces);
        Ok(items)
    }

    fn item(&self, text: &mut ItemText, position: usize) -> Result<Item, RangeError> {
        Item::read(std::mem::take(text), position, self.weight)
    }

    /// Returns the position of the next token, or the one after the text.
    fn position(&self) -> usize {
        self.tokens
            .get(self.next)
            .map_or(self.end, |&(_, position)| position)
    }

    /// Returns whether the letters from here on belong to the item before them.
    fn continues(&self, before: &ItemText) -> bool {
        let letters = self.tokens[self.next..].iter();
        let letters = letters.map_while(|(token, position)| match token {
            Token::Letter(letter) => Some((*letter, *position)),
            _ => None,
        });
        let next: Vec<(char, usize)> = letters.collect();
        if before.filter.is_some() || before.group.is_some() {
            return matches!(next.first(), Some((':' | '(' | '@', _)));
        }
        continues(&before.letters, &next, self.game)
    }
}
