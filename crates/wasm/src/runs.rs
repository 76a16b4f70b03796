//! Runs of scripts, whole or in parts.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use api::run::{PreparedScript, RunEvent, RunOptions, RunRequest};
use api::{RequestError, RequestLimits};
use croupier::session::Partial;
use serde::{Deserialize, Serialize};

/// Properties of a run.
#[derive(Serialize)]
struct Opened {
    start: RunEvent,
    /// Number of deals of the whole run, if it can be divided into parts.
    deals: Option<u64>,
    /// Number of the first board, which determines dealers and vulnerabilities.
    first_board: i64,
}

#[derive(Deserialize)]
struct PartRequest {
    request: RunRequest,
    first: u64,
    last: u64,
}

#[derive(Deserialize)]
struct JoinRequest {
    request: RunRequest,
    parts: Vec<Partial>,
}

thread_local! {
    /// The last compiled script, because the parts of a run are requested one after the other.
    static LAST: RefCell<Option<(RunRequest, Rc<PreparedScript>)>> = const { RefCell::new(None) };
}

fn prepared(
    request: RunRequest,
    limits: &RequestLimits,
) -> Result<Rc<PreparedScript>, RequestError> {
    LAST.with_borrow_mut(|last| {
        if let Some((known, prepared)) = last
            && *known == request
        {
            return Ok(Rc::clone(prepared));
        }
        let prepared = Rc::new(PreparedScript::new(
            &request,
            limits,
            RunOptions::in_browser(),
        )?);
        *last = Some((request, Rc::clone(&prepared)));
        Ok(prepared)
    })
}

fn read<'a, T: Deserialize<'a>>(body: &'a str) -> Result<T, RequestError> {
    serde_json::from_str(body)
        .map_err(|error| RequestError::request(format!("the question cannot be read: {error}")))
}

fn written(value: &impl Serialize) -> Result<String, RequestError> {
    serde_json::to_string(value).map_err(|error| RequestError::run(error.to_string()))
}

/// Compiles the script and returns the properties of its run.
pub fn open(body: &str, limits: &RequestLimits) -> Result<String, RequestError> {
    let prepared = prepared(read(body)?, limits)?;
    written(&Opened {
        start: prepared.start(),
        deals: prepared.parts(),
        first_board: prepared.first_board(),
    })
}

/// Computes a part of a run.
pub fn part(body: &str, limits: &RequestLimits) -> Result<String, RequestError> {
    let ask: PartRequest = read(body)?;
    written(&prepared(ask.request, limits)?.part(ask.first, ask.last)?)
}

/// Merges parts and returns the last event.
pub fn join(body: &str, limits: &RequestLimits) -> Result<String, RequestError> {
    let ask: JoinRequest = read(body)?;
    let parts =
        Partial::merge_all(ask.parts).map_err(|error| RequestError::run(error.to_string()))?;
    let mut last = None;
    prepared(ask.request, limits)?.join(&parts, &mut |event| {
        last = Some(event);
        ControlFlow::Continue(())
    });
    written(&last)
}

/// Runs the whole script. Sends the events to the browser and returns the last one.
pub fn whole(body: &str, limits: &RequestLimits) -> Result<String, RequestError> {
    let mut last = None;
    let prepared = prepared(read(body)?, limits)?;
    prepared.cancel_flag().store(false, Ordering::Relaxed);
    prepared.run(&mut |event| {
        if let Some(before) = last.replace(event)
            && let Ok(text) = serde_json::to_string(&before)
            && crate::browser::send_event(&text)
        {
            prepared.cancel_flag().store(true, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    });
    written(&last)
}
