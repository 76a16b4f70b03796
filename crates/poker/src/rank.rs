//! Ranks of hands: their categories and names.

use core::fmt;

#[cfg(feature = "std")]
use crate::reference::{self, HandClass};

/// The rank of a hand under the standard rules: 0 is the royal flush, 7461 the worst hand (7-5-4-3-2 of several suits).
/// The smaller rank wins; equal ranks share the pot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct HandRank(pub u16);

/// The categories of hands, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Ace to ten of one suit.
    RoyalFlush,
    /// Five in sequence of one suit.
    StraightFlush,
    /// Four of a kind.
    Quads,
    /// Three of a kind and a pair.
    FullHouse,
    /// Five of one suit.
    Flush,
    /// Five in sequence.
    Straight,
    /// Three of a kind.
    Trips,
    /// Two pairs.
    TwoPair,
    /// One pair.
    Pair,
    /// No combination: the highest cards count.
    HighCard,
}

impl Category {
    /// All categories, best first.
    pub const ALL: [Category; 10] = [
        Category::RoyalFlush,
        Category::StraightFlush,
        Category::Quads,
        Category::FullHouse,
        Category::Flush,
        Category::Straight,
        Category::Trips,
        Category::TwoPair,
        Category::Pair,
        Category::HighCard,
    ];

    /// The worst rank of each category, in the order of [`Category::ALL`].
    const WORST: [u16; 10] = [0, 9, 165, 321, 1598, 1608, 2466, 3324, 6184, 7461];

    /// Returns the ranks of the category under the standard rules.
    ///
    /// ```
    /// use croupier_poker::Category;
    /// assert_eq!(Category::FullHouse.ranks(), 166..=321);
    /// ```
    #[must_use]
    pub const fn ranks(self) -> core::ops::RangeInclusive<u16> {
        let index = self as usize;
        let first = if index == 0 {
            0
        } else {
            Category::WORST[index - 1] + 1
        };
        first..=Category::WORST[index]
    }

    /// Returns the name in data files: `full_house`, `straight_flush`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Category::RoyalFlush => "royal",
            Category::StraightFlush => "straight_flush",
            Category::Quads => "quads",
            Category::FullHouse => "full_house",
            Category::Flush => "flush",
            Category::Straight => "straight",
            Category::Trips => "trips",
            Category::TwoPair => "two_pair",
            Category::Pair => "pair",
            Category::HighCard => "high",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Category::RoyalFlush => "royal flush",
            Category::StraightFlush => "straight flush",
            Category::Quads => "four of a kind",
            Category::FullHouse => "full house",
            Category::Flush => "flush",
            Category::Straight => "straight",
            Category::Trips => "three of a kind",
            Category::TwoPair => "two pair",
            Category::Pair => "pair",
            Category::HighCard => "high card",
        })
    }
}

impl HandRank {
    /// The best rank.
    pub const ROYAL_FLUSH: HandRank = HandRank(0);
    /// The worst rank that occurs.
    pub const WORST: HandRank = HandRank(7461);
    /// Number of ranks.
    pub const COUNT: usize = 7462;

    /// Returns the category of the rank.
    ///
    /// ```
    /// use croupier_poker::{Category, HandRank};
    /// assert_eq!(HandRank(1608).category(), Category::Straight);
    /// ```
    #[must_use]
    pub fn category(self) -> Category {
        let index = Category::WORST.partition_point(|&worst| worst < self.0);
        *Category::ALL.get(index).unwrap_or(&Category::HighCard)
    }
}

#[cfg(feature = "std")]
impl HandRank {
    /// Returns the five ranks of the hand, the significant ones first: `KKKQQ`, and `5432A` for the wheel.
    ///
    /// ```
    /// assert_eq!(croupier_poker::HandRank(179).pattern(), "KKKQQ");
    /// ```
    #[must_use]
    pub fn pattern(self) -> String {
        self.class()
            .ranks
            .iter()
            .map(|&rank| RANK_LETTERS[usize::from(rank)] as char)
            .collect()
    }

    /// Describes the hand as a player would announce it.
    ///
    /// ```
    /// assert_eq!(croupier_poker::HandRank(179).describe(), "full house, kings full of queens");
    /// assert_eq!(croupier_poker::HandRank(9).describe(), "straight flush, five high");
    /// ```
    #[must_use]
    pub fn describe(self) -> String {
        describe(self.class())
    }

    fn class(self) -> &'static HandClass {
        let classes = reference::standard().classes();
        &classes[usize::from(self.0).min(classes.len() - 1)]
    }
}

impl fmt::Display for HandRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The letters of the ranks, deuce first.
#[cfg(feature = "std")]
pub(crate) const RANK_LETTERS: &[u8; 13] = b"23456789TJQKA";

#[cfg(feature = "std")]
const NAMES: [(&str, &str); 13] = [
    ("deuce", "deuces"),
    ("three", "threes"),
    ("four", "fours"),
    ("five", "fives"),
    ("six", "sixes"),
    ("seven", "sevens"),
    ("eight", "eights"),
    ("nine", "nines"),
    ("ten", "tens"),
    ("jack", "jacks"),
    ("queen", "queens"),
    ("king", "kings"),
    ("ace", "aces"),
];

/// Describes a class, under any set of rules.
#[cfg(feature = "std")]
pub(crate) fn describe(class: &HandClass) -> String {
    let one = |place: usize| NAMES[usize::from(class.ranks[place])].0;
    let many = |place: usize| NAMES[usize::from(class.ranks[place])].1;
    let list = |from: usize| (from..5).map(one).collect::<Vec<_>>().join(", ");
    match class.category {
        Category::RoyalFlush => "royal flush".to_string(),
        Category::StraightFlush => format!("straight flush, {} high", one(0)),
        Category::Quads => format!("four of a kind, {} with {} kicker", many(0), one(4)),
        Category::FullHouse => format!("full house, {} full of {}", many(0), many(3)),
        Category::Flush => format!("flush, {}", list(0)),
        Category::Straight => format!("straight, {} high", one(0)),
        Category::Trips => format!("three of a kind, {} with {}", many(0), list(3)),
        Category::TwoPair => {
            format!(
                "two pair, {} and {} with {} kicker",
                many(0),
                many(2),
                one(4)
            )
        }
        Category::Pair => format!("pair of {} with {}", many(0), list(2)),
        Category::HighCard => format!("high card, {}", list(0)),
    }
}
