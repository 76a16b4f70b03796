//! Verification of the boards of a tournament.

use std::sync::Arc;

use croupier::scenarios::OrBundle;
use croupier::session::FileLoader;
use croupier::session::tournament::{KeyFile, Verification, VerifyError};
use pyo3::prelude::*;

use crate::arguments::value_error;
use crate::script::raise;
use crate::waiting::{Link, wait};

/// Checks that the boards of a tournament follow from their key. Returns whether all are right, and a sentence.
#[pyfunction]
#[pyo3(signature = (boards, key, name, script, commitment, beacon_value))]
pub fn verify_boards(
    py: Python<'_>,
    boards: Vec<u8>,
    key: &str,
    name: String,
    script: Option<(String, Vec<u8>)>,
    commitment: Option<String>,
    beacon_value: Option<String>,
) -> PyResult<(bool, String)> {
    let key: KeyFile = key
        .parse()
        .map_err(|error| value_error(format!("the key: {error}")))?;
    let link = Link::default();
    let cancel = Arc::clone(&link.cancel);
    let work = move |_: &_| {
        let mut verification = Verification::new(&boards, &key).name(name);
        if let Some((name, text)) = script {
            verification = verification.script(name, text);
        }
        if let Some(commitment) = commitment {
            verification = verification.commitment(commitment);
        }
        if let Some(value) = beacon_value {
            verification = verification.beacon_value(value);
        }
        verification.run_with(|job| job.imports(OrBundle(FileLoader)).cancel(cancel))
    };
    let verdict = wait::<(), _>(py, &link, None, work, |()| Ok(()))?;
    match verdict {
        Ok(Ok(verified)) => Ok((true, verified.to_string())),
        Ok(Err(fault)) => Ok((false, fault.to_string())),
        Err(VerifyError::Script { error, .. }) => Err(raise(py, &error)),
        Err(error) => Err(value_error(error)),
    }
}
