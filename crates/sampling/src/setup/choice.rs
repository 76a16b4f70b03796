//! Which hands to track, and what to leave out when the tables would be too large.

use cards::{Seat, Side};

use crate::problem::Term;
use crate::problem::feature::Holder;
use crate::problem::filter::Prepared;
use crate::sampler::Sampler;
use crate::setup::budget::Budget;
use crate::setup::layout::{Layout, Tracked};
use crate::setup::needs::Needs;

/// Who is asked about.
#[derive(Default)]
struct Asked {
    seats: [bool; 4],
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
                    Holder::Seat(seat) => asked.seats[seat.index()] = true,
                    Holder::Side(side) => asked.sides[side.index()] = true,
                }
            }
        });
    }
    asked
}

/// The sampler with the most of the conditions that the budget allows.
pub(crate) fn choose(prepared: &Prepared<'_>, budget: Budget) -> Option<Sampler> {
    let build = |(tracked, allowed): (Tracked, Needs)| {
        let layout = Layout::new(prepared, tracked, allowed);
        Sampler::build(prepared, layout, (0, true), budget)
    };
    let asked = asked(prepared);
    let mut seats: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|seat| asked.seats[seat.index()])
        .collect();
    let mut sides = Side::ALL
        .into_iter()
        .filter(|side| asked.sides[side.index()]);
    let side = sides.next();
    if let (true, Some(side)) = (seats.is_empty(), side) {
        return build((Tracked::Side(side), Needs::ALL));
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
    if seats.len() > 2
        && let Some(sampler) = Sampler::by_points(prepared)
    {
        return Some(sampler);
    }
    let mut attempts: Vec<(Tracked, Needs)> = Vec::new();
    if seats.len() >= 2 {
        let (a, b) = best_pair(prepared, &seats, budget);
        let two = Tracked::Two(a, b);
        let all = Needs::ALL;
        attempts.extend([
            (two, all),
            (two, all.without(Needs::LENGTH_B)),
            (two, all.without(Needs::OTHERS)),
            (two, all.without(Needs::OTHERS | Needs::LENGTH_B)),
            (two, all.without(Needs::OTHERS | Needs::FEATURE_B)),
        ]);
    }
    if let Some(sampler) = attempts.into_iter().find_map(build) {
        return Some(sampler);
    }
    if seats.is_empty() {
        seats.push(Seat::North);
    }
    let alone = seats.iter().map(|&seat| (Tracked::One(seat), Needs::ALL));
    let of_side = side.map(|side| (Tracked::Side(side), Needs::ALL));
    alone.chain(of_side).filter_map(build).min_by(|one, other| {
        let probability = |sampler: &Sampler| sampler.count().probability();
        probability(one).total_cmp(&probability(other))
    })
}

/// The two hands whose features are tightest, and whose joint conditions can be followed.
fn best_pair(prepared: &Prepared<'_>, seats: &[Seat], budget: Budget) -> (Seat, Seat) {
    if let [a, b] = *seats {
        return (a, b);
    }
    let tightness: Vec<f64> = seats
        .iter()
        .map(|&seat| {
            let probability = |allowed| {
                let layout = Layout::new(prepared, Tracked::One(seat), allowed);
                let sampler = Sampler::build(prepared, layout, (0, true), budget);
                sampler.map_or(1.0, |sampler| sampler.count().probability())
            };
            let lengths = probability(Needs::LENGTH_A);
            if lengths > 0.0 {
                probability(Needs::A) / lengths
            } else {
                1.0
            }
        })
        .collect();
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
    best.1
}
