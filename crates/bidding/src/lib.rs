//! Auctions, bidding robots, and the hands that an auction shows.
//!
//! A [`BiddingSystem`] makes robots. A [`BiddingTable`] of two systems bids boards on all threads; the auctions do not depend on
//! their number. The built-in systems ([`BuiltInSystem`]) are those of the crate `pons`; a [`ScriptSystem`] is written in the
//! dealer language, and [`check`](mod@check) finds its gaps; other robots are programs that use the protocol of
//! [`protocol`]. An [`AuctionReading`] is the hands that the calls of an auction show.
//!
//! ```
//! use croupier_bidding::{BuiltInSystem, Detail, BiddingSetting, BiddingTable};
//! use cards::{Seat, Vulnerability};
//!
//! let system = BuiltInSystem::by_name("2/1").unwrap();
//! let table = BiddingTable { north_south: system, east_west: system };
//! let deal = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7".parse().unwrap();
//! let setting = BiddingSetting { deal, dealer: Seat::North, vulnerability: Vulnerability::None };
//! let bidding = table.robots()?.bid(&setting, Detail::Call)?;
//! assert!(bidding.auction.is_over());
//! # Ok::<(), croupier_bidding::RobotError>(())
//! ```

#![forbid(unsafe_code)]

mod builtin;
pub mod check;
mod contradiction;
mod external;
mod hand_tables;
mod meaning;
pub mod protocol;
mod reading;
mod result;
mod robot;
mod scripted;
mod system_name;
mod table;

pub use builtin::{BuiltInSystem, SYSTEM_NAMES};
pub use contradiction::ContradictionError;
pub use external::{DEFAULT_CALL_TIME, ExternalRobot};
pub use formats::auction::{self, Auction, AuctionError, AuctionFault, AuctionPattern};
pub use hand_tables::{HandQuantity, HandTable, HandTableOptions, HandTables, HandTablesError};
pub use meaning::{HandRange, Meaning, NumberRange};
pub use reading::{AuctionReading, CallReading, SystemRules};
pub use result::{BiddingSummary, BoardResult, Bonus, IMPS, POINTS, north_south_score};
pub use robot::{Answer, BiddingSystem, CallExplanation, CallPosition, Detail, Robot, RobotError};
pub use scripted::{CallCondition, RuleConditions, ScriptSystem};
pub use system_name::{
    BuiltInRobots, OpenRules, OpenSystems, SystemError, SystemName, read_system,
};
pub use table::{Bidding, BiddingSetting, BiddingTable, Robots};
