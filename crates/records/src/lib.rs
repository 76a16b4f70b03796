//! Boards as PDF: hand records as clubs print them, hands for bidding practice, labels for duplicate boards.
//!
//! The PDF file contains the used glyphs of its font; its text can be searched and copied. Equal boards give
//! equal bytes.
//!
//! ```
//! use formats::Board;
//! use croupier_records::{Sheet, pdf};
//!
//! let deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".parse().unwrap();
//! let file = pdf(&[Board::duplicate(&deal, 1)], &Sheet::default());
//! assert!(file.starts_with(b"%PDF-"));
//! ```

mod card;
mod document;
mod font;
mod labels;
mod lesson;
mod makes;
mod practice;
mod table;
mod tools;

use cards::Seat;
use document::Document;
use formats::Board;

pub use makes::level;
pub use table::{TableSheet, table_pdf};

/// Size of the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaperSize {
    /// 210 by 297 mm.
    #[default]
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl PaperSize {
    /// Returns the width and height in points.
    #[must_use]
    pub fn size(self) -> (f32, f32) {
        match self {
            PaperSize::A4 => (595.28, 841.89),
            PaperSize::Letter => (612.0, 792.0),
        }
    }
}

/// Number of boards on a page of hand records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PerPage {
    /// Six: readable from across the table.
    Six,
    /// Twelve: as clubs print them.
    #[default]
    Twelve,
    /// Thirty-six: a whole session on one sheet.
    ThirtySix,
}

impl PerPage {
    /// Returns the number of columns and rows.
    #[must_use]
    pub fn grid(self) -> (usize, usize) {
        match self {
            PerPage::Six => (2, 3),
            PerPage::Twelve => (3, 4),
            PerPage::ThirtySix => (6, 6),
        }
    }
}

/// The type of document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DocumentKind {
    /// All hands of a board on a card.
    #[default]
    Records,
    /// The hands of each of these seats on separate pages, with room for the auction.
    Practice(Vec<Seat>),
    /// Number, dealer and vulnerability, to stick on boards.
    Labels,
    /// Pages for lessons in two columns: the diagram of each board with names, contract and result, and these parts.
    Lesson(LessonParts),
}

/// Parts of a board that a lesson shows below the diagram, where the file has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LessonParts {
    /// The auction with the explanations of calls.
    pub auction: bool,
    /// The cards played, trick by trick.
    pub play: bool,
    /// The comments.
    pub comments: bool,
}

/// The results of a board, printed below its diagram on pages for lessons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traveller {
    /// Number of the board.
    pub number: u64,
    /// A row for each table: North-South, East-West, contract with declarer, lead and tricks, score, and the points of
    /// North-South.
    pub rows: Vec<[String; 5]>,
}

/// A row of a ranking: rank, name, total and percentage.
pub type RankingRow = [String; 4];

/// Options of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The type of document.
    pub kind: DocumentKind,
    /// The paper.
    pub paper: PaperSize,
    /// Boards on a page, for hand records.
    pub per_page: PerPage,
    /// Whether each suit has its own colour.
    pub four_colour: bool,
    /// Title at the top of each page; may be empty.
    pub title: String,
    /// Date beside the title; may be empty.
    pub date: String,
    /// The commitment of a tournament at the bottom of each page; may be empty.
    pub commitment: String,
    /// Results to print on pages for lessons.
    pub travellers: Vec<Traveller>,
    /// Ranking to print after the last board of pages for lessons; may be empty.
    pub ranking: Vec<RankingRow>,
}

/// Prints boards. A missing number is the position of the board; missing dealer and vulnerability follow from the
/// number.
#[must_use]
pub fn pdf(boards: &[Board], sheet: &Sheet) -> Vec<u8> {
    let boards: Vec<Board> = (1u64..)
        .zip(boards)
        .map(|(place, board)| board.clone().with_number(place))
        .collect();
    let mut document = Document::new(sheet.paper.size());
    match &sheet.kind {
        DocumentKind::Records => card::pages(&mut document, &boards, sheet),
        DocumentKind::Practice(seats) => practice::pages(&mut document, &boards, seats, sheet),
        DocumentKind::Labels => labels::pages(&mut document, &boards, sheet),
        DocumentKind::Lesson(parts) => lesson::pages(&mut document, &boards, *parts, sheet),
    }
    let title = match sheet.title.is_empty() {
        true => "Hand records",
        false => &sheet.title,
    };
    document.finish(title)
}
