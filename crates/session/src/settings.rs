//! The settings of a run: requested by the caller, stated in the script, or default.

use cards::{Seat, Vulnerability};
use engine::DealAuctions;
use script::plan::{Mode, Plan};
use serde::{Deserialize, Serialize};
use shuffle::Key;
use shuffle::legacy::V2Start;

use crate::error::{Error, SupplyError};
use crate::execution::ExecutionOptions;
use crate::spec::JobSpec;

/// The default generate limit.
const GENERATE: i64 = 10_000_000;
/// The default produce limit of a run that shows deals.
const PRODUCE: i64 = 40;

/// The settings of a run. For each of them, the caller's request overrides the script, which overrides the default. The
/// dialects differ:
///
/// | setting | exception |
/// |---|---|
/// | seed | v1 has no statement; in v2 the seed 0 means none; a key overrides the statement |
/// | generate, produce | 0 counts as not given, except as a request in the native dialect; negative only in the classic
/// dialects: nothing is dealt |
/// | produce | never more than generate, except in v1; the default is 40 if deals are shown, else generate |
/// | opener | v2 has no statement |
/// | title | v2 keeps 255 bytes of the script's |
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// How many deals to generate and to produce.
    pub limits: DealLimits,
    /// The seed of the random choices.
    pub seed: Seed,
    /// The title; empty for none.
    pub title: Vec<u8>,
    /// Dealer of all boards; `None` means that it follows from their numbers.
    pub dealer: Option<Seat>,
    /// Vulnerability of all boards; `None` means that it follows from their numbers.
    pub vulnerable: Option<Vulnerability>,
    /// Number of the first board.
    pub first_board: i64,
    /// The opener, for `opc`.
    pub opener: Seat,
    /// Vulnerability for `par` without an argument.
    pub par_vulnerability: Vulnerability,
}

impl RunSettings {
    /// Merges the settings. `deals` is the number of deals of a finite source.
    pub(crate) fn merge(
        spec: &JobSpec,
        plan: &Plan,
        seed: Seed,
        deals: Option<u64>,
    ) -> RunSettings {
        let statements = &plan.settings;
        let opener = match spec.dialect {
            Mode::V2 => spec.opener,
            _ => spec.opener.or(statements.opener),
        };
        let requested = spec.title.as_ref().map(|title| title.bytes().to_vec());
        RunSettings {
            limits: DealLimits::merge(spec, plan, deals),
            seed,
            title: requested.or_else(|| script_title(plan)).unwrap_or_default(),
            dealer: spec.dealer.or(statements.dealer),
            vulnerable: spec.vulnerable.or(statements.vulnerable),
            first_board: spec
                .first_board
                .or(statements.start_board)
                .map_or(1, |board| i64::try_from(board).unwrap_or(i64::MAX)),
            opener: opener.unwrap_or(Seat::West),
            par_vulnerability: par_vulnerability(spec, plan).unwrap_or(Vulnerability::None),
        }
    }
}

impl RunSettings {
    /// Gives all boards one dealer and one vulnerability, those by which the robots bid them: North and none, unless they are
    /// given. `par` then uses this vulnerability, too.
    pub(crate) fn bid_all_boards_alike(&mut self, spec: &JobSpec) {
        self.dealer.get_or_insert(Seat::North);
        let vulnerability = *self.vulnerable.get_or_insert(Vulnerability::None);
        if spec.par_vulnerability.is_none() {
            self.par_vulnerability = vulnerability;
        }
    }

    /// Returns the auctions of the boards; none without robots.
    pub(crate) fn auctions<'a>(&self, execution: &'a ExecutionOptions) -> Option<DealAuctions<'a>> {
        let source = execution.robots.as_deref()?;
        Some(DealAuctions {
            source,
            dealer: self.dealer.unwrap_or(Seat::North),
            vulnerability: self.vulnerable.unwrap_or(Vulnerability::None),
        })
    }
}

/// Returns the vulnerability of `par(side)`. In dealer3 it is that of the boards.
fn par_vulnerability(spec: &JobSpec, plan: &Plan) -> Option<Vulnerability> {
    let of_boards = spec.vulnerable.or(plan.settings.vulnerable);
    spec.par_vulnerability
        .or(of_boards.filter(|_| spec.dealer3))
}

fn script_title(plan: &Plan) -> Option<Vec<u8>> {
    /// Maximum length of a script's title in v2.
    const TITLE_BYTES: usize = 255;
    let mut title = plan.settings.title.clone()?.into_bytes();
    if plan.mode == Mode::V2 {
        title.truncate(TITLE_BYTES);
    }
    Some(title)
}

/// The two limits of a run. In the classic dialects they may be negative: then nothing is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealLimits {
    /// Deals to generate.
    pub generate: i64,
    /// Deals to produce.
    pub produce: i64,
}

impl DealLimits {
    fn merge(spec: &JobSpec, plan: &Plan, deals: Option<u64>) -> DealLimits {
        let deals = deals.map_or(i64::MAX, |deals| deals as i64);
        let generate = DealLimits::given_generate(spec, plan)
            .or(spec.defaults.generate)
            .unwrap_or(GENERATE)
            .min(deals);
        // If only the caller shows deals, few are produced by default, unless a generate limit is given.
        let few = spec.shows_deals && DealLimits::given_generate(spec, plan).is_none();
        let default = match plan.prints_deals || few {
            // The precision ends the run.
            _ if spec.precision.is_some() => generate,
            true => PRODUCE,
            false => generate,
        };
        let produce = given(spec, spec.produce, plan.settings.produce)
            .or(spec.defaults.produce)
            .unwrap_or(default);
        // Only v1 allows produce to exceed generate, which affects nothing but the progress meter.
        let most = if spec.dialect.is_v1() {
            i64::MAX
        } else {
            generate
        };
        DealLimits {
            generate,
            produce: produce.min(most),
        }
    }

    /// Returns the generate limit that the caller or the script gives.
    pub(crate) fn given_generate(spec: &JobSpec, plan: &Plan) -> Option<i64> {
        given(spec, spec.generate, plan.settings.generate)
    }

    /// Returns the limits as counts: 0 for a negative limit.
    #[must_use]
    pub fn counts(self) -> (u64, u64) {
        (self.generate.max(0) as u64, self.produce.max(0) as u64)
    }
}

fn statement(limit: Option<u64>) -> Option<i64> {
    limit.and_then(|limit| i64::try_from(limit).ok())
}

/// Returns the caller's limit, else the script's. Zero counts as not given, except as a request in the native dialect.
fn given(spec: &JobSpec, requested: Option<i64>, limit: Option<u64>) -> Option<i64> {
    let counts = |&n: &i64| n != 0 || spec.dialect == Mode::Native;
    requested
        .filter(counts)
        .or(statement(limit).filter(|&n| n != 0))
}

/// The seed of a run: given or generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The number that the classic generators start from, and that selects the start in a library.
    pub value: i64,
    /// Whether the caller or the script gave the seed; otherwise it was generated.
    pub given: bool,
    /// The key of croupier's generator.
    pub key: Key,
}

impl Seed {
    /// Returns the caller's seed, else the script's, else one from the clock (v1) or the operating system.
    pub(crate) fn merge(spec: &JobSpec, plan: &Plan, clock: bool) -> Result<Seed, Error> {
        let supply = SupplyError::Key;
        let statement = plan.settings.seed.filter(|_| !spec.dialect.is_v1());
        let given = spec.seed.or(statement.filter(|_| spec.key.is_none()));
        let given = given.or(spec.defaults.seed.filter(|_| spec.key.is_none()));
        // In v2 the seed 0 means none.
        let given = given.filter(|&seed| seed != 0 || spec.dialect != Mode::V2);
        if let Some(value) = given {
            return Ok(Seed {
                value,
                given: true,
                key: Key::from_i64(value),
            });
        }
        let value = match spec.dialect {
            Mode::V1 | Mode::Exe if clock => {
                let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
                now.map_or(0, |now| now.as_secs() as i64)
            }
            Mode::V1 | Mode::Exe => {
                let bytes = *Key::from_os().map_err(supply)?.bytes();
                i64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            }
            Mode::V2 => V2Start::from_os().map_err(supply)?.state() as i64,
            // The key decides, because a number has too few bits.
            Mode::Native => 0,
        };
        let key = match (spec.dialect, spec.key) {
            (Mode::Native, Some(key)) => key,
            (Mode::Native, None) => Key::from_os().map_err(supply)?,
            _ => Key::from_i64(value),
        };
        Ok(Seed {
            value,
            given: spec.key.is_some(),
            key,
        })
    }

    pub(crate) fn v2_start(self) -> V2Start {
        if self.given {
            V2Start::from_seed(self.value)
        } else {
            V2Start::from_state(self.value as u64)
        }
    }
}

impl std::fmt::Display for Seed {
    /// Returns the text that repeats the run when it is given as the seed.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.key.seed() {
            Some(_) => write!(f, "{}", self.value as u64),
            None => self.key.fmt(f),
        }
    }
}
