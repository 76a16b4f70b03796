//! Conversion of the switches of the native dialect to the options of a run.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

use clap::Parser;
use croupier::cards::BySeat;
use croupier::render::OutputOptions;
use croupier::session::{DefaultSettings, ExecutionOptions, JobSpec, Mode, SupplySpec};

use super::Cli;
use super::values::{
    Tournament, deal_or_file, debug_levels, default_library, format_of, side_file,
};
use crate::classic::Exit;
use crate::command_line::{
    CommandLine, InputFiles, PartFile, Task, TournamentSwitches, V2Settings,
};
use crate::failure::Failure;
use crate::{Additions, ParsedCommandLine};

/// Debug level from which the statistics show call counts of expensive functions.
pub(crate) const CALL_COUNTS_LEVEL: u8 = 2;

/// Parses a command line of the native dialect.
pub(crate) fn read(words: &[OsString]) -> Result<ParsedCommandLine, Failure> {
    let named = std::iter::once(OsString::from("dealer")).chain(joined_level(words));
    let cli = match Cli::try_parse_from(named) {
        Ok(cli) => cli,
        Err(mut error) => {
            remove_poor_suggestion(&mut error);
            return Ok(ParsedCommandLine::Clap(Box::new(error)));
        }
    };
    if cli.license || cli.credits {
        let text = if cli.license { LICENSE } else { CREDITS };
        return Ok(ParsedCommandLine::Answer(Box::new(Exit::out(text, 0))));
    }
    if cli.exhaust {
        return Err(Failure::usage(
            "-e: there is no exhaust mode; see --sampler for conditions that rarely hold",
        ));
    }
    let warnings = if cli.upper_case {
        "dealer: -u has never had an effect and has none here\n"
    } else {
        ""
    };
    let line = cli
        .into_command_line(Mode::Native)
        .map_err(Failure::usage)?;
    let is_negative = |limit: Option<i64>| limit.is_some_and(|limit| limit < 0);
    if is_negative(line.job.produce) || is_negative(line.job.generate) {
        return Err(Failure::usage(
            "-p and -g count deals and cannot be negative",
        ));
    }
    Ok(ParsedCommandLine::Run {
        line: Box::new(line),
        warnings: warnings.to_owned(),
    })
}

/// Removes clap's suggestion if it does not begin like the argument; such a suggestion misleads.
fn remove_poor_suggestion(error: &mut clap::Error) {
    use clap::error::{ContextKind, ContextValue};
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.trim_start_matches('-').to_owned()),
        _ => None,
    };
    let given = text(ContextKind::InvalidArg);
    let guess = text(ContextKind::SuggestedArg);
    if let (Some(given), Some(guess)) = (given, guess)
        && given.chars().next() != guess.chars().next()
    {
        error.remove(ContextKind::SuggestedArg);
        // The usage line is built from the suggestion.
        error.remove(ContextKind::Usage);
    }
}

/// Joins `--level` with its classes to one argument. `--level` may also stand alone; separated, clap would take a
/// script for the classes.
fn joined_level(words: &[OsString]) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        if word == "--" {
            joined.push(word.clone());
            joined.extend(words.cloned());
            break;
        }
        if word == "--level" {
            let classes = words.next_if(|next| are_shares(&next.to_string_lossy()));
            let mut word = OsString::from("--level=");
            word.push(classes.map_or(OsStr::new(""), OsString::as_os_str));
            joined.push(word);
        } else {
            joined.push(word.clone());
        }
    }
    joined
}

/// Returns whether the text is a list of shares, `Game=2,Slam=1`, or of weights; any other text after `--level` is the
/// script.
fn are_shares(word: &str) -> bool {
    let weights = |letter: char| letter.is_ascii_digit() || ",.% ".contains(letter);
    word.contains('=') || (word.contains([',', '%']) && word.chars().all(weights))
}

const LICENSE: &str =
    "croupier is free software under the MIT licence or the Apache License 2.0, as you choose.\n";
const CREDITS: &str = "\
The language and the pages of dealer are the work of Hans van Staveren and of those who continued it;
DealerV2 is by JGM; the format of solved deals is by Richard Pavlicek. croupier shares no code with them.\n";

impl Cli {
    /// Converts the switches to the options of a run.
    ///
    /// # Errors
    /// If values are invalid or contradict each other.
    pub(crate) fn into_command_line(mut self, dialect: Mode) -> Result<CommandLine, String> {
        self.move_level_script();
        let task = self.task()?;
        let job = self.job(dialect)?;
        self.check_scripts(&job)?;
        let output = self.output()?;
        Ok(CommandLine {
            task,
            inputs: self.inputs()?,
            job,
            execution: self.execution(),
            output,
            tournament: self.tournament_key(),
            part: self.part(),
            limits: self.limits,
            replaces_files: self.force,
            hides_warnings: self.no_warnings,
            v2: V2Settings {
                table_mode: self.solver_mode == Some(2),
                debug: self.debug_levels(),
            },
            additions: Additions::default(),
        })
    }

    /// Moves the word after `--level` to the scripts if it has neither `=` nor a comma, as in `--level script.dl`.
    fn move_level_script(&mut self) {
        let is_script = |word: &mut String| !word.is_empty() && !word.contains(['=', ',']);
        if let Some(word) = self.level.take_if(is_script) {
            self.scripts.insert(0, word.into());
            self.level = Some(String::new());
        }
    }

    fn task(&self) -> Result<Task, String> {
        Ok(match &self.explain_deal {
            _ if self.params => Task::ListParameters,
            _ if self.check => Task::Check,
            _ if self.explain => Task::Explain,
            Some(text) => {
                let deal =
                    deal_or_file(text).map_err(|error| format!("--explain-deal: {error}"))?;
                Task::ExplainDeal(Box::new(deal))
            }
            None => Task::Deal,
        })
    }

    /// Returns what to compute.
    fn job(&self, dialect: Mode) -> Result<JobSpec, String> {
        // The answer to a question must not depend on a random seed.
        let asks = self.check || self.explain || self.explain_deal.is_some();
        Ok(JobSpec {
            dialect,
            variables: self.variables()?,
            seed: self.seed.and_then(|key| key.seed()).map(|seed| seed as i64),
            key: self.seed.filter(|key| key.seed().is_none()),
            produce: self.produce,
            generate: self.generate,
            precision: self.precision,
            defaults: DefaultSettings {
                seed: asks.then_some(1),
                ..DefaultSettings::default()
            },
            predeal: BySeat([&self.north, &self.east, &self.south, &self.west].map(Clone::clone)),
            exchange: self.exchange.unwrap_or_default(),
            supply: match &self.tournament {
                None => SupplySpec::Random(self.sampler.usage()),
                Some(Tournament::Fresh) => {
                    self.check_beacon(None)?;
                    SupplySpec::Tournament(None)
                }
                Some(Tournament::Of(file)) => {
                    self.check_beacon(file.beacon())?;
                    let value = self.beacon_value.as_deref();
                    SupplySpec::Tournament(Some(file.dealing_key(value)))
                }
            },
            opener: self.opener,
            par_vulnerability: self.par_vulnerability,
            solve: self.solve,
            title: self
                .title
                .as_ref()
                .map(|title| title.as_encoded_bytes().into()),
            dealer: self.dealer,
            vulnerable: self.vulnerable,
            systems: self.bidding_system.as_ref().map(|system| {
                let opponents = self.bidding_system_ew.as_ref().unwrap_or(system);
                [system.clone(), opponents.clone()]
            }),
            first_board: self.first_board.map(i64::unsigned_abs),
            level: self.levelled_classes(),
            even: self.even,
            level_budget: self.level_budget,
            interleave: self.interleave,
            rnd_seed: self.rnd_seed,
            ..JobSpec::default()
        })
    }

    /// Checks that the public value is given if the key file names one, and not otherwise.
    fn check_beacon(&self, promised: Option<&str>) -> Result<(), String> {
        match (promised, &self.beacon, &self.beacon_value) {
            (Some(what), _, None) => Err(format!(
                "--tournament: the boards of this key depend on a public value: {what}. Give it with --beacon-value when it is known"
            )),
            (None, None, Some(_)) => Err(
                "--beacon-value: the commitment of this key names no public value; --beacon 'WORDS' makes a key whose commitment does"
                    .to_owned(),
            ),
            _ => Ok(()),
        }
    }

    /// Returns what is known about the key of a tournament.
    fn tournament_key(&self) -> Option<TournamentSwitches> {
        let given = match self.tournament.as_ref()? {
            Tournament::Fresh => None,
            Tournament::Of(file) => Some((**file).clone()),
        };
        Some(TournamentSwitches {
            given,
            beacon: self.beacon.clone(),
            beacon_value: self.beacon_value.clone(),
        })
    }

    /// Returns the classes to level, with their shares.
    fn levelled_classes(&self) -> Option<String> {
        let classes = self.level.clone().filter(|classes| !classes.is_empty());
        let target = self.level_target.as_deref().map(|target| match target {
            "even" => String::new(),
            weights => weights.to_owned(),
        });
        let all = (self.level.is_some() || self.write_leveled.is_some()).then(String::new);
        classes.or(target).or(all)
    }

    /// Returns the texts of `$0` to `$9`.
    fn variables(&self) -> Result<[Option<String>; 10], String> {
        let mut variables = self.variables.0.clone();
        for (number, text) in &self.param {
            if variables[*number].replace(text.clone()).is_some() {
                return Err(format!("a text for ${number} is given twice"));
            }
        }
        Ok(variables)
    }

    /// Returns the files to read.
    fn inputs(&self) -> Result<InputFiles, String> {
        Ok(InputFiles {
            scripts: self.scripts.clone(),
            mix: self.mix.clone(),
            library: self.library.clone().map(default_library).transpose()?,
            deals: self.input_deals.clone(),
            skipped_deals: self.input_offset,
            most_deals: self.input_limit,
            user_program: self.user_program.clone(),
        })
    }

    /// Returns how to execute the job.
    fn execution(&self) -> ExecutionOptions {
        ExecutionOptions {
            threads: self.threads,
            batch: self.batch_size,
            solver_memory: self.memory.megabytes(),
            time_limit: self.timeout.map(Duration::from_secs),
            ..ExecutionOptions::default()
        }
    }

    /// Returns where to write.
    fn output(&self) -> Result<OutputOptions, String> {
        let (first, more) = match self.output.split_first() {
            Some((first, more)) => (Some(first), more),
            None => (None, &[][..]),
        };
        let format = match (self.format, first) {
            (Some(_), _) if !more.is_empty() => {
                return Err(
                    "--format is for one file; several files have the formats of their endings"
                        .to_owned(),
                );
            }
            (None, Some(path)) => Some(format_of(path)?),
            (format, _) => format,
        };
        let more = more.iter().map(|path| Ok((path.clone(), format_of(path)?)));
        Ok(OutputOptions {
            format,
            file: first.cloned(),
            more_files: more.collect::<Result<_, String>>()?,
            deals: !self.no_deals,
            pbn: self.toggle_quiet.is_multiple_of(2),
            rotate: self.rotate,
            statistics: self.stats_on || self.toggle_statistics.is_multiple_of(2),
            statistics_json: self.stats_json,
            call_counts: self.debug_levels().0 >= CALL_COUNTS_LEVEL,
            meter: self.progress,
            digits: self.digits.map(usize::from),
            csv_safe: self.csv_safe,
            csv: self.csv.as_ref().map(|text| side_file(text, b"w")),
            export: self.export.clone(),
            zrd: self.write_zrd.as_ref().map(|text| side_file(text, b"wNn")),
            dl52: self.write_dl52.as_ref().map(|text| side_file(text, b"wNn")),
            tables: self.tables.clone(),
            report: self.report.clone(),
            report_boards: self.report_boards,
            key_file: self.key_file.clone(),
            leveled_script: self.write_leveled.clone(),
        })
    }

    /// Returns the file for a part of the run or its checkpoints.
    fn part(&self) -> Option<PartFile> {
        self.partial.as_ref().map(|path| PartFile {
            path: path.clone(),
            shard: self.shard,
            every: self.every,
        })
    }

    fn debug_levels(&self) -> (u8, u8) {
        self.debug.as_deref().map(debug_levels).unwrap_or_default()
    }

    /// Checks that there is a script, and that there are several if their deals are mixed.
    fn check_scripts(&self, job: &JobSpec) -> Result<(), String> {
        // In `dealer -2 script.dl`, `-2` is v1's switch; in the native dialect it takes a text.
        let is_file =
            |text: &Option<String>| text.as_ref().is_some_and(|text| Path::new(text).is_file());
        let variables = &job.variables;
        if self.scripts.is_empty()
            && let Some(number) = variables.iter().position(is_file)
            && let Some(name) = &variables[number]
        {
            let swap = match number {
                2 | 3 => format!("; to exchange hands write -x {number} {name}"),
                _ => String::new(),
            };
            return Err(format!(
                "-{number} takes a text for ${number} and has taken {name:?}, which is a file; no script is left{swap}"
            ));
        }
        if self.mix.is_some() && self.scripts.len() < 2 {
            return Err("--mix needs two or more scripts: dealer a.dl b.dl --mix 2:1".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use croupier::cards::{Seat, Vulnerability};
    use croupier::shuffle::Swap;

    fn read_line(line: &str) -> CommandLine {
        let words = std::iter::once("dealer").chain(line.split_whitespace());
        Cli::try_parse_from(words)
            .unwrap()
            .into_command_line(Mode::Native)
            .unwrap()
    }

    #[test]
    fn the_declaration_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn old_letters_and_new_words() {
        let short = read_line(
            "-p 5 -g -4 -s -3 -v -x 2 -N SAK -2 hcp(north) -C w:a.csv -Z Nw:b.zrd -O n script.dl",
        );
        assert_eq!(
            (short.job.produce, short.job.generate, short.job.seed),
            (Some(5), Some(-4), Some(-3))
        );
        assert!(!short.output.statistics);
        assert_eq!(short.job.exchange, Swap::Two);
        assert_eq!(short.job.predeal[Seat::North].as_deref(), Some("SAK"));
        assert_eq!(short.job.variables[2].as_deref(), Some("hcp(north)"));
        assert_eq!(short.job.opener, Some(Seat::North));
        let zrd = short.output.zrd.unwrap();
        assert!(zrd.truncate && zrd.unsolved && zrd.path.as_os_str() == "b.zrd");
        let long = read_line("--produce 5 --vulnerable all --format json -vv --tournament=00ff");
        assert_eq!(long.job.vulnerable, Some(Vulnerability::Both));
        assert_eq!(
            long.output.format,
            croupier::render::exchange::by_name("json")
        );
        assert!(long.output.statistics && read_line("--rotate").output.rotate);
        assert_eq!(
            long.job.supply,
            SupplySpec::Tournament(Some("key:00ff".parse().unwrap()))
        );
    }

    #[test]
    fn only_known_letters_before_a_colon_are_options() {
        for (text, path, truncate) in [
            ("w:x", "x", true),
            ("a:b", "a:b", false),
            ("x", "x", false),
            ("w:a:b", "a:b", true),
        ] {
            let file = side_file(&text.into(), b"w");
            assert_eq!(
                (file.path.to_str(), file.truncate),
                (Some(path), truncate),
                "{text}"
            );
        }
    }

    #[test]
    fn contradictions_are_refused() {
        for line in [
            "--input-deals f -L g",
            "--input-deals f -x 2",
            "-x 5",
            "-P 4",
            "--format nonsense",
            "-p many",
        ] {
            let words = std::iter::once("dealer").chain(line.split_whitespace());
            assert!(Cli::try_parse_from(words).is_err(), "{line}");
        }
    }
}
