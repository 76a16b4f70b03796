//! Tests of the program `croupier`, and of `croupier` and `dealer` together. One program with a module for each
//! feature.

#[path = "../../../dealer/tests/all/calls.rs"]
mod calls;
mod common;
#[path = "../../../dealer/tests/all/process_control.rs"]
mod process_control;

mod archives;
mod bench;
mod bidding;
mod capabilities;
mod cluster;
mod convert;
mod dealer3;
mod dealer_output;
mod dealer_switches;
mod deals_from_files;
mod documentation;
mod exchange;
mod faults;
mod fmt;
mod job_options;
mod leadtricks;
mod levels;
mod limits;
mod lsp;
mod missing_files;
mod plan;
mod play;
mod poker;
mod poker_solver;
mod precision;
mod predeal;
mod probability;
mod profile;
mod records;
mod results;
mod scenarios;
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
