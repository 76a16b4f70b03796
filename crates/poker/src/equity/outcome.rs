//! The answer: exact counts or estimates, and what they mean for each player.

use std::fmt;

use super::plan::Algorithm;

/// Twice-divisible shares: the least common multiple of 1 to 10, the possible numbers of winners.
const SHARE: u128 = 2520;

/// A number that is a count divided by the unit of the weights: exact, with finitely many digits.
#[derive(Clone, Copy, Debug)]
pub struct Decimal {
    count: u128,
    unit: u128,
}

impl Decimal {
    /// The number as floating point.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.count as f64 / self.unit as f64
    }

    /// Whether it is a whole number.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.count.is_multiple_of(self.unit)
    }
}

impl PartialEq<u128> for Decimal {
    fn eq(&self, other: &u128) -> bool {
        self.is_whole() && self.count / self.unit == *other
    }
}

impl fmt::Display for Decimal {
    /// All digits: units divide powers of ten, so the division ends.
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

/// Everybody's equity.
#[derive(Clone, Debug)]
pub struct Equity {
    pub(super) algorithm: Algorithm,
    pub(super) names: Vec<String>,
    /// By winner set: bit i for player i.
    pub(super) counts: Vec<u128>,
    /// What a weight of one counts.
    pub(super) unit: u128,
}

/// What comes out for one player.
#[derive(Clone, Debug)]
pub struct Player {
    /// The range as it was written.
    pub range: String,
    /// The weight of the deals won alone.
    pub wins: Decimal,
    /// The weight of the deals shared with others.
    pub ties: Decimal,
    /// The share of the pot: 0 to 1.
    pub equity: f64,
    /// The share of deals won alone.
    pub win_share: f64,
    /// The share of deals tied.
    pub tie_share: f64,
    /// The standard error of the equity; `None` if it is exact.
    pub standard_error: Option<f64>,
}

impl Player {
    /// The interval that holds the true equity with a probability of 95 %; `None` if it is exact.
    #[must_use]
    pub fn confidence_interval(&self) -> Option<(f64, f64)> {
        let reach = 1.96 * self.standard_error?;
        Some((
            (self.equity - reach).max(0.0),
            (self.equity + reach).min(1.0),
        ))
    }
}

impl Equity {
    /// Whether all deals were counted.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.algorithm != Algorithm::MonteCarlo
    }

    /// How the answer was found.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The weight of all deals; their number if all weights are one.
    #[must_use]
    pub fn deals(&self) -> Decimal {
        Decimal {
            count: self.total(),
            unit: self.unit,
        }
    }

    /// The weights of the deals by winners: bit i of the first number for player i. Sets that
    /// never win are left out.
    #[must_use]
    pub fn by_winners(&self) -> Vec<(usize, Decimal)> {
        let some = self
            .counts
            .iter()
            .copied()
            .enumerate()
            .filter(|&(_, count)| count > 0);
        some.map(|(set, count)| {
            (
                set,
                Decimal {
                    count,
                    unit: self.unit,
                },
            )
        })
        .collect()
    }

    /// The players, in the order of the question.
    #[must_use]
    pub fn players(&self) -> Vec<Player> {
        (0..self.names.len())
            .map(|player| self.player(player))
            .collect()
    }

    fn total(&self) -> u128 {
        self.counts.iter().sum()
    }

    fn player(&self, player: usize) -> Player {
        let of_player = |sets: fn(usize) -> bool| -> u128 {
            let with = |&(set, _): &(usize, &u128)| set >> player & 1 == 1 && sets(set);
            self.counts
                .iter()
                .enumerate()
                .filter(with)
                .map(|(_, count)| count)
                .sum()
        };
        let wins = of_player(|set| set.is_power_of_two());
        let ties = of_player(|set| !set.is_power_of_two());
        let total = self.total() as f64;
        let exact = self.is_exact();
        Player {
            range: self.names[player].clone(),
            wins: Decimal {
                count: wins,
                unit: self.unit,
            },
            ties: Decimal {
                count: ties,
                unit: self.unit,
            },
            equity: mean(&self.counts, player),
            win_share: wins as f64 / total,
            tie_share: ties as f64 / total,
            standard_error: (!exact).then(|| standard_error(&self.counts, player)),
        }
    }
}

/// The mean share of the pot.
fn mean(counts: &[u128], player: usize) -> f64 {
    let total: u128 = counts.iter().sum();
    if let Some(shares) = shares(counts, player) {
        return shares as f64 / (total as f64 * SHARE as f64);
    }
    let share = |(set, &count): (usize, &u128)| count as f64 / f64::from(set.count_ones());
    let mine = counts
        .iter()
        .enumerate()
        .filter(|(set, _)| set >> player & 1 == 1);
    mine.map(share).sum::<f64>() / total as f64
}

/// The sum of the player's shares in parts of [`SHARE`]; `None` if it is too large for integers.
fn shares(counts: &[u128], player: usize) -> Option<u128> {
    let mine = counts
        .iter()
        .enumerate()
        .filter(|(set, _)| set >> player & 1 == 1);
    mine.into_iter().try_fold(0u128, |sum, (set, count)| {
        sum.checked_add(count.checked_mul(SHARE / u128::from(set.count_ones()))?)
    })
}

/// The standard error of the mean, from the sample variance of the player's shares (which are 0,
/// 1, or a fraction where the pot is split; treating them as wins and losses would be wrong).
fn standard_error(counts: &[u128], player: usize) -> f64 {
    let total: u128 = counts.iter().sum();
    if total < 2 {
        return f64::INFINITY;
    }
    let mean = mean(counts, player);
    let deviations = counts.iter().enumerate().map(|(set, &count)| {
        let share = if set >> player & 1 == 1 {
            1.0 / f64::from(set.count_ones())
        } else {
            0.0
        };
        count as f64 * (share - mean) * (share - mean)
    });
    (deviations.sum::<f64>() / (total - 1) as f64 / total as f64).sqrt()
}

/// The largest standard error of all players.
pub(super) fn largest_standard_error(counts: &[u128], players: usize) -> f64 {
    (0..players)
        .map(|player| standard_error(counts, player))
        .fold(0.0, f64::max)
}
