//! The output pipeline: passes the deals of a run to renderers and their text to writers.

use std::io;
use std::mem;
use std::ops::ControlFlow;

use engine::{ParallelFormatter, ProducedDeal, Progress, Sink};
use script::plan::Action;
use session::Outcome;

use crate::outputs::{Destination, Output};
use crate::{KeptDeals, Renderer, RunContext};

/// Size in bytes of the pieces in which text is passed on.
const PIECE: usize = 1 << 16;

/// The data for the end of an output, after the last deal.
#[derive(Debug)]
pub struct Ending<'a> {
    /// The outcome of the run.
    pub outcome: &'a Outcome,
    /// The deals that `print` shows.
    pub kept: &'a mut KeptDeals,
    /// Whether to print call counts of expensive functions (`-D 2`).
    pub calls: bool,
}

impl Ending<'_> {
    /// Returns the number of generated deals, as the dialect counts them.
    #[must_use]
    pub fn generated(&self, run: &RunContext<'_>) -> i64 {
        let limit = self.outcome.limits.generate;
        run.style.generated(self.outcome.generated as i64, limit)
    }
}

/// All outputs of a run as a sink: the formatter renders deals on any thread, the writers take the text in order.
pub struct OutputPipeline<'a> {
    formatter: DealFormatter<'a>,
    writers: OutputWriters<'a>,
}

/// The renderers of a run, and whether each needs the deals.
struct DealFormatter<'a> {
    run: RunContext<'a>,
    renderers: Vec<(Box<dyn Renderer + 'a>, bool)>,
    keeps: bool,
}

impl DealFormatter<'_> {
    /// Returns whether any renderer needs the deals.
    fn needs_deals(&self) -> bool {
        self.keeps || self.renderers.iter().any(|(_, needs_deals)| *needs_deals)
    }
}

impl ParallelFormatter for DealFormatter<'_> {
    fn places(&self) -> usize {
        self.renderers.len() + 1
    }

    fn write(&self, texts: &mut [Vec<u8>], deal: &ProducedDeal<'_>) {
        let board = self.run.board(deal);
        for (text, (renderer, needs_deals)) in texts.iter_mut().zip(&self.renderers) {
            if *needs_deals {
                renderer.deal(text, &self.run, &board);
            }
        }
        if self.keeps
            && let Some(packed) = texts.last_mut()
        {
            KeptDeals::pack(packed, &board.deal);
        }
    }
}

/// The writers of the texts: one for each renderer, and the kept deals as the last one.
struct OutputWriters<'a> {
    writers: Vec<(Box<dyn Destination + 'a>, bool)>,
    /// Text that was rendered deal by deal and not yet passed on.
    texts: Vec<Vec<u8>>,
    /// Deals for `print` at the end of the run.
    kept: KeptDeals,
    failure: Option<io::Error>,
}

impl OutputWriters<'_> {
    /// Passes the texts to the writers; `urgent` flushes them, too.
    fn pass_on(&mut self, texts: &mut [Vec<u8>], urgent: bool) -> io::Result<()> {
        for ((to, prompt), text) in self.writers.iter_mut().zip(texts.iter_mut()) {
            if !text.is_empty() {
                to.write_all(text)?;
                text.clear();
                if *prompt || urgent {
                    to.flush()?;
                }
            }
        }
        if let Some(packed) = texts.last_mut() {
            self.kept.keep(packed)?;
            packed.clear();
        }
        Ok(())
    }

    fn holds_text(&self) -> bool {
        self.texts.iter().any(|text| !text.is_empty())
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut texts = mem::take(&mut self.texts);
        let handed_on = self.pass_on(&mut texts, true);
        self.texts = texts;
        handed_on
    }

    /// Renders one deal with `formatter`.
    fn write(&mut self, formatter: &DealFormatter<'_>, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        formatter.write(&mut self.texts, deal);
        let result = self.pass_on_if_due();
        self.note(result)
    }

    /// Passes on the text after a deal if it is long enough, or at once for interactive output.
    fn pass_on_if_due(&mut self) -> io::Result<()> {
        let watched = self.writers.iter().any(|(_, prompt)| *prompt);
        if watched || self.texts.iter().any(|text| text.len() >= PIECE) {
            let mut texts = mem::take(&mut self.texts);
            let handed_on = self.pass_on(&mut texts, false);
            self.texts = texts;
            handed_on?;
        }
        Ok(())
    }

    fn note(&mut self, result: io::Result<()>) -> ControlFlow<()> {
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

impl Sink for OutputWriters<'_> {
    fn on_deal(&mut self, _: &ProducedDeal<'_>) -> ControlFlow<()> {
        // The pipeline renders deals; this sink receives text only.
        ControlFlow::Continue(())
    }

    fn on_text(&mut self, texts: &mut [Vec<u8>]) -> ControlFlow<()> {
        // Text that was rendered deal by deal comes first.
        let result = match self.holds_text() {
            true => self.flush(),
            false => Ok(()),
        };
        let result = result.and_then(|()| self.pass_on(texts, false));
        self.note(result)
    }

    fn on_progress(&mut self, _: Progress) {
        // Readers of the output should not wait for a full buffer.
        if self.failure.is_none() && self.holds_text() {
            let result = self.flush();
            let _ = self.note(result);
        }
    }
}

impl<'a> OutputPipeline<'a> {
    /// Creates a pipeline with these outputs and writes their beginnings. Deals for `print` are kept in `kept`.
    ///
    /// # Errors
    /// If a writer fails.
    pub fn new(
        run: RunContext<'a>,
        outputs: Vec<Output<'a>>,
        kept: KeptDeals,
    ) -> io::Result<OutputPipeline<'a>> {
        let (mut renderers, mut writers) = (Vec::new(), Vec::new());
        for mut output in outputs {
            output.renderer.begin(&mut output.to, &run)?;
            let needs_deals = output.renderer.needs_deals(&run);
            renderers.push((output.renderer, needs_deals));
            writers.push((output.to, output.prompt));
        }
        let prints = |action: &Action| matches!(action, Action::Print(_));
        Ok(OutputPipeline {
            writers: OutputWriters {
                texts: vec![Vec::new(); renderers.len() + 1],
                writers,
                kept,
                failure: None,
            },
            formatter: DealFormatter {
                run,
                renderers,
                keeps: run.plan.actions.iter().any(prints),
            },
        })
    }

    /// Passes on all text rendered so far.
    ///
    /// # Errors
    /// If a writer fails, or failed earlier.
    pub fn flush(&mut self) -> io::Result<()> {
        self.writers.flush()?;
        self.writers
            .writers
            .iter_mut()
            .try_for_each(|(to, _)| to.flush())
    }

    /// Writes tables, statistics and the ends of the outputs. With `calls` the statistics include call counts of
    /// expensive functions.
    ///
    /// # Errors
    /// If a writer fails, or kept deals cannot be read.
    pub fn end(&mut self, outcome: &Outcome, calls: bool) -> io::Result<()> {
        self.flush()?;
        let mut ending = Ending {
            outcome,
            kept: &mut self.writers.kept,
            calls,
        };
        let writers = self.writers.writers.iter_mut();
        for ((renderer, _), (to, _)) in self.formatter.renderers.iter().zip(writers) {
            renderer.end(to, &self.formatter.run, &mut ending)?;
            to.flush()?;
        }
        let first = self.formatter.run.heading.first_board.max(1) as u64;
        let last = first.saturating_add(outcome.produced.saturating_sub(1));
        let mut writers = self.writers.writers.iter_mut();
        writers.try_for_each(|(to, _)| to.complete(first, last))
    }
}

impl Sink for OutputPipeline<'_> {
    fn needs_deals(&self) -> bool {
        self.formatter.needs_deals()
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self.writers.write(&self.formatter, deal)
    }

    fn on_progress(&mut self, progress: Progress) {
        self.writers.on_progress(progress);
    }

    fn parallel_formatter(&mut self) -> Option<(&dyn ParallelFormatter, &mut dyn Sink)> {
        Some((&self.formatter, &mut self.writers))
    }
}
