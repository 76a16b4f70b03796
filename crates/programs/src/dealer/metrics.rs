//! `usereval`: the built-in metrics, or the program or module that `-U` names.

use script::plan::{Mode, Node, Plan};
use usermetrics::{Limits, UserMetrics};

use super::request::Request;
use crate::failure::Failure;

/// Opens what the request names; nothing means that the engine's built-in metrics answer. A program
/// that the script never asks is not started.
///
/// # Errors
/// If the program or module cannot be used.
pub fn open(request: &Request, plan: &Plan) -> Result<Option<UserMetrics>, Failure> {
    let asked = plan
        .nodes
        .iter()
        .any(|node| matches!(node, Node::UserEval { .. }));
    match &request.user_program {
        Some(path) if asked => UserMetrics::open(path, Limits::default())
            .map(Some)
            .map_err(|error| Failure::runtime(format!("-U {error}"))),
        _ if request.mode == Mode::V2 => Ok(Some(UserMetrics::built_in_as_v2())),
        _ => Ok(None),
    }
}
