//! The probability of a condition: exact if the sampler covers it, else an exact bound and an estimate. Also exact
//! frequency tables of expressions that the sampler covers.

use cards::Deal;
use sampling::{Budget, CostMeter, Count, Problem, Sampler, SetupError, StopCheck};
use script::plan::{Axis, Counted, NodeId, Plan};
use shuffle::{DealRandom, Key, Stream};

use crate::analysis::Analysis;
use crate::outcome::{EvaluationError, Options};
use crate::prepared::PreparedPlan;
use crate::run::{Clock, DEALS_PER_CLOCK_CHECK, DealDraws};
use crate::scalar::{DealFacts, Machine, Program};

/// The probability of a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Probability {
    /// The exact probability if the sampler covers the whole condition; otherwise an upper bound.
    pub bound: Count,
    /// How many sampled deals, which satisfy the parts that `bound` covers, also satisfy the rest. `None` if the bound
    /// is exact.
    pub trial: Option<Trial>,
}

/// Deals that were tested, and how many of them passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Number of deals that passed.
    pub passed: u64,
    /// Number of deals tested.
    pub tried: u64,
}

impl Trial {
    /// Returns the share that passed.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.passed as f64 / self.tried.max(1) as f64
    }

    /// Returns the interval that holds the true share with probability `level`.
    #[must_use]
    pub fn interval(&self, level: f64) -> (f64, f64) {
        statistics::interval::share(self.passed as f64, self.tried as f64, level)
    }
}

impl Probability {
    /// Returns the probability, exact or estimated.
    #[must_use]
    pub fn probability(&self) -> f64 {
        self.bound.probability() * self.trial.map_or(1.0, |trial| trial.share())
    }

    /// Returns the interval that contains the probability with 95 % confidence. An exact probability is both its ends.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let bound = self.bound.probability();
        let (low, high) = self.trial.map_or((1.0, 1.0), |trial| trial.interval(0.95));
        (bound * low, bound * high)
    }

    /// Returns whether the bound is the probability itself.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.trial.is_none()
    }
}

/// An error of [`chances`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChancesError {
    /// No deal has the predealt cards and lengths.
    NoDeals,
    /// The time limit was reached, or the caller stopped the computation.
    Stopped,
    /// The condition could not be evaluated on a deal.
    Evaluation(EvaluationError, Box<Deal>),
}

impl std::fmt::Display for ChancesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ChancesError::Stopped => f.write_str("stopped before the deals were counted"),
            ChancesError::NoDeals => f.write_str("no deal has the predealt cards and lengths"),
            ChancesError::Evaluation(error, deal) => write!(f, "{error} in the deal {deal}"),
        }
    }
}

impl std::error::Error for ChancesError {}

/// Computes the probability of the plan's condition. Parts that cannot be counted are tested on `tries` deals of the
/// key.
///
/// # Errors
/// If there are no deals, or the condition fails on one of the tested deals.
pub fn chances(
    plan: &Plan,
    options: &Options<'_>,
    key: &Key,
    tries: u64,
) -> Result<Probability, ChancesError> {
    let analysis = Analysis::counting(plan, options);
    let clock = Clock::start(options);
    let stop = || clock.stop(0).is_some();
    let meter = CostMeter::new(Budget::large()).with_stop(&stop);
    let sampler = match analysis.refusal() {
        None => match analysis.metered(&meter) {
            Err(SetupError::Stopped) => return Err(ChancesError::Stopped),
            sampler => sampler.ok(),
        },
        Some(_) => None,
    };
    let complete = sampler.as_ref().is_some_and(Sampler::is_complete);
    let Some(sampler) = sampler.or_else(|| analysis.universe(plan).ok()) else {
        return Err(ChancesError::NoDeals);
    };
    let bound = analysis.probability(plan, &sampler);
    let bound = bound.ok_or(ChancesError::NoDeals)?;
    let trial = if complete || bound.hits() == 0 {
        None
    } else {
        Some(try_deals(plan, options, clock, &sampler, (key, tries))?)
    };
    Ok(Probability { bound, trial })
}

/// Estimates the probability without exact counting, which is faster: the condition is tested on deals of the whole
/// predeal.
///
/// # Errors
/// As [`chances`].
pub fn estimated(
    plan: &Plan,
    options: &Options<'_>,
    key: &Key,
    tries: u64,
) -> Result<Probability, ChancesError> {
    let universe = Analysis::universe_of(plan).map_err(|_| ChancesError::NoDeals)?;
    let bound = Count::among(universe.deals(), universe.deals()).ok_or(ChancesError::NoDeals)?;
    let clock = Clock::start(options);
    let trial = try_deals(plan, options, clock, &universe, (key, tries))?;
    Ok(Probability {
        bound,
        trial: Some(trial),
    })
}

/// Tests the condition on deals of a sampler. If it is stopped, the deals tested so far count.
fn try_deals(
    plan: &Plan,
    options: &Options<'_>,
    clock: Clock<'_>,
    sampler: &Sampler,
    (key, tries): (&Key, u64),
) -> Result<Trial, ChancesError> {
    let prepared = PreparedPlan::new(plan, options);
    let program = Program::new(plan, plan.condition);
    let mut machine = Machine::new(&prepared, &program).with_clock(clock, None);
    let mut random = DealDraws(DealRandom::on(Stream::SamplerRnd, key, 0));
    let mut trial = Trial {
        passed: 0,
        tried: 0,
    };
    let mut deals = Vec::new();
    let stopped = |trial: Trial| match trial.tried {
        0 => Err(ChancesError::Stopped),
        _ => Ok(trial),
    };
    for block in 0.. {
        sampler.block(key, block, &mut deals);
        for &deal in &deals {
            if trial.tried == tries {
                return Ok(trial);
            }
            if trial.tried.is_multiple_of(DEALS_PER_CLOCK_CHECK) && clock.stop(0).is_some() {
                return stopped(trial);
            }
            machine.set_deal(deal, DealFacts::new(), trial.tried, trial.passed);
            random.0.restart(trial.tried);
            let value = match plan.condition {
                Some(condition) => machine.evaluate(condition, &mut random),
                None => Ok(1),
            };
            let value = match value {
                Err(EvaluationError::Interrupted) => return stopped(trial),
                value => value.map_err(|error| ChancesError::Evaluation(error, Box::new(deal)))?,
            };
            trial.passed += u64::from(value != 0);
            trial.tried += 1;
        }
    }
    Ok(trial)
}

/// An exact frequency table: the number of deals for each row (and column).
#[derive(Clone, Debug, PartialEq)]
pub struct ExactTable {
    /// Number of the action in the plan.
    pub action: usize,
    /// Title of the table, if the script gives one.
    pub label: Option<String>,
    /// The ranges of the rows; the first is everything below the range of the table, the last everything above.
    pub rows: Vec<Bin>,
    /// The ranges of the columns; a single unbounded one in a table with one axis.
    pub columns: Vec<Bin>,
    /// The probability of each cell given the condition, row by row.
    pub cells: Vec<f64>,
    /// The number of deals of each cell, row by row.
    pub deals: Vec<u128>,
}

/// A range of values; both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Smallest value, if there is one.
    pub low: Option<i32>,
    /// Largest value, if there is one.
    pub high: Option<i32>,
}

impl Bin {
    fn holds(self, value: i32) -> bool {
        self.low.is_none_or(|low| value >= low) && self.high.is_none_or(|high| value <= high)
    }

    fn of(axis: &Axis) -> Vec<Bin> {
        let below = Bin {
            low: None,
            high: axis.low.checked_sub(1),
        };
        let mut bins = vec![below];
        let mut low = i64::from(axis.low);
        while low <= i64::from(axis.high) && bins.len() <= MAX_CELLS {
            let high = (low + i64::from(axis.size.max(1)) - 1).min(i64::from(axis.high));
            bins.push(Bin {
                low: Some(low as i32),
                high: Some(high as i32),
            });
            low = high + 1;
        }
        bins.push(Bin {
            low: axis.high.checked_add(1),
            high: None,
        });
        bins
    }
}

/// An exact average.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactAverage {
    /// Number of the action in the plan.
    pub action: usize,
    /// Title of the table, if the script gives one.
    pub label: Option<String>,
    /// Exact mean of the values.
    pub mean: f64,
    /// The standard deviation of a single deal.
    pub deviation: f64,
}

/// Maximum number of cells of an exact table.
const MAX_CELLS: usize = 2000;

/// Exact tables and averages of a plan's actions, for the expressions that the sampler covers together with the
/// condition. Empty if the condition itself is not covered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExactTallies {
    /// `frequency` and `bktfreq`.
    pub tables: Vec<ExactTable>,
    /// `average`
    pub averages: Vec<ExactAverage>,
    /// The actions that were not counted: their labels, or their kinds and positions among the actions.
    pub left_out: Vec<String>,
}

impl ExactTallies {
    /// Counts the actions that take at most `nanoseconds` each, estimated from counted work.
    #[must_use]
    pub fn new(plan: &Plan, nanoseconds: f64) -> ExactTallies {
        ExactTallies::until(plan, nanoseconds, &|| false)
    }

    /// Counts like [`new`](Self::new) until `stop` returns true.
    #[must_use]
    pub fn until(plan: &Plan, nanoseconds: f64, stop: StopCheck<'_>) -> ExactTallies {
        let analysis = Analysis::new(plan);
        let meter = CostMeter::new(Budget::large()).with_stop(stop);
        let sampler = match analysis.refusal() {
            None => analysis.metered(&meter).ok(),
            Some(_) => None,
        };
        let sampler = sampler.filter(|it| it.is_complete() && it.deals() > 0);
        let counter = sampler.map(|sampler| Counter {
            plan,
            analysis: &analysis,
            all: sampler.deals(),
            nanoseconds,
            stop,
        });
        ExactTallies::by(plan, counter.as_ref())
    }

    /// Returns tallies without counts: all actions are left out.
    #[must_use]
    pub fn none(plan: &Plan) -> ExactTallies {
        ExactTallies::by(plan, None)
    }

    fn by(plan: &Plan, counter: Option<&Counter<'_>>) -> ExactTallies {
        let mut tallies = ExactTallies::default();
        for (number, action) in plan.actions.iter().enumerate() {
            let (kind, label, counted) = match action.counted() {
                Some(Counted::Average { label, value }) => {
                    let exact = counter.and_then(|counter| counter.average(value));
                    let average = exact.map(|(mean, deviation)| ExactAverage {
                        action: number,
                        label: label.map(str::to_owned),
                        mean,
                        deviation,
                    });
                    tallies.averages.extend(average);
                    ("average", label, exact.is_some())
                }
                Some(Counted::Frequency {
                    label,
                    rows,
                    columns,
                    ..
                }) => {
                    let table =
                        counter.and_then(|counter| counter.table(number, label, rows, columns));
                    let counted = table.is_some();
                    tallies.tables.extend(table);
                    ("frequency", label, counted)
                }
                Some(Counted::EvalContract { .. }) | None => continue,
            };
            if !counted {
                let unnamed = || format!("{kind}, action {}", number + 1);
                let name = label.map_or_else(unnamed, str::to_owned);
                tallies.left_out.push(name);
            }
        }
        tallies
    }
}

/// Counts deals with given values of expressions.
struct Counter<'a> {
    plan: &'a Plan,
    analysis: &'a Analysis,
    all: u128,
    nanoseconds: f64,
    stop: StopCheck<'a>,
}

/// Set-up time in nanoseconds that is always affordable.
const SMALL_SETUP: f64 = 20e6;

impl Counter<'_> {
    /// Counts the deals of a problem, if `counts` counts of this kind are affordable.
    fn count(&self, problem: &Problem, counts: usize) -> Option<u128> {
        let patient = Budget::large();
        let each = (2.0 * self.nanoseconds / counts as f64 + SMALL_SETUP).min(patient.nanoseconds);
        let budget = Budget {
            nanoseconds: each,
            search: each,
            ..patient
        };
        let meter = CostMeter::new(budget).with_stop(self.stop);
        meter.check_stop().ok()?;
        let sampler = Sampler::with_meter(problem, &meter).ok()?;
        sampler.is_complete().then(|| sampler.deals())
    }

    fn table(
        &self,
        action: usize,
        label: Option<&str>,
        rows: &Axis,
        columns: Option<&Axis>,
    ) -> Option<ExactTable> {
        let row_bins = Bin::of(rows);
        let whole = vec![Bin {
            low: None,
            high: None,
        }];
        let column_bins = columns.map_or(whole, Bin::of);
        if row_bins.len() * column_bins.len() > MAX_CELLS {
            return None;
        }
        let mut deals = Vec::new();
        for &row in &row_bins {
            let with_row = self
                .analysis
                .with_value(self.plan, rows.value, move |value| row.holds(value))?;
            let in_row = self.count(&with_row, row_bins.len())?;
            for &column in &column_bins {
                deals.push(match columns {
                    None => in_row,
                    Some(_) if in_row == 0 => 0,
                    Some(axis) => {
                        let test = move |value| column.holds(value);
                        let problem = self
                            .analysis
                            .add_value(self.plan, &with_row, axis.value, test)?;
                        self.count(&problem, row_bins.len() * column_bins.len())?
                    }
                });
            }
        }
        let cells = deals
            .iter()
            .map(|&it| it as f64 / self.all as f64)
            .collect();
        Some(ExactTable {
            action,
            label: label.map(str::to_owned),
            rows: row_bins,
            columns: column_bins,
            cells,
            deals,
        })
    }

    /// Returns the mean and the standard deviation.
    fn average(&self, value: NodeId) -> Option<(f64, f64)> {
        /// Maximum number of different values of an exact average.
        const WIDEST: i64 = 400;
        let facts = self.plan.facts_of(value);
        if i64::from(facts.max) - i64::from(facts.min) > WIDEST {
            return None;
        }
        let (mut sum, mut squares, mut seen) = (0.0, 0.0, 0u128);
        for wanted in facts.min..=facts.max {
            let test = move |value| value == wanted;
            let problem = self.analysis.with_value(self.plan, value, test)?;
            let deals = self.count(&problem, (facts.max - facts.min) as usize + 1)?;
            seen += deals;
            let share = deals as f64 / self.all as f64;
            sum += share * f64::from(wanted);
            squares += share * f64::from(wanted) * f64::from(wanted);
            if seen == self.all {
                break;
            }
        }
        (seen == self.all).then(|| (sum, (squares - sum * sum).max(0.0).sqrt()))
    }
}
