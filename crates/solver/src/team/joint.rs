//! Help for whoever works on a strain.
//!
//! A thread that has nothing left to do calls the one that works on a strain. That one ends its search, which loses little
//! because its memory keeps what is proven, gives the helper a copy of this memory, and begins the question again; from then on both
//! search for the same answers ([`Together`]), and who is first ends the other's search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::MOST_THREADS;
use crate::engine::Engine;
use crate::search::{Start, Together};
use crate::solver::Solver;

/// Where help is asked for and offered, one for each strain.
pub(super) struct Joint<'a> {
    /// Ends the search of whoever has the strain: somebody offers help, or has found the answer.
    call: Arc<AtomicBool>,
    offers: Mutex<Offers<'a>>,
}

#[derive(Default)]
struct Offers<'a> {
    helpers: Vec<Helper<'a>>,
    /// Counts the questions, so that nobody answers an old one.
    question: u64,
    answer: Option<i32>,
}

/// A solver that its thread does not use at the moment, and how to tell that thread what to do.
struct Helper<'a> {
    solver: &'a Mutex<Solver>,
    questions: Sender<Question>,
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
pub(super) struct Offer<'a> {
    solver: &'a Mutex<Solver>,
    questions: Receiver<Question>,
}

impl Offer<'_> {
    /// The next question. They follow each other within microseconds, which is less than waking a thread takes.
    fn next(&self) -> Option<Question> {
        for _ in 0..SPINS {
            match self.questions.try_recv() {
                Err(TryRecvError::Empty) => std::hint::spin_loop(),
                question => return question.ok(),
            }
        }
        self.questions.recv().ok()
    }
}

/// How often a helper looks for a question before it sleeps: some tenths of a millisecond.
const SPINS: usize = 10_000;

/// Those who help the one that has a strain.
#[derive(Default)]
pub(super) struct Helpers {
    questions: Vec<Sender<Question>>,
    together: Option<Arc<Together>>,
}

/// What a lock guards; a thread that panicked has told so itself.
pub(super) fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Joint<'a> {
    pub(super) fn new() -> Joint<'a> {
        Joint {
            call: Arc::default(),
            offers: Mutex::default(),
        }
    }

    /// Nobody works on the strain any more; those who wanted to help look for something else.
    pub(super) fn close(&self) {
        lock(&self.offers).helpers.clear();
    }

    /// Offers help to whoever works on the strain.
    pub(super) fn offer(&self, solver: &'a Mutex<Solver>) -> Offer<'a> {
        let (sender, questions) = channel();
        lock(&self.offers).helpers.push(Helper {
            solver,
            questions: sender,
        });
        self.call.store(true, Relaxed);
        Offer { solver, questions }
    }

    /// Answers questions as long as there are any.
    pub(super) fn help(&self, offer: &Offer) {
        while let Some(question) = offer.next() {
            let engine = &mut lock(offer.solver).engine;
            engine.watch(Some(question.answered));
            let tricks = engine.test(question.notrump, &question.start, question.need);
            if engine.was_stopped() {
                continue;
            }
            let mut offers = lock(&self.offers);
            if offers.question == question.number {
                offers.answer = Some(tricks);
                self.call.store(true, Relaxed);
            }
        }
        let solver = &mut lock(offer.solver);
        solver.engine.watch(None);
        solver.engine.share(None);
        // What it remembers is about the cards it has helped with.
        solver.loaded = None;
    }

    /// What [`Engine::test`] says, found together with all who help.
    pub(super) fn test(
        &self,
        engine: &mut Engine,
        helpers: &mut Helpers,
        notrump: bool,
        start: &Start,
        need: i32,
    ) -> i32 {
        loop {
            // Whoever calls after this ends the search.
            self.call.store(false, Relaxed);
            let number = self.next_question(engine, helpers);
            let answered = Arc::new(AtomicBool::new(false));
            for questions in &helpers.questions {
                let question = Question {
                    number,
                    notrump,
                    start: *start,
                    need,
                    answered: Arc::clone(&answered),
                };
                // A helper that is gone does not help.
                let _ = questions.send(question);
            }
            engine.watch(Some(Arc::clone(&self.call)));
            let tricks = engine.test(notrump, start, need);
            let ended = engine.was_stopped();
            engine.watch(None);
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
    fn next_question(&self, engine: &mut Engine, helpers: &mut Helpers) -> u64 {
        let mut offers = lock(&self.offers);
        offers.question += 1;
        offers.answer = None;
        for helper in offers.helpers.drain(..) {
            let together = helpers
                .together
                .get_or_insert_with(|| Arc::new(Together::new(MOST_THREADS)));
            let other = &mut lock(helper.solver).engine;
            other.copy_from(engine);
            other.share(Some(together));
            if helpers.questions.is_empty() {
                engine.share(Some(together));
            }
            helpers.questions.push(helper.questions);
        }
        offers.question
    }
}
