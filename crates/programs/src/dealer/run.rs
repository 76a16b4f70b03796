//! One run: read the script, choose the deals, deal, print.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cards::Seat;
use engine::mixture::Kind;
use engine::{Ended, Options, Report, RunError, Tally, TimeLimit};
use render::classic::prints_deals;
use render::classic::statistics::Meter;
use render::{Heading, Press, Run, Style};
use script::plan::{Action, Mode, Plan};
use session::Outcome;

use super::classic::{FATAL, bytes_of};
use super::levelling;
use super::library::LibraryFile;
use super::limits::Limits;
use super::output::{self, Watched};
use super::progress::ProgressLine;
use super::reading::{compile, open_files, read_script};
use super::request::Request;
use super::side_files::SideFiles;
use super::supply::{self, Seed, Supply};
use crate::failure::Failure;

/// Exit status after Ctrl-C: 128 and the number of the signal.
const INTERRUPTED: u8 = 130;

/// Does what the request asks for.
///
/// # Errors
/// If it cannot be done; the failure carries the exit status of the dialect.
pub fn run(request: Request) -> Result<ExitCode, Failure> {
    let status_of_failure = if request.mode == Mode::Native {
        crate::failure::RUNTIME
    } else {
        FATAL
    };
    let as_dialect = |failure: Failure| match failure.status {
        crate::failure::RUNTIME => Failure {
            status: status_of_failure,
            ..failure
        },
        _ => failure,
    };
    let (name, text) = read_script(request.scripts.first(), request.mode).map_err(as_dialect)?;
    // v2 opens its files before it reads the script; we do not touch them for a script with errors.
    let early = (request.mode == Mode::V2)
        .then(|| open_files(&request))
        .transpose()
        .map_err(as_dialect)?;
    let mut plan = compile(&request, &name, text.clone()).map_err(as_dialect)?;
    print_echo(&plan)?;
    if let Some(inquiry) = &request.inquiry {
        return super::inquiry::answer(inquiry, &request, &plan);
    }
    let files = match early {
        Some(files) => files,
        None => open_files(&request).map_err(as_dialect)?,
    };
    replace_actions(&request, &mut plan);
    if too_large(&plan) {
        return Err(as_dialect(out_of_memory(request.mode)));
    }
    let task = Task {
        request: &request,
        plan: &plan,
        source: &text,
    };
    task.deal(files).map_err(as_dialect)
}

/// What the classic scanners let through to standard output.
fn print_echo(plan: &Plan) -> Result<(), Failure> {
    Ok(io::stdout().write_all(&plan.echo)?)
}

fn out_of_memory(mode: Mode) -> Failure {
    match mode {
        Mode::Native => Failure::runtime(
            "a frequency table has more than 16 million cells; make its range smaller",
        ),
        _ => {
            let _ = writeln!(io::stderr(), "Out of memory");
            Failure {
                message: String::new(),
                status: crate::failure::RUNTIME,
            }
        }
    }
}

/// The largest table that is printed; the classic programs run out of memory somewhere there too.
const MOST_CELLS: u128 = 1 << 24;

/// Whether a table of the plan has more cells than anybody could read.
fn too_large(plan: &Plan) -> bool {
    plan.actions
        .iter()
        .filter_map(Tally::for_action)
        .any(|tally| match tally {
            Tally::Frequency(frequency) => frequency.scale.cells() as u128 > MOST_CELLS,
            Tally::Frequency2(grid) => {
                grid.rows.cells() as u128 * grid.columns.cells() as u128 > MOST_CELLS
            }
            _ => false,
        })
}

/// Puts the command line's wishes about printing into the action list.
fn replace_actions(request: &Request, plan: &mut Plan) {
    let values = request.format.is_some_and(|format| format.values);
    if request.format.is_some() || request.no_deals {
        plan.retain_actions(|action| match action {
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

fn heading(request: &Request, plan: &Plan, seed: Seed, supply: &Supply<'_>) -> Heading {
    let stored = match supply {
        Supply::Library(source, _) => source.title(),
        _ => None,
    };
    let script = plan
        .settings
        .title
        .clone()
        .map(String::into_bytes)
        .map(|mut title| {
            /// v2 keeps this much of a title from the script.
            const TITLE_BYTES: usize = 255;
            if request.mode == Mode::V2 {
                title.truncate(TITLE_BYTES);
            }
            title
        });
    let name = request.scripts.first().filter(|name| *name != "-");
    Heading {
        script: name.map(|name| bytes_of(name)),
        seed: match supply {
            // The secret must not stand on the boards.
            Supply::Tournament(source) => format!("commitment {}", source.key.commitment()),
            _ => seed.to_string(),
        },
        title: stored
            .or_else(|| request.title.clone())
            .or(script)
            .unwrap_or_default(),
        date: today(),
        first_board: plan.settings.start_board.map_or(1, |board| board as i64),
        dealer: if request.rotate {
            None
        } else {
            request.dealer.or(plan.settings.dealer)
        },
        vulnerable: if request.rotate {
            None
        } else {
            request.vulnerable.or(plan.settings.vulnerable)
        },
        rotate_from: request.rotate.then(|| {
            request
                .dealer
                .or(plan.settings.dealer)
                .unwrap_or(Seat::North)
        }),
        par_vulnerability: request.par_vulnerability,
    }
}

/// Today's date in the local time zone, `YYYY.MM.DD`.
fn today() -> String {
    chrono::Local::now().format("%Y.%m.%d").to_string()
}

/// A script that is ready to be run.
struct Task<'a> {
    request: &'a Request,
    plan: &'a Plan,
    /// The text of the script.
    source: &'a [u8],
}

impl Task<'_> {
    fn deal(
        &self,
        (mut files, library): (SideFiles, Option<LibraryFile>),
    ) -> Result<ExitCode, Failure> {
        let started = Instant::now();
        let (request, plan) = (self.request, self.plan);
        let seed = Seed::of(request, plan)?;
        let (limits, complaint) =
            Limits::of(request, plan, library.as_ref().map(LibraryFile::records));
        if let Some(complaint) = complaint {
            let _ = io::stderr().write_all(complaint.as_bytes());
        }
        let keeps = plan
            .actions
            .iter()
            .any(|action| matches!(action, Action::Print(_)));
        if limits.produce < 0 && keeps {
            return Err(out_of_memory(request.mode));
        }
        let cancel = Arc::new(AtomicBool::new(false));
        catch_interrupt(&cancel);
        let metrics = super::metrics::open(request, plan)?;
        let options = options(
            request,
            plan,
            limits,
            files.wants_tricks(),
            &cancel,
            metrics.as_ref(),
        );
        let mixture = self.mixture(seed, &options)?;
        let plan = mixture.as_ref().map_or(plan, |mixed| &mixed.plan);
        let mut supply = match &mixture {
            Some(mixed) => Supply::mixed(mixed.deals.clone(), seed),
            None => supply::choose(request, plan, seed, limits, library.as_ref())?,
        };
        if let Supply::Tournament(source) = &supply {
            let commitment = source.key.commitment();
            let _ = writeln!(
                io::stderr(),
                "Publish before play: commitment SHA-256 {commitment}"
            );
        }
        let heading = heading(request, plan, seed, &supply);
        let run = Run {
            plan,
            heading: &heading,
            style: Style::of(request.mode),
        };
        let mut page = Vec::new();
        if request.debug.1 > 0 && request.mode == Mode::V2 {
            io::stdout().write_all(b"\x0c")?;
        }
        let outputs = output::outputs(request, &run, &mut files, &mut page);
        let press = Press::new(run, outputs, output::kept_deals())?;
        let mut watched = watched(request, limits, plan, press);
        let (generate, produce) = limits.counts();
        let outcome = if generate == 0 || produce == 0 {
            Ok(nothing(plan))
        } else {
            engine::run(plan, supply.deals(), &options, &mut watched)
        };
        let mut report = match outcome {
            Ok(report) => report,
            Err(error) => return Err(broken_off(plan, watched, error)),
        };
        if let Some(mixed) = &mixture {
            report.generated = mixed.generated;
            report.ended = mixed.interrupted.unwrap_or(report.ended);
        }
        let origin = supply.origin(seed, report.generated, report.ended == Ended::Exhausted);
        let mut outcome = Outcome::new(plan, &report, origin);
        outcome.seconds = Some(started.elapsed().as_secs_f64());
        finish(request, limits, &supply, plan, watched, &outcome)?;
        output::write_page(request.report.as_deref(), &page)?;
        if let Supply::Tournament(source) = &supply {
            let key = source.key.to_hex();
            let _ = writeln!(
                io::stderr(),
                "Publish after play (secret until then): key:{key}"
            );
        }
        Ok(ExitCode::from(status(&outcome, &supply)))
    }

    /// The deals of `--level` or `--mix`, if one of them was asked for.
    fn mixture(&self, seed: Seed, options: &Options<'_>) -> Result<Option<Mixed>, Failure> {
        let (request, plan) = (self.request, self.plan);
        // The script's own `level` counts where the switch would be allowed.
        let levels_itself = plan.mode == Mode::Native
            && request.scripts.len() <= 1
            && request.library.is_none()
            && request.input_deals.is_none()
            && request.tournament.is_none();
        let by_script = plan.settings.level.as_deref().filter(|_| levels_itself);
        let classes = request
            .level
            .as_deref()
            .or(by_script)
            .map(|text| levelling::classes(plan, text))
            .transpose()?;
        let kinds = match &classes {
            Some(classes) => levelling::kinds_of_classes(plan, classes),
            None if request.scripts.len() > 1 => self.kinds_of_scripts()?,
            None => return Ok(None),
        };
        let mixture = levelling::deal(&kinds, &seed.key, request.sampler, options)?;
        let nodes: Option<Vec<_>> = classes
            .as_ref()
            .map(|classes| classes.iter().map(|class| class.node).collect());
        let overlaps =
            nodes.map(|nodes| engine::mixture::overlaps(plan, &nodes, &mixture.deals, options));
        if request.statistics {
            levelling::report(&kinds, &mixture, overlaps.as_deref());
        }
        if let (Some(path), Some(classes)) = (&request.write_leveled, &classes) {
            let text = levelling::leveled_script(
                self.source,
                plan,
                classes,
                (&kinds, &mixture),
                &seed.key,
                options,
            )?;
            std::fs::write(path, text)
                .map_err(|error| Failure::runtime(format!("{}: {error}", path.display())))?;
        }
        let plan = plan.clone().without_condition();
        Ok(Some(Mixed {
            plan,
            generated: mixture.results.iter().map(|result| result.generated).sum(),
            interrupted: mixture.interrupted,
            deals: mixture.deals.into_iter().map(|(_, deal)| deal).collect(),
        }))
    }

    /// Every script of the command line as a kind of deals.
    fn kinds_of_scripts(&self) -> Result<Vec<Kind>, Failure> {
        let request = self.request;
        let shares = levelling::shares(request.mix.as_deref(), request.scripts.len())?;
        let mut kinds = Vec::new();
        for (script, share) in request.scripts.iter().zip(shares) {
            let plan = if kinds.is_empty() {
                self.plan.clone()
            } else {
                let (name, text) = read_script(Some(script), request.mode)?;
                compile(request, &name, text)?
            };
            kinds.push(Kind {
                name: script.to_string_lossy().into_owned(),
                share,
                plan,
            });
        }
        Ok(kinds)
    }
}

/// Deals in wanted proportions, ready for the actions.
struct Mixed {
    /// The script without its condition, which all deals satisfy.
    plan: Plan,
    deals: Vec<cards::Deal>,
    /// Deals looked at to find them.
    generated: u64,
    interrupted: Option<Ended>,
}

/// A run that deals nothing.
fn nothing(plan: &Plan) -> Report {
    Report {
        generated: 0,
        produced: 0,
        tallies: plan.actions.iter().map(Tally::for_action).collect(),
        ended: Ended::Generated,
        calls: engine::SolverCalls::default(),
    }
}

/// The press, and what shows how far it has come.
fn watched<'a>(request: &Request, limits: Limits, plan: &Plan, press: Press<'a>) -> Watched<'a> {
    let mut watched = Watched {
        press,
        meter: None,
        progress: None,
    };
    if request.meter {
        let meter = Meter::new(limits.produce);
        let _ = io::stderr().write_all(meter.start().as_bytes());
        watched.meter = Some(meter);
    } else if request.mode == Mode::Native {
        let (generate, produce) = limits.counts();
        let prints = request.format.is_some() || plan.actions.iter().any(prints_deals);
        watched.progress = ProgressLine::new(produce, generate, prints);
    }
    watched
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

fn options<'a>(
    request: &Request,
    plan: &Plan,
    limits: Limits,
    solve: bool,
    cancel: &'a AtomicBool,
    metrics: Option<&'a usermetrics::UserMetrics>,
) -> Options<'a> {
    let (generate, produce) = limits.counts();
    let limit = request.time_limit.map(Duration::from_secs);
    // v2 has no opener but that of the switch.
    let opener = match request.mode {
        Mode::V2 => request.opener,
        _ => request.opener.or(plan.settings.opener),
    };
    Options {
        generate,
        produce,
        threads: request.threads,
        batch: request.batch,
        time_limit: limit.map(|limit| match request.mode.is_v1() {
            true => TimeLimit::IfNothingProduced(limit),
            false => TimeLimit::Always(limit),
        }),
        cancel: Some(cancel),
        vulnerability: request.par_vulnerability,
        opener: opener.unwrap_or(Seat::West),
        user_metrics: metrics,
        solve,
        ..Options::default()
    }
}

/// A run that failed: what was printed before stays printed.
fn broken_off(plan: &Plan, mut watched: Watched<'_>, error: RunError) -> Failure {
    watched.progress = None;
    if let Err(error) = watched.press.flush() {
        return error.into();
    }
    match &error {
        RunError::Evaluation {
            span: Some(span), ..
        } => {
            let place = plan.sources.place(*span);
            Failure::runtime(format!(
                "{}:{}:{}: {error}",
                place.file, place.line, place.column
            ))
        }
        _ => Failure::runtime(error),
    }
}

/// Tables, statistics, and what the classic programs say besides.
fn finish(
    request: &Request,
    limits: Limits,
    supply: &Supply<'_>,
    plan: &Plan,
    mut watched: Watched<'_>,
    outcome: &Outcome,
) -> Result<(), Failure> {
    watched.progress = None;
    watched.press.flush()?;
    if let Some(meter) = watched.meter {
        let _ = io::stderr().write_all(meter.end().as_bytes());
    }
    super::notices::print(request, plan, outcome, supply);
    if outcome.ended == Ended::Exhausted && request.mode == Mode::V2 {
        let _ = writeln!(
            io::stderr(),
            "2 : Too Many Passes through Library. Ending Run Now "
        );
    }
    let calls = request.debug.0 >= 2;
    watched.press.end(outcome, limits.generate, calls)?;
    Ok(())
}

fn status(outcome: &Outcome, supply: &Supply<'_>) -> u8 {
    match outcome.ended {
        Ended::Cancelled => INTERRUPTED,
        Ended::TimedOut if outcome.produced == 0 => 1,
        _ if supply.bad_boards() > 0 => 1,
        _ => 0,
    }
}
