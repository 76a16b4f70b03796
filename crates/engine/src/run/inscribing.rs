//! Text of the accepted deals, written by the threads that found them.
//!
//! What is written of a deal depends on its number among the produced ones, so a worker must know how many the units
//! before its own hold. They are all in other workers' hands or done, so it does not wait for long: as soon as a
//! worker has filtered its unit it takes its place in the line, and writes while the next one takes its.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::ledger::Accepted;
use crate::outcome::{ProducedDeal, Scribe};

/// How many deals the units so far hold.
pub(super) struct Line {
    state: Mutex<State>,
    moved: Condvar,
}

struct State {
    /// The unit whose turn it is.
    next: u64,
    /// Accepted deals of all units before it.
    accepted: u64,
}

impl Line {
    /// A line whose first unit begins after so many deals.
    pub fn new(accepted: u64) -> Line {
        Line {
            state: Mutex::new(State { next: 0, accepted }),
            moved: Condvar::new(),
        }
    }

    /// A panic elsewhere ends the run anyway; the state itself is always consistent.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place of a unit. Every unit that is begun must have one, since later ones wait for it.
    pub fn place<'a>(&'a self, scribe: &'a dyn Scribe, unit: u64) -> Place<'a> {
        Place {
            line: self,
            scribe,
            unit,
        }
    }

    /// Waits for the turn of a unit with so many deals; gives the number of deals before it.
    fn take(&self, unit: u64, accepted: u64) -> u64 {
        let mut state = self
            .moved
            .wait_while(self.lock(), |state| state.next < unit)
            .unwrap_or_else(PoisonError::into_inner);
        let before = state.accepted;
        state.accepted += accepted;
        state.next = state.next.max(unit + 1);
        drop(state);
        self.moved.notify_all();
        before
    }
}

/// A unit's place in the line.
pub(super) struct Place<'a> {
    line: &'a Line,
    scribe: &'a dyn Scribe,
    unit: u64,
}

impl Place<'_> {
    /// Writes about the accepted deals of the unit, as far as the run wants them; the others are dropped. `room` is
    /// how long the texts of the last unit were.
    pub fn write(
        self,
        accepted: &mut Accepted,
        starts: &[usize],
        produce: u64,
        room: &mut Vec<usize>,
    ) -> Vec<Vec<u8>> {
        let before = self.line.take(self.unit, accepted.deals.len() as u64);
        let width = starts.last().copied().unwrap_or(0);
        let wanted = produce.saturating_sub(before);
        accepted.truncate(usize::try_from(wanted).unwrap_or(usize::MAX), width);
        room.resize(self.scribe.places(), 0);
        // A little more than the last one took, or it would be copied for its last line.
        let mut texts: Vec<Vec<u8>> = room
            .iter()
            .map(|&length| Vec::with_capacity(length + length / 16))
            .collect();
        for (place, &(index, deal)) in accepted.deals.iter().enumerate() {
            let produced = ProducedDeal {
                index,
                ordinal: before + place as u64 + 1,
                deal,
                tricks: accepted.tricks.get(place).copied(),
                values: &accepted.values[place * width..(place + 1) * width],
                starts,
            };
            self.scribe.write(&mut texts, &produced);
        }
        for (room, text) in room.iter_mut().zip(&texts) {
            *room = text.len();
        }
        texts
    }
}

impl Drop for Place<'_> {
    /// Lets the others go when this worker dies, so that its panic is reported instead of waited for.
    fn drop(&mut self) {
        if thread::panicking() {
            self.line.lock().next = u64::MAX;
            self.line.moved.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_take_their_turns_whatever_their_order() {
        let line = Line::new(10);
        let counts = [5u64, 0, 7, 3];
        let mut before = [0; 4];
        thread::scope(|scope| {
            for (unit, before) in before.iter_mut().enumerate().rev() {
                let line = &line;
                scope.spawn(move || *before = line.take(unit as u64, counts[unit]));
            }
        });
        assert_eq!(before, [10, 15, 15, 22]);
    }

    struct Nobody;

    impl Scribe for Nobody {
        fn places(&self) -> usize {
            0
        }

        fn write(&self, _: &mut [Vec<u8>], _: &ProducedDeal<'_>) {}
    }

    #[test]
    fn nobody_waits_for_the_dead() {
        let line = Line::new(0);
        thread::scope(|scope| {
            let line = &line;
            let dead = scope.spawn(move || {
                let _place = line.place(&Nobody, 0);
                panic!("a worker dies before its turn");
            });
            assert!(dead.join().is_err());
            line.take(7, 1);
        });
    }
}
