//! Cards that decide a result: exchanging the others never changes it, and every swing of the list does.

use crate::common::RandomDeals;
use crate::common::positions::{RandomPositions, minimax, text};
use crate::freaks::symmetric_ending;
use cards::{Card, CardSet, Seat, Strain, Suit};
use croupier_solver::{DecidingCards, Position, SeatSet, Solver, SolverBatch};

/// Deals the cards that do not decide at random to the places of such cards, suit by suit.
fn shuffled(position: &Position, deciding: &DecidingCards, random: &mut RandomDeals) -> Position {
    let mut hands = position.hands();
    let mut trick = position.trick().to_vec();
    for suit in Suit::ALL {
        let is_free = |card: &Card| card.suit() == suit && !deciding.cards.contains(*card);
        let mut free: Vec<Card> = hands
            .iter()
            .flat_map(|hand| hand.iter())
            .chain(trick.iter().copied())
            .filter(is_free)
            .collect();
        let mut draw = || free.swap_remove(random.below(free.len() as u64) as usize);
        for hand in &mut hands {
            let kept = hand.iter().filter(|card| !is_free(card));
            let kept = kept.fold(CardSet::EMPTY, |all, card| all | CardSet::of(card));
            let number = hand.len() - kept.len();
            *hand = (0..number).fold(kept, |all, _| all | CardSet::of(draw()));
        }
        trick
            .iter_mut()
            .filter(|card| is_free(card))
            .for_each(|card| *card = draw());
    }
    Position::new(hands, position.strain(), position.leader(), &trick).expect("a position")
}

#[test]
fn endings_keep_their_minimax_value_when_other_cards_change_places() {
    let (mut solver, mut portable) = (Solver::new(), Solver::portable(8));
    let mut random = RandomDeals(70);
    let (mut changed, mut number) = (0, 0);
    let endings = RandomPositions(RandomDeals(71)).filter(|position| position.tricks_left() <= 3);
    for position in endings.take(3_000) {
        let deciding = solver.deciding_cards(&position);
        assert_eq!(deciding, portable.deciding_cards(&position));
        assert_eq!(
            deciding.north_south,
            minimax(&position),
            "{}",
            text(&position)
        );
        for _ in 0..3 {
            let other = shuffled(&position, &deciding, &mut random);
            number += 1;
            changed += u32::from(other != position);
            assert_eq!(
                minimax(&other),
                deciding.north_south,
                "{} decided by {}: {}",
                text(&position),
                deciding.cards,
                text(&other)
            );
        }
    }
    // A set of all cards would pass the comparison and be worth nothing.
    assert!(changed * 4 > number, "{changed} of {number} layouts differ");
}

#[test]
fn symmetric_endings_keep_their_value_when_other_cards_change_places() {
    let (mut solver, mut random) = (Solver::new(), RandomDeals(76));
    // A batch keeps its tables from one ending to the next.
    let mut batch = SolverBatch::new(1);
    for i in 0..600 {
        let position = symmetric_ending(&mut random, 2 + i % 2, 1 + i / 2 % 3);
        let deciding = solver.deciding_cards(&position);
        let other = shuffled(&position, &deciding, &mut random);
        let values = [&position, &other].map(minimax);
        assert_eq!(values, [deciding.north_south; 2], "{}", text(&position));
        assert_eq!(batch.north_south(&[position, other]), values);
    }
}

#[test]
fn positions_keep_their_value_when_other_cards_change_places() {
    let (mut solver, mut other_solver) = (Solver::new(), Solver::new());
    let mut random = RandomDeals(72);
    let deals = RandomDeals(73)
        .take(200)
        .enumerate()
        .map(|(i, deal)| Position::opening(&deal, Seat::from_index(i), Strain::from_index(i % 5)));
    let mut differ = 0;
    for position in RandomPositions(RandomDeals(74)).take(2_000).chain(deals) {
        let deciding = solver.deciding_cards(&position);
        let other = shuffled(&position, &deciding, &mut random);
        differ += u32::from(other != position);
        assert_eq!(
            other_solver.north_south(&other),
            deciding.north_south,
            "{} decided by {}: {}",
            text(&position),
            deciding.cards,
            text(&other)
        );
    }
    assert!(differ > 1_500, "{differ}");
}

#[test]
fn swings_are_the_exchanges_of_adjacent_cards_that_change_the_minimax_value() {
    let mut solver = Solver::new();
    let mut found = 0;
    let endings = RandomPositions(RandomDeals(75))
        .filter(|position| position.tricks_left() <= 4 && position.trick().is_empty());
    for position in endings.take(600) {
        let value = minimax(&position);
        let swings = solver.swings(&position);
        let hands = position.hands();
        let holder = |card: Card| hands.iter().position(|hand| hand.contains(card));
        let mut left: Vec<Card> = hands.iter().flat_map(|hand| hand.iter()).collect();
        left.sort_by_key(|card| std::cmp::Reverse(card.index()));
        let mut expected = Vec::new();
        for pair in left.windows(2) {
            let (card, lower) = (pair[0], pair[1]);
            let (Some(a), Some(b)) = (holder(card), holder(lower)) else {
                continue;
            };
            if card.suit() != lower.suit() || a == b {
                continue;
            }
            let mut changed = hands;
            changed[a] = (changed[a] - CardSet::of(card)) | CardSet::of(lower);
            changed[b] = (changed[b] - CardSet::of(lower)) | CardSet::of(card);
            let changed = Position::new(changed, position.strain(), position.leader(), &[]);
            let now = minimax(&changed.expect("a position"));
            if now != value {
                expected.push((card, Seat::from_index(a), lower, Seat::from_index(b), now));
            }
        }
        let listed: Vec<_> = swings
            .iter()
            .map(|it| (it.card, it.seat, it.lower, it.lower_seat, it.north_south))
            .collect();
        assert_eq!(listed, expected, "{}", text(&position));
        found += expected.len();
    }
    assert!(found > 50, "{found}");
}

#[test]
fn equal_layouts_are_counted() {
    let hand = |text: &str| cards::notation::holdings(text).expect("a hand");
    let hands = ["A2.3..", "43.4..", "65.5..", "K7.6.."].map(hand);
    let position = Position::new(hands, Strain::Notrump, Seat::North, &[]).expect("a position");
    let deciding = DecidingCards {
        north_south: 1,
        cards: hand("A..."),
    };
    // Spades: 7! / (1! 2! 2! 2!), hearts: 4!; without North's cards 6! / (2! 2! 2!) and 3!.
    assert_eq!(deciding.layouts(&position, SeatSet::NONE), 630 * 24);
    let north = SeatSet::of(Seat::North);
    assert_eq!(deciding.layouts(&position, north), 90 * 6);
    assert_eq!(deciding.layouts(&position, SeatSet::ALL), 1);
}
