//! The result: exact counts or estimates, and the equity of each player.

use std::fmt;

use statistics::interval::{SampleMean, share};

use super::plan::Algorithm;

/// Units of a whole pot: twice the least common multiple of 1 to 10, the possible numbers of winners. So every share of
/// a pot or of half a pot is a whole number.
pub(super) const POT: u128 = 5040;

/// The confidence of all intervals of this crate.
const CONFIDENCE: f64 = 0.95;

/// The winners of a deal: a set of players for the pot, and one for the low half if there was a low hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Winners {
    /// The winners of the pot or of its high half: bit i for player i.
    pub main: u16,
    /// The winners of the low half; 0 if there was no low hand.
    pub low: u16,
}

impl Winners {
    /// Returns the player's share of the pot, in units of [`POT`].
    fn share(self, player: usize) -> u128 {
        let of = |set: u16, pot: u128| match set >> player & 1 {
            1 => pot / u128::from(set.count_ones()),
            _ => 0,
        };
        match self.low {
            0 => of(self.main, POT),
            low => of(self.main, POT / 2) + of(low, POT / 2),
        }
    }
}

/// The weight of the deals that each set of winners won.
pub(super) type Outcomes = Vec<(Winners, u128)>;

/// Converts counts by the set of winners of the whole pot to outcomes.
pub(super) fn from_sets(counts: &[u128]) -> Outcomes {
    let winners = |set: usize| Winners {
        main: set as u16,
        low: 0,
    };
    let some = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
    some.map(|(set, &count)| (winners(set), count)).collect()
}

/// An exact decimal number: a count divided by the unit of the weights.
#[derive(Clone, Copy, Debug)]
pub struct Decimal {
    count: u128,
    unit: u128,
}

impl Decimal {
    /// Returns the number as floating point.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.count as f64 / self.unit as f64
    }

    /// Returns the number as an integer; `None` if it has a fraction, as weights can give.
    ///
    /// ```
    /// use croupier_poker::{Game, Query};
    /// let players = vec!["AhAs".parse()?, "KdKc:0.5".parse()?];
    /// let equity = Query::new(Game::Holdem, players).solve(&Default::default())?;
    /// assert_eq!(equity.deals().to_integer(), Some(1_712_304 / 2));
    /// assert_eq!(equity.deals().as_fraction(), (1_712_304 / 2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_integer(self) -> Option<u128> {
        self.is_whole().then(|| self.count / self.unit)
    }

    /// Returns the numerator and denominator, without a common divisor.
    #[must_use]
    pub fn as_fraction(self) -> (u128, u128) {
        reduced(self.count, self.unit)
    }

    /// Returns whether the number is whole.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.count.is_multiple_of(self.unit)
    }
}

/// Divides both numbers by their greatest common divisor.
fn reduced(numerator: u128, denominator: u128) -> (u128, u128) {
    let (mut a, mut b) = (numerator, denominator);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let divisor = a.max(1);
    (numerator / divisor, denominator / divisor)
}

impl PartialEq<u128> for Decimal {
    fn eq(&self, other: &u128) -> bool {
        self.is_whole() && self.count / self.unit == *other
    }
}

impl fmt::Display for Decimal {
    /// Prints all digits. Units divide powers of ten, so there are finitely many.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = (self.count / self.unit).to_string();
        let mut rest = self.count % self.unit;
        if rest != 0 {
            text.push('.');
        }
        while rest != 0 {
            rest *= 10;
            text.push(char::from(b'0' + (rest / self.unit) as u8));
            rest %= self.unit;
        }
        f.pad(&text)
    }
}

/// The equity of all players.
#[derive(Clone, Debug)]
pub struct Equity {
    pub(super) algorithm: Algorithm,
    pub(super) names: Vec<String>,
    /// How often each set of players won.
    pub(super) outcomes: Outcomes,
    /// The count that a weight of one stands for.
    pub(super) unit: u128,
}

/// The result of one player.
#[derive(Clone, Debug)]
pub struct PlayerEquity {
    /// The range as given.
    pub range: String,
    /// The weight of the deals in which the player takes the whole pot.
    pub wins: Decimal,
    /// The weight of the deals in which the player gets only a part of the pot.
    pub ties: Decimal,
    /// The share of the pot: 0 to 1.
    pub equity: f64,
    /// The share of deals won alone.
    pub win_share: f64,
    /// The share of deals tied.
    pub tie_share: f64,
    /// The standard error of the equity; `None` if it is exact.
    pub standard_error: Option<f64>,
    /// The 95 % intervals of equity, wins and ties; `None` if they are exact.
    pub intervals: Option<ShareIntervals>,
}

impl PlayerEquity {
    /// Returns the interval that holds the true equity with a probability of 95 %; `None` if it is exact.
    #[must_use]
    pub fn confidence_interval(&self) -> Option<(f64, f64)> {
        self.intervals.map(|intervals| intervals.equity)
    }
}

/// The 95 % intervals of simulated shares, each with its lower and upper limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareIntervals {
    /// The interval of the share of the pot.
    pub equity: (f64, f64),
    /// The interval of the share of deals won alone.
    pub win: (f64, f64),
    /// The interval of the share of deals tied.
    pub tie: (f64, f64),
}

impl Equity {
    /// Returns whether all deals were counted.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.algorithm != Algorithm::MonteCarlo
    }

    /// Returns the algorithm that computed the result.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the weight of all deals; their number if all weights are one.
    #[must_use]
    pub fn deals(&self) -> Decimal {
        Decimal {
            count: self.total(),
            unit: self.unit,
        }
    }

    /// Returns the weights of the deals by winners. Sets that never win are left out.
    #[must_use]
    pub fn outcomes(&self) -> Vec<(Winners, Decimal)> {
        let decimal = |count| Decimal {
            count,
            unit: self.unit,
        };
        let all = self.outcomes.iter();
        all.map(|&(winners, count)| (winners, decimal(count)))
            .collect()
    }

    /// Returns the weights of the deals by the winners of the pot or of its high half: bit i of the first number for
    /// player i.
    #[must_use]
    pub fn by_winners(&self) -> Vec<(usize, Decimal)> {
        let mut sets = std::collections::BTreeMap::new();
        for &(winners, count) in &self.outcomes {
            *sets.entry(usize::from(winners.main)).or_insert(0) += count;
        }
        let decimal = |count| Decimal {
            count,
            unit: self.unit,
        };
        sets.into_iter()
            .map(|(set, count)| (set, decimal(count)))
            .collect()
    }

    /// Returns a player's share of the pot as a fraction in lowest terms, numerator and denominator; `None` if it is
    /// simulated or too large for 128 bits.
    ///
    /// ```
    /// use croupier_poker::{Game, Query};
    /// let players = vec!["AhAs".parse()?, "KdKc".parse()?];
    /// let equity = Query::new(Game::Holdem, players).solve(&Default::default())?;
    /// // 1,388,072 wins and 6,538 ties of 1,712,304 deals: 1,391,341 pots, of which 47 is a common divisor.
    /// assert_eq!(equity.exact_share(0), Some((1_391_341 / 47, 1_712_304 / 47)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn exact_share(&self, player: usize) -> Option<(u128, u128)> {
        assert!(player < self.names.len(), "there is such a player");
        let share = |sum: u128, (winners, count): &(Winners, u128)| {
            sum.checked_add(count.checked_mul(winners.share(player))?)
        };
        let shares = self.outcomes.iter().try_fold(0u128, share)?;
        let pots = self.total().checked_mul(POT)?;
        self.is_exact().then(|| reduced(shares, pots))
    }

    /// Returns the results of the players, in the order of the query.
    #[must_use]
    pub fn players(&self) -> Vec<PlayerEquity> {
        (0..self.names.len())
            .map(|player| self.player(player))
            .collect()
    }

    fn total(&self) -> u128 {
        self.outcomes.iter().map(|(_, count)| count).sum()
    }

    fn player(&self, player: usize) -> PlayerEquity {
        let weight_of = |wanted: &dyn Fn(u128) -> bool| -> u128 {
            let fits = |(winners, _): &&(Winners, u128)| wanted(winners.share(player));
            self.outcomes
                .iter()
                .filter(fits)
                .map(|(_, count)| count)
                .sum()
        };
        let wins = weight_of(&|share| share == POT);
        let ties = weight_of(&|share| share > 0 && share < POT);
        let total = self.total() as f64;
        let decimal = |count| Decimal {
            count,
            unit: self.unit,
        };
        PlayerEquity {
            range: self.names[player].clone(),
            wins: decimal(wins),
            ties: decimal(ties),
            equity: mean(&self.outcomes, player),
            win_share: wins as f64 / total,
            tie_share: ties as f64 / total,
            standard_error: (!self.is_exact()).then(|| standard_error(&self.outcomes, player)),
            intervals: (!self.is_exact()).then(|| ShareIntervals {
                equity: interval(&self.outcomes, player),
                win: share(wins as f64, total, CONFIDENCE),
                tie: share(ties as f64, total, CONFIDENCE),
            }),
        }
    }
}

/// Returns the mean share of the pot.
fn mean(outcomes: &Outcomes, player: usize) -> f64 {
    let total: u128 = outcomes.iter().map(|(_, count)| count).sum();
    let exact = outcomes.iter().try_fold(0u128, |sum, (winners, count)| {
        sum.checked_add(count.checked_mul(winners.share(player))?)
    });
    let shares = exact.map_or_else(
        || {
            let share =
                |(winners, count): &(Winners, u128)| *count as f64 * winners.share(player) as f64;
            outcomes.iter().map(share).sum()
        },
        |shares| shares as f64,
    );
    shares / (total as f64 * POT as f64)
}

/// Returns the standard error of the mean, from the sample variance of the player's shares (which are 0,
/// 1, or a fraction where the pot is split; treating them as wins and losses would be wrong).
fn standard_error(outcomes: &Outcomes, player: usize) -> f64 {
    let total: u128 = outcomes.iter().map(|(_, count)| count).sum();
    if total < 2 {
        return f64::INFINITY;
    }
    let mean = mean(outcomes, player);
    let deviations = outcomes.iter().map(|&(winners, count)| {
        let share = winners.share(player) as f64 / POT as f64;
        count as f64 * (share - mean) * (share - mean)
    });
    (deviations.sum::<f64>() / (total - 1) as f64 / total as f64).sqrt()
}

/// Returns the interval of the mean share of the pot. A player who wins all or nothing has the interval of a
/// proportion, which keeps its coverage for rare wins and few deals.
fn interval(outcomes: &Outcomes, player: usize) -> (f64, f64) {
    let total: u128 = outcomes.iter().map(|(_, count)| count).sum();
    let shares = || outcomes.iter().map(|(winners, _)| winners.share(player));
    let mean = mean(outcomes, player);
    if shares().all(|share| share == 0 || share == POT) {
        return share(mean * total as f64, total as f64, CONFIDENCE);
    }
    let error = standard_error(outcomes, player);
    let sample = SampleMean {
        mean,
        variance: error * error,
        observations: u64::try_from(total).unwrap_or(u64::MAX),
        range: (0.0, 1.0),
    };
    sample.interval(CONFIDENCE).unwrap_or((0.0, 1.0))
}

/// Returns the largest standard error of all players.
pub(super) fn largest_standard_error(outcomes: &Outcomes, players: usize) -> f64 {
    (0..players)
        .map(|player| standard_error(outcomes, player))
        .fold(0.0, f64::max)
}
