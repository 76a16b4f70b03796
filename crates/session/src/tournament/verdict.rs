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
        write!(
            f,
            " from the key with commitment {}; {selection}",
            self.commitment
        )
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
            } => write!(
                f,
                "the key is not the one that was promised: its commitment is {commitment}, not {promised}"
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
                "there are {boards} of the {expected} boards whose classes were levelled"
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
}

impl fmt::Display for KeyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyFileError::NoKey => f.write_str("no line begins with key:"),
            KeyFileError::Key(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for KeyFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            KeyFileError::NoKey => None,
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
