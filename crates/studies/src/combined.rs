//! The mean of something that is known of some deals, with the help of something that is known of all.

use solver::study::Estimate;

/// Standard errors on either side of the value in which the truth lies 95 times in 100.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The values of several quantities on the solved deals, and the controls of all deals.
///
/// The estimator is that of two-phase sampling with cross-fitted regression: the solved deals are taken in two halves by
/// turns; the coefficients found on one half are used on the other, together with the controls of all deals outside the
/// first. Coefficients and the deals they are used on are independent, so the mean is exactly unbiased, whatever the
/// controls are.
#[derive(Clone, Debug)]
pub struct Sample {
    controls: Vec<Vec<f64>>,
    /// Quantity by quantity, deal by deal.
    values: Vec<Vec<f64>>,
}

impl Sample {
    /// A sample of so many quantities, with the controls of all deals, the first of which will be solved in order.
    #[must_use]
    pub fn new(quantities: usize, controls: Vec<Vec<f64>>) -> Sample {
        Sample {
            controls,
            values: vec![Vec::new(); quantities],
        }
    }

    /// Adds the quantities of the next deal.
    pub fn add(&mut self, values: &[f64]) {
        for (all, value) in self.values.iter_mut().zip(values) {
            all.push(*value);
        }
    }

    /// How many deals were added.
    #[must_use]
    pub fn solved(&self) -> usize {
        self.values.first().map_or(0, Vec::len)
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
        let values = &self.values[quantity];
        let (n, all) = (values.len(), self.controls.len());
        let width = self.controls.first().map_or(0, Vec::len);
        if width == 0 || n < 10 * width.max(2) || all <= n {
            return self.plain(quantity);
        }
        let mut total = vec![0.0; width];
        for controls in &self.controls {
            total
                .iter_mut()
                .zip(controls)
                .for_each(|(sum, x)| *sum += x);
        }
        let mut mean = 0.0;
        let mut squares = 0.0;
        for fold in 0..2 {
            // Coefficients from the other half.
            let other: Vec<usize> = (1 - fold..n).step_by(2).collect();
            let coefficients = regress(&self.controls, values, &other);
            let mut outside = total.clone();
            for &i in &other {
                let controls = &self.controls[i];
                outside
                    .iter_mut()
                    .zip(controls)
                    .for_each(|(sum, x)| *sum -= x);
            }
            let predicted =
                |x: &[f64]| -> f64 { x.iter().zip(&coefficients).map(|(x, b)| x * b).sum() };
            let average = predicted(&outside) / (all - other.len()) as f64;
            let residuals: Vec<f64> = (fold..n)
                .step_by(2)
                .map(|i| values[i] - predicted(&self.controls[i]))
                .collect();
            let (residual, variance) = moments(&residuals);
            let share = residuals.len() as f64 / n as f64;
            mean += share * (residual + average);
            squares += share * variance;
        }
        let (_, spread) = moments(values);
        // Unexplained variance is averaged over the solved deals, explained variance over all.
        let explained = (spread - squares).max(0.0);
        interval(mean, squares / n as f64 + explained / all as f64)
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

/// Least-squares coefficients of the controls, deviations from the mean, on these deals.
fn regress(controls: &[Vec<f64>], values: &[f64], deals: &[usize]) -> Vec<f64> {
    let width = controls[0].len();
    let n = deals.len() as f64;
    let mut means = vec![0.0; width];
    let mut mean = 0.0;
    for &i in deals {
        means
            .iter_mut()
            .zip(&controls[i])
            .for_each(|(sum, x)| *sum += x / n);
        mean += values[i] / n;
    }
    let mut matrix = vec![vec![0.0; width + 1]; width];
    for &i in deals {
        let x: Vec<f64> = controls[i]
            .iter()
            .zip(&means)
            .map(|(x, mean)| x - mean)
            .collect();
        for (row, &a) in matrix.iter_mut().zip(&x) {
            for (cell, &b) in row.iter_mut().zip(&x) {
                *cell += a * b;
            }
            row[width] += a * (values[i] - mean);
        }
    }
    // A little ridge: controls that never vary, or always together, do no harm.
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] += 1e-9 + 0.01 * row[i] / n.sqrt();
    }
    eliminate(matrix)
}

/// Solves the equations, the right side in the last column.
fn eliminate(mut matrix: Vec<Vec<f64>>) -> Vec<f64> {
    let width = matrix.len();
    for i in 0..width {
        let pivot = (i..width)
            .max_by(|&a, &b| matrix[a][i].abs().total_cmp(&matrix[b][i].abs()))
            .unwrap_or(i);
        matrix.swap(i, pivot);
        let above = matrix[i].clone();
        for row in &mut matrix[i + 1..] {
            let factor = row[i] / above[i];
            row.iter_mut()
                .zip(&above)
                .for_each(|(x, a)| *x -= factor * a);
        }
    }
    let mut solution = vec![0.0; width];
    for i in (0..width).rev() {
        let known: f64 = (i + 1..width).map(|j| matrix[i][j] * solution[j]).sum();
        solution[i] = (matrix[i][width] - known) / matrix[i][i];
    }
    solution
}
