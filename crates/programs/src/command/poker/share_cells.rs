//! Shares of deals and pots as cells of a table. A simulated share has its 95 % interval beside it and the digits that the
//! interval supports.

use croupier::session::interval::decimals;

use crate::table::ListingCell;

/// The lower and the upper limit of a 95 % interval; `None` for an exact share.
pub(super) type IntervalLimits = Option<(f64, f64)>;

/// Returns a share and the limits of its interval, all multiplied by `factor`. An exact share has `exact_decimals`
/// decimals and empty limits.
pub(super) fn share_and_limits(
    share: f64,
    limits: IntervalLimits,
    factor: f64,
    exact_decimals: usize,
) -> [ListingCell; 3] {
    let Some((low, high)) = limits else {
        return [
            ListingCell::Decimal(factor * share, exact_decimals),
            ListingCell::Empty,
            ListingCell::Empty,
        ];
    };
    let digits = decimals(factor * low, factor * high);
    [share, low, high].map(|number| ListingCell::Decimal(factor * number, digits))
}

/// Returns the decimals of a column of percentages: as many as its widest interval supports, or `exact_decimals` if every
/// share is exact.
pub(super) fn column_decimals(
    limits: impl Iterator<Item = IntervalLimits>,
    exact_decimals: usize,
) -> usize {
    limits
        .flatten()
        .map(|(low, high)| decimals(100.0 * low, 100.0 * high))
        .min()
        .unwrap_or(exact_decimals)
}

/// Returns both limits in percent as text: `33.21 to 33.32`.
pub(super) fn percent_limits((low, high): (f64, f64), decimals: usize) -> String {
    let [low, high] = [low, high].map(|share| 100.0 * share);
    format!("{low:.decimals$} to {high:.decimals$}")
}
