//! A first guess of a result, near which the search begins.

use cards::{Deal, Side, Strain};

use crate::estimate;

/// The tricks North-South may be expected to take of a whole deal, whoever declares: what the estimates of both sides
/// say on the average.
pub(crate) fn north_south(deal: &Deal, strain: Strain) -> f64 {
    let of = |side: Side| f64::from(estimate(deal, side, strain)) / 100.0;
    (of(Side::NorthSouth) + 13.0 - of(Side::EastWest)) / 2.0
}
