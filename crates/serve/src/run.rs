//! Runs of scripts as streams of server-sent events.

use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use api::questions::read_question;
use api::run::{PreparedScript, RunEvent, RunOptions, RunRequest};
use axum::Extension;
use axum::extract::{Request, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::{self, Sender, error::TrySendError};
use tokio_stream::StreamExt;

use crate::Shared;
use crate::access::problem;
use crate::questions::{body, busy, limits, status};
use crate::turns::{Client, TurnQueue};

/// Capacity of the queue of events that the client has not read.
const EVENT_QUEUE: usize = 32;

/// Time after its limit at which a run is cancelled if it has not ended itself. The time limit of v1 applies only to
/// runs that have produced no deal.
const CANCEL_DELAY: Duration = Duration::from_millis(100);

/// Time that a run waits for a slow client while other requests wait for their turn.
const SLOW_CLIENT_TIME: Duration = Duration::from_secs(1);

/// Handles `POST /api/run`.
pub async fn run(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Response {
    let body = match body(request, &shared.config, shared.config.body).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    let wanted: RunRequest = match read_question(&body) {
        Ok(wanted) => wanted,
        Err(it) => return problem(status(it.kind), it),
    };
    let Some(turn) = shared.heavy.turn(client, shared.config.max_wait).await else {
        return busy();
    };
    let (events, heard) = mpsc::channel(EVENT_QUEUE);
    let cancel = Arc::new(AtomicBool::new(false));
    let name = shared.runs.add(&cancel);
    let config = shared.config.clone();
    let flag = Arc::clone(&cancel);
    let in_progress = shared.in_progress.add(Arc::clone(&cancel));
    let (late, time) = (Arc::clone(&cancel), shared.config.time + CANCEL_DELAY);
    let limit = tokio::spawn(async move {
        tokio::time::sleep(time).await;
        late.store(true, Ordering::Relaxed);
    });
    tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let options = RunOptions {
            deals: config.deals,
            cells: config.cells,
            threads: config.threads,
            time: Some(config.time),
            cancel: Arc::clone(&flag),
            text: 1 << 20,
        };
        let mut telling = EventSender {
            events,
            cancel: flag,
            max_wait: config.slow,
            lane: &shared.heavy,
        };
        match PreparedScript::new(&wanted, &limits(&config), options) {
            Ok(prepared) => {
                let _ = telling.send(named(prepared.start(), name));
                prepared.run(&mut |event| {
                    telling.send(match (event, in_progress.exhausted()) {
                        (RunEvent::End { .. }, Some(problem)) => RunEvent::Problem { problem },
                        (event, _) => event,
                    })
                });
            }
            Err(problem) => {
                let _ = telling.send(RunEvent::Problem { problem });
            }
        }
        limit.abort();
    });
    let leaving = CancelOnDrop(cancel);
    let stream = tokio_stream::wrappers::ReceiverStream::new(heard).map(move |event| {
        let _stays = &leaving;
        let text = serde_json::to_string(&event).unwrap_or_default();
        Ok::<_, Infallible>(Event::default().data(text))
    });
    Sse::new(stream)
        .keep_alive(KeepAlive::new().interval(Duration::from_secs(5)))
        .into_response()
}

/// Adds the name of a run to its first event.
fn named(start: RunEvent, name: Option<String>) -> RunEvent {
    let mut start = start;
    if let RunEvent::Start { run, .. } = &mut start {
        *run = name;
    }
    start
}

/// Name of a run to stop.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StopRequest {
    /// The name in the first event of the run.
    pub run: String,
}

/// Answer to a request to stop a run.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Stopped {
    /// Whether the run was still in progress.
    pub stopped: bool,
}

/// Handles `POST /api/stop`: the run ends with an event that has the statistics so far.
pub async fn stop(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let body = match body(request, &shared.config, shared.config.body).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    match read_question::<StopRequest>(&body) {
        Ok(stop) => axum::Json(Stopped {
            stopped: shared.runs.stop(&stop.run),
        })
        .into_response(),
        Err(it) => problem(status(it.kind), it),
    }
}

/// Cancellation flags of the runs in progress. A run has a random name, so that only its client can stop it.
#[derive(Default)]
pub struct RunsInProgress(Mutex<HashMap<String, Weak<AtomicBool>>>);

impl RunsInProgress {
    /// Adds a run and returns its name; `None` if the system has no random bytes.
    fn add(&self, cancel: &Arc<AtomicBool>) -> Option<String> {
        let name = api::run::random_name()?;
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        runs.retain(|_, flag| flag.strong_count() > 0);
        runs.insert(name.clone(), Arc::downgrade(cancel));
        Some(name)
    }

    /// Stops a run. Returns whether it was in progress.
    fn stop(&self, name: &str) -> bool {
        let runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match runs.get(name).and_then(Weak::upgrade) {
            Some(cancel) => {
                cancel.store(true, Ordering::Relaxed);
                true
            }
            None => false,
        }
    }
}

/// Cancels the work when it is dropped, because the client has disconnected.
pub struct CancelOnDrop(pub Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Sends events to the client, and ends the run if the client does not read.
struct EventSender<'a> {
    events: Sender<RunEvent>,
    cancel: Arc<AtomicBool>,
    max_wait: Duration,
    lane: &'a TurnQueue,
}

impl EventSender<'_> {
    /// Returns whether the client has had enough time to read.
    fn is_over(&self, waited: Duration) -> bool {
        waited >= self.max_wait || waited >= SLOW_CLIENT_TIME && self.lane.is_awaited()
    }

    fn send(&mut self, event: RunEvent) -> ControlFlow<()> {
        let since = Instant::now();
        let mut event = event;
        loop {
            match self.events.try_send(event) {
                Ok(()) => return ControlFlow::Continue(()),
                Err(TrySendError::Full(back)) if !self.is_over(since.elapsed()) => {
                    event = back;
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(_) => {
                    self.cancel.store(true, Ordering::Relaxed);
                    return ControlFlow::Break(());
                }
            }
        }
    }
}
