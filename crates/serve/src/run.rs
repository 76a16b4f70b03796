//! Runs, as streams of server-sent events.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use api::Problem;
use api::run::{Manner, Prepared, RunEvent, RunRequest};
use axum::Extension;
use axum::extract::{Request, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc::{self, Sender, error::TrySendError};
use tokio_stream::StreamExt;

use crate::Shared;
use crate::door::problem;
use crate::questions::{body, busy, limits, status};
use crate::turns::{Client, Lane};

/// Events that may wait for the reader.
const WAITING: usize = 32;

/// How long after its time a run is cancelled that has not ended itself: the time limit of v1 holds only for runs that
/// have produced nothing.
const AFTER_TIME: Duration = Duration::from_millis(100);

/// How long a run waits for its reader while others wait for their turn.
const PATIENCE_WITH_OTHERS: Duration = Duration::from_secs(1);

/// `POST /api/run`
pub async fn run(
    State(shared): State<Arc<Shared>>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Response {
    let body = match body(request, &shared.config).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    let wanted: RunRequest = match serde_json::from_str(&body) {
        Ok(wanted) => wanted,
        Err(error) => {
            let it = Problem::request(format!("the question cannot be read: {error}"));
            return problem(status(it.kind), it);
        }
    };
    let Some(turn) = shared.heavy.turn(client, shared.config.patience).await else {
        return busy();
    };
    let (events, heard) = mpsc::channel(WAITING);
    let cancel = Arc::new(AtomicBool::new(false));
    let config = shared.config.clone();
    let flag = Arc::clone(&cancel);
    let working = shared.working.add(Arc::clone(&cancel));
    let (late, time) = (Arc::clone(&cancel), shared.config.time + AFTER_TIME);
    let limit = tokio::spawn(async move {
        tokio::time::sleep(time).await;
        late.store(true, Ordering::Relaxed);
    });
    tokio::task::spawn_blocking(move || {
        let _turn = turn;
        let manner = Manner {
            deals: config.deals,
            cells: config.cells,
            threads: config.threads,
            time: Some(config.time),
            cancel: Arc::clone(&flag),
            text: 1 << 20,
        };
        let mut telling = Telling {
            events,
            cancel: flag,
            patience: config.slow,
            lane: &shared.heavy,
        };
        match Prepared::new(&wanted, &limits(&config), manner) {
            Ok(prepared) => {
                let _ = telling.tell(prepared.start());
                prepared.run(&mut |event| {
                    telling.tell(match (event, working.exhausted()) {
                        (RunEvent::End { .. }, Some(problem)) => RunEvent::Problem { problem },
                        (event, _) => event,
                    })
                });
            }
            Err(problem) => {
                let _ = telling.tell(RunEvent::Problem { problem });
            }
        }
        limit.abort();
    });
    let leaving = Leaving(cancel);
    let stream = tokio_stream::wrappers::ReceiverStream::new(heard).map(move |event| {
        let _stays = &leaving;
        let text = serde_json::to_string(&event).unwrap_or_default();
        Ok::<_, Infallible>(Event::default().data(text))
    });
    Sse::new(stream)
        .keep_alive(KeepAlive::new().interval(Duration::from_secs(5)))
        .into_response()
}

/// Cancels the work when it is dropped: the reader has left.
pub struct Leaving(pub Arc<AtomicBool>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Hands events to the reader, and gives up on one who does not read.
struct Telling<'a> {
    events: Sender<RunEvent>,
    cancel: Arc<AtomicBool>,
    patience: Duration,
    lane: &'a Lane,
}

impl Telling<'_> {
    /// Whether the reader has had enough time.
    fn is_over(&self, waited: Duration) -> bool {
        waited >= self.patience || waited >= PATIENCE_WITH_OTHERS && self.lane.is_awaited()
    }

    fn tell(&mut self, event: RunEvent) -> ControlFlow<()> {
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
