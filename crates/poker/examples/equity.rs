//! Computes the equity of two ranges: `cargo run -p croupier-poker --example equity -- AKs "QQ+,AJs+" Kh7d2c`
//!
//! The first two arguments are ranges; the optional third is the board.

use croupier_poker::{Equity, EquityOptions, Game, Query, Range, parse_cards};

#[allow(dead_code, reason = "the tests ask the question themselves")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let equity = solve(&arguments)?;
    println!("{} deals ({})", equity.deals(), equity.algorithm());
    for player in equity.players() {
        println!(
            "{:12} {:.4} ({} wins, {} ties)",
            player.range, player.equity, player.wins, player.ties
        );
    }
    Ok(())
}

/// Returns the equity of two ranges, with an optional board.
pub(crate) fn solve(arguments: &[&str]) -> Result<Equity, Box<dyn std::error::Error>> {
    let (first, second, board) = match *arguments {
        [] => ("AKs", "QQ+,AJs+", ""),
        [first, second] => (first, second, ""),
        [first, second, board] => (first, second, board),
        _ => return Err("two ranges and perhaps a board are needed".into()),
    };
    let players = vec![first.parse::<Range>()?, second.parse()?];
    let query = Query {
        board: parse_cards(board)?,
        ..Query::new(Game::Holdem, players)
    };
    Ok(query.solve(&EquityOptions::default())?)
}
