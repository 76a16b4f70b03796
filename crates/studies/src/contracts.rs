//! The question which of several contracts is best on the same deals.

use cards::{Deal, Side, TrickTable, Vulnerability, scoring};
use solver::{Bounds, DealCache, Solver};

use crate::controls::{contract_controls, preferred_contract_controls};
use crate::error::StudyError;
use crate::estimate::{Estimate, Moments, half_matchpoints};
use crate::question::StudyQuestion;
use crate::study::Study;
use crate::trick_estimate::TrickEstimate;
use formats::DeclaredContract;
use statistics::precision::PrecisionUnit;

/// Number of quantities of a contract, besides IMPs and matchpoints against each contract: tricks, made and score.
const PER_CONTRACT: usize = 3;

/// Limit of positions of a short search for whether a contract makes.
const SHORT_SEARCH: u64 = 3000;

/// Number of deals for each number of tricks, 0 to 13.
pub type TrickHistogram = [u64; 14];

/// The question which of several contracts is best. The options are the contracts. Scores are those of the side that
/// declares the first contract.
#[derive(Clone, Debug)]
pub struct ContractQuestion {
    contracts: Vec<DeclaredContract>,
    vulnerability: Vulnerability,
    side: Side,
}

impl ContractQuestion {
    /// Creates the question about `contracts`.
    ///
    /// # Errors
    /// If there are no contracts.
    pub fn new(
        contracts: Vec<DeclaredContract>,
        vulnerability: Vulnerability,
    ) -> Result<ContractQuestion, StudyError> {
        let first = contracts.first().ok_or(StudyError::NoContracts)?;
        Ok(ContractQuestion {
            side: first.declarer.side(),
            contracts,
            vulnerability,
        })
    }

    /// Returns the contracts. The tricks of a deal have the same order.
    #[must_use]
    pub fn contracts(&self) -> &[DeclaredContract] {
        &self.contracts
    }

    /// Returns which sides are vulnerable.
    #[must_use]
    pub fn vulnerability(&self) -> Vulnerability {
        self.vulnerability
    }

    fn score(&self, contract: usize, tricks: u8) -> i32 {
        self.contracts[contract].score(tricks, self.vulnerability, self.side)
    }

    fn scores(&self, tricks: &[u8]) -> Vec<i32> {
        let tricks = tricks.iter().enumerate();
        tricks.map(|(i, &tricks)| self.score(i, tricks)).collect()
    }

    /// Returns the change of the score by the trick that makes a contract.
    fn decisive_change(&self, contract: usize) -> i32 {
        let needed = self.contracts[contract].contract.tricks_needed();
        self.score(contract, needed) - self.score(contract, needed - 1)
    }

    /// Widens the intervals of scores, IMPs and matchpoints for contracts that make, or go down, too rarely to be seen in
    /// few deals.
    fn allowing_for_rare_results(&self, mut results: Vec<ContractResult>) -> Vec<ContractResult> {
        let made: Vec<Estimate> = results.iter().map(|result| result.made).collect();
        for (i, result) in results.iter_mut().enumerate() {
            let range = self.quantity_range(PER_CONTRACT * i + 2);
            let change = self.decisive_change(i);
            result.score = result.score.allowing_for(made[i], change, range);
            for j in (0..made.len()).filter(|&j| j != i) {
                for (event, change) in [(i, change), (j, -self.decisive_change(j))] {
                    let range = self.quantity_range(self.pair_quantity(i, j));
                    let imps = scoring::imps(change);
                    result.imps[j] = result.imps[j].allowing_for_rare(made[event], imps, range);
                    let range = self.quantity_range(self.pair_quantity(i, j) + 1);
                    let won = change.signum();
                    result.matchpoints[j] =
                        result.matchpoints[j].allowing_for_rare(made[event], won, range);
                }
            }
        }
        results
    }

    /// Returns the smallest and the largest difference between the scores of contracts `i` and `j`. Contracts of one
    /// declarer in one strain take the same tricks.
    fn difference_range(&self, i: usize, j: usize) -> (i32, i32) {
        let [a, b] = [i, j].map(|it| self.contracts[it]);
        let is_same = a.declarer == b.declarer && a.contract.strain == b.contract.strain;
        let all = (0..=13).flat_map(|ours| (0..=13).map(move |theirs| (ours, theirs)));
        let possible = all.filter(|(ours, theirs)| !is_same || ours == theirs);
        let differences =
            possible.map(|(ours, theirs)| self.score(i, ours) - self.score(j, theirs));
        differences.fold((i32::MAX, i32::MIN), |(least, most), it| {
            (least.min(it), most.max(it))
        })
    }

    /// Returns the quantity of the IMPs of contract `i` against contract `j`. The next quantity is the matchpoints.
    fn pair_quantity(&self, i: usize, j: usize) -> usize {
        let count = self.contracts.len();
        PER_CONTRACT * count + 2 * (i * count + j)
    }
}

/// Exact sums of one contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ContractSums {
    tricks: Moments,
    score: Moments,
    made: u64,
    histogram: TrickHistogram,
}

/// Exact sums of all contracts over solved deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractTally {
    contracts: Vec<ContractSums>,
    /// IMPs and half matchpoints of each contract against each contract.
    pairs: Vec<Vec<(Moments, Moments)>>,
}

impl ContractTally {
    /// Returns the number of deals.
    #[must_use]
    pub fn deals(&self) -> u64 {
        let first = self.contracts.first();
        first.map_or(0, |first| first.tricks.count())
    }

    /// Returns how many of the solved deals have each number of tricks in a contract.
    #[must_use]
    pub fn histogram(&self, contract: usize) -> &TrickHistogram {
        &self.contracts[contract].histogram
    }
}

/// The result of one contract.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractResult {
    /// Contract with its declarer.
    pub declared: DeclaredContract,
    /// Tricks of declarer.
    pub tricks: Estimate,
    /// Share of the deals on which the contract makes, 0 to 1.
    pub made: Estimate,
    /// Score of the side that declares the first contract.
    pub score: Estimate,
    /// IMPs per board against each contract of the study.
    pub imps: Vec<Estimate>,
    /// Share of the matchpoints against each contract of the study, 0 to 1.
    pub matchpoints: Vec<Estimate>,
}

impl StudyQuestion for ContractQuestion {
    type Tally = ContractTally;
    type Item = ContractResult;

    fn check(&self, _: &[Deal]) -> Result<(), StudyError> {
        Ok(())
    }

    fn options(&self) -> usize {
        self.contracts.len()
    }

    fn solve(&self, solver: &mut Solver, deal: &Deal, known: Option<&TrickTable>) -> Vec<u8> {
        let mut cache = known.map_or_else(DealCache::new, DealCache::from);
        let tricks = |declared: &DeclaredContract| {
            cache.tricks(solver, deal, declared.declarer, declared.contract.strain)
        };
        self.contracts.iter().map(tricks).collect()
    }

    fn new_tally(&self) -> ContractTally {
        let count = self.contracts.len();
        ContractTally {
            contracts: vec![ContractSums::default(); count],
            pairs: vec![vec![<(Moments, Moments)>::default(); count]; count],
        }
    }

    fn add_to_tally(&self, tally: &mut ContractTally, tricks: &[u8]) {
        let scores = self.scores(tricks);
        for (i, &ours) in scores.iter().enumerate() {
            let sums = &mut tally.contracts[i];
            sums.tricks.add(i32::from(tricks[i]));
            sums.score.add(ours);
            sums.made += u64::from(tricks[i] >= self.contracts[i].contract.tricks_needed());
            sums.histogram[usize::from(tricks[i])] += 1;
            for (&theirs, (imps, matchpoints)) in scores.iter().zip(&mut tally.pairs[i]) {
                imps.add(scoring::imps(ours - theirs));
                matchpoints.add(half_matchpoints(ours, theirs));
            }
        }
    }

    /// Returns the result of each contract, in the order of the question.
    fn results(&self, tally: &ContractTally) -> Vec<ContractResult> {
        let result = |(i, sums): (usize, &ContractSums)| {
            let pairs = &tally.pairs[i];
            ContractResult {
                declared: self.contracts[i],
                tricks: sums.tricks.mean(self.quantity_range(PER_CONTRACT * i)),
                made: Estimate::proportion(sums.made, sums.tricks.count()),
                score: sums.score.mean(self.quantity_range(PER_CONTRACT * i + 2)),
                imps: (0..)
                    .zip(pairs)
                    .map(|(j, (imps, _))| imps.mean(self.quantity_range(self.pair_quantity(i, j))))
                    .collect(),
                matchpoints: (0..)
                    .zip(pairs)
                    .map(|(j, (_, halves))| {
                        let range = self.quantity_range(self.pair_quantity(i, j) + 1);
                        halves.scaled_mean(0.5, range)
                    })
                    .collect(),
            }
        };
        let results = tally.contracts.iter().enumerate().map(result).collect();
        self.allowing_for_rare_results(results)
    }

    fn with_means(
        &self,
        mut results: Vec<ContractResult>,
        means: &[Estimate],
    ) -> Vec<ContractResult> {
        for (i, result) in results.iter_mut().enumerate() {
            result.tricks = means[PER_CONTRACT * i];
            result.made = means[PER_CONTRACT * i + 1].within_one();
            result.score = means[PER_CONTRACT * i + 2];
            for j in (0..self.contracts.len()).filter(|&j| j != i) {
                result.imps[j] = means[self.pair_quantity(i, j)];
                result.matchpoints[j] = means[self.pair_quantity(i, j) + 1].within_one();
            }
        }
        self.allowing_for_rare_results(results)
    }

    fn controls(&self, deal: &Deal) -> Vec<f64> {
        contract_controls(deal, &self.contracts, self.side, |i, tricks| {
            self.score(i, tricks)
        })
    }

    fn control_count(&self) -> usize {
        // Five controls for each suit of three hands: the length and four honours.
        self.preferred_controls() + 4 * 3 * 5
    }

    fn preferred_controls(&self) -> usize {
        preferred_contract_controls(self.contracts.len())
    }

    fn short_searches(&self, solver: &mut Solver, deal: &Deal) -> Vec<Bounds> {
        let mut known = [[Bounds::UNKNOWN; 5]; 4];
        for DeclaredContract { contract, declarer } in &self.contracts {
            let (strain, needed) = (contract.strain, contract.tricks_needed());
            let bounds = &mut known[declarer.index()][strain.index()];
            if bounds.at_least(needed).is_none() {
                let makes = |solver: &mut Solver| solver.at_least(deal, *declarer, strain, needed);
                if let Some(makes) = solver.with_position_limit(SHORT_SEARCH, makes) {
                    bounds.learn(needed, makes);
                }
            }
        }
        let of = |it: &DeclaredContract| known[it.declarer.index()][it.contract.strain.index()];
        self.contracts.iter().map(of).collect()
    }

    fn trick_estimates(&self, deal: &Deal) -> Vec<(TrickEstimate, bool)> {
        let estimate = |DeclaredContract { contract, declarer }: &DeclaredContract| {
            let side = declarer.side();
            let tricks = TrickEstimate::of_declarer(deal, side, contract.strain);
            (tricks, side != self.side)
        };
        self.contracts.iter().map(estimate).collect()
    }

    fn quantity_count(&self) -> usize {
        let count = self.contracts.len();
        PER_CONTRACT * count + 2 * count * count
    }

    fn quantities(&self, tricks: &[u8]) -> Vec<f64> {
        let scores = self.scores(tricks);
        let mut quantities = Vec::with_capacity(self.quantity_count());
        for (i, &score) in scores.iter().enumerate() {
            let made = tricks[i] >= self.contracts[i].contract.tricks_needed();
            quantities.extend([
                f64::from(tricks[i]),
                f64::from(u8::from(made)),
                f64::from(score),
            ]);
        }
        for &ours in &scores {
            for &theirs in &scores {
                quantities.push(f64::from(scoring::imps(ours - theirs)));
                quantities.push(0.5 + 0.5 * f64::from((ours - theirs).signum()));
            }
        }
        quantities
    }

    fn target_quantities(&self, unit: PrecisionUnit) -> (Vec<usize>, f64) {
        let count = self.contracts.len();
        let of_contracts = |quantity: usize| {
            let targets = (0..count).map(move |i| PER_CONTRACT * i + quantity);
            targets.collect()
        };
        match unit {
            PrecisionUnit::Tricks => (of_contracts(0), 1.0),
            PrecisionUnit::Percent => (of_contracts(1), 100.0),
            PrecisionUnit::Points => (of_contracts(2), 1.0),
            PrecisionUnit::Imps => {
                let pairs = (0..count).flat_map(|i| (0..i).map(move |j| (i, j)));
                let targets = pairs.map(|(i, j)| self.pair_quantity(i, j));
                (targets.collect(), 1.0)
            }
        }
    }

    fn quantity_range(&self, quantity: usize) -> (f64, f64) {
        let count = self.contracts.len();
        match quantity.checked_sub(PER_CONTRACT * count) {
            None if quantity.is_multiple_of(PER_CONTRACT) => (0.0, 13.0),
            None if quantity % PER_CONTRACT == 1 => (0.0, 1.0),
            None => {
                let scores = (0..=13).map(|tricks| self.score(quantity / PER_CONTRACT, tricks));
                let (least, most) = (scores.clone().min(), scores.max());
                (
                    f64::from(least.unwrap_or_default()),
                    f64::from(most.unwrap_or_default()),
                )
            }
            Some(pair) => {
                let (least, most) = self.difference_range(pair / 2 / count, pair / 2 % count);
                let [imps, matchpoints]: [fn(i32) -> f64; 2] = [
                    |difference| f64::from(scoring::imps(difference)),
                    |difference| 0.5 + 0.5 * f64::from(difference.signum()),
                ];
                let of = if pair.is_multiple_of(2) {
                    imps
                } else {
                    matchpoints
                };
                (of(least), of(most))
            }
        }
    }

    fn is_proportion(&self, quantity: usize) -> bool {
        quantity < PER_CONTRACT * self.contracts.len() && quantity % PER_CONTRACT == 1
    }

    fn tricks_quantity(&self, option: usize) -> usize {
        PER_CONTRACT * option
    }
}

impl Study<'_, ContractQuestion> {
    /// Returns the share of the deals, 0 to 1, on which a contract takes `tricks` tricks.
    #[must_use]
    pub fn share_of_tricks(&self, contract: usize, tricks: u8) -> Estimate {
        self.weighted_share(contract, tricks).unwrap_or_else(|| {
            let histogram = self.tally().histogram(contract);
            let all = histogram.iter().sum::<u64>().max(1);
            Estimate::seen_proportion(histogram[usize::from(tricks)] as f64, all as f64)
        })
    }

    /// Returns the number of deals for each number of tricks in a contract. Selected deals count by their weights, and the
    /// sum is about the number of solved deals.
    #[must_use]
    pub fn weighted_histogram(&self, contract: usize) -> TrickHistogram {
        let solved = self.tally().deals() as f64;
        std::array::from_fn(|tricks| {
            (self.share_of_tricks(contract, tricks as u8).value * solved).round() as u64
        })
    }
}
