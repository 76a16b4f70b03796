//! Outputs of a run: the renderers that the request selects, and their writers.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;

use croupier::engine::{ParallelFormatter, ProducedDeal, Progress, Sink};
use croupier::formats::{OutputFormat, dlm, duplimate};
use croupier::render::classic::report::{ExportFile, ReportFile};
use croupier::render::classic::statistics::Meter;
use croupier::render::exchange::{Dl52, Tables, Zrd};
use croupier::render::html::HtmlReport;
use croupier::render::{
    Classic, DealFormatter, Ending, Format, KeptDeals, Output, OutputPipeline, OutputWriters,
    ProducedBoard, Renderer, Run,
};
use croupier::script::plan::Mode;

use super::request::Request;
use super::side_files::SideFiles;
use crate::failure::Failure;
use crate::progress::RunProgress;
use crate::{system, whole_file};

/// Default for the maximum number of boards on an HTML page.
const MOST_BOARDS: u64 = 500;

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

/// Output that is written at the end of the run.
#[derive(Default)]
pub struct DeferredOutput {
    /// The HTML page.
    pub page: Vec<u8>,
    /// Deals in a format that needs the total number of deals.
    pub deals: Vec<u8>,
}

/// Returns whether a format writes the number of the last board on every board.
fn needs_board_total(format: &Format) -> bool {
    matches!(format.written, Some(OutputFormat::Dup | OutputFormat::Dlm))
}

/// A renderer that leaves out the deals and writes only the end of a format.
struct WithoutDeals(&'static dyn Renderer);

impl Renderer for WithoutDeals {
    fn needs_deals(&self, _: &Run<'_>) -> bool {
        false
    }

    fn deal(&self, _: &mut Vec<u8>, _: &Run<'_>, _: &ProducedBoard<'_>) {}

    fn end(&self, out: &mut dyn Write, run: &Run<'_>, ending: &mut Ending<'_>) -> io::Result<()> {
        self.0.end(out, run, ending)
    }
}

/// Returns the outputs of a request.
pub fn outputs<'a>(
    request: &Request,
    run: &Run<'_>,
    files: &'a mut SideFiles,
    deferred: &'a mut DeferredOutput,
) -> Vec<Output<'a>> {
    let watched = io::stdout().is_terminal();
    // With `--no-deals` a format prints only its own tables.
    let format = request.format.filter(|_| !request.no_deals);
    let mut all = Vec::new();
    let own_tables = request.format.filter(|format| {
        request.no_deals && !request.stats_json && matches!(format.tables, Tables::Inside)
    });
    if let Some(format) = own_tables {
        all.push(Output::new(WithoutDeals(format.renderer), StandardOutput));
    }
    if let Some(format) = format {
        all.push(match &mut files.deals {
            _ if needs_board_total(format) => Output::new(format.renderer, &mut deferred.deals),
            Some(file) => Output::new(format.renderer, file),
            None => Output::new(format.renderer, StandardOutput).prompt(watched),
        });
    }
    let classic = Classic {
        deals: format.is_none(),
        pbn: !request.quiet_pbn,
        reports: files.csv.is_none(),
        exports: files.export.is_none(),
        statistics: request.statistics,
    };
    match own_tables
        .or(format)
        .map_or(Tables::After, |format| format.tables)
    {
        Tables::After => all.push(Output::new(classic, StandardOutput).prompt(watched)),
        Tables::Apart => all.push(Output::new(classic, io::stderr())),
        Tables::Inside => {}
    }
    if let Some(file) = &mut files.csv {
        // The classic programs write no column headings.
        let header = request.mode == Mode::Native && file.is_new;
        all.push(Output::new(ReportFile { header }, file));
    }
    if let Some(file) = &mut files.export {
        all.push(Output::new(ExportFile, file));
    }
    if let Some(file) = &mut files.zrd {
        let solved = !files.unsolved;
        let titled = true;
        all.push(Output::new(Zrd { titled, solved }, file));
    }
    if let Some(file) = &mut files.dl52 {
        all.push(Output::new(Dl52, file));
    }
    if request.report.is_some() {
        let prints = format.is_some() || run.plan.prints_deals;
        let boards = if prints { MOST_BOARDS } else { 0 };
        let report = HtmlReport {
            boards: request.report_boards.unwrap_or(boards),
        };
        all.push(Output::new(report, &mut deferred.page));
    }
    all
}

/// Returns the storage of deals for `print`. Deals that do not fit into memory go to a temporary file.
pub fn kept_deals(threads: usize) -> KeptDeals {
    KeptDeals::spilling_to(|| Ok(Box::new(tempfile::tempfile()?))).on_threads(threads)
}

/// Writes the deals that could not be written before the number of the last board was known.
///
/// # Errors
/// If there are more deals than the format can number, or they cannot be written.
pub fn write_deferred(
    request: &Request,
    (first, produced): (i64, u64),
    deferred: &mut DeferredOutput,
    files: &mut SideFiles,
) -> Result<(), Failure> {
    if !request.format.is_some_and(needs_board_total) || deferred.deals.is_empty() {
        return Ok(());
    }
    let last = (first.max(1) as u64).saturating_add(produced.saturating_sub(1));
    let is_dlm = request
        .format
        .is_some_and(|format| format.written == Some(OutputFormat::Dlm));
    let (name, highest) = match is_dlm {
        true => ("DLM", dlm::HIGHEST),
        false => ("DUP", duplimate::HIGHEST),
    };
    if last > highest {
        return Err(Failure::runtime(format!(
            "board {last}: a {name} file numbers its boards up to {highest}"
        )));
    }
    if is_dlm {
        let lines = std::mem::take(&mut deferred.deals);
        dlm::write_set(&mut deferred.deals, first.max(1) as u64..=last, &lines);
    } else {
        duplimate::set_highest(&mut deferred.deals, last);
    }
    match &mut files.deals {
        Some(file) => file.write_all(&deferred.deals)?,
        None => StandardOutput.write_all(&deferred.deals)?,
    }
    Ok(())
}

/// Writes the HTML page.
///
/// # Errors
/// If the file cannot be written.
pub fn write_page(path: Option<&Path>, page: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) => whole_file::write(path, page),
        None => Ok(()),
    }
}

/// Displays of a run's progress.
#[derive(Default)]
pub struct ProgressDisplays {
    /// The classic meter.
    pub meter: Option<Meter>,
    /// Progress line on the terminal.
    pub progress: Option<RunProgress>,
}

/// Sink that formats and writes the deals of a run and shows the progress.
pub struct ProgressSink<'a> {
    formatter: DealFormatter<'a>,
    sink: WriterSink<'a>,
}

struct WriterSink<'a> {
    writers: OutputWriters<'a>,
    displays: ProgressDisplays,
}

impl<'a> ProgressSink<'a> {
    /// Creates a sink that writes through `pipeline`.
    pub fn new(pipeline: OutputPipeline<'a>, displays: ProgressDisplays) -> ProgressSink<'a> {
        let (formatter, writers) = pipeline.into_parts();
        let sink = WriterSink { writers, displays };
        ProgressSink { formatter, sink }
    }

    /// Removes the progress line. Returns the pipeline, and the meter for its last line.
    pub fn finish(self) -> (OutputPipeline<'a>, Option<Meter>) {
        let pipeline = OutputPipeline::from_parts(self.formatter, self.sink.writers);
        (pipeline, self.sink.displays.meter)
    }
}

impl Sink for ProgressSink<'_> {
    fn needs_deals(&self) -> bool {
        self.sink.displays.meter.is_some() || self.formatter.needs_deals()
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        let flow = self.sink.writers.write(&self.formatter, deal);
        let meter = self.sink.displays.meter;
        if let Some(text) = meter.and_then(|meter| meter.after(deal.ordinal as i64)) {
            // The run continues if the meter cannot be printed.
            let _ = io::stderr().write_all(text.as_bytes());
        }
        flow
    }

    fn on_progress(&mut self, progress: Progress) {
        self.sink.on_progress(progress);
    }

    fn parallel_formatter(&mut self) -> Option<(&dyn ParallelFormatter, &mut dyn Sink)> {
        // The meter is printed after every deal, so deals must arrive one by one.
        match self.sink.displays.meter {
            Some(_) => None,
            None => Some((&self.formatter, &mut self.sink)),
        }
    }
}

impl Sink for WriterSink<'_> {
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self.writers.on_deal(deal)
    }

    fn on_text(&mut self, texts: &mut [Vec<u8>]) -> ControlFlow<()> {
        self.writers.on_text(texts)
    }

    fn on_progress(&mut self, progress: Progress) {
        if let Some(line) = &mut self.displays.progress {
            line.show(progress);
        }
        self.writers.on_progress(progress);
    }
}
