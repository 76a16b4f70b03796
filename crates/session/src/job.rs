//! A job: a script and the settings that the caller requests.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cards::{Seat, Vulnerability};
use engine::AuctionSource;
use engine::{Progress, SamplerUse, Sink};
use script::Loader;
use script::expression::Expression;
use shuffle::{Key, Swap};
use statistics::precision::Precision;
use usermetrics::UserMetrics;

use crate::error::Error;
use crate::execution::ExecutionOptions;
use crate::imports::NoImports;
use crate::outcome::Outcome;
use crate::session::Session;
use crate::spec::{DefaultSettings, JobScript, JobSpec, MixedScript, ScriptText};
use crate::supply::{Held, Supply};

/// A script and the settings that the caller requests. The script decides the settings that the caller does not
/// request, and the defaults the rest; see [`RunSettings`](crate::RunSettings).
///
/// A job reads no file and prints nothing. It reads the clock only for a time limit, the seconds of the outcome and the
/// seed of the v1 dialect.
#[must_use]
pub struct Job {
    pub(crate) spec: JobSpec,
    pub(crate) held: Held,
    pub(crate) loader: Arc<dyn Loader + Send + Sync>,
    pub(crate) execution: ExecutionOptions,
    /// The condition that was built in Rust.
    pub(crate) expression: Option<Expression>,
    /// The first argument that was out of range; [`prepare`](Self::prepare) returns it.
    pub(crate) fault: Option<Error>,
}

/// A text in croupier's own dialect, or an expression, without requested settings.
impl<T: Into<JobScript>> From<T> for Job {
    fn from(script: T) -> Job {
        Job::new(script)
    }
}

impl Job {
    /// Creates a job in croupier's own dialect without requested settings. The script is a text, or an
    /// [`Expression`](script::expression::Expression): its condition.
    ///
    /// ```
    /// use script::expression::north;
    /// use croupier_session::{Job, NoDeals};
    ///
    /// let job = Job::new(north().hcp().between(15, 17) & north().balanced());
    /// assert_eq!(job.seed(1).produce(10).run(&mut NoDeals)?.produced, 10);
    /// # Ok::<(), croupier_session::Error>(())
    /// ```
    pub fn new(script: impl Into<JobScript>) -> Job {
        let JobScript { text, expression } = script.into();
        let job = Job::from_spec(JobSpec {
            name: "script".into(),
            script: text,
            ..JobSpec::default()
        });
        Job { expression, ..job }
    }

    /// Creates a job from its description. The texts of imports are in the description; a library or given deals must
    /// be [supplied](Self::supply) again.
    pub fn from_spec(spec: JobSpec) -> Job {
        Job {
            spec,
            held: Held::default(),
            loader: Arc::new(NoImports),
            execution: ExecutionOptions::default(),
            expression: None,
            fault: None,
        }
    }

    /// Returns the job as data.
    #[must_use]
    pub fn spec(&self) -> &JobSpec {
        &self.spec
    }

    /// Sets the name of the script in messages.
    pub fn name(mut self, name: impl Into<String>) -> Job {
        self.spec.name = name.into();
        self
    }

    /// Sets the dialect of the script, which also decides the generator.
    pub fn dialect(mut self, dialect: impl Into<script::Dialect>) -> Job {
        let dialect = dialect.into();
        self.spec.dialect = dialect.mode;
        self.spec.dealer3 |= dialect.dealer3;
        self
    }

    /// Makes operators group as in dealer3: `not a > b` negates the comparison, `a == b == c` compares all three.
    pub fn dealer3(mut self, dealer3: bool) -> Job {
        self.spec.dealer3 = dealer3;
        self
    }

    /// Orders the produced deals so that the script's classes are spread evenly.
    pub fn interleave(mut self, interleave: bool) -> Job {
        self.spec.interleave = interleave;
        self
    }

    /// Sets a seed for `rnd` that is independent of the deals.
    pub fn rnd_seed(mut self, seed: i64) -> Job {
        self.spec.rnd_seed = Some(seed);
        self
    }

    /// Sets how many deals a levelled script may generate per deal kept; the shares move towards the natural ones to
    /// fit.
    pub fn level_budget(mut self, deals: u64) -> Job {
        self.spec.level_budget = Some(deals);
        self
    }

    /// Sets the loader for `import`. Without it the script can import nothing.
    pub fn imports(mut self, loader: impl Loader + Send + Sync + 'static) -> Job {
        self.loader = Arc::new(loader);
        self
    }

    /// Sets the text of `$0` to `$9`. With another number [`prepare`](Self::prepare) fails.
    pub fn variable(mut self, number: usize, text: impl Into<String>) -> Job {
        match self.spec.variables.get_mut(number) {
            Some(variable) => *variable = Some(text.into()),
            None => {
                self.fault.get_or_insert(Error::NoSuchVariable(number));
            }
        }
        self
    }

    /// Sets the seed; overrides the script's.
    pub fn seed(mut self, seed: i64) -> Job {
        (self.spec.seed, self.spec.key) = (Some(seed), None);
        self
    }

    /// Sets the key; overrides the script's seed.
    pub fn key(mut self, key: Key) -> Job {
        (self.spec.seed, self.spec.key) = (None, Some(key));
        self
    }

    /// Sets the number of produced deals after which the run ends.
    pub fn produce(mut self, deals: u64) -> Job {
        self.spec.produce = Some(i64::try_from(deals).unwrap_or(i64::MAX));
        self
    }

    /// Sets the maximum number of deals to generate.
    pub fn generate(mut self, deals: u64) -> Job {
        self.spec.generate = Some(i64::try_from(deals).unwrap_or(i64::MAX));
        self
    }

    /// Replaces the default settings.
    pub fn defaults(mut self, defaults: DefaultSettings) -> Job {
        self.spec.defaults = defaults;
        self
    }

    /// Ends the run when its averages are this precise: every `average` that needs the double-dummy solver, or every
    /// `average` if none does, and every `evalcontract`. Then there is no default number of produced deals.
    pub fn precision(mut self, precision: Precision) -> Job {
        self.spec.precision = Some(precision);
        self
    }

    /// Declares that the caller shows the produced deals whatever the script's actions are: then 40 are produced by
    /// default.
    pub fn shows_deals(mut self, shows: bool) -> Job {
        self.spec.shows_deals = shows;
        self
    }

    /// Sets the cards of a seat, as in `SAKQ,H2`; overrides the script's.
    pub fn predeal(mut self, seat: Seat, cards: impl Into<String>) -> Job {
        self.spec.predeal[seat] = Some(cards.into());
        self
    }

    /// Derives several deals from each by exchanging hands.
    pub fn exchange(mut self, exchange: Swap) -> Job {
        self.spec.exchange = exchange;
        self
    }

    /// Sets the source of the deals.
    pub fn supply(mut self, supply: Supply) -> Job {
        self.spec.supply = supply.into_spec(&mut self.held);
        self
    }

    /// Sets when the exact sampler deals: short for [`Supply::Random`].
    pub fn sampler(self, usage: SamplerUse) -> Job {
        self.supply(Supply::Random(usage))
    }

    /// Sets the opener for `opc`; overrides the script's.
    pub fn opener(mut self, opener: Seat) -> Job {
        self.spec.opener = Some(opener);
        self
    }

    /// Sets the vulnerability for `par` without an argument.
    pub fn par_vulnerability(mut self, vulnerability: Vulnerability) -> Job {
        self.spec.par_vulnerability = Some(vulnerability);
        self
    }

    /// Gives every produced deal its double-dummy results, even if no action needs them.
    pub fn solve(mut self, solve: bool) -> Job {
        self.spec.solve = solve;
        self
    }

    /// Sets the title; overrides the script's. An empty one removes it.
    pub fn title(mut self, title: impl Into<ScriptText>) -> Job {
        self.spec.title = Some(title.into());
        self
    }

    /// Sets the dealer of all boards; overrides the script's.
    pub fn dealer(mut self, dealer: Seat) -> Job {
        self.spec.dealer = Some(dealer);
        self
    }

    /// Sets the vulnerability of all boards; overrides the script's.
    pub fn vulnerable(mut self, vulnerable: Vulnerability) -> Job {
        self.spec.vulnerable = Some(vulnerable);
        self
    }

    /// Sets the number of the first board; overrides the script's.
    pub fn first_board(mut self, number: u64) -> Job {
        self.spec.first_board = Some(number);
        self
    }

    /// Levels classes of deals in these proportions: `Game=2,Slam=1`; empty for all classes of the script, equally.
    pub fn level(mut self, classes: impl Into<String>) -> Job {
        self.spec.level = Some(classes.into());
        self
    }

    /// Spreads the classes of a levelled run or the scripts of a mixed one evenly over the deals. The run then has rounds of as
    /// many deals as the sum of the shares, and in each round every class occurs as often as its share. Otherwise their order is
    /// random.
    pub fn even(mut self, even: bool) -> Job {
        self.spec.even = even;
        self
    }

    /// Ignores the script's `level` statement.
    pub fn as_dealt(mut self) -> Job {
        (self.spec.level, self.spec.as_dealt) = (None, true);
        self
    }

    /// Mixes in the deals of another script with this share.
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

    /// Sets the share of the first script in a mixed run.
    pub fn share(mut self, share: u64) -> Job {
        self.spec.share = share;
        self
    }

    /// Sets the names of the bidding systems of North-South and East-West. The caller opens them as [`robots`](Self::robots).
    pub fn systems(mut self, systems: [String; 2]) -> Job {
        self.spec.systems = Some(systems);
        self
    }

    /// Replaces all execution options.
    pub fn execution(mut self, execution: ExecutionOptions) -> Job {
        self.execution = execution;
        self
    }

    /// Sets the metrics for `usereval` and `metric`. Without it they are the built-in ones.
    pub fn metrics(mut self, metrics: Arc<UserMetrics>) -> Job {
        self.execution.metrics = Some(metrics);
        self
    }

    /// Sets the robots for `bids` and similar functions.
    pub fn robots(mut self, robots: Arc<dyn AuctionSource>) -> Job {
        self.execution.robots = Some(robots);
        self
    }

    /// Sets the number of worker threads; 0 means one for each core, 1 means that no thread is started.
    pub fn threads(mut self, threads: usize) -> Job {
        self.execution.threads = threads;
        self
    }

    /// Sets the blocks of 1024 deals per unit of work; 0 lets the engine choose.
    pub fn batch(mut self, blocks: usize) -> Job {
        self.execution.batch = blocks;
        self
    }

    /// Sets the megabytes of memory for the double-dummy solver of each thread.
    pub fn solver_memory(mut self, megabytes: u32) -> Job {
        self.execution.solver_memory = megabytes;
        self
    }

    /// Stops after this time, with the results so far. The v1 dialect stops only if nothing was produced by then.
    pub fn time_limit(mut self, limit: Duration) -> Job {
        self.execution.time_limit = Some(limit);
        self
    }

    /// Sets a flag that stops the run soon after it becomes true, with the results so far.
    pub fn cancel(mut self, cancel: Arc<AtomicBool>) -> Job {
        self.execution.cancel = cancel;
        self
    }

    /// Sets a function that receives the progress of the run from time to time.
    pub fn progress(mut self, progress: impl Fn(Progress) + Send + Sync + 'static) -> Job {
        self.execution.progress = Some(Arc::new(progress));
        self
    }

    /// Runs without threads and clock, as in a browser.
    pub fn without_threads_or_clock(mut self) -> Job {
        self.execution.threads = 1;
        self.execution.clock = false;
        self
    }

    /// Reads the script and merges the settings.
    ///
    /// # Errors
    /// If the script has errors or the requested settings exclude each other.
    pub fn prepare(self) -> Result<Session, Error> {
        Session::new(self)
    }

    /// Runs the job: passes the produced deals to the sink in order and returns everything else.
    ///
    /// # Errors
    /// If the script has errors, the requested settings exclude each other, or an expression fails on a deal.
    pub fn run(self, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        self.prepare()?.run(sink)
    }
}
