//! The equity after every card that can come next, and outs.

use cards::{Card, CardSet};

use super::{Equity, EquityError, EquityOptions, PlayerEquity, Query};

/// A card that can come next, and the equity after it.
#[derive(Clone, Debug)]
pub struct NextCard {
    /// The card.
    pub card: Card,
    /// The equity of all players with this card on the board.
    pub equity: Equity,
}

impl NextCard {
    /// Returns a player after the card; players count from 0.
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn player(&self, player: usize) -> PlayerEquity {
        self.equity.players().swap_remove(player)
    }

    /// Returns the change of a player's equity since `now`, and its 95 % interval unless both are exact. The interval
    /// holds every difference between values in the two intervals.
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn change(&self, player: usize, now: &Equity) -> (f64, Option<(f64, f64)>) {
        let (before, after) = (now.players().swap_remove(player), self.player(player));
        let [(low, high), (new_low, new_high)] = [&before, &after].map(|player| {
            let exact = (player.equity, player.equity);
            player.confidence_interval().unwrap_or(exact)
        });
        let is_exact = now.is_exact() && self.equity.is_exact();
        let limits = (!is_exact).then_some((new_low - high, new_high - low));
        (after.equity - before.equity, limits)
    }

    /// Returns whether the card raises a player's equity to more than an even share of the pot. A simulated change
    /// counts if it is larger than its error.
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn is_out(&self, player: usize, now: &Equity) -> bool {
        let players = self.equity.players();
        let even = 1.0 / players.len() as f64;
        let (change, limits) = self.change(player, now);
        players[player].equity > even && limits.map_or(change, |(low, _)| low) > 0.0
    }
}

/// Returns the equity after each card that can come next.
pub(super) fn next_cards(
    query: &Query,
    options: &EquityOptions,
) -> Result<Vec<NextCard>, EquityError> {
    let full = query.game.board_cards();
    if !(3..full).contains(&query.board.len()) {
        return Err(EquityError::NoNextCard(query.board.len(), full));
    }
    let mut found = Vec::new();
    for card in query.left() {
        let mut next = query.clone();
        next.board |= CardSet::of(card);
        match next.solve(options) {
            Ok(equity) => found.push(NextCard { card, equity }),
            // The card is in the only possible hand of some player, so it cannot come next.
            Err(error) if !error.is_invalid_query() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}
