//! The tests of `croupier-session`: one program with a module for each feature.

mod entry_point;
mod intervals;
mod levels;
mod produced_deals;
mod resumable;
mod shards;
