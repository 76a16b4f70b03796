//! The mean of something that is known of some deals, with the help of something that is known of all.

use solver::study::Estimate;

/// Standard errors on either side of the value in which the truth lies 95 times in 100.
const NORMAL_95: f64 = 1.959_963_984_540_054;
/// Parts of the solved deals: what is learnt from all others is used on each.
const FOLDS: usize = 10;
/// Solved deals for each control, at least.
const DEALS_A_CONTROL: usize = 5;

/// The values of several quantities on the solved deals, and what is seen of all deals at a glance: the controls.
///
/// The estimator is that of two-phase sampling with cross-fitted regression. The solved deals are taken in ten parts by
/// turns; the coefficients found on nine of them are used on the tenth and on all deals that are not solved.
/// Coefficients and the deals they are used on are independent, so the mean is exactly unbiased, whatever the controls
/// are.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Sums of the controls of all deals.
    total: Vec<f64>,
    all: usize,
    /// How many of the controls are used with few solved deals: the first of them.
    few: usize,
    controls: Vec<Vec<f64>>,
    /// Quantity by quantity, deal by deal.
    values: Vec<Vec<f64>>,
}

impl Sample {
    /// A sample of so many quantities. With few solved deals only the first `few` controls are used.
    #[must_use]
    pub fn new(quantities: usize, few: usize) -> Sample {
        Sample {
            total: Vec::new(),
            all: 0,
            few,
            controls: Vec::new(),
            values: vec![Vec::new(); quantities],
        }
    }

    /// Looks at a deal, whether it will be solved or not. Every deal has as many controls as the first.
    pub fn look(&mut self, controls: &[f64]) {
        self.total.resize(controls.len(), 0.0);
        self.all += 1;
        self.total
            .iter_mut()
            .zip(controls)
            .for_each(|(sum, x)| *sum += x);
    }

    /// Adds the controls and the quantities of a solved deal, one that was looked at before.
    pub fn add(&mut self, controls: Vec<f64>, values: &[f64]) {
        self.controls.push(controls);
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

    /// The mean of a quantity over the solved deals alone, and its interval.
    #[must_use]
    pub fn plain(&self, quantity: usize) -> Estimate {
        let values = &self.values[quantity];
        let (mean, variance) = moments(values);
        interval(mean, variance / values.len() as f64)
    }

    /// The mean of a quantity with the help of the controls, and its interval.
    ///
    /// With few solved deals for the number of controls, or no deals beyond the solved ones, this is the plain mean.
    #[must_use]
    pub fn combined(&self, quantity: usize) -> Estimate {
        self.all_combined(&[quantity])
            .pop()
            .unwrap_or_else(|| self.plain(quantity))
    }

    /// The same for several quantities, which costs little more than for one.
    #[must_use]
    pub fn all_combined(&self, quantities: &[usize]) -> Vec<Estimate> {
        let n = self.solved();
        let enough = |&width: &usize| width > 0 && n >= DEALS_A_CONTROL * width.max(2);
        let width = [self.total.len(), self.few.min(self.total.len())]
            .into_iter()
            .find(enough);
        match width {
            Some(width) if self.all > n => self.cross_fitted(width, quantities),
            _ => quantities.iter().map(|&which| self.plain(which)).collect(),
        }
    }

    fn cross_fitted(&self, width: usize, quantities: &[usize]) -> Vec<Estimate> {
        let n = self.solved();
        let folds: Vec<Products> = (0..FOLDS)
            .map(|fold| {
                let mut products = Products::new(width, quantities.len());
                for i in (fold..n).step_by(FOLDS) {
                    let values = quantities.iter().map(|&which| self.values[which][i]);
                    products.add(&self.controls[i][..width], values);
                }
                products
            })
            .collect();
        let mut whole = Products::new(width, quantities.len());
        folds.iter().for_each(|fold| whole.merge(fold, 1.0));
        let (mut mean, mut squares) = (vec![0.0; quantities.len()], vec![0.0; quantities.len()]);
        for (fold, mine) in folds.iter().enumerate() {
            let mut others = whole.clone();
            others.merge(mine, -1.0);
            // Everything but the deals that the coefficients come from.
            let outside = (self.all - others.count as usize) as f64;
            let centre: Vec<f64> = (0..width)
                .map(|j| (self.total[j] - others.sums[j]) / outside)
                .collect();
            let coefficients = others.coefficients();
            for (q, &which) in quantities.iter().enumerate() {
                let coefficients = &coefficients[q];
                let predicted =
                    |x: &[f64]| -> f64 { x.iter().zip(coefficients).map(|(x, b)| x * b).sum() };
                let average = predicted(&centre);
                let residuals: Vec<f64> = (fold..n)
                    .step_by(FOLDS)
                    .map(|i| self.values[which][i] - predicted(&self.controls[i][..width]))
                    .collect();
                let (residual, _) = moments(&residuals);
                // Around the mean that all other deals expect: the parts are too small for means of their own.
                let expected = others.value_sums[q] / others.count - predicted(&others.means());
                let share = residuals.len() as f64 / n as f64;
                mean[q] += share * (residual + average);
                squares[q] += residuals
                    .iter()
                    .map(|residual| (residual - expected).powi(2))
                    .sum::<f64>()
                    / n as f64;
            }
        }
        let estimate = |(q, &which): (usize, &usize)| {
            let (_, spread) = moments(&self.values[which]);
            // Unexplained variance is averaged over the solved deals, explained variance over all.
            let explained = (spread - squares[q]).max(0.0);
            interval(mean[q], squares[q] / n as f64 + explained / self.all as f64)
        };
        quantities.iter().enumerate().map(estimate).collect()
    }
}

/// Mean and variance of a sample.
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, squares / (n - 1.0).max(1.0))
}

fn interval(value: f64, variance: f64) -> Estimate {
    let half = NORMAL_95 * variance.sqrt();
    Estimate {
        value,
        low: value - half,
        high: value + half,
    }
}

/// Sums, and sums of products, of controls and values.
#[derive(Clone)]
struct Products {
    count: f64,
    sums: Vec<f64>,
    /// The lower half, row by row.
    squares: Vec<f64>,
    value_sums: Vec<f64>,
    value_squares: Vec<f64>,
    /// Value by value, control by control.
    mixed: Vec<Vec<f64>>,
}

impl Products {
    fn new(width: usize, values: usize) -> Products {
        Products {
            count: 0.0,
            sums: vec![0.0; width],
            squares: vec![0.0; width * (width + 1) / 2],
            value_sums: vec![0.0; values],
            value_squares: vec![0.0; values],
            mixed: vec![vec![0.0; width]; values],
        }
    }

    fn add(&mut self, controls: &[f64], values: impl Iterator<Item = f64>) {
        self.count += 1.0;
        let mut squares = self.squares.iter_mut();
        for (i, &x) in controls.iter().enumerate() {
            self.sums[i] += x;
            for (&y, square) in controls[..=i].iter().zip(&mut squares) {
                *square += x * y;
            }
        }
        for (q, value) in values.enumerate() {
            self.value_sums[q] += value;
            self.value_squares[q] += value * value;
            for (sum, x) in self.mixed[q].iter_mut().zip(controls) {
                *sum += x * value;
            }
        }
    }

    fn merge(&mut self, other: &Products, sign: f64) {
        let add = |mine: &mut [f64], theirs: &[f64]| {
            mine.iter_mut()
                .zip(theirs)
                .for_each(|(a, b)| *a += sign * b);
        };
        self.count += sign * other.count;
        add(&mut self.sums, &other.sums);
        add(&mut self.squares, &other.squares);
        add(&mut self.value_sums, &other.value_sums);
        add(&mut self.value_squares, &other.value_squares);
        for (mine, theirs) in self.mixed.iter_mut().zip(&other.mixed) {
            add(mine, theirs);
        }
    }

    fn means(&self) -> Vec<f64> {
        self.sums.iter().map(|sum| sum / self.count).collect()
    }

    /// Least-squares coefficients of each value, with a ridge: as if a few deals had shown that nothing matters.
    /// Controls that never vary, or always together, do no harm.
    fn coefficients(&self) -> Vec<Vec<f64>> {
        let (width, n) = (self.sums.len(), self.count);
        let mut matrix = vec![vec![0.0; width]; width];
        let mut squares = self.squares.iter();
        for (i, row) in matrix.iter_mut().enumerate() {
            for ((cell, square), sum) in row[..=i].iter_mut().zip(&mut squares).zip(&self.sums) {
                *cell = square - self.sums[i] * sum / n;
            }
        }
        let ridge = width as f64 / 4.0;
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] += row[i].max(0.0) / n * ridge + 1e-9;
        }
        factor(&mut matrix);
        let of = |(mixed, (value, square)): (&Vec<f64>, (&f64, &f64))| {
            let right: Vec<f64> = mixed
                .iter()
                .zip(&self.sums)
                .map(|(product, sum)| product - sum * value / n)
                .collect();
            let mut found = solve(&matrix, right.clone());
            let explained: f64 = found.iter().zip(&right).map(|(b, x)| b * x).sum();
            let rest = (square - value * value / n - explained).max(0.0);
            // As much as chance alone explains is taken off again, as James and Stein do.
            let chance = width as f64 * rest / (n - width as f64).max(1.0);
            let trust = (1.0 - chance / explained.max(f64::MIN_POSITIVE)).max(0.0);
            found.iter_mut().for_each(|b| *b *= trust);
            found
        };
        let values = self.value_sums.iter().zip(&self.value_squares);
        self.mixed.iter().zip(values).map(of).collect()
    }
}

/// Cholesky's factor of a symmetric matrix given by its lower half, in its place.
fn factor(matrix: &mut [Vec<f64>]) {
    for i in 0..matrix.len() {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - known;
            matrix[i][j] = if i == j {
                rest.max(1e-12).sqrt()
            } else {
                rest / matrix[j][j]
            };
        }
    }
}

/// Solves the equations whose matrix has this factor.
fn solve(factor: &[Vec<f64>], mut right: Vec<f64>) -> Vec<f64> {
    for i in 0..right.len() {
        let known: f64 = (0..i).map(|k| factor[i][k] * right[k]).sum();
        right[i] = (right[i] - known) / factor[i][i];
    }
    for i in (0..right.len()).rev() {
        let known: f64 = (i + 1..right.len()).map(|k| factor[k][i] * right[k]).sum();
        right[i] = (right[i] - known) / factor[i][i];
    }
    right
}
