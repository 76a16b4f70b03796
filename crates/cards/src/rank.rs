//! The thirteen ranks of cards.

/// The rank of a card: 0 for the deuce to 12 for the ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// The deuce.
    pub const TWO: Rank = Rank(0);
    /// The three.
    pub const THREE: Rank = Rank(1);
    /// The four.
    pub const FOUR: Rank = Rank(2);
    /// The five.
    pub const FIVE: Rank = Rank(3);
    /// The six.
    pub const SIX: Rank = Rank(4);
    /// The seven.
    pub const SEVEN: Rank = Rank(5);
    /// The eight.
    pub const EIGHT: Rank = Rank(6);
    /// The nine.
    pub const NINE: Rank = Rank(7);
    /// The ten.
    pub const TEN: Rank = Rank(8);
    /// The jack.
    pub const JACK: Rank = Rank(9);
    /// The queen.
    pub const QUEEN: Rank = Rank(10);
    /// The king.
    pub const KING: Rank = Rank(11);
    /// The ace.
    pub const ACE: Rank = Rank(12);

    /// All ranks, deuce first.
    pub const ALL: [Rank; 13] = {
        let mut all = [Rank(0); 13];
        let mut i = 0;
        while i < 13 {
            all[i] = Rank(i as u8);
            i += 1;
        }
        all
    };

    /// Returns the index: 0 for the deuce to 12 for the ace.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the rank with this index, or `None` if it is above 12.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Rank> {
        if index < 13 {
            Some(Rank(index as u8))
        } else {
            None
        }
    }

    /// Returns the letter: `2` to `9`, `T`, `J`, `Q`, `K`, `A`.
    #[must_use]
    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self.0 as usize] as char
    }

    /// Returns the rank of a letter in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Rank> {
        let index = match letter {
            '2'..='9' => letter as u8 - b'2',
            'T' | 't' => 8,
            'J' | 'j' => 9,
            'Q' | 'q' => 10,
            'K' | 'k' => 11,
            'A' | 'a' => 12,
            _ => return None,
        };
        Some(Rank(index))
    }
}
