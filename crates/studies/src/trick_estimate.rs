//! Distributions of tricks around the solver's estimate of a deal.

use cards::{Deal, Side, Strain};
use solver::{Bounds, estimate};

/// Standard deviation of tricks around their estimate, in a suit and in notrump.
const SPREADS: [f64; 2] = [0.7, 1.0];

/// A distribution of a side's tricks: an estimate and the spread around it.
#[derive(Clone, Copy, Debug)]
pub struct TrickEstimate {
    hundredths: i32,
    spread: f64,
}

impl TrickEstimate {
    /// Creates the distribution around `hundredths` hundredths of a trick in `strain`.
    pub fn new(hundredths: i32, strain: Strain) -> TrickEstimate {
        let spread = SPREADS[usize::from(strain == Strain::Notrump)];
        TrickEstimate { hundredths, spread }
    }

    /// Estimates the tricks of `side` as declarer in `strain`.
    pub fn of_declarer(deal: &Deal, side: Side, strain: Strain) -> TrickEstimate {
        let holdings = estimate::holdings(deal);
        TrickEstimate::new(estimate::estimate_holdings(&holdings, side, strain), strain)
    }

    /// Returns the distribution of the opponents' tricks.
    pub fn of_opponents(self) -> TrickEstimate {
        TrickEstimate {
            hundredths: 1300 - self.hundredths,
            ..self
        }
    }

    /// Returns the distribution with twice the spread.
    pub fn with_double_spread(self) -> TrickEstimate {
        TrickEstimate {
            spread: 2.0 * self.spread,
            ..self
        }
    }

    /// Returns the quantile at `share`, 0 to 1, of the distribution limited to `bounds`.
    pub fn quantile(self, share: f64, bounds: Bounds) -> u8 {
        let probabilities = self.probabilities();
        let within = || bounds.low..=bounds.high;
        let total: f64 = within()
            .map(|tricks| probabilities[usize::from(tricks)])
            .sum();
        if total <= 0.0 {
            let nearest = self.tricks().round().clamp(0.0, 13.0) as u8;
            return nearest.clamp(bounds.low, bounds.high);
        }
        let mut below = 0.0;
        let is_reached = |tricks: &u8| {
            below += probabilities[usize::from(*tricks)];
            below > share * total
        };
        within().find(is_reached).unwrap_or(bounds.high)
    }

    /// Returns the estimated tricks.
    pub fn tricks(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// Returns the probabilities of 0 to 13 tricks: the kernel (1 - x²)³, which has no tails. It needs only arithmetic, so
    /// that the values are the same on every platform.
    fn probabilities(self) -> [f64; 14] {
        let mut probabilities: [f64; 14] = std::array::from_fn(|tricks| {
            let x = (tricks as f64 - self.tricks()) / (3.0 * self.spread);
            (1.0 - x * x).max(0.0).powi(3)
        });
        let total: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|it| *it /= total);
        probabilities
    }

    /// Returns the mean of `value(tricks)` over the distribution.
    pub fn mean_of(self, value: impl Fn(u8) -> f64) -> f64 {
        let probabilities = self.probabilities().into_iter().zip(0..);
        probabilities
            .filter(|&(probability, _)| probability > 0.0)
            .map(|(probability, tricks)| probability * value(tricks))
            .sum()
    }

    /// Returns the probability of at least `least` tricks.
    pub fn at_least(self, least: u8) -> f64 {
        self.mean_of(|tricks| f64::from(u8::from(tricks >= least)))
    }
}
