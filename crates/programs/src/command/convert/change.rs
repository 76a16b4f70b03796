//! What is changed on boards on their way, and only if it was asked for.

use std::collections::HashSet;
use std::path::Path;
use std::str::FromStr;

use croupier::cards::{Deal, Seat, Vulnerability};
use croupier::formats::Board;

use super::check::Checks;
use crate::given::with_par;

/// Numbers of boards: `1-8,12`.
#[derive(Clone, Debug)]
pub struct Selection(Vec<(u64, u64)>);

impl Selection {
    fn has(&self, number: u64) -> bool {
        self.0
            .iter()
            .any(|&(from, to)| (from..=to).contains(&number))
    }
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Selection, String> {
        let range = |part: &str| {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let range = from.trim().parse().ok().zip(to.trim().parse().ok());
            let range = range.filter(|&(from, to)| from >= 1 && from <= to);
            range.ok_or_else(|| format!("{part:?} is neither a number nor a range; write 1-8,12"))
        };
        text.split(',')
            .map(range)
            .collect::<Result<_, _>>()
            .map(Selection)
    }
}

/// What happens to each board.
pub struct Changes {
    pub select: Option<Selection>,
    /// The number of the next board, if they are numbered anew.
    pub next: Option<u64>,
    pub rotate: bool,
    /// Deals that came before, if they are to come once.
    pub seen: Option<HashSet<Deal>>,
    pub checks: Option<Checks>,
    /// Boards left out because their cards came before.
    pub dropped: u64,
    /// Boards whose auction and play did not fit their new dealer.
    pub silenced: u64,
}

impl Changes {
    /// The board as it goes on, if it does.
    pub fn apply(&mut self, path: &Path, board: Board) -> Option<Board> {
        let deal = board.deal()?;
        if let Some(checks) = &mut self.checks {
            checks.look_at(path, &board, &deal);
        }
        let number = board.number.unwrap_or(1);
        if self
            .select
            .as_ref()
            .is_some_and(|select| !select.has(number))
        {
            return None;
        }
        if let Some(seen) = &mut self.seen
            && !seen.insert(deal)
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

    /// Puts the cards into the board of this number, turned or not.
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
            self.silenced += 1;
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

    /// Tells what was found and left out; the number of findings.
    pub fn report(&self, name: &str) -> u64 {
        if self.dropped > 0 {
            eprintln!(
                "croupier: {name}: left out {} whose cards came before",
                super::count(self.dropped, "board")
            );
        }
        if self.silenced > 0 {
            eprintln!(
                "croupier: {name}: auction and play of {} left out: another seat deals now (--rotate turns the boards instead)",
                super::count(self.silenced, "board")
            );
        }
        self.checks.as_ref().map_or(0, |checks| {
            checks.report_results();
            checks.found
        })
    }
}
