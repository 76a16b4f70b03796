//! Ten lead problems and ten comparisons of contracts, with pools of solved deals.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use cards::{Deal, Hand, Vulnerability, notation};
use croupier_studies::{
    ContractQuestion, DeclaredContract, Estimate, LeadQuestion, Precision, PrecisionUnit,
    SamplingPlan, StoppingRule, Study, StudyQuestion,
};
use session::{Job, ProducedDeal};
use solver::{Bounds, Solver};

/// The question of a problem.
pub enum Question {
    /// The lead of a hand against a contract.
    Lead(DeclaredContract, Hand),
    /// The best of several contracts.
    Contracts(Vec<DeclaredContract>),
}

/// A question and the condition of its deals.
pub struct Problem {
    /// Unique name.
    pub name: &'static str,
    /// Condition of the deals, as in a script.
    pub condition: &'static str,
    /// Question about the deals.
    pub question: Question,
    /// Vulnerable sides.
    pub vulnerability: Vulnerability,
}

impl Problem {
    /// Returns the first `count` deals of the problem with the seed `seed`.
    pub fn deals(&self, seed: i64, count: usize) -> Vec<Deal> {
        let mut deals = Vec::with_capacity(count);
        let mut job = Job::new(format!("condition {}", self.condition))
            .seed(seed)
            .produce(count as u64)
            .generate(u64::MAX >> 1);
        if let Question::Lead(declared, hand) = &self.question {
            let cards = hand.suit_holdings().to_string();
            job = job.predeal(declared.declarer.next(), cards);
        }
        job.run(&mut |produced: &ProducedDeal<'_>| {
            deals.push(produced.deal);
            ControlFlow::Continue(())
        })
        .expect("the condition is right");
        assert_eq!(deals.len(), count, "{}", self.name);
        deals
    }

    /// Runs a study of at most `most` solved deals, selected for `unit` among the first `candidates` deals and stopped at
    /// `precision`. Returns the estimates in the unit `reported`, each with its simple mean, and the number of solved
    /// deals.
    pub fn study(
        &self,
        deals: &[Deal],
        candidates: usize,
        (unit, reported): (PrecisionUnit, PrecisionUnit),
        (most, precision): (usize, Option<Precision>),
        cache: &mut SearchCache<'_>,
    ) -> (Vec<(Estimate, Estimate)>, usize) {
        let vulnerability = self.vulnerability;
        match &self.question {
            Question::Lead(declared, hand) => {
                let question = LeadQuestion::new(*declared, *hand, vulnerability);
                let question = question.expect("a whole hand");
                let plan = SamplingPlan::screening(&question, deals, Some(unit), candidates);
                let study = Study::with_plan(question, plan);
                run(study, deals, candidates, reported, (most, precision), cache)
            }
            Question::Contracts(contracts) => {
                let question = ContractQuestion::new(contracts.clone(), vulnerability);
                let question = question.expect("contracts");
                let plan = SamplingPlan::screening(&question, deals, Some(unit), candidates);
                let study = Study::with_plan(question, plan);
                run(study, deals, candidates, reported, (most, precision), cache)
            }
        }
    }

    /// Returns the tricks of each option: of the defence after each lead, or of declarer in each contract.
    pub fn solve(&self, solver: &mut Solver, deal: &Deal) -> Vec<u8> {
        match &self.question {
            Question::Lead(declared, hand) => {
                LeadQuestion::new(*declared, *hand, self.vulnerability)
                    .expect("a whole hand")
                    .solve(solver, deal, None)
            }
            Question::Contracts(contracts) => {
                ContractQuestion::new(contracts.clone(), self.vulnerability)
                    .expect("contracts")
                    .solve(solver, deal, None)
            }
        }
    }
}

/// Runs a study with cached searches; see [`Problem::study`].
fn run<Q: StudyQuestion>(
    mut study: Study<'_, Q>,
    deals: &[Deal],
    candidates: usize,
    reported: PrecisionUnit,
    (most, precision): (usize, Option<Precision>),
    cache: &mut SearchCache<'_>,
) -> (Vec<(Estimate, Estimate)>, usize) {
    let mut stopping = precision.map(StoppingRule::new);
    let selector = study.selector().expect("the study has a plan");
    let question = study.question().clone();
    cache.begin();
    for (place, deal) in deals.iter().enumerate().take(candidates) {
        let bounds = cache.bounds(place, |solver| selector.search(solver, deal));
        let screened = selector.select(place, deal, &bounds);
        let is_selected = screened.is_selected();
        let solve = |solver: &mut Solver| question.solve(solver, deal, None);
        let tricks = is_selected.then(|| cache.tricks(place, solve));
        let _ = study.add_screened(Some(screened), tricks);
        let stops = |stopping: &mut StoppingRule| {
            stopping.stops(study.solved(), |precision| study.reaches(precision))
        };
        if is_selected && (stopping.as_mut().is_some_and(stops) || study.solved() >= most) {
            break;
        }
    }
    (study.estimates(reported), study.solved())
}

/// A cache of short searches and solved deals. The key of a deal follows from its place.
pub struct SearchCache<'a> {
    /// Returns the key of a place.
    key: &'a dyn Fn(usize) -> usize,
    solver: Solver,
    searches: BTreeMap<usize, (Vec<Bounds>, u64)>,
    solves: BTreeMap<usize, (Vec<u8>, u64)>,
    /// Positions of the short searches and of the solves of this study.
    pub positions: [u64; 2],
}

impl<'a> SearchCache<'a> {
    pub fn new(key: &'a dyn Fn(usize) -> usize) -> SearchCache<'a> {
        SearchCache {
            key,
            solver: Solver::new(),
            searches: BTreeMap::new(),
            solves: BTreeMap::new(),
            positions: [0; 2],
        }
    }

    /// Adds a deal whose tricks are known.
    pub fn insert(&mut self, key: usize, tricks: Vec<u8>) {
        self.solves.insert(key, (tricks, 0));
    }

    /// Returns the cache with another key function.
    pub fn with_key<'b>(self, key: &'b dyn Fn(usize) -> usize) -> SearchCache<'b> {
        let SearchCache {
            solver,
            searches,
            solves,
            positions,
            ..
        } = self;
        SearchCache {
            key,
            solver,
            searches,
            solves,
            positions,
        }
    }

    fn begin(&mut self) {
        self.positions = [0; 2];
    }

    fn bounds(&mut self, place: usize, search: impl Fn(&mut Solver) -> Vec<Bounds>) -> Vec<Bounds> {
        let key = (self.key)(place);
        if !self.searches.contains_key(&key) {
            let before = self.solver.positions_searched();
            let bounds = search(&mut self.solver);
            if bounds.is_empty() {
                return bounds;
            }
            let positions = self.solver.positions_searched() - before;
            self.searches.insert(key, (bounds, positions));
        }
        let (bounds, positions) = &self.searches[&key];
        self.positions[0] += positions;
        bounds.clone()
    }

    fn tricks(&mut self, place: usize, solve: impl Fn(&mut Solver) -> Vec<u8>) -> Vec<u8> {
        let solver = &mut self.solver;
        let (tricks, positions) = self.solves.entry((self.key)(place)).or_insert_with(|| {
            let before = solver.positions_searched();
            let tricks = solve(solver);
            (tricks, solver.positions_searched() - before)
        });
        self.positions[1] += *positions;
        tricks.clone()
    }
}

fn lead(
    name: &'static str,
    contract: &str,
    hand: &str,
    vulnerability: Vulnerability,
    condition: &'static str,
) -> Problem {
    let contract = contract.parse().expect("a contract");
    let hand = notation::hand(hand).expect("a hand");
    Problem {
        name,
        condition,
        question: Question::Lead(contract, hand),
        vulnerability,
    }
}

fn compare(
    name: &'static str,
    contracts: [&str; 2],
    vulnerability: Vulnerability,
    condition: &'static str,
) -> Problem {
    let contracts = contracts.map(|text| text.parse().expect("a contract"));
    Problem {
        name,
        condition,
        question: Question::Contracts(contracts.to_vec()),
        vulnerability,
    }
}

/// Returns all twenty problems.
pub fn problems() -> Vec<Problem> {
    use Vulnerability::{Both, EastWest, None, NorthSouth};
    vec![
        lead(
            "1N-3N, sequence",
            "3N-S",
            "KQJ4.T9.A2.87632",
            None,
            "hcp(south) >= 15 and hcp(south) <= 17 and shape(south, any 4333 + any 4432 + any 5332) \
             and spades(south) <= 4 and hearts(south) <= 4 and hcp(north) >= 10 and hcp(north) <= 15 \
             and spades(north) <= 3 and hearts(north) <= 3",
        ),
        lead(
            "1N-3N, weak hand",
            "3N-S",
            "QT83.J94.K732.85",
            NorthSouth,
            "hcp(south) >= 15 and hcp(south) <= 17 and shape(south, any 4333 + any 4432 + any 5332) \
             and hcp(north) >= 10 and hcp(north) <= 15 and spades(north) <= 3 and hearts(north) <= 3",
        ),
        lead(
            "1S-3S-4S",
            "4S-S",
            "Q3.KJ85.Q942.T83",
            None,
            "spades(south) >= 5 and hcp(south) >= 14 and hcp(south) <= 18 and spades(north) == 4 \
             and hcp(north) >= 10 and hcp(north) <= 12 and shape(north, any 4333 + any 4432 + any 5431)",
        ),
        lead(
            "1H-2H-4H",
            "4H-S",
            "K84.72.AQ93.J652",
            Both,
            "hearts(south) >= 5 and hcp(south) >= 17 and hcp(south) <= 20 and hearts(north) >= 3 \
             and hearts(north) <= 4 and hcp(north) >= 6 and hcp(north) <= 9",
        ),
        lead(
            "1N passed out",
            "1N-S",
            "Q9642.K83.J7.A94",
            None,
            "hcp(south) >= 15 and hcp(south) <= 17 and shape(south, any 4333 + any 4432 + any 5332) \
             and hcp(north) <= 7 and spades(north) <= 4 and hearts(north) <= 4",
        ),
        lead(
            "1S-2S passed out",
            "2S-S",
            "74.KJ63.QT85.K92",
            None,
            "spades(south) >= 5 and hcp(south) >= 11 and hcp(south) <= 14 and spades(north) >= 3 \
             and spades(north) <= 4 and hcp(north) >= 6 and hcp(north) <= 9 and hcp(east) <= 11",
        ),
        lead(
            "1D-1S-1N-3N",
            "3N-S",
            "A852.QJ4.963.K72",
            Both,
            "hcp(south) >= 12 and hcp(south) <= 14 and shape(south, any 4333 + any 4432 + any 5332) \
             and diamonds(south) >= 4 and spades(south) <= 3 and hcp(north) >= 12 and hcp(north) <= 15 \
             and spades(north) == 4 and hearts(north) <= 3",
        ),
        lead(
            "2N-6N",
            "6N-S",
            "J9732.QT4.853.62",
            None,
            "hcp(south) >= 20 and hcp(south) <= 21 and shape(south, any 4333 + any 4432 + any 5332) \
             and hcp(north) >= 12 and hcp(north) <= 13 and shape(north, any 4333 + any 4432)",
        ),
        lead(
            "5D by North",
            "5D-N",
            "KQ5.AJ92.84.T763",
            None,
            "diamonds(north) >= 5 and hcp(north) >= 13 and hcp(north) <= 17 and diamonds(south) >= 4 \
             and hcp(south) >= 9 and hcp(south) <= 12 and hearts(north) <= 2 and hearts(south) <= 3",
        ),
        lead(
            "1S-2N-6S",
            "6S-S",
            "83.QJT5.K964.752",
            NorthSouth,
            "spades(south) >= 5 and hcp(south) >= 16 and hcp(south) <= 20 and spades(north) >= 4 \
             and hcp(north) >= 13 and hcp(north) <= 16",
        ),
        compare(
            "5-3 fit: 3N or 4S",
            ["3N-S", "4S-N"],
            None,
            "spades(north) == 5 and hcp(north) >= 9 and hcp(north) <= 12 and shape(north, any 5332) \
             and spades(south) == 3 and hcp(south) >= 15 and hcp(south) <= 17 \
             and shape(south, any 4333 + any 4432)",
        ),
        compare(
            "4-4 fit: 3N or 4H",
            ["3N-S", "4H-S"],
            Both,
            "hearts(north) == 4 and hcp(north) >= 10 and hcp(north) <= 12 and shape(north, any 4333 + any 4432) \
             and hearts(south) == 4 and hcp(south) >= 15 and hcp(south) <= 17 \
             and shape(south, any 4333 + any 4432)",
        ),
        compare(
            "3S or 4S",
            ["3S-S", "4S-S"],
            NorthSouth,
            "spades(south) >= 5 and hcp(south) >= 12 and hcp(south) <= 14 and spades(north) == 4 \
             and hcp(north) >= 9 and hcp(north) <= 11",
        ),
        compare(
            "3N or 6N",
            ["3N-S", "6N-S"],
            None,
            "hcp(south) >= 18 and hcp(south) <= 19 and shape(south, any 4333 + any 4432 + any 5332) \
             and hcp(north) >= 13 and hcp(north) <= 14 and shape(north, any 4333 + any 4432 + any 5332)",
        ),
        compare(
            "6-3 minor: 3N or 5D",
            ["3N-S", "5D-N"],
            None,
            "diamonds(north) == 6 and hcp(north) >= 9 and hcp(north) <= 11 and shape(north, any 6322 + any 6331) \
             and diamonds(south) == 3 and hcp(south) >= 15 and hcp(south) <= 17 \
             and shape(south, any 4333 + any 4432)",
        ),
        compare(
            "5-2 fit: 1N or 2H",
            ["1N-S", "2H-N"],
            None,
            "hearts(north) == 5 and hcp(north) >= 5 and hcp(north) <= 8 and shape(north, any 5332 + any 5431 + any 5422) \
             and hearts(south) == 2 and hcp(south) >= 15 and hcp(south) <= 17 \
             and shape(south, any 4432 + any 5332)",
        ),
        compare(
            "4S or defend 5C doubled",
            ["4S-S", "5Cx-W"],
            NorthSouth,
            "spades(south) >= 6 and hcp(south) >= 13 and hcp(south) <= 17 and spades(north) >= 3 \
             and hcp(north) >= 7 and hcp(north) <= 10 and clubs(west) >= 6 and clubs(east) >= 3 and hcp(west) >= 9",
        ),
        compare(
            "4S or 6S",
            ["4S-S", "6S-S"],
            EastWest,
            "spades(south) >= 5 and hcp(south) >= 16 and hcp(south) <= 18 and spades(north) >= 4 \
             and hcp(north) >= 13 and hcp(north) <= 15",
        ),
        compare(
            "2N or 3N",
            ["2N-S", "3N-S"],
            Both,
            "hcp(south) >= 15 and hcp(south) <= 17 and shape(south, any 4333 + any 4432 + any 5332) \
             and hcp(north) == 9 and shape(north, any 4333 + any 4432 + any 5332)",
        ),
        compare(
            "Moysian: 3N or 4S",
            ["3N-N", "4S-S"],
            None,
            "spades(south) == 4 and spades(north) == 3 and hcp(south) >= 13 and hcp(south) <= 15 \
             and hcp(north) >= 12 and hcp(north) <= 14 and hearts(south) + hearts(north) <= 5",
        ),
    ]
}

/// Reads the solved deals of each problem: lines with the number of the problem, the tricks, a digit each, and the deal.
pub fn read_pool(text: &str) -> BTreeMap<usize, Vec<(Deal, Vec<u8>)>> {
    let mut pool = BTreeMap::<usize, Vec<(Deal, Vec<u8>)>>::new();
    for line in text.lines() {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().expect("three words");
        let problem = word().parse().expect("a number");
        let digit = |c: char| c.to_digit(16).expect("a digit") as u8;
        let tricks = word().chars().map(digit).collect();
        let deal = word().parse().expect("a deal");
        pool.entry(problem).or_default().push((deal, tricks));
    }
    pool
}

/// Returns the line of a solved deal, as [`read_pool`] reads it.
pub fn pool_line(problem: usize, deal: &Deal, tricks: &[u8]) -> String {
    let digits: String = tricks.iter().map(|tricks| format!("{tricks:X}")).collect();
    format!("{problem} {digits} {deal}")
}
