//! Where everything that a run prints goes: renderers for the request, and their writers.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;

use engine::{ProducedDeal, Progress, Sink};
use render::classic::report::{ExportFile, ReportFile};
use render::classic::statistics::Meter;
use render::exchange::{Dl52, Tables, Zrd};
use render::html::HtmlReport;
use render::{Classic, KeptDeals, Output, Press, Run};
use script::plan::Mode;

use super::progress::ProgressLine;
use super::request::Request;
use super::side_files::SideFiles;
use crate::failure::Failure;

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
        kind => io::Error::new(kind, format!("standard output: {error}")),
    }
}

/// The outputs that a request asks for. The page for the browser goes to `page`.
pub fn outputs<'a>(
    request: &Request,
    run: &Run<'_>,
    files: &'a mut SideFiles,
    page: &'a mut Vec<u8>,
) -> Vec<Output<'a>> {
    let watched = io::stdout().is_terminal();
    let format = request.format;
    let mut all = Vec::new();
    if let Some(format) = format {
        all.push(Output::new(format.renderer, StandardOutput).prompt(watched));
    }
    let classic = Classic {
        deals: format.is_none(),
        pbn: !request.quiet_pbn,
        reports: files.csv.is_none(),
        exports: files.export.is_none(),
        statistics: request.statistics,
    };
    match format.map_or(Tables::After, |format| format.tables) {
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
            cluster: request.swap.arrangements(),
        };
        all.push(Output::new(report, page));
    }
    all
}

/// Deals for `print` that do not fit the memory go to a temporary file.
pub fn kept_deals() -> KeptDeals {
    KeptDeals::spilling_to(|| Ok(Box::new(tempfile::tempfile()?)))
}

/// Writes the page for the browser.
///
/// # Errors
/// If the file cannot be written.
pub fn write_page(path: Option<&Path>, page: &[u8]) -> Result<(), Failure> {
    match path {
        Some(path) => std::fs::write(path, page)
            .map_err(|error| Failure::runtime(format!("{}: {error}", path.display()))),
        None => Ok(()),
    }
}

/// The deals of a run on their way to the press, with a meter for those who watch.
pub struct Watched<'a> {
    /// Where they go.
    pub press: Press<'a>,
    /// The classic meter.
    pub meter: Option<Meter>,
    /// A line on the terminal that shows how far the run has come.
    pub progress: Option<ProgressLine>,
}

impl Sink for Watched<'_> {
    fn wants_deals(&self) -> bool {
        self.meter.is_some() || self.press.wants_deals()
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        let flow = self.press.on_deal(deal);
        if let Some(text) = self
            .meter
            .and_then(|meter| meter.after(deal.ordinal as i64))
        {
            // A meter that cannot be shown is no reason to stop.
            let _ = io::stderr().write_all(text.as_bytes());
        }
        flow
    }

    fn on_progress(&mut self, progress: Progress) {
        if let Some(line) = &mut self.progress {
            line.show(progress);
        }
        self.press.on_progress(progress);
    }
}
