//! Seats, sides and vulnerability.

use core::fmt;
use core::str::FromStr;

use crate::NotationError;

/// One of the four seats at the table, clockwise from North.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Seat {
    /// North.
    North = 0,
    /// East.
    East = 1,
    /// South.
    South = 2,
    /// West.
    West = 3,
}

impl Seat {
    /// All seats, clockwise from North.
    pub const ALL: [Seat; 4] = [Seat::North, Seat::East, Seat::South, Seat::West];

    /// Returns the index: 0 for North to 3 for West.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the seat with this index, counted clockwise from North and modulo four.
    #[must_use]
    pub const fn from_index(index: usize) -> Seat {
        Seat::ALL[index % 4]
    }

    /// Returns the seat `steps` places to the left.
    #[must_use]
    pub const fn clockwise(self, steps: usize) -> Seat {
        Seat::from_index(self as usize + steps % 4)
    }

    /// Returns the seat to the left.
    #[must_use]
    pub const fn next(self) -> Seat {
        self.clockwise(1)
    }

    /// Returns the seat opposite.
    #[must_use]
    pub const fn partner(self) -> Seat {
        self.clockwise(2)
    }

    /// Returns the side of this seat.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            Seat::North | Seat::South => Side::NorthSouth,
            Seat::East | Seat::West => Side::EastWest,
        }
    }

    /// Returns the letter: `N`, `E`, `S` or `W`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['N', 'E', 'S', 'W'][self as usize]
    }

    /// Returns the seat of a letter in either case.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Seat> {
        match letter {
            'N' | 'n' => Some(Seat::North),
            'E' | 'e' => Some(Seat::East),
            'S' | 's' => Some(Seat::South),
            'W' | 'w' => Some(Seat::West),
            _ => None,
        }
    }

    /// Returns the name: `north`, `east`, `south` or `west`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["north", "east", "south", "west"][self as usize]
    }

    /// Returns the seat that deals board number `board` (1-based) of a duplicate set.
    #[must_use]
    pub const fn dealer_of_board(board: u64) -> Seat {
        Seat::from_index((board.wrapping_add(3) % 4) as usize)
    }
}

/// One of the two partnerships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// North and South.
    NorthSouth = 0,
    /// East and West.
    EastWest = 1,
}

impl Side {
    /// Both sides.
    pub const ALL: [Side; 2] = [Side::NorthSouth, Side::EastWest];

    /// Returns the index: 0 for North-South, 1 for East-West.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the two seats of the side: North, South or East, West.
    #[must_use]
    pub const fn seats(self) -> [Seat; 2] {
        match self {
            Side::NorthSouth => [Seat::North, Seat::South],
            Side::EastWest => [Seat::East, Seat::West],
        }
    }

    /// Returns the other side.
    #[must_use]
    pub const fn opponents(self) -> Side {
        match self {
            Side::NorthSouth => Side::EastWest,
            Side::EastWest => Side::NorthSouth,
        }
    }

    /// Returns the letters: `NS` or `EW`.
    #[must_use]
    pub const fn letters(self) -> &'static str {
        ["NS", "EW"][self as usize]
    }
}

/// The sides that are vulnerable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Vulnerability {
    /// Neither side.
    None = 0,
    /// North-South only.
    NorthSouth = 1,
    /// East-West only.
    EastWest = 2,
    /// Both sides.
    Both = 3,
}

impl Vulnerability {
    /// All four, starting with neither side.
    pub const ALL: [Vulnerability; 4] = [
        Vulnerability::None,
        Vulnerability::NorthSouth,
        Vulnerability::EastWest,
        Vulnerability::Both,
    ];

    /// Returns the index: 0 none, 1 North-South, 2 East-West, 3 both.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the vulnerability of board number `board` (1-based) of a duplicate set: a cycle of sixteen.
    ///
    /// ```
    /// use croupier_cards::Vulnerability;
    /// assert_eq!(Vulnerability::of_board(1), Vulnerability::None);
    /// assert_eq!(Vulnerability::of_board(7), Vulnerability::Both);
    /// assert_eq!(Vulnerability::of_board(16), Vulnerability::EastWest);
    /// ```
    #[must_use]
    pub const fn of_board(board: u64) -> Vulnerability {
        let n = board.wrapping_sub(1) % 16;
        // Each round of four starts one step later in none, NS, EW, both.
        Vulnerability::ALL[((n + n / 4) % 4) as usize]
    }

    /// Returns whether that side is vulnerable.
    #[must_use]
    pub const fn includes(self, side: Side) -> bool {
        match side {
            Side::NorthSouth => matches!(self, Vulnerability::NorthSouth | Vulnerability::Both),
            Side::EastWest => matches!(self, Vulnerability::EastWest | Vulnerability::Both),
        }
    }

    /// Returns the vulnerability of a word, or `None`. Case, blanks around it and the hyphen of `N-S` do not matter:
    ///
    /// | nobody | North-South | East-West | both |
    /// |---|---|---|---|
    /// | `none` `nobody` `love` `nv` `-` `o` `0` | `ns` `n` `1` | `ew` `e` `2` | `both` `all` `everybody` `b` `3` |
    ///
    /// These are the spellings of PBN, LIN, scripts and command-line switches; the numbers are those of
    /// [`Vulnerability::index`].
    #[must_use]
    pub fn from_word(word: &str) -> Option<Vulnerability> {
        const WORDS: [(&str, Vulnerability); 16] = [
            ("none", Vulnerability::None),
            ("nobody", Vulnerability::None),
            ("love", Vulnerability::None),
            ("nv", Vulnerability::None),
            ("-", Vulnerability::None),
            ("o", Vulnerability::None),
            ("ns", Vulnerability::NorthSouth),
            ("n-s", Vulnerability::NorthSouth),
            ("n", Vulnerability::NorthSouth),
            ("ew", Vulnerability::EastWest),
            ("e-w", Vulnerability::EastWest),
            ("e", Vulnerability::EastWest),
            ("both", Vulnerability::Both),
            ("all", Vulnerability::Both),
            ("b", Vulnerability::Both),
            ("everybody", Vulnerability::Both),
        ];
        let word = word.trim();
        if let [digit @ b'0'..=b'3'] = word.as_bytes() {
            return Some(Vulnerability::ALL[usize::from(digit - b'0')]);
        }
        WORDS
            .iter()
            .find(|(spelling, _)| spelling.eq_ignore_ascii_case(word))
            .map(|&(_, vulnerability)| vulnerability)
    }

    /// Returns the word of scripts: `none`, `ns`, `ew` or `both`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        ["none", "ns", "ew", "both"][self as usize]
    }

    /// Returns the word of PBN: `None`, `NS`, `EW` or `All`.
    #[must_use]
    pub const fn pbn(self) -> &'static str {
        ["None", "NS", "EW", "All"][self as usize]
    }
}

impl fmt::Display for Vulnerability {
    /// Writes the word of PBN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.pbn())
    }
}

impl FromStr for Vulnerability {
    type Err = NotationError;

    /// Reads every spelling of [`Vulnerability::from_word`].
    ///
    /// ```
    /// use croupier_cards::Vulnerability;
    /// assert_eq!("N-S".parse(), Ok(Vulnerability::NorthSouth));
    /// assert_eq!("Love".parse(), Ok(Vulnerability::None));
    /// assert!("sometimes".parse::<Vulnerability>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Vulnerability, NotationError> {
        Vulnerability::from_word(text).ok_or(NotationError::Vulnerability)
    }
}
