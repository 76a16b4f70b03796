//! Hands the deals of a run to renderers and what they make of them to writers.

use std::io::{self, Write};
use std::mem;
use std::ops::ControlFlow;

use engine::{ProducedDeal, Progress, Scribe, Sink};
use script::plan::Action;
use session::Outcome;

use crate::{KeptDeals, Renderer, Run};

/// Text is handed on in pieces of this size.
const PIECE: usize = 1 << 16;

/// What is left to say when the dealing is over.
#[derive(Debug)]
pub struct Ending<'a> {
    /// What the run found.
    pub outcome: &'a Outcome,
    /// The deals that `print` shows.
    pub kept: &'a mut KeptDeals,
    /// Whether the statistics tell how often the expensive functions were asked.
    pub calls: bool,
}

impl Ending<'_> {
    /// Deals dealt, as the dialect counts them.
    #[must_use]
    pub fn generated(&self, run: &Run<'_>) -> i64 {
        let limit = self.outcome.limits.generate;
        run.style.generated(self.outcome.generated as i64, limit)
    }
}

/// A renderer and where its text goes.
pub struct Output<'a> {
    renderer: Box<dyn Renderer + 'a>,
    to: Box<dyn Write + 'a>,
    prompt: bool,
}

impl<'a> Output<'a> {
    /// What the renderer makes of a run goes to this writer.
    pub fn new(renderer: impl Renderer + 'a, to: impl Write + 'a) -> Output<'a> {
        Output {
            renderer: Box::new(renderer),
            to: Box::new(to),
            prompt: false,
        }
    }

    /// The same, with every text handed on at once: somebody is watching.
    #[must_use]
    pub fn prompt(self, prompt: bool) -> Output<'a> {
        Output { prompt, ..self }
    }
}

/// All outputs of a run, as the sink of its deals: the pen writes on any thread, the paper takes what it wrote.
pub struct Press<'a> {
    pen: Pen<'a>,
    paper: Paper<'a>,
}

/// The renderers of a run: those that want deals, with the places of their texts.
pub struct Pen<'a> {
    run: Run<'a>,
    renderers: Vec<(Box<dyn Renderer + 'a>, bool)>,
    keeps: bool,
}

impl Pen<'_> {
    /// Whether anything is written of the deals.
    #[must_use]
    pub fn wants_deals(&self) -> bool {
        self.keeps || self.renderers.iter().any(|(_, wants_deals)| *wants_deals)
    }
}

impl Scribe for Pen<'_> {
    fn places(&self) -> usize {
        self.renderers.len() + 1
    }

    fn write(&self, texts: &mut [Vec<u8>], deal: &ProducedDeal<'_>) {
        let board = self.run.board(deal);
        for (text, (renderer, wants_deals)) in texts.iter_mut().zip(&self.renderers) {
            if *wants_deals {
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

/// Where texts go: a place for each renderer, and the kept deals as the last one.
pub struct Paper<'a> {
    writers: Vec<(Box<dyn Write + 'a>, bool)>,
    /// Written deal by deal and not yet handed on.
    texts: Vec<Vec<u8>>,
    /// Deals for `print` at the end of the run.
    kept: KeptDeals,
    failure: Option<io::Error>,
}

impl Paper<'_> {
    /// Hands on the texts; if they are `urgent` to those behind the writers, too.
    fn hand_on(&mut self, texts: &mut [Vec<u8>], urgent: bool) -> io::Result<()> {
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
        let handed_on = self.hand_on(&mut texts, true);
        self.texts = texts;
        handed_on
    }

    /// One deal, by this pen.
    pub fn write(&mut self, pen: &Pen<'_>, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        pen.write(&mut self.texts, deal);
        let result = self.settle();
        self.note(result)
    }

    /// After a deal: hands on what is long enough, or all of it if somebody is watching.
    fn settle(&mut self) -> io::Result<()> {
        let watched = self.writers.iter().any(|(_, prompt)| *prompt);
        if watched || self.texts.iter().any(|text| text.len() >= PIECE) {
            let mut texts = mem::take(&mut self.texts);
            let handed_on = self.hand_on(&mut texts, false);
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

impl Sink for Paper<'_> {
    fn on_deal(&mut self, _: &ProducedDeal<'_>) -> ControlFlow<()> {
        // It cannot write by itself; the press does that.
        ControlFlow::Continue(())
    }

    fn on_text(&mut self, texts: &mut [Vec<u8>]) -> ControlFlow<()> {
        // What was written deal by deal comes first.
        let result = match self.holds_text() {
            true => self.flush(),
            false => Ok(()),
        };
        let result = result.and_then(|()| self.hand_on(texts, false));
        self.note(result)
    }

    fn on_progress(&mut self, _: Progress) {
        // Whoever reads along should not wait for a full buffer.
        if self.failure.is_none() && self.holds_text() {
            let result = self.flush();
            let _ = self.note(result);
        }
    }
}

impl<'a> Press<'a> {
    /// A press with these outputs, which begin at once. Deals for `print` are kept in `kept`.
    ///
    /// # Errors
    /// If an output takes no text.
    pub fn new(run: Run<'a>, outputs: Vec<Output<'a>>, kept: KeptDeals) -> io::Result<Press<'a>> {
        let (mut renderers, mut writers) = (Vec::new(), Vec::new());
        for mut output in outputs {
            output.renderer.begin(&mut output.to, &run)?;
            let wants_deals = output.renderer.wants_deals(&run);
            renderers.push((output.renderer, wants_deals));
            writers.push((output.to, output.prompt));
        }
        let prints = |action: &Action| matches!(action, Action::Print(_));
        Ok(Press {
            paper: Paper {
                texts: vec![Vec::new(); renderers.len() + 1],
                writers,
                kept,
                failure: None,
            },
            pen: Pen {
                run,
                renderers,
                keeps: run.plan.actions.iter().any(prints),
            },
        })
    }

    /// The part that writes and the part that takes what was written, for a sink that does more than that.
    #[must_use]
    pub fn into_parts(self) -> (Pen<'a>, Paper<'a>) {
        (self.pen, self.paper)
    }

    /// The parts put together again.
    #[must_use]
    pub fn from_parts(pen: Pen<'a>, paper: Paper<'a>) -> Press<'a> {
        Press { pen, paper }
    }

    /// Hands on what was rendered so far.
    ///
    /// # Errors
    /// If an output does not take it, now or earlier.
    pub fn flush(&mut self) -> io::Result<()> {
        self.paper.flush()?;
        self.paper
            .writers
            .iter_mut()
            .try_for_each(|(to, _)| to.flush())
    }

    /// Tables, statistics and whatever else the outputs end with. With `calls` the statistics tell how often the
    /// expensive functions were asked.
    ///
    /// # Errors
    /// If an output does not take it, or kept deals cannot be read back.
    pub fn end(&mut self, outcome: &Outcome, calls: bool) -> io::Result<()> {
        self.flush()?;
        let mut ending = Ending {
            outcome,
            kept: &mut self.paper.kept,
            calls,
        };
        let writers = self.paper.writers.iter_mut();
        for ((renderer, _), (to, _)) in self.pen.renderers.iter().zip(writers) {
            renderer.end(to, &self.pen.run, &mut ending)?;
            to.flush()?;
        }
        Ok(())
    }
}

impl Sink for Press<'_> {
    fn wants_deals(&self) -> bool {
        self.pen.wants_deals()
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self.paper.write(&self.pen, deal)
    }

    fn on_progress(&mut self, progress: Progress) {
        self.paper.on_progress(progress);
    }

    fn scribe(&mut self) -> Option<(&dyn Scribe, &mut dyn Sink)> {
        Some((&self.pen, &mut self.paper))
    }
}
