//! A source of deals that uses the exact sampler.
//!
//! # Which deals are dealt
//!
//! A run begins with plain deals. After the plain blocks, and again much later if nothing was decided then, the source
//! compares the remaining cost of plain dealing with the cost of sampler tables, and switches to the sampler if that is
//! cheaper. Both costs are counted work with fixed constants: how many deals of the first blocks pass the condition
//! (they are evaluated once more for this), how many are still needed, how many steps the planner takes before it finds
//! a plan or gives up. So the decision is a function of the script, the key and the limits. It does not depend on time,
//! threads or processors, and a process that deals only some blocks of a run makes the same decision.

mod starts;
mod tuning;

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use cards::Deal;
use sampling::{Budget, CostMeter, Count, Sampler, SetupError, Skips, StopCheck, cost_of_draw};
use script::plan::Plan;
use serde::{Deserialize, Serialize};
use shuffle::{BLOCK_DEALS, FastDealer, Key, Stream};
use usermetrics::UserMetrics;

use crate::analysis::{self, Analysis, MetricKnowledge};
use crate::batch::{BatchEvaluator, BatchPlan};
use crate::outcome::Options;
use crate::prepared::PreparedPlan;
use crate::source::{Batch, DealSource, FastSource};
use starts::Starts;
use tuning::{
    ASSUMED_HITS, COLUMN_TIME_RATIO, ENOUGH_HITS, MAX_PLANNING_SHARE, MAX_WASTED_SHARE,
    MAX_WASTED_WORK, MIN_NEEDED_SHARE, MIN_PLAIN_WORK, MIN_WASTED_WORK, NEXT_STAGE, PLAIN_BLOCKS,
    PLAIN_DEAL, PLAIN_WORK, STAGES, TABLE_BYTES, WORTH_ANOTHER_TRY,
};

/// When to use the exact sampler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SamplerUse {
    /// Uses the sampler if that is estimated to save time.
    #[default]
    Auto,
    /// Uses the sampler whenever the condition allows it.
    On,
    /// Uses the sampler only for predealt lengths, which cannot be dealt without it.
    Off,
}

/// The decision between plain dealing and the sampler, with its reason.
pub enum SamplerDecision {
    /// Plain dealing.
    Plain {
        /// The reason, for the user.
        reason: String,
    },
    /// The exact sampler.
    Sampled {
        /// The sampler.
        sampler: Box<Sampler>,
        /// The probability of the covered parts among the deals that the predeal allows.
        probability: Count,
        /// The reason, for the user.
        reason: String,
    },
}

/// Measurements of the condition on the first plain blocks.
#[derive(Clone, Copy, Debug)]
struct Pilot {
    looked_at: u64,
    passed: u64,
    /// Estimated nanoseconds to deal and evaluate one deal without the sampler.
    each: f64,
}

/// A decision, and whether a later stage may change it.
struct StageDecision {
    decision: SamplerDecision,
    open: bool,
}

/// Uniform deals as from [`FastSource`], without some that the condition certainly rejects.
///
/// The deals are numbered as if the others had been dealt too: the number of skipped deals is drawn from its exact
/// distribution. So limits, counts and averages have the meaning of a plain run.
///
/// The deals are a function of the plan, the dealer's key and predeal, the sampler use and the limits.
pub struct SampledSource {
    plan_lengths: Option<Sampler>,
    /// The plan; its condition is analysed when the decision is made.
    plan: Plan,
    analysis: OnceLock<Analysis>,
    /// The condition in columns, for the pilot.
    columns: BatchPlan,
    dealer: FastDealer,
    plain: FastSource,
    key: Key,
    usage: SamplerUse,
    /// Maximum number of deals to generate.
    generate: u64,
    /// Number of deals to produce.
    produce: u64,
    /// Time limit in nanoseconds.
    time: f64,
    /// How far the analysis may rely on metrics.
    metrics: MetricKnowledge,
    /// Held by the thread that plans; the others wait for it.
    planning: Mutex<()>,
    pilot: OnceLock<Pilot>,
    verdicts: [OnceLock<StageDecision>; STAGES],
    skips: OnceLock<Skips>,
    starts: Starts,
}

/// The error of predealt lengths that cannot be dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PredealtLengthsError {
    /// No deal has the lengths and the predealt cards.
    NoDeal,
    /// The sampler of the lengths could not be set up.
    Setup(SetupError),
}

impl fmt::Display for PredealtLengthsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PredealtLengthsError::NoDeal => {
                f.write_str("no deal has the predealt lengths and cards")
            }
            PredealtLengthsError::Setup(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PredealtLengthsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PredealtLengthsError::NoDeal => None,
            PredealtLengthsError::Setup(error) => Some(error),
        }
    }
}

impl SampledSource {
    /// Creates a source for a plan. The dealer must have the plan's predealt cards.
    ///
    /// # Errors
    /// If the script fixes lengths that no deal has.
    pub fn new(
        plan: &Plan,
        dealer: FastDealer,
        usage: SamplerUse,
        (generate, produce): (u64, u64),
    ) -> Result<SampledSource, PredealtLengthsError> {
        let plan_lengths = if plan.predeals_lengths() {
            let universe = Analysis::universe_of(plan).map_err(PredealtLengthsError::Setup)?;
            if universe.deals() == 0 {
                return Err(PredealtLengthsError::NoDeal);
            }
            Some(universe)
        } else {
            None
        };
        let options = Options::default();
        let prepared = PreparedPlan::new(plan, &options);
        Ok(SampledSource {
            plan_lengths,
            plan: plan.clone(),
            analysis: OnceLock::new(),
            columns: BatchPlan::new(&prepared, &[], options.path),
            key: *dealer.key(),
            plain: FastSource::new(dealer.clone()),
            starts: Starts::new(*dealer.key(), generate),
            dealer,
            usage,
            generate,
            produce,
            time: f64::INFINITY,
            metrics: MetricKnowledge::Unknown,
            planning: Mutex::new(()),
            pilot: OnceLock::new(),
            verdicts: Default::default(),
            skips: OnceLock::new(),
        })
    }

    /// Sets the time limit of the run. The decision depends on it: tables that would take longer are not built.
    #[must_use]
    pub fn within(self, time: Option<Duration>) -> SampledSource {
        SampledSource {
            time: time.map_or(f64::INFINITY, |time| time.as_nanos() as f64),
            ..self
        }
    }

    /// Sets where the metrics of the run come from; `None` means the built-in ones. Only the built-in ones can be
    /// bounded before dealing.
    #[must_use]
    pub fn with_user_metrics(mut self, metrics: Option<&UserMetrics>) -> SampledSource {
        let built_in = metrics.is_none_or(UserMetrics::is_built_in);
        if built_in && analysis::uses_bounded_metric(&self.plan) {
            self.metrics = MetricKnowledge::Coarse;
            // The cost estimate includes the metrics, since the sampler may avoid their evaluation.
            let options = Options::default();
            let prepared = PreparedPlan::new(&self.plan, &options);
            self.columns = BatchPlan::with_sides(&prepared, options.path);
        }
        self
    }

    /// Returns the number of blocks that are dealt plainly before the first decision.
    #[must_use]
    pub fn plain_blocks(&self) -> u64 {
        match (self.usage, &self.plan_lengths) {
            (SamplerUse::On, _) | (_, Some(_)) => 0,
            _ => {
                let block = PLAIN_DEAL * BLOCK_DEALS as f64 + self.columns.cost() as f64;
                ((PLAIN_WORK / block) as u64).clamp(PLAIN_BLOCKS.0, PLAIN_BLOCKS.1)
            }
        }
    }

    /// Returns the decision after the plain blocks. It depends on the script, the key and the limits alone.
    pub fn decision(&self) -> &SamplerDecision {
        match self.decision_unless(&|| false) {
            Some(decision) => decision,
            None => unreachable!("the closure never stops"),
        }
    }

    /// Returns the decision, or `None` if `stop` returns true before it is made.
    pub fn decision_unless(&self, stop: StopCheck<'_>) -> Option<&SamplerDecision> {
        self.verdict(0, stop).map(|verdict| &verdict.decision)
    }

    /// Returns the decision for the last of `generated` deals of a run; `None` if that was a plain deal.
    ///
    /// Threads may have worked ahead, so only decisions that the run needed are returned.
    #[must_use]
    pub fn decided(&self, generated: u64) -> Option<&SamplerDecision> {
        let block = generated.checked_sub(1)? / BLOCK_DEALS as u64;
        self.decision_for(block, &|| false)
            .map(|(_, decision)| decision)
    }

    /// Returns the analysis of the condition.
    #[must_use]
    pub fn analysis(&self) -> &Analysis {
        self.analysis
            .get_or_init(|| Analysis::of(&self.plan, self.metrics))
    }

    /// Returns the first block after the plain ones of a stage.
    fn end_of_plain(&self, stage: usize) -> u64 {
        self.plain_blocks() * NEXT_STAGE.pow(stage as u32)
    }

    /// Returns whether a later stage could change the decision.
    fn chooses(&self) -> bool {
        self.usage == SamplerUse::Auto && self.plan_lengths.is_none()
    }

    fn verdict(&self, stage: usize, stop: StopCheck<'_>) -> Option<&StageDecision> {
        let slot = &self.verdicts[stage];
        if slot.get().is_none() {
            let _one_at_a_time = self.planning.lock().unwrap_or_else(PoisonError::into_inner);
            if slot.get().is_none() {
                let verdict = self.decide(stage, stop).ok()?;
                let _ = slot.set(verdict);
            }
        }
        slot.get()
    }

    /// Returns the decision for a block and the number of plain blocks before it; `None` for a plain block.
    fn decision_for(&self, block: u64, stop: StopCheck<'_>) -> Option<(u64, &SamplerDecision)> {
        let mut found = None;
        for stage in 0..STAGES {
            let end = self.end_of_plain(stage);
            if block < end {
                break;
            }
            let verdict = self.verdict(stage, stop)?;
            found = Some((end, &verdict.decision));
            if !verdict.open {
                break;
            }
        }
        found
    }

    /// Measures the condition on as many plain blocks as the estimate needs.
    fn pilot(&self) -> Pilot {
        *self.pilot.get_or_init(|| {
            let mut block = shuffle::Block::new();
            let mut pilot = Pilot {
                looked_at: 0,
                passed: 0,
                each: PLAIN_DEAL,
            };
            let mut evaluator = BatchEvaluator::new(&self.columns);
            // Without columns the sampler's requirements are tested instead, which takes far longer.
            let blocks = match self.columns.has_columns() {
                true => self.plain_blocks(),
                false => 1,
            };
            for number in 0..blocks {
                if pilot.passed >= ENOUGH_HITS || self.dealer.fill(number, &mut block).is_err() {
                    break;
                }
                if self.columns.has_columns() {
                    evaluator.select(&block, BLOCK_DEALS);
                    pilot.passed += evaluator.survivors() as u64;
                } else {
                    let problem = self.analysis().problem();
                    let accepts = |place: &usize| problem.accepts(&block.deal(*place));
                    pilot.passed += (0..BLOCK_DEALS).filter(accepts).count() as u64;
                }
                pilot.looked_at += BLOCK_DEALS as u64;
            }
            pilot.each +=
                COLUMN_TIME_RATIO * evaluator.spent() as f64 / pilot.looked_at.max(1) as f64;
            pilot
        })
    }

    fn decide(&self, stage: usize, stop: StopCheck<'_>) -> Result<StageDecision, SetupError> {
        let plain = |reason: String| {
            Ok(StageDecision {
                decision: SamplerDecision::Plain { reason },
                open: false,
            })
        };
        if self.usage == SamplerUse::Off {
            return plain("it is switched off".to_owned());
        }
        let too_long = StageDecision {
            decision: SamplerDecision::Plain {
                reason: "its tables would take longer than plain dealing".to_owned(),
            },
            open: self.chooses() && stage + 1 < STAGES,
        };
        let mut budget = Budget::default();
        if self.chooses() {
            match self.allowance(stage) {
                Ok(allowed) => budget = allowed,
                Err(verdict) => return Ok(verdict),
            }
            let tried = (0..stage).filter_map(|stage| self.allowance(stage).ok());
            let mut tried = tried.map(|budget| budget.search);
            if tried.any(|before| budget.search < WORTH_ANOTHER_TRY * before) {
                return Ok(too_long);
            }
        }
        if let Some(reason) = self.analysis().refusal() {
            return plain(reason.to_owned());
        }
        let mut meter = CostMeter::new(budget).with_stop(stop);
        if self.chooses() {
            // Tables and drawing together must take less time than plain dealing.
            meter =
                meter.with_plain_cost(budget.nanoseconds / MAX_PLANNING_SHARE, self.pilot().each);
        }
        let sampler = match self.analyse(&meter) {
            Ok(sampler) => sampler,
            Err(SetupError::TooExpensive) => return Ok(too_long),
            Err(other) => return Err(other),
        };
        let all = self.plan_lengths.as_ref().map(Sampler::deals);
        let probability = match all {
            Some(all) => Count::among(sampler.deals(), all),
            None => Some(sampler.count()),
        };
        let Some(probability) = probability else {
            return plain("the probability is unknown".to_owned());
        };
        let bytes = sampler.bytes();
        if self.chooses()
            && let Some(reason) = common(probability.probability(), bytes, self.pilot().each)
        {
            return plain(reason);
        }
        let share = probability.decimal(6, 2);
        let reason = match probability.probability() < 0.999 {
            true => format!("only {share} % of the deals can satisfy the condition"),
            false => "nearly all deals can satisfy what can be counted".to_owned(),
        };
        Ok(StageDecision {
            decision: SamplerDecision::Sampled {
                reason,
                sampler: Box::new(sampler),
                probability,
            },
            open: false,
        })
    }

    /// Returns the budget for planning at a stage, from the remaining cost of plain dealing.
    fn allowance(&self, stage: usize) -> Result<Budget, StageDecision> {
        let plain = |reason: String, open: bool| StageDecision {
            decision: SamplerDecision::Plain { reason },
            open: open && stage + 1 < STAGES,
        };
        let dealt = (self.end_of_plain(stage) * BLOCK_DEALS as u64) as f64;
        let left = self.generate as f64 - dealt;
        let pilot = self.pilot();
        if left * pilot.each < MIN_PLAIN_WORK {
            let left = left.max(0.0);
            return Err(plain(
                format!("only {left} deals are left to be looked at"),
                false,
            ));
        }
        let mut share = (pilot.passed as f64).max(ASSUMED_HITS) / pilot.looked_at.max(1) as f64;
        if let Some(reason) = common(share, 0, pilot.each) {
            return Err(plain(reason, false));
        }
        if stage > 0 {
            // The run would have ended if more deals had passed, so this is an upper bound of the share.
            share = share.min(self.produce as f64 / dealt);
        }
        let needed = self.produce as f64 / share;
        let needed = (needed - dealt).max(MIN_NEEDED_SHARE * needed).min(left);
        let cost = (needed * pilot.each).min(self.time);
        if cost < MIN_PLAIN_WORK {
            return Err(plain(
                "so few deals are still wanted that preparing tables would take longer than dealing".to_owned(),
                true,
            ));
        }
        let nanoseconds = (MAX_PLANNING_SHARE * cost).min(MAX_WASTED_WORK);
        Ok(Budget {
            nanoseconds,
            search: (MAX_WASTED_SHARE * cost + MIN_WASTED_WORK).min(nanoseconds),
            // One gigabyte of tables per second of work, within limits.
            bytes: nanoseconds.clamp(TABLE_BYTES.0, TABLE_BYTES.1),
        })
    }

    /// Builds a sampler with as many parts of the condition as the meter allows.
    fn analyse(&self, meter: &CostMeter<'_>) -> Result<Sampler, SetupError> {
        let analysis = self.analysis();
        match self.plan_lengths {
            Some(_) => analysis.metered(meter),
            None => analysis.with_alternatives(meter),
        }
    }

    /// Puts block `number` into the batch: a plain one, or one from the sampler if that was decided. Returns false if
    /// `stop` returns true before the decision.
    fn fill_by_decision(&self, number: u64, batch: &mut Batch, stop: StopCheck<'_>) -> bool {
        if number < self.plain_blocks() {
            self.plain.fill(number, batch);
            return true;
        }
        let Some((plain, decision)) = self.decision_for(number, stop) else {
            batch.clear(number.saturating_mul(BLOCK_DEALS as u64));
            return false;
        };
        match (decision, &self.plan_lengths) {
            (
                SamplerDecision::Sampled {
                    sampler,
                    probability,
                    ..
                },
                _,
            ) if probability.hits() > 0 => {
                self.fill_sampled((sampler, probability), plain, number, batch);
            }
            // No deal can satisfy the condition: every deal up to the limit would have been rejected.
            (SamplerDecision::Sampled { .. }, _) => batch.clear(self.generate),
            (SamplerDecision::Plain { .. }, Some(universe)) => {
                self.fill_lengths(universe, number, batch)
            }
            (SamplerDecision::Plain { .. }, None) => self.plain.fill(number, batch),
        }
        true
    }

    /// Puts a block of the sampler's deals into the batch, numbered as if all deals had been made.
    fn fill_sampled(
        &self,
        (sampler, probability): (&Sampler, &Count),
        plain: u64,
        number: u64,
        batch: &mut Batch,
    ) {
        let candidates = number - plain;
        let skips = self.skips.get_or_init(|| Skips::new(probability));
        let (mut before, skipped) = self.starts.of(skips, plain, candidates);
        let limit = u128::from(self.generate);
        batch.clear(u64::try_from(before.min(limit)).unwrap_or(u64::MAX));
        if before >= limit {
            return;
        }
        let mut deals: Vec<Option<Deal>> = Vec::new();
        sampler.candidates(&self.key, candidates, &mut deals);
        for (deal, skip) in deals.iter().zip(skipped) {
            before = before.saturating_add(skip);
            if let Some(deal) = deal {
                batch.push(deal, None);
                let number = u64::try_from(before).unwrap_or(u64::MAX);
                batch.numbers.push(number);
            }
            before = before.saturating_add(1);
        }
        batch.end = u64::try_from(before.min(limit)).unwrap_or(u64::MAX);
        batch.goes_on = true;
    }

    /// Deals a block with the predealt lengths, without regard to the condition.
    fn fill_lengths(&self, universe: &Sampler, number: u64, batch: &mut Batch) {
        let mut deals = Vec::new();
        universe.block(&self.key, number, &mut deals);
        batch.clear(number.saturating_mul(BLOCK_DEALS as u64));
        deals.iter().for_each(|deal| batch.push(deal, None));
    }
}

/// Returns the reason why the sampler would not pay even with free tables, if there is one.
fn common(probability: f64, bytes: usize, plain_deal: f64) -> Option<String> {
    if probability * cost_of_draw(bytes) < plain_deal {
        return None;
    }
    let share = 100.0 * probability;
    Some(format!(
        "{share:.3} % of the deals can satisfy the condition, and plain dealing is quick"
    ))
}

impl DealSource for SampledSource {
    fn fill(&self, number: u64, batch: &mut Batch) {
        self.fill_unless(number, batch, &|| false);
    }

    fn fill_unless(&self, number: u64, batch: &mut Batch, stop: &dyn Fn() -> bool) -> bool {
        let filled = self.fill_by_decision(number, batch, stop);
        // No expression tests the predeal, so the source has to satisfy it.
        debug_assert!(
            !(self.plan.predeals_cards() || self.plan.predeals_lengths())
                || (0..batch.count).all(|place| self.plan.has_predeal(&batch.block.deal(place))),
            "a deal without the predealt cards or lengths"
        );
        filled
    }

    fn block_of(&self, number: u64) -> u64 {
        // Before the switch to the sampler, deal numbers and blocks correspond.
        let block = number / BLOCK_DEALS as u64;
        match self.decision_for(block, &|| false) {
            Some((plain, SamplerDecision::Sampled { probability, .. }))
                if probability.hits() > 0 =>
            {
                let skips = self.skips.get_or_init(|| Skips::new(probability));
                plain + self.starts.block_of(skips, plain, number)
            }
            _ => block,
        }
    }

    fn random(&self) -> (Key, Stream) {
        // Numbers of deals never repeat within a run, so the plain and the sampled part can share a stream. The plain
        // part thus equals a run without a sampler.
        (self.key, Stream::Rnd)
    }

    fn numbers_are_consecutive(&self, block: u64, stop: &dyn Fn() -> bool) -> bool {
        // The caller is about to fetch the block, so the decision is made now.
        block < self.plain_blocks()
            || matches!(
                self.decision_for(block, stop),
                Some((_, SamplerDecision::Plain { .. }))
            )
    }
}
