//! The dealer language: text to plan.

pub mod plan;
