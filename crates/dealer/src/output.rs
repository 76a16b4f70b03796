//! Where everything that a run prints goes: renderers for the request, and their writers.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;

use croupier::engine::{ParallelFormatter, ProducedDeal, Progress, Sink};
use croupier::formats::duplimate;
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

/// Boards on a page for the browser, if their number was not given.
const MOST_BOARDS: u64 = 500;

/// Standard output, with its name in its errors.
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
        // Whoever closed the pipe has seen enough.
        io::ErrorKind::BrokenPipe => error,
        kind if system::stdout_was_closed() => io::Error::new(kind, "standard output is closed"),
        kind => io::Error::new(kind, format!("standard output: {error}")),
    }
}

/// What is written when the run is over.
#[derive(Default)]
pub struct Held {
    /// The page for the browser.
    pub page: Vec<u8>,
    /// The deals in a format that must know how many they are.
    pub deals: Vec<u8>,
}

/// Whether a format says on every board which is the last.
fn names_the_last(format: &Format) -> bool {
    format.names.contains(&"dup")
}

/// A format without its deals: what it says at the end.
struct TablesAlone(&'static dyn Renderer);

impl Renderer for TablesAlone {
    fn needs_deals(&self, _: &Run<'_>) -> bool {
        false
    }

    fn deal(&self, _: &mut Vec<u8>, _: &Run<'_>, _: &ProducedBoard<'_>) {}

    fn end(&self, out: &mut dyn Write, run: &Run<'_>, ending: &mut Ending<'_>) -> io::Result<()> {
        self.0.end(out, run, ending)
    }
}

/// The outputs that a request asks for.
pub fn outputs<'a>(
    request: &Request,
    run: &Run<'_>,
    files: &'a mut SideFiles,
    held: &'a mut Held,
) -> Vec<Output<'a>> {
    let watched = io::stdout().is_terminal();
    // Without deals a format prints nothing but the tables that it holds itself.
    let format = request.format.filter(|_| !request.no_deals);
    let mut all = Vec::new();
    let own_tables = request.format.filter(|format| {
        request.no_deals && !request.stats_json && matches!(format.tables, Tables::Inside)
    });
    if let Some(format) = own_tables {
        all.push(Output::new(TablesAlone(format.renderer), StandardOutput));
    }
    if let Some(format) = format {
        all.push(match &mut files.deals {
            _ if names_the_last(format) => Output::new(format.renderer, &mut held.deals),
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
        // The classic programs write no names over their columns.
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
        all.push(Output::new(report, &mut held.page));
    }
    all
}

/// Deals for `print` that do not fit the memory go to a temporary file.
pub fn kept_deals(threads: usize) -> KeptDeals {
    KeptDeals::spilling_to(|| Ok(Box::new(tempfile::tempfile()?))).on_threads(threads)
}

/// Writes the deals that had to wait for the number of the last board.
///
/// # Errors
/// If there are more than the format can number, or they cannot be written.
pub fn write_held(
    request: &Request,
    (first, produced): (i64, u64),
    held: &mut Held,
    files: &mut SideFiles,
) -> Result<(), Failure> {
    if !request.format.is_some_and(names_the_last) || held.deals.is_empty() {
        return Ok(());
    }
    let last = (first.max(1) as u64).saturating_add(produced.saturating_sub(1));
    if last > duplimate::HIGHEST {
        return Err(Failure::runtime(format!(
            "board {last}: a DUP file numbers its boards up to {}",
            duplimate::HIGHEST
        )));
    }
    duplimate::set_highest(&mut held.deals, last);
    match &mut files.deals {
        Some(file) => file.write_all(&held.deals)?,
        None => StandardOutput.write_all(&held.deals)?,
    }
    Ok(())
}

/// Writes the page for the browser.
///
/// # Errors
/// If the file cannot be written.
pub fn write_page(path: Option<&Path>, page: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) => whole_file::write(path, page),
        None => Ok(()),
    }
}

/// What shows how far a run has come.
#[derive(Default)]
pub struct Gauges {
    /// The classic meter.
    pub meter: Option<Meter>,
    /// A line on the terminal.
    pub progress: Option<RunProgress>,
}

/// The deals of a run on their way to paper, with gauges for those who watch.
pub struct Watched<'a> {
    pen: DealFormatter<'a>,
    taking: Taking<'a>,
}

struct Taking<'a> {
    paper: OutputWriters<'a>,
    gauges: Gauges,
}

impl<'a> Watched<'a> {
    /// This press, watched.
    pub fn new(press: OutputPipeline<'a>, gauges: Gauges) -> Watched<'a> {
        let (pen, paper) = press.into_parts();
        let taking = Taking { paper, gauges };
        Watched { pen, taking }
    }

    /// The dealing is over: the line is gone, the meter may still be.
    pub fn finish(self) -> (OutputPipeline<'a>, Option<Meter>) {
        let press = OutputPipeline::from_parts(self.pen, self.taking.paper);
        (press, self.taking.gauges.meter)
    }
}

impl Sink for Watched<'_> {
    fn needs_deals(&self) -> bool {
        self.taking.gauges.meter.is_some() || self.pen.needs_deals()
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        let flow = self.taking.paper.write(&self.pen, deal);
        let meter = self.taking.gauges.meter;
        if let Some(text) = meter.and_then(|meter| meter.after(deal.ordinal as i64)) {
            // A meter that cannot be shown is no reason to stop.
            let _ = io::stderr().write_all(text.as_bytes());
        }
        flow
    }

    fn on_progress(&mut self, progress: Progress) {
        self.taking.on_progress(progress);
    }

    fn parallel_formatter(&mut self) -> Option<(&dyn ParallelFormatter, &mut dyn Sink)> {
        // The meter moves from deal to deal.
        match self.taking.gauges.meter {
            Some(_) => None,
            None => Some((&self.pen, &mut self.taking)),
        }
    }
}

impl Sink for Taking<'_> {
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self.paper.on_deal(deal)
    }

    fn on_text(&mut self, texts: &mut [Vec<u8>]) -> ControlFlow<()> {
        self.paper.on_text(texts)
    }

    fn on_progress(&mut self, progress: Progress) {
        if let Some(line) = &mut self.gauges.progress {
            line.show(progress);
        }
        self.paper.on_progress(progress);
    }
}
