//! What is wanted: a script and the caller's wishes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cards::{Seat, Vulnerability};
use engine::{SamplerUse, Sink};
use script::Loader;
use script::plan::Mode;
use shuffle::{Key, Swap};
use usermetrics::UserMetrics;

use crate::error::Error;
use crate::imports::NoImports;
use crate::outcome::Outcome;
use crate::session::Session;
use crate::spec::{JobSpec, MixedScript, ScriptText, SupplySpec, Usual};
use crate::supply::{Held, Supply};

/// How a job is done, as opposed to what it is: nothing of this changes the result, except that a time limit or the
/// cancel flag may end it early.
#[derive(Clone)]
pub(crate) struct Manner {
    pub threads: usize,
    pub batch: usize,
    pub solver_memory: u32,
    pub time_limit: Option<Duration>,
    pub cancel: Arc<AtomicBool>,
    pub clock: bool,
    pub metrics: Option<Arc<UserMetrics>>,
}

/// A script and the caller's wishes. What the caller does not wish is decided by the script or, failing that, by the
/// defaults; see [`Settings`](crate::Settings).
///
/// A job reads no file, prints nothing and asks no clock but for a time limit, the seconds of the outcome and the seed
/// of the oldest dialect.
#[must_use]
pub struct Job {
    pub(crate) spec: JobSpec,
    pub(crate) held: Held,
    pub(crate) loader: Arc<dyn Loader + Send + Sync>,
    pub(crate) manner: Manner,
}

impl Job {
    /// A job with a script in croupier's own dialect and no wishes.
    pub fn new(script: impl Into<ScriptText>) -> Job {
        Job::from_spec(JobSpec {
            name: "script".into(),
            script: script.into(),
            ..JobSpec::default()
        })
    }

    /// The job that was described. It finds the imported texts in the description; a library or given deals must be
    /// [brought](Self::supply) again.
    pub fn from_spec(spec: JobSpec) -> Job {
        Job {
            spec,
            held: Held::default(),
            loader: Arc::new(NoImports),
            manner: Manner {
                threads: 0,
                batch: 0,
                solver_memory: engine::Options::default().solver_memory,
                time_limit: None,
                cancel: Arc::new(AtomicBool::new(false)),
                clock: true,
                metrics: None,
            },
        }
    }

    /// The job as data.
    #[must_use]
    pub fn spec(&self) -> &JobSpec {
        &self.spec
    }

    /// The name of the script in messages.
    pub fn name(mut self, name: impl Into<String>) -> Job {
        self.spec.name = name.into();
        self
    }

    /// Whose meaning the script has, and whose generator deals.
    pub fn dialect(mut self, dialect: Mode) -> Job {
        self.spec.dialect = dialect;
        self
    }

    /// Operators group as in dealer3: `not a > b` negates the comparison, `a == b == c` compares all three.
    pub fn dealer3(mut self, dealer3: bool) -> Job {
        self.spec.dealer3 = dealer3;
        self
    }

    /// The produced deals are put in an order that spreads the script's classes evenly.
    pub fn interleave(mut self, interleave: bool) -> Job {
        self.spec.interleave = interleave;
        self
    }

    /// The seed of `rnd`, apart from that of the deals.
    pub fn rnd_seed(mut self, seed: i64) -> Job {
        self.spec.rnd_seed = Some(seed);
        self
    }

    /// Deals dealt for each deal kept that a levelled script may cost; the shares move towards nature to fit.
    pub fn level_budget(mut self, deals: u64) -> Job {
        self.spec.level_budget = Some(deals);
        self
    }

    /// Where `import` looks. Without this the script can import nothing.
    pub fn imports(mut self, loader: impl Loader + Send + Sync + 'static) -> Job {
        self.loader = Arc::new(loader);
        self
    }

    /// The text of `$0` to `$9`; other numbers have no effect.
    pub fn variable(mut self, number: usize, text: impl Into<String>) -> Job {
        if let Some(variable) = self.spec.variables.get_mut(number) {
            *variable = Some(text.into());
        }
        self
    }

    /// The seed, over the script's.
    pub fn seed(mut self, seed: i64) -> Job {
        (self.spec.seed, self.spec.key) = (Some(seed), None);
        self
    }

    /// The key, over the script's seed.
    pub fn key(mut self, key: Key) -> Job {
        (self.spec.seed, self.spec.key) = (None, Some(key));
        self
    }

    /// The run ends with this many produced deals.
    pub fn produce(mut self, deals: u64) -> Job {
        self.spec.produce = Some(i64::try_from(deals).unwrap_or(i64::MAX));
        self
    }

    /// At most so many deals are looked at.
    pub fn generate(mut self, deals: u64) -> Job {
        self.spec.generate = Some(i64::try_from(deals).unwrap_or(i64::MAX));
        self
    }

    /// Defaults in place of the usual ones.
    pub fn usual(mut self, usual: Usual) -> Job {
        self.spec.usual = usual;
        self
    }

    /// The caller shows the produced deals, whatever the script's actions are: then 40 are produced by default.
    pub fn shows_deals(mut self, shows: bool) -> Job {
        self.spec.shows_deals = shows;
        self
    }

    /// Cards for a seat, over the script's: `SAKQ,H2`.
    pub fn predeal(mut self, seat: Seat, cards: impl Into<String>) -> Job {
        self.spec.predeal[seat] = Some(cards.into());
        self
    }

    /// Several deals from each by exchanging hands.
    pub fn swap(mut self, swap: Swap) -> Job {
        self.spec.swap = swap;
        self
    }

    /// Where the deals come from.
    pub fn supply(mut self, supply: Supply) -> Job {
        self.spec.supply = match supply {
            Supply::Random(usage) => SupplySpec::Random(usage),
            Supply::Tournament(key) => SupplySpec::Tournament(key),
            Supply::Library(bytes) => {
                self.held.library = Some(bytes);
                SupplySpec::Library
            }
            Supply::Given(deals) => {
                self.held.given = Some(deals).into();
                SupplySpec::Given
            }
        };
        self
    }

    /// When the exact sampler deals: the same as [`Supply::Random`].
    pub fn sampler(self, usage: SamplerUse) -> Job {
        self.supply(Supply::Random(usage))
    }

    /// Who opens, for `opc`, over the script's.
    pub fn opener(mut self, opener: Seat) -> Job {
        self.spec.opener = Some(opener);
        self
    }

    /// Vulnerability of `par` without one.
    pub fn par_vulnerability(mut self, vulnerability: Vulnerability) -> Job {
        self.spec.vulnerability = Some(vulnerability);
        self
    }

    /// Every produced deal gets its double-dummy results, also if no action asks for them.
    pub fn solve(mut self, solve: bool) -> Job {
        self.spec.solve = solve;
        self
    }

    /// The title, over the script's; an empty one removes it.
    pub fn title(mut self, title: impl Into<ScriptText>) -> Job {
        self.spec.title = Some(title.into());
        self
    }

    /// The dealer of all boards, over the script's.
    pub fn dealer(mut self, dealer: Seat) -> Job {
        self.spec.dealer = Some(dealer);
        self
    }

    /// The vulnerability of all boards, over the script's.
    pub fn vulnerable(mut self, vulnerable: Vulnerability) -> Job {
        self.spec.vulnerable = Some(vulnerable);
        self
    }

    /// Classes of deals in these proportions: `Game=2,Slam=1`, or nothing for all classes of the script, equally.
    pub fn level(mut self, classes: impl Into<String>) -> Job {
        self.spec.level = Some(classes.into());
        self
    }

    /// The classes of a levelled run and the scripts of a mixed one are spread evenly: every run of as many deals as there
    /// are parts has each as often as its share. Otherwise their order is shuffled.
    pub fn even(mut self, even: bool) -> Job {
        self.spec.even = even;
        self
    }

    /// The deals are taken as they come, whatever the script's `level` says.
    pub fn as_dealt(mut self) -> Job {
        (self.spec.level, self.spec.as_dealt) = (None, true);
        self
    }

    /// Mixes in the deals of another script: so many parts of all deals come from it.
    pub fn mix(
        mut self,
        name: impl Into<String>,
        script: impl Into<ScriptText>,
        share: u64,
    ) -> Job {
        self.spec.mix.push(MixedScript {
            name: name.into(),
            script: script.into(),
            share,
        });
        self
    }

    /// How many parts of a mixed run are the first script's.
    pub fn share(mut self, share: u64) -> Job {
        self.spec.share = share;
        self
    }

    /// What `usereval` and `metric` ask. Without this the built-in metrics answer.
    pub fn metrics(mut self, metrics: Arc<UserMetrics>) -> Job {
        self.manner.metrics = Some(metrics);
        self
    }

    /// Worker threads; 0 means one for each core, 1 means that no thread is started.
    pub fn threads(mut self, threads: usize) -> Job {
        self.manner.threads = threads;
        self
    }

    /// Blocks of 1024 deals a thread takes at a time; 0 lets the engine choose.
    pub fn batch(mut self, blocks: usize) -> Job {
        self.manner.batch = blocks;
        self
    }

    /// Megabytes that each thread's double-dummy solver may use.
    pub fn solver_memory(mut self, megabytes: u32) -> Job {
        self.manner.solver_memory = megabytes;
        self
    }

    /// Stop after this time, with the results so far. The oldest dialect stops only if nothing was produced by then.
    pub fn time_limit(mut self, limit: Duration) -> Job {
        self.manner.time_limit = Some(limit);
        self
    }

    /// Stop soon after this becomes true, with the results so far.
    pub fn cancel(mut self, cancel: Arc<AtomicBool>) -> Job {
        self.manner.cancel = cancel;
        self
    }

    /// Runs where there are neither threads nor a clock, as in a browser.
    pub fn without_threads_or_clock(mut self) -> Job {
        self.manner.threads = 1;
        self.manner.clock = false;
        self
    }

    /// Reads the script and merges the settings.
    ///
    /// # Errors
    /// If the script has errors or the wishes exclude each other.
    pub fn prepare(self) -> Result<Session, Error> {
        Session::new(self)
    }

    /// Does the job: hands the produced deals to the sink in order and gives back everything else.
    ///
    /// # Errors
    /// If the script has errors, the wishes exclude each other, or an expression fails on a deal.
    pub fn run(self, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        self.prepare()?.run(sink)
    }
}
