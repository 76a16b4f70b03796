//! The key file of a tournament: the commitment that the organiser publishes before play, and the key to publish after it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use croupier::render::{Promise, PromisedLevel};
use croupier::session::tournament::{KeyFile, Terms};
use croupier::session::{Key, Run, Session};

use crate::command_line::{CommandLine, TournamentSwitches};
use crate::failure::{Failure, ShownPath};
use crate::new_file::NewFile;

/// The key of a tournament with the terms of this command line.
pub struct TournamentPromise {
    file: KeyFile,
    beacon_value: Option<String>,
    /// Place of the key file, if there is one.
    path: Option<PathBuf>,
}

impl TournamentPromise {
    /// Returns the commitment of a run; `None` if it deals no tournament.
    ///
    /// # Errors
    /// If the terms differ from those of the given key file.
    pub fn of(
        line: &CommandLine,
        session: &Session,
        run: &Run,
    ) -> Result<Option<TournamentPromise>, Failure> {
        match (&line.tournament, run.tournament_key()) {
            (Some(key), Some(fresh)) => TournamentPromise::new(line, session, key, fresh).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the commitment to boards that depend on a public value of the future.
    ///
    /// # Errors
    /// If the terms differ from those of the given key file, or there is no random key.
    pub fn of_beacon(
        line: &CommandLine,
        session: &Session,
        key: &TournamentSwitches,
    ) -> Result<TournamentPromise, Failure> {
        let fresh = match &key.given {
            Some(file) => file.key,
            None => Key::from_os().map_err(Failure::runtime)?,
        };
        TournamentPromise::new(line, session, key, fresh)
    }

    /// `fresh` is used if no key was given.
    fn new(
        line: &CommandLine,
        session: &Session,
        key: &TournamentSwitches,
        fresh: Key,
    ) -> Result<TournamentPromise, Failure> {
        let terms = session.tournament_terms(line.output.rotate, key.beacon.clone());
        let file = KeyFile::agreed(key.given.as_ref(), fresh, terms)
            .map_err(|error| Failure::usage(format!("--tournament: {error}")))?;
        let output = &line.output;
        let beside = || output.file.as_ref().map(|path| path.with_extension("key"));
        Ok(TournamentPromise {
            file,
            beacon_value: key.beacon_value.clone(),
            path: output.key_file.clone().or_else(beside),
        })
    }

    /// Returns the commitment.
    pub fn commitment(&self) -> String {
        self.file.expected_commitment()
    }

    /// Returns the data to print on the boards.
    pub fn on_boards(&self, line: &CommandLine, session: &Session, run: &Run) -> Promise {
        Promise {
            commitment: self.commitment(),
            terms: self.file.terms.iter().map(Terms::to_string).collect(),
            beacon_value: self.beacon_value.clone(),
            script: session.spec().script.bytes().to_vec(),
            parameters: session.parameters(),
            level: run.tournament_numbers().map(|numbers| PromisedLevel {
                shares: session.levelled_shares().unwrap_or_default(),
                even: line.job.even,
                numbers: numbers.to_vec(),
            }),
        }
    }

    /// Writes the key file, if there is a place for it.
    ///
    /// # Errors
    /// If it cannot be written, or there is another key.
    pub fn write(&self) -> Result<(), Failure> {
        match &self.path {
            Some(path) => write_key(path, &self.file),
            None => Ok(()),
        }
    }

    /// Writes the key file and prints the commitment of boards that will be dealt later.
    ///
    /// # Errors
    /// If there is no place for the key file, or it cannot be written.
    pub fn announce_beacon(&self) -> Result<(), Failure> {
        let Some(path) = &self.path else {
            return Err(Failure::usage(
                "--beacon: say where to keep the key until then, with -o BOARDS or --key-file FILE",
            ));
        };
        self.write()?;
        let what = self.file.beacon().unwrap_or_default();
        let _ = writeln!(
            io::stderr(),
            "Publish now: commitment SHA-256 {}; the boards depend on: {what}\nWhen the value is known, deal with --tournament={} --beacon-value VALUE and the same script and switches\nPublish after play (secret until then): the key in {}",
            self.commitment(),
            path.shown(),
            path.shown()
        );
        Ok(())
    }

    /// Prints the commitment of boards that were written. Returns whether all promised boards were.
    pub fn announce(&self, written: u64) -> bool {
        let promised = self
            .file
            .terms
            .as_ref()
            .map_or(written, |terms| terms.boards);
        if written != promised {
            let _ = writeln!(
                io::stderr(),
                "dealer: {written} of the {promised} boards were found, so there is no commitment to publish; ask for fewer boards, or for more deals with -g"
            );
            return false;
        }
        let place = match &self.path {
            Some(path) => format!("the key in {}", path.shown()),
            None => format!("key:{}", self.file.key.to_hex()),
        };
        let when = match self.beacon_value {
            None => "Publish before play",
            Some(_) => "Published before the public value was known",
        };
        let _ = writeln!(
            io::stderr(),
            "{when}: commitment SHA-256 {}\nPublish after play (secret until then): {place}",
            self.commitment()
        );
        true
    }
}

/// Writes the key of a tournament to a file that only the user can read. Never replaces an existing file: its key may
/// have been committed to.
fn write_key(path: &Path, key: &KeyFile) -> Result<(), Failure> {
    let text = key.to_string();
    match std::fs::read_to_string(path) {
        Ok(there) if there == text => return Ok(()),
        Ok(_) => {
            return Err(Failure::runtime(format!(
                "{}: exists, and a key is never overwritten; move it away or name another file with --key-file",
                path.shown()
            )));
        }
        Err(_) => {}
    }
    let mut file = NewFile::secret(path)?;
    file.write_all(text.as_bytes())?;
    file.finish().map(drop)
}
