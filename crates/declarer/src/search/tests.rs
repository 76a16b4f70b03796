//! Compares the search with brute force on endings.

use super::*;
use cards::Strain;

/// A small random generator (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ x >> 31) % limit as u64) as usize
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

/// Returns different worlds of one ending of `cards` tricks: North and South hold the same cards in all of them.
fn ending(random: &mut Random, cards: usize, count: usize) -> Vec<Position> {
    let ranks = (4 * cards).div_ceil(4) + 1;
    let mut pack: Vec<Card> = (0..52)
        .filter_map(Card::from_index)
        .filter(|card| card.rank().index() + ranks > 12)
        .collect();
    random.shuffle(&mut pack);
    pack.truncate(4 * cards);
    let strain = Strain::ALL[random.below(5)];
    let leader = Seat::from_index(random.below(4));
    let set = |cards: &[Card]| -> CardSet { cards.iter().copied().collect() };
    let (ours, hidden) = pack.split_at_mut(2 * cards);
    let mut worlds: Vec<Position> = Vec::new();
    for _ in 0..8 * count {
        // Worlds that differ in few cards make declarer guess.
        for _ in 0..1 + random.below(2) {
            let (east, west) = (random.below(cards), cards + random.below(cards));
            hidden.swap(east, west);
        }
        let hands = [
            set(&ours[..cards]),
            set(&hidden[..cards]),
            set(&ours[cards..]),
            set(&hidden[cards..]),
        ];
        let position = Position::new(hands, strain, leader, &[]).unwrap();
        if worlds.len() < count && !worlds.contains(&position) {
            worlds.push(position);
        }
    }
    worlds
}

/// Finds by exhaustive search whether one strategy of North-South takes `need` tricks in all worlds.
#[derive(Default)]
struct BruteForce {
    known: HashMap<(Vec<Position4>, u8), bool>,
}

type Position4 = ([CardSet; 4], Seat);

impl BruteForce {
    fn wins(&mut self, worlds: &[Position], need: u8) -> bool {
        let position = &worlds[0];
        if need == 0 || usize::from(need) > position.tricks_left() {
            return need == 0;
        }
        let is_start = position.trick().is_empty();
        let key = || {
            let hands = worlds.iter().map(|world| (world.hands(), world.leader()));
            (hands.collect::<Vec<_>>(), need)
        };
        if is_start && let Some(&known) = self.known.get(&key()) {
            return known;
        }
        let seat = position.to_play();
        let after = |world: &Position, card| {
            let mut world = world.clone();
            let winner = world.play(card).unwrap();
            let won = winner.is_some_and(|winner| winner.side() == Side::NorthSouth);
            (world, need - u8::from(won))
        };
        let wins = match seat.side() {
            Side::NorthSouth => position.legal().iter().any(|card| {
                let next: Vec<_> = worlds.iter().map(|world| after(world, card)).collect();
                let left = next[0].1;
                let next: Vec<Position> = next.into_iter().map(|(world, _)| world).collect();
                self.wins(&next, left)
            }),
            Side::EastWest => (0..52).filter_map(Card::from_index).all(|card| {
                let possible = worlds.iter().filter(|world| world.legal().contains(card));
                let next: Vec<_> = possible.map(|world| after(world, card)).collect();
                let Some(&(_, left)) = next.first() else {
                    return true;
                };
                let next: Vec<Position> = next.into_iter().map(|(world, _)| world).collect();
                self.wins(&next, left)
            }),
        };
        if is_start {
            self.known.insert(key(), wins);
        }
        wins
    }
}

/// Compares the front of `count` worlds with brute force over all sets of worlds, for every number of tricks. Returns the
/// number of fronts whose value is less than that of the double-dummy results.
fn compare(random: &mut Random, cards: usize, count: usize) -> usize {
    let worlds = ending(random, cards, count);
    let weights = vec![1.0; worlds.len()];
    let mut solvers: Vec<Solver> = worlds.iter().map(|_| Solver::with_memory(4)).collect();
    let mut brute_force = BruteForce::default();
    let mut below = 0;
    for need in 1..=cards as u8 {
        let node = Node {
            worlds: worlds.iter().cloned().enumerate().collect(),
            need,
        };
        let side = Side::NorthSouth;
        let mut search = Search::new(side, Sight::Cards, &weights, &mut solvers, &|| false);
        let front = search.front(&node, usize::MAX).unwrap();
        let possible = search.double_dummy(&node).unwrap();
        below += usize::from(!front.covers(possible));
        for bits in 1..1usize << worlds.len() {
            let chosen = |world: &usize| bits >> world & 1 != 0;
            let set: WorldSet = (0..worlds.len()).filter(chosen).collect();
            let chosen: Vec<Position> = set.iter().map(|world| worlds[world].clone()).collect();
            assert_eq!(
                front.covers(set),
                brute_force.wins(&chosen, need),
                "{need} tricks in {chosen:?}"
            );
        }
    }
    below
}

#[test]
fn endings_of_five_to_seven_cards_equal_brute_force() {
    let mut random = Random(33);
    let mut below = 0;
    for (cards, worlds, endings) in [(3, 6, 60), (4, 5, 60), (5, 5, 60), (6, 4, 20), (7, 3, 6)] {
        for _ in 0..endings {
            below += compare(&mut random, cards, worlds);
        }
    }
    // Endings in which a declarer who sees all cards does better are the purpose of the search.
    assert!(below > 10, "{below}");
}

#[test]
#[ignore = "takes minutes"]
fn long_endings_of_five_to_seven_cards_equal_brute_force() {
    let mut random = Random(2026);
    for (cards, worlds, endings) in [(5, 5, 300), (6, 4, 60), (7, 3, 15)] {
        for _ in 0..endings {
            compare(&mut random, cards, worlds);
        }
    }
}

#[test]
fn depth_never_raises_a_chance_and_the_end_of_the_hand_is_exact() {
    let mut random = Random(7);
    let mut falls = 0;
    for _ in 0..80 {
        let worlds = ending(&mut random, 5, 10);
        let weights = vec![1.0; worlds.len()];
        let mut solvers: Vec<Solver> = worlds.iter().map(|_| Solver::with_memory(4)).collect();
        for need in 1..=5 {
            let node = Node {
                worlds: worlds.iter().cloned().enumerate().collect(),
                need,
            };
            let side = Side::NorthSouth;
            let mut search = Search::new(side, Sight::Cards, &weights, &mut solvers, &|| false);
            let mut values = [0, 1, 2, 3, 20].map(|cards| {
                let front = search.front(&node, cards).unwrap();
                front.best(&weights).1
            });
            falls += usize::from(values[4] < values[1]);
            let exact = search.front(&node, usize::MAX).unwrap();
            assert_eq!(values[4], exact.best(&weights).1);
            values.reverse();
            assert!(values.is_sorted(), "{values:?}");
        }
    }
    assert!(falls > 2, "{falls}");
}

#[test]
fn a_cancelled_search_has_no_front() {
    let worlds = ending(&mut Random(1), 5, 4);
    let mut solvers: Vec<Solver> = worlds.iter().map(|_| Solver::with_memory(4)).collect();
    let node = Node {
        worlds: worlds.into_iter().enumerate().collect(),
        need: 3,
    };
    let side = Side::NorthSouth;
    let mut search = Search::new(side, Sight::Cards, &[1.0; 4], &mut solvers, &|| true);
    assert!(search.front(&node, 3).is_none());
}
