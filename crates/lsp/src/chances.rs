//! Exact frequencies of conditions and variables, worked out beside the editing.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use croupier::engine::Options;
use croupier::script::plan::{NodeId, Plan};
use croupier::shuffle::Key;

/// Deals that are tried for what cannot be counted.
const TRIES: u64 = 20_000;
/// Answers that are kept.
const MOST_ANSWERS: usize = 4096;

/// How often something holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frequency {
    /// The probability.
    pub probability: f64,
    /// Whether it is exact; otherwise it is an estimate.
    pub exact: bool,
}

impl Frequency {
    /// In words: `1 in 116.75`, `about 1 in 3.2`, `always`, `never`.
    #[must_use]
    pub fn text(&self) -> String {
        let about = if self.exact { "" } else { "about " };
        if self.probability <= 0.0 {
            return if self.exact {
                "never".into()
            } else {
                "hardly ever".into()
            };
        }
        if self.probability >= 1.0 {
            return if self.exact {
                "always".into()
            } else {
                "nearly always".into()
            };
        }
        let one_in = 1.0 / self.probability;
        let decimals = match one_in {
            x if x >= 10_000.0 => 0,
            x if x >= 1_000.0 => 1,
            _ => 2,
        };
        format!("{about}1 in {one_in:.decimals$}")
    }

    /// As a share: `0.857 %`.
    #[must_use]
    pub fn percent(&self) -> String {
        let percent = 100.0 * self.probability;
        let digits = match percent {
            x if x >= 1.0 => 2,
            x if x >= 0.01 => 4,
            _ => 7,
        };
        let about = if self.exact { "" } else { "about " };
        format!("{about}{percent:.digits$} %")
    }
}

/// What makes an answer good again: the expression, all names written out, and the cards that are fixed.
fn key(plan: &Plan, node: NodeId) -> String {
    let mut key = plan.explain();
    key.push_str(&plan.expression(node));
    key
}

/// Questions about one state of a document.
struct Questions {
    plan: Arc<Plan>,
    nodes: Vec<NodeId>,
    cancel: Arc<AtomicBool>,
}

type Answers = Arc<Mutex<HashMap<String, Option<Frequency>>>>;

/// Works out frequencies on a thread of its own.
pub struct Frequencies {
    answers: Answers,
    asked: Sender<Questions>,
    /// Stops what is being worked out for the states before.
    cancel: Arc<AtomicBool>,
}

impl Frequencies {
    /// Starts the thread; `ready` is called whenever a list of questions is answered.
    pub fn start(ready: impl Fn() + Send + 'static) -> Frequencies {
        let (asked, questions) = channel();
        let answers = Answers::default();
        let own = Arc::clone(&answers);
        // Without the thread there are no frequencies; all the rest works.
        let _ = std::thread::Builder::new().spawn(move || work(&questions, &own, &ready));
        Frequencies {
            answers,
            asked,
            cancel: Arc::default(),
        }
    }

    /// Asks for the frequencies of these nodes and forgets what was asked before.
    pub fn ask(&mut self, plan: &Arc<Plan>, nodes: Vec<NodeId>) {
        self.cancel.store(true, Ordering::Relaxed);
        self.cancel = Arc::default();
        // A thread that is gone has nothing to answer; the editor goes on without it.
        let _ = self.asked.send(Questions {
            plan: Arc::clone(plan),
            nodes,
            cancel: Arc::clone(&self.cancel),
        });
    }

    /// Stops what is being worked out.
    pub fn cancel(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// The frequency with which a node is not 0, if it is known by now.
    #[must_use]
    pub fn get(&self, plan: &Plan, node: NodeId) -> Option<Frequency> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(&key(plan, node)).copied().flatten()
    }
}

fn work(questions: &Receiver<Questions>, answers: &Answers, ready: &dyn Fn()) {
    while let Ok(mut list) = questions.recv() {
        // Only the newest state of the document counts.
        while let Ok(newer) = questions.try_recv() {
            list = newer;
        }
        let mut news = false;
        for &node in &list.nodes {
            if list.cancel.load(Ordering::Relaxed) {
                break;
            }
            let key = key(&list.plan, node);
            let known = answers
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .contains_key(&key);
            if known {
                continue;
            }
            let answer = frequency(&list.plan, node, &list.cancel);
            if list.cancel.load(Ordering::Relaxed) {
                break;
            }
            let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
            if answers.len() >= MOST_ANSWERS {
                answers.clear();
            }
            answers.insert(key, answer);
            news = true;
        }
        if news && !list.cancel.load(Ordering::Relaxed) {
            ready();
        }
    }
}

/// Counts, or tries. Nothing for what needs the solver or a program of the user's: that takes too long here.
fn frequency(plan: &Plan, node: NodeId, _cancel: &AtomicBool) -> Option<Frequency> {
    /// Nanoseconds a deal above which nothing is tried.
    const DEAR: u32 = 50_000;
    if plan.facts_of(node).cost > DEAR {
        return None;
    }
    let plan = plan
        .clone()
        .without_actions()
        .without_condition()
        .narrowed(node);
    let chances =
        croupier::engine::chances(&plan, &Options::default(), &Key::from_i64(1), TRIES).ok()?;
    Some(Frequency {
        probability: chances.probability(),
        exact: chances.is_exact(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_in_words() {
        let exact = |probability| Frequency {
            probability,
            exact: true,
        };
        assert_eq!(exact(1.0 / 116.75).text(), "1 in 116.75");
        assert_eq!(exact(0.0).text(), "never");
        assert_eq!(exact(1.0).text(), "always");
        assert_eq!(exact(1e-7).text(), "1 in 10000000");
        assert_eq!(exact(0.04865).percent(), "4.87 %");
        let guess = Frequency {
            probability: 0.25,
            exact: false,
        };
        assert_eq!(guess.text(), "about 1 in 4.00");
    }
}
