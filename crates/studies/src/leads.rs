//! What leads are worth, from few solved layouts and many that are only looked at.

use cards::{CardSet, Deal, Hand, scoring};
use solver::Leads;
use solver::study::{Declared, Estimate, LeadResult, sequences};

use crate::combined::Sample;
use crate::controls;
use crate::precision::{FEWEST, Precision, Unit};

/// Numbers kept of every lead: tricks, sets, score, IMPs and matchpoints.
const KEPT: usize = 5;

/// Collects layout by layout what every lead is worth.
#[derive(Clone, Debug)]
pub struct LeadSample<'a> {
    declared: Declared,
    vulnerable: bool,
    leads: Vec<CardSet>,
    deals: &'a [Deal],
    sample: Sample,
}

impl<'a> LeadSample<'a> {
    /// A study of the leads of `hand` on these deals, of which the first will be solved.
    #[must_use]
    pub fn new(hand: Hand, declared: Declared, vulnerable: bool, deals: &'a [Deal]) -> Self {
        let leads = sequences(hand);
        let mut study = LeadSample {
            declared,
            vulnerable,
            sample: Sample::new(KEPT * leads.len(), controls::FEW_OF_LEADS),
            leads,
            deals,
        };
        for deal in deals {
            let controls = study.controls(deal);
            study.sample.look(&controls);
        }
        study
    }

    fn controls(&self, deal: &Deal) -> Vec<f64> {
        let contract = self.declared.contract;
        let score = |tricks: u8| f64::from(contract.score(self.vulnerable, tricks.into()));
        controls::of_leads(deal, &self.declared, score)
    }

    /// Adds the next layout, solved. Leads of another hand are ignored, and layouts beyond the last.
    pub fn add(&mut self, solved: &Leads) {
        let tricks: Option<Vec<u8>> = self
            .leads
            .iter()
            .map(|run| run.iter().next().and_then(|card| solved.tricks(card)))
            .collect();
        let (Some(tricks), Some(deal)) = (tricks, self.deals.get(self.solved())) else {
            return;
        };
        let contract = self.declared.contract;
        let score = |&tricks: &u8| -contract.score(self.vulnerable, 13 - i32::from(tricks));
        let scores: Vec<i32> = tricks.iter().map(score).collect();
        let others = (scores.len() as f64 - 1.0).max(1.0);
        let mut values = Vec::with_capacity(KEPT * scores.len());
        for (i, &ours) in scores.iter().enumerate() {
            let against = scores.iter().enumerate().filter(|&(j, _)| j != i);
            let (mut imps, mut matchpoints) = (0, 0.0);
            for (_, &theirs) in against {
                imps += scoring::imps(ours - theirs);
                matchpoints += 0.5 + 0.5 * f64::from((ours - theirs).signum());
            }
            values.extend([
                f64::from(tricks[i]),
                f64::from(u8::from(ours > 0)),
                f64::from(ours),
                f64::from(imps) / others,
                matchpoints / others,
            ]);
        }
        self.sample.add(self.controls(deal), &values);
    }

    /// How many layouts were solved.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.sample.solved()
    }

    /// Whether all leads are known as well as wished.
    #[must_use]
    pub fn reached(&self, precision: Precision) -> bool {
        let (kept, factor) = match precision.unit {
            Unit::Tricks => (0, 1.0),
            Unit::Percent => (1, 100.0),
            Unit::Imps => (3, 1.0),
            Unit::Points => (2, 1.0),
        };
        let quantities: Vec<usize> = (0..self.leads.len())
            .map(|lead| KEPT * lead + kept)
            .collect();
        let narrow = |estimate: Estimate| estimate.margin() * factor <= precision.half_width;
        self.solved() >= FEWEST && self.known(&quantities).into_iter().all(narrow)
    }

    /// What is known of some numbers; of shares also when they are near nothing or everything.
    fn known(&self, quantities: &[usize]) -> Vec<Estimate> {
        let mut known = self.sample.all_combined(quantities);
        for (estimate, &quantity) in known.iter_mut().zip(quantities) {
            if quantity % KEPT == 1 {
                *estimate = share(&self.sample, quantity, *estimate);
            }
        }
        known
    }

    /// The five numbers of a lead, in the order of [`LeadResult`], from all deals; and from the solved ones alone.
    #[must_use]
    pub fn estimates(&self, lead: usize) -> [(Estimate, Estimate); KEPT] {
        let quantities: [usize; KEPT] = std::array::from_fn(|kept| KEPT * lead + kept);
        let known = self.known(&quantities);
        std::array::from_fn(|kept| (known[kept], self.sample.plain(quantities[kept])))
    }

    /// The leads of the hand, in the order of [`LeadSample::estimates`].
    #[must_use]
    pub fn leads(&self) -> &[CardSet] {
        &self.leads
    }

    /// The same results with the estimates from all deals in the place of those from the solved ones.
    #[must_use]
    pub fn sharpen(&self, mut results: Vec<LeadResult>) -> Vec<LeadResult> {
        for result in &mut results {
            let Some(lead) = self.leads.iter().position(|&cards| cards == result.cards) else {
                continue;
            };
            let [tricks, sets, score, imps, matchpoints] =
                self.estimates(lead).map(|(both, _)| both);
            result.tricks = tricks;
            result.sets = within_one(sets);
            result.score = score;
            result.imps = imps;
            result.matchpoints = within_one(matchpoints);
        }
        results.sort_by(|a, b| b.imps.value.total_cmp(&a.imps.value));
        results
    }
}

/// A share lies between nothing and everything.
pub(crate) fn within_one(share: Estimate) -> Estimate {
    Estimate {
        value: share.value.clamp(0.0, 1.0),
        low: share.low.clamp(0.0, 1.0),
        high: share.high.clamp(0.0, 1.0),
    }
}

/// Successes, and failures, without which the spread of a share is not known.
const RARE: usize = 10;

/// The interval of a share: that of all deals, or where successes or failures are rare Wilson's of the solved ones, which
/// does not shrink to nothing.
pub(crate) fn share(sample: &Sample, quantity: usize, combined: Estimate) -> Estimate {
    let (successes, failures) = sample.successes_and_failures(quantity);
    match successes.min(failures) < RARE {
        true => Estimate::proportion(successes as u64, sample.solved() as u64),
        false => combined,
    }
}
