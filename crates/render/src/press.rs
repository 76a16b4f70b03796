//! Hands the deals of a run to renderers and what they make of them to writers.

use std::io::{self, Write};
use std::ops::ControlFlow;

use engine::{ProducedDeal, Progress, Sink};
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
    /// The limit of generated deals, which v2's count of them depends on.
    pub generate: i64,
    /// Whether the statistics tell how often the expensive functions were asked.
    pub calls: bool,
}

impl Ending<'_> {
    /// Deals dealt, as the dialect counts them.
    #[must_use]
    pub fn generated(&self, run: &Run<'_>) -> i64 {
        run.style
            .generated(self.outcome.generated as i64, self.generate)
    }
}

/// A renderer and where its text goes.
pub struct Output<'a> {
    renderer: Box<dyn Renderer + 'a>,
    to: Box<dyn Write + 'a>,
    text: Vec<u8>,
    wants_deals: bool,
    prompt: bool,
}

impl<'a> Output<'a> {
    /// What the renderer makes of a run goes to this writer.
    pub fn new(renderer: impl Renderer + 'a, to: impl Write + 'a) -> Output<'a> {
        Output {
            renderer: Box::new(renderer),
            to: Box::new(to),
            text: Vec::new(),
            wants_deals: false,
            prompt: false,
        }
    }

    /// The same, with every deal handed on at once: somebody is watching.
    #[must_use]
    pub fn prompt(self, prompt: bool) -> Output<'a> {
        Output { prompt, ..self }
    }

    fn hand_on(&mut self) -> io::Result<()> {
        let written = self.to.write_all(&self.text);
        self.text.clear();
        written
    }
}

/// All outputs of a run, as the sink of its deals.
pub struct Press<'a> {
    run: Run<'a>,
    outputs: Vec<Output<'a>>,
    /// Deals for `print` at the end of the run, if there is one.
    kept: Option<KeptDeals>,
    packed: Vec<u8>,
    failure: Option<io::Error>,
}

impl<'a> Press<'a> {
    /// A press with these outputs, which begin at once. Deals for `print` are kept in `kept`.
    ///
    /// # Errors
    /// If an output takes no text.
    pub fn new(
        run: Run<'a>,
        mut outputs: Vec<Output<'a>>,
        kept: KeptDeals,
    ) -> io::Result<Press<'a>> {
        for output in &mut outputs {
            output.wants_deals = output.renderer.wants_deals(&run);
            output.renderer.begin(&mut output.to, &run)?;
        }
        let prints = |action: &Action| matches!(action, Action::Print(_));
        Ok(Press {
            run,
            outputs,
            kept: run.plan.actions.iter().any(prints).then_some(kept),
            packed: Vec::new(),
            failure: None,
        })
    }

    /// Hands on what was rendered so far.
    ///
    /// # Errors
    /// If an output does not take it, now or earlier.
    pub fn flush(&mut self) -> io::Result<()> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.outputs.iter_mut().try_for_each(|output| {
                output.hand_on()?;
                output.to.flush()
            }),
        }
    }

    /// Tables, statistics and whatever else the outputs end with. `generate` is the limit of generated deals, which
    /// v2's count of them depends on; with `calls` the statistics tell how often the expensive functions were asked.
    ///
    /// # Errors
    /// If an output does not take it, or kept deals cannot be read back.
    pub fn end(&mut self, outcome: &Outcome, generate: i64, calls: bool) -> io::Result<()> {
        self.flush()?;
        let mut ending = Ending {
            outcome,
            kept: &mut self.kept.take().unwrap_or_default(),
            generate,
            calls,
        };
        for output in &mut self.outputs {
            output
                .renderer
                .end(&mut output.to, &self.run, &mut ending)?;
            output.to.flush()?;
        }
        Ok(())
    }

    fn try_deal(&mut self, produced: &ProducedDeal<'_>) -> io::Result<()> {
        let board = self.run.board(produced);
        if let Some(kept) = &mut self.kept {
            self.packed.clear();
            KeptDeals::pack(&mut self.packed, &board.deal);
            kept.keep(&self.packed)?;
        }
        for output in self.outputs.iter_mut().filter(|output| output.wants_deals) {
            output.renderer.deal(&mut output.text, &self.run, &board);
            if output.prompt {
                output.hand_on()?;
                output.to.flush()?;
            } else if output.text.len() >= PIECE {
                output.hand_on()?;
            }
        }
        Ok(())
    }
}

impl Sink for Press<'_> {
    fn wants_deals(&self) -> bool {
        self.kept.is_some() || self.outputs.iter().any(|output| output.wants_deals)
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        match self.try_deal(deal) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn on_progress(&mut self, _: Progress) {
        // Whoever reads along should not wait for a full buffer.
        let has_text = self.outputs.iter().any(|output| !output.text.is_empty());
        if has_text
            && self.failure.is_none()
            && let Err(error) = self.flush()
        {
            self.failure = Some(error);
        }
    }
}
