//! Requests of the web page and their answers.
//!
//! Every request is a name and a JSON object, every answer a JSON object, over HTTP for `croupier serve` and through
//! linear memory for the WebAssembly module in the browser. Nothing here opens a file or starts a process. Input is
//! untrusted: a request is checked against [`RequestLimits`] before any work is done.
//!
//! ```
//! let answer = croupier_api::answer("shapes", r#"{"pattern":"5M(332)"}"#, &croupier_api::RequestLimits::default()).unwrap();
//! assert!(answer.contains("\"count\":6"));
//!
//! let problem = croupier_api::answer("shapes", r#"{"pattern":"5Q"}"#, &croupier_api::RequestLimits::default()).unwrap_err();
//! assert_eq!(problem.kind, croupier_api::RequestErrorKind::Request);
//! ```

pub mod auction;
pub mod bid;
pub mod boards;
pub mod check;
pub mod equity;
pub mod explain;
pub mod files;
pub mod form;
pub mod history;
pub mod library;
pub mod limits;
pub mod line;
pub mod names;
pub mod odds;
pub mod plan;
pub mod play;
pub mod problem;
pub mod push;
pub mod questions;
pub mod run;
pub mod shapes;
pub mod solve;
pub mod spot;
pub mod strength;
pub mod study;
pub mod suit;
pub mod tables;
#[cfg(feature = "openapi")]
pub mod typescript;
pub mod value;
pub mod verify;
pub mod words;

pub use croupier::session::UserMetrics;
pub use limits::RequestLimits;
pub use problem::{RequestError, RequestErrorKind};
pub use questions::{QUESTIONS, Question, answer};
