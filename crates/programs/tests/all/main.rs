//! The tests of the program `croupier`, and of what it and `dealer` do together: one program with a module a feature.

#[path = "../../../dealer/tests/all/calls.rs"]
mod calls;
mod common;
#[path = "../../../dealer/tests/all/watched.rs"]
mod watched;

mod bench;
mod bidding;
mod cluster;
mod convert;
mod dealer3;
mod dealer_switches;
mod exchange;
mod faults;
mod fmt;
mod limits;
mod lsp;
mod play;
mod poker;
mod poker_solver;
mod precision;
mod predeal;
mod probability;
mod profile;
mod records;
mod shards;
mod shared_switches;
mod solve;
mod streams_and_signals;
mod studies;
mod study_options;
mod suit;
mod tables;
mod tournament;
mod user_metrics;
mod value;
