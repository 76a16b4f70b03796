//! Suits and strains.

/// One of the four suits, in bridge order: clubs lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Suit {
    /// ♣
    Clubs = 0,
    /// ♦
    Diamonds = 1,
    /// ♥
    Hearts = 2,
    /// ♠
    Spades = 3,
}

impl Suit {
    /// All suits, clubs first: the order of the bits in a [`CardSet`](crate::CardSet).
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];
    /// All suits, spades first: the order in which hands are written.
    pub const DESCENDING: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

    /// 0 for clubs to 3 for spades.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The suit with this index.
    ///
    /// # Panics
    /// If `index` is above 3.
    #[must_use]
    pub const fn from_index(index: usize) -> Suit {
        Suit::ALL[index]
    }

    /// `C`, `D`, `H` or `S`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self as usize]
    }

    /// The suit of a letter in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Suit> {
        match letter {
            'C' | 'c' => Some(Suit::Clubs),
            'D' | 'd' => Some(Suit::Diamonds),
            'H' | 'h' => Some(Suit::Hearts),
            'S' | 's' => Some(Suit::Spades),
            _ => None,
        }
    }

    /// `♣`, `♦`, `♥` or `♠`.
    #[must_use]
    pub const fn symbol(self) -> char {
        ['♣', '♦', '♥', '♠'][self as usize]
    }

    /// `clubs`, `diamonds`, `hearts` or `spades`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["clubs", "diamonds", "hearts", "spades"][self as usize]
    }

    /// Hearts or spades.
    #[must_use]
    pub const fn is_major(self) -> bool {
        matches!(self, Suit::Hearts | Suit::Spades)
    }
}

/// A suit as trumps, or no trumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Strain {
    /// Clubs are trumps.
    Clubs = 0,
    /// Diamonds are trumps.
    Diamonds = 1,
    /// Hearts are trumps.
    Hearts = 2,
    /// Spades are trumps.
    Spades = 3,
    /// No trumps.
    Notrump = 4,
}

impl Strain {
    /// All strains in bidding order, clubs first.
    pub const ALL: [Strain; 5] = [
        Strain::Clubs,
        Strain::Diamonds,
        Strain::Hearts,
        Strain::Spades,
        Strain::Notrump,
    ];

    /// All strains as hand records list them, notrump first.
    pub const DESCENDING: [Strain; 5] = [
        Strain::Notrump,
        Strain::Spades,
        Strain::Hearts,
        Strain::Diamonds,
        Strain::Clubs,
    ];

    /// 0 for clubs to 4 for notrump.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The strain with this index.
    ///
    /// # Panics
    /// If `index` is above 4.
    #[must_use]
    pub const fn from_index(index: usize) -> Strain {
        Strain::ALL[index]
    }

    /// The trump suit, if there is one.
    #[must_use]
    pub const fn suit(self) -> Option<Suit> {
        match self {
            Strain::Clubs => Some(Suit::Clubs),
            Strain::Diamonds => Some(Suit::Diamonds),
            Strain::Hearts => Some(Suit::Hearts),
            Strain::Spades => Some(Suit::Spades),
            Strain::Notrump => None,
        }
    }

    /// `C`, `D`, `H`, `S` or `N`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['C', 'D', 'H', 'S', 'N'][self as usize]
    }

    /// The strain of a letter in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Strain> {
        match letter {
            'N' | 'n' => Some(Strain::Notrump),
            _ => match Suit::from_letter(letter) {
                Some(suit) => Some(Strain::from_suit(suit)),
                None => None,
            },
        }
    }

    /// That suit as trumps.
    #[must_use]
    pub const fn from_suit(suit: Suit) -> Strain {
        Strain::ALL[suit as usize]
    }

    /// `clubs`, `diamonds`, `hearts`, `spades` or `notrump`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["clubs", "diamonds", "hearts", "spades", "notrump"][self as usize]
    }
}

impl From<Suit> for Strain {
    fn from(suit: Suit) -> Strain {
        Strain::from_suit(suit)
    }
}
