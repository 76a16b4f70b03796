//! Switches of the two classic programs: a table of letters for each, and the meaning of each letter.

use std::ffi::{OsStr, OsString};
use std::time::Duration;

use clap::{CommandFactory, Parser};
use croupier::cards::{Seat, Vulnerability};
use croupier::script::plan::Mode;
use croupier::shuffle::Swap;
use croupier::shuffle::legacy::seed_from_text;

use super::command_line::CommandLine;
use super::getopt::{Item, Letters, leading_integer, scan};
use super::native::{self, CALL_COUNTS_LEVEL, Cli};

/// Letters of v1. Its 64-bit build cannot read the library of `-l`.
const V1: Letters = Letters("023ehuvmqp:g:s:t:l:V");
/// Letters of v2.
const V2: Letters = Letters("hmqvVg:p:s:x:C:D:L:M:O:P:R:T:N:E:S:W:X:U:Z:l:0:1:2:3:4:5:6:7:8:9:");

/// Exit status of both programs for every error.
pub const FATAL: u8 = 255;
/// Bytes that v2 keeps of a title from the command line.
const TITLE_BYTES: usize = 200;
/// Bytes that v2 keeps of a predeal switch.
const PREDEAL_BYTES: usize = 31;
/// Bytes that v2 keeps of a script variable.
const VARIABLE_BYTES: usize = 126;

/// Output and exit status of a command line that requests no run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exit {
    /// Text for standard output.
    pub out: String,
    /// Text for standard error.
    pub err: String,
    /// Exit status.
    pub status: u8,
}

impl Exit {
    pub(super) fn out(text: impl Into<String>, status: u8) -> Exit {
        Exit {
            out: text.into(),
            err: String::new(),
            status,
        }
    }

    fn err(text: impl Into<String>, status: u8) -> Exit {
        Exit {
            out: String::new(),
            err: text.into(),
            status,
        }
    }
}

/// The command line and the warnings for standard error; or, as an error, the output of a command line that requests no
/// run.
pub type ParseResult = Result<(CommandLine, String), Box<Exit>>;

/// Parses a command line of v1 or v2.
pub fn read(program: &str, words: &[OsString], mode: Mode) -> ParseResult {
    let letters = if mode.is_v1() { V1 } else { V2 };
    let command = Cli::command();
    let takes_value = |name: &str| {
        let arg = command
            .get_arguments()
            .find(|arg| arg.get_long() == Some(name))?;
        let flag = matches!(
            arg.get_action(),
            clap::ArgAction::Set | clap::ArgAction::Append
        );
        Some(flag && name != "tournament")
    };
    let items = scan(words, letters, takes_value);
    let mut reader = Classic {
        program,
        line: long_switches(&items, mode)?,
        warnings: String::new(),
        help: false,
    };
    for item in items {
        reader.item(item)?;
    }
    reader.finish()
}

/// Parses the long switches, which are those of the native dialect. The classic programs have none.
fn long_switches(items: &[Item], mode: Mode) -> Result<CommandLine, Box<Exit>> {
    let mut words = vec![OsString::from("dealer")];
    for item in items {
        if let Item::Long(name, value) = item {
            let mut word = OsString::from("--");
            word.push(name);
            if let Some(value) = value {
                word.push("=");
                word.push(value);
            }
            words.push(word);
        }
    }
    let refused = |text: String| Box::new(Exit::err(text, FATAL));
    let cli = Cli::try_parse_from(words).map_err(|error| match error.use_stderr() {
        true => refused(error.render().to_string()),
        false => Box::new(Exit::out(error.render().to_string(), 0)),
    })?;
    if cli.tournament.is_some() {
        return Err(refused(
            "dealer: --tournament deals by our own generator and not by that of a classic program; leave --compat out\n".to_owned(),
        ));
    }
    cli.into_command_line(mode)
        .map_err(|message| refused(format!("dealer: {message}\n")))
}

struct Classic<'a> {
    program: &'a str,
    line: CommandLine,
    warnings: String,
    help: bool,
}

impl Classic<'_> {
    fn is_v1(&self) -> bool {
        self.line.dialect().is_v1()
    }

    fn item(&mut self, item: Item) -> Result<(), Box<Exit>> {
        match item {
            Item::Long(..) => Ok(()),
            Item::Word(word) => {
                self.line.inputs.scripts.push(word);
                Ok(())
            }
            Item::Unknown(letter) => {
                Err(self.wrong_switch(format!("invalid option -- '{}'", char::from(letter))))
            }
            Item::Missing(letter) => Err(self.wrong_switch(format!(
                "option requires an argument -- '{}'",
                char::from(letter)
            ))),
            Item::Switch(letter, argument) => {
                let argument = argument.unwrap_or_default();
                if self.common(letter, &argument)? {
                    return Ok(());
                }
                if self.is_v1() {
                    self.v1(letter, &argument)
                } else {
                    self.v2(letter, argument)
                }
            }
        }
    }

    /// Handles switches that both programs share. Returns `false` for any other switch.
    fn common(&mut self, letter: u8, argument: &OsStr) -> Result<bool, Box<Exit>> {
        let seed_overflow = self.seed_overflow();
        let (job, output) = (&mut self.line.job, &mut self.line.output);
        // The programs store these numbers in 32 bits.
        let number = i64::from(leading_integer(argument) as i32);
        match letter {
            b'p' => job.produce = Some(number),
            b'g' => job.generate = Some(number),
            b's' => {
                let seed = seed_from_text(&argument.to_string_lossy());
                job.seed = Some(seed.map_err(|_| Box::new(Exit::err(seed_overflow, FATAL)))?);
            }
            b'v' => output.statistics = !output.statistics,
            b'q' => output.pbn = !output.pbn,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn seed_overflow(&self) -> String {
        let (low, high) = (i64::MIN, i64::MAX);
        if self.is_v1() {
            format!("Seed overflow: seed must be between {low} and {high}\n")
        } else {
            format!("Seed overflow: seed must be greater than {low} and less than {high}\n")
        }
    }

    fn v1(&mut self, letter: u8, argument: &OsStr) -> Result<(), Box<Exit>> {
        let line = &mut self.line;
        match letter {
            b'm' => line.output.meter = !line.output.meter,
            b'0' => line.job.exchange = Swap::Off,
            b'2' => line.job.exchange = Swap::Two,
            b'3' => line.job.exchange = Swap::Three,
            b't' => {
                line.execution.time_limit = u64::try_from(leading_integer(argument))
                    .ok()
                    .filter(|&seconds| seconds > 0)
                    .map(Duration::from_secs)
            }
            b'l' => {
                return Err(Box::new(Exit::err(
                    "Cannot find or open library file\n",
                    FATAL,
                )));
            }
            b'e' => {
                return Err(Box::new(Exit::out(
                    "Exhaust mode not included in this executable\n",
                    1,
                )));
            }
            b'V' => return Err(Box::new(Exit::out(version(), 1))),
            b'h' => return Err(Box::new(Exit::err(self.usage(), FATAL))),
            _ => {}
        }
        Ok(())
    }

    fn v2(&mut self, letter: u8, argument: OsString) -> Result<(), Box<Exit>> {
        let text = argument.to_string_lossy().into_owned();
        let number = leading_integer(&argument);
        let line = &mut self.line;
        let (job, output, inputs) = (&mut line.job, &mut line.output, &mut line.inputs);
        match letter {
            b'm' => output.meter = true,
            b'h' => self.help = true,
            b'V' => return Err(Box::new(Exit::out(version(), 0))),
            b'x' => {
                job.exchange = Swap::from_switch(number.max(0))
                    .map_err(|error| Box::new(Exit::err(format!("-x: {error}\n"), FATAL)))?;
            }
            b'T' => job.title = Some(cut(argument.as_encoded_bytes(), TITLE_BYTES).into()),
            b'N' | b'E' | b'S' | b'W' => {
                let seat = Seat::from_letter(char::from(letter)).unwrap_or(Seat::North);
                let cards = cut(argument.as_encoded_bytes(), PREDEAL_BYTES);
                job.predeal[seat] = Some(String::from_utf8_lossy(&cards).into_owned());
            }
            b'C' => output.csv = Some(native::side_file(&argument, b"w")),
            b'X' => output.export = Some(argument.into()),
            b'Z' => output.zrd = Some(native::side_file(&argument, b"wNn")),
            b'l' => output.dl52 = Some(native::side_file(&argument, b"wNn")),
            b'L' => inputs.library = Some(argument.into()),
            b'M' if matches!(number, 1 | 2) => line.v2.table_mode = number == 2,
            b'P' => self.par_vulnerability(number),
            b'R' => self.threads(number),
            b'O' => {
                job.opener = Some(
                    text.chars()
                        .next()
                        .and_then(Seat::from_letter)
                        .unwrap_or(Seat::West),
                )
            }
            b'U' => inputs.user_program = Some(argument.into()),
            b'D' => {
                line.v2.debug = native::debug_levels(&text);
                output.call_counts = line.v2.debug.0 >= CALL_COUNTS_LEVEL;
            }
            b'0'..=b'9' => {
                let value = cut(argument.as_encoded_bytes(), VARIABLE_BYTES);
                job.variables[usize::from(letter - b'0')] =
                    Some(String::from_utf8_lossy(&value).into_owned());
            }
            _ => {}
        }
        Ok(())
    }

    fn par_vulnerability(&mut self, number: i64) {
        let chosen = usize::try_from(number)
            .ok()
            .and_then(|index| Vulnerability::ALL.get(index));
        if chosen.is_none() {
            self.warnings
                .push_str("Invalid Vulnerability -- Setting to Nobody Vul \n");
        }
        self.line.job.par_vulnerability = chosen.copied();
    }

    fn threads(&mut self, number: i64) {
        /// Maximum number of threads of v2's solver. The wording of its warning is not accurate.
        const MOST_THREADS: i64 = 10;
        if number > MOST_THREADS {
            self.warnings.push_str(&format!(
                "Invalid value[{number}] for R opt(0..12) setting to 9.\n"
            ));
        }
        let threads = if number > MOST_THREADS {
            8
        } else {
            number.max(0)
        };
        self.line.execution.threads = threads as usize;
    }

    fn wrong_switch(&self, complaint: String) -> Box<Exit> {
        let status = if self.is_v1() { FATAL } else { 0 };
        Box::new(Exit::err(
            format!("{}: {complaint}\n{}", self.program, self.usage()),
            status,
        ))
    }

    /// Returns the usage of the dialect.
    fn usage(&self) -> String {
        let program = self.program;
        if self.is_v1() {
            format!(
                "Usage: {program} [-023ehuvmqV] [-p n] [-g n] [-s seed] [-t seconds] [-l n] [script]\n"
            )
        } else {
            format!(
                "Usage: {program} [-hmqvV] [-g n] [-p n] [-s seed] [-x 0|2|3] [-T title] [-N|E|S|W cards] [script]\n\
                 See {program} -h for all switches.\n"
            )
        }
    }

    fn finish(mut self) -> ParseResult {
        if self.help {
            return Err(Box::new(Exit::out(
                Cli::command().render_long_help().to_string(),
                0,
            )));
        }
        // A second file name is accepted and ignored.
        if self.line.inputs.scripts.len() > 2 {
            return Err(Box::new(Exit::err(self.usage(), FATAL)));
        }
        self.line.inputs.scripts.truncate(1);
        if !self.warnings.is_empty() {
            self.warnings.push_str(
                "***** Non Fatal error in get_options. Continuing with assumptions .... *******\n",
            );
        }
        Ok((self.line, self.warnings))
    }
}

fn cut(bytes: &[u8], most: usize) -> Vec<u8> {
    bytes[..bytes.len().min(most)].to_vec()
}

fn version() -> String {
    format!(
        "{}\n{}\n",
        Cli::command().render_version().trim(),
        "A successor of dealer and DealerV2, in a compatibility mode."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_line(mode: Mode, line: &str) -> ParseResult {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        read("dealer", &words, mode)
    }

    fn status(mode: Mode, line: &str) -> Option<(u8, bool)> {
        read_line(mode, line)
            .err()
            .map(|exit| (exit.status, exit.err.is_empty()))
    }

    /// Source: cli.md, section 4. Each row gives the status, and whether the text goes to standard output.
    #[test]
    fn early_ends_have_the_status_of_the_dialect() {
        for (line, v1, v2) in [
            ("-V", Some((1, true)), Some((0, true))),
            ("-h", Some((255, false)), Some((0, true))),
            ("-Y", Some((255, false)), Some((0, false))),
            ("-p", Some((255, false)), Some((0, false))),
            ("-e", Some((1, true)), Some((0, false))),
            (
                "-s 9223372036854775807",
                Some((255, false)),
                Some((255, false)),
            ),
            ("a b c", Some((255, false)), Some((255, false))),
            ("a b", None, None),
        ] {
            assert_eq!(status(Mode::V1, line), v1, "v1 {line}");
            assert_eq!(status(Mode::V2, line), v2, "v2 {line}");
        }
    }

    #[test]
    fn a_letter_has_different_meanings_in_the_dialects() {
        let (v1, _) = read_line(Mode::V1, "-2 -s5 file").unwrap();
        assert_eq!(
            (v1.job.exchange, v1.job.seed, v1.inputs.scripts),
            (Swap::Two, Some(5), vec!["file".into()])
        );
        let (v2, _) = read_line(Mode::V2, "-2 -s5 file").unwrap();
        assert_eq!(
            (v2.job.exchange, v2.job.seed, v2.job.variables[2].as_deref()),
            (Swap::Off, None, Some("-s5"))
        );
        let (meter, _) = read_line(Mode::V1, "-mm").unwrap();
        assert!(!meter.output.meter);
        let (meter, _) = read_line(Mode::V2, "-mm").unwrap();
        assert!(meter.output.meter);
    }

    #[test]
    fn long_switches_work_in_every_dialect() {
        let (line, _) = read_line(Mode::V1, "-p 3 --threads 2 --input-deals=x.pbn f").unwrap();
        assert_eq!((line.execution.threads, line.job.produce), (2, Some(3)));
        assert_eq!(line.inputs.deals.unwrap().to_str(), Some("x.pbn"));
        assert_eq!(status(Mode::V1, "--nonsense"), Some((255, false)));
    }

    #[test]
    fn numbers_are_read_as_32_bits() {
        let (line, _) = read_line(Mode::V1, "-p 4294967299 -g 12x").unwrap();
        assert_eq!((line.job.produce, line.job.generate), (Some(3), Some(12)));
    }
}
