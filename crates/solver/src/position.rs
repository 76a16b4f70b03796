//! A position in the play, with any number of tricks left and up to three cards on the table.

use std::fmt;

use cards::{Card, CardSet, Deal, Seat, Strain};

/// A position in the play: four hands, the strain, the leader, and the cards on the table.
///
/// ```
/// use cards::{Seat, Strain, notation};
/// use croupier_solver::{Position, Solver};
///
/// // Two tricks left, South to lead in notrump: the finesse wins both.
/// let hand = |text| notation::holdings(text).unwrap();
/// let hands = [hand("AQ..."), hand("32..."), hand("54..."), hand("KJ...")];
/// let position = Position::new(hands, Strain::Notrump, Seat::South, &[]).unwrap();
/// let choices = Solver::new().choices(&position);
/// assert_eq!(choices.best(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    hands: [CardSet; 4],
    strain: Strain,
    leader: Seat,
    trick: Vec<Card>,
}

/// The reason why cards do not form a position, or why a card cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// The card occurs twice.
    Twice(Card),
    /// The hands have different numbers of cards left, cards on the table included.
    Lengths,
    /// There are more than three cards on the table, so the trick is complete.
    Trick,
    /// The card does not follow suit although its owner holds a card of the suit led.
    Revoke(Card),
    /// The seat to play does not hold the card.
    NotHeld(Seat, Card),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Twice(card) => write!(f, "{card} is in two places"),
            PositionError::Lengths => {
                f.write_str("the hands must have equally many cards, those that have played to the trick one less")
            }
            PositionError::Trick => f.write_str("at most three cards lie on the table"),
            PositionError::Revoke(card) => write!(f, "{card} does not follow suit"),
            PositionError::NotHeld(seat, card) => write!(f, "{seat} does not hold {card}"),
        }
    }
}

impl std::error::Error for PositionError {}

impl Position {
    /// Creates a position. `hands` are those of North, East, South and West, without the cards of `trick`, to which
    /// `leader` led.
    ///
    /// # Errors
    ///
    /// Returns an error if a card occurs twice, if hands have different lengths, or if a card of the trick is a revoke.
    pub fn new(
        hands: [CardSet; 4],
        strain: Strain,
        leader: Seat,
        trick: &[Card],
    ) -> Result<Position, PositionError> {
        if trick.len() > 3 {
            return Err(PositionError::Trick);
        }
        let mut seen = CardSet::EMPTY;
        for card in hands
            .iter()
            .flat_map(|hand| hand.iter())
            .chain(trick.iter().copied())
        {
            if seen.contains(card) {
                return Err(PositionError::Twice(card));
            }
            seen.insert(card);
        }
        let n = hands[leader.clockwise(trick.len()).index()].len();
        for i in 0..4 {
            let expected = if i < trick.len() {
                n.checked_sub(1)
            } else {
                Some(n)
            };
            if Some(hands[leader.clockwise(i).index()].len()) != expected || n > 13 {
                return Err(PositionError::Lengths);
            }
        }
        for (i, &card) in trick.iter().enumerate().skip(1) {
            let led = trick[0].suit();
            let hand = hands[leader.clockwise(i).index()];
            if card.suit() != led && !hand.holding(led).is_empty() {
                return Err(PositionError::Revoke(card));
            }
        }
        Ok(Position {
            hands,
            strain,
            leader,
            trick: trick.to_vec(),
        })
    }

    /// Returns the position before the opening lead against a contract of `declarer`.
    #[must_use]
    pub fn opening(deal: &Deal, declarer: Seat, strain: Strain) -> Position {
        Position {
            hands: deal.hands(),
            strain,
            leader: declarer.next(),
            trick: Vec::new(),
        }
    }

    /// Returns the cards that each seat still holds, North first.
    #[must_use]
    pub const fn hands(&self) -> [CardSet; 4] {
        self.hands
    }

    /// Returns the strain.
    #[must_use]
    pub const fn strain(&self) -> Strain {
        self.strain
    }

    /// Returns the seat that leads, or has led, to this trick.
    #[must_use]
    pub const fn leader(&self) -> Seat {
        self.leader
    }

    /// Returns the cards on the table, at most three.
    #[must_use]
    pub fn trick(&self) -> &[Card] {
        &self.trick
    }

    /// Returns the seat that plays next.
    #[must_use]
    pub fn to_play(&self) -> Seat {
        self.leader.clockwise(self.trick.len())
    }

    /// Returns the number of tricks left, the current one included.
    #[must_use]
    pub fn tricks_left(&self) -> usize {
        self.hands[self.to_play().index()].len()
    }

    /// Returns the cards that can be played.
    #[must_use]
    pub fn legal(&self) -> CardSet {
        let hand = self.hands[self.to_play().index()];
        let following = self
            .trick
            .first()
            .map(|led| hand & CardSet::of_suit(led.suit()));
        match following {
            Some(cards) if !cards.is_empty() => cards,
            _ => hand,
        }
    }

    /// Plays a card. Returns the seat that won the trick if the card was the fourth.
    ///
    /// # Errors
    ///
    /// Returns an error, and changes nothing, if the seat to play does not hold the card or must follow suit.
    pub fn play(&mut self, card: Card) -> Result<Option<Seat>, PositionError> {
        let seat = self.to_play();
        if !self.hands[seat.index()].contains(card) {
            return Err(PositionError::NotHeld(seat, card));
        }
        if !self.legal().contains(card) {
            return Err(PositionError::Revoke(card));
        }
        self.hands[seat.index()].remove(card);
        self.trick.push(card);
        if self.trick.len() < 4 {
            return Ok(None);
        }
        let mut best = 0;
        for i in 1..4 {
            let (card, winner) = (self.trick[i], self.trick[best]);
            let wins = if card.suit() == winner.suit() {
                card.rank() > winner.rank()
            } else {
                self.strain.suit() == Some(card.suit())
            };
            if wins {
                best = i;
            }
        }
        self.leader = self.leader.clockwise(best);
        self.trick.clear();
        Ok(Some(self.leader))
    }
}
