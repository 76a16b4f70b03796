//! The outputs of a run: the renderers that the options select, and their writers.

use std::io::{self, Write};

use formats::{OutputFormat, dlm, duplimate};
use script::plan::Mode;

use crate::classic::report::{ExportFile, ReportFile};
use crate::classic::statistics::Meter;
use crate::exchange::{Dl52, Tables, Zrd};
use crate::html::HtmlReport;
use crate::options::{MOST_BOARDS, OutputOptions};
use crate::{Classic, Ending, ProducedBoard, RenderFormat, Renderer, RunContext};

/// A renderer and the writer of its text.
pub struct Output<'a> {
    pub(crate) renderer: Box<dyn Renderer + 'a>,
    pub(crate) to: Box<dyn Destination + 'a>,
    pub(crate) prompt: bool,
}

impl<'a> Output<'a> {
    /// Creates an output: the renderer's text goes to the writer `to`.
    pub fn new(renderer: impl Renderer + 'a, to: impl Write + 'a) -> Output<'a> {
        Output {
            renderer: Box::new(renderer),
            to: Box::new(Direct(to)),
            prompt: false,
        }
    }

    /// Creates the output of deals in a format.
    fn of_deals(format: &'static RenderFormat, to: AnyWriter<'a>) -> Output<'a> {
        match format.written {
            Some(written @ (OutputFormat::Dup | OutputFormat::Dlm)) => Output {
                renderer: Box::new(format.renderer),
                to: Box::new(NumberedSet::new(written, to)),
                prompt: false,
            },
            _ => Output::new(format.renderer, to),
        }
    }

    /// Sets whether every text is flushed at once, for interactive output.
    #[must_use]
    pub fn prompt(self, prompt: bool) -> Output<'a> {
        Output { prompt, ..self }
    }

    /// Returns the outputs that the options select. The writers of `writers` must be there for the files of the
    /// options.
    #[must_use]
    pub fn all(
        options: &OutputOptions,
        run: &RunContext<'_>,
        writers: Writers<'a>,
    ) -> Vec<Output<'a>> {
        let format = options.deal_format();
        let mut all = Vec::new();
        if let Some((meter, to)) = writers.meter {
            all.push(Output::new(meter, to).prompt(true));
        }
        // Without deals a format prints only its own tables.
        let own_tables = options.format.filter(|format| {
            !options.deals && !options.statistics_json && matches!(format.tables, Tables::Inside)
        });
        let prompt = writers.is_interactive;
        let (has_csv, has_export) = (writers.csv.is_some(), writers.export.is_some());
        if let Some(format) = own_tables {
            all.push(Output::new(WithoutDeals(format.renderer), writers.deals));
        } else if let Some(format) = format {
            let is_prompt = prompt && options.file.is_none();
            all.push(Output::of_deals(format, writers.deals).prompt(is_prompt));
        }
        if own_tables.is_none() && format.is_some() {
            let more = options.more_files.iter().zip(writers.more_deals);
            all.extend(more.map(|((_, format), to)| Output::of_deals(format, to)));
        }
        let classic = Classic {
            deals: format.is_none(),
            pbn: options.pbn,
            reports: !has_csv,
            exports: !has_export,
            statistics: options.statistics,
        };
        match own_tables
            .or(format)
            .map_or(Tables::After, |format| format.tables)
        {
            Tables::After => all.push(Output::new(classic, writers.text).prompt(prompt)),
            Tables::Apart => all.push(Output::new(classic, writers.apart)),
            Tables::Inside => {}
        }
        if let Some((file, is_new)) = writers.csv {
            // The classic programs write no column headings.
            let header = run.plan.mode == Mode::Native && is_new;
            all.push(Output::new(ReportFile { header }, file));
        }
        if let Some(file) = writers.export {
            all.push(Output::new(ExportFile, file));
        }
        if let Some(file) = writers.zrd {
            let solved = options.zrd.as_ref().is_some_and(|file| !file.unsolved);
            let titled = true;
            all.push(Output::new(Zrd { titled, solved }, file));
        }
        if let Some(file) = writers.dl52 {
            all.push(Output::new(Dl52, file));
        }
        if let Some(page) = writers.report {
            let prints = format.is_some() || run.plan.prints_deals;
            let boards = if prints { MOST_BOARDS } else { 0 };
            let report = HtmlReport {
                boards: options.report_boards.unwrap_or(boards),
            };
            all.push(Output::new(report, page));
        }
        all
    }
}

/// A writer of any type.
pub type AnyWriter<'a> = Box<dyn Write + 'a>;

/// The writers of the outputs of a run, opened by the client.
pub struct Writers<'a> {
    /// Writer of deals in a format.
    pub deals: AnyWriter<'a>,
    /// Writers of the same deals in further formats.
    pub more_deals: Vec<AnyWriter<'a>>,
    /// Writer of printed actions, tables and statistics.
    pub text: AnyWriter<'a>,
    /// Writer of tables and statistics if programs that read the deals could not parse them.
    pub apart: AnyWriter<'a>,
    /// Whether a person watches the deals appear, so that each is written at once.
    pub is_interactive: bool,
    /// The classic progress meter and its writer.
    pub meter: Option<(Meter, AnyWriter<'a>)>,
    /// File for `csvrpt`, and whether it is new.
    pub csv: Option<(AnyWriter<'a>, bool)>,
    /// File for `export`.
    pub export: Option<AnyWriter<'a>>,
    /// File for solved deals.
    pub zrd: Option<AnyWriter<'a>>,
    /// File for deals of 52 bytes.
    pub dl52: Option<AnyWriter<'a>>,
    /// The HTML page.
    pub report: Option<AnyWriter<'a>>,
}

/// A writer that may need the number of the last board.
pub(crate) trait Destination: Write {
    /// Ends the output of boards from `first` to `last`.
    fn complete(&mut self, first: u64, last: u64) -> io::Result<()>;
}

/// A writer that writes at once.
struct Direct<W>(W);

impl<W: Write> Write for Direct<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Destination for Direct<W> {
    fn complete(&mut self, _: u64, _: u64) -> io::Result<()> {
        Ok(())
    }
}

/// Boards in a format that has the number of the last board on every board: they are written at the end.
struct NumberedSet<'a> {
    format: OutputFormat,
    boards: Vec<u8>,
    to: AnyWriter<'a>,
}

impl<'a> NumberedSet<'a> {
    fn new(format: OutputFormat, to: AnyWriter<'a>) -> NumberedSet<'a> {
        NumberedSet {
            format,
            boards: Vec::new(),
            to,
        }
    }
}

impl Write for NumberedSet<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.boards.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Destination for NumberedSet<'_> {
    fn complete(&mut self, first: u64, last: u64) -> io::Result<()> {
        if self.boards.is_empty() {
            return Ok(());
        }
        let is_dlm = self.format == OutputFormat::Dlm;
        let (name, highest) = match is_dlm {
            true => ("DLM", dlm::HIGHEST),
            false => ("DUP", duplimate::HIGHEST),
        };
        if last > highest {
            return Err(io::Error::other(format!(
                "board {last}: a {name} file numbers its boards up to {highest}"
            )));
        }
        let mut boards = std::mem::take(&mut self.boards);
        if is_dlm {
            let lines = std::mem::take(&mut boards);
            dlm::write_set(&mut boards, first..=last, &lines);
        } else {
            duplimate::set_highest(&mut boards, last);
        }
        self.to.write_all(&boards)?;
        self.to.flush()
    }
}

/// A renderer that leaves out the deals and writes only the end of a format.
struct WithoutDeals(&'static dyn Renderer);

impl Renderer for WithoutDeals {
    fn needs_deals(&self, _: &RunContext<'_>) -> bool {
        false
    }

    fn deal(&self, _: &mut Vec<u8>, _: &RunContext<'_>, _: &ProducedBoard<'_>) {}

    fn end(
        &self,
        out: &mut dyn Write,
        run: &RunContext<'_>,
        ending: &mut Ending<'_>,
    ) -> io::Result<()> {
        self.0.end(out, run, ending)
    }
}

impl Renderer for Meter {
    fn deal(&self, out: &mut Vec<u8>, _: &RunContext<'_>, board: &ProducedBoard<'_>) {
        if let Some(text) = self.after(board.produced.ordinal as i64) {
            out.extend_from_slice(text.as_bytes());
        }
    }
}
