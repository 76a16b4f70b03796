//! The formats in which deals are written, each in a file of its own, and the list of them.

mod csv;
mod handviewer;
mod lin;
mod lines;
mod machine;
mod pbn;
mod records;

pub use records::{Dl52, Zrd};

use crate::Renderer;
use crate::json::Json;

/// Where to write the tables and statistics of a run whose deals are written in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    /// After the deals: the format is for human readers.
    After,
    /// Elsewhere: programs that read the deals could not parse them.
    Apart,
    /// The format writes them itself.
    Inside,
}

/// A format in which deals are written.
#[derive(Clone, Copy)]
pub struct Format {
    /// Its names, the preferred one first.
    pub names: &'static [&'static str],
    /// A short description.
    pub about: &'static str,
    /// The renderer that writes it.
    pub renderer: &'static dyn Renderer,
    /// Where to write tables.
    pub tables: Tables,
    /// Whether it shows the values of the script's actions for each deal.
    pub values: bool,
}

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.names == other.names
    }
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.names[0])
    }
}

/// Every format. A new one is a file with its renderer and a line here.
#[rustfmt::skip]
pub static FORMATS: [Format; 16] = [
    format(&["pbn"], "Portable Bridge Notation, export format", &pbn::Pbn, Tables::Apart),
    format(&["lin"], "Bridge Base Online, one board a line", &lin::Lin, Tables::Apart),
    format(&["oneline", "printoneline"], "four hands on a line", &lines::OneLine, Tables::After),
    format(&["compact", "printcompact"], "four lines a deal", &lines::Compact, Tables::After),
    format(&["all", "printall"], "four hands side by side", &lines::FourHands, Tables::After),
    format(&["ew", "printew"], "West and East side by side", &lines::EastWest, Tables::After),
    format(&["ns", "printns"], "South and North side by side", &lines::NorthSouth, Tables::After),
    format(&["printpbn"], "the tags of the action printpbn", &lines::PbnTags, Tables::After),
    format(&["csv"], "comma-separated values with a header row", &csv::Csv, Tables::Apart),
    Format { values: true, ..format(&["json", "jsonl", "ndjson"], "a JSON object a line", &Json, Tables::Inside) },
    format(&["zrd"], "records of 23 bytes with tricks", &Zrd { titled: false, solved: true }, Tables::Apart),
    format(&["dl52"], "records of 52 bytes", &Dl52, Tables::Apart),
    format(&["dup"], "Duplimate dealing machines", &machine::Dup, Tables::Apart),
    format(&["bri"], "Duplimate, digits", &machine::Bri, Tables::Apart),
    format(&["dge"], "Duplimate, suits and ranks", &machine::Dge, Tables::Apart),
    format(&["bbo", "url", "urls"], "links to Bridge Base Online's hand viewer", &handviewer::Handviewer, Tables::Apart),
];

const fn format(
    names: &'static [&'static str],
    about: &'static str,
    renderer: &'static dyn Renderer,
    tables: Tables,
) -> Format {
    Format {
        names,
        about,
        renderer,
        tables,
        values: false,
    }
}

/// Returns the format with this name.
///
/// ```
/// assert_eq!(render::exchange::by_name("printoneline").unwrap().names[0], "oneline");
/// assert!(render::exchange::by_name("docx").is_none());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.names.contains(&name))
}
