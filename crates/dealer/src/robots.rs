//! Robots that bid the deals of scripts with `bids` and similar functions.

use std::sync::Arc;

use croupier::session::AuctionSource;

use crate::failure::Failure;

/// A function that opens the systems of North-South and East-West, or the usual ones if none are named.
pub type OpenRobots = fn(Option<&[String; 2]>) -> Result<Option<Arc<dyn AuctionSource>>, Failure>;

/// The hint of a program without robots.
pub(crate) const NO_ROBOTS: &str =
    "`dealer` is built without them; `croupier deal` has them and the same switches";

/// Opens no robots: they take long to build, so `dealer` has none.
pub(crate) fn none(
    systems: Option<&[String; 2]>,
) -> Result<Option<Arc<dyn AuctionSource>>, Failure> {
    match systems {
        Some(_) => Err(Failure::usage(format!(
            "--bidding-system: bidding robots are needed: {NO_ROBOTS}"
        ))),
        None => Ok(None),
    }
}
