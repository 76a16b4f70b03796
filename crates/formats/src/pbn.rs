//! Portable Bridge Notation: the tags that `printpbn` writes, the strict export format, and a tolerant reader.

mod export;
mod game;
mod play_table;
mod read;
mod section;
mod source;
mod tags;

pub use export::{Labels, LineEnd, write, write_header, write_labelled};
pub(crate) use export::{cuts_texts, double_dummy_digits, write_hands};
pub use play_table::{optimum_play, set_optimum_play};
pub use read::PbnReader;
pub(crate) use read::{from_digits, hands, par};
pub use source::SourceText;
pub use tags::{DealTags, deal_tags};
