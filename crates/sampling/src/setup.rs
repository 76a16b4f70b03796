//! Set-up: which hands are tracked, the conditions in terms of them, and what the tables would cost.
//!
//! [`choice`] tries ways to look at the problem, each as a [`layout`]; [`tree`] sorts its conditions by whose cards
//! they are about; [`draft`] makes everything that is cheap and estimates the rest, which [`budget`] may refuse.

pub(crate) mod budget;
pub(crate) mod choice;
pub(crate) mod draft;
pub(crate) mod layout;
pub(crate) mod needs;
pub(crate) mod tree;
