//! Which hands to track, and what to leave out when the tables would be too large.

use std::collections::HashMap;

use cards::{BySeat, Seat, Side, Suit};
use shuffle::{BLOCK_DEALS, Block, FastDealer, Key, Predeal};

use crate::problem::Term;
use crate::problem::feature::Holder;
use crate::problem::filter::Prepared;
use crate::sampler::Sampler;
use crate::setup::budget::{GaveUp, Meter};
use crate::setup::layout::{Clause, FeatureSet, Layout, Tracked};
use crate::setup::needs::Needs;
use crate::tables::pile::choose_piles;

/// Who is asked about.
#[derive(Default)]
struct Asked {
    seats: BySeat<bool>,
    sides: [bool; 2],
}

fn asked(prepared: &Prepared<'_>) -> Asked {
    let mut asked = Asked::default();
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
                    // What each hand counts for itself cannot be seen in the 26 cards.
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

/// The share of what is left that one way to look at the problem may use up, so that weaker ways still get a try.
const SHARE: f64 = 0.7;

/// One way to look at a problem: which hands are followed, and what of them.
#[derive(Clone, Copy, Debug)]
struct Way {
    tracked: Tracked,
    allowed: Needs,
    left_out: FeatureSet,
}

impl Way {
    /// With all features.
    fn new(tracked: Tracked, allowed: Needs) -> Way {
        Way {
            tracked,
            allowed,
            left_out: 0,
        }
    }

    fn layout(&self, prepared: &Prepared<'_>) -> Layout {
        Layout::without(prepared, self.tracked, self.allowed, self.left_out)
    }

    /// Whether tables that follow this way cover all that the problem insists on.
    fn keeps_insisted(&self, prepared: &Prepared<'_>) -> bool {
        let problem = prepared.problem;
        problem.insisted.is_empty() || problem.is_kept_by(&self.layout(prepared).covered)
    }
}

/// One way after the other: none if this one is too expensive.
fn attempt(
    prepared: &Prepared<'_>,
    way: Way,
    meter: &Meter<'_>,
) -> Result<Option<Sampler>, GaveUp> {
    let layout = way.layout(prepared);
    match Sampler::build(prepared, layout, (0, true), meter) {
        Ok(sampler) => Ok(Some(sampler)),
        Err(GaveUp::TooExpensive) => Ok(None),
        Err(GaveUp::Stopped) => Err(GaveUp::Stopped),
    }
}

/// The sampler with the most of the conditions that the budget allows.
pub(crate) fn choose(prepared: &Prepared<'_>, meter: &Meter<'_>) -> Result<Sampler, GaveUp> {
    let asked = asked(prepared);
    let mut seats: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|&seat| asked.seats[seat])
        .collect();
    let mut sides = Side::ALL
        .into_iter()
        .filter(|side| asked.sides[side.index()]);
    let side = sides.next();
    if let (true, Some(side)) = (seats.is_empty(), side) {
        let sampler = attempt(prepared, Way::new(Tracked::Side(side), Needs::ALL), meter)?;
        return sampler.ok_or(GaveUp::TooExpensive);
    }
    // A sum over a side, with a condition on a single hand: with that hand and its partner tracked, the sum of
    // either side is known.
    if side.is_some() {
        for seat in seats.clone() {
            if !seats.contains(&seat.partner()) {
                seats.push(seat.partner());
            }
        }
    }
    // With points of three hands or more, two tracked hands cannot tell the whole truth.
    if seats.len() > 2 {
        let share = SHARE * meter.left();
        match meter.at_most(share, || Sampler::by_points(prepared, meter)) {
            Err(GaveUp::TooExpensive) => (),
            other => return other,
        }
    }
    if seats.is_empty() {
        seats.push(Seat::North);
    }
    let mut alone = Alone::default();
    if seats.len() >= 2
        && let Some(sampler) = two_hands(prepared, &seats, &mut alone, meter)?
    {
        return Ok(sampler);
    }
    let mut best: Option<Sampler> = None;
    let singles = seats.iter().map(|&seat| Tracked::One(seat));
    for tracked in singles.chain(side.map(Tracked::Side)) {
        if !Way::new(tracked, Needs::ALL).keeps_insisted(prepared) {
            continue;
        }
        let sampler = match tracked {
            Tracked::One(seat) if seats.len() > 1 => {
                let probability = alone.of(prepared, (seat, 0), Needs::A, meter)?;
                if probability.is_some_and(|probability| !meter.is_useful(probability)) {
                    continue;
                }
                match alone.samplers[seat].take() {
                    None => attempt(prepared, Way::new(tracked, Needs::ALL), meter)?,
                    known => known,
                }
            }
            _ => attempt(prepared, Way::new(tracked, Needs::ALL), meter)?,
        };
        let Some(sampler) = sampler else {
            continue;
        };
        let rarer = |best: &Sampler| sampler.count().probability() < best.count().probability();
        if best.as_ref().is_none_or(rarer) {
            best = Some(sampler);
        }
    }
    best.ok_or(GaveUp::TooExpensive)
}

/// The probabilities of what is asked of single hands, each looked for once.
#[derive(Default)]
struct Alone {
    /// By hand, whether its features count, and which of them are left out.
    known: HashMap<(Seat, bool, FeatureSet), Option<f64>>,
    /// The samplers for everything that is asked of a hand.
    samplers: BySeat<Option<Sampler>>,
}

impl Alone {
    /// The probability of the conditions on this hand alone, with or without its features or some of them; none if that
    /// takes too long.
    fn of(
        &mut self,
        prepared: &Prepared<'_>,
        (seat, left_out): (Seat, FeatureSet),
        needs: Needs,
        meter: &Meter<'_>,
    ) -> Result<Option<f64>, GaveUp> {
        let all = needs.meets(Needs::FEATURE_A);
        let left_out = match all {
            true => left_out & features_of(prepared, seat),
            false => 0,
        };
        if let Some(known) = self.known.get(&(seat, all, left_out)) {
            return Ok(*known);
        }
        let way = Way {
            tracked: Tracked::One(seat),
            allowed: needs,
            left_out,
        };
        let share = SHARE * 0.4 * meter.left();
        let sampler = meter.at_most(share, || attempt(prepared, way, meter))?;
        let probability = sampler.as_ref().map(|it| it.count().probability());
        self.known.insert((seat, all, left_out), probability);
        if all && left_out == 0 {
            self.samplers[seat] = sampler;
        }
        Ok(probability)
    }

    /// What a way to track two hands is expected to leave, as if the hands had nothing to do with each other.
    fn expected(
        &mut self,
        prepared: &Prepared<'_>,
        (a, b): (Seat, Seat),
        way: Way,
        meter: &Meter<'_>,
    ) -> Result<f64, GaveUp> {
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

    /// All features of a hand but the one that says most about it, where it has several.
    fn all_but_one(
        &mut self,
        prepared: &Prepared<'_>,
        seat: Seat,
        meter: &Meter<'_>,
    ) -> Result<Option<FeatureSet>, GaveUp> {
        let all = features_of(prepared, seat);
        let mut best: Option<(f64, FeatureSet)> = None;
        if !(2..=MOST_TO_COMPARE).contains(&all.count_ones()) {
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

/// The share of some deals that satisfies what can be said: for conditions about two hands together, of which the hands
/// alone say nothing. At least as if one more had been tried.
fn tried(prepared: &Prepared<'_>, meter: &Meter<'_>) -> Result<f64, GaveUp> {
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

/// Blocks of deals that are tried, and nanoseconds for each of their deals.
const BLOCKS_TRIED: u64 = 4;
const COST_OF_TRY: f64 = 250.0;

/// Features of a hand of which the one that says most is looked for.
const MOST_TO_COMPARE: u32 = 8;

/// The features of a hand that are more than a filter of one suit.
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

/// Two tracked hands, with as much of the conditions as possible.
fn two_hands(
    prepared: &Prepared<'_>,
    seats: &[Seat],
    alone: &mut Alone,
    meter: &Meter<'_>,
) -> Result<Option<Sampler>, GaveUp> {
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
    let mut attempt = |way: Way, expected: Option<f64>, alone: &mut Alone| {
        // Less is asked for, but that saves nothing if the tables have the same form.
        let layout = way.layout(prepared);
        let of_others = |clause: &Clause| clause.needs().meets(Needs::OTHERS);
        let form = (
            layout.conditions.iter().any(of_others),
            choose_piles(&layout, true),
            layout.features.each_ref().map(Vec::len),
        );
        if failed.contains(&form) || !prepared.problem.is_kept_by(&layout.covered) {
            return Ok(None);
        }
        let expected = match layout.covered.iter().all(|covered| *covered) {
            true => 0.0,
            false => match (expected, way.tracked) {
                (Some(expected), _) => expected,
                _ if layout.pooled => tried(prepared, meter)?,
                (None, Tracked::Two(a, b)) => alone.expected(prepared, (a, b), way, meter)?,
                (None, _) => 1.0,
            },
        };
        if !meter.is_useful(expected) {
            return Ok(None);
        }
        let share = SHARE * meter.left();
        let sampler = meter.expecting(expected, || {
            meter.at_most(share, || attempt(prepared, way, meter))
        })?;
        failed.push(form);
        Ok(sampler)
    };
    for allowed in both {
        let way = Way::new(Tracked::Two(a, b), allowed);
        let sampler = attempt(way, None, alone)?;
        if sampler.is_some() {
            return Ok(sampler);
        }
    }
    // What asks least of the tables in the end: features of one hand only, those that have more to say.
    let (mut one, mut other) = (a, b);
    if let Some(of_b) = alone.of(prepared, (b, 0), Needs::A, meter)?
        && alone
            .of(prepared, (a, 0), Needs::A, meter)?
            .is_none_or(|of_a| of_b < of_a)
    {
        (one, other) = (b, a);
    }
    let last = Way::new(
        Tracked::Two(one, other),
        all.without(Needs::OTHERS | Needs::FEATURE_B),
    );
    for (way, expected, simpler) in with_fewer_features(prepared, (a, b), last, alone, meter)? {
        let sampler = meter.rather_than(simpler, || attempt(way, Some(expected), alone))?;
        if sampler.is_some() {
            return Ok(sampler);
        }
    }
    if !prepared.problem.insisted.is_empty() {
        // The lengths of the other hands cannot be left out: instead fewer features are followed, in the end none.
        for allowed in [all.without(Needs::FEATURE_B), all.without(Needs::FEATURES)] {
            let way = Way::new(Tracked::Two(one, other), allowed);
            let sampler = attempt(way, None, alone)?;
            if sampler.is_some() {
                return Ok(sampler);
            }
        }
    }
    attempt(last, None, alone)
}

/// Ways that keep of one hand or of both only the feature that says most, and that are expected to leave less than the
/// last way does, with what they and the last way are expected to leave: what leaves least comes first. For those who
/// weigh the tables against something else; others get the tables that they always got.
fn with_fewer_features(
    prepared: &Prepared<'_>,
    (a, b): (Seat, Seat),
    last: Way,
    alone: &mut Alone,
    meter: &Meter<'_>,
) -> Result<Vec<(Way, f64, f64)>, GaveUp> {
    let mut ways = Vec::new();
    let Tracked::Two(one, other) = last.tracked else {
        return Ok(ways);
    };
    if !meter.weighs() {
        return Ok(ways);
    }
    let simpler = alone.expected(prepared, (one, other), last, meter)?;
    if meter.cost_without(simpler) < WORTH_A_LOOK {
        return Ok(ways);
    }
    let of_a = alone.all_but_one(prepared, a, meter)?;
    let of_b = alone.all_but_one(prepared, b, meter)?;
    let both = of_a.zip(of_b).map(|(of_a, of_b)| of_a | of_b);
    for left_out in [of_a, of_b, both].into_iter().flatten() {
        for allowed in [Needs::ALL, Needs::ALL.without(Needs::OTHERS)] {
            let way = Way {
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

/// Counted nanoseconds that simple tables or none take, below which nobody looks for better ones.
const WORTH_A_LOOK: f64 = 15e6;

/// The two hands whose features are tightest, and whose joint conditions can be followed; none if there is no deal
/// because one hand has nothing to choose from.
fn best_pair(
    prepared: &Prepared<'_>,
    seats: &[Seat],
    alone: &mut Alone,
    meter: &Meter<'_>,
) -> Result<Option<(Seat, Seat)>, GaveUp> {
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
            // A condition that is followed is worth about as much as a factor of two.
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

    /// Points and aces of North, lengths of both partners, points of South: `kept` says which of North's numbers count.
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

    /// A feature that is left out is as if nobody had asked about it.
    #[test]
    fn what_is_left_out_counts_for_nothing() {
        let (whole, numbers) = problem([true, true]);
        let meter = Meter::new(Budget::default());
        let prepared = Prepared::new(&whole, &meter).unwrap();
        let count = |prepared: &Prepared<'_>, left_out: FeatureSet| {
            let way = Way {
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
    fn the_feature_that_says_most_is_kept() {
        let (whole, [_, aces]) = problem([true, true]);
        let meter = Meter::new(Budget::default());
        let prepared = Prepared::new(&whole, &meter).unwrap();
        let mut alone = Alone::default();
        let others = |seat: Seat, alone: &mut Alone| alone.all_but_one(&prepared, seat, &meter);
        assert_eq!(others(Seat::North, &mut alone), Ok(Some(1 << aces)));
        assert_eq!(others(Seat::South, &mut alone), Ok(None));
        assert_eq!(others(Seat::East, &mut alone), Ok(None));
    }
}
