//! Several results about one side, found together: what the metrics share is worked out once.

use cards::CardSet;

use super::side::SideAnalysis;
use super::slots::SLOTS;
use super::{MetricError, SideMetric, check_tag, evaluate_analysis, side_metric};
use crate::points::CountTables;

/// A list of results of metrics, to be asked of one pair of hands after the other.
///
/// ```
/// use cards::notation::hand;
/// use valuation::{CountTables, metrics::{Questions, evaluate_hands}};
///
/// // Zar's points of the side, Goren's of the second hand, the side's fit.
/// let questions = Questions::new(&[(12, 3), (3, 5), (12, 127)], &CountTables::STANDARD).unwrap();
/// let hands = [hand("AQ963.K.KJ752.84").unwrap(), hand("KT74.AJ65.8.Q732").unwrap()];
/// let mut answers = [0; 3];
/// questions.answer(hands[0], hands[1], &mut answers);
/// assert_eq!(answers, [54, 14, 9]);
/// assert_eq!(answers[0], evaluate_hands(12, hands[0], hands[1]).unwrap()[3]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Questions {
    metrics: Vec<Asked>,
    /// The count tables, if they are not the standard ones.
    tables: Option<CountTables>,
    count: usize,
}

/// One metric and the results wanted of it.
#[derive(Clone, Debug)]
struct Asked {
    tag: i32,
    compute: Option<SideMetric>,
    /// Place of the answer, and the slot that holds it.
    wanted: Vec<(usize, usize)>,
}

impl Questions {
    /// Questions for slots of metrics, by tag, with the count tables of a script.
    ///
    /// # Errors
    /// If no metric has one of the tags.
    ///
    /// # Panics
    /// If there is no such slot.
    pub fn new(asked: &[(i32, usize)], tables: &CountTables) -> Result<Questions, MetricError> {
        let mut metrics: Vec<Asked> = Vec::new();
        for (place, &(tag, slot)) in asked.iter().enumerate() {
            assert!(slot < SLOTS, "a metric has {SLOTS} results");
            let tag = check_tag(tag)?;
            let of_tag = match metrics.iter().position(|metric| metric.tag == tag) {
                Some(known) => known,
                None => {
                    metrics.push(Asked {
                        tag,
                        compute: side_metric(tag),
                        wanted: Vec::new(),
                    });
                    metrics.len() - 1
                }
            };
            metrics[of_tag].wanted.push((place, slot));
        }
        Ok(Questions {
            metrics,
            tables: (*tables != CountTables::STANDARD).then_some(*tables),
            count: asked.len(),
        })
    }

    /// How many metrics are worked out for a pair of hands.
    #[must_use]
    pub fn metrics(&self) -> usize {
        self.metrics.len()
    }

    /// The answers about two hands, North's (or East's) and South's (or West's), in the order of the questions.
    ///
    /// # Panics
    /// If there is not room for all answers.
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
    fn together_they_are_what_they_are_alone() {
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
            let questions = Questions::new(&asked, &tables).unwrap();
            assert_eq!(questions.metrics(), list().len());
            for deal in deals {
                let deal: Deal = deal.parse().unwrap();
                for side in Side::ALL {
                    let mut answers = vec![0; asked.len()];
                    let [first, second] = side.seats().map(|seat| deal.hand(seat));
                    questions.answer(first, second, &mut answers);
                    for (&(tag, slot), answer) in asked.iter().zip(answers) {
                        let alone = evaluate_with(tag, &deal, side, &tables).unwrap();
                        assert_eq!(answer, alone[slot], "slot {slot} of {tag}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_metric_that_there_is_not_is_refused() {
        assert_eq!(
            Questions::new(&[(12, 0), (15, 0)], &CountTables::STANDARD).unwrap_err(),
            MetricError::Unknown(15)
        );
    }
}
