//! The tests of hand values and metrics: one program with a module for each feature.

mod classic;
#[path = "../data/mod.rs"]
mod data;
mod holdings;
mod metrics;
mod sides;
mod values;
mod worked_hands;
