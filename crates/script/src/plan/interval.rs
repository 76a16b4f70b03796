//! Ranges of values of expressions.

use cards::Contract;

use super::{BinaryOp, Mode, RankValues};

/// A range of 32-bit values, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub min: i32,
    pub max: i32,
}

impl Interval {
    pub const FULL: Interval = Interval {
        min: i32::MIN,
        max: i32::MAX,
    };
    pub const TRUTH: Interval = Interval { min: 0, max: 1 };

    pub fn new(min: i32, max: i32) -> Interval {
        Interval { min, max }
    }

    pub fn only(value: i32) -> Interval {
        Interval {
            min: value,
            max: value,
        }
    }

    /// Returns the range, or the full range if it does not fit in 32 bits, because the value then wraps around.
    fn wrapping(min: i64, max: i64) -> Interval {
        match (i32::try_from(min), i32::try_from(max)) {
            (Ok(min), Ok(max)) => Interval { min, max },
            _ => Interval::FULL,
        }
    }

    pub fn constant(self) -> Option<i32> {
        (self.min == self.max).then_some(self.min)
    }

    pub fn contains(self, value: i32) -> bool {
        self.min <= value && value <= self.max
    }

    /// Returns the truth value, if it is certain.
    pub fn truth(self) -> Option<bool> {
        if self.constant() == Some(0) {
            Some(false)
        } else if !self.contains(0) {
            Some(true)
        } else {
            None
        }
    }

    pub fn is_truth(self) -> bool {
        self.min >= 0 && self.max <= 1
    }

    pub fn union(self, other: Interval) -> Interval {
        Interval {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Returns the range of the absolute values.
    pub fn absolute(self) -> Interval {
        if self.min >= 0 {
            return self;
        }
        let largest = i64::from(self.min).abs().max(i64::from(self.max).abs());
        let least = if self.max < 0 {
            -i64::from(self.max)
        } else {
            0
        };
        Interval::wrapping(least, largest)
    }

    pub fn negate(self) -> Interval {
        Interval::wrapping(-i64::from(self.max), -i64::from(self.min))
    }

    pub fn binary(op: BinaryOp, a: Interval, b: Interval) -> Interval {
        let (a0, a1) = (i64::from(a.min), i64::from(a.max));
        let (b0, b1) = (i64::from(b.min), i64::from(b.max));
        match op {
            BinaryOp::Add => Interval::wrapping(a0 + b0, a1 + b1),
            BinaryOp::Subtract => Interval::wrapping(a0 - b1, a1 - b0),
            BinaryOp::Multiply => {
                let corners = [a0 * b0, a0 * b1, a1 * b0, a1 * b1];
                let min = corners.into_iter().min().unwrap_or(0);
                let max = corners.into_iter().max().unwrap_or(0);
                Interval::wrapping(min, max)
            }
            BinaryOp::Divide => quotient(a, b),
            BinaryOp::Remainder => remainder(a, b),
            _ => match compare(op, a, b) {
                Some(result) => Interval::only(i32::from(result)),
                None => Interval::TRUTH,
            },
        }
    }
}

fn quotient(a: Interval, b: Interval) -> Interval {
    let largest = i64::from(a.min).abs().max(i64::from(a.max).abs());
    if b.contains(0) {
        return Interval::wrapping(-largest, largest);
    }
    let corners = [
        i64::from(a.min) / i64::from(b.min),
        i64::from(a.min) / i64::from(b.max),
        i64::from(a.max) / i64::from(b.min),
        i64::from(a.max) / i64::from(b.max),
    ];
    let min = corners.into_iter().min().unwrap_or(-largest);
    let max = corners.into_iter().max().unwrap_or(largest);
    Interval::wrapping(min, max)
}

fn remainder(a: Interval, b: Interval) -> Interval {
    let divisor = i64::from(b.min).abs().max(i64::from(b.max).abs());
    let most = (divisor - 1).max(0);
    let max = i64::from(a.max).clamp(0, most);
    let min = i64::from(a.min).clamp(-most, 0);
    Interval::wrapping(min, max)
}

/// Returns the result of a comparison, if it is the same for all values.
fn compare(op: BinaryOp, a: Interval, b: Interval) -> Option<bool> {
    match op {
        BinaryOp::Equal => {
            if a.max < b.min || b.max < a.min {
                Some(false)
            } else if a.constant().is_some() && a.constant() == b.constant() {
                Some(true)
            } else {
                None
            }
        }
        BinaryOp::NotEqual => compare(BinaryOp::Equal, a, b).map(|equal| !equal),
        BinaryOp::Less => {
            if a.max < b.min {
                Some(true)
            } else if a.min >= b.max {
                Some(false)
            } else {
                None
            }
        }
        BinaryOp::GreaterEqual => compare(BinaryOp::Less, a, b).map(|less| !less),
        BinaryOp::Greater => compare(BinaryOp::Less, b, a),
        BinaryOp::LessEqual => compare(BinaryOp::Less, b, a).map(|less| !less),
        _ => None,
    }
}

/// Returns the range of a counter for any cards of one suit, or for thirteen cards.
pub(crate) fn count(values: &RankValues, in_suit: bool) -> Interval {
    if in_suit {
        let sum = |wanted: fn(i64) -> bool| {
            values
                .iter()
                .map(|&v| i64::from(v))
                .filter(|&v| wanted(v))
                .sum::<i64>()
        };
        return Interval::wrapping(sum(|v| v < 0), sum(|v| v > 0));
    }
    // Each rank occurs four times. Sum the best and the worst thirteen cards.
    let mut sorted: Vec<i64> = values.iter().flat_map(|&v| [i64::from(v); 4]).collect();
    sorted.sort_unstable();
    let min = sorted[..13].iter().sum();
    let max = sorted[39..].iter().sum();
    Interval::wrapping(min, max)
}

/// Returns the range of scores for a range of tricks. More tricks never score less.
pub(crate) fn score(contract: Contract, vulnerable: bool, tricks: Interval) -> Interval {
    if tricks.min < -1000 || tricks.max > 1000 {
        return Interval::FULL;
    }
    Interval::new(
        contract.score(vulnerable, tricks.min),
        contract.score(vulnerable, tricks.max),
    )
}

/// Returns the IMPs for a difference in a dialect.
pub(crate) fn imps_of(mode: Mode, difference: i32) -> i32 {
    match mode {
        Mode::V2 => cards::scoring::imps_dealer_v2(difference),
        _ => cards::scoring::imps(difference),
    }
}

/// Returns the range of `rnd(n)` for a range of n.
pub(crate) fn rnd(limit: Interval, counts_deals: bool) -> Interval {
    let max = if counts_deals && limit.contains(0) {
        i32::MAX
    } else {
        limit.max.saturating_sub(1).max(0)
    };
    Interval::new(limit.min.saturating_add(1).min(0), max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_has_at_most_37_points() {
        let mut hcp = [0; 13];
        hcp[9..].copy_from_slice(&[1, 2, 3, 4]);
        assert_eq!(count(&hcp, false), Interval::new(0, 37));
        assert_eq!(count(&hcp, true), Interval::new(0, 10));
    }

    #[test]
    fn after_an_overflow_any_value_is_possible() {
        let big = Interval::new(0, i32::MAX);
        assert_eq!(Interval::binary(BinaryOp::Add, big, big), Interval::FULL);
    }
}
