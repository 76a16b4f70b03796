//! Runs of a session: all deals at once, or in steps.

use std::sync::Arc;
use std::time::Instant;

use engine::{Ended, Options, Progress, Report, RunError, Sink, SolverCalls, Tally, TimeLimit};
use script::plan::{Mode, Plan};
use shuffle::{BLOCK_DEALS, Swap};

use crate::error::{Conflict, Error};
use crate::execution::{ExecutionOptions, ProgressFunction};
use crate::level::{self, Mixed};
use crate::outcome::{Origin, Outcome};
use crate::precision::{Averages, PrecisionSink};
use crate::session::Session;
use crate::settings::RunSettings;
use crate::strata::{StrataCollector, StrataSink};
use crate::supply::{self, Notice, OpenSupply};

/// A run: all at once, or in steps between which the caller does something else.
pub struct Run {
    plan: Arc<Plan>,
    settings: RunSettings,
    execution: ExecutionOptions,
    solve: bool,
    /// Whether deals are derived from one another by exchanging hands.
    exchanges_hands: bool,
    supply: OpenSupply,
    notices: Vec<Notice>,
    mixed: Option<Mixed>,
    /// The counts by class of a levelled or mixed run.
    strata: Option<StrataCollector>,
    /// The averages that end the run when they are precise.
    averages: Option<Averages>,
    started: Option<Instant>,
    progress: Progress,
    tallies: Vec<Option<Tally>>,
    calls: SolverCalls,
    ended: Option<Ended>,
}

impl Run {
    pub(crate) fn new(session: &Session) -> Result<Run, Error> {
        let started = session.execution.clock.then(Instant::now);
        let mut notices = session.notices.clone();
        let (spec, settings) = (&session.spec, &session.settings);
        let mixed = level::mix(session)?;
        let (plan, supply, mixed, strata) = match mixed {
            None => {
                let plan = Arc::clone(&session.plan);
                let execution = &session.execution;
                let supply = supply::open(
                    spec,
                    &session.held,
                    &plan,
                    settings,
                    execution,
                    &mut notices,
                )?;
                (plan, supply, None, None)
            }
            Some(made) => {
                // All deals satisfy the condition already, so it is not evaluated again.
                let plan = Plan::clone(&session.plan).without_condition();
                let supply = OpenSupply::made(made.deals, settings.seed.key, made.tournament);
                let strata = StrataCollector::new(&plan, made.components);
                (Arc::new(plan), supply, Some(made.mixed), strata)
            }
        };
        let averages = match spec.precision {
            Some(_) if mixed.is_some() => return Err(Conflict::PrecisionWithProportions.into()),
            Some(precision) => Some(Averages::new(
                &plan,
                precision,
                spec.exchange.arrangements(),
            )?),
            None => None,
        };
        Ok(Run {
            tallies: plan.actions.iter().map(Tally::for_action).collect(),
            plan,
            settings: settings.clone(),
            execution: session.execution.clone(),
            solve: spec.solve,
            exchanges_hands: spec.exchange != Swap::Off,
            supply,
            notices,
            mixed,
            strata,
            averages,
            started,
            progress: Progress::default(),
            calls: SolverCalls::default(),
            ended: None,
        })
    }

    /// Sets the function that receives the progress, like [`Job::progress`](crate::Job::progress).
    pub fn set_progress(&mut self, progress: ProgressFunction) {
        self.execution.progress = Some(progress);
    }

    /// Returns the plan of the run.
    #[must_use]
    pub fn plan(&self) -> Arc<Plan> {
        Arc::clone(&self.plan)
    }

    /// Returns notices about settings that are ignored or replaced in this run.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Returns the result of a levelled or mixed run, whose deals are made at the start.
    #[must_use]
    pub fn mixed(&self) -> Option<&Mixed> {
        self.mixed.as_ref()
    }

    /// Returns the title stored in the library, if the deals come from one that has a title.
    #[must_use]
    pub fn library_title(&self) -> Option<Vec<u8>> {
        self.supply.title()
    }

    /// Returns the key of a tournament: secret until the boards have been played.
    #[must_use]
    pub fn tournament_key(&self) -> Option<shuffle::Key> {
        self.supply.tournament_key()
    }

    /// Returns the deal numbers of the boards of a levelled tournament, in order; `None` for other runs, whose deals
    /// have their numbers themselves.
    #[must_use]
    pub fn tournament_numbers(&self) -> Option<&[u64]> {
        self.supply.tournament_numbers()
    }

    /// Returns the origin of the deals.
    #[must_use]
    pub fn origin(&self) -> Origin {
        let exhausted = self.ended == Some(Ended::Exhausted);
        self.supply
            .origin(&self.settings, self.progress.generated, exhausted)
    }

    /// Returns the progress of the run.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Deals until the end.
    ///
    /// # Errors
    /// If an expression or the source fails. The deals before that have been passed to the sink.
    pub fn finish(&mut self, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        let (generate, _) = self.settings.limits.counts();
        if self.ended.is_none() {
            let report = self.deal(generate, self.execution.threads, sink)?;
            self.ended = Some(report);
        }
        Ok(self.outcome())
    }

    /// Evaluates at least `deals` more deals (rounded up to whole blocks) on this thread alone. Returns whether there
    /// is more to do. With rare conditions the sampler skips most deal numbers, so use larger steps while they are
    /// fast.
    ///
    /// # Errors
    /// If an expression or the source fails. The deals before that have been passed to the sink.
    pub fn step(&mut self, deals: u64, sink: &mut dyn Sink) -> Result<bool, Error> {
        if self.ended.is_some() {
            return Ok(false);
        }
        let (until, last) = self.after(deals);
        let ended = self.deal(until, 1, sink)?;
        if ended != Ended::Generated || last {
            self.ended = Some(ended);
        }
        Ok(self.ended.is_none())
    }

    /// Returns where a step of `deals` deals ends, in whole blocks, and whether that is the end of the run.
    fn after(&self, deals: u64) -> (u64, bool) {
        let (generate, _) = self.settings.limits.counts();
        let until = self.progress.generated.saturating_add(deals.max(1));
        let until = until
            .div_ceil(BLOCK_DEALS as u64)
            .saturating_mul(BLOCK_DEALS as u64);
        (until.min(generate), until >= generate)
    }

    /// Evaluates at least `deals` more deals (rounded up to whole blocks) on all threads. Returns the reason for the
    /// end of the run, if it ended. If it was stopped or an expression failed, these deals are not recorded (but the
    /// sink has received them).
    pub(crate) fn advance_on_all_threads(
        &mut self,
        deals: u64,
        sink: &mut dyn Sink,
    ) -> Result<Option<Ended>, Error> {
        let (until, last) = self.after(deals);
        let report = self.report(until, self.execution.threads, sink)?;
        match report.ended {
            ended @ (Ended::Cancelled | Ended::TimedOut) => return Ok(Some(ended)),
            Ended::Generated if !last => self.add(&report),
            ended => {
                self.add(&report);
                self.ended = Some(ended);
            }
        }
        Ok(self.ended)
    }

    /// Evaluates the deals up to number `until`.
    fn deal(&mut self, until: u64, threads: usize, sink: &mut dyn Sink) -> Result<Ended, Error> {
        let report = self.report(until, threads, sink)?;
        let ended = report.ended;
        self.add(&report);
        Ok(ended)
    }

    fn report(&mut self, until: u64, threads: usize, sink: &mut dyn Sink) -> Result<Report, Error> {
        let options = Options {
            generate: until,
            produce: self.settings.limits.counts().1,
            from: self.progress,
            threads,
            batch: self.execution.batch,
            solver_memory: self.execution.solver_memory,
            time_limit: self.time_left(),
            cancel: Some(&self.execution.cancel),
            progress: self.execution.progress.as_deref().map(|it| it as _),
            par_vulnerability: self.settings.par_vulnerability,
            opener: self.settings.opener,
            user_metrics: self.execution.metrics.as_deref(),
            auctions: self.settings.auctions(&self.execution),
            solve: self.solve,
            ..Options::default()
        };
        let mut precise;
        let sink: &mut dyn Sink = match &mut self.averages {
            Some(averages) => {
                precise = PrecisionSink { sink, averages };
                &mut precise
            }
            None => sink,
        };
        let mut by_class;
        let sink: &mut dyn Sink = match &mut self.strata {
            Some(collector) => {
                by_class = StrataSink { sink, collector };
                &mut by_class
            }
            None => sink,
        };
        engine::run(&self.plan, self.supply.deals(), &options, sink)
            .map_err(|error| located(&self.plan, error))
    }

    fn add(&mut self, report: &Report) {
        self.progress = Progress {
            generated: report.generated,
            produced: report.produced,
        };
        self.calls += report.calls;
        for pair in self.tallies.iter_mut().zip(&report.tallies) {
            if let (Some(all), Some(more)) = pair {
                all.merge(more);
            }
        }
    }

    fn time_left(&self) -> Option<TimeLimit> {
        let spent = self.started?.elapsed();
        let left = self.execution.time_limit?.saturating_sub(spent);
        Some(match self.plan.mode {
            Mode::V1 | Mode::Exe => TimeLimit::IfNothingProduced(left),
            Mode::V2 | Mode::Native => TimeLimit::Always(left),
        })
    }

    /// Returns the outcome so far.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let ended = self.ended.unwrap_or(Ended::Stopped);
        let report = Report {
            generated: self.progress.generated,
            produced: self.progress.produced,
            tallies: self.tallies.clone(),
            ended,
            calls: self.calls,
        };
        let mut outcome = Outcome::new(&self.plan, &report, self.origin());
        let title = self.library_title();
        let title = title.as_deref().unwrap_or(&self.settings.title);
        outcome.title = String::from_utf8_lossy(title).into_owned();
        outcome.limits = self.settings.limits;
        outcome.seconds = self.started.map(|started| started.elapsed().as_secs_f64());
        outcome.precision = self.averages.as_ref().map(Averages::result);
        if self.exchanges_hands {
            outcome.mark_clusters();
        }
        if let Some(strata) = &self.strata {
            strata.attach(&mut outcome.tables);
        }
        if let Some(mixed) = &self.mixed {
            outcome.generated = mixed.generated();
            outcome.ended = mixed.interrupted.unwrap_or(ended);
        }
        outcome
    }

    /// Creates a run over the deals from `first` to `last`, given the number of deals produced before.
    pub(crate) fn over(session: &Session, first: Progress, last: u64) -> Result<Run, Error> {
        let mut run = Run::new(session)?;
        run.progress = first;
        run.settings.limits.generate = i64::try_from(last).unwrap_or(i64::MAX);
        Ok(run)
    }

    /// Returns the tallies so far, and the reason for the end of the run if it ended.
    pub(crate) fn state(&self) -> (&[Option<Tally>], SolverCalls, Option<Ended>) {
        (&self.tallies, self.calls, self.ended)
    }

    /// Continues from the tallies of an earlier run.
    pub(crate) fn restore(
        &mut self,
        progress: Progress,
        tallies: Vec<Option<Tally>>,
        calls: SolverCalls,
        ended: Option<Ended>,
    ) {
        let (generate, _) = self.settings.limits.counts();
        self.progress = progress;
        self.tallies = tallies;
        self.calls = calls;
        self.ended =
            ended.filter(|ended| *ended != Ended::Generated || progress.generated >= generate);
    }

    /// Returns the tallies and the reason for the end.
    pub(crate) fn into_parts(self) -> (Progress, Vec<Option<Tally>>, SolverCalls, Option<Ended>) {
        (self.progress, self.tallies, self.calls, self.ended)
    }
}

/// Adds the place in the script to an error of the engine.
pub(crate) fn located(plan: &Plan, error: RunError) -> Error {
    let span = match &error {
        RunError::Evaluation { span, .. } => *span,
        _ => None,
    };
    Error::Run {
        error,
        place: span.map(|span| Box::new(plan.sources.place(span))),
    }
}
