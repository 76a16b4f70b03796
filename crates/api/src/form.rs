//! Translation of seat profiles, as a form produces them, to scripts.

use croupier::profiles::{read, to_script};
use serde::{Deserialize, Serialize};

use crate::{RequestError, RequestLimits};

/// A request for the script of a seat profile.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// The profile, in JSON or TOML.
    pub profile: String,
}

/// A profile in the dealer language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormScript {
    /// The script.
    pub script: String,
    /// Warnings about the profile.
    pub warnings: Vec<String>,
}

/// Translates a profile to a script.
///
/// # Errors
/// If the profile is invalid or impossible.
pub fn form(request: Form, limits: &RequestLimits) -> Result<FormScript, RequestError> {
    limits.script(&request.profile)?;
    let (profile, warnings) = read(&request.profile).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        RequestError::request(lines.join("\n"))
    })?;
    Ok(FormScript {
        script: to_script(&profile).map_err(|error| RequestError::request(error.to_string()))?,
        warnings: warnings.iter().map(ToString::to_string).collect(),
    })
}
