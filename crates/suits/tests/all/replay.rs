//! Every line takes the tricks that the solver returned for it: independent code plays it over all layouts, card by card, as a plan and as
//! printed.

use std::collections::HashMap;
use std::sync::Arc;

use cards::{Holding, Rank, Seat};
use croupier_suits::{
    Combination, Entries, SuitGoal, SuitLine, SuitSolver, TrickPlan, VacantPlaces,
    WeightedCombination, catalogue,
};

use crate::printed::reader;

/// Plays a line against defenders who know it. This code uses only cards, without classes, gaps or fronts.
struct Player {
    known: HashMap<(usize, [u16; 4]), u8>,
}

/// Indices of the hands in this file.
pub const NORTH: usize = 0;
pub const EAST: usize = 1;
pub const SOUTH: usize = 2;
pub const WEST: usize = 3;

pub fn without(holding: Holding, card: Option<Rank>) -> Holding {
    match card {
        Some(rank) => Holding(holding.0 & !(1 << rank.index())),
        None => holding,
    }
}

/// Returns the cards that a hand can play: any of the suit, or none if it is void.
pub fn choices(holding: Holding) -> Vec<Option<Rank>> {
    match holding.is_empty() {
        true => vec![None],
        false => holding.iter().map(Some).collect(),
    }
}

impl Player {
    /// Returns the tricks that the line takes from here against best defence.
    fn tricks(&mut self, step: &Arc<TrickPlan>, hands: [Holding; 4]) -> u8 {
        let key = (Arc::as_ptr(step) as usize, hands.map(|hand| hand.0));
        if let Some(&tricks) = self.known.get(&key) {
            return tricks;
        }
        let tricks = match &**step {
            TrickPlan::Anything => 0,
            TrickPlan::TopTricks => top_tricks(hands),
            TrickPlan::Lead(lead) => {
                let leader = match lead.leader {
                    Seat::North => NORTH,
                    _ => SOUTH,
                };
                assert!(hands[leader].contains(lead.card), "{lead:?}");
                let [second, third, fourth] = [1, 2, 3].map(|steps| (leader + steps) % 4);
                let mut worst = u8::MAX;
                for card2 in choices(hands[second]) {
                    let answer = lead.answers.iter().find(|it| it.second.matches(card2));
                    // Only layouts that the line gives up have cards without an answer.
                    let Some(answer) = answer else {
                        worst = 0;
                        continue;
                    };
                    assert!(match answer.third {
                        Some(card) => hands[third].contains(card),
                        None => hands[third].is_empty(),
                    });
                    for card4 in choices(hands[fourth]) {
                        let next = answer.next.iter().find(|(seen, _)| seen.matches(card4));
                        let Some((_, next)) = next else {
                            worst = 0;
                            continue;
                        };
                        let mut after = hands;
                        after[leader] = without(hands[leader], Some(lead.card));
                        after[second] = without(hands[second], card2);
                        after[third] = without(hands[third], answer.third);
                        after[fourth] = without(hands[fourth], card4);
                        let wins = Some(lead.card).max(answer.third) > card2.max(card4);
                        worst = worst.min(u8::from(wins) + self.tricks(next, after));
                    }
                }
                worst
            }
        };
        self.known.insert(key, tricks);
        tricks
    }
}

/// Cashes winners from a hand whose partner has a smaller card to play; the defenders follow suit.
pub fn top_tricks(mut hands: [Holding; 4]) -> u8 {
    let outstanding = hands[EAST] | hands[WEST];
    let highest = outstanding.iter().next();
    let winners = |hand: Holding| hand.iter().filter(|&rank| Some(rank) > highest).count();
    let mut tricks = 0;
    loop {
        let has_loser = |hand: Holding| hand.is_empty() || winners(hand) < hand.len();
        let can_lead = |&(hand, _): &(usize, usize)| winners(hands[hand]) > 0;
        let ways = [(NORTH, SOUTH), (SOUTH, NORTH)];
        let good = ways.iter().filter(|way| can_lead(way));
        let Some(&(leader, other)) = good
            .clone()
            .find(|&&(_, other)| has_loser(hands[other]))
            .or(good.clone().next())
        else {
            return tricks;
        };
        let lead = hands[leader].iter().next();
        let low = hands[other].iter().last();
        hands[leader] = without(hands[leader], lead);
        hands[other] = without(hands[other], low);
        tricks += 1;
    }
}

/// Returns the weight of the layouts with each number of tricks if the line is played; entry `t` counts exactly `t`
/// tricks. The first list is that of the plan, the second that of its printed words.
fn replay(
    line: &SuitLine,
    combination: Combination,
    weight: impl Fn(Holding) -> u128,
) -> [Vec<u128>; 2] {
    let missing = combination.missing();
    let mut player = Player {
        known: HashMap::new(),
    };
    let outline = line.outline();
    let mut read = reader(&outline, combination);
    let mut weights = [0, 1].map(|_| vec![0; combination.tricks() + 1]);
    for bits in (0..1u16 << 13).filter(|bits| bits & !missing.0 == 0) {
        let west = Holding(bits);
        let hands = [
            combination.north(),
            missing - west,
            combination.south(),
            west,
        ];
        let tricks = [player.tricks(line.start(), hands), read(west)];
        for (weights, tricks) in weights.iter_mut().zip(tricks) {
            weights[usize::from(tricks)] += weight(west);
        }
    }
    weights
}

fn binomial(n: usize, k: usize) -> u128 {
    (0..k).fold(1, |ways, i| ways * (n - i) as u128 / (i + 1) as u128)
}

/// Plays the lines of all goals that are not certain and compares each with its expected value, exactly.
fn check(combination: Combination, lines: &mut usize) {
    let missing = combination.missing().len();
    let weight = |west: Holding| binomial(26 - missing, 13 - west.len());
    let total = binomial(26, 13);
    let mut solver =
        SuitSolver::new(WeightedCombination::new(combination, VacantPlaces::default()).unwrap());
    for need in 1..=combination.tricks() {
        let chance = solver.chance(need);
        let line = solver.line(&SuitGoal::AtLeast(need)).unwrap();
        let expected = chance.numerator() as u128 * (total / chance.denominator());
        for weights in replay(&line, combination, weight) {
            let replayed: u128 = weights[need..].iter().sum();
            assert_eq!(replayed, expected, "{combination} for {need} tricks");
        }
        *lines += 1;
    }
    let line = solver.line(&SuitGoal::Average).unwrap();
    let average = line.value();
    let expected = average.numerator() as u128 * (total / average.denominator());
    for weights in replay(&line, combination, weight) {
        let counts = weights.into_iter().zip(0u128..);
        let replayed: u128 = counts.map(|(weight, tricks)| weight * tricks).sum();
        assert_eq!(replayed, expected, "{combination} for the average");
    }
    *lines += 1;
}

#[test]
fn lines_of_2000_combinations_reach_their_chance() {
    let all = catalogue();
    let mut lines = 0;
    for &combination in all.iter().step_by(all.len() / 2000) {
        check(combination, &mut lines);
    }
    assert!(lines > 10_000, "{lines}");
}

#[test]
#[ignore = "takes about ten minutes"]
fn long_lines_of_all_combinations_reach_their_chance() {
    let mut lines = 0;
    for combination in catalogue() {
        check(combination, &mut lines);
    }
    assert_eq!(lines, 797_544 + 159_093);
}

#[test]
fn lines_with_few_entries_reach_their_chance() {
    for text in ["AQT/432", "AQJT/32", "KJT9/432", "AJT98/43", "AQ2/KJT9"] {
        let combination: Combination = text.parse().unwrap();
        let missing = combination.missing().len();
        for number in 0..3 {
            let entries = Entries {
                hand: Seat::North,
                number,
            };
            let problem = WeightedCombination::new(combination, VacantPlaces::default()).unwrap();
            let mut solver = SuitSolver::new(problem.with_entries(entries).unwrap());
            for need in 1..=combination.tricks() {
                let line = solver.line(&SuitGoal::AtLeast(need)).unwrap();
                let weight = |west: Holding| binomial(26 - missing, 13 - west.len());
                let chance = line.value();
                let expected =
                    chance.numerator() as u128 * (binomial(26, 13) / chance.denominator());
                // The words say nothing of the entries that a later trick needs.
                let [weights, _] = replay(&line, combination, weight);
                let replayed: u128 = weights[need..].iter().sum();
                assert_eq!(replayed, expected, "{combination} {number} {need}");
            }
        }
    }
}
