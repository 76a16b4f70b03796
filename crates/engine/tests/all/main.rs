//! The tests of `croupier-engine`: one program with a module for each feature.

mod common;

mod batch;
mod classic;
mod draws;
mod interruption;
mod language;
mod metrics;
mod mixture;
mod run;
mod sampler;
mod solving;
mod translated_conditions;
