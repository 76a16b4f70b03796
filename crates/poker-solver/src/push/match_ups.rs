//! Every kind of hand against every other, before the flop.

use std::sync::OnceLock;

use cards::CardSet;
use poker::equity::preflop::match_up;
use poker::grid::GridCell;

/// The number of kinds of hands: 13 pairs, 78 suited, 78 offsuit.
pub const KINDS: usize = 169;
/// The number of hands in the deck without two cards.
pub(super) const OTHERS: f64 = 1225.0;
/// The number of all hands.
pub(super) const HANDS: f64 = 1326.0;

/// Numbers by kind of the first hand, then of the second.
pub(super) type Matrix = Vec<[f64; KINDS]>;

/// Pairs of hands by kinds. The order of the kinds is that of [`GridCell::all`].
pub(super) struct MatchUps {
    /// The number of hands of every kind.
    pub hands: [f64; KINDS],
    /// Pairs of hands that share no card.
    pub pairs: Matrix,
    /// Pairs that the first hand wins.
    pub wins: Matrix,
    /// Pairs that tie.
    pub ties: Matrix,
}

impl MatchUps {
    /// Returns the match-ups, computed on first use from the embedded table.
    pub fn table() -> &'static MatchUps {
        static TABLE: OnceLock<MatchUps> = OnceLock::new();
        TABLE.get_or_init(MatchUps::new)
    }

    fn new() -> MatchUps {
        let kind = |hand: CardSet| GridCell::of(hand).map_or(0, |cell| 13 * cell.row + cell.column);
        let all: Vec<(CardSet, usize)> = (1..52)
            .flat_map(|high| (0..high).map(move |low| CardSet(1 << high | 1 << low)))
            .map(|hand| (hand, kind(hand)))
            .collect();
        let zero = || vec![[0.0; KINDS]; KINDS];
        let mut table = MatchUps {
            hands: [0.0; KINDS],
            pairs: zero(),
            wins: zero(),
            ties: zero(),
        };
        for (cell, hands) in GridCell::all().zip(&mut table.hands) {
            *hands = cell.hands() as f64;
        }
        let mut seen = [false; KINDS];
        for &(first, own) in &all {
            // All hands of a kind have the same result against all hands of another.
            if std::mem::replace(&mut seen[own], true) {
                continue;
            }
            let copies = table.hands[own];
            for &(second, other) in &all {
                if let Some(found) = match_up(first, second) {
                    table.pairs[own][other] += copies;
                    table.wins[own][other] += copies * found.win();
                    table.ties[own][other] += copies * found.tie();
                }
            }
        }
        table
    }
}
