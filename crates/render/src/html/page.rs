//! The page around the parts.

use std::fmt::Write as _;

use formats::Board;

use super::{STYLE, board_card_html, escape};

/// A page that is written from top to bottom.
///
/// ```
/// use croupier_render::html::Page;
///
/// let mut page = Page::new("Openings & responses");
/// page.paragraph("12 < 15");
/// let html = page.finish();
/// assert!(html.contains("<h1>Openings &amp; responses</h1>") && html.ends_with("</html>\n"));
/// ```
#[derive(Clone, Debug)]
pub struct Page {
    text: String,
    in_boards: bool,
}

impl Page {
    /// Creates a page with this title.
    #[must_use]
    pub fn new(title: &str) -> Page {
        Page {
            text: Page::head(title),
            in_boards: false,
        }
    }

    /// Returns everything up to the first heading of a page.
    #[must_use]
    pub fn head(title: &str) -> String {
        let title = escape(title);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        )
    }

    /// The end of a page.
    pub const FOOT: &'static str = "</main>\n</body>\n</html>\n";

    /// Returns the whole page.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.end_boards();
        self.text.push_str(Page::FOOT);
        self.text
    }

    fn end_boards(&mut self) {
        if std::mem::take(&mut self.in_boards) {
            self.text.push_str("</div>\n");
        }
    }

    /// Adds a heading.
    pub fn heading(&mut self, text: &str) {
        self.end_boards();
        let _ = writeln!(self.text, "<h2>{}</h2>", escape(text));
    }

    /// Adds a line of text.
    pub fn paragraph(&mut self, text: &str) {
        self.end_boards();
        let _ = writeln!(self.text, "<p>{}</p>", escape(text));
    }

    /// Adds HTML that the caller made.
    pub fn raw(&mut self, html: &str) {
        self.end_boards();
        self.text.push_str(html);
    }

    /// Adds a board as a card. Several in a row share the width of the page.
    pub fn board(&mut self, board: &Board) {
        if !std::mem::replace(&mut self.in_boards, true) {
            self.text.push_str("<div class=\"boards\">\n");
        }
        self.text.push_str(&board_card_html(board));
    }
}
