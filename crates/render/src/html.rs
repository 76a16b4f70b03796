//! Pages for the browser: self-contained, for phone, screen and paper.
//!
//! Nothing is loaded from elsewhere and nothing runs: a page is text, a style sheet, tables and drawings. The parts
//! are functions, so that a notebook or a web page can show a board or a table alone, under [`STYLE`].

mod board;
pub(crate) mod chart;
mod page;
mod record;
mod report;
#[cfg(feature = "studies")]
mod study;
pub(crate) mod table;

pub use board::board_card_html;
pub use page::Page;
pub use record::HandRecord;
pub use report::HtmlReport;
#[cfg(feature = "studies")]
pub use study::{contract_study_page, lead_study_page};
pub use table::{averages_html, histogram, table_html};

use cards::{CardSet, Strain, Suit};

/// The style sheet that every part relies on.
pub const STYLE: &str = include_str!("html/style.css");

/// Escapes the characters that HTML reserves.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns a suit symbol in its colour, with its name for screen readers.
#[must_use]
pub fn symbol(suit: Suit) -> String {
    let class = suit.letter().to_ascii_lowercase();
    format!(
        "<span class=\"suit {class}\" role=\"img\" aria-label=\"{}\">{}</span>",
        suit.name(),
        suit.symbol()
    )
}

/// Returns the symbol of a strain: that of its suit, or NT.
#[must_use]
pub fn strain(strain: Strain) -> String {
    strain.suit().map_or_else(|| "NT".to_owned(), symbol)
}

/// Formats cards on one line, suits by their symbols, voids left out.
#[must_use]
pub fn cards(cards: CardSet) -> String {
    cards_with(cards, symbol)
}

/// Formats cards with the given suit symbols.
pub fn cards_with(cards: CardSet, symbol: impl Fn(Suit) -> String) -> String {
    let held = Suit::DESCENDING
        .into_iter()
        .filter(|&suit| !cards.holding(suit).is_empty());
    let suits: Vec<String> = held
        .map(|suit| format!("{}{}", symbol(suit), cards.holding(suit)))
        .collect();
    suits.join(" ")
}
