//! Reads and writes cards, hands and deals, in all notations.
//!
//! | what | looks like | read by | written by |
//! |---|---|---|---|
//! | card | `TC` (rank first; `CT` and `10C` are read too) | [`Card::from_str`] | [`Card`]'s `Display` |
//! | hand | `AKQ.JT9..8765` | [`hand`], [`holdings`] | [`CardSet`]'s `Display` |
//! | holdings | `SAKQ,HJT` | [`suit_holdings`] | [`CardSet::suit_holdings`] |
//! | deal, PBN | `N:AKQ.JT9..8765 ... ... ...` | [`Deal::from_str`] | [`Deal`]'s `Display` |
//! | deal, one line | `n AKQ.JT9..8765 e ... s ... w ...` | [`Deal::from_str`] | [`Deal::one_line`] |

use core::fmt;
use core::str::FromStr;

use crate::{Card, CardSet, Deal, DealError, Hand, Holding, Rank, Seat, Shape, Suit};

/// The reason why a text is not a card, a hand or a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotationError {
    /// Not a card.
    Card,
    /// Not a contract.
    Contract,
    /// Not a seat.
    Seat,
    /// Not a vulnerability.
    Vulnerability,
    /// A character that is not a rank.
    Rank(char),
    /// A card that occurs twice in a hand.
    Repeated(Card),
    /// A hand that does not have four suits.
    Suits(usize),
    /// A rank before any suit letter.
    NoSuit(char),
    /// A deal that does not have four hands.
    Hands(usize),
    /// A seat that is given twice.
    SeatTwice(Seat),
    /// Four hands that do not make a deal.
    Deal(DealError),
    /// A hand without thirteen cards.
    Count(usize),
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotationError::Card => f.write_str("not a card; write the rank, then the suit: TC, AS"),
            NotationError::Contract => {
                f.write_str("not a contract; write level, strain and doubling: 3N, 4Sx, 6Hxx")
            }
            NotationError::Seat => f.write_str("not a seat; the seats are N, E, S and W"),
            NotationError::Vulnerability => {
                f.write_str("not a vulnerability; write none, ns, ew or both")
            }
            NotationError::Rank(c) => {
                write!(
                    f,
                    "{c:?} is not a rank; the ranks are A K Q J T 9 8 7 6 5 4 3 2"
                )
            }
            NotationError::Repeated(card) => write!(f, "{card} appears twice"),
            NotationError::Suits(n) => write!(
                f,
                "a hand has four suits separated by points, spades first (AKQ.JT9..8765), not {n}"
            ),
            NotationError::NoSuit(c) => {
                write!(f, "{c:?} stands before any suit letter C, D, H or S")
            }
            NotationError::Hands(n) => write!(f, "a deal has four hands, not {n}"),
            NotationError::SeatTwice(seat) => write!(f, "two hands for {}", seat.name()),
            NotationError::Deal(error) => error.fmt(f),
            NotationError::Count(n) => write!(f, "a hand has 13 cards, not {n}"),
        }
    }
}

impl core::error::Error for NotationError {}

impl From<DealError> for NotationError {
    fn from(error: DealError) -> Self {
        NotationError::Deal(error)
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for crate::Strain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for crate::Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.letters())
    }
}

impl FromStr for Seat {
    type Err = NotationError;

    /// Reads a letter or a word in either case.
    fn from_str(text: &str) -> Result<Seat, NotationError> {
        Seat::ALL
            .into_iter()
            .find(|seat| {
                text.eq_ignore_ascii_case(seat.name())
                    || text.chars().eq([seat.letter()])
                    || text.chars().eq([seat.letter().to_ascii_lowercase()])
            })
            .ok_or(NotationError::Seat)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.letter())
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank().letter(), self.suit().letter())
    }
}

impl FromStr for Card {
    type Err = NotationError;

    /// Reads `TC`, `CT`, `10C`, in either case, also with a suit symbol.
    fn from_str(text: &str) -> Result<Card, NotationError> {
        let suit_of = |c: char| {
            Suit::from_letter(c).or_else(|| Suit::ALL.into_iter().find(|suit| suit.symbol() == c))
        };
        let rank_of = |text: &str| {
            let mut chars = text.chars();
            match (chars.next(), chars.next(), chars.next()) {
                (Some(c), None, None) => Rank::from_letter(c),
                (Some('1'), Some('0'), None) => Some(Rank::TEN),
                _ => None,
            }
        };
        let mut chars = text.chars();
        let rank_first = chars
            .next_back()
            .and_then(suit_of)
            .zip(rank_of(chars.as_str()));
        let mut chars = text.chars();
        let suit_first = chars.next().and_then(suit_of).zip(rank_of(chars.as_str()));
        let (suit, rank) = rank_first.or(suit_first).ok_or(NotationError::Card)?;
        Ok(Card::new(suit, rank))
    }
}

impl fmt::Display for Holding {
    /// Writes the ranks, ace first; nothing for a void.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Written into a buffer first, so that width and alignment work.
        let mut letters = [0; 13];
        let mut n = 0;
        for rank in self.iter() {
            letters[n] = rank.letter() as u8;
            n += 1;
        }
        f.pad(core::str::from_utf8(&letters[..n]).unwrap_or_default())
    }
}

impl fmt::Display for CardSet {
    /// Writes `AKQ.JT9..8765`: spades, hearts, diamonds, clubs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut letters = [0; 55];
        let mut n = 0;
        for (i, suit) in Suit::DESCENDING.into_iter().enumerate() {
            if i > 0 {
                letters[n] = b'.';
                n += 1;
            }
            for rank in self.holding(suit) {
                letters[n] = rank.letter() as u8;
                n += 1;
            }
        }
        f.pad(core::str::from_utf8(&letters[..n]).unwrap_or_default())
    }
}

impl fmt::Display for Shape {
    /// Writes `5-3-3-2`, spades first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [s, h, d, c] = self.lengths();
        write!(f, "{s}-{h}-{d}-{c}")
    }
}

impl fmt::Display for Deal {
    /// Writes `N:` and the hands of North, East, South and West.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [n, e, s, w] = self.hands();
        write!(f, "N:{n} {e} {s} {w}")
    }
}

/// A deal written on one line with a letter before each hand. See [`Deal::one_line`].
#[derive(Clone, Copy, Debug)]
pub struct OneLine(Deal);

impl fmt::Display for OneLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [n, e, s, w] = self.0.hands();
        write!(f, "n {n} e {e} s {s} w {w}")
    }
}

/// A hand written as `SAKQ,HJT`, voids left out. See [`CardSet::suit_holdings`].
#[derive(Clone, Copy, Debug)]
pub struct SuitHoldings(CardSet);

impl fmt::Display for SuitHoldings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = Suit::DESCENDING
            .into_iter()
            .filter(|&suit| !self.0.holding(suit).is_empty());
        for (i, suit) in held.enumerate() {
            let comma = if i > 0 { "," } else { "" };
            write!(f, "{comma}{}{}", suit.letter(), self.0.holding(suit))?;
        }
        Ok(())
    }
}

impl Deal {
    /// Returns the deal in the form `n AKQ.JT9..8765 e ... s ... w ...`.
    #[must_use]
    pub const fn one_line(self) -> OneLine {
        OneLine(self)
    }
}

impl CardSet {
    /// Returns the cards in the form `SAKQ,HJT`.
    #[must_use]
    pub const fn suit_holdings(self) -> SuitHoldings {
        SuitHoldings(self)
    }
}

/// Reads the ranks of one suit in any order and case; `10` is a ten, `-` alone a void.
///
/// # Errors
/// Returns an error if a character is not a rank, or a rank appears twice.
pub fn holding(text: &str, suit: Suit) -> Result<Holding, NotationError> {
    let mut held = Holding::EMPTY;
    if matches!(text, "-" | "--" | "---") {
        return Ok(held);
    }
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let rank = match Rank::from_letter(c) {
            Some(rank) => rank,
            None if c == '1' && chars.as_str().starts_with('0') => {
                chars.next();
                Rank::TEN
            }
            None => return Err(NotationError::Rank(c)),
        };
        if held.contains(rank) {
            return Err(NotationError::Repeated(Card::new(suit, rank)));
        }
        held.insert(rank);
    }
    Ok(held)
}

/// Reads `AKQ.JT9..8765`, any number of cards.
///
/// # Errors
/// Returns an error if there are not four suits, a character is not a rank, or a card appears twice.
pub fn holdings(text: &str) -> Result<CardSet, NotationError> {
    let suits = text.split('.').count();
    if suits != 4 {
        return Err(NotationError::Suits(suits));
    }
    let mut cards = CardSet::EMPTY;
    for (part, suit) in text.split('.').zip(Suit::DESCENDING) {
        cards |= holding(part, suit)?.in_suit(suit);
    }
    Ok(cards)
}

/// Reads a hand of thirteen cards, `AKQ.JT9..8765432`.
///
/// # Errors
/// Returns the errors of [`holdings`], and an error if there are not thirteen cards.
pub fn hand(text: &str) -> Result<Hand, NotationError> {
    let cards = holdings(text)?;
    if cards.len() == 13 {
        Ok(cards)
    } else {
        Err(NotationError::Count(cards.len()))
    }
}

/// Reads `SAKQ,HJT`: suit letters followed by their ranks, any case, commas and blanks optional.
///
/// # Errors
/// Returns an error if a character is neither a suit nor a rank, a rank comes before any suit, or a card appears twice.
pub fn suit_holdings(text: &str) -> Result<CardSet, NotationError> {
    let mut cards = CardSet::EMPTY;
    let mut suit = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == ',' || c.is_whitespace() {
            continue;
        }
        if let Some(next) = Suit::from_letter(c) {
            suit = Some(next);
            continue;
        }
        let rank = match Rank::from_letter(c) {
            Some(rank) => rank,
            None if c == '1' && chars.next_if_eq(&'0').is_some() => Rank::TEN,
            None => return Err(NotationError::Rank(c)),
        };
        let card = Card::new(suit.ok_or(NotationError::NoSuit(c))?, rank);
        if cards.contains(card) {
            return Err(NotationError::Repeated(card));
        }
        cards.insert(card);
    }
    Ok(cards)
}

impl FromStr for Deal {
    type Err = NotationError;

    /// Reads both one-line notations: `N:… … … …` (any first seat, then clockwise) and
    /// `n … e … s … w …` (any order).
    fn from_str(text: &str) -> Result<Deal, NotationError> {
        let text = text.trim();
        let mut hands = [None; 4];
        let mut put = |seat: Seat, text: &str| match hands[seat.index()].replace(hand(text)?) {
            Some(_) => Err(NotationError::SeatTwice(seat)),
            None => Ok(()),
        };
        if let Some((first, rest)) = text.split_once(':') {
            let first: Seat = first.trim().parse()?;
            let count = rest.split_whitespace().count();
            if count != 4 {
                return Err(NotationError::Hands(count));
            }
            for (i, word) in rest.split_whitespace().enumerate() {
                put(first.clockwise(i), word)?;
            }
        } else {
            let count = text.split_whitespace().count();
            if count != 8 {
                return Err(NotationError::Hands(count / 2));
            }
            let mut words = text.split_whitespace();
            while let (Some(seat), Some(word)) = (words.next(), words.next()) {
                put(seat.parse()?, word)?;
            }
        }
        let [Some(n), Some(e), Some(s), Some(w)] = hands else {
            return Err(NotationError::Hands(hands.iter().flatten().count()));
        };
        Ok(Deal::new([n, e, s, w])?)
    }
}
