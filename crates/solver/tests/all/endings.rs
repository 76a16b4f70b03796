//! Compares endings with a plain minimax that tries every card, and checks properties of all positions.

use crate::common::RandomDeals;
use crate::common::positions::{RandomPositions, minimax, text};
use cards::{CardSet, Deal, Seat, Strain};
use croupier_solver::{Position, Solver};
use proptest::prelude::*;

#[test]
fn endings_of_up_to_four_tricks_agree_with_minimax() {
    let (mut solver, mut portable) = (Solver::new(), Solver::portable(8));
    let endings = RandomPositions(RandomDeals(4)).filter(|position| position.tricks_left() <= 4);
    for position in endings.take(3_000) {
        let expected = minimax(&position);
        assert_eq!(
            solver.north_south(&position),
            expected,
            "{}",
            text(&position)
        );
        assert_eq!(
            portable.north_south(&position),
            expected,
            "{}",
            text(&position)
        );
    }
}

/// Creates an ending with uneven suits: four hands of equal size from few ranks.
fn dense_ending(random: &mut RandomDeals, tricks: usize) -> Position {
    let mut pack: Vec<cards::Card> = CardSet::FULL
        .iter()
        .filter(|card| card.index() % 13 >= 13 - tricks)
        .collect();
    let mut hands = [CardSet::EMPTY; 4];
    for i in 0..4 * tricks {
        let card = pack.swap_remove(random.below(pack.len() as u64) as usize);
        hands[i % 4].insert(card);
    }
    let strain = Strain::from_index(random.below(5) as usize);
    let leader = Seat::from_index(random.below(4) as usize);
    Position::new(hands, strain, leader, &[]).expect("a position")
}

#[test]
fn endings_of_high_cards_agree_with_minimax() {
    let (mut solver, mut random) = (Solver::new(), RandomDeals(5));
    for i in 0..4_000 {
        let position = dense_ending(&mut random, 2 + i % 3);
        assert_eq!(
            solver.north_south(&position),
            minimax(&position),
            "{}",
            text(&position)
        );
    }
}

#[test]
#[ignore = "many minutes; run by ./check --long"]
fn long_endings_of_five_tricks_agree_with_minimax() {
    let (mut solver, mut random) = (Solver::new(), RandomDeals(6));
    for _ in 0..3_000 {
        let position = dense_ending(&mut random, 5);
        assert_eq!(
            solver.north_south(&position),
            minimax(&position),
            "{}",
            text(&position)
        );
    }
}

#[test]
fn a_line_of_play_keeps_the_value_and_ends_with_the_solved_tricks() {
    let mut solver = Solver::new();
    for position in RandomPositions(RandomDeals(9)).take(150) {
        let promised = solver.north_south(&position);
        let line = solver.line(&position);
        let (mut now, mut won) = (position.clone(), 0);
        for step in &line {
            assert_eq!(now.to_play(), step.seat);
            assert_eq!(won + step.north_south, promised, "{}", text(&position));
            assert!(step.alternatives.contains(step.card));
            let winner = now.play(step.card).expect("a legal card");
            won += u8::from(winner.is_some_and(|seat| seat.index() % 2 == 0));
        }
        assert_eq!(
            (now.tricks_left(), won),
            (0, promised),
            "{}",
            text(&position)
        );
    }
}

#[test]
fn invalid_positions_are_rejected() {
    let hand = |text: &str| cards::notation::holdings(text).expect("a hand");
    let new = |hands: [&str; 4], trick: &[cards::Card]| {
        Position::new(hands.map(hand), Strain::Hearts, Seat::West, trick).map(|_| ())
    };
    use croupier_solver::PositionError::*;
    let card = |text: &str| text.parse::<cards::Card>().expect("a card");
    assert_eq!(new(["A...", "K...", "Q...", "J..."], &[]), Ok(()));
    assert_eq!(
        new(["A...", "K...", "Q...", "A..."], &[]),
        Err(Twice(card("SA")))
    );
    assert_eq!(new(["A...", "K...", "Q...", "J2..."], &[]), Err(Lengths));
    assert_eq!(new(["A...", "K...", "Q...", "..."], &[card("SJ")]), Ok(()));
    assert_eq!(new(["A...", "K...", "Q...", "..."], &[]), Err(Lengths));
    let revoke = new(
        ["2...", "K3...", "Q4...", "5..."],
        &[card("SJ"), card("H2")],
    );
    assert_eq!(revoke, Err(Revoke(card("H2"))));
    let mut position = Position::opening(
        &RandomDeals(1).next().expect("a deal"),
        Seat::South,
        Strain::Clubs,
    );
    let not_wests = (!position.hands()[3] & CardSet::FULL)
        .iter()
        .next()
        .expect("a card");
    assert_eq!(
        position.play(not_wests),
        Err(NotHeld(Seat::West, not_wests))
    );
}

fn deals() -> impl Strategy<Value = Deal> {
    any::<u64>().prop_map(|seed| RandomDeals(seed).next().expect("a deal"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Giving North-South the higher of two adjacent cards, in exchange for the lower one, never costs them a trick.
    #[test]
    fn a_higher_card_never_costs_a_trick(deal in deals(), strain in 0..5usize, leader in 0..4usize) {
        let strain = Strain::from_index(strain);
        let mut solver = Solver::new();
        // Exchange two adjacent cards of a suit between opponents; North-South get the higher one.
        let mut hands = deal.hands();
        let pair = (0..51).find_map(|i| {
            let (low, high) = (cards::Card::from_index(i)?, cards::Card::from_index(i + 1)?);
            let (a, b) = (deal.holder(low), deal.holder(high));
            (low.suit() == high.suit() && a.index() % 2 == 0 && b.index() % 2 == 1)
                .then_some((low, high, a, b))
        });
        prop_assume!(pair.is_some());
        let (low, high, a, b) = pair.expect("prop_assume checked that there is a pair");
        hands[a.index()] = (hands[a.index()] - CardSet::of(low)) | CardSet::of(high);
        hands[b.index()] = (hands[b.index()] - CardSet::of(high)) | CardSet::of(low);
        let better = Deal::new(hands).expect("a deal");
        let declarer = Seat::from_index(leader + 3);
        let before = solver.north_south(&Position::opening(&deal, declarer, strain));
        let now = solver.north_south(&Position::opening(&better, declarer, strain));
        prop_assert!(now >= before, "{deal} {strain} {declarer}");
    }

    /// Turning the table turns the results; exchanging suits exchanges strains; a subset of declarers gets the same
    /// numbers.
    #[test]
    fn results_respect_symmetries_and_subsets_of_declarers(deal in deals(), turn in 1..4usize, strain in 0..5usize) {
        let strain = Strain::from_index(strain);
        let mut solver = Solver::new();
        let row = solver.strain(&deal, strain);
        let turned = solver.strain(&deal.rotated(turn), strain);
        for seat in Seat::ALL {
            prop_assert_eq!(turned[seat.clockwise(turn).index()], row[seat.index()]);
        }
        let some = [Seat::from_index(turn), Seat::from_index(turn + 1)];
        let part = Solver::portable(16).results(&deal, strain, some.into_iter().collect());
        for seat in Seat::ALL {
            let expected = some.contains(&seat).then_some(row[seat.index()]);
            prop_assert_eq!(part[seat.index()], expected);
        }
    }
}
