//! Changes to boards that the switches of `croupier convert` request.

use std::collections::HashSet;
use std::path::Path;
use std::str::FromStr;

use croupier::cards::{Seat, Vulnerability};
use croupier::formats::{Board, Hands};

use super::check::Checks;
use crate::given::with_par;

/// A list of board numbers such as `1-8,12`.
#[derive(Clone, Debug)]
pub struct BoardNumbers(Vec<(u64, u64)>);

impl BoardNumbers {
    /// Returns whether the number is selected.
    pub fn contains(&self, number: u64) -> bool {
        self.0
            .iter()
            .any(|&(from, to)| (from..=to).contains(&number))
    }
}

impl FromStr for BoardNumbers {
    type Err = String;

    fn from_str(text: &str) -> Result<BoardNumbers, String> {
        let range = |part: &str| {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let range = from.trim().parse().ok().zip(to.trim().parse().ok());
            let range = range.filter(|&(from, to)| from >= 1 && from <= to);
            range.ok_or_else(|| format!("{part:?} is neither a number nor a range; write 1-8,12"))
        };
        text.split(',')
            .map(range)
            .collect::<Result<_, _>>()
            .map(BoardNumbers)
    }
}

/// Changes to apply to each board, and their counters.
pub struct Changes {
    pub select: Option<BoardNumbers>,
    /// The number of the next board, with `--renumber`.
    pub next: Option<u64>,
    pub rotate: bool,
    /// Deals met so far, with `--deduplicate`.
    pub seen: Option<HashSet<Hands>>,
    pub checks: Option<Checks>,
    /// Number of boards left out as duplicates.
    pub dropped: u64,
    /// Number of boards that lost their auction and play because these did not fit the new dealer.
    pub lost_auctions: u64,
}

impl Changes {
    /// Returns the changed board, or `None` if it is left out.
    pub fn apply(&mut self, path: &Path, board: Board) -> Option<Board> {
        if let (Some(checks), Some(deal)) = (&mut self.checks, board.deal()) {
            checks.check(path, &board, &deal);
        }
        let number = board.number.unwrap_or(1);
        if self
            .select
            .as_ref()
            .is_some_and(|select| !select.contains(number))
        {
            return None;
        }
        if let Some(seen) = &mut self.seen
            && !seen.insert(board.deal().map_or(board.hands, |deal| Hands::of(&deal)))
        {
            self.dropped += 1;
            return None;
        }
        let renumbered = self.next.is_some();
        let number = match &mut self.next {
            Some(next) => {
                *next += 1;
                *next - 1
            }
            None => number,
        };
        Some(match renumbered || self.rotate {
            true => self.seat(board, number),
            false => board,
        })
    }

    /// Gives the board this number with the dealer and vulnerability that belong to it, and rotates the cards if
    /// requested.
    fn seat(&mut self, board: Board, number: u64) -> Board {
        let dealer = Seat::dealer_of_board(number);
        let vulnerable = Vulnerability::of_board(number);
        let before = (board.dealer, board.vulnerable);
        let old = board.dealer.unwrap_or(dealer);
        let mut board = match self.rotate {
            true => board.turned((dealer.index() + 4 - old.index()) % 4),
            false => board,
        };
        if board.dealer != Some(dealer) && board.record.take().is_some() {
            self.lost_auctions += 1;
        }
        if board.number != Some(number)
            && let Some(extras) = &mut board.extras
        {
            // The results in the header of a match belong to the old numbers.
            extras.tags.retain(|tag| tag.name != "LinHeader");
        }
        board.number = Some(number);
        board.dealer = Some(dealer);
        board.vulnerable = Some(vulnerable);
        let known = board.par.is_some() || board.par_contracts.is_some();
        match known && before != (board.dealer, board.vulnerable) {
            true => with_par(board),
            false => board,
        }
    }

    /// Reports the boards left out or changed, and returns the number of findings.
    pub fn report(&self, name: &str) -> u64 {
        if self.dropped > 0 {
            eprintln!(
                "croupier: {name}: left out {} whose cards came before",
                super::count(self.dropped, "board")
            );
        }
        if self.lost_auctions > 0 {
            eprintln!(
                "croupier: {name}: auction and play of {} left out: another seat deals now (--rotate turns the boards instead)",
                super::count(self.lost_auctions, "board")
            );
        }
        self.checks.as_ref().map_or(0, |checks| {
            checks.report_results();
            checks.found
        })
    }
}
