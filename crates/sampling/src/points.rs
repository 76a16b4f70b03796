//! Points of all four hands, if lengths do not matter. Cards with equal values form grades, and each grade is divided
//! among the four hands.

use std::collections::HashMap;

use cards::{BySeat, Card, CardSet, Deal, Seat};
use shuffle::RandomWords;

use crate::binomial::choose;
use crate::drawing::deposit::Deposit;
use crate::drawing::draws::below_wide;
use crate::drawing::subsets::Subsets;
use crate::problem::feature::Holder;
use crate::problem::filter::Prepared;
use crate::problem::{Problem, Term};
use crate::setup::budget::{CostMeter, SetupError};
use crate::tables::values::FastHash;

/// Largest number of features that can be followed at once.
const MAX_FEATURES: usize = 8;

/// Nanoseconds for one division of a grade.
const COST_OF_SHARE: f64 = 120.0;

/// States between two checks for a stop.
const STATES_BETWEEN_CHECKS: usize = 256;

/// With more states than this the method is not used.
const MAX_STATES: usize = 300_000;

type Values = [i32; MAX_FEATURES];

/// Cards with the same values.
#[derive(Clone, Debug)]
struct Grade {
    cards: u64,
    values: Values,
}

impl Grade {
    fn size(&self) -> usize {
        self.cards.count_ones() as usize
    }
}

/// Free places of each hand, and the features so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    places: BySeat<u8>,
    values: Values,
}

/// One division of a grade: the number of cards for each hand, and the next state.
#[derive(Clone, Copy, Debug)]
struct Step {
    given: BySeat<u8>,
    next: u32,
    /// Ways up to and including this step, multiplied by the ways of everything that follows.
    end: u128,
}

/// Counts and draws deals by grades.
pub(crate) struct PointDealer {
    grades: Vec<Grade>,
    /// Steps by grade and by state before the grade.
    layers: Vec<Vec<Vec<Step>>>,
    fixed: BySeat<CardSet>,
    total: u128,
    subsets: &'static Subsets,
}

/// Returns whether all conditions are about sums over cards.
fn applies(prepared: &Prepared<'_>) -> bool {
    let problem = prepared.problem;
    let mut only_points = prepared
        .filters
        .values()
        .all(|filters| filters.values().all(Option::is_none));
    for (number, conjunct) in problem.conjuncts.iter().enumerate() {
        if prepared.single[number].is_none() {
            conjunct.for_each_atom(&mut |atom| {
                only_points &= atom.terms.iter().all(|term| match term {
                    Term::Length(..) => false,
                    Term::Feature(id) => problem.features[id.0].is_additive(),
                });
            });
        }
    }
    only_points && problem.features.len() <= MAX_FEATURES
}

fn add_cards(problem: &Problem, values: &mut Values, seat: Seat, card_values: &Values, count: i32) {
    for (value, (feature, each)) in values
        .iter_mut()
        .zip(problem.features.iter().zip(card_values))
    {
        let counts = match feature.holder {
            Holder::Seat(holder) => holder == seat,
            Holder::Side(side) => seat.side() == side,
        };
        if counts {
            *value += each * count;
        }
    }
}

fn values_of(problem: &Problem, card: Card) -> Values {
    let mut values = [0; MAX_FEATURES];
    for (value, feature) in values.iter_mut().zip(&problem.features) {
        *value = feature.of(CardSet::of(card));
    }
    values
}

/// Sorts the free cards into grades, the largest last.
fn sort_cards(prepared: &Prepared<'_>) -> Vec<Grade> {
    let mut grades: Vec<Grade> = Vec::new();
    for card in prepared.deck().iter() {
        let values = values_of(prepared.problem, card);
        let bit = CardSet::of(card).0;
        match grades.iter_mut().find(|grade| grade.values == values) {
            Some(grade) => grade.cards |= bit,
            None => grades.push(Grade { cards: bit, values }),
        }
    }
    grades.sort_by_key(Grade::size);
    grades
}

/// Returns all divisions of `size` cards among hands with these free places, with the number of ways to choose the
/// cards.
fn shares(size: usize, places: BySeat<u8>) -> Vec<(BySeat<u8>, u128)> {
    let mut list = Vec::new();
    let most = |seat: Seat, left: usize| usize::from(places[seat]).min(left);
    for n in 0..=most(Seat::North, size) {
        for e in 0..=most(Seat::East, size - n) {
            for s in 0..=most(Seat::South, size - n - e) {
                let w = size - n - e - s;
                if w <= usize::from(places[Seat::West]) {
                    let ways = u128::from(choose(size, n))
                        * u128::from(choose(size - n, e))
                        * u128::from(choose(size - n - e, s));
                    list.push((BySeat([n, e, s, w].map(|cards| cards as u8)), ways));
                }
            }
        }
    }
    list
}

/// Counts the divisions of `size` cards among hands with these free places.
fn number_of_shares(size: usize, places: BySeat<u8>) -> usize {
    let BySeat([north, east, south, west]) = places.map(usize::from);
    let mut count = 0;
    for n in 0..=north.min(size) {
        for e in 0..=east.min(size - n) {
            let left = size - n - e;
            // South takes at least the cards for which West has no room, and at most all that are left.
            count += (south.min(left) + 1).saturating_sub(left.saturating_sub(west));
        }
    }
    count
}

/// Limits of each feature from the conditions on it alone, and the range that the remaining grades can add.
struct Bounds {
    limits: [(i32, i32); MAX_FEATURES],
    rest: Vec<[(i32, i32); MAX_FEATURES]>,
}

impl Bounds {
    fn new(prepared: &Prepared<'_>, grades: &[Grade]) -> Bounds {
        let mut rest = vec![[(0, 0); MAX_FEATURES]; grades.len() + 1];
        for (number, grade) in grades.iter().enumerate().rev() {
            rest[number] = std::array::from_fn(|feature| {
                let all = grade.values[feature] * grade.size() as i32;
                let (low, high) = rest[number + 1][feature];
                (low + all.min(0), high + all.max(0))
            });
        }
        let problem = prepared.problem;
        let mut limits = [(i32::MIN / 2, i32::MAX / 2); MAX_FEATURES];
        for (feature, limit) in limits.iter_mut().enumerate().take(problem.features.len()) {
            if let Some(range) = prepared.range_of_feature(feature) {
                *limit = range;
            }
        }
        Bounds { limits, rest }
    }

    /// Returns whether the limits can still be met with the grades from `next` on.
    fn allow(&self, values: &Values, next: usize) -> bool {
        (0..MAX_FEATURES).all(|feature| {
            let (low, high) = self.limits[feature];
            let (least, most) = self.rest[next][feature];
            values[feature] + most >= low && values[feature] + least <= high
        })
    }
}

impl PointDealer {
    /// Builds the tables, if the problem has this form and they are not too large.
    pub(crate) fn new(
        prepared: &Prepared<'_>,
        meter: &CostMeter<'_>,
    ) -> Result<PointDealer, SetupError> {
        if !applies(prepared) {
            return Err(SetupError::TooExpensive);
        }
        let problem = prepared.problem;
        let mut start = State {
            places: prepared.fixed.map(|hand| 13 - hand.len() as u8),
            values: [0; MAX_FEATURES],
        };
        for seat in Seat::ALL {
            for card in prepared.fixed[seat].iter() {
                add_cards(
                    problem,
                    &mut start.values,
                    seat,
                    &values_of(problem, card),
                    1,
                );
            }
        }
        let grades = sort_cards(prepared);
        let bounds = Bounds::new(prepared, &grades);
        let mut states = vec![start];
        let mut layers: Vec<Vec<Vec<Step>>> = Vec::new();
        let mut weights: Vec<Vec<u128>> = Vec::new();
        let mut seen = 0;
        for (number, grade) in grades.iter().enumerate() {
            // Count the cost of a layer before building it.
            for state in &states {
                let ways = number_of_shares(grade.size(), state.places);
                meter.spend(COST_OF_SHARE * ways as f64)?;
            }
            let mut index: HashMap<State, u32, FastHash> = HashMap::default();
            let mut next = Vec::new();
            let mut layer = Vec::new();
            let mut ways_of_layer = Vec::new();
            for (number_of_state, state) in states.iter().enumerate() {
                if number_of_state % STATES_BETWEEN_CHECKS == 0 {
                    meter.check_stop()?;
                }
                let mut steps = Vec::new();
                for (given, ways) in shares(grade.size(), state.places) {
                    let mut after = *state;
                    for (seat, count) in given {
                        after.places[seat] -= count;
                        let count = i32::from(count);
                        add_cards(problem, &mut after.values, seat, &grade.values, count);
                    }
                    if !bounds.allow(&after.values, number + 1) {
                        continue;
                    }
                    let place = *index.entry(after).or_insert_with(|| {
                        next.push(after);
                        next.len() as u32 - 1
                    });
                    steps.push(Step {
                        given,
                        next: place,
                        end: 0,
                    });
                    ways_of_layer.push(ways);
                }
                layer.push(steps);
                if seen + next.len() > MAX_STATES {
                    return Err(SetupError::TooExpensive);
                }
            }
            seen += next.len();
            layers.push(layer);
            weights.push(ways_of_layer);
            states = next;
        }
        let ends = states
            .iter()
            .map(|state| accepts(prepared, state))
            .collect();
        let total = weigh(&mut layers, &weights, ends);
        Ok(PointDealer {
            grades,
            layers,
            fixed: prepared.fixed,
            total,
            subsets: Subsets::shared(),
        })
    }

    /// Returns the number of deals.
    pub(crate) fn total(&self) -> u128 {
        self.total
    }

    /// Returns the memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let steps: usize = self.layers.iter().flatten().map(Vec::len).sum();
        steps * std::mem::size_of::<Step>()
    }

    /// Draws a deal, all equally likely. There must be one.
    #[inline(always)]
    pub(crate) fn draw(&self, deposit: impl Deposit, words: &mut impl RandomWords) -> Deal {
        let mut hands = self.fixed;
        let mut state = 0;
        for (grade, layer) in self.grades.iter().zip(&self.layers) {
            let steps: &[Step] = &layer[state];
            let all = steps.last().map_or(0, |step| step.end);
            let number = below_wide(words, all);
            let step = steps[steps.partition_point(|step| step.end <= number)];
            let mut left = grade.cards;
            for (hand, &count) in hands.values_mut().zip(step.given.values()) {
                let cards = self.some_of(deposit, words, left, usize::from(count));
                left &= !cards;
                *hand = CardSet(hand.0 | cards);
            }
            state = step.next as usize;
        }
        Deal::from_valid_hands(hands.0)
    }

    fn some_of(
        &self,
        deposit: impl Deposit,
        words: &mut impl RandomWords,
        mask: u64,
        count: usize,
    ) -> u64 {
        let size = mask.count_ones() as usize;
        match count {
            0 => 0,
            _ if count == size => mask,
            // The table of subsets ends at 39 cards. For more, decide about single cards first.
            _ if size > 39 => {
                let first = mask & (mask.wrapping_neg());
                let with_first = words.below(size as u64) < count as u64;
                let rest = self.some_of(
                    deposit,
                    words,
                    mask & !first,
                    count - usize::from(with_first),
                );
                rest | if with_first { first } else { 0 }
            }
            _ => deposit.deposit(self.subsets.some(words, size, count), mask),
        }
    }
}

/// Returns 1 if the conditions hold when all cards are dealt, else 0.
fn accepts(prepared: &Prepared<'_>, state: &State) -> u128 {
    let problem = prepared.problem;
    let all = problem
        .conjuncts
        .iter()
        .enumerate()
        .all(|(number, conjunct)| {
            prepared.single[number].is_some()
                || conjunct.holds(&mut |term| match term {
                    Term::Feature(id) => state.values[id.0],
                    Term::Length(..) => 0,
                })
        });
    u128::from(all)
}

/// Computes the running totals from the last grade to the first, and drops steps that lead to no deal.
fn weigh(layers: &mut [Vec<Vec<Step>>], weights: &[Vec<u128>], mut after: Vec<u128>) -> u128 {
    for (layer, weights) in layers.iter_mut().zip(weights).rev() {
        let mut weights = weights.iter();
        after = layer
            .iter_mut()
            .map(|steps| {
                let mut end = 0;
                steps.retain_mut(|step| {
                    let ways = weights.next().copied().unwrap_or(0);
                    let more = ways * after[step.next as usize];
                    end += more;
                    step.end = end;
                    more > 0
                });
                end
            })
            .collect();
    }
    after.first().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_shares_equals_the_length_of_the_list() {
        for size in 0..14 {
            for places in [[13; 4], [0, 3, 7, 2], [1, 0, 0, 13], [4, 4, 4, 4], [0; 4]].map(BySeat) {
                assert_eq!(number_of_shares(size, places), shares(size, places).len());
            }
        }
    }
}
