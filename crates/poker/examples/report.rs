//! A range on a flop: its made hands and draws, and the equity of each hand.
//! `cargo run -p croupier-poker --example report`

use croupier_poker::strength::distribution;
use croupier_poker::{
    EquityOptions, Game, NamedRanges, Query, Range, RangeContext, format_cards, parse_cards,
};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let names = NamedRanges::parse(
        "caller = 22-JJ, ATs+, KTs+, QTs+, JTs, T9s, 98s, AQo",
        Game::Holdem,
    )?;
    let board = parse_cards("Th9h3c")?;
    let setting = RangeContext {
        game: Game::Holdem,
        board,
        names: &names,
    };
    let caller = Range::parse_in("caller, !AKs", &setting)?;
    let draws = Range::parse_in("caller[flush draw | open-ended straight draw]", &setting)?;
    println!(
        "{} hands, {} of them with a good draw",
        caller.len(),
        draws.len()
    );

    let found = distribution(Game::Holdem, &caller, board, cards::CardSet::EMPTY);
    for (made, weight) in &found.made {
        let percent = 100.0 * *weight as f64 / found.total as f64;
        println!("{:14} {percent:5.1} %", made.name());
    }

    let query = Query {
        board,
        ..Query::new(
            Game::Holdem,
            vec![caller, Range::parse("QQ+,AKs", Game::Holdem)?],
        )
    };
    let mut hands = query.by_hand(0, &EquityOptions::default())?;
    hands.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    for hand in hands.iter().take(3).chain(hands.iter().rev().take(3).rev()) {
        println!("{} {:.4}", format_cards(hand.hand), hand.equity);
    }
    Ok(())
}
