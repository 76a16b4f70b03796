//! The choice of the hands to track, and of conditions to leave out if the tables would be too large.

use std::collections::HashMap;

use cards::{BySeat, Seat, Side, Suit};
use shuffle::{BLOCK_DEALS, Block, FastDealer, Key, Predeal};

use crate::problem::Term;
use crate::problem::feature::Holder;
use crate::problem::filter::Prepared;
use crate::sampler::Sampler;
use crate::setup::budget::{CostMeter, SetupError};
use crate::setup::layout::{Clause, FeatureSet, Layout, Tracked};
use crate::setup::needs::Needs;
use crate::tables::pile::choose_piles;

/// The hands and sides that the conditions mention.
#[derive(Default)]
struct MentionedHands {
    seats: BySeat<bool>,
    sides: [bool; 2],
}

fn mentioned_hands(prepared: &Prepared<'_>) -> MentionedHands {
    let mut asked = MentionedHands::default();
    for conjunct in &prepared.problem.conjuncts {
        conjunct.for_each_atom(&mut |atom| {
            for term in &atom.terms {
                let (holder, additive) = match *term {
                    Term::Length(holder, _) => (holder, true),
                    Term::Feature(id) => {
                        let feature = &prepared.problem.features[id.0];
                        (feature.holder, feature.is_additive())
                    }
                };
                match holder {
                    Holder::Seat(seat) => asked.seats[seat] = true,
                    Holder::Side(side) if additive => asked.sides[side.index()] = true,
                    // A feature that each hand counts separately cannot be computed from the 26 cards.
                    Holder::Side(side) => {
                        for seat in side.seats() {
                            asked.seats[seat] = true;
                        }
                    }
                }
            }
        });
    }
    asked
}

/// Largest share of the rest of the budget that one strategy may use, so that weaker ones can still be tried.
const MAX_SHARE_PER_STRATEGY: f64 = 0.7;

/// A strategy: the hands to follow, and which of their inputs.
#[derive(Clone, Copy, Debug)]
struct Strategy {
    tracked: Tracked,
    allowed: Needs,
    left_out: FeatureSet,
}

impl Strategy {
    /// Creates a strategy with all features.
    fn new(tracked: Tracked, allowed: Needs) -> Strategy {
        Strategy {
            tracked,
            allowed,
            left_out: 0,
        }
    }

    fn layout(&self, prepared: &Prepared<'_>) -> Layout {
        Layout::without(prepared, self.tracked, self.allowed, self.left_out)
    }

    /// Returns whether tables for this strategy cover every condition that must be covered.
    fn covers_required(&self, prepared: &Prepared<'_>) -> bool {
        let problem = prepared.problem;
        problem.must_cover.is_empty() || problem.is_covered_by(&self.layout(prepared).covered)
    }
}

/// Tries one strategy. Returns `None` if it is too expensive.
fn attempt(
    prepared: &Prepared<'_>,
    way: Strategy,
    meter: &CostMeter<'_>,
) -> Result<Option<Sampler>, SetupError> {
    let layout = way.layout(prepared);
    match Sampler::build(prepared, layout, (0, true), meter) {
        Ok(sampler) => Ok(Some(sampler)),
        Err(SetupError::TooExpensive) => Ok(None),
        Err(SetupError::Stopped) => Err(SetupError::Stopped),
    }
}

/// Returns the sampler that covers the most conditions within the budget.
pub(crate) fn choose(
    prepared: &Prepared<'_>,
    meter: &CostMeter<'_>,
) -> Result<Sampler, SetupError> {
    let asked = mentioned_hands(prepared);
    let mut seats: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|&seat| asked.seats[seat])
        .collect();
    let mut sides = Side::ALL
        .into_iter()
        .filter(|side| asked.sides[side.index()]);
    let side = sides.next();
    if let (true, Some(side)) = (seats.is_empty(), side) {
        let sampler = attempt(
            prepared,
            Strategy::new(Tracked::Side(side), Needs::ALL),
            meter,
        )?;
        return sampler.ok_or(SetupError::TooExpensive);
    }
    // A sum over a side together with a condition on a single hand: if that hand and its partner are tracked, the sum
    // of either side is known.
    if side.is_some() {
        for seat in seats.clone() {
            if !seats.contains(&seat.partner()) {
                seats.push(seat.partner());
            }
        }
    }
    // With points of three or more hands, two tracked hands cannot cover all conditions.
    if seats.len() > 2 {
        let share = MAX_SHARE_PER_STRATEGY * meter.left();
        match meter.at_most(share, || Sampler::by_points(prepared, meter)) {
            Err(SetupError::TooExpensive) => (),
            other => return other,
        }
    }
    if seats.is_empty() {
        seats.push(Seat::North);
    }
    let mut alone = HandProbabilities::default();
    if seats.len() >= 2
        && let Some(sampler) = two_hands(prepared, &seats, &mut alone, meter)?
    {
        return Ok(sampler);
    }
    let mut best: Option<Sampler> = None;
    let singles = seats.iter().map(|&seat| Tracked::One(seat));
    for tracked in singles.chain(side.map(Tracked::Side)) {
        if !Strategy::new(tracked, Needs::ALL).covers_required(prepared) {
            continue;
        }
        let sampler = match tracked {
            Tracked::One(seat) if seats.len() > 1 => {
                let probability = alone.of(prepared, (seat, 0), Needs::A, meter)?;
                if probability.is_some_and(|probability| !meter.is_useful(probability)) {
                    continue;
                }
                match alone.samplers[seat].take() {
                    None => attempt(prepared, Strategy::new(tracked, Needs::ALL), meter)?,
                    known => known,
                }
            }
            _ => attempt(prepared, Strategy::new(tracked, Needs::ALL), meter)?,
        };
        let Some(sampler) = sampler else {
            continue;
        };
        let rarer = |best: &Sampler| sampler.count().probability() < best.count().probability();
        if best.as_ref().is_none_or(rarer) {
            best = Some(sampler);
        }
    }
    best.ok_or(SetupError::TooExpensive)
}

/// Probabilities of the conditions on single hands, each computed once.
#[derive(Default)]
struct HandProbabilities {
    /// By seat, whether its features count, and which of them are left out.
    known: HashMap<(Seat, bool, FeatureSet), Option<f64>>,
    /// The samplers for all conditions on one hand.
    samplers: BySeat<Option<Sampler>>,
}

impl HandProbabilities {
    /// Returns the probability of the conditions on this hand alone, with or without some of its features; `None` if
    /// that takes too long.
    fn of(
        &mut self,
        prepared: &Prepared<'_>,
        (seat, left_out): (Seat, FeatureSet),
        needs: Needs,
        meter: &CostMeter<'_>,
    ) -> Result<Option<f64>, SetupError> {
        let all = needs.meets(Needs::FEATURE_A);
        let left_out = match all {
            true => left_out & features_of(prepared, seat),
            false => 0,
        };
        if let Some(known) = self.known.get(&(seat, all, left_out)) {
            return Ok(*known);
        }
        let way = Strategy {
            tracked: Tracked::One(seat),
            allowed: needs,
            left_out,
        };
        let share = MAX_SHARE_PER_STRATEGY * 0.4 * meter.left();
        let sampler = meter.at_most(share, || attempt(prepared, way, meter))?;
        let probability = sampler.as_ref().map(|it| it.count().probability());
        self.known.insert((seat, all, left_out), probability);
        if all && left_out == 0 {
            self.samplers[seat] = sampler;
        }
        Ok(probability)
    }

    /// Returns the expected probability of a strategy with two tracked hands, as if the hands were independent.
    fn expected(
        &mut self,
        prepared: &Prepared<'_>,
        (a, b): (Seat, Seat),
        way: Strategy,
        meter: &CostMeter<'_>,
    ) -> Result<f64, SetupError> {
        let of_b = match way.allowed.meets(Needs::FEATURE_B) {
            true => Needs::A,
            false => Needs::LENGTH_A,
        };
        let mut asked = vec![(a, Needs::A), (b, of_b)];
        if way.allowed.meets(Needs::OTHERS) {
            let others = Seat::ALL.into_iter().filter(|&seat| seat != a && seat != b);
            asked.extend(others.map(|seat| (seat, Needs::LENGTH_A)));
        }
        let mut expected = 1.0;
        for (seat, needs) in asked {
            let of = self.of(prepared, (seat, way.left_out), needs, meter)?;
            expected *= of.unwrap_or(1.0);
        }
        Ok(expected)
    }

    /// Returns all features of a hand but the most selective one, if the hand has several.
    fn all_but_one(
        &mut self,
        prepared: &Prepared<'_>,
        seat: Seat,
        meter: &CostMeter<'_>,
    ) -> Result<Option<FeatureSet>, SetupError> {
        let all = features_of(prepared, seat);
        let mut best: Option<(f64, FeatureSet)> = None;
        if !(2..=MAX_TO_COMPARE).contains(&all.count_ones()) {
            return Ok(None);
        }
        for feature in (0..64).filter(|feature| all >> feature & 1 == 1) {
            let others = all & !(1 << feature);
            let leaves = self.of(prepared, (seat, others), Needs::A, meter)?;
            let leaves = leaves.unwrap_or(1.0);
            if best.is_none_or(|(least, _)| leaves < least) {
                best = Some((leaves, others));
            }
        }
        Ok(best.map(|(_, others)| others))
    }
}

/// Estimates by plain dealing the share of deals that satisfy the conditions, for joint conditions of two hands, about
/// which the single hands give no information. One accepted deal is added, so that the share is never 0.
fn sample_acceptance(prepared: &Prepared<'_>, meter: &CostMeter<'_>) -> Result<f64, SetupError> {
    let problem = prepared.problem;
    let Ok(predeal) = Predeal::new(problem.fixed) else {
        return Ok(1.0);
    };
    let dealer = FastDealer::new(Key::from_seed(0), &predeal);
    let mut block = Block::new();
    let mut passed = 1;
    for number in 0..BLOCKS_TRIED {
        meter.spend(COST_OF_TRY * BLOCK_DEALS as f64)?;
        if dealer.fill(number, &mut block).is_ok() {
            let accepts = |place: &usize| problem.accepts(&block.deal(*place));
            passed += (0..BLOCK_DEALS).filter(accepts).count();
        }
    }
    Ok(passed as f64 / (BLOCKS_TRIED as usize * BLOCK_DEALS + 1) as f64)
}

/// Blocks of deals to test, and nanoseconds for each of their deals.
const BLOCKS_TRIED: u64 = 4;
const COST_OF_TRY: f64 = 250.0;

/// Most features of a hand among which the most selective one is searched.
const MAX_TO_COMPARE: u32 = 8;

/// Returns the features of a hand that are not covered by a filter of one suit.
fn features_of(prepared: &Prepared<'_>, seat: Seat) -> FeatureSet {
    let mut set = 0;
    let conjuncts = prepared.problem.conjuncts.iter().zip(&prepared.single);
    for (conjunct, _) in conjuncts.filter(|(_, single)| single.is_none()) {
        conjunct.for_each_atom(&mut |atom| {
            for term in &atom.terms {
                if let Term::Feature(id) = *term
                    && prepared.problem.features[id.0].holder == Holder::Seat(seat)
                    && id.0 < 64
                {
                    set |= 1 << id.0;
                }
            }
        });
    }
    set
}

/// Tracks two hands, with as many conditions as possible.
fn two_hands(
    prepared: &Prepared<'_>,
    seats: &[Seat],
    alone: &mut HandProbabilities,
    meter: &CostMeter<'_>,
) -> Result<Option<Sampler>, SetupError> {
    let Some((a, b)) = best_pair(prepared, seats, alone, meter)? else {
        return Ok(Some(Sampler::impossible(prepared)));
    };
    let all = Needs::ALL;
    let both = [
        all,
        all.without(Needs::LENGTH_B),
        all.without(Needs::OTHERS),
        all.without(Needs::OTHERS | Needs::LENGTH_B),
    ];
    let mut failed: Vec<(bool, Vec<Vec<Suit>>, [usize; 2])> = Vec::new();
    let mut attempt = |way: Strategy, expected: Option<f64>, alone: &mut HandProbabilities| {
        // A weaker strategy saves nothing if its tables have the same form.
        let layout = way.layout(prepared);
        let of_others = |clause: &Clause| clause.needs().meets(Needs::OTHERS);
        let form = (
            layout.conditions.iter().any(of_others),
            choose_piles(&layout, true),
            layout.features.each_ref().map(Vec::len),
        );
        if failed.contains(&form) || !prepared.problem.is_covered_by(&layout.covered) {
            return Ok(None);
        }
        let expected = match layout.covered.iter().all(|covered| *covered) {
            true => 0.0,
            false => match (expected, way.tracked) {
                (Some(expected), _) => expected,
                _ if layout.pooled => sample_acceptance(prepared, meter)?,
                (None, Tracked::Two(a, b)) => alone.expected(prepared, (a, b), way, meter)?,
                (None, _) => 1.0,
            },
        };
        if !meter.is_useful(expected) {
            return Ok(None);
        }
        let share = MAX_SHARE_PER_STRATEGY * meter.left();
        let sampler = meter.expecting(expected, || {
            meter.at_most(share, || attempt(prepared, way, meter))
        })?;
        failed.push(form);
        Ok(sampler)
    };
    for allowed in both {
        let way = Strategy::new(Tracked::Two(a, b), allowed);
        let sampler = attempt(way, None, alone)?;
        if sampler.is_some() {
            return Ok(sampler);
        }
    }
    // The strategy with the smallest tables: features of one hand only, the more selective one.
    let (mut one, mut other) = (a, b);
    if let Some(of_b) = alone.of(prepared, (b, 0), Needs::A, meter)?
        && alone
            .of(prepared, (a, 0), Needs::A, meter)?
            .is_none_or(|of_a| of_b < of_a)
    {
        (one, other) = (b, a);
    }
    let last = Strategy::new(
        Tracked::Two(one, other),
        all.without(Needs::OTHERS | Needs::FEATURE_B),
    );
    for (way, expected, simpler) in with_fewer_features(prepared, (a, b), last, alone, meter)? {
        let sampler = meter.with_simpler(simpler, || attempt(way, Some(expected), alone))?;
        if sampler.is_some() {
            return Ok(sampler);
        }
    }
    if !prepared.problem.must_cover.is_empty() {
        // The lengths of the other hands cannot be left out. Follow fewer features instead, in the end none.
        for allowed in [all.without(Needs::FEATURE_B), all.without(Needs::FEATURES)] {
            let way = Strategy::new(Tracked::Two(one, other), allowed);
            let sampler = attempt(way, None, alone)?;
            if sampler.is_some() {
                return Ok(sampler);
            }
        }
    }
    attempt(last, None, alone)
}

/// Returns strategies that keep only the most selective feature of one hand or of both, if they are expected to accept
/// less than the last strategy, with the expected probability of each and of the last. The most selective comes first.
/// Used only if the cost without a sampler is known, so that all other results stay as they were.
fn with_fewer_features(
    prepared: &Prepared<'_>,
    (a, b): (Seat, Seat),
    last: Strategy,
    alone: &mut HandProbabilities,
    meter: &CostMeter<'_>,
) -> Result<Vec<(Strategy, f64, f64)>, SetupError> {
    let mut ways = Vec::new();
    let Tracked::Two(one, other) = last.tracked else {
        return Ok(ways);
    };
    if !meter.has_plain_cost() {
        return Ok(ways);
    }
    let simpler = alone.expected(prepared, (one, other), last, meter)?;
    if meter.cost_without(simpler) < MIN_COST_TO_SEARCH {
        return Ok(ways);
    }
    let of_a = alone.all_but_one(prepared, a, meter)?;
    let of_b = alone.all_but_one(prepared, b, meter)?;
    let both = of_a.zip(of_b).map(|(of_a, of_b)| of_a | of_b);
    for left_out in [of_a, of_b, both].into_iter().flatten() {
        for allowed in [Needs::ALL, Needs::ALL.without(Needs::OTHERS)] {
            let way = Strategy {
                tracked: Tracked::Two(a, b),
                allowed,
                left_out,
            };
            let expected = alone.expected(prepared, (a, b), way, meter)?;
            if expected < simpler {
                ways.push((way, expected, simpler));
            }
        }
    }
    ways.sort_by(|(_, one, _), (_, other, _)| one.total_cmp(other));
    Ok(ways)
}

/// Counted nanoseconds that simple tables, or dealing without tables, must cost before better tables are searched.
const MIN_COST_TO_SEARCH: f64 = 15e6;

/// Returns the two hands with the most selective features whose joint conditions can be followed; `None` if one hand
/// has no possible holding, so that there is no deal.
fn best_pair(
    prepared: &Prepared<'_>,
    seats: &[Seat],
    alone: &mut HandProbabilities,
    meter: &CostMeter<'_>,
) -> Result<Option<(Seat, Seat)>, SetupError> {
    if let [a, b] = *seats {
        return Ok(Some((a, b)));
    }
    let mut tightness = Vec::new();
    for &seat in seats {
        let lengths = alone.of(prepared, (seat, 0), Needs::LENGTH_A, meter)?;
        if lengths == Some(0.0) {
            return Ok(None);
        }
        let all = alone.of(prepared, (seat, 0), Needs::A, meter)?;
        if all == Some(0.0) {
            return Ok(None);
        }
        let [all, lengths] = [all, lengths].map(|known| known.unwrap_or(1.0));
        tightness.push(all / lengths);
    }
    let mut best = (f64::INFINITY, (seats[0], seats[1]));
    for (i, &a) in seats.iter().enumerate() {
        for (j, &b) in seats.iter().enumerate().skip(i + 1) {
            let layout = Layout::new(prepared, Tracked::Two(a, b), Needs::ALL);
            let covered = layout.covered.iter().filter(|covered| **covered).count();
            // One more covered condition is valued like a factor of two.
            let score = tightness[i] * tightness[j] * 0.5f64.powi(covered as i32);
            if score < best.0 {
                best = (score, (a, b));
            }
        }
    }
    Ok(Some(best.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::feature::SuitFunction;
    use crate::problem::{FeatureId, Formula, Problem};
    use crate::setup::budget::Budget;

    /// Returns a problem with conditions on points and aces of North, lengths of both partners, points of South. `kept` selects which of
    /// North's numbers count.
    fn problem(kept: [bool; 2]) -> (Problem, [usize; 2]) {
        let mut problem = Problem::new();
        let aces = SuitFunction::tabulate(|held| i32::from(held.0 >> 12 & 1));
        let points = problem.points(Seat::North, SuitFunction::hcp());
        let aces = problem.points(Seat::North, aces);
        let of_south = problem.points(Seat::South, SuitFunction::hcp());
        let spades = problem.length(Seat::North, Suit::Spades);
        let hearts = problem.length(Seat::South, Suit::Hearts);
        problem.require(Formula::between(spades, 5, 6));
        problem.require(Formula::between(hearts, 4, 13));
        problem.require(Formula::between(of_south, 8, 11));
        if kept[0] {
            problem.require(Formula::between(points, 12, 14));
        }
        if kept[1] {
            problem.require(Formula::between(aces, 0, 1));
        }
        let number = |term: Term| match term {
            Term::Feature(FeatureId(number)) => number,
            Term::Length(..) => unreachable!(),
        };
        (problem, [points, aces].map(number))
    }

    /// Leaving out a feature gives the same count as a problem without the condition on it.
    #[test]
    fn features_left_out_do_not_change_the_count() {
        let (whole, numbers) = problem([true, true]);
        let meter = CostMeter::new(Budget::default());
        let prepared = Prepared::new(&whole, &meter).unwrap();
        let count = |prepared: &Prepared<'_>, left_out: FeatureSet| {
            let way = Strategy {
                tracked: Tracked::Two(Seat::North, Seat::South),
                allowed: Needs::ALL,
                left_out,
            };
            let sampler = attempt(prepared, way, &meter).unwrap().unwrap();
            (sampler.count(), sampler.is_complete())
        };
        for (kept, left_out) in [([true, false], numbers[1]), ([false, true], numbers[0])] {
            let (part, _) = problem(kept);
            let part = Prepared::new(&part, &meter).unwrap();
            let (wanted, complete) = count(&part, 0);
            assert!(complete);
            assert_eq!(count(&prepared, 1 << left_out), (wanted, false));
            assert_ne!(count(&prepared, 0).0, wanted);
        }
    }

    /// Points of 12 to 14 are rarer than at most one ace.
    #[test]
    fn the_most_selective_feature_is_kept() {
        let (whole, [_, aces]) = problem([true, true]);
        let meter = CostMeter::new(Budget::default());
        let prepared = Prepared::new(&whole, &meter).unwrap();
        let mut alone = HandProbabilities::default();
        let others =
            |seat: Seat, alone: &mut HandProbabilities| alone.all_but_one(&prepared, seat, &meter);
        assert_eq!(others(Seat::North, &mut alone), Ok(Some(1 << aces)));
        assert_eq!(others(Seat::South, &mut alone), Ok(None));
        assert_eq!(others(Seat::East, &mut alone), Ok(None));
    }
}
