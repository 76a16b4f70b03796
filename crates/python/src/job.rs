//! Runs of a script: `Job` holds all settings that determine a result, and runs it.

use std::sync::Arc;
use std::time::Instant;

use croupier::bidding::DEFAULT_CALL_TIME;
use croupier::engine::{Report, Tally};
use croupier::script::plan::Counted;
use croupier::session::{
    ColumnName, DefaultSettings, Ended, Error, Key, Origin, Outcome as RunOutcome, PartState,
    SamplerUse, Session, SolverCalls, Supply, SupplySpec, Swap,
};
use pyo3::prelude::*;

use crate::arguments::{self, SeatArgument, VulnerabilityArgument, type_error, value_error};
use crate::auctions::with_robots;
use crate::deals::{Deals, DealsArgument};
use crate::hand::HandArgument;
use crate::kept::{Collector, Kept, Rows, accepted_rows, memory_error};
use crate::outcome::Outcome;
use crate::parts::Partial;
use crate::script::{Script, raise};
use crate::systems::{SystemArgument, open_systems};
use crate::tournament::dealing_key;
use crate::waiting::{Events, Link, wait};

/// Maximum number of rows per call of a filter. The first batches are smaller, so that a run that needs few deals ends
/// soon.
const LARGEST_BATCH: usize = 1 << 16;

/// A script with the requested settings of its run and a seed. A job always gives the same result.
#[pyclass(module = "croupier._croupier", frozen)]
pub struct Job {
    /// The job as data, with a fixed seed or key.
    pub spec: croupier::session::JobSpec,
    pub threads: usize,
    /// Deals to select from, if the run generates none.
    pub given: Option<Deals>,
}

/// Sets the seed from a Python argument: a number, or `key:` and hexadecimal digits.
fn seeded(
    job: croupier::session::Job,
    seed: Option<&Bound<'_, PyAny>>,
) -> PyResult<croupier::session::Job> {
    let Some(seed) = seed else { return Ok(job) };
    if let Ok(number) = seed.extract::<i64>() {
        return Ok(job.seed(number));
    }
    if seed.is_instance_of::<pyo3::types::PyInt>() {
        return Err(value_error(format!(
            "seed must be from -2**63 to 2**63 - 1, not {seed}"
        )));
    }
    let text: String = seed
        .extract()
        .map_err(|_| type_error("a whole number or a text key:... for seed", seed))?;
    match text.parse::<i64>() {
        Ok(number) => Ok(job.seed(number)),
        Err(_) => Ok(job.key(text.parse::<Key>().map_err(value_error)?)),
    }
}

fn sampler_use(name: &str) -> PyResult<SamplerUse> {
    match name {
        "auto" => Ok(SamplerUse::Auto),
        "on" => Ok(SamplerUse::On),
        "off" => Ok(SamplerUse::Off),
        _ => Err(value_error(format!(
            "sampler={name:?} is not one of auto, on and off"
        ))),
    }
}

impl Job {
    /// Returns the job of the library.
    fn library_job(&self, link: &Link) -> croupier::session::Job {
        let job = with_robots(croupier::session::Job::from_spec(self.spec.clone()))
            .threads(self.threads)
            .cancel(Arc::clone(&link.cancel));
        match self.given.clone() {
            Some(deals) => job.supply(supply_of(deals)),
            None => job,
        }
    }

    /// Prepares the session of the job.
    pub fn session(&self, link: &Link) -> Result<Session, Error> {
        self.library_job(link).prepare()
    }

    /// Returns the job without a limit on the deals produced, for a run with a filter.
    fn open(&self) -> Job {
        let mut spec = self.spec.clone();
        spec.produce = Some(i64::MAX);
        Job {
            spec,
            threads: self.threads,
            given: self.given.clone(),
        }
    }
}

/// The arguments of `Job.from_json`.
type JobState = (String, usize, Option<Deals>);

/// Supplies given deals in their order.
fn supply_of(deals: Deals) -> Supply {
    let places = 0..deals.count();
    Supply::Given(Box::new(
        places.map(move |place| Ok(deals.get(place).into())),
    ))
}

/// Number of deals in the first step of a timed part.
const FIRST_STEP: u64 = 1 << 14;

/// Runs a part in growing steps until it is complete, `seconds` have passed or `most` deals are collected.
fn run_for(
    session: &Session,
    range: std::ops::Range<u64>,
    seconds: f64,
    most: usize,
    collector: &mut Collector,
) -> Result<croupier::session::Partial, Error> {
    let started = Instant::now();
    let mut part = session.start_part(range, false)?;
    let mut step = FIRST_STEP;
    loop {
        let before = started.elapsed().as_secs_f64();
        let state = part.advance_into(step, collector)?;
        let spent = started.elapsed().as_secs_f64();
        let is_full = collector.out_of_memory || collector.rows.len() >= most;
        if state != PartState::More || spent >= seconds || is_full {
            return Ok(part.partial());
        }
        let share = most / collector.rows.len().max(1);
        if spent - before < seconds / 8.0 && share >= 2 {
            step = step.saturating_mul(2);
        }
    }
}

/// Reads a number of deals.
fn count_argument(name: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    let Some(given) = given else { return Ok(None) };
    if given.is_instance_of::<pyo3::types::PyBool>() {
        return Err(type_error(&format!("a number for {name}"), given));
    }
    let number: i128 = given
        .call_method0("__index__")
        .and_then(|number| number.extract())
        .map_err(|_| type_error(&format!("a whole number for {name}"), given))?;
    match u64::try_from(number) {
        Ok(number) if number <= i64::MAX as u64 => Ok(Some(number)),
        _ => Err(value_error(format!(
            "{name} must be from 0 to {}, not {number}",
            i64::MAX
        ))),
    }
}

/// Returns the names of the values of each deal: the label of an average or of a frequency table of one expression, else
/// the expression.
pub fn names(plan: &croupier::script::plan::Plan) -> Vec<String> {
    let name = |column: ColumnName| {
        let label = match plan.actions[column.action].counted() {
            Some(Counted::Average { label, .. }) => label,
            Some(Counted::Frequency {
                label,
                columns: None,
                ..
            }) => label,
            _ => None,
        };
        label.map_or(column.name, str::to_owned)
    };
    ColumnName::all(plan).into_iter().map(name).collect()
}

/// Default of the generate limit for runs that end when enough deals are produced. It is the same in every function.
const GENERATE_FOR_PRODUCE: i64 = 10_000_000_000;

/// Returns the number of deals that a run must produce; `None` if it only has a generate limit.
fn requested_deals(session: &Session) -> Option<u64> {
    let (spec, plan) = (session.spec(), session.plan());
    let asked = spec.produce.is_some() || plan.settings.produce.is_some();
    let generate_given = spec.generate.is_some() || plan.settings.generate.is_some();
    let is_given = matches!(spec.supply, SupplySpec::Given);
    (asked || (plan.prints_deals && !generate_given && !is_given)).then(|| {
        let given = spec.produce.map(|deals| deals.max(0) as u64);
        given
            .or(plan.settings.produce)
            .unwrap_or(session.settings().limits.counts().1)
    })
}

/// Number of the first board, dealer and vulnerability.
type Heading<'py> = (i64, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

#[pymethods]
impl Job {
    #[new]
    #[pyo3(signature = (script, *, produce=None, generate=None, seed=None, threads=0, sampler="auto", predeal=None, solve=false, title=None, precision=None, level=None, mix=None, tournament=None, beacon_value=None, systems=None, deals=None, exchange=0, even=false, level_budget=None, interleave=false, rnd_seed=None, opener=None, par_vulnerability=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "called by croupier.deal with every setting by name"
    )]
    fn new(
        py: Python<'_>,
        script: &Bound<'_, Script>,
        produce: Option<&Bound<'_, PyAny>>,
        generate: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        threads: usize,
        sampler: &str,
        predeal: Option<Vec<(SeatArgument, HandArgument)>>,
        solve: bool,
        title: Option<String>,
        precision: Option<&str>,
        level: Option<String>,
        mix: Option<Vec<(Bound<'_, Script>, u64)>>,
        tournament: Option<&Bound<'_, PyAny>>,
        beacon_value: Option<&str>,
        systems: Option<[SystemArgument; 2]>,
        deals: Option<DealsArgument>,
        exchange: i64,
        even: bool,
        level_budget: Option<&Bound<'_, PyAny>>,
        interleave: bool,
        rnd_seed: Option<i64>,
        opener: Option<SeatArgument>,
        par_vulnerability: Option<VulnerabilityArgument>,
    ) -> PyResult<Job> {
        let mut job = croupier::session::Job::from_spec(script.get().spec.clone())
            .exchange(Swap::from_switch(exchange).map_err(value_error)?)
            .even(even)
            .interleave(interleave);
        if let Some(systems) = systems {
            open_systems(
                script.py(),
                systems.each_ref(),
                DEFAULT_CALL_TIME.as_secs_f64(),
            )?;
            let [north_south, east_west] = &systems;
            job = job.systems([
                north_south.name()?.to_string(),
                east_west.name()?.to_string(),
            ]);
        }
        job = seeded(job, seed)?.solve(solve);
        if sampler != "auto" {
            job = job.sampler(sampler_use(sampler)?);
        }
        if let Some(deals) = count_argument("produce", produce)? {
            job = job.produce(deals);
        }
        if let Some(deals) = count_argument("generate", generate)? {
            job = job.generate(deals);
        }
        for (seat, cards) in predeal.into_iter().flatten() {
            job = job.predeal(seat.0, cards.0.suit_holdings().to_string());
        }
        if let Some(title) = title {
            job = job.title(title);
        }
        if let Some(classes) = level {
            job = job.level(classes);
        }
        for (script, share) in mix.into_iter().flatten() {
            let script = script.get();
            job = job.mix(script.spec.name.clone(), script.spec.script.clone(), share);
        }
        if let Some(key) = dealing_key(tournament, beacon_value)? {
            job = job.supply(Supply::Tournament(Some(key)));
        }
        if let Some(precision) = precision {
            job = job.precision(precision.parse().map_err(value_error)?);
        }
        if let Some(deals) = count_argument("level_budget", level_budget)? {
            job = job.level_budget(deals);
        }
        if let Some(seed) = rnd_seed {
            job = job.rnd_seed(seed);
        }
        if let Some(opener) = opener {
            job = job.opener(opener.0);
        }
        if let Some(vulnerability) = par_vulnerability {
            job = job.par_vulnerability(vulnerability.0);
        }
        let given = deals.map(|deals| Deals::of(&deals.deals)).transpose()?;
        if let Some(deals) = given.clone() {
            let all = deals.count() as i64;
            job = job.supply(supply_of(deals)).defaults(DefaultSettings {
                produce: Some(all),
                generate: Some(all),
                ..DefaultSettings::default()
            });
        }
        let session = py
            .detach(|| job.prepare())
            .map_err(|error| raise(py, &error))?;
        let mut spec = session.spec().clone();
        let generate_given = spec.generate.is_some() || session.plan().settings.generate.is_some();
        if given.is_none() && requested_deals(&session).is_some() && !generate_given {
            spec.defaults.generate = Some(GENERATE_FOR_PRODUCE);
        }
        let seed = session.settings().seed;
        // Store a random seed, so that the job can be repeated.
        match seed.key.seed() {
            Some(_) => spec.seed = Some(seed.value),
            None => spec.key = Some(seed.key),
        }
        Ok(Job {
            spec,
            threads,
            given,
        })
    }

    /// Number of deals to try and to produce, from the requested settings, the script and the defaults.
    #[getter]
    fn limits(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let session = self
            .session(&Link::default())
            .map_err(|error| raise(py, &error))?;
        Ok(session.settings().limits.counts())
    }

    /// Number of deals that the run must produce; `None` if it only has a generate limit.
    #[getter]
    fn asked(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        let session = self
            .session(&Link::default())
            .map_err(|error| raise(py, &error))?;
        Ok(requested_deals(&session))
    }

    /// Key of a tournament, which is secret until the boards have been played; `None` for other runs.
    #[getter]
    fn key(&self) -> Option<String> {
        match self.spec.supply {
            SupplySpec::Tournament(Some(key)) => Some(key.to_string()),
            _ => None,
        }
    }

    /// Number of the first board, and dealer and vulnerability of all boards, if the script names them.
    #[getter]
    fn heading<'py>(&self, py: Python<'py>) -> PyResult<Heading<'py>> {
        let session = self
            .session(&Link::default())
            .map_err(|error| raise(py, &error))?;
        let settings = session.settings();
        let dealer = settings.dealer.map(|seat| arguments::seat(py, seat));
        let vulnerable = settings.vulnerable;
        let vulnerable = vulnerable.map(|who| arguments::vulnerability(py, who));
        Ok((
            settings.first_board.max(1),
            dealer.transpose()?,
            vulnerable.transpose()?,
        ))
    }

    /// Names of the values of each deal, in the order of the script's actions.
    #[getter]
    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let session = self
            .session(&Link::default())
            .map_err(|error| raise(py, &error))?;
        Ok(names(session.plan()))
    }

    /// Whether the script computes averages or frequencies.
    #[getter]
    fn collects(&self, py: Python<'_>) -> PyResult<bool> {
        let session = self
            .session(&Link::default())
            .map_err(|error| raise(py, &error))?;
        Ok(session
            .plan()
            .actions
            .iter()
            .any(|action| Tally::for_action(action).is_some()))
    }

    /// Seed that repeats the run.
    #[getter]
    fn seed(&self, py: Python<'_>) -> PyResult<String> {
        let session = self
            .session(&Link::default())
            .map_err(|error| raise(py, &error))?;
        Ok(session.settings().seed.to_string())
    }

    /// Runs the job. Produced deals are kept only with `keep`.
    #[pyo3(signature = (keep, progress=None))]
    fn run(
        &self,
        py: Python<'_>,
        keep: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Outcome, Option<Kept>)> {
        let link = Link::default();
        let session = self.session(&link).map_err(|error| raise(py, &error))?;
        let names = names(session.plan());
        let (generate, produce) = session.settings().limits.counts();
        let mut collector = Collector::new(names.len(), session.plan().actions.len(), keep, &link);
        collector.counts_produced = produce < generate;
        let work = move |_: &Events<(), _>| {
            let outcome = session.run(&mut collector);
            if let Ok(outcome) = &outcome {
                let done = if collector.counts_produced {
                    outcome.produced
                } else {
                    outcome.generated
                };
                collector.link.set_done(done);
            }
            (outcome, collector)
        };
        let (outcome, collector) = wait(py, &link, progress, work, |()| Ok(()))?;
        let outcome = outcome.map_err(|error| raise(py, &error))?;
        let rows = collector.finish()?;
        let kept = keep.then(|| Kept::new(rows, names, &[])).transpose()?;
        Ok((Outcome(outcome), kept))
    }

    /// Runs the job with a filter. The filter gets batches of deals that satisfy the condition and returns which to
    /// accept. Only accepted deals count in the results.
    #[pyo3(signature = (filter, progress=None))]
    fn run_filtered(
        &self,
        py: Python<'_>,
        filter: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Outcome, Kept)> {
        let link = Link::default();
        let session = self.session(&link).map_err(|error| raise(py, &error))?;
        let (_, wanted) = session.settings().limits.counts();
        let plan = session.plan().clone();
        let names = names(&plan);
        let mut taken = AcceptedDeals::new(&plan, names.len(), wanted);
        let open = self.open().library_job(&link);
        let (columns, actions) = (names.len(), plan.actions.len());
        let work = move |events: &Events<Rows, _>| deal_in_batches(open, events, columns, actions);
        let told = link.clone();
        let answer = wait(py, &link, progress, work, |batch: Rows| {
            if !taken.is_enough() {
                let kept = Kept::new(batch.clone(), names.clone(), &[])?;
                let verdict = filter.call1((kept.into_pyobject(py)?,))?;
                taken.take(&batch, &accepted_rows(&verdict, batch.len())?)?;
                told.set_done(taken.rows.len() as u64);
            }
            if taken.is_enough() {
                told.cancel
                    .store(true, std::sync::atomic::Ordering::Relaxed);
            }
            Ok(())
        })?;
        let outcome = answer.map_err(|error| raise(py, &error))?;
        let outcome = taken.outcome(&plan, outcome);
        Ok((Outcome(outcome), Kept::new(taken.rows, names, &[])?))
    }

    /// Runs the deals with the numbers `first` to `last` (exclusive) on one thread for about `seconds` seconds, and until
    /// `most` deals are kept. Returns the part that was done, which may end before `last`, and its deals. `poll` is
    /// called at intervals; if it raises an exception, the run ends. With `is_open` the part does not end when the
    /// deals asked for are produced, because a filter rejects some of them.
    #[pyo3(signature = (first, last, keep, seconds, most, poll=None, is_open=false))]
    #[expect(
        clippy::too_many_arguments,
        reason = "called by croupier.cluster with every setting by name"
    )]
    fn timed_part(
        &self,
        py: Python<'_>,
        first: u64,
        last: u64,
        keep: bool,
        seconds: f64,
        most: usize,
        poll: Option<&Bound<'_, PyAny>>,
        is_open: bool,
    ) -> PyResult<(Partial, Option<Kept>)> {
        let link = Link::polling(poll);
        let session = match is_open {
            true => self.open().session(&link),
            false => self.session(&link),
        };
        let session = session.map_err(|error| raise(py, &error))?;
        let names = names(session.plan());
        let mut collector = Collector::new(names.len(), session.plan().actions.len(), keep, &link);
        let work = move |_: &Events<(), _>| {
            let partial = run_for(&session, first..last, seconds, most, &mut collector);
            (partial, collector)
        };
        let (partial, collector) = wait(py, &link, None, work, |()| Ok(()))?;
        let partial = partial.map_err(|error| raise(py, &error))?;
        let mut rows = collector.finish()?;
        let produced: u64 = partial.parts.iter().map(|part| part.produced).sum();
        rows.truncate(usize::try_from(produced).unwrap_or(usize::MAX));
        let kept = keep.then(|| Kept::new(rows, names, &[])).transpose()?;
        Ok((Partial(partial), kept))
    }

    /// Returns the result of a filtered run from the accepted deals of its parts, in the order of their numbers.
    /// `generated` deals were tried.
    fn filtered_outcome(
        &self,
        py: Python<'_>,
        parts: Vec<Bound<'_, Kept>>,
        generated: u64,
    ) -> PyResult<(Outcome, Kept)> {
        let session = self
            .session(&Link::default())
            .map_err(|error| raise(py, &error))?;
        let (generate, wanted) = session.settings().limits.counts();
        let plan = session.plan().clone();
        let names = names(&plan);
        let mut taken = AcceptedDeals::new(&plan, names.len(), wanted);
        for part in parts {
            let rows = part.get().rows();
            taken.take(&rows, &vec![true; rows.len()])?;
        }
        let report = Report {
            generated: generated.min(generate),
            produced: 0,
            tallies: plan.actions.iter().map(Tally::for_action).collect(),
            ended: Ended::Generated,
            calls: SolverCalls::default(),
        };
        let origin = Origin::Seed(session.settings().seed.to_string());
        let mut dealt = RunOutcome::new(&plan, &report, origin);
        dealt.title = String::from_utf8_lossy(&session.settings().title).into_owned();
        dealt.limits = session.settings().limits;
        let outcome = taken.outcome(&plan, dealt);
        Ok((Outcome(outcome), Kept::new(taken.rows, names, &[])?))
    }

    /// Runs only the deals with the numbers `first` to `last` (exclusive), counted from 0.
    #[pyo3(signature = (first, last, keep=false, progress=None))]
    fn part(
        &self,
        py: Python<'_>,
        first: u64,
        last: u64,
        keep: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Partial> {
        let link = Link::default();
        let session = self.session(&link).map_err(|error| raise(py, &error))?;
        let work = move |_: &Events<(), _>| session.run_range(first..last, keep);
        let partial = wait(py, &link, progress, work, |()| Ok(()))?;
        partial.map(Partial).map_err(|error| raise(py, &error))
    }

    /// Divides the run into `parts` nearly equal parts. Returns the numbers of the first deal and of the deal after the
    /// last.
    fn shards(&self, py: Python<'_>, parts: usize) -> PyResult<Vec<(u64, u64)>> {
        let session = self
            .session(&Link::default())
            .map_err(|error| raise(py, &error))?;
        let shards = session.shards(parts).map_err(|error| raise(py, &error))?;
        Ok(shards
            .into_iter()
            .map(|range| (range.start, range.end))
            .collect())
    }

    /// Returns the job as text, for other processes. Given deals are not part of it.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.spec).map_err(value_error)
    }

    /// Creates a job from its text, and from the given deals if it has some.
    #[staticmethod]
    #[pyo3(signature = (text, threads=0, deals=None))]
    fn from_json(text: &str, threads: usize, deals: Option<&Bound<'_, Deals>>) -> PyResult<Job> {
        let spec = serde_json::from_str(text).map_err(value_error)?;
        Ok(Job {
            spec,
            threads,
            given: deals.map(|deals| deals.get().clone()),
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, JobState)> {
        let job = slf.get();
        Ok((
            slf.get_type().getattr("from_json")?,
            (job.to_json()?, job.threads, job.given.clone()),
        ))
    }
}

/// Runs a job and sends the produced deals in batches of growing size.
fn deal_in_batches<T>(
    job: croupier::session::Job,
    events: &Events<Rows, T>,
    columns: usize,
    actions: usize,
) -> Result<RunOutcome, Error> {
    use std::ops::ControlFlow;

    let mut batch = Rows::new(columns);
    let mut size = 1024;
    let outcome = job.run(&mut |deal: &croupier::session::ProducedDeal<'_>| {
        if batch.push(deal, actions).is_err() {
            return ControlFlow::Break(());
        }
        if batch.len() < size {
            return ControlFlow::Continue(());
        }
        size = (2 * size).min(LARGEST_BATCH);
        match events.send(std::mem::replace(&mut batch, Rows::new(columns))) {
            Ok(()) => ControlFlow::Continue(()),
            Err(()) => ControlFlow::Break(()),
        }
    })?;
    let _ = events.send(batch);
    Ok(outcome)
}

/// Deals that a filter accepted, and the results of the script's actions for them.
struct AcceptedDeals {
    rows: Rows,
    tallies: Vec<Option<Tally>>,
    /// Offset of each action's values.
    starts: Vec<usize>,
    wanted: u64,
}

impl AcceptedDeals {
    fn new(plan: &croupier::script::plan::Plan, columns: usize, wanted: u64) -> AcceptedDeals {
        let of_action = ColumnName::all(plan);
        let starts = (0..=plan.actions.len())
            .map(|action| {
                of_action
                    .iter()
                    .filter(|column| column.action < action)
                    .count()
            })
            .collect();
        AcceptedDeals {
            rows: Rows::new(columns),
            tallies: plan.actions.iter().map(Tally::for_action).collect(),
            starts,
            wanted,
        }
    }

    fn is_enough(&self) -> bool {
        self.rows.len() as u64 >= self.wanted
    }

    fn take(&mut self, batch: &Rows, accepted: &[bool]) -> PyResult<()> {
        for row in (0..batch.len()).filter(|&row| accepted[row]) {
            if self.is_enough() {
                return Ok(());
            }
            self.rows
                .copy(batch, row)
                .map_err(|_| memory_error(self.rows.len()))?;
            let values: Vec<i32> = batch.values.iter().map(|column| column[row]).collect();
            for (action, tally) in self.tallies.iter_mut().enumerate() {
                if let Some(tally) = tally {
                    tally.add(&values[self.starts[action]..self.starts[action + 1]]);
                }
            }
        }
        Ok(())
    }

    /// Returns the outcome of the run with the filter as part of the condition.
    fn outcome(&self, plan: &croupier::script::plan::Plan, dealt: RunOutcome) -> RunOutcome {
        let (generated, ended) = match (self.is_enough(), self.rows.numbers.last()) {
            (true, Some(last)) => (last + 1, Ended::Produced),
            _ => (dealt.generated, dealt.ended),
        };
        let report = Report {
            generated,
            produced: self.rows.len() as u64,
            tallies: self.tallies.clone(),
            ended,
            calls: SolverCalls::default(),
        };
        RunOutcome {
            title: dealt.title,
            calls: dealt.calls,
            seconds: dealt.seconds,
            limits: croupier::session::DealLimits {
                produce: self.wanted as i64,
                ..dealt.limits
            },
            ..RunOutcome::new(plan, &report, dealt.origin)
        }
    }
}

/// Evaluates expressions on given deals and returns columns with these names. Each value is divided by its scale.
#[pyfunction]
#[pyo3(signature = (deals, script, names, scales, threads=0, progress=None))]
pub fn evaluate(
    py: Python<'_>,
    deals: DealsArgument,
    script: &Bound<'_, Script>,
    names: Vec<String>,
    scales: Vec<u32>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Kept> {
    let link = Link::default();
    let job = with_robots(croupier::session::Job::from_spec(script.get().spec.clone()))
        .seed(0)
        .threads(threads)
        .cancel(Arc::clone(&link.cancel));
    let session = job.prepare().map_err(|error| raise(py, &error))?;
    let mut collector = Collector::new(names.len(), session.plan().actions.len(), true, &link);
    let work = move |_: &Events<(), _>| {
        let done = session.evaluate(deals.deals, &mut collector);
        done.map(|()| collector)
    };
    let collector = wait(py, &link, progress, work, |()| Ok(()))?;
    let collector = collector.map_err(|error| raise(py, &error))?;
    Kept::new(collector.finish()?, names, &scales)
}
