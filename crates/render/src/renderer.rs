//! The one way in which deals and outcomes become bytes.

use std::io::{self, Write};

use crate::{Ending, ProducedBoard, Run};

/// Turns the deals and the outcome of a run into bytes.
///
/// A renderer holds nothing that changes: it is told everything that it needs with each call, so that any thread
/// may render any deal. Whoever owns the output decides when and where it goes. What must be known at the end
/// although it depends on the deals is counted by the run or kept by the caller.
pub trait Renderer: Send + Sync {
    /// Whether [`Renderer::deal`] writes anything in this run.
    fn wants_deals(&self, run: &Run<'_>) -> bool {
        let _ = run;
        true
    }

    /// What stands before everything else.
    ///
    /// # Errors
    /// Those of the output.
    fn begin(&self, out: &mut dyn Write, run: &Run<'_>) -> io::Result<()> {
        let _ = (out, run);
        Ok(())
    }

    /// Appends one produced deal.
    fn deal(&self, out: &mut Vec<u8>, run: &Run<'_>, board: &ProducedBoard<'_>);

    /// What stands after the last deal: tables and statistics, for those who show them.
    ///
    /// # Errors
    /// Those of the output, and of reading back kept deals.
    fn end(&self, out: &mut dyn Write, run: &Run<'_>, ending: &mut Ending<'_>) -> io::Result<()> {
        let _ = (out, run, ending);
        Ok(())
    }
}

impl<R: Renderer + ?Sized> Renderer for &R {
    fn wants_deals(&self, run: &Run<'_>) -> bool {
        (**self).wants_deals(run)
    }

    fn begin(&self, out: &mut dyn Write, run: &Run<'_>) -> io::Result<()> {
        (**self).begin(out, run)
    }

    fn deal(&self, out: &mut Vec<u8>, run: &Run<'_>, board: &ProducedBoard<'_>) {
        (**self).deal(out, run, board);
    }

    fn end(&self, out: &mut dyn Write, run: &Run<'_>, ending: &mut Ending<'_>) -> io::Result<()> {
        (**self).end(out, run, ending)
    }
}
