//! Printing of a run, from the first deal to the statistics.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use croupier::render::classic::statistics::Meter;
use croupier::render::{
    AnyWriter, DialectStyle, Heading, KeptDeals, Output, OutputPipeline, Writers,
};
use croupier::script::plan::{Action, Plan};
use croupier::session::{
    Clustered, Ended, Error, HandType, HandTypes, Mode, Outcome, Progress, ProgressFunction,
    Session, Sink,
};

use super::command_line::CommandLine;
use super::side_files::SideFiles;
use super::{stats_json, words};
use crate::failure::{Failure, ShownPath};
use crate::interrupt::{EarlyEnd, Interrupt};
use crate::progress::RunProgress;
use crate::{system, whole_file};

/// Prints a run.
pub struct RunPrinter<'a> {
    /// The command line.
    pub line: &'a CommandLine,
    /// The settings of the run.
    pub session: &'a Session,
    /// The compiled script.
    pub plan: &'a Plan,
    /// Title, board numbers and names.
    pub heading: Heading,
    /// Progress on the terminal, which is removed after the last deal.
    pub progress: Option<TerminalProgress>,
}

impl RunPrinter<'_> {
    /// Runs `deal` with a sink that prints the deals, then prints the tables and statistics. Returns the outcome, and
    /// the cause if the run ended early.
    ///
    /// # Errors
    /// If the run fails (output before the failure stays), or an output cannot be written.
    pub fn print(
        &self,
        mut files: SideFiles,
        deal: impl FnOnce(&mut dyn Sink) -> Result<Outcome, Error>,
    ) -> Result<(Outcome, Option<EarlyEnd>), Failure> {
        let (line, options) = (self.line, &self.line.output);
        let mode = line.dialect();
        let run = croupier::render::RunContext {
            plan: self.plan,
            heading: &self.heading,
            style: DialectStyle::of(mode),
        };
        if line.v2.debug.1 > 0 && mode == Mode::V2 {
            io::stdout().write_all(b"\x0c")?;
        }
        let meter = options
            .meter
            .then(|| Meter::new(self.session.settings().limits.produce));
        let mut deals_file = files.deals.take();
        let mut more_files = std::mem::take(&mut files.more_deals);
        let mut page = Vec::new();
        let outputs = Output::all(
            options,
            &run,
            Writers {
                deals: match &mut deals_file {
                    Some(file) => Box::new(file),
                    None => Box::new(StandardOutput),
                },
                more_deals: more_files
                    .iter_mut()
                    .map(|file| Box::new(file) as AnyWriter<'_>)
                    .collect(),
                text: Box::new(StandardOutput),
                apart: Box::new(io::stderr()),
                is_interactive: io::stdout().is_terminal(),
                meter: meter.map(|meter| (meter, Box::new(MeterDisplay) as AnyWriter<'_>)),
                csv: files.csv.map(|file| {
                    let is_new = file.is_new;
                    (Box::new(file) as AnyWriter<'_>, is_new)
                }),
                export: files.export.map(|file| Box::new(file) as AnyWriter<'_>),
                zrd: files.zrd.map(|file| Box::new(file) as AnyWriter<'_>),
                dl52: files.dl52.map(|file| Box::new(file) as AnyWriter<'_>),
                report: options
                    .report
                    .as_ref()
                    .map(|_| Box::new(&mut page) as AnyWriter<'_>),
            },
        );
        let mut pipeline = OutputPipeline::new(run, outputs, kept_deals(line.execution.threads))?;
        if let Some(meter) = meter {
            let _ = io::stderr().write_all(meter.start().as_bytes());
        }
        let (outcome, types) = self.deal(&mut pipeline, deal);
        if let Some(progress) = &self.progress {
            progress.remove();
        }
        pipeline.flush()?;
        let outcome = outcome.map_err(|error| words::failure(mode, error))?;
        if let Some((types, levels)) = types {
            stats_json::print(self.session, &outcome, &types, &levels)?;
        } else {
            if let Some(meter) = meter {
                let _ = io::stderr().write_all(meter.end().as_bytes());
            }
            self.finish(&mut pipeline, &outcome)?;
        }
        drop(pipeline);
        if let Some(result) = &outcome.precision {
            words::precision(result, outcome.produced);
        }
        // A run that was complete when the interrupt came counts as complete.
        let early = matches!(outcome.ended, Ended::Cancelled | Ended::TimedOut);
        if outcome.ended == Ended::TimedOut {
            line.time_is_up();
        }
        let cause = Interrupt::peek().cause().filter(|_| early);
        // After a signal, existing files are not replaced.
        if !matches!(cause, Some(EarlyEnd::Signal(_))) {
            if let Some(path) = &options.report {
                whole_file::write(path, &page)?;
            }
            self.write_tables(&outcome)?;
            for file in deals_file.into_iter().chain(more_files) {
                file.finish()?;
            }
        }
        if let Some(cause) = cause {
            self.report_early_end(cause, &outcome);
        }
        Ok((outcome, cause))
    }

    /// Runs `deal` with the pipeline, and with the sinks that count classes and clusters. Returns the classes of the
    /// script, and those for levelling only, if they are counted.
    #[allow(clippy::type_complexity)]
    fn deal(
        &self,
        pipeline: &mut OutputPipeline<'_>,
        deal: impl FnOnce(&mut dyn Sink) -> Result<Outcome, Error>,
    ) -> (
        Result<Outcome, Error>,
        Option<(Vec<HandType>, Vec<HandType>)>,
    ) {
        let options = &self.line.output;
        let (mut levels, mut types) = (None, None);
        let sink: &mut dyn Sink = match options.statistics_json {
            true => {
                let plan = self.session.plan();
                let levels = levels.insert(HandTypes::of_levels(pipeline, plan));
                types.insert(HandTypes::new(levels, plan))
            }
            false => pipeline,
        };
        let is_counted = |action: &Action| action.counted().is_some();
        let shows_intervals = options.report.is_some()
            || !options.tables.is_empty()
            || self.line.dialect() == Mode::Native && self.plan.actions.iter().any(is_counted);
        let arrangements = self.line.job.exchange.arrangements();
        let outcome = match arrangements {
            2.. if shows_intervals => {
                let mut sink = Clustered::new(sink, self.plan, arrangements);
                let outcome = deal(&mut sink);
                outcome.map(|mut outcome| {
                    sink.finish(&mut outcome.tables);
                    outcome
                })
            }
            _ => deal(sink),
        };
        let types = types.map(HandTypes::finish);
        (outcome, types.zip(levels.map(HandTypes::finish)))
    }

    /// Writes the tables as data.
    fn write_tables(&self, outcome: &Outcome) -> Result<(), Failure> {
        let options = &self.line.output;
        if !options.tables.is_empty() && outcome.tables.is_empty() {
            return Err(Failure::runtime(
                "--tables: the script counts nothing; give it an action such as average \"points\" hcp(north)",
            ));
        }
        for file in &options.tables {
            whole_file::write(file.path(), &file.content(outcome, options.csv_safe))?;
        }
        Ok(())
    }

    /// Prints how far a run came that ended early.
    fn report_early_end(&self, cause: EarlyEnd, outcome: &Outcome) {
        let options = &self.line.output;
        let (generated, produced) = (outcome.generated, outcome.produced);
        let mut text = format!(
            "{}: {generated} deals looked at, {produced} produced",
            cause.text()
        );
        let more = options.more_files.iter().map(|(path, _)| path.as_path());
        let files = [&options.file, &options.report];
        let files = files
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
            .chain(more);
        let tables = options.tables.iter().map(|file| file.path());
        for path in files.chain(tables) {
            if matches!(cause, EarlyEnd::Signal(_)) {
                text += &format!("; {} is not written", path.shown());
            }
        }
        if self.line.dialect() == Mode::Native {
            let _ = writeln!(io::stderr(), "dealer: {text}");
        }
    }

    /// Prints tables, statistics and the messages of the classic programs.
    fn finish(&self, pipeline: &mut OutputPipeline<'_>, outcome: &Outcome) -> Result<(), Failure> {
        let mode = self.line.dialect();
        words::table_mode(self.line, self.plan, outcome);
        if outcome.ended == Ended::Exhausted && mode == Mode::V2 {
            let _ = writeln!(
                io::stderr(),
                "2 : Too Many Passes through Library. Ending Run Now "
            );
        }
        pipeline.end(outcome, self.line.output.call_counts)?;
        if mode == Mode::Native && outcome.produced == 0 && outcome.generated > 0 {
            words::nothing_produced(self.session, outcome);
        }
        Ok(())
    }
}

/// The progress of a run on the terminal.
#[derive(Clone)]
pub struct TerminalProgress(Arc<Mutex<RunProgress>>);

impl TerminalProgress {
    /// Creates the display of a run, if there is a terminal and no classic meter.
    pub fn new(line: &CommandLine, session: &Session) -> Option<TerminalProgress> {
        if line.output.meter || line.dialect() != Mode::Native {
            return None;
        }
        let (generate, produce) = session.settings().limits.counts();
        let prints = line.output.prints_deals(session.plan());
        let display = RunProgress::new(produce, generate, prints)?;
        Some(TerminalProgress(Arc::new(Mutex::new(display))))
    }

    /// Returns the function that shows the progress.
    pub fn function(&self) -> ProgressFunction {
        let display = Arc::clone(&self.0);
        Arc::new(move |progress: Progress| {
            if let Ok(mut display) = display.lock() {
                display.show(progress);
            }
        })
    }

    /// Removes the line from the terminal.
    fn remove(&self) {
        if let Ok(mut display) = self.0.lock() {
            display.remove();
        }
    }
}

/// Standard output. Its errors contain the name "standard output".
struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        io::stdout().write(text).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush().map_err(named)
    }
}

fn named(error: io::Error) -> io::Error {
    match error.kind() {
        // A closed pipe is not a fault: its reader needs no more output.
        io::ErrorKind::BrokenPipe => error,
        kind if system::stdout_was_closed() => io::Error::new(kind, "standard output is closed"),
        kind => io::Error::new(kind, format!("standard output: {error}")),
    }
}

/// Standard error for the classic meter. The run continues if the meter cannot be printed.
struct MeterDisplay;

impl Write for MeterDisplay {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let _ = io::stderr().write_all(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the storage of deals for `print`. Deals that do not fit into memory go to a temporary file.
fn kept_deals(threads: usize) -> KeptDeals {
    KeptDeals::spilling_to(|| Ok(Box::new(tempfile::tempfile()?))).on_threads(threads)
}
