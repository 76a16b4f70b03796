//! Deals from a file or a pipe.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use croupier::formats::Board;
use croupier::render::GivenBoards;
use croupier::session::{GivenDeals, SeriesDeal};

use crate::failure::{self, Failure, ShownPath};
use crate::given;

/// Deals from a file or a pipe, read as they are needed.
pub struct InputDeals {
    /// The deals.
    pub deals: GivenDeals,
    /// Boards that could not be read, so far.
    pub bad: Arc<AtomicU64>,
    /// What the file says about the deals.
    pub boards: Arc<GivenBoards>,
}

/// Which deals of a file are looked at.
#[derive(Clone, Copy, Debug)]
pub struct InputRange {
    /// Deals at the beginning that are left out.
    pub skipped: usize,
    /// At most this many deals after them.
    pub most: usize,
}

impl Default for InputRange {
    fn default() -> InputRange {
        InputRange {
            skipped: 0,
            most: usize::MAX,
        }
    }
}

/// Opens a file of deals, standard input for `-`, or a deal written out. Boards that cannot be read are complained about and left out.
///
/// # Errors
/// If it can neither be opened nor read as a deal, or nobody knows its format.
pub fn open(path: &Path, range: InputRange) -> Result<InputDeals, Failure> {
    let standard = path.as_os_str() == "-";
    let name = match standard {
        true => "standard input".to_owned(),
        false => path.shown(),
    };
    let reader = given::open(path)?;
    let bad = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&bad);
    let boards = Arc::new(GivenBoards::default());
    let said = Arc::clone(&boards);
    let mut given = 0;
    let mut left_out = 0;
    let deals = reader.filter_map(move |board| match board {
        Ok(board) => match board.deal() {
            Some(_) if left_out < range.skipped => {
                left_out += 1;
                None
            }
            Some(deal) => {
                let tricks = board.tricks;
                if says_something(&board) {
                    said.keep(given, board);
                }
                given += 1;
                Some(Ok(SeriesDeal { deal, tricks }))
            }
            None => {
                let line = board.line;
                complain(
                    &counter,
                    &format!("{name}: line {line}: not a whole deal: fewer than three hands"),
                );
                None
            }
        },
        Err(problem) if problem.io.is_some() => Some(Err(format!("{name}: {problem}"))),
        Err(problem) => {
            complain(&counter, &format!("{name}: {problem}"));
            None
        }
    });
    Ok(InputDeals {
        deals: Box::new(deals.take(range.most)),
        bad,
        boards,
    })
}

/// Whether a file says more about a deal than its cards and tricks.
fn says_something(board: &Board) -> bool {
    board.number.is_some()
        || board.names.is_some()
        || board.record.is_some()
        || board.extras.is_some()
}

fn complain(counter: &AtomicU64, text: &str) {
    counter.fetch_add(1, Ordering::Relaxed);
    failure::complain("dealer", text);
}
