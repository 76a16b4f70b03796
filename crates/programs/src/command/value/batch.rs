//! Valuation of a whole file by the point count `opc`: a line for each pair, and the deviation from double-dummy
//! tricks.

use std::io::{self, Write};
use std::path::Path;

use croupier::cards::{CardSet, Seat, Side, Strain, TrickTable};
use croupier::formats::{Board, Reader};
use croupier::valuation::entries::ValueList;
use croupier::valuation::{HandPair, Opener, opc};

use super::pairs;
use crate::failure::{Failure, ShownPath, print_error};
use crate::table::{Listing, ListingCell, TableFormat};

/// A pair of hands in the file.
pub(super) struct PairOfHands {
    number: u64,
    side: Side,
    pair: HandPair,
    tricks: Option<TrickTable>,
    text: String,
}

/// The pairs of a file, and the number of lines or boards that cannot be read.
pub(super) struct Batch {
    pub cases: Vec<PairOfHands>,
    pub unreadable: u64,
}

impl Batch {
    /// Reads the deals of a file in any format, or pairs in the notation of DealerV2's DOP.
    ///
    /// # Errors
    /// If the file cannot be read or is empty.
    pub fn read(path: &Path, opener: Seat) -> Result<Batch, Failure> {
        let bytes = match path.as_os_str() == "-" {
            true => io::read_to_string(io::stdin()).map(String::into_bytes),
            false => std::fs::read(path),
        };
        let bytes = bytes.map_err(|error| Failure::file(path, &error))?;
        let mut batch = Batch {
            cases: Vec::new(),
            unreadable: 0,
        };
        let mut print_error = |problem: &dyn std::fmt::Display| {
            batch.unreadable += 1;
            print_error("croupier", format_args!("{}: {problem}", path.shown()));
        };
        match std::str::from_utf8(&bytes) {
            Ok(text) if pairs::is_pairs(text) => {
                for (place, (line, given)) in (1..).zip(pairs::read(text)) {
                    match given {
                        Ok(given) => batch.cases.push(PairOfHands {
                            number: given.number.unwrap_or(place),
                            side: Side::EastWest,
                            pair: HandPair {
                                north_east: given.east,
                                south_west: given.west,
                                opener: given.opener.unwrap_or(opener).into(),
                            },
                            tricks: None,
                            text: given.text,
                        }),
                        Err(problem) => print_error(&format!("line {line}: {problem}")),
                    }
                }
            }
            _ => {
                let boards =
                    Reader::new(bytes.as_slice()).map_err(|error| Failure::at(path, error))?;
                for (place, board) in (1..).zip(boards) {
                    match board {
                        Ok(board) if board.deal().is_none() => {
                            print_error(&format!("line {}: not a whole deal", board.line));
                        }
                        Ok(board) => batch.cases.extend(cases(&board, place, opener)),
                        Err(problem) => print_error(&problem),
                    }
                }
            }
        }
        match batch.cases.is_empty() {
            true => Err(Failure::at(path, "there are no deals in it")),
            false => Ok(batch),
        }
    }

    /// Returns every number of the named valuations, with the board to which it belongs.
    pub fn entries(&self) -> impl Iterator<Item = (u64, ValueList)> {
        self.cases.iter().map(|case| {
            let mut entries = ValueList::default();
            let seats = case.side.seats().map(|seat| seat.letter().to_string());
            let hands = [case.pair.north_east, case.pair.south_west];
            for (seat, hand) in seats.iter().zip(hands) {
                entries.hand(seat, hand);
            }
            entries.side(case.side, &case.pair);
            (case.number, entries)
        })
    }

    /// Writes the report.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write(&self, format: TableFormat, out: &mut impl Write) -> io::Result<()> {
        let solved = self.cases.iter().any(|case| case.tricks.is_some());
        let mut columns = vec!["board", "side", "opener"];
        columns.extend(POINTS);
        columns.push("fit");
        columns.extend(TRICKS);
        columns.extend(["losers suit", "losers nt"]);
        if solved {
            columns.extend(SOLVED);
        }
        columns.extend(["first hand", "second hand", "text"]);
        let mut table = Listing::new(&columns);
        let mut agreement = Strain::ALL.map(|_| Agreement::default());
        for case in &self.cases {
            table.push(case.row(solved, &mut agreement));
        }
        table.write(format, out)?;
        if solved && format == TableFormat::Text {
            writeln!(out, "\nTricks expected, against double dummy:")?;
            agreements(&agreement).write(format, out)?;
        }
        Ok(())
    }
}

const POINTS: [&str; 5] = ["clubs", "diamonds", "hearts", "spades", "nt"];
const TRICKS: [&str; 5] = ["tricks C", "tricks D", "tricks H", "tricks S", "tricks N"];
const SOLVED: [&str; 5] = ["solved C", "solved D", "solved H", "solved S", "solved N"];

fn cases(board: &Board, place: u64, opener: Seat) -> Vec<PairOfHands> {
    let Some(deal) = board.deal() else {
        return Vec::new();
    };
    let case = |side: Side| PairOfHands {
        number: board.number.unwrap_or(place),
        side,
        pair: HandPair::of(&deal, side, opener),
        tricks: board.tricks,
        text: String::new(),
    };
    Side::ALL.map(case).into()
}

impl PairOfHands {
    fn row(&self, solved: bool, agreement: &mut [Agreement; 5]) -> Vec<ListingCell> {
        let count = opc(&self.pair);
        let [north_east, south_west] = self.side.seats();
        let (opener, hands) = match self.pair.opener {
            Opener::NorthEast => (north_east, [self.pair.north_east, self.pair.south_west]),
            Opener::SouthWest => (south_west, [self.pair.south_west, self.pair.north_east]),
        };
        let whole = |number: i32| ListingCell::Whole(number.max(0) as u64);
        let mut row = vec![
            ListingCell::Whole(self.number),
            self.side.letters().into(),
            ListingCell::Text(opener.letter().to_string()),
        ];
        let points = |strain| ListingCell::Decimal(f64::from(count.strain(strain)) / 100.0, 2);
        row.extend(Strain::ALL.map(points));
        row.push(ListingCell::from(count.longest_fit.name()));
        row.extend(
            Strain::ALL.map(|it| count.expected_tricks(it).map_or(ListingCell::Empty, whole)),
        );
        row.extend([count.quick_losers_suit, count.quick_losers_notrump].map(whole));
        if solved {
            for (strain, agreement) in Strain::ALL.into_iter().zip(agreement) {
                let best = self.tricks.map(|table| table.best(self.side, strain));
                row.push(best.map_or(ListingCell::Empty, |best| ListingCell::Whole(best.into())));
                if let (Some(best), Some(expected)) = (best, count.expected_tricks(strain)) {
                    agreement.add(expected - i32::from(best));
                }
            }
        }
        row.extend(hands.map(|hand: CardSet| ListingCell::Text(hand.to_string())));
        row.push(ListingCell::from(self.text.as_str()));
        row
    }
}

/// Sums for the deviation of the expected tricks from the double-dummy tricks.
#[derive(Clone, Copy, Default)]
struct Agreement {
    pairs: u64,
    exact: u64,
    within_one: u64,
    too_many: i64,
}

impl Agreement {
    fn add(&mut self, difference: i32) {
        self.pairs += 1;
        self.exact += u64::from(difference == 0);
        self.within_one += u64::from(difference.abs() <= 1);
        self.too_many += i64::from(difference);
    }
}

fn agreements(agreement: &[Agreement; 5]) -> Listing {
    let mut table = Listing::new(&["strain", "pairs", "exact %", "within one %", "too many"]);
    for (strain, it) in Strain::ALL.into_iter().zip(agreement) {
        if it.pairs == 0 {
            continue;
        }
        let (pairs, percent) = (it.pairs as f64, 100.0 / it.pairs as f64);
        table.push(vec![
            ListingCell::Text(strain.to_string()),
            ListingCell::Whole(it.pairs),
            ListingCell::Decimal(it.exact as f64 * percent, 1),
            ListingCell::Decimal(it.within_one as f64 * percent, 1),
            ListingCell::Decimal(it.too_many as f64 / pairs, 2),
        ]);
    }
    table
}
