//! One run: read the script, choose the deals, deal, print.

use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cards::Seat;
use engine::{Ended, Options, Report, RunError, Tally, TimeLimit};
use formats::statistics::{Meter, SolverCalls, Statistics, statistics};
use formats::{Dialect, OutputFormat, Style, Writer};
use script::plan::{Action, Mode, Node, Plan, ReportTerm};
use script::{CompileOptions, Diagnostic, FileLoader, Severity, Source};

use super::classic::{FATAL, bytes_of};
use super::ending;
use super::library::LibraryFile;
use super::limits::Limits;
use super::pages::{Heading, Pages, prints_deals};
use super::progress::ProgressLine;
use super::request::{DealFormat, Request};
use super::side_files::{SideFiles, fatal, reason};
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
    let (name, text) = read_script(&request).map_err(as_dialect)?;
    // v2 opens its files before it reads the script; we do not touch them for a script with errors.
    let early = (request.mode == Mode::V2)
        .then(|| open_files(&request))
        .transpose()
        .map_err(as_dialect)?;
    let mut plan = compile(&request, &name, text).map_err(as_dialect)?;
    print_echo(&plan)?;
    if let Some(inquiry) = &request.inquiry {
        return super::inquiry::answer(inquiry, &request, &plan);
    }
    let files = match early {
        Some(files) => files,
        None => open_files(&request).map_err(as_dialect)?,
    };
    replace_actions(&request, &mut plan);
    if ending::too_large(&plan) {
        return Err(as_dialect(out_of_memory(request.mode)));
    }
    deal(&request, &plan, files).map_err(as_dialect)
}

/// The script's name for messages, and its text.
fn read_script(request: &Request) -> Result<(String, Vec<u8>), Failure> {
    match request.scripts.first() {
        Some(name) if name != "-" => {
            let shown = name.to_string_lossy().into_owned();
            let text =
                std::fs::read(name).map_err(|error| unreadable(request.mode, &shown, &error))?;
            Ok((shown, text))
        }
        _ => {
            if io::stdin().is_terminal() {
                let _ = writeln!(
                    io::stderr(),
                    "dealer: reading a script from the terminal; end it with Ctrl-D (dealer --help explains the switches)"
                );
            }
            let mut text = Vec::new();
            io::stdin()
                .lock()
                .read_to_end(&mut text)
                .map_err(|error| Failure::runtime(format!("standard input: {error}")))?;
            Ok(("standard input".into(), text))
        }
    }
}

fn unreadable(mode: Mode, name: &str, error: &io::Error) -> Failure {
    let message = format!("{name}: {}", reason(error));
    if mode == Mode::Native {
        return Failure::runtime(message);
    }
    // The classics name the file and nothing else.
    let _ = writeln!(io::stderr(), "{message}");
    Failure {
        message: String::new(),
        status: FATAL,
    }
}

fn open_files(request: &Request) -> Result<(SideFiles, Option<LibraryFile>), Failure> {
    let said = |message: String| {
        let _ = io::stderr().write_all(message.as_bytes());
        Failure {
            message: String::new(),
            status: crate::failure::RUNTIME,
        }
    };
    let library = request.library.as_deref().map(LibraryFile::open).transpose().map_err(|error| {
        let name = request.library.as_deref().unwrap_or(Path::new("")).display();
        let why = reason(&error);
        if request.mode != Mode::V2 {
            return Failure::runtime(format!("{name}: {why}"));
        }
        said(format!(
            "ERROR!! Open RP LIB file for reading FAILED.: {why}\nERROR!! Cant open [{name}] for read. Aborting program \n{}",
            fatal(-12)
        ))
    })?;
    if request.mode == Mode::V2
        && let Some(program) = request.user_program.as_deref()
        && let Err(error) = std::fs::metadata(program)
    {
        let (name, why) = (program.display(), reason(&error));
        return Err(said(format!(
            "{name}: {why}\nERROR!! Cant find [{name}] \n{}",
            fatal(-16)
        )));
    }
    let files = SideFiles::open(request).map_err(|trouble| said(trouble.message))?;
    Ok((files, library))
}

fn compile(request: &Request, name: &str, text: Vec<u8>) -> Result<Plan, Failure> {
    let mut predeal: [Option<String>; 4] = Default::default();
    for (seat, cards) in &request.predeal {
        predeal[seat.index()] = Some(cards.clone());
    }
    let options = CompileOptions {
        mode: request.mode,
        script_variables: request.variables.clone(),
        loader: &FileLoader,
        predeal,
        opener: request.opener,
        generate: request.generate.is_some_and(|n| n != 0),
        produce: request.produce.is_some_and(|n| n != 0),
    };
    match script::compile(&Source::new(name, text), &options) {
        Ok((plan, warnings)) => {
            if request.mode == Mode::Native && !request.no_warnings {
                show(&warnings);
            }
            Ok(plan)
        }
        Err(diagnostics) => {
            let first = diagnostics
                .iter()
                .find(|diagnostic| diagnostic.severity == Severity::Error);
            match first
                .and_then(Diagnostic::render_classic)
                .filter(|_| request.mode != Mode::Native)
            {
                Some(line) => drop(writeln!(io::stderr(), "{line}")),
                None => show(&diagnostics),
            }
            Err(Failure {
                message: String::new(),
                status: crate::failure::RUNTIME,
            })
        }
    }
}

fn show(diagnostics: &[Diagnostic]) {
    let coloured = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    for diagnostic in diagnostics {
        let text = if coloured {
            diagnostic.render_coloured()
        } else {
            diagnostic.render()
        };
        let _ = io::stderr().write_all(text.as_bytes());
    }
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

/// Puts the command line's wishes about printing into the action list.
fn replace_actions(request: &Request, plan: &mut Plan) {
    let json = request.format == Some(DealFormat::Exchange(OutputFormat::Json));
    if request.format.is_some() || request.no_deals {
        plan.actions.retain(|action| match action {
            Action::CsvReport(_) => request.csv.is_some() || json,
            Action::ExportSeat(_) | Action::ExportSide(_) => request.export.is_some(),
            // Their values become part of the objects.
            Action::PrintOneLine(Some(_))
            | Action::PrintCompact(Some(_))
            | Action::PrintEs(_)
            | Action::PrintReport(_) => json,
            action => !prints_deals(action),
        });
    }
}

/// Whether a format is read by programs, so that tables must stay out of it.
fn is_for_machines(format: Option<DealFormat>) -> bool {
    use OutputFormat::{Csv, Dl52, Lin, Pbn, Zrd};
    matches!(
        format,
        Some(DealFormat::Exchange(Csv | Dl52 | Lin | Pbn | Zrd))
    )
}

fn style_of(mode: Mode) -> &'static Style {
    match mode {
        Mode::V1 | Mode::Exe => Dialect::V1.style(),
        Mode::V2 => Dialect::V2.style(),
        Mode::Native => Dialect::Native.style(),
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
        seed: seed.value as u64,
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
    // SAFETY: `time` accepts a null pointer; `localtime_r` writes only to the `tm` that it is given,
    // which is plain data and valid when zeroed.
    let tm = unsafe {
        let now = libc::time(std::ptr::null_mut());
        let mut tm: libc::tm = std::mem::zeroed();
        libc::localtime_r(&now, &mut tm);
        tm
    };
    format!(
        "{:04}.{:02}.{:02}",
        tm.tm_year + 1900,
        tm.tm_mon + 1,
        tm.tm_mday
    )
}

fn deal(
    request: &Request,
    plan: &Plan,
    (files, library): (SideFiles, Option<LibraryFile>),
) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    let seed = Seed::of(request, plan)?;
    let (limits, complaint) = Limits::of(request, plan, library.as_ref().map(LibraryFile::records));
    if let Some(complaint) = complaint {
        let _ = io::stderr().write_all(complaint.as_bytes());
    }
    if limits.produce < 0
        && plan
            .actions
            .iter()
            .any(|action| matches!(action, Action::Print(_)))
    {
        return Err(out_of_memory(request.mode));
    }
    let mut supply = supply::choose(request, plan, seed, limits, library.as_ref())?;
    let heading = heading(request, plan, seed, &supply);
    let mut pages = Pages::new(style_of(request.mode), plan, heading, files);
    prepare(request, limits, &mut pages)?;
    let cancel = Arc::new(AtomicBool::new(false));
    catch_interrupt(&cancel);
    let metrics = super::metrics::open(request, plan)?;
    let options = options(request, plan, limits, &pages, &cancel, metrics.as_ref());
    let (generate, produce) = limits.counts();
    let outcome = if generate == 0 || produce == 0 {
        Ok(nothing(plan))
    } else {
        engine::run(plan, supply.deals(), &options, &mut pages)
    };
    let report = match outcome {
        Ok(report) => report,
        Err(error) => return Err(broken_off(plan, &mut pages, error)),
    };
    finish(request, limits, seed, &supply, &mut pages, &report, started)
}

/// A run that deals nothing.
fn nothing(plan: &Plan) -> Report {
    Report {
        generated: 0,
        produced: 0,
        tallies: plan.actions.iter().map(Tally::for_action).collect(),
        ended: Ended::Generated,
    }
}

fn prepare(request: &Request, limits: Limits, pages: &mut Pages<'_>) -> Result<(), Failure> {
    pages.quiet_pbn = request.quiet_pbn;
    pages.format = request.format.map(|format| {
        let output = match format {
            DealFormat::Exchange(output) => output,
            _ => OutputFormat::Page,
        };
        (format, Writer::new(output))
    });
    if request.debug.1 > 0 && request.mode == Mode::V2 {
        pages.text.push(b'\x0c');
    }
    pages.files.start(&pages.heading.title)?;
    if request.mode == Mode::Native {
        pages.csv_header()?;
    }
    if request.meter {
        let meter = Meter::new(limits.produce);
        let _ = io::stderr().write_all(meter.start().as_bytes());
        pages.meter = Some(meter);
    } else if request.mode == Mode::Native {
        let (generate, produce) = limits.counts();
        let prints = request.format.is_some() || pages.plan.actions.iter().any(prints_deals);
        pages.progress = ProgressLine::new(produce, generate, prints);
    }
    Ok(())
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
    pages: &Pages<'_>,
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
        solve: pages.files.wants_tricks(),
        ..Options::default()
    }
}

/// A run that failed: what was printed before stays printed.
fn broken_off(plan: &Plan, pages: &mut Pages<'_>, error: RunError) -> Failure {
    pages.progress = None;
    let flushed = pages.flush().and_then(|()| pages.files.flush());
    if let Err(error) = flushed {
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

fn finish(
    request: &Request,
    limits: Limits,
    seed: Seed,
    supply: &Supply<'_>,
    pages: &mut Pages<'_>,
    report: &Report,
    started: Instant,
) -> Result<ExitCode, Failure> {
    pages.progress = None;
    if let Some(failure) = pages.failure.take() {
        return Err(failure.into());
    }
    if let Some(meter) = pages.meter {
        let _ = io::stderr().write_all(meter.end().as_bytes());
    }
    notices(request, pages.plan, report, supply);
    let exhausted = report.ended == Ended::Exhausted;
    if exhausted && request.mode == Mode::V2 {
        let _ = writeln!(
            io::stderr(),
            "2 : Too Many Passes through Library. Ending Run Now "
        );
    }
    let generated = pages
        .style
        .generated(report.generated as i64, limits.generate);
    let json = request.format == Some(DealFormat::Exchange(OutputFormat::Json));
    let machines = is_for_machines(request.format);
    if machines {
        pages.flush()?;
    }
    if !json {
        ending::tables(pages, report)?;
    }
    let title = pages.heading.title.clone();
    let summary = Statistics {
        title: &title,
        generated,
        produced: report.produced as i64,
        origin: supply.origin(seed, report.generated, exhausted),
        seconds: started.elapsed().as_secs_f64(),
        calls: (request.debug.0 >= 2).then(SolverCalls::default),
    };
    let inverted = pages.style.pbn_inverts_statistics && pages.printed_pbn % 2 == 1;
    if json {
        ending::json(&mut pages.text, pages.plan, report, &summary);
        pages.text.push(b'\n');
    } else if request.statistics != inverted {
        statistics(&mut pages.text, pages.style, &summary);
    }
    if machines {
        let text = std::mem::take(&mut pages.text);
        let _ = io::stderr().write_all(&text);
    }
    pages.flush()?;
    pages.files.flush()?;
    Ok(ExitCode::from(status(report, supply)))
}

fn status(report: &Report, supply: &Supply<'_>) -> u8 {
    match report.ended {
        Ended::Cancelled => INTERRUPTED,
        Ended::TimedOut if report.produced == 0 => 1,
        _ if supply.bad_boards() > 0 => 1,
        _ => 0,
    }
}

/// The notes of v2 that it computes whole tables.
fn notices(request: &Request, plan: &Plan, report: &Report, supply: &Supply<'_>) {
    let solves_anyway = request.zrd.as_ref().is_some_and(|file| !file.unsolved);
    if request.mode != Mode::V2
        || request.table_mode
        || solves_anyway
        || matches!(supply, Supply::Library(..))
    {
        return;
    }
    const PAR: &str =
        "In ParScore:: Using Parscore requires TableMode. Setting Mode and continuing..";
    const TRIX: &str =
        "In csv_trix:: Using csv_trix requires TableMode. Setting Mode and continuing..";
    let has_par = |root: script::plan::NodeId| reaches_par(plan, root);
    let mut note = plan
        .condition
        .filter(|&condition| report.generated > 0 && has_par(condition))
        .map(|_| PAR);
    if note.is_none() && report.produced > 0 {
        note = plan
            .actions
            .iter()
            .find_map(|action| first_note(action, &has_par, PAR, TRIX));
    }
    if let Some(note) = note {
        let _ = writeln!(io::stderr(), "{note}");
    }
}

fn first_note(
    action: &Action,
    has_par: &dyn Fn(script::plan::NodeId) -> bool,
    par: &'static str,
    trix: &'static str,
) -> Option<&'static str> {
    if let Action::CsvReport(terms) | Action::PrintReport(terms) = action {
        return terms.iter().find_map(|term| match term {
            ReportTerm::Tricks(_) | ReportTerm::AllTricks => Some(trix),
            ReportTerm::ParContract(_) => Some(par),
            ReportTerm::Value(node) if has_par(*node) => Some(par),
            _ => None,
        });
    }
    let mut found = false;
    action.for_each_value(|node| found |= has_par(node));
    found.then_some(par)
}

/// Whether an expression asks for par.
fn reaches_par(plan: &Plan, root: script::plan::NodeId) -> bool {
    let mut found = matches!(plan.node(root), Node::Par(..));
    plan.node(root)
        .for_each_operand(|operand| found = found || reaches_par(plan, operand));
    found
}
