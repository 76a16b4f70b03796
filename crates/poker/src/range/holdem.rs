//! The items of a hold'em range.

use cards::{Card, CardSet, Rank, Suit};

use super::{Item, NamedRanges, RangeError, RangeProblem};
use crate::notation::{rank_from_letter, suit_from_letter};

/// The suits that two ranks may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Suits {
    Any,
    Suited,
    Offsuit,
}

/// Two ranks, the higher first, and their suits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct RankPair {
    high: usize,
    low: usize,
    suits: Suits,
}

/// Returns the hands of an item.
pub(super) fn hands(item: &Item, names: &NamedRanges) -> Result<Vec<CardSet>, RangeError> {
    if let Some(hands) = suit_class(item) {
        return hands;
    }
    // A word that does not resemble a hand is probably a name.
    let text = item.text();
    let is_word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let no_hand =
        |c: char| rank_from_letter(c).is_none() && suit_from_letter(c).is_none() && c != 'o';
    // Short words, such as "co" and "utg", are names only if there are named ranges.
    let no_start = |c: char| c.is_ascii_alphabetic() && rank_from_letter(c).is_none();
    let short = !names.is_empty() && text.len() > 1 && text.starts_with(no_start);
    if is_word && (short || text.len() > 3 && text.chars().any(no_hand)) {
        return Err(item.error(RangeProblem::Name(text.clone(), names.near(&text))));
    }
    let mut reader = Reader {
        letters: &item.letters,
        next: 0,
    };
    if let Some(&[_, (second, _), ..]) = item.letters.first_chunk::<2>()
        && rank_from_letter(second).is_none()
        && suit_from_letter(second).is_some()
    {
        return reader.two_cards().map(|hand| vec![hand]);
    }
    let first = reader.kind()?;
    let kinds = match reader.peek() {
        None => vec![first],
        Some('+') => {
            reader.next += 1;
            first.and_higher()
        }
        Some('-') if reader.next + 1 == item.letters.len() => {
            reader.next += 1;
            first.and_lower()
        }
        Some('-') => {
            let dash = reader.position();
            reader.next += 1;
            let second = reader.kind()?;
            first
                .up_to(second)
                .ok_or(RangeError::new(dash, RangeProblem::Dash))?
        }
        Some(_) => Vec::new(),
    };
    reader.end()?;
    Ok(kinds.into_iter().flat_map(RankPair::hands).collect())
}

/// Reads `AKhd`, `AhKx`, `AxKh`, `Ah*`, `xhxh`, `Ax`, `Axs`, `Kxo`: ranks with some suits or cards open. `None` for other items.
fn suit_class(item: &Item) -> Option<Result<Vec<CardSet>, RangeError>> {
    let letters: Vec<char> = item.letters.iter().map(|&(letter, _)| letter).collect();
    let rank = |letter: char| rank_from_letter(letter).map(Rank::index);
    let any = |letter: char| matches!(letter, 'x' | '*');
    let is_suit = |letter: char| suit_from_letter(letter).is_some();
    // The requirements on each card (rank or any, suit or any) and on the suits of both.
    type Wanted = (Option<usize>, Option<Suit>);
    let card = |r: char, s: Option<char>| -> Wanted { (rank(r), s.and_then(suit_from_letter)) };
    let known = |r: char| rank(r).is_some();
    let (first, second, suits) = match letters[..] {
        [a, b, s, t] if known(a) && known(b) && is_suit(s) && is_suit(t) => {
            (card(a, Some(s)), card(b, Some(t)), Suits::Any)
        }
        [a, s, b, t] if known(a) && known(b) && is_suit(s) && any(t) => {
            (card(a, Some(s)), card(b, None), Suits::Any)
        }
        [a, s, b, t] if known(a) && known(b) && any(s) && is_suit(t) => {
            (card(a, None), card(b, Some(t)), Suits::Any)
        }
        [a, s, t] if known(a) && is_suit(s) && any(t) => {
            (card(a, Some(s)), (None, None), Suits::Any)
        }
        [x, s, y, t] if any(x) && is_suit(s) && any(y) && is_suit(t) => (
            (None, suit_from_letter(s)),
            (None, suit_from_letter(t)),
            Suits::Any,
        ),
        [a, x] if known(a) && any(x) => (card(a, None), (None, None), Suits::Any),
        [a, x, 's'] if known(a) && any(x) => (card(a, None), (None, None), Suits::Suited),
        [a, x, 'o'] if known(a) && any(x) => (card(a, None), (None, None), Suits::Offsuit),
        _ => return None,
    };
    let mut hands = Vec::new();
    for a in CardSet::FULL {
        for b in CardSet::FULL {
            let is = |card: Card, (rank, suit): Wanted| {
                rank.is_none_or(|rank| card.rank().index() == rank)
                    && suit.is_none_or(|suit| card.suit() == suit)
            };
            let agree = match suits {
                Suits::Any => true,
                Suits::Suited => a.suit() == b.suit(),
                Suits::Offsuit => a.suit() != b.suit() && a.rank() != b.rank(),
            };
            if a != b && agree && is(a, first) && is(b, second) {
                hands.push(CardSet::of(a) | CardSet::of(b));
            }
        }
    }
    if hands.is_empty() {
        return Some(Err(item.error(RangeProblem::SameCard)));
    }
    hands.sort_unstable();
    hands.dedup();
    Some(Ok(hands))
}

/// Reads the letters of an item one by one.
struct Reader<'a> {
    letters: &'a [(char, usize)],
    next: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.next).map(|&(letter, _)| letter)
    }

    /// Returns the position of the next letter, or the one after the last.
    fn position(&self) -> usize {
        match self.letters.get(self.next) {
            Some(&(_, position)) => position,
            None => self.letters.last().map_or(1, |&(_, position)| position + 1),
        }
    }

    fn take(&mut self) -> Result<(char, usize), RangeError> {
        let letter = self.letters.get(self.next).copied();
        let letter = letter.ok_or(RangeError::new(self.position(), RangeProblem::Incomplete))?;
        self.next += 1;
        Ok(letter)
    }

    fn rank(&mut self) -> Result<Rank, RangeError> {
        let (letter, position) = self.take()?;
        rank_from_letter(letter).ok_or(RangeError::new(position, RangeProblem::Rank(letter)))
    }

    fn card(&mut self) -> Result<Card, RangeError> {
        let rank = self.rank()?;
        let (letter, position) = self.take()?;
        let suit = suit_from_letter(letter);
        let suit = suit.ok_or(RangeError::new(position, RangeProblem::Suit(letter)))?;
        Ok(Card::new(suit, rank))
    }

    fn two_cards(&mut self) -> Result<CardSet, RangeError> {
        let first = self.card()?;
        let position = self.position();
        let second = self.card()?;
        if first == second {
            return Err(RangeError::new(position, RangeProblem::SameCard));
        }
        self.end()?;
        Ok(CardSet::of(first) | CardSet::of(second))
    }

    /// Reads two ranks and an optional `s` or `o`.
    fn kind(&mut self) -> Result<RankPair, RangeError> {
        let (first, second) = (self.rank()?.index(), self.rank()?.index());
        let position = self.position();
        let suits = match self.peek() {
            Some('s') => Suits::Suited,
            Some('o') => Suits::Offsuit,
            _ => Suits::Any,
        };
        if suits != Suits::Any {
            self.next += 1;
            if first == second {
                return Err(RangeError::new(position, RangeProblem::SuitedPair));
            }
        }
        Ok(RankPair {
            high: first.max(second),
            low: first.min(second),
            suits,
        })
    }

    fn end(&self) -> Result<(), RangeError> {
        if self.next == self.letters.len() {
            return Ok(());
        }
        let rest = self.letters[self.next..]
            .iter()
            .map(|&(letter, _)| letter)
            .collect();
        Err(RangeError::new(self.position(), RangeProblem::Suffix(rest)))
    }
}

impl RankPair {
    fn gap(self) -> usize {
        self.high - self.low
    }

    /// Returns the hands that `+` after these two ranks means: higher pairs, higher connectors or higher kickers, these included.
    fn and_higher(self) -> Vec<RankPair> {
        if self.gap() <= 1 {
            let rise = |by: usize| RankPair {
                high: self.high + by,
                low: self.low + by,
                ..self
            };
            (0..=12 - self.high).map(rise).collect()
        } else {
            (self.low..self.high)
                .map(|low| RankPair { low, ..self })
                .collect()
        }
    }

    /// Returns the hands that `-` after these two ranks means: lower pairs, lower connectors or lower kickers, these included.
    fn and_lower(self) -> Vec<RankPair> {
        if self.gap() <= 1 {
            let lows = (0..=self.low).rev();
            let falling = lows.map(|low| RankPair {
                high: low + self.gap(),
                low,
                ..self
            });
            falling.collect()
        } else {
            let lows = (0..=self.low).rev();
            lows.map(|low| RankPair { low, ..self }).collect()
        }
    }

    /// Returns the hands between these two ranks and others, both included; `None` if the two ends do not match.
    fn up_to(self, other: RankPair) -> Option<Vec<RankPair>> {
        if self.suits != other.suits {
            return None;
        }
        if self.gap() == other.gap() {
            let lows = self.low.min(other.low)..=self.low.max(other.low);
            return Some(
                lows.map(|low| RankPair {
                    high: low + self.gap(),
                    low,
                    ..self
                })
                .collect(),
            );
        }
        if self.high != other.high || self.gap() == 0 || other.gap() == 0 {
            return None;
        }
        let lows = self.low.min(other.low)..=self.low.max(other.low);
        Some(lows.map(|low| RankPair { low, ..self }).collect())
    }

    fn hands(self) -> Vec<CardSet> {
        let card = |suit: Suit, rank: usize| CardSet(1 << (13 * suit as usize + rank));
        let mut hands = Vec::new();
        for first in Suit::ALL {
            for second in Suit::ALL {
                let wanted = match self.suits {
                    _ if self.high == self.low => first > second,
                    Suits::Any => true,
                    Suits::Suited => first == second,
                    Suits::Offsuit => first != second,
                };
                if wanted {
                    hands.push(card(first, self.high) | card(second, self.low));
                }
            }
        }
        hands
    }
}
