//! Metrics that users bring: evaluation servers and WebAssembly modules, behind one small trait.
//!
//! The crate `valuation` is pure: hands in, numbers out. A user's metric is a foreign program, with
//! processes, shared memory, time limits and everything that can go wrong with them, and none of that
//! belongs among pure functions. So it has a room of its own, and the engine sees one trait,
//! [`Evaluator`]: a [`Request`] in, 128 integers or one clear error out. The built-in metrics answer
//! through it too.
//!
//! There are two ways to bring a metric:
//!
//! * a **server**, a program that speaks the shared-memory protocol of DealerV2's evaluation servers
//!   (Linux), so that an existing one works unchanged;
//! * a **module**, a WebAssembly file run in a sandbox that gives it nothing but the deal, with limits
//!   on memory, steps and time.
//!
//! ```
//! use cards::{Deal, Side};
//! use usermetrics::{Request, UserMetrics};
//!
//! let deal: Deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
//!     .parse()
//!     .unwrap();
//! let metrics = UserMetrics::built_in(); // or UserMetrics::open("my-metric.wasm", limits)
//! let mut evaluator = metrics.evaluator().unwrap(); // one for every thread
//! let goren = evaluator.evaluate(&Request::new(3, &deal, Side::NorthSouth)).unwrap();
//! assert_eq!(goren[0], 19); // North-South in notrump
//! ```

mod built_in;
mod error;
mod kind;
#[cfg(feature = "modules")]
mod module;
#[cfg(not(feature = "modules"))]
mod module_elsewhere;
#[cfg(feature = "modules")]
mod rewrite;
#[cfg(target_os = "linux")]
mod server;
#[cfg(not(target_os = "linux"))]
mod server_elsewhere;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cards::{Deal, Seat, Side, Suit};
use valuation::{CountTables, Opc};

pub use built_in::{BuiltIn, is_built_in};
pub use error::UserMetricError;
#[cfg(feature = "modules")]
pub use module::{Module, ModuleInstance};
#[cfg(not(feature = "modules"))]
pub use module_elsewhere::{Module, ModuleInstance};
#[cfg(target_os = "linux")]
pub use server::Server;
#[cfg(not(target_os = "linux"))]
pub use server_elsewhere::Server;

/// How many results an evaluation has.
pub const SLOTS: usize = valuation::metrics::SLOTS;

/// The results of an evaluation. Slots that a metric does not fill are 0.
pub type Results = [i32; SLOTS];

/// Double-dummy tricks by declarer (North first) and strain (clubs first), where they are known.
pub type KnownTricks = [[Option<u8>; 5]; 4];

/// A question to a metric: the whole deal and the side that is asked about.
///
/// The answer must not depend on anything but `tag`, `side` and `deal`; the rest is what the protocol
/// of servers passes on for their information.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Which evaluation: the first argument of `usereval`.
    pub tag: i32,
    /// The deal.
    pub deal: &'a Deal,
    /// The side asked about.
    pub side: Side,
    /// The seat named in the call, if one was.
    pub seat: Option<Seat>,
    /// The suit named in the call, if one was.
    pub suit: Option<Suit>,
    /// The last argument of the call.
    pub index: i32,
    /// The number of the generated deal, from 1. If the caller has none, a server gets one that grows
    /// by one whenever the deal is another than that of the last request.
    pub generated: Option<u64>,
    /// How many deals have been produced, the current one included where it is known to be one.
    pub produced: u64,
    /// The count tables of the script.
    pub tables: &'a CountTables,
    /// For every seat the `shape` terms of the script that its hand has, as bits.
    pub shape_terms: [u16; 4],
    /// The Optimal Point Count of each side, if the script asked for it on this deal.
    pub opc: [Option<Opc>; 2],
    /// Tricks that have been computed for this deal.
    pub tricks: Option<&'a KnownTricks>,
}

impl<'a> Request<'a> {
    /// A question about a side of a deal, with the standard tables and nothing else known.
    pub fn new(tag: i32, deal: &'a Deal, side: Side) -> Request<'a> {
        Request {
            tag,
            deal,
            side,
            seat: None,
            suit: None,
            index: 0,
            generated: None,
            produced: 0,
            tables: &CountTables::STANDARD,
            shape_terms: [0; 4],
            opc: [None, None],
            tricks: None,
        }
    }
}

/// Something that answers requests. Every thread has its own.
pub trait Evaluator: Send {
    /// All results of the metric for the side of the deal.
    ///
    /// # Errors
    /// If the metric does not know the tag, or its program failed. After a failed program every further
    /// request fails too.
    fn evaluate(&mut self, request: &Request<'_>) -> Result<Results, UserMetricError>;
}

/// Resource limits of a user's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest that one evaluation may take.
    pub time: Duration,
    /// How many steps a module may make in one evaluation.
    pub fuel: u64,
    /// How much memory a module may have, in bytes.
    pub memory: usize,
    /// The debug levels that a server is told: the dealer's, and its own if it is not 0.
    pub debug: (u8, u8),
}

impl Default for Limits {
    /// Ten seconds, a hundred million steps, 16 MiB.
    fn default() -> Self {
        Limits {
            time: Duration::from_secs(10),
            fuel: 100_000_000,
            memory: 16 << 20,
            debug: (0, 0),
        }
    }
}

/// The metrics of a run: built in, or a user's. Threads get their evaluators from it.
#[derive(Debug)]
pub struct UserMetrics {
    source: Source,
}

#[derive(Debug)]
enum Source {
    BuiltIn(BuiltIn),
    Server(Arc<Mutex<Server>>),
    Module(Module),
}

impl UserMetrics {
    /// The built-in metrics.
    pub fn built_in() -> UserMetrics {
        UserMetrics {
            source: Source::BuiltIn(BuiltIn::default()),
        }
    }

    /// The built-in metrics, answering unknown tags as DealerV2's server does.
    pub fn built_in_as_v2() -> UserMetrics {
        UserMetrics {
            source: Source::BuiltIn(BuiltIn::as_v2()),
        }
    }

    /// The metric in a file: a WebAssembly module (binary, or text in a `.wat` file), or else a server
    /// program, which is started. Tags that a module does not know are answered by the built-in metrics.
    ///
    /// A server is killed with the thread that calls this, should that thread end first (so that it
    /// cannot outlive a killed dealer): call it on the main thread.
    ///
    /// # Errors
    /// If the file cannot be read, is no proper module, or cannot be run.
    pub fn open(path: impl AsRef<Path>, limits: Limits) -> Result<UserMetrics, UserMetricError> {
        let path = path.as_ref();
        let source = if kind::is_module(path)? {
            Source::Module(Module::open(path, limits)?)
        } else {
            Source::Server(Arc::new(Mutex::new(Server::start(path, limits)?)))
        };
        Ok(UserMetrics { source })
    }

    /// The metric in a WebAssembly module, for those who start no programs.
    ///
    /// # Errors
    /// If the file cannot be read or is no proper module.
    pub fn open_module(
        path: impl AsRef<Path>,
        limits: Limits,
    ) -> Result<UserMetrics, UserMetricError> {
        let source = Source::Module(Module::open(path.as_ref(), limits)?);
        Ok(UserMetrics { source })
    }

    /// Whether these are the built-in metrics.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        matches!(self.source, Source::BuiltIn(_))
    }

    /// Whether the metric is told more than the deal, the tables and the question: what else is known about the deal.
    #[must_use]
    pub fn wants_all_that_is_known(&self) -> bool {
        matches!(self.source, Source::Server(_))
    }

    /// The file that the messages of a server go to: one that is told a debug level of its own writes them there, all others
    /// to standard error.
    pub fn log(&self) -> Option<PathBuf> {
        match &self.source {
            Source::Server(server) => {
                let server = server.lock().unwrap_or_else(PoisonError::into_inner);
                server.log().map(Path::to_owned)
            }
            Source::BuiltIn(_) | Source::Module(_) => None,
        }
    }

    /// An evaluator for one thread. A module gets an instance of its own; a server is one process and
    /// answers the threads in turn.
    ///
    /// # Errors
    /// If a module cannot be instantiated within its limits.
    pub fn evaluator(&self) -> Result<Box<dyn Evaluator>, UserMetricError> {
        Ok(match &self.source {
            Source::BuiltIn(built_in) => Box::new(*built_in),
            Source::Server(server) => Box::new(ServerHandle(Arc::clone(server))),
            Source::Module(module) => Box::new(WithBuiltIn(module.instance()?)),
        })
    }
}

/// A module's instance, with the built-in metrics behind it: tags that the module does not know keep
/// their meaning.
struct WithBuiltIn(ModuleInstance);

impl Evaluator for WithBuiltIn {
    fn evaluate(&mut self, request: &Request<'_>) -> Result<Results, UserMetricError> {
        let answer = self.0.evaluate(request);
        if let Err(UserMetricError::Refused { .. }) = &answer {
            return BuiltIn::default().evaluate(request).or(answer);
        }
        answer
    }
}

/// One thread's access to the server.
struct ServerHandle(Arc<Mutex<Server>>);

impl Evaluator for ServerHandle {
    fn evaluate(&mut self, request: &Request<'_>) -> Result<Results, UserMetricError> {
        // A thread that panicked while asking leaves the server in a state it reports by itself.
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .evaluate(request)
    }
}
