//! The formats in which deals are written, each in a file of its own, and the list of them.

mod csv;
mod handviewer;
mod lin;
mod lines;
mod machine;
mod pbn;
mod records;

pub use records::{Dl52, Zrd};

use formats::OutputFormat;

use crate::Renderer;
use crate::json::Json;

/// Where to write the tables and statistics of a run whose deals are written in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    /// After the deals, because the output is text for reading.
    After,
    /// To another stream, because programs that read the deals could not parse tables.
    Apart,
    /// Within the output: the format has a place for tables.
    Inside,
}

/// A format in which deals are written.
#[derive(Clone, Copy)]
pub struct RenderFormat {
    /// Names of the format, the preferred one first.
    pub names: &'static [&'static str],
    /// A short description.
    pub about: &'static str,
    /// Renderer that writes the format.
    pub renderer: &'static dyn Renderer,
    /// Where to write tables.
    pub tables: Tables,
    /// Whether it shows the values of the script's actions for each deal.
    pub values: bool,
    /// The format of files of boards that this is; `None` for an output of `dealer` alone.
    pub written: Option<OutputFormat>,
}

impl PartialEq for RenderFormat {
    fn eq(&self, other: &RenderFormat) -> bool {
        self.names == other.names
    }
}

impl std::fmt::Debug for RenderFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.names[0])
    }
}

/// Every format: those of [`formats::FILE_FORMATS`] that are written, with their renderers, and the formats of printed
/// actions.
#[rustfmt::skip]
pub static FORMATS: [RenderFormat; 17] = [
    of(OutputFormat::Pbn, &["pbn"], &pbn::Pbn, Tables::Apart),
    of(OutputFormat::Lin, &["lin"], &lin::Lin, Tables::Apart),
    of(OutputFormat::OneLine, &["oneline", "printoneline"], &lines::OneLineFormat, Tables::After),
    of(OutputFormat::Compact, &["compact", "printcompact"], &lines::Compact, Tables::After),
    of(OutputFormat::Page, &["all", "printall"], &lines::FourHands, Tables::After),
    format(&["ew", "printew"], "West and East side by side", &lines::EastWest, Tables::After),
    format(&["ns", "printns"], "South and North side by side", &lines::NorthSouth, Tables::After),
    format(&["printpbn"], "the tags of the action printpbn", &lines::PbnTags, Tables::After),
    of(OutputFormat::Csv, &["csv"], &csv::Csv, Tables::Apart),
    RenderFormat { values: true, ..of(OutputFormat::Json, &["json", "jsonl", "ndjson"], &Json, Tables::Inside) },
    of(OutputFormat::Zrd, &["zrd"], &Zrd { titled: false, solved: true }, Tables::Apart),
    of(OutputFormat::Dl52, &["dl52"], &Dl52, Tables::Apart),
    of(OutputFormat::Dup, &["dup"], &machine::Dup, Tables::Apart),
    of(OutputFormat::Bri, &["bri"], &machine::Bri, Tables::Apart),
    of(OutputFormat::Dge, &["dge"], &machine::Dge, Tables::Apart),
    of(OutputFormat::Dlm, &["dlm"], &machine::Dlm, Tables::Apart),
    of(OutputFormat::Handviewer, &["bbo", "url", "urls"], &handviewer::Handviewer, Tables::Apart),
];

/// Creates a format with a row in [`formats::FILE_FORMATS`], from which its description comes.
const fn of(
    written: OutputFormat,
    names: &'static [&'static str],
    renderer: &'static dyn Renderer,
    tables: Tables,
) -> RenderFormat {
    RenderFormat {
        written: Some(written),
        ..format(names, written.entry().about, renderer, tables)
    }
}

const fn format(
    names: &'static [&'static str],
    about: &'static str,
    renderer: &'static dyn Renderer,
    tables: Tables,
) -> RenderFormat {
    RenderFormat {
        names,
        about,
        renderer,
        tables,
        values: false,
        written: None,
    }
}

/// Returns the format with this name.
///
/// ```
/// assert_eq!(croupier_render::exchange::by_name("printoneline").unwrap().names[0], "oneline");
/// assert!(croupier_render::exchange::by_name("docx").is_none());
/// ```
#[must_use]
pub fn by_name(name: &str) -> Option<&'static RenderFormat> {
    FORMATS.iter().find(|format| format.names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_that_is_written_is_a_format_of_dealer() {
        for row in formats::FILE_FORMATS {
            let Some(written) = row.writes else { continue };
            let format = by_name(row.name).unwrap_or_else(|| panic!("{}", row.name));
            assert_eq!(format.names[0], row.name);
            assert_eq!(format.written, Some(written), "{}", row.name);
            // `.txt` is the page format of `convert`. For `dealer -o x.txt` the user must name a format.
            for alias in row.aliases.iter().filter(|alias| **alias != "txt") {
                assert_eq!(by_name(alias), Some(format), "{alias}");
            }
        }
    }
}
