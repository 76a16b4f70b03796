//! Robots for scripts that depend on auctions.

use std::sync::Arc;

use croupier::session::{AuctionSource, Job};

use crate::failure::Failure;

/// Opens the systems of North-South and East-West, or the usual ones if none are named.
///
/// # Errors
/// If a system cannot be opened.
#[cfg(feature = "bidding")]
pub fn open(systems: Option<&[String; 2]>) -> Result<Option<Arc<dyn AuctionSource>>, Failure> {
    use croupier::bidding::{BuiltInRobots, DEFAULT_CALL_TIME, OpenSystems, SystemName};

    let Some(names) = systems else {
        return Ok(Some(Arc::new(BuiltInRobots::default())));
    };
    let wrong = |error| Failure::usage(format!("--bidding-system: {error}"));
    let [north_south, east_west] = names.each_ref().map(|name| SystemName::parse(name));
    let names = [&north_south.map_err(wrong)?, &east_west.map_err(wrong)?];
    let systems = OpenSystems::new(names, DEFAULT_CALL_TIME).map_err(wrong)?;
    Ok(Some(Arc::new(systems)))
}

/// Opens no robots.
///
/// # Errors
/// If systems are named: the program is built without robots.
#[cfg(not(feature = "bidding"))]
pub fn open(systems: Option<&[String; 2]>) -> Result<Option<Arc<dyn AuctionSource>>, Failure> {
    match systems {
        Some(_) => Err(Failure::usage(
            "--bidding-system: this program is built without bidding robots (feature `bidding`)",
        )),
        None => Ok(None),
    }
}

/// Gives a job the usual robots.
pub fn with_robots(job: Job) -> Job {
    match open(None) {
        Ok(Some(robots)) => job.robots(robots),
        _ => job,
    }
}
