//! Cards in poker notation: rank, then suit, `As Kd`.

use std::fmt;

use cards::{Card, CardSet, Rank, Suit};

use crate::rank::RANK_LETTERS;

/// The letters of the suits, clubs first.
const SUIT_LETTERS: &[u8; 4] = b"cdhs";

/// The variation selector that some keyboards insert after a suit symbol.
pub(crate) const VARIATION: char = '\u{fe0f}';

/// A text that is not a list of cards. Positions count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CardsError {
    /// A character that is not a rank in the place of a rank.
    Rank {
        /// The character.
        found: char,
        /// Position of the character.
        position: usize,
    },
    /// A character that is not a suit in the place of a suit.
    Suit {
        /// The character.
        found: char,
        /// Position of the character.
        position: usize,
    },
    /// The text ends after a rank.
    MissingSuit {
        /// The position after the last character.
        position: usize,
    },
    /// A card that occurs twice.
    Duplicate {
        /// The card.
        card: Card,
        /// Position of the card's second occurrence.
        position: usize,
    },
}

impl fmt::Display for CardsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CardsError::Rank { found, position } => write!(
                f,
                "character {position}: {found:?} is no rank; a card is a rank (2-9 T J Q K A) and a suit (c d h s)"
            ),
            CardsError::Suit { found, position } => write!(
                f,
                "character {position}: {found:?} is no suit; suits are c, d, h and s"
            ),
            CardsError::MissingSuit { position } => {
                write!(
                    f,
                    "character {position}: the last card has no suit (c, d, h or s)"
                )
            }
            CardsError::Duplicate { card, position } => {
                write!(f, "character {position}: {} occurs twice", card_text(*card))
            }
        }
    }
}

impl std::error::Error for CardsError {}

/// Returns the rank of a letter, in either case.
pub(crate) fn rank_from_letter(letter: char) -> Option<Rank> {
    let letter = u8::try_from(letter).ok()?.to_ascii_uppercase();
    Rank::from_index(RANK_LETTERS.iter().position(|&l| l == letter)?)
}

/// Returns the suit of a letter, in either case.
pub(crate) fn suit_from_letter(letter: char) -> Option<Suit> {
    let letter = u8::try_from(letter).ok()?.to_ascii_lowercase();
    SUIT_LETTERS
        .iter()
        .position(|&l| l == letter)
        .map(Suit::from_index)
}

/// Returns the letter of a suit symbol, filled or not. Other characters are returned unchanged.
pub(crate) fn suit_letter(letter: char) -> char {
    match letter {
        '♣' | '♧' => 'c',
        '♦' | '♢' => 'd',
        '♥' | '♡' => 'h',
        '♠' | '♤' => 's',
        other => other,
    }
}

/// Formats a single card: `As`.
#[must_use]
pub fn card_text(card: Card) -> String {
    let rank = RANK_LETTERS[card.rank().index()] as char;
    let suit = SUIT_LETTERS[card.suit() as usize] as char;
    format!("{rank}{suit}")
}

/// Reads cards in any order, in either case, with or without spaces, commas, semicolons and hyphens between them. Tens
/// are `T` or `10`; suits are letters or symbols.
///
/// ```
/// let hand = croupier_poker::parse_cards("As kd, QhJc").unwrap();
/// assert_eq!(croupier_poker::format_cards(hand), "AsKdQhJc");
/// assert_eq!(croupier_poker::parse_cards("10♥ 9♠"), croupier_poker::parse_cards("Th9s"));
/// assert_eq!(croupier_poker::parse_cards("Qh-7h-2c"), croupier_poker::parse_cards("Qh7h2c"));
/// assert!(croupier_poker::parse_cards("AsAs").is_err());
/// ```
///
/// # Errors
/// Names the character that is wrong, or the card that occurs twice.
pub fn parse_cards(text: &str) -> Result<CardSet, CardsError> {
    let mut cards = CardSet::EMPTY;
    let mut letters = text
        .chars()
        .zip(1..)
        .filter(|(c, _)| !c.is_whitespace() && !matches!(*c, ',' | ';' | '-' | VARIATION))
        .map(|(c, position)| (suit_letter(c), position))
        .peekable();
    let mut end = 1;
    while let Some((found, position)) = letters.next() {
        let ten = found == '1' && letters.next_if(|&(next, _)| next == '0').is_some();
        let found = if ten { 'T' } else { found };
        let rank = rank_from_letter(found).ok_or(CardsError::Rank { found, position })?;
        end = end.max(position + 1);
        let Some((found, place)) = letters.next() else {
            return Err(CardsError::MissingSuit { position: end });
        };
        let suit = suit_from_letter(found).ok_or(CardsError::Suit {
            found,
            position: place,
        })?;
        let card = Card::new(suit, rank);
        if cards.contains(card) {
            return Err(CardsError::Duplicate { card, position });
        }
        cards.insert(card);
    }
    Ok(cards)
}

/// Formats cards by rank, highest first, then by suit, spades first.
///
/// ```
/// use cards::CardSet;
/// assert_eq!(croupier_poker::format_cards(CardSet(0b11)), "3c2c");
/// ```
#[must_use]
pub fn format_cards(cards: CardSet) -> String {
    let mut sorted: Vec<Card> = cards.iter().collect();
    sorted.sort_by_key(|card| std::cmp::Reverse((card.rank(), card.suit() as usize)));
    sorted.into_iter().map(card_text).collect()
}
