//! An [`Evaluator`] for the built-in metrics.

use valuation::metrics::{self, MetricError};

use crate::{Evaluator, MetricRequest, MetricResults, UserMetricError};

/// Returns whether a built-in metric has this tag.
#[must_use]
pub fn is_built_in(tag: i32) -> bool {
    metrics::check_tag(tag).is_ok()
}

/// Evaluates the metrics of the crate `valuation`.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltInMetrics {
    answers_unknown_tags: bool,
}

impl BuiltInMetrics {
    /// Creates an evaluator that returns the results of DealerV2's server for unknown tags instead of an error.
    pub fn as_v2() -> BuiltInMetrics {
        BuiltInMetrics {
            answers_unknown_tags: true,
        }
    }
}

impl Evaluator for BuiltInMetrics {
    fn evaluate(&mut self, request: &MetricRequest<'_>) -> Result<MetricResults, UserMetricError> {
        let &MetricRequest {
            tag,
            deal,
            side,
            tables,
            ..
        } = request;
        match metrics::evaluate_with(tag, deal, side, tables) {
            Ok(slots) => Ok(*slots.values()),
            Err(MetricError::Unknown(_)) if self.answers_unknown_tags => {
                Ok(*metrics::unknown_tag(deal).values())
            }
            Err(error) => Err(UserMetricError::Metric(error)),
        }
    }
}
