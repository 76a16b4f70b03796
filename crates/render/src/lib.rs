//! Output of a run for people and programs: deals, tables and statistics as text, JSON, HTML and files.
//!
//! A [`Renderer`] turns produced deals and an [`Outcome`](session::Outcome) into bytes; an [`OutputPipeline`] is the
//! sink of a run that passes deals to renderers and the bytes to writers. Nothing here deals, opens files or uses
//! standard output. [`OutputOptions`] select the outputs of a run, and the caller opens their [`Writers`].

pub mod classic;
pub mod csv;
pub mod draw;
pub mod exchange;
pub mod explain;
pub mod html;
pub mod json;
pub mod listing;
pub mod style;
pub mod svg;

mod board;
mod given;
mod kept;
mod options;
mod outputs;
mod pipeline;
mod renderer;

pub use board::{Heading, ProducedBoard, Promise, PromisedLevel, RunContext};
pub use classic::Classic;
pub use exchange::{FORMATS, RenderFormat};
pub use given::GivenBoards;
pub use kept::{KeptDeals, Spill};
pub use options::{OutputOptions, RecordFileOptions, TableFile, TableFileError};
pub use outputs::{AnyWriter, Output, Writers};
pub use pipeline::{Ending, OutputPipeline};
pub use renderer::Renderer;
pub use style::DialectStyle;
