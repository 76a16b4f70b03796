//! Auctions of deals, for expressions that depend on them.

use std::fmt;

use cards::{Deal, Seat, Vulnerability};
use formats::Auction;
use script::plan::{AuctionQuery, SideOrSeat, contract_number};

use crate::outcome::EvaluationError;

/// A source of auctions, such as two bidding systems.
pub trait AuctionSource: Send + Sync {
    /// Creates a bidder for one thread.
    ///
    /// # Errors
    /// If it cannot be started.
    fn bidder(&self) -> Result<Box<dyn DealBidder + '_>, EvaluationError>;
}

/// Bids deals on one thread.
pub trait DealBidder {
    /// Returns the whole auction of a deal. It depends on the arguments alone.
    ///
    /// # Errors
    /// If there is none.
    fn bid(
        &mut self,
        deal: &Deal,
        dealer: Seat,
        vulnerability: Vulnerability,
    ) -> Result<Auction, EvaluationError>;
}

/// The source of the auctions of a run, and the terms on which the deals are bid.
#[derive(Clone, Copy)]
pub struct DealAuctions<'a> {
    /// The source.
    pub source: &'a dyn AuctionSource,
    /// The seat that calls first.
    pub dealer: Seat,
    /// Vulnerability of every deal.
    pub vulnerability: Vulnerability,
}

impl fmt::Debug for DealAuctions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DealAuctions")
            .field("dealer", &self.dealer)
            .field("vulnerability", &self.vulnerability)
            .finish_non_exhaustive()
    }
}

/// Bids one deal after another and keeps the last auction.
pub(crate) struct AuctionCache<'a> {
    auctions: DealAuctions<'a>,
    bidder: Option<Box<dyn DealBidder + 'a>>,
    /// The number of the deal, and its auction.
    last: Option<(u64, Auction)>,
}

impl<'a> AuctionCache<'a> {
    pub fn new(auctions: DealAuctions<'a>) -> AuctionCache<'a> {
        AuctionCache {
            auctions,
            bidder: None,
            last: None,
        }
    }

    pub fn vulnerability(&self) -> Vulnerability {
        self.auctions.vulnerability
    }

    /// Returns whether the auction of deal number `epoch` is known.
    pub fn knows(&self, epoch: u64) -> bool {
        self.last
            .as_ref()
            .is_some_and(|(number, _)| *number == epoch)
    }

    /// Returns the auction of a deal, whose number is `epoch`.
    pub fn auction(&mut self, epoch: u64, deal: &Deal) -> Result<&Auction, EvaluationError> {
        let DealAuctions {
            source,
            dealer,
            vulnerability,
        } = self.auctions;
        let last = self.last.take().filter(|(number, _)| *number == epoch);
        let auction = match last {
            Some((_, auction)) => auction,
            None => {
                let bidder = match &mut self.bidder {
                    Some(bidder) => bidder,
                    none => none.insert(source.bidder()?),
                };
                bidder.bid(deal, dealer, vulnerability)?
            }
        };
        Ok(&self.last.insert((epoch, auction)).1)
    }
}

/// Returns the value of a query that depends on the auction alone.
pub(crate) fn value(query: &AuctionQuery, auction: &Auction) -> i32 {
    let declared = auction.declared();
    match query {
        AuctionQuery::Bids(calls) => i32::from(calls.matches(auction.calls())),
        AuctionQuery::Contract => contract_number(declared),
        AuctionQuery::IsContract(wanted) => {
            let is_wanted = |it: formats::DeclaredContract| {
                let bid = (it.contract.level(), it.contract.strain);
                bid == (wanted.level(), wanted.strain)
                    && (wanted.doubling == cards::Doubling::Undoubled
                        || wanted.doubling == it.contract.doubling)
            };
            i32::from(declared.is_some_and(is_wanted))
        }
        AuctionQuery::Declarer => declared.map_or(0, |it| it.declarer.index() as i32 + 1),
        AuctionQuery::IsDeclarer(wanted) => {
            let is_wanted = |seat: Seat| match wanted {
                SideOrSeat::Seat(wanted) => seat == *wanted,
                SideOrSeat::Side(side) => seat.side() == *side,
            };
            i32::from(declared.is_some_and(|it| is_wanted(it.declarer)))
        }
        AuctionQuery::Score(_) => 0,
    }
}
