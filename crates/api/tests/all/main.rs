//! The tests of the requests and answers: one program with a module for each feature.

mod explain;
mod run;
mod scenarios;
mod study;
