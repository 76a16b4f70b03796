//! Patterns of auctions: the beginning of an auction, with wildcards.

use std::fmt;
use std::str::FromStr;

use cards::Seat;

use super::{Auction, AuctionError, AuctionFault};
use crate::record::Call;

/// The beginning of an auction, with wildcards.
///
/// | word | matches |
/// |---|---|
/// | `1N`, `P`, `X`, `XX` | this call |
/// | nothing between two hyphens: `1N--2C` | a pass, usually that of an opponent |
/// | `?` or `any` | any one call |
/// | `P*` | any number of passes, also none |
/// | `*` or `...` | any number of calls, also none |
///
/// ```
/// use croupier_formats::{Auction, AuctionPattern};
/// use cards::Seat;
///
/// let auction = Auction::parse("P-P-1N-P-2C-P-2H", Seat::North)?;
/// let stayman: AuctionPattern = "P*-1N--2C--?".parse()?;
/// assert!(stayman.matches(auction.calls()));
/// assert!(!"1N--2C".parse::<AuctionPattern>()?.matches(auction.calls()));
/// # Ok::<(), croupier_formats::AuctionError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AuctionPattern(Vec<Element>);

/// A word of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Element {
    Exactly(Call),
    AnyCall,
    Passes,
    AnyCalls,
}

impl AuctionPattern {
    /// Returns whether the auction begins with the pattern.
    #[must_use]
    pub fn matches(&self, calls: &[Call]) -> bool {
        self.0
            .iter()
            .fold(start(calls), |ends, &element| element.advance(calls, &ends))
            .contains(&true)
    }

    /// Returns whether the pattern is the whole auction.
    #[must_use]
    pub fn matches_whole(&self, calls: &[Call]) -> bool {
        let elements = self.0.iter();
        let ends = elements.fold(start(calls), |ends, &element| element.advance(calls, &ends));
        ends.last() == Some(&true)
    }

    /// Returns whether an auction that begins with `calls` can match the pattern as a whole.
    #[must_use]
    pub fn can_begin_with(&self, calls: &[Call]) -> bool {
        let mut ends = start(calls);
        for &element in &self.0 {
            if ends.last() == Some(&true) {
                return true;
            }
            ends = element.advance(calls, &ends);
        }
        ends.last() == Some(&true)
    }

    /// Checks that an auction can match: the calls up to the first wildcard for any calls must be legal, where `P*` at the
    /// beginning stands for no pass.
    ///
    /// # Errors
    /// The first call that is never legal there.
    pub fn check(&self) -> Result<(), AuctionError> {
        let mut auction = Auction::new(Seat::North);
        for (place, element) in self.0.iter().enumerate() {
            match *element {
                Element::Exactly(call) => auction.push(call).map_err(|error| AuctionError {
                    place: place + 1,
                    ..error
                })?,
                Element::Passes if place == 0 => {}
                Element::Passes | Element::AnyCall | Element::AnyCalls => break,
            }
        }
        Ok(())
    }
}

/// Returns the positions in an auction at which a pattern without elements ends: the beginning.
fn start(calls: &[Call]) -> Vec<bool> {
    (0..=calls.len()).map(|position| position == 0).collect()
}

impl Element {
    /// Returns the positions in the auction at which the element can end if the one before it ends at `ends`.
    fn advance(self, calls: &[Call], ends: &[bool]) -> Vec<bool> {
        let mut next = vec![false; ends.len()];
        for start in (0..ends.len()).filter(|&start| ends[start]) {
            self.ends(&calls[start..], |length| next[start + length] = true);
        }
        next
    }

    /// Calls `found` with every number of calls that the element can match at the beginning of `calls`.
    fn ends(self, calls: &[Call], mut found: impl FnMut(usize)) {
        let passes = || calls.iter().take_while(|&&call| call == Call::Pass).count();
        match self {
            Element::Exactly(call) if calls.first() == Some(&call) => found(1),
            Element::AnyCall if !calls.is_empty() => found(1),
            Element::Exactly(_) | Element::AnyCall => {}
            Element::Passes => (0..=passes()).for_each(found),
            Element::AnyCalls => (0..=calls.len()).for_each(found),
        }
    }
}

impl FromStr for AuctionPattern {
    type Err = AuctionError;

    fn from_str(text: &str) -> Result<AuctionPattern, AuctionError> {
        let element = |(place, word): (usize, &str)| match word.to_ascii_lowercase().as_str() {
            "" => Ok(Element::Exactly(Call::Pass)),
            "?" | "any" => Ok(Element::AnyCall),
            "p*" | "pass*" => Ok(Element::Passes),
            "*" | "..." | "…" => Ok(Element::AnyCalls),
            _ => super::read_call(word)
                .map(Element::Exactly)
                .ok_or_else(|| AuctionError {
                    place: place + 1,
                    word: word.to_owned(),
                    fault: AuctionFault::Unknown,
                }),
        };
        let words = super::words(text).into_iter().enumerate();
        Ok(AuctionPattern(
            words.map(element).collect::<Result<_, _>>()?,
        ))
    }
}

impl fmt::Display for AuctionPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |element: &Element| match element {
            Element::Exactly(call) => super::call_text(*call),
            Element::AnyCall => "?".to_owned(),
            Element::Passes => "P*".to_owned(),
            Element::AnyCalls => "*".to_owned(),
        };
        f.write_str(&self.0.iter().map(word).collect::<Vec<_>>().join("-"))
    }
}
