//! `--precision`: a run that ends when its averages are known well enough.

use std::io::{self, Write};
use std::ops::ControlFlow;

use croupier::cards::Contract;
use croupier::engine::{ProducedDeal, Progress, Sink};
use croupier::script::plan::{Action, Node, NodeId, Plan};
use croupier::session::{ClusterSums, Column, Outcome};
use croupier::statistics::normal;
use croupier::studies::{Estimate, Precision, StoppingRule, Unit};

use crate::failure::Failure;

/// Successes, and failures, without which the spread of a share is not known.
const RARE: u64 = 10;

/// A number whose average is asked for.
struct Asked {
    action: usize,
    /// What it is called.
    name: String,
    /// For `evalcontract`: what 0 to 13 tricks are worth, in the unit of the precision.
    worth: Option<[i32; 14]>,
    /// The values of the present cluster: one, or those of the deals that were made from one another.
    present: Vec<i32>,
    sums: ClusterSums,
    /// How many values were 0, and how many 1.
    truths: [u64; 2],
}

impl Asked {
    /// The present cluster is complete.
    fn close(&mut self) {
        let deals = self.present.len() as u64;
        if deals == 0 {
            return;
        }
        if let Some(worth) = self.worth {
            let worth = |tricks: &mut i32| *tricks = worth[(*tricks).clamp(0, 13) as usize];
            self.present.iter_mut().for_each(worth);
        }
        let sum: i128 = self.present.iter().map(|&value| i128::from(value)).sum();
        let sums = &mut self.sums;
        sums.clusters += 1;
        sums.deals += deals;
        sums.sizes += u128::from(deals * deals);
        sums.sum += sum;
        sums.squares += (sum * sum).unsigned_abs();
        sums.products += sum * i128::from(deals);
        for value in self.present.drain(..) {
            let truth = usize::try_from(value).ok();
            if let Some(count) = truth.and_then(|truth| self.truths.get_mut(truth)) {
                *count += 1;
            }
        }
    }

    /// The average and its interval. What is always 0 or 1 is a share, whose interval does not shrink to nothing.
    fn estimate(&self) -> Estimate {
        let ClusterSums {
            clusters, deals, ..
        } = self.sums;
        let [failures, successes] = self.truths;
        let value = self.sums.sum as f64 / deals as f64;
        if failures + successes == deals && (clusters == deals || failures.min(successes) < RARE) {
            // Deals that were made from one another may be as good as one.
            let trials = clusters as f64 / deals as f64;
            let share = Estimate::proportion((successes as f64 * trials).round() as u64, clusters);
            return Estimate { value, ..share };
        }
        let half = normal::WIDTH_OF_95 * self.sums.variance_of_mean().unwrap_or(f64::NAN).sqrt();
        Estimate {
            value,
            low: value - half,
            high: value + half,
        }
    }
}

/// What a run wants to know, and how well.
pub struct Averages {
    precision: Precision,
    stopping: StoppingRule,
    asked: Vec<Asked>,
    /// How many deals in a row are made from one another by exchanging hands.
    size: u64,
    cluster: u64,
    reached: bool,
}

impl Averages {
    /// The averages of a plan: those that ask the solver, or all if none does. So many deals in a row are made from one
    /// another by exchanging hands.
    ///
    /// # Errors
    /// If there is nothing that could be known to this precision.
    pub fn new(plan: &Plan, precision: Precision, size: u64) -> Result<Averages, Failure> {
        let names = Column::all(plan);
        let asked = |solved: bool| -> Vec<Asked> {
            let wanted = |(action, what): (usize, &Action)| {
                let (asks, worth, label) = match what {
                    Action::Average { value, label } => {
                        // Conditions are known in percent, numbers in units of their own.
                        let facts = plan.facts_of(*value);
                        let condition = facts.min >= 0 && facts.max <= 1;
                        if condition != (precision.unit == Unit::Percent) {
                            return None;
                        }
                        (asks_solver(plan, *value), None, label.clone())
                    }
                    &Action::EvalContract {
                        side,
                        contract,
                        vulnerable,
                    } => {
                        let (verb, worth) = worth(precision.unit, contract, vulnerable)?;
                        (
                            true,
                            Some(worth),
                            Some(format!("{contract} of {side} {verb}")),
                        )
                    }
                    _ => return None,
                };
                let column = names.iter().find(|column| column.action == action);
                let name = label.or_else(|| column.map(|column| column.name.clone()));
                (asks || !solved).then(|| Asked {
                    action,
                    name: name.unwrap_or_default(),
                    worth,
                    present: Vec::new(),
                    sums: ClusterSums::default(),
                    truths: [0; 2],
                })
            };
            plan.actions.iter().enumerate().filter_map(wanted).collect()
        };
        let asked = match asked(true) {
            some if !some.is_empty() => some,
            _ => asked(false),
        };
        if asked.is_empty() {
            return Err(Failure::usage(
                "--precision needs something to know: an action `average` of a condition (in %) or of a number (in tricks, \
                 imps or points), or `evalcontract` (in %, tricks or points)",
            ));
        }
        Ok(Averages {
            precision,
            stopping: StoppingRule::new(precision),
            asked,
            size: size.max(1),
            cluster: 0,
            reached: false,
        })
    }

    /// What one unit of the wish is in the values of the averages.
    fn half_width(&self) -> f64 {
        match self.precision.unit {
            Unit::Percent => self.precision.half_width / 100.0,
            Unit::Tricks | Unit::Imps | Unit::Points => self.precision.half_width,
        }
    }

    /// Adds a deal, and says whether the deals before it are enough.
    fn add(&mut self, deal: &ProducedDeal<'_>) -> ControlFlow<()> {
        let cluster = deal.index / self.size;
        if cluster != self.cluster {
            self.cluster = cluster;
            self.close()?;
        }
        for asked in &mut self.asked {
            asked.present.extend(deal.values(asked.action).first());
        }
        match deal.index % self.size == self.size - 1 {
            true => self.close(),
            false => ControlFlow::Continue(()),
        }
    }

    /// The deals that hang together are complete: says whether enough is known.
    fn close(&mut self) -> ControlFlow<()> {
        if self.asked.iter().all(|asked| asked.present.is_empty()) {
            return ControlFlow::Continue(());
        }
        self.asked.iter_mut().for_each(Asked::close);
        let (half_width, asked) = (self.half_width(), &self.asked);
        let narrow = |asked: &Asked| asked.estimate().margin() <= half_width;
        let clusters = asked.first().map_or(0, |first| first.sums.clusters);
        let reached = |_: Precision| asked.iter().all(narrow);
        match self.stopping.stops(clusters as usize, reached) {
            true => {
                self.reached = true;
                ControlFlow::Break(())
            }
            false => ControlFlow::Continue(()),
        }
    }

    /// Tells on standard error what is known of each average, and whether that is as much as was wished.
    pub fn tell(&self, outcome: &Outcome) {
        let (factor, unit) = match self.precision.unit {
            Unit::Percent => (100.0, "%"),
            Unit::Tricks | Unit::Imps | Unit::Points => (1.0, ""),
        };
        let mut err = io::stderr().lock();
        for asked in &self.asked {
            let Estimate { value, low, high } = asked.estimate().scaled(factor);
            let name = asked.name.trim_end_matches([' ', ':']);
            let decimals = croupier::session::interval::decimals(low, high);
            let _ = writeln!(
                err,
                "{name}: {value:.decimals$}{unit}, 95 % interval {low:.decimals$} to {high:.decimals$}"
            );
        }
        if !self.reached {
            let _ = writeln!(
                err,
                "dealer: the precision of {} was not reached with {} deals",
                self.precision, outcome.produced
            );
        }
    }
}

/// What 0 to 13 tricks are worth in a contract; nothing in IMPs, which need another contract.
fn worth(unit: Unit, contract: Contract, vulnerable: bool) -> Option<(&'static str, [i32; 14])> {
    let of = |worth: &dyn Fn(i32) -> i32| std::array::from_fn(|tricks| worth(tricks as i32));
    let needed = i32::from(contract.tricks_needed());
    match unit {
        Unit::Percent => Some(("makes", of(&|tricks| i32::from(tricks >= needed)))),
        Unit::Tricks => Some(("takes", of(&|tricks| tricks))),
        Unit::Points => Some(("scores", of(&|tricks| contract.score(vulnerable, tricks)))),
        Unit::Imps => None,
    }
}

/// Whether an expression asks the solver.
fn asks_solver(plan: &Plan, root: NodeId) -> bool {
    let (mut seen, mut open) = (std::collections::HashSet::new(), vec![root]);
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        let node = plan.node(node);
        if matches!(
            node,
            Node::Tricks(..) | Node::LeadTricks(..) | Node::TricksAtLeast(..) | Node::Par(..)
        ) {
            return true;
        }
        node.for_each_operand(|operand| open.push(operand));
    }
    false
}

/// The deals on their way to the sink, until the averages are known.
pub struct Watching<'a> {
    /// Where they go.
    pub sink: &'a mut dyn Sink,
    /// What is to be known.
    pub averages: &'a mut Averages,
}

impl Sink for Watching<'_> {
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
    use super::*;
    use croupier::session::{Job, NoDeals};
    use croupier::shuffle::Swap;

    /// Enough to see 94 instead of 95 %.
    const RUNS: i64 = 2000;

    /// How many of the runs that end by themselves hold the truth, and how many deals they took on average.
    fn held(value: &str, precision: &str, swap: Swap, truth: f64) -> (u32, f64) {
        let (mut held, mut deals) = (0, 0);
        for seed in 1..=RUNS {
            let job = Job::new(format!("action average {value}")).swap(swap);
            let session = job.seed(seed).produce(100_000).generate(100_000);
            let session = session.threads(1).prepare().expect("a script");
            let precision = precision.parse().expect("a precision");
            let size = swap.arrangements();
            let mut averages = Averages::new(session.plan(), precision, size)
                .unwrap_or_else(|_| panic!("an average"));
            let outcome = session.run(&mut Watching {
                sink: &mut NoDeals,
                averages: &mut averages,
            });
            assert!(averages.reached);
            deals += outcome.expect("a run").produced;
            let estimate = averages.asked[0].estimate();
            held += u32::from(estimate.low <= truth && truth <= estimate.high);
        }
        (held, deals as f64 / RUNS as f64)
    }

    /// 93 to 97 %.
    const COVERED: std::ops::RangeInclusive<u32> = 1860..=1940;

    #[test]
    fn intervals_of_runs_that_end_by_themselves_hold_the_truth() {
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
            let (held, deals) = held(value, precision, swap, truth);
            assert!(
                COVERED.contains(&held),
                "{value}: {held} of 2000, {deals} deals"
            );
        }
        // Wilson's interval of what is rare is rather too wide than too narrow.
        let (held, _) = held("spades(north) >= 7", "1%", Swap::Off, very_long);
        assert!(held >= *COVERED.start(), "{held} of 2000");
    }
}
