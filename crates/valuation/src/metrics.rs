//! Metrics of a side: how good two hands are together, by the methods of many authors.
//!
//! A metric answers with up to 128 numbers in slots. Most use one frame: slots 0, 1, 2 are the values
//! of the side, of North or East and of South or West in notrump, 3, 4, 5 the same in the side's best
//! fit; details follow from 6 on, and 126 and 127 hold the trump suit (-1 if there is none) and the
//! length of the fit. [`Metric::labels`] says what every slot holds. Values in hundredths are marked
//! so there.
//!
//! The numbers are those of DealerV2's evaluation server, with its quirks where scripts could see
//! them.
//!
//! ```
//! use cards::{Deal, Side};
//! use valuation::metrics;
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
mod questions;
mod rounding;
mod sets;
mod short_honours;
mod side;
mod slots;

/// Reads the files of the side metrics and lists their `METRIC`s.
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
pub use labels::{Label, Whose};
pub use outline::{Exact, Known, SuitSum, is_known, known};
pub use questions::Questions;
pub use side::SideAnalysis;
pub use slots::{SLOTS, Slots};

type SideMetric = fn(&SideAnalysis) -> slots::Valuation;

/// Why a tag has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricError {
    /// No metric has this tag.
    Unknown(i32),
    /// The tag is an order to stop an evaluation server, not a metric.
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
/// If no metric has the tag. [`unknown_tag`] has the answer of the reference to such tags.
pub fn evaluate(tag: i32, deal: &Deal, side: Side) -> Result<Slots, MetricError> {
    evaluate_side(tag, || SideAnalysis::new(deal, side))
}

/// Evaluates a metric for two hands: North's (or East's), then South's (or West's).
///
/// # Errors
/// If no metric has the tag.
pub fn evaluate_hands(tag: i32, first: CardSet, second: CardSet) -> Result<Slots, MetricError> {
    evaluate_side(tag, || SideAnalysis::of_hands(first, second))
}

/// Evaluates a metric with the count tables of a script, which may have redefined them.
///
/// # Errors
/// If no metric has the tag.
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

/// The results of the metric with a tag that [`check_tag`] gave.
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

/// How the side metric with this number is computed; there may be none.
fn side_metric(tag: i32) -> Option<SideMetric> {
    // The first fifteen are in the order of their tags.
    let expected = SIDE_METRICS.get(usize::try_from(tag).ok()?);
    expected
        .filter(|metric| metric.tag == tag)
        .or_else(|| SIDE_METRICS.iter().find(|metric| metric.tag == tag))?
        .compute()
}

/// The tag of the metric that a tag asks for: letters become numbers.
///
/// # Errors
/// If there is none.
pub fn check_tag(tag: i32) -> Result<i32, MetricError> {
    match tag {
        0..=14 | 20..=27 => Ok(tag),
        ..0 | 81 => Err(MetricError::Stop(tag)),
        _ => by_tag(tag)
            .map(|metric| metric.tag)
            .ok_or(MetricError::Unknown(tag)),
    }
}

/// What DealerV2's server answers to a tag it does not know: minus North's points in clubs, diamonds,
/// hearts and spades, whichever side was asked.
pub fn unknown_tag(deal: &Deal) -> Slots {
    let north = deal.hand(Seat::North);
    let mut slots = Slots::EMPTY;
    slots.put_all(0, &BySuit::from_fn(|suit| -suit_hcp(north.holding(suit))).0);
    slots
}
