//! Verification of the boards of a tournament: do they follow from the key whose commitment was published before play?
//!
//! The deals of a tournament come from [`Supply::Tournament`]. After the event the organiser publishes the key, and
//! anybody can check the boards with a [`Verification`].
//!
//! ```
//! use croupier_session::tournament::{KeyFile, Verification};
//! use croupier_session::Key;
//!
//! let key = Key::from_seed(1);
//! let board = shuffle::tournament::deal(&key, 0).to_string();
//! let verdict = Verification::new(board.as_bytes(), &KeyFile::from(key)).run()?;
//! assert!(verdict.unwrap().to_string().starts_with("the board follows from the key"));
//!
//! let other = KeyFile::from(Key::from_seed(2));
//! let fault = Verification::new(board.as_bytes(), &other).run()?.unwrap_err();
//! assert_eq!(fault.to_string(), "board 1 is not deal 0 of the key");
//! # Ok::<(), croupier_session::tournament::VerifyError>(())
//! ```

mod script;
mod verdict;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use cards::{Deal, Seat, Vulnerability};
use engine::mixture::MixtureError;
use formats::{Board, Reader};
use shuffle::tournament;

use crate::{Error, Job, Key, ProducedDeal, Supply};
use script::SelectingScript;
pub use verdict::{Fault, KeyFileError, SelectionCheck, Verified, VerifyError};

/// The key of a tournament, and the commitment that was published with it.
#[derive(Clone, Debug)]
pub struct KeyFile {
    /// The key.
    pub key: Key,
    /// The commitment in the file.
    pub commitment: Option<String>,
}

impl From<Key> for KeyFile {
    fn from(key: Key) -> KeyFile {
        KeyFile {
            key,
            commitment: None,
        }
    }
}

/// Reads the text of a key file: a line with `key:` and, optionally, one with `commitment:`. The digits of a key alone
/// are accepted too.
impl FromStr for KeyFile {
    type Err = KeyFileError;

    fn from_str(text: &str) -> Result<KeyFile, KeyFileError> {
        let line = |word: &str| {
            let lines = text.lines().map(str::trim);
            lines
                .into_iter()
                .find_map(|line| line.strip_prefix(word))
                .map(str::trim)
        };
        let alone = text.trim();
        let is_key = !alone.is_empty() && alone.chars().all(|c| c.is_ascii_hexdigit());
        let digits = match line("key:") {
            Some(digits) => digits,
            None if is_key => alone,
            None => return Err(KeyFileError::NoKey),
        };
        Ok(KeyFile {
            key: format!("key:{digits}").parse().map_err(KeyFileError::Key)?,
            commitment: line("commitment:").map(str::to_owned),
        })
    }
}

/// Writes the text of a key file, which [`KeyFile::from_str`] reads.
impl fmt::Display for KeyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "key:{}", self.key.to_hex())?;
        writeln!(f, "commitment:{}", self.key.commitment())
    }
}

/// The boards of a tournament, to be checked with their key.
pub struct Verification<'a> {
    boards: &'a [u8],
    key: &'a KeyFile,
    name: String,
    script: Option<(String, Vec<u8>)>,
    commitment: Option<String>,
}

impl<'a> Verification<'a> {
    /// Creates the check of a file of boards in any format.
    #[must_use]
    pub fn new(boards: &'a [u8], key: &'a KeyFile) -> Verification<'a> {
        Verification {
            boards,
            key,
            name: "the boards".to_owned(),
            script: None,
            commitment: None,
        }
    }

    /// Sets the name of the file of boards in messages about the script in it.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the script that selected the deals. Default: the one in the file of boards.
    #[must_use]
    pub fn script(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        self.script = Some((name.into(), text.into()));
        self
    }

    /// Sets the commitment that was published before play. The ones in the boards and in the key file are checked too.
    #[must_use]
    pub fn commitment(mut self, commitment: impl Into<String>) -> Self {
        self.commitment = Some(commitment.into());
        self
    }

    /// Checks the boards. Returns a summary, or the first fault.
    ///
    /// # Errors
    /// If the boards or their script cannot be read, so that no verdict is possible.
    pub fn run(self) -> Result<Result<Verified, Fault>, VerifyError> {
        self.run_with(|job| job)
    }

    /// Checks the boards as [`Verification::run`] does. `configure` changes the job that deals them again: its imports,
    /// threads, time limit and cancellation.
    ///
    /// # Errors
    /// If the boards or their script cannot be read, or the job fails or is cancelled.
    pub fn run_with(
        self,
        configure: impl FnOnce(Job) -> Job,
    ) -> Result<Result<Verified, Fault>, VerifyError> {
        let claims = read_boards(self.boards)?;
        if claims.is_empty() {
            return Err(VerifyError::NoBoards);
        }
        let key = &self.key.key;
        let commitment = key.commitment();
        let said = claims
            .iter()
            .filter_map(|claim| claim.commitment.as_deref());
        let promises = self
            .commitment
            .as_deref()
            .into_iter()
            .chain(self.key.commitment.as_deref())
            .chain(said);
        for promise in promises {
            if !promise.trim().eq_ignore_ascii_case(&commitment) {
                return Ok(Err(Fault::OtherKey {
                    commitment,
                    promised: promise.to_owned(),
                }));
            }
        }
        let script = SelectingScript::read(self.boards, &self.name, self.script)?;
        let is_levelled = script.as_ref().is_some_and(|script| script.level.is_some());
        if let Err(fault) = check_cards(key, &claims, is_levelled) {
            return Ok(Err(fault));
        }
        let has_script = script.is_some();
        let selection = match script {
            Some(script) => match check_selection(key, &claims, script, configure)? {
                Err(fault) => return Ok(Err(fault)),
                Ok(()) if is_levelled => SelectionCheck::Levelled,
                Ok(()) => SelectionCheck::Script,
            },
            None if (0..)
                .zip(&claims)
                .all(|(place, claim)| claim.index == place) =>
            {
                SelectionCheck::AllDeals
            }
            None => SelectionCheck::Unknown,
        };
        // The script may set dealer and vulnerability; then they have been checked with it.
        let marks = match has_script {
            true => Ok(()),
            false => check_marks(&claims, None, None),
        };
        if let Err(fault) = check_numbers(&claims).and(marks) {
            return Ok(Err(fault));
        }
        Ok(Ok(Verified {
            boards: claims.len(),
            commitment,
            selection,
        }))
    }
}

/// A board with the number and key data that it claims.
struct ClaimedBoard {
    number: u64,
    deal: Deal,
    index: u64,
    turns: usize,
    commitment: Option<String>,
    dealer: Option<Seat>,
    vulnerable: Option<Vulnerability>,
}

fn read_boards(bytes: &[u8]) -> Result<Vec<ClaimedBoard>, VerifyError> {
    let reader = Reader::new(bytes).map_err(VerifyError::Unreadable)?;
    let mut claims: Vec<ClaimedBoard> = Vec::new();
    for board in reader {
        let board = board.map_err(VerifyError::Board)?;
        let place = claims.len() as u64;
        claims.push(claim(&board, place)?);
    }
    Ok(claims)
}

fn claim(board: &Board, place: u64) -> Result<ClaimedBoard, VerifyError> {
    let number = board.number.unwrap_or(place + 1);
    let tag = |name: &str| board.extras.as_deref().and_then(|extras| extras.tag(name));
    let figure = |name: &'static str, default: u64| match tag(name) {
        None => Ok(default),
        Some(text) => text.trim().parse().map_err(|_| VerifyError::Tag {
            number,
            name,
            text: text.to_owned(),
        }),
    };
    Ok(ClaimedBoard {
        number,
        deal: board.deal().ok_or(VerifyError::NotWhole { number })?,
        index: figure("DealNumber", place)?,
        turns: (figure("DealTurned", 0)? % 4) as usize,
        commitment: tag("Commitment").map(str::to_owned),
        dealer: board.dealer,
        vulnerable: board.vulnerable,
    })
}

/// Checks that each board is the deal of its number, and that the numbers grow. With levelled classes each class has
/// its own order; then it only checks that no deal occurs twice.
fn check_cards(key: &Key, claims: &[ClaimedBoard], is_levelled: bool) -> Result<(), Fault> {
    let mut before: Option<&ClaimedBoard> = None;
    let mut seen = BTreeMap::new();
    for claim in claims {
        let &ClaimedBoard { number, index, .. } = claim;
        if tournament::deal(key, index).rotated(claim.turns) != claim.deal {
            return Err(Fault::OtherCards { number, index });
        }
        if let Some(earlier) = seen.insert(index, number) {
            return Err(Fault::SameDeal {
                earlier,
                number,
                index,
            });
        }
        let before = before.replace(claim).filter(|_| !is_levelled);
        if let Some(earlier) = before.filter(|earlier| earlier.index >= index) {
            return Err(Fault::OutOfOrder {
                number,
                index,
                before: earlier.index,
            });
        }
    }
    Ok(())
}

/// Checks that the boards have consecutive numbers.
fn check_numbers(claims: &[ClaimedBoard]) -> Result<(), Fault> {
    let first = claims.first().map_or(1, |claim| claim.number);
    for (expected, claim) in (first..).zip(claims) {
        if claim.number != expected {
            return Err(Fault::OtherNumber {
                number: claim.number,
                expected,
            });
        }
    }
    Ok(())
}

/// Checks that each board has the dealer and the vulnerability of the script, else those that belong to its number.
fn check_marks(
    claims: &[ClaimedBoard],
    dealer: Option<Seat>,
    vulnerable: Option<Vulnerability>,
) -> Result<(), Fault> {
    for claim in claims {
        let number = claim.number;
        let expected = dealer.unwrap_or(Seat::dealer_of_board(number));
        if let Some(given) = claim.dealer.filter(|&given| given != expected) {
            return Err(Fault::OtherDealer {
                number,
                given,
                expected,
            });
        }
        let expected = vulnerable.unwrap_or(Vulnerability::of_board(number));
        if let Some(given) = claim.vulnerable.filter(|&given| given != expected) {
            return Err(Fault::OtherVulnerability {
                number,
                given,
                expected,
            });
        }
    }
    Ok(())
}

/// Deals again and checks that the script selects these deals.
fn check_selection(
    key: &Key,
    claims: &[ClaimedBoard],
    script: SelectingScript,
    configure: impl FnOnce(Job) -> Job,
) -> Result<Result<(), Fault>, VerifyError> {
    let last = claims.iter().map(|claim| claim.index).max().unwrap_or(0);
    let boards = claims.len() as u64;
    let mut job = configure(Job::new(script.text).name(script.name.clone()))
        .supply(Supply::Tournament(Some(*key)))
        .generate(last.saturating_add(1));
    job = match &script.level {
        None => job.as_dealt().produce(boards + 1),
        Some(level) if level.boards != boards => {
            return Ok(Err(Fault::BoardCount {
                boards,
                expected: level.boards,
            }));
        }
        Some(level) => job
            .level(level.shares.clone())
            .even(level.even)
            .produce(boards),
    };
    for (number, text) in script.parameters {
        job = job.variable(number, text);
    }
    let failed = |error: Error| VerifyError::Script {
        name: script.name.clone(),
        error,
    };
    let mut session = job.prepare().map_err(failed)?;
    session.retain_actions(|_| false);
    let (dealer, vulnerable) = (session.settings().dealer, session.settings().vulnerable);
    if let Err(fault) = check_marks(claims, dealer, vulnerable) {
        return Ok(Err(fault));
    }
    let mut chosen = Vec::new();
    let mut keep = |deal: &ProducedDeal<'_>| {
        chosen.push(deal.index);
        ControlFlow::Continue(())
    };
    let mut run = match session.start() {
        Ok(run) => run,
        Err(Error::Mixture(rare @ MixtureError::TooRare { .. })) if script.level.is_some() => {
            return Ok(Err(Fault::OtherClasses(rare.to_string())));
        }
        Err(error) => return Err(failed(error)),
    };
    run.finish(&mut keep).map_err(failed)?;
    if let Some(numbers) = run.tournament_numbers() {
        return Ok(check_order(claims, numbers));
    }
    for (place, claim) in claims.iter().enumerate() {
        let &ClaimedBoard { number, index, .. } = claim;
        match chosen.get(place) {
            Some(&deal) if deal == index => {}
            Some(&deal) if deal < index => return Ok(Err(Fault::LeftOut { number, deal })),
            _ => return Ok(Err(Fault::NotSelected { number, index })),
        }
    }
    Ok(Ok(()))
}

/// Checks that each board is the deal that the order of the classes requires.
fn check_order(claims: &[ClaimedBoard], numbers: &[u64]) -> Result<(), Fault> {
    for (claim, &expected) in claims.iter().zip(numbers) {
        if claim.index != expected {
            return Err(Fault::OtherClass {
                number: claim.number,
                index: claim.index,
                expected,
            });
        }
    }
    Ok(())
}
