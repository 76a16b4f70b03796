//! The search for one leader of a strain, which other threads can join.
//!
//! An idle thread (the helper) interrupts a thread that is solving a leader (the owner). The owner's search stops; that
//! loses little, because its table keeps what is proven. The helper copies the owner's table, and the owner starts its
//! test again. (The helper makes the copy, so that the copy is in its own caches.) From then on both exchange what they
//! prove through a [`SearchGroup`]. If the strain has a leader that no thread has taken, the helper solves that leader.
//! Otherwise both run the same tests, and the first result stops the other search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::search::{SearchGroup, Start};
use crate::solver::Solver;

/// A leader being solved, and the helpers that join. There is one for each leader of each strain.
pub(super) struct LeaderSearch {
    /// Stops the search of the owner: a helper joins, or has found the result.
    interrupt: Arc<AtomicBool>,
    offers: Mutex<Offers>,
}

#[derive(Default)]
struct Offers {
    helpers: Vec<Sender<HelperMessage>>,
    /// Number of the current test, so that the result of an old one is ignored.
    request: u64,
    answer: Option<i32>,
}

/// A message to a helper.
enum HelperMessage {
    /// Copy the owner's table, which stays unchanged until `done` is sent, and exchange proofs from then on.
    CopyTable {
        from: Arc<Mutex<Solver>>,
        group: Arc<SearchGroup>,
        done: Sender<()>,
    },
    /// Search the same position as the owner to answer a test sooner.
    Test(TestRequest),
    /// Solve this leader of the strain, an index into [`LEADERS`](crate::solver::LEADERS).
    SolveLeader(usize),
}

/// A test of whether North-South take `need` tricks.
struct TestRequest {
    number: u64,
    notrump: bool,
    start: Start,
    need: i32,
    /// Set when the test has a result.
    is_answered: Arc<AtomicBool>,
}

/// The messages that a helper waits for.
pub(super) struct HelpOffer(Receiver<HelperMessage>);

/// Receives the next message, or `None` if all senders are gone. Spins before it sleeps: messages usually follow each
/// other within microseconds, faster than a thread wakes up.
pub(super) fn receive<T>(from: &Receiver<T>) -> Option<T> {
    for _ in 0..SPINS {
        match from.try_recv() {
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
            sent => return sent.ok(),
        }
    }
    from.recv().ok()
}

/// Attempts to receive before a thread sleeps: some tenths of a millisecond.
const SPINS: usize = 10_000;

/// The helpers of one leader.
pub(super) struct Helpers<'a> {
    /// Returns the group of all threads that work on the strain.
    group: &'a dyn Fn() -> &'a Arc<SearchGroup>,
    /// Takes a leader of the strain that no thread has taken.
    untaken: &'a dyn Fn() -> Option<usize>,
    /// Helpers that take part in every test.
    test_helpers: Vec<Sender<HelperMessage>>,
}

impl<'a> Helpers<'a> {
    /// Creates an empty list of helpers.
    pub(super) fn new(
        group: &'a dyn Fn() -> &'a Arc<SearchGroup>,
        untaken: &'a dyn Fn() -> Option<usize>,
    ) -> Helpers<'a> {
        Helpers {
            group,
            untaken,
            test_helpers: Vec::new(),
        }
    }
}

/// Locks a mutex, even if a thread that held it panicked: that panic is reported elsewhere.
pub(super) fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LeaderSearch {
    pub(super) fn new() -> LeaderSearch {
        LeaderSearch {
            interrupt: Arc::default(),
            offers: Mutex::default(),
        }
    }

    /// Ends the search for this leader. Waiting helpers look for other work.
    pub(super) fn close(&self) {
        lock(&self.offers).helpers.clear();
    }

    /// Offers help to the owner.
    pub(super) fn offer(&self) -> HelpOffer {
        let (sender, messages) = channel();
        lock(&self.offers).helpers.push(sender);
        self.interrupt.store(true, Relaxed);
        HelpOffer(messages)
    }

    /// Takes part in tests until the owner is done. Returns the leader to solve instead, if the owner sends one.
    pub(super) fn help(&self, offer: &HelpOffer, solver: &Mutex<Solver>) -> Option<usize> {
        let leader = loop {
            let request = match receive(&offer.0) {
                Some(HelperMessage::Test(request)) => request,
                Some(HelperMessage::CopyTable { from, group, done }) => {
                    let mut solver = lock(solver);
                    solver.copy_from(&lock(&from));
                    solver.engine.set_group(Some(&group));
                    let _ = done.send(());
                    continue;
                }
                Some(HelperMessage::SolveLeader(leader)) => break Some(leader),
                None => break None,
            };
            let engine = &mut lock(solver).engine;
            engine.stop_when(Some(request.is_answered), None);
            engine.set_same_question(true);
            let tricks = engine.test(request.notrump, &request.start, request.need);
            if engine.was_stopped() {
                continue;
            }
            let mut offers = lock(&self.offers);
            if offers.request == request.number {
                offers.answer = Some(tricks);
                self.interrupt.store(true, Relaxed);
            }
        };
        let engine = &mut lock(solver).engine;
        engine.stop_when(None, None);
        if leader.is_none() {
            engine.set_group(None);
        }
        leader
    }

    /// Runs [`Engine::test`](crate::engine::Engine::test) together with all helpers.
    pub(super) fn test(
        &self,
        solver: &Arc<Mutex<Solver>>,
        helpers: &mut Helpers,
        notrump: bool,
        start: &Start,
        need: i32,
    ) -> i32 {
        loop {
            // A helper that sets the flag after this line stops the search below.
            self.interrupt.store(false, Relaxed);
            let number = self.next_test(solver, helpers);
            let is_answered = Arc::new(AtomicBool::new(false));
            for messages in &helpers.test_helpers {
                let request = TestRequest {
                    number,
                    notrump,
                    start: *start,
                    need,
                    is_answered: Arc::clone(&is_answered),
                };
                // A failed send means that the helper has ended, which does no harm.
                let _ = messages.send(HelperMessage::Test(request));
            }
            let engine = &mut lock(solver).engine;
            engine.stop_when(Some(Arc::clone(&self.interrupt)), None);
            engine.set_same_question(!helpers.test_helpers.is_empty());
            let tricks = engine.test(notrump, start, need);
            let ended = engine.was_stopped();
            engine.stop_when(None, None);
            is_answered.store(true, Relaxed);
            if !ended {
                return tricks;
            }
            if let Some(tricks) = lock(&self.offers).answer {
                return tricks;
            }
        }
    }

    /// Admits the waiting helpers and returns the number of the next test.
    fn next_test(&self, solver: &Arc<Mutex<Solver>>, helpers: &mut Helpers) -> u64 {
        let (number, waiting) = {
            let mut offers = lock(&self.offers);
            offers.request += 1;
            offers.answer = None;
            (offers.request, std::mem::take(&mut offers.helpers))
        };
        for messages in waiting {
            let group = (helpers.group)();
            let (done, copied) = channel();
            let _ = messages.send(HelperMessage::CopyTable {
                from: Arc::clone(solver),
                group: Arc::clone(group),
                done,
            });
            // A closed channel means that the helper has ended.
            let _ = receive(&copied);
            lock(solver).engine.set_group(Some(group));
            match (helpers.untaken)() {
                Some(leader) => {
                    let _ = messages.send(HelperMessage::SolveLeader(leader));
                }
                None => helpers.test_helpers.push(messages),
            }
        }
        number
    }
}
