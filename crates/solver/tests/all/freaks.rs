//! Compares symmetric deals, of which the transposition table stores a part of the positions, and deals with many voids
//! with other solvers.

use crate::common::positions::{minimax, text};
use crate::common::{FreakDeals, RandomDeals};
use crate::oracle::Oracle;
use cards::{CardSet, Deal, Holding, Seat, Strain, Suit};
use croupier_solver::{Position, Solver, Team};

/// Creates an ending in which the hands in each suit are those of the previous suit, `turn` seats to the left. With two
/// as the turn, the last two suits are independent of the first two.
pub fn symmetric_ending(random: &mut RandomDeals, tricks: usize, turn: usize) -> Position {
    let hands = loop {
        let mut hands = [CardSet::EMPTY; 4];
        let mut deal_suit = |suits: &[usize], cards: usize| {
            let mut ranks: Vec<u32> = (0..13).collect();
            for _ in 0..cards {
                let rank = ranks.swap_remove(random.below(ranks.len() as u64) as usize);
                let seat = random.below(4) as usize;
                for (turns, &suit) in suits.iter().enumerate() {
                    let holding = Holding(1 << rank).in_suit(Suit::ALL[suit]);
                    hands[(seat + turns * turn) % 4] |= holding;
                }
            }
        };
        match turn {
            2 => {
                deal_suit(&[0, 1], tricks);
                deal_suit(&[2, 3], tricks);
            }
            _ => deal_suit(&[0, 1, 2, 3], tricks),
        }
        if hands.iter().all(|hand| hand.len() == tricks) {
            break hands;
        }
    };
    let strain = [Strain::Notrump, Strain::Notrump, Strain::Spades][random.below(3) as usize];
    let leader = Seat::from_index(random.below(4) as usize);
    Position::new(hands, strain, leader, &[]).expect("a position")
}

#[test]
fn symmetric_endings_agree_with_minimax() {
    let (mut solver, mut random) = (Solver::new(), RandomDeals(38));
    let mut portable = Solver::portable(8);
    for i in 0..3_000 {
        let position = symmetric_ending(&mut random, 2 + i % 3, 1 + i / 3 % 3);
        let expected = minimax(&position);
        for solver in [&mut solver, &mut portable] {
            assert_eq!(
                solver.north_south(&position),
                expected,
                "{}",
                text(&position)
            );
            let choices = solver.choices(&position);
            let side = match position.to_play().index() % 2 {
                0 => expected,
                _ => position.tricks_left() as u8 - expected,
            };
            assert_eq!(choices.best(), side, "{}", text(&position));
        }
    }
}

#[test]
fn a_symmetric_deal_has_the_published_table() {
    // Results of macroxue/bridge-solver, README.
    let deal = "N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962";
    let deal: Deal = deal.parse().expect("a deal");
    // Declarers South, North, West, East.
    let published = [
        (Strain::Notrump, [5, 5, 5, 5]),
        (Strain::Spades, [4, 4, 8, 7]),
        (Strain::Hearts, [8, 7, 4, 4]),
        (Strain::Diamonds, [4, 4, 7, 8]),
        (Strain::Clubs, [7, 8, 4, 4]),
    ];
    let table = Solver::new().table(&deal);
    let team_table = Team::new(2).table(&deal);
    for (strain, tricks) in published {
        for (seat, tricks) in [Seat::South, Seat::North, Seat::West, Seat::East]
            .into_iter()
            .zip(tricks)
        {
            assert_eq!(table.tricks(seat, strain), tricks, "{seat} {strain}");
            assert_eq!(team_table.tricks(seat, strain), tricks, "{seat} {strain}");
        }
    }
}

/// Compares tables of freak deals with those of the crate `pons-dds`.
fn freaks_agree(deals: usize) {
    let (mut solver, mut oracle) = (Solver::new(), Oracle::new());
    for (i, deal) in FreakDeals::new(38).take(deals).enumerate() {
        let suits = |hand: CardSet| {
            let held = |&&suit: &&Suit| hand.holding(suit).0 != 0;
            Suit::ALL.iter().filter(held).count()
        };
        let most = Seat::ALL.map(|seat| suits(deal.hand(seat)));
        assert!(most.iter().all(|&suits| suits <= 2 + i % 2), "{deal}");
        assert_eq!(solver.table(&deal), oracle.table(&deal), "{deal}");
    }
}

#[test]
fn four_freak_deals_agree_with_another_solver() {
    freaks_agree(4);
}

#[test]
#[ignore = "some minutes; run by ./check --long"]
fn long_freak_deals_agree_with_another_solver() {
    freaks_agree(200);
}
