//! Sources of layouts of the defenders' cards.

use std::fmt;
use std::sync::atomic::Ordering;

use cards::{Card, Deal, Seat};
use session::{Job, JobSpec, Session};
use shuffle::{BLOCK_DEALS, Block, FastDealer, Key, Predeal};

use crate::question::PlayQuestion;

/// A source of deals that agree with declarer's hands and with the play so far.
pub trait LayoutSource: Sync {
    /// Returns `count` deals, drawn from those that are possible. Equal questions get equal deals.
    ///
    /// # Errors
    /// If the source has a condition that cannot be evaluated, or that no deal satisfies.
    fn layouts(&self, question: &PlayQuestion, count: usize) -> Result<Vec<Deal>, LayoutError>;
}

/// The reason why there are no layouts.
#[derive(Debug)]
#[non_exhaustive]
pub enum LayoutError {
    /// The script has an error, or its condition fails on a deal.
    Script(session::Error),
    /// No deal with the known cards was found that satisfies the condition.
    NoDeals,
    /// The job was cancelled before the first deal.
    Cancelled,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LayoutError::Script(_) => f.write_str("the deals of the script cannot be produced"),
            LayoutError::NoDeals => {
                f.write_str("no deal with the known cards satisfies the condition")
            }
            LayoutError::Cancelled => f.write_str("cancelled before the first layout"),
        }
    }
}

impl std::error::Error for LayoutError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LayoutError::Script(error) => Some(error),
            LayoutError::NoDeals | LayoutError::Cancelled => None,
        }
    }
}

/// All layouts of the hidden cards, each with the same probability.
#[derive(Clone, Copy, Debug)]
pub struct UniformLayouts {
    seed: u64,
}

impl UniformLayouts {
    /// Creates the source. A seed always gives the same deals.
    #[must_use]
    pub fn new(seed: u64) -> UniformLayouts {
        UniformLayouts { seed }
    }

    /// Calls `keep` with deals that have the cards of `predeal` until it returns false, at most `tries` times.
    fn for_each(
        &self,
        played: &[Card],
        predeal: &Predeal,
        tries: usize,
        mut keep: impl FnMut(Deal) -> bool,
    ) {
        let key = Key::from_seed(mixed(self.seed, played));
        let dealer = FastDealer::new(key, predeal);
        let mut block = Block::new();
        for number in 0..tries {
            let place = number % BLOCK_DEALS;
            if place == 0
                && dealer
                    .fill((number / BLOCK_DEALS) as u64, &mut block)
                    .is_err()
            {
                return;
            }
            if !keep(block.deal(place)) {
                return;
            }
        }
    }
}

impl LayoutSource for UniformLayouts {
    fn layouts(&self, question: &PlayQuestion, count: usize) -> Result<Vec<Deal>, LayoutError> {
        let mut deals = Vec::with_capacity(count);
        self.for_each(question.played(), &question.predeal(), count, |deal| {
            deals.push(deal);
            true
        });
        Ok(deals)
    }
}

/// Layouts that satisfy the condition of a script, for example of one made from an auction.
pub struct ScriptLayouts {
    spec: JobSpec,
    session: Session,
    seed: u64,
}

/// Number of uniform deals to try for each layout before the exact sampler is set up.
const TRIES: usize = 32;

/// Number of deals that a job may try for each layout.
const JOB_TRIES: u64 = 1_000_000;

impl ScriptLayouts {
    /// Creates the source from a job, whose cancel flag ends the search for layouts. Its seed and its number of deals are
    /// not used, and `predeal` of declarer's side is replaced.
    ///
    /// # Errors
    /// If the script has an error.
    pub fn new(job: Job, seed: u64) -> Result<ScriptLayouts, LayoutError> {
        let session = job.prepare().map_err(LayoutError::Script)?;
        let spec = session.spec().clone();
        Ok(ScriptLayouts {
            spec,
            session,
            seed,
        })
    }

    /// Returns the session of the job.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the cards whose place is known from the question or from the script.
    fn predeal(&self, question: &PlayQuestion) -> Result<Predeal, LayoutError> {
        let mut predeal = question.predeal();
        for (seat, cards) in self.session.plan().predeal {
            for card in cards - predeal.hand(seat) {
                predeal.add(seat, card).map_err(|_| LayoutError::NoDeals)?;
            }
        }
        Ok(predeal)
    }

    /// Tests up to a number of uniform deals and returns those that satisfy the condition, at most `count`.
    fn accepted(&self, question: &PlayQuestion, count: usize) -> Result<Vec<Deal>, LayoutError> {
        let mut deals = Vec::new();
        if self.session.plan().predeals_lengths() {
            return Ok(deals);
        }
        let predeal = self.predeal(question)?;
        let uniform = UniformLayouts::new(self.seed);
        let mut is_failed = false;
        self.session.test_deals(|tester| {
            uniform.for_each(question.played(), &predeal, TRIES * count, |deal| {
                match tester.accepts(&deal, None) {
                    Ok(true) => deals.push(deal),
                    Ok(false) => {}
                    // The job reports the error later.
                    Err(_) => is_failed = true,
                }
                deals.len() < count && !is_failed
            });
        });
        if is_failed {
            deals.clear();
        }
        Ok(deals)
    }

    /// Returns deals of the job with the known cards predealt: conditions that few deals satisfy are sampled exactly.
    fn sampled(&self, question: &PlayQuestion, count: usize) -> Result<Vec<Deal>, LayoutError> {
        let execution = self.session.execution();
        let is_cancelled = || execution.cancel.load(Ordering::Relaxed);
        let job = Job::from_spec(self.spec.clone()).as_dealt();
        let mut job = job.execution(execution.clone()).threads(1);
        let predeal = self.predeal(question)?;
        for seat in Seat::ALL {
            let cards = predeal.hand(seat);
            if !cards.is_empty() {
                job = job.predeal(seat, cards.suit_holdings().to_string());
            }
        }
        let seed = mixed(self.seed, question.played());
        job = job.seed((seed >> 1) as i64).produce(count as u64);
        job = job.generate(JOB_TRIES * count as u64);
        let mut deals = Vec::new();
        let mut session = job.prepare().map_err(LayoutError::Script)?;
        session.retain_actions(|_| false);
        let mut keep = |produced: &session::ProducedDeal<'_>| {
            deals.push(produced.deal);
            std::ops::ControlFlow::Continue(())
        };
        session.run(&mut keep).map_err(LayoutError::Script)?;
        match deals.is_empty() && is_cancelled() {
            true => Err(LayoutError::Cancelled),
            false => Ok(deals),
        }
    }
}

impl LayoutSource for ScriptLayouts {
    fn layouts(&self, question: &PlayQuestion, count: usize) -> Result<Vec<Deal>, LayoutError> {
        let mut deals = self.accepted(question, count)?;
        if deals.len() < count {
            deals = self.sampled(question, count)?;
        }
        match deals.is_empty() {
            true => Err(LayoutError::NoDeals),
            false => Ok(deals),
        }
    }
}

/// Returns a seed for the cards played so far.
fn mixed(seed: u64, played: &[Card]) -> u64 {
    let mut mixed = seed ^ 0x9E37_79B9_7F4A_7C15;
    for card in played {
        mixed = (mixed ^ (card.index() as u64 + 1)).wrapping_mul(0x0000_0100_0000_01B3);
        mixed ^= mixed >> 29;
    }
    mixed
}
