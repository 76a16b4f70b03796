//! The table: stacks, blinds, and the value of every outcome of a hand.

use std::fmt;

use super::icm::prizes;
use super::match_ups::KINDS;

/// The largest number of players.
pub const MAX_SEATS: usize = 9;

/// The stakes.
#[derive(Clone, Debug, PartialEq)]
pub enum Payoffs {
    /// Chips, in the unit of the stacks.
    Chips,
    /// Prizes from the first place down, by the independent chip model.
    Prizes(Vec<f64>),
}

/// Stacks and blinds. The players are in the order of acting: the small blind is the last but one, the big blind the last.
#[derive(Clone, Debug, PartialEq)]
pub struct PushGame {
    /// Chips before blinds and antes.
    pub stacks: Vec<f64>,
    /// The small and the big blind.
    pub blinds: [f64; 2],
    /// The ante of every player.
    pub ante: f64,
    /// The stakes.
    pub payoffs: Payoffs,
}

/// A table that cannot be played.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PushGameError {
    /// A number of players other than two to nine.
    Players(usize),
    /// Blinds or ante that are not numbers of chips.
    Blinds,
    /// The stack of this player (from 1) does not exceed the player's blind and ante.
    Stack(usize),
    /// Payouts that are negative, not numbers, or all zero.
    Payouts,
}

impl fmt::Display for PushGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PushGameError::Players(number) => write!(f, "{number} stacks; two to {MAX_SEATS} are needed, in the order of acting, the big blind last"),
            PushGameError::Blinds => f.write_str("the big blind must be greater than 0, the small blind from 0 to the big blind, and the ante not negative, as in 0.5,1 and 0.1"),
            PushGameError::Stack(number) => write!(f, "stack {number} does not exceed the blind and the ante of its player"),
            PushGameError::Payouts => f.write_str("payouts are numbers from 0 up, at least one of them positive, as in 50,30,20"),
        }
    }
}

impl std::error::Error for PushGameError {}

impl PushGame {
    /// Checks the numbers.
    ///
    /// # Errors
    /// Reports the first invalid number.
    pub fn check(&self) -> Result<(), PushGameError> {
        let seats = self.stacks.len();
        if !(2..=MAX_SEATS).contains(&seats) {
            return Err(PushGameError::Players(seats));
        }
        let [small, big] = self.blinds;
        let is_chips = |value: f64| (0.0..=1e9).contains(&value);
        if !(is_chips(small) && is_chips(big) && big > 0.0 && small <= big && is_chips(self.ante)) {
            return Err(PushGameError::Blinds);
        }
        let is_enough = |seat: usize| {
            is_chips(self.stacks[seat]) && self.stacks[seat] > self.ante + self.blind(seat)
        };
        if let Some(seat) = (0..seats).find(|&seat| !is_enough(seat)) {
            return Err(PushGameError::Stack(seat + 1));
        }
        if let Payoffs::Prizes(payouts) = &self.payoffs
            && !(payouts.iter().all(|&payout| is_chips(payout))
                && payouts.iter().any(|&payout| payout > 0.0))
        {
            return Err(PushGameError::Payouts);
        }
        Ok(())
    }

    /// Returns the unit of gains: a big blind, or the sum of all prizes.
    #[must_use]
    pub fn unit(&self) -> f64 {
        match &self.payoffs {
            Payoffs::Chips => self.blinds[1],
            Payoffs::Prizes(prizes) => prizes.iter().sum(),
        }
    }

    /// Returns the default tolerance of a search, as a share of [`PushGame::unit`]: smaller for two players who play for
    /// chips, because their search converges to the equilibrium.
    #[must_use]
    pub fn default_tolerance(&self) -> f64 {
        match self.stacks.len() == 2 && self.payoffs == Payoffs::Chips {
            true => 1e-6,
            false => 1e-4,
        }
    }

    /// Returns the blind that a seat posts.
    #[must_use]
    pub fn blind(&self, seat: usize) -> f64 {
        match self.stacks.len() - seat {
            1 => self.blinds[1],
            2 => self.blinds[0],
            _ => 0.0,
        }
    }

    /// Returns the name of a seat: `BB`, `SB`, `BTN`, `CO`, `HJ`, `LJ`, `UTG+2`, `UTG+1`, `UTG`. With two players the small
    /// blind has the button.
    #[must_use]
    pub fn seat_name(&self, seat: usize) -> &'static str {
        const NAMES: [&str; MAX_SEATS] =
            ["BB", "SB", "BTN", "CO", "HJ", "LJ", "UTG+2", "UTG+1", "UTG"];
        let from_end = self.stacks.len() - 1 - seat;
        let is_first = seat == 0 && from_end > 2;
        if is_first { "UTG" } else { NAMES[from_end] }
    }

    /// Returns the value of stacks to every player.
    pub(super) fn worth(&self, stacks: &[f64]) -> Vec<f64> {
        match &self.payoffs {
            Payoffs::Chips => stacks.to_vec(),
            Payoffs::Prizes(payouts) => prizes(stacks, payouts),
        }
    }

    /// Returns the stacks after blinds and antes are posted.
    fn posted(&self) -> Vec<f64> {
        (0..self.stacks.len())
            .map(|seat| self.stacks[seat] - self.ante - self.blind(seat))
            .collect()
    }

    fn pot(&self) -> f64 {
        self.blinds[0] + self.blinds[1] + self.ante * self.stacks.len() as f64
    }

    /// Returns the stacks after all others have folded to `winner`, who has pushed or is the big blind.
    pub(super) fn after_folds(&self, winner: usize) -> Vec<f64> {
        let mut stacks = self.posted();
        stacks[winner] += self.pot();
        stacks
    }

    /// Returns the stacks after a showdown of two players, of which `first` gets the share `share` of the pot.
    pub(super) fn after_showdown(&self, first: usize, second: usize, share: f64) -> Vec<f64> {
        let mut stacks = self.posted();
        let behind = |seat: usize| self.stacks[seat] - self.ante;
        let matched = behind(first).min(behind(second));
        let dead = self.pot() - self.blind(first) - self.blind(second);
        let pot = dead + 2.0 * matched;
        stacks[first] = behind(first) - matched + share * pot;
        stacks[second] = behind(second) - matched + (1.0 - share) * pot;
        stacks
    }
}

/// A decision: to push, or to call a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The seat that decides.
    pub seat: usize,
    /// The seat that has pushed; `None` if all players before have folded.
    pub pusher: Option<usize>,
}

impl Decision {
    /// Returns all decisions at a table of `seats` players.
    #[must_use]
    pub fn all(seats: usize) -> Vec<Decision> {
        let mut all: Vec<Decision> = (0..seats.saturating_sub(1))
            .map(|seat| Decision { seat, pusher: None })
            .collect();
        for pusher in 0..seats {
            all.extend((pusher + 1..seats).map(|seat| Decision {
                seat,
                pusher: Some(pusher),
            }));
        }
        all
    }
}

/// The probability to push or call at a decision: by kind of hand, in the order of [`poker::grid::GridCell::all`].
#[derive(Clone, Debug, PartialEq)]
pub struct PushStrategy {
    /// The decision.
    pub decision: Decision,
    /// The frequency of every kind of hand.
    pub frequencies: [f64; KINDS],
}
