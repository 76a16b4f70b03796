//! Players and pairs: the values that their hands have.

use cards::{Card, Seat, Side, Strain, Suit, Vulnerability};
use valuation::HandRule;

use super::{Expression, ShapesError, TermKind, shapes};
use crate::plan::{Counter, LoserRule, Node};

/// A seat in conditions; see [`north`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player(Seat);

/// Returns the player of North.
#[must_use]
pub const fn north() -> Player {
    Player(Seat::North)
}

/// Returns the player of East.
#[must_use]
pub const fn east() -> Player {
    Player(Seat::East)
}

/// Returns the player of South.
#[must_use]
pub const fn south() -> Player {
    Player(Seat::South)
}

/// Returns the player of West.
#[must_use]
pub const fn west() -> Player {
    Player(Seat::West)
}

/// Returns the player of a seat.
#[must_use]
pub const fn player(seat: Seat) -> Player {
    Player(seat)
}

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident = $counter:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(self) -> Expression {
            self.count($counter, None)
        }
    )*};
}

impl Player {
    /// Returns the seat.
    #[must_use]
    pub const fn seat(self) -> Seat {
        self.0
    }

    fn count(self, counter: Counter, suit: Option<Suit>) -> Expression {
        let seat = self.0;
        Expression::call(Node::Count {
            counter,
            seat,
            suit,
        })
    }

    counters! {
        /// High-card points: ace 4, king 3, queen 2, jack 1.
        hcp = Counter::Hcp;
        /// Controls: ace 2, king 1.
        controls = Counter::Controls;
        /// Number of aces.
        aces = Counter::Pt(4);
        /// Number of kings.
        kings = Counter::Pt(3);
        /// Number of queens.
        queens = Counter::Pt(2);
        /// Number of jacks.
        jacks = Counter::Pt(1);
        /// Number of tens.
        tens = Counter::Pt(0);
        /// Number of aces and kings.
        top2 = Counter::Pt(5);
        /// Number of aces, kings and queens.
        top3 = Counter::Pt(6);
        /// Number of aces, kings, queens and jacks.
        top4 = Counter::Pt(7);
        /// Number of honours, tens included.
        top5 = Counter::Pt(8);
        /// Points with ace 6, king 4, queen 2, jack 1.
        c13 = Counter::Pt(9);
    }

    /// Returns an expression for the high-card points in a suit.
    #[must_use]
    pub fn points(self, suit: Suit) -> Expression {
        self.count(Counter::Hcp, Some(suit))
    }

    /// Returns an expression for the number of honours in a suit, tens included.
    #[must_use]
    pub fn honours(self, suit: Suit) -> Expression {
        self.count(Counter::Pt(8), Some(suit))
    }

    /// Returns an expression for the controls in a suit: ace 2, king 1.
    #[must_use]
    pub fn controls_in(self, suit: Suit) -> Expression {
        self.count(Counter::Controls, Some(suit))
    }

    /// Returns an expression for the number of cards in a suit.
    #[must_use]
    pub fn length(self, suit: Suit) -> Expression {
        Expression::call(Node::Length(self.0, suit))
    }

    /// Returns an expression for the number of spades.
    #[must_use]
    pub fn spades(self) -> Expression {
        self.length(Suit::Spades)
    }

    /// Returns an expression for the number of hearts.
    #[must_use]
    pub fn hearts(self) -> Expression {
        self.length(Suit::Hearts)
    }

    /// Returns an expression for the number of diamonds.
    #[must_use]
    pub fn diamonds(self) -> Expression {
        self.length(Suit::Diamonds)
    }

    /// Returns an expression for the number of clubs.
    #[must_use]
    pub fn clubs(self) -> Expression {
        self.length(Suit::Clubs)
    }

    fn hand_value(self, rule: HandRule, suit: Option<Suit>) -> Expression {
        Expression::call(Node::HandValue {
            rule,
            seat: self.0,
            suit,
        })
    }

    fn loser_count(self, suit: Option<Suit>) -> Expression {
        Expression::call(Node::Losers {
            rule: LoserRule::Cards,
            seat: self.0,
            suit,
        })
    }

    /// Returns an expression for the losing tricks of the hand.
    #[must_use]
    pub fn losers(self) -> Expression {
        self.loser_count(None)
    }

    /// Returns an expression for the losing tricks in a suit.
    #[must_use]
    pub fn losers_in(self, suit: Suit) -> Expression {
        self.loser_count(Some(suit))
    }

    /// Returns an expression for the modern losing trick count, in hundredths.
    #[must_use]
    pub fn ltc(self) -> Expression {
        self.hand_value(HandRule::LTC, None)
    }

    /// Returns an expression for the evaluation by Kaplan and Rubens, in hundredths of a point.
    #[must_use]
    pub fn cccc(self) -> Expression {
        self.hand_value(HandRule::CCCC, None)
    }

    /// Returns an expression for the quality of a suit by Kaplan and Rubens, in hundredths.
    #[must_use]
    pub fn quality(self, suit: Suit) -> Expression {
        self.hand_value(HandRule::QUALITY, Some(suit))
    }

    /// Returns the condition that the hand is 4-3-3-3, 4-4-3-2 or 5-3-3-2.
    #[must_use]
    pub fn balanced(self) -> Expression {
        Expression::new(TermKind::Balanced(self.0), Vec::new())
    }

    /// Returns the condition that the hand is balanced, 5-4-2-2 or 6-3-2-2.
    #[must_use]
    pub fn semibalanced(self) -> Expression {
        shapes::semibalanced(self.0)
    }

    /// Returns the condition that the hand has one of the shapes, in either notation of the language: `any 4333 + 5xxx
    /// - any 7xxx`, or `5+M332`.
    ///
    /// ```
    /// use croupier_script::expression::north;
    ///
    /// assert_eq!(north().shape("any 7xxx")?.to_string(), "shape(north, any 7xxx)");
    /// assert_eq!(north().shape("5M(332)")?.to_string(), "shape{north, 5M(332)}");
    /// assert!(north().shape("4444").is_err());
    /// # Ok::<(), croupier_script::expression::ShapesError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not a list of shapes.
    pub fn shape(self, shapes: &str) -> Result<Expression, ShapesError> {
        shapes::shape(self.0, shapes)
    }

    /// Returns the condition that the hand holds a card.
    #[must_use]
    pub fn holds(self, card: Card) -> Expression {
        Expression::call(Node::HasCard(self.0, card))
    }

    /// Returns an expression for the double-dummy tricks that the player takes as declarer.
    #[must_use]
    pub fn tricks(self, strain: impl Into<Strain>) -> Expression {
        Expression::call(Node::Tricks(self.0, strain.into()))
    }

    /// Returns an expression for the tricks of the player's side in hundredths, estimated from the four hands without
    /// solving.
    #[must_use]
    pub fn estimate(self, strain: impl Into<Strain>) -> Expression {
        Expression::call(Node::Estimate(self.0, strain.into()))
    }
}

/// Two partners in conditions; see [`ns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair(Side);

/// Returns the pair of North and South.
#[must_use]
pub const fn ns() -> Pair {
    Pair(Side::NorthSouth)
}

/// Returns the pair of East and West.
#[must_use]
pub const fn ew() -> Pair {
    Pair(Side::EastWest)
}

/// Returns the partners of a side.
#[must_use]
pub const fn pair(side: Side) -> Pair {
    Pair(side)
}

impl Pair {
    /// Returns the side.
    #[must_use]
    pub const fn side(self) -> Side {
        self.0
    }

    fn sum(self, value: impl Fn(Player) -> Expression) -> Expression {
        let (first, second) = match self.0 {
            Side::NorthSouth => (north(), south()),
            Side::EastWest => (east(), west()),
        };
        value(first) + value(second)
    }

    /// Returns the sum of the partners' high-card points.
    #[must_use]
    pub fn hcp(self) -> Expression {
        self.sum(Player::hcp)
    }

    /// Returns the sum of the partners' controls.
    #[must_use]
    pub fn controls(self) -> Expression {
        self.sum(Player::controls)
    }

    /// Returns the sum of the partners' losing tricks.
    #[must_use]
    pub fn losers(self) -> Expression {
        self.sum(Player::losers)
    }

    /// Returns the number of the partners' cards in a suit.
    #[must_use]
    pub fn length(self, suit: Suit) -> Expression {
        self.sum(|player| player.length(suit))
    }

    /// Returns the condition that the partners have at least `cards` cards in a suit together.
    #[must_use]
    pub fn fit(self, suit: Suit, cards: u8) -> Expression {
        self.length(suit).at_least(i32::from(cards))
    }

    /// Returns an expression for the side's score at par.
    #[must_use]
    pub fn par(self, vulnerability: Vulnerability) -> Expression {
        Expression::call(Node::Par(self.0, Some(vulnerability)))
    }

    /// Returns an expression for the optimal point count of Darricades, in hundredths; in a strain, or without one.
    #[must_use]
    pub fn opc(self, strain: Option<Strain>) -> Expression {
        Expression::call(Node::Opc(self.0, strain))
    }
}
