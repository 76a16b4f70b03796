//! The tests of `croupier-bidding`: one program with a module for each feature.

mod auctions;
mod language;
mod readings;
mod results;
mod robots;
mod systems;
