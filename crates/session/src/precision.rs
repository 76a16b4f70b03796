//! Ends a run when its averages are precise enough.

use std::ops::ControlFlow;

use cards::Contract;
use engine::{AverageSums, ProducedDeal, Progress, Sink};
use script::plan::{Action, Node, NodeId, Plan};
use serde::{Deserialize, Serialize};
use statistics::precision::{Precision, PrecisionUnit, StoppingRule};

use crate::clusters::ClusterSums;
use crate::error::{Conflict, Error};
use crate::interval::{CONFIDENCE, of_mean};
use crate::outcome::ColumnName;

/// The averages of a run with a precision, and whether they became as precise as requested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrecisionResult {
    /// The requested precision.
    #[serde(with = "crate::text")]
    pub precision: Precision,
    /// Whether the precision was reached.
    pub reached: bool,
    /// The averages, in the order of the script's actions.
    pub averages: Vec<PreciseAverage>,
}

/// An average with its 95 % confidence interval, in the unit of the precision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PreciseAverage {
    /// Label of the average, or its expression.
    pub name: String,
    /// The average; `None` without deals.
    pub value: Option<f64>,
    /// Both ends of the interval; `None` if the deals determine none.
    pub interval: Option<(f64, f64)>,
}

/// An average that must become precise.
struct TrackedAverage {
    action: usize,
    /// Label of the average.
    name: String,
    /// For `evalcontract`: the value of 0 to 13 tricks, in the unit of the precision.
    trick_values: Option<[i32; 14]>,
    /// Values of the current cluster: one deal, or the deals made from it by exchanging hands.
    cluster_values: Vec<i32>,
    /// Smallest and largest possible value.
    range: [i32; 2],
    moments: AverageSums,
    /// Sums over clusters, if deals are made from one another.
    sums: ClusterSums,
    is_clustered: bool,
}

impl TrackedAverage {
    /// Adds the complete cluster to the sums.
    fn close_cluster(&mut self) {
        let deals = self.cluster_values.len() as u64;
        if deals == 0 {
            return;
        }
        if let Some(trick_values) = self.trick_values {
            let trick_values =
                |tricks: &mut i32| *tricks = trick_values[(*tricks).clamp(0, 13) as usize];
            self.cluster_values.iter_mut().for_each(trick_values);
        }
        let sum: i128 = self
            .cluster_values
            .iter()
            .map(|&value| i128::from(value))
            .sum();
        let sums = &mut self.sums;
        sums.clusters += 1;
        sums.deals += deals;
        sums.sizes += u128::from(deals * deals);
        sums.sum += sum;
        sums.squares += (sum * sum).unsigned_abs();
        sums.products += sum * i128::from(deals);
        for value in self.cluster_values.drain(..) {
            self.moments.add(value);
        }
    }

    /// Returns both ends of the interval, which is that of the table of this average.
    fn interval(&self) -> Option<(f64, f64)> {
        let clusters = self.is_clustered.then_some(self.sums);
        of_mean(&self.moments, self.range, clusters, CONFIDENCE)
    }
}

/// The averages of a run, and the precision at which to stop.
pub(crate) struct Averages {
    precision: Precision,
    stopping: StoppingRule,
    tracked: Vec<TrackedAverage>,
    /// Number of consecutive deals that are made from one another by exchanging hands.
    size: u64,
    cluster: u64,
    reached: bool,
}

impl Averages {
    /// Selects the averages of a plan: those that need the solver, or all if none does. `size` consecutive deals are
    /// made from one another by exchanging hands.
    ///
    /// # Errors
    /// If no action has an average in the unit of the precision.
    pub fn new(plan: &Plan, precision: Precision, size: u64) -> Result<Averages, Error> {
        let names = ColumnName::all(plan);
        let tracked = |solved: bool| -> Vec<TrackedAverage> {
            let wanted = |(action, what): (usize, &Action)| {
                let (is_solved, trick_values, range, label) = match what {
                    Action::Average { value, label } => {
                        // Averages of conditions have the unit percent; averages of numbers have other units.
                        let facts = plan.facts_of(*value);
                        let condition = facts.min >= 0 && facts.max <= 1;
                        if condition != (precision.unit == PrecisionUnit::Percent) {
                            return None;
                        }
                        let range = [facts.min, facts.max];
                        (uses_solver(plan, *value), None, range, label.clone())
                    }
                    &Action::EvalContract {
                        side,
                        contract,
                        vulnerable,
                    } => {
                        let (verb, trick_values) =
                            trick_values(precision.unit, contract, vulnerable)?;
                        let least = trick_values.iter().copied().min().unwrap_or_default();
                        let most = trick_values.iter().copied().max().unwrap_or_default();
                        (
                            true,
                            Some(trick_values),
                            [least, most],
                            Some(format!("{contract} of {side} {verb}")),
                        )
                    }
                    _ => return None,
                };
                let column = names.iter().find(|column| column.action == action);
                let name = label.or_else(|| column.map(|column| column.name.clone()));
                (is_solved || !solved).then(|| TrackedAverage {
                    action,
                    name: name.unwrap_or_default(),
                    trick_values,
                    cluster_values: Vec::new(),
                    range,
                    moments: AverageSums::default(),
                    sums: ClusterSums::default(),
                    is_clustered: size > 1,
                })
            };
            plan.actions.iter().enumerate().filter_map(wanted).collect()
        };
        let tracked = match tracked(true) {
            some if !some.is_empty() => some,
            _ => tracked(false),
        };
        if tracked.is_empty() {
            return Err(Conflict::PrecisionWithoutAverage.into());
        }
        Ok(Averages {
            precision,
            stopping: StoppingRule::new(precision),
            tracked,
            size: size.max(1),
            cluster: 0,
            reached: false,
        })
    }

    /// Returns the requested half width in the unit of the averages.
    fn half_width(&self) -> f64 {
        match self.precision.unit {
            PrecisionUnit::Percent => self.precision.half_width / 100.0,
            PrecisionUnit::Tricks | PrecisionUnit::Imps | PrecisionUnit::Points => {
                self.precision.half_width
            }
        }
    }

    /// Adds a deal, and breaks if the complete clusters are enough.
    fn add(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        let cluster = deal.index / self.size;
        if cluster != self.cluster {
            self.cluster = cluster;
            self.close_cluster()?;
        }
        for tracked in &mut self.tracked {
            tracked
                .cluster_values
                .extend(deal.values(tracked.action).first());
        }
        match deal.index % self.size == self.size - 1 {
            true => self.close_cluster(),
            false => ControlFlow::Continue(()),
        }
    }

    /// Closes the current cluster, and breaks if the averages are precise enough.
    fn close_cluster(&mut self) -> ControlFlow<()> {
        if self
            .tracked
            .iter()
            .all(|tracked| tracked.cluster_values.is_empty())
        {
            return ControlFlow::Continue(());
        }
        self.tracked
            .iter_mut()
            .for_each(TrackedAverage::close_cluster);
        let (half_width, tracked) = (self.half_width(), &self.tracked);
        let narrow = |tracked: &TrackedAverage| {
            let interval = tracked.interval();
            interval.is_some_and(|(low, high)| (high - low) / 2.0 <= half_width)
        };
        let clusters = tracked.first().map_or(0, |first| first.sums.clusters);
        let reached = |_: Precision| tracked.iter().all(narrow);
        match self.stopping.stops(clusters as usize, reached) {
            true => {
                self.reached = true;
                ControlFlow::Break(())
            }
            false => ControlFlow::Continue(()),
        }
    }

    /// Returns each average with its interval, and whether the precision was reached.
    pub fn result(&self) -> PrecisionResult {
        let factor = match self.precision.unit {
            PrecisionUnit::Percent => 100.0,
            PrecisionUnit::Tricks | PrecisionUnit::Imps | PrecisionUnit::Points => 1.0,
        };
        let average = |tracked: &TrackedAverage| PreciseAverage {
            name: tracked.name.clone(),
            value: tracked.moments.mean().map(|mean| factor * mean),
            interval: tracked
                .interval()
                .map(|(low, high)| (factor * low, factor * high)),
        };
        PrecisionResult {
            precision: self.precision,
            reached: self.reached,
            averages: self.tracked.iter().map(average).collect(),
        }
    }
}

/// Returns the values of 0 to 13 tricks in a contract. `None` for IMPs, which need a second contract.
fn trick_values(
    unit: PrecisionUnit,
    contract: Contract,
    vulnerable: bool,
) -> Option<(&'static str, [i32; 14])> {
    let of = |trick_values: &dyn Fn(i32) -> i32| {
        std::array::from_fn(|tricks| trick_values(tricks as i32))
    };
    let needed = i32::from(contract.tricks_needed());
    match unit {
        PrecisionUnit::Percent => Some(("makes", of(&|tricks| i32::from(tricks >= needed)))),
        PrecisionUnit::Tricks => Some(("takes", of(&|tricks| tricks))),
        PrecisionUnit::Points => Some(("scores", of(&|tricks| contract.score(vulnerable, tricks)))),
        PrecisionUnit::Imps => None,
    }
}

/// Returns whether an expression uses the solver or a robot.
fn uses_solver(plan: &Plan, root: NodeId) -> bool {
    let (mut seen, mut open) = (std::collections::HashSet::new(), vec![root]);
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        let node = plan.node(node);
        if matches!(
            node,
            Node::Tricks(..)
                | Node::LeadTricks(..)
                | Node::TricksAtLeast(..)
                | Node::Par(..)
                | Node::Auction(_)
        ) {
            return true;
        }
        node.for_each_operand(|operand| open.push(operand));
    }
    false
}

/// A sink that passes deals on until the averages are precise enough.
pub(crate) struct PrecisionSink<'a> {
    /// The sink that receives the deals.
    pub sink: &'a mut dyn Sink,
    /// The averages to make precise.
    pub averages: &'a mut Averages,
}

impl Sink for PrecisionSink<'_> {
    fn on_deal(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        let known = self.averages.add(deal);
        if self.sink.needs_deals() {
            self.sink.on_deal(deal)?;
        }
        known
    }

    fn on_progress(&mut self, progress: Progress) {
        self.sink.on_progress(progress);
    }
}

#[cfg(test)]
mod tests {
    use crate::Job;
    use engine::NoDeals;
    use shuffle::Swap;

    /// Number of runs: enough to distinguish a coverage of 94 % from 95 %.
    const RUNS: i64 = 2000;

    /// Returns how many of the runs have an interval that contains the true value, and the mean number of deals per
    /// run.
    fn covering_runs(value: &str, precision: &str, swap: Swap, truth: f64) -> (u32, f64) {
        let (mut covering_runs, mut deals) = (0, 0);
        for seed in 1..=RUNS {
            let job = Job::new(format!("action average {value}"))
                .exchange(swap)
                .precision(precision.parse().expect("the precision is valid"));
            let session = job.seed(seed).produce(100_000).generate(100_000);
            let session = session.threads(1).prepare().expect("the script compiles");
            let outcome = session.run(&mut NoDeals).expect("the run succeeds");
            let result = outcome.precision.expect("the run has a precision");
            assert!(result.reached);
            deals += outcome.produced;
            let average = &result.averages[0];
            let (low, high) = average.interval.expect("the average has an interval");
            let scale = if precision.ends_with('%') { 100.0 } else { 1.0 };
            let truth = scale * truth;
            covering_runs += u32::from(low <= truth && truth <= high);
        }
        (covering_runs, deals as f64 / RUNS as f64)
    }

    /// Accepted counts of intervals that contain the true value: 93 to 97 % of the runs.
    const COVERED: std::ops::RangeInclusive<u32> = 1860..=1940;

    #[test]
    fn intervals_of_runs_with_a_precision_contain_the_true_value() {
        let choose =
            |n: u64, k: u64| (0..k).fold(1.0, |all, i| all * (n - i) as f64 / (k - i) as f64);
        let of = |k| choose(13, k) * choose(39, 13 - k) / choose(52, 13);
        let [long, very_long]: [f64; 2] = [5, 7].map(|least| (least..=13).map(of).sum());
        for (value, precision, swap, truth) in [
            ("hcp(north)", "0.3 points", Swap::Off, 10.0),
            ("spades(north) >= 5", "3%", Swap::Off, long),
            ("hcp(east)", "0.3 points", Swap::Two, 10.0),
            ("hcp(east) + hcp(west)", "0.5 points", Swap::Two, 20.0),
        ] {
            let (covering_runs, deals) = covering_runs(value, precision, swap, truth);
            assert!(
                COVERED.contains(&covering_runs),
                "{value}: {covering_runs} of 2000, {deals} deals"
            );
        }
        // Few outcomes are possible for a rare event: its intervals are rather too wide than too narrow.
        let (covering_runs, _) = covering_runs("spades(north) >= 7", "1%", Swap::Off, very_long);
        assert!(covering_runs >= *COVERED.start(), "{covering_runs} of 2000");
    }
}
