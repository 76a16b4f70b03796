//! Names a hand: `cargo run -p croupier-poker --example evaluate -- TsThTd4s4hAc2d`

use cards::CardSet;
use croupier_poker::{CardsError, HandRank, best_five, evaluate, format_cards, parse_cards};

#[allow(dead_code, reason = "the tests have hands of their own")]
fn main() -> Result<(), CardsError> {
    let text = std::env::args().nth(1);
    println!("{}", describe(text.as_deref().unwrap_or("TsThTd4s4hAc2d"))?);
    Ok(())
}

/// Describes a hand, and the best hand that its first five cards can make with two other cards.
pub(crate) fn describe(text: &str) -> Result<String, CardsError> {
    let hand = parse_cards(text)?;
    let mut told = match (evaluate(hand), best_five(hand)) {
        (Some(rank), Some(five)) => {
            let (words, five) = (rank.describe(), format_cards(five));
            format!("{text}: {words} with {five} (rank {rank})")
        }
        _ => format!("{text}: {} cards; a hand has 5, 6 or 7", hand.len()),
    };

    // Evaluate a batch: every seven-card hand that contains the first five cards.
    let board: CardSet = hand
        .iter()
        .take(5)
        .map(CardSet::of)
        .fold(CardSet::EMPTY, |a, b| a | b);
    let rest: Vec<CardSet> = (!board).iter().map(CardSet::of).collect();
    let mut hands = Vec::new();
    for (i, &first) in rest.iter().enumerate() {
        hands.extend(rest[i + 1..].iter().map(|&second| board | first | second));
    }
    let mut ranks = vec![HandRank::default(); hands.len()];
    croupier_poker::evaluate7_batch(&hands, &mut ranks);
    if let (5, Some(best)) = (board.len(), ranks.iter().min()) {
        let (board, best) = (format_cards(board), best.describe());
        told += &format!("\nwith two others beside {board}: at best {best}");
    }
    Ok(told)
}
