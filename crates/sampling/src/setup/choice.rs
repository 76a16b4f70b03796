//! Which hands to track, and what to leave out when the tables would be too large.

use cards::{BySeat, Seat, Side, Suit};

use crate::problem::Term;
use crate::problem::feature::Holder;
use crate::problem::filter::Prepared;
use crate::sampler::Sampler;
use crate::setup::budget::{GaveUp, Meter};
use crate::setup::layout::{Clause, Layout, Tracked};
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
                let holder = match *term {
                    Term::Length(holder, _) => holder,
                    Term::Feature(id) => prepared.problem.features[id.0].holder,
                };
                match holder {
                    Holder::Seat(seat) => asked.seats[seat] = true,
                    Holder::Side(side) => asked.sides[side.index()] = true,
                }
            }
        });
    }
    asked
}

/// The share of what is left that one way to look at the problem may use up, so that weaker ways still get a try.
const SHARE: f64 = 0.7;

/// One way after the other: none if this one is too expensive.
fn attempt(
    prepared: &Prepared<'_>,
    (tracked, allowed): (Tracked, Needs),
    meter: &Meter<'_>,
) -> Result<Option<Sampler>, GaveUp> {
    let layout = Layout::new(prepared, tracked, allowed);
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
        let sampler = attempt(prepared, (Tracked::Side(side), Needs::ALL), meter)?;
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
        let sampler = match tracked {
            Tracked::One(seat) if seats.len() > 1 => {
                let probability = alone.of(prepared, seat, Needs::A, meter)?;
                if probability.is_some_and(|probability| !meter.is_useful(probability)) {
                    continue;
                }
                match alone.samplers[seat].take() {
                    None => attempt(prepared, (tracked, Needs::ALL), meter)?,
                    known => known,
                }
            }
            _ => attempt(prepared, (tracked, Needs::ALL), meter)?,
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
    lengths: BySeat<Option<Option<f64>>>,
    all: BySeat<Option<Option<f64>>>,
    /// The samplers that told the latter.
    samplers: BySeat<Option<Sampler>>,
}

impl Alone {
    /// The probability of the conditions on this hand alone, with or without its features; none if that takes too long.
    fn of(
        &mut self,
        prepared: &Prepared<'_>,
        seat: Seat,
        needs: Needs,
        meter: &Meter<'_>,
    ) -> Result<Option<f64>, GaveUp> {
        let all = needs.meets(Needs::FEATURE_A);
        let known = match all {
            true => &mut self.all,
            false => &mut self.lengths,
        };
        if let Some(known) = known[seat] {
            return Ok(known);
        }
        let way = (Tracked::One(seat), needs);
        let share = SHARE * 0.4 * meter.left();
        let sampler = meter.at_most(share, || attempt(prepared, way, meter))?;
        let probability = sampler.as_ref().map(|it| it.count().probability());
        known[seat] = Some(probability);
        if all {
            self.samplers[seat] = sampler;
        }
        Ok(probability)
    }

    /// What a way to track two hands is expected to leave, as if the hands had nothing to do with each other.
    fn expected(
        &mut self,
        prepared: &Prepared<'_>,
        (a, b): (Seat, Seat),
        allowed: Needs,
        meter: &Meter<'_>,
    ) -> Result<f64, GaveUp> {
        let of_b = match allowed.meets(Needs::FEATURE_B) {
            true => Needs::A,
            false => Needs::LENGTH_A,
        };
        let mut asked = vec![(a, Needs::A), (b, of_b)];
        if allowed.meets(Needs::OTHERS) {
            let others = Seat::ALL.into_iter().filter(|&seat| seat != a && seat != b);
            asked.extend(others.map(|seat| (seat, Needs::LENGTH_A)));
        }
        let mut expected = 1.0;
        for (seat, needs) in asked {
            expected *= self.of(prepared, seat, needs, meter)?.unwrap_or(1.0);
        }
        Ok(expected)
    }
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
    let ways = [
        all,
        all.without(Needs::LENGTH_B),
        all.without(Needs::OTHERS),
        all.without(Needs::OTHERS | Needs::LENGTH_B),
        all.without(Needs::OTHERS | Needs::FEATURE_B),
    ];
    let mut failed: Vec<(bool, Vec<Vec<Suit>>, [usize; 2])> = Vec::new();
    for allowed in ways {
        let (mut a, mut b) = (a, b);
        // Where the features of one hand are left out, they are those of the hand that has fewer to satisfy.
        if !allowed.meets(Needs::FEATURE_B)
            && let Some(of_b) = alone.of(prepared, b, Needs::A, meter)?
            && alone
                .of(prepared, a, Needs::A, meter)?
                .is_none_or(|of_a| of_b < of_a)
        {
            (a, b) = (b, a);
        }
        let way = (Tracked::Two(a, b), allowed);
        // Less is asked for, but that saves nothing if the tables have the same form.
        let layout = Layout::new(prepared, way.0, allowed);
        let of_others = |clause: &Clause| clause.needs().meets(Needs::OTHERS);
        let form = (
            layout.conditions.iter().any(of_others),
            choose_piles(&layout, true),
            layout.features.each_ref().map(Vec::len),
        );
        if failed.contains(&form) {
            continue;
        }
        let expected = match layout.covered.iter().all(|covered| *covered) {
            true => 0.0,
            false => alone.expected(prepared, (a, b), allowed, meter)?,
        };
        if !meter.is_useful(expected) {
            continue;
        }
        let share = SHARE * meter.left();
        let sampler = meter.expecting(expected, || {
            meter.at_most(share, || attempt(prepared, way, meter))
        })?;
        failed.push(form);
        if sampler.is_some() {
            return Ok(sampler);
        }
    }
    Ok(None)
}

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
        let lengths = alone.of(prepared, seat, Needs::LENGTH_A, meter)?;
        if lengths == Some(0.0) {
            return Ok(None);
        }
        let all = alone.of(prepared, seat, Needs::A, meter)?;
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
