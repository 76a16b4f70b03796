//! The sink that reports the deals of a run as events and keeps the printed text.

use std::io::Write;
use std::ops::ControlFlow;

use croupier::cards::{Seat, Vulnerability};
use croupier::render::OutputPipeline;
use croupier::session::{Mixed, ProducedDeal, Progress, Sink};

use super::messages::{Produced, RunEvent};
use crate::boards::{self, BoardData};

/// Number of deals per event.
const DEALS_PER_EVENT: usize = 16;

/// A sink that sends the deals of a run as events and formats the printed text.
pub(super) struct EventSink<'a, 't> {
    pub(super) send: &'t mut dyn FnMut(RunEvent) -> ControlFlow<()>,
    pub(super) pipeline: OutputPipeline<'a>,
    pub(super) shows: bool,
    pub(super) deals: Vec<Produced>,
    pub(super) first_board: i64,
    pub(super) dealer: Option<Seat>,
    pub(super) vulnerable: Option<Vulnerability>,
    /// Result of the levelling or mixing, whose deals are made at the start.
    pub(super) mixed: Option<Mixed>,
}

impl EventSink<'_, '_> {
    /// Returns the class of the deal with number `ordinal`, from 1.
    fn class_of(&self, ordinal: u64) -> Option<String> {
        let mixed = self.mixed.as_ref()?;
        let kind = mixed.kind_of_deal.get(ordinal as usize - 1)?;
        Some(mixed.kinds.get(*kind)?.name.clone())
    }

    pub(super) fn flush(&mut self) -> ControlFlow<()> {
        if self.deals.is_empty() {
            return ControlFlow::Continue(());
        }
        let deals = std::mem::take(&mut self.deals);
        (self.send)(RunEvent::Deals { deals })
    }
}

impl Sink for EventSink<'_, '_> {
    fn needs_deals(&self) -> bool {
        self.shows || self.pipeline.needs_deals()
    }

    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self.pipeline.on_deal(deal)?;
        if !self.shows {
            return ControlFlow::Continue(());
        }
        let number = self.first_board.saturating_add(deal.ordinal as i64 - 1);
        let turn = number.rem_euclid(16) as u64;
        let dealer = self.dealer.unwrap_or(Seat::dealer_of_board(turn));
        let vulnerable = self.vulnerable.unwrap_or(Vulnerability::of_board(turn));
        self.deals.push(Produced {
            index: deal.index,
            ordinal: deal.ordinal,
            board: BoardData {
                deal: deal.deal.to_string(),
                number: u64::try_from(number).ok(),
                dealer: Some(boards::seat_letter(dealer)),
                vulnerable: Some(boards::vulnerability_name(vulnerable)),
                tricks: deal.tricks.map(|table| table.rows()),
                ..BoardData::default()
            },
            values: deal.all_values().to_vec(),
            class: self.class_of(deal.ordinal),
        });
        // The first deal is sent at once.
        if deal.ordinal == 1 || self.deals.len() >= DEALS_PER_EVENT {
            return self.flush();
        }
        ControlFlow::Continue(())
    }

    fn on_progress(&mut self, progress: Progress) {
        let _ = self.flush();
        let _ = (self.send)(RunEvent::Progress {
            generated: progress.generated,
            produced: progress.produced,
        });
    }
}

/// A text buffer with a maximum length.
pub(super) struct Bounded {
    bytes: Vec<u8>,
    most: usize,
    cut: bool,
}

impl Bounded {
    pub(super) fn new(most: usize) -> Bounded {
        Bounded {
            bytes: Vec::new(),
            most,
            cut: false,
        }
    }

    pub(super) fn into_text(self) -> String {
        let mut text = String::from_utf8_lossy(&self.bytes).into_owned();
        if self.cut {
            text.push_str("\n[the rest is left out here]\n");
        }
        text
    }
}

impl Write for Bounded {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        let room = self.most - self.bytes.len();
        self.cut |= text.len() > room;
        self.bytes.extend_from_slice(&text[..text.len().min(room)]);
        Ok(text.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
