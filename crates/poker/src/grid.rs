//! The grid of 169 kinds of starting hands: pairs on the diagonal, suited hands above it, offsuit hands below.

use std::cmp::Ordering;

use cards::{Card, CardSet};

use crate::equity::{HandEquity, ShareIntervals};

/// Ranks from the best down, as rows and columns of the grid.
const RANKS: &[u8; 13] = b"AKQJT98765432";

/// A cell of the grid: row and column, aces first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GridCell {
    /// Row, from 0 for aces.
    pub row: usize,
    /// Column, from 0 for aces.
    pub column: usize,
}

impl GridCell {
    /// Returns all cells, row by row.
    pub fn all() -> impl Iterator<Item = GridCell> {
        (0..169).map(|number| GridCell {
            row: number / 13,
            column: number % 13,
        })
    }

    /// Returns the cell of a hand of two cards.
    #[must_use]
    pub fn of(hand: CardSet) -> Option<GridCell> {
        let cards: Vec<Card> = hand.iter().collect();
        let [a, b] = cards[..] else { return None };
        let place = |card: Card| 12 - card.rank().index();
        let (high, low) = (place(a).min(place(b)), place(a).max(place(b)));
        Some(match a.suit() == b.suit() {
            true => GridCell {
                row: high,
                column: low,
            },
            false => GridCell {
                row: low,
                column: high,
            },
        })
    }

    /// Returns the name: `AKs`, `AA`, `72o`.
    #[must_use]
    pub fn name(self) -> String {
        let [high, low] = [self.row.min(self.column), self.row.max(self.column)];
        let suits = match self.row.cmp(&self.column) {
            Ordering::Less => "s",
            Ordering::Equal => "",
            Ordering::Greater => "o",
        };
        format!("{}{}{suits}", RANKS[high] as char, RANKS[low] as char)
    }

    /// Returns the number of hands in the cell.
    #[must_use]
    pub fn hands(self) -> u64 {
        match self.row.cmp(&self.column) {
            Ordering::Less => 4,
            Ordering::Equal => 6,
            Ordering::Greater => 12,
        }
    }
}

/// The sums over one kind of hand.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandKind {
    /// The number of hands of this kind in the range.
    pub hands: u64,
    /// The sum of their weights, each times the weight of the opponents' hands that share no card with it.
    pub weight: f64,
    /// The sum of the weights of these hands in the range.
    pub range_weight: f64,
    shares: f64,
    wins: f64,
    ties: f64,
    /// The weighted sums of the limits of the hands' intervals, for equity, wins and ties; 0 if they are exact.
    limits: [(f64, f64); 3],
    is_simulated: bool,
}

impl HandKind {
    fn mean(&self, sum: f64) -> Option<f64> {
        (self.weight > 0.0).then(|| sum / self.weight)
    }

    /// Returns the mean weight of these hands in the range; none without hands.
    #[must_use]
    pub fn mean_weight(&self) -> Option<f64> {
        (self.hands > 0).then(|| self.range_weight / self.hands as f64)
    }

    /// Returns the mean share of the pot; none without hands.
    #[must_use]
    pub fn equity(&self) -> Option<f64> {
        self.mean(self.shares)
    }

    /// Returns the share of deals won alone.
    #[must_use]
    pub fn win(&self) -> Option<f64> {
        self.mean(self.wins)
    }

    /// Returns the share of deals tied.
    #[must_use]
    pub fn tie(&self) -> Option<f64> {
        self.mean(self.ties)
    }

    /// Returns the 95 % intervals; none without hands, or if all shares are exact.
    ///
    /// Each limit is the mean of the hands' limits. Hands are simulated with the same random numbers, so that their errors
    /// may have the same sign and do not cancel in the mean.
    #[must_use]
    pub fn intervals(&self) -> Option<ShareIntervals> {
        if !self.is_simulated || self.weight <= 0.0 {
            return None;
        }
        let [equity, win, tie] = self
            .limits
            .map(|(low, high)| (low / self.weight, high / self.weight));
        Some(ShareIntervals { equity, win, tie })
    }

    fn add(&mut self, other: &HandKind) {
        self.hands += other.hands;
        self.weight += other.weight;
        self.range_weight += other.range_weight;
        self.shares += other.shares;
        self.wins += other.wins;
        self.ties += other.ties;
        for (sum, limits) in self.limits.iter_mut().zip(other.limits) {
            sum.0 += limits.0;
            sum.1 += limits.1;
        }
        self.is_simulated |= other.is_simulated;
    }
}

/// The results of a range by kind of hand.
#[derive(Clone, Debug)]
pub struct Grid([[HandKind; 13]; 13]);

impl Grid {
    /// Sums the results of hands of two cards from [`Query::by_hand`](crate::Query::by_hand).
    #[must_use]
    pub fn new(hands: &[HandEquity]) -> Grid {
        let mut grid = Grid([[HandKind::default(); 13]; 13]);
        for hand in hands {
            let Some(cell) = GridCell::of(hand.hand) else {
                continue;
            };
            let range_weight = hand.weight.millionths() as f64 / 1e6;
            let weight = range_weight * hand.room;
            let exact = ShareIntervals {
                equity: (hand.equity, hand.equity),
                win: (hand.win_share, hand.win_share),
                tie: (hand.tie_share, hand.tie_share),
            };
            let intervals = hand.intervals.unwrap_or(exact);
            let limits = [intervals.equity, intervals.win, intervals.tie];
            grid.0[cell.row][cell.column].add(&HandKind {
                hands: 1,
                weight,
                range_weight,
                shares: weight * hand.equity,
                wins: weight * hand.win_share,
                ties: weight * hand.tie_share,
                limits: limits.map(|(low, high)| (weight * low, weight * high)),
                is_simulated: hand.intervals.is_some(),
            });
        }
        grid
    }

    /// Returns the kind of hand in a cell.
    #[must_use]
    pub fn kind(&self, cell: GridCell) -> &HandKind {
        &self.0[cell.row][cell.column]
    }

    /// Returns the sum over all kinds.
    #[must_use]
    pub fn whole(&self) -> HandKind {
        let mut whole = HandKind::default();
        self.0
            .as_flattened()
            .iter()
            .for_each(|kind| whole.add(kind));
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_cards;

    #[test]
    fn every_hand_has_its_cell() {
        for (hand, name) in [
            ("AsKs", "AKs"),
            ("KdAh", "AKo"),
            ("7c7d", "77"),
            ("2h7s", "72o"),
        ] {
            let cell = GridCell::of(parse_cards(hand).unwrap()).unwrap();
            assert_eq!(cell.name(), name);
        }
        assert_eq!(GridCell::all().map(GridCell::hands).sum::<u64>(), 1326);
        assert_eq!(GridCell::of(parse_cards("AsKsQs").unwrap()), None);
    }
}
