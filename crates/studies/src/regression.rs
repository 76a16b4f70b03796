//! Ridge regression of several values at once, with penalties chosen by cross-validation.

/// Penalties to choose from, for the preferred controls and for the others: the number of deals without an effect of the
/// control that the penalty is worth. The last pair switches the controls off.
const PENALTIES: [[f64; 2]; 6] = [
    [4.0, 4.0],
    [8.0, 20.0],
    [8.0, 100.0],
    [8.0, 1e3],
    [30.0, 1e3],
    [1e9, 1e9],
];

/// Weighted sums and sums of products of the controls and values of deals.
#[derive(Clone)]
pub(crate) struct CrossProducts {
    /// Sum of the weights.
    pub weight: f64,
    sums: Vec<f64>,
    /// Lower half of the matrix, row by row.
    squares: Vec<f64>,
    value_sums: Vec<f64>,
    value_squares: Vec<f64>,
    /// Products by value, then by control.
    mixed: Vec<Vec<f64>>,
}

/// A linear regression: means of controls and values, and coefficients for deviations from the means.
#[derive(Clone)]
pub(crate) struct Fit {
    means: Vec<f64>,
    value_means: Vec<f64>,
    /// Coefficients by value, then by control.
    coefficients: Vec<Vec<f64>>,
}

impl Fit {
    /// Returns the prediction of a value from the controls.
    pub fn predict(&self, value: usize, controls: &[f64]) -> f64 {
        let moved = self.coefficients[value]
            .iter()
            .zip(controls.iter().zip(&self.means))
            .map(|(b, (x, mean))| b * (x - mean));
        self.value_means[value] + moved.sum::<f64>()
    }
}

impl CrossProducts {
    /// Creates empty sums of `width` controls and `values` values.
    pub fn new(width: usize, values: usize) -> CrossProducts {
        CrossProducts {
            weight: 0.0,
            sums: vec![0.0; width],
            squares: vec![0.0; width * (width + 1) / 2],
            value_sums: vec![0.0; values],
            value_squares: vec![0.0; values],
            mixed: vec![vec![0.0; width]; values],
        }
    }

    /// Returns the sums of the controls.
    pub fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// Adds one deal.
    pub fn add(&mut self, weight: f64, controls: &[f64], values: impl Iterator<Item = f64>) {
        self.weight += weight;
        let mut squares = self.squares.iter_mut();
        for (i, &x) in controls.iter().enumerate() {
            self.sums[i] += weight * x;
            for (&y, square) in controls[..=i].iter().zip(&mut squares) {
                *square += weight * x * y;
            }
        }
        for (q, value) in values.enumerate() {
            self.value_sums[q] += weight * value;
            self.value_squares[q] += weight * value * value;
            for (sum, x) in self.mixed[q].iter_mut().zip(controls) {
                *sum += weight * x * value;
            }
        }
    }

    /// Adds the sums of `other` times `sign`.
    pub fn merge(&mut self, other: &CrossProducts, sign: f64) {
        let add = |mine: &mut [f64], theirs: &[f64]| {
            mine.iter_mut()
                .zip(theirs)
                .for_each(|(a, b)| *a += sign * b);
        };
        self.weight += sign * other.weight;
        add(&mut self.sums, &other.sums);
        add(&mut self.squares, &other.squares);
        add(&mut self.value_sums, &other.value_sums);
        add(&mut self.value_squares, &other.value_squares);
        for (mine, theirs) in self.mixed.iter_mut().zip(&other.mixed) {
            add(mine, theirs);
        }
    }

    fn means(&self) -> Vec<f64> {
        self.sums.iter().map(|sum| sum / self.weight).collect()
    }

    /// Returns the lower half of the matrix of products of the controls around `centre`.
    fn centred(&self, centre: &[f64]) -> Vec<Vec<f64>> {
        let mut squares = self.squares.iter();
        let row = |i: usize| {
            let cells = (&mut squares).take(i + 1).enumerate();
            let cell = |(j, square): (usize, &f64)| {
                square - centre[i] * self.sums[j] - centre[j] * self.sums[i]
                    + self.weight * centre[i] * centre[j]
            };
            cells.map(cell).collect()
        };
        (0..self.sums.len()).map(row).collect()
    }

    /// Returns the sums of products of the controls around `centre` with a value around `mean`.
    fn with_value(&self, value: usize, centre: &[f64], mean: f64) -> Vec<f64> {
        let sum = self.value_sums[value];
        self.mixed[value]
            .iter()
            .zip(self.sums.iter().zip(centre))
            .map(|(product, (x, c))| product - c * sum - mean * x + self.weight * c * mean)
            .collect()
    }

    /// Computes the regression with each of [`PENALTIES`].
    fn fits(&self, preferred: usize) -> Vec<Fit> {
        let means = self.means();
        let matrix = self.centred(&means);
        let value_means: Vec<f64> = self
            .value_sums
            .iter()
            .map(|sum| sum / self.weight)
            .collect();
        let right: Vec<Vec<f64>> = (0..value_means.len())
            .map(|value| self.with_value(value, &means, value_means[value]))
            .collect();
        let fit = |penalties: &[f64; 2]| {
            let mut matrix = matrix.clone();
            for (i, row) in matrix.iter_mut().enumerate() {
                let penalty = penalties[usize::from(i >= preferred)];
                // The constant keeps the matrix regular for controls that are constant or collinear.
                row[i] += row[i].max(0.0) / self.weight * penalty + 1e-9;
            }
            factor(&mut matrix);
            Fit {
                means: means.clone(),
                value_means: value_means.clone(),
                coefficients: right.iter().map(|it| solve(&matrix, it.clone())).collect(),
            }
        };
        PENALTIES.iter().map(fit).collect()
    }

    /// Returns the sum of squared residuals of each value under `fit`.
    fn residual_squares(&self, fit: &Fit) -> Vec<f64> {
        let matrix = self.centred(&fit.means);
        let of = |(value, b): (usize, &Vec<f64>)| {
            let mean = fit.value_means[value];
            let right = self.with_value(value, &fit.means, mean);
            let squares = self.value_squares[value] - 2.0 * mean * self.value_sums[value]
                + self.weight * mean * mean;
            let linear: f64 = b.iter().zip(&right).map(|(b, x)| b * x).sum();
            let quadratic: f64 = matrix
                .iter()
                .zip(b)
                .enumerate()
                .map(|(i, (row, x))| {
                    let below: f64 = row[..i].iter().zip(b).map(|(cell, y)| cell * y).sum();
                    x * (2.0 * below + row[i] * x)
                })
                .sum();
            squares - 2.0 * linear + quadratic
        };
        fit.coefficients.iter().enumerate().map(of).collect()
    }
}

/// Computes the regression on all parts together. Each value has the penalties with the smallest residuals on each part
/// when fitted to the other parts.
pub(crate) fn best_fit(parts: &[CrossProducts], preferred: usize) -> Fit {
    let mut whole = parts[0].clone();
    parts[1..].iter().for_each(|part| whole.merge(part, 1.0));
    let values = whole.value_sums.len();
    let mut residuals = vec![[0.0; PENALTIES.len()]; values];
    for part in parts {
        let mut others = whole.clone();
        others.merge(part, -1.0);
        for (penalty, fit) in others.fits(preferred).iter().enumerate() {
            for (residual, more) in residuals.iter_mut().zip(part.residual_squares(fit)) {
                residual[penalty] += more;
            }
        }
    }
    let mut fits = whole.fits(preferred);
    let best = |residual: &[f64; PENALTIES.len()]| {
        let smaller = |best: usize, other: usize| {
            if residual[other] < residual[best] {
                other
            } else {
                best
            }
        };
        (0..PENALTIES.len()).fold(0, smaller)
    };
    let coefficients = residuals
        .iter()
        .enumerate()
        .map(|(value, residual)| std::mem::take(&mut fits[best(residual)].coefficients[value]))
        .collect();
    Fit {
        coefficients,
        ..fits.swap_remove(0)
    }
}

/// Replaces the lower half of a symmetric matrix by its Cholesky factor.
fn factor(matrix: &mut [Vec<f64>]) {
    for i in 0..matrix.len() {
        let (above, rest) = matrix.split_at_mut(i);
        let row = &mut rest[0];
        for j in 0..i {
            let known = dot(&row[..j], &above[j][..j]);
            row[j] = (row[j] - known) / above[j][j];
        }
        let known = dot(&row[..i], &row[..i]);
        row[i] = (row[i] - known).max(1e-12).sqrt();
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Solves the linear equations whose matrix has the Cholesky factor `factor`.
fn solve(factor: &[Vec<f64>], mut right: Vec<f64>) -> Vec<f64> {
    for i in 0..right.len() {
        let known = dot(&factor[i][..i], &right[..i]);
        right[i] = (right[i] - known) / factor[i][i];
    }
    for i in (0..right.len()).rev() {
        right[i] /= factor[i][i];
        let (found, solved) = (right[i], &mut right[..i]);
        for (rest, cell) in solved.iter_mut().zip(&factor[i]) {
            *rest -= cell * found;
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fits deals with y = 3 + 2 x, whose second control has no effect.
    #[test]
    fn exact_lines_are_found_and_squares_agree_with_their_definition() {
        let deals: Vec<([f64; 2], f64)> = (0..60)
            .map(|i| {
                let (x, z) = (f64::from(i % 7), f64::from(i % 11));
                ([x, z], 3.0 + 2.0 * x)
            })
            .collect();
        let mut parts = vec![CrossProducts::new(2, 1); 3];
        for (i, (controls, value)) in deals.iter().enumerate() {
            parts[i % 3].add(1.0 + (i % 2) as f64, controls, std::iter::once(*value));
        }
        let fit = best_fit(&parts, 1);
        assert!((fit.predict(0, &[10.0, 3.0]) - 23.0).abs() < 1.0);
        let by_hand: f64 = deals
            .iter()
            .enumerate()
            .filter(|(i, _)| i % 3 == 1)
            .map(|(i, (x, y))| (1.0 + (i % 2) as f64) * (y - fit.predict(0, x)).powi(2))
            .sum();
        assert!((parts[1].residual_squares(&fit)[0] - by_hand).abs() < 1e-6);
    }
}
