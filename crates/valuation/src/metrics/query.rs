//! Several results about one side, computed together, so that shared values are computed once.

use cards::CardSet;

use super::side::SideAnalysis;
use super::slots::SLOTS;
use super::{MetricError, SideMetric, check_tag, evaluate_analysis, side_metric};
use crate::points::CountTables;

/// A list of results of metrics, to be computed for many pairs of hands.
///
/// ```
/// use cards::notation::hand;
/// use croupier_valuation::{CountTables, metrics::{MetricQuery, evaluate_hands}};
///
/// // Zar's points of the side, Goren's of the second hand, the side's fit.
/// let query = MetricQuery::new(&[(12, 3), (3, 5), (12, 127)], &CountTables::STANDARD).unwrap();
/// let hands = [hand("AQ963.K.KJ752.84").unwrap(), hand("KT74.AJ65.8.Q732").unwrap()];
/// let mut answers = [0; 3];
/// query.answer(hands[0], hands[1], &mut answers);
/// assert_eq!(answers, [54, 14, 9]);
/// assert_eq!(answers[0], evaluate_hands(12, hands[0], hands[1]).unwrap()[3]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct MetricQuery {
    metrics: Vec<RequestedMetric>,
    /// The count tables, if they are not the standard ones.
    tables: Option<CountTables>,
    count: usize,
}

/// One metric and the requested results.
#[derive(Clone, Debug)]
struct RequestedMetric {
    tag: i32,
    compute: Option<SideMetric>,
    /// Index of the result in the output, and the slot that holds it.
    wanted: Vec<(usize, usize)>,
}

impl MetricQuery {
    /// Creates a query for slots of metrics, given as (tag, slot), with the count tables of a script.
    ///
    /// # Errors
    /// Returns an error if no metric has one of the tags.
    ///
    /// # Panics
    /// If a slot number is too large.
    pub fn new(asked: &[(i32, usize)], tables: &CountTables) -> Result<MetricQuery, MetricError> {
        let mut metrics: Vec<RequestedMetric> = Vec::new();
        for (place, &(tag, slot)) in asked.iter().enumerate() {
            assert!(slot < SLOTS, "a metric has {SLOTS} results");
            let tag = check_tag(tag)?;
            let of_tag = match metrics.iter().position(|metric| metric.tag == tag) {
                Some(known) => known,
                None => {
                    metrics.push(RequestedMetric {
                        tag,
                        compute: side_metric(tag),
                        wanted: Vec::new(),
                    });
                    metrics.len() - 1
                }
            };
            metrics[of_tag].wanted.push((place, slot));
        }
        Ok(MetricQuery {
            metrics,
            tables: (*tables != CountTables::STANDARD).then_some(*tables),
            count: asked.len(),
        })
    }

    /// Returns how many metrics are evaluated for a pair of hands.
    #[must_use]
    pub fn metrics(&self) -> usize {
        self.metrics.len()
    }

    /// Writes the results for two hands, North's (or East's) and South's (or West's), in the order of the query.
    ///
    /// # Panics
    /// If `answers` is too short.
    pub fn answer(&self, first: CardSet, second: CardSet, answers: &mut [i32]) {
        assert!(answers.len() >= self.count, "room for every answer");
        if self.metrics.is_empty() {
            return;
        }
        let side = match &self.tables {
            None => SideAnalysis::of_hands(first, second),
            Some(tables) => SideAnalysis::of_hands_with([first, second], tables),
        };
        for metric in &self.metrics {
            match metric.compute {
                Some(compute) => {
                    let found = compute(&side);
                    for &(place, slot) in &metric.wanted {
                        answers[place] = found.framed_slot(&side, slot);
                    }
                }
                None => {
                    let found = evaluate_analysis(metric.tag, || side);
                    for &(place, slot) in &metric.wanted {
                        answers[place] = found[slot];
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{evaluate_with, list};
    use crate::points::PointTable;
    use cards::{Deal, Side};

    /// Every slot of every metric, together and one by one.
    #[test]
    fn a_query_gives_the_same_results_as_single_evaluations() {
        let deals = [
            "N:KJ9842.Q.QT65.A9 T63.J932.K9.QJT7 5.AK8754.J2.K864 AQ7.T6.A8743.532",
            "N:AQ963.K.KJ752.84 2.QT984.AQT.AKJ5 KT74.AJ65.8.Q732 J85.732.9643.T96",
            "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
        ];
        let mut own = CountTables::STANDARD;
        own.hcp = PointTable::from_ranks([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 5, 7]);
        let asked: Vec<(i32, usize)> = list()
            .iter()
            .flat_map(|metric| (0..SLOTS).map(|slot| (metric.tag, slot)))
            .collect();
        for tables in [CountTables::STANDARD, own] {
            let query = MetricQuery::new(&asked, &tables).unwrap();
            assert_eq!(query.metrics(), list().len());
            for deal in deals {
                let deal: Deal = deal.parse().unwrap();
                for side in Side::ALL {
                    let mut answers = vec![0; asked.len()];
                    let [first, second] = side.seats().map(|seat| deal.hand(seat));
                    query.answer(first, second, &mut answers);
                    for (&(tag, slot), answer) in asked.iter().zip(answers) {
                        let alone = evaluate_with(tag, &deal, side, &tables).unwrap();
                        assert_eq!(answer, alone[slot], "slot {slot} of {tag}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_unknown_metric_is_rejected() {
        assert_eq!(
            MetricQuery::new(&[(12, 0), (15, 0)], &CountTables::STANDARD).unwrap_err(),
            MetricError::Unknown(15)
        );
    }
}
