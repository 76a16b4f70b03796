//! Runs, in parts or whole.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use api::run::{Manner, Prepared, RunEvent, RunRequest};
use api::{Limits, Problem};
use croupier::session::Partial;
use serde::{Deserialize, Serialize};

/// What a run is like.
#[derive(Serialize)]
struct Opened {
    start: RunEvent,
    /// Deals of the whole run, if it can be cut into parts.
    deals: Option<u64>,
    /// Number, dealer and vulnerability of the boards follow from these.
    first_board: i64,
}

#[derive(Deserialize)]
struct AskPart {
    request: RunRequest,
    first: u64,
    last: u64,
}

#[derive(Deserialize)]
struct AskJoin {
    request: RunRequest,
    parts: Vec<Partial>,
}

thread_local! {
    /// The last script: parts of a run come one after the other.
    static LAST: RefCell<Option<(RunRequest, Rc<Prepared>)>> = const { RefCell::new(None) };
}

fn prepared(request: RunRequest, limits: &Limits) -> Result<Rc<Prepared>, Problem> {
    LAST.with_borrow_mut(|last| {
        if let Some((known, prepared)) = last
            && *known == request
        {
            return Ok(Rc::clone(prepared));
        }
        let prepared = Rc::new(Prepared::new(&request, limits, Manner::in_browser())?);
        *last = Some((request, Rc::clone(&prepared)));
        Ok(prepared)
    })
}

fn read<'a, T: Deserialize<'a>>(body: &'a str) -> Result<T, Problem> {
    serde_json::from_str(body)
        .map_err(|error| Problem::request(format!("the question cannot be read: {error}")))
}

fn written(value: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(value).map_err(|error| Problem::run(error.to_string()))
}

/// Reads the script and says what its run is like.
pub fn open(body: &str, limits: &Limits) -> Result<String, Problem> {
    let prepared = prepared(read(body)?, limits)?;
    written(&Opened {
        start: prepared.start(),
        deals: prepared.parts(),
        first_board: prepared.first_board(),
    })
}

/// Runs a part.
pub fn part(body: &str, limits: &Limits) -> Result<String, Problem> {
    let ask: AskPart = read(body)?;
    written(&prepared(ask.request, limits)?.part(ask.first, ask.last)?)
}

/// Puts parts together: the last event.
pub fn join(body: &str, limits: &Limits) -> Result<String, Problem> {
    let ask: AskJoin = read(body)?;
    let parts = Partial::merge_all(ask.parts).map_err(|error| Problem::run(error.to_string()))?;
    let mut last = None;
    prepared(ask.request, limits)?.join(&parts, &mut |event| {
        last = Some(event);
        ControlFlow::Continue(())
    });
    written(&last)
}

/// Runs all of it; the browser hears the events as they happen, and gets the last one as the answer.
pub fn whole(body: &str, limits: &Limits) -> Result<String, Problem> {
    let mut last = None;
    prepared(read(body)?, limits)?.run(&mut |event| {
        if let Some(before) = last.replace(event)
            && let Ok(text) = serde_json::to_string(&before)
        {
            crate::border::hear(&text);
        }
        ControlFlow::Continue(())
    });
    written(&last)
}
