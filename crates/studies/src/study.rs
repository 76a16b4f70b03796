//! A study: a question about many deals, solved until the answer is precise enough.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use cards::{Deal, TrickTable};
use engine::parallel;
use solver::{Bounds, Solver};

use crate::error::StudyError;
use crate::estimate::Estimate;
use crate::options::{StudyExecution, StudyOptions, StudyProgress};
use crate::plan::SamplingPlan;
use crate::question::StudyQuestion;
use crate::sample::{Sample, SampleEntry};
use crate::screening::{DealSelector, ScreenedDeal};
use statistics::precision::{MIN_SOLVED, Precision, PrecisionUnit, StoppingRule};

/// The deals of a study.
#[derive(Clone, Copy, Debug, Default)]
pub struct StudyDeals<'a> {
    deals: &'a [Deal],
    tables: &'a [Option<TrickTable>],
    groups: &'a [i32],
    is_selecting: bool,
}

impl<'a> StudyDeals<'a> {
    /// Wraps deals that were dealt for the study. With a precision the study selects the deals to solve among them.
    #[must_use]
    pub fn dealt(deals: &'a [Deal]) -> StudyDeals<'a> {
        StudyDeals {
            deals,
            is_selecting: true,
            ..StudyDeals::default()
        }
    }

    /// Wraps deals that exist independently of the study, for example in a file. They are solved in their order.
    #[must_use]
    pub fn given(deals: &'a [Deal]) -> StudyDeals<'a> {
        StudyDeals {
            deals,
            ..StudyDeals::default()
        }
    }

    /// Adds results that are known already, one element for each deal.
    #[must_use]
    pub fn with_tables(self, tables: &'a [Option<TrickTable>]) -> StudyDeals<'a> {
        StudyDeals { tables, ..self }
    }

    /// Adds the group of each deal. The study then has results for each group, too.
    #[must_use]
    pub fn with_groups(self, groups: &'a [i32]) -> StudyDeals<'a> {
        StudyDeals { groups, ..self }
    }

    fn check(&self) -> Result<(), StudyError> {
        let fits = |length: usize| length == 0 || length == self.deals.len();
        if self.deals.is_empty() {
            return Err(StudyError::NoDeals);
        }
        match fits(self.tables.len()) && fits(self.groups.len()) {
            true => Ok(()),
            false => Err(StudyError::Lengths),
        }
    }
}

/// An answer about one deal, computed by a worker of a study in portions: the bounds of its screening, and the tricks of each option if it was solved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DealAnswer {
    /// Bounds of each option's tricks; empty without screening.
    pub bounds: Vec<Bounds>,
    /// Tricks of each option; `None` if the deal was not selected.
    pub tricks: Option<Vec<u8>>,
}

/// A study of one question on many deals.
///
/// ```
/// use croupier_studies::{ContractQuestion, StudyExecution, Study, StudyDeals, StudyOptions};
///
/// let deal: cards::Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432".parse()?;
/// let contracts = vec!["6N-N".parse()?, "7N-N".parse()?];
/// let question = ContractQuestion::new(contracts, cards::Vulnerability::None)?;
/// let deals = [deal];
/// let mut study = Study::new(question, StudyDeals::given(&deals), &StudyOptions::default())?;
/// study.run(StudyExecution::default());
/// assert_eq!(study.results()[1].score.value, 1520.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Study<'a, Q: StudyQuestion> {
    question: Q,
    deals: StudyDeals<'a>,
    /// Largest number of deals to solve.
    limit: usize,
    sampled: Option<(SamplingPlan, Sample)>,
    stopping: Option<StoppingRule>,
    tally: Q::Tally,
    groups: BTreeMap<i32, Q::Tally>,
    progress: StudyProgress,
    is_precise: bool,
}

impl<'a, Q: StudyQuestion> Study<'a, Q> {
    /// Creates a study of `question` on `deals`. With a precision or a number of controls this computes the
    /// [plan](SamplingPlan) of the study.
    ///
    /// # Errors
    /// If there are no deals, or they do not fit the question.
    pub fn new(
        question: Q,
        deals: StudyDeals<'a>,
        options: &StudyOptions,
    ) -> Result<Self, StudyError> {
        deals.check()?;
        question.check(deals.deals)?;
        let plan = options
            .control_deals()
            .map(|_| SamplingPlan::new(&question, deals.deals, options, deals.is_selecting));
        let mut study = match plan {
            Some(plan) => Study::with_plan(question, plan),
            None => Study::without_plan(question),
        };
        study.limit = match deals.is_selecting {
            true => options.solve_limit(deals.deals.len()),
            false => deals.deals.len(),
        };
        study.deals = deals;
        Ok(study)
    }

    /// Creates a study in portions, whose answers are [added](Self::add) by the caller. All deals count alike.
    #[must_use]
    pub fn without_plan(question: Q) -> Self {
        Study {
            tally: question.new_tally(),
            question,
            deals: StudyDeals::default(),
            limit: usize::MAX,
            sampled: None,
            stopping: None,
            groups: BTreeMap::new(),
            progress: StudyProgress::default(),
            is_precise: false,
        }
    }

    /// Creates a study in portions that follows a plan.
    #[must_use]
    pub fn with_plan(question: Q, plan: SamplingPlan) -> Self {
        let sample = plan.sample(&question);
        Study {
            limit: plan.limit,
            stopping: plan.precision.map(StoppingRule::new),
            sampled: Some((plan, sample)),
            ..Study::without_plan(question)
        }
    }

    /// Answers the question about the deal at `place` among the candidates, as a worker of a study in portions.
    #[must_use]
    pub fn answer(&self, solver: &mut Solver, place: usize, deal: &Deal) -> DealAnswer {
        let Some(selector) = self.selector() else {
            return DealAnswer {
                bounds: Vec::new(),
                tricks: Some(self.question.solve(solver, deal, None)),
            };
        };
        let bounds = selector.search(solver, deal);
        let is_selected = selector.select(place, deal, &bounds).is_selected();
        let tricks = is_selected.then(|| self.question.solve(solver, deal, None));
        DealAnswer { bounds, tricks }
    }

    /// Solves deals until the precision is reached, the largest number is solved, there are no more deals, or the study
    /// is cancelled.
    pub fn run(&mut self, execution: StudyExecution<'_>) {
        let (question, deals) = (self.question.clone(), self.deals);
        let selector = self.selector();
        let candidates = match &self.sampled {
            Some((plan, _)) => plan.candidates,
            None => self.limit,
        };
        let stream = deals.deals.iter().take(candidates).enumerate();
        let solve = |solver: &mut Solver, place: usize, deal: &Deal| {
            let known = deals.tables.get(place).and_then(Option::as_ref);
            match &selector {
                Some(selector) => {
                    let bounds = selector.search(solver, deal);
                    let screened = selector.select(place, deal, &bounds);
                    let solve = || question.solve(solver, deal, known);
                    let tricks = screened.is_selected().then(solve);
                    (Some(screened), tricks)
                }
                None => (None, Some(question.solve(solver, deal, known))),
            }
        };
        for_each_deal(stream, execution, solve, |(screened, tricks)| {
            let flow = self.add_screened(screened, tricks);
            (self.progress, flow)
        });
    }

    /// Returns the selector of the deals to solve, if the study has a plan.
    #[must_use]
    pub fn selector(&self) -> Option<DealSelector<Q>> {
        let plan = self.sampled.as_ref().map(|(plan, _)| plan);
        plan.map(|plan| plan.selector(&self.question))
    }

    /// Adds the answer about the next deal in the order of the candidates. Returns [`ControlFlow::Break`] when the study has
    /// enough deals.
    ///
    /// # Errors
    /// If the deal or the answer does not fit the question.
    pub fn add(&mut self, deal: &Deal, answer: DealAnswer) -> Result<ControlFlow<()>, StudyError> {
        self.question.check(std::slice::from_ref(deal))?;
        let options = self.question.options();
        let is_row =
            |tricks: &Vec<u8>| tricks.len() == options && tricks.iter().all(|&it| it <= 13);
        let is_bound = |bounds: &Bounds| bounds.low <= bounds.high && bounds.high <= 13;
        let selector = self.selector();
        let is_screened = selector.as_ref().is_some_and(|it| it.screening.is_some());
        let fits_screening =
            !is_screened || answer.bounds.len() == options && answer.bounds.iter().all(is_bound);
        if !fits_screening || !answer.tricks.as_ref().is_none_or(is_row) {
            return Err(StudyError::Answer);
        }
        let place = self.progress.screened;
        let screened = selector.map(|selector| selector.select(place, deal, &answer.bounds));
        Ok(self.add_screened(screened, answer.tricks))
    }

    /// Adds the next deal in the order of the candidates: its screening, if the study has a plan, and the tricks of each
    /// option, if it was solved. Returns [`ControlFlow::Break`] when the study has enough deals.
    pub fn add_screened(
        &mut self,
        screened: Option<ScreenedDeal>,
        tricks: Option<Vec<u8>>,
    ) -> ControlFlow<()> {
        let place = self.progress.screened;
        self.progress.screened += 1;
        if let Some(tricks) = &tricks {
            self.progress.solved += 1;
            self.question.add_to_tally(&mut self.tally, tricks);
            if let Some(&group) = self.deals.groups.get(place) {
                let group = self.groups.entry(group);
                let group = group.or_insert_with(|| self.question.new_tally());
                self.question.add_to_tally(group, tricks);
            }
        }
        let is_solved = tricks.is_some();
        if let (Some((_, sample)), Some(screened)) = (&mut self.sampled, screened) {
            let values = tricks.map(|tricks| self.question.quantities(&tricks));
            sample.add_entry(SampleEntry {
                values,
                ..screened.entry
            });
            self.is_precise |= is_solved && self.stops();
        }
        match self.is_precise || self.progress.solved >= self.limit {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Applies the stopping rule to the deals so far.
    fn stops(&mut self) -> bool {
        let Some(mut stopping) = self.stopping.take() else {
            return false;
        };
        let stops = stopping.stops(self.progress.solved, |precision| self.reaches(precision));
        self.stopping = Some(stopping);
        stops
    }

    /// Returns whether all intervals of the precision's unit are narrow enough.
    #[must_use]
    pub fn reaches(&self, precision: Precision) -> bool {
        let (quantities, factor) = self.question.target_quantities(precision.unit);
        let is_narrow = |estimate: Estimate| estimate.margin() * factor <= precision.half_width;
        self.solved() >= MIN_SOLVED && self.means(&quantities).into_iter().all(is_narrow)
    }

    /// Returns the controlled means of some quantities; none if the study has no plan.
    fn means(&self, quantities: &[usize]) -> Vec<Estimate> {
        let Some((_, sample)) = &self.sampled else {
            return Vec::new();
        };
        let mut means = sample.controlled_means(quantities);
        for (estimate, &quantity) in means.iter_mut().zip(quantities) {
            if self.question.is_proportion(quantity) {
                *estimate = sample.proportion(quantity, *estimate);
            }
        }
        means
    }

    /// Returns the results of all options.
    #[must_use]
    pub fn results(&self) -> Vec<Q::Item> {
        let results = self.question.results(&self.tally);
        match self.sampled {
            Some(_) => {
                let quantities: Vec<usize> = (0..self.question.quantity_count()).collect();
                self.question.with_means(results, &self.means(&quantities))
            }
            None => results,
        }
    }

    /// Returns all estimates of a unit, in that unit, each with the [simple mean](Sample::simple_mean) of the solved
    /// deals; none if the study has no plan.
    #[must_use]
    pub fn estimates(&self, unit: PrecisionUnit) -> Vec<(Estimate, Estimate)> {
        let Some((_, sample)) = &self.sampled else {
            return Vec::new();
        };
        let (quantities, factor) = self.question.target_quantities(unit);
        let simple = quantities.iter().map(|&which| sample.simple_mean(which));
        self.means(&quantities)
            .into_iter()
            .zip(simple)
            .map(|(mean, simple)| (mean.scaled(factor), simple.scaled(factor)))
            .collect()
    }

    /// Returns the share of the deals, 0 to 1, on which an option takes `tricks` tricks, if the study has a plan: the
    /// solved deals count by their weights.
    pub(crate) fn weighted_share(&self, option: usize, tricks: u8) -> Option<Estimate> {
        let (_, sample) = self.sampled.as_ref()?;
        Some(sample.seen_share_of(self.question.tricks_quantity(option), f64::from(tricks)))
    }

    /// Returns the question.
    #[must_use]
    pub fn question(&self) -> &Q {
        &self.question
    }

    /// Returns the exact sums over the solved deals.
    #[must_use]
    pub fn tally(&self) -> &Q::Tally {
        &self.tally
    }

    /// Returns the tally of each group of deals.
    #[must_use]
    pub fn groups(&self) -> &BTreeMap<i32, Q::Tally> {
        &self.groups
    }

    /// Returns the number of solved deals.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.progress.solved
    }

    /// Returns the number of screened deals, including the solved ones.
    #[must_use]
    pub fn screened(&self) -> usize {
        self.progress.screened
    }

    /// Returns the largest number of deals that the study may solve.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Returns the number of all deals if the study has a plan.
    #[must_use]
    pub fn sampled_deals(&self) -> Option<usize> {
        self.sampled.as_ref().map(|(plan, _)| plan.deals)
    }

    /// Returns the plan, if the study uses deals that it does not solve.
    #[must_use]
    pub fn plan(&self) -> Option<&SamplingPlan> {
        self.sampled.as_ref().map(|(plan, _)| plan)
    }

    /// Returns whether the stopping rule has ended the study.
    #[must_use]
    pub fn is_precise(&self) -> bool {
        self.is_precise
    }

    /// Returns whether the study has enough deals: it is precise, or the largest number is solved.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_precise || self.progress.solved >= self.limit
    }
}

/// Calls `solve` for the deals on several threads and `take` for the answers in the order of the deals, until `take` breaks or the
/// execution is cancelled.
pub(crate) fn for_each_deal<'a, T: Send>(
    deals: impl Iterator<Item = (usize, &'a Deal)> + Send,
    execution: StudyExecution<'_>,
    solve: impl Fn(&mut Solver, usize, &Deal) -> T + Sync,
    mut take: impl FnMut(T) -> (StudyProgress, ControlFlow<()>),
) {
    let StudyExecution {
        threads,
        solver_memory,
        cancel,
        mut progress,
    } = execution;
    let is_cancelled = || cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
    let work = |solver: &mut Solver, (place, deal): (usize, &'a Deal)| {
        (!is_cancelled()).then(|| solve(solver, place, deal))
    };
    let sink = |answer: Option<T>| {
        let Some(answer) = answer else {
            return ControlFlow::Break(());
        };
        let (now, flow) = take(answer);
        if let Some(progress) = &mut progress {
            progress(now);
        }
        flow
    };
    let solver = || Solver::with_memory(solver_memory);
    let _ = parallel::ordered_map(threads, deals, solver, work, sink);
}
