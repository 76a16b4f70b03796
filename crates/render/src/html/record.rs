//! A hand record: boards on sheets, to be read on a screen or printed.

use std::fmt::Write as _;

use formats::Board;

use super::{Page, board_card_html, escape};

/// The texts around the boards of a hand record, and the number of boards per sheet.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandRecord<'a> {
    /// The title; may be empty.
    pub title: &'a str,
    /// The date; may be empty.
    pub date: &'a str,
    /// The commitment of a tournament; may be empty.
    pub commitment: &'a str,
    /// Whether each suit has a colour of its own.
    pub four_colour: bool,
    /// Boards on a printed page: 6, 12 or 36.
    pub per_page: u8,
    /// Whether the paper is Letter, not A4.
    pub letter: bool,
}

impl HandRecord<'_> {
    /// Returns the page. When printed, it has the requested number of boards per sheet.
    #[must_use]
    pub fn page(&self, boards: &[Board]) -> String {
        let title = if self.title.is_empty() {
            "Hand records"
        } else {
            self.title
        };
        let mut text = Page::head(title);
        let (paper, height) = match self.letter {
            true => ("letter", 256),
            false => ("A4", 274),
        };
        let _ = writeln!(
            text,
            "<style>@page {{ size: {paper}; margin: 9mm }} .sheet {{ --sheet: {height}mm }}</style>"
        );
        for (name, value) in [("date", self.date), ("commitment", self.commitment)] {
            if !value.is_empty() {
                let label = if name == "commitment" {
                    "Commitment SHA-256 "
                } else {
                    ""
                };
                let _ = writeln!(text, "<p class=\"{name}\">{label}{}</p>", escape(value));
            }
        }
        let per_page = match self.per_page {
            6 => 6,
            36 => 36,
            _ => 12,
        };
        let four = if self.four_colour { " four" } else { "" };
        let sheets = (1u64..).zip(boards).collect::<Vec<_>>();
        for sheet in sheets.chunks(per_page) {
            let _ = writeln!(text, "<div class=\"boards sheet per{per_page}{four}\">");
            for (place, board) in sheet {
                text.push_str(&board_card_html(&(*board).clone().with_number(*place)));
            }
            text.push_str("</div>\n");
        }
        text.push_str(Page::FOOT);
        text
    }
}
