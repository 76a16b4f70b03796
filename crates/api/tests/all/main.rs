//! The tests of the requests and answers: one program with a module a feature.

mod explain;
mod run;
mod scenarios;
mod study;
