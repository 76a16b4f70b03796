//! Point counts: a value for every rank, summed over the cards held.

use cards::{CardSet, Holding, Rank, Suit};

use crate::ranks::{self, by_holding};

/// Values of the ranks, deuce first.
///
/// ```
/// use cards::notation::hand;
/// use croupier_valuation::PointTable;
///
/// let milton = PointTable::from_top(&[4, 3, 2, 1]).unwrap();
/// assert_eq!(milton, PointTable::HCP);
/// assert_eq!(milton.hand(hand("AKQ.JT9..8765432").unwrap()), 10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointTable {
    by_rank: [i32; 13],
}

impl PointTable {
    /// High card points: ace 4, king 3, queen 2, jack 1.
    pub const HCP: PointTable = PointTable::top([4, 3, 2, 1, 0]);
    /// Controls: ace 2, king 1.
    pub const CONTROLS: PointTable = PointTable::top([2, 1, 0, 0, 0]);
    /// The number of tens.
    pub const TENS: PointTable = PointTable::top([0, 0, 0, 0, 1]);
    /// The number of jacks.
    pub const JACKS: PointTable = PointTable::top([0, 0, 0, 1, 0]);
    /// The number of queens.
    pub const QUEENS: PointTable = PointTable::top([0, 0, 1, 0, 0]);
    /// The number of kings.
    pub const KINGS: PointTable = PointTable::top([0, 1, 0, 0, 0]);
    /// The number of aces.
    pub const ACES: PointTable = PointTable::top([1, 0, 0, 0, 0]);
    /// The number of aces and kings.
    pub const TOP2: PointTable = PointTable::top([1, 1, 0, 0, 0]);
    /// The number of aces, kings and queens.
    pub const TOP3: PointTable = PointTable::top([1, 1, 1, 0, 0]);
    /// The number of aces, kings, queens and jacks.
    pub const TOP4: PointTable = PointTable::top([1, 1, 1, 1, 0]);
    /// The number of cards from the ace down to the ten.
    pub const TOP5: PointTable = PointTable::top([1, 1, 1, 1, 1]);
    /// The thirteen-point count: ace 6, king 4, queen 2, jack 1.
    pub const C13: PointTable = PointTable::top([6, 4, 2, 1, 0]);

    const fn top(values: [i32; 5]) -> PointTable {
        let [ace, king, queen, jack, ten] = values;
        PointTable {
            by_rank: [0, 0, 0, 0, 0, 0, 0, 0, ten, jack, queen, king, ace],
        }
    }

    /// Creates a table from values in the order of scripts: ace first; ranks without a value count 0. Returns `None` if
    /// there are more than thirteen values.
    pub fn from_top(values: &[i32]) -> Option<PointTable> {
        let mut by_rank = [0; 13];
        if values.len() > by_rank.len() {
            return None;
        }
        for (slot, &value) in by_rank.iter_mut().rev().zip(values) {
            *slot = value;
        }
        Some(PointTable { by_rank })
    }

    /// Creates a table from the value of each rank, deuce first.
    pub const fn from_ranks(by_rank: [i32; 13]) -> PointTable {
        PointTable { by_rank }
    }

    /// Returns the value of one card of this rank.
    pub fn rank(&self, rank: Rank) -> i32 {
        self.by_rank[rank.index()]
    }

    /// Returns the sum over a holding. It wraps on overflow, which needs values above a hundred million.
    pub fn suit(&self, holding: Holding) -> i32 {
        let mut rest = holding.0;
        let mut sum = 0i32;
        while rest != 0 {
            sum = sum.wrapping_add(self.by_rank[rest.trailing_zeros() as usize % 13]);
            rest &= rest - 1;
        }
        sum
    }

    /// Returns the sum over a hand (or any set of cards).
    pub fn hand(&self, hand: CardSet) -> i32 {
        Suit::ALL.iter().fold(0i32, |sum, &suit| {
            sum.wrapping_add(self.suit(hand.holding(suit)))
        })
    }
}

/// The count tables of a script: the point count and the ten alternative counts.
///
/// Scripts can redefine each of them. The side metrics and external evaluation servers use the redefined tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountTables {
    /// The point count behind `hcp`.
    pub hcp: PointTable,
    /// The alternative counts: tens, jacks, queens, kings, aces, top2, top3, top4, top5, c13.
    pub counts: [PointTable; 10],
}

impl CountTables {
    /// The default tables of a script.
    pub const STANDARD: CountTables = CountTables {
        hcp: PointTable::HCP,
        counts: [
            PointTable::TENS,
            PointTable::JACKS,
            PointTable::QUEENS,
            PointTable::KINGS,
            PointTable::ACES,
            PointTable::TOP2,
            PointTable::TOP3,
            PointTable::TOP4,
            PointTable::TOP5,
            PointTable::C13,
        ],
    };
}

impl Default for CountTables {
    fn default() -> Self {
        CountTables::STANDARD
    }
}

static HCP: [u8; ranks::HOLDINGS] = by_holding!(hcp_of(holding), holding, u8);
static CONTROLS: [u8; ranks::HOLDINGS] = by_holding!(controls_of(holding), holding, u8);

const fn hcp_of(holding: u16) -> i32 {
    use ranks::{A, J, K, Q, count};
    4 * count(holding, A) + 3 * count(holding, K) + 2 * count(holding, Q) + count(holding, J)
}

const fn controls_of(holding: u16) -> i32 {
    use ranks::{A, K, count};
    2 * count(holding, A) + count(holding, K)
}

/// Returns the high card points of a hand: ace 4, king 3, queen 2, jack 1.
pub fn hcp(hand: CardSet) -> i32 {
    ranks::bits_of_hand(hand)
        .0
        .iter()
        .map(|&suit| i32::from(HCP[suit as usize]))
        .sum()
}

/// Returns the high card points of one suit.
pub fn suit_hcp(holding: Holding) -> i32 {
    i32::from(HCP[ranks::bits(holding)])
}

/// Returns the controls of a hand: ace 2, king 1.
pub fn controls(hand: CardSet) -> i32 {
    ranks::bits_of_hand(hand)
        .0
        .iter()
        .map(|&suit| i32::from(CONTROLS[suit as usize]))
        .sum()
}

/// Returns the controls of one suit.
pub fn suit_controls(holding: Holding) -> i32 {
    i32::from(CONTROLS[ranks::bits(holding)])
}
