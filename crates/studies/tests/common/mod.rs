//! Ten lead problems and ten comparisons of contracts, and pools of their deals that are solved.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use cards::{Deal, Hand, Vulnerability, notation};
use session::{Job, ProducedDeal};
use solver::study::{ContractStudy, Declared, Estimate, sequences};
use solver::{Bounds, DealCache, Leads, Solver};
use studies::{ContractSample, LeadSample, Precision, Stopping, Unit};

/// What is asked about the deals of a script.
pub enum Question {
    /// Which card of this hand to lead against the contract.
    Lead(Declared, Hand),
    /// Which contract to be in.
    Contracts(Vec<Declared>),
}

/// A question and its deals.
pub struct Problem {
    /// Short and unique.
    pub name: &'static str,
    /// The condition for the deals.
    pub condition: &'static str,
    /// What is asked.
    pub question: Question,
    /// Who is vulnerable.
    pub vulnerability: Vulnerability,
}

impl Problem {
    /// The first so many deals of the problem, for this seed.
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

    /// A study of at most so many solved deals, chosen for the unit among those before the cut and ended at a precision:
    /// its numbers in the unit that is told, with those of the plain mean, and how many deals it took.
    pub fn study(
        &self,
        deals: &[Deal],
        cut: usize,
        (unit, told): (Unit, Unit),
        (most, precision): (usize, Option<Precision>),
        known: &mut Known<'_>,
    ) -> (Vec<(Estimate, Estimate)>, usize) {
        let mut stopping = precision.map(Stopping::at);
        let mut enough = |solved: usize, reached: &dyn Fn(Precision) -> bool| {
            let enough = |stopping: &mut Stopping| stopping.enough(solved, reached);
            stopping.as_mut().is_some_and(enough) || solved >= most
        };
        known.begin();
        match &self.question {
            Question::Lead(declared, hand) => {
                let vulnerable = self.vulnerability.includes(declared.declarer.side());
                let mut sample =
                    LeadSample::choosing(*hand, *declared, vulnerable, unit, deals, cut);
                let examiner = sample.examiner();
                for (place, deal) in sample.stream().take_while(|&(place, _)| place < cut) {
                    let bounds = known.bounds(place, |solver| examiner.look(solver, deal));
                    let examined = examiner.judge(place, deal, &bounds);
                    let chosen = examined.is_chosen();
                    let solved = chosen.then(|| leads(*hand, &known.tricks(self, place, deal)));
                    sample.add(examined, solved.as_ref());
                    if chosen && enough(sample.solved(), &|precision| sample.reached(precision)) {
                        break;
                    }
                }
                let kept = [Unit::Tricks, Unit::Percent, Unit::Points, Unit::Imps];
                let kept = kept.iter().position(|&it| it == told).expect("a unit");
                let known = sample.estimates().iter().map(|lead| lead[kept]).collect();
                (known, sample.solved())
            }
            Question::Contracts(contracts) => {
                let contracts = contracts.clone();
                let mut sample =
                    ContractSample::choosing(contracts, self.vulnerability, unit, deals, cut);
                let examiner = sample.examiner();
                for (place, deal) in sample.stream().take_while(|&(place, _)| place < cut) {
                    let bounds = known.bounds(place, |solver| examiner.look(solver, deal));
                    let examined = examiner.judge(place, deal, &bounds);
                    let chosen = examined.is_chosen();
                    let solved = chosen.then(|| known.tricks(self, place, deal));
                    sample.add(examined, solved.as_deref());
                    if chosen && enough(sample.solved(), &|precision| sample.reached(precision)) {
                        break;
                    }
                }
                (sample.estimates(told), sample.solved())
            }
        }
    }

    /// What the solver says: the defence's tricks after each lead, or declarer's in each contract.
    pub fn solve(&self, solver: &mut Solver, deal: &Deal) -> Vec<u8> {
        match &self.question {
            Question::Lead(declared, hand) => {
                let leads = solver.leads(deal, declared.declarer, declared.contract.strain);
                let card = |run: &cards::CardSet| run.iter().next().expect("no run is empty");
                sequences(*hand)
                    .iter()
                    .map(|run| leads.tricks(card(run)).expect("a card of the hand"))
                    .collect()
            }
            Question::Contracts(contracts) => ContractStudy::new(
                contracts.clone(),
                self.vulnerability,
            )
            .solve(solver, deal, &mut DealCache::new()),
        }
    }
}

/// What short searches and the solver said about deals, so that nothing is asked twice; deals are known by their places, or
/// by what stands for them.
pub struct Known<'a> {
    /// What stands for a place.
    key: &'a dyn Fn(usize) -> usize,
    solver: Solver,
    looks: BTreeMap<usize, (Vec<Bounds>, u64)>,
    solves: BTreeMap<usize, (Vec<u8>, u64)>,
    /// Positions that the looks and the solves of this study took.
    pub positions: [u64; 2],
}

impl<'a> Known<'a> {
    pub fn new(key: &'a dyn Fn(usize) -> usize) -> Known<'a> {
        Known {
            key,
            solver: Solver::new(),
            looks: BTreeMap::new(),
            solves: BTreeMap::new(),
            positions: [0; 2],
        }
    }

    /// A deal whose tricks are known.
    pub fn learn(&mut self, key: usize, tricks: Vec<u8>) {
        self.solves.insert(key, (tricks, 0));
    }

    /// The same with other places.
    pub fn with<'b>(self, key: &'b dyn Fn(usize) -> usize) -> Known<'b> {
        let Known {
            solver,
            looks,
            solves,
            positions,
            ..
        } = self;
        Known {
            key,
            solver,
            looks,
            solves,
            positions,
        }
    }

    fn begin(&mut self) {
        self.positions = [0; 2];
    }

    fn bounds(&mut self, place: usize, look: impl Fn(&mut Solver) -> Vec<Bounds>) -> Vec<Bounds> {
        let key = (self.key)(place);
        if !self.looks.contains_key(&key) {
            let before = self.solver.positions_searched();
            let bounds = look(&mut self.solver);
            if bounds.is_empty() {
                return bounds;
            }
            let positions = self.solver.positions_searched() - before;
            self.looks.insert(key, (bounds, positions));
        }
        let (bounds, positions) = &self.looks[&key];
        self.positions[0] += positions;
        bounds.clone()
    }

    fn tricks(&mut self, problem: &Problem, place: usize, deal: &Deal) -> Vec<u8> {
        let solver = &mut self.solver;
        let (tricks, positions) = self.solves.entry((self.key)(place)).or_insert_with(|| {
            let before = solver.positions_searched();
            (
                problem.solve(solver, deal),
                solver.positions_searched() - before,
            )
        });
        self.positions[1] += *positions;
        tricks.clone()
    }
}

/// The worth of all cards, from the tricks after each lead of [`sequences`].
pub fn leads(hand: Hand, tricks: &[u8]) -> Leads {
    let runs = sequences(hand);
    Leads::of(
        runs.iter()
            .zip(tricks)
            .flat_map(|(run, &tricks)| run.iter().map(move |card| (card, tricks))),
    )
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

/// All twenty.
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

/// Solved deals of each problem, from a text: the number of the problem, the tricks, a digit each, and the deal.
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

/// A line of such a text.
pub fn pool_line(problem: usize, deal: &Deal, tricks: &[u8]) -> String {
    let digits: String = tricks.iter().map(|tricks| format!("{tricks:X}")).collect();
    format!("{problem} {digits} {deal}")
}
