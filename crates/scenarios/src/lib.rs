//! The bundled scenarios: scripts for practice, which other scripts can import from any folder.
//!
//! ```
//! let stayman = croupier_scenarios::by_name("stayman").unwrap();
//! assert_eq!(stayman.title(), "Stayman");
//! assert!((stayman.probability - 0.01).abs() < 0.001);
//! ```

use cards::Seat;
use script::{LoadError, Loaded, Loader, ScriptSource};

/// A script for practice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenario {
    /// Name of the script's file, without its ending.
    pub name: &'static str,
    /// Heading under which lists show the scenario.
    pub group: &'static str,
    /// Exact probability in lowest terms, if it was counted.
    pub fraction: Option<[&'static str; 2]>,
    /// Probability, counted or measured.
    pub probability: f64,
    /// The script.
    pub script: &'static str,
    /// A profile of the seats that gives such boards, if a profile can describe them.
    pub profile: Option<&'static str>,
}

/// All scenarios, by group.
pub static SCENARIOS: &[Scenario] = include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));

impl Scenario {
    /// Returns the comment lines at the top.
    fn comments(&self) -> impl Iterator<Item = &'static str> {
        self.script
            .lines()
            .map_while(|line| line.strip_prefix('#'))
            .map(str::trim)
    }

    /// Returns the first comment line.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.comments().next().unwrap_or_default()
    }

    /// Returns the comment lines after the title.
    #[must_use]
    pub fn description(&self) -> String {
        let rest: Vec<&str> = self
            .comments()
            .skip(1)
            .filter(|it| !it.is_empty())
            .collect();
        rest.join(" ")
    }

    /// Returns the seat that opens the bidding. It is the dealer that the script states, so no hand calls before it.
    #[must_use]
    pub fn opener(&self) -> Seat {
        let named = self
            .script
            .lines()
            .find_map(|line| line.strip_prefix("dealer "));
        named
            .and_then(|seat| seat.trim().parse().ok())
            .unwrap_or(Seat::North)
    }

    /// Returns the name of the script in messages.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("scenarios/{}.dl", self.name)
    }
}

/// Returns the scenario of this name, with or without `scenarios/` before it and `.dl` after it.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Scenario> {
    let name = name.strip_prefix("scenarios/").unwrap_or(name);
    let name = name.strip_suffix(".dl").unwrap_or(name);
    SCENARIOS.iter().find(|scenario| scenario.name == name)
}

/// A loader that lets scripts import scenarios, and nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bundle;

impl Loader for Bundle {
    fn load(&self, _: &str, path: &str) -> Result<Loaded, LoadError> {
        match by_name(path) {
            Some(scenario) => Ok(Loaded {
                identity: format!("scenarios/{}", scenario.name),
                source: ScriptSource::new(scenario.file_name(), scenario.script),
            }),
            None => Err(LoadError::Refused(
                "only bundled scenarios can be imported here, as in import \"scenarios/stayman\""
                    .into(),
            )),
        }
    }
}

/// A loader that tries another loader first, then the bundled scenario that `import "scenarios/..."` names.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrBundle<L>(pub L);

impl<L: Loader> Loader for OrBundle<L> {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, LoadError> {
        let found = self.0.load(importer, path);
        match found {
            Err(why) if path.starts_with("scenarios/") => {
                Bundle.load(importer, path).map_err(|_| {
                    let reason = format!("{why}, and no bundled scenario has this name (croupier scenario list shows them)");
                    LoadError::Refused(reason.into())
                })
            }
            found => found,
        }
    }
}
