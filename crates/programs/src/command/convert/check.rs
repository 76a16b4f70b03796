//! Checks over a set of boards: faults that no single board shows.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use croupier::cards::{Deal, Seat, Vulnerability};
use croupier::formats::Board;

use crate::failure::{ShownPath, print_error};

/// Boards checked so far.
#[derive(Default)]
pub struct Checks {
    deals: HashMap<Deal, (PathBuf, u64)>,
    numbers: HashMap<(PathBuf, u64), Deal>,
    /// For each file, the number of records whose board number occurred before in that file.
    results: BTreeMap<PathBuf, u64>,
    /// Number of findings reported.
    pub found: u64,
}

impl Checks {
    /// Reports the number of records per file, for files with several records of a board.
    pub fn report_results(&self) {
        for (path, results) in &self.results {
            let boards = self.deals.values().filter(|(other, _)| other == path);
            let boards = boards.count() as u64;
            let records = boards + results;
            let message = format!(
                "{}: {}, {} of them",
                path.shown(),
                super::count(boards, "board"),
                super::count(records, "record")
            );
            print_error("croupier", message);
        }
    }

    /// Reports the faults of a board.
    pub fn check(&mut self, path: &Path, board: &Board, deal: &Deal) {
        let number = board.number.unwrap_or(1);
        let first = self.deals.get(deal).cloned();
        if first
            .as_ref()
            .is_some_and(|(other, twin)| other == path && *twin == number)
        {
            // Several tables have played the board.
            *self.results.entry(path.to_owned()).or_default() += 1;
        } else if let Some((other, twin)) = first {
            let place = if other == path {
                String::new()
            } else {
                format!(" of {}", other.shown())
            };
            self.report(
                path,
                number,
                format_args!("the same cards as board {twin}{place}"),
            );
        } else {
            self.deals.insert(*deal, (path.to_owned(), number));
            // Several tables may have played a board; then the cards are the same.
            let same = self.numbers.insert((path.to_owned(), number), *deal);
            if same.is_some_and(|other| other != *deal) {
                self.report(
                    path,
                    number,
                    format_args!("the number came before, with other cards"),
                );
            }
        }
        let begins = board.place().1;
        let record = board.record.as_deref();
        if let Some((contract, declarer)) = record.and_then(|it| it.contradicted_by_auction(begins))
        {
            let declarer = declarer.name();
            self.report(
                path,
                number,
                format_args!(
                    "the auction leads to {contract} by {declarer}, but the file says otherwise"
                ),
            );
        }
        let dealer = Seat::dealer_of_board(number);
        if let Some(given) = board.dealer.filter(|&given| given != dealer) {
            let (given, right) = (given.name(), dealer.name());
            self.report(
                path,
                number,
                format_args!("the dealer is {given}, but {right} deals board {number}"),
            );
        }
        let vulnerable = Vulnerability::of_board(number);
        if let Some(given) = board.vulnerable.filter(|&given| given != vulnerable) {
            let (given, right) = (given.pbn(), vulnerable.pbn());
            self.report(
                path,
                number,
                format_args!("vulnerable is {given}, but on board {number} it is {right}"),
            );
        }
    }

    fn report(&mut self, path: &Path, number: u64, what: std::fmt::Arguments<'_>) {
        self.found += 1;
        print_error(
            "croupier",
            format_args!("{}: board {number}: {what}", path.shown()),
        );
    }
}
