//! The dealer language: text to plan.
