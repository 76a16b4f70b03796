//! Metrics of users: evaluation servers and WebAssembly modules, behind one small trait.
//!
//! The functions of the crate `valuation` are pure: they turn hands into numbers. A user's metric is a
//! foreign program with processes, shared memory and time limits, so it has a crate of its own. The
//! engine uses one trait, [`Evaluator`], which turns a [`MetricRequest`] into 128 integers or an error. The
//! built-in metrics implement it too.
//!
//! A user's metric is one of these:
//!
//! * a **server**: a program with the shared-memory protocol of DealerV2's evaluation servers (Linux).
//!   Servers written for DealerV2 work unchanged;
//! * a **module**: a WebAssembly file. It runs in a sandbox, receives only the deal, and has limits on
//!   memory, steps and time.
//!
//! ```
//! use cards::{Deal, Side};
//! use croupier_usermetrics::{MetricRequest, UserMetrics};
//!
//! let deal: Deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"
//!     .parse()
//!     .unwrap();
//! let metrics = UserMetrics::built_in(); // or UserMetrics::open("my-metric.wasm", limits)
//! let mut evaluator = metrics.evaluator().unwrap(); // one for every thread
//! let goren = evaluator.evaluate(&MetricRequest::new(3, &deal, Side::NorthSouth)).unwrap();
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

pub use built_in::{BuiltInMetrics, is_built_in};
pub use error::UserMetricError;
#[cfg(feature = "modules")]
pub use module::{Module, ModuleInstance};
#[cfg(not(feature = "modules"))]
pub use module_elsewhere::{Module, ModuleInstance};
#[cfg(target_os = "linux")]
pub use server::Server;
#[cfg(not(target_os = "linux"))]
pub use server_elsewhere::Server;

/// Number of results of an evaluation.
pub const SLOTS: usize = valuation::metrics::SLOTS;

/// The results of an evaluation. Slots that a metric does not fill are 0.
pub type MetricResults = [i32; SLOTS];

/// Double-dummy tricks by declarer (North first) and strain (clubs first), where they are known.
pub type KnownTricks = [[Option<u8>; 5]; 4];

/// The arguments of an evaluation: the whole deal, the side to evaluate and the metric's tag.
///
/// The results must depend only on `tag`, `side` and `deal`. The other fields are additional data of the
/// server protocol.
#[derive(Clone, Debug)]
pub struct MetricRequest<'a> {
    /// Tag of the metric: the first argument of `usereval`.
    pub tag: i32,
    /// The deal.
    pub deal: &'a Deal,
    /// The side to evaluate.
    pub side: Side,
    /// The seat named in the call, if one was.
    pub seat: Option<Seat>,
    /// The suit named in the call, if one was.
    pub suit: Option<Suit>,
    /// The last argument of the call.
    pub index: i32,
    /// The number of the generated deal, from 1. If it is `None`, a server receives a number that increases
    /// by one whenever the deal differs from that of the previous request.
    pub generated: Option<u64>,
    /// Number of produced deals. It includes the current deal if that is known to be produced.
    pub produced: u64,
    /// The count tables of the script.
    pub tables: &'a CountTables,
    /// For each seat, a bit for each `shape` term of the script that its hand satisfies.
    pub shape_terms: [u16; 4],
    /// The Optimal Point Count of each side, if the script has computed it for this deal.
    pub opc: [Option<Opc>; 2],
    /// The double-dummy tricks of this deal that are already computed.
    pub tricks: Option<&'a KnownTricks>,
}

impl<'a> MetricRequest<'a> {
    /// Creates a request for a side of a deal, with the standard count tables and without further data.
    pub fn new(tag: i32, deal: &'a Deal, side: Side) -> MetricRequest<'a> {
        MetricRequest {
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

/// Evaluates requests. Each thread has its own evaluator.
pub trait Evaluator: Send {
    /// Returns all results of the metric for the side of the deal.
    ///
    /// # Errors
    /// If no metric has the tag, or if the program failed. After a failure of the program, all further
    /// requests fail too.
    fn evaluate(&mut self, request: &MetricRequest<'_>) -> Result<MetricResults, UserMetricError>;
}

/// Resource limits of a user's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramLimits {
    /// Maximum time of one evaluation.
    pub time: Duration,
    /// Maximum number of steps of a module in one evaluation.
    pub fuel: u64,
    /// Maximum memory of a module, in bytes.
    pub memory: usize,
    /// The debug levels that are passed to a server: that of the dealer, and its own if it is not 0.
    pub debug: (u8, u8),
}

impl Default for ProgramLimits {
    /// Returns the default limits: ten seconds, a hundred million steps, 16 MiB.
    fn default() -> Self {
        ProgramLimits {
            time: Duration::from_secs(10),
            fuel: 100_000_000,
            memory: 16 << 20,
            debug: (0, 0),
        }
    }
}

/// The metrics of a run: the built-in ones or those of a user. It creates an evaluator for each thread.
#[derive(Debug)]
pub struct UserMetrics {
    source: Source,
}

#[derive(Debug)]
enum Source {
    BuiltIn(BuiltInMetrics),
    Server(Arc<Mutex<Server>>),
    Module(Module),
}

impl UserMetrics {
    /// Returns the built-in metrics.
    pub fn built_in() -> UserMetrics {
        UserMetrics {
            source: Source::BuiltIn(BuiltInMetrics::default()),
        }
    }

    /// Returns the built-in metrics, with the results of DealerV2's server for unknown tags.
    pub fn built_in_as_v2() -> UserMetrics {
        UserMetrics {
            source: Source::BuiltIn(BuiltInMetrics::as_v2()),
        }
    }

    /// Opens the metric in a file: a WebAssembly module (binary, or text in a `.wat` file) or a server
    /// program, which is started. The built-in metrics evaluate tags that a module does not have.
    ///
    /// The system kills a server when the thread that called this function ends, so that no server remains
    /// if the dealer is killed. Call it on the main thread.
    ///
    /// # Errors
    /// If the file cannot be read, is not a valid module, or cannot be run.
    pub fn open(
        path: impl AsRef<Path>,
        limits: ProgramLimits,
    ) -> Result<UserMetrics, UserMetricError> {
        let path = path.as_ref();
        let source = if kind::is_module(path)? {
            Source::Module(Module::open(path, limits)?)
        } else {
            Source::Server(Arc::new(Mutex::new(Server::start(path, limits)?)))
        };
        Ok(UserMetrics { source })
    }

    /// Opens the metric in a WebAssembly module. It never starts a program.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid module.
    pub fn open_module(
        path: impl AsRef<Path>,
        limits: ProgramLimits,
    ) -> Result<UserMetrics, UserMetricError> {
        let source = Source::Module(Module::open(path.as_ref(), limits)?);
        Ok(UserMetrics { source })
    }

    /// Returns whether the metrics are the built-in ones.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        matches!(self.source, Source::BuiltIn(_))
    }

    /// Returns whether the metric uses the additional data of a [`MetricRequest`]: servers do, modules do not.
    #[must_use]
    pub fn needs_further_data(&self) -> bool {
        matches!(self.source, Source::Server(_))
    }

    /// Returns the file for the messages of a server with a debug level of its own. Other servers write to
    /// standard error.
    pub fn log(&self) -> Option<PathBuf> {
        match &self.source {
            Source::Server(server) => {
                let server = server.lock().unwrap_or_else(PoisonError::into_inner);
                server.log().map(Path::to_owned)
            }
            Source::BuiltIn(_) | Source::Module(_) => None,
        }
    }

    /// Creates an evaluator for one thread. Each has its own instance of a module; a server is one process
    /// that all threads share.
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

/// A module's instance and the built-in metrics, which evaluate the tags that the module does not have.
struct WithBuiltIn(ModuleInstance);

impl Evaluator for WithBuiltIn {
    fn evaluate(&mut self, request: &MetricRequest<'_>) -> Result<MetricResults, UserMetricError> {
        let answer = self.0.evaluate(request);
        if let Err(UserMetricError::Refused { .. }) = &answer {
            return BuiltInMetrics::default().evaluate(request).or(answer);
        }
        answer
    }
}

/// The access of one thread to the server.
struct ServerHandle(Arc<Mutex<Server>>);

impl Evaluator for ServerHandle {
    fn evaluate(&mut self, request: &MetricRequest<'_>) -> Result<MetricResults, UserMetricError> {
        // A thread may have panicked during a request. The server then refuses further requests, because its state is
        // uncertain.
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .evaluate(request)
    }
}
