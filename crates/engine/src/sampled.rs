//! Deals from the exact sampler as a source of a run.
//!
//! # Which deals come out
//!
//! A run begins with plain deals. After the plain blocks, and again much later if nothing was decided then, it weighs
//! what plain dealing would still cost against what tables would cost, and changes over to the sampler where that pays.
//! All this is counted work with fixed constants: how many deals of the first blocks pass the condition (they are looked
//! at once more for it), how many are still wanted, how many steps the planner takes before it finds a way or gives up.
//! So the choice is a function of the script, the key and the limits. It does not depend on time, threads or processors,
//! and whoever deals only some blocks of a run makes the same choice as all others.

mod starts;

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use cards::Deal;
use sampling::{Budget, Count, GaveUp, Meter, Sampler, Skips, Stop, cost_of_draw};
use script::plan::Plan;
use serde::{Deserialize, Serialize};
use shuffle::{BLOCK_DEALS, FastDealer, Key, Stream};
use usermetrics::UserMetrics;

use crate::analysis::{self, Analysis, Metrics};
use crate::batch::{BatchEvaluator, BatchPlan};
use crate::outcome::Options;
use crate::prepared::Prepared;
use crate::source::{Batch, FastSource, Source};
use starts::Starts;

/// When the exact sampler is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SamplerUse {
    /// Where it saves time.
    #[default]
    Auto,
    /// Wherever it can.
    On,
    /// Only where there is no other way: with predealt lengths.
    Off,
}

/// Counted nanoseconds of plain dealing before the sampler is considered. Runs that end within them never pay for tables.
const PLAIN_WORK: f64 = 2.4e6;

/// The plain blocks before the sampler is considered: at least and at most.
const PLAIN_BLOCKS: (u64, u64) = (32, 256);

/// Looks at whether the sampler pays, each so many times later than the one before.
const STAGES: usize = 3;
const NEXT_STAGE: u64 = 32;

/// Deals of the plain blocks that pass the condition, after which there is no need to look at more.
const ENOUGH_HITS: u64 = 64;

/// Nanoseconds for dealing a deal plainly and looking at it.
const PLAIN_DEAL: f64 = 6.2;

/// How much longer the columns of a condition take than the sum of their counted nanoseconds: few deals in a block are
/// left after the first of them.
const COLUMNS: f64 = 3.0;

/// Where none of the deals that were looked at passed, this many are taken to have passed: it may well be that none
/// passes for a long time.
const NO_HITS: f64 = 0.05;

/// Counted nanoseconds of plain dealing for which tables are never built.
const SHORT: f64 = 4e6;

/// The largest share of the remaining plain work that planning may take, and the share that it may take in vain.
const MOST: f64 = 0.8;
const IN_VAIN: f64 = 0.13;

/// Counted nanoseconds that planning may take in vain in any case, and at most.
const ALLOWANCE: f64 = 8e6;
const LONGEST: f64 = 3e9;

/// A planner that gave up is asked again only with so many times the budget.
const WORTH_ANOTHER_TRY: f64 = 2.0;

/// What was decided, and why.
pub enum Decision {
    /// Plain dealing.
    Plain {
        /// Why.
        reason: String,
    },
    /// The exact sampler.
    Sampled {
        /// It.
        sampler: Box<Sampler>,
        /// The probability of what it covers among the deals that the predeal allows.
        probability: Count,
        /// Why.
        reason: String,
    },
}

/// What the first plain blocks tell about the condition.
#[derive(Clone, Copy, Debug)]
struct Pilot {
    looked_at: u64,
    passed: u64,
    /// Counted nanoseconds for a plain deal and its evaluation.
    each: f64,
}

/// A decision, and whether more deals may change it.
struct Verdict {
    decision: Decision,
    open: bool,
}

/// Uniform deals as from [`FastSource`], of which those that the condition can never accept need not be made.
///
/// The deals that are given have numbers as if all others had been dealt too: how many are left out is drawn from
/// its exact distribution. So limits, counts and averages mean what they mean in a plain run.
///
/// Which deals come out is a function of the plan, the dealer's key and predeal, the use and the limits.
pub struct SampledSource {
    plan_lengths: Option<Sampler>,
    /// The condition, which is analysed when it is time to decide.
    plan: Plan,
    analysis: OnceLock<Analysis>,
    /// The condition in columns, for a look at plain deals.
    columns: BatchPlan,
    dealer: FastDealer,
    plain: FastSource,
    key: Key,
    usage: SamplerUse,
    /// At most so many deals can be looked at.
    generate: u64,
    /// So many are wanted.
    produce: u64,
    /// So many nanoseconds may be spent.
    time: f64,
    /// What is known of metrics.
    metrics: Metrics,
    /// One thread plans, the others wait for it.
    planning: Mutex<()>,
    pilot: OnceLock<Pilot>,
    verdicts: [OnceLock<Verdict>; STAGES],
    skips: OnceLock<Skips>,
    starts: Starts,
}

impl SampledSource {
    /// A source for a plan. The dealer must have the plan's predealt cards.
    ///
    /// # Errors
    /// If the script fixes lengths that no deal has.
    pub fn new(
        plan: &Plan,
        dealer: FastDealer,
        usage: SamplerUse,
        (generate, produce): (u64, u64),
    ) -> Result<SampledSource, String> {
        let plan_lengths = if plan.predeals_lengths() {
            let universe = Analysis::universe_of(plan).map_err(|error| error.to_string())?;
            if universe.deals() == 0 {
                return Err("no deal has the predealt lengths and cards".to_owned());
            }
            Some(universe)
        } else {
            None
        };
        let options = Options::default();
        let prepared = Prepared::new(plan, &options);
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
            metrics: Metrics::Unknown,
            planning: Mutex::new(()),
            pilot: OnceLock::new(),
            verdicts: Default::default(),
            skips: OnceLock::new(),
        })
    }

    /// The same for a run with a time limit, if there is one. It is one of the limits that the choice depends on: tables
    /// that would take longer are not built.
    #[must_use]
    pub fn within(self, time: Option<Duration>) -> SampledSource {
        SampledSource {
            time: time.map_or(f64::INFINITY, |time| time.as_nanos() as f64),
            ..self
        }
    }

    /// The same for a run whose metrics come from here, or are the built-in ones. Nobody else knows anything about them
    /// before a deal is dealt.
    #[must_use]
    pub fn asking(mut self, metrics: Option<&UserMetrics>) -> SampledSource {
        let built_in = metrics.is_none_or(UserMetrics::is_built_in);
        if built_in && analysis::knows_a_metric(&self.plan) {
            self.metrics = Metrics::Coarse;
            // What they cost counts, since deals may be spared it.
            let options = Options::default();
            let prepared = Prepared::new(&self.plan, &options);
            self.columns = BatchPlan::with_sides(&prepared, options.path);
        }
        self
    }

    /// The number of blocks that are dealt plainly before anything is decided.
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

    /// What is done after the plain blocks. It depends on the script, the key and the limits alone.
    pub fn decision(&self) -> &Decision {
        match self.decision_unless(&|| false) {
            Some(decision) => decision,
            None => unreachable!("nobody says stop"),
        }
    }

    /// The same; none if `stop` says so before it is made.
    pub fn decision_unless(&self, stop: Stop<'_>) -> Option<&Decision> {
        self.verdict(0, stop).map(|verdict| &verdict.decision)
    }

    /// What was decided for the last of so many deals that a run has looked at; none if that was a plain one.
    ///
    /// Threads may have worked ahead of the run, so this asks for nothing but what the run needed.
    #[must_use]
    pub fn decided(&self, generated: u64) -> Option<&Decision> {
        let block = generated.checked_sub(1)? / BLOCK_DEALS as u64;
        self.decision_for(block, &|| false)
            .map(|(_, decision)| decision)
    }

    /// The requirements.
    #[must_use]
    pub fn analysis(&self) -> &Analysis {
        self.analysis
            .get_or_init(|| Analysis::of(&self.plan, self.metrics))
    }

    /// First block after the plain ones of a stage.
    fn end_of_plain(&self, stage: usize) -> u64 {
        self.plain_blocks() * NEXT_STAGE.pow(stage as u32)
    }

    /// Whether anything can be gained by looking again.
    fn chooses(&self) -> bool {
        self.usage == SamplerUse::Auto && self.plan_lengths.is_none()
    }

    fn verdict(&self, stage: usize, stop: Stop<'_>) -> Option<&Verdict> {
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

    /// The decision that holds for a block, with the number of plain blocks before it, if it is not a plain one.
    fn decision_for(&self, block: u64, stop: Stop<'_>) -> Option<(u64, &Decision)> {
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

    /// What the plain blocks look like, as far as it takes to know.
    fn pilot(&self) -> Pilot {
        *self.pilot.get_or_init(|| {
            let mut block = shuffle::Block::new();
            let mut pilot = Pilot {
                looked_at: 0,
                passed: 0,
                each: PLAIN_DEAL,
            };
            let mut evaluator = BatchEvaluator::new(&self.columns);
            // Without columns the requirements themselves are asked, which takes far longer.
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
            pilot.each += COLUMNS * evaluator.spent() as f64 / pilot.looked_at.max(1) as f64;
            pilot
        })
    }

    fn decide(&self, stage: usize, stop: Stop<'_>) -> Result<Verdict, GaveUp> {
        let plain = |reason: String| {
            Ok(Verdict {
                decision: Decision::Plain { reason },
                open: false,
            })
        };
        if self.usage == SamplerUse::Off {
            return plain("it is switched off".to_owned());
        }
        let too_long = Verdict {
            decision: Decision::Plain {
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
        let mut meter = Meter::new(budget).watching(stop);
        if self.chooses() {
            // Tables and drawing together must take less time than plain dealing.
            meter = meter.instead_of(budget.nanoseconds / MOST, self.pilot().each);
        }
        let sampler = match self.analyse(&meter) {
            Ok(sampler) => sampler,
            Err(GaveUp::Stopped) => return Err(GaveUp::Stopped),
            Err(GaveUp::TooExpensive) => return Ok(too_long),
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
        Ok(Verdict {
            decision: Decision::Sampled {
                reason,
                sampler: Box::new(sampler),
                probability,
            },
            open: false,
        })
    }

    /// What planning may cost at a stage: it depends on what plain dealing would still cost.
    fn allowance(&self, stage: usize) -> Result<Budget, Verdict> {
        let plain = |reason: String, open: bool| Verdict {
            decision: Decision::Plain { reason },
            open: open && stage + 1 < STAGES,
        };
        let dealt = (self.end_of_plain(stage) * BLOCK_DEALS as u64) as f64;
        let left = self.generate as f64 - dealt;
        let pilot = self.pilot();
        if left * pilot.each < SHORT {
            let left = left.max(0.0);
            return Err(plain(
                format!("only {left} deals are left to be looked at"),
                false,
            ));
        }
        let mut share = (pilot.passed as f64).max(NO_HITS) / pilot.looked_at.max(1) as f64;
        if let Some(reason) = common(share, 0, pilot.each) {
            return Err(plain(reason, false));
        }
        if stage > 0 {
            // Had more deals passed, the run would be over.
            share = share.min(self.produce as f64 / dealt);
        }
        let needed = self.produce as f64 / share;
        let needed = (needed - dealt).max(0.1 * needed).min(left);
        let cost = (needed * pilot.each).min(self.time);
        if cost < SHORT {
            return Err(plain(
                "so few deals are still wanted that preparing tables would take longer than dealing".to_owned(),
                true,
            ));
        }
        let nanoseconds = (MOST * cost).min(LONGEST);
        Ok(Budget {
            nanoseconds,
            search: (IN_VAIN * cost + ALLOWANCE).min(nanoseconds),
            // A gigabyte a second, within reason.
            bytes: nanoseconds.clamp(64e6, 1e9),
        })
    }

    /// A sampler, with as much of the condition as the meter allows.
    fn analyse(&self, meter: &Meter<'_>) -> Result<Sampler, GaveUp> {
        let analysis = self.analysis();
        match self.plan_lengths {
            Some(_) => analysis.metered(meter),
            None => analysis.with_alternatives(meter),
        }
    }

    /// Puts block `number` into the batch: a plain one, or what was decided for it. Gives false if `stop` says so before
    /// that is decided.
    fn fill_by_decision(&self, number: u64, batch: &mut Batch, stop: Stop<'_>) -> bool {
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
                Decision::Sampled {
                    sampler,
                    probability,
                    ..
                },
                _,
            ) if probability.hits() > 0 => {
                self.fill_sampled((sampler, probability), plain, number, batch);
            }
            // Nothing can satisfy the condition: every deal up to the limit would have been thrown away.
            (Decision::Sampled { .. }, _) => batch.clear(self.generate),
            (Decision::Plain { .. }, Some(universe)) => self.fill_lengths(universe, number, batch),
            (Decision::Plain { .. }, None) => self.plain.fill(number, batch),
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

    /// A block of deals with the predealt lengths, without regard to the condition.
    fn fill_lengths(&self, universe: &Sampler, number: u64, batch: &mut Batch) {
        let mut deals = Vec::new();
        universe.block(&self.key, number, &mut deals);
        batch.clear(number.saturating_mul(BLOCK_DEALS as u64));
        deals.iter().for_each(|deal| batch.push(deal, None));
    }
}

/// Why the sampler does not pay even if its tables cost nothing, if so.
fn common(probability: f64, bytes: usize, plain_deal: f64) -> Option<String> {
    if probability * cost_of_draw(bytes) < plain_deal {
        return None;
    }
    let share = 100.0 * probability;
    Some(format!(
        "{share:.3} % of the deals can satisfy the condition, and plain dealing is quick"
    ))
}

impl Source for SampledSource {
    fn fill(&self, number: u64, batch: &mut Batch) {
        self.fill_unless(number, batch, &|| false);
    }

    fn fill_unless(&self, number: u64, batch: &mut Batch, stop: &dyn Fn() -> bool) -> bool {
        let filled = self.fill_by_decision(number, batch, stop);
        // No expression tests the predeal, so it is the source that has to keep it.
        debug_assert!(
            !(self.plan.predeals_cards() || self.plan.predeals_lengths())
                || (0..batch.count).all(|place| self.plan.has_predeal(&batch.block.deal(place))),
            "a deal without the predealt cards or lengths"
        );
        filled
    }

    fn block_of(&self, number: u64) -> u64 {
        // Before the sampler took over, deals and blocks follow each other.
        let block = number / BLOCK_DEALS as u64;
        match self.decision_for(block, &|| false) {
            Some((plain, Decision::Sampled { probability, .. })) if probability.hits() > 0 => {
                let skips = self.skips.get_or_init(|| Skips::new(probability));
                plain + self.starts.block_of(skips, plain, number)
            }
            _ => block,
        }
    }

    fn random(&self) -> (Key, Stream) {
        // Numbers of deals never repeat within a run, so the plain and the sampled part can share a stream; and
        // the plain part is the same as without a sampler.
        (self.key, Stream::Rnd)
    }

    fn numbers_follow(&self, block: u64, stop: &dyn Fn() -> bool) -> bool {
        // Who asks is about to want the block, so this is the time to decide.
        block < self.plain_blocks()
            || matches!(
                self.decision_for(block, stop),
                Some((_, Decision::Plain { .. }))
            )
    }
}
