//! Parsers for the values of switches. Their errors name the valid values.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ArgMatches;
use croupier::cards::{Deal, Seat, Vulnerability};
use croupier::render::{RecordFileOptions, RenderFormat};
use croupier::session::SamplerUse;
use croupier::session::tournament::KeyFile;
use croupier::shuffle::{Key, KeyError, Swap};

use crate::command_line::Shard;
use crate::failure::ShownPath;
use crate::given;
use crate::side_files::is_pages;
use crate::system::os_string;

pub(super) fn count(text: &str) -> Result<i64, String> {
    let expected = || "use a whole number of deals, such as 100".to_owned();
    text.parse().map_err(|_| expected())
}

pub(super) fn whole(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "use a whole number".to_owned())
}

/// Parses a deal, or reads the first deal of a file.
pub(super) fn deal_or_file(text: &str) -> Result<Deal, String> {
    let path = Path::new(text);
    if !path.is_file() {
        return text.parse().map_err(|error| format!("{error}"));
    }
    let mut boards = given::open(path).map_err(|failure| failure.to_string())?;
    let board = boards.next().ok_or("there is no deal in the file")?;
    let deal = board.map_err(|problem| problem.to_string())?.deal();
    deal.ok_or_else(|| "the first board of the file is not a whole deal".to_owned())
}

/// Checks the levels of `-D` and returns the text; [`debug_levels`] parses it.
pub(super) fn levels(text: &str) -> Result<String, String> {
    let level = |part: &str| part.trim().parse::<u8>().is_ok();
    match text.split(['.', ':']).all(level) && text.split(['.', ':']).count() <= 2 {
        true => Ok(text.to_owned()),
        false => Err("use one or two levels from 0 to 255, such as 2 or 2.1".to_owned()),
    }
}

pub(super) fn par_vulnerability(text: &str) -> Result<Vulnerability, String> {
    let chosen = text.parse().ok();
    let chosen = chosen.and_then(|number: usize| Vulnerability::ALL.get(number));
    chosen
        .copied()
        .ok_or_else(|| "use 0 (none), 1 (NS), 2 (EW) or 3 (both)".to_owned())
}

pub(super) fn parameter(text: &str) -> Result<(usize, String), String> {
    let (number, value) = text
        .split_once('=')
        .ok_or("write the number, = and the text: 1=west")?;
    let number = number.trim().trim_start_matches('$').parse().ok();
    match number.filter(|&number| number <= 9) {
        Some(number) => Ok((number, value.to_owned())),
        None => Err("parameters have the numbers 0 to 9".to_owned()),
    }
}

pub(super) fn swap(text: &str) -> Result<Swap, String> {
    let number: i64 = text.parse().map_err(|_| "use 0, 2 or 3".to_owned())?;
    Swap::from_switch(number).map_err(|error| error.to_string())
}

pub(super) fn seat(text: &str) -> Result<Seat, String> {
    text.parse()
        .map_err(|error: croupier::cards::NotationError| error.to_string())
}

/// The error of a name that belongs to no format of deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFormat;

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "use one of {}", format_names().join(", "))
    }
}

impl std::error::Error for UnknownFormat {}

/// Returns the format with the name `text`.
///
/// # Errors
/// If there is no such format; the message lists all formats.
pub fn deal_format(text: &str) -> Result<&'static RenderFormat, UnknownFormat> {
    croupier::render::exchange::by_name(&text.to_ascii_lowercase()).ok_or(UnknownFormat)
}

fn format_names() -> Vec<&'static str> {
    let formats = croupier::render::FORMATS.iter();
    formats.map(|format| format.names[0]).collect()
}

/// Returns the help of `-f`, with the names of all formats.
pub(super) fn format_help() -> String {
    let names = format_names();
    let (last, others) = names.split_last().unwrap_or((&"", &[]));
    format!(
        "Print every deal like this, whatever the script says: {} or {last}",
        others.join(", ")
    )
}

/// Returns the format that belongs to the ending of a file name.
pub(super) fn format_of(path: &std::path::Path) -> Result<&'static RenderFormat, String> {
    let ending = match is_pages(path) {
        true => "pbn".into(),
        false => path.extension().unwrap_or_default().to_string_lossy(),
    };
    deal_format(&ending).map_err(|names| {
        let name = path.shown();
        format!("-o {name}: no format is known by this ending; {names}, or name the format with -f")
    })
}

/// Parses `[opts:]file`. Letters before the first colon are options only if all of them are known.
pub(crate) fn side_file(text: &OsString, options: &[u8]) -> RecordFileOptions {
    let bytes = text.as_encoded_bytes();
    let colon = bytes.iter().position(|&byte| byte == b':');
    let given = colon
        .map(|at| &bytes[..at])
        .filter(|given| given.iter().all(|letter| options.contains(letter)));
    let (given, name) = match (given, colon) {
        (Some(given), Some(at)) => (given, &bytes[at + 1..]),
        _ => (&[][..], bytes),
    };
    RecordFileOptions {
        path: os_string(name).into(),
        truncate: given.contains(&b'w'),
        unsolved: given
            .iter()
            .any(|letter| letter.eq_ignore_ascii_case(&b'n')),
    }
}

/// Environment variable with the path of the library of `-L =`.
const LIBRARY: &str = "CROUPIER_LIBRARY";

/// Replaces `=` by the path of the default library, as DealerV2 does.
pub(super) fn default_library(path: PathBuf) -> Result<PathBuf, String> {
    if path.as_os_str() != "=" {
        return Ok(path);
    }
    std::env::var_os(LIBRARY)
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .ok_or_else(|| format!("-L = means the library that {LIBRARY} names, but it is not set"))
}

/// Parses `x.y` or `x:y`.
pub(crate) fn debug_levels(text: &str) -> (u8, u8) {
    let mut parts = text
        .split(['.', ':'])
        .map(|part| part.trim().parse().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}

/// Parses the minutes between two checkpoints.
pub(super) fn minutes(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(minutes) if (0.0..=1e6).contains(&minutes) => {
            Ok(Duration::from_secs_f64(60.0 * minutes))
        }
        _ => Err("use a number of minutes, such as 10 or 0.5".to_owned()),
    }
}

/// Parses `3/64`: the third of 64 parts.
pub(super) fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text
        .split_once('/')
        .and_then(|(part, parts)| Some((part.trim().parse().ok()?, parts.trim().parse().ok()?)));
    match numbers {
        Some((part, parts)) if (1..=parts).contains(&part) && parts <= 1_000_000 => {
            Ok(Shard { part, parts })
        }
        _ => Err("write K/N: part K, from 1 to N, of N parts".to_owned()),
    }
}

/// Parses the key of a tournament: empty, a key file, or up to 64 hexadecimal digits with or without `key:`.
pub(super) fn tournament(text: &str) -> Result<Tournament, String> {
    if text.is_empty() {
        return Ok(Tournament::Fresh);
    }
    if Path::new(text).is_file() {
        let content = std::fs::read_to_string(text).map_err(|error| error.to_string())?;
        let file: KeyFile = content
            .parse()
            .map_err(|error| format!("not a key file: {error}"))?;
        return Ok(Tournament::Of(Box::new(file)));
    }
    let digits = text.strip_prefix("key:").unwrap_or(text);
    let key: Key = format!("key:{digits}").parse().map_err(|error: KeyError| {
        format!("neither a key file nor the digits of a key: {error}")
    })?;
    Ok(Tournament::Of(Box::new(key.into())))
}

/// When to use the exact sampler instead of dealing and testing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum SamplerSwitch {
    /// Use the sampler if it is expected to be faster.
    #[default]
    Auto,
    /// Always use the exact sampler.
    On,
    /// Never use the exact sampler.
    Off,
}

impl SamplerSwitch {
    /// Converts the value to the type of the session.
    pub fn usage(self) -> SamplerUse {
        match self {
            SamplerSwitch::Auto => SamplerUse::Auto,
            SamplerSwitch::On => SamplerUse::On,
            SamplerSwitch::Off => SamplerUse::Off,
        }
    }
}

/// Key of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tournament {
    /// A new random key from the operating system.
    Fresh,
    /// The given key, to deal its boards again.
    Of(Box<KeyFile>),
}

/// Texts of `-0` to `-9` for `$0` to `$9`.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables(pub(super) [Option<String>; 10]);

const DIGITS: [(&str, char); 10] = [
    ("0", '0'),
    ("1", '1'),
    ("2", '2'),
    ("3", '3'),
    ("4", '4'),
    ("5", '5'),
    ("6", '6'),
    ("7", '7'),
    ("8", '8'),
    ("9", '9'),
];

impl clap::Args for Variables {
    fn augment_args(command: clap::Command) -> clap::Command {
        DIGITS.into_iter().fold(command, |command, (id, letter)| {
            command.arg(
                clap::Arg::new(id)
                    .short(letter)
                    .value_name("TEXT")
                    .allow_hyphen_values(true)
                    .help_heading("Script variables")
                    .help(format!("Text for ${letter} in the script")),
            )
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Variables {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Variables(
            DIGITS.map(|(id, _)| matches.get_one::<String>(id).cloned()),
        ))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
