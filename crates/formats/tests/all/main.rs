//! The integration tests of the crate: one program with a module a feature.

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
