//! croupier as a page: an HTTP server for browsers and other programs.
//!
//! It answers the questions of [`api`] under `/api/`, runs scripts as streams of server-sent events, and hands out the
//! page that asks them. Hostile input is normal: every request is bounded in size, time, threads and memory, there are
//! no files behind it, and only pages that it sent itself may talk to it (see [`Config`] and docs/web.md).
//!
//! ```no_run
//! let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
//! println!("http://{}/", listener.local_addr()?);
//! serve::serve(listener, serve::Config::default())?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod connection;
mod door;
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
use memory::Working;
use turns::Lane;

/// What one reader may take from the others.
#[derive(Clone, Debug)]
pub struct Config {
    /// Threads of one run; the answers do not depend on it.
    pub threads: usize,
    /// Runs and other long questions at once. More wait.
    pub jobs: usize,
    /// Requests that may wait for their turn. More are refused.
    pub waiting: usize,
    /// A run or question ends after this time.
    pub time: Duration,
    /// A request waits no longer than this for its turn.
    pub patience: Duration,
    /// Bytes of a request.
    pub body: usize,
    /// Bytes of a script. What a script needs, in time to read it and in memory, grows with its length.
    pub script: usize,
    /// Megabytes that the process may use, and a function that measures how many it uses. When there are more, the
    /// requests that are being answered are ended.
    pub memory: Option<(u64, fn() -> f64)>,
    /// Deals told by one run.
    pub deals: u64,
    /// Cells of all frequency tables of a script.
    pub cells: u64,
    /// Megabytes of one solver.
    pub solver_memory: u32,
    /// Connections at once.
    pub connections: usize,
    /// Time in which a request must have arrived, and a reader must have read what it was sent.
    pub slow: Duration,
    /// Names by which the server may be asked, besides the address it listens at and `localhost`.
    pub hosts: BTreeSet<String>,
    /// What answers `usereval` in everybody's scripts; nothing means the built-in metrics.
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
            patience: Duration::from_secs(60),
            body: 3 << 19,
            script: 1 << 18,
            memory: None,
            deals: 20_000,
            cells: 1 << 20,
            solver_memory: 128,
            connections: 512,
            slow: Duration::from_secs(15),
            hosts: BTreeSet::new(),
            metrics: None,
        }
    }
}

/// What all requests share.
struct Shared {
    config: Config,
    /// Runs and other long questions.
    heavy: Arc<Lane>,
    /// Quick questions, so that a busy server still checks scripts.
    light: Arc<Lane>,
    /// The requests that are being answered.
    working: Working,
}

/// Short questions at once.
const LIGHT: usize = 4;

/// Serves until the process ends.
///
/// # Errors
/// If the listener does not work, or the system has no threads for the server.
pub fn serve(listener: TcpListener, config: Config) -> io::Result<()> {
    // With spare turns, each lane may have twice its places.
    let blocking = 2 * (config.jobs + LIGHT) + 8;
    has_threads(2 + blocking)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(blocking)
        // Nested scripts and the double-dummy search recurse; this is address space, not memory.
        .thread_stack_size(16 << 20)
        .enable_all()
        .build()?;
    runtime.block_on(connection::accept(listener, config))
}

/// Starts as many threads and lets them end: the runtime panics where it cannot have one.
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

/// All addresses of the server.
fn router(config: Config, port: u16) -> Router {
    let hosts = door::Hosts::new(&config, port);
    let shared = Arc::new(Shared {
        heavy: Lane::new(config.jobs, config.waiting),
        light: Lane::new(LIGHT, config.waiting),
        working: Working::new(config.memory),
        config,
    });
    Router::new()
        .route("/api/info", get(questions::info))
        .route("/api/openapi.json", get(openapi::json))
        .route("/api/run", post(run::run))
        .route("/api/{question}", post(questions::answer))
        .with_state(shared)
        .fallback(page::file)
        .layer(axum::middleware::from_fn_with_state(
            Arc::new(hosts),
            door::keeper,
        ))
}

#[cfg(test)]
mod tests;
