//! HTTP server for the web page of croupier and for other programs.
//!
//! It answers the requests of [`api`] under `/api/`, runs scripts as streams of server-sent events, and serves the
//! page. Input is untrusted: every request is limited in size, time, threads and memory, no request can read files, and
//! only pages of this server may send requests (see [`Config`] and docs/web.md).
//!
//! ```no_run
//! let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
//! println!("http://{}/", listener.local_addr()?);
//! croupier_serve::serve(listener, croupier_serve::Config::default())?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod access;
mod connection;
mod memory;
pub mod openapi;
mod page;
mod questions;
mod run;
mod turns;

use std::collections::BTreeSet;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

pub use api::UserMetrics;
use axum::Router;
use axum::routing::{get, post};
use memory::RequestsInProgress;
use turns::TurnQueue;

/// Limits and settings of the server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Number of threads for one run; the answers do not depend on it.
    pub threads: usize,
    /// Number of runs and other long requests at the same time; others wait.
    pub jobs: usize,
    /// Maximum number of waiting requests; others are refused.
    pub waiting: usize,
    /// Time limit of a run or request.
    pub time: Duration,
    /// Maximum time that a request waits.
    pub max_wait: Duration,
    /// Maximum length of a request in bytes.
    pub body: usize,
    /// Maximum length in bytes of a request that reads or writes a file of boards.
    pub file: usize,
    /// Maximum length of a script in bytes. The time and memory for compiling a script grow with its length.
    pub script: usize,
    /// Maximum memory of the process in megabytes, and a function that measures the memory in use. Above the limit,
    /// requests in progress are cancelled.
    pub memory: Option<(u64, fn() -> f64)>,
    /// Maximum number of deals that a run reports.
    pub deals: u64,
    /// Maximum number of cells of all frequency tables of a script.
    pub cells: u64,
    /// Memory of one solver in megabytes.
    pub solver_memory: u32,
    /// Maximum number of connections.
    pub connections: usize,
    /// Time in which a request must arrive, and in which a client must read sent data.
    pub slow: Duration,
    /// Host names under which the server accepts requests, besides its own address and `localhost`.
    pub hosts: BTreeSet<String>,
    /// Address of a static page that everybody can open, for links to share.
    pub public_page: Option<String>,
    /// Metrics that compute `usereval` in all scripts; `None` means the built-in metrics.
    pub metrics: Option<Arc<UserMetrics>>,
}

impl Default for Config {
    fn default() -> Config {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Config {
            threads: cores,
            jobs: cores.max(2),
            waiting: 512,
            time: Duration::from_secs(60),
            max_wait: Duration::from_secs(60),
            body: 3 << 19,
            file: 32 << 20,
            script: 1 << 18,
            memory: None,
            deals: 20_000,
            cells: 1 << 20,
            solver_memory: 128,
            connections: 512,
            slow: Duration::from_secs(15),
            hosts: BTreeSet::new(),
            public_page: None,
            metrics: None,
        }
    }
}

/// State that all requests share.
struct Shared {
    config: Config,
    /// Queue of runs and other long requests.
    heavy: Arc<TurnQueue>,
    /// Queue of short requests, so that a busy server still checks scripts.
    light: Arc<TurnQueue>,
    /// Requests in progress.
    in_progress: RequestsInProgress,
    /// Runs that can be stopped.
    runs: run::RunsInProgress,
}

/// Number of short requests at the same time.
const LIGHT: usize = 4;

/// Serves until the process ends.
///
/// # Errors
/// If the listener does not work, or the system has no threads for the server.
pub fn serve(listener: TcpListener, config: Config) -> io::Result<()> {
    // With spare turns, each queue may run twice its number of places.
    let blocking = 2 * (config.jobs + LIGHT) + 8;
    has_threads(2 + blocking)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(blocking)
        // Nested scripts and the double-dummy search recurse deeply. The stack is reserved address space, not used
        // memory.
        .thread_stack_size(16 << 20)
        .enable_all()
        .build()?;
    runtime.block_on(connection::accept(listener, config))
}

/// Starts `count` threads and lets them end, because the runtime panics if it cannot start one.
fn has_threads(count: usize) -> io::Result<()> {
    let (over, end) = std::sync::mpsc::channel::<()>();
    let end = Arc::new(std::sync::Mutex::new(end));
    let started: Vec<_> = (0..count)
        .map(|_| {
            let end = Arc::clone(&end);
            let wait = move || drop(end.lock().map(|end| end.recv()));
            std::thread::Builder::new().spawn(wait)
        })
        .collect();
    drop(over);
    let mut failure = None;
    for thread in started {
        match thread {
            Ok(thread) => drop(thread.join()),
            Err(error) => failure = Some(error),
        }
    }
    match failure {
        None => Ok(()),
        Some(error) => Err(io::Error::new(
            error.kind(),
            format!("the server needs {count} threads: {error}"),
        )),
    }
}

/// Returns the router with all paths of the server.
fn router(config: Config, port: u16) -> Router {
    let hosts = access::Hosts::new(&config, port);
    let shared = Arc::new(Shared {
        heavy: TurnQueue::new(config.jobs, config.waiting),
        light: TurnQueue::new(LIGHT, config.waiting),
        in_progress: RequestsInProgress::new(config.memory),
        runs: run::RunsInProgress::default(),
        config,
    });
    Router::new()
        .route("/api/info", get(questions::info))
        .route("/api/openapi.json", get(openapi::json))
        .route("/api/run", post(run::run))
        .route("/api/stop", post(run::stop))
        .route("/api/{question}", post(questions::answer))
        .method_not_allowed_fallback(access::wrong_method)
        .with_state(shared)
        .fallback(page::file)
        .layer(axum::middleware::from_fn_with_state(
            Arc::new(hosts),
            access::check_access,
        ))
}

#[cfg(test)]
mod tests;
