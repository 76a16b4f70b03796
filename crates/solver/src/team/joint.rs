//! Help for whoever works on a strain.
//!
//! A thread that has nothing left to do calls one that works on a strain. That one ends its search, which loses little
//! because its memory keeps what is proven, lets the other copy this memory, and begins the question again. (The other copies,
//! not the owner, because a copy lies in the caches of who made it.) From then on both tell one another what they prove
//! ([`Together`]). If there are leaders of the strain that nobody has taken, the other takes them;
//! otherwise both search for the same answers, and who is first ends the other's search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::search::{Start, Together};
use crate::solver::Solver;

/// Where help is asked for and offered, one for each leader of each strain.
pub(super) struct Joint {
    /// Ends the search of whoever has the leader: somebody offers help, or has found the answer.
    call: Arc<AtomicBool>,
    offers: Mutex<Offers>,
}

#[derive(Default)]
struct Offers {
    helpers: Vec<Sender<Order>>,
    /// Counts the questions, so that nobody answers an old one.
    question: u64,
    answer: Option<i32>,
}

/// What a helper is told.
enum Order {
    /// To copy a memory, which nobody uses until that is done, and tell what is proven from then on.
    Copy {
        from: Arc<Mutex<Solver>>,
        together: Arc<Together>,
        done: Sender<()>,
    },
    /// To help with a question.
    Answer(Question),
    /// To solve a leader of the strain, the place of which in [`LEADERS`](crate::solver::LEADERS) is given.
    Lead(usize),
}

/// Whether North-South get so many tricks.
struct Question {
    number: u64,
    notrump: bool,
    start: Start,
    need: i32,
    /// Becomes true when there is an answer.
    answered: Arc<AtomicBool>,
}

/// What a helper waits for.
pub(super) struct Offer(Receiver<Order>);

/// What comes next, unless nobody can send anything any more. Orders follow each other within microseconds, which is less than
/// waking a thread takes.
pub(super) fn next<T>(from: &Receiver<T>) -> Option<T> {
    for _ in 0..SPINS {
        match from.try_recv() {
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
            sent => return sent.ok(),
        }
    }
    from.recv().ok()
}

/// How often a thread looks for something before it sleeps: some tenths of a millisecond.
const SPINS: usize = 10_000;

/// Those who help with one leader.
pub(super) struct Helpers<'a> {
    /// What all who work on the strain share.
    together: &'a dyn Fn() -> &'a Arc<Together>,
    /// Takes a leader that nobody has taken.
    untaken: &'a dyn Fn() -> Option<usize>,
    /// Those who help with every question.
    answering: Vec<Sender<Order>>,
}

impl<'a> Helpers<'a> {
    /// Nobody yet.
    pub(super) fn new(
        together: &'a dyn Fn() -> &'a Arc<Together>,
        untaken: &'a dyn Fn() -> Option<usize>,
    ) -> Helpers<'a> {
        Helpers {
            together,
            untaken,
            answering: Vec::new(),
        }
    }
}

/// What a lock guards; a thread that panicked has told so itself.
pub(super) fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Joint {
    pub(super) fn new() -> Joint {
        Joint {
            call: Arc::default(),
            offers: Mutex::default(),
        }
    }

    /// Nobody works on the leader any more; those who wanted to help look for something else.
    pub(super) fn close(&self) {
        lock(&self.offers).helpers.clear();
    }

    /// Offers help to whoever works on the leader.
    pub(super) fn offer(&self) -> Offer {
        let (sender, orders) = channel();
        lock(&self.offers).helpers.push(sender);
        self.call.store(true, Relaxed);
        Offer(orders)
    }

    /// Answers questions as long as there are any, or until there is a leader to solve instead.
    pub(super) fn help(&self, offer: &Offer, solver: &Mutex<Solver>) -> Option<usize> {
        let leader = loop {
            let question = match next(&offer.0) {
                Some(Order::Answer(question)) => question,
                Some(Order::Copy {
                    from,
                    together,
                    done,
                }) => {
                    let mut solver = lock(solver);
                    solver.copy_from(&lock(&from));
                    solver.engine.share(Some(&together));
                    let _ = done.send(());
                    continue;
                }
                Some(Order::Lead(leader)) => break Some(leader),
                None => break None,
            };
            let engine = &mut lock(solver).engine;
            engine.watch(Some(question.answered), None);
            engine.same_question(true);
            let tricks = engine.test(question.notrump, &question.start, question.need);
            if engine.was_stopped() {
                continue;
            }
            let mut offers = lock(&self.offers);
            if offers.question == question.number {
                offers.answer = Some(tricks);
                self.call.store(true, Relaxed);
            }
        };
        let engine = &mut lock(solver).engine;
        engine.watch(None, None);
        if leader.is_none() {
            engine.share(None);
        }
        leader
    }

    /// What [`Engine::test`](crate::engine::Engine::test) says, found together with all who help.
    pub(super) fn test(
        &self,
        solver: &Arc<Mutex<Solver>>,
        helpers: &mut Helpers,
        notrump: bool,
        start: &Start,
        need: i32,
    ) -> i32 {
        loop {
            // Whoever calls after this ends the search.
            self.call.store(false, Relaxed);
            let number = self.next_question(solver, helpers);
            let answered = Arc::new(AtomicBool::new(false));
            for orders in &helpers.answering {
                let question = Question {
                    number,
                    notrump,
                    start: *start,
                    need,
                    answered: Arc::clone(&answered),
                };
                // A helper that is gone does not help.
                let _ = orders.send(Order::Answer(question));
            }
            let engine = &mut lock(solver).engine;
            engine.watch(Some(Arc::clone(&self.call)), None);
            engine.same_question(!helpers.answering.is_empty());
            let tricks = engine.test(notrump, start, need);
            let ended = engine.was_stopped();
            engine.watch(None, None);
            answered.store(true, Relaxed);
            if !ended {
                return tricks;
            }
            if let Some(tricks) = lock(&self.offers).answer {
                return tricks;
            }
        }
    }

    /// Takes in those who offer help; the number of the next question.
    fn next_question(&self, solver: &Arc<Mutex<Solver>>, helpers: &mut Helpers) -> u64 {
        let (number, come) = {
            let mut offers = lock(&self.offers);
            offers.question += 1;
            offers.answer = None;
            (offers.question, std::mem::take(&mut offers.helpers))
        };
        for orders in come {
            let together = (helpers.together)();
            let (done, copied) = channel();
            let _ = orders.send(Order::Copy {
                from: Arc::clone(solver),
                together: Arc::clone(together),
                done,
            });
            // Or else the helper is gone.
            let _ = next(&copied);
            lock(solver).engine.share(Some(together));
            match (helpers.untaken)() {
                Some(leader) => {
                    let _ = orders.send(Order::Lead(leader));
                }
                None => helpers.answering.push(orders),
            }
        }
        number
    }
}
