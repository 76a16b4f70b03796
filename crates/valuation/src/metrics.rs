//! Metrics of a side: valuations of two hands together, by the methods of many authors.
//!
//! A metric returns up to 128 numbers in slots. Most use the same layout: slots 0, 1, 2 are the values of the side, of
//! North or East and of South or West in notrump; 3, 4, 5 are the same values in the side's best fit; details follow
//! from 6 on; 126 and 127 hold the trump suit (-1 if there is none) and the length of the fit. [`Metric::labels`]
//! describes every slot, including the scale of values in hundredths.
//!
//! The numbers are those of DealerV2's evaluation server, including its irregularities if scripts could depend on them.
//!
//! ```
//! use cards::{Deal, Side};
//! use croupier_valuation::metrics;
//!
//! let deal: Deal =
//!     "N:KJ9842.Q.QT65.A9 T63.J932.K9.QJT7 5.AK8754.J2.K864 AQ7.T6.A8743.532".parse().unwrap();
//! let zar = metrics::evaluate(12, &deal, Side::NorthSouth).unwrap();
//! assert_eq!(zar.values()[..3], [58, 29, 29]);
//! assert_eq!(zar[126], -1); // no fit
//! ```

mod by_length;
mod catalogue;
mod honour_counts;
mod labels;
mod outline;
mod query;
mod rounding;
mod sets;
mod short_honours;
mod side;
mod slots;

/// Declares the modules of the side metrics and lists their `METRIC`s.
macro_rules! side_metrics {
    ($($name:ident)*) => {
        $(mod $name;)*

        /// The side metrics.
        const SIDE_METRICS: &[Metric] = &[$($name::METRIC),*];
    };
}

// A new metric is a file in `metrics/` and its name here. Tags 0 to 14 are DealerV2's; 15 to 19 and 60 to 79 are free.
side_metrics! {
    bergen bissell dkp goren kaplan karpin karpin_b knr larsson larsson_b pavlicek sheinwold zar zar_advanced roth
}

use std::fmt;

use cards::{BySuit, CardSet, Deal, Seat, Side};

use crate::points::{CountTables, suit_hcp};
pub use catalogue::{Metric, by_name, by_tag, list, slot_of_form};
pub use labels::{Label, LabelOwner};
pub use outline::{Exact, KnownResult, SuitSum, is_known, known};
pub use query::MetricQuery;
pub use side::SideAnalysis;
pub use slots::{SLOTS, Slots};

type SideMetric = fn(&SideAnalysis) -> slots::Valuation;

/// The reason why a tag cannot be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetricError {
    /// No metric has this tag.
    Unknown(i32),
    /// The tag is a stop command for an evaluation server, not a metric.
    Stop(i32),
}

impl fmt::Display for MetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MetricError::Unknown(tag) => {
                write!(
                    f,
                    "no metric has the tag {tag}; `croupier metrics` lists those there are"
                )
            }
            MetricError::Stop(tag) => write!(
                f,
                "the tag {tag} is the order to stop an evaluation server; metrics have tags from 0 to 99"
            ),
        }
    }
}

impl std::error::Error for MetricError {}

/// Evaluates a metric for one side of a deal.
///
/// # Errors
/// Returns an error if no metric has the tag. [`unknown_tag`] returns DealerV2's result for such tags.
pub fn evaluate(tag: i32, deal: &Deal, side: Side) -> Result<Slots, MetricError> {
    evaluate_side(tag, || SideAnalysis::new(deal, side))
}

/// Evaluates a metric for two hands: North's (or East's), then South's (or West's).
///
/// # Errors
/// Returns an error if no metric has the tag.
pub fn evaluate_hands(tag: i32, first: CardSet, second: CardSet) -> Result<Slots, MetricError> {
    evaluate_side(tag, || SideAnalysis::of_hands(first, second))
}

/// Evaluates a metric with the count tables of a script, which may have redefined them.
///
/// # Errors
/// Returns an error if no metric has the tag.
pub fn evaluate_with(
    tag: i32,
    deal: &Deal,
    side: Side,
    tables: &CountTables,
) -> Result<Slots, MetricError> {
    evaluate_side(tag, || SideAnalysis::with_tables(deal, side, tables))
}

fn evaluate_side(tag: i32, analyse: impl FnOnce() -> SideAnalysis) -> Result<Slots, MetricError> {
    Ok(evaluate_analysis(check_tag(tag)?, analyse))
}

/// Evaluates the metric with a tag that [`check_tag`] returned.
fn evaluate_analysis(tag: i32, analyse: impl FnOnce() -> SideAnalysis) -> Slots {
    if let Some(compute) = side_metric(tag) {
        let side = analyse();
        return compute(&side).framed(&side);
    }
    match tag {
        20..=27 => {
            honour_counts::honour_count(&analyse(), &honour_counts::COUNTS[tag as usize - 20])
        }
        40 => sets::all_metrics(&analyse()),
        41 => sets::all_honour_counts(&analyse()),
        42 => sets::summary(&analyse()),
        50 => sets::both_karpins(&analyse()),
        51 => sets::both_larssons(&analyse()),
        88 => sets::side_values(&analyse()),
        _ => sets::syntax_test(),
    }
}

/// Returns the function of the side metric with this tag, if there is one.
fn side_metric(tag: i32) -> Option<SideMetric> {
    // The fifteen metrics of DealerV2 are in the order of their tags.
    let expected = SIDE_METRICS.get(usize::try_from(tag).ok()?);
    expected
        .filter(|metric| metric.tag == tag)
        .or_else(|| SIDE_METRICS.iter().find(|metric| metric.tag == tag))?
        .compute()
}

/// Returns the tag of the metric that a tag selects: letters are converted to numbers.
///
/// # Errors
/// Returns an error if there is none.
pub fn check_tag(tag: i32) -> Result<i32, MetricError> {
    match tag {
        0..=14 | 20..=27 => Ok(tag),
        ..0 | 81 => Err(MetricError::Stop(tag)),
        _ => by_tag(tag)
            .map(|metric| metric.tag)
            .ok_or(MetricError::Unknown(tag)),
    }
}

/// Returns the result of DealerV2's server for an unknown tag: minus North's points in clubs, diamonds, hearts and
/// spades, for either side.
pub fn unknown_tag(deal: &Deal) -> Slots {
    let north = deal.hand(Seat::North);
    let mut slots = Slots::EMPTY;
    slots.put_all(0, &BySuit::from_fn(|suit| -suit_hcp(north.holding(suit))).0);
    slots
}
