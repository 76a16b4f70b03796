//! The interface that turns deals and outcomes into bytes.

use std::io::{self, Write};

use crate::{Ending, ProducedBoard, RunContext};

/// Turns the deals and the outcome of a run into bytes.
///
/// A renderer has no mutable state: each call gets everything it needs, so that any thread may render any deal. The
/// owner of the output decides when and where the bytes go. Data for the end that depend on the deals are counted by
/// the run or kept by the caller.
pub trait Renderer: Send + Sync {
    /// Returns whether [`Renderer::deal`] writes anything in this run.
    fn needs_deals(&self, run: &RunContext<'_>) -> bool {
        let _ = run;
        true
    }

    /// Writes the beginning of the output.
    ///
    /// # Errors
    /// If the writer fails.
    fn begin(&self, out: &mut dyn Write, run: &RunContext<'_>) -> io::Result<()> {
        let _ = (out, run);
        Ok(())
    }

    /// Appends one produced deal.
    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>);

    /// Writes the end of the output: tables and statistics, if the renderer shows them.
    ///
    /// # Errors
    /// If the writer fails, or kept deals cannot be read.
    fn end(
        &self,
        out: &mut dyn Write,
        run: &RunContext<'_>,
        ending: &mut Ending<'_>,
    ) -> io::Result<()> {
        let _ = (out, run, ending);
        Ok(())
    }
}

impl<R: Renderer + ?Sized> Renderer for &R {
    fn needs_deals(&self, run: &RunContext<'_>) -> bool {
        (**self).needs_deals(run)
    }

    fn begin(&self, out: &mut dyn Write, run: &RunContext<'_>) -> io::Result<()> {
        (**self).begin(out, run)
    }

    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        (**self).deal(out, run, board);
    }

    fn end(
        &self,
        out: &mut dyn Write,
        run: &RunContext<'_>,
        ending: &mut Ending<'_>,
    ) -> io::Result<()> {
        (**self).end(out, run, ending)
    }
}
