//! The bundled scenarios: scripts that people practise with, and that other scripts import from anywhere.
//!
//! ```
//! let stayman = scenarios::by_name("stayman").unwrap();
//! assert_eq!(stayman.title(), "Stayman");
//! assert!((stayman.probability - 0.01).abs() < 0.001);
//! ```

use script::{Loaded, Loader, Source};

/// A script that people practise with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenario {
    /// The name of its file, without ending.
    pub name: &'static str,
    /// Under which heading it belongs.
    pub group: &'static str,
    /// How often it comes up, in lowest terms, where that was counted.
    pub fraction: Option<[&'static str; 2]>,
    /// How often it comes up: counted, or else measured.
    pub probability: f64,
    /// The script.
    pub script: &'static str,
    /// A profile of the seats that gives such boards, for those that profiles can describe.
    pub profile: Option<&'static str>,
}

/// All scenarios, by group.
pub static SCENARIOS: &[Scenario] = include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));

impl Scenario {
    /// The comment lines at the top.
    fn comments(&self) -> impl Iterator<Item = &'static str> {
        self.script
            .lines()
            .map_while(|line| line.strip_prefix('#'))
            .map(str::trim)
    }

    /// The first comment line.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.comments().next().unwrap_or_default()
    }

    /// The comment lines after it.
    #[must_use]
    pub fn description(&self) -> String {
        let rest: Vec<&str> = self
            .comments()
            .skip(1)
            .filter(|it| !it.is_empty())
            .collect();
        rest.join(" ")
    }

    /// What messages call the script.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("scenarios/{}.dl", self.name)
    }
}

/// The scenario of this name; `scenarios/` in front and `.dl` behind do no harm.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Scenario> {
    let name = name.strip_prefix("scenarios/").unwrap_or(name);
    let name = name.strip_suffix(".dl").unwrap_or(name);
    SCENARIOS.iter().find(|scenario| scenario.name == name)
}

/// Lets scripts import scenarios, and nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bundle;

impl Loader for Bundle {
    fn load(&self, _: &str, path: &str) -> Result<Loaded, String> {
        match by_name(path) {
            Some(scenario) => Ok(Loaded {
                identity: format!("scenarios/{}", scenario.name),
                source: Source::new(scenario.file_name(), scenario.script),
            }),
            None => Err(
                "only bundled scenarios can be imported here, as in import \"scenarios/stayman\""
                    .to_owned(),
            ),
        }
    }
}

/// What another loader finds, else the bundled scenario that `import "scenarios/..."` names.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrBundle<L>(pub L);

impl<L: Loader> Loader for OrBundle<L> {
    fn load(&self, importer: &str, path: &str) -> Result<Loaded, String> {
        let found = self.0.load(importer, path);
        match found {
            Err(why) if path.starts_with("scenarios/") => {
                Bundle.load(importer, path).map_err(|_| {
                    format!("{why}, and no bundled scenario has this name (croupier scenario list shows them)")
                })
            }
            found => found,
        }
    }
}
