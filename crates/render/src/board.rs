//! What every renderer of a run knows, and a produced deal as it is shown.

use cards::{Deal, Seat, TrickTable, Vulnerability};
use engine::ProducedDeal;
use formats::Board;
use script::plan::Plan;

use crate::Style;

/// What the pages of a run have in common.
#[derive(Clone, Debug)]
pub struct Heading {
    /// The script's name as it was given; nothing if it has none.
    pub script: Option<Vec<u8>>,
    /// The seed: a number, or `key:` and hexadecimal digits.
    pub seed: String,
    /// The title; empty for none.
    pub title: Vec<u8>,
    /// Day of the run, `YYYY.MM.DD`.
    pub date: String,
    /// Number of the first board.
    pub first_board: i64,
    /// Dealer of all boards, if it does not follow their numbers.
    pub dealer: Option<Seat>,
    /// Vulnerability of all boards, if it does not follow their numbers.
    pub vulnerable: Option<Vulnerability>,
    /// Turn each deal so that the cards of this seat come to the dealer of the board.
    pub rotate_from: Option<Seat>,
    /// Vulnerability of `parcontract` without one.
    pub par_vulnerability: Vulnerability,
}

impl Default for Heading {
    fn default() -> Self {
        Heading {
            script: None,
            seed: String::new(),
            title: Vec::new(),
            date: String::new(),
            first_board: 1,
            dealer: None,
            vulnerable: None,
            rotate_from: None,
            par_vulnerability: Vulnerability::None,
        }
    }
}

/// What every renderer of a run knows: it is shared by all threads and never changes.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What to do with each deal.
    pub plan: &'a Plan,
    /// Titles, numbers, names.
    pub heading: &'a Heading,
    /// The look of the dialect.
    pub style: &'static Style,
}

impl Run<'_> {
    /// A produced deal with its number, turned to fit the dealer of its board if that was asked for.
    #[must_use]
    pub fn board<'d>(&self, produced: &ProducedDeal<'d>) -> ProducedBoard<'d> {
        let number = self
            .heading
            .first_board
            .wrapping_add(produced.ordinal as i64 - 1);
        let (deal, tricks) = match self.heading.rotate_from {
            None => (produced.deal, produced.tricks),
            Some(from) => turned(number, from, produced),
        };
        ProducedBoard {
            produced: *produced,
            number,
            deal,
            tricks,
        }
    }
}

fn turned(number: i64, from: Seat, produced: &ProducedDeal<'_>) -> (Deal, Option<TrickTable>) {
    let dealer = Seat::dealer_of_board(number.rem_euclid(16) as u64);
    let steps = (dealer.index() + 4 - from.index()) % 4;
    let tricks = produced.tricks.and_then(|table| {
        let mut rows = table.rows();
        rows.rotate_right(steps);
        TrickTable::new(rows)
    });
    (produced.deal.rotated(steps), tricks)
}

/// A produced deal as it is shown.
#[derive(Clone, Copy, Debug)]
pub struct ProducedBoard<'a> {
    /// The deal as it was dealt, and the values of the actions.
    pub produced: ProducedDeal<'a>,
    /// The number on the board.
    pub number: i64,
    /// The cards, turned if that was asked for.
    pub deal: Deal,
    /// Double-dummy tricks of these cards, if they are known.
    pub tricks: Option<TrickTable>,
}

impl ProducedBoard<'_> {
    /// Whether no deal came before it.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.produced.ordinal == 1
    }

    /// The board as the exchange formats know it.
    #[must_use]
    pub fn to_board(&self, run: &Run<'_>) -> Board {
        let board = Board {
            dealer: run.heading.dealer,
            vulnerable: run.heading.vulnerable,
            tricks: self.tricks,
            ..Board::of(&self.deal)
        };
        board.with_number(self.number.max(1) as u64)
    }
}
