//! A run: reads the script, chooses the source of deals, deals and prints.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use croupier::render::classic::prints_deals;
use croupier::render::{GivenBoards, Heading, Promise, PromisedLevel};
use croupier::script::plan::Action;
use croupier::session::{Ended, Key, Mode, Outcome, Partial, Run, Session, UserMetrics};

use super::classic::{FATAL, bytes_of};
use super::job::{Sources, job};
use super::reading::{check_user_program, open_library, open_side_files};
use super::request::Request;
use super::show::{self, RunPrinter};
use super::side_files::SideFiles;
use super::{checkpoint, input, part, words};
use crate::failure::{Failure, ShownPath};
use crate::interrupt::{Cause, Interrupt};
use crate::new_file::NewFile;
use crate::scripts;
use crate::whole_file;

/// Executes the request.
///
/// # Errors
/// If the run fails; the failure has the exit status of the dialect.
pub fn run(request: Request) -> Result<ExitCode, Failure> {
    let status = match request.mode {
        Mode::Native => crate::failure::RUNTIME,
        _ => FATAL,
    };
    PreparedRun::new(request)
        .and_then(PreparedRun::perform)
        .map_err(|failure| failure.with_runtime_status(status))
}

/// A request with its compiled script.
struct PreparedRun {
    request: Request,
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
    fn new(request: Request) -> Result<PreparedRun, Failure> {
        request.limits.watch();
        let sources = Sources {
            library: open_library(&request)?,
            input: request
                .input_deals
                .as_deref()
                .map(|path| input::open(path, request.input_range))
                .transpose()?,
        };
        let bad_boards = sources.input.as_ref().map(|input| Arc::clone(&input.bad));
        let given = sources
            .input
            .as_ref()
            .map(|input| Arc::clone(&input.boards));
        let early_files = match request.mode {
            Mode::V2 => {
                check_user_program(&request)?;
                Some(open_side_files(&request)?)
            }
            _ => None,
        };
        let job = job(&request, sources, Interrupt::peek().flag())?;
        let text = job.spec().script.bytes().to_vec();
        let session = job.prepare().map_err(|error| {
            if let croupier::session::Error::Script(diagnostics) = &error {
                words::before_script_error(&request, &text, diagnostics);
            }
            words::failure(request.mode, error)
        })?;
        if request.mode == Mode::Native && !request.no_warnings {
            scripts::show(session.warnings());
            if request.seed == Some(0) {
                let _ = writeln!(
                    io::stderr(),
                    "dealer: warning: -s 0 is a seed like any other here, the same deals every time; DealerV2 would take a new one for every run (leave -s out for that)"
                );
            }
        }
        Ok(PreparedRun {
            interrupt: Interrupt::watch(),
            request,
            session,
            early_files,
            bad_boards: bad_boards.unwrap_or_default(),
            given,
        })
    }

    fn perform(mut self) -> Result<ExitCode, Failure> {
        // Text that the classic scanners copy to standard output.
        io::stdout().write_all(&self.session.plan().echo)?;
        if self.request.user_program.is_none() {
            let checked = self.session.check_metrics();
            checked.map_err(|error| words::failure(self.request.mode, error))?;
        }
        if let Some(inquiry) = &self.request.inquiry {
            return super::inquiry::answer(inquiry, &self.request, &self.session, &self.interrupt);
        }
        let mut files = match self.early_files.take() {
            Some(files) => files,
            None => open_side_files(&self.request)?,
        };
        if let Some(path) = &self.request.output {
            files.deals = Some(NewFile::create(path)?);
        }
        replace_actions(&self.request, &mut self.session);
        let failure = |error| words::failure(self.request.mode, error);
        self.session.check_tables().map_err(failure)?;
        let keeps = |action: &Action| matches!(action, Action::Print(_));
        let limits = self.session.settings().limits;
        if limits.produce < 0 && self.session.plan().actions.iter().any(keeps) {
            return Err(words::out_of_memory(self.request.mode));
        }
        if let Some(metrics) = user_metrics(&self.request, &self.session)? {
            if let Some(log) = metrics.log().filter(|_| self.request.mode == Mode::Native) {
                let _ = writeln!(
                    io::stderr(),
                    "dealer: the server's messages go to {}",
                    log.shown()
                );
            }
            self.session.set_metrics(Arc::new(metrics));
        }
        let file = (self.request.partial.as_deref(), self.request.every);
        if let (Some(shard), (Some(path), None)) = (self.request.shard, file) {
            return part::write(&self.request, &self.session, shard, path, &self.interrupt);
        }
        let run = self.session.start().map_err(failure)?;
        self.announce(&run)?;
        if let (Some(path), Some(every)) = file {
            let (request, session) = (&self.request, &self.session);
            return match checkpoint::run(request, session, (path, every), &self.interrupt)? {
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
        let request = &self.request;
        words::notices(request.mode, run.notices());
        if request.even && (run.mixed().is_none() || request.interleave) {
            return Err(Failure::usage(
                "--even: nothing is levelled or mixed; add --level or --mix",
            ));
        }
        if request.precision.is_some() && run.mixed().is_some() {
            return Err(Failure::usage(
                "--precision needs deals as they come: none that are levelled or mixed",
            ));
        }
        if let Some(mixed) = run.mixed() {
            if request.statistics && !request.interleave {
                let _ = io::stderr().write_all(words::mixed(mixed).as_bytes());
            }
            if let Some(path) = &request.write_leveled
                && mixed.interrupted.is_none()
            {
                let script = self.session.leveled_script(mixed);
                let script = script.map_err(|error| words::failure(request.mode, error))?;
                whole_file::write(path, &script)?;
            }
        }
        if let Some(key) = run.tournament_key() {
            let commitment = key.commitment();
            let _ = writeln!(
                io::stderr(),
                "Publish before play: commitment SHA-256 {commitment}"
            );
            if let Some(path) = self.key_file() {
                write_key(&path, &key)?;
                let _ = writeln!(
                    io::stderr(),
                    "Publish after play (secret until then): the key in {}",
                    path.shown()
                );
            }
        }
        Ok(())
    }

    /// Returns the file for the key of a tournament.
    fn key_file(&self) -> Option<PathBuf> {
        let beside = || {
            self.request
                .output
                .as_ref()
                .map(|path| path.with_extension("key"))
        };
        self.request.key_file.clone().or_else(beside)
    }

    /// Returns the commitment to print on the boards of a tournament.
    fn promise(&self, run: &Run) -> Option<Promise> {
        let parameters = (0..).zip(&self.request.variables);
        let parameters = parameters.filter_map(|(number, text)| Some((number, text.clone()?)));
        Some(Promise {
            commitment: run.tournament_key()?.commitment(),
            script: self.session.spec().script.bytes().to_vec(),
            parameters: parameters.collect(),
            level: run.tournament_numbers().map(|numbers| PromisedLevel {
                shares: self.levelled_shares(),
                even: self.request.even,
                numbers: numbers.to_vec(),
            }),
        })
    }

    /// Returns the shares of classes from the command line or the script.
    fn levelled_shares(&self) -> String {
        let by_script = || self.session.plan().settings.level.clone();
        let asked = self.request.level.clone().or_else(by_script);
        asked.unwrap_or_default()
    }

    /// Deals, or continues from a checkpoint, and prints.
    fn deal(
        &self,
        mut run: Run,
        files: SideFiles,
        dealt: Option<&Partial>,
    ) -> Result<ExitCode, Failure> {
        let started = Instant::now();
        let (request, settings) = (&self.request, self.session.settings());
        let seed = match run.tournament_key() {
            // The key must stay secret, so the boards show only its commitment.
            Some(key) => format!("commitment {}", key.commitment()),
            None => settings.seed.to_string(),
        };
        let title = run
            .library_title()
            .unwrap_or_else(|| settings.title.clone());
        let name = request.scripts.first().filter(|name| *name != "-");
        let plan = run.plan();
        let show = RunPrinter {
            request,
            session: &self.session,
            plan: &plan,
            heading: Heading {
                script: name.map(|name| bytes_of(name)),
                seed,
                title,
                given: self.given.clone(),
                promise: self.promise(&run),
                ..show::heading(request, settings)
            },
        };
        let (outcome, cause) = show.print(files, |sink| match dealt {
            None => run.finish(sink),
            Some(parts) => {
                let mut outcome = self.session.join(parts, sink)?;
                outcome.seconds = Some(started.elapsed().as_secs_f64());
                Ok(outcome)
            }
        })?;
        if let Some(path) = request.input_deals.as_deref()
            && outcome.generated == 0
            && outcome.ended == Ended::Exhausted
        {
            let name = path.shown();
            return Err(Failure::runtime(format!("{name}: there is no deal in it")));
        }
        if let Some(key) = run.tournament_key().filter(|_| self.key_file().is_none()) {
            let key = key.to_hex();
            let _ = writeln!(
                io::stderr(),
                "Publish after play (secret until then): key:{key}"
            );
        }
        Ok(ExitCode::from(self.status(&outcome, cause)))
    }

    fn status(&self, outcome: &Outcome, cause: Option<Cause>) -> u8 {
        match outcome.ended {
            _ if cause.is_some() => cause.map_or(0, Cause::status),
            Ended::TimedOut if outcome.produced == 0 => 1,
            _ if self.bad_boards.load(Ordering::Relaxed) > 0 => 1,
            _ => 0,
        }
    }
}

/// Writes the key of a tournament to a file that only the user can read. Never replaces an existing file: its key may
/// have been committed to.
fn write_key(path: &Path, key: &Key) -> Result<(), Failure> {
    let text = format!("key:{}\ncommitment:{}\n", key.to_hex(), key.commitment());
    match std::fs::read_to_string(path) {
        Ok(there) if there == text => return Ok(()),
        Ok(_) => {
            return Err(Failure::runtime(format!(
                "{}: exists, and a key is never overwritten; move it away or name another file with --key-file",
                path.shown()
            )));
        }
        Err(_) => {}
    }
    let mut file = NewFile::secret(path)?;
    file.write_all(text.as_bytes())?;
    file.finish().map(drop)
}

/// Replaces the actions of the script according to the switches about printing.
fn replace_actions(request: &Request, session: &mut Session) {
    let format = request.format.filter(|_| !request.no_deals);
    let values = format.is_some_and(|format| format.values);
    if request.format.is_some() || request.no_deals {
        session.retain_actions(|action| match action {
            Action::CsvReport(_) => request.csv.is_some() || values,
            Action::ExportSeat(_) | Action::ExportSide(_) => request.export.is_some(),
            // Their values become part of the objects.
            Action::PrintOneLine(Some(_))
            | Action::PrintCompact(Some(_))
            | Action::PrintEs(_)
            | Action::PrintReport(_) => values,
            action => !prints_deals(action),
        });
    }
}

/// Opens the program or module that computes `usereval`. It is not started if the script does not call it.
fn user_metrics(request: &Request, session: &Session) -> Result<Option<UserMetrics>, Failure> {
    match &request.user_program {
        Some(path) if session.uses_metrics() => {
            let limits = croupier::usermetrics::Limits {
                debug: (request.debug.level, request.debug.server),
                ..croupier::usermetrics::Limits::default()
            };
            UserMetrics::open(path, limits)
                .map(Some)
                .map_err(|error| Failure::runtime(format!("-U {error}")))
        }
        _ => Ok(None),
    }
}
