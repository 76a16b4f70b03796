//! Runs a plan over blocks of deals.

pub mod parallel;
