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
pub struct LeadSample {
    declared: Declared,
    vulnerable: bool,
    leads: Vec<CardSet>,
    sample: Sample,
}

impl LeadSample {
    /// A study of the leads of `hand` on these deals, of which the first will be solved.
    #[must_use]
    pub fn new(hand: Hand, declared: Declared, vulnerable: bool, deals: &[Deal]) -> Self {
        let leads = sequences(hand);
        let score = |tricks: u8| f64::from(declared.contract.score(vulnerable, tricks.into()));
        let controls = deals
            .iter()
            .map(|deal| controls::of_leads(deal, &declared, score))
            .collect();
        LeadSample {
            declared,
            vulnerable,
            sample: Sample::new(KEPT * leads.len(), controls),
            leads,
        }
    }

    /// Adds the next layout, solved. Leads of another hand are ignored.
    pub fn add(&mut self, solved: &Leads) {
        let tricks: Option<Vec<u8>> = self
            .leads
            .iter()
            .map(|run| run.iter().next().and_then(|card| solved.tricks(card)))
            .collect();
        let Some(tricks) = tricks else { return };
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
        self.sample.add(&values);
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
        };
        self.solved() >= FEWEST
            && (0..self.leads.len()).all(|lead| {
                self.sample.combined(KEPT * lead + kept).margin() * factor <= precision.half_width
            })
    }

    /// The five numbers of a lead, in the order of [`LeadResult`], from all deals; and from the solved ones alone.
    #[must_use]
    pub fn estimates(&self, lead: usize) -> [(Estimate, Estimate); KEPT] {
        std::array::from_fn(|kept| {
            let quantity = KEPT * lead + kept;
            (self.sample.combined(quantity), self.sample.plain(quantity))
        })
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
