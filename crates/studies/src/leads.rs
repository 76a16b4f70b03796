//! What leads are worth, from few solved layouts and many that are only looked at.

use cards::{CardSet, Deal, Hand, scoring};
use solver::Leads;
use solver::study::{Declared, Estimate, LeadResult, sequences};

use crate::choice::{Choice, Glance, begun};
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
    unit: Option<Unit>,
    choice: Choice<'a>,
    sample: Sample,
}

impl Glance for LeadSample<'_> {
    fn doubt(&self, deal: &Deal) -> f64 {
        let score = |tricks: u8| self.declared.contract.score(self.vulnerable, tricks.into());
        let unit = self.unit.unwrap_or(Unit::Tricks);
        controls::doubt_of_leads(deal, &self.declared, unit, score)
    }

    fn controls(&self, deal: &Deal) -> Vec<f64> {
        let contract = self.declared.contract;
        let score = |tricks: u8| f64::from(contract.score(self.vulnerable, tricks.into()));
        controls::of_leads(deal, &self.declared, score)
    }
}

impl<'a> LeadSample<'a> {
    /// A study of the leads of `hand` on these deals, of which the first will be solved.
    #[must_use]
    pub fn new(hand: Hand, declared: Declared, vulnerable: bool, deals: &'a [Deal]) -> Self {
        LeadSample::of(hand, declared, vulnerable, None, deals, deals.len())
    }

    /// The same, but of the deals before the cut those are solved that matter for what is to be known, given by its unit; the rest is only
    /// looked at. In tricks, which are about equally uncertain on every deal, or with too few deals in the rest, all are
    /// solved as they come.
    #[must_use]
    pub fn choosing(
        hand: Hand,
        declared: Declared,
        vulnerable: bool,
        unit: Unit,
        deals: &'a [Deal],
        cut: usize,
    ) -> Self {
        let unit = Some(unit).filter(|&unit| unit != Unit::Tricks);
        LeadSample::of(hand, declared, vulnerable, unit, deals, cut)
    }

    fn of(
        hand: Hand,
        declared: Declared,
        vulnerable: bool,
        unit: Option<Unit>,
        deals: &'a [Deal],
        cut: usize,
    ) -> Self {
        let leads = sequences(hand);
        let quantities = KEPT * leads.len() + leads.len() * leads.len();
        let few = controls::FEW_OF_LEADS;
        let mut study = LeadSample {
            declared,
            vulnerable,
            sample: Sample::new(quantities, few),
            leads,
            unit,
            choice: Choice::none(deals),
        };
        let cut = unit.map(|_| cut);
        (study.choice, study.sample) = begun(&study, deals, cut, (quantities, few));
        study
    }

    /// The deals to solve, in their order, with their places.
    pub fn to_solve(&self) -> impl Iterator<Item = (usize, &'a Deal)> + use<'a> {
        let study = self.clone();
        let chosen = self.choice.chosen(0, move |deal| study.doubt(deal));
        chosen.map(|(place, deal, _)| (place, deal))
    }

    /// Adds the next layout [to solve](Self::to_solve). Leads of another hand are ignored, and layouts beyond the last.
    pub fn add(&mut self, solved: &Leads) {
        let tricks: Option<Vec<u8>> = self
            .leads
            .iter()
            .map(|run| run.iter().next().and_then(|card| solved.tricks(card)))
            .collect();
        let mut choice = self.choice.clone();
        let next = choice.next(|deal| self.doubt(deal));
        let (Some(tricks), Some((deal, chance))) = (tricks, next) else {
            return;
        };
        self.choice = choice;
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
        for &ours in &scores {
            let won = |&theirs: &i32| f64::from(scoring::imps(ours - theirs));
            values.extend(scores.iter().map(won));
        }
        let controls = self.controls(deal);
        self.sample.add_chosen(controls, chance, &values);
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
        let duels = KEPT * self.leads.len();
        let mut known = self.sample.all_combined(quantities);
        for (estimate, &quantity) in known.iter_mut().zip(quantities) {
            if quantity < duels && quantity % KEPT == 1 {
                *estimate = share(&self.sample, quantity, *estimate);
            }
        }
        known
    }

    /// The five numbers of every lead, in the order of [`LeadResult`], from all deals; and from the solved ones alone.
    #[must_use]
    pub fn estimates(&self) -> Vec<[(Estimate, Estimate); KEPT]> {
        let quantities: Vec<usize> = (0..KEPT * self.leads.len()).collect();
        let known = self.known(&quantities);
        let of = |lead: usize| {
            std::array::from_fn(|kept| {
                let quantity = KEPT * lead + kept;
                (known[quantity], self.sample.plain(quantity))
            })
        };
        (0..self.leads.len()).map(of).collect()
    }

    /// The leads of the hand, in the order of [`LeadSample::estimates`].
    #[must_use]
    pub fn leads(&self) -> &[CardSet] {
        &self.leads
    }

    /// The same results with the estimates from all deals in the place of those from the solved ones.
    #[must_use]
    pub fn sharpen(&self, mut results: Vec<LeadResult>) -> Vec<LeadResult> {
        let count = self.leads.len();
        let quantities: Vec<usize> = (0..KEPT * count + count * count).collect();
        let known = self.known(&quantities);
        let place = |cards: CardSet| self.leads.iter().position(|&lead| lead == cards);
        for result in &mut results {
            let Some(lead) = place(result.cards) else {
                continue;
            };
            let of = |kept: usize| known[KEPT * lead + kept];
            result.tricks = of(0);
            result.sets = within_one(of(1));
            result.score = of(2);
            result.imps = of(3);
            result.matchpoints = within_one(of(4));
        }
        results.sort_by(|a, b| b.imps.value.total_cmp(&a.imps.value));
        // The columns of the duels in the same order as the rows.
        let order: Vec<usize> = results.iter().filter_map(|it| place(it.cards)).collect();
        for (result, &lead) in results.iter_mut().zip(&order) {
            let duel = |&other: &usize| known[KEPT * count + count * lead + other];
            result.duels = order.iter().map(duel).collect();
        }
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
        true => {
            let (share, deals) = (sample.share(quantity, 1.0), sample.worth().floor());
            let wilson = Estimate::proportion((share * deals).round() as u64, deals as u64);
            Estimate {
                value: share,
                low: wilson.low.min(share),
                high: wilson.high.max(share),
            }
        }
        false => combined,
    }
}
