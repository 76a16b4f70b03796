//! The integration tests of the crate: one program with a module for each feature.

mod archives;
mod auctions;
mod conversion;
mod damage;
mod hostile_input;
mod import;
mod json_layout;
mod printed_pages;
mod round_trips;
mod truncation;
