//! What contracts are worth, from few solved deals and many that are only looked at.

use cards::{Deal, Side, Vulnerability, scoring};
use solver::study::{ContractResult, Declared, Estimate};
use solver::{Bounds, Solver};

use crate::choice::{Examined, Examiner, Question, Study};
use crate::controls::{self, Guess};
use crate::leads::{share, within_one};
use crate::precision::{FEWEST, Precision, Unit};

/// Positions that a short search may take for whether a contract makes.
const SHORT: u64 = 3000;

/// What is asked about some contracts.
#[derive(Clone, Debug)]
pub struct ContractQuestion {
    contracts: Vec<Declared>,
    vulnerability: Vulnerability,
    side: Side,
}

impl ContractQuestion {
    fn score(&self, contract: usize, tricks: u8) -> i32 {
        self.contracts[contract].score(tricks, self.vulnerability, self.side)
    }

    /// The IMPs of one contract against another; then come the matchpoints.
    fn duel(&self, i: usize, j: usize) -> usize {
        let count = self.contracts.len();
        3 * count + 2 * (i * count + j)
    }
}

impl Question for ContractQuestion {
    fn controls(&self, deal: &Deal) -> Vec<f64> {
        controls::of_contracts(deal, &self.contracts, |i, tricks| self.score(i, tricks))
    }

    fn few(&self) -> usize {
        controls::few_of_contracts(self.contracts.len())
    }

    fn look(&self, solver: &mut Solver, deal: &Deal) -> Vec<Bounds> {
        let mut known = [[Bounds::UNKNOWN; 5]; 4];
        for Declared { contract, declarer } in &self.contracts {
            let (strain, needed) = (contract.strain, contract.tricks_needed());
            let bounds = &mut known[declarer.index()][strain.index()];
            if bounds.at_least(needed).is_none() {
                let makes = |solver: &mut Solver| solver.at_least(deal, *declarer, strain, needed);
                if let Some(makes) = solver.within(SHORT, makes) {
                    bounds.learn(needed, makes);
                }
            }
        }
        let of = |it: &Declared| known[it.declarer.index()][it.contract.strain.index()];
        self.contracts.iter().map(of).collect()
    }

    fn guesses(&self, deal: &Deal) -> Vec<(Guess, bool)> {
        let guess = |Declared { contract, declarer }: &Declared| {
            let side = declarer.side();
            (Guess::of(deal, side, contract.strain), side != self.side)
        };
        self.contracts.iter().map(guess).collect()
    }

    fn quantities(&self) -> usize {
        let count = self.contracts.len();
        3 * count + 2 * count * count
    }

    fn values(&self, tricks: &[u8]) -> Vec<f64> {
        let scores: Vec<i32> = tricks
            .iter()
            .enumerate()
            .map(|(i, &tricks)| self.score(i, tricks))
            .collect();
        let mut values = Vec::with_capacity(self.quantities());
        for (i, &score) in scores.iter().enumerate() {
            let made = tricks[i] >= self.contracts[i].contract.tricks_needed();
            values.extend([
                f64::from(tricks[i]),
                f64::from(u8::from(made)),
                f64::from(score),
            ]);
        }
        for &ours in &scores {
            for &theirs in &scores {
                values.push(f64::from(scoring::imps(ours - theirs)));
                values.push(0.5 + 0.5 * f64::from((ours - theirs).signum()));
            }
        }
        values
    }

    fn measured(&self, unit: Unit) -> (Vec<usize>, f64) {
        let count = self.contracts.len();
        match unit {
            Unit::Tricks => ((0..count).map(|i| 3 * i).collect(), 1.0),
            Unit::Percent => ((0..count).map(|i| 3 * i + 1).collect(), 100.0),
            Unit::Points => ((0..count).map(|i| 3 * i + 2).collect(), 1.0),
            Unit::Imps => {
                let pairs = (0..count).flat_map(|i| (0..i).map(move |j| (i, j)));
                (pairs.map(|(i, j)| self.duel(i, j)).collect(), 1.0)
            }
        }
    }
}

/// Collects deal by deal what every contract is worth.
#[derive(Clone, Debug)]
pub struct ContractSample<'a> {
    study: Study<'a, ContractQuestion>,
}

impl<'a> ContractSample<'a> {
    /// A study of these contracts on these deals, of which the first will be solved. Scores are seen from the side that
    /// declares the first contract.
    #[must_use]
    pub fn new(contracts: Vec<Declared>, vulnerability: Vulnerability, deals: &'a [Deal]) -> Self {
        ContractSample::of(contracts, vulnerability, None, deals)
    }

    /// The same, but the deals before the cut are looked into, and those solved that matter for what is to be known,
    /// given by its unit; the rest is only glanced at. In tricks, which are about equally uncertain on every deal, or with too few
    /// deals in the rest, all are solved as they come.
    #[must_use]
    pub fn choosing(
        contracts: Vec<Declared>,
        vulnerability: Vulnerability,
        unit: Unit,
        deals: &'a [Deal],
        cut: usize,
    ) -> Self {
        let choosing = (unit != Unit::Tricks).then_some((unit, cut));
        ContractSample::of(contracts, vulnerability, choosing, deals)
    }

    fn of(
        contracts: Vec<Declared>,
        vulnerability: Vulnerability,
        choosing: Option<(Unit, usize)>,
        deals: &'a [Deal],
    ) -> Self {
        let side = contracts
            .first()
            .map_or(Side::NorthSouth, |first| first.declarer.side());
        let question = ContractQuestion {
            contracts,
            vulnerability,
            side,
        };
        ContractSample {
            study: Study::new(question, deals, choosing),
        }
    }

    /// The deals to look into, in their order, with their places.
    pub fn stream(&self) -> impl Iterator<Item = (usize, &'a Deal)> + use<'a> {
        self.study.stream()
    }

    /// What looks into them.
    #[must_use]
    pub fn examiner(&self) -> Examiner<ContractQuestion> {
        self.study.examiner.clone()
    }

    /// Adds the next deal of the [stream](Self::stream), with the tricks in each contract if it was chosen and solved.
    pub fn add(&mut self, examined: Examined, tricks: Option<&[u8]>) {
        self.study.add(examined, tricks);
    }

    /// How many deals were solved.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.study.sample.solved()
    }

    /// How many deals were looked into.
    #[must_use]
    pub fn looked_into(&self) -> usize {
        self.study.sample.entries()
    }

    /// Whether everything is known as well as wished.
    #[must_use]
    pub fn reached(&self, precision: Precision) -> bool {
        let (quantities, factor) = self.study.question().measured(precision.unit);
        let narrow = |estimate: Estimate| estimate.margin() * factor <= precision.half_width;
        self.solved() >= FEWEST && self.known(&quantities).into_iter().all(narrow)
    }

    /// What is known of some numbers; of shares also when they are near nothing or everything.
    fn known(&self, quantities: &[usize]) -> Vec<Estimate> {
        let shares = 3 * self.study.question().contracts.len();
        let mut known = self.study.sample.all_combined(quantities);
        for (estimate, &quantity) in known.iter_mut().zip(quantities) {
            if quantity < shares && quantity % 3 == 1 {
                *estimate = share(&self.study.sample, quantity, *estimate);
            }
        }
        known
    }

    /// All numbers of a unit from all deals, and from the solved ones alone.
    #[must_use]
    pub fn estimates(&self, unit: Unit) -> Vec<(Estimate, Estimate)> {
        let (quantities, factor) = self.study.question().measured(unit);
        let plain = quantities
            .iter()
            .map(|&which| self.study.sample.plain(which));
        self.known(&quantities)
            .into_iter()
            .zip(plain)
            .map(|(both, plain)| (both.scaled(factor), plain.scaled(factor)))
            .collect()
    }

    /// How often a contract takes so many tricks, 0 to 1, from the solved deals.
    #[must_use]
    pub fn share_of_tricks(&self, contract: usize, tricks: u8) -> f64 {
        self.study.sample.share(3 * contract, f64::from(tricks))
    }

    /// The same results with the estimates from all deals in the place of those from the solved ones.
    #[must_use]
    pub fn sharpen(&self, mut results: Vec<ContractResult>) -> Vec<ContractResult> {
        let question = self.study.question();
        let count = question.contracts.len();
        let quantities: Vec<usize> = (0..question.quantities()).collect();
        let known = self.known(&quantities);
        for (i, result) in results.iter_mut().enumerate() {
            result.tricks = known[3 * i];
            result.made = within_one(known[3 * i + 1]);
            result.score = known[3 * i + 2];
            for j in (0..count).filter(|&j| j != i) {
                result.imps[j] = known[question.duel(i, j)];
                result.matchpoints[j] = within_one(known[question.duel(i, j) + 1]);
            }
        }
        results
    }
}
