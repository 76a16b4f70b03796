//! Compares pre-allocation with exact dealing: distributions of both samples, seat by seat.

use std::fmt::Write as _;

use cards::{BySeat, BySuit, Deal, Seat, Shape, Suit};

use crate::demand::hcp;

/// Counts of one seat. Counts of two runs can be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatCounts {
    /// Hands with 0 to 37 points.
    pub hcp: [u64; 38],
    /// Hands with 0 to 13 cards of each suit, clubs first.
    pub lengths: BySuit<[u64; 14]>,
    /// Hands of each shape.
    pub shapes: Vec<u64>,
}

impl Default for SeatCounts {
    fn default() -> Self {
        SeatCounts {
            hcp: [0; 38],
            lengths: BySuit([[0; 14]; 4]),
            shapes: vec![0; Shape::COUNT],
        }
    }
}

/// The counts of all four seats, North first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DealtCounts {
    /// Number of deals.
    pub deals: u64,
    /// By seat.
    pub seats: BySeat<SeatCounts>,
}

impl DealtCounts {
    /// Counts a deal.
    pub fn add(&mut self, deal: &Deal) {
        self.deals += 1;
        for (seat, counts) in self.seats.iter_mut() {
            let hand = deal[seat];
            let points: u8 = Suit::ALL
                .into_iter()
                .map(|suit| hcp(hand.holding(suit)))
                .sum();
            counts.hcp[usize::from(points).min(37)] += 1;
            for (suit, lengths) in counts.lengths.iter_mut() {
                lengths[hand.holding(suit).len()] += 1;
            }
            if let Some(shape) = Shape::of(hand) {
                counts.shapes[shape.index()] += 1;
            }
        }
    }
}

/// One row of the comparison: a quantity, its figures in both samples, and a test of their difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The seat.
    pub seat: Seat,
    /// Name of the compared quantity, such as points or the length of a suit.
    pub quantity: String,
    /// Mean in the exact sample; none for shapes, which have no mean.
    pub exact_mean: Option<f64>,
    /// Mean in the other sample.
    pub other_mean: Option<f64>,
    /// Half the sum of the absolute differences of the two distributions.
    pub total_variation: f64,
    /// Chi-square of the two samples.
    pub chi_square: f64,
    /// Degrees of freedom of the chi-square.
    pub degrees: usize,
    /// The probability of a chi-square at least this large between two samples of one distribution.
    pub p_value: f64,
}

/// Compares two samples, seat by seat.
#[must_use]
pub fn compare(exact: &DealtCounts, other: &DealtCounts) -> Vec<Row> {
    let mut rows = Vec::new();
    for seat in Seat::ALL {
        let (a, b) = (&exact.seats[seat], &other.seats[seat]);
        rows.push(row(seat, "hcp".to_owned(), &a.hcp, &b.hcp, true));
        for suit in Suit::DESCENDING {
            let (a, b) = (&a.lengths[suit], &b.lengths[suit]);
            rows.push(row(seat, suit.to_string(), a, b, true));
        }
        rows.push(row(seat, "shape".to_owned(), &a.shapes, &b.shapes, false));
    }
    rows
}

fn row(seat: Seat, quantity: String, a: &[u64], b: &[u64], has_mean: bool) -> Row {
    let (total_a, total_b) = (a.iter().sum::<u64>() as f64, b.iter().sum::<u64>() as f64);
    let mean = |counts: &[u64], total: f64| {
        let sum: u64 = counts
            .iter()
            .enumerate()
            .map(|(value, &count)| value as u64 * count)
            .sum();
        has_mean.then(|| sum as f64 / total.max(1.0))
    };
    let part = |n: u64, total: f64| n as f64 / total.max(1.0);
    let total_variation = a
        .iter()
        .zip(b)
        .map(|(&x, &y)| (part(x, total_a) - part(y, total_b)).abs())
        .sum::<f64>()
        / 2.0;
    let (chi_square, degrees) = two_samples(a, b);
    Row {
        seat,
        quantity,
        exact_mean: mean(a, total_a),
        other_mean: mean(b, total_b),
        total_variation,
        chi_square,
        degrees,
        p_value: statistics::chi_square::upper_tail(chi_square, degrees as f64),
    }
}

/// Returns chi-square and degrees of freedom of two samples; cells with fewer than ten deals are pooled.
#[must_use]
pub fn two_samples(a: &[u64], b: &[u64]) -> (f64, usize) {
    let (total_a, total_b) = (a.iter().sum::<u64>() as f64, b.iter().sum::<u64>() as f64);
    if total_a == 0.0 || total_b == 0.0 {
        return (0.0, 0);
    }
    let (mut cells, mut pooled) = (Vec::new(), (0, 0));
    for (&x, &y) in a.iter().zip(b) {
        if x + y >= 10 {
            cells.push((x, y));
        } else {
            pooled = (pooled.0 + x, pooled.1 + y);
        }
    }
    if pooled.0 + pooled.1 > 0 {
        cells.push(pooled);
    }
    let (ka, kb) = ((total_b / total_a).sqrt(), (total_a / total_b).sqrt());
    let chi_square = cells
        .iter()
        .map(|&(x, y)| (ka * x as f64 - kb * y as f64).powi(2) / (x + y) as f64)
        .sum();
    (chi_square, cells.len().saturating_sub(1))
}

/// Formats the comparison as a text table; `other` names the second strategy.
#[must_use]
pub fn to_text(exact: &DealtCounts, sample: &DealtCounts, other: &str) -> String {
    let mut text = format!(
        "{:<6} {:<9} {:>9} {:>12} {:>10} {:>8} {:>12} {:>4} {:>9}\n",
        "seat", "quantity", "exact", other, "difference", "TV", "chi-square", "df", "p"
    );
    for row in compare(exact, sample) {
        let mean = |mean: Option<f64>| mean.map_or(String::new(), |m| format!("{m:.4}"));
        let difference = row.exact_mean.zip(row.other_mean).map(|(a, b)| b - a);
        let _ = writeln!(
            text,
            "{:<6} {:<9} {:>9} {:>12} {:>10} {:>8.4} {:>12.1} {:>4} {:>9.2e}",
            row.seat.name(),
            row.quantity,
            mean(row.exact_mean),
            mean(row.other_mean),
            difference.map_or(String::new(), |d| format!("{d:+.4}")),
            row.total_variation,
            row.chi_square,
            row.degrees,
            row.p_value,
        );
    }
    text
}

/// Formats the lengths of one suit in both samples, with their ratio.
#[must_use]
pub fn length_table(exact: &DealtCounts, sample: &DealtCounts, seat: Seat, suit: Suit) -> String {
    let counts = |d: &DealtCounts| d.seats[seat].lengths[suit];
    let (a, b) = (counts(exact), counts(sample));
    let mut text = format!("{seat}, {suit}: length, exact, preallocate, ratio\n");
    for length in (0..14).filter(|&length| a[length] + b[length] > 0) {
        let part = |n: u64, d: &DealtCounts| n as f64 / d.deals.max(1) as f64;
        let (p, q) = (part(a[length], exact), part(b[length], sample));
        let ratio = if p > 0.0 {
            format!("{:.3}", q / p)
        } else {
            "-".to_owned()
        };
        let _ = writeln!(text, "{length:>4} {p:>9.4} {q:>9.4} {ratio:>8}");
    }
    text
}
