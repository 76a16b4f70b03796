//! Deals that are read from a file or a pipe.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use croupier::formats::Board;
use croupier::render::GivenBoards;
use croupier::session::{GivenDeals, SeriesDeal};

use crate::failure::{self, Failure, ShownPath};
use crate::given;

/// Deals from a file or a pipe, read on demand.
pub struct InputDeals {
    /// The deals.
    pub deals: GivenDeals,
    /// Number of boards that could not be read so far.
    pub bad: Arc<AtomicU64>,
    /// Data of the boards besides the cards.
    pub boards: Arc<GivenBoards>,
}

/// Range of the deals of a file.
#[derive(Clone, Copy, Debug)]
pub struct InputRange {
    /// Number of deals to skip at the beginning.
    pub skipped: usize,
    /// Maximum number of deals after them.
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

/// Opens a file of deals, standard input for `-`, or parses `path` itself as a deal. Boards that cannot be read are
/// reported and skipped.
///
/// # Errors
/// If the file cannot be opened and the text is not a deal, or the format is unknown.
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
                print_error(
                    &counter,
                    &format!("{name}: line {line}: not a whole deal: fewer than three hands"),
                );
                None
            }
        },
        Err(problem) if problem.io.is_some() => Some(Err(format!("{name}: {problem}"))),
        Err(problem) => {
            print_error(&counter, &format!("{name}: {problem}"));
            None
        }
    });
    Ok(InputDeals {
        deals: Box::new(deals.take(range.most)),
        bad,
        boards,
    })
}

/// Returns whether a file has data about a deal besides its cards and tricks.
fn says_something(board: &Board) -> bool {
    board.number.is_some()
        || board.names.is_some()
        || board.record.is_some()
        || board.extras.is_some()
}

fn print_error(counter: &AtomicU64, text: &str) {
    counter.fetch_add(1, Ordering::Relaxed);
    failure::print_error("dealer", text);
}
