//! Portable Bridge Notation: the tags that `printpbn` writes, the strict export format, and a tolerant reader.

mod export;
mod game;
mod read;
mod section;
mod source;
mod tags;

pub(crate) use export::double_dummy_digits;
pub(crate) use export::write_hands;
pub use export::{Labels, LineEnd, write, write_header, write_labelled};
pub use read::PbnReader;
pub(crate) use read::{from_digits, hands, par};
pub use source::SourceText;
pub use tags::{DealTags, deal_tags};
