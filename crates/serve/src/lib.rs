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
pub mod openapi;
mod page;
mod questions;
mod run;

use std::collections::BTreeSet;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

pub use api::UserMetrics;
use axum::Router;
use axum::routing::{get, post};
use tokio::sync::Semaphore;

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
    /// Permits of runs and other long questions.
    heavy: Arc<Semaphore>,
    /// Permits of what takes a moment, so that a busy server still checks scripts.
    light: Arc<Semaphore>,
    /// Permits to wait.
    queue: Arc<Semaphore>,
}

/// Serves until the process ends.
///
/// # Errors
/// If the listener does not work.
pub fn serve(listener: TcpListener, config: Config) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(config.jobs + 8)
        // Nested scripts and the double-dummy search recurse; this is address space, not memory.
        .thread_stack_size(16 << 20)
        .enable_all()
        .build()?;
    runtime.block_on(connection::accept(listener, config))
}

/// All addresses of the server.
fn router(config: Config, port: u16) -> Router {
    let hosts = door::Hosts::new(&config, port);
    let shared = Arc::new(Shared {
        heavy: Arc::new(Semaphore::new(config.jobs)),
        light: Arc::new(Semaphore::new(4)),
        queue: Arc::new(Semaphore::new(config.waiting)),
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
