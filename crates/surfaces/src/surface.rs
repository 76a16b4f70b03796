//! The surfaces, a file for each class of input.

mod bombs;
mod columns;
mod command_line;
mod editor;
mod history;
mod http;
mod metric_server;
mod module;
mod partial;
mod paths;
mod played;
mod profile;
mod question;
mod range;
mod reader;
mod runs;
mod script;
mod shape;

pub use bombs::script as bomb;

use crate::Surface;

/// All surfaces.
pub static ALL: &[&Surface] = &[
    &script::SCRIPT,
    &script::LAYOUT,
    &columns::COLUMNS,
    &paths::PATHS,
    &runs::RUNS,
    &shape::SHAPES,
    &reader::PBN,
    &reader::LIN,
    &reader::ZRD,
    &reader::DL52,
    &reader::CSV,
    &reader::JSON,
    &reader::PAGES,
    &reader::DUP,
    &reader::BRI,
    &reader::DGE,
    &reader::DLM,
    &reader::HANDVIEWER,
    &partial::PARTIALS,
    &profile::PROFILES,
    &played::PLAYED,
    &range::RANGES,
    &history::HISTORIES,
    &module::MODULES,
    &metric_server::METRIC_SERVER,
    &command_line::COMMAND_LINES,
    &question::QUESTIONS,
    &http::HTTP,
    &bombs::BOMBS,
    &editor::EDITOR,
];
