//! Keys of tournaments: the secret key, the terms that its commitment covers, and the key of the deals.

use croupier::session::tournament::{KeyFile, Terms};
use croupier::session::{Key, Session};
use pyo3::prelude::*;

use crate::arguments::{type_error, value_error};
use crate::job::Job;
use crate::script::raise;
use crate::waiting::Link;

/// Reads a key file, or a key: `key:` and hexadecimal digits.
fn key_file(text: &str) -> PyResult<KeyFile> {
    text.parse()
        .map_err(|error| value_error(format!("the key of the tournament: {error}")))
}

/// Returns the key of the deals of a tournament: a new one for `True`, else that of a key or key file. If the key file names
/// a public value, the deals depend on it.
pub fn dealing_key(
    given: Option<&Bound<'_, PyAny>>,
    beacon_value: Option<&str>,
) -> PyResult<Option<Key>> {
    let no_beacon = || {
        value_error(
            "beacon_value is for the key of a tournament that names a public value: tournament_key(..., beacon=...)",
        )
    };
    let Some(given) = given else {
        return match beacon_value {
            Some(_) => Err(no_beacon()),
            None => Ok(None),
        };
    };
    if let Ok(is_tournament) = given.extract::<bool>() {
        let fresh = || Key::from_os().map_err(value_error);
        return match beacon_value {
            Some(_) => Err(no_beacon()),
            None => is_tournament.then(fresh).transpose(),
        };
    }
    let text: String = given
        .extract()
        .map_err(|_| type_error("True or the text of a key for tournament", given))?;
    let file = key_file(&text)?;
    match (file.beacon(), beacon_value) {
        (Some(what), None) => Err(value_error(format!(
            "the boards of this key depend on a public value: {what}. Give it as beacon_value= when it is known"
        ))),
        (None, Some(_)) => Err(no_beacon()),
        _ => Ok(Some(file.dealing_key(beacon_value))),
    }
}

/// Returns the terms of a job.
fn terms(job: &Job, session: &Session, beacon: Option<String>) -> Terms {
    let spec = session.spec();
    let by_script = || session.plan().settings.level.clone();
    let shares = spec.level.clone().or_else(by_script);
    let mut terms = Terms::default().with_script(spec.script.bytes());
    let settings = session.settings();
    terms.boards = settings.limits.counts().1;
    terms.first_board = settings.first_board.max(1).unsigned_abs();
    terms.dealer = settings.dealer;
    terms.vulnerable = settings.vulnerable;
    terms.level = shares.map(|shares| {
        let order = if job.spec.even { "even" } else { "shuffled" };
        format!("{order} {shares}").trim_end().to_owned()
    });
    let texts = (0..).zip(&spec.variables);
    let texts = texts.filter_map(|(number, text)| Some((number, text.clone()?)));
    terms.parameters = texts.collect();
    terms.beacon = beacon;
    terms
}

/// The text of a key file, the key, the commitment, and the words of the public value.
type KeyParts = (String, String, String, Option<String>);

fn parts(file: &KeyFile) -> KeyParts {
    let beacon = file.beacon().map(str::to_owned);
    let commitment = file.expected_commitment();
    (file.to_string(), file.key.to_string(), commitment, beacon)
}

/// Reads a key file.
#[pyfunction]
pub fn read_key_file(text: &str) -> PyResult<KeyParts> {
    key_file(text).map(|file| parts(&file))
}

/// Returns the key file of a tournament with the terms of a job. Without `given` the key is new; the terms of a `given` key file must be those of the job.
#[pyfunction]
#[pyo3(signature = (job, given=None, beacon=None))]
pub fn tournament_key_file(
    py: Python<'_>,
    job: &Bound<'_, Job>,
    given: Option<&str>,
    beacon: Option<String>,
) -> PyResult<KeyParts> {
    let job = job.get();
    let session = job
        .session(&Link::default())
        .map_err(|error| raise(py, &error))?;
    let given = given.map(key_file).transpose()?;
    let named = given.as_ref().and_then(KeyFile::beacon).map(str::to_owned);
    let terms = terms(job, &session, beacon.or(named));
    let promised = given.as_ref().and_then(|file| file.terms.as_ref());
    if let Some([promised, asked]) = promised.and_then(|promised| promised.difference(&terms)) {
        return Err(value_error(format!(
            "the commitment of this key covers {promised}, this run has {asked}: use the script and the arguments with which the key was made, or a new key"
        )));
    }
    let file = match given {
        // The commitment of a key without terms covers the key alone.
        Some(file) if file.terms.is_none() => file,
        Some(file) => KeyFile::new(file.key, terms),
        None => KeyFile::new(Key::from_os().map_err(value_error)?, terms),
    };
    Ok(parts(&file))
}
