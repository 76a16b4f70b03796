//! What is a hand worth? `cargo run -p croupier-poker --example evaluate -- TsThTd4s4hAc2d`

use cards::CardSet;
use poker::{CardsError, HandRank, best_five, evaluate, format_cards, parse_cards};

fn main() -> Result<(), CardsError> {
    let text = std::env::args()
        .nth(1)
        .unwrap_or("TsThTd4s4hAc2d".to_string());
    let hand = parse_cards(&text)?;
    match (evaluate(hand), best_five(hand)) {
        (Some(rank), Some(five)) => {
            println!(
                "{}: {} with {} (rank {rank})",
                text,
                rank.describe(),
                format_cards(five)
            );
        }
        _ => println!("{text}: {} cards; a hand has 5, 6 or 7", hand.len()),
    }

    // Many hands at once: every seven-card hand that holds this board's first five cards.
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
    poker::evaluate7_batch(&hands, &mut ranks);
    if let (5, Some(best)) = (board.len(), ranks.iter().min()) {
        println!(
            "with two others beside {}: at best {}",
            format_cards(board),
            best.describe()
        );
    }
    Ok(())
}
