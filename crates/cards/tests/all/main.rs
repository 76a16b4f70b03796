//! The tests of cards, deals and their notations: one program with a module a feature.

mod counts;
mod notation;
