//! All games in a few lines: hand values, pots and equity.
//! `cargo run -p croupier-poker --example games`

use croupier_poker::{EquityOptions, Game, Query, Range, ShowdownHand, parse_cards, split_pot};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Describe hands.
    for (game, own, board) in [
        (Game::Omaha5, "AsKsQsJd2c", "Ts9s8s2h3d"),
        (Game::OmahaHiLo, "As2dKhKc", "8h7s4cKdQd"),
        (Game::Razz, "Ah2d3c4s8h9dTc", ""),
        (Game::DeuceToSeven, "7c5d4h3s2c", ""),
        (Game::Badugi, "Kc9d5hAs", ""),
    ] {
        let worth = game.describe(parse_cards(own)?, parse_cards(board)?);
        println!("{game:12} {own:14} {worth}");
    }

    // Split a pot of 101 chips: one player wins the high half, two share the low half.
    let board = parse_cards("8h7s4cKdQd")?;
    let show =
        |own| parse_cards(own).map(|own| ShowdownHand::Hand(Game::OmahaHiLo.worth(own, board)));
    let chips = split_pot(
        101,
        &[show("KsKhJcTc")?, show("As2dJhTh")?, show("Ad2sJdTd")?],
    );
    println!("chips: {chips:?}");

    // Equity of incomplete hands: the missing cards are dealt.
    let players = ["As2d3c4h9s", "2s3d5c6h7h"].map(|text| Range::parse(text, Game::Razz));
    let players = players.into_iter().collect::<Result<Vec<_>, _>>()?;
    let equity = Query::new(Game::Razz, players).solve(&EquityOptions::default())?;
    for player in equity.players() {
        println!(
            "{} {:.4} ({})",
            player.range,
            player.equity,
            equity.algorithm()
        );
    }
    Ok(())
}
