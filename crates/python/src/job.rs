//! Runs of a script: `Job` holds all settings that determine a result, and runs it.

use std::sync::Arc;

use croupier::engine::{Report, Tally};
use croupier::session::{
    Column, Ended, Error, Key, Outcome as RunOutcome, SamplerUse, Session, SolverCalls, Supply,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arguments::{SeatArgument, value_error};
use crate::deals::DealsArgument;
use crate::hand::HandArgument;
use crate::kept::{Collector, Kept, Rows};
use crate::outcome::Outcome;
use crate::parts::Partial;
use crate::script::{Script, raise};
use crate::waiting::{Events, Link, wait};

/// Maximum number of rows per call of a filter. The first batches are smaller, so that a run that needs few deals ends
/// soon.
const LARGEST_BATCH: usize = 1 << 16;

/// A script with the requested settings of its run and a seed. A job always gives the same result.
#[pyclass(module = "croupier", frozen)]
pub struct Job {
    /// The job as data, with a fixed seed or key.
    pub spec: croupier::session::JobSpec,
    pub threads: usize,
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
    let text: String = seed
        .extract()
        .map_err(|_| PyTypeError::new_err("a seed is a number below 2**63 or a text key:..."))?;
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
        _ => Err(value_error(format!("sampler={name:?}: auto, on or off"))),
    }
}

impl Job {
    /// Prepares the session of the job.
    pub fn session(&self, link: &Link) -> Result<Session, Error> {
        croupier::session::Job::from_spec(self.spec.clone())
            .threads(self.threads)
            .cancel(Arc::clone(&link.cancel))
            .prepare()
    }
}

/// Returns the names of the values of each deal.
fn names(plan: &croupier::script::plan::Plan) -> Vec<String> {
    Column::all(plan)
        .into_iter()
        .map(|column| column.name)
        .collect()
}

#[pymethods]
impl Job {
    #[new]
    #[pyo3(signature = (script, *, produce=None, generate=None, seed=None, threads=0, sampler="auto", predeal=None, solve=false, title=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "called by croupier.deal with every wish by name"
    )]
    fn new(
        py: Python<'_>,
        script: &Bound<'_, Script>,
        produce: Option<u64>,
        generate: Option<u64>,
        seed: Option<&Bound<'_, PyAny>>,
        threads: usize,
        sampler: &str,
        predeal: Option<Vec<(SeatArgument, HandArgument)>>,
        solve: bool,
        title: Option<String>,
    ) -> PyResult<Job> {
        let mut job = croupier::session::Job::from_spec(script.get().spec.clone());
        job = seeded(job, seed)?.solve(solve);
        if sampler != "auto" {
            job = job.sampler(sampler_use(sampler)?);
        }
        if let Some(deals) = produce {
            job = job.produce(deals);
        }
        if let Some(deals) = generate {
            job = job.generate(deals);
        }
        for (seat, cards) in predeal.into_iter().flatten() {
            job = job.predeal(seat.0, cards.0.suit_holdings().to_string());
        }
        if let Some(title) = title {
            job = job.title(title);
        }
        let session = py
            .detach(|| job.prepare())
            .map_err(|error| raise(py, &error))?;
        let mut spec = session.spec().clone();
        let seed = session.settings().seed;
        // Store a random seed, so that the job can be repeated.
        match seed.key.seed() {
            Some(_) => spec.seed = Some(seed.value),
            None => spec.key = Some(seed.key),
        }
        Ok(Job { spec, threads })
    }

    /// Number of deals to try and to produce, from the requested settings, the script and the defaults.
    #[getter]
    fn limits(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let session = self
            .session(&Link::default())
            .map_err(|error| raise(py, &error))?;
        Ok(session.settings().limits.counts())
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
        let mut collector = Collector {
            rows: Rows::new(names.len()),
            actions: session.plan().actions.len(),
            keep,
            link: link.clone(),
            counts_produced: produce < generate,
        };
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
            (outcome, collector.rows)
        };
        let (outcome, rows) = wait(py, &link, progress, work, |()| Ok(()))?;
        let outcome = outcome.map_err(|error| raise(py, &error))?;
        Ok((Outcome(outcome), keep.then(|| Kept::new(rows, names))))
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
        let (generate, wanted) = session.settings().limits.counts();
        let plan = session.plan().clone();
        let names = names(&plan);
        let mut taken = AcceptedDeals::new(&plan, names.len(), wanted);
        let open = croupier::session::Job::from_spec(croupier::session::JobSpec {
            produce: Some(generate as i64),
            ..self.spec.clone()
        })
        .threads(self.threads)
        .cancel(Arc::clone(&link.cancel));
        let (columns, actions) = (names.len(), plan.actions.len());
        let work = move |events: &Events<Rows, _>| deal_in_batches(open, events, columns, actions);
        let told = link.clone();
        let answer = wait(py, &link, progress, work, |batch: Rows| {
            if !taken.is_enough() {
                let kept = Kept::new(batch.clone(), names.clone());
                let verdict = filter.call1((kept.into_pyobject(py)?,))?;
                taken.take(&batch, &verdict.extract::<AcceptedRows>()?)?;
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
        Ok((Outcome(outcome), Kept::new(taken.rows, names)))
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

    /// Returns the job as text, for other processes.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.spec).map_err(value_error)
    }

    /// Creates a job from its text.
    #[staticmethod]
    #[pyo3(signature = (text, threads=0))]
    fn from_json(text: &str, threads: usize) -> PyResult<Job> {
        let spec = serde_json::from_str(text).map_err(value_error)?;
        Ok(Job { spec, threads })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, usize))> {
        let job = slf.get();
        Ok((
            slf.get_type().getattr("from_json")?,
            (job.to_json()?, job.threads),
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
        batch.push(deal, actions);
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

/// Result of a filter: which rows of a batch are accepted.
struct AcceptedRows(Vec<bool>);

impl<'a, 'py> FromPyObject<'a, 'py> for AcceptedRows {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        // Only convert actual arrays with NumPy: it may not be installed.
        if object.hasattr("__array_interface__")?
            && let Ok(array) = object.extract::<numpy::PyReadonlyArray1<'_, bool>>()
        {
            return Ok(AcceptedRows(array.as_array().to_vec()));
        }
        // Arrow arrays, Polars and pandas series, lists.
        let list = ["to_pylist", "to_list", "tolist"]
            .iter()
            .find_map(|name| object.call_method0(*name).ok())
            .unwrap_or_else(|| object.to_owned());
        list.extract().map(AcceptedRows).map_err(|_: PyErr| {
            PyTypeError::new_err("a filter returns one bool for each deal: a NumPy or Arrow array, a series or a list")
        })
    }
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
        let of_action = Column::all(plan);
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

    fn take(&mut self, batch: &Rows, verdict: &AcceptedRows) -> PyResult<()> {
        if verdict.0.len() != batch.len() {
            return Err(value_error(format!(
                "the filter returned {} answers for {} deals",
                verdict.0.len(),
                batch.len()
            )));
        }
        for row in (0..batch.len()).filter(|&row| verdict.0[row]) {
            if self.is_enough() {
                return Ok(());
            }
            self.rows.copy(batch, row);
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
            limits: croupier::session::Limits {
                produce: self.wanted as i64,
                ..dealt.limits
            },
            ..RunOutcome::new(plan, &report, dealt.origin)
        }
    }
}

/// Evaluates expressions on given deals and returns columns with these names.
#[pyfunction]
#[pyo3(signature = (deals, script, names, threads=0, progress=None))]
pub fn evaluate(
    py: Python<'_>,
    deals: DealsArgument,
    script: &Bound<'_, Script>,
    names: Vec<String>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Kept> {
    let link = Link::default();
    let count = deals.deals.len() as u64;
    let spec = croupier::session::JobSpec {
        predeal: Default::default(),
        ..script.get().spec.clone()
    };
    let job = croupier::session::Job::from_spec(spec)
        .seed(0)
        .threads(threads)
        .generate(count.max(1))
        .produce(count.max(1))
        .supply(Supply::deals(deals.deals))
        .cancel(Arc::clone(&link.cancel));
    let session = job.prepare().map_err(|error| raise(py, &error))?;
    let mut collector = Collector {
        rows: Rows::new(names.len()),
        actions: session.plan().actions.len(),
        keep: true,
        link: link.clone(),
        counts_produced: true,
    };
    let work = move |_: &Events<(), _>| session.run(&mut collector).map(|_| collector.rows);
    let rows = wait(py, &link, progress, work, |()| Ok(()))?;
    Ok(Kept::new(rows.map_err(|error| raise(py, &error))?, names))
}
