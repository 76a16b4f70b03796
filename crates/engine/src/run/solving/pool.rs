//! The threads of a solving run: an idle thread solves a candidate or searches for more.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use super::super::blocks::{Unit, Units, verdict};
use super::super::clock::Clock;
use super::super::filter::{Findings, Worker};
use super::super::ledger::Ledger;
use super::{Candidate, CandidateEvaluator, EvaluatedCandidate, Solving, enter};
use crate::outcome::{Ended, RunError};
use crate::parallel::spawn;

/// Number of open candidates from which no thread searches for more.
const WAITING: usize = 256;

/// The position of a candidate in deal order: the number of its unit and its index there.
type Position = (u64, usize);

/// The next task of a thread.
enum Task {
    /// Search a unit for candidates.
    Filter(u64, Unit),
    /// Solve a candidate.
    Evaluate(Position, Candidate),
}

/// The result of a task.
enum Done {
    /// A searched unit; its candidates are in the queue.
    Filtered(u64, usize, Findings),
    Evaluated(Position, EvaluatedCandidate),
}

struct State<'a> {
    units: Units<'a>,
    /// Number of units handed out.
    begun: u64,
    /// Number of threads that search for candidates.
    looking: usize,
    waiting: BTreeMap<Position, Candidate>,
    /// Number of candidates found and not yet recorded.
    open: usize,
    over: bool,
}

struct Queue<'a> {
    state: Mutex<State<'a>>,
    changed: Condvar,
    clock: Clock<'a>,
    solving: &'a Solving<'a>,
}

impl<'a> Queue<'a> {
    /// Locks the state. A poisoned lock is ignored: a panic ends the run anyway, and the state is always consistent.
    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.over {
                return None;
            }
            if let Some(ended) = self.clock.stop(self.solving.shared.produced()) {
                self.solving.shared.stop(ended);
                state.over = true;
                self.changed.notify_all();
                return None;
            }
            if let Some((place, candidate)) = state.waiting.pop_first() {
                return Some(Task::Evaluate(place, candidate));
            }
            if state.open < WAITING
                && let Some(unit) = state.units.next()
            {
                state.looking += 1;
                state.begun += 1;
                return Some(Task::Filter(state.begun - 1, unit));
            }
            if state.open < WAITING && state.looking == 0 {
                return None;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Puts the candidates of a unit into the queue and returns their number.
    fn found(&self, unit: u64, findings: &mut Findings) -> usize {
        let deals = std::mem::take(&mut findings.accepted.deals);
        let count = deals.len();
        let mut state = self.lock();
        state.looking -= 1;
        state.open += count;
        for (place, (number, deal)) in deals.into_iter().enumerate() {
            state
                .waiting
                .insert((unit, place), Candidate { number, deal });
        }
        self.changed.notify_all();
        count
    }

    fn entered(&self) {
        self.lock().open -= 1;
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }
}

/// Stops the other threads when one panics, so that the panic is reported instead of blocking the run.
struct StopOnPanic<'q, 'a>(&'q Queue<'a>);

impl Drop for StopOnPanic<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Runs on `threads` threads; the calling thread records the results.
pub(super) fn run(
    solving: &Solving<'_>,
    threads: usize,
    ledger: &mut Ledger<'_, '_>,
) -> Result<Ended, RunError> {
    let clock = Clock::start(solving.shared.options);
    let queue = Queue {
        state: Mutex::new(State {
            units: Units::new(solving.shared, clock),
            begun: 0,
            looking: 0,
            waiting: BTreeMap::new(),
            open: 0,
            over: false,
        }),
        changed: Condvar::new(),
        clock,
        solving,
    };
    let (sender, done) = mpsc::channel();
    thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads {
            let (queue, sender) = (&queue, sender.clone());
            if !spawn(scope, move || work(queue, &sender)) {
                break;
            }
            started += 1;
        }
        drop(sender);
        if started == 0 {
            return super::alone(solving, ledger);
        }
        let end = account(&queue, &done, ledger);
        queue.stop();
        end
    })
}

/// Executes tasks until none is left.
fn work(queue: &Queue<'_>, sender: &mpsc::Sender<Done>) {
    let _guard = StopOnPanic(queue);
    let mut worker = Worker::new(queue.solving.shared);
    let mut evaluate = CandidateEvaluator::new(queue.solving);
    while let Some(task) = queue.take() {
        let done = match task {
            Task::Filter(number, unit) => {
                let mut findings = worker.work(unit);
                let count = queue.found(number, &mut findings);
                Done::Filtered(number, count, findings)
            }
            Task::Evaluate(place, candidate) => {
                Done::Evaluated(place, evaluate.evaluate(candidate))
            }
        };
        if sender.send(done).is_err() {
            return;
        }
    }
}

/// Records the results of the threads in deal order.
fn account(
    queue: &Queue<'_>,
    done: &mpsc::Receiver<Done>,
    ledger: &mut Ledger<'_, '_>,
) -> Result<Ended, RunError> {
    let shared = queue.solving.shared;
    let mut filtered: BTreeMap<u64, (usize, Findings)> = BTreeMap::new();
    let mut evaluated: BTreeMap<Position, EvaluatedCandidate> = BTreeMap::new();
    let (mut unit, mut place) = (0, 0);
    for done in done {
        match done {
            Done::Filtered(number, count, findings) => {
                filtered.insert(number, (count, findings));
            }
            Done::Evaluated(place, verdict) => {
                evaluated.insert(place, verdict);
            }
        }
        loop {
            if let Some(next) = evaluated.remove(&(unit, place)) {
                if let ControlFlow::Break(end) = enter(ledger, next) {
                    return end;
                }
                place += 1;
                shared.note(ledger);
                queue.entered();
            } else if filtered
                .get(&unit)
                .is_some_and(|(count, _)| *count == place)
                && let Some((_, findings)) = filtered.remove(&unit)
            {
                ledger.calls += findings.calls;
                ledger.pass(findings.end);
                shared.note(ledger);
                if let ControlFlow::Break(end) = verdict(findings.stop) {
                    return end;
                }
                (unit, place) = (unit + 1, 0);
            } else {
                break;
            }
        }
    }
    Ok(shared.ended())
}
