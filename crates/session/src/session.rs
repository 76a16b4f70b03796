//! A job whose script has been read and whose settings have been merged.

use std::sync::Arc;

use engine::{Sink, Tally};
use script::plan::{Action, Mode, Node, Plan};
use script::{CompileOptions, Diagnostic, Loader, Source};
use usermetrics::UserMetrics;

use crate::error::{Conflict, Error};
use crate::imports::{Recorded, Recording};
use crate::job::{Job, Manner};
use crate::library;
use crate::outcome::Outcome;
use crate::run::Run;
use crate::settings::{Limits, Seed, Settings};
use crate::spec::{ImportedText, JobSpec};
use crate::supply::{Held, Notice};

/// A job whose script has been read and whose settings have been merged: ready to deal.
pub struct Session {
    pub(crate) spec: JobSpec,
    pub(crate) held: Held,
    pub(crate) manner: Manner,
    pub(crate) plan: Arc<Plan>,
    pub(crate) settings: Settings,
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
            manner,
        } = job;
        if manner.time_limit.is_some() && !manner.clock {
            return Err(Conflict::TimeLimitWithoutClock.into());
        }
        let (random, tournament) = match spec.supply {
            crate::SupplySpec::Random(_) => (spec.dialect == Mode::Native, false),
            crate::SupplySpec::Tournament(_) => (false, spec.dialect == Mode::Native),
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
        let script = Source::new(spec.name.clone(), spec.script.bytes());
        let (mut plan, mut warnings) = reader.compile(&spec, &script)?;
        let mut mixed = Vec::new();
        for other in &spec.mix {
            let script = Source::new(other.name.clone(), other.script.bytes());
            let (plan, more) = reader.compile(&spec, &script)?;
            mixed.push(plan);
            warnings.extend(more);
        }
        spec.imports = reader.imports;
        if let Some(kept) = &spec.actions {
            keep_actions(&mut plan, kept);
        }
        let found = matches!(
            spec.supply,
            crate::SupplySpec::Library | crate::SupplySpec::Given
        );
        if found && spec.dialect == Mode::Native {
            if spec.predeal.values().any(Option::is_some)
                || plan.predeals_cards()
                || plan.predeals_lengths()
            {
                return Err(Conflict::FoundDealsWithPredeal.into());
            }
            if spec.swap != shuffle::Swap::Off {
                return Err(Conflict::FoundDealsWithSwap.into());
            }
        }
        let seed = Seed::merge(&spec, &plan, manner.clock)?;
        let records = held.library.as_ref().map(|bytes| {
            let records = bytes.size() / formats::zrd::RECORD as u64;
            // DealerV2 takes the records of a title for deals and begins again so much too early.
            let titles = match spec.dialect {
                Mode::Native => library::header_records(bytes)?.len() as u64,
                _ => 0,
            };
            Ok::<u64, Error>(records - titles)
        });
        let records = records.transpose()?;
        let settings = Settings::merge(&spec, &plan, seed, records);
        let mut notices = Vec::new();
        if let (Some(limit), Some(deals)) = (Limits::given_generate(&spec, &plan), records)
            && limit > deals as i64
        {
            notices.push(Notice::GenerateBeyondLibrary { limit, deals });
        }
        Ok(Session {
            spec,
            held,
            manner,
            plan: Arc::new(plan),
            settings,
            notices,
            mixed,
            warnings,
        })
    }

    /// The plan of the script.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What counts: wishes, statements and defaults merged.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The warnings about the script.
    #[must_use]
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The job as data, with the texts of all imported files.
    #[must_use]
    pub fn spec(&self) -> &JobSpec {
        &self.spec
    }

    /// Drops the actions of the script for which `keep` says no: they are not computed.
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

    /// The key of a tournament, if the caller gave it: a secret until the boards have been played.
    #[must_use]
    pub fn tournament_key(&self) -> Option<shuffle::Key> {
        match self.spec.supply {
            crate::SupplySpec::Tournament(key) => key,
            _ => None,
        }
    }

    /// Whether the script asks `usereval` or `metric`.
    #[must_use]
    pub fn asks_metrics(&self) -> bool {
        let asks = |node: &Node| matches!(node, Node::UserEval { .. });
        self.plan.nodes.iter().any(asks)
    }

    /// What `usereval` and `metric` ask, as [`Job::metrics`].
    pub fn set_metrics(&mut self, metrics: Arc<UserMetrics>) {
        self.manner.metrics = Some(metrics);
    }

    /// Starts dealing: what follows can be done in one go or in steps.
    ///
    /// # Errors
    /// If there is nothing to deal from, or a levelled or mixed run cannot be made.
    pub fn start(&self) -> Result<Run, Error> {
        self.check_tables()?;
        self.check_metrics()?;
        Run::new(self)
    }

    /// Deals until a limit is reached. The sink gets the produced deals in order.
    ///
    /// # Errors
    /// If there is nothing to deal from, or an expression fails on a deal.
    pub fn run(&self, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        self.start()?.finish(sink)
    }

    /// Refuses questions that no metric answers, before a deal is dealt. A metric of the caller's own may know any tag.
    ///
    /// # Errors
    /// If the script asks one.
    pub fn check_metrics(&self) -> Result<(), Error> {
        if self.manner.metrics.is_some() || self.plan.mode != Mode::Native {
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

    /// Refuses tables that nobody could read.
    ///
    /// # Errors
    /// If there is one.
    pub fn check_tables(&self) -> Result<(), Error> {
        /// The classic programs run out of memory somewhere there too.
        const MOST_CELLS: u128 = 1 << 24;
        let mut tallies = self.plan.actions.iter().filter_map(Tally::for_action);
        match tallies.any(|tally| tally.cells() > MOST_CELLS) {
            true => Err(Error::TableTooLarge),
            false => Ok(()),
        }
    }
}

fn keep_actions(plan: &mut Plan, kept: &[usize]) {
    let mut place = 0;
    plan.retain_actions(|_| {
        place += 1;
        kept.contains(&(place - 1))
    });
}

/// Reads scripts, with what they import.
struct Reader<'a> {
    loader: &'a dyn Loader,
    imports: Vec<ImportedText>,
}

impl Reader<'_> {
    fn compile(
        &mut self,
        spec: &JobSpec,
        script: &Source,
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
            // A wish over a statement is an everyday thing, not worth a warning.
            generate: false,
            produce: false,
            dealer3: spec.dealer3,
        };
        let compiled = script::compile(script, &options).map_err(Error::Script);
        let found = recording.found();
        self.imports = known;
        self.imports.extend(found);
        compiled
    }
}

/// What the job holds itself, else what its loader finds.
struct Both<'a>(&'a Recorded<'a>, &'a Recording<'a>);

impl Loader for Both<'_> {
    fn load(&self, importer: &str, path: &str) -> Result<script::Loaded, String> {
        match self.0.load(importer, path) {
            Ok(loaded) => Ok(loaded),
            Err(_) => self.1.load(importer, path),
        }
    }
}
