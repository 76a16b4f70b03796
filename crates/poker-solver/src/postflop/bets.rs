//! Bet sizes: their notation, and the sizes of a player on a street.

use std::fmt;
use std::str::FromStr;

/// The size of a bet or raise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BetSize {
    /// A share of the pot (for a raise: of the pot after a call), written `50%`.
    Pot(f64),
    /// A multiple of the bet that is raised, written `2.5x`.
    Times(f64),
    /// A number of chips (for a raise: the number to raise to), written `40`.
    Chips(f64),
    /// The whole stack, written `a`.
    AllIn,
}

/// A text that is not a bet size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetSizeError {
    text: String,
    reason: &'static str,
}

impl fmt::Display for BetSizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.text, self.reason)
    }
}

impl std::error::Error for BetSizeError {}

impl FromStr for BetSize {
    type Err = BetSizeError;

    fn from_str(text: &str) -> Result<BetSize, BetSizeError> {
        let error = |reason| BetSizeError {
            text: text.to_owned(),
            reason,
        };
        let lower = text.trim().to_ascii_lowercase();
        if matches!(lower.as_str(), "a" | "allin" | "all-in") {
            return Ok(BetSize::AllIn);
        }
        let number = |digits: &str| match digits.trim().parse::<f64>() {
            Ok(value) if value.is_finite() && value > 0.0 && value <= 1e9 => Ok(value),
            _ => Err(error(
                "a bet size is a share of the pot (50%), a multiple (2.5x, raises only), chips (40) or a for all-in",
            )),
        };
        if let Some(digits) = lower.strip_suffix('%') {
            return Ok(BetSize::Pot(number(digits)? / 100.0));
        }
        if let Some(digits) = lower.strip_suffix('x') {
            let times = number(digits)?;
            return match times > 1.0 {
                true => Ok(BetSize::Times(times)),
                false => Err(error("a raise is a multiple greater than 1, as in 2.5x")),
            };
        }
        Ok(BetSize::Chips(number(&lower)?))
    }
}

impl fmt::Display for BetSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BetSize::Pot(share) => write!(f, "{}%", round(share * 100.0)),
            BetSize::Times(times) => write!(f, "{times}x"),
            BetSize::Chips(chips) => write!(f, "{chips}"),
            BetSize::AllIn => f.write_str("a"),
        }
    }
}

/// Maximum number of sizes in a list.
const MOST_SIZES: usize = 16;

/// Rounds an amount to a millionth of a chip, so that sums of shares of the pot compare equal.
pub(super) fn round(amount: f64) -> f64 {
    (amount * 1e6).round() / 1e6
}

/// A betting round after the flop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Street {
    /// Three cards on the board.
    Flop,
    /// Four cards on the board.
    Turn,
    /// Five cards on the board.
    River,
}

impl Street {
    /// All streets in order.
    pub const ALL: [Street; 3] = [Street::Flop, Street::Turn, Street::River];

    /// Returns the street with `cards` cards on the board.
    #[must_use]
    pub fn with_board(cards: usize) -> Option<Street> {
        Street::ALL.get(cards.checked_sub(3)?).copied()
    }

    /// Returns the street after this one; `None` for the river.
    #[must_use]
    pub fn next(self) -> Option<Street> {
        Street::ALL.get(self as usize + 1).copied()
    }

    /// Returns the name in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["flop", "turn", "river"][self as usize]
    }
}

/// One list of bet sizes for every street and player, out of position first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SizeTable([[Vec<BetSize>; 2]; 3]);

impl SizeTable {
    /// Returns the sizes of a player (0 out of position, 1 in position) on a street.
    #[must_use]
    pub fn get(&self, street: Street, player: usize) -> &[BetSize] {
        &self.0[street as usize][player]
    }

    /// Reads a list of sizes and sets it for the streets and players of its prefix: `50%,100%,a` everywhere, `river:
    /// 75%,a` on a street, `oop: none` or `ip turn: 33%` for a player.
    ///
    /// # Errors
    /// Reports a word that is not a street, player or size. Multiples are allowed only `with_multiples` (for raises).
    pub fn set(&mut self, text: &str, with_multiples: bool) -> Result<(), BetSizeError> {
        let error = |text: &str, reason| BetSizeError {
            text: text.trim().to_owned(),
            reason,
        };
        let (place, list) = text.split_once(':').unwrap_or(("", text));
        let (mut street, mut player) = (None, None);
        for word in place.split_whitespace() {
            match word.to_ascii_lowercase().as_str() {
                "flop" => street = Some(0),
                "turn" => street = Some(1),
                "river" => street = Some(2),
                "oop" => player = Some(0),
                "ip" => player = Some(1),
                _ => {
                    return Err(error(
                        word,
                        "use flop, turn, river, oop or ip before the colon",
                    ));
                }
            }
        }
        let mut sizes = Vec::new();
        let list = list.trim();
        if !list.is_empty() && !list.eq_ignore_ascii_case("none") {
            for part in list.split(',') {
                let size: BetSize = part.parse()?;
                if matches!(size, BetSize::Times(_)) && !with_multiples {
                    return Err(error(
                        part,
                        "a bet has no multiple; use a share of the pot, as in 50%",
                    ));
                }
                sizes.push(size);
                if sizes.len() > MOST_SIZES {
                    return Err(error(list, "a list has 16 sizes at most"));
                }
            }
        }
        for (row, players) in self.0.iter_mut().enumerate() {
            for (column, place) in players.iter_mut().enumerate() {
                if street.is_none_or(|s| s == row) && player.is_none_or(|p| p == column) {
                    place.clone_from(&sizes);
                }
            }
        }
        Ok(())
    }

    /// Writes the table as texts for [`set`](SizeTable::set), one for every street and player.
    pub(super) fn texts(&self) -> impl Iterator<Item = String> {
        let players = ["oop", "ip"];
        Street::ALL.into_iter().flat_map(move |street| {
            (0..2).map(move |player| {
                let sizes: Vec<String> = self
                    .get(street, player)
                    .iter()
                    .map(BetSize::to_string)
                    .collect();
                let list = if sizes.is_empty() {
                    "none".to_owned()
                } else {
                    sizes.join(",")
                };
                format!("{} {}: {list}", street.name(), players[player])
            })
        })
    }
}
