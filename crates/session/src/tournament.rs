//! Tournaments: keys with their terms and commitments, and verification that boards follow from a key whose commitment
//! was published before play.
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

mod agreed;
mod script;
mod terms;
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
pub use agreed::OtherTerms;
use script::{EmbeddedTerms, LevelParameters, SelectingScript};
pub use terms::Terms;
pub use verdict::{Fault, KeyFileError, SelectionCheck, Verified, VerifyError};

/// The key of a tournament, its terms, and the commitment that was published with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFile {
    /// The secret key.
    pub key: Key,
    /// The terms that the commitment covers. `None` for a key alone, whose commitment is the hash of its 32 bytes.
    pub terms: Option<Terms>,
    /// The commitment in the file.
    pub commitment: Option<String>,
}

impl KeyFile {
    /// Creates the key file of a tournament.
    #[must_use]
    pub fn new(key: Key, terms: Terms) -> KeyFile {
        KeyFile {
            key,
            terms: Some(terms),
            commitment: None,
        }
    }

    /// Computes the commitment of the key and the terms.
    #[must_use]
    pub fn expected_commitment(&self) -> String {
        match &self.terms {
            Some(terms) => terms.commitment(&self.key),
            None => self.key.commitment(),
        }
    }

    /// Returns the words for the public value on which the deals depend, if they do.
    #[must_use]
    pub fn beacon(&self) -> Option<&str> {
        self.terms.as_ref()?.beacon.as_deref()
    }

    /// Returns the key of the deals, which follows from the secret key and the public value.
    #[must_use]
    pub fn dealing_key(&self, beacon_value: Option<&str>) -> Key {
        terms::dealing_key(&self.key, beacon_value)
    }
}

impl From<Key> for KeyFile {
    fn from(key: Key) -> KeyFile {
        KeyFile {
            key,
            terms: None,
            commitment: None,
        }
    }
}

/// Reads the text of a key file: a line with `key:` and, optionally, the terms and a line with `commitment:`. The
/// digits of a key alone are accepted too.
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
            terms: Terms::read(text.lines()).map_err(KeyFileError::Terms)?,
            commitment: line("commitment:").map(str::to_owned),
        })
    }
}

/// Writes the text of a key file, which [`KeyFile::from_str`] reads.
impl fmt::Display for KeyFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "key:{}", self.key.to_hex())?;
        if let Some(terms) = &self.terms {
            terms.fmt(f)?;
        }
        writeln!(f, "commitment:{}", self.expected_commitment())
    }
}

/// The boards of a tournament, to be checked with their key.
pub struct Verification<'a> {
    boards: &'a [u8],
    key: &'a KeyFile,
    name: String,
    script: Option<(String, Vec<u8>)>,
    commitment: Option<String>,
    beacon_value: Option<String>,
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
            beacon_value: None,
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

    /// Sets the public value on which the deals depend. Default: the one in the file of boards.
    #[must_use]
    pub fn beacon_value(mut self, value: impl Into<String>) -> Self {
        self.beacon_value = Some(value.into());
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
        let embedded = EmbeddedTerms::read(self.boards)?;
        let file = KeyFile {
            terms: self.key.terms.clone().or(embedded.terms),
            ..self.key.clone()
        };
        let commitment = file.expected_commitment();
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
                    has_terms: file.terms.is_some(),
                }));
            }
        }
        let given = self.beacon_value.or(embedded.beacon_value);
        let beacon = match (file.beacon(), given, &file.terms) {
            (None, None, _) => None,
            (Some(what), None, _) => {
                return Err(VerifyError::NoBeaconValue {
                    what: what.to_owned(),
                });
            }
            (None, Some(value), Some(_)) => return Err(VerifyError::UnexpectedBeacon { value }),
            (what, Some(value), _) => Some((what.unwrap_or_default().to_owned(), value)),
        };
        let key = &file.dealing_key(beacon.as_ref().map(|(_, value)| value.as_str()));
        let script = SelectingScript::read(self.boards, &self.name, self.script)?;
        if let Some(terms) = &file.terms
            && let Err(fault) = check_terms(terms, script.as_ref())
        {
            return Ok(Err(fault));
        }
        let is_levelled = script.as_ref().is_some_and(|script| script.level.is_some());
        if let Err(fault) = check_cards(key, &claims, is_levelled) {
            return Ok(Err(fault));
        }
        let has_script = script.is_some();
        let is_in_order = (0..)
            .zip(&claims)
            .all(|(place, claim)| claim.index == place);
        let selection = match script {
            Some(script) => {
                let terms = file.terms.as_ref();
                match check_selection(key, &claims, script, terms, configure)? {
                    Err(fault) => return Ok(Err(fault)),
                    Ok(()) if is_levelled => SelectionCheck::Levelled,
                    Ok(()) => SelectionCheck::Script,
                }
            }
            None if is_in_order => SelectionCheck::AllDeals,
            // Without a condition every deal of the key is on a board.
            None if file
                .terms
                .as_ref()
                .is_some_and(|terms| terms.script.is_none()) =>
            {
                return Ok(Err(first_left_out(&claims)));
            }
            None => SelectionCheck::Unknown,
        };
        // The script may set dealer and vulnerability; then they have been checked with it.
        let marks = match (&file.terms, has_script) {
            (Some(terms), _) => check_marks(&claims, terms.dealer, terms.vulnerable)
                .and_then(|()| check_turns(&claims, terms.rotated_from)),
            (None, true) => Ok(()),
            (None, false) => check_marks(&claims, None, None),
        };
        let first = file.terms.as_ref().map(|terms| terms.first_board);
        if let Err(fault) = check_numbers(&claims, first).and(marks) {
            return Ok(Err(fault));
        }
        if let Some(terms) = &file.terms
            && terms.boards != claims.len() as u64
        {
            return Ok(Err(Fault::BoardCount {
                boards: claims.len() as u64,
                expected: terms.boards,
            }));
        }
        Ok(Ok(Verified {
            boards: claims.len(),
            commitment,
            selection,
            covers_number: file.terms.is_some(),
            beacon,
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

/// Checks that the script in the file of boards is the one that the commitment covers.
fn check_terms(terms: &Terms, script: Option<&SelectingScript>) -> Result<(), Fault> {
    let Some(script) = script else {
        return Ok(());
    };
    let parameters = script.parameters.clone().into_iter().collect();
    let level = script.level.as_ref().map(LevelParameters::to_string);
    let found = Terms {
        parameters,
        level,
        ..terms.clone()
    }
    .with_script(&script.text);
    match terms.difference(&found) {
        None => Ok(()),
        Some([promised, found]) => Err(Fault::OtherScript { promised, found }),
    }
}

/// Returns the fault of the first deal that is not on a board, though every deal should be.
fn first_left_out(claims: &[ClaimedBoard]) -> Fault {
    let mut places = (0..).zip(claims);
    let missing = places.find(|(place, claim)| claim.index != *place);
    let (deal, number) = missing.map_or((0, 1), |(place, claim)| (place, claim.number));
    Fault::LeftOut { number, deal }
}

/// Checks the number of seats by which each board was turned.
fn check_turns(claims: &[ClaimedBoard], from: Option<Seat>) -> Result<(), Fault> {
    for claim in claims {
        let number = claim.number;
        let expected = from.map_or(0, |from| {
            (Seat::dealer_of_board(number).index() + 4 - from.index()) % 4
        });
        if claim.turns != expected {
            return Err(Fault::OtherTurn {
                number,
                given: claim.turns,
                expected,
            });
        }
    }
    Ok(())
}

/// Checks that the boards have consecutive numbers from `first` on.
fn check_numbers(claims: &[ClaimedBoard], first: Option<u64>) -> Result<(), Fault> {
    let first = first.unwrap_or_else(|| claims.first().map_or(1, |claim| claim.number));
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
    terms: Option<&Terms>,
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
    // Rotated boards have the dealer and the vulnerability of their numbers. With terms they are checked there.
    let is_rotated = claims.iter().any(|claim| claim.turns > 0);
    let marks = match (terms, is_rotated) {
        (Some(_), _) => Ok(()),
        (None, true) => check_marks(claims, None, None),
        (None, false) => {
            let settings = session.settings();
            check_marks(claims, settings.dealer, settings.vulnerable)
        }
    };
    if let Err(fault) = marks {
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
