//! Exact frequencies of conditions and variables, computed in the background.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use croupier::engine::Options;
use croupier::script::plan::{NodeId, Plan};

use crate::guarded;

/// Number of deals tried for conditions that cannot be counted.
const TRIES: u64 = 20_000;
/// Maximum number of cached results.
const MOST_ANSWERS: usize = 16384;
/// Maximum number of conditions of a document whose frequencies are computed.
const MOST_NODES: usize = 500;

/// How often a condition holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassRate {
    /// Probability.
    pub probability: f64,
    /// Whether the probability is exact; otherwise it is an estimate.
    pub exact: bool,
}

impl PassRate {
    /// Formats the frequency: `1 in 116.75`, `about 1 in 3.2`, `always`, `never`.
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

    /// Formats the frequency as a share: `0.857 %`.
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

/// A node of a compiled script: the fingerprint of the plan and the number of the node.
type Key = (u64, NodeId);

/// Conditions of one version of a document.
pub struct Questions {
    /// The compiled script.
    pub plan: Arc<Plan>,
    /// Fingerprint of the plan; see [`fingerprint`].
    pub fingerprint: u64,
    /// The nodes whose frequencies are shown.
    pub nodes: Vec<NodeId>,
}

/// Returns a number that is equal for plans with the same meaning. Frequencies are kept by it, so that a new comment or another
/// layout does not compute them again.
#[must_use]
pub fn fingerprint(plan: &Plan) -> u64 {
    let mut hasher = DefaultHasher::new();
    plan.explain().hash(&mut hasher);
    hasher.finish()
}

/// The conditions of all open documents.
struct FrequencyRequest {
    documents: Vec<Questions>,
    cancel: Arc<AtomicBool>,
}

type Answers = Arc<Mutex<HashMap<Key, Option<PassRate>>>>;

/// Computes frequencies on a separate thread.
pub struct Frequencies {
    answers: Answers,
    requests: Sender<FrequencyRequest>,
    /// Cancels the computation for earlier versions.
    cancel: Arc<AtomicBool>,
}

impl Frequencies {
    /// Starts the thread. It calls `ready` whenever a list of conditions is complete.
    pub fn start(ready: impl Fn() + Send + 'static) -> Frequencies {
        let (requests, questions) = channel();
        let answers = Answers::default();
        let own = Arc::clone(&answers);
        // If the thread cannot be started, there are no frequencies; all other features work.
        let _ = std::thread::Builder::new().spawn(move || work(&questions, &own, &ready));
        Frequencies {
            answers,
            requests,
            cancel: Arc::default(),
        }
    }

    /// Requests the frequencies of these documents and cancels earlier requests.
    pub fn ask(&mut self, documents: Vec<Questions>) {
        self.cancel();
        self.cancel = Arc::default();
        // If the thread has ended, there are no results; the editor continues without them.
        let _ = self.requests.send(FrequencyRequest {
            documents,
            cancel: Arc::clone(&self.cancel),
        });
    }

    /// Cancels the computation.
    pub fn cancel(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Returns how often a node of the plan with this fingerprint is not 0, if that is computed already.
    #[must_use]
    pub fn get(&self, fingerprint: u64, node: NodeId) -> Option<PassRate> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(&(fingerprint, node)).copied().flatten()
    }
}

impl Drop for Frequencies {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn work(questions: &Receiver<FrequencyRequest>, answers: &Answers, ready: &dyn Fn()) {
    while let Ok(mut list) = questions.recv() {
        // Only the newest versions of the documents count.
        while let Ok(newer) = questions.try_recv() {
            list = newer;
        }
        let mut has_new = false;
        for document in &list.documents {
            for &node in document.nodes.iter().take(MOST_NODES) {
                if list.cancel.load(Ordering::Relaxed) {
                    break;
                }
                let key = (document.fingerprint, node);
                let is_known = |answers: &Answers| {
                    let answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                    answers.contains_key(&key)
                };
                if is_known(answers) {
                    continue;
                }
                let answer = guarded(|| frequency(&document.plan, node, &list.cancel));
                if list.cancel.load(Ordering::Relaxed) {
                    break;
                }
                let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                if answers.len() >= MOST_ANSWERS {
                    answers.clear();
                }
                answers.insert(key, answer.unwrap_or_default());
                has_new = true;
            }
        }
        if has_new && !list.cancel.load(Ordering::Relaxed) {
            ready();
        }
    }
}

/// Counts a condition exactly, or tries it on deals. Returns `None` if it needs the solver or a user's program, which
/// takes too long.
fn frequency(plan: &Plan, node: NodeId, cancel: &Arc<AtomicBool>) -> Option<PassRate> {
    /// Maximum cost per deal, in nanoseconds, for trying a condition.
    const MAX_COST: u32 = 50_000;
    if plan.facts_of(node).cost > MAX_COST {
        return None;
    }
    let plan = plan
        .clone()
        .without_actions()
        .without_condition()
        .narrowed(node);
    let options = Options {
        cancel: Some(cancel),
        ..Options::default()
    };
    let key = croupier::shuffle::Key::from_i64(1);
    let chances = croupier::engine::chances(&plan, &options, &key, TRIES).ok()?;
    Some(PassRate {
        probability: chances.probability(),
        exact: chances.is_exact(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_in_words() {
        let exact = |probability| PassRate {
            probability,
            exact: true,
        };
        assert_eq!(exact(1.0 / 116.75).text(), "1 in 116.75");
        assert_eq!(exact(0.0).text(), "never");
        assert_eq!(exact(1.0).text(), "always");
        assert_eq!(exact(1e-7).text(), "1 in 10000000");
        assert_eq!(exact(0.04865).percent(), "4.87 %");
        let guess = PassRate {
            probability: 0.25,
            exact: false,
        };
        assert_eq!(guess.text(), "about 1 in 4.00");
    }
}
