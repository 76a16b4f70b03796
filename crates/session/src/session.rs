//! A job whose script has been compiled and whose settings have been merged.

use std::sync::Arc;

use engine::AuctionSource;
use engine::{Sink, Tally};
use script::expression::Expression;
use script::plan::{Action, Mode, Node, Plan};
use script::{CompileOptions, Diagnostic, LoadError, Loader, ScriptSource};
use usermetrics::UserMetrics;

use crate::error::{Conflict, Error};
use crate::execution::ExecutionOptions;
use crate::imports::{Recorded, Recording};
use crate::job::Job;
use crate::library;
use crate::outcome::Outcome;
use crate::run::Run;
use crate::settings::{DealLimits, RunSettings, Seed};
use crate::spec::{ImportedText, JobSpec};
use crate::supply::{Held, Notice};

/// A job whose script has been compiled and whose settings have been merged: ready to deal.
pub struct Session {
    pub(crate) spec: JobSpec,
    pub(crate) held: Held,
    pub(crate) execution: ExecutionOptions,
    pub(crate) plan: Arc<Plan>,
    pub(crate) settings: RunSettings,
    pub(crate) notices: Vec<Notice>,
    /// The plans of the other scripts of a mixed run.
    pub(crate) mixed: Vec<Plan>,
    warnings: Vec<Diagnostic>,
}

impl Session {
    pub(crate) fn new(job: Job) -> Result<Session, Error> {
        let Job {
            mut spec,
            held,
            loader,
            execution,
            expression,
            fault,
        } = job;
        if let Some(fault) = fault {
            return Err(fault);
        }
        check_ranges(&spec)?;
        if execution.time_limit.is_some() && !execution.clock {
            return Err(Conflict::TimeLimitWithoutClock.into());
        }
        let (random, tournament) = match spec.supply {
            crate::SupplySpec::Random(_) => (spec.dialect == Mode::Native, false),
            crate::SupplySpec::Tournament(_) if spec.dialect != Mode::Native => {
                return Err(Conflict::TournamentInClassicDialect.into());
            }
            crate::SupplySpec::Tournament(_) => (false, true),
            _ => (false, false),
        };
        let levels = spec.level.is_some();
        if (levels && !random && !tournament) || (!spec.mix.is_empty() && !random) {
            return Err(Conflict::LevelNeedsOwnDeals.into());
        }
        let mut reader = Reader {
            loader: &*loader,
            imports: std::mem::take(&mut spec.imports),
        };
        let script = ScriptSource::new(spec.name.clone(), spec.script.bytes());
        let is_native = spec.dialect == Mode::Native && !spec.dealer3;
        let expression = expression.filter(|_| is_native);
        let (mut plan, mut warnings) = reader.compile(&spec, &script, expression.as_ref())?;
        let mut mixed = Vec::new();
        for other in &spec.mix {
            let script = ScriptSource::new(other.name.clone(), other.script.bytes());
            let (plan, more) = reader.compile(&spec, &script, None)?;
            mixed.push(plan);
            warnings.extend(more);
        }
        spec.imports = reader.imports;
        if let Some(kept) = &spec.actions {
            keep_actions(&mut plan, kept);
        }
        if !spec.supply.makes_deals() && spec.dialect == Mode::Native {
            if spec.predeal.values().any(Option::is_some)
                || plan.predeals_cards()
                || plan.predeals_lengths()
            {
                return Err(Conflict::FoundDealsWithPredeal.into());
            }
            if spec.exchange != shuffle::Swap::Off {
                return Err(Conflict::FoundDealsWithSwap.into());
            }
        }
        let seed = Seed::merge(&spec, &plan, execution.clock)?;
        let records = held.library.as_ref().map(|bytes| {
            let records = bytes.size() / formats::zrd::RECORD as u64;
            // DealerV2 counts the records of a title as deals and therefore starts again at the beginning of the file
            // that many records too early.
            let titles = match spec.dialect {
                Mode::Native => library::header_records(bytes)?.len() as u64,
                _ => 0,
            };
            Ok::<u64, Error>(records - titles)
        });
        let records = records.transpose()?;
        let mut settings = RunSettings::merge(&spec, &plan, seed, records);
        if plan.uses_auctions() || mixed.iter().any(|plan| plan.uses_auctions()) {
            settings.bid_all_boards_alike(&spec);
        }
        let mut notices = Vec::new();
        if let (Some(limit), Some(deals)) = (DealLimits::given_generate(&spec, &plan), records)
            && limit > deals as i64
        {
            notices.push(Notice::GenerateBeyondLibrary { limit, deals });
        }
        Ok(Session {
            spec,
            held,
            execution,
            plan: Arc::new(plan),
            settings,
            notices,
            mixed,
            warnings,
        })
    }

    /// Returns the plan of the script.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the merged settings.
    #[must_use]
    pub fn settings(&self) -> &RunSettings {
        &self.settings
    }

    /// Returns the options of the execution.
    #[must_use]
    pub fn execution(&self) -> &ExecutionOptions {
        &self.execution
    }

    /// Returns the warnings about the script.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Returns the job as data, with the texts of all imported files.
    #[must_use]
    pub fn spec(&self) -> &JobSpec {
        &self.spec
    }

    /// Keeps the actions of the script for which `keep` returns true; the others are not computed.
    pub fn retain_actions(&mut self, keep: impl Fn(&Action) -> bool) {
        let before = self.spec.actions.take();
        let kept = self.plan.actions.iter().enumerate();
        let kept: Vec<usize> = kept
            .filter(|(_, action)| keep(action))
            .map(|(place, _)| place)
            .collect();
        if kept.len() < self.plan.actions.len() {
            keep_actions(Arc::make_mut(&mut self.plan), &kept);
            let place = |&place: &usize| before.as_ref().map_or(place, |before| before[place]);
            self.spec.actions = Some(kept.iter().map(place).collect());
        } else {
            self.spec.actions = before;
        }
    }

    /// Returns the key of a tournament, if the caller gave it: secret until the boards have been played.
    #[must_use]
    pub fn tournament_key(&self) -> Option<shuffle::Key> {
        self.spec.supply.tournament_key()
    }

    /// Returns whether the script uses `usereval` or `metric`.
    #[must_use]
    pub fn uses_metrics(&self) -> bool {
        let asks = |node: &Node| matches!(node, Node::UserEval { .. });
        self.plan.nodes.iter().any(asks)
    }

    /// Sets the metrics for `usereval` and `metric`, like [`Job::metrics`].
    pub fn set_metrics(&mut self, metrics: Arc<UserMetrics>) {
        self.execution.metrics = Some(metrics);
    }

    /// Returns whether the script uses the auctions of deals.
    #[must_use]
    pub fn uses_auctions(&self) -> bool {
        self.plan.uses_auctions() || self.mixed.iter().any(|plan| plan.uses_auctions())
    }

    /// Sets the robots for `bids` and similar functions, like [`Job::robots`].
    pub fn set_robots(&mut self, robots: Arc<dyn AuctionSource>) {
        self.execution.robots = Some(robots);
    }

    /// Rejects a script that uses auctions if there are no robots.
    ///
    /// # Errors
    /// If it does; the error has the place of the first use.
    pub fn check_robots(&self) -> Result<(), Error> {
        if self.execution.robots.is_some() {
            return Ok(());
        }
        for plan in std::iter::once(&*self.plan).chain(&self.mixed) {
            let mut nodes = plan.nodes.iter().zip(&plan.facts);
            if let Some((_, facts)) = nodes.find(|(node, _)| matches!(node, Node::Auction(_))) {
                let place = Box::new(plan.sources.place(facts.span));
                return Err(Error::NoRobots { place });
            }
        }
        Ok(())
    }

    /// Starts dealing, at once or in steps.
    ///
    /// # Errors
    /// If there is nothing to deal from, or a levelled or mixed run cannot be made.
    pub fn start(&self) -> Result<Run, Error> {
        self.check_tables()?;
        self.check_metrics()?;
        self.check_robots()?;
        Run::new(self)
    }

    /// Deals until a limit is reached. The sink gets the produced deals in order.
    ///
    /// # Errors
    /// If there is nothing to deal from, or an expression fails on a deal.
    pub fn run(&self, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        self.start()?.finish(sink)
    }

    /// Rejects unknown metrics before the first deal. A user-defined metric may accept any tag.
    ///
    /// # Errors
    /// If the script uses an unknown metric.
    pub fn check_metrics(&self) -> Result<(), Error> {
        if self.execution.metrics.is_some() || self.plan.mode != Mode::Native {
            return Ok(());
        }
        for (node, facts) in self.plan.nodes.iter().zip(&self.plan.facts) {
            if let Node::UserEval { tag, .. } = node
                && !usermetrics::is_built_in(*tag)
            {
                return Err(Error::UnknownMetric {
                    tag: *tag,
                    place: Box::new(self.plan.sources.place(facts.span)),
                });
            }
        }
        Ok(())
    }

    /// Rejects tables with too many cells.
    ///
    /// # Errors
    /// If there is such a table.
    pub fn check_tables(&self) -> Result<(), Error> {
        /// The classic programs run out of memory at about this size too.
        const MOST_CELLS: u128 = 1 << 24;
        let mut tallies = self.plan.actions.iter().filter_map(Tally::for_action);
        match tallies.any(|tally| tally.cells() > MOST_CELLS) {
            true => Err(Error::TableTooLarge),
            false => Ok(()),
        }
    }
}

/// Rejects settings that are out of range. The classic dialects accept negative limits: they deal nothing then.
fn check_ranges(spec: &JobSpec) -> Result<(), Error> {
    let is_native = spec.dialect == Mode::Native;
    let number = |number: Option<u64>| number.map(|it| i64::try_from(it).unwrap_or(i64::MAX));
    let settings = [
        ("produce", spec.produce.filter(|_| is_native), 0),
        ("generate", spec.generate.filter(|_| is_native), 0),
        ("first_board", number(spec.first_board), 1),
        ("level_budget", number(spec.level_budget), 1),
    ];
    for (setting, value, least) in settings {
        if let Some(value) = value.filter(|&value| value < least) {
            return Err(Error::OutOfRange {
                setting,
                value,
                least,
            });
        }
    }
    Ok(())
}

fn keep_actions(plan: &mut Plan, kept: &[usize]) {
    let mut place = 0;
    plan.retain_actions(|_| {
        place += 1;
        kept.contains(&(place - 1))
    });
}

/// Compiles scripts with their imports.
struct Reader<'a> {
    loader: &'a dyn Loader,
    imports: Vec<ImportedText>,
}

impl Reader<'_> {
    fn compile(
        &mut self,
        spec: &JobSpec,
        script: &ScriptSource,
        expression: Option<&Expression>,
    ) -> Result<(Plan, Vec<Diagnostic>), Error> {
        let known = std::mem::take(&mut self.imports);
        let recorded = Recorded(&known);
        let recording = Recording::new(self.loader);
        let both = Both(&recorded, &recording);
        let options = CompileOptions {
            mode: spec.dialect,
            script_variables: spec.variables.clone(),
            loader: &both,
            predeal: spec.predeal.clone(),
            opener: spec.opener,
            // Overriding a statement of the script is common, so there is no warning.
            generate: false,
            produce: false,
            dealer3: spec.dealer3,
        };
        let compiled = match expression {
            Some(expression) => script::expression::compile(expression, &script.name, &options),
            None => script::compile(script, &options),
        };
        let compiled = compiled.map_err(Error::Script);
        let found = recording.found();
        self.imports = known;
        self.imports.extend(found);
        compiled
    }
}

/// A loader that tries the texts in the job first and then the job's loader.
struct Both<'a>(&'a Recorded<'a>, &'a Recording<'a>);

impl Loader for Both<'_> {
    fn load(&self, importer: &str, path: &str) -> Result<script::Loaded, LoadError> {
        match self.0.load(importer, path) {
            Ok(loaded) => Ok(loaded),
            Err(_) => self.1.load(importer, path),
        }
    }
}
