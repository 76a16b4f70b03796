//! What came out, as a number: inputs with another number are worth keeping.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Collects what is typical of an answer.
#[derive(Default)]
pub struct Observed(DefaultHasher);

impl Observed {
    /// Notes something about the answer.
    pub fn note(&mut self, fact: impl Hash) -> &mut Observed {
        fact.hash(&mut self.0);
        self
    }

    /// Notes the words of a message without the numbers and quoted pieces that differ from input to input.
    pub fn message(&mut self, text: &str) -> &mut Observed {
        for word in text.split_whitespace().take(12) {
            if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
                word.hash(&mut self.0);
            }
        }
        self
    }

    /// The order of magnitude of a number of things.
    pub fn about(&mut self, count: usize) -> &mut Observed {
        self.note(count.checked_ilog2())
    }

    /// The number.
    pub fn number(&self) -> u64 {
        self.0.finish()
    }
}
