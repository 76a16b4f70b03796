//! The contracts that each side can make, in the notation of hand records.

use cards::{Doubling, Seat, Side, Strain, TrickTable, Vulnerability};
use formats::Board;
use solver::ParResult;

use crate::document::Colour;
use crate::tools::{INK, Runs, suit_colour};

/// Returns the highest level that makes with `tricks` tricks; none for less than seven.
#[must_use]
pub fn level(tricks: u8) -> Option<u8> {
    tricks.checked_sub(6).filter(|&level| level > 0)
}

/// Returns a level in the notation of a hand record.
pub fn level_text(tricks: u8) -> String {
    level(tricks).map_or("–".to_owned(), |level| level.to_string())
}

/// Returns the symbol of a strain and its colour.
pub fn strain_text(strain: Strain, four: bool) -> (Colour, String) {
    strain.suit().map_or((INK, "NT".to_owned()), |suit| {
        (suit_colour(suit, four), suit.symbol().to_string())
    })
}

/// Returns the contracts of a side on one line: `NS 3NT 4♠ 2/1♥`; two levels if the partners differ, North's or East's
/// first.
pub fn line(table: &TrickTable, side: Side, four: bool) -> Runs {
    let mut pieces: Runs = vec![(INK, side.letters().to_owned())];
    let [one, other] = side.seats();
    for strain in Strain::DESCENDING {
        let [a, b] = [one, other].map(|seat| table.tricks(seat, strain));
        if level(a.max(b)).is_none() {
            continue;
        }
        let levels = match level_text(a) == level_text(b) {
            true => level_text(a),
            false => format!("{}/{}", level_text(a), level_text(b)),
        };
        let (colour, symbol) = strain_text(strain, four);
        pieces.push((INK, format!(" {levels}")));
        pieces.push((colour, symbol));
    }
    if pieces.len() == 1 {
        pieces.push((INK, " –".to_owned()));
    }
    pieces
}

/// Par: the par contracts with their declarers, and North-South's score.
pub struct PrintedPar {
    /// `4♠*−1 EW` and equivalent ones; empty if only the score is known.
    pub contracts: Vec<Runs>,
    /// `+420`.
    pub score: String,
}

/// Returns the par of a board, if it is known.
pub fn par(board: &Board, four: bool) -> Option<PrintedPar> {
    let signed = |score: i32| match score {
        0 => "0".to_owned(),
        score if score < 0 => format!("−{}", -score),
        score => format!("+{score}"),
    };
    let Some(table) = &board.tricks else {
        return board.par.map(|score| PrintedPar {
            contracts: Vec::new(),
            score: signed(score),
        });
    };
    let vulnerable = board.vulnerable.unwrap_or(Vulnerability::None);
    let dealer = board.dealer.unwrap_or(Seat::North);
    let report = solver::par_report(table, vulnerable, dealer);
    let mut contracts: Vec<Runs> = report
        .contracts
        .iter()
        .map(|found| contract(found, four))
        .collect();
    if contracts.is_empty() {
        contracts.push(vec![(INK, "Pass".to_owned())]);
    }
    Some(PrintedPar {
        contracts,
        score: signed(report.score),
    })
}

fn contract(found: &ParResult, four: bool) -> Runs {
    let (colour, symbol) = strain_text(found.contract.strain, four);
    let doubled = match found.contract.doubling {
        Doubling::Undoubled => "",
        Doubling::Doubled | Doubling::Redoubled => "*",
    };
    let result = found.result().replace('-', "−");
    vec![
        (INK, found.contract.level().to_string()),
        (colour, symbol),
        (INK, format!("{doubled}{result} {}", found.declarers())),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_partners_that_differ_are_both_shown() {
        // Clubs, diamonds, hearts, spades, notrump.
        let table = TrickTable::new([
            [5, 7, 10, 9, 8],
            [8, 6, 3, 4, 5],
            [5, 7, 9, 9, 6],
            [8, 6, 3, 4, 5],
        ])
        .unwrap();
        let text = |side| -> String {
            line(&table, side, false)
                .into_iter()
                .map(|run| run.1)
                .collect()
        };
        assert_eq!(text(Side::NorthSouth), "NS 2/–NT 3♠ 4/3♥ 1♦");
        assert_eq!(text(Side::EastWest), "EW 2♣");
    }
}
