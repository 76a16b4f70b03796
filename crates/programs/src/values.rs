//! Values of switches that come from a table in the library. Help and completions describe each value.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use croupier::formats::{FILE_FORMATS, OutputFormat};
use croupier::poker::{GAMES, Game};
use croupier::script::{DIALECTS, Dialect};

/// Returns the parser of the name of a dialect.
pub fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let values = DIALECTS.map(|row| PossibleValue::new(row.name).help(row.about));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Dialect>())
}

/// Returns the parser of the name of a file format that is written.
pub fn written_formats() -> impl TypedValueParser<Value = OutputFormat> {
    let written = FILE_FORMATS.iter().filter(|row| row.writes.is_some());
    let values = written.map(|row| {
        PossibleValue::new(row.name)
            .aliases(row.aliases)
            .help(row.about)
    });
    PossibleValuesParser::new(values)
        .try_map(|name| OutputFormat::of_ending(&name).ok_or("there is no such format"))
}

/// Returns the parser of the name of a poker game.
pub fn games() -> impl TypedValueParser<Value = Game> {
    let values = GAMES.map(|row| {
        PossibleValue::new(row.name)
            .aliases(row.aliases)
            .help(row.about)
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Game>())
}
