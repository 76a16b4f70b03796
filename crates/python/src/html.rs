//! HTML for notebooks: fragments with their own style, which does not affect the rest of the page.

use std::fmt::Write as _;

use croupier::cards::{CardSet, Deal, Seat, Suit};
use croupier::formats::number::grouped;
use croupier::session::TableData;

/// Returns a suit symbol in its colour, without a style sheet.
pub fn symbol(suit: Suit) -> String {
    match suit {
        Suit::Hearts | Suit::Diamonds => {
            format!("<span style=\"color:#c22\">{}</span>", suit.symbol())
        }
        Suit::Clubs | Suit::Spades => suit.symbol().to_string(),
    }
}

/// Formats cards on one line with suit symbols; voids are left out.
pub fn cards(cards: CardSet) -> String {
    croupier::render::html::cards_with(cards, symbol)
}

/// Formats a hand with a line for each suit.
fn hand(cards: CardSet) -> String {
    let line = |suit: Suit| match cards.holding(suit) {
        held if held.is_empty() => format!("{} –", symbol(suit)),
        held => format!("{} {}", symbol(suit), held.to_string().replace('T', "10")),
    };
    Suit::DESCENDING.map(line).join("<br>")
}

/// Returns a compass diagram of a deal.
pub fn compass(deal: &Deal) -> String {
    let mut html = String::from(
        "<div style=\"display:inline-grid;grid-template-columns:repeat(3,auto);gap:2px 14px;\
         font-family:ui-monospace,monospace;line-height:1.25;text-align:left\">",
    );
    let place = |seat: Seat| match seat {
        Seat::North => "1/2",
        Seat::East => "2/3",
        Seat::South => "3/2",
        Seat::West => "2/1",
    };
    for seat in Seat::ALL {
        let _ = write!(
            html,
            "<div style=\"grid-area:{}\">{}</div>",
            place(seat),
            hand(deal.hand(seat))
        );
    }
    html.push_str(
        "<div style=\"grid-area:2/2;text-align:center;border:1px solid #8888;border-radius:4px;padding:4px 8px\">\
         <b>N<br>W&nbsp;&nbsp;&nbsp;E<br>S</b></div></div>",
    );
    html
}

/// Returns the diagram of a board, as in reports.
pub fn board(board: &croupier::formats::Board) -> String {
    scoped(&croupier::render::html::board_card_html(board))
}

/// Returns a table of a run with its chart.
pub fn table(table: &croupier::session::Table) -> String {
    scoped(&croupier::render::html::table_html(table, None))
}

/// Returns the averages, tables and statistics of a run.
pub fn report(outcome: &croupier::session::Outcome) -> String {
    let averages = outcome
        .tables
        .iter()
        .any(|table| matches!(table.data, TableData::Average { .. }));
    let mut html = match averages {
        true => croupier::render::html::averages_html(&outcome.tables, None),
        false => String::new(),
    };
    for table in &outcome.tables {
        if !matches!(table.data, TableData::Average { .. }) {
            html.push_str(&croupier::render::html::table_html(table, None));
        }
    }
    let _ = write!(
        html,
        "<p>{} of {} deals</p>",
        grouped(outcome.produced.into()),
        grouped(outcome.generated.into())
    );
    scoped(&html)
}

/// Returns the renderer's fragment with its style sheet. CSS nesting limits the style to the fragment.
fn scoped(html: &str) -> String {
    let style = croupier::render::html::STYLE
        .replace(":root", "&")
        .replace("\nbody {", "\n& {")
        .replace(" body {", " & {");
    format!("<div class=\"croupier\"><style>.croupier{{{style}}}</style>{html}</div>")
}
