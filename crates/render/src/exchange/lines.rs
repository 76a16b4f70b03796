//! Formats that print deals like the classic printing actions.

use cards::Side;
use formats::hand;

use crate::classic::{four_hands, pbn_tags, two_hands};
use crate::{ProducedBoard, Renderer, RunContext};

/// `n AKQ.JT9..8765 e ... s ... w ...`
pub struct OneLineFormat;

impl Renderer for OneLineFormat {
    fn deal(&self, out: &mut Vec<u8>, _: &RunContext<'_>, board: &ProducedBoard<'_>) {
        hand::one_line(out, &board.deal, None);
    }
}

/// Four lines per deal.
pub struct Compact;

impl Renderer for Compact {
    fn deal(&self, out: &mut Vec<u8>, _: &RunContext<'_>, board: &ProducedBoard<'_>) {
        hand::compact(out, &board.deal, None);
    }
}

/// The four hands side by side.
pub struct FourHands;

impl Renderer for FourHands {
    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        four_hands(out, run, board, 0);
    }
}

/// West and East side by side.
pub struct EastWest;

impl Renderer for EastWest {
    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        two_hands(out, run, board, Side::EastWest, 0);
    }
}

/// South and North side by side.
pub struct NorthSouth;

impl Renderer for NorthSouth {
    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        two_hands(out, run, board, Side::NorthSouth, 0);
    }
}

/// The tags of `printpbn`.
pub struct PbnTags;

impl Renderer for PbnTags {
    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        pbn_tags(out, run, board);
    }
}
