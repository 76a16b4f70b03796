//! The integration tests of the crate: one program with a module for each feature.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/generated.rs"]
mod generated;

mod auctions;
mod corpus;
mod dealer3;
mod dialect_words;
mod errors;
mod expression_builder;
mod expressions;
mod layout;
mod limits;
mod other_dealers;
mod precedence;
mod shapes;
mod statements;
mod system;
mod warnings;
