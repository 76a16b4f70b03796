//! Hands and boards: the possible cards, and their equivalence.
//!
//! An exchange of suits that changes neither the board nor the ranges makes two cards equivalent. Only one of them is
//! played out; the values of the others follow by exchanging the suits of the hands.

use std::collections::HashMap;

use cards::CardSet;

use super::river::River;
use super::suits::SuitExchange;

/// Marks a hand that the other player cannot have.
pub(super) const NONE: u16 = u16::MAX;

/// The hands of a player in a fixed order.
#[derive(Clone, Debug, Default)]
pub(super) struct Hands {
    pub sets: Vec<CardSet>,
    pub cards: Vec<[u8; 2]>,
    pub weights: Vec<f64>,
    /// The index of the hand among the other player's hands, or [`NONE`].
    pub same: Vec<u16>,
}

impl Hands {
    pub fn new(hands: &[(CardSet, f64)], others: &[(CardSet, f64)]) -> Hands {
        let sets: Vec<CardSet> = hands.iter().map(|hand| hand.0).collect();
        Hands {
            cards: sets.iter().map(|&hand| two_cards(hand)).collect(),
            weights: hands.iter().map(|hand| hand.1).collect(),
            same: same_places(&sets, others.iter().map(|other| other.0)),
            sets,
        }
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }
}

/// Returns the numbers of the two cards of a hand.
pub(super) fn two_cards(hand: CardSet) -> [u8; 2] {
    let low = hand.0.trailing_zeros() as u8;
    let high = 63 - hand.0.leading_zeros() as u8;
    [low, high]
}

/// Returns the index of each hand among the others.
pub(super) fn same_places(hands: &[CardSet], others: impl Iterator<Item = CardSet>) -> Vec<u16> {
    let number = |hand: CardSet| {
        let [low, high] = two_cards(hand).map(usize::from);
        high * high.saturating_sub(1) / 2 + low
    };
    let mut places = vec![NONE; 52 * 51 / 2];
    for (hand, place) in others.zip(0..) {
        places[number(hand)] = place;
    }
    hands.iter().map(|&hand| places[number(hand)]).collect()
}

/// Numbers of hands and boards at one level below a board: sums over all boards that are played out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Level {
    pub hands: [usize; 2],
    pub boards: usize,
}

/// A board and the boards that can follow.
#[derive(Debug)]
pub(super) struct Board {
    /// Number of the board, unique within the game.
    pub id: usize,
    pub cards: CardSet,
    /// Hands of this board, and of the boards one and two cards later.
    pub levels: [Level; 3],
    pub next: Vec<Next>,
    /// On the river, the index of its table in [`Deals::rivers`].
    pub river: Option<usize>,
}

/// A card that can be dealt, and the equivalent ones.
#[derive(Debug)]
pub(super) struct Next {
    pub card: u8,
    pub board: Board,
    pub images: Vec<Image>,
}

/// A card that is equivalent to another: its number, and the symmetry that maps the other card to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    pub card: u8,
    pub symmetry: usize,
}

/// An exchange of suits that changes nothing.
#[derive(Debug)]
pub(super) struct Symmetry {
    pub exchange: SuitExchange,
    /// For every hand of each player the hand that is mapped to it.
    pub sources: [Vec<u16>; 2],
}

/// All cards of a game: hands, boards and symmetries.
#[derive(Debug)]
pub(super) struct Deals {
    pub hands: [Hands; 2],
    pub symmetries: Vec<Symmetry>,
    pub rivers: Vec<River>,
    pub root: Board,
}

impl Deals {
    /// Prepares the boards from `board` on. `is_symmetric` may exclude further exchanges of suits.
    pub fn new(
        board: CardSet,
        hands: [Hands; 2],
        is_symmetric: impl Fn(SuitExchange) -> bool,
    ) -> Deals {
        let mut symmetries = Vec::new();
        // On the river no card is dealt.
        let exchanges = if board.len() < 5 {
            SuitExchange::all()
        } else {
            Vec::new()
        };
        for exchange in exchanges {
            if exchange.apply(board) != board || !is_symmetric(exchange) {
                continue;
            }
            let sources = |player: usize| sources(&hands[player], exchange);
            if let (Some(oop), Some(ip)) = (sources(0), sources(1)) {
                symmetries.push(Symmetry {
                    exchange,
                    sources: [oop, ip],
                });
            }
        }
        let mut builder = BoardBuilder {
            hands: &hands,
            symmetries: &symmetries,
            rivers: Vec::new(),
            tables: HashMap::new(),
            boards: 0,
        };
        let all: Vec<usize> = (0..symmetries.len()).collect();
        let root = builder.board(board, &all);
        let rivers = builder.rivers;
        Deals {
            hands,
            symmetries,
            rivers,
            root,
        }
    }

    /// Returns the numbers of hands of both players on a board.
    pub fn sizes(&self, board: &Board) -> [usize; 2] {
        board.levels[0].hands
    }
}

/// Returns for each hand the hand that is mapped to it; `None` if the weights of the two differ.
fn sources(hands: &Hands, exchange: SuitExchange) -> Option<Vec<u16>> {
    let back = exchange.inverse();
    let images: Vec<CardSet> = hands.sets.iter().map(|&hand| back.apply(hand)).collect();
    let places = same_places(&images, hands.sets.iter().copied());
    let fits = |(hand, &source): (usize, &u16)| {
        source != NONE && hands.weights[hand] == hands.weights[usize::from(source)]
    };
    places.iter().enumerate().all(fits).then_some(places)
}

struct BoardBuilder<'a> {
    hands: &'a [Hands; 2],
    symmetries: &'a [Symmetry],
    rivers: Vec<River>,
    tables: HashMap<CardSet, usize>,
    boards: usize,
}

impl BoardBuilder<'_> {
    fn board(&mut self, cards: CardSet, symmetries: &[usize]) -> Board {
        let id = self.boards;
        self.boards += 1;
        let mut levels = [Level::default(); 3];
        levels[0] = Level {
            hands: [self.hands[0].len(), self.hands[1].len()],
            boards: 1,
        };
        if cards.len() == 5 {
            let river = self.river(cards);
            levels[0].hands = [0, 1].map(|player| self.rivers[river].sides[player].hands.len());
            return Board {
                id,
                cards,
                levels,
                next: Vec::new(),
                river: Some(river),
            };
        }
        let mut next: Vec<Next> = Vec::new();
        for card in CardSet::FULL - cards {
            let set = CardSet::of(card);
            let image = |&symmetry: &usize| self.symmetries[symmetry].exchange.apply(set);
            let smallest = symmetries.iter().map(image).min().unwrap_or(set);
            if smallest != set {
                continue;
            }
            let mut images: Vec<Image> = Vec::new();
            for &symmetry in symmetries {
                let number = self.symmetries[symmetry]
                    .exchange
                    .apply(set)
                    .0
                    .trailing_zeros() as u8;
                if usize::from(number) != card.index()
                    && images.iter().all(|image| image.card != number)
                {
                    images.push(Image {
                        card: number,
                        symmetry,
                    });
                }
            }
            let stays = |&&symmetry: &&usize| self.symmetries[symmetry].exchange.apply(set) == set;
            let fixing: Vec<usize> = symmetries.iter().filter(stays).copied().collect();
            let board = self.board(cards | set, &fixing);
            next.push(Next {
                card: card.index() as u8,
                board,
                images,
            });
        }
        for Next { board, .. } in &next {
            for depth in 0..2 {
                let (sum, part) = (&mut levels[depth + 1], board.levels[depth]);
                sum.hands[0] += part.hands[0];
                sum.hands[1] += part.hands[1];
                sum.boards += part.boards;
            }
        }
        Board {
            id,
            cards,
            levels,
            next,
            river: None,
        }
    }

    fn river(&mut self, cards: CardSet) -> usize {
        if let Some(&known) = self.tables.get(&cards) {
            return known;
        }
        self.rivers.push(River::new(cards, self.hands));
        self.tables.insert(cards, self.rivers.len() - 1);
        self.rivers.len() - 1
    }
}
