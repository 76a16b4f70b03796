//! Interface with our types to another solver, the crate `pons-dds`.
#![allow(dead_code)]

use cards::{Card, CardSet, Deal, Rank, Seat, Strain, Suit, TrickTable};
use contract_bridge as bridge;
use croupier_solver::Position;
use pons_dds::{Board, CurrentTrick, Objective, Target, TrickCount};

/// The crate `pons-dds`.
pub struct Oracle {
    library: Box<pons_dds::Solver>,
}

impl Oracle {
    pub fn new() -> Self {
        Oracle {
            library: Box::new(pons_dds::Solver::new(bridge::Strain::Notrump)),
        }
    }

    pub fn table(&mut self, deal: &Deal) -> TrickTable {
        let mut table = TrickTable::default();
        for strain in Strain::ALL {
            self.library.set_strain(library_strain(strain));
            let row = self.library.solve(library_deal(deal));
            for seat in Seat::ALL {
                table.set(seat, strain, row.get(library_seat(seat)).get());
            }
        }
        table
    }

    pub fn tricks(&mut self, deal: &Deal, declarer: Seat, strain: Strain) -> u8 {
        let opening = Position::opening(deal, declarer, strain);
        13 - self.request(&opening, Target::Any(None))[0].1
    }

    pub fn at_least(&mut self, deal: &Deal, declarer: Seat, strain: Strain, tricks: u8) -> bool {
        let opening = Position::opening(deal, declarer, strain);
        let defence = Target::Any(Some(TrickCount::new(14 - tricks)));
        self.request(&opening, defence).is_empty()
    }

    pub fn leads(&mut self, deal: &Deal, declarer: Seat, strain: Strain) -> Vec<(Card, u8)> {
        self.choices(&Position::opening(deal, declarer, strain))
    }

    /// Returns every legal card with the tricks of its side after it, spade ace first.
    pub fn choices(&mut self, position: &Position) -> Vec<(Card, u8)> {
        let mut choices = self.request(position, Target::Legal);
        choices.sort_by_key(|(card, _)| std::cmp::Reverse(card.index()));
        choices
    }

    fn request(&mut self, position: &Position, target: Target) -> Vec<(Card, u8)> {
        let trick: Vec<bridge::Card> = position.trick().iter().map(|&c| library_card(c)).collect();
        let trick = CurrentTrick::from_slice(
            library_strain(position.strain()),
            library_seat(position.leader()),
            &trick,
        )
        .expect("a trick");
        let [north, east, south, west] = position.hands().map(library_hand);
        let hands = bridge::deal::Builder::new()
            .north(north)
            .east(east)
            .south(south)
            .west(west)
            .build_partial()
            .expect("disjoint hands");
        let board = Board::try_new(hands, trick).expect("a position");
        let found = self.library.solve_board(&Objective { board, target });
        let cards = |play: &pons_dds::Play| {
            let suit = Suit::from_index(play.card.suit as usize);
            let rank = Rank::ALL[usize::from(play.card.rank.get()) - 2];
            let equals = cards::Holding(play.equals.to_bits() >> 2).in_suit(suit);
            let all = equals | CardSet::of(Card::new(suit, rank));
            let tricks = play.score.get();
            all.iter().map(|card| (card, tricks)).collect::<Vec<_>>()
        };
        found.plays.iter().flat_map(cards).collect()
    }
}

fn library_strain(strain: Strain) -> bridge::Strain {
    bridge::Strain::ASC[strain.index()]
}

fn library_seat(seat: Seat) -> bridge::Seat {
    bridge::Seat::ALL[seat.index()]
}

fn library_card(card: Card) -> bridge::Card {
    // The library writes the suit before the rank.
    let text = format!("{}{}", card.suit().letter(), card.rank());
    text.parse().expect("the library reads our cards")
}

fn library_hand(hand: CardSet) -> bridge::Hand {
    // The library stores a deuce in bit 2.
    let [clubs, diamonds, hearts, spades] =
        Suit::ALL.map(|suit| bridge::Holding::from_bits_truncate(hand.holding(suit).0 << 2));
    bridge::Hand::new(clubs, diamonds, hearts, spades)
}

fn library_deal(deal: &Deal) -> bridge::FullDeal {
    let [north, east, south, west] = deal.hands().map(library_hand);
    bridge::deal::Builder::new()
        .north(north)
        .east(east)
        .south(south)
        .west(west)
        .build_full()
        .expect("a deal is four disjoint hands of thirteen")
}
