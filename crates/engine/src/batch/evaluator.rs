//! Evaluates the columns of a plan on one block after another.

use shuffle::{Block, DealRandom};

use super::column::{BLOCK, Column};
use super::compile::{BatchPlan, Target};
use super::draw;
use super::kernel::{self, Deals, Scratch};
use super::operation::{ColumnId, Filled, Operation};
use super::slots::Columns;
use super::view::View;
use crate::outcome::SolverCalls;
use crate::source::Batch;
use crate::tally::{AverageSums, Frequency, Frequency2};

/// Minimum size of a block on which the pass rates of the parts of the condition are measured.
const SAMPLE: usize = 256;

/// Estimated nanoseconds to move one holding of one deal when selected deals are moved together.
const MOVE: u64 = 1;

/// Evaluates blocks for one thread.
pub struct BatchEvaluator<'a> {
    plan: &'a BatchPlan,
    columns: Columns<'a>,
    /// For each column, the number of the view for which it was last computed.
    computed: Vec<u64>,
    epoch: u64,
    view: View,
    scratch: Scratch,
    /// The parts of the condition in the order of evaluation.
    order: Vec<usize>,
    measured: bool,
    /// Estimated nanoseconds that the parts of the condition have taken so far, from fixed costs.
    spent: u64,
    /// The lanes of the selected deals, after [`list`](Self::list).
    lanes: Vec<u16>,
    /// Call counts of values of partnerships.
    call_counts: SolverCalls,
}

impl<'a> BatchEvaluator<'a> {
    /// Creates an evaluator for the plan.
    #[must_use]
    pub fn new(plan: &'a BatchPlan) -> Self {
        let mut order: Vec<usize> = (0..plan.conjuncts.len()).collect();
        order.sort_by_key(|&part| match plan.conjuncts[part].side_calls.any() {
            false => (false, plan.conjuncts[part].cost),
            true => (true, 0),
        });
        let mut columns = plan.places.columns();
        for &id in plan
            .conjuncts
            .iter()
            .chain(&plan.outputs)
            .flat_map(|target| &target.needs)
        {
            if let Operation::Filled(Filled::Constant(value), _) = plan.definitions[id].operation {
                columns[id].fill(value);
            }
        }
        BatchEvaluator {
            plan,
            columns,
            computed: vec![0; plan.definitions.len()],
            epoch: 0,
            view: View::new(plan.path),
            scratch: Scratch::new(),
            order,
            measured: plan.conjuncts.len() < 2,
            spent: 0,
            lanes: Vec::new(),
            call_counts: SolverCalls::default(),
        }
    }

    /// Selects those of the first `count` deals of the block that pass all parts that are columns.
    pub fn select(&mut self, block: &Block, count: usize) {
        self.view.reset(count);
        self.epoch += 1;
        if !self.measured && count >= SAMPLE {
            self.measure(block);
        }
        let plan = self.plan;
        for step in 0..self.order.len() {
            let part = &plan.conjuncts[self.order[step]];
            self.spent += u64::from(part.cost) * self.view.lanes as u64 / BLOCK as u64;
            self.compute(block, part);
            self.narrow(part);
            let left = self.view.survivors();
            if left == 0 {
                return;
            }
            let rest = || {
                let parts = self.order[step + 1..].iter();
                parts
                    .map(|&part| &plan.conjuncts[part])
                    .chain(&plan.outputs)
            };
            if step + 1 < self.order.len() && self.pays(left, rest()) {
                self.view.compact();
                self.epoch += 1;
            }
        }
    }

    /// Returns the nanoseconds that the parts of the condition should have taken so far. They are computed from counted
    /// work and fixed costs, so they depend on the deals alone.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Returns the call counts of values of partnerships since the last call.
    pub fn take_calls(&mut self) -> SolverCalls {
        std::mem::take(&mut self.call_counts)
    }

    /// Returns the number of selected deals.
    #[must_use]
    pub fn survivors(&self) -> usize {
        self.view.survivors()
    }

    /// Calls `f` with the place in the block of every selected deal, in order.
    pub fn for_each(&self, mut f: impl FnMut(usize)) {
        self.view.for_each(|_, place| f(place));
    }

    /// Keeps the selected deals for which `f` returns true. It is called with their places in the block, in order.
    pub fn retain<E>(&mut self, mut f: impl FnMut(usize) -> Result<bool, E>) -> Result<(), E> {
        let mut failed = None;
        let mut out = Vec::new();
        self.view.for_each(|lane, place| {
            if failed.is_some() {
                out.push(lane);
                return;
            }
            match f(place) {
                Ok(true) => {}
                Ok(false) => out.push(lane),
                Err(error) => {
                    failed = Some(error);
                    out.push(lane);
                }
            }
        });
        out.into_iter().for_each(|lane| self.view.drop_lane(lane));
        failed.map_or(Ok(()), Err)
    }

    /// Computes the output columns for the selected deals; draws come from `random`.
    pub fn compute_outputs(&mut self, batch: &Batch, random: &mut DealRandom) {
        let plan = self.plan;
        self.lanes.clear();
        if plan.outputs.is_empty() {
            return;
        }
        let left = self.view.survivors();
        if left < self.view.lanes && self.pays(left, plan.outputs.iter()) {
            self.view.compact();
            self.epoch += 1;
        }
        draw::draw(&plan.draws, batch, &self.view, random, &mut self.columns);
        for draw in &plan.draws {
            self.computed[draw.column] = self.epoch;
        }
        for output in &plan.outputs {
            self.compute(&batch.block, output);
        }
    }

    /// Lists the selected deals, so that [`output`](Self::output) can be called for each.
    pub fn list(&mut self) {
        self.lanes.clear();
        let lanes = &mut self.lanes;
        self.view.for_each(|lane, _| lanes.push(lane as u16));
    }

    /// Returns the value of an output for one of the selected deals, after [`list`](Self::list).
    #[must_use]
    pub fn output(&self, output: usize, deal: usize) -> i32 {
        self.columns[self.plan.outputs[output].column].get(usize::from(self.lanes[deal]))
    }

    /// Adds the values of an output to an average.
    pub fn add_average(&self, output: usize, average: &mut AverageSums) {
        let column = self.plan.outputs[output].column;
        match &self.columns[column] {
            Column::Short(values) => {
                let reach = self.plan.definitions[column].reach;
                let path = self.plan.path;
                let (sum, squares) = if self.view.is_dense() {
                    kernel::sums(path, &values[..self.view.lanes], reach)
                } else {
                    kernel::sums_active(path, values, &self.view.active, reach)
                };
                average.merge(&AverageSums {
                    count: self.view.survivors() as u64,
                    sum: i128::from(sum),
                    squares: u128::from(squares),
                    // Squares of 16-bit numbers fit 32 bits.
                    wrapped_squares: squares as i64,
                });
            }
            Column::Truth(truth) => {
                let active = self.view.active.iter().zip(truth.iter());
                let ones: u64 = active
                    .map(|(active, word)| u64::from((active & word).count_ones()))
                    .sum();
                average.merge(&AverageSums {
                    count: self.view.survivors() as u64,
                    sum: i128::from(ones),
                    squares: u128::from(ones),
                    wrapped_squares: ones as i64,
                });
            }
            other => self.view.for_each(|lane, _| average.add(other.get(lane))),
        }
    }

    /// Counts the values of an output.
    pub fn add_frequency(&self, output: usize, table: &mut Frequency) {
        match &self.columns[self.plan.outputs[output].column] {
            Column::Short(values) if self.view.is_dense() => {
                table.add_all(&values[..self.view.lanes]);
            }
            other => self.view.for_each(|lane, _| table.add(other.get(lane))),
        }
    }

    /// Counts the pairs of values of two outputs.
    pub fn add_frequency2(&self, rows: usize, columns: usize, table: &mut Frequency2) {
        let rows = &self.columns[self.plan.outputs[rows].column];
        let columns = &self.columns[self.plan.outputs[columns].column];
        self.view
            .for_each(|lane, _| table.add(rows.get(lane), columns.get(lane)));
    }

    /// Returns whether moving `left` selected deals together costs less than computing these targets for all the others
    /// too.
    fn pays<'t>(&self, left: usize, targets: impl Iterator<Item = &'t Target>) -> bool {
        let (mut planes, mut cost) = (0u16, 0u64);
        for target in targets {
            planes |= target.planes;
            cost += u64::from(target.cost);
        }
        let lost = (self.view.lanes - left) as u64 * cost / BLOCK as u64;
        left as u64 * u64::from(planes.count_ones()) * MOVE < lost
    }

    /// Computes the columns that a target needs and that are not up to date.
    fn compute(&mut self, block: &Block, target: &Target) {
        if target.side_calls.any() {
            let survivors = self.view.survivors();
            let (opc, user) = (&mut self.call_counts.opc, &mut self.call_counts.user);
            target.side_calls.count(survivors, opc, user);
        }
        if self.is_known(target.column) {
            return;
        }
        self.view.require(block, target.planes);
        let plan = self.plan;
        for &id in &target.needs {
            if self.is_known(id) {
                continue;
            }
            let deals = Deals {
                groups: self.view.groups(block),
                active: &self.view.active,
            };
            let operation = &plan.definitions[id].operation;
            if let Operation::Filled(Filled::SideValue { group_of_side, .. }, _) = *operation {
                let group_of_side = &plan.side_groups[group_of_side];
                group_of_side.compute(&deals, &mut self.columns);
                group_of_side
                    .columns()
                    .for_each(|id| self.computed[id] = self.epoch);
                let [opc, user] = group_of_side.work(self.view.survivors());
                self.call_counts.opc.computed += opc;
                self.call_counts.user.computed += user;
                continue;
            }
            let mut out = std::mem::replace(&mut self.columns[id], Column::Absent);
            kernel::compute(
                plan.path,
                operation,
                &deals,
                &self.columns,
                &mut self.scratch,
                &mut out,
            );
            self.columns[id] = out;
            self.computed[id] = self.epoch;
        }
    }

    /// Returns whether a column holds its values for the deals of the view.
    fn is_known(&self, id: ColumnId) -> bool {
        let operation = &self.plan.definitions[id].operation;
        let constant = matches!(operation, Operation::Filled(Filled::Constant(_), _));
        constant || self.plan.places.is_lasting(id) && self.computed[id] == self.epoch
    }

    /// Deselects the lanes in which the target's value is 0.
    fn narrow(&mut self, target: &Target) {
        let words = match &self.columns[target.column] {
            Column::Truth(truth) => **truth,
            other => {
                let mut words = [0u32; 32];
                self.view.for_each(|lane, _| {
                    words[lane / 32] |= u32::from(other.get(lane) != 0) << (lane % 32);
                });
                words
            }
        };
        for (active, word) in self.view.active.iter_mut().zip(words) {
            *active &= word;
        }
    }

    /// Orders the parts by the cost of rejecting a deal with them, measured on this block.
    ///
    /// Every part is computed on the whole block. The order depends on the block only, and it affects speed only.
    fn measure(&mut self, block: &Block) {
        let plan = self.plan;
        let lanes = self.view.lanes;
        let mut price = vec![0u64; plan.conjuncts.len()];
        for (part, target) in plan.conjuncts.iter().enumerate() {
            // Parts with call counts come last and in the order of the script, so that the counts are reproducible.
            if target.side_calls.any() {
                continue;
            }
            self.compute(block, target);
            self.narrow(target);
            let failed = lanes - self.view.survivors();
            self.view.reset(lanes);
            price[part] = u64::from(target.cost) * 1_000_000 / (failed as u64 + 1);
        }
        self.order
            .sort_by_key(|&part| (plan.conjuncts[part].side_calls.any(), price[part], part));
        self.measured = true;
    }
}
