//! The failure report: counts of failed attempts by seat and cause.

use std::fmt::Write as _;

use cards::{BySeat, Deal, Seat};
use serde::Serialize;

use crate::demand::{Demand, FailureCause};

/// Counts of one seat over all attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeatReport {
    /// Attempts in which this seat was the first to fail.
    pub fail_as_seat: u64,
    /// Attempts in which this seat passed and a later one failed.
    pub fail_global_other: u64,
    /// Attempts that failed before this seat was checked.
    pub fail_global_unchecked: u64,
    /// Failures of this seat because of points.
    pub fail_hcp: u64,
    /// Failures of this seat because of a suit length.
    pub fail_shape: u64,
    /// Failures of this seat because of a random suit, a contingent constraint or an exclusion.
    pub fail_other: u64,
}

/// Counts of a whole run. Two of them can be added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureReport {
    /// Boards requested.
    pub requested: u64,
    /// Boards found.
    pub succeeded: u64,
    /// Deals checked.
    pub attempts: u64,
    /// By seat, North first.
    pub seats: BySeat<SeatReport>,
}

impl FailureReport {
    /// Checks a deal seat by seat and counts the result.
    pub fn count(&mut self, deal: &Deal, demands: &BySeat<Demand>, order: [Seat; 4]) -> bool {
        self.attempts += 1;
        for (place, seat) in order.into_iter().enumerate() {
            let Err(cause) = demands[seat].check(deal[seat]) else {
                continue;
            };
            for &passed in &order[..place] {
                self.seats[passed].fail_global_other += 1;
            }
            for &unchecked in &order[place + 1..] {
                self.seats[unchecked].fail_global_unchecked += 1;
            }
            let own = &mut self.seats[seat];
            own.fail_as_seat += 1;
            *match cause {
                FailureCause::Hcp => &mut own.fail_hcp,
                FailureCause::Shape => &mut own.fail_shape,
                FailureCause::Other => &mut own.fail_other,
            } += 1;
            return false;
        }
        true
    }

    /// Returns the number of attempts that failed.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.seats.values().map(|seat| seat.fail_as_seat).sum()
    }

    /// Returns a seat's share of all failures.
    #[must_use]
    pub fn failure_share(&self, seat: Seat) -> f64 {
        match self.failures() {
            0 => 0.0,
            failures => self.seats[seat].fail_as_seat as f64 / failures as f64,
        }
    }

    /// Returns the seat that failed most often, if any did.
    #[must_use]
    pub fn hardest_seat(&self) -> Option<Seat> {
        let most = self
            .seats
            .values()
            .map(|seat| seat.fail_as_seat)
            .max()
            .filter(|&n| n > 0)?;
        Seat::ALL
            .into_iter()
            .find(|&seat| self.seats[seat].fail_as_seat == most)
    }

    /// Returns a seat's most frequent cause of failure.
    #[must_use]
    pub fn main_cause(&self, seat: Seat) -> &'static str {
        let seat = &self.seats[seat];
        let causes = [
            (seat.fail_hcp, "points"),
            (seat.fail_shape, "suit lengths"),
            (seat.fail_other, "special constraints"),
        ];
        causes
            .into_iter()
            .rev()
            .max_by_key(|(count, _)| *count)
            .map_or("", |(_, cause)| cause)
    }

    /// Adds the counts of another run.
    pub fn merge(&mut self, other: &FailureReport) {
        self.requested += other.requested;
        self.succeeded += other.succeeded;
        self.attempts += other.attempts;
        for (own, other) in self.seats.values_mut().zip(other.seats.values()) {
            own.fail_as_seat += other.fail_as_seat;
            own.fail_global_other += other.fail_global_other;
            own.fail_global_unchecked += other.fail_global_unchecked;
            own.fail_hcp += other.fail_hcp;
            own.fail_shape += other.fail_shape;
            own.fail_other += other.fail_other;
        }
    }

    fn success_rate(&self) -> f64 {
        if self.attempts == 0 {
            0.0
        } else {
            self.succeeded as f64 / self.attempts as f64
        }
    }

    /// Formats the report as a text table.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "boards requested {}, succeeded {}, failed {}\nattempts {}, success rate {:.4} %\n\n",
            self.requested,
            self.succeeded,
            self.requested - self.succeeded,
            self.attempts,
            100.0 * self.success_rate(),
        );
        text.push_str(
            "seat   failed first  passed, later failed  not reached     points     shape     other  pain share\n",
        );
        for seat in Seat::ALL {
            let s = &self.seats[seat];
            let _ = writeln!(
                text,
                "{:<5} {:>13} {:>21} {:>12} {:>10} {:>9} {:>9} {:>9.1} %",
                seat.name(),
                s.fail_as_seat,
                s.fail_global_other,
                s.fail_global_unchecked,
                s.fail_hcp,
                s.fail_shape,
                s.fail_other,
                100.0 * self.failure_share(seat),
            );
        }
        match self.hardest_seat() {
            Some(seat) => {
                let _ = writeln!(text, "hardest seat: {seat} ({})", self.main_cause(seat));
            }
            None => text.push_str("hardest seat: none\n"),
        }
        text
    }

    /// Returns the report as JSON.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let seats: serde_json::Map<String, serde_json::Value> = Seat::ALL
            .into_iter()
            .map(|seat| {
                let mut row = serde_json::json!(self.seats[seat]);
                row["failure_share"] = self.failure_share(seat).into();
                (seat.letter().to_string(), row)
            })
            .collect();
        serde_json::json!({
            "boards_requested": self.requested,
            "boards_succeeded": self.succeeded,
            "boards_failed": self.requested - self.succeeded,
            "total_attempts": self.attempts,
            "success_rate": self.success_rate(),
            "seats": seats,
            "hardest_seat": self.hardest_seat().map(|seat| seat.letter().to_string()),
        })
    }

    /// Returns the report as CSV, one row for each seat.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = String::from(
            "seat,fail_as_seat,fail_global_other,fail_global_unchecked,fail_hcp,fail_shape,fail_other,\
             failure_share,boards_requested,boards_succeeded,total_attempts\n",
        );
        for seat in Seat::ALL {
            let s = &self.seats[seat];
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{},{},{},{}",
                seat.letter(),
                s.fail_as_seat,
                s.fail_global_other,
                s.fail_global_unchecked,
                s.fail_hcp,
                s.fail_shape,
                s.fail_other,
                self.failure_share(seat),
                self.requested,
                self.succeeded,
                self.attempts,
            );
        }
        text
    }
}
