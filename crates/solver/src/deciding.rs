//! Cards that decide a result, and exchanges of two cards that change it.

use cards::{Card, CardSet, Seat, Strain};

use crate::engine::from_search;
use crate::search::fill_up;
use crate::{Position, SeatSet, Solver};

/// The cards whose ranks decide a result.
///
/// All other cards of a suit are exchangeable: deal them to the hands in any other way, with the same number of cards
/// of the suit in each hand, and the result stays the same. The set is proven but not always the smallest: it comes from
/// the proofs that the search found.
///
/// ```
/// use cards::{Seat, Strain};
/// use croupier_solver::{Position, SeatSet, Solver};
///
/// let deal = "N:AKQ2.432.432.432 J987.AKQ.765.765 T654.765.AKQ.AKQ 3.JT98.JT98.JT98".parse()?;
/// let position = Position::opening(&deal, Seat::South, Strain::Notrump);
/// let deciding = Solver::new().deciding_cards(&position);
/// assert!(!deciding.cards.contains("C2".parse()?));
/// assert!(deciding.layouts(&position, SeatSet::of(Seat::North)) > 1);
/// # Ok::<(), cards::NotationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecidingCards {
    /// Tricks of North-South from the position on, the current trick included.
    pub north_south: u8,
    /// The deciding cards: in each suit the highest ones that are left, down to the lowest whose rank matters.
    pub cards: CardSet,
}

/// Two cards of a suit, adjacent among the cards that are left, whose exchange changes the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swing {
    /// The higher card.
    pub card: Card,
    /// The seat that holds it, or has played it to the current trick.
    pub seat: Seat,
    /// The next lower card.
    pub lower: Card,
    /// The seat that holds the lower card, or has played it to the current trick.
    pub lower_seat: Seat,
    /// Tricks of North-South if the two cards change places.
    pub north_south: u8,
}

impl DecidingCards {
    /// Returns the number of layouts with this result that differ only in cards that do not decide, the given one
    /// included. The hands of `known` and the cards on the table stay as they are.
    #[must_use]
    pub fn layouts(&self, position: &Position, known: SeatSet) -> u128 {
        let mut layouts = 1;
        for suit in cards::Suit::ALL {
            let mut placed = 0;
            for seat in Seat::ALL {
                if known.contains(seat) {
                    continue;
                }
                let free = position.hands()[seat.index()] - self.cards;
                // Each hand chooses its cards from those that the hands before it left.
                for chosen in 1..=free.holding(suit).len() as u128 {
                    placed += 1;
                    layouts = layouts * placed / chosen;
                }
            }
        }
        layouts
    }
}

impl Solver {
    /// Returns the tricks of North-South and the cards that decide them.
    ///
    /// The set depends on the order of the search, so the solver starts with empty tables. Equal positions and memory
    /// limits give equal sets.
    #[must_use]
    pub fn deciding_cards(&mut self, position: &Position) -> DecidingCards {
        self.forget();
        let start = self.load(position);
        let notrump = position.strain() == Strain::Notrump;
        let (mut low, mut high) = (0, start.tricks_left());
        let (mut low_ranks, mut high_ranks) = (0, 0);
        let mut need = (high + 1) / 2;
        while low < high {
            let found = self.engine.prove(notrump, &start, need);
            if found.tricks >= need {
                (low, low_ranks) = (found.tricks, found.ranks);
                need = low + 1;
            } else {
                (high, high_ranks) = (found.tricks, found.ranks);
                need = high;
            }
        }
        let cards = fill_up(low_ranks | high_ranks) & start.all();
        DecidingCards {
            north_south: low as u8,
            cards: from_search(cards, position.strain()),
        }
    }

    /// Returns the exchanges of two adjacent cards that change the result, spades first, the highest card first.
    ///
    /// Unlike the set of [`Solver::deciding_cards`], the list depends on the position alone. A card that decides need
    /// not be in the list, since two exchanges may be needed to change the result.
    #[must_use]
    pub fn swings(&mut self, position: &Position) -> Vec<Swing> {
        let deciding = self.deciding_cards(position);
        let guess = i32::from(deciding.north_south);
        let mut swings = Vec::new();
        for suit in cards::Suit::ALL.into_iter().rev() {
            let left: Vec<Card> = (cards_left(position) & CardSet::of_suit(suit))
                .iter()
                .collect();
            for pair in left.windows(2) {
                let (card, lower) = (pair[0], pair[1]);
                let (seat, lower_seat) = (owner(position, card), owner(position, lower));
                if seat == lower_seat || !deciding.cards.contains(card) {
                    continue;
                }
                let north_south = self.north_south_near(&exchanged(position, card, lower), guess);
                if north_south != deciding.north_south {
                    swings.push(Swing {
                        card,
                        seat,
                        lower,
                        lower_seat,
                        north_south,
                    });
                }
            }
        }
        swings
    }
}

/// Returns the cards in the hands and on the table.
fn cards_left(position: &Position) -> CardSet {
    let held = position.hands().into_iter();
    let held = held.fold(CardSet::EMPTY, |all, hand| all | hand);
    let table = position.trick().iter();
    table.fold(held, |all, &card| all | CardSet::of(card))
}

/// Returns the seat that holds a card or has played it to the current trick.
fn owner(position: &Position, card: Card) -> Seat {
    let place = position.trick().iter().position(|&played| played == card);
    match place {
        Some(place) => position.leader().clockwise(place),
        None => Seat::ALL
            .into_iter()
            .find(|seat| position.hands()[seat.index()].contains(card))
            .unwrap_or(position.leader()),
    }
}

/// Returns the position with two cards of a suit in each other's place.
fn exchanged(position: &Position, a: Card, b: Card) -> Position {
    let other = |card: Card| match card {
        card if card == a => b,
        card if card == b => a,
        card => card,
    };
    let hands = position.hands().map(|hand| {
        hand.iter()
            .fold(CardSet::EMPTY, |all, card| all | CardSet::of(other(card)))
    });
    let trick: Vec<Card> = position.trick().iter().map(|&card| other(card)).collect();
    Position::new(hands, position.strain(), position.leader(), &trick)
        .expect("cards of one suit keep the lengths of all hands")
}
