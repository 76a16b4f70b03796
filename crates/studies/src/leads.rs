//! The question which opening lead is best against a contract.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use cards::{CardSet, Deal, Hand, Seat, Side, Suit, TrickTable, Vulnerability, scoring};
use solver::{Bounds, Leads, Position, Solver};

use crate::controls::{PREFERRED_LEAD_CONTROLS, lead_controls};
use crate::error::StudyError;
use crate::estimate::{Estimate, Moments, half_matchpoints};
use crate::options::{StudyExecution, StudyProgress};
use crate::question::StudyQuestion;
use crate::study::for_each_deal;
use crate::trick_estimate::TrickEstimate;
use formats::DeclaredContract;
use statistics::precision::PrecisionUnit;

/// Number of quantities of a lead, besides the IMPs against each other lead: tricks, sets, score, IMPs and matchpoints.
const PER_LEAD: usize = 5;

/// Limit of positions of a short search for whether the contract can be beaten, and after each lead.
const SHORT_SEARCH: u64 = 1000;

/// Returns the distinct leads of a hand: cards in sequence count as one. Spades come first, high cards first.
///
/// ```
/// let hand = cards::notation::hand("KQJ4.T9.A2.87632").unwrap();
/// let names: Vec<String> = croupier_studies::sequences(hand).iter().map(|s| s.to_string()).collect();
/// assert_eq!(names, ["KQJ...", "4...", ".T9..", "..A.", "..2.", "...876", "...32"]);
/// ```
#[must_use]
pub fn sequences(hand: Hand) -> Vec<CardSet> {
    let mut found: Vec<CardSet> = Vec::new();
    for suit in Suit::DESCENDING {
        let mut last = None;
        for card in hand.iter().filter(|card| card.suit() == suit) {
            match found.last_mut() {
                Some(sequence) if last == Some(card.index() + 1) => sequence.insert(card),
                _ => found.push(CardSet::of(card)),
            }
            last = Some(card.index());
        }
    }
    found
}

/// The question which card of a hand to lead against a contract. The options are the [`sequences`] of the hand.
#[derive(Clone, Debug)]
pub struct LeadQuestion {
    declared: DeclaredContract,
    hand: Hand,
    vulnerability: Vulnerability,
    leads: Vec<CardSet>,
}

impl LeadQuestion {
    /// Creates the question for the player to the left of declarer, who holds `hand`.
    ///
    /// # Errors
    /// If the hand does not have 13 cards.
    pub fn new(
        declared: DeclaredContract,
        hand: Hand,
        vulnerability: Vulnerability,
    ) -> Result<LeadQuestion, StudyError> {
        if hand.len() != 13 {
            return Err(StudyError::IncompleteHand {
                leader: declared.declarer.next(),
                cards: hand.len(),
            });
        }
        Ok(LeadQuestion {
            declared,
            hand,
            vulnerability,
            leads: sequences(hand),
        })
    }

    /// Returns the contract.
    #[must_use]
    pub fn contract(&self) -> DeclaredContract {
        self.declared
    }

    /// Returns the leader's hand.
    #[must_use]
    pub fn hand(&self) -> Hand {
        self.hand
    }

    /// Returns the seat that leads.
    #[must_use]
    pub fn leader(&self) -> Seat {
        self.declared.declarer.next()
    }

    /// Returns whether declarer is vulnerable.
    #[must_use]
    pub fn is_vulnerable(&self) -> bool {
        self.vulnerability.includes(self.declared.declarer.side())
    }

    /// Returns the leads. The tricks of a deal have the same order.
    #[must_use]
    pub fn leads(&self) -> &[CardSet] {
        &self.leads
    }

    /// Returns the tricks after each lead; `None` if `leads` are those of another hand.
    #[must_use]
    pub fn tricks(&self, leads: &Leads) -> Option<Vec<u8>> {
        let of = |lead: &CardSet| lead.iter().next().and_then(|card| leads.tricks(card));
        self.leads.iter().map(of).collect()
    }

    /// Returns the defence's tricks that beat the contract.
    fn tricks_to_set(&self) -> u8 {
        14 - self.declared.contract.tricks_needed()
    }

    /// Returns the leads that beat the contract on `deal`. This takes a fraction of the time of counting tricks.
    pub fn beating(&self, solver: &mut Solver, deal: &Deal) -> CardSet {
        let DeclaredContract { contract, declarer } = self.declared;
        solver.leads_taking(deal, declarer, contract.strain, self.tricks_to_set())
    }

    /// Counts on how many deals each lead beats the contract, and nothing else.
    ///
    /// # Errors
    /// If there are no deals, or the leader does not hold the hand in all of them.
    pub fn count_sets(
        &self,
        deals: &[Deal],
        execution: StudyExecution<'_>,
    ) -> Result<SetTally, StudyError> {
        if deals.is_empty() {
            return Err(StudyError::NoDeals);
        }
        self.check(deals)?;
        let mut tally = SetTally::new(self);
        let ask = |solver: &mut Solver, _: usize, deal: &Deal| self.beating(solver, deal);
        for_each_deal(deals.iter().enumerate(), execution, ask, |beating| {
            tally.add(beating);
            let solved = tally.deals() as usize;
            let screened = solved;
            (
                StudyProgress { solved, screened },
                ControlFlow::Continue(()),
            )
        });
        Ok(tally)
    }
}

/// Exact sums of one lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct LeadSums {
    tricks: Moments,
    score: Moments,
    /// Number of deals on which the contract goes down.
    sets: u64,
    /// Sums of the IMPs against all other leads, deal by deal.
    imps: Moments,
    /// Sums of the half matchpoints against all other leads, deal by deal.
    matchpoints: Moments,
}

/// Exact sums of all leads over solved deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadTally {
    leads: Vec<LeadSums>,
    /// IMPs of each lead against each other lead.
    pairs: Vec<Vec<Moments>>,
    deals: u64,
}

impl LeadTally {
    /// Returns the number of deals.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.deals
    }
}

/// The result of one lead.
#[derive(Clone, Debug, PartialEq)]
pub struct LeadResult {
    /// Card, with the cards in sequence with it.
    pub cards: CardSet,
    /// Tricks of the defence.
    pub tricks: Estimate,
    /// Share of the deals on which the contract goes down, 0 to 1.
    pub sets: Estimate,
    /// Score of the defenders.
    pub score: Estimate,
    /// IMPs per board against another lead, averaged over the other leads.
    pub imps: Estimate,
    /// Share of the matchpoints against the other leads, 0 to 1.
    pub matchpoints: Estimate,
    /// IMPs per board against each lead, in the order of the results.
    pub imps_against: Vec<Estimate>,
}

impl LeadQuestion {
    /// Widens the intervals of scores, IMPs and matchpoints for leads that beat the contract, or let it make, too rarely to
    /// be seen in few deals.
    fn allowing_for_rare_results(&self, mut results: Vec<LeadResult>) -> Vec<LeadResult> {
        let needed = self.declared.contract.tricks_needed();
        // The defenders' score with the trick that beats the contract, and without it.
        let scores = self.scores(&[14 - needed, 13 - needed]);
        let change = scores[0] - scores[1];
        let imps = scoring::imps(change);
        let sets: Vec<Estimate> = results.iter().map(|result| result.sets).collect();
        let range = |quantity: usize| self.quantity_range(quantity);
        for (i, result) in results.iter_mut().enumerate() {
            result.score = result.score.allowing_for(sets[i], change, range(2));
            result.imps = result.imps.allowing_for_rare(sets[i], imps, range(3));
            result.matchpoints = result.matchpoints.allowing_for_rare(sets[i], 1, range(4));
            for j in (0..sets.len()).filter(|&j| j != i) {
                let against = result.imps_against[j].allowing_for_rare(sets[i], imps, range(3));
                result.imps_against[j] = against.allowing_for_rare(sets[j], -imps, range(3));
            }
        }
        results
    }
}

impl StudyQuestion for LeadQuestion {
    type Tally = LeadTally;
    type Item = LeadResult;

    fn check(&self, deals: &[Deal]) -> Result<(), StudyError> {
        let leader = self.leader();
        match deals.iter().all(|deal| deal.hand(leader) == self.hand) {
            true => Ok(()),
            false => Err(StudyError::OtherHand { leader }),
        }
    }

    fn options(&self) -> usize {
        self.leads.len()
    }

    fn solve(&self, solver: &mut Solver, deal: &Deal, _: Option<&TrickTable>) -> Vec<u8> {
        let DeclaredContract { contract, declarer } = self.declared;
        let leads = solver.leads(deal, declarer, contract.strain);
        // Only a cancelled search lacks leads of the hand, and its answer is discarded.
        self.tricks(&leads)
            .unwrap_or_else(|| vec![0; self.leads.len()])
    }

    fn new_tally(&self) -> LeadTally {
        let leads = self.leads.len();
        LeadTally {
            leads: vec![LeadSums::default(); leads],
            pairs: vec![vec![Moments::default(); leads]; leads],
            deals: 0,
        }
    }

    fn add_to_tally(&self, tally: &mut LeadTally, tricks: &[u8]) {
        let scores = self.scores(tricks);
        tally.deals += 1;
        for (i, (&ours, sums)) in scores.iter().zip(&mut tally.leads).enumerate() {
            sums.tricks.add(i32::from(tricks[i]));
            sums.score.add(ours);
            sums.sets += u64::from(ours > 0);
            let (mut imps, mut matchpoints) = (0, 0);
            for (j, &theirs) in scores.iter().enumerate() {
                let won = scoring::imps(ours - theirs);
                tally.pairs[i][j].add(won);
                if j == i {
                    continue;
                }
                imps += won;
                matchpoints += half_matchpoints(ours, theirs);
            }
            sums.imps.add(imps);
            sums.matchpoints.add(matchpoints);
        }
    }

    /// Returns the leads with the best first: by IMPs, then by tricks.
    fn results(&self, tally: &LeadTally) -> Vec<LeadResult> {
        let others = (self.leads.len() as f64 - 1.0).max(1.0);
        let range = |lead: usize, which: usize| self.quantity_range(PER_LEAD * lead + which);
        let pair = |(i, j): (usize, usize)| {
            tally.pairs[i][j].mean(self.quantity_range(self.pair_quantity(i, j)))
        };
        let result = |(i, sums): (usize, &LeadSums)| LeadResult {
            cards: self.leads[i],
            tricks: sums.tricks.mean(range(i, 0)),
            sets: Estimate::proportion(sums.sets, tally.deals),
            score: sums.score.mean(range(i, 2)),
            imps: sums.imps.scaled_mean(1.0 / others, range(i, 3)),
            matchpoints: sums.matchpoints.scaled_mean(0.5 / others, range(i, 4)),
            imps_against: (0..self.leads.len()).map(|j| pair((i, j))).collect(),
        };
        let mut results: Vec<(usize, LeadResult)> = tally
            .leads
            .iter()
            .enumerate()
            .map(|item| (item.0, result(item)))
            .collect();
        results.sort_by(|(_, a), (_, b)| {
            (b.imps.value, b.tricks.value)
                .partial_cmp(&(a.imps.value, a.tricks.value))
                .unwrap_or(Ordering::Equal)
        });
        // Columns in the same order as rows.
        let order: Vec<usize> = results.iter().map(|(i, _)| *i).collect();
        let results = results
            .into_iter()
            .map(|(_, result)| LeadResult {
                imps_against: order.iter().map(|&j| result.imps_against[j]).collect(),
                ..result
            })
            .collect();
        self.allowing_for_rare_results(results)
    }

    fn with_means(&self, mut results: Vec<LeadResult>, means: &[Estimate]) -> Vec<LeadResult> {
        let place = |cards: CardSet| self.leads.iter().position(|&lead| lead == cards);
        for result in &mut results {
            let Some(lead) = place(result.cards) else {
                continue;
            };
            let of = |quantity: usize| means[PER_LEAD * lead + quantity];
            result.tricks = of(0);
            result.sets = of(1).within_one();
            result.score = of(2);
            result.imps = of(3);
            result.matchpoints = of(4).within_one();
        }
        results.sort_by(|a, b| b.imps.value.total_cmp(&a.imps.value));
        // Columns in the same order as rows.
        let order: Vec<usize> = results.iter().filter_map(|it| place(it.cards)).collect();
        for (result, &lead) in results.iter_mut().zip(&order) {
            let pair = |&other: &usize| means[self.pair_quantity(lead, other)];
            result.imps_against = order.iter().map(pair).collect();
        }
        self.allowing_for_rare_results(results)
    }

    fn controls(&self, deal: &Deal) -> Vec<f64> {
        let (contract, is_vulnerable) = (self.declared.contract, self.is_vulnerable());
        let score = |tricks: u8| f64::from(contract.score(is_vulnerable, tricks.into()));
        lead_controls(deal, &self.declared, score)
    }

    fn control_count(&self) -> usize {
        // For each suit: two controls for each missing honour (ace to ten), and seven others.
        let honours = |suit: Suit| (self.hand.holding(suit).0 >> 8).count_ones() as usize;
        let of_suit = |suit: Suit| 2 * (5 - honours(suit)) + 7;
        PREFERRED_LEAD_CONTROLS + Suit::ALL.map(of_suit).iter().sum::<usize>()
    }

    fn preferred_controls(&self) -> usize {
        PREFERRED_LEAD_CONTROLS
    }

    fn short_searches(&self, solver: &mut Solver, deal: &Deal) -> Vec<Bounds> {
        let DeclaredContract { contract, declarer } = self.declared;
        let (strain, needed) = (contract.strain, contract.tricks_needed());
        let set = self.tricks_to_set();
        let mut found = vec![Bounds::UNKNOWN; self.leads.len()];
        let makes = solver.with_position_limit(SHORT_SEARCH, |solver| {
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
            let beaten =
                solver.with_position_limit(SHORT_SEARCH, |solver| match declarers_are_ns {
                    true => !solver.north_south_at_least(&position, needed),
                    false => solver.north_south_at_least(&position, set),
                });
            if let Some(beaten) = beaten {
                bounds.learn(set, beaten);
            }
        }
        found
    }

    fn trick_estimates(&self, deal: &Deal) -> Vec<(TrickEstimate, bool)> {
        let DeclaredContract { contract, declarer } = self.declared;
        let declaring = TrickEstimate::of_declarer(deal, declarer.side(), contract.strain);
        vec![(declaring.of_opponents(), false); self.leads.len()]
    }

    fn quantity_count(&self) -> usize {
        self.leads.len() * (PER_LEAD + self.leads.len())
    }

    fn quantities(&self, tricks: &[u8]) -> Vec<f64> {
        let scores = self.scores(tricks);
        let others = (scores.len() as f64 - 1.0).max(1.0);
        let mut quantities = Vec::with_capacity(self.quantity_count());
        for (i, &ours) in scores.iter().enumerate() {
            let against = scores.iter().enumerate().filter(|&(j, _)| j != i);
            let (mut imps, mut matchpoints) = (0, 0.0);
            for (_, &theirs) in against {
                imps += scoring::imps(ours - theirs);
                matchpoints += 0.5 + 0.5 * f64::from((ours - theirs).signum());
            }
            quantities.extend([
                f64::from(tricks[i]),
                f64::from(u8::from(ours > 0)),
                f64::from(ours),
                f64::from(imps) / others,
                matchpoints / others,
            ]);
        }
        for &ours in &scores {
            let won = |&theirs: &i32| f64::from(scoring::imps(ours - theirs));
            quantities.extend(scores.iter().map(won));
        }
        quantities
    }

    fn target_quantities(&self, unit: PrecisionUnit) -> (Vec<usize>, f64) {
        let (quantity, factor) = match unit {
            PrecisionUnit::Tricks => (0, 1.0),
            PrecisionUnit::Percent => (1, 100.0),
            PrecisionUnit::Imps => (3, 1.0),
            PrecisionUnit::Points => (2, 1.0),
        };
        let leads = 0..self.leads.len();
        let targets = leads.map(|lead| PER_LEAD * lead + quantity);
        (targets.collect(), factor)
    }

    fn quantity_range(&self, quantity: usize) -> (f64, f64) {
        let count = self.leads.len();
        let scores = self.scores(&std::array::from_fn::<u8, 14, _>(|tricks| tricks as u8));
        let least = scores.iter().copied().min().unwrap_or_default();
        let most = scores.iter().copied().max().unwrap_or_default();
        let imps = f64::from(scoring::imps(most - least));
        match quantity.checked_sub(PER_LEAD * count) {
            None => match quantity % PER_LEAD {
                0 => (0.0, 13.0),
                1 => (0.0, 1.0),
                2 => (f64::from(least), f64::from(most)),
                // A single lead has nothing to be compared with.
                _ if count == 1 => (0.0, 0.0),
                3 => (-imps, imps),
                _ => (0.0, 1.0),
            },
            Some(pair) if pair / count == pair % count => (0.0, 0.0),
            Some(_) => (-imps, imps),
        }
    }

    fn is_proportion(&self, quantity: usize) -> bool {
        quantity < PER_LEAD * self.leads.len() && quantity % PER_LEAD == 1
    }

    fn tricks_quantity(&self, option: usize) -> usize {
        PER_LEAD * option
    }
}

impl LeadQuestion {
    /// Returns the quantity of the IMPs of lead `i` against lead `j`.
    fn pair_quantity(&self, i: usize, j: usize) -> usize {
        let count = self.leads.len();
        PER_LEAD * count + count * i + j
    }

    /// Returns the score of the defenders after each lead.
    fn scores(&self, tricks: &[u8]) -> Vec<i32> {
        let (contract, is_vulnerable) = (self.declared.contract, self.is_vulnerable());
        let score = |&tricks: &u8| -contract.score(is_vulnerable, 13 - i32::from(tricks));
        tricks.iter().map(score).collect()
    }
}

/// Counts of the deals on which each lead beats the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetTally {
    leads: Vec<(CardSet, u64)>,
    deals: u64,
}

impl SetTally {
    /// Creates an empty tally of the leads of `question`.
    #[must_use]
    pub fn new(question: &LeadQuestion) -> SetTally {
        SetTally {
            leads: question.leads.iter().map(|&lead| (lead, 0)).collect(),
            deals: 0,
        }
    }

    /// Adds one deal, on which the cards `beating` beat the contract.
    pub fn add(&mut self, beating: CardSet) {
        self.deals += 1;
        for (lead, count) in &mut self.leads {
            *count += u64::from(!lead.is_disjoint(beating));
        }
    }

    /// Returns the number of deals.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Returns each lead with the share of the deals, 0 to 1, on which it beats the contract; the best lead first.
    #[must_use]
    pub fn results(&self) -> Vec<(CardSet, Estimate)> {
        let mut leads = self.leads.clone();
        leads.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let estimate = |(lead, count)| (lead, Estimate::proportion(count, self.deals));
        leads.into_iter().map(estimate).collect()
    }
}
