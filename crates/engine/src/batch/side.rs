//! Values of a partnership in columns: built-in metrics and `opc`, which depend on two whole hands.
//!
//! The values of a partnership that are needed at one place (by one part of the condition, or by all actions) form a
//! group. For each deal of the group, the two hands are assembled once, common intermediate results are computed once,
//! and so is every metric.

use cards::{CardSet, Holding, Side, Strain};
use script::plan::{Mode, Node};
use usermetrics::is_built_in;
use valuation::metrics::MetricQuery;
use valuation::{HandPair, OpcCount, Opener};

use super::column::GROUP;
use super::feature;
use super::kernel::Deals;
use super::operation::ColumnId;
use super::slots::Columns;
use crate::outcome::Calls;
use crate::prepared::PreparedPlan;
use crate::user::UserQuery;

/// One value of a partnership.
#[derive(Clone, Copy, Debug)]
pub(super) enum SideValue {
    Opc(Side, Option<Strain>),
    Metric(UserQuery),
}

impl SideValue {
    /// Returns the value that a node names, if it can be computed in columns. `None` for users' metrics, and for values
    /// that do not exist: the scalar machine reports the error.
    pub fn of(prepared: &PreparedPlan<'_>, node: &Node) -> Option<SideValue> {
        // In DealerV2, evaluating `opc` changes the order of the cards and so the next deal.
        if prepared.plan.mode == Mode::V2 {
            return None;
        }
        if let Node::Opc(side, strain) = *node {
            return Some(SideValue::Opc(side, strain));
        }
        let query = UserQuery::of(node)?;
        let answers =
            prepared.has_built_in_metrics() && is_built_in(query.tag) && query.slot().is_some();
        answers.then_some(SideValue::Metric(query))
    }

    pub fn side(&self) -> Side {
        match self {
            SideValue::Opc(side, _) => *side,
            SideValue::Metric(query) => query.side(),
        }
    }

    /// Returns the estimated nanoseconds for 1024 deals.
    pub fn cost(&self) -> u32 {
        match self {
            SideValue::Opc(..) => 200_000,
            SideValue::Metric(_) => 100_000,
        }
    }
}

/// The values of a partnership that are needed at one place.
pub(super) struct SideColumns {
    side: Side,
    opener: Opener,
    questions: MetricQuery,
    /// The columns of the metrics, in the order of `questions`.
    metrics: Vec<ColumnId>,
    opc: Vec<(ColumnId, Option<Strain>)>,
}

impl SideColumns {
    /// Creates the group of these values of a partnership.
    pub fn new(
        prepared: &PreparedPlan<'_>,
        side: Side,
        values: &[(ColumnId, SideValue)],
    ) -> SideColumns {
        let (mut opc, mut metrics, mut requested) = (Vec::new(), Vec::new(), Vec::new());
        for &(column, value) in values {
            match value {
                SideValue::Opc(_, strain) => opc.push((column, strain)),
                SideValue::Metric(query) => {
                    metrics.push(column);
                    let slot = query
                        .slot()
                        .expect("queries without a slot are rejected at compile time");
                    requested.push((query.tag, slot));
                }
            }
        }
        SideColumns {
            side,
            opener: prepared.opener.into(),
            questions: MetricQuery::new(&requested, &prepared.count_tables)
                .expect("unknown metrics are rejected at compile time"),
            metrics,
            opc,
        }
    }

    /// Returns all columns of the group.
    pub fn columns(&self) -> impl Iterator<Item = ColumnId> {
        let opc = self.opc.iter().map(|(column, _)| *column);
        self.metrics.iter().copied().chain(opc)
    }

    /// Returns how often `opc` and metrics are computed for `deals` deals.
    pub fn work(&self, deals: usize) -> [u64; 2] {
        let opc = usize::from(!self.opc.is_empty());
        [deals * opc, deals * self.questions.metrics()].map(|count| count as u64)
    }

    /// Computes all columns of the group for the active lanes.
    pub fn compute(&self, deals: &Deals<'_>, columns: &mut Columns<'_>) {
        let mut answers = vec![0; self.metrics.len()];
        let seats = self.side.seats();
        feature::for_active(deals.active, |group, lane| {
            let planes = &deals.groups[group].planes;
            let [first, second] = seats.map(|seat| {
                CardSet::from_holdings(std::array::from_fn(|suit| {
                    Holding(planes[suit][seat.index()][lane])
                }))
            });
            let lane = group * GROUP + lane;
            self.questions.answer(first, second, &mut answers);
            for (&column, &answer) in self.metrics.iter().zip(&answers) {
                columns[column].set(lane, answer);
            }
            if !self.opc.is_empty() {
                let count = OpcCount::of(&HandPair {
                    north_east: first,
                    south_west: second,
                    opener: self.opener,
                });
                for &(column, strain) in &self.opc {
                    let value = strain.map_or_else(|| count.longest(), |it| count.strain(it));
                    columns[column].set(lane, value);
                }
            }
        });
    }
}

/// How many values of partnerships a target needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SideCalls {
    pub opc: u32,
    pub user: u32,
}

impl SideCalls {
    pub fn any(self) -> bool {
        self != SideCalls::default()
    }

    pub fn note(&mut self, value: &SideValue) {
        match value {
            SideValue::Opc(..) => self.opc += 1,
            SideValue::Metric(_) => self.user += 1,
        }
    }

    /// Adds the calls for `deals` deals.
    pub fn count(self, deals: usize, opc: &mut Calls, user: &mut Calls) {
        opc.made += u64::from(self.opc) * deals as u64;
        user.made += u64::from(self.user) * deals as u64;
    }
}
