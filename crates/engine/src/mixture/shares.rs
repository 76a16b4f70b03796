//! Shares: how many deals each component gets, their order, and the cost of levelling.

use shuffle::{DealRandom, Key, RandomWords, Stream};

/// Chooses the component of each of `count` deals independently, with probabilities proportional to the shares.
#[must_use]
pub fn by_share(key: &Key, shares: &[u64], count: u64) -> Vec<usize> {
    let total: u64 = shares.iter().sum();
    (0..count)
        .map(|deal| {
            pick(
                shares,
                DealRandom::on(Stream::Choices, key, deal).below(total.max(1)),
            )
        })
        .collect()
}

/// Chooses the component of each of `count` deals: each occurs in proportion to its share, rounded to whole deals, in a
/// uniformly random order.
#[must_use]
pub fn shuffled(key: &Key, shares: &[u64], count: u64) -> Vec<usize> {
    let total = shares.iter().map(|&share| u128::from(share)).sum::<u128>();
    if total == 0 {
        return Vec::new();
    }
    let exact = |kind: usize| u128::from(shares[kind]) * u128::from(count);
    let mut needed: Vec<u64> = (0..shares.len())
        .map(|kind| (exact(kind) / total) as u64)
        .collect();
    // The remaining deals go to the largest remainders; the key decides between equal ones.
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by_key(|&kind| {
        let word = DealRandom::on(Stream::Choices, key, count + kind as u64).word();
        (std::cmp::Reverse(exact(kind) % total), word)
    });
    let left = count - needed.iter().sum::<u64>();
    for &kind in order.iter().take(left as usize) {
        needed[kind] += 1;
    }
    let mut kinds: Vec<usize> = needed
        .iter()
        .enumerate()
        .flat_map(|(kind, &needed)| std::iter::repeat_n(kind, needed as usize))
        .collect();
    for place in (1..kinds.len()).rev() {
        let other = DealRandom::on(Stream::Choices, key, place as u64).below(place as u64 + 1);
        kinds.swap(place, other as usize);
    }
    kinds
}

/// Chooses the component of each of `count` deals in rounds of as many deals as the sum of the shares. Each round has
/// each component exactly as often as its share, in random order, so that no component occurs in clusters.
#[must_use]
pub fn evenly(key: &Key, shares: &[u64], count: u64) -> Vec<usize> {
    let total: u64 = shares.iter().sum();
    let mut kinds = Vec::new();
    let mut left: Vec<u64> = Vec::new();
    for deal in 0..count {
        if left.iter().sum::<u64>() == 0 {
            left = shares.to_vec();
        }
        let rest: u64 = left.iter().sum::<u64>().min(total);
        let kind = pick(
            &left,
            DealRandom::on(Stream::Choices, key, deal).below(rest.max(1)),
        );
        left[kind] -= 1;
        kinds.push(kind);
    }
    kinds
}

fn pick(shares: &[u64], mut r: u64) -> usize {
    for (kind, &share) in shares.iter().enumerate() {
        if r < share {
            return kind;
        }
        r -= share;
    }
    shares.len().saturating_sub(1)
}

/// Returns an order in which every class is spread evenly over the deals; deals without a class come last.
#[must_use]
pub fn interleaved(classes: &[Option<usize>]) -> Vec<usize> {
    let count = classes.iter().flatten().max().map_or(0, |most| most + 1);
    let mut totals = vec![0u64; count];
    for &class in classes.iter().flatten() {
        totals[class] += 1;
    }
    let mut seen = vec![0u64; count];
    let mut places: Vec<(bool, u128, u64, usize)> = Vec::new();
    for (number, class) in classes.iter().enumerate() {
        match *class {
            None => places.push((true, 0, number as u64, number)),
            Some(class) => {
                // The middle of the deal's part of the whole, as a fraction of 2^64.
                let middle = (u128::from(2 * seen[class] + 1) << 63) / u128::from(totals[class]);
                // Each round begins with another class.
                let turn = (class as u64 + seen[class]) % count as u64;
                places.push((false, middle, turn, number));
                seen[class] += 1;
            }
        }
    }
    places.sort_unstable();
    places.into_iter().map(|(.., number)| number).collect()
}

/// Returns shares of the cells of two crossed sets of classes, row by row, where some cells are impossible. The rows
/// and the columns keep their shares, if that is possible (iterative proportional fitting).
#[must_use]
pub fn fitted(rows: &[u64], columns: &[u64], possible: &[bool]) -> Option<Vec<u64>> {
    /// Tolerance: a tenth of a percentage point.
    const NEAR: f64 = 0.001;
    let share = |shares: &[u64], at: usize| shares[at] as f64 / shares.iter().sum::<u64>() as f64;
    let width = columns.len();
    let mut cells: Vec<f64> = possible.iter().map(|&it| f64::from(u8::from(it))).collect();
    for _ in 0..1000 {
        for row in 0..rows.len() {
            let cells = &mut cells[row * width..][..width];
            let sum: f64 = cells.iter().sum();
            let scale = share(rows, row) / sum.max(f64::MIN_POSITIVE);
            cells.iter_mut().for_each(|cell| *cell *= scale);
        }
        for column in 0..width {
            let of_column = |cell: &usize| cell % width == column;
            let places: Vec<usize> = (0..cells.len()).filter(of_column).collect();
            let sum: f64 = places.iter().map(|&cell| cells[cell]).sum();
            let scale = share(columns, column) / sum.max(f64::MIN_POSITIVE);
            places.iter().for_each(|&cell| cells[cell] *= scale);
        }
    }
    let in_row = |row: usize| cells[row * width..][..width].iter().sum::<f64>();
    let in_column = |column: usize| cells.iter().skip(column).step_by(width).sum::<f64>();
    let near = (0..rows.len()).all(|row| (in_row(row) - share(rows, row)).abs() < NEAR)
        && (0..width).all(|column| (in_column(column) - share(columns, column)).abs() < NEAR);
    near.then(|| {
        cells
            .iter()
            .map(|cell| (1e6 * cell).round() as u64)
            .collect()
    })
}

/// Returns shares that cost at most `budget` generated deals per kept deal when a plain script is levelled by
/// rejection: every class moves the same fraction of the way from its natural frequency to its target share.
///
/// With r the largest ratio of a target share to a natural one, levelling keeps 1 in r of the deals; going the fraction
/// l of the way keeps 1 in 1 + l (r - 1).
#[must_use]
pub fn affordable(probability: &[f64], shares: &[u64], budget: f64) -> Vec<u64> {
    let base: f64 = probability.iter().sum();
    let total: u64 = shares.iter().sum();
    if base <= 0.0 || total == 0 {
        return shares.to_vec();
    }
    let natural = |i: usize| probability[i] / base;
    let wanted = |i: usize| shares[i] as f64 / total as f64;
    let ratio = |i: usize| wanted(i) / natural(i);
    let largest = (0..shares.len()).map(ratio).fold(0.0, f64::max);
    // 1 / base deals are generated for each deal that satisfies the script; the rest of the budget is for levelling.
    let allowed = (budget * base).max(1.0);
    if largest <= allowed {
        return shares.to_vec();
    }
    let part = (allowed - 1.0) / (largest - 1.0);
    (0..shares.len())
        .map(|i| (1e6 * ((1.0 - part) * natural(i) + part * wanted(i))).round() as u64)
        .collect()
}

/// Returns for each class the fraction that a plain script must keep to give the classes their target shares, in
/// millionths. `probability` is the natural frequency of each class.
#[must_use]
pub fn keep_rates(probability: &[f64], shares: &[u64]) -> Vec<u32> {
    let wanted = |i: usize| shares[i] as f64 / probability[i];
    let most = (0..shares.len()).map(wanted).fold(0.0, f64::max);
    (0..shares.len())
        .map(|i| (1e6 * wanted(i) / most).round() as u32)
        .collect()
}
