//! The tests of the program `dealer`: one program with a module for each feature.

mod calls;
mod common;
mod process_control;

mod checkpoints;
mod differential;
mod golden;
mod mixing;
mod parts;
mod run_messages;
