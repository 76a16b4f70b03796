//! The bundled scenarios: what can be practised.

use serde::{Deserialize, Serialize};

use crate::words::Nothing;
use crate::{Limits, Problem};

/// How often a scenario comes up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Frequency {
    /// Whether it was counted; otherwise it was measured.
    pub exact: bool,
    /// In lowest terms, if it is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<[String; 2]>,
    /// The probability.
    pub probability: f64,
}

/// A script that people practise with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Scenario {
    /// The name of its file, without ending.
    pub name: String,
    /// The first comment line.
    pub title: String,
    /// The comment lines after it.
    pub description: String,
    /// Under which heading it belongs.
    pub group: String,
    /// The script.
    pub script: String,
    /// How often it comes up.
    pub frequency: Option<Frequency>,
}

/// All scenarios.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Scenarios {
    /// By group and title.
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
            frequency: Some(Frequency {
                exact: it.fraction.is_some(),
                fraction: it.fraction.map(|parts| parts.map(str::to_owned)),
                probability: it.probability,
            }),
        }
    }
}

/// Lists the scenarios.
///
/// # Errors
/// Never; all questions have the same form.
pub fn scenarios(_: Nothing, _: &Limits) -> Result<Scenarios, Problem> {
    let scenarios = croupier::scenarios::SCENARIOS
        .iter()
        .map(Scenario::from)
        .collect();
    Ok(Scenarios { scenarios })
}
