//! Seat profiles filled in as a form, as a script.

use croupier::profiles::{read, to_script};
use serde::{Deserialize, Serialize};

use crate::{Limits, Problem};

/// A profile.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Form {
    /// The profile, in JSON or TOML.
    pub profile: String,
}

/// The same in the dealer language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormScript {
    /// The script.
    pub script: String,
    /// What is odd about the profile.
    pub warnings: Vec<String>,
}

/// Turns a profile into a script.
///
/// # Errors
/// If the profile is wrong or impossible.
pub fn form(ask: Form, limits: &Limits) -> Result<FormScript, Problem> {
    limits.script(&ask.profile)?;
    let (profile, warnings) = read(&ask.profile).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Problem::request(lines.join("\n"))
    })?;
    Ok(FormScript {
        script: to_script(&profile).map_err(Problem::request)?,
        warnings: warnings.iter().map(ToString::to_string).collect(),
    })
}
