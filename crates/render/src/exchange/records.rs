//! Deals as records of a fixed size.

use std::io::{self, Write};

use formats::{dl52, zrd};

use crate::{ProducedBoard, Renderer, RunContext};

/// A library of solved deals: records of 23 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Zrd {
    /// Whether records with the title come first.
    pub titled: bool,
    /// Whether the tricks are written.
    pub solved: bool,
}

impl Renderer for Zrd {
    fn begin(&self, out: &mut dyn Write, run: &RunContext<'_>) -> io::Result<()> {
        if self.titled {
            out.write_all(&zrd::headers(&run.heading.title))?;
        }
        Ok(())
    }

    fn deal(&self, out: &mut Vec<u8>, _: &RunContext<'_>, board: &ProducedBoard<'_>) {
        let tricks = board.tricks.as_ref().filter(|_| self.solved);
        out.extend_from_slice(&zrd::encode(&board.deal, tricks));
    }
}

/// Records of 52 bytes, one for each card.
#[derive(Clone, Copy, Debug)]
pub struct Dl52;

impl Renderer for Dl52 {
    fn deal(&self, out: &mut Vec<u8>, _: &RunContext<'_>, board: &ProducedBoard<'_>) {
        dl52::append(out, &board.deal);
    }
}
