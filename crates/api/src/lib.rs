//! Requests of the web page and their answers.
//!
//! Every request is a name and a JSON object, every answer a JSON object, whether they travel over HTTP to `croupier
//! serve` or over linear memory to the WebAssembly module in the browser. Nothing here opens a file or starts a
//! process. Input is untrusted: a request is checked against [`Limits`] before any work is done.
//!
//! ```
//! let answer = api::answer("shapes", r#"{"pattern":"5M(332)"}"#, &api::Limits::default()).unwrap();
//! assert!(answer.contains("\"count\":6"));
//!
//! let problem = api::answer("shapes", r#"{"pattern":"5Q"}"#, &api::Limits::default()).unwrap_err();
//! assert_eq!(problem.kind, api::ProblemKind::Request);
//! ```

pub mod boards;
pub mod check;
pub mod equity;
pub mod explain;
pub mod files;
pub mod form;
pub mod library;
pub mod limits;
pub mod odds;
pub mod play;
pub mod problem;
pub mod run;
pub mod shapes;
pub mod solve;
pub mod study;
pub mod tables;
pub mod value;
pub mod words;

pub use croupier::session::UserMetrics;
pub use limits::Limits;
pub use problem::{Problem, ProblemKind};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A function that answers one kind of request in JSON.
type Answer = fn(&str, &Limits) -> Result<String, Problem>;

/// Declares the requests: name and function.
macro_rules! questions {
    ($($name:literal => $function:path),* $(,)?) => {
        /// All requests with the functions that answer them.
        const QUESTIONS: &[(&str, Answer)] = &[
            $(($name, |body, limits| in_json(body, |request| $function(request, limits)))),*
        ];
    };
}

questions! {
    "check" => check::check,
    "words" => words::words,
    "scenarios" => library::scenarios,
    "probability" => odds::probability,
    "explain" => explain::explain,
    "solve" => solve::solve,
    "play" => play::play,
    "lead-plan" => study::lead_plan,
    "leads" => study::leads,
    "lead-results" => study::lead_results,
    "contract-plan" => study::contract_plan,
    "tricks" => study::tricks,
    "contract-results" => study::contract_results,
    "value" => value::value,
    "shapes" => shapes::shapes,
    "equity" => equity::equity,
    "matrix" => equity::matrix,
    "range" => equity::range,
    "read" => files::read,
    "write" => files::write,
    "form" => form::form,
}

/// Returns the names of all requests.
pub fn names() -> impl Iterator<Item = &'static str> {
    QUESTIONS.iter().map(|(name, _)| *name)
}

/// Answers a request.
///
/// # Errors
/// If there is no such request, it cannot be parsed, it exceeds the limits or it fails.
pub fn answer(name: &str, body: &str, limits: &Limits) -> Result<String, Problem> {
    match QUESTIONS.iter().find(|(known, _)| *known == name) {
        Some((_, function)) => function(body, limits),
        None => Err(Problem::request(format!("there is no question {name:?}"))),
    }
}

fn in_json<Q: DeserializeOwned, A: Serialize>(
    body: &str,
    function: impl FnOnce(Q) -> Result<A, Problem>,
) -> Result<String, Problem> {
    let request = serde_json::from_str(body)
        .map_err(|error| Problem::request(format!("the question cannot be read: {error}")))?;
    let answer = function(request)?;
    serde_json::to_string(&answer).map_err(|error| Problem::run(error.to_string()))
}
