//! A run: reads the script, chooses the source of deals, deals and prints.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use croupier::render::{GivenBoards, Heading};
use croupier::script::plan::Action;
use croupier::session::{
    Ended, ExecutionOptions, Job, MixedScript, Mode, Origin, Outcome, Partial, Run, Session,
    Supply, UserMetrics,
};

use super::classic::FATAL;
use super::command_line::{CommandLine, Task};
use super::inputs::{
    InputDeals, LibraryFile, check_user_program, open_deals, open_library, read_script,
};
use super::print::{RunPrinter, TerminalProgress};
use super::promise::TournamentPromise;
use super::side_files::{DealsFile, SideFiles};
use super::{checkpoint, inquiry, part, words};
use crate::failure::{Failure, ShownPath};
use crate::interrupt::{EarlyEnd, Interrupt};
use crate::new_file::{check_output, protect_existing};
use crate::{scripts, system, threads, whole_file};

/// Executes a command line.
///
/// # Errors
/// If the run fails; the failure has the exit status of the dialect.
pub fn run(line: CommandLine) -> Result<ExitCode, Failure> {
    let status = match line.dialect() {
        Mode::Native => crate::failure::RUNTIME,
        _ => FATAL,
    };
    PreparedRun::new(line)
        .and_then(PreparedRun::perform)
        .map_err(|failure| failure.with_runtime_status(status))
}

/// A command line with its compiled script.
struct PreparedRun {
    line: CommandLine,
    session: Session,
    /// Side files that v2 opens before it reads the script. The native dialect opens them only for a script without
    /// errors.
    early_files: Option<SideFiles>,
    /// Number of boards of an input file that could not be read.
    bad_boards: Arc<AtomicU64>,
    /// Interrupts of the run.
    interrupt: Interrupt,
    /// Data of the boards in the input file.
    given: Option<Arc<GivenBoards>>,
}

impl PreparedRun {
    fn new(line: CommandLine) -> Result<PreparedRun, Failure> {
        let mode = line.dialect();
        line.limits.watch();
        if !line.replaces_files {
            protect_existing();
            check_outputs(&line)?;
        }
        let library = open_library(&line.inputs, mode)?;
        let deals = open_deals(&line.inputs)?;
        let bad_boards = deals.as_ref().map(|deals| Arc::clone(&deals.bad));
        let given = deals.as_ref().map(|deals| Arc::clone(&deals.boards));
        let early_files = match mode {
            Mode::V2 => {
                check_user_program(&line.inputs)?;
                Some(SideFiles::open(&line.output, mode)?)
            }
            _ => None,
        };
        let job = job(&line, library, deals)?;
        let text = job.spec().script.bytes().to_vec();
        let session = job.prepare().map_err(|error| {
            if let croupier::session::Error::Script(diagnostics) = &error {
                words::before_script_error(&line, &text, diagnostics);
            }
            words::failure(mode, error)
        })?;
        if mode == Mode::Native && !line.hides_warnings {
            scripts::show(session.warnings());
            if line.job.seed == Some(0) {
                let _ = writeln!(
                    io::stderr(),
                    "dealer: warning: -s 0 is a seed like any other here, the same deals every time; DealerV2 would take a new one for every run (leave -s out for that)"
                );
            }
        }
        Ok(PreparedRun {
            interrupt: Interrupt::watch(),
            line,
            session,
            early_files,
            bad_boards: bad_boards.unwrap_or_default(),
            given,
        })
    }

    fn perform(mut self) -> Result<ExitCode, Failure> {
        let mode = self.line.dialect();
        let failure = |error| words::failure(mode, error);
        // Text that the classic scanners copy to standard output.
        io::stdout().write_all(&self.session.plan().echo)?;
        if self.line.inputs.user_program.is_none() {
            self.session.check_metrics().map_err(failure)?;
        }
        if self.line.task != Task::Deal {
            return inquiry::answer(&self.line, &self.session, &self.interrupt);
        }
        let beacon = self.line.tournament.as_ref();
        if let Some(key) = beacon.filter(|key| key.beacon.is_some()) {
            TournamentPromise::of_beacon(&self.line, &self.session, key)?.announce_beacon()?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut files = match self.early_files.take() {
            Some(files) => files,
            None => SideFiles::open(&self.line.output, mode)?,
        };
        let output = &self.line.output;
        if let Some(path) = &output.file {
            files.deals = Some(DealsFile::create(path, self.line.additions.print_pages)?);
        }
        for (path, _) in &output.more_files {
            let file = DealsFile::create(path, self.line.additions.print_pages)?;
            files.more_deals.push(file);
        }
        self.session.retain_actions(|action| output.needs(action));
        self.session.check_tables().map_err(failure)?;
        let keeps = |action: &Action| matches!(action, Action::Print(_));
        let limits = self.session.settings().limits;
        if limits.produce < 0 && self.session.plan().actions.iter().any(keeps) {
            return Err(words::out_of_memory(mode));
        }
        if let Some(metrics) = user_metrics(&self.line, &self.session)? {
            if let Some(log) = metrics.log().filter(|_| mode == Mode::Native) {
                let _ = writeln!(
                    io::stderr(),
                    "dealer: the server's messages go to {}",
                    log.shown()
                );
            }
            self.session.set_metrics(Arc::new(metrics));
        }
        let (line, interrupt) = (&self.line, &self.interrupt);
        if let Some(file) = &line.part
            && let (Some(shard), None) = (file.shard, file.every)
        {
            return part::write(line, &self.session, shard, &file.path, interrupt);
        }
        let run = self.session.start().map_err(failure)?;
        self.announce(&run)?;
        if let Some(file) = &line.part
            && let Some(every) = file.every
        {
            return match checkpoint::run(line, &self.session, (file, every), interrupt)? {
                checkpoint::CheckpointOutcome::Saved(code) => Ok(code),
                checkpoint::CheckpointOutcome::Complete(partial) => {
                    self.deal(run, files, Some(&partial))
                }
            };
        }
        self.deal(run, files, None)
    }

    /// Prints messages that must appear before the first deal.
    fn announce(&self, run: &Run) -> Result<(), Failure> {
        let (job, output, mode) = (&self.line.job, &self.line.output, self.line.dialect());
        words::notices(mode, run.notices());
        if job.even && (run.mixed().is_none() || job.interleave) {
            return Err(Failure::usage(
                "--even: nothing is levelled or mixed; add --level or --mix",
            ));
        }
        if let Some(mixed) = run.mixed() {
            if output.statistics && !job.interleave {
                let _ = io::stderr().write_all(words::mixed(mixed).as_bytes());
            }
            if let Some(path) = &output.leveled_script
                && mixed.interrupted.is_none()
            {
                let script = self.session.leveled_script(mixed);
                let script = script.map_err(|error| words::failure(mode, error))?;
                whole_file::write(path, &script)?;
            }
        }
        match TournamentPromise::of(&self.line, &self.session, run)? {
            Some(promise) => promise.write(),
            None => Ok(()),
        }
    }

    /// Deals, or continues from a checkpoint, and prints.
    fn deal(
        &self,
        mut run: Run,
        files: SideFiles,
        dealt: Option<&Partial>,
    ) -> Result<ExitCode, Failure> {
        let started = Instant::now();
        let (line, settings) = (&self.line, self.session.settings());
        let promise = TournamentPromise::of(line, &self.session, &run)?;
        let seed = match &promise {
            // The key must stay secret, so the boards show only its commitment.
            Some(promise) => format!("commitment {}", promise.commitment()),
            None => settings.seed.to_string(),
        };
        let title = run
            .library_title()
            .unwrap_or_else(|| settings.title.clone());
        let name = line.inputs.scripts.first().filter(|name| *name != "-");
        let plan = run.plan();
        let progress = TerminalProgress::new(line, &self.session);
        if let Some(progress) = &progress {
            run.set_progress(progress.function());
        }
        let printer = RunPrinter {
            line,
            session: &self.session,
            plan: &plan,
            heading: Heading {
                script: name.map(|name| name.as_encoded_bytes().to_vec()),
                seed,
                title,
                given: self.given.clone(),
                promise: promise
                    .as_ref()
                    .map(|promise| promise.on_boards(line, &self.session, &run)),
                date: system::today(),
                shows_hand_types: line.job.dealer3,
                ..Heading::of(settings, &line.output)
            },
            progress,
        };
        let (outcome, cause) = printer.print(files, |sink| {
            let mut outcome = match dealt {
                None => run.finish(sink)?,
                Some(parts) => {
                    let mut outcome = self.session.join(parts, sink)?;
                    outcome.seconds = Some(started.elapsed().as_secs_f64());
                    outcome
                }
            };
            if let Some(promise) = &promise {
                outcome.origin = Origin::Commitment(promise.commitment());
            }
            Ok(outcome)
        })?;
        if let Some(path) = line.inputs.deals.as_deref()
            && outcome.generated == 0
            && outcome.ended == Ended::Exhausted
        {
            let name = path.shown();
            return Err(Failure::runtime(format!("{name}: there is no deal in it")));
        }
        // Boards and key are written now. Fewer boards than the commitment states are a failure.
        let is_kept = promise.is_none_or(|promise| promise.announce(outcome.produced));
        let status = match self.status(&outcome, cause) {
            0 if !is_kept => 1,
            status => status,
        };
        Ok(ExitCode::from(status))
    }

    fn status(&self, outcome: &Outcome, cause: Option<EarlyEnd>) -> u8 {
        match outcome.ended {
            _ if cause.is_some() => cause.map_or(0, EarlyEnd::status),
            Ended::TimedOut if outcome.produced == 0 => 1,
            _ if self.bad_boards.load(Ordering::Relaxed) > 0 => 1,
            _ => 0,
        }
    }
}

/// Checks that no output would replace a file, before the work begins. A checkpoint is continued, so it may exist.
fn check_outputs(line: &CommandLine) -> Result<(), Failure> {
    let output = &line.output;
    let one = [&output.file, &output.report, &output.leveled_script];
    let more = output.more_files.iter().map(|(path, _)| path.as_path());
    let part = line.part.as_ref().filter(|part| part.every.is_none());
    one.into_iter()
        .flatten()
        .map(PathBuf::as_path)
        .chain(more)
        .chain(output.tables.iter().map(|file| file.path()))
        .chain(part.map(|part| part.path.as_path()))
        .try_for_each(check_output)
}

/// Opens the program or module that computes `usereval`. It is not started if the script does not call it.
fn user_metrics(line: &CommandLine, session: &Session) -> Result<Option<UserMetrics>, Failure> {
    match &line.inputs.user_program {
        Some(path) if session.uses_metrics() => {
            let limits = croupier::usermetrics::ProgramLimits {
                debug: line.v2.debug,
                ..croupier::usermetrics::ProgramLimits::default()
            };
            UserMetrics::open(path, limits)
                .map(Some)
                .map_err(|error| Failure::runtime(format!("-U {error}")))
        }
        _ => Ok(None),
    }
}

/// Returns the job of a command line.
///
/// # Errors
/// If a script cannot be read or the shares of several scripts are invalid.
fn job(
    line: &CommandLine,
    library: Option<LibraryFile>,
    deals: Option<InputDeals>,
) -> Result<Job, Failure> {
    let (scripts, mode) = (&line.inputs.scripts, line.dialect());
    let mut spec = line.job.clone();
    let (name, text) = read_script(scripts.first(), mode)?;
    (spec.name, spec.script) = (name, text.into());
    if scripts.len() > 1 {
        let shares = shares(line.inputs.mix.as_deref(), scripts.len())?;
        spec.share = shares[0];
        for (script, share) in scripts.iter().zip(shares).skip(1) {
            let (name, text) = read_script(Some(script), mode)?;
            let script = text.into();
            spec.mix.push(MixedScript {
                name,
                script,
                share,
            });
        }
    }
    let own_limit = line.execution.time_limit.into_iter();
    let execution = ExecutionOptions {
        threads: threads::affordable(line.execution.threads),
        time_limit: own_limit.chain(line.limits.duration()).min(),
        cancel: Interrupt::peek().flag(),
        robots: (line.additions.open_robots)(spec.systems.as_ref())?,
        ..line.execution.clone()
    };
    let mut job = Job::from_spec(spec)
        .imports(scripts::IMPORTS)
        .execution(execution);
    if let Some(library) = library {
        job = job.supply(Supply::Library(Arc::new(library)));
    }
    if let Some(deals) = deals {
        job = job.supply(Supply::Given(deals.deals));
    }
    Ok(job)
}

/// Parses `2:1` for this number of scripts; `None` means equal shares.
fn shares(text: Option<&str>, scripts: usize) -> Result<Vec<u64>, Failure> {
    let Some(text) = text else {
        return Ok(vec![1; scripts]);
    };
    let share = |part: &str| {
        let share = part.trim().parse().ok();
        share.filter(|&share| share > 0 && share <= 1_000_000)
    };
    let shares: Option<Vec<u64>> = text.split(':').map(share).collect();
    match shares {
        Some(shares) if shares.len() == scripts => Ok(shares),
        _ => Err(Failure::usage(format!(
            "--mix: {text:?} must give {scripts} numbers with colons between, one for each script"
        ))),
    }
}
