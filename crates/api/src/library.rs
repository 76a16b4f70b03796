//! The bundled scenarios: what can be practised, and all that `import` may read.

use script::{Loaded, Loader, Source};
use serde::{Deserialize, Serialize};

use crate::words::Nothing;
use crate::{Limits, Problem};

include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));

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

/// Lists the scenarios.
///
/// # Errors
/// If the bundle is broken, which a test excludes.
pub fn scenarios(_: Nothing, _: &Limits) -> Result<Scenarios, Problem> {
    #[derive(Deserialize)]
    struct Entry {
        name: String,
        group: String,
        #[serde(flatten)]
        frequency: Frequency,
    }
    let index: Vec<Entry> = serde_json::from_str(INDEX)
        .map_err(|error| Problem::run(format!("the index of scenarios: {error}")))?;
    let mut list = Vec::new();
    for entry in index {
        let Some((_, script)) = SCENARIOS.iter().find(|(name, _)| *name == entry.name) else {
            return Err(Problem::run(format!("no scenario {:?}", entry.name)));
        };
        let (title, description) = heading(script);
        list.push(Scenario {
            title,
            description,
            name: entry.name,
            group: entry.group,
            script: (*script).to_owned(),
            frequency: Some(entry.frequency),
        });
    }
    Ok(Scenarios { scenarios: list })
}

/// Title and description: the comment lines at the top.
#[must_use]
pub fn heading(script: &str) -> (String, String) {
    let mut lines = script
        .lines()
        .map_while(|line| line.strip_prefix('#'))
        .map(str::trim);
    let title = lines.next().unwrap_or_default().to_owned();
    let rest: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    (title, rest.join(" "))
}

/// Lets scripts import scenarios, and nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bundle;

impl Loader for Bundle {
    fn load(&self, _: &str, path: &str) -> Result<Loaded, String> {
        let name = path.strip_prefix("scenarios/").unwrap_or(path);
        let name = name.strip_suffix(".dl").unwrap_or(name);
        match SCENARIOS.iter().find(|(known, _)| *known == name) {
            Some((name, text)) => Ok(Loaded {
                identity: format!("scenarios/{name}"),
                source: Source::new(format!("scenarios/{name}.dl"), *text),
            }),
            None => Err(
                "only bundled scenarios can be imported here, as in import \"scenarios/stayman\""
                    .to_owned(),
            ),
        }
    }
}
