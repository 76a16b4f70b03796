//! The tests of cards, deals and their notations: one program with a module for each feature.

mod counts;
mod notation;
