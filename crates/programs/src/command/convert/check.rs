//! What can be wrong with a set of boards although each of them can be read.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use cards::{Deal, Seat, Vulnerability};
use formats::Board;

/// The boards looked at so far.
#[derive(Default)]
pub struct Checks {
    deals: HashMap<Deal, (PathBuf, u64)>,
    numbers: HashMap<(PathBuf, u64), Deal>,
    /// What was found and told.
    pub found: u64,
}

impl Checks {
    /// Tells what is wrong with a board.
    pub fn look_at(&mut self, path: &Path, board: &Board, deal: &Deal) {
        let number = board.number.unwrap_or(1);
        if let Some((other, twin)) = self.deals.get(deal).cloned() {
            let place = if other == path {
                String::new()
            } else {
                format!(" of {}", other.display())
            };
            self.tell(
                path,
                number,
                format_args!("the same cards as board {twin}{place}"),
            );
        } else {
            self.deals.insert(*deal, (path.to_owned(), number));
            // Several tables may have played a board; then the cards are the same.
            let same = self.numbers.insert((path.to_owned(), number), *deal);
            if same.is_some_and(|other| other != *deal) {
                self.tell(
                    path,
                    number,
                    format_args!("the number came before, with other cards"),
                );
            }
        }
        let dealer = Seat::dealer_of_board(number);
        if let Some(given) = board.dealer.filter(|&given| given != dealer) {
            let (given, right) = (given.name(), dealer.name());
            self.tell(
                path,
                number,
                format_args!("the dealer is {given}, but {right} deals board {number}"),
            );
        }
        let vulnerable = Vulnerability::of_board(number);
        if let Some(given) = board.vulnerable.filter(|&given| given != vulnerable) {
            let (given, right) = (given.pbn(), vulnerable.pbn());
            self.tell(
                path,
                number,
                format_args!("vulnerable is {given}, but on board {number} it is {right}"),
            );
        }
    }

    fn tell(&mut self, path: &Path, number: u64, what: std::fmt::Arguments<'_>) {
        self.found += 1;
        eprintln!("croupier: {}: board {number}: {what}", path.display());
    }
}
