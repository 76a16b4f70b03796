//! `croupier.profile`: boards from profiles of the seats.

use croupier::profiles::{DealOptions, DealingStrategy, HandProfile, Preallocation, ProfileDealer};
use croupier::shuffle::Key;
use pyo3::prelude::*;

use crate::arguments::value_error;
use crate::board::Board;
use crate::script::DealError;
use crate::waiting::{Events, Link, wait};

/// Reads a profile in JSON or TOML.
fn read(text: &str) -> PyResult<HandProfile> {
    let read = croupier::profiles::read(text).map(|(profile, _)| profile);
    read.map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        value_error(lines.join("\n"))
    })
}

/// Returns the script that deals by a profile.
#[pyfunction]
pub fn profile_script(text: &str) -> PyResult<String> {
    croupier::profiles::to_script(&read(text)?).map_err(value_error)
}

/// Deals boards for a profile in JSON or TOML.
#[pyfunction]
#[pyo3(signature = (text, boards, first_board, seed, strategy, max_attempts, rotate, progress=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "called by croupier.profile with every setting by name"
)]
pub fn deal_profile(
    py: Python<'_>,
    text: &str,
    boards: u64,
    first_board: u64,
    seed: Option<i64>,
    strategy: &str,
    max_attempts: Option<u64>,
    rotate: Option<bool>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Board>> {
    let strategy = match strategy {
        "exact" => DealingStrategy::Exact,
        "preallocate" => DealingStrategy::Preallocate(Preallocation::default()),
        "none" => DealingStrategy::Plain,
        other => {
            return Err(value_error(format!(
                "{other:?} is not a strategy: exact, preallocate or none"
            )));
        }
    };
    let key = match seed {
        Some(seed) => Key::from_i64(seed),
        None => Key::from_os().map_err(value_error)?,
    };
    let profile = read(text)?;
    let options = DealOptions {
        key,
        strategy,
        max_attempts: max_attempts.unwrap_or(strategy.default_max_attempts()),
        rotate,
    };
    let link = Link::default();
    let shared = link.clone();
    let work = move |_: &Events<(), _>| -> Result<Vec<Board>, String> {
        let (mut dealer, _) =
            ProfileDealer::new(profile, options).map_err(|error| error.to_string())?;
        let mut dealt = Vec::new();
        for number in first_board..first_board.saturating_add(boards) {
            if shared.is_cancelled() {
                break;
            }
            let board = dealer.board(number).map_err(|error| error.to_string())?;
            let dealt_board = croupier::formats::Board {
                dealer: Some(board.dealer),
                ..croupier::formats::Board::of(&board.deal())
            };
            dealt.push(Board(dealt_board.with_number(number)));
            shared.set_done(dealt.len() as u64);
        }
        Ok(dealt)
    };
    wait(py, &link, progress, work, |()| Ok(()))?.map_err(DealError::new_err)
}
