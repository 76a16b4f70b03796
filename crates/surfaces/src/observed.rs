//! The class of an answer as a number. Inputs with a new class are kept.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A hash of the typical properties of an answer.
#[derive(Default)]
pub struct Observed(DefaultHasher);

impl Observed {
    /// Adds a property of the answer.
    pub fn note(&mut self, fact: impl Hash) -> &mut Observed {
        fact.hash(&mut self.0);
        self
    }

    /// Adds the words of a message without numbers and quoted parts, which differ from input to input.
    pub fn message(&mut self, text: &str) -> &mut Observed {
        for word in text.split_whitespace().take(12) {
            if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
                word.hash(&mut self.0);
            }
        }
        self
    }

    /// Adds the order of magnitude of a count.
    pub fn about(&mut self, count: usize) -> &mut Observed {
        self.note(count.checked_ilog2())
    }

    /// Returns the class as a number.
    pub fn number(&self) -> u64 {
        self.0.finish()
    }
}
