//! The tests of hand values and metrics: one program with a module a feature.

mod classic;
#[path = "../data/mod.rs"]
mod data;
mod holdings;
mod metrics;
mod sides;
mod values;
mod worked_hands;
