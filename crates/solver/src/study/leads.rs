//! Which opening lead is best against a contract.

use cards::{CardSet, Contract, Hand, Suit, scoring};

use super::{Estimate, Moments, half_matchpoints};
use crate::Leads;

/// The leads of a hand that differ: cards in sequence count as one. Spades first, high cards first.
///
/// ```
/// let hand = cards::notation::hand("KQJ4.T9.A2.87632").unwrap();
/// let names: Vec<String> = solver::study::sequences(hand).iter().map(|s| s.to_string()).collect();
/// assert_eq!(names, ["KQJ...", "4...", ".T9..", "..A.", "..2.", "...876", "...32"]);
/// ```
#[must_use]
pub fn sequences(hand: Hand) -> Vec<CardSet> {
    let mut found: Vec<CardSet> = Vec::new();
    for suit in Suit::DESCENDING {
        let mut last = None;
        for card in hand.iter().filter(|card| card.suit() == suit) {
            match found.last_mut() {
                Some(run) if last == Some(card.index() + 1) => run.insert(card),
                _ => found.push(CardSet::of(card)),
            }
            last = Some(card.index());
        }
    }
    found
}

/// What one lead has collected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Collected {
    tricks: Moments,
    score: Moments,
    /// Layouts in which the contract goes down.
    sets: u64,
    /// Sum of the IMPs against all others, deal by deal.
    imps: Moments,
    /// Sum of the half matchpoints against all others, deal by deal.
    matchpoints: Moments,
}

/// Collects what every lead is worth, layout by layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadStudy {
    contract: Contract,
    vulnerable: bool,
    leads: Vec<CardSet>,
    collected: Vec<Collected>,
    /// IMPs of each lead against each other one.
    duels: Vec<Vec<Moments>>,
    layouts: u64,
}

/// What a lead is worth on average.
#[derive(Clone, Debug, PartialEq)]
pub struct LeadResult {
    /// The card, with those in sequence with it.
    pub cards: CardSet,
    /// Tricks for the defence.
    pub tricks: Estimate,
    /// How often the contract goes down, 0 to 1.
    pub sets: Estimate,
    /// The defenders' score.
    pub score: Estimate,
    /// IMPs a board against another lead, averaged over the others.
    pub imps: Estimate,
    /// Share of the matchpoints against the other leads, 0 to 1.
    pub matchpoints: Estimate,
    /// IMPs a board against each lead, in the order of the study.
    pub duels: Vec<Estimate>,
}

impl LeadStudy {
    /// A study of the leads of `hand` against a contract.
    #[must_use]
    pub fn new(hand: Hand, contract: Contract, vulnerable: bool) -> Self {
        let leads = sequences(hand);
        LeadStudy {
            contract,
            vulnerable,
            collected: vec![Collected::default(); leads.len()],
            duels: vec![vec![Moments::default(); leads.len()]; leads.len()],
            leads,
            layouts: 0,
        }
    }

    /// How many layouts were added.
    #[must_use]
    pub fn layouts(&self) -> u64 {
        self.layouts
    }

    /// Adds a layout: what the leads are worth in it.
    ///
    /// Leads of another hand are ignored.
    pub fn add(&mut self, leads: &Leads) {
        let tricks: Option<Vec<i32>> = self
            .leads
            .iter()
            .map(|run| {
                run.iter()
                    .next()
                    .and_then(|card| leads.tricks(card))
                    .map(i32::from)
            })
            .collect();
        let Some(tricks) = tricks else { return };
        let score = |&tricks: &i32| -self.contract.score(self.vulnerable, 13 - tricks);
        let scores: Vec<i32> = tricks.iter().map(score).collect();
        self.layouts += 1;
        for (i, (&ours, collected)) in scores.iter().zip(&mut self.collected).enumerate() {
            collected.tricks.add(tricks[i]);
            collected.score.add(ours);
            collected.sets += u64::from(ours > 0);
            let (mut imps, mut matchpoints) = (0, 0);
            for (j, &theirs) in scores.iter().enumerate().filter(|&(j, _)| j != i) {
                let won = scoring::imps(ours - theirs);
                self.duels[i][j].add(won);
                imps += won;
                matchpoints += half_matchpoints(ours, theirs);
            }
            collected.imps.add(imps);
            collected.matchpoints.add(matchpoints);
        }
    }

    /// The leads, best first: by IMPs, then by tricks.
    #[must_use]
    pub fn results(&self) -> Vec<LeadResult> {
        let others = (self.leads.len() as f64 - 1.0).max(1.0);
        let result = |(i, collected): (usize, &Collected)| LeadResult {
            cards: self.leads[i],
            tricks: collected.tricks.mean(),
            sets: Estimate::proportion(collected.sets, self.layouts),
            score: collected.score.mean(),
            imps: collected.imps.mean().scaled(1.0 / others),
            matchpoints: collected.matchpoints.mean().scaled(0.5 / others),
            duels: self.duels[i].iter().map(Moments::mean).collect(),
        };
        let mut results: Vec<(usize, LeadResult)> = self
            .collected
            .iter()
            .enumerate()
            .map(|item| (item.0, result(item)))
            .collect();
        results.sort_by(|(_, a), (_, b)| {
            (b.imps.value, b.tricks.value)
                .partial_cmp(&(a.imps.value, a.tricks.value))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        // The columns of the duels in the same order as the rows.
        let order: Vec<usize> = results.iter().map(|(i, _)| *i).collect();
        results
            .into_iter()
            .map(|(_, result)| LeadResult {
                duels: order.iter().map(|&j| result.duels[j]).collect(),
                ..result
            })
            .collect()
    }
}

/// Collects only how often each lead beats the contract: for that the solver needs a fraction of
/// the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetStudy {
    leads: Vec<(CardSet, u64)>,
    layouts: u64,
}

impl SetStudy {
    /// A study of the leads of `hand`.
    #[must_use]
    pub fn new(hand: Hand) -> Self {
        SetStudy {
            leads: sequences(hand).into_iter().map(|lead| (lead, 0)).collect(),
            layouts: 0,
        }
    }

    /// Adds a layout: the leads that beat the contract in it.
    pub fn add(&mut self, beating: CardSet) {
        self.layouts += 1;
        for (lead, count) in &mut self.leads {
            *count += u64::from(!lead.is_disjoint(beating));
        }
    }

    /// How many layouts were added.
    #[must_use]
    pub fn layouts(&self) -> u64 {
        self.layouts
    }

    /// The leads and how often they beat the contract, 0 to 1; best first.
    #[must_use]
    pub fn results(&self) -> Vec<(CardSet, Estimate)> {
        let mut leads = self.leads.clone();
        leads.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let estimate = |(lead, count)| (lead, Estimate::proportion(count, self.layouts));
        leads.into_iter().map(estimate).collect()
    }
}
