//! What contracts are worth, from few solved deals and many that are only looked at.

use cards::{Deal, Side, Vulnerability, scoring};
use solver::study::{ContractResult, Declared, Estimate};

use crate::choice::{Choice, Glance, begun};
use crate::combined::Sample;
use crate::controls;
use crate::leads::{share, within_one};
use crate::precision::{FEWEST, Precision, Unit};

/// Collects deal by deal what every contract is worth.
#[derive(Clone, Debug)]
pub struct ContractSample<'a> {
    contracts: Vec<Declared>,
    vulnerability: Vulnerability,
    side: Side,
    unit: Option<Unit>,
    choice: Choice<'a>,
    sample: Sample,
}

impl Glance for ContractSample<'_> {
    fn doubt(&self, deal: &Deal) -> f64 {
        let score =
            |i: usize, tricks: u8| self.contracts[i].score(tricks, self.vulnerability, self.side);
        let unit = self.unit.unwrap_or(Unit::Tricks);
        controls::doubt_of_contracts(deal, &self.contracts, unit, score)
    }

    fn controls(&self, deal: &Deal) -> Vec<f64> {
        let score =
            |i: usize, tricks: u8| self.contracts[i].score(tricks, self.vulnerability, self.side);
        controls::of_contracts(deal, &self.contracts, score)
    }
}

impl<'a> ContractSample<'a> {
    /// A study of these contracts on these deals, of which the first will be solved. Scores are seen from the side that
    /// declares the first contract.
    #[must_use]
    pub fn new(contracts: Vec<Declared>, vulnerability: Vulnerability, deals: &'a [Deal]) -> Self {
        ContractSample::of(contracts, vulnerability, None, deals, deals.len())
    }

    /// The same, but of the deals before the cut those are solved that matter for what is to be known, given by its unit; the rest is only
    /// looked at. In tricks, which are about equally uncertain on every deal, or with too few deals in the rest, all are
    /// solved as they come.
    #[must_use]
    pub fn choosing(
        contracts: Vec<Declared>,
        vulnerability: Vulnerability,
        unit: Unit,
        deals: &'a [Deal],
        cut: usize,
    ) -> Self {
        let unit = Some(unit).filter(|&unit| unit != Unit::Tricks);
        ContractSample::of(contracts, vulnerability, unit, deals, cut)
    }

    fn of(
        contracts: Vec<Declared>,
        vulnerability: Vulnerability,
        unit: Option<Unit>,
        deals: &'a [Deal],
        cut: usize,
    ) -> Self {
        let side = contracts
            .first()
            .map_or(Side::NorthSouth, |first| first.declarer.side());
        let count = contracts.len();
        let (few, quantities) = (
            controls::few_of_contracts(count),
            3 * count + 2 * count * count,
        );
        let mut study = ContractSample {
            sample: Sample::new(quantities, few),
            choice: Choice::none(deals),
            contracts,
            vulnerability,
            side,
            unit,
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

    /// Adds the next deal [to solve](Self::to_solve): the tricks in each contract. Deals beyond the last are ignored.
    pub fn add(&mut self, tricks: &[u8]) {
        let mut choice = self.choice.clone();
        let Some((deal, chance)) = choice.next(|deal| self.doubt(deal)) else {
            return;
        };
        self.choice = choice;
        let scores: Vec<i32> = self
            .contracts
            .iter()
            .zip(tricks)
            .map(|(declared, &tricks)| declared.score(tricks, self.vulnerability, self.side))
            .collect();
        let mut values = Vec::new();
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
        let controls = self.controls(deal);
        self.sample.add_chosen(controls, chance, &values);
    }

    /// How many deals were solved.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.sample.solved()
    }

    fn duel(&self, i: usize, j: usize) -> usize {
        let count = self.contracts.len();
        3 * count + 2 * (i * count + j)
    }

    /// The numbers that a unit is about, with the factor that brings them to it.
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

    /// Whether everything is known as well as wished.
    #[must_use]
    pub fn reached(&self, precision: Precision) -> bool {
        let (quantities, factor) = self.measured(precision.unit);
        let narrow = |estimate: Estimate| estimate.margin() * factor <= precision.half_width;
        self.solved() >= FEWEST && self.known(&quantities).into_iter().all(narrow)
    }

    /// What is known of some numbers; of shares also when they are near nothing or everything.
    fn known(&self, quantities: &[usize]) -> Vec<Estimate> {
        let shares = 3 * self.contracts.len();
        let mut known = self.sample.all_combined(quantities);
        for (estimate, &quantity) in known.iter_mut().zip(quantities) {
            if quantity < shares && quantity % 3 == 1 {
                *estimate = share(&self.sample, quantity, *estimate);
            }
        }
        known
    }

    /// All numbers of a unit from all deals, and from the solved ones alone.
    #[must_use]
    pub fn estimates(&self, unit: Unit) -> Vec<(Estimate, Estimate)> {
        let (quantities, factor) = self.measured(unit);
        let plain = quantities.iter().map(|&which| self.sample.plain(which));
        self.known(&quantities)
            .into_iter()
            .zip(plain)
            .map(|(both, plain)| (both.scaled(factor), plain.scaled(factor)))
            .collect()
    }

    /// How often a contract takes so many tricks, 0 to 1, from the solved deals.
    #[must_use]
    pub fn share_of_tricks(&self, contract: usize, tricks: u8) -> f64 {
        self.sample.share(3 * contract, f64::from(tricks))
    }

    /// The same results with the estimates from all deals in the place of those from the solved ones.
    #[must_use]
    pub fn sharpen(&self, mut results: Vec<ContractResult>) -> Vec<ContractResult> {
        let count = self.contracts.len();
        let quantities: Vec<usize> = (0..3 * count + 2 * count * count).collect();
        let known = self.known(&quantities);
        for (i, result) in results.iter_mut().enumerate() {
            result.tricks = known[3 * i];
            result.made = within_one(known[3 * i + 1]);
            result.score = known[3 * i + 2];
            for j in (0..count).filter(|&j| j != i) {
                result.imps[j] = known[self.duel(i, j)];
                result.matchpoints[j] = within_one(known[self.duel(i, j) + 1]);
            }
        }
        results
    }
}
