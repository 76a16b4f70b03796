//! The contract of a board that a command analyses, and its principal line of play.

use croupier::cards::{Deal, Side};
use croupier::formats::{Board, DeclaredContract};
use croupier::solver::{OptimalPlay, Position, Solver, par_report};

/// Returns the contract of the board, else the first contract that reaches par; `None` if par is a board passed out.
pub fn contract_of(board: &Board, deal: &Deal, solver: &mut Solver) -> Option<DeclaredContract> {
    let record = board.record.as_deref();
    let played = record.and_then(|record| Some((record.contract?, record.declarer?)));
    if let Some((contract, declarer)) = played {
        return Some(DeclaredContract { contract, declarer });
    }
    let table = board.tricks.unwrap_or_else(|| solver.table(deal));
    let (_, dealer, vulnerable) = board.place();
    let par = par_report(&table, vulnerable, dealer);
    let first = par.contracts.first()?;
    // Of two partners the one with more tricks declares, the first of them if both have equally many.
    let best = |seat: &croupier::cards::Seat| table.tricks(*seat, first.contract.strain);
    let seats = first.side.seats().into_iter();
    let declarer = first.declarer.or_else(|| seats.rev().max_by_key(best))?;
    Some(DeclaredContract {
        contract: first.contract,
        declarer,
    })
}

/// Returns the position before the opening lead.
pub fn opening(deal: &Deal, declared: DeclaredContract) -> Position {
    Position::opening(deal, declared.declarer, declared.contract.strain)
}

/// Returns the tricks of declarer's side if North-South take `north_south` of thirteen.
pub fn declarers(declared: DeclaredContract, north_south: u8) -> u8 {
    match declared.declarer.side() {
        Side::NorthSouth => north_south,
        Side::EastWest => 13 - north_south,
    }
}

/// Formats a line of play as a sentence, trick by trick: `Best play of 3NT by S, 9 tricks: 1. W SQ S3 S6 SA; ...`.
pub fn sentence(declared: DeclaredContract, line: &[OptimalPlay]) -> String {
    let tricks = line
        .first()
        .map_or(0, |step| declarers(declared, step.north_south));
    let tricks_text = line.chunks(4).enumerate().map(|(number, trick)| {
        let cards: Vec<String> = trick
            .iter()
            .map(|step| format!("{}{}", step.card.suit().letter(), step.card.rank().letter()))
            .collect();
        let leader = trick[0].seat.letter();
        format!("{}. {leader} {}", number + 1, cards.join(" "))
    });
    let text: Vec<String> = tricks_text.collect();
    format!(
        "Best play of {declared}, {tricks} tricks: {}.",
        text.join("; ")
    )
}
