//! Text of the accepted deals, formatted by the threads that found them.
//!
//! The text of a deal may depend on its number among the produced deals, so a worker must know how many deals the
//! earlier units hold. As soon as a worker has filtered its unit, it waits for its turn and adds its number of deals;
//! then it formats them while the next worker takes its turn. Earlier units are done or in work, so the wait is short.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::ledger::Accepted;
use crate::outcome::{ParallelFormatter, ProducedDeal};

/// Counts the deals of the units in order.
pub(super) struct TurnQueue {
    state: Mutex<State>,
    moved: Condvar,
}

struct State {
    /// The unit whose turn it is.
    next: u64,
    /// Number of accepted deals in all earlier units.
    accepted: u64,
}

impl TurnQueue {
    /// Creates a queue whose first unit begins after `accepted` deals.
    pub fn new(accepted: u64) -> TurnQueue {
        TurnQueue {
            state: Mutex::new(State { next: 0, accepted }),
            moved: Condvar::new(),
        }
    }

    /// Locks the state. A poisoned lock is ignored: a panic ends the run anyway, and the state is always consistent.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the turn of a unit. Every unit that is begun must have one, since later units wait for it.
    pub fn turn<'a>(&'a self, formatter: &'a dyn ParallelFormatter, unit: u64) -> Turn<'a> {
        Turn {
            turns: self,
            formatter,
            unit,
        }
    }

    /// Waits for the turn of a unit with `accepted` deals; returns the number of deals before it.
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

/// Permission to write the text of a unit: units write in their order.
pub(super) struct Turn<'a> {
    turns: &'a TurnQueue,
    formatter: &'a dyn ParallelFormatter,
    unit: u64,
}

impl Turn<'_> {
    /// Formats the accepted deals of the unit that the run still needs; the others are dropped. `room` is the length of
    /// the texts of the last unit.
    pub fn write(
        self,
        accepted: &mut Accepted,
        starts: &[usize],
        produce: u64,
        room: &mut Vec<usize>,
    ) -> Vec<Vec<u8>> {
        let before = self.turns.take(self.unit, accepted.deals.len() as u64);
        let width = starts.last().copied().unwrap_or(0);
        let wanted = produce.saturating_sub(before);
        accepted.truncate(usize::try_from(wanted).unwrap_or(usize::MAX), width);
        room.resize(self.formatter.places(), 0);
        // A little more than the texts of the last unit, to avoid a reallocation near the end.
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
            self.formatter.write(&mut texts, &produced);
        }
        for (room, text) in room.iter_mut().zip(&texts) {
            *room = text.len();
        }
        texts
    }
}

impl Drop for Turn<'_> {
    /// Passes the turn on when this worker panics, so that the panic is reported instead of blocking the run.
    fn drop(&mut self) {
        if thread::panicking() {
            self.turns.lock().next = u64::MAX;
            self.turns.moved.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_take_their_turns_whatever_their_order() {
        let turns = TurnQueue::new(10);
        let counts = [5u64, 0, 7, 3];
        let mut before = [0; 4];
        thread::scope(|scope| {
            for (unit, before) in before.iter_mut().enumerate().rev() {
                let turns = &turns;
                scope.spawn(move || *before = turns.take(unit as u64, counts[unit]));
            }
        });
        assert_eq!(before, [10, 15, 15, 22]);
    }

    struct EmptyFormatter;

    impl ParallelFormatter for EmptyFormatter {
        fn places(&self) -> usize {
            0
        }

        fn write(&self, _: &mut [Vec<u8>], _: &ProducedDeal<'_>) {}
    }

    #[test]
    fn a_panicking_worker_blocks_no_other() {
        let turns = TurnQueue::new(0);
        thread::scope(|scope| {
            let turns = &turns;
            let panicking = scope.spawn(move || {
                let _place = turns.turn(&EmptyFormatter, 0);
                panic!("a worker panics before its turn");
            });
            assert!(panicking.join().is_err());
            turns.take(7, 1);
        });
    }
}
