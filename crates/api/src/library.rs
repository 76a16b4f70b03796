//! The bundled scenarios for bidding practice.

use serde::{Deserialize, Serialize};

use crate::words::Nothing;
use crate::{RequestError, RequestLimits};

/// How often a scenario comes up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScenarioFrequency {
    /// Whether the probability is exact; otherwise it was estimated.
    pub exact: bool,
    /// Numerator and denominator in lowest terms, if exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<(String, String)>,
    /// Probability.
    pub probability: f64,
}

/// A script for bidding practice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Scenario {
    /// Name of the file, without ending.
    pub name: String,
    /// First comment line of the script.
    pub title: String,
    /// Comment lines after the title.
    pub description: String,
    /// Heading to which the scenario belongs.
    pub group: String,
    /// Text of the script.
    pub script: String,
    /// How often the scenario comes up.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub frequency: Option<ScenarioFrequency>,
}

/// All scenarios.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Scenarios {
    /// Scenarios, sorted by group and title.
    pub scenarios: Vec<Scenario>,
}

impl From<&croupier::scenarios::Scenario> for Scenario {
    fn from(it: &croupier::scenarios::Scenario) -> Scenario {
        Scenario {
            name: it.name.to_owned(),
            title: it.title().to_owned(),
            description: it.description(),
            group: it.group.to_owned(),
            script: it.script.to_owned(),
            frequency: Some(ScenarioFrequency {
                exact: it.fraction.is_some(),
                fraction: it
                    .fraction
                    .map(|[top, bottom]| (top.to_owned(), bottom.to_owned())),
                probability: it.probability,
            }),
        }
    }
}

/// Lists the scenarios.
///
/// # Errors
/// None; the result type is that of all requests.
pub fn scenarios(_: Nothing, _: &RequestLimits) -> Result<Scenarios, RequestError> {
    let scenarios = croupier::scenarios::SCENARIOS
        .iter()
        .map(Scenario::from)
        .collect();
    Ok(Scenarios { scenarios })
}
