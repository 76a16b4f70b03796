//! Auctions: legal calls, reading, contract and declarer.

mod pattern;

use std::fmt;

use cards::{Contract, Doubling, Seat, Strain};

use crate::declared::DeclaredContract;
use crate::record::Call;

pub use pattern::AuctionPattern;

/// A legal auction, complete or not.
///
/// ```
/// use croupier_formats::Auction;
/// use cards::Seat;
///
/// let auction = Auction::parse("1N-P-2C-P-2H-P-3N-P-P-P", Seat::North)?;
/// assert!(auction.is_over());
/// assert_eq!(auction.declared().unwrap().to_string(), "3N by N");
/// assert!(Auction::parse("2C-2C", Seat::North).is_err());
/// # Ok::<(), croupier_formats::AuctionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Auction {
    dealer: Seat,
    calls: Vec<Call>,
}

/// A word of an auction that is not a legal call in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuctionError {
    /// The place of the call, from 1.
    pub place: usize,
    /// The word as given.
    pub word: String,
    /// Reason why the call is rejected.
    pub fault: AuctionFault,
}

/// Reasons why a call is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuctionFault {
    /// The word is not a call.
    Unknown,
    /// The auction has ended before.
    AfterTheEnd,
    /// The bid is not higher than the last one.
    NotHigher(Contract),
    /// There is no bid of the opponents to double.
    NothingToDouble,
    /// There is no double of the opponents to redouble.
    NothingToRedouble,
}

impl fmt::Display for AuctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call {}, {:?}: ", self.place, self.word)?;
        match self.fault {
            AuctionFault::Unknown => {
                f.write_str("not a call; write for example P, X, XX, 1C or 3N")
            }
            AuctionFault::AfterTheEnd => f.write_str("the auction has ended before it"),
            AuctionFault::NotHigher(last) => write!(f, "a bid must be higher than {last}"),
            AuctionFault::NothingToDouble => {
                f.write_str("only the opponents' last bid can be doubled")
            }
            AuctionFault::NothingToRedouble => {
                f.write_str("only the opponents' double can be redoubled")
            }
        }
    }
}

impl std::error::Error for AuctionError {}

/// Returns the place of a bid in the order of the 35 bids: 0 for 1C, 34 for 7N.
pub(crate) fn rank(bid: Contract) -> usize {
    5 * (usize::from(bid.level()) - 1) + bid.strain.index()
}

/// Returns the bid with this [`rank`].
fn bid(rank: usize) -> Option<Call> {
    let level = u8::try_from(rank / 5 + 1).ok()?;
    Contract::new(level, Strain::from_index(rank % 5), Doubling::Undoubled).map(Call::Bid)
}

/// Returns the short form of a call: `P`, `X`, `XX`, `1C`, `3N`.
#[must_use]
pub fn call_text(call: Call) -> String {
    match call {
        Call::Pass => "P".to_owned(),
        Call::Double => "X".to_owned(),
        Call::Redouble => "XX".to_owned(),
        Call::Bid(bid) => format!("{}{}", bid.level(), bid.strain.letter()),
    }
}

/// Reads a call in the words of [`Call::read`], also with a suit symbol, in parentheses or with an alert: `(2♣!)`.
#[must_use]
pub fn read_call(word: &str) -> Option<Call> {
    let word = word.trim_start_matches('(').trim_end_matches(')');
    let word = word.trim_end_matches(['!', '?', '*', ')']);
    if word.is_ascii() {
        return Call::read(word);
    }
    let plain = word.chars().filter(|&c| c != '\u{fe0f}').map(|c| match c {
        '♣' => 'C',
        '♦' => 'D',
        '♥' => 'H',
        '♠' => 'S',
        other => other,
    });
    Call::read(&plain.collect::<String>())
}

/// Splits an auction into words: at blanks, commas and hyphens. Two hyphens in a row leave an empty word, which is a pass.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let chunks = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|'));
    for chunk in chunks.filter(|chunk| !chunk.trim_matches('-').is_empty()) {
        let chunk = chunk.strip_prefix('-').unwrap_or(chunk);
        let chunk = chunk.strip_suffix('-').unwrap_or(chunk);
        words.extend(chunk.split('-'));
    }
    words
}

impl Auction {
    /// Creates an auction without calls.
    #[must_use]
    pub const fn new(dealer: Seat) -> Auction {
        Auction {
            dealer,
            calls: Vec::new(),
        }
    }

    /// Reads the calls of an auction that `dealer` began: `1N-P-2C`, `1NT pass 2C`, `1N (P) 2C`, `1N--2C`.
    ///
    /// # Errors
    /// If a word is not a call, or a call is not legal in its place.
    pub fn parse(text: &str, dealer: Seat) -> Result<Auction, AuctionError> {
        let mut auction = Auction::new(dealer);
        for word in words(text) {
            let call = match word {
                "" => Some(Call::Pass),
                word => read_call(word),
            };
            let wrong = |fault| AuctionError {
                place: auction.calls.len() + 1,
                word: word.to_owned(),
                fault,
            };
            let call = call.ok_or_else(|| wrong(AuctionFault::Unknown))?;
            auction.check(call).map_err(wrong)?;
            auction.calls.push(call);
        }
        Ok(auction)
    }

    /// Returns the seat that calls first.
    #[must_use]
    pub const fn dealer(&self) -> Seat {
        self.dealer
    }

    /// Returns the calls, the dealer's first.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Returns the seat that makes call number `place`, counted from 0.
    #[must_use]
    pub fn seat(&self, place: usize) -> Seat {
        self.dealer.clockwise(place)
    }

    /// Returns the seat whose turn it is; `None` if the auction is over.
    #[must_use]
    pub fn turn(&self) -> Option<Seat> {
        (!self.is_over()).then(|| self.seat(self.calls.len()))
    }

    /// Returns whether three passes have ended the auction (four, if there is no bid).
    #[must_use]
    pub fn is_over(&self) -> bool {
        let passes = self.calls.iter().rev();
        let passes = passes.take_while(|&&call| call == Call::Pass).count();
        self.calls.len() >= 4 && passes >= 3
    }

    /// Returns the auction of the first `length` calls.
    #[must_use]
    pub fn prefix(&self, length: usize) -> Auction {
        Auction {
            dealer: self.dealer,
            calls: self.calls[..length.min(self.calls.len())].to_vec(),
        }
    }

    /// Checks whether `call` is legal now.
    ///
    /// # Errors
    /// The reason if it is not.
    pub fn check(&self, call: Call) -> Result<(), AuctionFault> {
        if self.is_over() {
            return Err(AuctionFault::AfterTheEnd);
        }
        let last = self.calls.iter().rposition(|&call| call != Call::Pass);
        // The caller's opponents made the calls an odd number of places back.
        let by_opponents = last.is_some_and(|place| (self.calls.len() - place) % 2 == 1);
        let last = last.map(|place| self.calls[place]);
        match call {
            Call::Pass => Ok(()),
            Call::Double if by_opponents && matches!(last, Some(Call::Bid(_))) => Ok(()),
            Call::Double => Err(AuctionFault::NothingToDouble),
            Call::Redouble if by_opponents && last == Some(Call::Double) => Ok(()),
            Call::Redouble => Err(AuctionFault::NothingToRedouble),
            Call::Bid(bid) => match self.last_bid() {
                Some((_, last)) if rank(bid) <= rank(last) => Err(AuctionFault::NotHigher(last)),
                _ => Ok(()),
            },
        }
    }

    /// Adds a call.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn push(&mut self, call: Call) -> Result<(), AuctionError> {
        self.check(call).map_err(|fault| AuctionError {
            place: self.calls.len() + 1,
            word: call_text(call),
            fault,
        })?;
        self.calls.push(call);
        Ok(())
    }

    /// Returns all legal calls: pass, double, redouble, then the bids from the lowest.
    #[must_use]
    pub fn legal_calls(&self) -> Vec<Call> {
        let others = [Call::Pass, Call::Double, Call::Redouble].into_iter();
        let all = others.chain((0..35).filter_map(bid));
        all.filter(|&call| self.check(call).is_ok()).collect()
    }

    fn last_bid(&self) -> Option<(usize, Contract)> {
        let calls = self.calls.iter().enumerate().rev();
        calls
            .filter_map(|(place, call)| match call {
                Call::Bid(bid) => Some((place, *bid)),
                _ => None,
            })
            .next()
    }

    /// Returns the last bid with its doubling and declarer: the contract, if the auction ends here. `None` if there is
    /// no bid.
    #[must_use]
    pub fn declared(&self) -> Option<DeclaredContract> {
        let (place, last) = self.last_bid()?;
        let after = &self.calls[place..];
        let doubling = match (
            after.contains(&Call::Redouble),
            after.contains(&Call::Double),
        ) {
            (true, _) => Doubling::Redoubled,
            (false, true) => Doubling::Doubled,
            (false, false) => Doubling::Undoubled,
        };
        // The player of the side who first bid the strain.
        let named = |&at: &usize| {
            at % 2 == place % 2
                && matches!(self.calls[at], Call::Bid(bid) if bid.strain == last.strain)
        };
        let first = (0..=place).find(named)?;
        Some(DeclaredContract {
            contract: Contract::new(last.level(), last.strain, doubling)?,
            declarer: self.seat(first),
        })
    }
}

impl fmt::Display for Auction {
    /// Writes the calls joined by hyphens: `1N-P-2C`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls: Vec<String> = self.calls.iter().map(|&call| call_text(call)).collect();
        f.write_str(&calls.join("-"))
    }
}
