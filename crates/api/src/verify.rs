//! Verification of the boards of a tournament.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use croupier::scenarios::Bundle;
use croupier::session::tournament::{KeyFile, Verification, VerifyError};
use serde::{Deserialize, Serialize};

use crate::boards::shortened;
use crate::{RequestError, RequestLimits};

/// A request to check the boards of a tournament with their key. Give the file as bytes or as text.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Verify {
    /// File of boards, in base 64.
    #[serde(default)]
    pub base64: Option<String>,
    /// File of boards, as text.
    #[serde(default)]
    pub text: Option<String>,
    /// Name of the file, for messages.
    #[serde(default)]
    pub name: Option<String>,
    /// The key in hexadecimal digits, or the text of the key file.
    pub key: String,
    /// Script that selected the deals. Default: the one in the file of boards.
    #[serde(default)]
    pub script: Option<String>,
    /// Commitment that was published before play. The ones in the boards and in the key file are checked too.
    #[serde(default)]
    pub commitment: Option<String>,
    /// Public value on which the deals depend. Default: the one in the file of boards.
    #[serde(default)]
    pub beacon_value: Option<String>,
}

/// Result of a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// Whether all boards are right.
    pub right: bool,
    /// Statement of the verified facts, or the first fault.
    pub text: String,
}

/// Checks the boards of a tournament.
///
/// # Errors
/// If the boards, the key or the script cannot be read.
pub fn verify(request: Verify, limits: &RequestLimits) -> Result<Verdict, RequestError> {
    let bytes = match (request.base64, request.text) {
        (Some(text), _) => {
            limits.text(text.as_bytes())?;
            STANDARD
                .decode(text.trim())
                .map_err(|error| RequestError::request(format!("not base 64: {error}")))?
        }
        (None, Some(text)) => text.into_bytes(),
        (None, None) => return Err(RequestError::request("there are no boards in the question")),
    };
    limits.text(&bytes)?;
    let key: KeyFile = request
        .key
        .parse()
        .map_err(|error| RequestError::request(format!("the key: {error}")))?;
    let mut verification = Verification::new(&bytes, &key);
    if let Some(name) = &request.name {
        verification = verification.name(shortened(name));
    }
    if let Some(commitment) = request.commitment {
        verification = verification.commitment(commitment);
    }
    if let Some(value) = request.beacon_value {
        verification = verification.beacon_value(value);
    }
    let script = request.script.unwrap_or_default();
    if !script.is_empty() {
        limits.script(&script)?;
        verification = verification.script("script", script.clone().into_bytes());
    }
    let verdict = verification
        .run_with(|job| {
            job.imports(Bundle)
                .solver_memory(limits.solver_memory)
                .cancel(Arc::clone(&limits.cancel))
                .without_threads_or_clock()
        })
        .map_err(|error| match error {
            VerifyError::Script { error, .. } => RequestError::of_session(&script, error),
            other => RequestError::request(other.to_string()),
        })?;
    limits.check_cancelled()?;
    Ok(match verdict {
        Ok(verified) => Verdict {
            right: true,
            text: verified.to_string(),
        },
        Err(fault) => Verdict {
            right: false,
            text: fault.to_string(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use croupier::session::Key;
    use croupier::shuffle::tournament;

    #[test]
    fn a_changed_board_is_found() {
        let key = Key::from_seed(1);
        let deals = [0, 1].map(|index| tournament::deal(&key, index).to_string());
        let mut request = Verify {
            text: Some(deals.join("\n")),
            key: key.to_hex(),
            ..Verify::default()
        };
        let found = verify(request.clone(), &RequestLimits::default()).unwrap();
        assert!(found.right, "{}", found.text);
        assert!(
            found.text.contains("no deal was left out"),
            "{}",
            found.text
        );
        request.text = Some([deals[0].as_str(); 2].join("\n"));
        let found = verify(request.clone(), &RequestLimits::default()).unwrap();
        assert_eq!(found.text, "board 2 is not deal 1 of the key");
        assert!(!found.right);
        request.key = "no key".to_owned();
        assert!(verify(request, &RequestLimits::default()).is_err());
    }
}
