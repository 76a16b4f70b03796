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

/// Colours of a fragment, mixed from the text colour of the notebook: they follow its theme, light or dark.
const COLOURS: &str = "color: inherit; background: transparent; --ink: currentColor; --paper: transparent; \
    --faint: color-mix(in srgb, currentColor 70%, transparent); \
    --line: color-mix(in srgb, currentColor 22%, transparent); \
    --soft: color-mix(in srgb, currentColor 5%, transparent); \
    --spades: currentColor; --clubs: currentColor; --hearts: #d9363e; --diamonds: #d9363e; \
    --bar: #4f8fe0; --risk: #d9363e; --safe: #3f8f55; --on: #fff; \
    h1, h2, h3, h4, table, th, td { color: inherit }";

/// Returns the rules of a style sheet that apply to parts of a page; those for the page, the printer and the colours of
/// the screen are left out.
fn rules_for_parts(style: &str) -> String {
    let mut rules = String::new();
    let (mut depth, mut start) = (0, 0);
    for (place, byte) in style.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => continue,
        }
        if byte == b'}' && depth == 0 {
            let rule = style[start..=place].trim();
            start = place + 1;
            let page = [":root", "@", "body", "html", "main"];
            if !page.iter().any(|word| rule.starts_with(word)) {
                rules.push_str(rule);
                rules.push('\n');
            }
        }
    }
    rules
}

/// Returns the renderer's fragment with its style sheet. CSS nesting limits the style to the fragment.
fn scoped(html: &str) -> String {
    let rules = rules_for_parts(croupier::render::html::STYLE);
    format!("<div class=\"croupier\"><style>.croupier{{{COLOURS}\n{rules}}}</style>{html}</div>")
}
