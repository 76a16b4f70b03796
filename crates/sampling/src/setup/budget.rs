//! What a set-up may cost, and what it is estimated to cost.

/// What setting up a sampler may cost at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Estimated time, from counted work and fixed constants, never from a clock.
    pub nanoseconds: f64,
    /// Memory of the tables.
    pub bytes: f64,
}

impl Default for Budget {
    /// 60 ms and 64 MB.
    fn default() -> Budget {
        Budget {
            nanoseconds: 60e6,
            bytes: 64e6,
        }
    }
}

impl Budget {
    /// For exact counts that somebody is waiting for: five seconds and a gigabyte.
    #[must_use]
    pub fn patient() -> Budget {
        Budget {
            nanoseconds: 5e9,
            bytes: 1e9,
        }
    }
}

/// The estimated cost of a set-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Time.
    pub nanoseconds: f64,
    /// Memory of the tables.
    pub bytes: f64,
}

impl Estimate {
    pub(crate) fn exceeds(&self, budget: &Budget) -> bool {
        self.nanoseconds > budget.nanoseconds || self.bytes > budget.bytes
    }
}

/// The set-up would cost more than the budget allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TooLarge;
