//! Who is ahead? `cargo run -p croupier-poker --example equity -- AKs "QQ+,AJs+" Kh7d2c`
//!
//! The first two arguments are ranges, the third, if there is one, the board.

use poker::{Game, Options, Query, Range, parse_cards};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (first, second, board) = match &arguments[..] {
        [] => ("AKs", "QQ+,AJs+", ""),
        [first, second] => (first.as_str(), second.as_str(), ""),
        [first, second, board] => (first.as_str(), second.as_str(), board.as_str()),
        _ => return Err("two ranges and perhaps a board are needed".into()),
    };
    let players = vec![first.parse::<Range>()?, second.parse()?];
    let query = Query {
        board: parse_cards(board)?,
        ..Query::new(Game::Holdem, players)
    };
    let equity = query.solve(&Options::default())?;
    println!("{} deals ({})", equity.deals(), equity.algorithm());
    for player in equity.players() {
        println!(
            "{:12} {:.4} ({} wins, {} ties)",
            player.range, player.equity, player.wins, player.ties
        );
    }
    Ok(())
}
