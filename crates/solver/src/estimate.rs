//! Estimates of the tricks of a side without a search: a small neural network over the four hands.
//!
//! The weights are integers, so an estimate is the same on every machine. `examples/train_estimate.rs` solves random
//! deals and fits the weights; the documentation of [`estimate()`] gives the error. An estimate takes some
//! microseconds, a solution about a thousand times as long. Estimates screen deals before they are solved, choose where
//! a search starts, and serve as control variates in studies of many deals.

mod inputs;
mod network;
mod weights;

use cards::{Deal, Seat, Side, Strain, Suit};

pub use inputs::{HAND_ORDERS, INPUTS, Inputs, of_suits};
pub use network::{CONSTANT_INPUT, FIRST_WIDTH, Network, SECOND_WIDTH, UNIT};

/// Holdings of all seats, indexed by suit, then by seat.
pub type Holdings = [[u16; 4]; 4];

/// Estimates the tricks that a side takes as declarer, in hundredths of a trick.
///
/// Both declarers of a side get the same estimate. On random deals its standard error is 0.64 tricks in a suit and 0.88
/// in notrump (a test checks it). The standard deviation of the results themselves is 2.8.
///
/// ```
/// use cards::{Deal, Side, Strain};
///
/// let deal: Deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"
///     .parse()
///     .unwrap();
/// assert!(croupier_solver::estimate(&deal, Side::NorthSouth, Strain::Notrump) > 1100);
/// assert!(croupier_solver::estimate(&deal, Side::EastWest, Strain::Hearts) < 300);
/// ```
#[must_use]
pub fn estimate(deal: &Deal, side: Side, strain: Strain) -> i32 {
    estimate_holdings(&holdings(deal), side, strain)
}

/// Returns the holdings of a deal, as [`estimate_holdings`] reads them.
#[must_use]
pub fn holdings(deal: &Deal) -> Holdings {
    Suit::ALL.map(|suit| Seat::ALL.map(|seat| deal.hand(seat).holding(suit).0))
}

/// Estimates tricks as [`estimate()`] does, from holdings that are already known.
#[must_use]
pub fn estimate_holdings(holdings: &Holdings, side: Side, strain: Strain) -> i32 {
    let network = match strain.suit() {
        Some(_) => &weights::SUIT,
        None => &weights::NOTRUMP,
    };
    network.hundredths(holdings, side, strain)
}
