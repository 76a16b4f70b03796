//! The solver compared with an enumeration of every strategy, card by card, without any reduction.

use std::collections::BTreeSet;

use crate::common::Random;
use cards::{Holding, Seat};
use croupier_suits::{
    Combination, Entries, Fraction, SuitGoal, SuitSolver, VacantPlaces, WeightedCombination,
};

/// The limit on leads from one hand.
#[derive(Clone, Copy)]
struct Limit {
    hand: usize,
    left: u8,
    is_there: bool,
}

/// North's and South's cards, and the limit on entries to one of them.
#[derive(Clone, Copy)]
struct Declarer {
    hands: [u16; 2],
    limit: Option<Limit>,
}

/// West's and East's cards.
type Layout = [u16; 2];

/// The numbers of tricks of the possible strategies, one number for each layout.
type Vectors = BTreeSet<Vec<u8>>;

/// The enumeration of a case ends at this number of vectors.
const MOST: usize = 20_000;

fn cards(mask: u16) -> impl Iterator<Item = u16> {
    (0..13)
        .map(|rank| 1 << rank)
        .filter(move |card| mask & card != 0)
}

/// Returns every card that a defender can show, or 0 for a discard, with the numbers of the layouts in which he can.
fn seen(layouts: &[Layout], defender: usize) -> Vec<(u16, Vec<usize>)> {
    let mut seen: Vec<(u16, Vec<usize>)> = Vec::new();
    for (number, layout) in layouts.iter().enumerate() {
        let hand = layout[defender];
        let shown: Vec<u16> = match hand {
            0 => vec![0],
            hand => cards(hand).collect(),
        };
        for card in shown {
            match seen.iter_mut().find(|(other, _)| *other == card) {
                Some((_, numbers)) => numbers.push(number),
                None => seen.push((card, vec![number])),
            }
        }
    }
    seen
}

/// Combines the vectors after each shown card: in every layout the defender plays the worst for declarer.
fn worst(
    layouts: &[Layout],
    defender: usize,
    mut after: impl FnMut(u16, Vec<Layout>) -> Option<Vectors>,
) -> Option<Vectors> {
    let mut all = Vectors::from([vec![u8::MAX; layouts.len()]]);
    for (card, numbers) in seen(layouts, defender) {
        let mut within: Vec<Layout> = numbers.iter().map(|&number| layouts[number]).collect();
        for layout in &mut within {
            layout[defender] &= !card;
        }
        let vectors = after(card, within)?;
        let mut next = Vectors::new();
        for vector in &all {
            for added in &vectors {
                let mut combined = vector.clone();
                for (&number, &tricks) in numbers.iter().zip(added) {
                    combined[number] = combined[number].min(tricks);
                }
                next.insert(combined);
            }
        }
        all = next;
        if all.len() > MOST {
            return None;
        }
    }
    Some(all)
}

/// Returns all vectors of a position at the start of a trick; `None` if there are too many.
fn vectors(declarer: Declarer, layouts: &[Layout]) -> Option<Vectors> {
    let mut all = Vectors::new();
    for leader in 0..2 {
        let mut declarer = declarer;
        if let Some(limit) = declarer
            .limit
            .as_mut()
            .filter(|it| it.hand == leader && !it.is_there)
        {
            match limit.left {
                0 => continue,
                _ => limit.left -= 1,
            }
        }
        for lead in cards(declarer.hands[leader]) {
            all.extend(after_lead(declarer, leader, lead, layouts)?);
            if all.len() > MOST {
                return None;
            }
        }
    }
    if all.is_empty() {
        all.insert(vec![0; layouts.len()]);
    }
    Some(all)
}

fn after_lead(declarer: Declarer, leader: usize, lead: u16, layouts: &[Layout]) -> Option<Vectors> {
    // West plays second when South leads.
    let second = if leader == 1 { 0 } else { 1 };
    let other = 1 - leader;
    worst(layouts, second, |card2, layouts| {
        let thirds: Vec<u16> = match declarer.hands[other] {
            0 => vec![0],
            hand => cards(hand).collect(),
        };
        let mut all = Vectors::new();
        for third in thirds {
            all.extend(worst(&layouts, 1 - second, |card4, layouts| {
                let mut next = declarer;
                next.hands[leader] &= !lead;
                next.hands[other] &= !third;
                let wins = lead.max(third) > card2.max(card4);
                if let Some(limit) = &mut next.limit {
                    let winner = if lead > third { leader } else { other };
                    limit.is_there = wins && winner == limit.hand;
                }
                let vectors = vectors(next, &layouts)?;
                let count = |vector: Vec<u8>| -> Vec<u8> {
                    vector
                        .into_iter()
                        .map(|tricks| tricks + u8::from(wins))
                        .collect()
                };
                Some(vectors.into_iter().map(count).collect())
            })?);
        }
        Some(all)
    })
}

/// Returns the largest sum of weight times payoff over all vectors, as an exact fraction.
fn best(vectors: &Vectors, weights: &[u128], payoff: impl Fn(u8) -> i128) -> Fraction {
    let total = weights.iter().sum();
    let value = |vector: &Vec<u8>| -> i128 {
        let sum = vector.iter().zip(weights);
        sum.map(|(&tricks, &weight)| payoff(tricks) * weight as i128)
            .sum()
    };
    Fraction::new(vectors.iter().map(value).max().unwrap(), total).unwrap()
}

/// Compares chances, average and a payoff with the enumeration. Returns false if that has too many vectors.
fn compare(
    problem: WeightedCombination,
    layouts: &[(Holding, u128)],
    limit: Option<Limit>,
    random: &mut Random,
) -> bool {
    let combination = problem.combination();
    let missing = combination.missing();
    let declarer = Declarer {
        hands: [combination.north().0, combination.south().0],
        limit,
    };
    let hands: Vec<Layout> = layouts
        .iter()
        .map(|(west, _)| [west.0, (missing - *west).0])
        .collect();
    let weights: Vec<u128> = layouts.iter().map(|(_, weight)| *weight).collect();
    let Some(vectors) = vectors(declarer, &hands) else {
        return false;
    };
    let mut solver = SuitSolver::new(problem);
    for need in 1..=combination.tricks() {
        let expected = best(&vectors, &weights, |tricks| {
            (usize::from(tricks) >= need).into()
        });
        assert_eq!(
            solver.chance(need),
            expected,
            "{combination} {need} {layouts:?}"
        );
    }
    let expected = best(&vectors, &weights, i128::from);
    assert_eq!(
        solver.solve().average,
        expected,
        "{combination} {layouts:?}"
    );
    let mut payoffs = vec![random.below(20) as i32 - 10];
    for _ in 0..combination.tricks() {
        payoffs.push(payoffs[payoffs.len() - 1] + random.below(4) as i32 * 5);
    }
    let expected = best(&vectors, &weights, |tricks| {
        payoffs[usize::from(tricks)].into()
    });
    let value = solver.value(&SuitGoal::Payoff(payoffs.clone())).unwrap();
    assert_eq!(value, expected, "{combination} {payoffs:?} {layouts:?}");
    true
}

/// Returns a few different layouts with random weights.
fn some_layouts(
    random: &mut Random,
    combination: Combination,
    number: usize,
) -> Vec<(Holding, u128)> {
    let mut layouts: Vec<(Holding, u128)> = Vec::new();
    while layouts.len() < number {
        let west = Holding(random.next() as u16) & combination.missing();
        if layouts.iter().all(|(other, _)| *other != west) {
            layouts.push((west, 1 + random.below(9) as u128));
        }
    }
    layouts
}

#[test]
fn weighted_layouts_agree_with_every_strategy() {
    let mut random = Random(1);
    let mut compared = 0;
    for _ in 0..120 {
        let (north, south) = (2 + random.below(2), 1 + random.below(3));
        let combination = random.combination(north, south);
        let number = 3 + random.below(4);
        let layouts = some_layouts(&mut random, combination, number);
        // Rare layouts can distinguish too many cards for a search.
        if let Ok(problem) = WeightedCombination::with_layouts(combination, &layouts) {
            compared += usize::from(compare(problem, &layouts, None, &mut random));
        }
    }
    assert!(compared > 75, "{compared}");
}

/// With one place in West's hand there are as many layouts as missing cards, and equal cards are merged.
#[test]
fn merged_layouts_agree_with_every_strategy() {
    let mut random = Random(2);
    let mut compared = 0;
    for _ in 0..100 {
        let (north, south) = (2 + random.below(2), 1 + random.below(3));
        let combination = random.combination(north, south);
        let missing = combination.missing();
        let vacant = VacantPlaces {
            west: 1,
            east: missing.len() as u8 - 1,
        };
        let layouts: Vec<(Holding, u128)> = missing
            .iter()
            .map(|rank| ([rank].into_iter().collect(), 1))
            .collect();
        let problem = WeightedCombination::new(combination, vacant).unwrap();
        compared += usize::from(compare(problem, &layouts, None, &mut random));
    }
    assert!(compared > 75, "{compared}");
}

#[test]
fn limited_entries_agree_with_every_strategy() {
    let mut random = Random(3);
    let mut compared = 0;
    for round in 0..120 {
        let (north, south) = (2 + random.below(2), 1 + random.below(3));
        let combination = random.combination(north, south);
        let (hand, seat) = [(0, Seat::North), (1, Seat::South)][round % 2];
        let number = random.below(3) as u8;
        let limit = Limit {
            hand,
            left: number,
            is_there: false,
        };
        let entries = Entries { hand: seat, number };
        let number = 3 + random.below(3);
        let layouts = some_layouts(&mut random, combination, number);
        let Ok(problem) = WeightedCombination::with_layouts(combination, &layouts) else {
            continue;
        };
        let problem = problem.with_entries(entries).unwrap();
        compared += usize::from(compare(problem, &layouts, Some(limit), &mut random));
    }
    assert!(compared > 70, "{compared}");
}
