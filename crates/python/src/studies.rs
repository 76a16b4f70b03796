//! Studies of many deals: opening leads and contracts.

use croupier::studies::{
    ContractQuestion, DEFAULT_NUMBER, Estimate, LeadQuestion, Precision, Study, StudyDeals,
    StudyError, StudyExecution, StudyOptions, StudyProgress, StudyQuestion,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{VulnerabilityArgument, value_error};
use crate::contract::{Contract, ContractArgument};
use crate::deals::DealsArgument;
use crate::hand::{Hand, HandArgument, whole};
use crate::waiting::{Events, Link, wait};

/// Value and both ends of the 95 % confidence interval of an estimate.
pub type Triple = (f64, f64, f64);

/// Returns value and both ends of the interval.
pub fn triple(estimate: Estimate) -> Triple {
    (estimate.value, estimate.low, estimate.high)
}

fn triples(estimates: Vec<Estimate>) -> Vec<Triple> {
    estimates.into_iter().map(triple).collect()
}

fn options(
    number: Option<u64>,
    precision: Option<&str>,
    control: Option<u64>,
) -> PyResult<StudyOptions> {
    if number == Some(0) {
        return Err(value_error("a study solves at least one deal"));
    }
    let precision = precision.map(str::parse::<Precision>).transpose();
    Ok(StudyOptions {
        number,
        precision: precision.map_err(|error| value_error(error.to_string()))?,
        control,
    })
}

fn study_error(error: StudyError) -> PyErr {
    value_error(error.to_string())
}

/// Returns the number of decimals that an interval supports.
#[pyfunction]
pub fn interval_decimals(low: f64, high: f64) -> usize {
    croupier::session::interval::decimals(low, high)
}

/// Returns the interval of the share `successes / trials` at confidence `level`.
#[pyfunction]
pub fn share_interval(successes: u64, trials: u64, level: f64) -> (f64, f64) {
    croupier::statistics::interval::share(successes as f64, trials as f64, level)
}

/// Returns the number of deals that a study with these options needs.
#[pyfunction]
#[pyo3(signature = (number=None, precision=None, control=None))]
pub fn study_deals(
    number: Option<u64>,
    precision: Option<&str>,
    control: Option<u64>,
) -> PyResult<u64> {
    let options = options(number, precision, control)?;
    Ok(options.deals_needed().unwrap_or(DEFAULT_NUMBER))
}

/// Calls `run` with execution options that report to `link`.
pub fn execute<T>(link: &Link, threads: usize, run: impl FnOnce(StudyExecution<'_>) -> T) -> T {
    let mut progress = |now: StudyProgress| link.set_done(now.solved as u64);
    run(StudyExecution {
        threads,
        cancel: Some(&link.cancel),
        progress: Some(&mut progress),
        ..StudyExecution::default()
    })
}

/// Results of a study with its numbers of deals.
struct Finished<T> {
    results: Vec<T>,
    solved: usize,
    screened: usize,
}

/// Runs a study without holding the interpreter lock.
fn run_study<Q>(
    py: Python<'_>,
    question: Q,
    deals: DealsArgument,
    is_dealt: bool,
    options: StudyOptions,
    (threads, progress): (usize, Option<&Bound<'_, PyAny>>),
) -> PyResult<Finished<Q::Item>>
where
    Q: StudyQuestion + 'static,
    Q::Item: Send + 'static,
{
    let link = Link::default();
    let shared = link.clone();
    let work = move |_: &Events<(), _>| -> Result<Finished<Q::Item>, StudyError> {
        let deals = match is_dealt {
            true => StudyDeals::dealt(&deals.deals),
            false => StudyDeals::given(&deals.deals),
        };
        let mut study = Study::new(question, deals, &options)?;
        execute(&shared, threads, |execution| study.run(execution));
        Ok(Finished {
            results: study.results(),
            solved: study.solved(),
            screened: study.screened(),
        })
    };
    wait(py, &link, progress, work, |()| Ok(()))?.map_err(study_error)
}

/// Rows of results with the numbers of solved and of screened deals.
type Rows<'py> = (Vec<Bound<'py, PyDict>>, usize, usize);

/// Returns the results of every lead of a hand against a contract on these layouts.
#[pyfunction]
#[pyo3(signature = (deals, contract, vulnerable, sets_only, number, precision, control, threads, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
pub fn study_leads<'py>(
    py: Python<'py>,
    deals: DealsArgument,
    contract: ContractArgument,
    vulnerable: VulnerabilityArgument,
    sets_only: bool,
    number: Option<u64>,
    precision: Option<&str>,
    control: Option<u64>,
    threads: usize,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Rows<'py>> {
    let declared = contract.0.declared()?;
    let options = options(number, precision, control)?;
    let Some(first) = deals.deals.first() else {
        return Err(study_error(StudyError::NoDeals));
    };
    let hand = first.hand(declared.declarer.next());
    let question = LeadQuestion::new(declared, hand, vulnerable.0).map_err(study_error)?;
    if sets_only {
        if options.control_deals().is_some() {
            return Err(value_error(
                "sets_only solves all layouts: leave precision and control out",
            ));
        }
        return count_sets(py, question, deals, (threads, progress));
    }
    let finished = run_study(py, question, deals, true, options, (threads, progress))?;
    let mut rows = Vec::new();
    for result in finished.results {
        let row = PyDict::new(py);
        row.set_item("cards", Hand(result.cards))?;
        row.set_item("tricks", triple(result.tricks))?;
        row.set_item("sets", triple(result.sets))?;
        row.set_item("score", triple(result.score))?;
        row.set_item("imps", triple(result.imps))?;
        row.set_item("matchpoints", triple(result.matchpoints))?;
        rows.push(row);
    }
    Ok((rows, finished.solved, finished.screened))
}

/// Counts how often each lead beats the contract.
fn count_sets<'py>(
    py: Python<'py>,
    question: LeadQuestion,
    deals: DealsArgument,
    (threads, progress): (usize, Option<&Bound<'py, PyAny>>),
) -> PyResult<Rows<'py>> {
    let link = Link::default();
    let shared = link.clone();
    let work = move |_: &Events<(), _>| {
        execute(&shared, threads, |execution| {
            question.count_sets(&deals.deals, execution)
        })
    };
    let tally = wait(py, &link, progress, work, |()| Ok(()))?.map_err(study_error)?;
    let solved = tally.deals() as usize;
    let row = |(cards, sets): (croupier::cards::CardSet, Estimate)| {
        let row = PyDict::new(py);
        row.set_item("cards", Hand(cards))?;
        row.set_item("sets", triple(sets))?;
        Ok(row)
    };
    let rows: PyResult<Vec<_>> = tally.results().into_iter().map(row).collect();
    Ok((rows?, solved, solved))
}

/// Returns the results of several contracts on the same deals. `dealt` deals were dealt for the study, so that a
/// precision may select among them.
#[pyfunction]
#[pyo3(signature = (deals, contracts, vulnerable, dealt, number, precision, control, threads, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are arguments in Python")]
pub fn study_contracts<'py>(
    py: Python<'py>,
    deals: DealsArgument,
    contracts: Vec<ContractArgument>,
    vulnerable: VulnerabilityArgument,
    dealt: bool,
    number: Option<u64>,
    precision: Option<&str>,
    control: Option<u64>,
    threads: usize,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Rows<'py>> {
    let declared: PyResult<Vec<_>> = contracts.iter().map(|it| it.0.declared()).collect();
    let declared = declared?;
    let options = options(number, precision, control)?;
    let question = ContractQuestion::new(declared, vulnerable.0).map_err(study_error)?;
    let finished = run_study(py, question, deals, dealt, options, (threads, progress))?;
    let mut rows = Vec::new();
    for result in finished.results {
        let row = PyDict::new(py);
        let contract = Contract::of(result.declared.contract, Some(result.declared.declarer));
        row.set_item("contract", contract)?;
        row.set_item("tricks", triple(result.tricks))?;
        row.set_item("made", triple(result.made))?;
        row.set_item("score", triple(result.score))?;
        row.set_item("imps", triples(result.imps))?;
        row.set_item("matchpoints", triples(result.matchpoints))?;
        rows.push(row);
    }
    Ok((rows, finished.solved, finished.screened))
}

/// Returns a whole hand, for the leader.
#[pyfunction]
pub fn whole_hand(hand: HandArgument) -> PyResult<Hand> {
    whole(hand.0).map(Hand)
}
