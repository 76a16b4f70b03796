//! Set-up: chooses the tracked hands, expresses the conditions in terms of them, and estimates the cost of the tables.
//!
//! [`choice`] tries several strategies, each as a [`layout`]; [`tree`] sorts the conditions by the hands they depend
//! on; [`draft`] builds everything that is cheap and estimates the rest, which may exceed the [`budget`].

pub(crate) mod budget;
pub(crate) mod choice;
pub(crate) mod draft;
pub(crate) mod layout;
pub(crate) mod needs;
pub(crate) mod tree;
