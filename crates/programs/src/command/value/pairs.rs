//! Parser for files of pairs of hands, the batch input of DealerV2's point count program DOP.
//!
//! ```text
//! # a comment
//! d=6 W=AJ62,KT,AK963,A5 E=74/QJ984/Q/QJ632 O=W R=DD T=Challenge problem 4
//! EOF
//! ```
//! Each line is a pair. Suits are separated by commas, slashes or dots, spades first; `x` is any small card and `-` a
//! void.

use croupier::cards::{Card, CardSet, Rank, Seat, Suit};

/// A parsed line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ParsedPair {
    /// Number given in the line.
    pub number: Option<u64>,
    pub east: CardSet,
    pub west: CardSet,
    /// Seat that opened, if given in the line.
    pub opener: Option<Seat>,
    /// Free text of the line.
    pub text: String,
}

/// Returns whether the text is such a file: its first line that is not a comment names a hand.
pub(super) fn is_pairs(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| {
        let fields = fields(line);
        fields.iter().any(|(key, _)| matches!(key, 'W' | 'S'))
            && fields
                .iter()
                .all(|(key, _)| KEYS.contains(*key) || matches!(key, '#'))
            && line.find('=') == Some(1)
    })
}

/// Keys before an equal sign: number, hands, opener, strains to show, report, competition, text.
const KEYS: &str = "dWESNOwesnRAlrT";

/// Returns the fields `key=value` of a line. A value ends at the next key, a free text at the end of the line.
fn fields(line: &str) -> Vec<(char, &str)> {
    let bytes = line.as_bytes();
    let mut starts = Vec::new();
    for at in 1..bytes.len() {
        let begins = at == 1 || bytes[at - 2].is_ascii_whitespace();
        if bytes[at] == b'=' && begins && bytes[at - 1].is_ascii_graphic() {
            starts.push(at - 1);
            if matches!(bytes[at - 1], b'T' | b'#') {
                break;
            }
        }
    }
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| (bytes[start] as char, line[start + 2..end].trim()))
        .collect()
}

/// Returns the pairs up to `EOF`, or the faults of the other lines, with line numbers.
pub(super) fn read(text: &str) -> Vec<(usize, Result<ParsedPair, String>)> {
    (1..)
        .zip(text.lines().map(str::trim))
        .take_while(|(_, line)| !line.starts_with("EOF"))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| (number, pair(line)))
        .collect()
}

fn pair(line: &str) -> Result<ParsedPair, String> {
    let fields = fields(line);
    let field = |keys: &str| fields.iter().find(|(key, _)| keys.contains(*key));
    let (Some((_, west)), Some((_, east))) = (field("WS"), field("EN")) else {
        return Err("two hands are needed: W=... and E=...".to_owned());
    };
    let (west, east) = both(west, east)?;
    let opener = match field("O") {
        Some((_, text)) => Some(
            text.parse()
                .map_err(|_| format!("O={text}: expected a seat"))?,
        ),
        None => None,
    };
    Ok(ParsedPair {
        number: field("d").and_then(|(_, text)| text.parse().ok()),
        east,
        west,
        opener,
        text: field("T").map_or(String::new(), |(_, text)| (*text).to_owned()),
    })
}

/// Parses two hands. Small cards written as `x` become the lowest cards that neither hand names.
fn both(west: &str, east: &str) -> Result<(CardSet, CardSet), String> {
    let hands = [named(west)?, named(east)?];
    let mut cards = hands.map(|(cards, _)| cards);
    if let Some(card) = (cards[0] & cards[1]).iter().next() {
        return Err(format!("both hands hold the card {card}"));
    }
    for (hand, (_, small)) in hands.iter().enumerate() {
        for (suit, &count) in Suit::DESCENDING.into_iter().zip(small) {
            for _ in 0..count {
                let taken = cards[0] | cards[1];
                let free = Rank::ALL
                    .into_iter()
                    .map(|rank| Card::new(suit, rank))
                    .find(|card| card.rank() < Rank::TEN && !taken.contains(*card));
                let card = free.ok_or_else(|| format!("too many small {}", suit.name()))?;
                cards[hand].insert(card);
            }
        }
    }
    for (cards, text) in cards.iter().zip([west, east]) {
        if cards.len() != 13 {
            return Err(format!("{text}: a hand has 13 cards, not {}", cards.len()));
        }
    }
    Ok((cards[0], cards[1]))
}

/// Returns the named cards, and the number of small cards in each suit, spades first.
fn named(text: &str) -> Result<(CardSet, [u8; 4]), String> {
    let suits: Vec<&str> = text.split([',', '/', '.']).map(str::trim).collect();
    if suits.len() != 4 {
        return Err(format!(
            "{text}: a hand has four suits, not {}",
            suits.len()
        ));
    }
    let (mut cards, mut small) = (CardSet::EMPTY, [0; 4]);
    for (place, (holding, suit)) in suits.iter().zip(Suit::DESCENDING).enumerate() {
        for letter in holding.replace("10", "T").chars() {
            if letter == 'x' || letter == 'X' {
                small[place] += 1;
            } else if let Some(rank) = Rank::from_letter(letter.to_ascii_uppercase()) {
                let card = Card::new(suit, rank);
                if cards.contains(card) {
                    return Err(format!("{text}: the card {card} comes twice"));
                }
                cards.insert(card);
            } else if letter != '-' && !letter.is_whitespace() {
                return Err(format!("{text}: {letter:?} is no card"));
            }
        }
    }
    Ok((cards, small))
}

#[cfg(test)]
mod tests {
    use super::*;
    use croupier::cards::notation::hand;

    #[test]
    fn a_line_has_two_hands_in_any_spelling() {
        let text = "# first\n\nd=6 W=AJ62,KT,AK963,A5 E=74/QJ984/Q/QJ632 O=E w=C,N R=DD T=a W=b = c\nEOF\nrubbish";
        assert!(is_pairs(text));
        let pairs = read(text);
        assert_eq!(pairs.len(), 1);
        let pair = pairs[0].1.as_ref().unwrap();
        assert_eq!((pairs[0].0, pair.number), (3, Some(6)));
        assert_eq!(pair.west, hand("AJ62.KT.AK963.A5").unwrap());
        assert_eq!(pair.east, hand("74.QJ984.Q.QJ632").unwrap());
        assert_eq!(
            (pair.opener, pair.text.as_str()),
            (Some(Seat::East), "a W=b = c")
        );
    }

    #[test]
    fn small_cards_are_the_lowest_free_ones() {
        let (west, east) = both("AKQJT9, QJT6, QJ, x", "x,x3,KT65, AKQJ109").unwrap();
        assert_eq!(west, hand("AKQJT9.QJT6.QJ.2").unwrap());
        assert_eq!(east, hand("2.32.KT65.AKQJT9").unwrap());
        let (west, east) = both("-,AKJT9,87654,Qxx", "QTxx/x3/AKQJT9/J").unwrap();
        assert_eq!(west, hand(".AKJT9.87654.Q32").unwrap());
        assert_eq!(east, hand("QT32.32.AKQJT9.J").unwrap());
    }

    #[test]
    fn mistakes_are_named() {
        let wrong = |west: &str, east: &str| both(west, east).unwrap_err();
        assert!(wrong("A,K,Q", "-,-,-,-").contains("four suits"));
        assert!(wrong("AKQ,AKQ,AKQ,AKQx", "A,-,-,-").contains("both hands"));
        assert!(wrong("AKQ,AKQ,AKQ,AKQ", "-,-,-,-").contains("13 cards, not 12"));
        assert!(wrong("xxxxxxxxx,x,x,xx", "-,-,-,-").contains("too many small spades"));
        assert!(
            !is_pairs("[Board \"1\"]\n") && !is_pairs("n AK.. e") && !is_pairs("condition x = 3")
        );
    }
}
