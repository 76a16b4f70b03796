//! Exact counts and probabilities.

use std::fmt;

use cards::{Seat, Side};

/// The kind of objects that a [`Count`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountUnit {
    /// Hands of one seat.
    Hands(Seat),
    /// Pairs of hands.
    Pairs(Seat, Seat),
    /// Sets of 26 cards of a side.
    SideCards(Side),
    /// Whole deals.
    Deals,
}

impl fmt::Display for CountUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CountUnit::Hands(_) => "hands",
            CountUnit::Pairs(..) => "pairs of hands",
            CountUnit::SideCards(_) => "26-card sides",
            CountUnit::Deals => "deals",
        })
    }
}

/// An exact probability: a number of hits out of all cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    hits: u128,
    out_of: u128,
    unit: CountUnit,
}

impl Count {
    /// Creates a count. `out_of` must not be 0 and not exceed the number of deals.
    #[must_use]
    pub(crate) fn new(hits: u128, out_of: u128, unit: CountUnit) -> Count {
        Count { hits, out_of, unit }
    }

    /// Creates a count of deals; `None` if `out_of` is 0 or too large, or if there are more hits than deals.
    #[must_use]
    pub fn among(hits: u128, out_of: u128) -> Option<Count> {
        let sensible = (1..=cards::Deal::COUNT).contains(&out_of) && hits <= out_of;
        sensible.then(|| Count::new(hits, out_of, CountUnit::Deals))
    }

    /// Returns the number of cases that satisfy the conditions.
    #[must_use]
    pub const fn hits(&self) -> u128 {
        self.hits
    }

    /// Returns the number of all cases.
    #[must_use]
    pub const fn out_of(&self) -> u128 {
        self.out_of
    }

    /// Returns the objects that are counted.
    #[must_use]
    pub const fn unit(&self) -> CountUnit {
        self.unit
    }

    /// Returns the probability, rounded to a floating-point number.
    #[must_use]
    pub fn probability(&self) -> f64 {
        self.hits as f64 / self.out_of as f64
    }

    /// Returns numerator and denominator without common factors.
    ///
    /// ```
    /// # use croupier_sampling::{Budget, Problem, Sampler};
    /// let all = Sampler::new(&Problem::new(), Budget::default()).unwrap().count();
    /// assert_eq!(all.lowest_terms(), (1, 1));
    /// ```
    #[must_use]
    pub fn lowest_terms(&self) -> (u128, u128) {
        let (mut a, mut b) = (self.hits, self.out_of);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        (self.hits / a.max(1), self.out_of / a.max(1))
    }

    /// Returns the decimal expansion of the probability times `10^shift` with `digits` significant digits, rounded half
    /// up, without trailing zeros.
    #[must_use]
    pub fn decimal(&self, digits: usize, shift: usize) -> String {
        quotient(self.hits, self.out_of, digits, shift)
    }

    /// Returns the number of cases for each hit, with `digits` significant digits; `None` if there are no hits.
    #[must_use]
    pub fn one_in(&self, digits: usize) -> Option<String> {
        (self.hits > 0).then(|| quotient(self.out_of, self.hits, digits, 0))
    }
}

/// Formats `top / bottom * 10^shift` as a decimal number. Both must be below 2^124.
fn quotient(top: u128, bottom: u128, digits: usize, shift: usize) -> String {
    let mut text: Vec<u8> = (top / bottom).to_string().into_bytes();
    let mut point = text.len();
    let mut rest = top % bottom;
    let significant = |text: &[u8]| text.iter().skip_while(|&&digit| digit == b'0').count();
    // Long division with one extra digit, for rounding.
    while rest != 0 && (significant(&text) <= digits || text.len() < point + shift) {
        rest *= 10;
        text.push(b'0' + (rest / bottom) as u8);
        rest %= bottom;
    }
    while text.len() < point + shift {
        text.push(b'0');
    }
    point += shift;
    let leading = text.len() - significant(&text);
    let keep = (leading + digits).max(point);
    if text.len() > keep {
        let up = text[keep] >= b'5';
        text.truncate(keep);
        if up {
            point += usize::from(increment(&mut text));
        }
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    let (whole, fraction) = text.split_at(point);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    match fraction.trim_end_matches('0') {
        "" => whole.to_owned(),
        fraction => format!("{whole}.{fraction}"),
    }
}

/// Adds one in the last place. Returns true if that made the number one digit longer.
fn increment(text: &mut Vec<u8>) -> bool {
    for digit in text.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return false;
        }
        *digit = b'0';
    }
    text.insert(0, b'1');
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_rounded_in_the_last_digit() {
        assert_eq!(
            quotient(30_897_212_184, 635_013_559_600, 16, 2),
            "4.865598807600643"
        );
        assert_eq!(quotient(1, 3, 5, 0), "0.33333");
        assert_eq!(quotient(2, 3, 5, 2), "66.667");
        assert_eq!(quotient(999_999, 1_000_000, 3, 0), "1");
        assert_eq!(quotient(1, 1, 10, 2), "100");
        assert_eq!(quotient(0, 7, 10, 2), "0");
        assert_eq!(quotient(1, 8, 10, 0), "0.125");
        assert_eq!(quotient(12_345, 1, 3, 0), "12345");
        assert_eq!(quotient(1, 20_000, 3, 0), "0.00005");
    }
}
