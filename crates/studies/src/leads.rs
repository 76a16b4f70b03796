//! What leads are worth, from few solved layouts and many that are only looked at.

use cards::{CardSet, Deal, Hand, Side, scoring};
use solver::study::{Declared, Estimate, LeadResult, sequences};
use solver::{Bounds, Leads, Position, Solver};

use crate::choice::{Examined, Examiner, Question, Study};
use crate::combined::Sample;
use crate::controls::{self, Guess};
use crate::precision::{FEWEST, Precision, Unit};

/// Numbers kept of every lead: tricks, sets, score, IMPs and matchpoints.
const KEPT: usize = 5;

/// Positions that a short search may take for whether the contract is beaten at all, and after each lead.
const SHORT: u64 = 1000;

/// What is asked about the leads of a hand.
#[derive(Clone, Debug)]
pub struct LeadQuestion {
    declared: Declared,
    vulnerable: bool,
    leads: Vec<CardSet>,
}

impl Question for LeadQuestion {
    fn controls(&self, deal: &Deal) -> Vec<f64> {
        let contract = self.declared.contract;
        let score = |tricks: u8| f64::from(contract.score(self.vulnerable, tricks.into()));
        controls::of_leads(deal, &self.declared, score)
    }

    fn few(&self) -> usize {
        controls::FEW_OF_LEADS
    }

    fn look(&self, solver: &mut Solver, deal: &Deal) -> Vec<Bounds> {
        let Declared { contract, declarer } = self.declared;
        let (strain, needed) = (contract.strain, contract.tricks_needed());
        let set = 14 - needed;
        let mut found = vec![Bounds::UNKNOWN; self.leads.len()];
        let makes = solver.within(SHORT, |solver| {
            solver.at_least(deal, declarer, strain, needed)
        });
        if makes == Some(true) {
            found.iter_mut().for_each(|bounds| bounds.learn(set, false));
            return found;
        }
        let opening = Position::opening(deal, declarer, strain);
        let declarers_are_ns = declarer.side() == Side::NorthSouth;
        for (lead, bounds) in self.leads.iter().zip(&mut found) {
            let mut position = opening.clone();
            let played = lead.iter().next().map(|card| position.play(card));
            if !matches!(played, Some(Ok(_))) {
                continue;
            }
            let beaten = solver.within(SHORT, |solver| match declarers_are_ns {
                true => !solver.north_south_at_least(&position, needed),
                false => solver.north_south_at_least(&position, set),
            });
            if let Some(beaten) = beaten {
                bounds.learn(set, beaten);
            }
        }
        found
    }

    fn guesses(&self, deal: &Deal) -> Vec<(Guess, bool)> {
        let Declared { contract, declarer } = self.declared;
        let guess = Guess::of(deal, declarer.side(), contract.strain).opposed();
        vec![(guess, false); self.leads.len()]
    }

    fn quantities(&self) -> usize {
        self.leads.len() * (KEPT + self.leads.len())
    }

    fn values(&self, tricks: &[u8]) -> Vec<f64> {
        let contract = self.declared.contract;
        let score = |&tricks: &u8| -contract.score(self.vulnerable, 13 - i32::from(tricks));
        let scores: Vec<i32> = tricks.iter().map(score).collect();
        let others = (scores.len() as f64 - 1.0).max(1.0);
        let mut values = Vec::with_capacity(self.quantities());
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
        values
    }

    fn measured(&self, unit: Unit) -> (Vec<usize>, f64) {
        let (kept, factor) = match unit {
            Unit::Tricks => (0, 1.0),
            Unit::Percent => (1, 100.0),
            Unit::Imps => (3, 1.0),
            Unit::Points => (2, 1.0),
        };
        let leads = 0..self.leads.len();
        (leads.map(|lead| KEPT * lead + kept).collect(), factor)
    }
}

/// Collects layout by layout what every lead is worth.
#[derive(Clone, Debug)]
pub struct LeadSample<'a> {
    study: Study<'a, LeadQuestion>,
}

impl<'a> LeadSample<'a> {
    /// A study of the leads of `hand` on these deals, of which the first will be solved.
    #[must_use]
    pub fn new(hand: Hand, declared: Declared, vulnerable: bool, deals: &'a [Deal]) -> Self {
        LeadSample::of(hand, declared, vulnerable, None, deals)
    }

    /// The same, but the deals before the cut are looked into, and those solved that matter for what is to be known,
    /// given by its unit; the rest is only glanced at. In tricks, which are about equally uncertain on every deal, or with too few
    /// deals in the rest, all are solved as they come.
    #[must_use]
    pub fn choosing(
        hand: Hand,
        declared: Declared,
        vulnerable: bool,
        unit: Unit,
        deals: &'a [Deal],
        cut: usize,
    ) -> Self {
        let choosing = (unit != Unit::Tricks).then_some((unit, cut));
        LeadSample::of(hand, declared, vulnerable, choosing, deals)
    }

    fn of(
        hand: Hand,
        declared: Declared,
        vulnerable: bool,
        choosing: Option<(Unit, usize)>,
        deals: &'a [Deal],
    ) -> Self {
        let question = LeadQuestion {
            declared,
            vulnerable,
            leads: sequences(hand),
        };
        LeadSample {
            study: Study::new(question, deals, choosing),
        }
    }

    /// The deals to look into, in their order, with their places.
    pub fn stream(&self) -> impl Iterator<Item = (usize, &'a Deal)> + use<'a> {
        self.study.stream()
    }

    /// What looks into them.
    #[must_use]
    pub fn examiner(&self) -> Examiner<LeadQuestion> {
        self.study.examiner.clone()
    }

    /// Adds the next layout of the [stream](Self::stream), solved if it was chosen. Layouts whose leads are of another
    /// hand count as not solved.
    pub fn add(&mut self, examined: Examined, solved: Option<&Leads>) {
        let tricks: Option<Vec<u8>> = solved.and_then(|solved| {
            let of = |run: &CardSet| run.iter().next().and_then(|card| solved.tricks(card));
            self.leads().iter().map(of).collect()
        });
        self.study.add(examined, tricks.as_deref());
    }

    /// How many layouts were solved.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.study.sample.solved()
    }

    /// How many layouts were looked into.
    #[must_use]
    pub fn looked_into(&self) -> usize {
        self.study.sample.entries()
    }

    /// Whether all leads are known as well as wished.
    #[must_use]
    pub fn reached(&self, precision: Precision) -> bool {
        let (quantities, factor) = self.study.question().measured(precision.unit);
        let narrow = |estimate: Estimate| estimate.margin() * factor <= precision.half_width;
        self.solved() >= FEWEST && self.known(&quantities).into_iter().all(narrow)
    }

    /// What is known of some numbers; of shares also when they are near nothing or everything.
    fn known(&self, quantities: &[usize]) -> Vec<Estimate> {
        let duels = KEPT * self.leads().len();
        let mut known = self.study.sample.all_combined(quantities);
        for (estimate, &quantity) in known.iter_mut().zip(quantities) {
            if quantity < duels && quantity % KEPT == 1 {
                *estimate = share(&self.study.sample, quantity, *estimate);
            }
        }
        known
    }

    /// The five numbers of every lead, in the order of [`LeadResult`], from all deals; and from the solved ones alone.
    #[must_use]
    pub fn estimates(&self) -> Vec<[(Estimate, Estimate); KEPT]> {
        let quantities: Vec<usize> = (0..KEPT * self.leads().len()).collect();
        let known = self.known(&quantities);
        let of = |lead: usize| {
            std::array::from_fn(|kept| {
                let quantity = KEPT * lead + kept;
                (known[quantity], self.study.sample.plain(quantity))
            })
        };
        (0..self.leads().len()).map(of).collect()
    }

    /// The leads of the hand, in the order of [`LeadSample::estimates`].
    #[must_use]
    pub fn leads(&self) -> &[CardSet] {
        &self.study.question().leads
    }

    /// The same results with the estimates from all deals in the place of those from the solved ones.
    #[must_use]
    pub fn sharpen(&self, mut results: Vec<LeadResult>) -> Vec<LeadResult> {
        let count = self.leads().len();
        let quantities: Vec<usize> = (0..KEPT * count + count * count).collect();
        let known = self.known(&quantities);
        let place = |cards: CardSet| self.leads().iter().position(|&lead| lead == cards);
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
