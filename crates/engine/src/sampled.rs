//! Deals from the exact sampler as a source of a run.

use std::sync::{Mutex, OnceLock, PoisonError};

use cards::Deal;
use sampling::{Budget, Count, Sampler, Skips};
use script::plan::Plan;
use serde::{Deserialize, Serialize};
use shuffle::{BLOCK_DEALS, FastDealer, Key, Stream};

use crate::analysis::Analysis;
use crate::source::{Batch, FastSource, Source};

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

/// Blocks of plain deals before the sampler is considered: about two milliseconds of work. Runs that end within
/// them never pay for tables.
const PLAIN_BLOCKS: u64 = 256;

/// Blocks of the plain phase that are looked at to see how rare the requirements are: half a millisecond.
const PILOT_BLOCKS: u64 = 1;

/// Nanoseconds for dealing and testing a deal plainly.
const PLAIN_DEAL: f64 = 6.0;

/// Nanoseconds for a deal from the sampler.
const SAMPLED_DEAL: f64 = 350.0;

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

/// Uniform deals as from [`FastSource`], of which those that the condition can never accept need not be made.
///
/// The deals that are given have numbers as if all others had been dealt too: how many are left out is drawn from
/// its exact distribution. So limits, counts and averages mean what they mean in a plain run.
pub struct SampledSource {
    plan_lengths: Option<Sampler>,
    analysis: Analysis,
    dealer: FastDealer,
    plain: FastSource,
    key: Key,
    usage: SamplerUse,
    /// At most so many deals can be looked at.
    generate: u64,
    /// So many are wanted.
    produce: u64,
    decision: OnceLock<Decision>,
    skips: OnceLock<Skips>,
    /// Number of the first raw deal before the skip of each block of candidates.
    starts: Mutex<Vec<u128>>,
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
        let analysis = Analysis::new(plan);
        let plan_lengths = if analysis.has_lengths() {
            let universe = analysis.universe(plan).map_err(|error| error.to_string())?;
            if universe.deals() == 0 {
                return Err("no deal has the predealt lengths and cards".to_owned());
            }
            Some(universe)
        } else {
            None
        };
        Ok(SampledSource {
            plan_lengths,
            analysis,
            key: *dealer.key(),
            plain: FastSource::new(dealer.clone()),
            dealer,
            usage,
            generate,
            produce,
            decision: OnceLock::new(),
            skips: OnceLock::new(),
            starts: Mutex::new(Vec::new()),
        })
    }

    /// The number of blocks that are dealt plainly before anything is decided.
    #[must_use]
    pub fn plain_blocks(&self) -> u64 {
        match (self.usage, &self.plan_lengths) {
            (SamplerUse::On, _) | (_, Some(_)) => 0,
            _ => PLAIN_BLOCKS,
        }
    }

    /// What is done after the plain blocks. It depends on the script, the key and the limits alone.
    pub fn decision(&self) -> &Decision {
        self.decision.get_or_init(|| self.decide())
    }

    /// The requirements.
    #[must_use]
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    fn plain(&self, reason: impl Into<String>) -> Decision {
        Decision::Plain {
            reason: reason.into(),
        }
    }

    fn decide(&self) -> Decision {
        if let Some(reason) = self.analysis.refusal() {
            return self.plain(reason);
        }
        if self.usage == SamplerUse::Off {
            return self.plain("it is switched off");
        }
        let free_to_choose = self.usage == SamplerUse::Auto && self.plan_lengths.is_none();
        if free_to_choose && let Some(reason) = self.not_worth_trying() {
            return self.plain(reason);
        }
        let Ok(sampler) = self.analysis.sampler(Budget::default()) else {
            return self.plain("its tables would be too large");
        };
        let all = self.plan_lengths.as_ref().map(Sampler::deals);
        let probability = match all {
            Some(all) => Count::among(sampler.deals(), all),
            None => Some(sampler.count()),
        };
        let Some(probability) = probability else {
            return self.plain("the probability is unknown");
        };
        if free_to_choose && let Err(reason) = worth_using(probability.probability()) {
            return self.plain(reason);
        }
        let share = probability.decimal(6, 2);
        let reason = match probability.probability() < 0.999 {
            true => format!("only {share} % of the deals can satisfy the condition"),
            false => "nearly all deals can satisfy what can be counted".to_owned(),
        };
        Decision::Sampled {
            reason,
            sampler: Box::new(sampler),
            probability,
        }
    }

    /// A look at some plain deals, before tables are built: how often are the requirements met?
    fn not_worth_trying(&self) -> Option<String> {
        let left = self
            .generate
            .saturating_sub(PLAIN_BLOCKS * BLOCK_DEALS as u64);
        let plain_time = left as f64 * PLAIN_DEAL;
        if plain_time < Budget::default().nanoseconds / 10.0 {
            return Some(format!("only {left} deals are left to be looked at"));
        }
        let mut block = shuffle::Block::new();
        let mut hits = 0u64;
        for number in 0..PILOT_BLOCKS {
            if self.dealer.fill(number, &mut block).is_err() {
                return None;
            }
            let accepts = |place: &usize| self.analysis.problem().accepts(&block.deal(*place));
            hits += (0..BLOCK_DEALS).filter(accepts).count() as u64;
        }
        let looked_at = PILOT_BLOCKS * BLOCK_DEALS as u64;
        let share = hits as f64 / looked_at as f64;
        let mut reason = worth_using(share).err();
        // Plain dealing looks at `produce / share` deals; with the plain phase over, is that near?
        let needed = (self.produce as f64 / share).min(self.generate as f64);
        let needed_after = needed - (PLAIN_BLOCKS * BLOCK_DEALS as u64) as f64;
        if reason.is_none() && needed_after * PLAIN_DEAL < 5e6 {
            reason = Some("plain dealing is about to end".to_owned());
        }
        reason
    }

    /// Puts a block of the sampler's deals into the batch, numbered as if all deals had been made.
    fn fill_sampled(&self, sampler: &Sampler, probability: &Count, number: u64, batch: &mut Batch) {
        let candidates = number - self.plain_blocks();
        let skips = self.skips.get_or_init(|| Skips::new(probability));
        let mut before = self.start(skips, candidates);
        let limit = u128::from(self.generate);
        batch.clear(u64::try_from(before.min(limit)).unwrap_or(u64::MAX));
        if before >= limit {
            return;
        }
        let mut skipped = Vec::new();
        skips.block(&self.key, candidates, &mut skipped);
        let mut deals: Vec<Deal> = Vec::new();
        sampler.block(&self.key, candidates, &mut deals);
        for (deal, skip) in deals.iter().zip(skipped) {
            before = before.saturating_add(skip);
            batch.push(deal, None);
            batch
                .numbers
                .push(u64::try_from(before).unwrap_or(u64::MAX));
            before = before.saturating_add(1);
        }
    }

    /// The decision, if it concerns a block with this number.
    fn decision_after(&self, block: u64) -> Option<&Decision> {
        (block >= self.plain_blocks()).then(|| self.decision())
    }

    /// The block of candidates that holds raw deal `number`, or the first one after it.
    fn candidates_of(&self, skips: &Skips, number: u64) -> u64 {
        let number = u128::from(number);
        loop {
            let starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
            let last = starts.last().copied().unwrap_or(0);
            if last > number || last >= u128::from(self.generate) {
                let after = starts.partition_point(|&start| start <= number);
                return after.saturating_sub(1) as u64;
            }
            let next = starts.len() as u64;
            drop(starts);
            self.start(skips, next);
        }
    }

    /// How many raw deals there are before a block of candidates. Blocks are asked for roughly in order, so there
    /// is rarely more than one to add.
    fn start(&self, skips: &Skips, block: u64) -> u128 {
        let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        if starts.is_empty() {
            let plain = self.plain_blocks() * BLOCK_DEALS as u64;
            starts.push(u128::from(plain));
        }
        let mut skipped = Vec::new();
        while starts.len() as u64 <= block {
            let last = starts.last().copied().unwrap_or(0);
            if last >= u128::from(self.generate) {
                return last;
            }
            skips.block(&self.key, starts.len() as u64 - 1, &mut skipped);
            let sum = skipped
                .iter()
                .fold(last, |sum, &skip| sum.saturating_add(skip + 1));
            starts.push(sum);
        }
        starts[block as usize]
    }

    /// A block of deals with the predealt lengths, without regard to the condition.
    fn fill_lengths(&self, universe: &Sampler, number: u64, batch: &mut Batch) {
        let mut deals = Vec::new();
        universe.block(&self.key, number, &mut deals);
        batch.clear(number.saturating_mul(BLOCK_DEALS as u64));
        deals.iter().for_each(|deal| batch.push(deal, None));
    }
}

/// Whether the sampler pays once its tables are there.
fn worth_using(probability: f64) -> Result<(), String> {
    if probability * SAMPLED_DEAL < PLAIN_DEAL {
        return Ok(());
    }
    let share = 100.0 * probability;
    Err(format!(
        "{share:.3} % of the deals can satisfy the condition, and plain dealing is quick"
    ))
}

impl Source for SampledSource {
    fn fill(&self, number: u64, batch: &mut Batch) {
        if number < self.plain_blocks() {
            self.plain.fill(number, batch);
            return;
        }
        match (self.decision(), &self.plan_lengths) {
            (
                Decision::Sampled {
                    sampler,
                    probability,
                    ..
                },
                _,
            ) if probability.hits() > 0 => {
                self.fill_sampled(sampler, probability, number, batch);
            }
            // Nothing can satisfy the condition: every deal up to the limit would have been thrown away.
            (Decision::Sampled { .. }, _) => batch.clear(self.generate),
            (Decision::Plain { .. }, Some(universe)) => self.fill_lengths(universe, number, batch),
            (Decision::Plain { .. }, None) => self.plain.fill(number, batch),
        }
    }

    fn block_of(&self, number: u64) -> u64 {
        let plain = self.plain_blocks();
        let block = number / BLOCK_DEALS as u64;
        match self.decision_after(block) {
            Some(Decision::Sampled { probability, .. }) if probability.hits() > 0 => {
                let skips = self.skips.get_or_init(|| Skips::new(probability));
                plain + self.candidates_of(skips, number)
            }
            _ => block,
        }
    }

    fn random(&self) -> (Key, Stream) {
        // Numbers of deals never repeat within a run, so the plain and the sampled part can share a stream; and
        // the plain part is the same as without a sampler.
        (self.key, Stream::Rnd)
    }

    fn numbers_follow(&self, block: u64) -> bool {
        block < self.plain_blocks() || matches!(self.decision(), Decision::Plain { .. })
    }
}
