//! Which of several contracts is best on the same deals.

use std::fmt;
use std::str::FromStr;

use cards::{Contract, Deal, Seat, Side, Vulnerability, scoring};

use super::{Estimate, Moments, half_matchpoints};
use crate::{DealCache, Solver};

/// A contract and who plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Declared {
    /// What is played.
    pub contract: Contract,
    /// By whom.
    pub declarer: Seat,
}

impl Declared {
    /// The score for this number of tricks from that side's point of view.
    #[must_use]
    pub fn score(&self, tricks: u8, vulnerability: Vulnerability, side: Side) -> i32 {
        let ours = self.declarer.side();
        let score = self
            .contract
            .score(vulnerability.includes(ours), i32::from(tricks));
        if ours == side { score } else { -score }
    }
}

impl fmt::Display for Declared {
    /// `4Sx by N`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.contract, self.declarer.letter())
    }
}

impl FromStr for Declared {
    type Err = String;

    /// Reads `4S`, `4S-N`, `4Sx/w`, `3NT by east`; without a declarer it is South.
    fn from_str(text: &str) -> Result<Declared, String> {
        let wrong = || {
            format!(
                "{text:?} is not a contract; expected for example 4S, 3N-W or 5Dx-N (contract, then declarer)"
            )
        };
        let (contract, declarer) = match text.find([' ', '-', '/', '@']) {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        let declarer = declarer.trim_start_matches([' ', '-', '/', '@']);
        let declarer = declarer.strip_prefix("by ").unwrap_or(declarer).trim();
        Ok(Declared {
            contract: contract.parse().map_err(|_| wrong())?,
            declarer: match declarer {
                "" => Seat::South,
                name => name.parse().map_err(|_| wrong())?,
            },
        })
    }
}

/// What one contract has collected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Collected {
    tricks: Moments,
    score: Moments,
    made: u64,
}

/// Collects what several contracts are worth on the same deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractStudy {
    contracts: Vec<Declared>,
    vulnerability: Vulnerability,
    side: Side,
    collected: Vec<Collected>,
    /// IMPs and half matchpoints of each contract against each other one.
    duels: Vec<Vec<(Moments, Moments)>>,
}

/// What a contract is worth on average.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractResult {
    /// The contract.
    pub declared: Declared,
    /// Tricks for its declarer.
    pub tricks: Estimate,
    /// How often it makes, 0 to 1.
    pub made: Estimate,
    /// The score for the side of the first contract.
    pub score: Estimate,
    /// IMPs a board against each contract of the study.
    pub imps: Vec<Estimate>,
    /// Share of the matchpoints against each contract of the study, 0 to 1.
    pub matchpoints: Vec<Estimate>,
}

impl ContractStudy {
    /// A study of these contracts; scores are seen from the side that declares the first one.
    #[must_use]
    pub fn new(contracts: Vec<Declared>, vulnerability: Vulnerability) -> Self {
        let side = contracts
            .first()
            .map_or(Side::NorthSouth, |first| first.declarer.side());
        ContractStudy {
            collected: vec![Collected::default(); contracts.len()],
            duels: vec![vec![<(Moments, Moments)>::default(); contracts.len()]; contracts.len()],
            contracts,
            vulnerability,
            side,
        }
    }

    /// How many deals were added.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.collected
            .first()
            .map_or(0, |first| first.tricks.count())
    }

    /// What each contract's declarer takes on a deal; each declarer and strain is solved once.
    pub fn solve(&self, solver: &mut Solver, deal: &Deal, known: &mut DealCache) -> Vec<u8> {
        let tricks = |declared: &Declared| {
            known.tricks(solver, deal, declared.declarer, declared.contract.strain)
        };
        self.contracts.iter().map(tricks).collect()
    }

    /// Adds a deal: the tricks in each contract, in their order.
    pub fn add(&mut self, tricks: &[u8]) {
        let scores: Vec<i32> = self
            .contracts
            .iter()
            .zip(tricks)
            .map(|(declared, &tricks)| declared.score(tricks, self.vulnerability, self.side))
            .collect();
        for (i, &ours) in scores.iter().enumerate() {
            let collected = &mut self.collected[i];
            collected.tricks.add(i32::from(tricks[i]));
            collected.score.add(ours);
            collected.made += u64::from(tricks[i] >= self.contracts[i].contract.tricks_needed());
            for (&theirs, (imps, matchpoints)) in scores.iter().zip(&mut self.duels[i]) {
                imps.add(scoring::imps(ours - theirs));
                matchpoints.add(half_matchpoints(ours, theirs));
            }
        }
    }

    /// What each contract is worth, in their order.
    #[must_use]
    pub fn results(&self) -> Vec<ContractResult> {
        let result = |(i, collected): (usize, &Collected)| ContractResult {
            declared: self.contracts[i],
            tricks: collected.tricks.mean(),
            made: Estimate::proportion(collected.made, collected.tricks.count()),
            score: collected.score.mean(),
            imps: self.duels[i].iter().map(|(imps, _)| imps.mean()).collect(),
            matchpoints: self.duels[i]
                .iter()
                .map(|(_, mp)| mp.mean().scaled(0.5))
                .collect(),
        };
        self.collected.iter().enumerate().map(result).collect()
    }
}
