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

    /// Returns the index: 0 for clubs to 3 for spades.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the suit with this index.
    ///
    /// # Panics
    /// If `index` is above 3.
    #[must_use]
    pub const fn from_index(index: usize) -> Suit {
        Suit::ALL[index]
    }

    /// Returns the letter: `C`, `D`, `H` or `S`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['C', 'D', 'H', 'S'][self as usize]
    }

    /// Returns the suit of a letter in either case.
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

    /// Returns the symbol: `♣`, `♦`, `♥` or `♠`.
    #[must_use]
    pub const fn symbol(self) -> char {
        ['♣', '♦', '♥', '♠'][self as usize]
    }

    /// Returns the name: `clubs`, `diamonds`, `hearts` or `spades`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["clubs", "diamonds", "hearts", "spades"][self as usize]
    }

    /// Returns whether the suit is hearts or spades.
    #[must_use]
    pub const fn is_major(self) -> bool {
        matches!(self, Suit::Hearts | Suit::Spades)
    }
}

/// A trump suit, or notrump.
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

    /// All strains in the order of hand records, notrump first.
    pub const DESCENDING: [Strain; 5] = [
        Strain::Notrump,
        Strain::Spades,
        Strain::Hearts,
        Strain::Diamonds,
        Strain::Clubs,
    ];

    /// Returns the index: 0 for clubs to 4 for notrump.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the strain with this index.
    ///
    /// # Panics
    /// If `index` is above 4.
    #[must_use]
    pub const fn from_index(index: usize) -> Strain {
        Strain::ALL[index]
    }

    /// Returns the trump suit, or `None` in notrump.
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

    /// Returns the letter: `C`, `D`, `H`, `S` or `N`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['C', 'D', 'H', 'S', 'N'][self as usize]
    }

    /// Returns the strain of a letter in either case.
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

    /// Returns the strain in which `suit` is trumps.
    #[must_use]
    pub const fn from_suit(suit: Suit) -> Strain {
        Strain::ALL[suit as usize]
    }

    /// Returns the name: `clubs`, `diamonds`, `hearts`, `spades` or `notrump`.
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
