//! Means of quantities that are known for some deals, with the help of controls that are known for all.

use statistics::interval::{self, SampleMean};
use statistics::{normal, student};

use crate::estimate::{CONFIDENCE, Estimate};
use crate::regression::{CrossProducts, best_fit};

/// Number of folds of the cross-fitting: coefficients fitted to the other folds are used on each.
const FOLDS: usize = 10;
/// Number of parts of the fitted folds in the cross-validation of the penalties.
const PENALTY_PARTS: usize = 3;
/// Number of solved deals below which no regression is fitted.
const MIN_FITTED: usize = 50;
/// Number of successes, and of failures, below which the variance of a proportion is not reliable.
const RARE: usize = 10;

/// A deal that was screened by short searches, and perhaps solved.
#[derive(Clone, Debug)]
pub struct SampleEntry {
    /// Control variates; every deal of a sample has the same number of them.
    pub controls: Vec<f64>,
    /// Expected values of all quantities after the screening; empty without screening.
    pub expected: Vec<f64>,
    /// Standard deviation of the target quantities around `expected`, in units of the calibration; 0 if they are known.
    pub deviation: f64,
    /// Probability with which the deal was selected for solving.
    pub probability: f64,
    /// Quantities of the solved deal; `None` if it was not solved.
    pub values: Option<Vec<f64>>,
}

impl SampleEntry {
    /// Creates an entry that is always solved, without screening.
    #[must_use]
    pub fn unscreened(controls: Vec<f64>) -> SampleEntry {
        SampleEntry {
            controls,
            expected: Vec::new(),
            deviation: 0.0,
            probability: 1.0,
            values: None,
        }
    }

    /// Returns the controls for the difference between expected and true values: 0 where the value is known.
    fn residual_controls(&self) -> Vec<f64> {
        let all = std::iter::once(1.0).chain(self.controls.iter().copied());
        all.map(|x| x * self.deviation).collect()
    }
}

/// The totals of the controls of the deals that are not solved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControlTotals {
    /// Number of deals.
    pub deals: usize,
    /// Sum of each control over the deals.
    pub sums: Vec<f64>,
}

impl ControlTotals {
    /// Adds the controls of one deal. Every deal must have the same number of controls.
    pub fn add(&mut self, controls: &[f64]) {
        self.sums.resize(controls.len(), 0.0);
        self.deals += 1;
        self.sums
            .iter_mut()
            .zip(controls)
            .for_each(|(sum, x)| *sum += x);
    }
}

/// A three-phase sample: many deals with controls, some of them screened, some of these solved.
///
/// The estimator is that of three-phase sampling with cross-fitted regression. All deals have controls. Some of the
/// deals, the entries, are screened, which gives expected values of their quantities. Some of the entries are solved, each
/// with a probability that depends on the screening.
///
/// The term of an entry is its expected value corrected by a regression, plus, if it was solved, the difference between
/// the true and this value divided by the probability. A second regression, on the controls alone, is subtracted; its
/// mean is known better, from all deals. The entries are distributed over ten folds in turn; coefficients fitted to nine
/// folds are used on the tenth. Coefficients and the deals that they are used on are independent, so that the mean is
/// exactly unbiased for any controls, screening and probabilities.
///
/// Without screening every entry is solved, and the two regressions are the same.
#[derive(Clone, Debug)]
pub struct Sample {
    controls: ControlTotals,
    /// Whether the entries are not among the deals of `controls`.
    is_screened: bool,
    /// Number of controls with the smaller penalty in regressions: the first ones.
    preferred: usize,
    /// Smallest and largest possible value of each quantity; quantities without a range are unbounded.
    ranges: Vec<(f64, f64)>,
    /// Quantities that deviations and probabilities of the entries refer to.
    targets: Vec<usize>,
    entries: Vec<SampleEntry>,
    solved: usize,
}

impl Sample {
    /// Creates a sample whose first `preferred` controls have the smaller penalty in regressions. All entries are solved,
    /// and their controls are among the totals.
    #[must_use]
    pub fn new(preferred: usize) -> Sample {
        Sample {
            controls: ControlTotals::default(),
            is_screened: false,
            preferred,
            ranges: Vec::new(),
            targets: Vec::new(),
            entries: Vec::new(),
            solved: 0,
        }
    }

    /// Creates a sample whose entries are screened for the quantities `targets`, and are not among the deals of the
    /// totals.
    #[must_use]
    pub fn screened(preferred: usize, targets: Vec<usize>) -> Sample {
        Sample {
            is_screened: true,
            targets,
            ..Sample::new(preferred)
        }
    }

    /// Replaces the totals of the controls.
    #[must_use]
    pub fn with_controls(self, controls: ControlTotals) -> Sample {
        Sample { controls, ..self }
    }

    /// Sets the smallest and the largest possible value of each quantity. Intervals stay within them, and depend on them
    /// where all values are equal.
    #[must_use]
    pub fn with_ranges(self, ranges: Vec<(f64, f64)>) -> Sample {
        Sample { ranges, ..self }
    }

    /// Adds the controls of one deal to the totals.
    pub fn add_controls(&mut self, controls: &[f64]) {
        self.controls.add(controls);
    }

    /// Adds a screened deal.
    pub fn add_entry(&mut self, entry: SampleEntry) {
        self.solved += usize::from(entry.values.is_some());
        self.entries.push(entry);
    }

    /// Adds a deal that was solved without screening.
    pub fn add_solved(&mut self, controls: Vec<f64>, values: Vec<f64>) {
        self.add_entry(SampleEntry {
            values: Some(values),
            ..SampleEntry::unscreened(controls)
        });
    }

    /// Returns the number of solved deals.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.solved
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// Returns a quantity of the solved deals with the weight of each deal, which is 1 on average.
    fn values(&self, quantity: usize) -> impl Iterator<Item = (f64, f64)> + Clone {
        let scale = self.scale();
        self.entries.iter().filter_map(move |entry| {
            let value = entry.values.as_ref()?[quantity];
            Some((value, scale / entry.probability))
        })
    }

    /// Returns the factor that makes the inverse probabilities of the solved deals 1 on average.
    fn scale(&self) -> f64 {
        let solved = self.entries.iter().filter(|entry| entry.values.is_some());
        self.solved as f64 / solved.map(|entry| 1.0 / entry.probability).sum::<f64>()
    }

    /// Returns the numbers of deals whose value is known not to be 0, and not to be 1.
    fn successes_and_failures(&self, quantity: usize) -> (usize, usize) {
        let known = self.entries.iter().filter_map(|entry| {
            let expected = || Some(*entry.expected.get(quantity)?);
            match &entry.values {
                Some(values) => Some(values[quantity]),
                None => expected().filter(|&it| it == 0.0 || it == 1.0),
            }
        });
        let other = |than: f64| known.clone().filter(|&value| value != than).count();
        (other(0.0), other(1.0))
    }

    /// Returns the weighted mean and variance of a quantity, which estimate those of unselected deals.
    fn moments(&self, quantity: usize) -> (f64, f64) {
        let n = self.solved as f64;
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            let terms = self.values(quantity);
            terms.map(|(value, weight)| weight * of(value)).sum()
        };
        let mean = sum(&|value| value) / n;
        let squares = sum(&|value| (value - mean).powi(2));
        (mean, squares / (n - 1.0).max(1.0))
    }

    /// Returns the mean of a quantity over the solved deals, with the interval of the same number of deals solved without
    /// selection.
    #[must_use]
    pub fn simple_mean(&self, quantity: usize) -> Estimate {
        let (mean, variance) = self.moments(quantity);
        let solved = self.solved() as f64;
        self.mean_estimate(quantity, mean, variance / solved, solved)
    }

    /// Returns a mean of a quantity whose variance was estimated from `observations` independent deals.
    fn mean_estimate(
        &self,
        quantity: usize,
        mean: f64,
        variance: f64,
        observations: f64,
    ) -> Estimate {
        /// Variance of the mean, relative to its square, that can be due to rounding.
        const ROUNDING: f64 = 1e-24;
        let unbounded = (f64::NEG_INFINITY, f64::INFINITY);
        let range = self.ranges.get(quantity).copied().unwrap_or(unbounded);
        let is_rounding = variance <= ROUNDING * (1.0 + mean * mean);
        Estimate::mean(SampleMean {
            mean: mean.clamp(range.0, range.1),
            variance: if is_rounding { 0.0 } else { variance },
            observations: observations as u64,
            range,
        })
    }

    /// Returns the weighted share of the solved deals whose quantity equals `value`.
    #[must_use]
    pub fn share_of(&self, quantity: usize, value: f64) -> f64 {
        let with = self.values(quantity).filter(|&(x, _)| x == value);
        with.map(|(_, weight)| weight).sum::<f64>() / self.solved as f64
    }

    /// Returns [`share_of`](Self::share_of) with the interval of a share that may be listed only because it was seen.
    pub(crate) fn seen_share_of(&self, quantity: usize, value: f64) -> Estimate {
        let (share, trials) = (self.share_of(quantity, value), self.effective_trials());
        let estimate = Estimate::seen_proportion(share * trials, trials);
        Estimate {
            value: share,
            ..estimate
        }
    }

    /// Returns Kish's effective sample size of the weighted solved deals.
    fn effective_size(&self) -> f64 {
        let squares: f64 = self.values(0).map(|(_, weight)| weight * weight).sum();
        (self.solved as f64).powi(2) / squares
    }

    /// Returns the number of trials that determine a share as well as the solved deals. Deals of different weights count
    /// as Korn and Graubard propose: the effective size is reduced further because the variance is estimated.
    fn effective_trials(&self) -> f64 {
        let solved = self.solved as f64;
        let size = self.effective_size();
        if size > solved * (1.0 - 1e-9) {
            return solved;
        }
        let freedom = (self.solved as u64).saturating_sub(1).max(1);
        size * (normal::WIDTH_OF_95 / student::width(CONFIDENCE, freedom)).powi(2)
    }

    /// Returns the mean of a quantity over the solved deals, with its interval.
    fn weighted_mean(&self, quantity: usize) -> Estimate {
        let (mean, _) = self.moments(quantity);
        let terms = self.values(quantity);
        let squares: f64 = terms.map(|(x, w)| (w * (x - mean)).powi(2)).sum();
        let n = self.solved as f64;
        let variance = squares / (n - 1.0).max(1.0) / n;
        self.mean_estimate(quantity, mean, variance, self.effective_size().round())
    }

    /// Returns the mean of a quantity with the help of the controls, and its interval.
    ///
    /// With few solved deals, or no deals beyond the solved ones, this is the mean of the solved ones.
    #[must_use]
    pub fn controlled_mean(&self, quantity: usize) -> Estimate {
        self.controlled_means(&[quantity])
            .pop()
            .unwrap_or_else(|| self.weighted_mean(quantity))
    }

    /// Returns the mean of a quantity that is 0 or 1 with the help of the controls, and its interval.
    #[must_use]
    pub fn controlled_share(&self, quantity: usize) -> Estimate {
        self.proportion(quantity, self.controlled_mean(quantity))
    }

    /// Returns the controlled mean of a quantity that is 0 or 1. The interval of a share of the solved deals replaces it
    /// where no regression is fitted, and where successes or failures are rarer than [`RARE`]: it does not shrink to zero.
    #[must_use]
    pub(crate) fn proportion(&self, quantity: usize, controlled: Estimate) -> Estimate {
        let (successes, failures) = self.successes_and_failures(quantity);
        if self.is_fitted() && successes.min(failures) >= RARE {
            return controlled;
        }
        let (share, trials) = (self.share_of(quantity, 1.0), self.effective_trials());
        let (low, high) = interval::share(share * trials, trials, CONFIDENCE);
        Estimate {
            value: share,
            low: low.min(share),
            high: high.max(share),
        }
    }

    /// Returns whether there are enough solved deals for a regression, and deals beyond them.
    fn is_fitted(&self) -> bool {
        let counted = if self.is_screened { 0 } else { self.solved };
        self.solved >= MIN_FITTED && self.controls.deals > counted && !self.controls.sums.is_empty()
    }

    /// Returns the controlled means of several quantities. The cost is little more than that of one.
    #[must_use]
    pub fn controlled_means(&self, quantities: &[usize]) -> Vec<Estimate> {
        if !self.is_fitted() {
            return quantities
                .iter()
                .map(|&which| self.weighted_mean(which))
                .collect();
        }
        let is_target = |which: &usize| self.targets.contains(which);
        let (targets, others): (Vec<usize>, Vec<usize>) =
            quantities.iter().partition(|q| is_target(q));
        let [mut targets, mut others] = [(targets, true), (others, false)]
            .map(|(some, are_targets)| self.cross_fitted(&some, are_targets).into_iter());
        let next = |which: &usize| match is_target(which) {
            true => targets.next(),
            false => others.next(),
        };
        quantities.iter().filter_map(next).collect()
    }

    /// Computes the cross-fitted means. The regression on the screening uses [residual
    /// controls](SampleEntry::residual_controls) for target quantities, because an entry without deviation has no
    /// residual, and the controls themselves for the other quantities.
    fn cross_fitted(&self, quantities: &[usize], are_targets: bool) -> Vec<Estimate> {
        if quantities.is_empty() {
            return Vec::new();
        }
        let screening_controls = |entry: &SampleEntry| match are_targets {
            true => entry.residual_controls(),
            false => entry.controls.clone(),
        };
        let preferred_of_screening = self.preferred + usize::from(are_targets);
        let control_folds = self.folds(quantities, |entry| entry.controls.clone(), |_, _| 0.0);
        let screening_folds = self.is_screened.then(|| {
            let expected = |entry: &SampleEntry, which: usize| entry.expected[which];
            self.folds(quantities, screening_controls, expected)
        });
        let mut terms = vec![Variance::default(); quantities.len()];
        let mut predictions = vec![Variance::default(); quantities.len()];
        let mut centres = vec![0.0; quantities.len()];
        let mut folds = vec![Variance::default(); quantities.len()];
        for fold in 0..FOLDS {
            // The centre excludes the deals that the coefficients are fitted to.
            let others = all_but(&control_folds, fold);
            let centre = self.centre(&others);
            let by_controls = best_fit(&others, self.preferred);
            let by_screening = screening_folds
                .as_ref()
                .map(|folds| best_fit(&all_but(folds, fold), preferred_of_screening));
            let entries = || self.entries.iter().skip(fold).step_by(FOLDS);
            let mut of_fold = vec![Variance::default(); quantities.len()];
            for entry in entries() {
                let screening = by_screening.as_ref().map(|_| screening_controls(entry));
                for (q, &which) in quantities.iter().enumerate() {
                    let predicted = by_controls.predict(q, &entry.controls);
                    let expected = match (&by_screening, &screening) {
                        (Some(fit), Some(x)) => entry.expected[which] + fit.predict(q, x),
                        _ => predicted,
                    };
                    let residual = entry.values.as_ref().map(|values| values[which] - expected);
                    let term =
                        expected - predicted + residual.map_or(0.0, |it| it / entry.probability);
                    terms[q].add(term);
                    of_fold[q].add(term);
                    predictions[q].add(predicted);
                }
            }
            for (q, centred) in centres.iter_mut().enumerate() {
                let mean = by_controls.predict(q, &centre);
                *centred += entries().count() as f64 * mean;
                folds[q].add(of_fold[q].mean() + mean);
            }
        }
        let n = self.entries.len() as f64;
        let all = self.controls.deals as f64;
        // Quantities that are not targets rest on few deals with large weights: the variance between folds, with Student's
        // distribution, may be the larger and then more reliable one.
        let student = (student::width(0.95, FOLDS as u64 - 1) / normal::WIDTH_OF_95).powi(2);
        let estimate = |q: usize| {
            let between_folds = student * folds[q].variance() / FOLDS as f64;
            let of_entries = match self.is_screened && !are_targets {
                true => between_folds.max(terms[q].variance() / n),
                false => terms[q].variance() / n,
            };
            self.mean_estimate(
                quantities[q],
                terms[q].mean() + centres[q] / n,
                of_entries + predictions[q].variance() / all,
                n,
            )
        };
        (0..quantities.len()).map(estimate).collect()
    }

    /// Returns the sums for regressions of `quantity - offset(entry, quantity)`, fold by fold.
    fn folds(
        &self,
        quantities: &[usize],
        controls: impl Fn(&SampleEntry) -> Vec<f64>,
        offset: impl Fn(&SampleEntry, usize) -> f64,
    ) -> Vec<CrossProducts> {
        let scale = self.scale();
        let width = self
            .entries
            .first()
            .map_or(0, |entry| controls(entry).len());
        let mut folds = vec![CrossProducts::new(width, quantities.len()); FOLDS];
        for (entry, fold) in self.entries.iter().zip((0..FOLDS).cycle()) {
            if let Some(values) = &entry.values {
                let rest = |&which: &usize| values[which] - offset(entry, which);
                let values = quantities.iter().map(rest);
                folds[fold].add(scale / entry.probability, &controls(entry), values);
            }
        }
        folds
    }

    /// Returns the mean of the controls over all deals except those in `fitted`.
    fn centre(&self, fitted: &[CrossProducts]) -> Vec<f64> {
        let mut total = self.controls.sums.clone();
        let mut all = self.controls.deals as f64;
        if !self.is_screened {
            for part in fitted {
                all -= part.weight;
                let sums = total.iter_mut().zip(part.sums());
                sums.for_each(|(total, sum)| *total -= sum);
            }
        }
        total.iter_mut().for_each(|sum| *sum /= all);
        total
    }
}

/// Merges all folds except `fold` into [`PENALTY_PARTS`] parts.
fn all_but(folds: &[CrossProducts], fold: usize) -> Vec<CrossProducts> {
    let others = folds.iter().enumerate().filter(|&(place, _)| place != fold);
    let mut parts: Vec<CrossProducts> = Vec::with_capacity(PENALTY_PARTS);
    for (place, (_, other)) in others.enumerate() {
        match parts.get_mut(place % PENALTY_PARTS) {
            Some(part) => part.merge(other, 1.0),
            None => parts.push(other.clone()),
        }
    }
    parts
}

/// Mean and variance of numbers, from their count, sum and sum of squares.
#[derive(Clone, Copy, Default)]
struct Variance {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Variance {
    fn add(&mut self, x: f64) {
        self.count += 1.0;
        self.sum += x;
        self.squares += x * x;
    }

    fn mean(self) -> f64 {
        self.sum / self.count
    }

    fn variance(self) -> f64 {
        let squares = self.squares - self.sum * self.mean();
        squares.max(0.0) / (self.count - 1.0).max(1.0)
    }
}
