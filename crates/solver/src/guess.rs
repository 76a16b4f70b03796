//! First guess of a result. The search starts with targets near it.

use cards::{Deal, Side, Strain};

use crate::estimate;

/// Returns the tricks that North-South are expected to take, whichever side declares: the mean of the estimates for
/// both sides.
pub(crate) fn north_south(deal: &Deal, strain: Strain) -> f64 {
    let of = |side: Side| f64::from(estimate(deal, side, strain)) / 100.0;
    (of(Side::NorthSouth) + 13.0 - of(Side::EastWest)) / 2.0
}
