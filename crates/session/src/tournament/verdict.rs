//! Results of a verification: a summary, the first fault, or an error that prevents a verdict.

use std::fmt;
use std::io;

use cards::{Seat, Vulnerability};
use shuffle::KeyError;

use crate::Error;

/// A verification without a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// Number of boards.
    pub boards: usize,
    /// Commitment of the key.
    pub commitment: String,
    /// How completely the selection of the deals was checked.
    pub selection: SelectionCheck,
    /// Whether the commitment covers the number of boards, so that none is missing at the end.
    pub covers_number: bool,
    /// The public value on which the deals depend: in words, and the value.
    pub beacon: Option<(String, String)>,
}

/// How completely the selection of the deals was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionCheck {
    /// Each deal of the key that satisfies the script is on a board.
    Script,
    /// The boards have the classes in the order of the key, and no deal of a class was left out.
    Levelled,
    /// The boards are the first deals of the key.
    AllDeals,
    /// Deals of the key were left out, and no script shows which.
    Unknown,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.boards {
            1 => f.write_str("the board follows")?,
            boards => write!(f, "all {boards} boards follow")?,
        }
        let selection = match self.selection {
            SelectionCheck::Script => "no deal that satisfies the script was left out",
            SelectionCheck::Levelled => {
                "the classes come in the order of the key, and no deal of a class was left out"
            }
            SelectionCheck::AllDeals => "no deal was left out",
            SelectionCheck::Unknown => "which deals were left out is not known without the script",
        };
        write!(f, " from the key with commitment {}", self.commitment)?;
        if let Some((what, value)) = &self.beacon {
            write!(f, " and the public value {value:?}")?;
            if !what.is_empty() {
                write!(f, " ({what})")?;
            }
        }
        write!(f, "; {selection}")?;
        match self.covers_number {
            true => Ok(()),
            false => f.write_str(
                "; whether boards are missing at the end is not known without the key file",
            ),
        }
    }
}

/// A fault of the boards.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The key has another commitment than the published one.
    OtherKey {
        /// Commitment of the key.
        commitment: String,
        /// Published commitment.
        promised: String,
        /// Whether the terms that the commitment covers are known.
        has_terms: bool,
    },
    /// The script, its parameters or its classes are not those that the commitment covers.
    OtherScript {
        /// The line of the terms.
        promised: String,
        /// The line that the file of boards leads to.
        found: String,
    },
    /// A board was turned by another number of seats.
    OtherTurn {
        /// Number of the board.
        number: u64,
        /// Number of seats in the file.
        given: usize,
        /// Number of seats of this board.
        expected: usize,
    },
    /// The cards of a board are not those of the key.
    OtherCards {
        /// Number of the board.
        number: u64,
        /// Number of the deal that the board claims.
        index: u64,
    },
    /// Two boards have one deal.
    SameDeal {
        /// Number of the first board.
        earlier: u64,
        /// Number of the second board.
        number: u64,
        /// Number of their deal.
        index: u64,
    },
    /// The deals do not come in the order of the key.
    OutOfOrder {
        /// Number of the board.
        number: u64,
        /// Number of its deal.
        index: u64,
        /// Number of the deal on the previous board.
        before: u64,
    },
    /// There are more or fewer boards than were dealt.
    BoardCount {
        /// Number of boards.
        boards: u64,
        /// Number of boards that were dealt.
        expected: u64,
    },
    /// A deal that satisfies the script is not on a board.
    LeftOut {
        /// Number of the board that should have the deal.
        number: u64,
        /// Number of the deal.
        deal: u64,
    },
    /// A board does not satisfy the script.
    NotSelected {
        /// Number of the board.
        number: u64,
        /// Number of its deal.
        index: u64,
    },
    /// A board is not the next deal of the class whose turn it is.
    OtherClass {
        /// Number of the board.
        number: u64,
        /// Number of its deal.
        index: u64,
        /// Number of the deal that belongs on the board.
        expected: u64,
    },
    /// The number of a board does not follow the number of the previous board.
    OtherNumber {
        /// Number of the board.
        number: u64,
        /// Number that follows the previous board.
        expected: u64,
    },
    /// The dealer of a board was changed.
    OtherDealer {
        /// Number of the board.
        number: u64,
        /// Dealer in the file.
        given: Seat,
        /// Dealer of this board.
        expected: Seat,
    },
    /// The vulnerability of a board was changed.
    OtherVulnerability {
        /// Number of the board.
        number: u64,
        /// Vulnerability in the file.
        given: Vulnerability,
        /// Vulnerability of this board.
        expected: Vulnerability,
    },
    /// The deals of the key up to the last board do not have enough boards of a class.
    OtherClasses(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::OtherKey {
                commitment,
                promised,
                has_terms,
            } => {
                write!(
                    f,
                    "the key is not the one that was promised: its commitment is {commitment}, not {promised}"
                )?;
                match has_terms {
                    true => Ok(()),
                    false => f.write_str(
                        " (the commitment covers the number of boards and the script too: give the key file, not the digits of the key)",
                    ),
                }
            }
            Fault::OtherScript { promised, found } => write!(
                f,
                "the deals were not chosen as promised: the commitment covers {promised}, the file of boards has {found}"
            ),
            Fault::OtherTurn {
                number,
                given,
                expected,
            } => write!(
                f,
                "board {number} was turned by {given} seats, but it was promised with {expected}"
            ),
            Fault::OtherCards { number, index } => {
                write!(f, "board {number} is not deal {index} of the key")
            }
            Fault::SameDeal {
                earlier,
                number,
                index,
            } => write!(
                f,
                "boards {earlier} and {number} are the same deal {index} of the key"
            ),
            Fault::OutOfOrder {
                number,
                index,
                before,
            } => write!(
                f,
                "board {number} is deal {index} of the key, but the board before it is deal {before}: they must come in order"
            ),
            Fault::BoardCount { boards, expected } => write!(
                f,
                "there are {boards} boards, but {expected} were promised: {}",
                if boards < expected {
                    "boards are missing at the end"
                } else {
                    "boards were added"
                }
            ),
            Fault::OtherNumber { number, expected } => write!(
                f,
                "board {number} stands where board {expected} belongs: a board is missing, or numbers were exchanged"
            ),
            Fault::OtherDealer {
                number,
                given,
                expected,
            } => write!(
                f,
                "board {number}: the dealer is {}, but it was dealt with {} as dealer",
                given.name(),
                expected.name()
            ),
            Fault::OtherVulnerability {
                number,
                given,
                expected,
            } => write!(
                f,
                "board {number}: vulnerable is {}, but it was dealt with {}",
                given.pbn(),
                expected.pbn()
            ),
            Fault::LeftOut { number, deal } => write!(
                f,
                "before board {number}, deal {deal} of the key satisfies the script and was left out"
            ),
            Fault::NotSelected { number, index } => write!(
                f,
                "board {number} is deal {index} of the key, which does not satisfy the script"
            ),
            Fault::OtherClass {
                number,
                index,
                expected,
            } => write!(
                f,
                "board {number} is deal {index} of the key, but the next deal of the class whose turn it is is deal {expected}"
            ),
            Fault::OtherClasses(reason) => {
                write!(f, "not all boards are of their classes: {reason}")
            }
        }
    }
}

impl std::error::Error for Fault {}

/// A text that is not the content of a key file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyFileError {
    /// No line has the key.
    NoKey,
    /// The digits are not a key.
    Key(KeyError),
    /// A line has a wrong value.
    Terms(String),
}

impl fmt::Display for KeyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyFileError::NoKey => f.write_str("no line begins with key:"),
            KeyFileError::Key(error) => error.fmt(f),
            KeyFileError::Terms(line) => write!(f, "the line {line:?} has a wrong value"),
        }
    }
}

impl std::error::Error for KeyFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            KeyFileError::NoKey | KeyFileError::Terms(_) => None,
            KeyFileError::Key(error) => Some(error),
        }
    }
}

/// An error that prevents a verdict.
#[derive(Debug)]
#[non_exhaustive]
pub enum VerifyError {
    /// The file of boards cannot be read.
    Unreadable(io::Error),
    /// A board cannot be read.
    Board(formats::BoardReadError),
    /// The file has no boards.
    NoBoards,
    /// A board does not have all its cards.
    NotWhole {
        /// Number of the board.
        number: u64,
    },
    /// A tag of a board has a wrong value.
    Tag {
        /// Number of the board.
        number: u64,
        /// Name of the tag.
        name: &'static str,
        /// Value of the tag.
        text: String,
    },
    /// The line about levelled classes has a wrong value.
    Level {
        /// The value.
        text: String,
    },
    /// A line `%tournament` has a wrong value.
    Terms {
        /// The line.
        text: String,
    },
    /// The deals depend on a public value that was not given.
    NoBeaconValue {
        /// The value in words.
        what: String,
    },
    /// A public value was given, but the deals depend on none.
    UnexpectedBeacon {
        /// The value.
        value: String,
    },
    /// The script has errors, or the deals could not be dealt again.
    Script {
        /// Name of the script.
        name: String,
        /// The error.
        error: Error,
    },
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Unreadable(error) => error.fmt(f),
            VerifyError::Board(problem) => problem.fmt(f),
            VerifyError::NoBoards => f.write_str("there are no boards"),
            VerifyError::NotWhole { number } => write!(f, "board {number} is not a whole deal"),
            VerifyError::Tag { number, name, text } => {
                write!(f, "board {number}: {name} {text:?} is no number")
            }
            VerifyError::Level { text } => {
                write!(f, "{text:?} does not say how classes were levelled")
            }
            VerifyError::Terms { text } => {
                write!(f, "the line {text:?} of the tournament has a wrong value")
            }
            VerifyError::NoBeaconValue { what } => write!(
                f,
                "the deals depend on a public value, which is not given: {what}"
            ),
            VerifyError::UnexpectedBeacon { value } => write!(
                f,
                "the public value {value:?} was given, but the commitment names none"
            ),
            VerifyError::Script { name, error } => write!(f, "{name}: {error}"),
        }
    }
}

impl std::error::Error for VerifyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            VerifyError::Unreadable(error) => Some(error),
            VerifyError::Script { error, .. } => Some(error),
            _ => None,
        }
    }
}
