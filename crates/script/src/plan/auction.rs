//! Questions about the auction of a deal.

use cards::{Contract, Seat, Side};
use formats::{AuctionPattern, DeclaredContract};

use super::SideOrSeat;
use super::interval::Interval;

/// A value that depends on the auction of a deal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AuctionQuery {
    /// `bids("1N-P-2C")`: whether the auction begins so: 0 or 1.
    Bids(AuctionPattern),
    /// `contract()`: five times the level plus the strain (clubs 0, notrump 4), without doubles; 0 if the deal is passed out.
    Contract,
    /// `contract(x4S)`: whether this contract is reached: 0 or 1. A contract without a double includes the doubled ones.
    IsContract(Contract),
    /// `declarer()`: 1 for North to 4 for West; 0 if the deal is passed out.
    Declarer,
    /// `declarer(NS)`: whether this seat, or one of this side, is declarer: 0 or 1.
    IsDeclarer(SideOrSeat),
    /// `score(NS)`: the score of the side, double dummy.
    Score(Side),
}

/// Largest score of a deal: seven notrump redoubled and vulnerable, or its defeat by thirteen tricks.
const MAX_SCORE: i32 = 7_600;

impl AuctionQuery {
    /// Returns the range of values.
    pub(crate) fn range(&self) -> Interval {
        match self {
            AuctionQuery::Bids(_) | AuctionQuery::IsContract(_) | AuctionQuery::IsDeclarer(_) => {
                Interval::TRUTH
            }
            AuctionQuery::Contract => Interval::new(0, 39),
            AuctionQuery::Declarer => Interval::new(0, Seat::ALL.len() as i32),
            AuctionQuery::Score(_) => Interval::new(-MAX_SCORE, MAX_SCORE),
        }
    }

    /// Returns whether the value depends on the tricks of the contract, too.
    #[must_use]
    pub const fn needs_tricks(&self) -> bool {
        matches!(self, AuctionQuery::Score(_))
    }
}

/// Returns the value of `contract()`.
#[must_use]
pub fn contract_number(declared: Option<DeclaredContract>) -> i32 {
    declared.map_or(0, |it| {
        5 * i32::from(it.contract.level()) + it.contract.strain.index() as i32
    })
}
