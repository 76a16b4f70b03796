//! What contracts are worth, from few solved deals and many that are only looked at.

use cards::{Deal, Side, Vulnerability, scoring};
use solver::study::{ContractResult, Declared, Estimate};

use crate::combined::Sample;
use crate::controls;
use crate::leads::within_one;
use crate::precision::{FEWEST, Precision, Unit};

/// Collects deal by deal what every contract is worth.
#[derive(Clone, Debug)]
pub struct ContractSample {
    contracts: Vec<Declared>,
    vulnerability: Vulnerability,
    side: Side,
    sample: Sample,
}

impl ContractSample {
    /// A study of these contracts on these deals, of which the first will be solved. Scores are seen from the side that
    /// declares the first contract.
    #[must_use]
    pub fn new(contracts: Vec<Declared>, vulnerability: Vulnerability, deals: &[Deal]) -> Self {
        let side = contracts
            .first()
            .map_or(Side::NorthSouth, |first| first.declarer.side());
        let score = |i: usize, tricks: u8| contracts[i].score(tricks, vulnerability, side);
        let controls = deals
            .iter()
            .map(|deal| controls::of_contracts(deal, &contracts, score))
            .collect();
        let count = contracts.len();
        ContractSample {
            sample: Sample::new(3 * count + 2 * count * count, controls),
            contracts,
            vulnerability,
            side,
        }
    }

    /// Adds the next deal: the tricks in each contract.
    pub fn add(&mut self, tricks: &[u8]) {
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
        self.sample.add(&values);
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
        self.solved() >= FEWEST
            && quantities.into_iter().all(|quantity| {
                self.sample.combined(quantity).margin() * factor <= precision.half_width
            })
    }

    /// All numbers of a unit from all deals, and from the solved ones alone.
    #[must_use]
    pub fn estimates(&self, unit: Unit) -> Vec<(Estimate, Estimate)> {
        let (quantities, factor) = self.measured(unit);
        quantities
            .into_iter()
            .map(|quantity| {
                let (both, plain) = (self.sample.combined(quantity), self.sample.plain(quantity));
                (both.scaled(factor), plain.scaled(factor))
            })
            .collect()
    }

    /// The same results with the estimates from all deals in the place of those from the solved ones.
    #[must_use]
    pub fn sharpen(&self, mut results: Vec<ContractResult>) -> Vec<ContractResult> {
        for (i, result) in results.iter_mut().enumerate() {
            let combined = |quantity: usize| self.sample.combined(quantity);
            result.tricks = combined(3 * i);
            result.made = within_one(combined(3 * i + 1));
            result.score = combined(3 * i + 2);
            for j in (0..self.contracts.len()).filter(|&j| j != i) {
                result.imps[j] = combined(self.duel(i, j));
                result.matchpoints[j] = within_one(combined(self.duel(i, j) + 1));
            }
        }
        results
    }
}
