//! The mean of something that is known of some deals, with the help of something that is known of all.

use solver::study::Estimate;
use statistics::normal;

use crate::regression::{Products, best_fit};

/// Parts of the solved deals: what is learnt from all others is used on each.
const FOLDS: usize = 10;
/// Parts of what is learnt from: each chooses the penalties of the others.
const INNER: usize = 3;
/// Solved deals below which nothing is learnt from them.
const FEWEST: usize = 50;

/// The values of several quantities on the solved deals, and what is seen of all deals at a glance: the controls.
///
/// The estimator is that of two-phase sampling with cross-fitted regression. The solved deals are taken in ten parts by
/// turns; the coefficients found on nine of them are used on the tenth and on all deals that are not solved.
/// Coefficients and the deals they are used on are independent, so the mean is exactly unbiased, whatever the controls
/// are.
///
/// The solved deals may be [chosen](Sample::chosen): each of the deals that come is solved with a chance that depends on
/// what is seen of it. What a deal tells then counts in inverse proportion to its chance, and the deals that are looked
/// at are others than those that were to be chosen from, so that nothing is biased by the choice either.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Sums of the controls of all deals.
    total: Vec<f64>,
    all: usize,
    /// The sum of the chances of all deals.
    chances: f64,
    /// Whether the solved deals are others than those that were looked at.
    apart: bool,
    /// How many of the controls are trusted more than the others: the first of them.
    few: usize,
    controls: Vec<Vec<f64>>,
    /// The chance that each solved deal had.
    chance: Vec<f64>,
    /// Quantity by quantity, deal by deal.
    values: Vec<Vec<f64>>,
}

impl Sample {
    /// A sample of so many quantities. The first `few` controls are trusted more than the others.
    #[must_use]
    pub fn new(quantities: usize, few: usize) -> Sample {
        Sample {
            total: Vec::new(),
            all: 0,
            chances: 0.0,
            apart: false,
            few,
            controls: Vec::new(),
            chance: Vec::new(),
            values: vec![Vec::new(); quantities],
        }
    }

    /// The same, but the solved deals are chosen among others than those that are looked at.
    #[must_use]
    pub fn chosen(quantities: usize, few: usize) -> Sample {
        Sample {
            apart: true,
            ..Sample::new(quantities, few)
        }
    }

    /// Looks at a deal, whether it will be solved or not. Every deal has as many controls as the first.
    pub fn look(&mut self, controls: &[f64]) {
        self.look_at(controls, 1.0);
    }

    /// Looks at a deal that would have had this chance to be chosen.
    pub fn look_at(&mut self, controls: &[f64], chance: f64) {
        self.total.resize(controls.len(), 0.0);
        self.all += 1;
        self.chances += chance;
        self.total
            .iter_mut()
            .zip(controls)
            .for_each(|(sum, x)| *sum += x);
    }

    /// Adds the controls and the quantities of a solved deal, one that was looked at before.
    pub fn add(&mut self, controls: Vec<f64>, values: &[f64]) {
        self.add_chosen(controls, 1.0, values);
    }

    /// Adds a solved deal that was chosen with this chance.
    pub fn add_chosen(&mut self, controls: Vec<f64>, chance: f64, values: &[f64]) {
        self.controls.push(controls);
        self.chance.push(chance);
        for (all, value) in self.values.iter_mut().zip(values) {
            all.push(*value);
        }
    }

    /// How many deals were added.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.controls.len()
    }

    /// How many solved deals have a value other than 0, and how many one other than 1.
    pub(crate) fn successes_and_failures(&self, quantity: usize) -> (usize, usize) {
        let values = &self.values[quantity];
        let other = |than: f64| values.iter().filter(|&&value| value != than).count();
        (other(0.0), other(1.0))
    }

    /// What the solved deals count for: on average about 1.
    fn weights(&self) -> Vec<f64> {
        let usual = match self.apart {
            true => self.chances / self.all as f64,
            false => 1.0,
        };
        self.chance.iter().map(|chance| usual / chance).collect()
    }

    /// Weighted mean and variance of a quantity: those of deals as they come.
    fn moments(&self, quantity: usize) -> (f64, f64) {
        let (values, weights) = (&self.values[quantity], self.weights());
        let total: f64 = weights.iter().sum();
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            let terms = values.iter().zip(&weights);
            terms.map(|(&value, weight)| weight * of(value)).sum()
        };
        let mean = sum(&|value| value) / total;
        let squares = sum(&|value| (value - mean).powi(2));
        let n = values.len() as f64;
        (mean, squares / total * n / (n - 1.0).max(1.0))
    }

    /// The mean of a quantity from the solved deals alone, and the interval that as many deals would give if they were solved
    /// as they come.
    #[must_use]
    pub fn plain(&self, quantity: usize) -> Estimate {
        let (mean, variance) = self.moments(quantity);
        interval(mean, variance / self.solved() as f64)
    }

    /// The share of deals with a certain value, from the solved deals alone.
    #[must_use]
    pub fn share(&self, quantity: usize, value: f64) -> f64 {
        let weights = self.weights();
        let of = self.values[quantity].iter().zip(&weights);
        let with = of
            .filter(|(x, _)| **x == value)
            .fold(0.0, |sum, (_, w)| sum + w);
        with / weights.iter().sum::<f64>()
    }

    /// As many deals solved as they come as would tell as much about rare things as the solved ones do.
    pub(crate) fn worth(&self) -> f64 {
        let weights = self.weights();
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        weights.iter().sum::<f64>().powi(2) / squares
    }

    /// The honest interval of the solved deals alone.
    fn alone(&self, quantity: usize) -> Estimate {
        let (mean, _) = self.moments(quantity);
        let terms = self.values[quantity].iter().zip(self.weights());
        let squares: f64 = terms.map(|(x, w)| (w * (x - mean)).powi(2)).sum();
        let n = self.solved() as f64;
        interval(mean, squares / (n - 1.0).max(1.0) / n)
    }

    /// The mean of a quantity with the help of the controls, and its interval.
    ///
    /// With few solved deals, or no deals beyond the solved ones, this is the mean of the solved ones.
    #[must_use]
    pub fn combined(&self, quantity: usize) -> Estimate {
        self.all_combined(&[quantity])
            .pop()
            .unwrap_or_else(|| self.alone(quantity))
    }

    /// The same for several quantities, which costs little more than for one.
    #[must_use]
    pub fn all_combined(&self, quantities: &[usize]) -> Vec<Estimate> {
        let n = self.solved();
        let looked_further = self.all > if self.apart { 0 } else { n };
        match n >= FEWEST && looked_further && !self.total.is_empty() {
            true => self.cross_fitted(quantities),
            false => quantities.iter().map(|&which| self.alone(which)).collect(),
        }
    }

    fn cross_fitted(&self, quantities: &[usize]) -> Vec<Estimate> {
        let (n, width, weights) = (self.solved(), self.total.len(), self.weights());
        let folds: Vec<Products> = (0..FOLDS)
            .map(|fold| {
                let mut products = Products::new(width, quantities.len());
                for i in (fold..n).step_by(FOLDS) {
                    let values = quantities.iter().map(|&which| self.values[which][i]);
                    products.add(weights[i], &self.controls[i], values);
                }
                products
            })
            .collect();
        let mut mean = vec![0.0; quantities.len()];
        // Of what is not explained: squares as they come, and as they count here.
        let mut natural = vec![0.0; quantities.len()];
        let mut counted = vec![0.0; quantities.len()];
        for fold in 0..FOLDS {
            let mut others = vec![Products::new(width, quantities.len()); INNER];
            for (place, other) in (0..FOLDS).filter(|&it| it != fold).enumerate() {
                others[place % INNER].merge(&folds[other], 1.0);
            }
            // The mean over everything but the deals that the coefficients come from.
            let centre = self.centre(&others);
            let fit = best_fit(&others, self.few);
            for (q, &which) in quantities.iter().enumerate() {
                mean[q] += (fold..n).step_by(FOLDS).len() as f64 * fit.expected(q, &centre);
                for i in (fold..n).step_by(FOLDS) {
                    let rest = self.values[which][i] - fit.expected(q, &self.controls[i]);
                    mean[q] += weights[i] * rest;
                    natural[q] += weights[i] * rest * rest;
                    counted[q] += (weights[i] * rest).powi(2);
                }
            }
        }
        let n = n as f64;
        let estimate = |(q, &which): (usize, &usize)| {
            let (_, spread) = self.moments(which);
            // Unexplained variance is averaged over the solved deals, explained variance over all.
            let explained = (spread - natural[q] / n).max(0.0);
            interval(
                mean[q] / n,
                counted[q] / n / n + explained / self.all as f64,
            )
        };
        quantities.iter().enumerate().map(estimate).collect()
    }

    /// The mean of the controls over all deals but those that something was learnt from.
    fn centre(&self, learnt_from: &[Products]) -> Vec<f64> {
        let mut total = self.total.clone();
        let mut all = self.all as f64;
        if !self.apart {
            for part in learnt_from {
                all -= part.weight;
                let sums = total.iter_mut().zip(part.sums());
                sums.for_each(|(total, sum)| *total -= sum);
            }
        }
        total.iter_mut().for_each(|sum| *sum /= all);
        total
    }
}

fn interval(value: f64, variance: f64) -> Estimate {
    let half = normal::WIDTH_OF_95 * variance.sqrt();
    Estimate {
        value,
        low: value - half,
        high: value + half,
    }
}
