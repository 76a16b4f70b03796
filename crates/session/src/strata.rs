//! Classes of a levelled or mixed run: the counts by class that its intervals need.
//!
//! The number of deals of each class is fixed, so differences between classes do not add to the error of a mean. The
//! variance is that of a stratified sample: the sum of `n_k * s_k^2`, divided by `n^2`, where class `k` has `n_k` of
//! the `n` deals and the sample variance `s_k^2`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use engine::{AverageSums, ProducedDeal, Progress, Sink, Tally};
use script::plan::Plan;
use statistics::interval::{SampleMean, seen_share, share};
use statistics::{normal, student};

use crate::clusters::CountedValue;
use crate::interval::Interval;
use crate::table::Table;

/// How often each value, cell or number of tricks of a table occurs in each class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strata(Vec<BTreeMap<i32, u64>>);

impl Strata {
    /// Adds a deal of a class.
    fn add(&mut self, class: usize, number: i32) {
        if self.0.len() <= class {
            self.0.resize_with(class + 1, BTreeMap::new);
        }
        *self.0[class].entry(number).or_default() += 1;
    }

    /// Returns the number of deals.
    pub(crate) fn deals(&self) -> u64 {
        self.0.iter().flat_map(BTreeMap::values).sum()
    }

    /// Returns the sums of `value` of the numbers in each class that has deals.
    fn moments(&self, value: impl Fn(i32) -> i32) -> Vec<AverageSums> {
        let of_class = |class: &BTreeMap<i32, u64>| {
            AverageSums::of_counts(class.iter().map(|(&number, &deals)| (value(number), deals)))
        };
        let classes = self.0.iter().filter(|class| !class.is_empty());
        classes.map(of_class).collect()
    }

    /// Returns the interval of the mean of `value`, whose values are in `range`. `None` if a class has a single deal,
    /// which does not show a variance.
    pub(crate) fn mean_interval(
        &self,
        value: impl Fn(i32) -> i32,
        range: [i32; 2],
        level: f64,
    ) -> Option<Interval> {
        let classes = self.moments(value);
        let variance = variance_of_mean(&classes)?;
        let mut all = AverageSums::default();
        classes.iter().for_each(|class| all.merge(class));
        let sample = SampleMean {
            mean: all.mean()?,
            variance,
            observations: all.count - classes.len() as u64 + 1,
            range: (range[0].into(), range[1].into()),
        };
        sample.interval(level)
    }

    /// Returns the interval of the share of deals whose number is `accepted`. `seen` is whether the share may be shown
    /// only because it is not zero.
    ///
    /// As for clusters, the effective number of deals is reduced because the variance is estimated. The degrees of
    /// freedom are the number of deals with the rarer result of their class. The result is at least the number of deals,
    /// because a stratified sample is at least as precise as independent deals.
    pub(crate) fn share_interval(
        &self,
        accepted: impl Fn(i32) -> bool,
        seen: bool,
        level: f64,
    ) -> Option<Interval> {
        let classes = self.moments(|number| i32::from(accepted(number)));
        let deals: u64 = classes.iter().map(|class| class.count).sum();
        let successes: i128 = classes.iter().map(|class| class.sum).sum();
        if deals == 0 {
            return None;
        }
        let n = deals as f64;
        let p = successes as f64 / n;
        let shown = match variance_of_mean(&classes) {
            Some(variance) if variance > 0.0 => p * (1.0 - p) / variance,
            _ => n,
        };
        let rarer = |class: &AverageSums| class.sum.min(i128::from(class.count) - class.sum);
        let rarer: i128 = classes.iter().map(rarer).sum();
        let freedom = u64::try_from(rarer).unwrap_or(0).max(1);
        let reduction = normal::width(level) / student::width(level, freedom);
        let trials = (shown * reduction * reduction).max(n);
        Some(match seen {
            true => seen_share(p * trials, trials, level),
            false => share(p * trials, trials, level),
        })
    }
}

/// Returns the variance of the mean of a stratified sample; `None` if a class has a single deal.
fn variance_of_mean(classes: &[AverageSums]) -> Option<f64> {
    let mut sum = 0.0;
    let mut deals = 0;
    for class in classes {
        if class.count < 2 {
            return None;
        }
        sum += class.count as f64 * class.variance()?;
        deals += class.count;
    }
    Some(sum / (deals as f64).powi(2))
}

/// Collects the counts by class for the tables of a run.
pub(crate) struct StrataCollector {
    /// The class of each deal, in their order.
    classes: Vec<usize>,
    /// The index of the next deal. A deal that is evaluated again counts once.
    next: u64,
    entries: Vec<(usize, CountedValue, Strata)>,
}

impl StrataCollector {
    /// Creates a collector for the tables of `plan`; `None` without tables or classes.
    pub(crate) fn new(plan: &Plan, classes: Vec<usize>) -> Option<StrataCollector> {
        let empty: Vec<_> = plan.actions.iter().map(Tally::for_action).collect();
        let entries: Vec<_> = Table::all(plan, &empty)
            .into_iter()
            .map(|table| {
                let counted = CountedValue::of(&table.data);
                (table.action, counted, Strata::default())
            })
            .collect();
        let is_needed = !entries.is_empty() && !classes.is_empty();
        is_needed.then_some(StrataCollector {
            classes,
            next: 0,
            entries,
        })
    }

    /// Adds the counts to the tables of the run.
    pub(crate) fn attach(&self, tables: &mut [Table]) {
        for (action, _, strata) in &self.entries {
            let table = tables.iter_mut().find(|table| table.action == *action);
            if let Some(table) = table {
                table.strata = Some(strata.clone());
            }
        }
    }

    fn add(&mut self, deal: &ProducedDeal<'_>) {
        let class = usize::try_from(deal.index).ok();
        let class = class.and_then(|index| self.classes.get(index));
        let (Some(&class), true) = (class, deal.index >= self.next) else {
            return;
        };
        self.next = deal.index + 1;
        for (action, counted, strata) in &mut self.entries {
            if let Some(number) = counted.number(deal.values(*action)) {
                strata.add(class, number);
            }
        }
    }
}

/// A sink that passes the deals on and collects the counts by class.
pub(crate) struct StrataSink<'a> {
    /// The sink that receives the deals.
    pub sink: &'a mut dyn Sink,
    /// The collector of the run.
    pub collector: &'a mut StrataCollector,
}

impl Sink for StrataSink<'_> {
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        self.collector.add(deal);
        match self.sink.needs_deals() {
            true => self.sink.on_deal(deal),
            false => ControlFlow::Continue(()),
        }
    }

    fn on_progress(&mut self, progress: Progress) {
        self.sink.on_progress(progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_between_classes_do_not_widen_the_interval() {
        let mut strata = Strata::default();
        let mut all = AverageSums::default();
        for number in 0..100 {
            for (class, value) in [(0, 5 + number % 3), (1, 25 + number % 3)] {
                strata.add(class, value);
                all.add(value);
            }
        }
        assert_eq!(strata.deals(), 200);
        let width = |(low, high): Interval| high - low;
        let stratified = strata.mean_interval(|value| value, [0, 37], 0.95).unwrap();
        let independent = crate::interval::of_mean(&all, [0, 37], None, 0.95).unwrap();
        assert!(
            width(stratified) < 0.2 * width(independent),
            "{stratified:?}"
        );
        // A share that the class decides keeps a width: another result may be rare.
        let (low, high) = strata
            .share_interval(|value| value > 20, false, 0.95)
            .unwrap();
        assert!(low < 0.5 && high > 0.5);
    }

    #[test]
    fn a_class_of_one_deal_shows_no_variance() {
        let mut strata = Strata::default();
        strata.add(0, 3);
        strata.add(0, 4);
        strata.add(1, 9);
        assert_eq!(strata.mean_interval(|value| value, [0, 37], 0.95), None);
        let share = strata.share_interval(|value| value > 3, false, 0.95);
        assert_eq!(share, crate::interval::of_share(2, 3, None, 0.95));
    }
}
