//! The script's own printing actions, as the classic programs print them.

mod estimates;
pub mod report;
pub mod statistics;
pub mod table;

use std::io::{self, Write};
use std::mem;

use cards::{Deal, Seat, Side};
use formats::page::{self, Caption};
use formats::pbn::{DealTags, deal_tags};
use formats::{hand, number};
use script::plan::{Action, EsItem};

use crate::draw::draw;
use crate::{Ending, KeptDeals, ProducedBoard, Renderer, RunContext};

/// Deals in a row of `print`.
const ROW: usize = 4;
/// Number of deals that are formatted at a time: whole rows.
const PIECE: usize = 512 * ROW;

/// Prints the actions of the script, then tables and statistics.
#[derive(Clone, Copy, Debug)]
pub struct Classic {
    /// Whether to run the actions that print deals.
    pub deals: bool,
    /// Whether to run `printpbn`.
    pub pbn: bool,
    /// Whether `csvrpt` is printed among the deals, not to a separate file.
    pub reports: bool,
    /// Whether `export` is printed among the deals, not to a separate file.
    pub exports: bool,
    /// Whether the tables are followed by the statistics.
    pub statistics: bool,
}

impl Default for Classic {
    fn default() -> Self {
        Classic {
            deals: true,
            pbn: true,
            reports: true,
            exports: true,
            statistics: true,
        }
    }
}

impl Classic {
    /// Returns whether an action prints something for each deal.
    fn prints(&self, action: &Action) -> bool {
        self.deals
            && match action {
                Action::PrintPbn => self.pbn,
                Action::CsvReport(_) => self.reports,
                Action::ExportSeat(_) | Action::ExportSide(_) => self.exports,
                Action::Print(_) => false,
                action => prints_deals(action),
            }
    }

    /// Returns how often a deal is printed as PBN, which v1 counts.
    fn pbn_actions(&self, run: &RunContext<'_>) -> u64 {
        let is_pbn = |action: &&Action| matches!(action, Action::PrintPbn) && self.prints(action);
        run.plan.actions.iter().filter(is_pbn).count() as u64
    }
}

/// Returns whether an action uses each deal, or needs it at the end.
#[must_use]
pub fn prints_deals(action: &Action) -> bool {
    action.counted().is_none()
}

impl Renderer for Classic {
    fn needs_deals(&self, run: &RunContext<'_>) -> bool {
        run.plan.actions.iter().any(|action| self.prints(action))
    }

    fn deal(&self, out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
        let (mut pages, mut sides) = (0, 0);
        for (index, action) in run.plan.actions.iter().enumerate() {
            if !self.prints(action) {
                continue;
            }
            let values = board.produced.values(index);
            let mut side = |out: &mut Vec<u8>, side: Side| {
                two_hands(out, run, board, side, sides);
                sides += 1;
            };
            match action {
                Action::PrintAll => {
                    four_hands(out, run, board, pages);
                    pages += 1;
                }
                Action::PrintEw => side(out, Side::EastWest),
                Action::PrintNs => side(out, Side::NorthSouth),
                Action::PrintSide(named) => side(out, *named),
                Action::PrintPbn => pbn_tags(out, run, board),
                Action::PrintCompact(_) => hand::compact(out, &board.deal, values.first().copied()),
                Action::PrintOneLine(_) => {
                    hand::one_line(out, &board.deal, values.first().copied());
                }
                Action::PrintEs(items) => pieces(out, items, values),
                Action::PrintReport(terms) => report::line(out, run, board, terms, values),
                Action::CsvReport(terms) => report::csv_line(out, run, board, terms, values),
                Action::ExportSeat(seat) => hand::export_seat(out, &board.deal, *seat),
                Action::ExportSide(side) => hand::export_side(out, &board.deal, *side),
                Action::Print(_)
                | Action::Average { .. }
                | Action::Frequency { .. }
                | Action::Frequency2 { .. }
                | Action::BucketFrequency { .. }
                | Action::BucketFrequency2 { .. }
                | Action::EvalContract { .. } => {}
            }
        }
    }

    fn end(
        &self,
        out: &mut dyn Write,
        run: &RunContext<'_>,
        ending: &mut Ending<'_>,
    ) -> io::Result<()> {
        let mut tables = ending.outcome.tables.iter().peekable();
        let mut text = Vec::new();
        for (number, action) in run.plan.actions.iter().enumerate() {
            if let Action::Print(seats) = action {
                out.write_all(&mem::take(&mut text))?;
                kept_hands(out, run, seats, ending.kept)?;
            }
            while let Some(table) = tables.next_if(|table| table.action <= number) {
                let style = run.style;
                let out = &mut text;
                let digits = run.heading.digits;
                draw(table, &mut table::Text { out, style, digits });
            }
        }
        let inverted = run.style.pbn_inverts_statistics
            && (ending.outcome.produced * self.pbn_actions(run)) % 2 == 1;
        if self.statistics != inverted {
            statistics::statistics(&mut text, run, ending);
        }
        out.write_all(&text)
    }
}

fn caption<'a>(run: &RunContext<'a>, board: &ProducedBoard<'_>, earlier: usize) -> Caption<'a> {
    Caption {
        title: &run.heading.title,
        produced: board.produced.ordinal,
        board: board.number,
        earlier,
    }
}

/// Writes a deal as `printall` does; `earlier` is the number of such actions before it in the list.
pub(crate) fn four_hands(
    out: &mut Vec<u8>,
    run: &RunContext<'_>,
    board: &ProducedBoard<'_>,
    earlier: usize,
) {
    let caption = caption(run, board, earlier);
    page::four_hands(out, run.style.pages, &caption, &board.deal);
}

/// Writes two hands as `printew` and similar actions do; `earlier` is the number of such actions before it in the list.
pub(crate) fn two_hands(
    out: &mut Vec<u8>,
    run: &RunContext<'_>,
    board: &ProducedBoard<'_>,
    side: Side,
    earlier: usize,
) {
    let caption = caption(run, board, earlier);
    page::two_hands(out, run.style.pages, &caption, &board.deal, side);
}

/// Writes a deal as `printpbn` does.
pub(crate) fn pbn_tags(out: &mut Vec<u8>, run: &RunContext<'_>, board: &ProducedBoard<'_>) {
    let heading = run.heading;
    let given = run.given(board.produced.index);
    let given = given.filter(|_| heading.rotate_from.is_none());
    let said = given.as_ref();
    let tags = DealTags {
        script: heading.script.as_deref(),
        seed: &heading.seed,
        title: &heading.title,
        date: &heading.date,
        board: board.number,
        dealer: heading.dealer.or(said.and_then(|board| board.dealer)),
        vulnerable: heading
            .vulnerable
            .or(said.and_then(|board| board.vulnerable)),
    };
    deal_tags(out, run.style.pages, &tags, &board.deal);
    if let Some(class) = run.hand_type(board.produced.deal) {
        // The empty line that ends the board comes after the tag.
        out.pop();
        out.extend_from_slice(format!("[HandType \"{class}\"]\n\n").as_bytes());
    }
}

/// Writes the texts and values of a `printes` action.
fn pieces(out: &mut Vec<u8>, items: &[EsItem], values: &[i32]) {
    let mut values = values.iter().copied();
    for item in items {
        match item {
            EsItem::Value(_) => number::integer(out, i64::from(values.next().unwrap_or(0))),
            EsItem::Text(text) => out.extend_from_slice(text.as_bytes()),
            EsItem::Newline => out.push(b'\n'),
        }
    }
}

/// Writes the hands of `print(seats)` at the end of the run.
fn kept_hands(
    out: &mut dyn Write,
    run: &RunContext<'_>,
    seats: &[Seat],
    kept: &mut KeptDeals,
) -> io::Result<()> {
    let mut text = Vec::new();
    for seat in Seat::ALL.into_iter().filter(|seat| seats.contains(seat)) {
        page::seat_heading(&mut text, run.style.pages, &run.heading.title, seat);
        out.write_all(&mem::take(&mut text))?;
        let rows = |first: u64, deals: &[Deal]| {
            let mut text = Vec::with_capacity(128 * deals.len());
            let first = run.heading.first_board.wrapping_add(first as i64);
            let boards: Vec<(i64, Deal)> = (first..).zip(deals.iter().copied()).collect();
            for row in boards.chunks(ROW) {
                page::row_of_hands(&mut text, seat, row);
            }
            text
        };
        kept.in_pieces(PIECE, rows, |text| out.write_all(text))?;
        text.push(b'\x0c');
    }
    out.write_all(&text)
}
