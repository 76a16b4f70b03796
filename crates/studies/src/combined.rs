//! The mean of something that is known of some deals, with the help of something that is known of all.

use solver::study::Estimate;
use statistics::{normal, student};

use crate::regression::{Products, best_fit};

/// Parts of the solved deals: what is learnt from all others is used on each.
const FOLDS: usize = 10;
/// Parts of what is learnt from: each chooses the penalties of the others.
const INNER: usize = 3;
/// Solved deals below which nothing is learnt from them.
const FEWEST: usize = 50;

/// A deal that was looked into, and perhaps solved.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What is seen of it at a glance: as many numbers as of every other deal.
    pub controls: Vec<f64>,
    /// What is expected of every quantity after the look; empty if there was none.
    pub expected: Vec<f64>,
    /// How far the quantities may lie from what is expected, in proportion to what is usual; 0 if they are known.
    pub doubt: f64,
    /// The chance that it had to be solved.
    pub chance: f64,
    /// The quantities, if it was solved.
    pub values: Option<Vec<f64>>,
}

impl Entry {
    /// A deal that is solved for certain, without a look.
    #[must_use]
    pub fn certain(controls: Vec<f64>) -> Entry {
        Entry {
            controls,
            expected: Vec::new(),
            doubt: 0.0,
            chance: 1.0,
            values: None,
        }
    }

    /// What may explain the difference between what is expected and what is true: nothing where there is no doubt.
    fn doubtful_controls(&self) -> Vec<f64> {
        let all = std::iter::once(1.0).chain(self.controls.iter().copied());
        all.map(|x| x * self.doubt).collect()
    }
}

/// Some quantities of deals that are looked into, of which some are solved, and what is seen of many more at a glance.
///
/// The estimator is that of sampling in three phases with cross-fitted regression. All deals are glanced at, which gives the
/// controls. Some of the deals, the entries, are looked into: that says what to expect of their quantities. Of the
/// entries some are solved, each with a chance that depends on the look.
///
/// What an entry tells is what the look and a regression let expect of it, and if it was solved the difference to that,
/// which counts in inverse proportion to the chance. From this a second regression, on the controls alone, is taken
/// away, whose mean is known better from all deals. The entries are taken in ten parts by turns; the coefficients found on nine of
/// them are used on the tenth. Coefficients and the deals they are used on are independent, so the mean is
/// exactly unbiased, whatever the controls, the looks and the chances are.
///
/// Without looks every entry is solved, and both regressions are one.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Sums of the controls of all deals.
    total: Vec<f64>,
    all: usize,
    /// Whether the entries are others than the deals that were glanced at.
    apart: bool,
    /// How many of the controls are trusted more than the others: the first of them.
    few: usize,
    /// The quantities that doubt and chances are about.
    wished: Vec<usize>,
    entries: Vec<Entry>,
    solved: usize,
}

impl Sample {
    /// A sample whose first `few` controls are trusted more than the others. All entries are solved, and were glanced at
    /// before.
    #[must_use]
    pub fn new(few: usize) -> Sample {
        Sample {
            total: Vec::new(),
            all: 0,
            apart: false,
            few,
            wished: Vec::new(),
            entries: Vec::new(),
            solved: 0,
        }
    }

    /// A sample whose entries are looked into, and are others than the deals that are glanced at. What entries are in doubt
    /// about are these quantities.
    #[must_use]
    pub fn chosen(few: usize, wished: Vec<usize>) -> Sample {
        Sample {
            apart: true,
            wished,
            ..Sample::new(few)
        }
    }

    /// Glances at a deal. Every deal has as many controls as the first.
    pub fn look(&mut self, controls: &[f64]) {
        self.total.resize(controls.len(), 0.0);
        self.all += 1;
        self.total
            .iter_mut()
            .zip(controls)
            .for_each(|(sum, x)| *sum += x);
    }

    /// Adds a deal that was looked into.
    pub fn push(&mut self, entry: Entry) {
        self.solved += usize::from(entry.values.is_some());
        self.entries.push(entry);
    }

    /// Adds a deal that was solved without a look.
    pub fn add(&mut self, controls: Vec<f64>, values: Vec<f64>) {
        self.push(Entry {
            values: Some(values),
            ..Entry::certain(controls)
        });
    }

    /// How many deals were solved.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.solved
    }

    /// How many deals were looked into.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// A quantity of the solved deals, with what each counts for: 1 on average.
    fn values(&self, quantity: usize) -> impl Iterator<Item = (f64, f64)> + Clone {
        let scale = self.scale();
        self.entries.iter().filter_map(move |entry| {
            let value = entry.values.as_ref()?[quantity];
            Some((value, scale / entry.chance))
        })
    }

    /// What the inverse of a chance counts for.
    fn scale(&self) -> f64 {
        let solved = self.entries.iter().filter(|entry| entry.values.is_some());
        self.solved as f64 / solved.map(|entry| 1.0 / entry.chance).sum::<f64>()
    }

    /// How many deals have a value other than 0, and how many one other than 1, as far as is known.
    pub(crate) fn successes_and_failures(&self, quantity: usize) -> (usize, usize) {
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

    /// Weighted mean and variance of a quantity: those of deals as they come.
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
        let with = self.values(quantity).filter(|&(x, _)| x == value);
        with.map(|(_, weight)| weight).sum::<f64>() / self.solved as f64
    }

    /// As many deals solved as they come as would tell as much about rare things as the solved ones do.
    pub(crate) fn worth(&self) -> f64 {
        let squares: f64 = self.values(0).map(|(_, weight)| weight * weight).sum();
        (self.solved as f64).powi(2) / squares
    }

    /// The honest interval of the solved deals alone.
    fn alone(&self, quantity: usize) -> Estimate {
        let (mean, _) = self.moments(quantity);
        let terms = self.values(quantity);
        let squares: f64 = terms.map(|(x, w)| (w * (x - mean)).powi(2)).sum();
        let n = self.solved as f64;
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
        let looked_further = self.all > if self.apart { 0 } else { self.solved };
        if self.solved < FEWEST || !looked_further || self.total.is_empty() {
            return quantities.iter().map(|&which| self.alone(which)).collect();
        }
        let is_wished = |which: &usize| self.wished.contains(which);
        let (wished, others): (Vec<usize>, Vec<usize>) =
            quantities.iter().partition(|q| is_wished(q));
        let [mut wished, mut others] = [(wished, true), (others, false)]
            .map(|(some, wished)| self.cross_fitted(&some, wished).into_iter());
        let next = |which: &usize| match is_wished(which) {
            true => wished.next(),
            false => others.next(),
        };
        quantities.iter().filter_map(next).collect()
    }

    /// Where there is no doubt about the wished quantities nothing is left to explain of them; of others there is.
    fn cross_fitted(&self, quantities: &[usize], wished: bool) -> Vec<Estimate> {
        if quantities.is_empty() {
            return Vec::new();
        }
        let look_controls = |entry: &Entry| match wished {
            true => entry.doubtful_controls(),
            false => entry.controls.clone(),
        };
        let few_of_looks = self.few + usize::from(wished);
        let glances = self.folds(quantities, |entry| entry.controls.clone(), |_, _| 0.0);
        let looks = self.apart.then(|| {
            let expected = |entry: &Entry, which: usize| entry.expected[which];
            self.folds(quantities, look_controls, expected)
        });
        let mut told = vec![Spread::default(); quantities.len()];
        let mut glanced = vec![Spread::default(); quantities.len()];
        let mut centres = vec![0.0; quantities.len()];
        let mut folds = vec![Spread::default(); quantities.len()];
        for fold in 0..FOLDS {
            // The mean over everything but the deals that the coefficients come from.
            let others = all_but(&glances, fold);
            let centre = self.centre(&others);
            let glance = best_fit(&others, self.few);
            let look = looks
                .as_ref()
                .map(|looks| best_fit(&all_but(looks, fold), few_of_looks));
            let entries = || self.entries.iter().skip(fold).step_by(FOLDS);
            let mut of_fold = vec![Spread::default(); quantities.len()];
            for entry in entries() {
                let explaining = look.as_ref().map(|_| look_controls(entry));
                for (q, &which) in quantities.iter().enumerate() {
                    let seen = glance.expected(q, &entry.controls);
                    let known = match (&look, &explaining) {
                        (Some(look), Some(x)) => entry.expected[which] + look.expected(q, x),
                        _ => seen,
                    };
                    let found = entry.values.as_ref().map(|values| values[which] - known);
                    let tells = known - seen + found.map_or(0.0, |it| it / entry.chance);
                    told[q].add(tells);
                    of_fold[q].add(tells);
                    glanced[q].add(seen);
                }
            }
            for (q, centred) in centres.iter_mut().enumerate() {
                let mean = glance.expected(q, &centre);
                *centred += entries().count() as f64 * mean;
                folds[q].add(of_fold[q].mean() + mean);
            }
        }
        let n = self.entries.len() as f64;
        let all = self.all as f64;
        // Few deals, counted for many, tell about quantities that were not wished for: then the parts may say that less is known.
        let careful = (student::width(0.95, FOLDS as u64 - 1) / normal::WIDTH_OF_95).powi(2);
        let estimate = |q: usize| {
            let by_parts = careful * folds[q].variance() / FOLDS as f64;
            let of_entries = match self.apart && !wished {
                true => by_parts.max(told[q].variance() / n),
                false => told[q].variance() / n,
            };
            interval(
                told[q].mean() + centres[q] / n,
                of_entries + glanced[q].variance() / all,
            )
        };
        (0..quantities.len()).map(estimate).collect()
    }

    /// What regressions of the quantities less something are made from, fold by fold.
    fn folds(
        &self,
        quantities: &[usize],
        controls: impl Fn(&Entry) -> Vec<f64>,
        less: impl Fn(&Entry, usize) -> f64,
    ) -> Vec<Products> {
        let scale = self.scale();
        let width = self
            .entries
            .first()
            .map_or(0, |entry| controls(entry).len());
        let mut folds = vec![Products::new(width, quantities.len()); FOLDS];
        for (entry, fold) in self.entries.iter().zip((0..FOLDS).cycle()) {
            if let Some(values) = &entry.values {
                let rest = |&which: &usize| values[which] - less(entry, which);
                let values = quantities.iter().map(rest);
                folds[fold].add(scale / entry.chance, &controls(entry), values);
            }
        }
        folds
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

/// All folds but one, in parts that choose penalties for each other.
fn all_but(folds: &[Products], fold: usize) -> Vec<Products> {
    let others = folds.iter().enumerate().filter(|&(place, _)| place != fold);
    let mut parts: Vec<Products> = Vec::with_capacity(INNER);
    for (place, (_, other)) in others.enumerate() {
        match parts.get_mut(place % INNER) {
            Some(part) => part.merge(other, 1.0),
            None => parts.push(other.clone()),
        }
    }
    parts
}

/// Number, sum and squares of something.
#[derive(Clone, Copy, Default)]
struct Spread {
    number: f64,
    sum: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, x: f64) {
        self.number += 1.0;
        self.sum += x;
        self.squares += x * x;
    }

    fn mean(self) -> f64 {
        self.sum / self.number
    }

    fn variance(self) -> f64 {
        let squares = self.squares - self.sum * self.mean();
        squares.max(0.0) / (self.number - 1.0).max(1.0)
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
