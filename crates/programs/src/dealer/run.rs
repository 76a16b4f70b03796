//! One run: read the script, choose the deals, deal, print.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cards::Seat;
use render::classic::prints_deals;
use render::classic::statistics::Meter;
use render::{Heading, Press, Style};
use script::plan::{Action, Plan};
use session::{Ended, Limits, Mode, Outcome, Run, Session, UserMetrics};

use super::classic::{FATAL, bytes_of};
use super::job::{Sources, job};
use super::output::{self, Gauges, Watched};
use super::reading::{check_user_program, open_library, open_side_files};
use super::request::Request;
use super::side_files::SideFiles;
use super::{input, stats_json, words};
use crate::failure::Failure;
use crate::progress::RunProgress;
use crate::scripts;

/// Exit status after Ctrl-C: 128 and the number of the signal.
const INTERRUPTED: u8 = 130;

/// Does what the request asks for.
///
/// # Errors
/// If it cannot be done; the failure carries the exit status of the dialect.
pub fn run(request: Request) -> Result<ExitCode, Failure> {
    let status = match request.mode {
        Mode::Native => crate::failure::RUNTIME,
        _ => FATAL,
    };
    Task::new(request)
        .and_then(Task::perform)
        .map_err(|failure| failure.with_runtime_status(status))
}

/// A request whose script has been read.
struct Task {
    request: Request,
    session: Session,
    /// v2 opens its files before it reads the script; we do not touch them for a script with errors.
    early_files: Option<SideFiles>,
    /// Boards of an input file that could not be read.
    bad_boards: Arc<AtomicU64>,
}

impl Task {
    fn new(request: Request) -> Result<Task, Failure> {
        let cancel = Arc::new(AtomicBool::new(false));
        let sources = Sources {
            library: open_library(&request)?,
            input: request
                .input_deals
                .as_deref()
                .map(input::open)
                .transpose()?,
        };
        let bad_boards = sources.input.as_ref().map(|input| Arc::clone(&input.bad));
        let early_files = match request.mode {
            Mode::V2 => {
                check_user_program(&request)?;
                Some(open_side_files(&request)?)
            }
            _ => None,
        };
        let job = job(&request, sources, Arc::clone(&cancel))?;
        let text = job.spec().script.bytes().to_vec();
        let session = job.prepare().map_err(|error| {
            if let session::Error::Script(diagnostics) = &error {
                words::before_script_error(&request, &text, diagnostics);
            }
            words::failure(request.mode, error)
        })?;
        if request.mode == Mode::Native && !request.no_warnings {
            scripts::show(session.warnings());
        }
        catch_interrupt(&cancel);
        Ok(Task {
            request,
            session,
            early_files,
            bad_boards: bad_boards.unwrap_or_default(),
        })
    }

    fn perform(mut self) -> Result<ExitCode, Failure> {
        // What the classic scanners let through to standard output.
        io::stdout().write_all(&self.session.plan().echo)?;
        if let Some(inquiry) = &self.request.inquiry {
            return super::inquiry::answer(inquiry, &self.request, &self.session);
        }
        let files = match self.early_files.take() {
            Some(files) => files,
            None => open_side_files(&self.request)?,
        };
        replace_actions(&self.request, &mut self.session);
        let failure = |error| words::failure(self.request.mode, error);
        self.session.check_tables().map_err(failure)?;
        let keeps = |action: &Action| matches!(action, Action::Print(_));
        let limits = self.session.settings().limits;
        if limits.produce < 0 && self.session.plan().actions.iter().any(keeps) {
            return Err(words::out_of_memory(self.request.mode));
        }
        if let Some(metrics) = user_metrics(&self.request, &self.session)? {
            self.session.set_metrics(Arc::new(metrics));
        }
        let run = self.session.start().map_err(failure)?;
        self.announce(&run)?;
        self.deal(run, files)
    }

    /// What is to be known before the first deal.
    fn announce(&self, run: &Run) -> Result<(), Failure> {
        let request = &self.request;
        words::notices(request.mode, run.notices());
        if let Some(mixed) = run.mixed() {
            if request.statistics && !request.interleave {
                let _ = io::stderr().write_all(words::mixed(mixed).as_bytes());
            }
            if let Some(path) = &request.write_leveled {
                let script = self.session.leveled_script(mixed);
                let script = script.map_err(|error| words::failure(request.mode, error))?;
                std::fs::write(path, script)
                    .map_err(|error| Failure::runtime(format!("{}: {error}", path.display())))?;
            }
        }
        if let Some(key) = run.tournament_key() {
            let commitment = key.commitment();
            let _ = writeln!(
                io::stderr(),
                "Publish before play: commitment SHA-256 {commitment}"
            );
        }
        Ok(())
    }

    fn deal(&self, mut run: Run, mut files: SideFiles) -> Result<ExitCode, Failure> {
        let request = &self.request;
        let limits = self.session.settings().limits;
        let heading = heading(request, &self.session, &run);
        let plan = run.plan();
        let shown = render::Run {
            plan: &plan,
            heading: &heading,
            style: Style::of(request.mode),
        };
        let mut page = Vec::new();
        if request.debug.server > 0 && request.mode == Mode::V2 {
            io::stdout().write_all(b"\x0c")?;
        }
        let outputs = output::outputs(request, &shown, &mut files, &mut page);
        let press = Press::new(shown, outputs, output::kept_deals())?;
        let mut watched = watched(request, limits, &plan, press);
        let mut deals = Vec::new();
        let outcome = match request.stats_json {
            true => run.finish(&mut stats_json::Collecting {
                sink: &mut watched,
                deals: &mut deals,
            }),
            false => run.finish(&mut watched),
        };
        let (mut press, meter) = watched.finish();
        press.flush()?;
        let outcome = outcome.map_err(|error| words::failure(request.mode, error))?;
        if request.stats_json {
            drop(press);
            stats_json::print(&self.session, &outcome, &deals)?;
        } else {
            self.finish(&plan, (press, meter), &outcome)?;
        }
        output::write_page(request.report.as_deref(), &page)?;
        if let Some(key) = run.tournament_key() {
            let key = key.to_hex();
            let _ = writeln!(
                io::stderr(),
                "Publish after play (secret until then): key:{key}"
            );
        }
        Ok(ExitCode::from(self.status(&outcome)))
    }

    /// Tables, statistics, and what the classic programs say besides.
    fn finish(
        &self,
        plan: &Plan,
        (mut press, meter): (Press<'_>, Option<Meter>),
        outcome: &Outcome,
    ) -> Result<(), Failure> {
        let request = &self.request;
        if let Some(meter) = meter {
            let _ = io::stderr().write_all(meter.end().as_bytes());
        }
        super::notices::print(request, plan, outcome);
        if outcome.ended == Ended::Exhausted && request.mode == Mode::V2 {
            let _ = writeln!(
                io::stderr(),
                "2 : Too Many Passes through Library. Ending Run Now "
            );
        }
        let calls = request.debug.level >= 2;
        press.end(outcome, calls)?;
        if request.mode == Mode::Native && outcome.produced == 0 {
            words::nothing_produced(outcome);
        }
        Ok(())
    }

    fn status(&self, outcome: &Outcome) -> u8 {
        match outcome.ended {
            Ended::Cancelled => INTERRUPTED,
            Ended::TimedOut if outcome.produced == 0 => 1,
            _ if self.bad_boards.load(Ordering::Relaxed) > 0 => 1,
            _ => 0,
        }
    }
}

/// Puts the command line's wishes about printing into the action list.
fn replace_actions(request: &Request, session: &mut Session) {
    let values = request.format.is_some_and(|format| format.values);
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

/// Opens the program or module that answers `usereval`. One that the script never asks is not started.
fn user_metrics(request: &Request, session: &Session) -> Result<Option<UserMetrics>, Failure> {
    match &request.user_program {
        Some(path) if session.asks_metrics() => {
            UserMetrics::open(path, usermetrics::Limits::default())
                .map(Some)
                .map_err(|error| Failure::runtime(format!("-U {error}")))
        }
        _ => Ok(None),
    }
}

fn heading(request: &Request, session: &Session, run: &Run) -> Heading {
    let settings = session.settings();
    let name = request.scripts.first().filter(|name| *name != "-");
    let (dealer, vulnerable) = match request.rotate {
        true => (None, None),
        false => (settings.dealer, settings.vulnerable),
    };
    Heading {
        script: name.map(|name| bytes_of(name)),
        seed: match run.tournament_key() {
            // The secret must not stand on the boards.
            Some(key) => format!("commitment {}", key.commitment()),
            None => settings.seed.to_string(),
        },
        title: run
            .library_title()
            .unwrap_or_else(|| settings.title.clone()),
        date: today(),
        first_board: settings.first_board,
        dealer,
        vulnerable,
        rotate_from: request
            .rotate
            .then(|| settings.dealer.unwrap_or(Seat::North)),
        par_vulnerability: settings.vulnerability,
    }
}

/// Today's date in the local time zone, `YYYY.MM.DD`.
fn today() -> String {
    chrono::Local::now().format("%Y.%m.%d").to_string()
}

/// The press, and what shows how far it has come.
fn watched<'a>(request: &Request, limits: Limits, plan: &Plan, press: Press<'a>) -> Watched<'a> {
    let mut gauges = Gauges::default();
    if request.meter {
        let meter = Meter::new(limits.produce);
        let _ = io::stderr().write_all(meter.start().as_bytes());
        gauges.meter = Some(meter);
    } else if request.mode == Mode::Native {
        let (generate, produce) = limits.counts();
        let prints = request.format.is_some() || plan.actions.iter().any(prints_deals);
        gauges.progress = RunProgress::new(produce, generate, prints);
    }
    Watched::new(press, gauges)
}

/// The first Ctrl-C asks for an end, the second one enforces it.
fn catch_interrupt(cancel: &Arc<AtomicBool>) {
    use signal_hook::consts::SIGINT;
    // Without a handler Ctrl-C still ends the program, only less politely.
    let _ = signal_hook::flag::register_conditional_shutdown(
        SIGINT,
        i32::from(INTERRUPTED),
        Arc::clone(cancel),
    );
    let _ = signal_hook::flag::register(SIGINT, Arc::clone(cancel));
}
